//! The first screen of a recording: one line each, tables without a rule, titles above names.

use super::super::people::{self, Shown, ShownColumn};
use super::fit;
use super::shorten::shorten;
use super::style::TextStyle;
use super::{aligned, write_line};
use crate::content::first_screen::FirstScreen;
use crate::document::{Line, Part, Table, TimeUnit};
use onnxray_text::printable;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Between the name of a line and what it says.
const PARTS: &str = "   ";
/// Between words of a heading, which stays in one line.
const NO_BREAK: char = '\u{a0}';

/// Writes the first screen. No line is wrapped: what matters least is left out.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_first_screen(
    screen: &FirstScreen,
    style: TextStyle,
    mut out: impl Write,
) -> io::Result<()> {
    if !screen.run.parts.is_empty() {
        writeln!(out, "{}\n", style.title(&joined(&screen.run, 0, style)))?;
    }
    let names = screen.lines.iter().chain([&screen.next]).map(|line| line.name.width());
    let names = names.max().unwrap_or(0) + PARTS.len();
    let mut write = |line: &Line| {
        let padding = " ".repeat(names - line.name.width());
        writeln!(out, "{}{padding}{}", style.title(line.name), joined(line, names, style))
    };
    screen.lines.iter().try_for_each(&mut write)?;
    for table in screen.types.iter().chain(&screen.operators) {
        writeln!(out)?;
        write_compact(table, screen.unit, style, &mut out)?;
    }
    if screen.next.parts.is_empty() {
        return Ok(());
    }
    // 7: the name `Next` and the blanks after it.
    writeln!(out, "\n{}{PARTS}{}", style.title(screen.next.name), joined(&screen.next, 7, style))
}

/// The parts of a line, of which those that matter least are left out until it fits; one stays.
fn joined(line: &Line, indent: usize, style: TextStyle) -> String {
    let Some(width) = style.width() else { return side_by_side(&line.parts) };
    let room = width.saturating_sub(indent);
    let mut parts = line.parts.clone();
    while side_by_side(&parts).width() > room {
        let can_go = parts.iter().enumerate().filter(|(_, part)| part.rank > 0);
        // Of parts of one rank, the last goes first.
        match can_go.max_by_key(|(place, part)| (part.rank, *place)).map(|(place, _)| place) {
            Some(place) => drop(parts.remove(place)),
            None => return shorten(&[side_by_side(&parts)], room).concat(),
        }
    }
    // All could go: the first one that fits alone beats an empty line.
    if parts.is_empty() {
        let fits = |part: &&Part| part.text.width() <= room;
        parts.extend(line.parts.iter().find(fits).cloned());
    }
    side_by_side(&parts)
}

fn side_by_side(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        text.push_str(if text.is_empty() { "" } else { part.between });
        text.push_str(&printable(&part.text));
    }
    text
}

fn write_compact(
    table: &Table,
    unit: TimeUnit,
    style: TextStyle,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut shown = people::table_in(table, Some(unit));
    title_above_names(&mut shown, table);
    let widths = fit::fit(&shown.columns, style.width());
    let mut columns: Vec<(ShownColumn, usize)> = Vec::new();
    for (mut column, width) in shown.columns.into_iter().zip(widths) {
        let Some(width) = width else { continue };
        // Bars can be drawn only once their width is known.
        if let Some(shares) = &column.bars {
            column.cells = shares.iter().map(|share| bar(*share, width)).collect();
        } else if column.is_text {
            column.cells = shorten(&column.cells, width);
        }
        columns.push((column, width));
    }
    let headings = columns.iter().map(|(column, width)| {
        let heading = column.heading.replace(NO_BREAK, " ");
        aligned(&heading, style.title(&heading), column.is_text, *width)
    });
    write_line(headings, out)?;
    for row in 0..columns.first().map_or(0, |(column, _)| column.cells.len()) {
        let cells = columns.iter().map(|(column, width)| {
            let cell = column.cells[row].as_str();
            let accent = match shown.others == Some(row) {
                true => people::Accent::Faint,
                false => column.accents[row],
            };
            aligned(cell, style.accented(cell, accent), column.is_text, *width)
        });
        write_line(cells, out)?;
    }
    Ok(())
}

/// The title takes the place of the first heading; the row of the others says how to see them.
fn title_above_names(shown: &mut Shown, table: &Table) {
    for column in &mut shown.columns {
        // `fit` breaks headings at blanks; these stay in one line.
        column.heading = column.heading.replace(' ', &NO_BREAK.to_string());
    }
    let Some(names) = shown.columns.iter_mut().find(|column| column.is_text) else { return };
    names.heading = table.title.replace(' ', &NO_BREAK.to_string());
    if let Some(others) = shown.others.and_then(|row| names.cells.get_mut(row)) {
        *others = format!("{} more (--all)", table.left_out);
    }
}

/// A share of this many cells, to the eighth.
fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * width as f64).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_shares_of_their_width() {
        let bars = [0.0, 0.004, 0.5, 0.51, 1.0, 1.7, -0.3].map(|share| bar(share, 10));
        assert_eq!(bars, ["", "", "█████", "█████▏", "██████████", "██████████", ""]);
    }

    #[test]
    fn a_line_gives_up_what_matters_least() {
        let line = Line::new("")
            .part(0, "model".to_string())
            .part(2, "engine".to_string())
            .behind(", ", 3, "1 thread".to_string())
            .part(1, "10 iterations".to_string());
        let at = |width| joined(&line, 0, TextStyle { width: Some(width), color: false });
        assert_eq!(at(60), "model   engine, 1 thread   10 iterations");
        assert_eq!(at(39), "model   engine   10 iterations");
        assert_eq!(at(29), "model   10 iterations");
        assert_eq!(at(20), "model");
    }
}
