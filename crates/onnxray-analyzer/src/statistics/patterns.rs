//! Figures of operators that repeat: one row in place of 40.
//!
//! What a pattern spends in an iteration is the sum over its members, so that patterns and the
//! operators outside of them add up to what all operators do.

use super::device_time::DeviceTime;
use super::flops::under_roof::UnderRoof;
use super::operators::OperatorSummary;
use super::overhead::profiling::{ProfilingCost, mark_uncertain};
use super::spread::distribution::median;
use super::spread::interval::{Interval, Partition};
use super::times::executions::Executions;
use super::times::measure::Measure;
use crate::patterns::{self, Pattern};
use crate::probability::fences;
use crate::units::{Milliseconds, Share};
use onnxray_format::{Nanoseconds, Operator, Tensor, Weight};
use std::hash::Hash;
use std::ops::Add;

/// An outlier takes at least this many times what the median member takes: what takes less longer
/// is not worth a look, however alike the others are.
const LEAST_FACTOR: f64 = 1.25;

/// Stands for kernels of which members have different ones.
const SEVERAL: &str = "several";

/// Operators that have one name but for numbers in it, and one kind; figures as those of an
/// operator, added up.
#[derive(Clone, Debug)]
pub struct PatternSummary {
    /// The sums over its members, under the name that they share; unknown where that of a member
    /// is. Type, phase, and types and shapes of tensors are those of every member; what members do
    /// not share is empty.
    pub sum: OperatorSummary,
    /// Numbers of its operators, ascending.
    pub members: Vec<u32>,
    /// Number of the member that takes least, and of the one that takes most; `None` if the time
    /// of one is unknown.
    pub extremes: Option<(u32, u32)>,
    /// Members that take far longer than the others, the longest first.
    pub outliers: Vec<Outlier>,
}

/// A member that takes far longer than the others: beyond Tukey's far fence of their times, at
/// least 1.25 times their median, and with its whole interval above that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlier {
    /// Number of the operator.
    pub operator: u32,
    /// Its time / the median of the members' times.
    pub factor: f64,
}

/// A row of a table of operators in which patterns are one row each.
#[derive(Clone, Copy, Debug)]
pub enum FoldedRow<'a> {
    /// Operators that repeat.
    Pattern(&'a PatternSummary),
    /// An operator that does not.
    Operator(&'a OperatorSummary),
}

impl<'a> FoldedRow<'a> {
    /// The figures of the row.
    pub fn figures(self) -> &'a OperatorSummary {
        match self {
            FoldedRow::Pattern(pattern) => &pattern.sum,
            FoldedRow::Operator(operator) => operator,
        }
    }

    /// The pattern, where it is one.
    pub fn pattern(self) -> Option<&'a PatternSummary> {
        match self {
            FoldedRow::Pattern(pattern) => Some(pattern),
            FoldedRow::Operator(_) => None,
        }
    }
}

/// What operators of one name but for numbers have to share to be a pattern: type, phase, device,
/// element types and shapes.
pub(crate) fn kind(operator: &Operator) -> impl Hash + Eq {
    let facts = |tensors: &'_ [Tensor]| -> Vec<_> {
        tensors.iter().map(|tensor| (tensor.data_type, tensor.shape.clone())).collect()
    };
    let weight = operator.weight.as_ref();
    // Numbers in a last part may tell different layers apart (`conv1`, `tile64x32`), and only
    // shapes show that they do not.
    let is_known = |tensors: &[Tensor]| tensors.iter().all(|tensor| tensor.shape.is_some());
    let last = (operator.outputs.is_empty() || !is_known(&operator.outputs))
        .then(|| operator.node_name().rsplit(['/', '.']).next().unwrap_or_default().to_string());
    (
        operator.operator_type.clone(),
        operator.phase,
        operator.device,
        facts(&operator.inputs),
        facts(&operator.outputs),
        weight.map(|weight| (weight.data_type, weight.stored_shape.clone())),
        last,
    )
}

/// Patterns before their figures are all known.
pub(super) struct Patterns {
    found: Vec<Pattern>,
    /// By pattern.
    pub(super) sums: Vec<OperatorSummary>,
}

