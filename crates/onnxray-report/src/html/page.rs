//! The file: policy, style, what stands without scripts, data, library, script.

use super::{data, policy::policy, still};
use crate::document::Page;
use crate::error::ReportError;
use onnxray_failsafe::{OutputFile, WholeFile};
use std::io::{self, Write};

/// Drawing of charts and long tables: changes with an upgrade only.
const LIBRARY: &str = include_str!("../../web/dist/library.js");
const STYLE: &str = include_str!("../../web/dist/page.css");
/// Of what the library is made of.
const LICENSES: &str = include_str!("../../web/dist/LICENSES.txt");

/// What draws each kind of page, by the name of its report.
const SCRIPTS: [(&str, &str); 6] = [
    ("recording", include_str!("../../web/dist/recording.js")),
    ("projection", include_str!("../../web/dist/projection.js")),
    ("comparison", include_str!("../../web/dist/comparison.js")),
    ("sweep", include_str!("../../web/dist/sweep.js")),
    ("loss", include_str!("../../web/dist/loss.js")),
    ("flops", include_str!("../../web/dist/flops.js")),
];

/// Operators that a page has room for: a browser keeps all of them in memory.
pub const MOST_PAGE_ROWS: usize = 200_000;

/// Writes a report as a page of a single file. An existing file is replaced once the new
/// one is whole.
///
/// # Errors
/// If the file cannot be written.
pub fn write_page<'a>(page: &Page, file: impl Into<OutputFile<'a>>) -> Result<(), ReportError> {
    let file = file.into();
    let path = file.path;
    let io_error = |source| ReportError::Io { path: path.to_path_buf(), source };
    let mut out = WholeFile::create(file).map_err(io_error)?;
    write(page, &mut out).map_err(io_error)?;
    out.finish().map_err(io_error)
}

fn write(page: &Page, mut out: impl Write) -> io::Result<()> {
    let own = SCRIPTS.iter().find(|(name, _)| *name == page.report.name);
    let script = own.map_or("", |(_, script)| script);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"onnxray {}\">\n<title>",
        policy(&[LIBRARY, script], STYLE),
        env!("CARGO_PKG_VERSION"),
    )?;
    still::text(&format!("{} · onnxray", page.title), &mut out)?;
    write!(out, "</title>\n<style>{STYLE}</style>\n</head>\n<body>\n")?;
    still::write(page, &mut out)?;
    out.write_all(b"<script type=\"application/octet-stream\" id=\"data\">")?;
    data::write(page, &mut out)?;
    out.write_all(b"</script>\n<script type=\"text/plain\" id=\"licences\">")?;
    out.write_all(LICENSES.as_bytes())?;
    write!(out, "</script>\n<script>{LIBRARY}</script>\n<script>{script}</script>\n")?;
    out.write_all(b"</body>\n</html>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is between two tags must neither end early nor be read in another way.
    #[test]
    fn no_part_of_a_page_ends_it() {
        let others = [("library", LIBRARY), ("licences", LICENSES)];
        for (name, text) in others.into_iter().chain(SCRIPTS) {
            let text = text.to_lowercase();
            for markup in ["</script", "<script", "<!--", "\r", "\0"] {
                assert!(!text.contains(markup), "{name} has {markup:?}");
            }
        }
        assert!(!STYLE.to_lowercase().contains("</style") && !STYLE.contains('\r'));
    }
}
