//! What Linux says of a process, its threads and the time of all cores: `proc(5)`.
//!
//! Texts are taken as they come; whatever cannot be found in them is `None`.

/// Milliseconds of a tick, in which these files count time. `USER_HZ` is 100 on all
/// processors that models run on here, whatever the kernel's own clock.
pub(super) const TICK_MS: u64 = 10;

/// Fields of `/proc/<pid>/stat`, of a process or a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub minor_faults: u64,
    pub major_faults: u64,
    /// Time on cores, in and out of the kernel.
    pub own_ms: u64,
    /// Core that it last ran on.
    pub core: u32,
}

impl Stat {
    pub(super) fn parse(text: &str) -> Option<Stat> {
        // The name of the program is in brackets and may hold anything; fields are counted
        // behind it, the first of which is the third.
        let (_, fields) = text.rsplit_once(')')?;
        let mut fields = (3u32..).zip(fields.split_ascii_whitespace());
        let mut field = |number| {
            let (_, field) = fields.find(|&(at, _)| at == number)?;
            field.parse::<u64>().ok()
        };
        // In ascending order: `field` goes through the line once.
        let [minor_faults, major_faults] = [field(10)?, field(12)?];
        let own_ticks = field(14)?.checked_add(field(15)?)?;
        Some(Stat {
            minor_faults,
            major_faults,
            own_ms: own_ticks.checked_mul(TICK_MS)?,
            core: field(39)?.try_into().ok()?,
        })
    }
}

/// Voluntary and involuntary context switches, of `/proc/<pid>/task/<tid>/status`.
pub(super) fn switches(status: &str) -> Option<(u64, u64)> {
    let number = |name: &str| -> Option<u64> {
        status.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok()
    };
    Some((number("voluntary_ctxt_switches:")?, number("nonvoluntary_ctxt_switches:")?))
}

/// Fields of a thread's `schedstat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scheduled {
    /// Nanoseconds for which it was ready and had no core.
    pub waited: u64,
    /// Number of times that it was given a core.
    pub times: u64,
}

impl Scheduled {
    pub(super) fn parse(text: &str) -> Option<Scheduled> {
        let mut fields = text.split_ascii_whitespace().skip(1).map(|field| field.parse().ok());
        let scheduled = Scheduled { waited: fields.next()??, times: fields.next()?? };
        // A kernel that does not keep account writes zeros, of a thread that runs as well.
        (scheduled.times > 0).then_some(scheduled)
    }
}

/// Fields of `/proc/stat`, summed over some cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CoreTimes {
    /// Neither idle nor waiting for a disk.
    pub busy_ms: u64,
    /// Withheld by a hypervisor.
    pub steal_ms: u64,
}

