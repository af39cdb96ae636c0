//! What all tables of a projection are about, and by what its workbook refers to types,
//! groups and rows of ratios.

use crate::document::Cell;
use onnxray_analyzer::projection::{Estimate, Projection, RatioRow, positions};
use onnxray_analyzer::statistics::Summary;
use std::collections::HashMap;

/// A model and its projection.
pub(crate) struct Model<'a> {
    pub(crate) summary: &'a Summary,
    pub(crate) projection: &'a Projection,
    /// By operator: the position of its type.
    pub(crate) types: Vec<usize>,
    pub(crate) groups: Groups,
}

impl<'a> Model<'a> {
    pub(crate) fn new(summary: &'a Summary, projection: &'a Projection) -> Model<'a> {
        let types = positions(summary);
        let groups = Groups::new(projection, &types);
        Model { summary, projection, types, groups }
    }

    /// Key of the operators' latencies at an end; of the latencies themselves where
    /// nothing is known of their ends.
    pub(crate) fn latency(&self, end: Case) -> &'static str {
        match end {
            _ if self.projection.spread.parts.is_none() => "latency_ms",
            Case::Value => "latency_ms",
            Case::Low => "latency_low_ms",
            Case::High => "latency_high_ms",
        }
    }

    /// The row of ratios that an operator looks up.
    pub(super) fn ratios(&self, operator: usize) -> Option<&'a RatioRow> {
        self.projection.ratios_of(operator)
    }

    /// The number of an operator's type in formulas.
    pub(super) fn type_number(&self, operator: usize) -> Cell {
        number_of(self.types[operator])
    }

    /// The number of an operator's group in formulas, if it has one.
    pub(super) fn group_number(&self, operator: usize) -> Option<Cell> {
        self.groups.of[operator].map(number_of)
    }
}

/// The number of a type or a group in formulas, from its position.
pub(crate) fn number_of(position: usize) -> Cell {
    Cell::Number(position as f64 + 1.0)
}

/// Operators that look up the same perf ratios.
pub(crate) struct Groups {
    /// By operator; `None` if it looks up none.
    pub(crate) of: Vec<Option<usize>>,
    /// By group: its first operator.
    pub(crate) first: Vec<usize>,
}

impl Groups {
    fn new(projection: &Projection, types: &[usize]) -> Groups {
        let mut places: HashMap<(usize, usize), usize> = HashMap::new();
        let mut groups = Groups { of: vec![None; types.len()], first: Vec::new() };
        for (number, operator) in projection.operators.iter().enumerate() {
            let Some(row) = operator.row else { continue };
            // Types that differ in case share a row of ratios.
            let group = *places.entry((row, types[number])).or_insert_with(|| {
                groups.first.push(number);
                groups.first.len() - 1
            });
            groups.of[number] = Some(group);
        }
        groups
    }
}

/// One of the three figures of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Value,
    Low,
    High,
}

impl Case {
    pub(crate) fn of(self, estimate: Estimate) -> f64 {
        match self {
            Case::Value => estimate.value,
            Case::Low => estimate.low,
            Case::High => estimate.high,
        }
    }

    /// The end as a cell; a missing estimate is unknown.
    pub(crate) fn cell(self, estimate: Option<Estimate>) -> Cell {
        Cell::number(estimate.map(|estimate| self.of(estimate)))
    }

    /// The end of what gets smaller as this gets larger.
    pub(crate) fn opposite(self) -> Case {
        match self {
            Case::Value => Case::Value,
            Case::Low => Case::High,
            Case::High => Case::Low,
        }
    }

    /// Picks the word for its end.
    pub(super) const fn either(self, low: &'static str, high: &'static str) -> &'static str {
        if matches!(self, Case::High) { high } else { low }
    }

    /// Key of its column among totals.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Case::Value => "value",
            Case::Low => "low",
            Case::High => "high",
        }
    }
}
