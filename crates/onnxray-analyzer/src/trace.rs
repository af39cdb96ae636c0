//! A recording as typed columns: what every statistic reads.

use onnxray_format::{
    Calibration, Compact, Conditions, Costs, Iteration, Kernels, Operator, Roofs, Run, Warning,
    fold, fold_devices,
};
use onnxray_import::{Average, EventChunk, Figure, Format, Launch, NO_ITERATION, Over, Thread};
use std::collections::HashMap;
use std::path::PathBuf;

/// One or more launches of one model in one configuration.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Format of the first launch.
    pub format: Format,
    /// One per launch, in the order of their numbers.
    pub runs: Vec<Run>,
    /// By launch: what it saw of the machine; `None` if it does not tell.
    pub conditions: Vec<Option<Conditions>>,
    /// By launch: what it measured of the cost of profiling; `None` if it does not tell.
    pub calibrations: Vec<Option<Calibration>>,
    /// The largest rates of the machine, as the first launch that tells of them measured them.
    pub roofs: Option<Roofs>,
    /// What an inference costs, as the first launch that tells of it measured it.
    pub costs: Option<Costs>,
    /// The first file of each launch.
    pub files: Vec<PathBuf>,
    /// By launch: the threads or streams that [`Events::thread`] numbers.
    pub threads: Vec<Vec<Thread>>,
    /// By number. Launches share them: operators of one name are one operator.
    pub operators: Vec<Operator>,
    /// Kernels of the operators; `None` where each is a single kernel, which then has its number.
    pub kernels: Option<Kernels>,
    /// One row per execution of an operator.
    pub events: Events,
    /// One row per iteration.
    pub iterations: Iterations,
    /// Iterations of other phases of a generation, with the position of their launch.
    pub other_phases: Vec<(u32, Iteration)>,
    /// Averages that the format states instead of executions, with the position of their launch.
    pub averages: Vec<(u32, Average)>,
    /// What goes with averages that are of typical iterations; `None` if they are not.
    pub compact: Option<Compact>,
    /// Figures that the trace states beside times.
    pub figures: FigureTable,
    /// Warnings about the files of all launches.
    pub warnings: Vec<Warning>,
}

/// Figures of operators, over all their executions.
#[derive(Clone, Debug, Default)]
pub struct FigureTable {
    /// One per column.
    pub figures: Vec<Figure>,
    /// By operator, then by figure.
    pub values: Vec<Vec<Option<f64>>>,
}

/// Executions of operators, column by column, launch after launch.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// Position of the launch in the trace.
    pub launch: Vec<u32>,
    /// Position of the iteration in its launch; [`NO_ITERATION`] outside of all.
    pub iteration: Vec<u32>,
    /// Number of the kernel that was executed.
    pub kernel: Vec<u32>,
    /// Number of the thread or stream in its launch.
    pub thread: Vec<u32>,
    /// Nanoseconds on the launch's clock.
    pub start: Vec<u64>,
    /// Wall time in nanoseconds, that of operators inside included.
    pub duration: Vec<u64>,
}

impl Events {
    fn with_capacity(executions: usize) -> Events {
        Events {
            launch: Vec::with_capacity(executions),
            iteration: Vec::with_capacity(executions),
            kernel: Vec::with_capacity(executions),
            thread: Vec::with_capacity(executions),
            start: Vec::with_capacity(executions),
            duration: Vec::with_capacity(executions),
        }
    }

    fn add(&mut self, launch: u32, chunk: EventChunk) {
        self.launch.resize(self.launch.len() + chunk.len(), launch);
        self.iteration.extend(chunk.iteration);
        self.kernel.extend(chunk.operator);
        self.thread.extend(chunk.thread);
        self.start.extend(chunk.start);
        self.duration.extend(chunk.duration);
    }

    /// Number of executions.
    pub fn len(&self) -> usize {
        self.kernel.len()
    }

    /// No execution was traced.
    pub fn is_empty(&self) -> bool {
        self.kernel.is_empty()
    }
}

/// Iterations, launch after launch.
#[derive(Clone, Debug)]
pub struct Iterations {
    rows: Vec<Iteration>,
    /// The first row of each launch, and the end.
    first: Vec<usize>,
}

impl Default for Iterations {
    fn default() -> Iterations {
        Iterations { rows: Vec::new(), first: vec![0] }
    }
}

impl Iterations {
    fn add(&mut self, launch: Vec<Iteration>) {
        self.rows.extend(launch);
        self.first.push(self.rows.len());
    }

    /// All of them.
    pub fn rows(&self) -> &[Iteration] {
        &self.rows
    }

