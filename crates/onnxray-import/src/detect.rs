//! Tells formats apart by their content, never by the name of the file.

use crate::chrome::Outline;
use crate::error::{ImportError, beginning};
use crate::formats;
use crate::importer::{Head, Importer, Verdict};
use crate::source::Source;
use crate::source::archive;
use onnxray_text::FileKind;

/// Bytes that are looked at first, and at most.
const FIRST_LOOK: usize = 1 << 12;
const LAST_LOOK: usize = 1 << 22;
/// Bytes in which each special format shows itself: one that is seen there is not another, though
/// that may say so of more.
const FIRM: usize = 1 << 16;

/// The first importer of [`formats::ALL`] that recognizes the input. If that is an archive in
/// which one trace is, it becomes this trace.
///
/// # Errors
///
/// If the input cannot be read, is empty, or is of no format that is known.
pub fn detect(source: &mut Source) -> Result<&'static Importer, ImportError> {
    archive::enter(source, |member| recognized(member).is_ok())?;
    recognized(source)
}

/// The same of an input that is taken for no archive.
///
/// # Errors
///
/// As [`detect`].
pub(crate) fn recognized(source: &mut Source) -> Result<&'static Importer, ImportError> {
    let file = source.path().to_path_buf();
    let mut length = FIRST_LOOK;
    loop {
        source.head(length)?;
        let is_all = source.head_is_all() || length >= LAST_LOOK;
        let bytes = source.head(length)?;
        let outline = Outline::of(bytes, is_all);
        let head = Head::new(bytes, is_all).with_outline(outline.as_ref());
        if is_all && head.text().is_empty() {
            return Err(ImportError::Empty { file });
        }
        let mut undecided = false;
        for (place, importer) in formats::ALL.iter().enumerate() {
            // The last one takes any trace.
            let is_firm = length >= FIRM && place + 1 < formats::ALL.len();
            match importer.detect(head) {
                // A format that comes first and may still say yes goes first.
                Verdict::Yes if !undecided || is_firm => return Ok(importer),
                Verdict::Yes | Verdict::No => {}
                Verdict::NeedMore => undecided = true,
            }
        }
        if is_all || !undecided {
            let found = beginning(head.bytes);
            // Ours say what they are behind their tables.
            let kind = FileKind::of(source.head(LAST_LOOK)?);
            return Err(ImportError::Unrecognized { file, found, kind });
        }
        // What is looked at is looked at again with what follows.
        length = (4 * length).min(LAST_LOOK);
    }
}
