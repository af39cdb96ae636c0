//! The cores of the machine: which there are, which this process may use, and binding it
//! to some of them.

use onnxray_format::Nanoseconds;
use onnxray_text::counted;
use std::fs;
use std::io;
use std::path::Path;
use std::str::FromStr;

/// Where Linux describes its cores.
pub(crate) const SYSTEM: &str = "/sys/devices/system/cpu";
/// No core has this number: systems number fewer, and sets of them have this many places.
const MOST: u32 = 1024;

/// Value of `--pin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pin {
    /// As many cores as threads, chosen by [`Pin::cores`].
    Any,
    /// These, ascending.
    Cores(Vec<u32>),
}

/// Why a launch cannot be bound to cores.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // fields are what their message calls them
pub enum PinError {
    /// The text is not a list of cores.
    #[error("expected cores, such as 0, 0,2 or 0-3, or auto")]
    NoList,
    /// The machine has no such core.
    #[error("there is no core {core}; this machine has {}", list(there))]
    NotThere { core: u32, there: Vec<u32> },
    /// The process is limited to others.
    #[error(
        "core {core} is out of bounds: this process may use {} (taskset, or a container's cpuset)",
        list(allowed)
    )]
    NotAllowed { core: u32, allowed: Vec<u32> },
    /// Threads would have to share cores.
    #[error(
        "{threads} threads on {}: they would wait for each other\n\
         hint: bind them to as many cores, or take fewer --threads",
        counted(*cores as u64, "core", "cores")
    )]
    TooFew { cores: usize, threads: u32 },
    /// Instances would have to share cores.
    #[error(
        "{} on {} each need {}, and there are {there}\n\
         hint: take fewer --instances or --cores-per-instance, or more cores with --pin",
        counted(u64::from(*instances), "instance", "instances"),
        counted(u64::from(*each), "core", "cores"),
        counted(u64::from(*instances) * u64::from(*each), "core", "cores")
    )]
    TooFewForAll { instances: u32, each: u32, there: usize },
    /// The system has no such thing, or does not tell which cores there are.
    #[error("this system does not let a program choose its cores")]
    Unsupported,
    /// The system refuses.
    #[error("cannot bind the launch to {}: {source}", list(cores))]
    Refused { cores: Vec<u32>, source: io::Error },
}

impl FromStr for Pin {
    type Err = PinError;

    /// `auto`, or a list as `taskset --cpu-list` takes it: `0`, `0,2`, `0-3`.
    fn from_str(text: &str) -> Result<Pin, PinError> {
        if text == "auto" {
            return Ok(Pin::Any);
        }
        let cores = read_list(text).filter(|cores| !cores.is_empty());
        cores.map(Pin::Cores).ok_or(PinError::NoList)
    }
}

impl Pin {
    /// The cores for a launch of this many threads. Unless they are named, those with the
    /// highest frequency, each of another physical core as far as there are enough, and
    /// the first core last: it serves most interrupts.
    ///
    /// # Errors
    ///
    /// If a core is not there or may not be used, if there are fewer of them than threads,
    /// or if the system does not tell.
    pub fn cores(&self, threads: u32) -> Result<Vec<u32>, PinError> {
        let system = Path::new(SYSTEM);
        let allowed = allowed().ok_or(PinError::Unsupported)?;
        let there = online(system).unwrap_or_else(|| allowed.clone());
        self.choose(&there, &allowed, threads, |core| Kind::of(system, core))
    }

    /// This many cores for each instance of a launch, none of them for two; the same share of
    /// those that are named.
    ///
    /// # Errors
    ///
    /// As [`Pin::cores`].
    pub fn of_instances(&self, instances: u32, each: u32) -> Result<Vec<Vec<u32>>, PinError> {
        let cores = self.cores(instances.saturating_mul(each)).map_err(|error| match error {
            PinError::TooFew { cores, .. } => {
                PinError::TooFewForAll { instances, each, there: cores }
            }
            other => other,
        })?;
        // Cores that are named may not divide evenly: the same share for all, and the rest unused.
        let share = cores.len() / instances.max(1) as usize;
        Ok(cores.chunks_exact(share.max(1)).take(instances as usize).map(<[u32]>::to_vec).collect())
    }

    fn choose(
        &self,
        there: &[u32],
        allowed: &[u32],
        threads: u32,
        kind: impl Fn(u32) -> Kind,
    ) -> Result<Vec<u32>, PinError> {
        let cores = match self {
            Pin::Cores(cores) => {
                for &core in cores {
                    if !there.contains(&core) {
                        return Err(PinError::NotThere { core, there: there.to_vec() });
                    }
                    if !allowed.contains(&core) {
                        return Err(PinError::NotAllowed { core, allowed: allowed.to_vec() });
                    }
                }
                cores.clone()
            }
            Pin::Any => best(allowed, threads as usize, kind),
        };
        match cores.len() < threads as usize {
            true => Err(PinError::TooFew { cores: cores.len(), threads }),
            false => Ok(cores),
        }
    }
}

