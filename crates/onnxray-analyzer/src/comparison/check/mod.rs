//! Checks how far a recording can be trusted, with advice.

mod conditions;
mod finding;
mod precision;

pub(super) use conditions::numbered;
pub use finding::{Finding, Grade};

use super::evidence::{Band, TICKS};
use super::judging::power::{ENOUGH_LAUNCHES, Shown};
use super::judging::stability::{self, Trend};
use super::self_comparison::{FalseAlarms, false_alarms};
use super::{Options, Recording};
use crate::probability::variance_of_mean;
use crate::statistics::{
    Advice, FEWEST_UNITS, ModelSummary, Ranks, RecordingCost, SteadyState, Summary, Timeline,
};
use finding::{TOO_FEW, finding};
use onnxray_text::counted;
use precision::precision;

/// All findings about a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Name of the recording.
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

/// Larger shares of outliers are more than chance.
const MOST_OUTLIERS: f64 = 0.05;
/// One or two outliers happen anywhere.
const FEWEST_OUTLIERS: u64 = 3;
/// Blocks that are correlated more than this tell less than their number suggests.
const MOST_AUTOCORRELATION: f64 = 0.5;
/// Advice never asks for more launches.
const MOST_LAUNCHES: usize = 100;
/// Times of fewer clock steps are coarse; at most this share of the whole may be.
const FEWEST_TICKS: f64 = 10.0;
const MOST_COARSE: f64 = 0.1;
const FEWEST_ITERATIONS: usize = 10;

/// Grades a recording before it is compared: how many launches and iterations it has,
/// whether they settle, drift or scatter, how coarse its clock is, what recording
/// costs, what happened on the machine meanwhile, and how often it would raise an alarm
/// against itself.
pub fn check(recording: &Recording, options: &Options) -> Check {
    let summary = &recording.summary;
    let mut findings = Vec::new();
    let Some(timeline) = &recording.timeline else {
        findings.push(Finding {
            subject: "iterations",
            grade: Grade::Bad,
            found: "single iterations are unknown: no difference can be tested".to_string(),
            advice: "compare traces that have iterations".to_string(),
        });
        return Check { label: recording.label.clone(), findings, false_alarms: Vec::new() };
    };
    let sums = timeline.sums(summary.operators.len());
    // What took turns is judged by what it can show, anything else by the number of launches
    // (docs/statistics.md#check).
    let shown = match summary.ranks {
        Some(_) => None,
        None => Shown::of(recording, timeline, &sums, &by_time(&sums), options.alpha),
    };
    let needed = shown.as_ref().and_then(|shown| needed(shown, options));
    let advice = summary.advice.asking_for(needed.unwrap_or(0));
    findings.push(match (summary.ranks, &shown) {
        (Some(ranks), _) => of_ranks(&ranks, advice),
        (None, Some(shown)) => in_turns(shown, needed, advice, options),
        (None, None) => launches(timeline, advice),
    });
    findings.push(iterations(timeline, advice));
    let by_pairs = shown.and_then(|shown| shown.whole);
    findings.push(precision(&summary.model, by_pairs, timeline.launches.len(), advice));
    findings.push(warmup(summary, timeline));
    let trend = stability::trend(timeline);
    findings.push(drift(&trend, advice));
    findings.push(autocorrelation(&trend, advice));
    findings.push(spread(&trend, advice, options));
    findings.push(stragglers(timeline, advice));
    findings.push(clock(recording, timeline, &sums));
    findings.push(overhead(summary, advice));
    findings.extend(profiling_cost(&summary.model));
    findings.extend(conditions::conditions(summary, options));
    findings.push(conservation(timeline, &sums, summary.is_compact));
    let ticks = TICKS * recording.operator_tick().unwrap_or(0.0);
    let band = Band { share: options.noise_threshold.0, ticks };
    let alarms = false_alarms(timeline, &by_time(&sums), band, options.alpha, options.seed);
    findings.push(self_comparison(alarms.first(), advice, options));
    Check { label: recording.label.clone(), findings, false_alarms: alarms }
}

