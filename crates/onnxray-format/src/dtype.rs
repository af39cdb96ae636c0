//! Element types of tensors, spelled as the Neural Engine profiles spell them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataType {
    Fp64,
    Fp32,
    Fp16,
    Bf16,
    S64,
    S32,
    S16,
    S8,
    U64,
    U32,
    U16,
    U8,
    Bool,
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
