//! A recording as tables: what every statistic reads.

use crate::schema::{self, FrameColumn, column};
use onnxray_format::{
    Calibration, Conditions, Iteration, IterationKind, Kernels, Operator, Run, Step, Tensor,
    Warning, fold, fold_devices,
};
use onnxray_import::{
    Average, EventChunk, Events, Figure, Format, Launch, NO_ITERATION, Over, Thread,
};
use polars::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;

/// One or more launches of one model in one configuration.
///
/// `events` has one row per execution of an operator and `iterations` one per
/// iteration, with the columns of [`schema::EVENTS`] and [`schema::ITERATIONS`], each
/// in one chunk.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Of the first launch.
    pub format: Format,
    /// One per launch, in the order of their numbers.
    pub runs: Vec<Run>,
    /// By launch: what it saw of the machine; `None` if it does not tell.
    pub conditions: Vec<Option<Conditions>>,
    /// By launch: what it measured of the cost of profiling; `None` if it does not tell.
    pub calibrations: Vec<Option<Calibration>>,
    /// The first file of each launch.
    pub files: Vec<PathBuf>,
    /// By launch: the threads or streams that the column `thread` numbers.
    pub threads: Vec<Vec<Thread>>,
    /// By the number that the column `operator` holds. Launches share them:
    /// operators of one name are one operator.
    pub operators: Vec<Operator>,
    /// What they are made of; `None` where every operator is a single kernel, which
    /// then has its number.
    pub kernels: Option<Kernels>,
    /// Columns of [`schema::EVENTS`].
    pub events: DataFrame,
    /// Columns of [`schema::ITERATIONS`].
    pub iterations: DataFrame,
    /// By row of the iterations: the step of a generation that it is.
    pub steps: Vec<Option<Step>>,
    /// Iterations of other phases of a generation, with the position of their launch.
    pub other_phases: Vec<(u32, Iteration)>,
    /// What the format states about operators instead of executions, with the
    /// position of its launch.
    pub averages: Vec<(u32, Average)>,
    /// What the trace states beyond times.
    pub figures: FigureTable,
    /// What was wrong with the files of all launches.
    pub warnings: Vec<Warning>,
}

/// Figures of operators, over all their executions.
#[derive(Clone, Debug, Default)]
pub struct FigureTable {
    /// What the columns hold.
    pub figures: Vec<Figure>,
    /// By operator, then by figure.
    pub values: Vec<Vec<Option<f64>>>,
}

/// Value of the `kind` column for each kind of iteration.
pub fn kind_code(kind: IterationKind) -> u32 {
    match kind {
        IterationKind::Measured => 0,
        IterationKind::WarmUp => 1,
        IterationKind::Plain => 2,
    }
}

impl Trace {
    /// Puts launches together.
    ///
    /// # Errors
    ///
    /// If polars refuses the columns, which would be a defect.
    pub fn new(launches: Vec<Launch>) -> PolarsResult<Trace> {
        let executions = launches.iter().map(|launch| launch.events.len()).sum();
        let is_ours =
            |launch: &Launch| launch.format.is_recording() && launch.run.converted_from.is_none();
        let ours = launches.iter().all(is_ours);
        let mut trace = Trace {
            format: launches.first().map(|launch| launch.format).unwrap_or_default(),
            runs: Vec::new(),
            conditions: Vec::new(),
            calibrations: Vec::new(),
            files: Vec::new(),
            threads: Vec::new(),
            operators: Vec::new(),
            kernels: None,
            events: DataFrame::empty(),
            iterations: DataFrame::empty(),
            steps: Vec::new(),
            other_phases: Vec::new(),
            averages: Vec::new(),
            figures: FigureTable::default(),
            warnings: Vec::new(),
        };
        let mut names = HashMap::new();
        let mut figures = FigureSums::default();
        let mut events = EventColumns::with_capacity(executions);
        let mut iterations = IterationColumns::default();
        for launch in launches {
            trace.add(launch, &mut names, &mut figures, &mut events, &mut iterations);
        }
        if ours && trace.averages.is_empty() {
            (trace.operators, trace.kernels) = fold(trace.operators);
        } else {
            (trace.operators, trace.kernels) = fold_devices(trace.operators);
        }
        if let Some(kernels) = &trace.kernels {
            figures.fold(&kernels.operator_of);
        }
        trace.figures = figures.finish(trace.operators.len());
        trace.events = events.into_frame(trace.kernels.as_ref())?;
        trace.iterations = iterations.into_frame()?;
        Ok(trace)
    }

    /// The same, in which what ran on devices are operators of their own, as comparisons look
    /// at: a time on one clock each.
    ///
    /// # Errors
    ///
    /// As [`Trace::new`].
    pub fn with_devices_apart(mut launches: Vec<Launch>) -> PolarsResult<Trace> {
        let operators = launches.iter_mut().flat_map(|launch| &mut launch.operators);
        for operator in operators.filter(|operator| operator.device) {
            (operator.device, operator.parent) = (false, None);
        }
        Trace::new(launches)
    }

