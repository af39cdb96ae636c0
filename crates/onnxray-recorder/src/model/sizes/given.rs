//! Sizes of dimensions that the user gave.

use onnxray_format::names_batch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sizes the user gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GivenDimensions {
    /// Size of the batch; default 1 where it is free.
    pub batch_size: Option<u64>,
    /// By the name that the model gives the dimension, or `INPUT.AXIS` for a
    /// dimension without one.
    pub sizes: BTreeMap<String, u64>,
    /// The sizes are meant for several models, so that a name which this one lacks is not a
    /// mistake.
    pub for_several: bool,
    /// Shapes of the files that inputs come from, by the input's name: what the model leaves
    /// open of an input is as in its file.
    #[serde(default)]
    pub shapes: BTreeMap<String, Vec<u64>>,
}

impl GivenDimensions {
    /// The size that a name has in a formula, as far as it was given.
    pub(in crate::model) fn size_of(&self, name: &str) -> Option<u64> {
        let batch = || names_batch(name).then(|| self.batch_size.unwrap_or(1));
        self.sizes.get(name).copied().or_else(batch)
    }
}
