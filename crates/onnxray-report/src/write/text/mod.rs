//! Reports for a terminal: aligned columns that fit its width.

mod compact;
mod fit;
mod lines;
mod shorten;
mod style;

pub use style::TextStyle;

use super::people::{self, ShownColumn};
use crate::document::{Block, Document, Figures, Note, NoteKind, Notes, Table};
use fit::GAP;
use onnxray_text::printable;
use shorten::shorten;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Writes a report as aligned columns. What would have to be drawn is left out.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_text(document: &Document, style: TextStyle, mut out: impl Write) -> io::Result<()> {
    for line in &document.headline {
        wrapped(&printable(line), "", style).try_for_each(|line| writeln!(out, "{line}"))?;
    }
    let mut first = document.headline.is_empty();
    for block in &document.blocks {
        match block {
            Block::Lines(lines) if lines.lines.iter().any(|line| !line.parts.is_empty()) => {}
            Block::Figures(_) | Block::Table(_) | Block::Notes(_) => {}
            // A terminal cannot draw; a chart's table has its numbers.
            _ => continue,
        }
        if !std::mem::take(&mut first) {
            writeln!(out)?;
        }
        match block {
            Block::Lines(block) => lines::write(block, style, &mut out)?,
            Block::Figures(figures) => write_figures(figures, style, &mut out)?,
            Block::Table(table) => write_table(table, style, &mut out)?,
            Block::Notes(notes) => write_notes(notes, style, &mut out)?,
            _ => {}
        }
    }
    Ok(())
}

/// Notes are sentences; columns would not help them.
fn write_notes(notes: &Notes, style: TextStyle, out: &mut impl Write) -> io::Result<()> {
    notes
        .notes
        .iter()
        .try_for_each(|note| note_lines(note, style).try_for_each(|line| writeln!(out, "{line}")))
}

/// A note's lines, safe to show on a terminal.
fn note_lines(note: &Note, style: TextStyle) -> impl Iterator<Item = String> {
    let kind = note.kind.text();
    let accent = match note.kind {
        NoteKind::Note => people::Accent::Strong,
        NoteKind::Warning => people::Accent::Doubtful,
    };
    let accented = style.accented(kind, accent);
    let mut lines: Vec<String> = wrapped(&note.to_string(), "  ", style).collect();
    if let Some(line) = lines.first_mut() {
        // Only the first: the sentence may have the word again.
        *line = line.replacen(kind, &accented, 1);
    }
    lines.into_iter()
}

fn write_title(title: &str, style: TextStyle, out: &mut impl Write) -> io::Result<()> {
    wrapped(title, "", style).try_for_each(|line| writeln!(out, "{}", style.title(&line)))
}

/// Names and values need no heading.
fn write_figures(figures: &Figures, style: TextStyle, out: &mut impl Write) -> io::Result<()> {
    write_title(figures.title, style, out)?;
    let (rows, unknown) = people::figures(figures);
    let natural = rows.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
    let names = match style.width() {
        // Two fifths of a line are for the values.
        Some(width) => natural.min(width * 3 / 5),
        None => natural,
    };
    for (name, value) in rows {
        let name_lines: Vec<String> = lines(&name, style.width().map(|_| names)).collect();
        let room = style.width().map(|width| width.saturating_sub(names + GAP));
        let value_lines: Vec<String> = lines(&value, room).collect();
        for row in 0..name_lines.len().max(value_lines.len()) {
            let text = |lines: &[String]| lines.get(row).cloned().unwrap_or_default();
            let (name, value) = (text(&name_lines), text(&value_lines));
            let padding = " ".repeat(names.saturating_sub(name.width()) + GAP);
            writeln!(out, "{}", format!("{name}{padding}{value}").trim_end())?;
        }
    }
    if unknown.is_empty() {
        return Ok(());
    }
    let unknown = format!("unknown: {}", unknown.join(", "));
    wrapped(&unknown, "  ", style)
        .try_for_each(|line| writeln!(out, "{}", style.accented(&line, people::Accent::Faint)))
}

