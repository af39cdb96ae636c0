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
    /// Signed, 64 bits.
    S64,
    /// Signed, 32 bits.
    S32,
    /// Signed, 16 bits.
    S16,
    /// Signed, 8 bits.
    S8,
    /// Unsigned, 64 bits.
    U64,
    /// Unsigned, 32 bits.
    U32,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 8 bits.
    U8,
    /// A byte each.
    Bool,
    /// Texts of any length.
    String,
    /// A type that the producer does not name or that has no fixed size.
    #[serde(other)]
    Other,
}

impl DataType {
    /// Size of one element in bytes; `None` where elements have no fixed size.
    pub fn bytes(self) -> Option<u64> {
        use DataType::*;
        match self {
            Fp64 | S64 | U64 => Some(8),
            Fp32 | S32 | U32 => Some(4),
            Fp16 | Bf16 | S16 | U16 => Some(2),
            S8 | U8 | Bool => Some(1),
            String | Other => None,
        }
    }

    /// Its name in recordings and tables: `fp32`.
    pub fn name(self) -> &'static str {
        use DataType::*;
        match self {
            Fp64 => "fp64",
            Fp32 => "fp32",
            Fp16 => "fp16",
            Bf16 => "bf16",
            S64 => "s64",
            S32 => "s32",
            S16 => "s16",
            S8 => "s8",
            U64 => "u64",
            U32 => "u32",
            U16 => "u16",
            U8 => "u8",
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
