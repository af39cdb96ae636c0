//! An input as a stream of plain bytes: a file or standard input, decompressed
//! on the way if it is gzip or Zstandard, and made UTF-8 if it is UTF-16.
//!
//! Compression and encoding are recognized by content. Nothing is held but the head
//! that was looked at, so that an input that expands a thousandfold stays small until
//! somebody asks for all of it, and then there is a limit.

pub(crate) mod archive;
pub(crate) mod snapshot;
mod utf16;

use crate::ImportError;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use utf16::{Utf8, encoding_of};

/// The path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Compressed input is taken from the file in pieces of this size.
const COMPRESSED_PIECE: usize = 1 << 17;

/// The most that formats that are read as a whole may have, decompressed.
pub const WHOLE_LIMIT: u64 = 256 << 20;

/// An opened input.
pub struct Source {
    path: PathBuf,
    /// What was read ahead; handed out again before the rest.
    head: Vec<u8>,
    taken: usize,
    ended: bool,
    /// Why nothing follows the head; handed on to whoever reads that far.
    damage: Option<io::Error>,
    reader: Box<dyn Read + Send>,
}

impl Source {
    /// Opens a file, or standard input for [`STANDARD_INPUT`].
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or is a folder.
    pub fn open(path: &Path) -> Result<Source, ImportError> {
        let failed = |source| ImportError::Io { file: path.to_path_buf(), source };
        let reader: Box<dyn Read + Send> = if path.as_os_str() == STANDARD_INPUT {
            Box::new(io::stdin())
        } else {
            let file = File::open(path).map_err(failed)?;
            if file.metadata().map_err(failed)?.is_dir() {
                return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
            }
            Box::new(file)
        };
        let name = match path.as_os_str() == STANDARD_INPUT {
            true => PathBuf::from("standard input"),
            false => path.to_path_buf(),
        };
        Source::from_reader(name, reader)
    }

    /// Reads from memory; `path` is for messages.
    ///
    /// # Errors
    ///
    /// If what seems to be Zstandard cannot be decompressed.
    pub fn from_bytes(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Source, ImportError> {
        Source::from_reader(path.into(), Box::new(Cursor::new(bytes)))
    }

    /// Reads from anything; `path` is for messages.
    ///
    /// # Errors
    ///
    /// If the first bytes cannot be read or decompressed.
    pub fn from_reader(path: PathBuf, reader: Box<dyn Read + Send>) -> Result<Source, ImportError> {
        let failed = |source| ImportError::Io { file: path.clone(), source };
        let (magic, reader) = look(reader, 4).map_err(failed)?;
        let reader = decompressed(&magic, reader).map_err(failed)?;
        let mut source =
            Source { path, head: Vec::new(), taken: 0, ended: false, damage: None, reader };
        if let Some(encoding) = encoding_of(source.head(2)?) {
            let text = Utf8::new(
                Cursor::new(std::mem::take(&mut source.head)).chain(source.reader),
                encoding,
            );
            source = Source { reader: Box::new(text), ended: false, ..source };
        }
        Ok(source)
    }

    /// What messages call it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The first bytes: `length` of them, or all if there are fewer.
    ///
    /// # Errors
    ///
    /// If nothing can be read.
    pub fn head(&mut self, length: usize) -> Result<&[u8], ImportError> {
        if self.head.len() < length && !self.ended {
            let wanted = (length - self.head.len()) as u64;
            match self.reader.by_ref().take(wanted).read_to_end(&mut self.head) {
                Ok(read) => self.ended = (read as u64) < wanted,
                // What came before the damage is there to be looked at.
                Err(error) if !self.head.is_empty() => {
                    self.ended = true;
                    self.damage = Some(error);
                }
                Err(source) => return Err(ImportError::Io { file: self.path.clone(), source }),
            }
        }
        Ok(&self.head[..self.head.len().min(length)])
    }

    /// Whether the head is the whole input.
    pub fn head_is_all(&self) -> bool {
        self.ended
    }

    /// Appends up to `most` bytes, fewer only where the input ends, and says how
    /// many. Before damage, what could be read is appended.
    ///
    /// # Errors
    ///
    /// What keeps the input from being read further.
    pub fn read_more(&mut self, buffer: &mut Vec<u8>, most: u64) -> io::Result<u64> {
        let mut ahead = &self.head[self.taken..];
        let from_head = ahead.by_ref().take(most).read_to_end(buffer)? as u64;
        self.taken += from_head as usize;
        if self.ended && from_head < most {
            // A decoder that has failed may say that all is well when asked again.
            return self.damage.take().map_or(Ok(from_head), Err);
        }
        // Straight from the input: no buffer has to be cleared for it.
        let read = self.reader.by_ref().take(most - from_head).read_to_end(buffer)?;
        Ok(from_head + read as u64)
    }

    /// All bytes, for a format that is read as a whole, and the damage at which
    /// they end, if they do not end properly. At most [`WHOLE_LIMIT`].
    ///
    /// # Errors
    ///
    /// If nothing can be read, or if it is larger than [`WHOLE_LIMIT`].
    pub fn read_whole(mut self) -> Result<(Vec<u8>, Option<io::Error>), ImportError> {
        let mut bytes = Vec::new();
        let damage = self.read_more(&mut bytes, WHOLE_LIMIT + 1).err();
        if bytes.len() as u64 > WHOLE_LIMIT {
            return Err(ImportError::TooLarge { file: self.path, limit: WHOLE_LIMIT });
        }
        match damage {
            Some(source) if bytes.is_empty() => Err(ImportError::Io { file: self.path, source }),
            damage => Ok((bytes, damage)),
        }
    }
}

/// Reads this many bytes ahead, fewer only where the input ends.
fn look(
    mut reader: Box<dyn Read + Send>,
    length: u64,
) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut ahead = Vec::new();
    reader.by_ref().take(length).read_to_end(&mut ahead)?;
    Ok((ahead, reader))
}

