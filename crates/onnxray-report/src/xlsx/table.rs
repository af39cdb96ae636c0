//! Writes the tables of workbooks.

use super::layout::Layout;
use super::page::{Page, UNKNOWN, Value, Written};
use super::places::LaidOutTable;
use super::sheet::small;
use crate::document::{Cell, CellStyle, Entry, SheetColumn, Unit, Visibility};
use onnxray_analyzer::workbook::in_cell;
use rust_xlsxwriter::Format;

/// Writes a table with headings that are printed on every page.
pub(super) fn write_table(page: &mut Page, (table, layout): LaidOutTable) -> Written {
    page.sheet.set_repeat_rows(layout.header(), layout.header())?;
    write_once(page, (table, layout))
}

/// The same; its headings are printed once.
pub(super) fn write_once(page: &mut Page, (table, layout): LaidOutTable) -> Written {
    set_columns(page, (table, layout))?;
    write_headings(page, (table, layout))?;
    page.header(layout.header(), 0, &[])?;
    let widths = table.columns.iter().filter_map(|c| Some((c.heading.as_ref(), c.width?)));
    page.high(layout.header(), widths)?;
    write_rows(page, (table, layout))
}

/// Makes the columns of a table as wide as they should be, and hides those for formulas.
pub(super) fn set_columns(page: &mut Page, (table, layout): LaidOutTable) -> Written {
    let mut place = layout.left();
    for run in table.columns.chunk_by(|a, b| a.visibility == b.visibility) {
        let first = place;
        for column in run {
            if let Some(width) = column.width {
                page.sheet.set_column_width(place, width)?;
            }
            place += 1;
        }
        match run.first().map(|column| column.visibility) {
            Some(Visibility::Hidden) => page.sheet.set_column_range_hidden(first, place - 1)?,
            Some(Visibility::Folded) => page.sheet.group_columns_collapsed(first, place - 1)?,
            _ => continue,
        };
    }
    Ok(())
}

/// Writes the headings of a table, but for those that its owner writes.
pub(super) fn write_headings(page: &mut Page, (table, layout): LaidOutTable) -> Written {
    let (styles, left) = (page.styles, layout.left());
    let apart = styles.header.clone().set_indent(1);
    for (place, column) in (left..).zip(&table.columns).filter(|(_, c)| !c.heading.is_empty()) {
        let format = match column.style.is_number() {
            true => &styles.number_header,
            false if place == left || column.style == CellStyle::Remark => &styles.header,
            false => &apart,
        };
        page.text((layout.header(), place), &column.heading, format)?;
    }
    Ok(())
}

/// Writes the rows of a table.
pub(super) fn write_rows(page: &mut Page, (table, layout): LaidOutTable) -> Written {
    let styles = page.styles;
    let mut formats: Vec<Format> =
        table.columns.iter().map(|column| column.style.format(styles)).collect();
    if let [SheetColumn { style: CellStyle::Bare(Unit::Text), .. }, ..] = table.columns[..] {
        // It has no number before it.
        formats[0] = Format::new().set_num_format("@");
    }
    for row in 0..table.length {
        for (number, (column, format)) in table.columns.iter().zip(&formats).enumerate() {
            let Some(entry) = (column.entries)(row) else { continue };
            let own = entry.style.map(|style| style.format(styles));
            let style = entry.style.unwrap_or(column.style);
            let format = own.as_ref().unwrap_or(format);
            write_entry(page, (layout, row), number as u16, entry, (style, format))?;
        }
    }
    Ok(())
}

/// What a cell comes to: names are read again, and no other text is taken for what is looked
/// for then.
pub(super) fn shown(page: &Page, value: Cell, style: CellStyle) -> Cell {
    let is_ours =
        matches!(style, CellStyle::Label | CellStyle::Remark | CellStyle::Word | CellStyle::Total);
    match value {
        Cell::Text(text)
            if page.is_read && !is_ours && (!text.is_empty() || style == CellStyle::Name) =>
        {
            Cell::Text(in_cell(&text))
        }
        value => value,
    }
}

fn write_entry(
    page: &mut Page,
    (layout, row): (&Layout, usize),
    number: u16,
    entry: Entry,
    (style, format): (CellStyle, &Format),
) -> Written {
    let (place, styles) = ((layout.row(row), layout.left() + number), page.styles);
    let value = shown(page, entry.value, style);
    let is_word = matches!(value, Cell::Text(_) | Cell::Label { .. });
    // Words say why there is no number.
    let is_absent = is_word && style.is_number() && !style.is_input() && style != CellStyle::Word;
    let format = if is_absent { &styles.absent } else { format };
    if let Some(formula) = entry.formula {
        let formula = page.places.formula(&formula, Some((layout, row)))?;
        return match value.as_number().filter(|_| entry.is_array) {
            Some(number) => page.array_formula(place, formula, number, format),
            None if style == CellStyle::Step && value == Cell::Unknown => {
                page.formula(place, formula, Value::NotAvailable, format)
            }
            None => page.formula(place, formula, &value, format),
        };
    }
    match &value {
        Cell::None if style.is_input() => page.blank(place, format),
        Cell::Text(text) if style == CellStyle::Truth => {
            page.sheet.write_boolean(place.0, place.1, text == "yes")?;
            Ok(())
        }
        Cell::Unknown if style.is_number() => page.known(place, None, format),
        Cell::Unknown if style == CellStyle::Bare(Unit::Text) && number > 0 => {
            page.text(place, UNKNOWN, &styles.dash.clone().set_indent(1))
        }
        Cell::Unknown => page.text(place, UNKNOWN, &styles.dash),
        // Other formats are of numbers.
        Cell::Text(text) if number == 0 && matches!(style, CellStyle::Text | CellStyle::Name) => {
            page.plain(place, text)
        }
        Cell::Number(number) => {
            let small = style.unit().and_then(|unit| small(*number, unit, format));
            page.cell(place, &value, small.as_ref().unwrap_or(format))
        }
        cell => page.cell(place, cell, format),
    }
}
