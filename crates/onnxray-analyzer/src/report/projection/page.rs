//! A sheet of the projection: cells that hold texts, numbers, or formulas with
//! the value that the analyzer computed.

use crate::projection::Estimate;
use crate::report::sheet::{Styles, name_sheet, shorten};
use rust_xlsxwriter::utility::column_number_to_name;
use rust_xlsxwriter::{Format, Formula, Workbook, Worksheet, XlsxError};

pub type Written = Result<(), XlsxError>;

/// What stands where a figure is unknown.
pub const UNKNOWN: &str = "unknown";

/// Names of the sheets.
pub const RATIOS: &str = "Sparse ratio setting";
pub const OPERATORS: &str = "Operator profiling";
pub const TOTALS: &str = "Total profiling";
pub const TYPES: &str = "Layer types";
pub const LEVELS: &str = "Summary type";
pub const PLAN: &str = "Plan";
pub const NOTES: &str = "Notes";

/// What a formula comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    Number(f64),
    Text(&'a str),
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Value::Number(number)
    }
}

impl From<Option<f64>> for Value<'_> {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Value::Text(UNKNOWN), Value::Number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Text(text)
    }
}

/// Formats of numbers, made once.
pub struct Numbers {
    pub milliseconds: Format,
    pub percent: Format,
    pub share: Format,
    pub ratio: Format,
    pub quantity: Format,
    pub helper: Format,
    pub input_percent: Format,
    pub input_ratio: Format,
}

impl Numbers {
    pub fn new(styles: &Styles) -> Numbers {
        let number = |format: &str| Format::new().set_num_format(format);
        Numbers {
            milliseconds: number("0.0000"),
            percent: number("0.00%"),
            share: number("0.0%"),
            ratio: number("0.000"),
            quantity: number("#,##0"),
            helper: number("General").set_font_color(rust_xlsxwriter::Color::Gray),
            input_percent: styles.input.clone().set_num_format("0.0%"),
            input_ratio: styles.input.clone().set_num_format("0.0##"),
        }
    }
}

/// A sheet that is being written.
pub struct Page<'a> {
    pub sheet: &'a mut Worksheet,
    pub styles: &'a Styles,
    pub numbers: &'a Numbers,
}

impl<'a> Page<'a> {
    pub fn new(
        workbook: &'a mut Workbook,
        name: &str,
        styles: &'a Styles,
        numbers: &'a Numbers,
    ) -> Result<Page<'a>, XlsxError> {
        let sheet = workbook.add_worksheet();
        name_sheet(sheet, name)?;
        // Or else an empty text is written as 0.
        sheet.set_formula_result_default("");
        Ok(Page { sheet, styles, numbers })
    }

    /// A text, whatever it looks like.
    pub fn text(&mut self, at: (u32, u16), text: &str, format: &Format) -> Written {
        self.sheet.write_string_with_format(at.0, at.1, shorten(text), format)?;
        Ok(())
    }

    pub fn plain(&mut self, at: (u32, u16), text: &str) -> Written {
        self.sheet.write_string(at.0, at.1, shorten(text))?;
        Ok(())
    }

    pub fn number(&mut self, at: (u32, u16), number: f64, format: &Format) -> Written {
        self.sheet.write_number_with_format(at.0, at.1, number, format)?;
        Ok(())
    }

    /// A number, or the word for one that nobody knows.
    pub fn known(&mut self, at: (u32, u16), number: Option<f64>, format: &Format) -> Written {
        match number {
            Some(number) => self.number(at, number, format),
            None => {
                let styles = self.styles;
                self.text(at, UNKNOWN, &styles.unknown)
            }
        }
    }

    pub fn blank(&mut self, at: (u32, u16), format: &Format) -> Written {
        self.sheet.write_blank(at.0, at.1, format)?;
        Ok(())
    }

    pub fn formula<'v>(
        &mut self,
        at: (u32, u16),
        formula: String,
        value: impl Into<Value<'v>>,
        format: &Format,
    ) -> Written {
        let formula = Formula::new(formula).set_result(result(value.into()));
        self.sheet.write_formula_with_format(at.0, at.1, formula, format)?;
        Ok(())
    }

    /// A formula over ranges that older spreadsheets compute only if told so.
    pub fn array_formula(
        &mut self,
        at: (u32, u16),
        formula: String,
        value: f64,
        format: &Format,
    ) -> Written {
        let formula = Formula::new(formula).set_result(value.to_string());
        let (row, column) = at;
        self.sheet.write_array_formula_with_format(row, column, row, column, formula, format)?;
        Ok(())
    }

    /// A row of headings, from a column on.
    pub fn header(&mut self, row: u32, first: u16, names: &[&str]) -> Written {
        let styles = self.styles;
        for (column, name) in (first..).zip(names) {
            self.text((row, column), name, &styles.header)?;
        }
        self.sheet.set_row_height(row, 32)?;
        Ok(())
    }
}

fn result(value: Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.to_string(),
    }
}

/// One of the three figures of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Value,
    Low,
    High,
}

impl End {
    pub const ALL: [End; 3] = [End::Value, End::Low, End::High];

    pub fn of(self, estimate: Estimate) -> f64 {
        match self {
            End::Value => estimate.value,
            End::Low => estimate.low,
            End::High => estimate.high,
        }
    }
}

/// The letters of a column.
pub fn column(column: u16) -> String {
    column_number_to_name(column)
}

/// `C7`
pub fn cell(row: u32, number: u16) -> String {
    format!("{}{}", column(number), row + 1)
}

/// `$C7`, whose column stays when the formula is copied.
pub fn cell_in_column(row: u32, number: u16) -> String {
    format!("${}{}", column(number), row + 1)
}

/// `C$6`, whose row stays when the formula is copied.
pub fn cell_in_row(row: u32, number: u16) -> String {
    format!("{}${}", column(number), row + 1)
}

/// Part by whole, without `=`; unknown if there is no whole.
pub fn quotient(part: &str, whole: &str) -> String {
    format!("IF({whole}>0,{part}/{whole},\"{UNKNOWN}\")")
}

/// `$C$7`
pub fn fixed(row: u32, number: u16) -> String {
    format!("${}${}", column(number), row + 1)
}

/// `'Sheet'!$C$7:$D$9`
pub fn range(sheet: &str, from: (u32, u16), to: (u32, u16)) -> String {
    format!("'{sheet}'!{}:{}", fixed(from.0, from.1), fixed(to.0, to.1))
}
