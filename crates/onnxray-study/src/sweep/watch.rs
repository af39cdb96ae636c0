//! How precisely a sweep's configurations are known so far, and whether to go on.

use crate::host::{Host, Left, Said};
use anyhow::anyhow;
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::statistics::{CostSummary, Performance, relative_half_width};
use onnxray_analyzer::{Needs, Summary, Trace, examine};
use onnxray_format::Nanoseconds;
use onnxray_import::{Reading, Sources};
use onnxray_recorder::study::costs::CostPlan;
use onnxray_recorder::study::{PlannedPoint, Sweep, SweepHooks};
use onnxray_recorder::{Rounds, ended as how_it_ended};
use onnxray_text::{counted, printable};
use std::path::PathBuf;
use std::time::Duration;

/// Rounds of a configuration before its precision is believed.
const FEWEST_ROUNDS: usize = 5;

/// When a sweep ends.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Half the width of the intervals of latency and throughput, as a share of these.
    pub precision: f64,
    /// Launches of a configuration, at most.
    pub rounds: Option<u32>,
    /// What an inference of each costs.
    pub costs: CostPlan,
    /// For everything, trying configurations out included.
    pub time_limit: Duration,
}

/// Stopping rule of a sweep, and what it knows of each configuration.
pub struct Watch<'a> {
    points: Vec<Watched>,
    goal: Goal,
    host: Host<'a>,
    begun: Nanoseconds,
    /// Set once a round was wanted.
    has_run: bool,
    /// Set once the time limit alone kept a round from being run.
    is_out_of_time: bool,
}

/// Measurements of a configuration.
struct Watched {
    name: String,
    /// Median latency in milliseconds and iterations per second, of each round.
    rounds: [Vec<f64>; 2],
    /// Duration of a round, without calls at a pace.
    round_time: Option<Duration>,
    begun: Option<Nanoseconds>,
    has_failed: bool,
    /// Processes that measured what an inference costs.
    starts: u32,
    /// Whether none of these has another one: instances would take from each other, and what
    /// could not be measured once is not tried again.
    has_no_start: bool,
    /// Those before the round that runs.
    starting: u32,
}

