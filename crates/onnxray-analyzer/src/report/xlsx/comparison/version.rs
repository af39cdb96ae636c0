//! A version in the workbook, and what its sheets share: names, headings, columns
//! of tables, and cells with words in place of numbers.

use crate::comparison::{Comparison, Recording};
use crate::report::content::comparison::{
    ComparisonSelection, ComparisonView, comparison_report, has_one_unit,
};
use crate::report::table::{Cell, Report};
use crate::report::xlsx::page::{Page, UNKNOWN, Written, column};
use crate::schema::{Shown, TableSchema};
use rust_xlsxwriter::{Color, Format, FormatAlign};

/// Names of the sheets, in front of the version's letter.
pub const SUMMARY: &str = "Summary";
pub const INFERENCE: &str = "Inference time";
pub const TYPES: &str = "Layer types";
pub const LAYERS: &str = "Layers";
pub const CAUSES: &str = "Causes";
pub const DETAILS: &str = "Details";
pub const NOTES: &str = "Notes";

/// What stands where a side has no time because it does not run.
const NOT_EXECUTED: &str = "not executed";

/// Colours of the sides, and of changes, the same in all charts.
pub const SIDE_COLOURS: [Color; 2] = [Color::RGB(0x5B7FA6), Color::RGB(0xE08E3C)];
pub const FASTER: Color = Color::RGB(0x5AAE61);
pub const SLOWER: Color = Color::RGB(0xD6604D);
/// The same behind numbers, which have to stay readable.
pub const PALE_FASTER: Color = Color::RGB(0xA9D8AC);
pub const PALE_SLOWER: Color = Color::RGB(0xF2B5AA);

/// A version, and everything that a report says of it.
pub struct Version<'a> {
    pub comparison: &'a Comparison,
    pub report: Report,
    /// `B` for the first.
    letter: String,
    /// Whether the workbook has others, too.
    pub several: bool,
}

impl<'a> Version<'a> {
    /// `number` counts versions from 1 where there are several.
    pub fn new(
        baseline: &Recording,
        recording: &Recording,
        comparison: &'a Comparison,
        number: Option<u16>,
    ) -> Version<'a> {
        let views = vec![
            ComparisonView::Inference,
            ComparisonView::Causes,
            ComparisonView::Types,
            ComparisonView::Layers,
            ComparisonView::Details,
            ComparisonView::Conservation,
        ];
        let selection = ComparisonSelection { views, rows: None, layer: None };
        let comparisons = std::slice::from_ref(comparison);
        Version {
            comparison,
            report: comparison_report(baseline, &[recording], comparisons, &selection),
            letter: column(number.unwrap_or(1)),
            several: number.is_some(),
        }
    }

    /// The name of a sheet of this version.
    pub fn sheet(&self, name: &str) -> String {
        match self.several {
            true => format!("{name} {}", self.letter),
            false => name.to_string(),
        }
    }

    /// What A and B are.
    pub fn labels(&self) -> [String; 2] {
        let [a, b] = &self.comparison.labels;
        [format!("A: {a}"), format!("{}: {b}", self.letter)]
    }

    /// A text of ours, not of a trace, with this version's letter for B.
    pub fn named(&self, text: &str) -> String {
        let words = text.split(' ').map(|word| if word == "B" { &self.letter } else { word });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The rows of a table, each with the label of the version in front.
    pub fn rows(&self, schema: &'static TableSchema) -> &[Vec<Cell>] {
        let tables = &self.report.tables;
        let table = tables.iter().find(|table| std::ptr::eq(table.schema, schema));
        table.map_or(&[], |table| &table.rows)
    }

    /// Whether times of both sides are of the same.
    pub fn has_one_unit(&self) -> bool {
        has_one_unit(self.comparison)
    }

    /// The headings of a table, without that of the version.
    pub fn headings(&self, schema: &'static TableSchema) -> Vec<String> {
        schema.columns.iter().skip(1).map(|column| self.named(column.heading)).collect()
    }

    /// A row of headings.
    pub fn header(&self, page: &mut Page, row: u32, schema: &'static TableSchema) -> Written {
        let styles = page.styles;
        let text = text_format(&styles.header);
        page.header(row, 0, &[])?;
        for (column, heading) in (0..).zip(self.headings(schema)) {
            let format = match schema.columns[column as usize + 1].shown {
                Shown::Text if column == 0 => &styles.header,
                Shown::Text => &text,
                _ => &styles.number_header,
            };
            page.text((row, column), &heading, format)?;
        }
        Ok(())
    }
}

/// A text's format apart from the numbers that may end where it begins.
pub fn text_format(format: &Format) -> Format {
    format.clone().set_align(FormatAlign::Left).set_indent(1)
}

/// Where a column stands on a sheet that leaves out that of the version.
pub fn place(schema: &'static TableSchema, key: &str) -> u16 {
    let found = schema.columns.iter().position(|column| column.key == key);
    debug_assert!(found.is_some(), "{key}");
    found.map_or(0, |position| position.saturating_sub(1) as u16)
}

/// A time, or that there is none.
pub fn time(page: &mut Page, at: (u32, u16), cell: &Cell, format: &Format) -> Written {
    let styles = page.styles;
    match cell {
        Cell::None => page.text(at, NOT_EXECUTED, &styles.absent),
        cell => page.cell(at, cell, format),
    }
}

/// The share that a time has of a whole, or why there is none.
pub fn share(page: &mut Page, at: (u32, u16), (time, whole): (&str, &str), cell: &Cell) -> Written {
    let format = &page.numbers.share;
    let formula = format!("=IF(ISNUMBER({time}),{},{time})", part(time, whole));
    match cell {
        Cell::None => page.formula(at, formula, NOT_EXECUTED, &page.styles.absent),
        cell => page.formula(at, formula, cell, format),
    }
}

/// Part by whole, without `=`, where the whole may be below 0.
pub fn part(part: &str, whole: &str) -> String {
    format!("IF({whole}<>0,{part}/{whole},\"{UNKNOWN}\")")
}

/// B minus A, or other words if one is no number.
pub fn difference(a: &str, b: &str, otherwise: &str) -> String {
    format!("=IF(COUNT({a},{b})=2,{b}-{a},{otherwise})")
}

/// B by A, or other words if one is no number.
pub fn ratio(a: &str, b: &str, otherwise: &str) -> String {
    format!("=IF(COUNT({a},{b})=2,IF({a}>0,{b}/{a},\"{UNKNOWN}\"),{otherwise})")
}

/// `"unknown"`, as formulas write it.
pub fn unknown() -> String {
    format!("\"{UNKNOWN}\"")
}

/// What numbers in a column add up to; words count for nothing.
pub fn sum(rows: &[Vec<Cell>], column: u16) -> f64 {
    let number = |row: &Vec<Cell>| match row.get(column as usize + 1) {
        Some(Cell::Number(number)) => *number,
        Some(Cell::Whole(number)) => *number as f64,
        _ => 0.0,
    };
    rows.iter().map(number).sum()
}
