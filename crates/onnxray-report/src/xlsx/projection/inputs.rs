//! Drop-downs of levels for the cells that may be set.

use crate::xlsx::places::address::cell;
use crate::xlsx::sheet::{SheetWriter, Written};
use onnxray_analyzer::quantity::percent;
use rust_xlsxwriter::{DataValidation, DataValidationErrorStyle, XlsxError};

/// A drop-down of levels that takes others as well.
pub(super) fn level_choice(levels: &[f64]) -> Result<DataValidation, XlsxError> {
    let mut sorted: Vec<f64> = levels.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut choices: Vec<String> =
        sorted.iter().map(|level| format!("{}%", percent(*level))).collect();
    choices.push("0%".to_string());
    // They are sorted, so that equal ones are neighbours; 0 may be a level itself.
    choices.dedup();
    // A list holds 255 characters.
    while choices.iter().map(|choice| choice.len() + 1).sum::<usize>() > 250 {
        choices.pop();
    }
    DataValidation::new()
        .allow_list_strings(&choices)?
        .set_error_style(DataValidationErrorStyle::Information)
        .set_input_title("Target")?
        .set_input_message("Sparsity from 0% to 100%; 0% leaves it dense")
}

/// Gives the cells of a column, from a row on, a drop-down of levels where
/// `settable` says so.
pub(super) fn choices(
    writer: &mut SheetWriter,
    first: u32,
    column: u16,
    settable: impl Iterator<Item = bool>,
    levels: &[f64],
) -> Written {
    /// Ranges that one rule names; a sheet has room for 65,534 rules.
    const MOST: usize = 500;
    let lines: Vec<u32> =
        (first..).zip(settable).filter_map(|(line, settable)| settable.then_some(line)).collect();
    // Neighbours become one range, so that a rule names few.
    let runs: Vec<&[u32]> = lines.chunk_by(|a, b| b - a == 1).collect();
    for runs in runs.chunks(MOST) {
        let (Some(from), Some(to)) = (runs[0].first(), runs[runs.len() - 1].last()) else {
            continue;
        };
        let names = runs.iter().filter_map(|run| {
            Some(format!("{}:{}", cell(*run.first()?, column), cell(*run.last()?, column)))
        });
        let choice = level_choice(levels)?.set_multi_range(names.collect::<Vec<_>>().join(" "));
        writer.sheet.add_data_validation(*from, column, *to, column, &choice)?;
    }
    Ok(())
}
