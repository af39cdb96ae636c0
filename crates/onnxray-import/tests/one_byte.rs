//! One byte of a file is changed, everywhere, in every format. If anything that is read
//! changes with it, there is a warning, or the file is still one that its producer could
//! have written: another number, another name.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

#[path = "one_byte/validity.rs"]
mod validity;

use onnxray_import::{Importer, Launch, Options, Source, detect, formats};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use validity::{FILES, Grammar, check};

/// Written in place of a byte: what JSON, CSV and XML are made of, digits, letters, and what
/// is not text.
const BYTES: &[u8] = b"\"\\{}[]:,;'<>=. \n\t-0 9ex\0\x0b\x7f\xff";
/// How many of them are tried in each place; which, changes from place to place.
const TRIES: usize = 2;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// Everything that was read, and what was said of it; `None` if it could not be read.
fn read(importer: &Importer, bytes: Vec<u8>) -> Option<(String, Vec<String>)> {
    let source = Source::from_bytes("file", bytes).ok()?;
    let options = Options { slice_bytes: 1 << 20, workers: 1, ..Options::default() };
    let mut launches: Vec<Launch> = importer.read(vec![source], &options).ok()?;
    let warnings = launches.iter_mut().flat_map(|launch| {
        let said = [std::mem::take(&mut launch.warnings), std::mem::take(&mut launch.ignored)];
        said.into_iter().flatten()
    });
    let warnings = warnings.map(|warning| warning.to_string()).collect();
    Some((format!("{launches:?}"), warnings))
}

/// Changes of which nothing is said, by what they are changes of, each with an example.
fn silent_changes(name: &str, grammar: &Grammar) -> BTreeMap<String, (u32, String)> {
    let bytes = std::fs::read(fixture(name)).unwrap();
    let importer = detect(&mut Source::from_bytes("file", bytes.clone()).unwrap()).unwrap();
    let (whole, said) = read(importer, bytes.clone()).unwrap();
    let mut silent: BTreeMap<String, (u32, String)> = BTreeMap::new();
    for offset in 0..bytes.len() {
        for number in 0..TRIES {
            let byte = BYTES[(offset * 7 + number * 11) % BYTES.len()];
            let mut changed = bytes.clone();
            changed[offset] = byte;
            let Some((now, says)) = read(importer, changed.clone()) else { continue };
            if now == whole || says != said {
                continue;
            }
            if let Err(what) = check(grammar, &bytes, &changed, offset) {
                let around = offset.saturating_sub(60)..(offset + 40).min(changed.len());
                let example = || String::from_utf8_lossy(&changed[around]).into_owned();
                silent.entry(what).or_insert_with(|| (0, example())).0 += 1;
            }
        }
    }
    silent
}

#[test]
fn what_changes_is_valid_or_said() {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut unsaid = String::new();
        while let Some((name, grammar)) = FILES.get(next.fetch_add(1, Ordering::Relaxed)) {
            for (what, (count, example)) in silent_changes(name, grammar) {
                unsaid += &format!("{name}: {what}, {count} times, such as {example:?}\n");
            }
        }
        unsaid
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let unsaid: String = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    assert!(unsaid.is_empty(), "changed without a word:\n{unsaid}");
}

#[test]
fn every_format_is_among_them() {
    let formats: BTreeSet<&str> = FILES
        .iter()
        .map(|(name, _)| {
            let mut source = Source::open(&fixture(name)).unwrap();
            detect(&mut source).unwrap().format.name
        })
        .collect();
    assert_eq!(formats.len(), formats::ALL.len(), "{formats:?}");
}