    fn add(
        &mut self,
        launch: Launch,
        names: &mut HashMap<String, u32>,
        figures: &mut FigureSums,
        events: &mut EventColumns,
        iterations: &mut IterationColumns,
    ) {
        let number = self.runs.len() as u32;
        let numbers = self.adopt(launch.operators, names);
        let averages = launch.averages.into_iter().map(|average| {
            (number, Average { operator: numbers[average.operator as usize], ..average })
        });
        self.averages.extend(averages);
        iterations.add(number, &launch.iterations);
        self.steps.extend(launch.iterations.iter().map(|iteration| iteration.step));
        self.other_phases.extend(launch.other_phases.into_iter().map(|other| (number, other)));
        let Events { chunks, threads, figures: kinds } = launch.events;
        let columns = figures.columns(&kinds);
        for mut chunk in chunks {
            chunk.operator.iter_mut().for_each(|operator| *operator = numbers[*operator as usize]);
            figures.add(&columns, &chunk);
            events.add(number, chunk);
        }
        self.threads.push(threads);
        self.runs.push(launch.run);
        self.conditions.push(launch.conditions);
        self.calibrations.push(launch.calibration);
        self.files.push(launch.files.into_iter().next().unwrap_or_default());
        self.warnings.extend(launch.warnings);
    }

    /// The operators as a frame with the columns of [`schema::OPERATOR_COLUMNS`]. The row
    /// of an operator is its number, so that [`DataFrame::take`] with the column
    /// `operator` of the events joins both.
    ///
    /// # Errors
    ///
    /// If polars refuses the columns, which would be a defect.
    pub fn operator_table(&self) -> PolarsResult<DataFrame> {
        fn all<'a, T>(operators: &'a [Operator], value: impl Fn(&'a Operator) -> T) -> Vec<T> {
            operators.iter().map(value).collect()
        }
        let operators = &self.operators;
        let shapes = |tensors: &[Tensor]| {
            let shapes: Vec<_> = tensors.iter().map(|tensor| tensor.shape_text("x")).collect();
            (!shapes.is_empty()).then(|| shapes.join("; "))
        };
        df![
            column::OPERATOR => all(operators, |operator| operator.number),
            "name" => all(operators, |operator| operator.name.as_str()),
            "type" => all(operators, |operator| operator.operator_type.as_str()),
            "kernel" => all(operators, |operator| operator.kernel.as_deref()),
            "parent" => all(operators, |operator| operator.parent),
            "input_shapes" => all(operators, |operator| shapes(&operator.inputs)),
            "output_shapes" => all(operators, |operator| shapes(&operator.outputs)),
            "parameters" => all(operators, |operator| operator.parameters),
            "flops" => all(operators, |operator| operator.flops),
            "bytes" => all(operators, |operator| operator.bytes),
        ]
    }

    /// Maps a launch's operators to those of the recording, by name. The first
    /// launch's order and facts stand.
    fn adopt(&mut self, operators: Vec<Operator>, names: &mut HashMap<String, u32>) -> Vec<u32> {
        let mut numbers: Vec<u32> = Vec::with_capacity(operators.len());
        let first_new = self.operators.len();
        for operator in operators {
            let next = self.operators.len() as u32;
            let number = *names.entry(operator.name.clone()).or_insert(next);
            numbers.push(number);
            if number == next {
                self.operators.push(Operator { number, ..operator });
            }
        }
        // Parents may stand behind their children.
        for operator in &mut self.operators[first_new..] {
            let parent = operator.parent.and_then(|parent| numbers.get(parent as usize));
            operator.parent = parent.copied();
        }
        numbers
    }
}

/// The columns of the events while launches are put together. They become the frame's
/// without being copied.
struct EventColumns {
    launch: Vec<u32>,
    chunk: EventChunk,
}

impl EventColumns {
    fn with_capacity(executions: usize) -> EventColumns {
        let chunk = EventChunk {
            operator: Vec::with_capacity(executions),
            iteration: Vec::with_capacity(executions),
            thread: Vec::with_capacity(executions),
            start: Vec::with_capacity(executions),
            duration: Vec::with_capacity(executions),
            figures: Vec::new(),
        };
        EventColumns { launch: Vec::with_capacity(executions), chunk }
    }

    fn add(&mut self, launch: u32, chunk: EventChunk) {
        self.launch.resize(self.launch.len() + chunk.len(), launch);
        let all = &mut self.chunk;
        all.operator.extend(chunk.operator);
        all.iteration.extend(chunk.iteration);
        all.thread.extend(chunk.thread);
        all.start.extend(chunk.start);
        all.duration.extend(chunk.duration);
    }

    /// The columns hold the numbers of kernels for those of operators.
    fn into_frame(self, kernels: Option<&Kernels>) -> PolarsResult<DataFrame> {
        let EventChunk { operator, iteration, thread, start, duration, .. } = self.chunk;
        let kernel = small(column::KERNEL, operator);
        // Where the numbers are the same, both columns share them.
        let operator = match kernels {
            None => kernel.clone().with_name(column::OPERATOR.into()),
            Some(kernels) => {
                let numbers = kernel.u32()?.cont_slice()?.iter();
                let operator = |&kernel: &u32| kernels.operator_of[kernel as usize];
                small(column::OPERATOR, numbers.map(operator).collect())
            }
        };
        frame(
            schema::EVENTS,
            vec![
                small(column::LAUNCH, self.launch),
                small(column::ITERATION, iteration),
                operator,
                kernel,
                small(column::THREAD, thread),
                column_of_times(column::START, start),
                column_of_times(column::DURATION, duration),
            ],
        )
    }
}

