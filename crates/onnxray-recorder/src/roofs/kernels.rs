//! What is timed: multiply-adds in registers, and reading.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};
use std::hint::black_box;

/// Chains of multiply-adds that do not wait for each other: two units of a latency of 4 to 5 cycles
/// need 10, and with both factors they fit in the 16 registers of AVX2.
const CHAINS: usize = 12;

/// The widest vectors that there are, if the roof of arithmetic can be measured with them.
///
/// # Errors
///
/// Why it cannot.
pub(super) fn level() -> Result<Level, String> {
    let level = Level::new();
    #[cfg(target_arch = "x86_64")]
    {
        // Engines take it where it is there, and then exceed what AVX2 reaches.
        if level.as_avx512().is_none() && std::arch::is_x86_feature_detected!("avx512f") {
            return Err("AVX-512 of this processor lacks extensions that Ice Lake has, and is \
                        not measured"
                .to_string());
        }
        if level.as_avx2().is_none() {
            return Err("without AVX2, multiply-adds are not measured".to_string());
        }
    }
    if level.is_fallback() {
        return Err("no vectors of this processor are known".to_string());
    }
    Ok(level)
}

/// Name of the instruction set.
pub(super) fn name(level: Level) -> &'static str {
    #[cfg(target_arch = "x86_64")]
    return if level.as_avx512().is_some() { "AVX-512" } else { "AVX2" };
    #[cfg(not(target_arch = "x86_64"))]
    return if level.is_fallback() { "none" } else { "NEON" };
}

/// Multiplies and adds `rounds` times in all chains; returns the FLOPs that this took.
pub(super) fn multiply_add(level: Level, rounds: u32) -> f64 {
    let lanes = dispatch!(level, simd => multiply_adds(simd, rounds));
    2.0 * (lanes * CHAINS) as f64 * f64::from(rounds)
}

#[inline(always)]
fn multiply_adds<S: Simd>(simd: S, rounds: u32) -> usize {
    // Sums stay near 0.1: neither too large nor denormal, which would be slow.
    let [factor, term] = [0.9_f32, 0.01].map(|value| S::f32s::splat(simd, black_box(value)));
    let mut sums = [S::f32s::splat(simd, black_box(0.5)); CHAINS];
    for _ in 0..rounds {
        for sum in &mut sums {
            *sum = factor.mul_add(*sum, term);
        }
    }
    let mut total = sums[0];
    sums[1..].iter().for_each(|&sum| total += sum);
    black_box(total.as_slice());
    <S::f32s as SimdBase<S>>::LEN
}

/// Reads everything `passes` times: compares one half with the other, which is the same. The
/// system's own comparison takes the widest vectors that there are.
pub(super) fn read(data: &[u8], passes: u32) {
    let (one, other) = data.split_at(data.len() / 2);
    for _ in 0..passes {
        // Otherwise one pass would do for all.
        black_box(black_box(one) == black_box(other));
    }
}

/// Multiplies and adds 8-bit integers; returns the operations that this took.
pub(super) type Dots = fn(Level, u32) -> f64;

/// The fastest products of 8-bit integers.
///
/// # Errors
///
/// Why they cannot be measured.
#[cfg(target_arch = "x86_64")]
pub(super) fn dots(level: Level) -> Result<Dots, String> {
    let has = |flag: &str| {
        let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        known.split_whitespace().any(|word| word == flag)
    };
    if has("amx_int8") {
        return Err("AMX multiplies them, which is not measured".to_string());
    }
    if level.as_avx512().is_some() {
        return Ok(|level, rounds| match level.as_avx512() {
            Some(avx512) => x86_64::dots_512(avx512, rounds),
            None => 0.0,
        });
    }
    if std::arch::is_x86_feature_detected!("avxvnni") {
        return Err("AVX-VNNI multiplies them, which is not measured".to_string());
    }
    Ok(|level, rounds| match level.as_avx2() {
        Some(avx2) => x86_64::dots_256(avx2, rounds),
        None => 0.0,
    })
}

/// The fastest products of 8-bit integers.
///
/// # Errors
///
/// Why they cannot be measured.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn dots(_: Level) -> Result<Dots, String> {
    Err("their instructions are not measured on this processor".to_string())
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::CHAINS;
    use std::arch::x86_64::*;
    use std::hint::black_box;

    fearless_simd::kernel! {
        /// `VPDPBUSD`: 64 products a vector.
        pub(super) fn dots_512(_avx512: Avx512, rounds: u32) -> f64 {
            let [a, b] = [3, 2].map(|value| _mm512_set1_epi8(black_box(value)));
            let mut sums = [_mm512_setzero_si512(); CHAINS];
            for _ in 0..rounds {
                for sum in &mut sums {
                    *sum = _mm512_dpbusd_epi32(*sum, a, b);
                }
            }
            let mut total = sums[0];
            for sum in &sums[1..] {
                total = _mm512_add_epi32(total, *sum);
            }
            black_box(_mm512_reduce_add_epi32(total));
            2.0 * (64 * CHAINS) as f64 * f64::from(rounds)
        }
    }

    fearless_simd::kernel! {
        /// As kernels do it with AVX2: pairs of products of 16 bits, pairs of these, and the sum.
        pub(super) fn dots_256(_avx2: Avx2, rounds: u32) -> f64 {
            const SUMS: usize = 8;
            let one = _mm256_set1_epi16(black_box(1));
            let weight = _mm256_set1_epi8(black_box(2));
            let inputs = [0; SUMS].map(|_| _mm256_set1_epi8(black_box(3)));
            let mut sums = [_mm256_setzero_si256(); SUMS];
            for _ in 0..rounds {
                // Not known to be what they were, or they would be multiplied once.
                for (sum, input) in sums.iter_mut().zip(black_box(&inputs)) {
                    let pairs = _mm256_maddubs_epi16(*input, weight);
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, one));
                }
            }
            let mut total = sums[0];
            for sum in &sums[1..] {
                total = _mm256_add_epi32(total, *sum);
            }
            black_box(_mm256_extract_epi32::<0>(total));
            2.0 * (32 * SUMS) as f64 * f64::from(rounds)
        }
    }
}
