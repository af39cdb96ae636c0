//! How far off a projection is: a dense recording projected to the sparsities that the weights of a
//! sparse one have, next to what that one took.

use crate::projection::{Estimate, Origins, Outcome, RatioOrigin, Settings, Targets, project};
use crate::statistics::{Summary, median};
use onnxray_format::{Operator, ZeroBlocks};
use onnxray_text::{first_of, printable};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Projected and measured latencies in milliseconds, per iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verified {
    /// Of the dense recording.
    pub dense: Option<Estimate>,
    /// What that is projected to.
    pub projected: Option<Estimate>,
    /// Of the sparse recording.
    pub measured: Option<Estimate>,
}

impl Verified {
    /// Projected / measured - 1: above 0, the projection is too long. `None` where one is unknown, or
    /// nothing was measured.
    pub fn error(&self) -> Option<f64> {
        let (projected, measured) = (self.projected?.value, self.measured?.value);
        (measured > 0.0).then(|| projected / measured - 1.0)
    }

    /// Milliseconds by which the projection is off; `None` where one is unknown.
    fn off(&self) -> Option<f64> {
        Some((self.projected?.value - self.measured?.value).abs())
    }

    fn and(self, other: Verified) -> Verified {
        let sum = |one: Option<Estimate>, other: Option<Estimate>| match (one, other) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        Verified {
            dense: sum(self.dense, other.dense),
            projected: sum(self.projected, other.projected),
            measured: sum(self.measured, other.measured),
        }
    }
}

/// An operator of the dense recording, and the one of its name in the sparse one.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedOperator {
    /// Its name.
    pub name: String,
    /// Its type.
    pub operator_type: String,
    /// Outputs x inputs of its weight; `None` without one.
    pub weight_shape: Option<String>,
    /// Share of its weight's blocks that are zero in the sparse recording, if they are skipped.
    pub level: Option<f64>,
    /// Dense / sparse latency that the projection takes it for; `None` if its latency stays.
    pub ratio: Option<f64>,
    /// Its latencies.
    pub times: Verified,
}

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
/// If no operator of the sparse recording skips zero blocks.
pub fn verify(
    dense: &Summary,
    sparse: &Summary,
    settings: &Settings,
) -> Result<Verification, String> {
    let skips = |operator: &Operator| matches!(operator.zero_blocks, Some(ZeroBlocks::Skipped(_)));
    if !sparse.operators.iter().any(|own| skips(&own.operator)) {
        return Err("no operator skips the zeros of its weight".to_string());
    }
    let others = counterparts(dense, sparse);
    let level = |position: usize| {
        let other = &sparse.operators[others[position]?].operator;
        let weight = other.weight.as_ref().filter(|_| skips(other))?;
        weight.sparse_ratio(settings.block)
    };
    let at = |targets: Vec<(String, f64)>| Settings {
        targets: Targets { model: Some(0.0), types: Vec::new(), operators: targets },
        ..settings.clone()
    };
    let named = dense.operators.iter().enumerate();
    let targets =
        named.filter_map(|(position, own)| Some((own.operator.name.clone(), level(position)?)));
    let projection = project(dense, &at(targets.collect()));
    // At targets of 0 its latencies are what was measured, by the same rules.
    let measured = project(sparse, &at(Vec::new()));
    let mut is_used = vec![false; sparse.operators.len()];
    let (mut projected, mut rest) = (Verified::default(), Verified::default());
    let mut types: BTreeMap<String, Verified> = BTreeMap::new();
    let mut operators = Vec::new();
    for (position, (own, found)) in dense.operators.iter().zip(&projection.operators).enumerate() {
        let other = others[position];
        let times = Verified {
            dense: found.dense,
            projected: found.projected.or(found.dense),
            measured: other.and_then(|other| measured.operators[other].dense),
        };
        let is_projected = found.outcome == Outcome::Projected;
        let part = if is_projected { &mut projected } else { &mut rest };
        *part = part.and(times);
        let of_type = types.entry(own.operator.operator_type.clone()).or_default();
        *of_type = of_type.and(times);
        if let Some(other) = other {
            is_used[other] = true;
        }
        operators.push(VerifiedOperator {
            name: own.operator.name.clone(),
            operator_type: own.operator.operator_type.clone(),
            weight_shape: own.operator.weight.as_ref().map(onnxray_format::Weight::matrix_shape),
            level: level(position),
            ratio: found.ratio.filter(|_| is_projected).map(|ratio| ratio.value),
            times,
        });
    }
    for (position, own) in sparse.operators.iter().enumerate().filter(|(at, _)| !is_used[*at]) {
        let times =
            Verified { measured: measured.operators[position].dense, ..Verified::default() };
        rest = rest.and(times);
        let of_type = types.entry(own.operator.operator_type.clone()).or_default();
        *of_type = of_type.and(times);
    }
    let total = Verified {
        dense: projection.totals.total,
        projected: projection.totals.projected_total,
        measured: measured.totals.total,
    };
    let errors: Vec<f64> = operators
        .iter()
        .filter(|own| own.ratio.is_some())
        .filter_map(|own| own.times.error().map(f64::abs))
        .collect();
    let speedup = |after: Option<Estimate>| Some(total.dense?.value / after?.value);
    let beyond = dense.operators.iter().zip(&projection.operators).filter_map(|(own, found)| {
        let is_beyond = matches!(found.origin, Some(RatioOrigin::Above(..)));
        is_beyond.then(|| printable(&own.operator.name))
    });
    let beyond: Vec<String> = beyond.collect();
    let mut caveats = caveats(dense, sparse, &others, &is_used);
    caveats.extend((!beyond.is_empty()).then(|| {
        format!(
            "operators that are sparser than any perf ratio of theirs, so that the highest one is \
             taken: {}",
            first_of(&beyond, ", ")
        )
    }));
    operators.sort_by(|a, b| worst_first(&a.times, &b.times));
    let mut types: Vec<(String, Verified)> = types.into_iter().collect();
    types.sort_by(|(_, a), (_, b)| worst_first(a, b));
    Ok(Verification {
        operators,
        types,
        projected,
        rest,
        overhead: Verified {
            dense: projection.totals.overhead,
            projected: projection.totals.overhead,
            measured: measured.totals.overhead,
        },
        total,
        speedup: [speedup(total.projected), speedup(total.measured)],
        median_error: median(&errors),
        origins: projection.origins(),
        caveats,
    })
}

