//! Joins profiles of one run each, which `RunOptions` ask for: the runs of a session become the
//! iterations of one launch.
//!
//! Such a profile holds the nodes and the run, but not what loading the session took. Those of one
//! folder, one prefix and one process are of one session if they ran the same nodes. Their order is
//! that of the numbers in their names, or else of the times.

use super::bodies::HOLDERS;
use super::opened::{Opened, named};
use super::profile::{EXECUTOR, MODEL_RUN, fact, is_node};
use super::run_names::RunName;
use crate::chrome::EventTrace;
use crate::launch::Thread;
use onnxray_format::Warning;
use onnxray_text::shown;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// Nanoseconds between runs whose distance is not known, or smaller than what names tell.
const APART: i64 = 1000;

/// A profile of one run.
pub(super) struct OfRun {
    opened: Opened,
    name: RunName,
    /// Its place among all inputs.
    place: usize,
    /// That which ran it, as the system numbers it.
    thread: Thread,
    /// Name, type and number of each node of its graph.
    nodes: HashSet<[Option<Box<[u8]>>; 3]>,
    /// Whether the run itself is in it, which is written when it ends.
    is_whole: bool,
}

impl OfRun {
    /// # Errors
    ///
    /// The profile, if it is not one of a single run.
    pub(super) fn of(opened: Opened, place: usize) -> Result<OfRun, Box<Opened>> {
        let trace = &opened.trace;
        let is_run = |mark: &&_| named(trace, mark, MODEL_RUN);
        let runs = trace.marks.iter().filter(is_run).count();
        let is_executor = |label: u32| {
            trace.labels.get(label as usize).is_some_and(|l| l.raw_name().ends_with(EXECUTOR))
        };
        // What else is looked at is that a session was loaded.
        let is_loaded = trace
            .marks
            .iter()
            .any(|mark| !named(trace, mark, MODEL_RUN) && !is_executor(mark.label));
        let first = trace.marks.first().map(|mark| mark.thread);
        let first = first.or_else(|| trace.chunks.first()?.thread.first().copied());
        let name = RunName::of(&trace.file);
        let (Some(name), Some(first), false, 0..=1) = (name, first, is_loaded, runs) else {
            return Err(Box::new(opened));
        };
        let thread = trace.threads[first as usize].clone();
        let nodes = nodes(trace);
        Ok(OfRun { opened, name, place, thread, nodes, is_whole: runs == 1 })
    }
}

/// Profiles joined to those of sessions, each with the place of its first file.
pub(super) fn join(runs: Vec<OfRun>) -> Vec<(usize, Opened)> {
    let mut sessions: Vec<Vec<OfRun>> = Vec::new();
    // Whole ones say which nodes those have that are cut.
    let (whole, cut): (Vec<OfRun>, Vec<OfRun>) = runs.into_iter().partition(|run| run.is_whole);
    for run in whole.into_iter().chain(cut) {
        match sessions.iter_mut().find(|session| are_of_one(&session[0], &run)) {
            Some(session) => session.push(run),
            None => sessions.push(vec![run]),
        }
    }
    sessions.into_iter().flat_map(by_prefix).map(joined).collect()
}

/// Whether a run is of the session of another one: half of the nodes of two runs are in both,
/// and all of one that is cut.
fn are_of_one(first: &OfRun, run: &OfRun) -> bool {
    let most = match run.is_whole {
        true => first.nodes.len().max(run.nodes.len()),
        false => run.nodes.len(),
    };
    first.name.prefix == run.name.prefix
        && first.thread.process == run.thread.process
        && 2 * first.nodes.intersection(&run.nodes).count() >= most
}

/// Takes runs apart whose numbers are a part of their prefix, such as `batch8_` and `batch16_`:
/// several in a row have one.
fn by_prefix(mut session: Vec<OfRun>) -> Vec<Vec<OfRun>> {
    session.sort_by_key(|run| (run.name.time, run.name.number, run.place));
    let is_same = |pair: &[OfRun]| {
        let [one, next] = [&pair[0].name, &pair[1].name];
        one.number.is_some() && one.number == next.number && one.time < next.time
    };
    if !session.windows(2).any(is_same) {
        return vec![session];
    }
    let mut apart: Vec<Vec<OfRun>> = Vec::new();
    for run in session {
        match apart.iter_mut().find(|own| own[0].name.number == run.name.number) {
            Some(own) => own.push(run),
            None => apart.push(vec![run]),
        }
    }
    apart
}

