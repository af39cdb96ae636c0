//! Names as cells of a workbook hold them: whatever a name is, its cell can be read again.
//!
//! Characters that no cell keeps, or that would be read as something else, are escaped as in
//! tables on a terminal: `\u{1b}`. Spreadsheets keep that when they save the workbook.

use super::heading;
use super::matching::{begins, is};
use crate::printable::short_name;
use onnxray_text::is_hidden;

/// Words by which tables and their ends are found on any sheet: no name is written as one of
/// them,
const WHOLE: [&str; 4] =
    [heading::WEIGHT_SHAPE, heading::OPERATOR_NAME, heading::OPERATOR_TYPE, heading::TOTAL];
/// nor with one of these at its beginning.
const BEGINNINGS: [&str; 2] = [heading::MODEL_TARGET, heading::TOTAL_LATENCY];

/// A name as a cell holds it.
pub fn in_cell(name: &str) -> String {
    let name = &*short_name(name);
    if name.is_empty() {
        // Decodes to nothing; an empty cell would not be a name.
        return "\\u{}".to_string();
    }
    // One escaped letter is enough for a heading not to be found here.
    let is_reserved = WHOLE.iter().any(|words| is(name, words))
        || BEGINNINGS.iter().any(|words| begins(name, words));
    // Readers trim cells: white space at the ends is escaped.
    let outer = name.len() - name.trim_start().len()..name.trim_end().len();
    let mut cell = String::with_capacity(name.len());
    for (at, letter) in name.char_indices() {
        let rest = &name[at..];
        let is_kept = !is_hidden(letter) || matches!(letter, '\n' | '\t');
        // What looks like an escape would come back as another letter.
        let is_escape = is_escape(rest) || is_spreadsheet_escape(rest);
        if is_kept && !is_escape && outer.contains(&at) && !(is_reserved && at == outer.start) {
            cell.push(letter);
        } else {
            cell.extend(letter.escape_unicode());
        }
    }
    cell
}

/// The name in a cell; white space around it is not its own.
pub(crate) fn from_cell(cell: &str) -> String {
    let mut rest = cell.trim();
    let mut name = String::with_capacity(rest.len());
    while let Some(start) = rest.find("\\u{") {
        let (before, escape) = rest.split_at(start);
        name.push_str(before);
        match escaped(escape) {
            Some((letter, length)) => {
                name.extend(letter);
                rest = &escape[length..];
            }
            None => {
                // Not an escape: the backslash is part of the name.
                name.push('\\');
                rest = &escape[1..];
            }
        }
    }
    name + rest
}

/// Decoded letter and length of an escape; `\u{}` decodes to nothing.
fn escaped(text: &str) -> Option<(Option<char>, usize)> {
    let (digits, _) = text.strip_prefix("\\u{")?.split_once('}')?;
    let length = digits.len() + "\\u{}".len();
    if digits.is_empty() {
        return Some((None, length));
    }
    // `from_str_radix` would take a sign, too, and more zeros.
    let is_number = digits.len() <= 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((Some(char::from_u32(number)?), length))
}

fn is_escape(text: &str) -> bool {
    escaped(text).is_some()
}

/// True at a spreadsheet's escape of a letter that XML cannot hold: `_x001B_`. openpyxl drops
/// `x005F_`, the escape of its first character, anywhere in a text.
fn is_spreadsheet_escape(text: &str) -> bool {
    text.starts_with("x005F_")
        || matches!(text.as_bytes(), [b'_', b'x', a, b, c, d, b'_', ..]
        if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_read_as_the_name_that_it_holds() {
        for (name, cell) in [
            ("/head/MatMul", "/head/MatMul"),
            ("", "\\u{}"),
            (" a b ", "\\u{20}a b\\u{20}"),
            (" \n", "\\u{20}\\u{a}"),
            ("a\u{1b}\n\r\u{202e}b", "a\\u{1b}\n\\u{d}\\u{202e}b"),
            ("\\u{1b}", "\\u{5c}u{1b}"),
            ("\\u{zz}\\u{", "\\u{zz}\\u{"),
            ("_x0041__x0042_", "\\u{5f}x0041_\\u{5f}x0042_"),
            ("_x005F_", "\\u{5f}\\u{78}005F_"),
            ("Total", "\\u{54}otal"),
            ("_total", "\\u{5f}total"),
            ("total_latency x", "\\u{74}otal_latency x"),
            ("totals", "totals"),
            ("=1+1", "=1+1"),
        ] {
            assert_eq!(in_cell(name), cell);
            assert_eq!(from_cell(cell), name);
        }
        assert_eq!(from_cell(" typed "), "typed");
    }

    #[test]
    fn every_cell_has_room_for_its_name() {
        for letter in ['\u{1}', '\u{feff}', '😀', 'a', ' '] {
            for length in [1, 3999, 4000, 40_000] {
                let name: String = std::iter::repeat_n(letter, length).collect();
                let cell = in_cell(&name);
                assert!(cell.encode_utf16().count() <= 32_767);
                assert_eq!(from_cell(&cell), short_name(&name), "{length} times {letter:?}");
            }
        }
    }
}
