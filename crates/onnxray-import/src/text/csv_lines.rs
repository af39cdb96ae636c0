//! Lines and fields of a CSV that its writer did not quote, or that a
//! spreadsheet saved.
//!
//! A quote opens a quoted field only if the next lone quote ends the field;
//! anything else is text.

use onnxray_format::Position;

/// A line of the sheet; of several lines of the file if a field has line breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What is between the separators, or within the quotes.
    pub fields: Vec<String>,
    /// Where it begins.
    pub position: Position,
    /// Whether a line break follows.
    pub ended: bool,
}

/// All lines, their fields without the white space around them.
pub fn lines(text: &str, separator: char) -> Vec<Line> {
    let mut lines = whole_lines(text, separator);
    for field in lines.iter_mut().flat_map(|line| &mut line.fields) {
        let trimmed = field.trim();
        if trimmed.len() < field.len() {
            *field = trimmed.to_string();
        }
    }
    lines
}

/// All lines, with the white space that their fields have.
pub fn whole_lines(text: &str, separator: char) -> Vec<Line> {
    let mut lines = Vec::new();
    let (mut offset, mut number) = (0, 1);
    while offset < text.len() {
        let position = Position { line: number, byte: offset as u64 };
        let start = offset;
        let mut fields = Vec::new();
        let ended = loop {
            let (field, end) = field(text, offset, separator);
            fields.push(field);
            offset = end;
            match text[offset..].chars().next() {
                Some('\n') => break true,
                Some(next) => offset += next.len_utf8(),
                None => break false,
            }
        };
        offset += usize::from(ended);
        number += text[start..offset].matches('\n').count() as u64;
        lines.push(Line { fields, position, ended });
    }
    lines
}

/// The field that begins at `start`, and where what ends it stands.
fn field(text: &str, start: usize, separator: char) -> (String, usize) {
    let blank = |character: char| matches!(character, ' ' | '\t') && character != separator;
    let behind_blanks = text[start..].trim_start_matches(blank);
    if behind_blanks.starts_with('"')
        && let Some((field, end)) = quoted(text, text.len() - behind_blanks.len() + 1, separator)
    {
        return (field, end);
    }
    let end = text[start..].find([separator, '\n']).map_or(text.len(), |step| start + step);
    let field = &text[start..end];
    (field.strip_suffix('\r').unwrap_or(field).to_string(), end)
}

/// The text up to the quote that ends a field, its doubled quotes made single.
fn quoted(text: &str, mut offset: usize, separator: char) -> Option<(String, usize)> {
    let mut field = String::new();
    loop {
        let quote = offset + text.get(offset..)?.find('"')?;
        field.push_str(&text[offset..quote]);
        let behind = &text[quote + 1..];
        if behind.starts_with('"') {
            field.push('"');
            offset = quote + 2;
            continue;
        }
        let rest = behind.trim_start_matches(|c| matches!(c, ' ' | '\r') && c != separator);
        let ends = rest.is_empty() || rest.starts_with([separator, '\n']);
        return ends.then(|| (field, text.len() - rest.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, separator: char, expected: &[&[&str]]) {
        let found: Vec<Vec<String>> =
            lines(text, separator).into_iter().map(|line| line.fields).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn quotes_quote_only_where_they_can() {
        check(
            "a, 90%,\"=IF(N6=90%,B2,E2)\",=M6/O6\n",
            ',',
            &[&["a", "90%", "=IF(N6=90%,B2,E2)", "=M6/O6"]],
        );
        check(
            "x;\"116:0;641:0\";0,075\r\n;\r\n",
            ';',
            &[&["x", "116:0;641:0", "0,075"], &["", ""]],
        );
        check("a\"b,\"c,d\n\"e\"\"f\n\",g", ',', &[&["a\"b", "\"c", "d"], &["e\"f", "g"]]);
        check("\"open,1,\"=IF(2,3)\",4\n", ',', &[&["\"open", "1", "=IF(2,3)", "4"]]);
        check("a\t\tb\n", '\t', &[&["a", "", "b"]]);
    }

    #[test]
    fn fields_may_keep_their_white_space() {
        let lines = whole_lines("a , \" b\r\n \",\tc\r\n", ',');
        assert_eq!(lines[0].fields, ["a ", " b\r\n ", "\tc"]);
    }

    #[test]
    fn positions_count_line_breaks_in_fields() {
        let lines = lines("a\n\"b\nc\",d\ne", ',');
        let positions: Vec<(u64, u64)> =
            lines.iter().map(|line| (line.position.line, line.position.byte)).collect();
        assert_eq!(positions, [(1, 0), (2, 2), (4, 10)]);
        assert!(lines[1].ended && !lines[2].ended);
    }
}
