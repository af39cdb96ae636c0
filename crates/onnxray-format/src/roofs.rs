//! What the machine can do at most, measured beside a launch: no operator is faster.

use crate::DataType;
use serde::{Deserialize, Serialize};

/// The largest rates that a launch's threads reached together, on the cores that it may use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Roofs {
    /// Why nothing is known; then there are no rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// Threads that ran at once.
    pub threads: Option<u32>,
    /// Instruction set of the widest vectors that they used: `AVX-512`.
    pub isa: Option<String>,
    /// Rates of arithmetic.
    pub arithmetic: Vec<ArithmeticRoof>,
    /// Rates of reading, from the smallest level to memory.
    pub bandwidth: Vec<BandwidthRoof>,
}

/// The largest rate of multiply-adds with operands in registers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArithmeticRoof {
    /// Type of the operands.
    #[serde(rename = "type")]
    pub data_type: DataType,
    /// Operations per nanosecond, a multiply-add being two; `None` if it was not measured.
    pub gflops: Option<f64>,
    /// Why it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// The largest rate of reading what fits in a level of caches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BandwidthRoof {
    /// `L1`, `L2`, `L3`, `memory`; a size where the system does not tell of caches.
    pub level: String,
    /// Bytes that it holds of all threads together; `None` for memory.
    pub bytes: Option<u64>,
    /// Bytes per nanosecond.
    pub gb_per_second: f64,
}

impl Roofs {
    /// Operations per nanosecond on operands of a type.
    pub fn gflops(&self, data_type: DataType) -> Option<f64> {
        self.arithmetic.iter().find(|roof| roof.data_type == data_type)?.gflops
    }

    /// The level that this many bytes fit in.
    pub fn level(&self, bytes: f64) -> Option<&BandwidthRoof> {
        self.bandwidth.iter().find(|roof| roof.bytes.is_none_or(|holds| bytes <= holds as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_holds_what_fits_in_it() {
        let level = |level: &str, bytes, gb_per_second| BandwidthRoof {
            level: level.to_string(),
            bytes,
            gb_per_second,
        };
        let roofs = Roofs {
            arithmetic: vec![ArithmeticRoof {
                data_type: DataType::Fp32,
                gflops: Some(100.0),
                unknown: None,
            }],
            bandwidth: vec![level("L1", Some(32), 200.0), level("memory", None, 10.0)],
            ..Roofs::default()
        };
        let name = |bytes| roofs.level(bytes).map(|roof| roof.level.as_str());
        assert_eq!([32.0, 33.0, 1e12].map(name), [Some("L1"), Some("memory"), Some("memory")]);
        assert_eq!([DataType::Fp32, DataType::S8].map(|of| roofs.gflops(of)), [Some(100.0), None]);
        assert_eq!(Roofs::default().level(1.0), None);
    }
}