/// Where most is off; what is unknown comes last.
fn worst_first(a: &Verified, b: &Verified) -> std::cmp::Ordering {
    let off = |times: &Verified| times.off().unwrap_or(-1.0);
    off(b).total_cmp(&off(a))
}

/// Position in the sparse recording of each operator of the dense one; of several of one name, in
/// their order.
fn counterparts(dense: &Summary, sparse: &Summary) -> Vec<Option<usize>> {
    let mut by_name: HashMap<_, VecDeque<usize>> = HashMap::new();
    for (position, own) in sparse.operators.iter().enumerate() {
        let key = (own.operator.name.as_str(), own.operator.phase);
        by_name.entry(key).or_default().push_back(position);
    }
    let named = dense.operators.iter().map(|own| (own.operator.name.as_str(), own.operator.phase));
    named.map(|key| by_name.get_mut(&key)?.pop_front()).collect()
}

fn caveats(
    dense: &Summary,
    sparse: &Summary,
    others: &[Option<usize>],
    is_used: &[bool],
) -> Vec<String> {
    let unmatched = dense.operators.iter().zip(others).filter(|(_, other)| other.is_none());
    let new = sparse.operators.iter().zip(is_used).filter(|(_, used)| !**used);
    let multiply = sparse.operators.iter().filter_map(|own| match &own.operator.zero_blocks {
        Some(ZeroBlocks::Multiplied(reason)) if has_zeros(&own.operator) => {
            Some(format!("{} ({})", printable(&own.operator.name), printable(reason)))
        }
        _ => None,
    });
    let name = |own: &crate::statistics::OperatorSummary| printable(&own.operator.name);
    let lists = [
        (
            "operators that multiply by their zeros, so that they are not projected: ",
            multiply.collect::<Vec<_>>(),
        ),
        ("operators of the dense recording alone: ", unmatched.map(|(own, _)| name(own)).collect()),
        ("operators of the sparse recording alone: ", new.map(|(own, _)| name(own)).collect()),
    ];
    let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
    let lists = lists.map(|(what, names)| format!("{what}{}", first_of(&names, ", ")));
    let (a, b) = (&dense.run, &sparse.run);
    let sides = [
        (a.engine_version.clone(), b.engine_version.clone(), "engine"),
        (text(&a.cpu), text(&b.cpu), "processor"),
        (text(&a.threads), text(&b.threads), "threads"),
        (text(&a.batch_size), text(&b.batch_size), "batch size"),
        (sizes(a), sizes(b), "dimensions"),
    ];
    let differ = sides.into_iter().filter(|(a, b, _)| a != b);
    let differ: Vec<String> = differ
        .map(|(a, b, what)| format!("{what}: {} and {}", printable(&a), printable(&b)))
        .collect();
    let differ = (!differ.is_empty())
        .then(|| format!("the recordings differ in more than sparsity: {}", differ.join("; ")));
    differ.into_iter().chain(lists).collect()
}

/// Whether pruning could have made it faster.
fn has_zeros(operator: &Operator) -> bool {
    let ratios = operator.weight.iter().flat_map(|weight| &weight.sparse_ratios);
    operator.sparse_support && ratios.filter_map(|own| own.ratio).any(|ratio| ratio >= 0.1)
}

fn text<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map_or("unknown".to_string(), ToString::to_string)
}

fn sizes(run: &onnxray_format::Run) -> String {
    let sizes = run.dimensions.iter().map(|own| format!("{}={}", own.name, own.size));
    sizes.collect::<Vec<_>>().join(", ")
}
