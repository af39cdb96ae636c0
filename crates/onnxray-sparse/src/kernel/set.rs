//! Which instructions there are.

use fearless_simd::Level;
use std::fmt;

/// A set of vector instructions that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InstructionSet {
    /// 16 elements, x86-64 since Ice Lake.
    Avx512,
    /// 8 elements, x86-64 since Haswell.
    Avx2,
    /// 4 elements, 64-bit Arm.
    Neon,
    /// What every processor of this architecture has.
    Portable,
}

impl InstructionSet {
    /// All of them, the widest first.
    pub const ALL: [Self; 4] = [Self::Avx512, Self::Avx2, Self::Neon, Self::Portable];

    pub(super) fn of(level: Level) -> Self {
        #[cfg(target_arch = "x86_64")]
        return match level {
            Level::Avx512(_) => Self::Avx512,
            Level::Avx2(_) => Self::Avx2,
            _ => Self::Portable,
        };
        #[cfg(target_arch = "aarch64")]
        return if level.as_neon().is_some() { Self::Neon } else { Self::Portable };
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        {
            let _ = level;
            Self::Portable
        }
    }

    /// What this processor runs of it.
    pub(super) fn level(self) -> Option<Level> {
        let best = Level::new();
        match self {
            Self::Portable => Some(Level::baseline()),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => best.as_avx512().map(Level::Avx512),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => best.as_avx2().map(Level::Avx2),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => best.as_neon().map(Level::Neon),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx512 | Self::Avx2 => None,
            #[cfg(not(target_arch = "aarch64"))]
            Self::Neon => {
                let _ = best;
                None
            }
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Avx512 => "AVX-512",
            Self::Avx2 => "AVX2",
            Self::Neon => "NEON",
            Self::Portable => "portable",
        })
    }
}
