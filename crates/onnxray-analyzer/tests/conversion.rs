//! What is converted to a recording reads back as the same launch, whatever the
//! format it came from.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_analyzer::convert::write_recording;
use onnxray_import::formats::onnxray::IMPORTER;
use onnxray_import::{Launch, Options, Reading, Source, import};
use std::path::{Path, PathBuf};

/// All traces among the fixtures, by the folder of their producer.
fn traces() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut traces = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            if path.is_dir()
                && !(folder == root
                    && ["models", "malformed", "alignment", "guide", "recordings"]
                        .contains(&&*name))
            {
                folders.push(path);
            } else if folder != root && ![".py", ".onnx"].iter().any(|end| name.ends_with(end)) {
                traces.push(path);
            }
        }
    }
    // It tells of a run, but not of its operators.
    traces.retain(|path| !path.to_str().unwrap().contains("benchmark_report."));
    traces.sort();
    traces
}

fn again(launch: &Launch) -> Launch {
    let mut bytes = Vec::new();
    write_recording(&mut bytes, launch).unwrap();
    serde_json::from_slice::<serde_json::Value>(&bytes).expect("well-formed JSON");
    let source = Source::from_bytes("converted.json", bytes).unwrap();
    let options = Options { slice_bytes: 4096, workers: 2, ..Options::default() };
    IMPORTER.read(vec![source], &options).unwrap().remove(0)
}

/// One row per execution, with its figures by name.
fn rows(launch: &Launch) -> Vec<String> {
    let mut rows = Vec::new();
    for chunk in &launch.events.chunks {
        for row in 0..chunk.len() {
            let thread = &launch.events.threads[chunk.thread[row] as usize];
            let figures = launch.events.figures.iter().zip(&chunk.figures);
            let figures: Vec<_> =
                figures.filter_map(|(f, values)| Some((f.key, values.get(row)?))).collect();
            rows.push(format!(
                "{} {} {thread:?} {} {} {figures:?}",
                chunk.operator[row], chunk.iteration[row], chunk.start[row], chunk.duration[row],
            ));
        }
    }
    rows
}

#[test]
fn every_fixture_reads_back_as_it_was() {
    let traces = traces();
    assert!(traces.len() > 20, "{traces:?}");
    for path in traces {
        let launches = import(std::slice::from_ref(&path), &Reading::default());
        let launches = launches.unwrap_or_else(|error| panic!("{error}"));
        for launch in launches {
            let back = again(&launch);
            let name = path.display();
            assert_eq!(back.operators, launch.operators, "{name}");
            assert_eq!(back.iterations, launch.iterations, "{name}");
            assert_eq!(back.averages, launch.averages, "{name}");
            assert_eq!(rows(&back), rows(&launch), "{name}");
            let converted = back.run.converted_from.clone();
            let title = launch.format.title.to_string();
            let foreign = (!launch.format.is_recording()).then_some(title);
            assert_eq!(converted, foreign.or(launch.run.converted_from.clone()), "{name}");
            let mut run = back.run.clone();
            (run.converted_from, run.format_version) =
                (launch.run.converted_from.clone(), launch.run.format_version);
            assert_eq!(run, launch.run, "{name}");
            // Converting what was converted changes nothing.
            assert_eq!(rows(&again(&back)), rows(&launch), "{name}");
            assert!(back.warnings.iter().all(|warning| !warning.loss), "{:?}", back.warnings);
        }
    }
}

#[test]
fn every_fixture_reads_the_same_under_another_name() {
    let folder = tempfile::tempdir().unwrap();
    for path in traces() {
        let unknown = folder.path().join("unknown");
        std::fs::copy(&path, &unknown).unwrap();
        let read =
            |path: &PathBuf| import(std::slice::from_ref(path), &Reading::default()).unwrap();
        for (named, nameless) in read(&path).iter().zip(read(&unknown)) {
            assert_eq!(named.format, nameless.format);
            assert_eq!(named.operators, nameless.operators);
            assert_eq!(rows(named), rows(&nameless));
            assert_eq!(named.averages, nameless.averages);
        }
    }
}