/// Operators with a time, largest first.
fn by_time(sums: &[Option<f64>]) -> Vec<u32> {
    let mut operators: Vec<u32> =
        (0..sums.len() as u32).filter(|&at| sums[at as usize].is_some()).collect();
    operators.sort_by(|&a, &b| {
        let time = |at: u32| sums[at as usize].unwrap_or(0.0);
        time(b).total_cmp(&time(a))
    });
    operators
}

/// Grades the launches of a recording that took turns with another one, iteration by iteration.
fn in_turns(shown: &Shown, needed: Option<usize>, advice: Advice, options: &Options) -> Finding {
    let few = shown.launches < FEWEST_UNITS;
    let grade = if is_enough(shown, options) { Grade::Good } else { Grade::Doubtful };
    let found = match few {
        true => {
            let text = counted(shown.launches as u64, "launch", "launches");
            format!("{text}; few launches say little of another one")
        }
        false => shown.text(),
    };
    let advice = match needed {
        Some(needed) => advice.launches(needed),
        None => "stop other programs, pin threads, or measure in shorter turns".to_string(),
    };
    finding("launches", grade, found, advice)
}

fn is_enough(shown: &Shown, options: &Options) -> bool {
    shown.launches >= FEWEST_UNITS && shown.is_enough(options.noise_threshold.0)
}

/// Launches that would show what these do not; `None` if they do, or if advice never asks for as
/// many.
fn needed(shown: &Shown, options: &Options) -> Option<usize> {
    let enough = ENOUGH_LAUNCHES.max(shown.launches + 1);
    let needed = shown.launches_needed(options.noise_threshold.0).unwrap_or(0).max(enough);
    (!is_enough(shown, options) && needed <= MOST_LAUNCHES).then_some(needed)
}

/// Ranks wait for each other: however many there are, it is one run.
fn of_ranks(ranks: &Ranks, advice: Advice) -> Finding {
    let found =
        format!("1 launch, of {} ranks, which are not independent of each other", ranks.count);
    finding("launches", Grade::Doubtful, found, advice.launches(ENOUGH_LAUNCHES))
}

fn launches(timeline: &Timeline, advice: Advice) -> Finding {
    let count = timeline.launches.len();
    let text = counted(count as u64, "launch", "launches");
    let (grade, found) = match count {
        ..FEWEST_UNITS => (
            Grade::Doubtful,
            format!("{text}; iterations of one process are not independent of each other"),
        ),
        FEWEST_UNITS..ENOUGH_LAUNCHES => {
            (Grade::Doubtful, format!("{text}: too few for small differences"))
        }
        _ => (Grade::Good, text),
    };
    finding("launches", grade, found, advice.launches(ENOUGH_LAUNCHES))
}

fn iterations(timeline: &Timeline, advice: Advice) -> Finding {
    let counts = timeline.launches.iter().map(|launch| launch.iterations.len());
    let fewest = counts.min().unwrap_or(0);
    let grade = match (timeline.latencies.len(), fewest) {
        // Nothing tells how much it varies.
        (1, _) => Grade::Bad,
        (_, ..FEWEST_ITERATIONS) => Grade::Doubtful,
        _ => Grade::Good,
    };
    let found = match timeline.launches.len() {
        1 => format!("{fewest} after warm-up"),
        _ => format!("{fewest} or more per launch, after warm-up"),
    };
    finding("iterations", grade, found, advice.iterations())
}

fn warmup(summary: &Summary, timeline: &Timeline) -> Finding {
    let steady_state = SteadyState::of(&summary.launches);
    let (grade, found, advice) = if steady_state.never > 0 {
        (
            Grade::Doubtful,
            format!("{}the latency never settles", steady_state.among(steady_state.never)),
            "pin threads, stop other programs, or measure for longer".to_string(),
        )
    } else if timeline.cut() > 0 {
        (
            Grade::Doubtful,
            format!(
                "{}the latency settles after up to {} iterations; {} measured ones came before \
                 that and are left out of comparisons",
                steady_state.among(steady_state.late),
                steady_state.longest,
                timeline.cut()
            ),
            steady_state.advice(summary.advice),
        )
    } else if steady_state.too_short > 0 {
        let found =
            format!("{}too few iterations to tell", steady_state.among(steady_state.too_short));
        (Grade::Unknown, found, summary.advice.iterations().to_string())
    } else {
        let found = match steady_state.longest {
            0 => "the latency settles at once".to_string(),
            longest => format!("the latency settles after {longest} iterations, all flagged"),
        };
        (Grade::Good, found, String::new())
    };
    finding("warm-up", grade, found, advice)
}