/// Times of the listed cores and of all others; `None` if a listed one is missing.
pub(super) fn core_times(stat: &str, cores: &[u32]) -> Option<[CoreTimes; 2]> {
    let mut sums = [CoreTimes::default(); 2];
    let mut found = 0;
    for line in stat.lines() {
        // The first line has the sum of all.
        let Some((name, fields)) = line.split_once(' ') else { continue };
        let Some(core) = name.strip_prefix("cpu").and_then(|core| core.parse::<u32>().ok()) else {
            continue;
        };
        let ticks: Vec<u64> = fields.split_whitespace().map_while(|f| f.parse().ok()).collect();
        // Kernels since 2.6 have these; steal, the eighth, came later.
        let ticks = ticks.get(..7)?;
        // user, nice, system; idle, iowait; irq, softirq. Guests are part of the first two.
        let busy = [0, 1, 2, 5, 6].iter().try_fold(0u64, |sum, &at| sum.checked_add(ticks[at]))?;
        let steal: u64 =
            fields.split_whitespace().nth(7).map_or(Some(0), |steal| steal.parse().ok())?;
        let own = cores.contains(&core);
        found += usize::from(own);
        let sum = &mut sums[usize::from(!own)];
        sum.busy_ms = sum.busy_ms.checked_add(busy.checked_mul(TICK_MS)?)?;
        sum.steal_ms = sum.steal_ms.checked_add(steal.checked_mul(TICK_MS)?)?;
    }
    (found == cores.len()).then_some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a program called `a) (b`, with the numbers of its fields where they matter.
    const STAT: &str = "4711 (a) (b) R 4710 4711 4710 34816 4711 4194304 1234 5 6 7 250 31 0 0 20 0 3 0 \
        1042 3133440 420 18446744073709551615 1 1 0 0 0 0 0 0 17663 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

    #[test]
    fn fields_are_counted_behind_the_name() {
        let expected = Stat { minor_faults: 1234, major_faults: 6, own_ms: 2810, core: 1 };
        assert_eq!(Stat::parse(STAT), Some(expected));
        for damaged in ["", "4711 (a", &STAT[..40], &STAT.replace(" 250 ", " -250 ")] {
            assert_eq!(Stat::parse(damaged), None, "{damaged}");
        }
        let beyond = STAT.replace(" 250 ", " 18446744073709551615 ");
        assert_eq!(Stat::parse(&beyond), None);
    }

    #[test]
    fn switches_and_waits_are_those_of_the_thread() {
        let status = "Name:\tonnxray\nThreads:\t3\nvoluntary_ctxt_switches:\t150\n\
                      nonvoluntary_ctxt_switches:\t545\n";
        assert_eq!(switches(status), Some((150, 545)));
        assert_eq!(switches("voluntary_ctxt_switches:\t150\n"), None);
        assert_eq!(switches(&status.replace("545", "many")), None);
        let expected = Scheduled { waited: 90_000, times: 12 };
        assert_eq!(Scheduled::parse("1100852 90000 12\n"), Some(expected));
        for damaged in ["", "1100852", "1 2", "1 -2 3", "0 0 0"] {
            assert_eq!(Scheduled::parse(damaged), None, "{damaged:?}");
        }
    }

    const TIMES: &str = "cpu  75820 1 3818 28004 312 2 35 2540 7 0\n\
        cpu0 38115 0 1826 14107 143 1 13 1051 7 0\ncpu1 37705 1 1992 13897 169 1 22 1489 0 0\n\
        intr 313533 0 0\nctxt 251832\nbtime 1795354263\nprocesses 8795\n";

    #[test]
    fn times_of_cores_are_added_up() {
        let of = |busy: u64, steal: u64| CoreTimes { busy_ms: 10 * busy, steal_ms: 10 * steal };
        let (first, second) = (of(39_955, 1_051), of(39_721, 1_489));
        assert_eq!(core_times(TIMES, &[0]), Some([first, second]));
        assert_eq!(core_times(TIMES, &[1]), Some([second, first]));
        assert_eq!(core_times(TIMES, &[0, 1]), Some([of(79_676, 2_540), of(0, 0)]));
        // Kernels before 2.6.11 tell of no hypervisor.
        let old = "cpu  1 2 3 4 5 6 7\ncpu0 1 2 3 4 5 6 7\n";
        assert_eq!(core_times(old, &[0]), Some([of(19, 0), of(0, 0)]));
    }

    #[test]
    fn times_that_are_not_there_are_unknown() {
        assert_eq!(core_times(TIMES, &[2]), None, "no such core");
        assert_eq!(core_times("", &[0]), None);
        assert_eq!(core_times("cpu0 1 2 3\n", &[0]), None);
        assert_eq!(core_times("cpu0 1 2 3 4 5 6 x 8\n", &[0]), None);
        assert_eq!(core_times("cpu0 1 2 3 4 5 6 7 x\n", &[0]), None);
        assert_eq!(core_times("cpu0 18446744073709551615 2 3 4 5 6 7 8\n", &[0]), None);
    }
}
