//! CSV that stays data: names that no spreadsheet evaluates, and fields that none cuts.
//!
//! Which letter parts fields is a matter of the spreadsheet's language, and one that cuts
//! at `;` does not see the quotes of fields between commas. So a name is looked at in the
//! pieces that any spreadsheet could cut it into.

use std::borrow::Cow;
use std::io::{self, Write};

/// Ends of a field or line in some spreadsheet, quoted or not. Commas are not among them: a field
/// that has one is quoted, which counts there.
const ENDS: [char; 5] = [';', '\t', '|', '\n', '\r'];

/// Text that a spreadsheet shows and does not evaluate: quoting alone does not keep it
/// from taking `=…` for a formula, an apostrophe in front does. [`unmarked`] takes it off.
pub fn marked(text: &str) -> Cow<'_, str> {
    if !text.split(ENDS).any(needs_mark) {
        return Cow::Borrowed(text);
    }
    let mut marked = String::with_capacity(text.len() + 4);
    for piece in text.split_inclusive(ENDS) {
        if needs_mark(piece) {
            marked.push('\'');
        }
        marked.push_str(piece);
    }
    Cow::Owned(marked)
}

/// The text of which [`marked`] made this one.
pub fn unmarked(text: &str) -> Cow<'_, str> {
    if !text.contains('\'') {
        return Cow::Borrowed(text);
    }
    let without_mark = |piece| match str::strip_prefix(piece, '\'') {
        Some(rest) if needs_mark(rest) => rest,
        _ => piece,
    };
    Cow::Owned(text.split_inclusive(ENDS).map(without_mark).collect())
}

/// Whether a piece gets an apostrophe: also if it has some already, so that the way back is unique.
fn needs_mark(piece: &str) -> bool {
    // What spreadsheets pass over in front of a formula.
    let is_passed_over = |letter: char| {
        letter.is_whitespace()
            || letter.is_control()
            || matches!(letter, '"' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    };
    let formula = piece.trim_start_matches('\'').trim_start_matches(is_passed_over);
    // The full-width ones are the same to a spreadsheet in Japanese.
    formula.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\u{2212}'])
}

/// Writes a line. A field is in quotes where it must be, and where it has what another
/// program could take for its end.
///
/// # Errors
///
/// If `out` cannot be written.
pub fn write_record<T: AsRef<str>>(
    mut out: impl Write,
    fields: impl IntoIterator<Item = T>,
) -> io::Result<()> {
    let mut count = 0;
    let mut is_empty = true;
    for field in fields {
        let field = field.as_ref();
        if count > 0 {
            out.write_all(b",")?;
        }
        if field.contains([',', '"', ';', '\t', '|', '\n', '\r']) {
            write!(out, "\"{}\"", field.replace('"', "\"\""))?;
        } else {
            out.write_all(field.as_bytes())?;
        }
        is_empty &= field.is_empty();
        count += 1;
    }
    if count == 1 && is_empty {
        // An empty line would be none.
        out.write_all(b"\"\"")?;
    }
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_piece_is_a_formula_and_the_way_back_is_the_only_one() {
        let check = |text: &str, expected: &str| {
            assert_eq!(marked(text), expected);
            assert_eq!(unmarked(expected), text);
        };
        check("/head/MatMul", "/head/MatMul");
        check("=1", "'=1");
        check("'=1", "''=1");
        check("'a'", "'a'");
        check("x;=1+1;y", "x;'=1+1;y");
        check("x;\"=1+1;y", "x;'\"=1+1;y");
        check("a\t+1|@b\r\n -c", "a\t'+1|'@b\r\n' -c");
        check("＝1;＋2;－3;＠4", "'＝1;'＋2;'－3;'＠4");
        check("\u{feff}\u{1}=1", "'\u{feff}\u{1}=1");
        check("a-b=c", "a-b=c");
        check("", "");
    }

    /// All texts of up to five of the letters that matter.
    #[test]
    fn what_was_marked_is_read_back() {
        let letters = ['=', '\'', ';', '\n', ' ', '"', 'a'];
        let mut texts = vec![String::new()];
        let mut first = 0;
        for _ in 0..5 {
            let end = texts.len();
            for index in first..end {
                for letter in letters {
                    texts.push(format!("{}{letter}", texts[index]));
                }
            }
            first = end;
        }
        for text in texts {
            let field = marked(&text);
            assert_eq!(unmarked(&field), text);
            assert!(!field.split(ENDS).any(|piece| piece.trim_start().starts_with('=')), "{text}");
        }
    }

    #[test]
    fn records_are_read_back() {
        let records = [vec!["a", "b;c", "d,\"e\"\r\nf", ""], vec![""], vec!["", ""], vec![" x "]];
        let mut out = Vec::new();
        records.iter().for_each(|record| write_record(&mut out, record).unwrap());
        let text = String::from_utf8(out.clone()).unwrap();
        assert!(text.starts_with("a,\"b;c\",\"d,"), "{text}");
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&out[..]);
        let read: Vec<Vec<String>> = reader
            .records()
            .map(|record| record.unwrap().iter().map(str::to_string).collect())
            .collect();
        assert_eq!(read, records);
    }
}
