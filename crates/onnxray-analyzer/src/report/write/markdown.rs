//! Tables for an issue, a pull request or a wiki.

use crate::report::table::{Cell, Report};
use super::text::show;
use crate::schema::Shown;
use std::io::{self, Write};

/// Writes a report as Markdown tables.
pub fn write_markdown(report: &Report, mut out: impl Write) -> io::Result<()> {
    for line in &report.headline {
        writeln!(out, "**{}**\n", escape(&Cell::text(line), Shown::Text))?;
    }
    for (index, table) in report.tables.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        match table.folded {
            true => writeln!(out, "<details><summary>{}</summary>\n", table.schema.title)?,
            false => writeln!(out, "### {}\n", table.schema.title)?,
        }
        let columns: Vec<_> = table.shown.iter().map(|&i| &table.schema.columns[i]).collect();
        let headings: Vec<&str> = columns.iter().map(|column| column.heading).collect();
        writeln!(out, "| {} |", headings.join(" | "))?;
        let rules = columns.iter().map(|c| if c.shown == Shown::Text { "---" } else { "---:" });
        writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
        for row in &table.rows {
            let cells = table.shown.iter().zip(&columns).map(|(&i, c)| escape(&row[i], c.shown));
            writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "))?;
        }
        if table.left_out > 0 {
            writeln!(out, "\n… and {} more", table.left_out)?;
        }
        if table.folded {
            writeln!(out, "\n</details>")?;
        }
    }
    Ok(())
}

/// A name is shown as it is: no letter of it is markup.
fn escape(cell: &Cell, shown: Shown) -> String {
    let text = show(cell, shown);
    if !matches!(cell, Cell::Text(_)) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '~' | '#' | '!' | '@' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_markup() {
        let escaped = escape(&Cell::text("<script>|`a_b`"), Shown::Text);
        assert_eq!(escaped, "&lt;script&gt;\\|\\`a\\_b\\`");
    }
}
