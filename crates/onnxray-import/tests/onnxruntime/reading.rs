//! Reads profiles and looks at what came out.

use onnxray_format::Operator;
use onnxray_import::formats::onnxruntime::IMPORTER;
use onnxray_import::{Launch, NO_ITERATION, Options, Source, detect};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All profiles of the repository, in order of their paths.
pub(crate) fn fixtures() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for version in std::fs::read_dir(root().join("fixtures/onnxruntime")).unwrap() {
        let version = version.unwrap().path();
        if version.is_dir() {
            found.extend(std::fs::read_dir(version).unwrap().map(|file| file.unwrap().path()));
        }
    }
    found.retain(|path| path.extension().is_some_and(|end| end == "json" || end == "gz"));
    found.sort();
    found
}

pub(crate) fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(root().join("fixtures/onnxruntime").join(name)).unwrap()
}

pub(crate) fn launch(source: Source) -> Launch {
    let launches = IMPORTER.read(vec![source], &Options::default()).unwrap();
    let [launch] = <[Launch; 1]>::try_from(launches).unwrap();
    check_columns(&launch);
    launch
}

pub(crate) fn fixture(name: &str) -> Launch {
    let mut source = Source::from_bytes(name, bytes(name)).unwrap();
    assert_eq!(detect(&mut source).unwrap().format, IMPORTER.format);
    launch(source)
}

/// Events point at what is there, columns are of one length, names are unique.
pub(crate) fn check_columns(launch: &Launch) {
    for (number, operator) in launch.operators.iter().enumerate() {
        assert_eq!(operator.number as usize, number);
        assert!(operator.parent.is_none_or(|parent| (parent as usize) < launch.operators.len()));
    }
    let unique: BTreeSet<&str> = names(launch).into_iter().collect();
    assert_eq!(unique.len(), launch.operators.len());
    for chunk in &launch.events.chunks {
        let columns = [&chunk.operator, &chunk.iteration, &chunk.thread].map(Vec::len);
        let times = [&chunk.start, &chunk.duration].map(Vec::len);
        assert!(columns.iter().chain(&times).all(|&length| length == chunk.len()));
        assert!(chunk.figures.iter().all(|figure| figure.len() == chunk.len()));
        assert!(chunk.operator.iter().all(|&number| (number as usize) < launch.operators.len()));
        assert!(chunk.thread.iter().all(|&thread| (thread as usize) < launch.events.threads.len()));
        assert!(chunk.iteration.iter().all(|&iteration| {
            iteration == NO_ITERATION || (iteration as usize) < launch.iterations.len()
        }));
    }
}

/// An execution of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub operator: u32,
    pub iteration: u32,
    pub thread: u32,
    pub start: u64,
    pub duration: u64,
}

impl Event {
    fn end(&self) -> u64 {
        self.start + self.duration
    }
}

/// All executions in the order of the file.
pub(crate) fn events(launch: &Launch) -> Vec<Event> {
    let rows = launch.events.chunks.iter().flat_map(|chunk| {
        (0..chunk.len()).map(move |row| Event {
            operator: chunk.operator[row],
            iteration: chunk.iteration[row],
            thread: chunk.thread[row],
            start: chunk.start[row],
            duration: chunk.duration[row],
        })
    });
    rows.collect()
}

pub(crate) fn operator<'a>(launch: &'a Launch, name: &str) -> &'a Operator {
    let found = launch.operators.iter().find(|operator| operator.name == name);
    found.unwrap_or_else(|| panic!("no {name} among {:?}", names(launch)))
}

/// How often an operator ran.
pub(crate) fn executions(launch: &Launch, name: &str) -> usize {
    let number = operator(launch, name).number;
    events(launch).iter().filter(|event| event.operator == number).count()
}

pub(crate) fn names(launch: &Launch) -> Vec<&str> {
    launch.operators.iter().map(|operator| operator.name.as_str()).collect()
}

/// Names of the operators, and of those they run in.
pub(crate) fn parents(launch: &Launch) -> BTreeMap<&str, Option<&str>> {
    let name = |number: u32| launch.operators[number as usize].name.as_str();
    launch.operators.iter().map(|found| (found.name.as_str(), found.parent.map(name))).collect()
}

/// A figure of all executions; one that is unknown for all has no column.
pub(crate) fn figure(launch: &Launch, key: &str) -> Vec<Option<i64>> {
    match launch.events.figures.iter().position(|figure| figure.key == key) {
        Some(at) => {
            launch.events.chunks.iter().flat_map(|chunk| chunk.figures[at].iter()).collect()
        }
        None => vec![None; launch.events.len()],
    }
}

pub(crate) fn messages(launch: &Launch) -> String {
    let all: Vec<String> = launch.warnings.iter().map(ToString::to_string).collect();
    all.join("\n")
}

/// What `tests/readers/onnxruntime.py` prints of a file.
pub(crate) fn summary(launch: &Launch) -> Value {
    let mut order: Vec<(usize, Event)> = events(launch).into_iter().enumerate().collect();
    // Of two that coincide, the one written later is the outer one.
    order.sort_by_key(|&(row, event)| {
        (event.thread, event.start, Reverse(event.duration), Reverse(row))
    });
    let mut own: Vec<i64> = vec![0; launch.operators.len()];
    let mut executions = vec![0; launch.operators.len()];
    let mut per_iteration = vec![0; launch.iterations.len()];
    let mut outside = 0;
    let mut open: Vec<Event> = Vec::new();
    for &(_, event) in &order {
        let over = |last: &Event| last.thread != event.thread || last.end() <= event.start;
        while open.last().is_some_and(over) {
            open.pop();
        }
        if let Some(holder) = open.last() {
            own[holder.operator as usize] -= event.duration as i64;
        }
        own[event.operator as usize] += event.duration as i64;
        executions[event.operator as usize] += 1;
        match per_iteration.get_mut(event.iteration as usize) {
            Some(count) => *count += 1,
            None => outside += 1,
        }
        open.push(event);
    }
    let parents = parents(launch);
    let row = |operator: &Operator| {
        let row = json!({
            "type": operator.operator_type,
            "executions": executions[operator.number as usize],
            "exclusive_ns": own[operator.number as usize],
            "mean_ns": null,
            "median_ns": null,
            "parent": parents[operator.name.as_str()],
        });
        (operator.name.clone(), row)
    };
    let operators: serde_json::Map<String, Value> = launch.operators.iter().map(row).collect();
    json!({
        "iterations": launch.iterations.len(),
        "events": order.len(),
        "operators": operators,
        "per_iteration": per_iteration,
        "outside": outside,
    })
}