impl<'a> Watch<'a> {
    /// Takes up what a sweep has measured before; `started` is when the time limit began.
    pub fn new(sweep: &Sweep, goal: Goal, host: Host<'a>, started: Nanoseconds) -> Watch<'a> {
        let watched = |point: &PlannedPoint| Watched {
            name: printable(&point.name),
            rounds: Default::default(),
            round_time: None,
            begun: None,
            has_failed: false,
            starts: 0,
            has_no_start: point.spec.options.instances > 1,
            starting: 0,
        };
        let points = sweep.plan().points.iter();
        let mut watch = Watch {
            points: points.map(watched).collect(),
            goal,
            host,
            begun: started,
            has_run: false,
            is_out_of_time: false,
        };
        let mut known = 0;
        for point in 0..watch.points.len() {
            for traces in sweep.traces(point) {
                // It has said why if it cannot.
                known += u64::from(watch.take(point, &traces).is_ok());
            }
        }
        if known > 0 {
            let rounds =
                counted(known, "round of a configuration is", "rounds of configurations are");
            host.teller.say(Said::Note, format_args!("{rounds} measured already"));
        }
        watch
    }

    /// Says what is known of how many, if the time limit ended it.
    pub fn tell(&self) {
        if !self.is_out_of_time {
            return;
        }
        let known = |point: &&Watched| point.is_precise(self.goal.precision);
        let text = format_args!(
            "out of time: {} of {} {} known to ±{} %; run the same command again to continue",
            self.points.iter().filter(known).count(),
            counted(self.points.len() as u64, "configuration", "configurations"),
            if self.points.len() == 1 { "is" } else { "are" },
            percent(self.goal.precision),
        );
        self.host.teller.say(Said::Warning, text);
    }

    /// Shows no progress any more; whether a configuration failed.
    pub fn end(self) -> bool {
        self.host.teller.clear();
        self.points.iter().any(|watched| watched.has_failed)
    }

    /// Takes the figures of a round, or says why they are unknown.
    fn take(&mut self, point: usize, traces: &[PathBuf]) -> Result<(), String> {
        let watched = &mut self.points[point];
        match performance(traces) {
            Ok((performance, costs)) => {
                if let Some(costs) = costs {
                    watched.starts += costs.starts as u32;
                    watched.has_no_start |= costs.unknown.is_some();
                }
                watched.rounds[0].push(performance.latency.p50.value);
                watched.rounds[1].push(performance.iterations_per_second.value);
            }
            Err(error) => return Err(watched.fail(&error.to_string(), self.host)),
        }
        Ok(())
    }

    /// Whether there is time for a round of a point. Every point has a first one, as long as the
    /// limit is not over; later ones have to end within it, if they take as long as before.
    fn has_time(&self, point: usize, round: u32) -> bool {
        let expected = match round {
            0 => Duration::ZERO,
            _ => self.points[point].round_time.unwrap_or_default(),
        };
        let expected = expected + self.costs_before(point, round).paced_time();
        self.host.clock.since(self.begun) + expected < self.goal.time_limit
    }

    /// Processes that a point lacks still.
    fn starts_left(&self, watched: &Watched) -> u32 {
        match watched.has_failed || watched.has_no_start {
            true => 0,
            false => self.goal.costs.starts.saturating_sub(watched.starts),
        }
    }

    /// Those before a round of a point: spread over the rounds that it has in any case, so that they
    /// are as far apart as these, and none before the first, so that each point has a latency first.
    fn costs_before(&self, point: usize, round: u32) -> CostPlan {
        let rounds = self.goal.rounds.unwrap_or(u32::MAX).min(FEWEST_ROUNDS as u32);
        let left = self.starts_left(&self.points[point]);
        match round == 0 && rounds > 1 {
            true => self.of_starts(0),
            false => self.of_starts(left.div_ceil(rounds.saturating_sub(round).max(1))),
        }
    }

    fn of_starts(&self, starts: u32) -> CostPlan {
        CostPlan { starts, ..self.goal.costs.clone() }
    }

    /// Time until all are precise enough, or until the time limit.
    fn left(&self) -> Duration {
        let left = self.goal.time_limit.saturating_sub(self.host.clock.since(self.begun));
        let times = self.points.iter().map(|watched| watched.round_time);
        let known: Vec<Duration> = times.flatten().collect();
        // `None` before any round has ended: then the limit is all that is known.
        let Some(mean) = known.iter().sum::<Duration>().checked_div(known.len() as u32) else {
            return left;
        };
        let needed = self.points.iter().map(|watched| {
            let rounds = watched.rounds_left(self.goal.precision, self.goal.rounds);
            let starts = self.starts_left(watched);
            // What has not run yet is taken to need as long as the others.
            watched.round_time.unwrap_or(mean).mul_f64(rounds) + self.of_starts(starts).paced_time()
        });
        needed.sum::<Duration>().min(left)
    }
}

impl Watched {
    /// Reports a failure, in one line.
    fn fail(&mut self, reason: &str, host: Host) -> String {
        // The first line is the reason; what follows are hints.
        let reason = reason.lines().find(|line| !line.is_empty()).unwrap_or(reason);
        let reason = reason.strip_prefix("error: ").unwrap_or(reason).to_string();
        let (name, text) = (&self.name, printable(&reason));
        host.teller.say(Said::Error, format_args!("{name}: {text}"));
        self.has_failed = true;
        reason
    }

    /// The wider of both intervals, as a share of its figure; `None` if it is unknown.
    fn half_width(&self) -> Option<f64> {
        let widths = self.rounds.each_ref().map(|values| relative_half_width(values));
        Some(widths[0]?.max(widths[1]?))
    }