/// The columns of the iterations while launches are put together.
#[derive(Default)]
struct IterationColumns {
    launch: Vec<u32>,
    iteration: Vec<u32>,
    index: Vec<u32>,
    kind: Vec<u32>,
    start: Vec<u64>,
    duration: Vec<u64>,
}

impl IterationColumns {
    fn add(&mut self, launch: u32, iterations: &[Iteration]) {
        for (position, iteration) in (0..).zip(iterations) {
            self.launch.push(launch);
            self.iteration.push(position);
            self.index.push(iteration.index);
            self.kind.push(kind_code(iteration.kind));
            self.start.push(iteration.start.0);
            self.duration.push(iteration.duration.0);
        }
    }

    fn into_frame(self) -> PolarsResult<DataFrame> {
        frame(
            schema::ITERATIONS,
            vec![
                small(column::LAUNCH, self.launch),
                small(column::ITERATION, self.iteration),
                small(column::INDEX, self.index),
                small(column::KIND, self.kind),
                column_of_times(column::START, self.start),
                column_of_times(column::DURATION, self.duration),
            ],
        )
    }
}

/// A column of numbers below 2³².
fn small(name: &str, values: Vec<u32>) -> Column {
    UInt32Chunked::from_vec(name.into(), values).into_column()
}

/// A column of nanoseconds.
pub fn column_of_times(name: &str, values: Vec<u64>) -> Column {
    UInt64Chunked::from_vec(name.into(), values).into_column()
}

fn frame(declared: &[FrameColumn], columns: Vec<Column>) -> PolarsResult<DataFrame> {
    let frame = DataFrame::new_infer_height(columns)?;
    debug_assert!(schema::matches(&frame, declared));
    Ok(frame)
}

/// The values of a column as they lie in the frame.
///
/// # Errors
///
/// If there is no such column, or if it is of another type, in several chunks or
/// has unknown values.
pub fn values<'a, T: PolarsNumericType>(
    frame: &'a DataFrame,
    name: &str,
) -> PolarsResult<&'a [T::Native]> {
    frame.column(name)?.as_materialized_series().unpack::<T>()?.cont_slice()
}

/// Sums, counts and maxima while launches are put together.
#[derive(Default)]
struct FigureSums {
    figures: Vec<Figure>,
    /// By figure, then by operator: sum, count, maximum.
    sums: Vec<Vec<(i128, u64, i64)>>,
}

impl FigureSums {
    /// Positions of a launch's figures among those of all launches.
    fn columns(&mut self, figures: &[Figure]) -> Vec<usize> {
        let position = |figure: &Figure| {
            self.figures.iter().position(|known| known == figure).unwrap_or_else(|| {
                self.figures.push(*figure);
                self.sums.push(Vec::new());
                self.figures.len() - 1
            })
        };
        figures.iter().map(position).collect()
    }

    fn add(&mut self, columns: &[usize], chunk: &EventChunk) {
        let most = chunk.operator.iter().max().map_or(0, |&most| most as usize + 1);
        for (&column, values) in columns.iter().zip(&chunk.figures) {
            let of_first_run = self.figures[column].of_first_run;
            let sums = &mut self.sums[column];
            if sums.len() < most {
                sums.resize(most, (0, 0, i64::MIN));
            }
            values.for_each(|row, value| {
                if of_first_run && !matches!(chunk.iteration[row], 0 | NO_ITERATION) {
                    return;
                }
                let (sum, count, largest) = &mut sums[chunk.operator[row] as usize];
                *sum += i128::from(value);
                *count += 1;
                *largest = value.max(*largest);
            });
        }
    }

    /// Puts the executions of an operator's kernels together.
    fn fold(&mut self, operator_of: &[u32]) {
        for sums in &mut self.sums {
            let mut folded = vec![(0, 0, i64::MIN); operator_of.len()];
            for (&(sum, count, largest), &operator) in sums.iter().zip(operator_of) {
                let of_operator: &mut (i128, u64, i64) = &mut folded[operator as usize];
                of_operator.0 += sum;
                of_operator.1 += count;
                of_operator.2 = of_operator.2.max(largest);
            }
            *sums = folded;
        }
    }

    fn finish(self, operators: usize) -> FigureTable {
        let value = |figure: usize, operator: usize| {
            let &(sum, count, largest) = self.sums[figure].get(operator)?;
            (count > 0).then(|| match self.figures[figure].over_executions {
                Over::Mean => sum as f64 / count as f64,
                Over::Max => largest as f64,
            })
        };
        let row =
            |operator| (0..self.figures.len()).map(|figure| value(figure, operator)).collect();
        let values = (0..operators).map(row).collect();
        FigureTable { figures: self.figures, values }
    }
}
