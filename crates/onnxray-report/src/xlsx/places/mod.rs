//! Places of tables in a workbook, and formulas that name cells by keys.
//!
//! Formulas are written before anything has a place. Brackets hold a place:
//!
//! ```text
//! [key]  C7     [$key]  $C7           the cell of this row
//! [key#2]  E7   [$key#]  $C7:$G7      one, or all, of the columns of a key
//! [key:row]  C4 [$key:row]  $C4       a row with a key
//! [key^]  C$3   [$key#^]  $C$3:$G$3   headings
//! [key*]  C4:C9 [$key*]  $C$4:$C$9    all rows
//! [$key+]  $C$3:$C$9                  all rows and the heading
//! [!table.key]  'Sheet'!$C$3:$G$9     all columns of a key, from other sheets
//! [!table.key*], [!table.key:row]     rows, or a cell, from other sheets
//! ```
//!
//! Each may begin with the key of another table, as `[table.key*]` does. Rows without keys
//! have numbers, and `:1:3` is a range of them. `[:name]` is a cell with a name.

pub(crate) mod address;
mod layout;

pub(crate) use layout::Layout;

use crate::document::Table;
use address::column;
use rust_xlsxwriter::XlsxError;

/// The tables of a workbook by key.
#[derive(Default)]
pub(crate) struct Places<'a> {
    tables: Vec<(&'a Table, Layout)>,
    cells: Vec<(&'static str, String)>,
}

/// Table and row of a formula.
pub(crate) type Here<'a> = Option<(&'a Layout, usize)>;

/// A table and its place on its sheet.
pub(crate) type LaidOutTable<'p> = (&'p Table, &'p Layout);

impl<'a> Places<'a> {
    /// Puts a table on a sheet, with its leftmost heading in a place, and returns its last row.
    pub(crate) fn put(&mut self, table: &'a Table, sheet: &str, heading: (u32, u16)) -> u32 {
        let layout = Layout::of(table, sheet, heading);
        let last = layout.last_row();
        self.lay_out(table, layout);
        last
    }

    /// Knows a table by its place.
    pub(crate) fn lay_out(&mut self, table: &'a Table, layout: Layout) {
        self.tables.push((table, layout));
    }

    /// Names a cell.
    pub(crate) fn name(&mut self, name: &'static str, cell: String) {
        self.cells.push((name, cell));
    }

