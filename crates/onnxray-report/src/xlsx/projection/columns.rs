//! Columns of a sheet: a document's column and how it looks, with the formula that
//! keeps it live; and the one function that writes a table of them.

use super::context::Context;
use super::look::Look;
use crate::document::{Cell, Chart, Column};
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, UNKNOWN, Written, cell};
use onnxray_analyzer::in_cell;
use onnxray_analyzer::schema::workbook::RESERVED;
use rust_xlsxwriter::{Chart as SheetChart, ChartType};

/// A row that is being written.
pub(super) struct Line<'a, Row> {
    pub(super) row: &'a Row,
    /// Position in the table, from 0.
    pub(super) number: usize,
    /// Position among the columns of a key, from 0.
    pub(super) position: u16,
    pub(super) layout: &'a Layout,
    pub(super) context: &'a Context<'a>,
}

impl<Row> Line<'_, Row> {
    /// `C7`: the cell of this row under a key.
    pub(super) fn at(&self, key: &str) -> String {
        self.layout.at(key, self.number)
    }

    /// `$C7`
    pub(super) fn in_column(&self, key: &str) -> String {
        self.layout.at_in_column(key, self.number)
    }

    /// `C7`, in one of the columns of a key.
    pub(super) fn nth(&self, key: &str, position: u16) -> String {
        cell(self.layout.row(self.number), self.layout.column(key) + position)
    }
}

enum Value<Row> {
    /// As the document has it.
    Shared(fn(&Row) -> Cell),
    Own(fn(&Line<Row>) -> Cell),
}

/// A column of a sheet, or several side by side that are alike.
pub(super) struct SheetColumn<Row> {
    pub(super) key: &'static str,
    pub(super) heading: &'static str,
    /// Empty for what only serves other columns.
    pub(super) meaning: &'static str,
    pub(super) count: u16,
    look: Look,
    width: Option<f64>,
    value: Value<Row>,
    /// What the value is computed by, where `is_live`.
    formula: Option<fn(&Line<Row>) -> String>,
    is_array: bool,
    is_live: fn(&Line<Row>) -> bool,
    /// Rows that have a cell.
    applies: fn(&Line<Row>) -> bool,
}

impl<Row> SheetColumn<Row> {
    /// A column that only the workbook has.
    pub(super) fn own(
        key: &'static str,
        heading: &'static str,
        look: Look,
        value: fn(&Line<Row>) -> Cell,
    ) -> SheetColumn<Row> {
        SheetColumn {
            key,
            heading,
            meaning: "",
            count: 1,
            look,
            width: None,
            value: Value::Own(value),
            formula: None,
            is_array: false,
            is_live: |_| true,
            applies: |_| true,
        }
    }

    /// A column of the document, under the workbook's heading.
    ///
    /// # Panics
    /// If the document has no such column, which is a mistake in the program and in
    /// no input.
    pub(super) fn shared(
        columns: &[Column<Row>],
        key: &'static str,
        heading: &'static str,
    ) -> SheetColumn<Row> {
        let shared = columns.iter().find(|column| column.key == key);
        let shared = shared.unwrap_or_else(|| panic!("no column {key} to share"));
        let look = Look::of(shared.unit);
        SheetColumn {
            meaning: shared.meaning,
            value: Value::Shared(shared.value),
            ..SheetColumn::own(key, heading, look, |_| Cell::None)
        }
    }

    pub(super) fn look(self, look: Look) -> SheetColumn<Row> {
        SheetColumn { look, ..self }
    }

    pub(super) fn meaning(self, meaning: &'static str) -> SheetColumn<Row> {
        SheetColumn { meaning, ..self }
    }

    /// Another value than the document's.
    pub(super) fn value(self, value: fn(&Line<Row>) -> Cell) -> SheetColumn<Row> {
        SheetColumn { value: Value::Own(value), ..self }
    }

    pub(super) fn width(self, width: f64) -> SheetColumn<Row> {
        SheetColumn { width: Some(width), ..self }
    }

    /// So many columns side by side.
    pub(super) fn times(self, count: u16) -> SheetColumn<Row> {
        SheetColumn { count, ..self }
    }

    /// What the value is computed by.
    pub(super) fn formula(self, formula: fn(&Line<Row>) -> String) -> SheetColumn<Row> {
        SheetColumn { formula: Some(formula), ..self }
    }

    /// A formula over ranges.
    pub(super) fn array(self, formula: fn(&Line<Row>) -> String) -> SheetColumn<Row> {
        SheetColumn { formula: Some(formula), is_array: true, ..self }
    }

    /// Only these rows have the formula; others have the value.
    pub(super) fn live(self, is_live: fn(&Line<Row>) -> bool) -> SheetColumn<Row> {
        SheetColumn { is_live, ..self }
    }

