//! Writes cells of a sheet whose figures are live: texts, numbers, or formulas with the value
//! that the analyzer computed.

use super::row_height::{height, lines};
use super::{Styles, UNKNOWN, name_sheet, pale_unknown, shorten, write_cell};
use crate::document::Cell;
use crate::xlsx::places::Places;
use rust_xlsxwriter::{Format, Formula, ProtectionOptions, Workbook, Worksheet, XlsxError};

pub(crate) type Written = Result<(), XlsxError>;

/// A protected sheet refuses edits of locked cells and nothing else.
fn all_but_contents() -> ProtectionOptions {
    ProtectionOptions {
        format_cells: true,
        format_columns: true,
        format_rows: true,
        insert_columns: true,
        insert_rows: true,
        insert_links: true,
        delete_columns: true,
        delete_rows: true,
        sort: true,
        use_autofilter: true,
        use_pivot_tables: true,
        edit_scenarios: true,
        edit_objects: true,
        ..ProtectionOptions::new()
    }
}

/// Result of a formula, as a sheet holds it.
pub(crate) struct Computed(String);

impl Computed {
    /// `#N/A`, which charts leave out.
    pub(crate) fn not_available() -> Computed {
        Computed("#N/A".to_string())
    }
}

impl From<f64> for Computed {
    fn from(number: f64) -> Self {
        Computed(number.to_string())
    }
}

impl From<Option<f64>> for Computed {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Computed(UNKNOWN.to_string()), Computed::from)
    }
}

impl From<&Cell> for Computed {
    fn from(cell: &Cell) -> Self {
        match cell {
            Cell::Text(text) => Computed(text_result(text)),
            Cell::Label { text, .. } => Computed(text_result(text)),
            Cell::Number(number) => Computed::from(*number),
            Cell::Whole(number) => Computed::from(*number as f64),
            Cell::Unknown | Cell::Below { .. } => Computed::from(None),
            Cell::None => Computed(String::new()),
        }
    }
}

/// A sheet that is being written.
pub(crate) struct SheetWriter<'a> {
    /// Last row and column that were written.
    last: (u32, u16),
    pub sheet: &'a mut Worksheet,
    pub styles: &'a Styles,
    pub places: &'a Places<'a>,
    /// The sheet is read again after edits: names are written so that they can be, and cells that
    /// are not inputs are locked.
    pub is_read: bool,
}

impl<'a> SheetWriter<'a> {
    pub(crate) fn new(
        workbook: &'a mut Workbook,
        name: &str,
        styles: &'a Styles,
        places: &'a Places<'a>,
    ) -> Result<SheetWriter<'a>, XlsxError> {
        SheetWriter::of(workbook.add_worksheet(), name, styles, places)
    }

    /// A writer of a sheet that exists already.
    pub(crate) fn of(
        sheet: &'a mut Worksheet,
        name: &str,
        styles: &'a Styles,
        places: &'a Places<'a>,
    ) -> Result<SheetWriter<'a>, XlsxError> {
        name_sheet(sheet, name)?;
        // Or else an empty text is written as 0.
        sheet.set_formula_result_default("");
        Ok(SheetWriter { last: (0, 0), sheet, styles, places, is_read: false })
    }

    /// Protects the sheet, and greys out unknown values in all cells written.
    pub(crate) fn finish(self) -> Written {
        if self.is_read {
            // Without a password: it guards against slips, not against intent.
            self.sheet.protect_with_options(&all_but_contents());
        }
        pale_unknown(self.sheet, self.last, self.styles)
    }

    fn reach(&mut self, (row, column): (u32, u16)) {
        self.last = (self.last.0.max(row), self.last.1.max(column));
    }

    /// A text, whatever it looks like.
    pub(crate) fn text(&mut self, at: (u32, u16), text: &str, format: &Format) -> Written {
        self.reach(at);
        self.sheet.write_string_with_format(at.0, at.1, shorten(text), format)?;
        Ok(())
    }

    pub(crate) fn plain(&mut self, at: (u32, u16), text: &str) -> Written {
        self.sheet.write_string(at.0, at.1, shorten(text))?;
        Ok(())
    }

    pub(crate) fn number(&mut self, at: (u32, u16), number: f64, format: &Format) -> Written {
        self.sheet.write_number_with_format(at.0, at.1, number, format)?;
        Ok(())
    }

    /// A number, or the sign for an unknown one.
    pub(crate) fn known(
        &mut self,
        at: (u32, u16),
        number: Option<f64>,
        format: &Format,
    ) -> Written {
        match number {
            Some(number) => self.number(at, number, format),
            None => {
                let styles = self.styles;
                self.text(at, UNKNOWN, &styles.absent)
            }
        }
    }

    /// A cell of a report.
    pub(crate) fn cell(&mut self, at: (u32, u16), cell: &Cell, format: &Format) -> Written {
        self.reach(at);
        write_cell(self.sheet, at, cell, format, self.styles)
    }

    /// A text across several columns.
    pub(crate) fn across(
        &mut self,
        row: u32,
        columns: (u16, u16),
        text: &str,
        format: &Format,
    ) -> Written {
        let text = shorten(text);
        self.sheet.merge_range(row, columns.0, row, columns.1, &text, format)?;
        Ok(())
    }

    pub(crate) fn blank(&mut self, at: (u32, u16), format: &Format) -> Written {
        self.sheet.write_blank(at.0, at.1, format)?;
        Ok(())
    }

    /// A formula, which may name cells by keys.
    pub(crate) fn formula(
        &mut self,
        at: (u32, u16),
        formula: impl AsRef<str>,
        value: impl Into<Computed>,
        format: &Format,
    ) -> Written {
        self.reach(at);
        let formula = Formula::new(self.places.formula(formula.as_ref(), None)?);
        let formula = formula.set_result(value.into().0);
        self.sheet.write_formula_with_format(at.0, at.1, formula, format)?;
        Ok(())
    }

    /// A formula over ranges that older spreadsheets compute only if told so.
    pub(crate) fn array_formula(
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

    /// Makes a row as high as its texts need, each in a place this many characters wide.
    pub(crate) fn high<'t>(
        &mut self,
        row: u32,
        texts: impl IntoIterator<Item = (&'t str, f64)>,
    ) -> Written {
        let most = texts.into_iter().map(|(text, width)| lines(text, width)).max();
        // Rows of a single line keep the height of the spreadsheet's font.
        if let Some(most) = most.filter(|&most| most > 1) {
            self.sheet.set_row_height(row, height(most))?;
        }
        Ok(())
    }

    /// A row of headings above numbers, from a column on.
    pub(crate) fn number_header(&mut self, row: u32, first: u16, names: &[&str]) -> Written {
        let styles = self.styles;
        for (column, name) in (first..).zip(names) {
            self.text((row, column), name, &styles.number_header)?;
        }
        Ok(())
    }

    /// A row of headings, from a column on.
    pub(crate) fn header(&mut self, row: u32, first: u16, names: &[&str]) -> Written {
        let styles = self.styles;
        for (column, name) in (first..).zip(names) {
            self.text((row, column), name, &styles.header)?;
        }
        self.sheet.set_row_height(row, height(2))?;
        Ok(())
    }
}

/// A text as the result of a formula: with a space at its end, if it would be taken for a
/// number, a truth value or an error, until the formula is computed anew.
fn text_result(text: &str) -> String {
    let text = shorten(text);
    let is_other = text.parse::<f64>().is_ok()
        || matches!(text.as_str(), "TRUE" | "FALSE")
        || text.starts_with('#');
    if is_other { text + " " } else { text }
}
