//! Figures per operator and per operator type.
//!
//! The unit of observation is the iteration: what an operator spends in all its
//! executions of one iteration, exclusive of the operators inside it. So the
//! means of operators add up to the mean of their type, and those of types,
//! together with the overhead, to the mean latency of the model.

use super::cost::{PartialSum, per_iteration};
use super::distribution::{Distribution, aggregations, distributions};
use crate::error::AnalyzeError;
use crate::schema::column;
use crate::trace::{Trace, kind_code};
use crate::units::{Milliseconds, Share};
use onnxray_format::{IterationKind, Nanoseconds, Operator};
use polars::prelude::*;

/// One operator over all measured iterations.
#[derive(Clone, Debug)]
pub struct OperatorSummary {
    pub operator: Operator,
    /// Mean number of executions per measured iteration; without a measurement,
    /// the number that is known beforehand.
    pub executions: Option<f64>,
    /// Sum of exclusive times.
    pub total: Nanoseconds,
    /// Sum by the number of measured iterations, those without it included;
    /// `None` if nothing was measured.
    pub mean: Option<Milliseconds>,
    pub share: Option<Share>,
    /// Exclusive time per iteration in which it ran; `None` if it never did.
    pub time: Option<Distribution>,
    /// Of all executions in an iteration.
    pub flops: Option<f64>,
    pub gflops_per_second: Option<f64>,
    pub bytes: Option<f64>,
}

/// All operators of one type.
#[derive(Clone, Debug)]
pub struct TypeSummary {
    pub operator_type: String,
    /// Number of its first operator.
    pub first: u32,
    pub operators: u64,
    pub executions: Option<f64>,
    pub total: Nanoseconds,
    pub mean: Option<Milliseconds>,
    pub share: Option<Share>,
    pub time: Option<Distribution>,
    pub flops: PartialSum,
    pub gflops_per_second: Option<f64>,
    pub bytes: PartialSum,
}

const TIME: &str = "time_ns";
const EXECUTIONS: &str = "executions";
const TOTAL: &str = "total_ns";
const TYPE: &str = "type";

/// Figures of every operator of the trace, in its order.
pub fn operators(
    trace: &Trace,
    events: &DataFrame,
    iterations: usize,
    wall: Nanoseconds,
) -> Result<Vec<OperatorSummary>, AnalyzeError> {
    let per_iteration_frame = per_iteration_of(trace, events, column::OPERATOR)?;
    let frame = summary_of(per_iteration_frame, column::OPERATOR)?;
    let number = frame.column(column::OPERATOR)?.u32()?;
    let (total, executions) = (frame.column(TOTAL)?.u64()?, frame.column(EXECUTIONS)?.u64()?);
    let times = distributions(&frame)?;
    let mut rows: Vec<Option<usize>> = vec![None; trace.operators.len()];
    for row in 0..frame.height() {
        if let Some(number) = number.get(row) {
            rows[number as usize] = Some(row);
        }
    }
    let summaries = trace.operators.iter().zip(rows).map(|(operator, row)| {
        let total = Nanoseconds(row.and_then(|row| total.get(row)).unwrap_or(0));
        let count = row.and_then(|row| executions.get(row)).unwrap_or(0);
        let executions = count as f64 / iterations as f64;
        let flops = per_iteration(operator.flops, Some(executions));
        OperatorSummary {
            operator: operator.clone(),
            executions: Some(executions),
            total,
            mean: Some(mean(total, iterations)),
            share: Share::of(total, wall),
            time: row.and_then(|row| times[row]),
            flops,
            gflops_per_second: gflops_per_second(flops, iterations, total),
            bytes: per_iteration(operator.bytes, Some(executions)),
        }
    });
    Ok(summaries.collect())
}

/// Figures of every operator type, from most to least time.
pub fn types(
    trace: &Trace,
    events: &DataFrame,
    operators: &[OperatorSummary],
    iterations: usize,
    wall: Nanoseconds,
) -> Result<Vec<TypeSummary>, AnalyzeError> {
    let frame = summary_of(per_iteration_of(trace, events, TYPE)?, TYPE)?;
    let names = frame.column(TYPE)?.str()?;
    let times = distributions(&frame)?;
    let mut types: Vec<TypeSummary> = Vec::new();
    for operator in operators {
        let name = &operator.operator.operator_type;
        let position = types.iter().position(|known| known.operator_type == *name);
        let position = position.unwrap_or_else(|| {
            let row = (0..frame.height()).find(|&row| names.get(row) == Some(name));
            types.push(TypeSummary {
                operator_type: name.clone(),
                first: operator.operator.number,
                operators: 0,
                executions: Some(0.0),
                total: Nanoseconds(0),
                mean: None,
                share: None,
                time: row.and_then(|row| times[row]),
                flops: PartialSum::default(),
                gflops_per_second: None,
                bytes: PartialSum::default(),
            });
            types.len() - 1
        });
        let known = &mut types[position];
        known.operators += 1;
        known.executions = known.executions.zip(operator.executions).map(|(sum, more)| sum + more);
        known.total += operator.total;
        known.flops.add(operator.flops);
        known.bytes.add(operator.bytes);
    }
    for known in &mut types {
        known.mean = Some(mean(known.total, iterations));
        known.share = Share::of(known.total, wall);
        known.gflops_per_second = gflops_per_second(known.flops.whole(), iterations, known.total);
    }
    types.sort_by_key(|known| std::cmp::Reverse(known.total));
    Ok(types)
}

/// One row per measured iteration and `key`: exclusive time and executions.
fn per_iteration_of(
    trace: &Trace,
    events: &DataFrame,
    key: &str,
) -> Result<LazyFrame, AnalyzeError> {
    let names: Vec<&str> =
        trace.operators.iter().map(|operator| operator.operator_type.as_str()).collect();
    let numbers: Vec<u32> = (0..trace.operators.len() as u32).collect();
    let operators = df![column::OPERATOR => numbers, TYPE => names]?.lazy();
    let iteration = [col(column::LAUNCH), col(column::ITERATION)];
    let measured = trace
        .iterations
        .clone()
        .lazy()
        .filter(col(column::KIND).eq(lit(kind_code(IterationKind::Measured))))
        .select(iteration.clone());
    let inner = || JoinArgs::new(JoinType::Inner);
    Ok(events
        .clone()
        .lazy()
        .join(measured, iteration.clone(), iteration, inner())
        .join(operators, [col(column::OPERATOR)], [col(column::OPERATOR)], inner())
        .group_by([col(column::LAUNCH), col(column::ITERATION), col(key)])
        .agg([
            col(column::EXCLUSIVE).sum().alias(TIME),
            col(column::EXCLUSIVE).count().cast(DataType::UInt64).alias(EXECUTIONS),
        ]))
}

fn summary_of(per_iteration: LazyFrame, key: &str) -> Result<DataFrame, AnalyzeError> {
    let mut expressions = aggregations(TIME);
    expressions.push(col(TIME).sum().alias(TOTAL));
    expressions.push(col(EXECUTIONS).sum());
    Ok(per_iteration.group_by([col(key)]).agg(expressions).collect()?)
}

fn mean(total: Nanoseconds, iterations: usize) -> Milliseconds {
    Milliseconds::from_nanoseconds(total.0 as f64 / iterations as f64)
}

/// Operations of all iterations by their exclusive time; operations per
/// nanosecond are billions per second.
fn gflops_per_second(flops: Option<f64>, iterations: usize, time: Nanoseconds) -> Option<f64> {
    let flops = flops.filter(|&flops| flops > 0.0 && time.0 > 0)?;
    Some(flops * iterations as f64 / time.0 as f64)
}
