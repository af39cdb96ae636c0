//! Lines of a report. None is wrapped: what matters least is left out.

use super::shorten::shorten;
use super::style::TextStyle;
use crate::document::{Line, Lines, Part, side_by_side};
use onnxray_text::printable;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Between the name of a line and what it says.
const PARTS: &str = "   ";

/// Writes lines under each other; one without a name is a title.
pub(super) fn write(lines: &Lines, style: TextStyle, out: &mut impl Write) -> io::Result<()> {
    let names = lines.lines.iter().map(|line| line.name.width()).max().unwrap_or(0) + PARTS.len();
    lines.lines.iter().try_for_each(|line| match line.name {
        "" => writeln!(out, "{}", style.title(&joined(line, 0, style))),
        name => {
            let padding = " ".repeat(names - name.width());
            writeln!(out, "{}{padding}{}", style.title(name), joined(line, names, style))
        }
    })
}

/// The parts of a line, of which those that matter least are left out until it fits; one stays.
fn joined(line: &Line, indent: usize, style: TextStyle) -> String {
    let Some(width) = style.width() else { return shown(&line.parts) };
    let room = width.saturating_sub(indent);
    let mut parts = line.parts.clone();
    while shown(&parts).width() > room {
        let can_go = parts.iter().enumerate().filter(|(_, part)| part.rank > 0);
        // Of parts of one rank, the last goes first.
        match can_go.max_by_key(|(place, part)| (part.rank, *place)).map(|(place, _)| place) {
            Some(place) => drop(parts.remove(place)),
            None => return shorten(&[shown(&parts)], room).concat(),
        }
    }
    // All could go: the first one that fits alone beats an empty line.
    if parts.is_empty() {
        let fits = |part: &&Part| part.text.width() <= room;
        parts.extend(line.parts.iter().find(fits).cloned());
    }
    shown(&parts)
}

fn shown(parts: &[Part]) -> String {
    printable(&side_by_side(parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_up_what_matters_least() {
        let line = Line::new("")
            .part(0, "model".to_string())
            .part(2, "engine".to_string())
            .behind(", ", 3, "1 thread".to_string())
            .part(1, "10 iterations".to_string());
        let at = |width| joined(&line, 0, TextStyle { width: Some(width), ..TextStyle::default() });
        assert_eq!(at(60), "model   engine, 1 thread   10 iterations");
        assert_eq!(at(39), "model   engine   10 iterations");
        assert_eq!(at(29), "model   10 iterations");
        assert_eq!(at(20), "model");
    }
}
