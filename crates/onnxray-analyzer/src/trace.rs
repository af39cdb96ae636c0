//! A recording as tables: what every importer produces and every statistic reads.

use crate::schema::{self, column};
use onnxray_format::{Iteration, IterationKind, Operator, OperatorEvents, Run, Warning};
use polars::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;

/// One or more launches of one model in one configuration.
///
/// `events` has one row per execution of an operator and `iterations` one per
/// iteration, with the columns of [`schema::EVENTS`] and [`schema::ITERATIONS`].
#[derive(Clone, Debug)]
pub struct Trace {
    /// One per launch, in the order of their numbers.
    pub runs: Vec<Run>,
    pub files: Vec<PathBuf>,
    /// By the number that the `operator` column holds. Launches share them:
    /// operators of one name are one operator.
    pub operators: Vec<Operator>,
    pub events: DataFrame,
    pub iterations: DataFrame,
    pub warnings: Vec<Warning>,
}

/// Value of the `kind` column for each kind of iteration.
pub fn kind_code(kind: IterationKind) -> u32 {
    match kind {
        IterationKind::Measured => 0,
        IterationKind::WarmUp => 1,
        IterationKind::Plain => 2,
    }
}

/// Collects launches into a trace.
#[derive(Default)]
pub struct TraceBuilder {
    runs: Vec<Run>,
    files: Vec<PathBuf>,
    operators: Vec<Operator>,
    by_name: HashMap<String, u32>,
    events: EventColumns,
    iterations: IterationColumns,
    warnings: Vec<Warning>,
}

#[derive(Default)]
struct EventColumns {
    launch: Vec<u32>,
    iteration: Vec<u32>,
    operator: Vec<u32>,
    start: Vec<u64>,
    duration: Vec<u64>,
}

#[derive(Default)]
struct IterationColumns {
    launch: Vec<u32>,
    iteration: Vec<u32>,
    index: Vec<u32>,
    kind: Vec<u32>,
    start: Vec<u64>,
    duration: Vec<u64>,
}

impl TraceBuilder {
    /// Adds a launch. `operators` are its own table; events refer to it and to
    /// positions in `iterations`.
    pub fn add_launch(
        &mut self,
        file: PathBuf,
        run: Run,
        operators: Vec<Operator>,
        iterations: &[Iteration],
        events: OperatorEvents,
    ) {
        let launch = self.runs.len() as u32;
        let numbers = self.adopt(operators);
        for (position, iteration) in iterations.iter().enumerate() {
            let columns = &mut self.iterations;
            columns.launch.push(launch);
            columns.iteration.push(position as u32);
            columns.index.push(iteration.index);
            columns.kind.push(kind_code(iteration.kind));
            columns.start.push(iteration.start.0);
            columns.duration.push(iteration.duration.0);
        }
        let columns = &mut self.events;
        for event in 0..events.len() {
            // An event of an operator that is not in the table has no name.
            let Some(&operator) = numbers.get(&events.operator[event]) else { continue };
            columns.launch.push(launch);
            columns.iteration.push(events.iteration[event]);
            columns.operator.push(operator);
            columns.start.push(events.start[event].0);
            columns.duration.push(events.duration[event].0);
        }
        self.runs.push(run);
        self.files.push(file);
    }

    pub fn add_warnings(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        self.warnings.extend(warnings);
    }

    /// Maps a launch's operators to those of the recording, by name. The first
    /// launch's order and facts stand.
    fn adopt(&mut self, operators: Vec<Operator>) -> HashMap<u32, u32> {
        let mut numbers = HashMap::with_capacity(operators.len());
        for mut operator in operators {
            let next = self.operators.len() as u32;
            let number = *self.by_name.entry(operator.name.clone()).or_insert(next);
            numbers.insert(operator.number, number);
            if number == next {
                operator.number = number;
                operator.parent = operator.parent.and_then(|parent| numbers.get(&parent).copied());
                self.operators.push(operator);
            }
        }
        numbers
    }

    pub fn finish(self) -> PolarsResult<Trace> {
        let EventColumns { launch, iteration, operator, start, duration } = self.events;
        let events = df![
            column::LAUNCH => launch,
            column::ITERATION => iteration,
            column::OPERATOR => operator,
            column::START => start,
            column::DURATION => duration,
        ]?;
        debug_assert!(schema::matches(&events, schema::EVENTS));
        let IterationColumns { launch, iteration, index, kind, start, duration } = self.iterations;
        let iterations = df![
            column::LAUNCH => launch,
            column::ITERATION => iteration,
            column::INDEX => index,
            column::KIND => kind,
            column::START => start,
            column::DURATION => duration,
        ]?;
        debug_assert!(schema::matches(&iterations, schema::ITERATIONS));
        Ok(Trace {
            runs: self.runs,
            files: self.files,
            operators: self.operators,
            events,
            iterations,
            warnings: self.warnings,
        })
    }
}
