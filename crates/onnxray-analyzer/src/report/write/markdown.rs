//! Reports as Markdown, for an issue, a pull request or a wiki.

use super::text::show;
use crate::report::document::{Block, Cell, Document, Notes, Unit};
use std::io::{self, Write};

/// Writes a report as Markdown tables. Charts are left out: their tables have the
/// numbers.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_markdown(document: &Document, mut out: impl Write) -> io::Result<()> {
    for line in &document.headline {
        writeln!(out, "**{}**\n", escape(&Cell::text(line), Unit::Text))?;
    }
    let blocks = document.blocks.iter().filter_map(columns);
    for (index, (title, columns, folded, left_out)) in blocks.enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        match folded {
            true => writeln!(out, "<details><summary>{title}</summary>\n")?,
            false => writeln!(out, "### {title}\n")?,
        }
        let headings: Vec<&str> = columns.iter().map(|column| column.heading).collect();
        writeln!(out, "| {} |", headings.join(" | "))?;
        let rules = columns.iter().map(|c| if c.unit == Unit::Text { "---" } else { "---:" });
        writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
        for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
            let cells = columns.iter().map(|column| column.cells[row].as_str());
            writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "))?;
        }
        if left_out > 0 {
            writeln!(out, "\n… and {left_out} more")?;
        }
        if folded {
            writeln!(out, "\n</details>")?;
        }
    }
    Ok(())
}

/// A column of a Markdown table.
struct Column {
    heading: &'static str,
    unit: Unit,
    cells: Vec<String>,
}

impl Column {
    fn text(heading: &'static str, cells: impl Iterator<Item = Cell>) -> Column {
        let cells = cells.map(|cell| escape(&cell, Unit::Text)).collect();
        Column { heading, unit: Unit::Text, cells }
    }
}

/// Title and columns of a block, whether it is folded, and how many rows are left out.
fn columns(block: &Block) -> Option<(&'static str, Vec<Column>, bool, usize)> {
    match block {
        Block::Figures(figures) => {
            let names = figures.figures.iter().map(|figure| Cell::text(figure.heading.heading));
            let values = figures.figures.iter().map(|figure| figure.value.clone());
            let columns = vec![Column::text("Figure", names), Column::text("Value", values)];
            Some((figures.title, columns, false, 0))
        }
        Block::Table(table) => {
            let columns = table.shown().map(|column| {
                let unit = column.heading.unit;
                let cells = column.cells.iter().map(|cell| escape(cell, unit)).collect();
                Column { heading: column.heading.heading, unit, cells }
            });
            Some((table.title, columns.collect(), table.folded, table.left_out))
        }
        Block::Notes(notes) => {
            let kinds = notes.notes.iter().map(|note| Cell::text(note.kind.text()));
            let texts = notes.notes.iter().map(|note| Cell::text(&note.text));
            let columns = vec![Column::text("Kind", kinds), Column::text("Text", texts)];
            Some((Notes::TITLE, columns, false, 0))
        }
        Block::Chart(_) => None,
    }
}

/// A name is shown as it is: no letter of it is markup.
fn escape(cell: &Cell, unit: Unit) -> String {
    let text = show(cell, unit);
    if !matches!(cell, Cell::Text(_)) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        match letter {
            // GitHub looks for people, issues, emoji and addresses in what is left of a
            // text: a backslash does not keep them apart, a comment does.
            '@' => escaped.push_str("@<!-- -->"),
            '#' if next.is_ascii_digit() => escaped.push_str("\\#<!-- -->"),
            ':' if next == '/' || next.is_ascii_alphanumeric() || "+-_".contains(next) => {
                escaped.push_str(":<!-- -->");
            }
            '.' if before.eq_ignore_ascii_case(&'w') => escaped.push_str("<!-- -->."),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '~' | '#' | '!' | '$' | '^' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            letter => escaped.push(letter),
        }
        before = letter;
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_markup() {
        let escaped = escape(&Cell::text("<script>|`a_b`"), Unit::Text);
        assert_eq!(escaped, "&lt;script&gt;\\|\\`a\\_b\\`");
    }
}
