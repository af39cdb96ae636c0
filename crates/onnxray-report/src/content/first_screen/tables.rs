//! Where the time goes: operator types, and the slowest operators.

use super::selection::{FirstScreenSelection, Rows};
use crate::content::recording::modules::modules;
use crate::content::recording::slowest::slowest;
use crate::content::recording::types::{self, TypeRow};
use crate::content::selection::{Repeats, Selection};
use crate::document::{Chart, Table};
use onnxray_analyzer::statistics::{Interval, Summary};

/// Types and operators; of the lines of a screen, this many are `taken`.
pub(super) fn tables(
    summary: &Summary,
    selection: &FirstScreenSelection,
    taken: usize,
) -> (Option<Table>, Option<Table>) {
    // Unprofiled iterations say nothing about operators.
    if summary.is_unprofiled() || summary.operators.is_empty() {
        return (None, None);
    }
    let has_types = summary.types.iter().any(|one| !one.operator_type.is_empty());
    let remainder: Vec<TypeRow> =
        types::remainder(summary).into_iter().chain(whole(summary)).collect();
    let (of_types, of_operators) = match selection.rows {
        Rows::Most(most) => (most, most),
        Rows::Lines(lines) => {
            let rows = rows_beside(lines, taken);
            let kept = remainder.len();
            // Half of the rows are for types, what these leave is for operators.
            let of_types = fitting(summary.types.len(), rows.div_ceil(2).saturating_sub(kept));
            let left = rows.saturating_sub(of_types.lines + kept);
            (of_types.shown, fitting(rows_of(summary, selection), left).shown)
        }
    };
    let of = |rows| Selection {
        order: selection.order,
        rows,
        repeats: if selection.fold { Repeats::Folded } else { Repeats::Apart },
        modules: selection.modules.clone(),
        ..Selection::default()
    };
    let mut types = types::at_a_glance(summary.types.clone(), &of(of_types), remainder);
    if summary.run.blocks {
        types.title = "Time by main type";
    }
    // Of what has no type, the sums say nothing.
    let types = (has_types || summary.model.overhead.is_some()).then_some(types);
    let operators = match selection.modules.is_empty() {
        true => slowest(summary, &of(of_operators)),
        false => modules(summary, &of(of_operators)).0,
    };
    (types, Some(operators))
}

/// Rows that a screen has for both tables; `None` where their number is given.
pub(super) fn rows(selection: &FirstScreenSelection, taken: usize) -> Option<usize> {
    match selection.rows {
        Rows::Lines(lines) => Some(rows_beside(lines, taken)),
        Rows::Most(_) => None,
    }
}

/// Each table has a blank line and a heading.
fn rows_beside(lines: usize, taken: usize) -> usize {
    lines.saturating_sub(taken + 4)
}

/// Rows of the table below that of types, if all were shown.
fn rows_of(summary: &Summary, selection: &FirstScreenSelection) -> usize {
    match (selection.modules.is_empty(), selection.fold) {
        (true, true) => summary.folded_rows().len(),
        (true, false) => summary.operators.len(),
        // A row is for the operators that are in none.
        (false, _) => modules(
            summary,
            &Selection { rows: None, modules: selection.modules.clone(), ..Selection::default() },
        )
        .0
        .len(),
    }
}

/// The rows of types and of what else the time goes to, as bars.
pub(super) fn chart(summary: &Summary, types: &Table) -> Option<Chart> {
    let mut chart = types::chart(types)?;
    // The row that sums others up stands among the others.
    let rows =
        types.len() + usize::from(types.left_out > 0) - usize::from(whole(summary).is_some());
    chart.series.iter_mut().for_each(|series| series.rows = Some(0..rows));
    Some(chart)
}

/// Rows that are shown (`None` for all), and the lines that they take.
struct Fitting {
    shown: Option<usize>,
    lines: usize,
}

/// All rows, or as many as leave a line for the others; one at the least.
fn fitting(count: usize, lines: usize) -> Fitting {
    match count <= lines {
        true => Fitting { shown: None, lines: count },
        false => {
            // One line is for the row that sums up the others.
            let shown = lines.saturating_sub(1).max(1);
            Fitting { shown: Some(shown), lines: shown + 1 }
        }
    }
}

/// Sum of all rows; `None` if a part of it is unknown.
fn whole(summary: &Summary) -> Option<TypeRow> {
    let model = &summary.model;
    // Neither operators timed apart nor two clocks add up to the latency.
    model.overhead.filter(|_| !summary.operators_timed_apart && model.device.is_none())?;
    let phase = summary.iterations.iter().find_map(|iteration| iteration.step);
    let of = phase.map_or(String::new(), |step| format!(" of {}", step.phase.name()));
    let name = match model.is_calibrated {
        true => format!("mean{of}, profiler cost removed"),
        false if summary.run.blocks => format!("mean latency{of}"),
        false => format!("mean profiled latency{of}"),
    };
    let mean = model.whole?;
    let reach = |ends: Interval| format!(" (± {:.1} %)", (ends.high / mean.0 - 1.0) * 100.0);
    let about = model.whole_interval.filter(|_| mean.0 > 0.0).map(reach);
    Some(TypeRow::Whole { name: name + &about.unwrap_or_default(), mean })
}
