//! What other programs take while something runs.

use super::Fresh;
use super::process::{Stat, core_times};
use crate::cores;
use std::time::Instant;

/// Counts the CPU time of other programs on the cores that this process may use.
pub(crate) struct Others {
    begun: Instant,
    cores: Option<Vec<u32>>,
    machine: Fresh,
    process: Fresh,
    before: Option<u64>,
}

impl Others {
    pub(crate) fn begin() -> Others {
        let mut others = Others {
            begun: Instant::now(),
            cores: cores::allowed(),
            machine: Fresh::open("/proc/stat"),
            process: Fresh::open("/proc/self/stat"),
            before: None,
        };
        others.before = others.busy_ms();
        others
    }

    /// Cores that they used on average; `None` where the system does not tell.
    pub(crate) fn end(mut self) -> Option<f64> {
        let used = self.busy_ms()?.saturating_sub(self.before?);
        let passed = self.begun.elapsed().as_secs_f64() * 1e3;
        (passed > 0.0).then_some(used as f64 / passed)
    }

    fn busy_ms(&mut self) -> Option<u64> {
        let [own, _] = core_times(self.machine.read()?, self.cores.as_deref()?)?;
        Some(own.busy_ms.saturating_sub(Stat::parse(self.process.read()?)?.own_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// A thread of this process is not another program, however much it does.
    #[test]
    fn own_work_is_not_that_of_others() {
        let own = || Stat::parse(Fresh::open("/proc/self/stat").read()?).map(|own| own.own_ms);
        let Some(begun) = own() else { return };
        let others = Others::begin();
        while own().is_some_and(|now| now < begun + 200) {
            black_box((0..100_000u64).sum::<u64>());
        }
        let cores = cores::allowed().unwrap().len() as f64;
        let of_others = others.end().unwrap();
        assert!((0.0..=cores + 0.1).contains(&of_others), "{of_others} of {cores}");
    }
}
