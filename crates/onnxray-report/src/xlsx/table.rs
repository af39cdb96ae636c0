//! Writes the tables of workbooks.

use super::places::{LaidOutTable, Layout};
use super::sheet::{Computed, SheetWriter, UNKNOWN, Written, legible};
use crate::document::{Cell, CellStyle, Mark, TableColumn, Unit, Visibility};
use onnxray_analyzer::workbook_words::in_cell;
use rust_xlsxwriter::Format;
use std::borrow::Cow;

/// Writes a table with headings that are printed on every page.
pub(super) fn write_table(writer: &mut SheetWriter, (table, layout): LaidOutTable) -> Written {
    writer.sheet.set_repeat_rows(layout.header(), layout.header())?;
    write_once(writer, (table, layout))
}

/// Like [`write_table`], with headings on the first page only.
pub(super) fn write_once(writer: &mut SheetWriter, (table, layout): LaidOutTable) -> Written {
    set_columns(writer, (table, layout))?;
    write_headings(writer, (table, layout))?;
    writer.header(layout.header(), 0, &[])?;
    let widths = table.columns.iter().filter_map(|c| Some((&*c.heading.heading, width(c)?)));
    writer.high(layout.header(), widths)?;
    write_rows(writer, (table, layout))
}

/// Rows whose texts decide how wide their column is.
const MEASURED: usize = 500;
/// Characters of the narrowest and the widest column of texts.
const NARROWEST: f64 = 11.0;
const WIDEST: f64 = 80.0;

/// Characters that the texts of a column need.
fn fitting(cells: &[Cell]) -> f64 {
    let letters = cells.iter().take(MEASURED).map(|cell| match cell {
        Cell::Text(text) => text.chars().count(),
        Cell::Label { text, .. } => text.chars().count(),
        _ => 0,
    });
    // A margin, as letters are not all alike.
    (letters.max().unwrap_or(0) as f64 + 3.0).clamp(NARROWEST, WIDEST)
}

/// The style of a column's cells.
pub(super) fn style(column: &TableColumn) -> CellStyle {
    column.sheet.style.unwrap_or(CellStyle::Bare(column.heading.unit))
}

/// Characters that a column has room for, if that is known: what its texts need, or its numbers.
pub(super) fn width(column: &TableColumn) -> Option<f64> {
    let declared = match (column.sheet.style, column.heading.unit) {
        (Some(_), _) => column.sheet.width?,
        (None, Unit::Quantity) => 15.0,
        (None, _) => NARROWEST,
    };
    match style(column) {
        CellStyle::Text | CellStyle::Name | CellStyle::Bare(Unit::Text) => {
            Some(declared.max(fitting(&column.cells)))
        }
        _ => Some(declared),
    }
}

/// Makes the columns of a table as wide as they should be, and hides those for formulas.
pub(super) fn set_columns(writer: &mut SheetWriter, (table, layout): LaidOutTable) -> Written {
    let mut place = layout.left();
    // Runs of neighbours: columns that are folded together make one group.
    for run in table.columns.chunk_by(|a, b| a.sheet.visibility == b.sheet.visibility) {
        let first = place;
        for column in run {
            if let Some(width) = width(column) {
                writer.sheet.set_column_width(place, width)?;
            }
            place += 1;
        }
        match run.first().map(|column| column.sheet.visibility) {
            Some(Visibility::Hidden) => writer.sheet.set_column_range_hidden(first, place - 1)?,
            Some(Visibility::Folded) => writer.sheet.group_columns_collapsed(first, place - 1)?,
            _ => continue,
        };
    }
    Ok(())
}

/// Writes the headings of a table, but for those that its owner writes.
pub(super) fn write_headings(writer: &mut SheetWriter, (table, layout): LaidOutTable) -> Written {
    let (styles, left) = (writer.styles, layout.left());
    let apart = styles.header.clone().set_indent(1);
    for (place, column) in (left..).zip(&table.columns) {
        let heading = &*column.heading.heading;
        if heading.is_empty() {
            continue;
        }
        let format = match style(column) {
            style if style.is_number() => &styles.number_header,
            style if place == left || style == CellStyle::Remark => &styles.header,
            _ => &apart,
        };
        writer.text((layout.header(), place), heading, format)?;
    }
    Ok(())
}

