//! Time on devices, at the operators that launched it.
//!
//! Host and device run side by side, so that their times are on two clocks that do not add up:
//! shares are of the time of all operators on one of them.

use super::device_time::DeviceTime;
use super::times::executions::Executions;
use super::times::measure::Measure;
use super::{OperatorSummary, TypeSummary};
use crate::units::Share;
use onnxray_format::Nanoseconds;
use std::collections::HashMap;
use std::ops::Range;

/// Adds device times to operators or kernels; `ranges` are their executions on devices.
pub(super) fn add(
    operators: &mut [OperatorSummary],
    ranges: &[Range<usize>],
    executions: &Executions,
    measure: Measure,
) {
    let groups = executions.group_times(ranges.iter().map(std::iter::once));
    let on_device: Nanoseconds = groups.iter().map(|group| Nanoseconds(group.total)).sum();
    let on_host = host(operators.iter().map(|operator| operator.total));
    for (operator, group) in operators.iter_mut().zip(groups) {
        operator.share = operator.total.and_then(|total| Share::of(total, on_host));
        operator.device = Some(DeviceTime::of(Nanoseconds(group.total), on_device, measure));
        if operator.operator.device {
            operator.calls = Some(group.calls);
            let executions = group.calls as f64 / measure.iterations as f64;
            operator.executions = Some(executions).filter(|_| measure.wall.is_some());
        }
    }
}

/// Adds device times to types, summed up over their operators; nothing without devices.
pub(super) fn add_to_types(
    types: &mut [TypeSummary],
    operators: &[OperatorSummary],
    measure: Measure,
) {
    let Some(all) = DeviceTime::sum(operators.iter().map(|operator| operator.device), measure)
    else {
        return;
    };
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
        of_type.sort_key = device.larger_share(of_type.share);
    }
    // By the larger share, which was unknown when `types` sorted them.
    types.sort_by(|a, b| b.sort_key.total_cmp(&a.sort_key));
}

fn host(totals: impl Iterator<Item = Option<Nanoseconds>>) -> Nanoseconds {
    totals.flatten().sum()
}
