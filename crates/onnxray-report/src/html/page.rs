//! The file: policy, style, what stands without scripts, data, script, loader.

use super::{data, noscript, packed, policy::policy};
use crate::document::Page;
use std::io::{self, Write};

/// Draws every kind of page; includes the libraries for charts and long tables.
const SCRIPT: &str = include_str!("../../web/dist/page.js");
/// Unpacks data and script in the browser.
const LOADER: &str = include_str!("../../web/dist/loader.js");
const STYLE: &str = include_str!("../../web/dist/page.css");
/// Licences of the libraries in the script.
const LICENSES: &str = include_str!("../../web/dist/LICENSES.txt");

/// Operators that a page has room for: a browser keeps all of them in memory.
pub const MOST_PAGE_ROWS: usize = 200_000;

/// Writes a report as a page of a single file.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_page(page: &Page, mut out: impl Write) -> io::Result<()> {
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"onnxray {}\">\n<title>",
        policy(&[LOADER, SCRIPT], STYLE),
        env!("CARGO_PKG_VERSION"),
    )?;
    noscript::text(&format!("{} · onnxray", page.title), &mut out)?;
    write!(out, "</title>\n<style>{STYLE}</style>\n</head>\n<body>\n")?;
    noscript::write(page, &mut out)?;
    out.write_all(b"<div hidden id=\"data\">")?;
    data::write(page, &mut out)?;
    out.write_all(b"</div>\n<script type=\"text/plain\" id=\"licences\">")?;
    out.write_all(LICENSES.as_bytes())?;
    out.write_all(b"</script>\n<div hidden id=\"script\">")?;
    packed::write(&mut out, |pieces| pieces.write_all(SCRIPT.as_bytes()))?;
    write!(out, "</div>\n<script>{LOADER}</script>\n")?;
    // After what starts the page: a browser need not have read it by then.
    for shown in data::later(page) {
        out.write_all(b"<div hidden class=\"later\">")?;
        data::write_later(&shown, &mut out)?;
        out.write_all(b"</div>\n")?;
    }
    out.write_all(b"</body>\n</html>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is between two tags must neither end early nor be read in another way.
    #[test]
    fn no_part_of_a_page_ends_it() {
        for (name, text) in [("loader", LOADER), ("licences", LICENSES)] {
            let text = text.to_lowercase();
            for markup in ["</script", "<script", "<!--", "\r", "\0"] {
                assert!(!text.contains(markup), "{name} has {markup:?}");
            }
        }
        assert!(!STYLE.to_lowercase().contains("</style") && !STYLE.contains('\r'));
    }
}
