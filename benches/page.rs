//! What the page of a recording costs: computing what it shows beyond a summary, putting
//! it together, and writing the file; and how large that is.
//!
//! `cargo bench -p onnxray-report --bench page` makes recordings of several sizes in
//! memory. Each step is run several times; the median counts. What stands beside a size
//! is what a page of it should not exceed. With `-- --write FILE` it only writes the page of
//! 5,000 operators and 1,000 iterations.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[path = "profiles/launches.rs"]
mod launches;
mod measure;
#[path = "profiles/sequence.rs"]
mod sequence;
#[allow(dead_code)] // another bench writes a recording of it
#[path = "profiles/synthetic.rs"]
mod synthetic;

use launches::Plan;
use measure::Row;
use onnxray_analyzer::{Details, Needs, Summary, Trace, examine};
use onnxray_format::Run;
use onnxray_report::{Page, RecordingReport, Report, write_page};
use sequence::Sequence;
use std::fs::File;
use std::hint::black_box;

const ROUNDS: usize = 5;

/// Operators, iterations, and megabytes of the page at most.
const SIZES: [(u32, u32, f64); 4] =
    [(200, 1000, 1.0), (5000, 1000, 2.5), (100_000, 10, 25.0), (2, 1_000_000, 25.0)];

fn page(summary: &Summary, details: &Details) -> Page {
    RecordingReport {
        name: "synthetic",
        summary,
        details,
        planned: None,
        profile: None,
        check: None,
        sensitivity: None,
    }
    .page()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--write") {
        let (summary, details) = detailed(&trace(5000, 1000));
        let file = File::create(&arguments[at + 1]).expect("a file");
        return write_page(&page(&summary, &details), file).expect("room for the page");
    }
    for (operators, iterations, most) in SIZES {
        let trace = trace(operators, iterations);
        let (summary, details) = detailed(&trace);
        let made = page(&summary, &details);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("page.html");
        let write = || write_page(&made, File::create(&path).expect("a file")).expect("room");
        write();
        let megabytes = std::fs::metadata(&path).expect("a page").len() as f64 / 1e6;
        println!(
            "{operators} operators, {iterations} iterations: {megabytes:.2} MB (at most {most})"
        );
        let mut rows = [
            Row::new("figures of the summary", || {
                drop(black_box(examine(&trace, Needs::Measured)))
            }),
            Row::new("the same with details", || drop(black_box(detailed(&trace)))),
            Row::new("content of the page", || {
                drop(black_box(page(&summary, &details)));
            }),
            Row::new("writing it", write),
        ];
        for _ in 0..ROUNDS {
            rows.iter_mut().for_each(Row::measure);
        }
        for row in &rows {
            let (milliseconds, peak) = (1e3 * row.seconds(), row.peak as f64 / 1e6);
            println!("  {:24} {milliseconds:8.1} ms {peak:8.1} MB", row.name);
        }
    }
}

/// One launch; each operator takes up to a fifth more or less than is typical of it.
fn trace(operators: u32, iterations: u32) -> Trace {
    let mut random = Sequence::new(u64::from(operators));
    let operators = synthetic::table(operators, &mut random);
    let typical: Vec<u64> = operators.iter().map(|_| 1000 + random.below(100_000)).collect();
    let run = Run { model: "model.onnx".to_string(), batch_size: Some(4), ..Run::default() };
    let plan = Plan { run, operators: &operators, launches: 1, iterations };
    let launches =
        plan.launches(1000, |_, _, operator| typical[operator] * (800 + random.below(400)) / 1000);
    Trace::new(launches)
}

fn detailed(trace: &Trace) -> (Summary, Details) {
    let examined = examine(trace, Needs::Measured).expect("figures");
    let details = examined.details();
    (examined.summary, details)
}