    /// Only these rows have a cell.
    pub(super) fn only(self, applies: fn(&Line<Row>) -> bool) -> SheetColumn<Row> {
        SheetColumn { applies, ..self }
    }

    fn write(&self, page: &mut Page, place: (u32, u16), line: &Line<Row>) -> Written {
        if !(self.applies)(line) {
            return Ok(());
        }
        let value = match self.value {
            Value::Shared(value) => value(line.row),
            Value::Own(value) => value(line),
        };
        // Names are read again, and no other text is taken for what is looked for.
        let value = match value {
            Cell::Text(text) if !text.is_empty() || matches!(self.key, "name" | "type") => {
                Cell::Text(in_cell(&text, &RESERVED))
            }
            value => value,
        };
        let format = self.look.format(page);
        if let Some(formula) = self.formula.filter(|_| (self.is_live)(line)) {
            return match value.as_number().filter(|_| self.is_array) {
                Some(number) => page.array_formula(place, formula(line), number, format),
                None => page.formula(place, formula(line), &value, format),
            };
        }
        match &value {
            Cell::None if self.look.is_input() => page.blank(place, format),
            Cell::Text(text) if self.look == Look::Truth => {
                page.sheet.write_boolean(place.0, place.1, text == "yes")?;
                Ok(())
            }
            Cell::Unknown if self.look.is_number() => page.known(place, None, format),
            Cell::Unknown => page.text(place, UNKNOWN, &page.styles.dash),
            // Other formats are of numbers.
            Cell::Text(text) if place.1 == 0 && !self.look.is_input() => page.plain(place, text),
            cell => page.cell(place, cell, format),
        }
    }
}

/// Writes headings and rows of a table, and makes the columns as wide as they
/// should be.
pub(super) fn write_table<Row>(
    page: &mut Page,
    context: &Context,
    layout: &Layout,
    columns: &[SheetColumn<Row>],
    rows: impl IntoIterator<Item = Row>,
) -> Written {
    let styles = page.styles;
    let mut headings: Vec<(&str, f64)> = Vec::new();
    for column in columns {
        for position in 0..column.count {
            let place = (layout.header(), layout.column(column.key) + position);
            let heading = match column.count {
                1 => column.heading.to_string(),
                _ => format!("{} {}", column.heading, position + 1),
            };
            if !column.heading.is_empty() {
                let heading_format = match column.look.is_number() {
                    true => &styles.number_header,
                    false if place.1 == 0 => &styles.header,
                    false => &page.numbers.heading,
                };
                page.text(place, &heading, heading_format)?;
            }
            if let Some(width) = column.width {
                page.sheet.set_column_width(place.1, width)?;
                headings.push((column.heading, width));
            }
        }
    }
    page.header(layout.header(), 0, &[])?;
    page.high(layout.header(), headings)?;
    page.sheet.set_repeat_rows(layout.header(), layout.header())?;
    write_rows(page, context, layout, columns, 0, rows)
}

/// Writes rows of a table, beginning with one of its rows.
pub(super) fn write_rows<Row>(
    page: &mut Page,
    context: &Context,
    layout: &Layout,
    columns: &[SheetColumn<Row>],
    first: usize,
    rows: impl IntoIterator<Item = Row>,
) -> Written {
    let places: Vec<u16> = columns.iter().map(|column| layout.column(column.key)).collect();
    for (number, row) in (first..).zip(rows) {
        for (column, place) in columns.iter().zip(&places) {
            for position in 0..column.count {
                let line = Line { row: &row, number, position, layout, context };
                column.write(page, (layout.row(number), place + position), &line)?;
            }
        }
    }
    Ok(())
}

/// A chart of a document, of the first rows of a table.
pub(super) fn chart(shown: &Chart, layout: &Layout, rows: usize, kind: ChartType) -> SheetChart {
    let range = |key| format!("={}", layout.range_of(key, 0..rows));
    let mut chart = SheetChart::new(kind);
    for shown_series in &shown.series {
        let series = chart.add_series();
        series.set_categories(range(shown.categories).as_str());
        series.set_values(range(shown_series.column).as_str());
        if let Some(name) = &shown_series.name {
            series.set_name(name);
        }
        if kind == ChartType::Bar {
            series.set_gap(40);
        }
    }
    chart.title().set_name(&shown.title);
    chart
}

/// Where the columns lie.
pub(super) fn layout<Row>(
    sheet: &str,
    columns: &[SheetColumn<Row>],
    header: u32,
    rows: usize,
) -> Layout {
    let spans = columns.iter().map(|column| (column.key, column.count));
    Layout::spanning(sheet, spans, header, rows)
}
