//! What operators and operator types spend in each iteration.
//!
//! One pass over the events puts those of an operator together; then a column of
//! iterations, used again for each operator, adds up what it spends in each.

use super::distribution::Distribution;
use super::interval::Parting;
use super::rows::Rows;
use crate::error::AnalyzeError;
use crate::schema::column;
use crate::trace::{Trace, kind_code, values};
use onnxray_format::IterationKind;
use polars::prelude::UInt32Type;

/// The time of an operator, or of all operators of a type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Sum of exclusive times in nanoseconds.
    pub total: u64,
    pub calls: u64,
    /// Per iteration in which it ran; `None` if it never did, or if the trace
    /// has no iterations.
    pub time: Option<Distribution>,
}

/// Executions by operator: the row of the iteration, and the exclusive time.
pub struct Executions {
    /// Where the executions of each operator begin, and the end.
    begins: Vec<usize>,
    rows: Vec<u32>,
    times: Vec<u64>,
    iterations: usize,
}

/// Row of an event of a trace without iterations.
const NO_ROW: u32 = u32::MAX;

impl Executions {
    /// Those in measured iterations, or all if the trace has no iterations; `times`
    /// has the exclusive time of each event.
    pub fn of(trace: &Trace, times: &[u64]) -> Result<Executions, AnalyzeError> {
        let rows = Rows::of(trace)?;
        let launch = values::<UInt32Type>(&trace.events, column::LAUNCH)?;
        let iteration = values::<UInt32Type>(&trace.events, column::ITERATION)?;
        let operator = values::<UInt32Type>(&trace.events, column::OPERATOR)?;
        let kind = values::<UInt32Type>(&trace.iterations, column::KIND)?;
        let measured = kind_code(IterationKind::Measured);
        let row = |event: usize| match kind {
            [] => Some(NO_ROW),
            _ => rows
                .row(launch[event], iteration[event])
                .filter(|&row| kind[row as usize] == measured),
        };
        let mut begins = vec![0usize; trace.operators.len() + 1];
        for event in 0..operator.len() {
            if row(event).is_some() {
                begins[operator[event] as usize + 1] += 1;
            }
        }
        for operator in 1..begins.len() {
            begins[operator] += begins[operator - 1];
        }
        let mut next = begins.clone();
        let kept = begins.last().copied().unwrap_or_default();
        let (mut rows_of, mut times_of) = (vec![0u32; kept], vec![0u64; kept]);
        for event in 0..operator.len() {
            if let Some(row) = row(event) {
                let place = &mut next[operator[event] as usize];
                (rows_of[*place], times_of[*place]) = (row, times[event]);
                *place += 1;
            }
        }
        Ok(Executions { begins, rows: rows_of, times: times_of, iterations: kind.len() })
    }

    /// Row of the iteration and exclusive time of each execution of an operator.
    pub fn of_operator(&self, operator: u32) -> impl Iterator<Item = (u32, u64)> {
        let bounds = |at: usize| self.begins.get(at).copied();
        let operator = operator as usize;
        let range = bounds(operator).zip(bounds(operator + 1)).map_or(0..0, |(from, to)| from..to);
        let rows = self.rows[range.clone()].iter().copied();
        rows.zip(self.times[range].iter().copied())
    }

    /// What groups of operators spend, of which `members` has the numbers.
    pub fn spent(&self, groups: &[Vec<u32>]) -> Vec<Spent> {
        let mut in_iteration = vec![0u64; self.iterations];
        let mut ran = vec![false; self.iterations];
        let mut touched: Vec<u32> = Vec::new();
        let mut per_iteration: Vec<u64> = Vec::new();
        let mut spent = Vec::with_capacity(groups.len());
        for members in groups {
            let mut sum = Spent::default();
            for &operator in members {
                let executions = self.begins[operator as usize]..self.begins[operator as usize + 1];
                sum.calls += executions.len() as u64;
                for execution in executions {
                    let (row, time) = (self.rows[execution], self.times[execution]);
                    sum.total += time;
                    if row == NO_ROW {
                        continue;
                    }
                    let row_index = row as usize;
                    if !ran[row_index] {
                        ran[row_index] = true;
                        touched.push(row);
                    }
                    in_iteration[row_index] += time;
                }
            }
            per_iteration.clear();
            for row in touched.drain(..) {
                per_iteration.push(std::mem::take(&mut in_iteration[row as usize]));
                ran[row as usize] = false;
            }
            sum.time = Distribution::of(&mut per_iteration);
            spent.push(sum);
        }
        spent
    }

    /// What each operator spends in the parts of a recording, in nanoseconds.
    pub fn by_part(&self, parting: &Parting) -> Vec<Vec<f64>> {
        let operators = 0..self.begins.len().saturating_sub(1);
        let sums = operators.map(|operator| {
            let mut sums = vec![0u64; parting.iterations.len()];
            for execution in self.begins[operator]..self.begins[operator + 1] {
                let row = self.rows[execution] as usize;
                if let Some(part) = parting.part_of.get(row).copied().flatten() {
                    sums[part as usize] += self.times[execution];
                }
            }
            sums.into_iter().map(|sum| sum as f64).collect()
        });
        sums.collect()
    }
}
