//! A recording as tables: what every statistic reads.

use crate::schema::{self, column};
use onnxray_format::{IterationKind, Operator, Run, Warning};
use onnxray_import::{Average, EventChunk, Events, Figure, Format, Launch, Over};
use polars::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;

/// One or more launches of one model in one configuration.
///
/// `events` has one row per execution of an operator and `iterations` one per
/// iteration, with the columns of [`schema::EVENTS`] and [`schema::ITERATIONS`].
#[derive(Clone, Debug)]
pub struct Trace {
    pub format: Format,
    /// One per launch, in the order of their numbers.
    pub runs: Vec<Run>,
    pub files: Vec<PathBuf>,
    /// By the number that the `operator` column holds. Launches share them:
    /// operators of one name are one operator.
    pub operators: Vec<Operator>,
    pub events: DataFrame,
    pub iterations: DataFrame,
    /// What the format states about operators instead of executions, with the
    /// position of its launch.
    pub averages: Vec<(u32, Average)>,
    pub figures: FigureTable,
    pub warnings: Vec<Warning>,
}

/// Figures of operators, over all their executions.
#[derive(Clone, Debug, Default)]
pub struct FigureTable {
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
    pub fn new(launches: Vec<Launch>) -> PolarsResult<Trace> {
        let mut trace = Trace {
            format: launches.first().map(|launch| launch.format).unwrap_or_default(),
            runs: Vec::new(),
            files: Vec::new(),
            operators: Vec::new(),
            events: schema::empty(schema::EVENTS),
            iterations: schema::empty(schema::ITERATIONS),
            averages: Vec::new(),
            figures: FigureTable::default(),
            warnings: Vec::new(),
        };
        let mut names = HashMap::new();
        let mut figures = FigureSums::default();
        for launch in launches {
            trace.add(launch, &mut names, &mut figures)?;
        }
        trace.figures = figures.finish(trace.operators.len());
        Ok(trace)
    }

    fn add(
        &mut self,
        launch: Launch,
        names: &mut HashMap<String, u32>,
        figures: &mut FigureSums,
    ) -> PolarsResult<()> {
        let number = self.runs.len() as u32;
        let numbers = self.adopt(launch.operators, names);
        let averages = launch.averages.into_iter().map(|average| {
            (number, Average { operator: numbers[average.operator as usize], ..average })
        });
        self.averages.extend(averages);
        let iterations = &launch.iterations;
        let all = |value: &dyn Fn(&onnxray_format::Iteration) -> u32| -> Vec<u32> {
            iterations.iter().map(value).collect()
        };
        let frame = df![
            column::LAUNCH => vec![number; iterations.len()],
            column::ITERATION => (0..iterations.len() as u32).collect::<Vec<_>>(),
            column::INDEX => all(&|iteration| iteration.index),
            column::KIND => all(&|iteration| kind_code(iteration.kind)),
            column::START => iterations.iter().map(|i| i.start.0).collect::<Vec<_>>(),
            column::DURATION => iterations.iter().map(|i| i.duration.0).collect::<Vec<_>>(),
        ]?;
        debug_assert!(schema::matches(&frame, schema::ITERATIONS));
        self.iterations.vstack_mut(&frame)?;
        let Events { chunks, figures: kinds, .. } = launch.events;
        let columns = figures.columns(&kinds);
        for mut chunk in chunks {
            chunk.operator.iter_mut().for_each(|operator| *operator = numbers[*operator as usize]);
            figures.add(&columns, &chunk);
            let EventChunk { operator, iteration, thread, start, duration, .. } = chunk;
            let frame = df![
                column::LAUNCH => vec![number; operator.len()],
                column::ITERATION => iteration,
                column::OPERATOR => operator,
                column::THREAD => thread,
                column::START => start,
                column::DURATION => duration,
            ]?;
            debug_assert!(schema::matches(&frame, schema::EVENTS));
            self.events.vstack_mut(&frame)?;
        }
        self.runs.push(launch.run);
        self.files.push(launch.files.into_iter().next().unwrap_or_default());
        self.warnings.extend(launch.warnings);
        Ok(())
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
            let sums = &mut self.sums[column];
            if sums.len() < most {
                sums.resize(most, (0, 0, i64::MIN));
            }
            values.for_each(|row, value| {
                let (sum, count, largest) = &mut sums[chunk.operator[row] as usize];
                *sum += i128::from(value);
                *count += 1;
                *largest = value.max(*largest);
            });
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