    /// The table with a key.
    pub(crate) fn get(&self, key: &str) -> Result<LaidOutTable<'_>, XlsxError> {
        let placed = self.tables.iter().find(|(table, _)| table.key == key);
        placed.map(|(table, layout)| (*table, layout)).ok_or_else(|| unknown(key))
    }

    /// Place of a table.
    pub(crate) fn of(&self, key: &str) -> Result<&Layout, XlsxError> {
        Ok(self.get(key)?.1)
    }

    /// A formula with the places of the cells that it names.
    pub(crate) fn formula(&self, formula: &str, here: Here) -> Result<String, XlsxError> {
        let mut parts = formula.split('[');
        let mut resolved = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let (place, rest) = part.split_once(']').ok_or_else(|| unknown(part))?;
            self.place(place, here, &mut resolved)?;
            resolved += rest;
        }
        Ok(resolved)
    }

    /// Adds a place to a formula.
    fn place(&self, text: &str, here: Here, formula: &mut String) -> Result<(), XlsxError> {
        if let Some(name) = text.strip_prefix(':') {
            let cell = self.cells.iter().find(|(known, _)| *known == name);
            let (_, cell) = cell.ok_or_else(|| unknown(text))?;
            formula.push_str(cell);
            return Ok(());
        }
        // `!` asks for the sheet's name, `table.` for another table of any sheet.
        let is_elsewhere = text.starts_with('!');
        let inside = text.trim_start_matches('!');
        let (layout, inside) = match inside.split_once('.') {
            Some((table, inside)) => (self.of(table)?, inside),
            None => (here.ok_or_else(|| unknown(text))?.0, inside),
        };
        let is_fixed = is_elsewhere || inside.starts_with('$');
        let inside = inside.trim_start_matches('$');
        // key#position mark :row :last_row
        let mut parts = inside.split(':');
        let inside = parts.next().unwrap_or_default();
        let mut rows = parts.map(|row| layout.row_of(row).map(|row| layout.row(row)));
        let (row, last_row) = (rows.next().transpose()?, rows.next().transpose()?);
        let key_of = inside.trim_end_matches(['^', '*', '+']);
        let mark = &inside[key_of.len()..];
        let (key, position) = key_of.split_once('#').map_or((key_of, None), |(k, p)| (k, Some(p)));
        let is_whole = is_elsewhere && mark.is_empty() && row.is_none();
        // Columns: all of the key from another sheet or by `#`, else one.
        let (first, last) = layout.columns(key)?;
        let (first, last) = match position {
            None if is_whole => (first, last),
            Some("") => (first, last),
            None => (first, first),
            Some(position) => {
                let nth = first + position.parse::<u16>().map_err(|_| unknown(text))?;
                (nth, nth)
            }
        };
        // Rows: those that are named, those of the mark, or the formula's own.
        let (top, bottom) = match (row, mark, here) {
            (Some(row), ..) => (row, last_row.unwrap_or(row)),
            (_, "^", _) => (layout.header(), layout.header()),
            (_, "*", _) => (layout.row(0), layout.last_row()),
            _ if is_whole || mark == "+" => (layout.header(), layout.last_row()),
            (.., Some((_, row))) => (layout.row(row), layout.row(row)),
            _ => return Err(unknown(text)),
        };
        // `$C4` moves down with its row when cells are copied or sorted; `$C$4` does not.
        let is_row_fixed = is_elsewhere || mark == "^" || (is_fixed && !mark.is_empty());
        let [across, down] = [is_fixed, is_row_fixed].map(|is| if is { "$" } else { "" });
        if is_elsewhere {
            formula.extend(["'", layout.sheet(), "'!"]);
        }
        let is_range =
            is_whole || last_row.is_some() || position == Some("") || matches!(mark, "*" | "+");
        let cells = if is_range { &[(top, first), (bottom, last)][..] } else { &[(top, first)] };
        for (position, (row, number)) in cells.iter().enumerate() {
            let colon = if position > 0 { ":" } else { "" };
            let row = (row + 1).to_string();
            formula.extend([colon, across, &column(*number), down, &row]);
        }
        Ok(())
    }
}

/// A place that the workbook does not have.
fn unknown(place: &str) -> XlsxError {
    XlsxError::ParameterError(format!("the workbook has no place {place}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{CellStyle, TableColumn};

    #[test]
    fn keys_become_addresses_and_unknown_ones_errors() -> Result<(), XlsxError> {
        let column = |key| TableColumn::live(key, "", CellStyle::Text, [(); 3].map(|()| None));
        let columns = ["name", "level", "level"].map(column);
        let table = Table::made("ratios", columns.into(), 3).with_rows(["a", "b", "c"]);
        let mut places = Places::default();
        places.put(&table, "Ratios", (1, 1));
        places.name("target", "$A$1".to_string());
        let here = Some((places.of("ratios")?, 1));
        for (named, expected) in [
            ("=[name]&[$name]", "=B4&$B4"),
            ("=[level#1]+SUM([$level#])", "=D4+SUM($C4:$D4)"),
            ("=[name:c]&[$name:2]", "=B5&$B5"),
            ("=[level^]+SUM([$level#^])", "=C$2+SUM($C$2:$D$2)"),
            ("=SUM([name*],[$name*],[$name+])", "=SUM(B3:B5,$B$3:$B$5,$B$2:$B$5)"),
            ("=INDEX([!ratios.level],1,1)", "=INDEX('Ratios'!$C$2:$D$5,1,1)"),
            (
                "=SUM([!ratios.name*],[!ratios.name:0:1])",
                "=SUM('Ratios'!$B$3:$B$5,'Ratios'!$B$3:$B$4)",
            ),
            ("=[!ratios.name:a]+[:target]", "='Ratios'!$B$3+$A$1"),
        ] {
            assert_eq!(places.formula(named, here)?, expected);
        }
        for unknown in ["=[nothing]", "=[name:z]", "=[!other.name]", "=[:other]", "=[name"] {
            assert!(places.formula(unknown, here).is_err(), "{unknown}");
        }
        assert!(places.formula("=[ratios.name]", None).is_err());
        Ok(())
    }
}
