//! Heights of rows: spreadsheets do not fit rows to their texts when they open a file.

/// Points of a line of text, and of what surrounds the lines.
const LINE: f64 = 15.0;
const AROUND: f64 = 3.0;
/// Lines of the highest row that a sheet can have.
const MOST_LINES: usize = 26;

/// Lines that a text is broken into in a column this many characters wide.
///
/// Fonts differ between spreadsheets, so a line holds a tenth less than it could.
pub(crate) fn lines(text: &str, width: f64) -> usize {
    let room = ((width * 0.9) as usize).max(1);
    text.split('\n').map(|line| broken(line, room)).sum()
}

/// Lines of a text without line breaks; a word that is too long is broken itself.
fn broken(text: &str, room: usize) -> usize {
    let (mut lines, mut used) = (1, 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length <= room {
            used += 1 + length;
            continue;
        }
        if used > 0 {
            lines += 1;
        }
        // A word that is longer than a line goes on in the next ones.
        lines += length.saturating_sub(1) / room;
        used = if length == 0 { 0 } else { (length - 1) % room + 1 };
    }
    lines
}

/// The height of a row with this many lines, in points.
pub(crate) fn height(lines: usize) -> f64 {
    AROUND + LINE * lines.clamp(1, MOST_LINES) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_between_words_where_that_is_possible() {
        for (text, width, expected) in [
            ("", 10.0, 1),
            ("short", 10.0, 1),
            ("two words", 10.0, 1),
            ("three short words", 10.0, 3),
            ("averylongwordwithoutend", 10.0, 3),
            ("a averylongwordwithoutend", 10.0, 4),
            ("one\ntwo", 10.0, 2),
        ] {
            assert_eq!(lines(text, width), expected, "{text}");
        }
        assert!(height(1) < height(2) && height(1_000_000) < 409.0);
    }
}
