//! Tells the sessions of a profile apart: each loads a model and runs it.
//!
//! A profile is that of one session, but programs join the profiles of several, and sessions
//! that begin within a second write one file. Runs name no session. They are told apart by
//! what they ran, by what was loaded before them, or by the threads that loaded and ran.

use super::operators;
use super::profile::{EXECUTOR, MODEL_RUN, SESSION_INITIALIZATION};
use crate::chrome::{Assembled, EventTrace, Mark};
use crate::{EventChunk, Events, NO_ITERATION};
use foldhash::fast::RandomState;
use onnxray_format::Nanoseconds;
use std::collections::{HashMap, HashSet};

pub(crate) struct Session {
    /// Its runs, with labels for operators.
    pub(crate) assembled: Assembled,
    /// Time to load and initialize it.
    pub(crate) load_time: Option<Nanoseconds>,
}

pub(crate) struct Sessions {
    /// How many were initialized, and 1 at least.
    pub(crate) initialized: usize,
    /// Those whose runs could be told apart, in order of their first run.
    pub(crate) apart: Vec<Session>,
}

/// An initialization, and what loading took before it.
struct Loaded {
    thread: u32,
    time: u64,
}

#[derive(Clone, Copy)]
struct Shown {
    /// Number of its model among those of all runs.
    model: usize,
    /// How many sessions were initialized before it.
    after: usize,
    thread: u32,
}

impl Sessions {
    /// That there are several, and what becomes of them.
    pub(crate) fn message(&self) -> Option<String> {
        let apart = self.apart.len();
        Some(match self.initialized {
            0 | 1 => return None,
            sessions if apart > 1 => format!(
                "{sessions} sessions are in it, each of which loaded a model: their runs are told \
                 apart and are {apart} launches"
            ),
            sessions => format!(
                "{sessions} sessions are in it, each of which loaded a model, and nothing tells \
                 whose runs are whose: they are read as of one; profile each session by itself"
            ),
        })
    }
}

/// All runs as of one session.
pub(crate) fn together(trace: &EventTrace, assembled: Assembled) -> Sessions {
    let loaded = loaded(trace);
    let time = |sum: u64, loaded: &Loaded| sum.saturating_add(loaded.time);
    let load_time = (!loaded.is_empty()).then(|| Nanoseconds(loaded.iter().fold(0, time)));
    Sessions { initialized: loaded.len().max(1), apart: vec![Session { assembled, load_time }] }
}

/// The runs of each session; `assembled` has labels for operators.
pub(crate) fn apart(trace: &EventTrace, assembled: Assembled) -> Sessions {
    let loaded = loaded(trace);
    if loaded.len() < 2 {
        return together(trace, assembled);
    }
    let shown = shown(trace, &assembled, &operators::of_labels(trace));
    let numbers = told_apart(&shown, &loaded);
    let sessions = numbers.iter().max().map_or(0, |&last| last + 1);
    if sessions < 2 {
        return together(trace, assembled);
    }
    let load_time = |session: usize| {
        let own = shown.iter().zip(&numbers).filter(|&(_, &number)| number == session);
        let own: Vec<Shown> = own.map(|(&shown, _)| shown).collect();
        load_time(&own, &loaded, sessions)
    };
    let load_times: Vec<Option<Nanoseconds>> = (0..sessions).map(load_time).collect();
    let parts = split(assembled, &numbers, sessions).into_iter().zip(load_times);
    let apart = parts.map(|(assembled, load_time)| Session { assembled, load_time });
    Sessions { initialized: loaded.len(), apart: apart.collect() }
}

fn is_named(trace: &EventTrace, mark: &Mark, name: &str) -> bool {
    trace.labels.get(mark.label as usize).is_some_and(|label| label.raw_name() == name.as_bytes())
}

/// The initializations in order of the file, each with what was loaded since the last one.
fn loaded(trace: &EventTrace) -> Vec<Loaded> {
    let mut loaded = Vec::new();
    let mut time = 0u64;
    let is_executor = |mark: &Mark| {
        trace.labels.get(mark.label as usize).is_some_and(|l| l.raw_name().ends_with(EXECUTOR))
    };
    let loading = |mark: &&Mark| !is_named(trace, mark, MODEL_RUN) && !is_executor(mark);
    for mark in trace.marks.iter().filter(loading) {
        time = time.saturating_add(mark.duration);
        if is_named(trace, mark, SESSION_INITIALIZATION) {
            loaded.push(Loaded { thread: mark.thread, time: std::mem::take(&mut time) });
        }
    }
    loaded
}

fn shown(trace: &EventTrace, assembled: &Assembled, of_label: &[Option<u32>]) -> Vec<Shown> {
    let models = models(assembled, of_label);
    let mut after = HashMap::new();
    let mut initialized = 0;
    for mark in &trace.marks {
        initialized += usize::from(is_named(trace, mark, SESSION_INITIALIZATION));
        if is_named(trace, mark, MODEL_RUN) {
            after.entry((mark.thread, mark.start, mark.duration)).or_insert(initialized);
        }
    }
    let runs = assembled.iterations.iter().zip(&assembled.iteration_threads).zip(models);
    let shown = runs.map(|((run, &thread), model)| {
        let start = i64::try_from(run.start.0).unwrap_or(i64::MAX);
        let after = after.get(&(thread, start, run.duration.0)).copied().unwrap_or_default();
        Shown { model, after, thread }
    });
    shown.collect()
}