impl Patterns {
    /// The patterns among operators, which are told of theirs.
    pub(super) fn of(
        operators: &mut [OperatorSummary],
        executions: Option<&Executions>,
        measure: Measure,
        partition: Option<&Partition>,
    ) -> Patterns {
        let kinds = operators.iter().map(|summary| {
            let operator = &summary.operator;
            let parent = operator.parent.and_then(|parent| operators.get(parent as usize));
            let parent = parent.map(|parent| patterns::without_numbers(&parent.operator.name));
            (operator.node_name(), (kind(operator), parent))
        });
        let found = patterns::patterns(kinds);
        let mut sums: Vec<OperatorSummary> =
            found.iter().map(|pattern| sum(pattern, operators)).collect();
        for ((number, pattern), sum) in (0..).zip(&found).zip(&mut sums) {
            sum.pattern = Some(number);
            pattern.members.iter().for_each(|&place| operators[place].pattern = Some(number));
        }
        if let Some(executions) = executions.filter(|_| measure.wall.is_some()) {
            of_iterations(&found, &mut sums, executions, measure, partition);
        }
        Patterns { found, sums }
    }

    /// Takes over what profiling costs the members, which have this many `events` per iteration.
    pub(super) fn mark(
        &mut self,
        cost: &ProfilingCost,
        operators: &[OperatorSummary],
        events: &[f64],
    ) {
        for (pattern, sum) in self.found.iter().zip(&mut self.sums) {
            let members = || pattern.members.iter().copied();
            // What never ran cost nothing.
            let ran = members().filter(|&place| events[place] > 0.0);
            sum.profiling = ran.map(|place| operators[place].profiling).sum_known();
            mark_uncertain(cost, members().map(|place| events[place]).sum(), sum);
        }
    }

    /// All figures, where those of operators are complete.
    pub(super) fn summaries(self, operators: &[OperatorSummary]) -> Vec<PatternSummary> {
        let summaries = self.found.into_iter().zip(self.sums).map(|(pattern, mut sum)| {
            let members: Vec<&OperatorSummary> =
                pattern.members.iter().map(|&place| &operators[place]).collect();
            sum.roof = UnderRoof::sum(members.iter().map(|member| member.roof.as_ref()));
            sum.no_roof = members.iter().find_map(|member| member.no_roof.clone());
            PatternSummary {
                members: members.iter().map(|member| member.operator.number).collect(),
                extremes: extremes(&members),
                outliers: outliers(&members),
                sum,
            }
        });
        summaries.collect()
    }
}

/// Sums that are unknown if a term is.
trait SumKnown<T> {
    fn sum_known(self) -> Option<T>;
}

impl<T: Add<Output = T>, I: Iterator<Item = Option<T>>> SumKnown<T> for I {
    fn sum_known(mut self) -> Option<T> {
        let first = self.next()??;
        self.try_fold(first, |sum, term| Some(sum + term?))
    }
}

/// What follows from the members' figures alone.
fn sum(pattern: &Pattern, operators: &[OperatorSummary]) -> OperatorSummary {
    let members = || pattern.members.iter().map(|&place| &operators[place]);
    let first = &operators[pattern.members[0]].operator;
    let nameless = |tensors: &[Tensor]| -> Vec<Tensor> {
        tensors.iter().map(|tensor| Tensor { name: String::new(), ..tensor.clone() }).collect()
    };
    let same = |is_same: &dyn Fn(&Operator) -> bool| members().all(|one| is_same(&one.operator));
    let kernel = first.kernel.clone().map(|kernel| {
        let is_one = same(&|one| one.kernel.as_ref() == Some(&kernel));
        if is_one { kernel } else { SEVERAL.to_string() }
    });
    let weight = first.weight.as_ref().map(|weight| Weight {
        name: String::new(),
        sparse_ratios: Vec::new(),
        magnitudes: Vec::new(),
        ..weight.clone()
    });
    let node_types = first.node_types.clone();
    let post_ops = first.post_ops.clone();
    let operator = Operator {
        number: first.number,
        name: pattern.name.clone(),
        operator_type: first.operator_type.clone(),
        node_types: if same(&|one| one.node_types == node_types) { node_types } else { vec![] },
        post_ops: if same(&|one| one.post_ops == post_ops) { post_ops } else { vec![] },
        phase: first.phase,
        device: first.device,
        kernel,
        inputs: nameless(&first.inputs),
        outputs: nameless(&first.outputs),
        weight,
        sparse_support: same(&|one| one.sparse_support),
        parameters: members().map(|member| member.operator.parameters).sum_known(),
        ..Operator::default()
    };
    let device = members().map(|member| {
        let DeviceTime { total, mean, share } = member.device?;
        Some((total, mean, share))
    });
    let device = device.collect::<Option<Vec<_>>>().map(|of_members| DeviceTime {
        total: of_members.iter().map(|(total, ..)| *total).sum(),
        mean: of_members.iter().map(|(_, mean, _)| *mean).sum_known(),
        share: of_members.iter().map(|(.., share)| *share).sum_known(),
    });
    let mean = members().map(|member| member.mean).sum_known();
    let flops = members().map(|member| member.flops).sum_known();
    // Operations per nanosecond are GFLOP/s.
    let rate = flops.zip(mean).filter(|&(flops, mean)| flops > 0.0 && mean.0 > 0.0);
    OperatorSummary {
        executions: members().map(|member| member.executions).sum_known(),
        calls: members().map(|member| member.calls).sum_known(),
        total: members().map(|member| member.total).sum_known(),
        mean,
        device,
        share: members().map(|member| member.share).sum_known(),
        flops,
        gflops_per_second: rate.map(|(flops, mean)| flops / (mean.0 * 1e6)),
        bytes: members().map(|member| member.bytes).sum_known(),
        ..OperatorSummary::unmeasured(operator)
    }
}

