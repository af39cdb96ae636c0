//! Tables for a terminal.

use crate::printable::printable;
use crate::report::table::{Cell, Report, Table};
use crate::schema::{self, Shown};
use std::io::{self, Write};

/// Writes a report as aligned columns.
pub fn write_text(report: &Report, mut out: impl Write) -> io::Result<()> {
    for line in &report.headline {
        writeln!(out, "{}", printable(line))?;
    }
    for (index, table) in report.tables.iter().enumerate() {
        if index > 0 || !report.headline.is_empty() {
            writeln!(out)?;
        }
        if std::ptr::eq(table.schema, &schema::NOTES) {
            write_notes(table, &mut out)?;
        } else {
            write_table(table, &mut out)?;
        }
    }
    Ok(())
}

/// Notes are sentences; columns would not help them.
fn write_notes(table: &Table, out: &mut impl Write) -> io::Result<()> {
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|cell| show(cell, Shown::Text)).collect();
        writeln!(out, "{}", cells.join(": "))?;
    }
    Ok(())
}

fn write_table(table: &Table, out: &mut impl Write) -> io::Result<()> {
    // Names and values need no heading.
    let headed = !std::ptr::eq(table.schema, &schema::MODEL);
    let columns: Vec<_> = table.shown.iter().map(|&index| &table.schema.columns[index]).collect();
    let cells: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| {
            table.shown.iter().zip(&columns).map(|(&index, c)| show(&row[index], c.shown)).collect()
        })
        .collect();
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let heading = if headed { column.heading.chars().count() } else { 0 };
            let widest = cells.iter().map(|row| row[index].chars().count()).max().unwrap_or(0);
            heading.max(widest)
        })
        .collect();
    let write_row = |out: &mut dyn Write, row: &[String]| -> io::Result<()> {
        let mut line = String::new();
        for (index, cell) in row.iter().enumerate() {
            let padding = " ".repeat(widths[index] - cell.chars().count());
            let text = columns[index].shown == Shown::Text;
            let (before, after) =
                if text { ("", padding.as_str()) } else { (padding.as_str(), "") };
            if index > 0 {
                line.push_str("  ");
            }
            line.push_str(before);
            line.push_str(cell);
            line.push_str(after);
        }
        writeln!(out, "{}", line.trim_end())
    };
    writeln!(out, "{}", table.schema.title)?;
    if headed {
        let headings: Vec<String> =
            columns.iter().map(|column| column.heading.to_string()).collect();
        write_row(out, &headings)?;
        let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        writeln!(out, "{}", rules.join("  "))?;
    }
    for row in &cells {
        write_row(out, row)?;
    }
    if table.left_out > 0 {
        writeln!(out, "… and {} more; --all shows them", table.left_out)?;
    }
    Ok(())
}

/// A cell as a person reads it: three to four digits that matter.
pub fn show(cell: &Cell, shown: Shown) -> String {
    match (cell, shown) {
        (Cell::Text(text), _) => printable(text),
        (Cell::Unknown, _) => "unknown".to_string(),
        (Cell::None, _) => String::new(),
        (Cell::Whole(value), Shown::Quantity) => quantity(*value as f64),
        (Cell::Whole(value), _) => value.to_string(),
        (Cell::Number(value), Shown::Quantity) => quantity(*value),
        (Cell::Number(value), Shown::Percent) => format!("{:.1} %", value * 100.0),
        (Cell::Number(value), Shown::Milliseconds | Shown::Thousandths) => format!("{value:.3}"),
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
        assert_eq!(show(&cell, Shown::Text), "a\\u{1b}[31m\\n\\u{202e}b");
    }

    #[test]
    fn numbers_are_short_and_unknown_is_not_zero() {
        let check = |cell: Cell, shown: Shown, expected: &str| {
            assert_eq!(show(&cell, shown), expected);
        };
        check(Cell::Number(2_101_248.0), Shown::Quantity, "2.10 M");
        check(Cell::Number(0.12345), Shown::Percent, "12.3 %");
        check(Cell::Number(0.1234567), Shown::Milliseconds, "0.123");
        check(Cell::Number(12.0), Shown::Number, "12");
        check(Cell::Unknown, Shown::Quantity, "unknown");
        check(Cell::None, Shown::Percent, "");
    }
}
