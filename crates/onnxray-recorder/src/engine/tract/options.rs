//! How tract runs a model.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Options of tract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TractOptions {
    /// Share of zero blocks from which on a product of a constant weight skips them; by default,
    /// none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sparse: Option<ZeroShare>,
}

impl TractOptions {
    /// As recordings state them.
    pub(super) fn texts(&self) -> BTreeMap<String, String> {
        let sparse = self.sparse.map(|share| ("sparse".to_string(), share.0.to_string()));
        sparse.into_iter().collect()
    }
}

/// A share of blocks of 4 outputs x 1 input that are zero, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct ZeroShare(f64);

/// It is a number.
impl Eq for ZeroShare {}

impl ZeroShare {
    /// The share.
    pub fn share(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for ZeroShare {
    type Error = String;

    fn try_from(share: f64) -> Result<Self, String> {
        match share {
            0.0..=1.0 => Ok(ZeroShare(share)),
            _ => Err(format!("{share} is not a share from 0 to 1")),
        }
    }
}
