//! How far off a projection is: a dense recording projected to the sparsities that the weights of a
//! sparse one have, next to what that one took.

//!
//! ```text
//! verified ◀ pairs, caveats
//! ```

mod caveats;
mod pairs;
mod verified;

use crate::projection::{
    Estimate, Origins, Outcome, Projection, Settings, Targets, Totals, project,
};
use crate::statistics::{Summary, median};
use caveats::caveats;
use pairs::Pairs;
use std::collections::BTreeMap;
pub use verified::{Verified, VerifiedOperator};

/// A projection next to what it foretold.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// Those of which the projection is off by most come first.
    pub operators: Vec<VerifiedOperator>,
    /// By operator type, in the same order.
    pub types: Vec<(String, Verified)>,
    /// Operators that are projected.
    pub projected: Verified,
    /// All other operators.
    pub rest: Verified,
    /// What iterations take beside their operators.
    pub overhead: Verified,
    /// The whole model.
    pub total: Verified,
    /// Dense / sparse latency of the whole model: projected, and measured.
    pub speedup: [Option<f64>; 2],
    /// Median over the projected operators of how far each is off, as a share.
    pub median_error: Option<f64>,
    /// Of the perf ratios of projected operators.
    pub origins: Origins,
    /// What a careful reader should know.
    pub caveats: Vec<String>,
}

/// Projects the dense recording by these settings, whose targets have no part in it, to the
/// sparsities of the sparse one.
///
/// # Errors
///
/// If no operator of the sparse recording skips zero blocks, if none of the dense one is projected,
/// or if one of them alone has iterations.
pub fn verify(
    dense: &Summary,
    sparse: &Summary,
    settings: &Settings,
) -> Result<Verification, String> {
    if !sparse.operators.iter().any(|own| pairs::skips(&own.operator)) {
        return Err("no operator skips the zeros of its weight".to_string());
    }
    let pairs = Pairs::of(dense, sparse, settings);
    let at = |targets: Vec<(String, f64)>| Settings {
        targets: Targets { model: Some(0.0), types: Vec::new(), operators: targets },
        ..settings.clone()
    };
    let projection = project(dense, &at(pairs.targets()));
    // At targets of 0 its latencies are what was measured, by the same rules.
    let measured = project(sparse, &at(Vec::new()));
    if projection.basis != measured.basis {
        return Err("one of the recordings has iterations, and the other has none".to_string());
    }
    if !projection.operators.iter().any(|own| own.outcome == Outcome::Projected) {
        return Err(
            "no operator of the dense recording is projected to the zeros of this one: names or \
             weights are others, or no perf ratio is known"
                .to_string(),
        );
    }
    let mut operators = pairs.operators(&projection, &measured);
    operators.sort_by(|a, b| worst_first(&a.times, &b.times));
    let sum = |of: &dyn Fn(&VerifiedOperator) -> bool| {
        let times = operators.iter().filter(|own| of(own)).map(|own| own.times);
        times.fold(Verified::default(), Verified::and)
    };
    let total = of_totals(&projection, &measured, |of| of.total, |of| of.projected_total);
    let errors: Vec<f64> = operators
        .iter()
        .filter(|own| own.ratio.is_some())
        .filter_map(|own| own.times.error().map(f64::abs))
        .collect();
    let speedup = |after: Option<Estimate>| Some(total.dense?.value / after?.value);
    Ok(Verification {
        types: types(&operators),
        projected: sum(&|own| own.ratio.is_some()),
        rest: sum(&|own| own.ratio.is_none()),
        overhead: of_totals(&projection, &measured, |of| of.overhead, |of| of.overhead),
        total,
        speedup: [speedup(total.projected), speedup(total.measured)],
        median_error: median(&errors),
        origins: projection.origins(),
        caveats: caveats(dense, sparse, &projection, &operators),
        operators,
    })
}

/// A figure of the dense recording, what it is projected to, and that of the sparse recording.
fn of_totals(
    projection: &Projection,
    measured: &Projection,
    figure: fn(&Totals) -> Option<Estimate>,
    projected: fn(&Totals) -> Option<Estimate>,
) -> Verified {
    Verified {
        dense: figure(&projection.totals),
        projected: projected(&projection.totals),
        measured: figure(&measured.totals),
    }
}

fn types(operators: &[VerifiedOperator]) -> Vec<(String, Verified)> {
    let mut types: BTreeMap<&str, Verified> = BTreeMap::new();
    for own in operators {
        let of_type = types.entry(&own.operator_type).or_default();
        *of_type = of_type.and(own.times);
    }
    let mut types: Vec<(String, Verified)> =
        types.into_iter().map(|(name, times)| (name.to_string(), times)).collect();
    types.sort_by(|(_, a), (_, b)| worst_first(a, b));
    types
}

/// Where most is off; what is unknown comes last.
fn worst_first(a: &Verified, b: &Verified) -> std::cmp::Ordering {
    let off = |times: &Verified| times.off().unwrap_or(-1.0);
    off(b).total_cmp(&off(a))
}