fn drift(trend: &Trend, advice: Advice) -> Finding {
    if let Some(found) = stability::drift(trend) {
        // A trend that each launch repeats is in all of them alike, and one of recordings in
        // turns is in both.
        let misleads = trend.drifts_across() && !advice.is_in_turns();
        let grade = if misleads { Grade::Bad } else { Grade::Doubtful };
        let advice = format!(
            "the machine changed while it was recorded: let it cool down, pin threads; {}",
            advice.turns()
        );
        return finding("drift", grade, found, advice);
    }
    if trend.within.is_empty() {
        return finding("drift", Grade::Unknown, TOO_FEW.to_string(), advice.iterations());
    }
    let found = match (trend.drifting(), trend.within.len()) {
        (0, _) => "none".to_string(),
        (drifting, all) => {
            format!("the latency drifts in {drifting} of {all} launches, no more than by chance")
        }
    };
    finding("drift", Grade::Good, found, "")
}

fn autocorrelation(trend: &Trend, advice: Advice) -> Finding {
    let subject = "autocorrelation";
    let Some(found) = trend.autocorrelation else {
        return finding(subject, Grade::Unknown, TOO_FEW.to_string(), advice.iterations());
    };
    // Where launches are compared, it does not matter what their iterations share.
    let matters = trend.launches.len() < FEWEST_UNITS && found > MOST_AUTOCORRELATION;
    let grade = if matters { Grade::Doubtful } else { Grade::Good };
    let text = format!("{found:+.2} from a block of iterations to the next");
    let advice = advice.launches(ENOUGH_LAUNCHES);
    finding(subject, grade, text, format!("more iterations add little; {advice}"))
}

fn spread(trend: &Trend, advice: Advice, options: &Options) -> Finding {
    let launches = &trend.launches;
    let mean = launches.iter().sum::<f64>() / launches.len() as f64;
    if launches.len() < 2 || mean <= 0.0 {
        let found = "a single launch has no spread".to_string();
        return finding(
            "spread of launches",
            Grade::Unknown,
            found,
            advice.launches(ENOUGH_LAUNCHES),
        );
    }
    // The variance of one launch from that of their mean.
    let deviation = (variance_of_mean(launches) * launches.len() as f64).sqrt() / mean;
    let grade = if deviation > options.noise_threshold.0 { Grade::Doubtful } else { Grade::Good };
    let found = format!("{:.1} % of the latency, as a standard deviation", deviation * 100.0);
    let remedy = match advice.is_in_turns() {
        true => advice.turns(),
        false => "pin threads, use a quieter machine",
    };
    let mut text = format!("launches differ by more than the noise threshold: {remedy}");
    if launches.len() < ENOUGH_LAUNCHES {
        text = format!("{text}; {}", advice.launches(ENOUGH_LAUNCHES));
    }
    finding("spread of launches", grade, found, text)
}

fn stragglers(timeline: &Timeline, advice: Advice) -> Finding {
    let counted = stability::outliers(timeline, &timeline.latencies, &mut Vec::new());
    let Some((beyond, all)) = counted else {
        return finding("outliers", Grade::Unknown, TOO_FEW.to_string(), advice.iterations());
    };
    let share = beyond as f64 / all as f64;
    let many = share > MOST_OUTLIERS && beyond >= FEWEST_OUTLIERS;
    let grade = if many { Grade::Doubtful } else { Grade::Good };
    let found = format!("{beyond} of {all} iterations; comparisons keep them");
    finding("outliers", grade, found, "other programs interrupt the model: stop them, pin threads")
}

