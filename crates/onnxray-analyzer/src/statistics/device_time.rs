//! Time on devices, of an operator, a type or the model.

use super::times::measure::Measure;
use crate::units::{Milliseconds, Share};
use onnxray_format::Nanoseconds;

/// Time of an operator or a type on devices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeviceTime {
    /// Time of the kernels, copies and sets that it launched.
    pub total: Nanoseconds,
    /// Per iteration; `None` if the trace has none.
    pub mean: Option<Milliseconds>,
    /// Share of the time of all operators on devices.
    pub share: Option<Share>,
}

impl DeviceTime {
    pub(super) fn of(total: Nanoseconds, all: Nanoseconds, measure: Measure) -> DeviceTime {
        let iterations = measure.iterations as f64;
        let mean = Milliseconds::from_nanoseconds(total.0 as f64 / iterations);
        let mean = Some(mean).filter(|_| measure.wall.is_some());
        DeviceTime { total, mean, share: Share::of(total, all) }
    }

    /// Sum of all; `None` if one is unknown, or if there are none.
    pub(super) fn sum(
        times: impl ExactSizeIterator<Item = Option<DeviceTime>>,
        measure: Measure,
    ) -> Option<DeviceTime> {
        let is_empty = times.len() == 0;
        let total = times.map(|time| Some(time?.total)).sum::<Option<Nanoseconds>>();
        let total = total.filter(|_| !is_empty)?;
        Some(DeviceTime::of(total, total, measure))
    }

    /// The larger of the shares on both clocks, by which operators are put in order.
    pub(super) fn larger_share(self, on_host: Option<Share>) -> f64 {
        let share = |share: Option<Share>| share.map_or(0.0, |share| share.0);
        share(on_host).max(share(self.share))
    }
}
