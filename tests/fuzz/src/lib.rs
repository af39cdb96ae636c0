//! What all fuzz targets do with their bytes.

#[path = "../../../crates/onnxray-import/tests/one_byte/validity.rs"]
mod validity;

#[cfg(feature = "recorder")]
pub mod journals;

use onnxray_import::formats::onnxruntime;
use onnxray_import::{Importer, Launch, NO_ITERATION, Options, Source, detect};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

/// Reads the bytes as a format, whatever they are, and checks what came of it.
pub fn import(importer: &Importer, bytes: &[u8]) {
    for slice_bytes in [1 << 20, 64 + bytes.len() / 7] {
        let Ok(source) = Source::from_bytes("input", bytes.to_vec()) else { return };
        let options = Options { slice_bytes, workers: 1, ..Options::default() };
        if let Ok(launches) = importer.read(vec![source], &options) {
            launches.iter().for_each(check);
        }
    }
}

/// Finds out the format and reads the bytes as that.
pub fn detected(bytes: &[u8]) {
    let Ok(mut source) = Source::from_bytes("input", bytes.to_vec()) else { return };
    if let Ok(importer) = detect(&mut source) {
        let _ = importer
            .read(vec![source], &Options { slice_bytes: 256, workers: 1, ..Options::default() });
    }
}

/// What parts the files of an input.
const BETWEEN: &[u8] = b"\n\0file\0\n";

/// Reads several files at once, as the format of the first, whatever they are.
pub fn several(bytes: &[u8]) {
    let finder = memchr::memmem::find_iter(bytes, BETWEEN);
    let mut begin = 0;
    let mut files = Vec::new();
    for end in finder.chain([bytes.len()]) {
        files.push(&bytes[begin..end.max(begin)]);
        begin = (end + BETWEEN.len()).min(bytes.len());
    }
    let open = |(number, bytes): (usize, &&[u8])| {
        Source::from_bytes(format!("input{number}"), bytes.to_vec()).ok()
    };
    let mut sources: Vec<Source> = files.iter().take(8).enumerate().filter_map(open).collect();
    let Some(Ok(importer)) = sources.first_mut().map(detect) else { return };
    let options = Options { slice_bytes: 1 << 20, workers: 1, ..Options::default() };
    if let Ok(launches) = importer.read(sources, &options) {
        launches.iter().for_each(check);
    }
}

/// Reads the bytes plainly, compressed, and in slices of several workers: all must say the
/// same.
pub fn differential(bytes: &[u8]) {
    let compressed = bytes.starts_with(b"\x1f\x8b")
        || bytes.starts_with(b"\x28\xb5\x2f\xfd")
        || bytes.get(1..4) == Some(b"\x2a\x4d\x18");
    if compressed {
        return;
    }
    let whole = said(bytes, 1 << 20, 1);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).expect("memory");
    assert_eq!(whole, said(&gzip.finish().expect("memory"), 1 << 20, 1), "gzip");
    assert_eq!(whole, said(&zstd::encode_all(bytes, 1).expect("memory"), 1 << 20, 1), "zstd");
    for (slice_bytes, workers) in [(64, 1), (64 + bytes.len() / 5, 3)] {
        let sliced = said(bytes, slice_bytes, workers);
        // Where a damaged event ends can depend on what is seen of the text behind it.
        if whole.as_ref().is_some_and(|said| said.warnings.is_empty()) {
            assert_eq!(whole, sliced, "{slice_bytes} {workers}");
        }
    }
}

/// What is read of an input, however its executions are cut into chunks.
#[derive(Debug, PartialEq)]
struct Said {
    launches: Vec<String>,
    /// Operator, iteration, thread, start and duration of each execution.
    executions: Vec<[u64; 5]>,
    figures: Vec<Option<i64>>,
    warnings: Vec<String>,
}

impl Said {
    fn same_content(&self, other: &Said) -> bool {
        self.launches == other.launches
            && self.executions == other.executions
            && self.figures == other.figures
    }
}

