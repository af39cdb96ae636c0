//! Whether a recording can be trusted, and what to do about it.

use super::change::TICKS;
use super::evidence::Band;
use super::false_alarms::{FalseAlarms, false_alarms};
use super::stability::{self, Trend};
use super::{Options, Recording};
use crate::probability::variance_of_mean;
use crate::statistics::{FEWEST_UNITS, Timeline};

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Nothing to mend.
    Good,
    /// The recording does not tell.
    Unknown,
    /// Figures mean what they say, but less than one might think.
    Doubtful,
    /// Comparisons with this recording mislead.
    Bad,
}

impl Grade {
    /// What reports say.
    pub fn text(self) -> &'static str {
        match self {
            Grade::Good => "good",
            Grade::Unknown => "unknown",
            Grade::Doubtful => "doubtful",
            Grade::Bad => "bad",
        }
    }
}

/// What was looked at, and what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What was looked at: `launches`, `drift`, `clock`.
    pub subject: &'static str,
    /// Of this subject alone.
    pub grade: Grade,
    /// What was seen, in words, with figures and units.
    pub found: String,
    /// What to do; blank if all is well.
    pub advice: String,
}

/// All findings about a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What reports call the recording.
    pub label: String,
    /// One per subject; a single one if single iterations are unknown.
    pub findings: Vec<Finding>,
    /// Empty if it is too short to be compared with itself.
    pub false_alarms: Vec<FalseAlarms>,
}

impl Check {
    /// The most serious of the findings.
    pub fn grade(&self) -> Grade {
        self.findings.iter().map(|finding| finding.grade).max().unwrap_or(Grade::Unknown)
    }
}

/// More of the iterations than this beyond the others is more than chance.
const MOST_OUTLIERS: f64 = 0.05;
/// One or two happen anywhere.
const FEWEST_OUTLIERS: u64 = 3;
/// Recording may cost this much before it distorts what it measures.
const MOST_OVERHEAD: f64 = 0.05;
/// Blocks that resemble their neighbours this much hold less than they seem to.
const MOST_AUTOCORRELATION: f64 = 0.5;
/// A time of fewer ticks is coarse, and so much of the whole may be.
const FEWEST_TICKS: f64 = 10.0;
const MOST_COARSE: f64 = 0.1;
/// Fewer iterations of a launch say little.
const FEWEST_ITERATIONS: usize = 10;

/// Grades a recording before it is compared: how many launches and iterations it has,
/// whether they settle, drift or scatter, how coarse its clock is, what recording
/// costs, and how often it would raise an alarm against itself.
pub fn check(recording: &Recording, options: &Options) -> Check {
    let summary = &recording.summary;
    let mut findings = Vec::new();
    let Some(timeline) = &recording.timeline else {
        findings.push(Finding {
            subject: "iterations",
            grade: Grade::Bad,
            found: "single iterations are unknown".to_string(),
            advice: "no difference can be tested; record iterations, with `onnxray record` for \
                     instance"
                .to_string(),
        });
        return Check { label: recording.label.clone(), findings, false_alarms: Vec::new() };
    };
    let sums = timeline.sums(summary.operators.len());
    findings.push(launches(timeline));
    findings.push(iterations(timeline));
    findings.push(warmup(recording, timeline));
    let trend = stability::trend(timeline);
    findings.push(drift(&trend));
    findings.push(autocorrelation(&trend));
    findings.push(spread(&trend, options));
    findings.push(stragglers(timeline));
    findings.push(clock(recording, timeline, &sums));
    findings.push(overhead(summary.model.recording_overhead));
    findings.push(conservation(timeline, &sums));
    let ticks = TICKS * recording.tick().unwrap_or(0.0);
    let band = Band { share: options.noise_threshold.0, ticks };
    let mut operators: Vec<u32> =
        (0..sums.len() as u32).filter(|&at| sums[at as usize].is_some()).collect();
    operators.sort_by(|&a, &b| {
        let time = |at: u32| sums[at as usize].unwrap_or(0.0);
        time(b).total_cmp(&time(a))
    });
    let alarms = false_alarms(timeline, &operators, band, options.alpha, options.seed);
    findings.push(self_comparison(alarms.first(), options.alpha));
    Check { label: recording.label.clone(), findings, false_alarms: alarms }
}

