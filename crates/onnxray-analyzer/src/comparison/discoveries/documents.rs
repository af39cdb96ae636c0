//! The JSON documents of a file, one after the other. Of all of them, one is held at a time.

use onnxray_import::{ImportError, Source, WHOLE_LIMIT};
use onnxray_text::FileKind;
use serde_json::value::RawValue;
use serde_json::{Deserializer, Error};

/// What makes such documents.
pub(super) const MADE: &str = "`onnxray compare A B --format json` makes such";

/// Least number of bytes read at once.
const PIECE: u64 = 1 << 20;

/// Bytes that may be scanned in vain: a damaged document may be scanned to the end of the file, and
/// so may the next one that seems to begin in it.
const MOST_IN_VAIN: u64 = 1 << 28;

/// Passes each document, or why it is damaged, with the line on which it begins. After damage,
/// reading goes on where the next document seems to begin.
pub(super) fn documents(
    mut source: Source,
    mut each: impl FnMut(u64, Result<&str, String>),
) -> Result<(), ImportError> {
    // What the file is, if not JSON.
    let head = source.head(4096)?;
    let kind = FileKind::of(head);
    // As a model does.
    let is_binary =
        head.first().is_some_and(|first| first.is_ascii_control() && !first.is_ascii_whitespace());
    let mut reading = Reading { source, text: Vec::new(), from: 0, line: 1, ended: None };
    reading.read_more();
    reading.take(if reading.text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 });
    let mut in_vain = 0;
    loop {
        reading.skip_space();
        let rest = &reading.text[reading.from..];
        // A `RawValue` finds the end of a document without building it, so that only its text is
        // held.
        let mut found = Deserializer::from_slice(rest).into_iter::<&RawValue>();
        match found.next() {
            Some(Ok(document)) => {
                each(reading.line, Ok(document.get()));
                let length = found.byte_offset();
                reading.take(length);
            }
            None if reading.ended.is_some() => break,
            None => reading.read_more(),
            Some(Err(error)) if error.is_eof() && reading.ended.is_none() => {
                // Cut by the end of what is held, or endless: only its length can tell.
                if rest.len() as u64 > WHOLE_LIMIT {
                    each(reading.line, Err(format!("has more than {} MiB", WHOLE_LIMIT >> 20)));
                    return Ok(());
                }
                reading.read_more();
            }
            Some(Err(error)) => {
                if let Some(kind) = kind.as_ref().filter(|kind| !is_json(kind)) {
                    each(reading.line, Err(format!("is {kind}")));
                    return Ok(());
                }
                if is_binary {
                    each(reading.line, Err(format!("is neither text nor JSON; {MADE}")));
                    return Ok(());
                }
                // An unclosed bracket had the whole rest read for nothing; other damage is found
                // where it is.
                in_vain += if error.is_eof() { rest.len() as u64 } else { 1 };
                each(reading.line, Err(reason(&error, reading.line)));
                if in_vain > MOST_IN_VAIN {
                    let what = "is damaged in too many places; what follows is left out";
                    each(reading.line, Err(what.to_string()));
                    return Ok(());
                }
                reading.skip_document();
            }
        }
    }
    if let Some(Some(damage)) = reading.ended {
        each(reading.line, Err(format!("cannot be read further: {damage}")));
    }
    Ok(())
}

fn is_json(kind: &FileKind) -> bool {
    matches!(kind, FileKind::Json | FileKind::Report(_) | FileKind::Saved(_))
}

/// Error with its line in the file, of a document that begins on `line`.
pub(super) fn reason(error: &Error, line: u64) -> String {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    let line = line + (error.line() as u64).saturating_sub(1);
    format!("invalid JSON: {what} at line {line} column {}", error.column())
}

struct Reading {
    source: Source,
    /// Part of the file that is held.
    text: Vec<u8>,
    /// Bytes of `text` that were taken.
    from: usize,
    /// Line of the first byte that was not taken, from 1 on.
    line: u64,
    /// Set at the end of the file, with the error that ended it.
    ended: Option<Option<std::io::Error>>,
}

impl Reading {
    /// Reads as much again as is held, so that rescans of a long document stay linear in all.
    fn read_more(&mut self) {
        self.text.drain(..self.from);
        self.from = 0;
        let most = PIECE.max(self.text.len() as u64);
        match self.source.read_more(&mut self.text, most) {
            Ok(read) if read < most => self.ended = Some(None),
            Ok(_) => {}
            Err(damage) => self.ended = Some(Some(damage)),
        }
    }

    fn take(&mut self, length: usize) {
        let taken = &self.text[self.from..self.from + length];
        self.line += taken.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.from += length;
    }

    fn skip_space(&mut self) {
        let is_space = |byte: &&u8| byte.is_ascii_whitespace();
        self.take(self.text[self.from..].iter().take_while(is_space).count());
    }

    /// Skips to the next line that begins with a brace, or to a brace as an indented document
    /// begins with: that may follow one that was cut within a line.
    fn skip_document(&mut self) {
        const INDENTED: &[u8] = b"{\n  \"";
        self.take(1);
        loop {
            let rest = &self.text[self.from..];
            let begins = |at: usize| {
                let is_first = at > 0 && rest[at] == b'{' && rest[at - 1] == b'\n';
                is_first || rest[at..].starts_with(INDENTED)
            };
            match (0..rest.len()).find(|&at| begins(at)) {
                Some(place) => return self.take(place),
                None if self.ended.is_some() => return self.take(rest.len()),
                None => {
                    // The last bytes may be a beginning.
                    self.take(rest.len().saturating_sub(INDENTED.len()));
                    self.read_more();
                }
            }
        }
    }
}