/// The model of each iteration: half of the operators of two runs of one are in both.
fn models(assembled: &Assembled, of_label: &[Option<u32>]) -> Vec<usize> {
    let mut ran: Vec<HashSet<u32, RandomState>> = Vec::new();
    ran.resize_with(assembled.iterations.len(), HashSet::default);
    for chunk in &assembled.events.chunks {
        for (&label, &iteration) in chunk.operator.iter().zip(&chunk.iteration) {
            if let Some(ran) = ran.get_mut(iteration as usize) {
                ran.extend(of_label[label as usize]);
            }
        }
    }
    let mut known: Vec<&HashSet<u32, RandomState>> = Vec::new();
    let mut models = Vec::with_capacity(ran.len());
    for own in &ran {
        let is_same = |other: &&HashSet<u32, RandomState>| {
            2 * other.intersection(own).count() >= other.len().max(own.len())
        };
        let model = match known.iter().position(is_same) {
            // What failed before any node ran may be of any model; it counts with the run before.
            _ if own.is_empty() => models.last().copied().unwrap_or_default(),
            Some(model) => model,
            None => {
                known.push(own);
                known.len() - 1
            }
        };
        models.push(model);
    }
    models
}

/// The number of each run's session, in order of the first run of each.
fn told_apart(shown: &[Shown], loaded: &[Loaded]) -> Vec<usize> {
    let count = |of: &dyn Fn(&Shown) -> usize| shown.iter().map(of).collect::<HashSet<_>>().len();
    let models = count(&|run| run.model);
    let epochs = count(&|run| run.after);
    let threads: HashSet<u32> = loaded.iter().map(|loaded| loaded.thread).collect();
    let on_own =
        threads.len() == loaded.len() && shown.iter().all(|run| threads.contains(&run.thread));
    let key = |run: &Shown| match () {
        // Each has a model of its own.
        () if models >= loaded.len() => (run.model, 0),
        () if on_own => (run.model, run.thread as usize),
        () if epochs > 1 => (run.model, run.after),
        () => (run.model, 0),
    };
    let mut known = Vec::new();
    let number = |run| {
        let key = key(run);
        known.iter().position(|&other| other == key).unwrap_or_else(|| {
            known.push(key);
            known.len() - 1
        })
    };
    shown.iter().map(number).collect()
}

/// What loading the session of these runs took, if that is certain: of the only one that was
/// initialized on their thread, or of the last one before all of them if each session ran
/// before the next was loaded.
fn load_time(runs: &[Shown], loaded: &[Loaded], sessions: usize) -> Option<Nanoseconds> {
    let first = runs.first()?;
    let on_thread: Vec<&Loaded> =
        loaded.iter().filter(|loaded| loaded.thread == first.thread).collect();
    if let ([own], true) = (&on_thread[..], runs.iter().all(|run| run.thread == first.thread)) {
        return Some(Nanoseconds(own.time));
    }
    let behind_own = runs.iter().all(|run| run.after == first.after) && sessions == loaded.len();
    let own = loaded.get(first.after.checked_sub(1)?).filter(|_| behind_own)?;
    Some(Nanoseconds(own.time))
}

/// The runs of each session. Executions that lie in no run are the first one's.
fn split(assembled: Assembled, numbers: &[usize], sessions: usize) -> Vec<Assembled> {
    let Assembled { iterations, iteration_threads, events, .. } = assembled;
    let mut positions = Vec::with_capacity(numbers.len());
    let mut counts = vec![0u32; sessions];
    for &session in numbers {
        positions.push(counts[session]);
        counts[session] += 1;
    }
    let part = |session: usize| {
        let is_own = |at: &usize| numbers[*at] == session;
        let own: Vec<usize> = (0..numbers.len()).filter(is_own).collect();
        let mut own_iterations: Vec<_> = own.iter().map(|&at| iterations[at]).collect();
        (0..).zip(&mut own_iterations).for_each(|(index, iteration)| iteration.index = index);
        let is_in = |chunk: &EventChunk, row: usize| {
            numbers.get(chunk.iteration[row] as usize).copied().unwrap_or_default() == session
        };
        let chunks = events.chunks.iter().map(|chunk| {
            let rows: Vec<usize> = (0..chunk.len()).filter(|&row| is_in(chunk, row)).collect();
            let mut chunk = chunk.select(&rows);
            for at in &mut chunk.iteration {
                *at = positions.get(*at as usize).copied().unwrap_or(NO_ITERATION);
            }
            chunk
        });
        let chunks = chunks.filter(|chunk| !chunk.is_empty()).collect();
        let (threads, figures) = (events.threads.clone(), events.figures.clone());
        Assembled {
            iterations: own_iterations,
            iteration_threads: own.iter().map(|&at| iteration_threads[at]).collect(),
            events: Events { chunks, threads, figures },
            ..Assembled::default()
        }
    };
    (0..sessions).map(part).collect()
}