/// Facts about a core that decide whether it is chosen.
struct Kind {
    /// Number of the first hardware thread of its physical core.
    physical: u32,
    /// Largest frequency or capacity, comparable within a machine only; 0 if unknown.
    speed: u64,
}

impl Kind {
    fn of(system: &Path, core: u32) -> Kind {
        let folder = system.join(format!("cpu{core}"));
        let number =
            |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
        Kind {
            physical: siblings(system, core).and_then(|all| all.first().copied()).unwrap_or(core),
            // Some systems know one, some the other; all cores have the same.
            speed: number("cpufreq/cpuinfo_max_freq").or(number("cpu_capacity")).unwrap_or(0),
        }
    }
}

fn best(allowed: &[u32], count: usize, kind: impl Fn(u32) -> Kind) -> Vec<u32> {
    let mut order: Vec<(usize, std::cmp::Reverse<u64>, bool, u32)> = Vec::new();
    let mut taken: Vec<u32> = Vec::new();
    for &core in allowed {
        let Kind { physical, speed } = kind(core);
        let threads_before = taken.iter().filter(|&&other| other == physical).count();
        taken.push(physical);
        // In the order of preference that `Pin::cores` promises: sorting compares member by member.
        order.push((threads_before, std::cmp::Reverse(speed), physical == 0, core));
    }
    order.sort_unstable();
    let mut chosen: Vec<u32> = order.into_iter().take(count).map(|place| place.3).collect();
    // Ascending, as cores that are named are.
    chosen.sort_unstable();
    chosen
}

/// Binds this thread, and those that it will start; does nothing without cores.
///
/// # Errors
///
/// If the system refuses.
pub(crate) fn bind(cores: &[u32]) -> Result<(), PinError> {
    if cores.is_empty() { Ok(()) } else { bind_to(cores) }
}

/// CPU time of all threads of this process, on any core: the system's own account, without the ticks
/// of `/proc`. `None` where there is none.
#[cfg(target_os = "linux")]
pub(crate) fn cpu_time() -> Option<Nanoseconds> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?.checked_mul(1_000_000_000)?;
    Some(Nanoseconds(seconds.checked_add(u64::try_from(time.tv_nsec).ok()?)?))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn cpu_time() -> Option<Nanoseconds> {
    None
}

/// Time for which this thread was ready and had no core. `None` where the system keeps no account.
pub(crate) fn waited() -> Option<Nanoseconds> {
    parse_waited(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// The second field of a thread's `schedstat`; a kernel that keeps no account writes zeros, even for a
/// thread that has run.
fn parse_waited(schedstat: &str) -> Option<Nanoseconds> {
    let mut fields = schedstat.split_ascii_whitespace().skip(1).map(|field| field.parse().ok());
    let (waited, slices): (u64, u64) = (fields.next()??, fields.next()??);
    (slices > 0).then_some(Nanoseconds(waited))
}

#[cfg(target_os = "linux")]
fn bind_to(cores: &[u32]) -> Result<(), PinError> {
    let mut set = rustix::thread::CpuSet::new();
    for &core in cores.iter().filter(|&&core| core < MOST) {
        set.set(core as usize);
    }
    rustix::thread::sched_setaffinity(None, &set)
        .map_err(|error| PinError::Refused { cores: cores.to_vec(), source: error.into() })
}

#[cfg(not(target_os = "linux"))]
fn bind_to(_cores: &[u32]) -> Result<(), PinError> {
    Err(PinError::Unsupported)
}

/// Cores that this thread may run on.
pub(crate) fn allowed() -> Option<Vec<u32>> {
    allowed_in(&fs::read_to_string("/proc/thread-self/status").ok()?)
}

fn allowed_in(status: &str) -> Option<Vec<u32>> {
    read_list(status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?)
}

/// Cores that are switched on; `None` where the system does not say.
fn online(system: &Path) -> Option<Vec<u32>> {
    read_list(&fs::read_to_string(system.join("online")).ok()?)
}

/// All hardware threads of a core, itself included.
pub(crate) fn siblings(system: &Path, core: u32) -> Option<Vec<u32>> {
    let file = system.join(format!("cpu{core}/topology/thread_siblings_list"));
    read_list(&fs::read_to_string(file).ok()?)
}

/// `0,2-3` as numbers, ascending; `None` if it is not a list, or one of cores that no system has.
pub(crate) fn read_list(text: &str) -> Option<Vec<u32>> {
    let number = |text: &str| -> Option<u32> {
        // Rust parses `+3` as well, which no system writes.
        let is_unprofiled = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|&core| is_unprofiled && core < MOST)
    };
    let text = text.trim();
    let mut cores = Vec::new();
    // An empty text is an empty list; splitting it would give one empty part.
    for part in text.split(',').filter(|_| !text.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return None;
        }
        cores.extend(first..=last);
    }
    cores.sort_unstable();
    cores.dedup();
    Some(cores)
}

