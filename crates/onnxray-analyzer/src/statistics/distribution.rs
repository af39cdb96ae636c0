//! How a set of durations is spread.

use crate::error::AnalyzeError;
use crate::units::Milliseconds;
use polars::prelude::*;
use serde::Serialize;

/// Count, mean and order statistics of durations. Percentiles between two
/// values are interpolated linearly (type 7 of Hyndman and Fan).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distribution {
    pub count: u64,
    pub mean: Milliseconds,
    pub median: Milliseconds,
    pub p10: Milliseconds,
    pub p90: Milliseconds,
    pub p99: Milliseconds,
    pub min: Milliseconds,
    pub max: Milliseconds,
}

const QUANTILES: [(&str, f64); 4] = [("median", 0.5), ("p10", 0.1), ("p90", 0.9), ("p99", 0.99)];

/// The median of values that stand in no frame; `None` if there are none.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    // With an odd number both are the middle.
    Some((sorted[last / 2] + sorted[sorted.len() / 2]) / 2.0)
}

/// The aggregations of a column of nanoseconds that [`distributions`] reads.
pub fn aggregations(nanoseconds: &str) -> Vec<Expr> {
    let value = || col(nanoseconds).cast(DataType::Float64);
    let mut expressions = vec![
        value().count().cast(DataType::UInt64).alias("count"),
        value().mean().alias("mean"),
        value().min().alias("min"),
        value().max().alias("max"),
    ];
    expressions.extend(
        QUANTILES
            .iter()
            .map(|&(name, at)| value().quantile(lit(at), QuantileMethod::Linear).alias(name)),
    );
    expressions
}

/// One distribution per row of an aggregated frame; `None` for empty groups.
pub fn distributions(frame: &DataFrame) -> Result<Vec<Option<Distribution>>, AnalyzeError> {
    let counts = frame.column("count")?.u64()?;
    let column = |name: &str| frame.column(name)?.f64();
    let (mean, min, max) = (column("mean")?, column("min")?, column("max")?);
    let (median, p10) = (column("median")?, column("p10")?);
    let (p90, p99) = (column("p90")?, column("p99")?);
    let rows = (0..frame.height()).map(|row| {
        let value = |column: &Float64Chunked| column.get(row).map(Milliseconds::from_nanoseconds);
        Some(Distribution {
            count: counts.get(row)?,
            mean: value(mean)?,
            median: value(median)?,
            p10: value(p10)?,
            p90: value(p90)?,
            p99: value(p99)?,
            min: value(min)?,
            max: value(max)?,
        })
    });
    Ok(rows.collect())
}