/// Adds what takes single iterations: how the sum of an iteration is spread, and the interval of
/// its mean, which is over sums of all members, as disturbances meet several of them at once.
fn of_iterations(
    found: &[Pattern],
    sums: &mut [OperatorSummary],
    executions: &Executions,
    measure: Measure,
    partition: Option<&Partition>,
) {
    let ranges = |pattern: &'_ Pattern| {
        let places = pattern.members.clone();
        places.into_iter().map(|place| &executions.host.operators[place])
    };
    let times = executions.group_times(found.iter().map(ranges));
    for ((pattern, sum), group) in found.iter().zip(sums).zip(times) {
        // From the sum, which is exact, rather than from rounded means.
        let total = Nanoseconds(group.total);
        sum.total = Some(total);
        sum.mean = Some(Milliseconds::from_nanoseconds(total.0 as f64 / measure.iterations as f64));
        if let Some(wall) = measure.wall.filter(|_| sum.device.is_none()) {
            sum.share = Share::of(total, wall);
        }
        sum.median = group.time.map(|time| time.median);
        sum.extremes = group.time.map(|time| (time.min, time.max));
        sum.time = group.time;
        sum.interval = partition.map(|partition| {
            let mut of_parts = vec![0.0; partition.iterations.len()];
            for range in ranges(pattern) {
                let of_member = executions.by_part(range, partition);
                of_parts.iter_mut().zip(of_member).for_each(|(sum, more)| *sum += more);
            }
            let mean = total.0 as f64 / measure.iterations as f64;
            let Interval { low, high } = partition.interval(mean, &of_parts);
            Interval { low: low / 1e6, high: high / 1e6 }
        });
    }
}

/// Time per iteration, or of the whole trace where it has none.
fn time(member: &OperatorSummary) -> Option<f64> {
    member.mean.or(member.total.map(Milliseconds::from)).map(|time| time.0)
}

fn extremes(members: &[&OperatorSummary]) -> Option<(u32, u32)> {
    let times: Option<Vec<(f64, u32)>> =
        members.iter().map(|member| Some((time(member)?, member.operator.number))).collect();
    let times = times?;
    let least = times.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let most = times.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((least.1, most.1))
}