fn clock(recording: &Recording, timeline: &Timeline, sums: &[Option<f64>]) -> Finding {
    let Some(tick) = recording.operator_tick() else {
        let found = "its resolution is unknown".to_string();
        return finding("clock", Grade::Unknown, found, "short times may be rounded");
    };
    let iterations = timeline.latencies.len() as f64;
    let all: f64 = sums.iter().flatten().sum();
    let coarse: f64 = sums
        .iter()
        .flatten()
        // Per iteration, which is what is compared, however often the operator runs in one.
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

fn overhead(summary: &Summary, advice: Advice) -> Finding {
    let subject = "profiling overhead";
    let model = &summary.model;
    if summary.run.blocks {
        let found = "none: blocks are timed from outside".to_string();
        return finding(subject, Grade::Good, found, "");
    }
    let Some(overhead) = &model.recording_overhead else {
        let found = match advice.is_recorded() {
            true => "there are no unprofiled iterations to compare with",
            false => "this trace does not say",
        };
        return finding(subject, Grade::Unknown, found.to_string(), advice.unprofiled_iterations());
    };
    let more = match overhead.launches < ENOUGH_LAUNCHES {
        true => advice.launches(ENOUGH_LAUNCHES),
        false => "stop other programs, pin threads".to_string(),
    };
    let (grade, advice) = match overhead.cost() {
        RecordingCost::Small => (Grade::Good, String::new()),
        // Its cost is taken out of the times of operators, however large it is.
        RecordingCost::Large if model.is_calibrated => (Grade::Good, String::new()),
        RecordingCost::Large => {
            (Grade::Doubtful, "times of small operators are too long".to_string())
        }
        RecordingCost::Implausible => {
            let advice = "something else slowed the unprofiled iterations down: stop other programs, \
                          pin threads";
            (Grade::Doubtful, advice.to_string())
        }
        RecordingCost::Unclear | RecordingCost::NotMeasurable => (Grade::Unknown, more),
    };
    finding(subject, grade, overhead.text(), advice)
}

/// Unknown where the profiling cost is; `None` where nothing was profiled.
fn profiling_cost(model: &ModelSummary) -> Option<Finding> {
    let subject = "profiling cost";
    let cost = match model.profiling.as_ref()? {
        Ok(cost) => cost,
        Err(reason) => {
            let found = format!("unknown: {reason}");
            let advice = "times of operators hold it: compare latencies";
            return Some(finding(subject, Grade::Unknown, found, advice));
        }
    };
    let found = format!("{}, taken out of the times of operators", cost.text());
    Some(finding(subject, Grade::Good, found, ""))
}

fn conservation(timeline: &Timeline, sums: &[Option<f64>], is_compact: bool) -> Finding {
    let Some(overhead) = &timeline.overhead else {
        let found = match timeline.tells_operators() {
            true => "iterations are sums of operators; the overhead is unknown".to_string(),
            false if is_compact => {
                "times of operators in single iterations are unknown (a compact recording)"
                    .to_string()
            }
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
    let others = sum(&timeline.profiling) + sum(&timeline.devices_alone) + sum(overhead);
    let parts = operators + others - sum(&timeline.concurrent);
    let whole = sum(&timeline.latencies);
    let grade = if parts == whole { Grade::Good } else { Grade::Bad };
    let found = match parts == whole {
        true => "operators + overhead = wall time".to_string(),
        false => format!("operators + overhead = {parts} ns, wall time = {whole} ns"),
    };
    finding("conservation", grade, found, "please report this with the recording")
}

fn self_comparison(alarms: Option<&FalseAlarms>, advice: Advice, options: &Options) -> Finding {
    let subject = "A/A false positives";
    let Some(alarms) = alarms else {
        let found = "too few launches and iterations to compare parts with each other".to_string();
        return finding(subject, Grade::Unknown, found, advice.launches(ENOUGH_LAUNCHES));
    };
    let rate = |rate: f64| format!("{:.1} %", rate * 100.0);
    // Low ends: more alarms than nominal by chance are not a fault of the recording.
    let worst = alarms.interval.low.max(alarms.total_interval.low);
    let grade = if worst > options.alpha { Grade::Doubtful } else { Grade::Good };
    let found = format!(
        "{} per operator, {} end to end, in {} comparisons of {}; {} is nominal",
        rate(alarms.rate),
        rate(alarms.total_rate),
        alarms.splits,
        alarms.split.text(),
        rate(options.alpha),
    );
    let advice = format!(
        "recordings that are made one after the other seem to differ where nothing changed: {}",
        advice.turns()
    );
    finding(subject, grade, found, advice)
}