fn write_table(table: &Table, style: TextStyle, out: &mut impl Write) -> io::Result<()> {
    let mut shown = people::table(table);
    match (table.compact, &table.caveat) {
        (Some(own), _) => compact::title_above_names(&mut shown, table, own),
        (None, Some(caveat)) => write_title(&format!("{} ({caveat})", table.title), style, out)?,
        (None, None) => write_title(table.title, style, out)?,
    }
    let widths = fit::fit(&shown.columns, style.width(), style.sentences);
    let left_out = fit::left_out(&shown.columns, &widths).join(", ");
    let mut columns: Vec<(ShownColumn, usize)> = Vec::new();
    for (mut column, width) in shown.columns.drain(..).zip(widths) {
        let Some(width) = width else { continue };
        if let Some(shares) = &column.bars {
            // Bars can be drawn only once their width is known.
            column.cells = shares.iter().map(|share| compact::bar(*share, width)).collect();
        } else if column.is_text && !column.wraps {
            // Sentences wrap below; only names are shortened.
            column.cells = shorten(&column.cells, width);
        }
        columns.push((column, width));
    }
    match table.compact {
        Some(_) => write_headings_in_line(&columns, style, out)?,
        None => write_headings(&columns, style, out)?,
    }
    for row in 0..columns.first().map_or(0, |(column, _)| column.cells.len()) {
        let wrapped: Vec<Vec<String>> = columns
            .iter()
            .map(|(column, width)| match column.wraps && style.wraps() {
                true => lines(&column.cells[row], Some(*width)).collect(),
                false => vec![column.cells[row].clone()],
            })
            .collect();
        for line in 0..wrapped.iter().map(Vec::len).max().unwrap_or(0) {
            let cells = columns.iter().zip(&wrapped).map(|((column, width), lines)| {
                let cell = lines.get(line).map_or("", String::as_str);
                let accent = match shown.others == Some(row) {
                    true => people::Accent::Faint,
                    false => column.accents[row],
                };
                aligned(cell, style.accented(cell, accent), column.is_text, *width)
            });
            write_line(cells, out)?;
        }
    }
    if table.compact.is_some() {
        return Ok(());
    }
    let mut hints = Vec::new();
    if let Some(more) = table.more() {
        hints.push(format!("{more}; --all shows them"));
    }
    if !left_out.is_empty() {
        hints.push(format!("no room for {left_out}; --wide shows them"));
    }
    hints
        .iter()
        .flat_map(|hint| wrapped(hint, "  ", style))
        .try_for_each(|line| writeln!(out, "{}", style.accented(&line, people::Accent::Faint)))
}

/// Headings, over several lines where a column is narrower, and a rule below.
fn write_headings(
    columns: &[(ShownColumn, usize)],
    style: TextStyle,
    out: &mut impl Write,
) -> io::Result<()> {
    let headings: Vec<Vec<String>> = columns
        .iter()
        .map(|(column, width)| lines(&column.heading, Some(*width)).collect())
        .collect();
    let height = headings.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..height {
        let cells = columns.iter().zip(&headings).map(|((column, width), lines)| {
            // The last lines meet the rule.
            let line = (row + lines.len()).checked_sub(height).and_then(|line| lines.get(line));
            let line = line.map_or("", String::as_str);
            aligned(line, line.to_string(), column.is_text, *width)
        });
        write_line(cells, out)?;
    }
    let rules =
        columns.iter().map(|(_, width)| style.accented(&"─".repeat(*width), people::Accent::Faint));
    write_line(rules, out)
}

/// Headings in a line of their own, without a rule.
fn write_headings_in_line(
    columns: &[(ShownColumn, usize)],
    style: TextStyle,
    out: &mut impl Write,
) -> io::Result<()> {
    let headings = columns.iter().map(|(column, width)| {
        let heading = column.heading.replace(compact::NO_BREAK, " ");
        aligned(&heading, style.title(&heading), column.is_text, *width)
    });
    write_line(headings, out)
}

/// Texts to the left, numbers to the right.
fn aligned(text: &str, accented: String, is_text: bool, width: usize) -> String {
    // The plain text counts: escapes take no room.
    let padding = " ".repeat(width.saturating_sub(text.width()));
    if is_text { accented + &padding } else { padding + &accented }
}

fn write_line(cells: impl Iterator<Item = String>, out: &mut impl Write) -> io::Result<()> {
    let line = cells.collect::<Vec<_>>().join(&" ".repeat(GAP));
    writeln!(out, "{}", line.trim_end())
}

/// The lines of a sentence; all but the first are indented.
fn wrapped(text: &str, indent: &str, style: TextStyle) -> impl Iterator<Item = String> {
    wrap(text, style.width(), indent).into_iter()
}

/// The lines of a text in a column.
fn lines(text: &str, width: Option<usize>) -> impl Iterator<Item = String> {
    wrap(text, width, "").into_iter()
}

fn wrap(text: &str, width: Option<usize>, indent: &str) -> Vec<String> {
    let Some(width) = width else { return vec![text.to_string()] };
    // `--all` is one word.
    let options = textwrap::Options::new(width.max(1))
        .subsequent_indent(indent)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}