/// The inverse of [`read_list`]: `0,2-3`.
fn list(cores: &[u32]) -> String {
    let runs = cores.chunk_by(|a, b| a + 1 == *b);
    let runs = runs.map(|run| match run {
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    runs.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cores(text: &str) -> Option<Vec<u32>> {
        match text.parse() {
            Ok(Pin::Cores(cores)) => Some(cores),
            _ => None,
        }
    }

    #[test]
    fn time_without_a_core_is_told_if_the_system_keeps_account() {
        assert_eq!(parse_waited("91 3000000 7\n"), Some(Nanoseconds(3_000_000)));
        assert_eq!(parse_waited("0 0 0\n"), None);
        assert_eq!(parse_waited("91"), None);
    }

    #[test]
    fn lists_are_those_of_taskset() {
        assert_eq!(cores("0"), Some(vec![0]));
        assert_eq!(cores("2,0"), Some(vec![0, 2]));
        assert_eq!(cores("0-3,2,7"), Some(vec![0, 1, 2, 3, 7]));
        assert_eq!("auto".parse::<Pin>().unwrap(), Pin::Any);
        for bad in ["", ",", "1,", "-1", "3-1", "+1", "1-2-3", "0x1", "model.onnx", "0-99999999999"]
        {
            assert_eq!(cores(bad), None, "{bad:?}");
        }
        for text in ["0", "0-3", "0,2-3,7"] {
            assert_eq!(list(&cores(text).unwrap()), text);
        }
        assert_eq!(read_list("0-1\n"), Some(vec![0, 1]));
        assert_eq!(read_list("\n"), Some(vec![]), "a machine without such cores");
    }

    #[test]
    fn what_a_process_may_use_stands_in_its_status() {
        let status =
            "Name:\tonnxray\nCpus_allowed:\t5\nCpus_allowed_list:\t0,2\nMems_allowed:\t1\n";
        assert_eq!(allowed_in(status), Some(vec![0, 2]));
        assert_eq!(allowed_in("Name:\tonnxray\n"), None);
        assert_eq!(allowed_in("Cpus_allowed_list:\tall\n"), None);
    }

    /// Two threads a core, the second half of which are the slower ones.
    fn kind(core: u32) -> Kind {
        Kind { physical: core % 4, speed: if core % 4 >= 2 { 3 } else { 4 } }
    }

    #[test]
    fn physical_cores_are_taken_before_their_siblings_and_fast_ones_first() {
        let all: Vec<u32> = (0..8).collect();
        let choose = |threads| Pin::Any.choose(&all, &all, threads, kind).unwrap();
        assert_eq!(choose(1), [1]);
        assert_eq!(choose(2), [0, 1]);
        assert_eq!(choose(3), [0, 1, 2]);
        assert_eq!(choose(5), [0, 1, 2, 3, 5]);
        assert_eq!(choose(8), all);
        let own = Pin::Any.choose(&all, &[4, 5], 2, kind).unwrap();
        assert_eq!(own, [4, 5]);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = |pin: &Pin, threads| {
            pin.choose(&[0, 1, 2], &[0, 1], threads, kind).unwrap_err().to_string()
        };
        let of = |cores: &[u32]| Pin::Cores(cores.to_vec());
        assert_eq!(refused(&of(&[0, 7]), 1), "there is no core 7; this machine has 0-2");
        assert!(
            refused(&of(&[2]), 1).starts_with("core 2 is out of bounds: this process may use 0-1")
        );
        assert!(refused(&of(&[1]), 2).starts_with("2 threads on 1 core:"));
        assert!(refused(&Pin::Any, 3).starts_with("3 threads on 2 cores:"));
        assert_eq!(of(&[0, 1]).choose(&[0, 1], &[0, 1], 1, kind).unwrap(), [0, 1]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn instances_share_cores_out() {
        let cores = &allowed().unwrap();
        let all = Pin::Cores(cores.clone());
        let each = all.of_instances(cores.len() as u32, 1).unwrap();
        assert_eq!(each.concat(), *cores, "one each");
        assert_eq!(all.of_instances(1, 1).unwrap(), std::slice::from_ref(cores), "all for one");
        assert_eq!(Pin::Any.of_instances(1, 1).unwrap().concat().len(), 1);
        let refused = Pin::Cores(cores[..1].to_vec()).of_instances(3, 2).unwrap_err().to_string();
        assert!(
            refused.starts_with("3 instances on 2 cores each need 6 cores, and there are 1"),
            "{refused}"
        );
    }

    /// The cores that a machine has differ, but some core may be used.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_is_bound_to_what_it_asks_for() {
        std::thread::spawn(|| {
            let core = Pin::Any.cores(1).unwrap();
            bind(&core).unwrap();
            assert_eq!(allowed(), Some(core));
            bind(&[]).unwrap();
        })
        .join()
        .unwrap();
    }
}
