//! What stands without scripts: the report as plain tables.

use crate::document::{Block, Measured, Notes, Page};
use crate::write::people;
use std::io::{self, Write};

/// Shown where no script replaces it.
const WITHOUT_SCRIPTS: &str = "Scripts do not run here, or the file is not whole: charts and \
    further tables are missing.";

/// Between short texts of a line.
const BETWEEN: &str = " · ";

/// Writes the part of a page that needs no script.
pub(super) fn write(page: &Page, mut out: impl Write) -> io::Result<()> {
    out.write_all(b"<main id=\"noscript\">\n<h1>")?;
    text(&page.title, &mut out)?;
    out.write_all(b"</h1>\n")?;
    element("p data-message", WITHOUT_SCRIPTS, &mut out)?;
    for line in &page.noscript.headline {
        element("p class=\"headline\"", line, &mut out)?;
    }
    for Measured { side, parts } in &page.measured {
        let side = Some(side).filter(|side| !side.is_empty());
        let words: Vec<&str> = side.into_iter().chain(parts).map(String::as_str).collect();
        element("p class=\"measured\"", &words.join(BETWEEN), &mut out)?;
    }
    for block in &page.noscript.blocks {
        match block {
            Block::Figures(block) => {
                let (mut rows, unknown) = people::figures(block);
                if !unknown.is_empty() {
                    rows.push(("unknown".to_string(), unknown.join(", ")));
                }
                element("h2", block.title, &mut out)?;
                out.write_all(b"<table>\n")?;
                for (name, value) in rows {
                    out.write_all(b"<tr><th scope=\"row\">")?;
                    text(&name, &mut out)?;
                    // Names may run from right to left: isolated, they leave the order of the rest
                    // alone.
                    out.write_all(b"</th><td><bdi>")?;
                    text(&value, &mut out)?;
                    out.write_all(b"</bdi></td></tr>\n")?;
                }
                out.write_all(b"</table>\n")?;
            }
            Block::Table(block) => {
                element("h2", block.title, &mut out)?;
                if let Some(caveat) = &block.caveat {
                    element("p", caveat, &mut out)?;
                }
                table(&people::table(block), &mut out)?;
                if let Some(more) = block.more() {
                    element("p", &more, &mut out)?;
                }
            }
            Block::Notes(block) if !block.notes.is_empty() => {
                element("h2", Notes::TITLE, &mut out)?;
                out.write_all(b"<ul>\n")?;
                for note in &block.notes {
                    element("li", &format!("{}: {}", note.kind.text(), note.text), &mut out)?;
                }
                out.write_all(b"</ul>\n")?;
            }
            // What needs a script, and notes of which there are none.
            _ => {}
        }
    }
    out.write_all(b"</main>\n")
}

fn table(table: &people::Shown, mut out: impl Write) -> io::Result<()> {
    let class = |is_text: bool| if is_text { "" } else { " class=\"number\"" };
    // With `tabindex`, the keyboard can scroll a wide table.
    out.write_all(b"<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>")?;
    for column in &table.columns {
        write!(out, "<th scope=\"col\"{}>", class(column.is_text))?;
        text(&column.heading, &mut out)?;
        out.write_all(b"</th>")?;
    }
    out.write_all(b"</tr></thead>\n<tbody>\n")?;
    for row in 0..table.columns.first().map_or(0, |column| column.cells.len()) {
        out.write_all(b"<tr>")?;
        for column in &table.columns {
            write!(out, "<td{}><bdi>", class(column.is_text))?;
            text(&column.cells[row], &mut out)?;
            out.write_all(b"</bdi></td>")?;
        }
        out.write_all(b"</tr>\n")?;
    }
    out.write_all(b"</tbody>\n</table></div>\n")
}

/// An element with a text; `tag` may have attributes.
fn element(tag: &str, content: &str, mut out: impl Write) -> io::Result<()> {
    let name = tag.split(' ').next().unwrap_or(tag);
    write!(out, "<{tag}>")?;
    text(content, &mut out)?;
    writeln!(out, "</{name}>")
}

/// A text of which no letter is markup.
pub(super) fn text(text: &str, mut out: impl Write) -> io::Result<()> {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'', '\0']) {
        let (before, from) = rest.split_at(at);
        out.write_all(before.as_bytes())?;
        out.write_all(match from.as_bytes()[0] {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            b'\'' => b"&#39;",
            // No document may have it.
            _ => "\u{fffd}".as_bytes(),
        })?;
        rest = &from[1..];
    }
    out.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_markup() {
        let mut out = Vec::new();
        text("</td><img src=x onerror='a()'>\"&amp;\0ü", &mut out).unwrap();
        let escaped = "&lt;/td&gt;&lt;img src=x onerror=&#39;a()&#39;&gt;&quot;&amp;amp;\u{fffd}ü";
        assert_eq!(String::from_utf8(out).unwrap(), escaped);
    }
}
