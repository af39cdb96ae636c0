//! What all sheets are about, and where their cells lie: known before any of them
//! is written.

use crate::xlsx::layout::Layout;
use onnxray_analyzer::projection::{Estimate, Plan, Projection};
use onnxray_analyzer::statistics::Summary;
use std::collections::HashMap;

pub(super) struct Context<'a> {
    pub(super) summary: &'a Summary,
    pub(super) projection: &'a Projection,
    pub(super) plan: &'a Plan,
    /// By operator: the position of its type.
    pub(super) types: Vec<usize>,
    pub(super) groups: Groups,
    pub(super) sheets: Sheets,
}

/// Where the tables of the workbook lie.
pub(super) struct Sheets {
    pub(super) ratios: Layout,
    pub(super) operators: Layout,
    pub(super) totals: Layout,
    pub(super) types: Layout,
    /// The sheet of levels: the model, its operator types, its groups.
    pub(super) level_model: Layout,
    pub(super) level_types: Layout,
    pub(super) level_groups: Layout,
    pub(super) plan_model: Layout,
    pub(super) plan_layers: Layout,
}

impl Context<'_> {
    /// `B4`: a figure of the totals, for formulas of that sheet.
    pub(super) fn total(&self, key: &str, end: End) -> String {
        let totals = &self.sheets.totals;
        totals.at(end.key(), totals.row_of(key))
    }

    /// `'Total profiling'!$B$4`: the same, for formulas of other sheets.
    pub(super) fn total_on(&self, key: &str, end: End) -> String {
        let totals = &self.sheets.totals;
        totals.on(end.key(), totals.row_of(key))
    }

    /// A column of all operators, for formulas.
    pub(super) fn operators(&self, key: &str) -> String {
        self.sheets.operators.whole(key)
    }

    /// Key of the operators' latencies at an end; of the latencies themselves where
    /// nothing is known of their ends.
    pub(super) fn latency(&self, end: End) -> &'static str {
        match end {
            _ if self.projection.spread.parts.is_none() => "latency_ms",
            End::Value => "latency_ms",
            End::Low => "latency_low_ms",
            End::High => "latency_high_ms",
        }
    }

    /// The formula that finds the row of ratios of the group whose number stands in
    /// a cell; 0 if it has no operator any more.
    pub(super) fn setting_of_group(&self, group: &str) -> String {
        let (settings, groups) = (self.operators("setting"), self.operators("group"));
        format!("=IFERROR(INDEX({settings},MATCH({group},{groups},0)),0)")
    }
}

/// The number of a type or a group in formulas, from its position.
pub(super) fn number_of(position: usize) -> f64 {
    position as f64 + 1.0
}

/// Operators that look up the same perf ratios.
pub(super) struct Groups {
    /// By operator; `None` if no target can change it.
    pub(super) of: Vec<Option<usize>>,
    /// By group: its first operator.
    pub(super) first: Vec<usize>,
}

impl Groups {
    pub(super) fn new(projection: &Projection, types: &[usize]) -> Groups {
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
pub(super) enum End {
    Value,
    Low,
    High,
}

impl End {
    pub(super) const ALL: [End; 3] = [End::Value, End::Low, End::High];

    pub(super) fn of(self, estimate: Estimate) -> f64 {
        match self {
            End::Value => estimate.value,
            End::Low => estimate.low,
            End::High => estimate.high,
        }
    }

    /// The end of what gets smaller as this gets larger.
    pub(super) fn opposite(self) -> End {
        match self {
            End::Value => End::Value,
            End::Low => End::High,
            End::High => End::Low,
        }
    }

    /// Key of its column among totals.
    pub(super) fn key(self) -> &'static str {
        match self {
            End::Value => "value",
            End::Low => "low",
            End::High => "high",
        }
    }
}