/// The runs of a session, in the order of their times, as one profile.
fn joined(mut runs: Vec<OfRun>) -> (usize, Opened) {
    let place = runs.iter().map(|run| run.place).min().unwrap_or_default();
    let mut numbers: Vec<u64> = runs.iter().filter_map(|run| run.name.number).collect();
    numbers.sort_unstable();
    let all_numbered = numbers.len() == runs.len();
    let count = numbers.len();
    numbers.dedup();
    let are_unique = all_numbered && count == numbers.len();
    // Several generations of a program count anew.
    if are_unique {
        runs.sort_by_key(|run| run.name.number);
    }
    let mut doubts = Vec::new();
    if are_unique {
        doubts.extend(lacking(&numbers));
    }
    let key = |run: &OfRun| (run.name.time, run.name.number);
    let again = runs.windows(2).filter(|pair| key(&pair[0]) == key(&pair[1]));
    let again: Vec<&PathBuf> = again.filter_map(|pair| pair[1].opened.files.first()).collect();
    if let Some(first) = again.first() {
        let (name, count) = (shown(first), again.len() as u64);
        doubts.push(match count {
            1 => format!(
                "{name} has the number of another file and counts as a run of its own; leave it out \
                 if it is a copy"
            ),
            _ => format!(
                "{count} files have the numbers of others and count as runs of their own, the first \
                 {name}; leave out those that are copies"
            ),
        });
    }
    let mut runs = runs.into_iter();
    let Some(OfRun { opened: mut session, name: first, thread, .. }) = runs.next() else {
        return (place, Opened::default());
    };
    // Of each thread: what begins on it later begins behind that.
    let mut busy: HashMap<Thread, i64> = HashMap::from([(thread, ends(&session.trace).1)]);
    for OfRun { opened, name, thread, .. } in runs {
        let Opened { trace, files, warnings } = opened;
        let (begin, end) = ends(&trace);
        let behind = |busy: i64| busy.saturating_add(APART).saturating_sub(begin);
        let later = match (first.time, name.time) {
            // Names tell milliseconds, in which the one before may not have ended.
            (Some(zero), Some(time)) => {
                let later = time.saturating_sub(zero).saturating_mul(1_000_000);
                busy.get(&thread).map_or(later, |&busy| later.max(behind(busy)))
            }
            _ => behind(busy.values().copied().max().unwrap_or_default()),
        };
        busy.insert(thread, end.saturating_add(later));
        session.trace.append(trace, later);
        session.files.extend(files);
        session.warnings.extend(warnings);
    }
    let file = session.trace.file.clone();
    session.warnings.extend(doubts.into_iter().map(|message| Warning::note(&file, message)));
    (place, session)
}

/// That numbers are left out.
fn lacking(numbers: &[u64]) -> Option<String> {
    const NAMED: usize = 5;
    let gaps = numbers.windows(2).map(|pair| (pair[0] + 1, pair[1]));
    let count: u64 = gaps.clone().map(|(from, to)| to - from).sum();
    let named: Vec<String> =
        gaps.flat_map(|(from, to)| from..to).take(NAMED).map(|number| number.to_string()).collect();
    let more = match count.saturating_sub(named.len() as u64) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    // Of numbers that are times, nearly all are left out.
    (1..=10 * numbers.len() as u64).contains(&count).then(|| {
        format!(
            "no file has the number {}{more}: these runs were not profiled, or their files are not here",
            named.join(", ")
        )
    })
}

/// When the first node or run begins, and the last one ends.
fn ends(trace: &EventTrace) -> (i64, i64) {
    let is_node: Vec<bool> = trace.labels.iter().map(is_node).collect();
    let nodes = trace.chunks.iter().flat_map(|rows| {
        let all = rows.label.iter().zip(&rows.start).zip(&rows.duration);
        all.filter(|((label, _), _)| is_node[**label as usize])
            .map(|((_, start), time)| (*start, *time))
    });
    let marks = trace.marks.iter().map(|mark| (mark.start, mark.duration));
    let spans =
        nodes.chain(marks).map(|(start, time)| (start, start.saturating_add_unsigned(time)));
    spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default()
}

/// The nodes that lie in no other: those of bodies vary from run to run.
fn nodes(trace: &EventTrace) -> HashSet<[Option<Box<[u8]>>; 3]> {
    let holds = |label: &u32| {
        let of_type = trace.labels[*label as usize].fact_text(fact::OPERATOR_TYPE);
        of_type.is_some_and(|of_type| HOLDERS.contains(&of_type.as_str()))
    };
    let rows = || {
        trace.chunks.iter().flat_map(|rows| {
            (0..rows.label.len()).map(|row| {
                let end = rows.start[row].saturating_add_unsigned(rows.duration[row]);
                (rows.label[row], rows.thread[row], rows.start[row], end)
            })
        })
    };
    // Those that lie in others are of no account.
    let mut holders: Vec<(u32, i64, Reverse<i64>)> = rows()
        .filter(|(label, ..)| holds(label))
        .map(|(_, thread, start, end)| (thread, start, Reverse(end)))
        .collect();
    holders.sort_unstable();
    holders.dedup_by(|next, kept| next.0 == kept.0 && next.2.0 <= kept.2.0);
    let is_held = |thread: u32, start: i64, end: i64| {
        let begun = holders.partition_point(|&(of, begin, _)| (of, begin) <= (thread, start));
        let holder = begun.checked_sub(1).and_then(|at| holders.get(at));
        holder.is_some_and(|&(of, begin, Reverse(last))| {
            of == thread && end <= last && (begin, last) != (start, end)
        })
    };
    let mut found = HashSet::new();
    for (label, thread, start, end) in rows() {
        let at = &trace.labels[label as usize];
        if is_node(at) && !is_held(thread, start, end) {
            let own = |fact: usize| at.raw_fact(fact).map(Box::from);
            found.insert([
                Some(at.raw_name().into()),
                own(fact::OPERATOR_TYPE),
                own(fact::NODE_INDEX),
            ]);
        }
    }
    found
}
