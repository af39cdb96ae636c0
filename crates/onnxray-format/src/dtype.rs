//! Element types of tensors, spelled as the Neural Engine profiles spell them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataType {
    /// IEEE 754, 64 bits.
    Fp64,
    /// IEEE 754, 32 bits.
    Fp32,
    /// IEEE 754, 16 bits.
    Fp16,
    /// bfloat16: the upper half of an `Fp32`.
    Bf16,
    /// 4 bits of exponent, 3 of mantissa, without infinities.
    Fp8E4M3Fn,
    /// The same with one zero, and another bias.
    Fp8E4M3FnUz,
    /// 5 bits of exponent, 2 of mantissa.
    Fp8E5M2,
    /// The same without infinities and with one zero, and another bias.
    Fp8E5M2FnUz,
    /// 8 bits of exponent alone: powers of two.
    Fp8E8M0,
    /// 2 bits of exponent, 1 of mantissa; two in a byte.
    Fp4E2M1,
    /// Signed, 64 bits.
    S64,
    /// Signed, 32 bits.
    S32,
    /// Signed, 16 bits.
    S16,
    /// Signed, 8 bits.
    S8,
    /// Signed, two in a byte.
    S4,
    /// Signed, four in a byte.
    S2,
    /// Unsigned, 64 bits.
    U64,
    /// Unsigned, 32 bits.
    U32,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, two in a byte.
    U4,
    /// Unsigned, four in a byte.
    U2,
    /// A real and an imaginary part of 32 bits each.
    C64,
    /// A real and an imaginary part of 64 bits each.
    C128,
    /// A byte each.
    Bool,
    /// Texts of any length.
    String,
    /// A type that the producer does not name or that has no fixed size.
    #[serde(other)]
    Other,
}

impl DataType {
    /// Size of one element in bits; `None` where elements have no fixed size.
    pub fn bits(self) -> Option<u64> {
        use DataType::*;
        match self {
            C128 => Some(128),
            Fp64 | S64 | U64 | C64 => Some(64),
            Fp32 | S32 | U32 => Some(32),
            Fp16 | Bf16 | S16 | U16 => Some(16),
            Fp8E4M3Fn | Fp8E4M3FnUz | Fp8E5M2 | Fp8E5M2FnUz | Fp8E8M0 => Some(8),
            S8 | U8 | Bool => Some(8),
            Fp4E2M1 | S4 | U4 => Some(4),
            S2 | U2 => Some(2),
            String | Other => None,
        }
    }

    /// Size of one element in bytes; `None` where elements have no fixed size, or share a byte.
    pub fn bytes(self) -> Option<u64> {
        self.bits().filter(|bits| bits % 8 == 0).map(|bits| bits / 8)
    }

    /// Size of that many elements in bytes, several of which may share one.
    pub fn bytes_of(self, elements: u64) -> Option<u64> {
        // Padded once, at the end: elements that share bytes are packed over the whole tensor.
        Some(elements.checked_mul(self.bits()?)?.div_ceil(8))
    }

    /// Its name in recordings and tables: `fp32`.
    pub fn name(self) -> &'static str {
        use DataType::*;
        match self {
            Fp64 => "fp64",
            Fp32 => "fp32",
            Fp16 => "fp16",
            Bf16 => "bf16",
            Fp8E4M3Fn => "fp8e4m3fn",
            Fp8E4M3FnUz => "fp8e4m3fnuz",
            Fp8E5M2 => "fp8e5m2",
            Fp8E5M2FnUz => "fp8e5m2fnuz",
            Fp8E8M0 => "fp8e8m0",
            Fp4E2M1 => "fp4e2m1",
            S64 => "s64",
            S32 => "s32",
            S16 => "s16",
            S8 => "s8",
            S4 => "s4",
            S2 => "s2",
            U64 => "u64",
            U32 => "u32",
            U16 => "u16",
            U8 => "u8",
            U4 => "u4",
            U2 => "u2",
            C64 => "c64",
            C128 => "c128",
            Bool => "bool",
            String => "string",
            Other => "other",
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_may_share_a_byte() {
        assert_eq!(DataType::S4.bytes_of(7), Some(4));
        assert_eq!(DataType::U2.bytes_of(9), Some(3));
        assert_eq!(DataType::Fp8E5M2.bytes_of(7), Some(7));
        assert_eq!(DataType::C64.bytes_of(3), Some(24));
        assert_eq!(DataType::Fp64.bytes_of(u64::MAX / 8), None, "more bits than can be counted");
        assert_eq!(DataType::Other.bytes_of(1), None);
        assert_eq!((DataType::S4.bytes(), DataType::Bf16.bytes()), (None, Some(2)));
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        use DataType::*;
        for data_type in [
            Fp64,
            Fp32,
            Fp16,
            Bf16,
            Fp8E4M3Fn,
            Fp8E4M3FnUz,
            Fp8E5M2,
            Fp8E5M2FnUz,
            Fp8E8M0,
            Fp4E2M1,
            S64,
            S32,
            S16,
            S8,
            S4,
            S2,
            U64,
            U32,
            U16,
            U8,
            U4,
            U2,
            C64,
            C128,
            Bool,
            String,
            Other,
        ] {
            let text = serde_json::to_string(&data_type).unwrap();
            assert_eq!(text, format!("{:?}", data_type.name()));
            assert_eq!(serde_json::from_str::<DataType>(&text).unwrap(), data_type);
        }
    }
}
