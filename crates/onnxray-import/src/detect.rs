//! Tells formats apart by their content, never by the name of the file.

use crate::source::Source;
use crate::{Format, ImportError};

/// What a format makes of the first bytes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Yes,
    No,
    /// It could be; more of the input would tell.
    NeedMore,
}

/// The first bytes of an input, decompressed.
#[derive(Clone, Copy)]
pub struct Head<'a> {
    pub bytes: &'a [u8],
    /// Whether they are all there are.
    pub is_all: bool,
}

impl<'a> Head<'a> {
    /// The bytes without a byte order mark and white space in front.
    pub fn text(&self) -> &'a [u8] {
        self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self.bytes).trim_ascii_start()
    }

    pub fn contains(&self, pattern: &str) -> bool {
        memchr::memmem::find(self.bytes, pattern.as_bytes()).is_some()
    }

    /// For a format that was not recognized yet.
    pub fn otherwise(&self) -> Verdict {
        if self.is_all { Verdict::No } else { Verdict::NeedMore }
    }
}

/// Bytes that are looked at first, and at most.
const FIRST_LOOK: usize = 1 << 12;
const LAST_LOOK: usize = 1 << 22;

/// The first format, in the order of [`Format::ALL`], that recognizes the input.
pub fn detect(source: &mut Source) -> Result<Format, ImportError> {
    let file = source.path().to_path_buf();
    let mut length = FIRST_LOOK;
    loop {
        source.head(length)?;
        let is_all = source.head_is_all() || length >= LAST_LOOK;
        let head = Head { bytes: source.head(length)?, is_all };
        if is_all && head.text().is_empty() {
            return Err(ImportError::Empty { file });
        }
        let mut undecided = false;
        for format in Format::ALL {
            match format.importer().detect(head) {
                // A format that comes first and may still say yes goes first.
                Verdict::Yes if !undecided => return Ok(format),
                Verdict::Yes | Verdict::No => {}
                Verdict::NeedMore => undecided = true,
            }
        }
        if is_all || !undecided {
            let found = beginning(head.bytes);
            return Err(ImportError::Unrecognized { file, found });
        }
        length *= 8;
    }
}

/// The first bytes of something, for messages.
pub fn beginning(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "the end of the file".to_string();
    }
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(24)]);
    format!("{:?}", shown.trim_end_matches('\u{fffd}'))
}
