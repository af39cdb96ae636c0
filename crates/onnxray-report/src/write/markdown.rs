//! Reports as Markdown, for an issue, a pull request or a wiki.

use super::people;
use crate::document::{Block, Document, Note, Notes};
use onnxray_text::printable;
use std::io::{self, Write};

/// Writes a report as Markdown tables. Charts are left out: their tables have the
/// numbers.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_markdown(document: &Document, mut out: impl Write) -> io::Result<()> {
    for line in &document.headline {
        writeln!(out, "**{}**\n", escape(&printable(line)))?;
    }
    let blocks = document.blocks.iter().filter_map(shown);
    for (index, block) in blocks.enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        match block.folded {
            // After the blank line, GitHub reads Markdown again, not HTML.
            true => writeln!(out, "<details><summary>{}</summary>\n", block.title)?,
            false => writeln!(out, "### {}\n", block.title)?,
        }
        if let Some(caveat) = &block.caveat {
            writeln!(out, "{}\n", escape(&printable(caveat)))?;
        }
        let columns = &block.columns;
        let headings: Vec<&str> = columns.iter().map(|column| column.heading.as_str()).collect();
        writeln!(out, "| {} |", headings.join(" | "))?;
        let rules = columns.iter().map(|column| if column.is_text { "---" } else { "---:" });
        writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
        for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
            let cells = columns.iter().map(|column| column.cells[row].as_str());
            writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "))?;
        }
        if let Some(more) = &block.more {
            writeln!(out, "\n{more}")?;
        }
        if block.folded {
            writeln!(out, "\n</details>")?;
        }
    }
    Ok(())
}

/// A block as a Markdown table.
struct Shown {
    title: &'static str,
    caveat: Option<String>,
    columns: Vec<Column>,
    folded: bool,
    /// Line below the table about rows that were left out.
    more: Option<String>,
}

/// A column of a Markdown table.
struct Column {
    heading: String,
    is_text: bool,
    cells: Vec<String>,
}

/// A block of names and texts.
fn texts(title: &'static str, headings: [&str; 2], rows: Vec<(String, String)>) -> Shown {
    let (names, values): (Vec<_>, Vec<_>) =
        rows.iter().map(|(name, value)| (escape(name), escape(value))).unzip();
    let column =
        |(heading, cells): (&str, _)| Column { heading: heading.into(), is_text: true, cells };
    let columns = headings.into_iter().zip([names, values]).map(column).collect();
    Shown { title, caveat: None, columns, folded: false, more: None }
}

fn shown(block: &Block) -> Option<Shown> {
    match block {
        Block::Figures(figures) => {
            let (mut rows, unknown) = people::figures(figures);
            if !unknown.is_empty() {
                rows.push(("unknown".to_string(), unknown.join(", ")));
            }
            Some(texts(figures.title, ["Figure", "Value"], rows))
        }
        Block::Table(table) => {
            let columns = people::table(table).columns.into_iter().map(|column| {
                let cells = match column.is_text {
                    true => column.cells.iter().map(|cell| escape(cell)).collect(),
                    // Numbers are ours: nothing in them is markup.
                    false => column.cells,
                };
                Column { heading: column.heading, is_text: column.is_text, cells }
            });
            Some(Shown {
                title: table.title,
                caveat: table.caveat.clone(),
                columns: columns.collect(),
                folded: table.folded,
                more: table.more(),
            })
        }
        Block::Notes(notes) => {
            let row = |note: &Note| (note.kind.text().to_string(), printable(&note.text));
            let rows = notes.notes.iter().map(row).collect();
            Some(texts(Notes::TITLE, ["Kind", "Text"], rows))
        }
        _ => None,
    }
}

/// Escapes a name: no letter of it is markup.
fn escape(text: &str) -> String {
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
            // `GH-1` names an issue.
            '-' if before.eq_ignore_ascii_case(&'h') && next.is_ascii_digit() => {
                escaped.push_str("-<!-- -->");
            }
            // `www.` begins an address.
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
        let escaped = escape("<script>|`a_b`");
        assert_eq!(escaped, "&lt;script&gt;\\|\\`a\\_b\\`");
    }
}