fn outliers(members: &[&OperatorSummary]) -> Vec<Outlier> {
    let times: Option<Vec<f64>> = members.iter().map(|member| time(member)).collect();
    let Some(times) = times else { return Vec::new() };
    let middle = median(&times).filter(|&middle| middle > 0.0);
    let (Some(middle), Some((_, fence))) = (middle, fences(&times)) else { return Vec::new() };
    let least = fence.max(LEAST_FACTOR * middle);
    let is_sure = |member: &OperatorSummary| {
        // Without iterations there is no interval, and a time of the whole trace.
        member.below.is_none() && member.interval.is_none_or(|ends| ends.low > middle)
    };
    let far = members.iter().zip(&times);
    let far = far.filter(|&(member, &time)| time > fence && time >= least && is_sure(member));
    let mut far: Vec<Outlier> = far
        .map(|(member, &time)| Outlier { operator: member.operator.number, factor: time / middle })
        .collect();
    far.sort_by(|a, b| b.factor.total_cmp(&a.factor));
    far
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operator(name: &str, mean: Option<f64>) -> OperatorSummary {
        let tensor = Tensor { name: name.to_string(), data_type: None, shape: Some(vec![1, 8]) };
        let operator = Operator {
            name: name.to_string(),
            operator_type: "MatMul".to_string(),
            outputs: vec![tensor],
            flops: Some(100),
            executions: Some(1),
            ..Operator::default()
        };
        let mean = mean.map(Milliseconds);
        OperatorSummary { mean, ..OperatorSummary::unmeasured(operator) }
    }

    fn found(mut operators: Vec<OperatorSummary>) -> (Vec<PatternSummary>, Vec<OperatorSummary>) {
        for (number, operator) in (0..).zip(&mut operators) {
            operator.operator.number = number;
        }
        let measure = Measure { iterations: 0, wall: None };
        let patterns = Patterns::of(&mut operators, None, measure, None);
        (patterns.summaries(&operators), operators)
    }

    fn layers(times: &[f64]) -> Vec<OperatorSummary> {
        let name = |at: usize| format!("layer.{at}/fc");
        times.iter().enumerate().map(|(at, &time)| operator(&name(at), Some(time))).collect()
    }

    #[test]
    fn a_sum_is_unknown_if_a_term_is() {
        let (patterns, _) = found(layers(&[1.0, 2.0, 3.0, 4.0]));
        assert_eq!(patterns[0].sum.mean, Some(Milliseconds(10.0)));
        assert_eq!((patterns[0].sum.flops, patterns[0].sum.bytes), (Some(400.0), None));
        assert_eq!(patterns[0].sum.per_execution(), Some(Milliseconds(2.5)));
        assert_eq!(patterns[0].extremes, Some((0, 3)));
        let mut operators = layers(&[1.0, 2.0, 3.0, 4.0]);
        operators[2].mean = None;
        let (patterns, _) = found(operators);
        assert_eq!((patterns[0].sum.mean, patterns[0].extremes), (None, None));
        assert_eq!(patterns[0].outliers, []);
    }

    #[test]
    fn operators_know_their_pattern_and_kinds_do_not_mix() {
        let mut operators = layers(&[1.0; 9]);
        for operator in &mut operators[4..] {
            operator.operator.outputs[0].shape = Some(vec![1, 16]);
        }
        operators.push(operator("head", Some(1.0)));
        let (patterns, operators) = found(operators);
        let members: Vec<&[u32]> = patterns.iter().map(|one| &one.members[..]).collect();
        assert_eq!(members, [&[0, 1, 2, 3][..], &[4, 5, 6, 7, 8]]);
        let of: Vec<Option<u32>> = operators.iter().map(|one| one.pattern).collect();
        assert_eq!(of[3..5], [Some(0), Some(1)]);
        assert_eq!(of[9], None);
    }

    #[test]
    fn an_outlier_is_far_beyond_and_worth_a_look() {
        let outliers = |times: &[f64]| {
            let (patterns, _) = found(layers(times));
            patterns[0].outliers.clone()
        };
        let one = outliers(&[1.0, 1.02, 0.98, 1.0, 1.6, 1.01, 0.99]);
        assert_eq!(one, [Outlier { operator: 4, factor: 1.6 }]);
        // Beyond the fence, which is near where all are alike, and yet of no account.
        assert_eq!(outliers(&[1.0, 1.0, 1.0, 1.0, 1.2, 1.0, 1.0]), []);
        // Half as much again, where members differ as much anyway.
        assert_eq!(outliers(&[1.0, 0.6, 1.4, 0.8, 1.5, 1.2, 0.7]), []);
        assert_eq!(outliers(&[0.0, 0.0, 0.0, 0.0, 1.0]), [], "nothing to compare with");
    }

    #[test]
    fn an_outlier_is_surely_slower() {
        let mut operators = layers(&[1.0, 1.02, 0.98, 1.0, 1.6, 1.01, 0.99]);
        operators[4].interval = Some(Interval { low: 0.9, high: 2.3 });
        assert_eq!(found(operators).0[0].outliers, []);
    }
}
