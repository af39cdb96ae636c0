//! References of formulas to cells and ranges: `B7`, `$B$7:C9`, `B:B`.

use super::book::cell_name;

/// What spreadsheets have at most.
pub(crate) const LAST_ROW: u32 = 1_048_575;
pub(crate) const LAST_COLUMN: u32 = 16_383;

/// How far a formula stands from the cell that it was written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shift {
    pub(crate) rows: i64,
    pub(crate) columns: i64,
}

/// A cell as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    row: Coordinate,
    column: Coordinate,
}

/// A row or a column.
#[derive(Clone, Copy, Debug)]
struct Coordinate {
    place: u32,
    /// Whether a dollar sign keeps it in place.
    fixed: bool,
}

impl Corner {
    /// Row and column that it points at.
    pub(crate) fn moved(self, shift: Shift) -> Result<(u32, u32), String> {
        Ok((self.row.moved(shift.rows, LAST_ROW)?, self.column.moved(shift.columns, LAST_COLUMN)?))
    }
}

impl Coordinate {
    fn moved(self, by: i64, last: u32) -> Result<u32, String> {
        let by = if self.fixed { 0 } else { by };
        let place = u32::try_from(i64::from(self.place).saturating_add(by)).ok();
        place.filter(|&place| place <= last).ok_or_else(|| {
            format!("refers to a cell outside of A1 to {}", cell_name(LAST_ROW, LAST_COLUMN))
        })
    }
}

/// A cell: `$B$7`.
pub(crate) fn cell(word: &str) -> Option<Corner> {
    let (row, column) = corner(word)?;
    Some(Corner { row: row?, column })
}

/// Upper left and lower right cell of a range: `B7:C9`, or `B:C` of whole columns.
pub(crate) type Corners = ((u32, u32), (u32, u32));

/// Where a range is; `None` if these are no corners of one.
pub(crate) fn range(first: &str, second: &str, shift: Shift) -> Option<Result<Corners, String>> {
    let fixed = |place| Coordinate { place, fixed: true };
    let ((top, left), (bottom, right)) = (corner(first)?, corner(second)?);
    let (top, bottom) = match (top, bottom) {
        (Some(top), Some(bottom)) => (top, bottom),
        (None, None) => (fixed(0), fixed(LAST_ROW)),
        _ => return None,
    };
    let first = Corner { row: top, column: left }.moved(shift);
    let second = Corner { row: bottom, column: right }.moved(shift);
    Some(first.and_then(|a| {
        let b = second?;
        Ok(((a.0.min(b.0), a.1.min(b.1)), (a.0.max(b.0), a.1.max(b.1))))
    }))
}

/// `$B$7`, or `B` of a whole column.
fn corner(word: &str) -> Option<(Option<Coordinate>, Coordinate)> {
    let (fixed_column, word) = sign(word);
    let length = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (letters, row) = word.split_at(length);
    if !(1..=3).contains(&length) {
        return None;
    }
    let value = |letter: u8| u32::from(letter.to_ascii_uppercase() - b'A') + 1;
    let column = letters.bytes().fold(0, |column, letter| column * 26 + value(letter));
    let column = Coordinate { place: column - 1, fixed: fixed_column };
    if row.is_empty() {
        return Some((None, column));
    }
    let (fixed, digits) = sign(row);
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
    let row: u32 = digits.parse().ok().filter(|row| plain && *row > 0)?;
    Some((Some(Coordinate { place: row - 1, fixed }), column))
}

fn sign(word: &str) -> (bool, &str) {
    match word.strip_prefix('$') {
        Some(word) => (true, word),
        None => (false, word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_move_unless_a_dollar_sign_keeps_them() {
        let shift = Shift { rows: 2, columns: 1 };
        for (word, row, column) in
            [("B7", 8, 2), ("$B$7", 6, 1), ("b$7", 6, 2), ("$XFC7", 8, 16_382)]
        {
            assert_eq!(cell(word).unwrap().moved(shift), Ok((row, column)), "{word}");
        }
        assert_eq!(range("C9", "$B7", shift), Some(Ok(((8, 1), (10, 3)))));
        assert_eq!(range("B", "$D", shift), Some(Ok(((0, 2), (LAST_ROW, 3)))));
        let outside = "refers to a cell outside of A1 to XFD1048576".to_string();
        assert_eq!(cell("XFD1").unwrap().moved(shift), Err(outside.clone()));
        assert_eq!(range("A1", "XFD1", shift), Some(Err(outside)));
        assert!(cell("B7").unwrap().moved(Shift { rows: -7, columns: 0 }).is_err());
        assert_eq!(range("B7", "C", shift), None);
    }

    #[test]
    fn names_are_no_references() {
        for word in ["", "$", "B", "ABCD1", "B0", "B7x", "B+7", "B99999999999", "1", "rate"] {
            assert!(cell(word).is_none(), "{word}");
        }
    }
}
