//! x86-64: `VZEROUPPER`, and what `XGETBV` tells.
//!
//! # Soundness
//!
//! All that is unsafe here is that a processor or an operating system without the
//! instructions would stop the program at them. So each call follows a look at
//! what there is. No function takes or makes a pointer. `VZEROUPPER` changes bits 128
//! and up of the first 16 vector registers; both calling conventions let any function
//! that is called lose them, so no caller has anything there, and the compiler knows
//! what its own intrinsic changes. `XGETBV` changes nothing but its result.

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{__cpuid, __cpuid_count, _mm256_zeroupper, _xgetbv};
use std::sync::LazyLock;

/// Clears bits 128 and up of the vector registers; does nothing where there are none.
/// It takes about a nanosecond.
#[inline]
pub fn clear() {
    if can_clear() {
        // SAFETY: the processor and the operating system have AVX.
        #[expect(unsafe_code, reason = "an instruction that not every processor has")]
        unsafe {
            zero_upper_halves();
        }
    }
}

/// Whether there is anything to clear: [`clear`] does nothing otherwise.
#[inline]
pub fn can_clear() -> bool {
    is_x86_feature_detected!("avx")
}

/// Whether the processor counts the upper halves of the vector registers as in use on
/// this thread. `None` if it does not tell. A processor may say so of registers that
/// hold zeros, and never says otherwise of any that do not.
///
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1,
/// sections 13.1 and 13.6: components 2 (AVX) and 6 (upper halves of ZMM0 to ZMM15) of
/// XINUSE.
pub fn in_use() -> Option<bool> {
    const UPPER_HALVES: u64 = 1 << 2 | 1 << 6;
    if !*TELLS {
        return None;
    }
    // SAFETY: the processor has XGETBV, enabled, and takes 1 for its argument.
    #[expect(unsafe_code, reason = "an instruction that not every processor has")]
    let components = unsafe { components_in_use() };
    Some(components & UPPER_HALVES != 0)
}

/// Whether `XGETBV` takes 1 for its argument: leaf 13 of `CPUID`, sub-leaf 1, bit 2 of EAX.
static TELLS: LazyLock<bool> = LazyLock::new(|| {
    // `xsave` is detected only where the operating system has enabled it.
    let leaf = || __cpuid(0).eax >= 13 && __cpuid_count(13, 1).eax & 1 << 2 != 0;
    can_clear() && is_x86_feature_detected!("xsave") && leaf()
});

#[target_feature(enable = "avx")]
fn zero_upper_halves() {
    _mm256_zeroupper();
}

#[target_feature(enable = "xsave")]
#[expect(unsafe_code, reason = "the intrinsic stops the program at an argument it does not take")]
unsafe fn components_in_use() -> u64 {
    // SAFETY: the caller has made sure that 1 is an argument it takes.
    unsafe { _xgetbv(1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::arch::asm;

    /// Fills the 16 registers, calls `between`, and returns the bits that are set above
    /// bit 128 of any of them.
    #[target_feature(enable = "avx")]
    #[expect(unsafe_code, reason = "the compiler keeps nothing in registers across calls")]
    fn left_by(between: extern "C" fn()) -> u128 {
        let mut left = 0u128;
        // SAFETY: it writes registers that it declares, and `left`.
        unsafe {
            asm!(
                "vcmptrueps ymm0, ymm0, ymm0",
                "vmovaps ymm1, ymm0", "vmovaps ymm2, ymm0", "vmovaps ymm3, ymm0",
                "vmovaps ymm4, ymm0", "vmovaps ymm5, ymm0", "vmovaps ymm6, ymm0",
                "vmovaps ymm7, ymm0", "vmovaps ymm8, ymm0", "vmovaps ymm9, ymm0",
                "vmovaps ymm10, ymm0", "vmovaps ymm11, ymm0", "vmovaps ymm12, ymm0",
                "vmovaps ymm13, ymm0", "vmovaps ymm14, ymm0", "vmovaps ymm15, ymm0",
                "call {between}",
                "vorps ymm0, ymm0, ymm1", "vorps ymm2, ymm2, ymm3", "vorps ymm4, ymm4, ymm5",
                "vorps ymm6, ymm6, ymm7", "vorps ymm8, ymm8, ymm9", "vorps ymm10, ymm10, ymm11",
                "vorps ymm12, ymm12, ymm13", "vorps ymm14, ymm14, ymm15",
                "vorps ymm0, ymm0, ymm2", "vorps ymm4, ymm4, ymm6", "vorps ymm8, ymm8, ymm10",
                "vorps ymm12, ymm12, ymm14", "vorps ymm0, ymm0, ymm4",
                "vorps ymm8, ymm8, ymm12", "vorps ymm0, ymm0, ymm8",
                "vextractf128 [r12], ymm0, 1",
                "vzeroupper",
                between = in(reg) between,
                // A register that the call keeps.
                in("r12") &mut left,
                clobber_abi("C"),
            );
        }
        left
    }

    extern "C" fn clear_from_outside() {
        clear();
    }

    extern "C" fn do_nothing() {}

    #[test]
    #[expect(unsafe_code, reason = "the registers are read")]
    fn the_upper_halves_are_zero_afterwards() {
        if can_clear() {
            // SAFETY: there is AVX.
            let left = |between| unsafe { left_by(between) };
            assert_eq!(left(do_nothing), u128::MAX);
            assert_eq!(left(clear_from_outside), 0);
        }
    }

    #[test]
    #[expect(unsafe_code, reason = "registers are written")]
    fn the_processor_says_what_is_in_use() {
        let Some(_) = in_use() else { return };
        // SAFETY: there is AVX, and all registers that change are declared.
        let fill = || unsafe { asm!("vcmptrueps ymm3, ymm3, ymm3", out("ymm3") _) };
        // SAFETY: as above.
        let zero = || unsafe { asm!("vzeroall", clobber_abi("C")) };
        fill();
        assert_eq!(in_use(), Some(true));
        zero();
        let notices_zeros = in_use() == Some(false);
        fill();
        clear();
        assert_eq!(in_use(), Some(!notices_zeros));
    }
}
