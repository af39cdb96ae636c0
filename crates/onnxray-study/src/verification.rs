//! Records two models in turns, in launches that no search saw, and compares the recordings.

use crate::costs::measure;
use crate::host::{Host, Left, Said, Teller};
use crate::schedule::{FEWEST, schedule};
use anyhow::anyhow;
use onnxray_analyzer::comparison::{FEWEST_LAUNCHES, Field, Options, Recording, compare};
use onnxray_analyzer::study::Verified;
use onnxray_analyzer::{Needs, Trace, examine};
use onnxray_format::{Nanoseconds, Verification, layout};
use onnxray_import::{Reading, Sources};
use onnxray_recorder::study::costs::CostPlan;
use onnxray_recorder::study::{Journal, SearchEntry, SearchPlan};
use onnxray_recorder::{
    Folders, LaunchOptions, LaunchSpec, Launches, Schedule, Turns, iterations_per_turn,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Profiled iterations of a launch, and unprofiled ones, of each of both: the interval of ten such
/// launches is a few tenths of a percent, and more of them do not make it narrower.
const ITERATIONS: u64 = 100;
/// As many as this takes if that is more, and no more than this takes.
const MEASURED: [Duration; 2] = [Duration::from_millis(40), Duration::from_millis(250)];

/// Launches of each of both, whatever they take: fewer have no interval to speak of.
const LEAST: u32 = 3;

/// What a fresh process takes about, beside calls at a pace.
const START: Duration = Duration::from_millis(500);
/// Fresh processes of each of both, at least.
const FEWEST_STARTS: u32 = 5;

/// The traces of two recordings, of what is compared with first.
pub type Traces = [Vec<PathBuf>; 2];

/// What was chosen, to be recorded next to a base.
pub struct Planned<Changes> {
    /// Whether next to the second base.
    pub with_b: bool,
    /// What was chosen.
    pub chosen: Changes,
    /// The folder of both recordings.
    pub folder: PathBuf,
    /// Their names, in which they lie in the folder; that of the base first.
    pub names: [&'static str; 2],
    /// Their launches.
    pub specs: [LaunchSpec; 2],
    /// Launches of each of both.
    pub launches: u32,
    /// Latency of the base.
    pub latency: Nanoseconds,
    /// Fresh processes of both before the first launch, if any.
    pub costs: Option<CostPlan>,
    /// In which both may differ.
    pub fields: Vec<Field>,
}

/// Records both in turns in this time, unless the journal knows their recordings, and compares them;
/// `None` if it was interrupted.
pub(crate) fn verify<S: SearchPlan>(
    planned: Planned<Vec<S::Change>>,
    journal: &mut Journal<S>,
    time: Duration,
    host: &Host,
) -> anyhow::Result<Option<Verified>> {
    let Planned { with_b, chosen, folder, names, specs, launches, latency, costs, fields } =
        planned;
    let begun = host.clock.now();
    let traces = match known(journal, (with_b, &chosen), (&folder, names)) {
        Some(traces) => traces,
        None => {
            let [base, own] = specs;
            let recorded = |spec, name| recorded_as(spec, &folder, name, launches);
            let mut specs = [recorded(base, names[0]), recorded(own, names[1])];
            if let Some(plan) = costs {
                let engines = specs.clone().map(|spec| spec.engine);
                measure(&mut specs, (&within(plan, time), &engines), host);
            }
            let left = time.saturating_sub(host.clock.since(begun));
            let Some(traces) = record(specs, latency, left, host)? else { return Ok(None) };
            // Kept only if their names lead to them again, and there are enough to test what differs:
            // otherwise a later run, which may have more time, records anew.
            let is_enough = traces[0].len() >= FEWEST_LAUNCHES.min(launches as usize);
            if let Some(recordings) = times(&traces).filter(|_| is_enough) {
                let verified = Verification { with_b, changes: chosen, recordings };
                journal.keep(SearchEntry::Verified(verified))?;
            }
            traces
        }
    };
    compared(&traces, names, fields, host.teller).map(Some)
}

/// The traces of both in a folder, of what was chosen, if the journal knows them and they are there.
pub fn known<S: SearchPlan>(
    journal: &Journal<S>,
    (with_b, chosen): (bool, &[S::Change]),
    (folder, names): (&Path, [&str; 2]),
) -> Option<Traces> {
    found(names.map(|name| folder.join(name)), journal.recordings(with_b, chosen)?)
}

/// As many fresh processes as half of the time is enough for, if that is not too few to decide.
fn within(plan: CostPlan, limit: Duration) -> CostPlan {
    let each = START + plan.pace.as_ref().map_or(Duration::ZERO, |pace| pace.duration);
    // Of each of both.
    let fitting = (limit / 2).as_nanos() / (2 * each.as_nanos()).max(1);
    // No more than were asked for.
    let fewest = FEWEST_STARTS.min(plan.starts);
    let starts = plan.starts.min(fitting as u32).max(fewest);
    CostPlan { starts, ..plan }
}

/// A launch as one of those that are recorded, under a name, into the folder of that name.
fn recorded_as(spec: LaunchSpec, folder: &Path, name: &str, launches: u32) -> LaunchSpec {
    let options = LaunchOptions {
        folder: folder.join(name).into(),
        profile: name.to_string(),
        launches: Some(launches),
        ..spec.options
    };
    LaunchSpec { options, ..spec }
}

/// Records both in this time, and the launch that is going on; `None` if it was interrupted.
fn record(
    specs: [LaunchSpec; 2],
    latency: Nanoseconds,
    limit: Duration,
    host: &Host,
) -> anyhow::Result<Option<Traces>> {
    let begun = host.clock.now();
    let launches = specs[0].options.launches.unwrap_or_default();
    // The base's latency plans both, so that both have equally many iterations.
    let schedule = schedule(latency, Some(iterations(latency, limit, launches)));
    let turn = iterations_per_turn([latency; 2], schedule.length);
    // Threads of one that wait in a busy loop would disturb the other.
    let is_alone = specs.iter().any(|spec| spec.options.threads > 1)
        || !specs[0].engine.fits_with(&specs[1].engine);
    let turns = if is_alone { Turns::Launches } else { Turns::Iterations };
    let _folders = Folders::prepare(specs.iter().map(|spec| Path::new(&spec.options.folder)))?;
    let planned = Launches::plan(specs.to_vec(), Schedule { turn, ..schedule }, turns)?;
    let verifying = |share| host.teller.show("verifying".to_string(), share, Left::Unknown);
    verifying(0.0);
    let quiet = || {
        let mut command = (host.launch)();
        command.arg("--quiet");
        command
    };
    let ended = planned.run(quiet, host.stop, |done| {
        verifying(f64::from(done) / f64::from(launches));
        // Beside other programs, starting and calibrating may take far longer than iterations do.
        done >= LEAST && host.clock.since(begun) >= limit
    });
    host.teller.clear();
    if ended? {
        return Ok(None);
    }
    let traces = <Traces>::try_from(planned.traces());
    traces.map(Some).map_err(|_| anyhow!("a recording of the result is missing"))
}

/// Profiled iterations of a launch. Loading takes about as long as all its iterations, of both
/// models, profiled and not.
fn iterations(latency: Nanoseconds, limit: Duration, launches: u32) -> u32 {
    let fitting = |time: Duration| time.as_nanos() as u64 / latency.0.max(1);
    // `clamp` needs least <= most, which holds as both are divided by one latency.
    let [least, most] = MEASURED.map(fitting);
    // Launches of four kinds of iterations each (two models, profiled or not), and as long to load.
    let within = fitting(limit / (8 * launches.max(1)));
    ITERATIONS.clamp(least, most).min(within).clamp(FEWEST, u32::MAX.into()) as u32
}

/// The second recording next to the first, which may differ in these fields.
///
/// # Errors
///
/// If a trace cannot be read.
pub fn compared(
    traces: &Traces,
    names: [&str; 2],
    expected_differences: Vec<Field>,
    teller: &dyn Teller,
) -> anyhow::Result<Verified> {
    let read = |files: &[PathBuf], name: &str| -> anyhow::Result<Recording> {
        let trace = Trace::new(Sources::find(files)?.read(&Reading::default())?);
        // What was lost may be why there is nothing to tell.
        let lost = |_: &_| {
            let warn = |warning| teller.say(Said::Warning, format_args!("{warning}"));
            trace.warnings.iter().for_each(warn);
        };
        let (summary, timeline) =
            examine(&trace, Needs::Measured).inspect_err(lost)?.into_timeline();
        Ok(Recording { label: name.to_string(), summary, timeline })
    };
    teller.working("reading".to_string());
    let read = [read(&traces[0], names[0]), read(&traces[1], names[1])];
    teller.clear();
    let [base, found] = read;
    let [base, found] = [base?, found?];
    let options = Options { expected_differences, ..Options::default() };
    let comparison = compare(&base, &found, &options)?;
    Ok(Verified { base, found, comparison })
}

/// The times by which both recordings are called.
fn times(traces: &Traces) -> Option<[String; 2]> {
    let [first, second] = traces;
    Some([layout::time_of(first.first()?)?, layout::time_of(second.first()?)?])
}

/// The traces of the recordings of these times in these folders, if they are still there.
fn found(folders: [PathBuf; 2], times: &[String; 2]) -> Option<Traces> {
    let files = |(folder, time): (PathBuf, &String)| -> Vec<PathBuf> {
        let traces = layout::list(&folder.join(layout::TRACE_FOLDER)).unwrap_or_default();
        // A folder may hold later recordings as well.
        let ours = traces.into_iter().filter(|(_, own, _)| own == time);
        ours.map(|(path, _, _)| path).collect()
    };
    let [first, second] = folders;
    let found = [files((first, &times[0])), files((second, &times[1]))];
    found.iter().all(|files| !files.is_empty()).then_some(found)
}
