//! The JSON of settings, as it is read and written.

use crate::projection::MeasuredOn;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

pub(super) const FORMAT: &str = "onnxray sparse settings";
pub(super) const VERSION: u64 = 1;

/// The whole document; names and rows are in the order in which they are.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    pub(super) format: String,
    pub(super) version: u64,
    pub(super) block: Option<String>,
    pub(super) levels: Option<Vec<f64>>,
    #[serde(default)]
    pub(super) targets: Targets,
    pub(super) default_ratios: Option<bool>,
    #[serde(default)]
    pub(super) ratios: Vec<Ratio>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) measured_on: Vec<MeasuredOn>,
    #[serde(default)]
    pub(super) plan: Plan,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Targets {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<f64>,
    pub(super) types: Levels,
    pub(super) operators: Levels,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ratio {
    pub(super) weight_shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) operator_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) data_type: Option<String>,
    pub(super) block: Option<String>,
    pub(super) others: Option<f64>,
    #[serde(default)]
    pub(super) points: Vec<Point>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Point {
    pub(super) sparse_ratio: f64,
    pub(super) perf_ratio: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) high: Option<f64>,
    pub(super) origin: Option<String>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Plan {
    pub(super) budget: Option<f64>,
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
    pub(super) balance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_loss: Option<f64>,
    pub(super) first: Option<bool>,
    pub(super) grouped: Option<bool>,
    pub(super) overrides: Levels,
    pub(super) sensitivities: Vec<Sensitivity>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sensitivity {
    pub(super) layer: String,
    #[serde(default)]
    pub(super) points: Vec<(f64, f64)>,
}

/// Sparsities by name: an object, in its order, also with names that are there twice.
#[derive(Default)]
pub(super) struct Levels(pub(super) Vec<(String, f64)>);

impl Serialize for Levels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, level)| (name, level)))
    }
}

impl<'de> Deserialize<'de> for Levels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Levels, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Levels;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object of numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Levels, A::Error> {
                let mut levels = Vec::new();
                while let Some(level) = map.next_entry()? {
                    levels.push(level);
                }
                Ok(Levels(levels))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}