fn finding(
    subject: &'static str,
    grade: Grade,
    found: String,
    advice: impl Into<String>,
) -> Finding {
    let advice = if grade == Grade::Good { String::new() } else { advice.into() };
    Finding { subject, grade, found, advice }
}

fn launches(timeline: &Timeline) -> Finding {
    let count = timeline.launches.len();
    let grade = if count < FEWEST_UNITS { Grade::Doubtful } else { Grade::Good };
    let found = format!("{count}");
    let advice = "iterations of one process are not independent; record with --launches 10";
    finding("launches", grade, found, advice)
}

fn iterations(timeline: &Timeline) -> Finding {
    let counts = timeline.launches.iter().map(|launch| launch.iterations.len());
    let fewest = counts.min().unwrap_or(0);
    let grade = if fewest < FEWEST_ITERATIONS { Grade::Doubtful } else { Grade::Good };
    let found = format!("at least {fewest} settled per launch");
    finding("iterations", grade, found, "record with --iterations 100")
}

fn warmup(recording: &Recording, timeline: &Timeline) -> Finding {
    let launches = &recording.summary.launches;
    let longest = launches.iter().filter_map(|launch| launch.warmup_found).max().unwrap_or(0);
    let unsettled = launches.iter().filter(|launch| launch.warmup_found.is_none()).count();
    if unsettled > 0 {
        let found = format!(
            "{unsettled} of {} launches never settle, or are too short to tell",
            launches.len()
        );
        let advice = "pin threads, stop other programs, record longer";
        return finding("warm-up", Grade::Doubtful, found, advice);
    }
    let grade = if timeline.cut() > 0 { Grade::Doubtful } else { Grade::Good };
    let found = format!(
        "settles after {longest} iterations; {} measured ones came before that and are left out",
        timeline.cut()
    );
    finding("warm-up", grade, found, format!("record with --warmup {longest}"))
}

fn drift(trend: &Trend) -> Finding {
    if let Some(found) = stability::drift(trend) {
        // A trend that each launch repeats is in all of them alike.
        let grade = if trend.drifts_across() { Grade::Bad } else { Grade::Doubtful };
        let advice = "the machine changed while it was recorded: let it cool down, pin threads, \
                      and record both versions in turns (record A --against B)";
        return finding("drift", grade, found, advice);
    }
    if trend.within.is_empty() {
        let found = "too few iterations to tell".to_string();
        return finding("drift", Grade::Unknown, found, "record more iterations");
    }
    let found = format!(
        "the latency drifts in {} of {} launches, no more than by chance",
        trend.drifting(),
        trend.within.len()
    );
    finding("drift", Grade::Good, found, "")
}

fn autocorrelation(trend: &Trend) -> Finding {
    match trend.autocorrelation {
        None => finding(
            "autocorrelation",
            Grade::Unknown,
            "too few iterations to tell".to_string(),
            "record more iterations",
        ),
        Some(found) => {
            let grade = if found > MOST_AUTOCORRELATION { Grade::Doubtful } else { Grade::Good };
            let text = format!("{found:+.2} from a block of iterations to the next");
            let advice = "more iterations add little; record more launches";
            finding("autocorrelation", grade, text, advice)
        }
    }
}

fn spread(trend: &Trend, options: &Options) -> Finding {
    let launches = &trend.launches;
    let mean = launches.iter().sum::<f64>() / launches.len() as f64;
    if launches.len() < 2 || mean <= 0.0 {
        let found = "a single launch has no spread".to_string();
        return finding("spread of launches", Grade::Unknown, found, "record with --launches 10");
    }
    let deviation = (variance_of_mean(launches) * launches.len() as f64).sqrt() / mean;
    let grade = if deviation > options.noise_threshold.0 { Grade::Doubtful } else { Grade::Good };
    let found = format!("{:.1} % of the latency, as a standard deviation", deviation * 100.0);
    let advice = "launches differ by more than the noise threshold: record more launches, pin \
                  threads, use a quieter machine";
    finding("spread of launches", grade, found, advice)
}