    fn is_precise(&self, precision: f64) -> bool {
        self.rounds[0].len() >= FEWEST_ROUNDS
            && self.half_width().is_some_and(|width| width <= precision)
    }

    /// Rounds that it may take: half widths fall with the square root of their number.
    fn rounds_left(&self, precision: f64, most: Option<u32>) -> f64 {
        if self.has_failed || self.is_precise(precision) {
            return 0.0;
        }
        let done = self.rounds[0].len() as f64;
        let fewest = FEWEST_ROUNDS as f64 - done;
        let more =
            self.half_width().map_or(0.0, |width| done * ((width / precision).powi(2) - 1.0));
        // Bounded without --rounds, too: a first, wide interval would promise millions of rounds.
        let most = most.map_or(f64::from(u16::MAX), |most| f64::from(most) - done);
        // At least one round, as the point is not precise yet, but never beyond what is asked for.
        more.max(fewest).max(1.0).min(most).max(0.0)
    }
}

impl SweepHooks for Watch<'_> {
    fn wants(&mut self, point: usize, round: u32) -> bool {
        let watched = &self.points[point];
        let is_open = !watched.has_failed
            && self.goal.rounds.is_none_or(|most| round < most)
            && (!watched.is_precise(self.goal.precision) || self.starts_left(watched) > 0);
        let is_wanted = is_open && (self.has_time(point, round) || !self.has_run);
        self.is_out_of_time |= is_open && !is_wanted;
        // However short the time limit is, something comes of it.
        self.has_run |= is_wanted;
        is_wanted
    }

    fn costs(&mut self, point: usize, round: u32) -> CostPlan {
        let plan = self.costs_before(point, round);
        self.points[point].starting = plan.starts;
        plan
    }

    fn progress(&mut self, point: usize, round: u32, _: f64) {
        // A round begins with its first report.
        let begun = *self.points[point].begun.get_or_insert_with(|| self.host.clock.now());
        let precise =
            self.points.iter().filter(|point| point.is_precise(self.goal.precision)).count();
        let left = self.left().saturating_sub(self.host.clock.since(begun));
        let spent = self.host.clock.since(self.begun);
        // At the first call both may be 0.
        let all = (spent + left).as_secs_f64().max(1e-9);
        self.host.teller.show(
            format!(
                "round {}: {} ({precise} of {} precise enough)",
                round + 1,
                self.points[point].name,
                self.points.len(),
            ),
            spent.as_secs_f64() / all,
            Left::About(left),
        );
    }

    fn finished(&mut self, point: usize, traces: Vec<PathBuf>) -> Result<(), String> {
        let paced = self.of_starts(self.points[point].starting).paced_time();
        let taken = self.take(point, &traces);
        let watched = &mut self.points[point];
        if let Some(begun) = watched.begun.take() {
            watched.round_time = Some(self.host.clock.since(begun).saturating_sub(paced));
        }
        taken
    }

    fn failed(&mut self, point: usize, ended: &Rounds, said: &str) -> String {
        let status = ended.failed.first().map(|failed| how_it_ended(failed.status));
        let said = said.lines().find(|line| line.starts_with("error: "));
        let reason = said.map(str::to_string).or(status).unwrap_or_default();
        self.points[point].fail(&reason, self.host)
    }
}

/// Why a recording does not say how fast the model is.
pub fn no_performance(summary: &Summary) -> &'static str {
    match summary.instances {
        Some(_) => "its instances did not overlap in time; raise --iterations",
        None => "no latency was recorded",
    }
}

/// Latency and throughput of one round, and what processes before it measured.
fn performance(traces: &[PathBuf]) -> anyhow::Result<(Performance, Option<CostSummary>)> {
    let launches = Sources::find(traces)?.read(&Reading::default())?;
    let summary = examine(&Trace::new(launches), Needs::AnyLatency)?.summary;
    match Performance::of(&summary) {
        Some(performance) => Ok((performance, summary.costs)),
        None => Err(anyhow!(no_performance(&summary))),
    }
}