fn said(bytes: &[u8], slice_bytes: usize, workers: usize) -> Option<Said> {
    let mut source = Source::from_bytes("input", bytes.to_vec()).ok()?;
    let importer = detect(&mut source).ok()?;
    let launches = importer
        .read(vec![source], &Options { slice_bytes, workers, ..Options::default() })
        .ok()?;
    let (mut executions, mut figures, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    let mut plain = Vec::new();
    for mut launch in launches {
        warnings.extend(launch.warnings.drain(..).map(|warning| warning.to_string()));
        for chunk in std::mem::take(&mut launch.events.chunks) {
            executions.extend((0..chunk.len()).map(|row| {
                let place = [chunk.operator[row], chunk.iteration[row], chunk.thread[row]];
                let [operator, iteration, thread] = place.map(u64::from);
                [operator, iteration, thread, chunk.start[row], chunk.duration[row]]
            }));
            for row in 0..chunk.len() {
                figures.extend(chunk.figures.iter().map(|figure| figure.get(row)));
            }
        }
        plain.push(format!("{launch:?}"));
    }
    Some(Said { launches: plain, executions, figures, warnings })
}

/// Changes a byte of a fixture: if what is read changes with it, there is a warning, or the
/// file is valid still.
pub fn one_change(bytes: &[u8]) {
    let &[file, high, middle, low, byte] = bytes else { return };
    let (name, grammar) = &validity::FILES[usize::from(file) % validity::FILES.len()];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
    let good = std::fs::read(path).expect("the fixture");
    let offset = u32::from_be_bytes([0, high, middle, low]) as usize % good.len();
    let mut changed = good.clone();
    changed[offset] = byte;
    let (Some(before), Some(after)) = (said(&good, 1 << 20, 1), said(&changed, 1 << 20, 1)) else {
        return;
    };
    if !before.same_content(&after) && before.warnings == after.warnings {
        let valid = validity::check(grammar, &good, &changed, offset);
        assert!(valid.is_ok(), "{name}: {valid:?} at byte {offset}, now {byte}");
    }
}

/// A file of this process with these bytes, for what reads files only.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = env::temp_dir().join(format!("onnxray-fuzz-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    let file = folder.join(name);
    fs::write(&file, bytes).expect("room for a temporary file");
    file
}

/// A text of these pieces, in the order that the bytes say: whole ones, cut ones, with another
/// byte in them, or with bytes of their own between them.
pub fn pieced(bytes: &[u8], pieces: &[&[u8]]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut bytes = bytes.iter().copied();
    while let Some(choice) = bytes.next() {
        let number = bytes.next().map_or(0, usize::from);
        match choice {
            0..0x80 => text.extend_from_slice(pieces[usize::from(choice) % pieces.len()]),
            0x80..0xa0 => text.extend(bytes.by_ref().take(number)),
            0xa0..0xc0 => text.truncate(text.len().saturating_sub(number)),
            _ => {
                // Anywhere in it, though a byte does not reach that far.
                let place = (usize::from(choice) << 8 | number).wrapping_mul(0x9e37);
                if let Some(at) = place.checked_rem(text.len()) {
                    text[at] = bytes.next().unwrap_or(b'"');
                }
            }
        }
    }
    text
}

/// A folder of this process that holds a file with these bytes, and nothing else.
pub fn folder(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = env::temp_dir().join(format!("onnxray-fuzz-folder-{}", process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    fs::write(folder.join(name), bytes).expect("room for a temporary file");
    folder
}

/// A launch of three operators.
pub fn launch() -> Launch {
    let trace = include_bytes!("../../../fixtures/onnxruntime/1.31.1/chain.json").to_vec();
    let source = Source::from_bytes("trace", trace).expect("a fixture");
    let launches = onnxruntime::IMPORTER
        .read(vec![source], &Options { slice_bytes: 1 << 20, workers: 1, ..Options::default() });
    launches.expect("a fixture").remove(0)
}

/// Every number in a launch must refer to something that is there.
pub fn check(launch: &Launch) {
    for (position, operator) in launch.operators.iter().enumerate() {
        assert_eq!(operator.number as usize, position);
        assert!(operator.parent.is_none_or(|parent| (parent as usize) < launch.operators.len()));
    }
    for average in &launch.averages {
        assert!((average.operator as usize) < launch.operators.len());
    }
    for chunk in &launch.events.chunks {
        let rows = chunk.len();
        let lengths = [chunk.iteration.len(), chunk.thread.len(), chunk.start.len()];
        assert_eq!(lengths, [rows; 3]);
        assert_eq!(chunk.duration.len(), rows);
        assert_eq!(chunk.figures.len(), launch.events.figures.len());
        assert!(chunk.figures.iter().all(|figure| figure.len() == rows));
        for row in 0..rows {
            assert!((chunk.operator[row] as usize) < launch.operators.len());
            assert!((chunk.thread[row] as usize) < launch.events.threads.len());
            let iteration = chunk.iteration[row];
            assert!(iteration == NO_ITERATION || (iteration as usize) < launch.iterations.len());
        }
    }
}