/// The input behind its first bytes, both together, decompressed if these say so.
fn decompressed(magic: &[u8], reader: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let all = Cursor::new(magic.to_vec()).chain(reader);
    Ok(match magic {
        [0x1f, 0x8b, ..] => {
            let input = BufReader::with_capacity(COMPRESSED_PIECE, all);
            Box::new(flate2::bufread::MultiGzDecoder::new(input))
        }
        // A frame, or one to be skipped, as parallel compressors write in front.
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
            let input = BufReader::with_capacity(COMPRESSED_PIECE, all);
            Box::new(zstd::stream::read::Decoder::with_buffer(input)?)
        }
        _ => Box::new(all),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn compression_is_seen_in_the_content() {
        let text = b"[\n{\"ph\":\"X\"}\n]".repeat(1000);
        let zstd = zstd::encode_all(&text[..], 1).unwrap();
        // Two members of a gzip file are one text.
        let (front, back) = text.split_at(100);
        let joined = [gzip(front), gzip(back)].concat();
        for bytes in [text.clone(), gzip(&text), zstd, joined] {
            let mut source = Source::from_bytes("x", bytes).unwrap();
            assert_eq!(source.head(5).unwrap(), &text[..5]);
            assert_eq!(source.head(50).unwrap(), &text[..50]);
            assert!(!source.head_is_all());
            assert_eq!(source.read_whole().unwrap().0, text);
        }
    }

    #[test]
    fn what_comes_before_damage_is_read() {
        let text = b"0123456789".repeat(10_000);
        let mut bytes = gzip(&text);
        bytes.truncate(bytes.len() - 20);
        let (read, damage) = Source::from_bytes("x", bytes).unwrap().read_whole().unwrap();
        assert!(!read.is_empty() && text.starts_with(&read));
        assert!(damage.is_some());
    }

    #[test]
    fn a_short_input_is_its_own_head() {
        let mut source = Source::from_bytes("x", b"ab".to_vec()).unwrap();
        assert_eq!(source.head(64).unwrap(), b"ab");
        assert!(source.head_is_all());
    }
}
