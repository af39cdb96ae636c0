//! Reports for a terminal: aligned columns.

use crate::printable::{printable, probability};
use crate::report::document::{Block, Cell, Document, Figures, Notes, Table, Unit};
use std::io::{self, Write};

/// Writes a report as aligned columns. Charts are left out: their tables
/// have the numbers.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_text(document: &Document, mut out: impl Write) -> io::Result<()> {
    for line in &document.headline {
        writeln!(out, "{}", printable(line))?;
    }
    let mut first = document.headline.is_empty();
    for block in document.blocks.iter().filter(|block| !matches!(block, Block::Chart(_))) {
        if !std::mem::take(&mut first) {
            writeln!(out)?;
        }
        match block {
            Block::Figures(figures) => write_figures(figures, &mut out)?,
            Block::Table(table) => write_table(table, &mut out)?,
            Block::Notes(notes) => write_notes(notes, &mut out)?,
            // A terminal cannot draw; the chart's table has its numbers.
            Block::Chart(_) => {}
        }
    }
    Ok(())
}

/// Notes are sentences; columns would not help them.
fn write_notes(notes: &Notes, out: &mut impl Write) -> io::Result<()> {
    notes.notes.iter().try_for_each(|note| writeln!(out, "{note}"))
}

/// Names and values need no heading.
fn write_figures(figures: &Figures, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", figures.title)?;
    let names = figures.figures.iter().map(|figure| figure.heading.heading.to_string());
    let values = figures.figures.iter().map(|figure| show(&figure.value, Unit::Text));
    write_columns(&[(Unit::Text, names.collect()), (Unit::Text, values.collect())], out)
}

fn write_table(table: &Table, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", table.title)?;
    let columns: Vec<(Unit, Vec<String>)> = table
        .shown()
        .map(|column| {
            let unit = column.heading.unit;
            let mut lines = vec![column.heading.heading.to_string(), String::new()];
            lines.extend(column.cells.iter().map(|cell| show(cell, unit)));
            let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
            lines[1] = "─".repeat(width);
            (unit, lines)
        })
        .collect();
    write_columns(&columns, out)?;
    if table.left_out > 0 {
        writeln!(out, "… and {} more; --all shows them", table.left_out)?;
    }
    Ok(())
}

/// Writes the lines of columns side by side: texts to the left, numbers to the right.
fn write_columns(columns: &[(Unit, Vec<String>)], out: &mut impl Write) -> io::Result<()> {
    let width = |lines: &Vec<String>| lines.iter().map(|line| line.chars().count()).max();
    let widths: Vec<usize> =
        columns.iter().map(|(_, lines)| width(lines).unwrap_or_default()).collect();
    for row in 0..columns.first().map_or(0, |(_, lines)| lines.len()) {
        let mut line = String::new();
        for (index, ((unit, lines), width)) in columns.iter().zip(&widths).enumerate() {
            if index > 0 {
                line.push_str("  ");
            }
            let padding = " ".repeat(width - lines[row].chars().count());
            match unit {
                Unit::Text => line.extend([lines[row].as_str(), padding.as_str()]),
                _ => line.extend([padding.as_str(), lines[row].as_str()]),
            }
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A cell as a person reads it: three to four digits that matter.
pub(crate) fn show(cell: &Cell, unit: Unit) -> String {
    match (cell, unit) {
        (Cell::Text(text), _) => printable(text),
        (Cell::Label { text, .. }, _) => text.to_string(),
        (Cell::Unknown, _) => "unknown".to_string(),
        (Cell::None, _) => String::new(),
        (Cell::Whole(value), Unit::Quantity) => quantity(*value as f64),
        (Cell::Whole(value), _) => value.to_string(),
        (Cell::Number(value), Unit::Quantity) => quantity(*value),
        (Cell::Number(value), Unit::Share) => format!("{:.1} %", value * 100.0),
        (Cell::Number(value), Unit::Milliseconds | Unit::Ratio) => format!("{value:.3}"),
        (Cell::Number(value), Unit::Probability) => probability(*value),
        (Cell::Number(value), _) => number(*value),
    }
}

fn number(value: f64) -> String {
    let size = value.abs();
    if value.fract() == 0.0 && size < 1e15 {
        format!("{value:.0}")
    } else if size >= 1000.0 {
        format!("{value:.1}")
    } else if size >= 1.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.4}")
    }
}

fn quantity(value: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    match UNITS.iter().find(|(size, _)| value.abs() >= *size) {
        Some((size, unit)) => format!("{:.2}{unit}", value / size),
        None => number(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_command_the_terminal() {
        let cell = Cell::text("a\x1b[31m\n\u{202e}b");
        assert_eq!(show(&cell, Unit::Text), "a\\u{1b}[31m\\n\\u{202e}b");
    }

    #[test]
    fn numbers_are_short_and_unknown_is_not_zero() {
        let check = |cell: Cell, unit: Unit, expected: &str| {
            assert_eq!(show(&cell, unit), expected);
        };
        check(Cell::Number(2_101_248.0), Unit::Quantity, "2.10 M");
        check(Cell::Number(0.12345), Unit::Share, "12.3 %");
        check(Cell::Number(0.1234567), Unit::Milliseconds, "0.123");
        check(Cell::Number(12.0), Unit::Number, "12");
        check(Cell::Number(0.0005), Unit::Probability, "0.001");
        check(Cell::Number(0.000499), Unit::Probability, "<0.001");
        check(Cell::Number(0.0), Unit::Probability, "<0.001");
        check(Cell::Unknown, Unit::Quantity, "unknown");
        check(Cell::None, Unit::Share, "");
    }
}