fn stragglers(timeline: &Timeline) -> Finding {
    let counted = stability::outliers(timeline, &timeline.latencies, &mut Vec::new());
    let Some((beyond, all)) = counted else {
        let found = "too few iterations to tell".to_string();
        return finding("outliers", Grade::Unknown, found, "record more iterations");
    };
    let share = beyond as f64 / all as f64;
    let many = share > MOST_OUTLIERS && beyond >= FEWEST_OUTLIERS;
    let grade = if many { Grade::Doubtful } else { Grade::Good };
    let found = format!("{beyond} of {all} iterations; they are counted, not dropped");
    finding("outliers", grade, found, "other programs interrupt the model: stop them, pin threads")
}

fn clock(recording: &Recording, timeline: &Timeline, sums: &[Option<f64>]) -> Finding {
    let Some(tick) = recording.tick() else {
        let found = "its resolution is unknown".to_string();
        return finding("clock", Grade::Unknown, found, "short times may be rounded");
    };
    let iterations = timeline.latencies.len() as f64;
    let all: f64 = sums.iter().flatten().sum();
    let coarse: f64 = sums
        .iter()
        .flatten()
        .filter(|&&sum| sum / iterations < FEWEST_TICKS * tick)
        .fold(0.0, |a, b| a + b);
    let share = if all > 0.0 { coarse / all } else { 0.0 };
    let grade = if share > MOST_COARSE { Grade::Doubtful } else { Grade::Good };
    let found = format!(
        "steps of {tick:.0} ns; {:.1} % of the operators' time is in times of less than \
         {FEWEST_TICKS:.0} steps",
        share * 100.0
    );
    finding("clock", grade, found, "times of small operators are rounded; compare their type")
}

fn overhead(overhead: Option<f64>) -> Finding {
    match overhead {
        None => finding(
            "overhead of recording",
            Grade::Unknown,
            "there are no plain iterations to compare with".to_string(),
            "what recording costs is in the times",
        ),
        Some(overhead) => {
            let grade = if overhead > MOST_OVERHEAD { Grade::Doubtful } else { Grade::Good };
            let found = format!("{:+.1} % of the latency", overhead * 100.0);
            finding("overhead of recording", grade, found, "times of small operators are too long")
        }
    }
}

fn conservation(timeline: &Timeline, sums: &[Option<f64>]) -> Finding {
    let Some(overhead) = &timeline.overhead else {
        let found = match timeline.tells_operators() {
            true => "iterations are sums of operators; the overhead is unknown".to_string(),
            false => "operators were timed apart from the iterations; the overhead is unknown"
                .to_string(),
        };
        return finding(
            "conservation",
            Grade::Unknown,
            found,
            "time between operators is not seen",
        );
    };
    let sum = |times: &[u64]| times.iter().map(|&time| time as f64).sum::<f64>();
    // Operator by operator, as they are compared.
    let operators = sums.iter().flatten().fold(0.0, |sum, time| sum + time);
    let parts = operators + sum(overhead) - sum(&timeline.concurrent);
    let whole = sum(&timeline.latencies);
    let grade = if parts == whole { Grade::Good } else { Grade::Bad };
    let found = match parts == whole {
        true => "operators and overhead are the wall time, to the nanosecond".to_string(),
        false => format!("parts come to {parts} ns, the wall time is {whole} ns"),
    };
    finding("conservation", grade, found, "please report this with the recording")
}

fn self_comparison(alarms: Option<&FalseAlarms>, alpha: f64) -> Finding {
    let subject = "false alarms";
    let Some(alarms) = alarms else {
        let found = "too few launches and iterations to compare parts with each other".to_string();
        return finding(subject, Grade::Unknown, found, "record with --launches 10");
    };
    let rate = |rate: f64| format!("{:.1} %", rate * 100.0);
    let worst = alarms.interval.low.max(alarms.total_interval.low);
    let grade = if worst > alpha { Grade::Doubtful } else { Grade::Good };
    let found = format!(
        "{} per operator, {} for the whole, in {} comparisons of {}; {} is nominal",
        rate(alarms.rate),
        rate(alarms.total_rate),
        alarms.splits,
        alarms.split.text(),
        rate(alpha),
    );
    let advice = "recordings that are made one after the other seem to differ where nothing \
                  changed: record both versions in turns (record A --against B)";
    finding(subject, grade, found, advice)
}