/// Writes the rows of a table.
pub(super) fn write_rows(writer: &mut SheetWriter, (table, layout): LaidOutTable) -> Written {
    let styles = writer.styles;
    let columns = table.columns.iter().map(|column| (style(column), column));
    let columns = columns.map(|(style, column)| (style, style.format(styles), column));
    let mut columns: Vec<(CellStyle, Format, &TableColumn)> = columns.collect();
    if let [(CellStyle::Bare(Unit::Text), format, _), ..] = &mut columns[..] {
        // It has no number before it.
        *format = Format::new().set_num_format("@");
    }
    for row in 0..layout.rows() {
        for (number, (style, format, column)) in (0..).zip(&columns) {
            let (mark, value) = (column.sheet.mark(row), &column.cells[row]);
            if mark.is_blank {
                continue;
            }
            let own = mark.style.map(|style| style.format(styles));
            let style = (mark.style.unwrap_or(*style), own.as_ref().unwrap_or(format));
            write_entry(writer, (layout, row), number, (value, mark), style)?;
        }
    }
    Ok(())
}

/// The value as a cell holds it: on a sheet that is read again, names are escaped so that they
/// come back, and no other text is taken for a heading.
pub(super) fn shown<'v>(writer: &SheetWriter, value: &'v Cell, style: CellStyle) -> Cow<'v, Cell> {
    let is_ours =
        matches!(style, CellStyle::Label | CellStyle::Remark | CellStyle::Word | CellStyle::Total);
    match value {
        Cell::Text(text)
            if writer.is_read && !is_ours && (!text.is_empty() || style == CellStyle::Name) =>
        {
            Cow::Owned(Cell::Text(in_cell(text)))
        }
        value => Cow::Borrowed(value),
    }
}

fn write_entry(
    writer: &mut SheetWriter,
    (layout, row): (&Layout, usize),
    number: u16,
    (value, mark): (&Cell, &Mark),
    (style, format): (CellStyle, &Format),
) -> Written {
    let (place, styles) = ((layout.row(row), layout.left() + number), writer.styles);
    let value = &*shown(writer, value, style);
    let is_word = matches!(value, Cell::Text(_) | Cell::Label { .. });
    // Words say why the number is missing.
    let is_absent = is_word && style.is_number() && !style.is_input() && style != CellStyle::Word;
    let format = if is_absent { &styles.absent } else { format };
    if let Some(formula) = &mark.formula {
        let formula = writer.places.formula(formula, Some((layout, row)))?;
        return match value.as_number().filter(|_| mark.is_array) {
            Some(number) => writer.array_formula(place, formula, number, format),
            None if style == CellStyle::Step && *value == Cell::Unknown => {
                writer.formula(place, formula, Computed::not_available(), format)
            }
            None => writer.formula(place, formula, value, format),
        };
    }
    match value {
        Cell::None if style.is_input() => writer.blank(place, format),
        Cell::Text(text) if style == CellStyle::Truth => {
            writer.sheet.write_boolean(place.0, place.1, text == "yes")?;
            Ok(())
        }
        Cell::Unknown if style.is_number() => writer.known(place, None, format),
        Cell::Unknown if style == CellStyle::Bare(Unit::Text) && number > 0 => {
            writer.text(place, UNKNOWN, &styles.dash.clone().set_indent(1))
        }
        Cell::Unknown => writer.text(place, UNKNOWN, &styles.dash),
        // Other formats are of numbers.
        Cell::Text(text) if number == 0 && matches!(style, CellStyle::Text | CellStyle::Name) => {
            writer.plain(place, text)
        }
        Cell::Number(number) => {
            let own = style.unit().and_then(|unit| legible(*number, unit, format));
            writer.cell(place, value, own.as_ref().unwrap_or(format))
        }
        cell => writer.cell(place, cell, format),
    }
}
