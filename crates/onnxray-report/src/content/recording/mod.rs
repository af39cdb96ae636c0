//! A recording by itself: its tables and figures, its summary, its page.

mod concurrency;
pub(crate) mod costs;
mod downsample;
mod graph;
mod histograms;
pub(crate) mod latency;
mod launches;
pub(crate) mod model;
pub(crate) mod modules;
pub(crate) mod operators;
pub(crate) mod page;
pub(crate) mod patterns;
mod phases;
pub(crate) mod placement;
mod resources;
mod roofs;
pub(crate) mod slowest;
pub(crate) mod sparse;
pub(crate) mod summary;
mod tensors;
mod timeline;
pub(crate) mod types;

use super::declared::Declared;
use crate::document::{Heading, Unit};
use onnxray_analyzer::figure;

/// The tables, for their documentation and for schemas.
pub(super) fn declared() -> Vec<Declared> {
    let resources = figure::ALL
        .iter()
        .map(|figure| Heading::new(figure.key, figure.heading, Unit::Number, figure.meaning));
    vec![
        Declared::of("Model", model::FACTS)
            .and(model::MEASURED)
            .and(placement::PLACEMENT)
            .and(sparse::SPARSE)
            .and(latency::LATENCY)
            .and(latency::THROUGHPUT)
            .and(latency::PARTS)
            .and(latency::DEVICES)
            .and(latency::PROFILING)
            .and(latency::CALIBRATION)
            .and(concurrency::RANKS)
            .and(concurrency::CONCURRENT_INSTANCES)
            .and(model::COSTS)
            .and(model::RATES)
            .and(roofs::REACHED)
            .and(costs::COSTS)
            .and(costs::alive::ALIVE)
            .and(costs::alive::ALLOCATED),
        Declared::of("Calls at a pace", costs::pace::PACE),
        Declared::of("Peak rates", roofs::ROOFS),
        Declared::of("Phases", phases::PHASES),
        Declared::of("By type", types::TYPES),
        Declared::of("Operators and kernels", operators::OPERATORS),
        Declared::of("Patterns", &patterns::of_members()),
        Declared::figures("Slowest operators", [slowest::CUMULATIVE_SHARE]),
        Declared::of("Execution providers", placement::PROVIDERS),
        Declared::of("Modules", modules::MODULES),
        Declared::figures("Resources", resources),
        Declared::of("Tensors alive at the peak", &costs::alive::tensor_columns()),
        Declared::of("Launches", launches::LAUNCHES),
        Declared::of("Iterations", launches::ITERATIONS),
    ]
}