    /// Each with the position of its launch, and its own in that.
    pub fn iter(&self) -> impl Iterator<Item = ((u32, u32), &Iteration)> {
        let launches = self.first.windows(2).zip(0..);
        launches.flat_map(|(ends, launch)| {
            let own = &self.rows[ends[0]..ends[1]];
            (0..).zip(own).map(move |(position, iteration)| ((launch, position), iteration))
        })
    }

    /// The row of an event's iteration; `None` for an event in no iteration, which has
    /// a number beyond all.
    pub fn row(&self, launch: u32, iteration: u32) -> Option<u32> {
        let launch = launch as usize;
        // `NO_ITERATION` would overflow where addresses have 32 bits.
        let row = self.first.get(launch)?.checked_add(iteration as usize)?;
        (row < *self.first.get(launch + 1)?).then_some(row as u32)
    }
}

impl Trace {
    /// Puts launches together.
    pub fn new(launches: Vec<Launch>) -> Trace {
        let executions = launches.iter().map(|launch| launch.events.len()).sum();
        let is_ours =
            |launch: &Launch| launch.format.is_recording() && launch.run.converted_from.is_none();
        let ours = launches.iter().all(is_ours);
        let mut trace = Trace {
            format: launches.first().map(|launch| launch.format).unwrap_or_default(),
            runs: Vec::new(),
            conditions: Vec::new(),
            calibrations: Vec::new(),
            roofs: None,
            costs: None,
            files: Vec::new(),
            threads: Vec::new(),
            operators: Vec::new(),
            kernels: None,
            events: Events::with_capacity(executions),
            iterations: Iterations::default(),
            other_phases: Vec::new(),
            averages: Vec::new(),
            compact: None,
            figures: FigureTable::default(),
            warnings: Vec::new(),
        };
        let mut names = HashMap::new();
        let mut figures = FigureSums::default();
        for launch in launches {
            trace.add(launch, &mut names, &mut figures);
        }
        // Kernels of other producers are operators; only what these launched on devices is added to
        // them.
        if ours && trace.averages.is_empty() {
            (trace.operators, trace.kernels) = fold(trace.operators);
        } else {
            (trace.operators, trace.kernels) = fold_devices(trace.operators);
        }
        if let Some(kernels) = &trace.kernels {
            figures.fold(&kernels.operator_of);
        }
        trace.figures = figures.finish(trace.operators.len());
        trace
    }

    /// As [`Trace::new`], with work on devices as operators of its own: comparisons judge each on
    /// one clock.
    pub fn with_devices_apart(mut launches: Vec<Launch>) -> Trace {
        let operators = launches.iter_mut().flat_map(|launch| &mut launch.operators);
        for operator in operators.filter(|operator| operator.device) {
            (operator.device, operator.parent) = (false, None);
        }
        Trace::new(launches)
    }

    fn add(&mut self, launch: Launch, names: &mut HashMap<String, u32>, figures: &mut FigureSums) {
        let number = self.runs.len() as u32;
        let numbers = self.adopt(launch.operators, names);
        let averages = launch.averages.into_iter().map(|average| {
            (number, Average { operator: numbers[average.operator as usize], ..average })
        });
        self.averages.extend(averages);
        self.compact = self.compact.take().or(launch.compact.into_iter().next());
        self.iterations.add(launch.iterations);
        self.other_phases.extend(launch.other_phases.into_iter().map(|other| (number, other)));
        let onnxray_import::Events { chunks, threads, figures: kinds } = launch.events;
        let columns = figures.columns(&kinds);
        // After `numbers`: figures are summed up by the trace's own operators.
        for mut chunk in chunks {
            chunk.operator.iter_mut().for_each(|operator| *operator = numbers[*operator as usize]);
            figures.add(&columns, &chunk);
            self.events.add(number, chunk);
        }
        self.threads.push(threads);
        self.runs.push(launch.run);
        self.conditions.push(launch.conditions);
        self.calibrations.push(launch.calibration);
        self.roofs = self.roofs.take().or(launch.roofs);
        // A sweep measures them launch by launch.
        match (&mut self.costs, launch.costs) {
            (Some(costs), Some(further)) => costs.add(further),
            (costs, further) => *costs = costs.take().or(further),
        }
        self.files.push(launch.files.into_iter().next().unwrap_or_default());
        self.warnings.extend(launch.warnings);
    }

    /// Number of the operator that a kernel is of.
    pub fn operator_of(&self, kernel: u32) -> u32 {
        self.kernels.as_ref().map_or(kernel, |kernels| kernels.operator_of[kernel as usize])
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
        // After all of them: a parent may follow its children.
        for operator in &mut self.operators[first_new..] {
            let parent = operator.parent.and_then(|parent| numbers.get(parent as usize));
            operator.parent = parent.copied();
        }
        numbers
    }
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
                // Later runs find memory that the first one set up (docs/statistics.md#resources).
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
