//! Time on devices, at the operators that launched it.
//!
//! Host and device run side by side, so that their times are on two clocks that do not add up:
//! shares are of the time of all operators on one of them.

use super::spent::Executions;
use super::{OperatorSummary, TypeSummary};
use crate::statistics::measure::Measure;
use crate::units::{Milliseconds, Share};
use onnxray_format::Nanoseconds;
use std::collections::HashMap;
use std::ops::Range;

/// What an operator or a type spends on devices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeviceTime {
    /// Time of the kernels, copies and sets that it launched.
    pub total: Nanoseconds,
    /// Per iteration; `None` if the trace has none.
    pub mean: Option<Milliseconds>,
    /// Of the time of all operators on devices.
    pub share: Option<Share>,
}

impl DeviceTime {
    fn of(total: Nanoseconds, all: Nanoseconds, measure: Measure) -> DeviceTime {
        let iterations = measure.iterations as f64;
        let mean = Milliseconds::from_nanoseconds(total.0 as f64 / iterations);
        let mean = Some(mean).filter(|_| measure.wall.is_some());
        DeviceTime { total, mean, share: Share::of(total, all) }
    }

    /// Of all of these; `None` if nothing is known of devices.
    pub(super) fn sum(operators: &[OperatorSummary], measure: Measure) -> Option<DeviceTime> {
        let totals = operators.iter().map(|operator| Some(operator.device?.total));
        let total: Nanoseconds =
            totals.sum::<Option<Nanoseconds>>().filter(|_| !operators.is_empty())?;
        Some(DeviceTime::of(total, total, measure))
    }
}

/// Adds what operators, or kernels, spend on devices, whose executions are `ranges`; none if
/// the trace has no devices.
pub(super) fn add(
    operators: &mut [OperatorSummary],
    ranges: &[Range<usize>],
    executions: &Executions,
    measure: Measure,
) {
    let spent = executions.spent(ranges.iter().map(std::iter::once));
    let on_device: Nanoseconds = spent.iter().map(|spent| Nanoseconds(spent.total)).sum();
    let on_host = host(operators.iter().map(|operator| operator.total));
    for (operator, spent) in operators.iter_mut().zip(spent) {
        operator.share = operator.total.and_then(|total| Share::of(total, on_host));
        operator.device = Some(DeviceTime::of(Nanoseconds(spent.total), on_device, measure));
        if operator.operator.device {
            operator.calls = Some(spent.calls);
            let executions = spent.calls as f64 / measure.iterations as f64;
            operator.executions = Some(executions).filter(|_| measure.wall.is_some());
        }
    }
}

/// The same of types, from their operators.
pub(super) fn add_to_types(
    types: &mut [TypeSummary],
    operators: &[OperatorSummary],
    measure: Measure,
) {
    let Some(all) = DeviceTime::sum(operators, measure) else { return };
    let on_host = host(types.iter().map(|of_type| of_type.total));
    let mut totals: HashMap<&str, Nanoseconds> = HashMap::new();
    for operator in operators {
        let total = operator.device.map_or(Nanoseconds(0), |device| device.total);
        *totals.entry(&operator.operator.operator_type).or_default() += total;
    }
    for of_type in types.iter_mut() {
        let total = totals.get(&*of_type.operator_type).copied().unwrap_or_default();
        let device = DeviceTime::of(total, all.total, measure);
        of_type.share = of_type.total.and_then(|total| Share::of(total, on_host));
        of_type.device = Some(device);
        of_type.weight = larger(of_type.share, device);
    }
    types.sort_by(|a, b| b.weight.total_cmp(&a.weight));
}

/// The larger of the shares on both clocks, by which operators are put in order.
pub(super) fn larger(on_host: Option<Share>, device: DeviceTime) -> f64 {
    let share = |share: Option<Share>| share.map_or(0.0, |share| share.0);
    share(on_host).max(share(device.share))
}

fn host(totals: impl Iterator<Item = Option<Nanoseconds>>) -> Nanoseconds {
    totals.flatten().sum()
}
