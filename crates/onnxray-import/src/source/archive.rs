//! A trace in a ZIP archive, as bug trackers make of it: which of the files in it that is.
//!
//! Nothing is unpacked to a disk, and nothing further than somebody reads: what a member of an
//! archive may cost is what a compressed file may.

use crate::ImportError;
use crate::source::Source;
use flate2::Crc;
use onnxray_text::{FileKind, shown};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use zip::{CompressionMethod, ZipArchive};

/// An archive is looked into if it has no more files.
const MOST_FILES: usize = 64;
/// Names that a message lists before it counts the rest.
const NAMED: usize = 5;
/// How much of an archive tells whether it is a workbook.
const LOOK: usize = 1 << 12;

/// Puts the only trace of an archive in the place of the archive; other inputs stay as they are.
/// `is_trace` says of a file in it whether it is one.
///
/// # Errors
///
/// If the archive cannot be read, or if there is not one trace in it; the message names what
/// there is.
pub(crate) fn enter(
    source: &mut Source,
    is_trace: impl Fn(&mut Source) -> bool,
) -> Result<(), ImportError> {
    let head = source.head(LOOK)?;
    let is_archive = matches!(head, [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..]);
    if !is_archive || FileKind::of(head) == Some(FileKind::Workbook) {
        return Ok(());
    }
    let path = source.path().to_path_buf();
    let archive = std::mem::replace(source, Source::from_bytes(&path, Vec::new())?);
    *source = only_trace(archive, &path, is_trace)?;
    Ok(())
}

fn only_trace(
    archive: Source,
    path: &Path,
    is_trace: impl Fn(&mut Source) -> bool,
) -> Result<Source, ImportError> {
    let refused = |reason: String| ImportError::Archive { file: path.to_path_buf(), reason };
    let (bytes, damage) = archive.read_whole()?;
    if let Some(source) = damage {
        return Err(ImportError::Io { file: path.to_path_buf(), source });
    }
    // Files that overlap would be more than the archive.
    let mut left = bytes.len() as u64;
    let mut archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|error| refused(format!("which cannot be read ({error})")))?;
    let mut members = Vec::new();
    for number in 0..archive.len() {
        let mut file = match archive.by_index_raw(number) {
            Ok(file) => file,
            Err(error) => return Err(refused(format!("which cannot be read ({error})"))),
        };
        let name = String::from_utf8_lossy(file.name_raw()).into_owned();
        if file.is_dir() || is_made_by_the_system(&name) {
            continue;
        }
        if members.len() >= MOST_FILES {
            return Err(refused(format!("of more than {MOST_FILES} files")));
        }
        let packed = match (file.encrypted(), file.compression()) {
            (true, _) => Err("encrypted".to_string()),
            // Kept packed: an archive is at most as large as it was, whatever its files unpack to.
            (_, method @ (CompressionMethod::Stored | CompressionMethod::Deflated)) => {
                let mut packed = Vec::new();
                let (crc, is_stored) = (file.crc32(), method == CompressionMethod::Stored);
                let read = file.by_ref().take(left).read_to_end(&mut packed);
                left -= packed.len() as u64;
                read.map(|_| Packed { packed, crc, is_stored }).map_err(|error| error.to_string())
            }
            _ => Err("neither stored nor deflated".to_string()),
        };
        members.push((name, packed));
    }
    let mut traces = Vec::new();
    let mut others = Vec::new();
    for (name, packed) in members {
        let opened = packed.and_then(|packed| {
            let mut source = packed.open(path).map_err(|error| error.reason())?;
            Ok(is_trace(&mut source).then_some(source))
        });
        match opened {
            Ok(Some(source)) => traces.push((name, source)),
            Ok(None) => others.push(name),
            Err(reason) => others.push(format!("{name} ({reason})")),
        }
    }
    if let [_] = &traces[..]
        && let Some((_, source)) = traces.pop()
    {
        return Ok(source);
    }
    Err(refused(match (traces.is_empty(), others.is_empty()) {
        (true, true) => "without a file in it".to_string(),
        (true, false) => format!("in which no file is a trace: {}", listed(&others)),
        (false, _) => {
            let names: Vec<String> = traces.into_iter().map(|(name, _)| name).collect();
            format!("of {} traces: {}", names.len(), listed(&names))
        }
    }))
}

fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| shown(Path::new(name))).collect();
    match names.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Whether a file is one that macOS or Windows adds to every archive or folder.
fn is_made_by_the_system(name: &str) -> bool {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.starts_with("__MACOSX/")
        || last.starts_with("._")
        || matches!(last, ".DS_Store" | "Thumbs.db" | "desktop.ini")
}

/// A file as it lies in the archive.
struct Packed {
    packed: Vec<u8>,
    crc: u32,
    is_stored: bool,
}

impl Packed {
    fn open(self, path: &Path) -> Result<Source, ImportError> {
        let packed = Cursor::new(self.packed);
        let reader: Box<dyn Read + Send> = match self.is_stored {
            true => Box::new(packed),
            false => Box::new(flate2::bufread::DeflateDecoder::new(packed)),
        };
        let reader = Checked { reader, crc: Crc::new(), expected: self.crc };
        Source::from_reader(PathBuf::from(path), Box::new(reader))
    }
}

/// A file whose checksum is compared where it ends.
struct Checked {
    reader: Box<dyn Read + Send>,
    crc: Crc,
    expected: u32,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.crc.update(&buffer[..read]);
        if read == 0 && !buffer.is_empty() && self.crc.sum() != self.expected {
            let reason = "the checksum in the archive is another";
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn zipped(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            let options = SimpleFileOptions::default().compression_method(method);
            match name.strip_suffix('/') {
                Some(folder) => archive.add_directory(folder, options).unwrap(),
                None => {
                    archive.start_file(*name, options).unwrap();
                    archive.write_all(bytes).unwrap();
                }
            }
        }
        archive.finish().unwrap().into_inner()
    }

    /// What is read of an archive: files that begin with a bracket are traces.
    fn entered(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let mut source = Source::from_bytes("a.zip", bytes).unwrap();
        let is_trace = |source: &mut Source| source.head(1).is_ok_and(|head| head == b"[");
        enter(&mut source, is_trace).map_err(|error| error.to_string())?;
        source.read_whole().map(|(bytes, _)| bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn the_only_trace_is_read() {
        let trace = b"[1, 2]".repeat(100);
        let system: [(&str, &[u8]); 3] =
            [("__MACOSX/._t.json", b"[x"), ("f/.DS_Store", b"[x"), ("f/", b"")];
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let mut files = vec![("f/g/t.json", &trace[..]), ("readme.md", &b"hello"[..])];
            files.extend(system);
            assert_eq!(entered(zipped(&files, method)), Ok(trace.clone()));
        }
        let plain = b"[1]".to_vec();
        assert_eq!(entered(plain.clone()), Ok(plain));
    }

    #[test]
    fn other_archives_say_what_is_in_them() {
        let zipped = |files: &[(&str, &[u8])]| zipped(files, CompressionMethod::Deflated);
        let error = |bytes| entered(bytes).unwrap_err();
        let several = error(zipped(&[("a.json", b"[1]"), ("b.json", b"[2]"), ("c", b"x")]));
        assert!(
            several
                .starts_with("a.zip: a ZIP archive of 2 traces: a.json, b.json\nhint: unpack it"),
            "{several}"
        );
        let none = error(zipped(&[("b/c.txt", b"x"), ("inner.zip", &zipped(&[("a", b"[1]")]))]));
        assert!(none.contains("in which no file is a trace: b/c.txt, inner.zip"), "{none}");
        assert!(error(zipped(&[])).contains("without a file in it"));
        let many: Vec<String> = (0..MOST_FILES + 1).map(|number| number.to_string()).collect();
        let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
        assert!(error(zipped(&many)).contains("more than 64 files"));
        let mut cut = zipped(&[("a.json", b"[1]")]);
        cut.truncate(40);
        assert!(error(cut).contains("cannot be read"));
    }

    #[test]
    fn a_wrong_checksum_is_damage() {
        let text = b"[1]".repeat(50);
        let mut bytes = zipped(&[("a.json", &text)], CompressionMethod::Stored);
        let at = bytes.windows(3).position(|window| window == b"[1]").unwrap();
        bytes[at + 1] = b'7';
        let mut source = Source::from_bytes("a.zip", bytes).unwrap();
        enter(&mut source, |_| true).unwrap();
        let (read, damage) = source.read_whole().unwrap();
        assert_eq!((&read[..3], read.len(), damage.is_some()), (&b"[7]"[..], 150, true));
    }
}
