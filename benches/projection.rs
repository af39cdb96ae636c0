//! What the projection of a large model costs: computing it, writing its
//! workbook, and reading that back.
//!
//! `cargo bench --bench projection` makes a recording of 5,000 operators (or of
//! `ONNXRAY_BENCH_OPERATORS`) and projects it at ten levels. XlsxWriter then
//! writes the same cells and openpyxl reads them, in turns with us, several times;
//! the median counts. Both are Python packages: `ONNXRAY_PYTHON` names the
//! interpreter that has them. With `-- --write FILE` it only makes the recording.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[path = "peers/mod.rs"]
mod peers;
#[path = "profiles/sequence.rs"]
mod sequence;
#[path = "profiles/synthetic.rs"]
mod synthetic;

use onnxray_analyzer::projection::{Settings, plan, project};
use onnxray_analyzer::{Needs, Summary, Trace, examine, settings};
use onnxray_import::{Reading, import};
use onnxray_report::{ProjectionReport, Report, write_workbook};
use peers::Peer;
use std::fs::File;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const ROUNDS: usize = 7;
const LEVELS: [f64; 10] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

fn main() {
    let operators = std::env::var("ONNXRAY_BENCH_OPERATORS").ok();
    let operators = operators.and_then(|text| text.parse().ok()).unwrap_or(5000);
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--write") {
        let path = Path::new(&arguments[at + 1]);
        return synthetic::recording(path, operators).expect("room for the recording");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recording = folder.path().join("recording.json");
    synthetic::recording(&recording, operators).expect("room for the recording");
    let summary = summary(&recording);
    let levels = Settings { levels: LEVELS.to_vec(), ..Settings::default() };
    let projection = project(&summary, &levels);
    println!(
        "{} operators, {} rows of ratios, {} levels",
        projection.operators.len(),
        projection.rows.len(),
        projection.levels.len()
    );
    // Once is too short for the clock of a noisy machine.
    const TIMES: u32 = 20;
    let mut compute = Rounds::default();
    for _ in 0..ROUNDS {
        compute.measure(|| {
            (0..TIMES).for_each(|_| drop(black_box(project(&summary, black_box(&levels)))))
        });
    }
    println!("project: {:.3} ms", compute.seconds() * 1e3 / f64::from(TIMES));

    let plan = plan(&summary, &projection, &levels);
    let workbook = folder.path().join("projection.xlsx");
    let report = ProjectionReport {
        name: "",
        summary: &summary,
        projection: &projection,
        plan: &plan,
        settings: &levels,
        profile: None,
    };
    let write = || {
        let file = File::create(&workbook).expect("a file");
        write_workbook(&report.workbook(), folder.path(), file).expect("room");
    };
    write();
    println!("\nworkbook of {} bytes", std::fs::metadata(&workbook).expect("written").len());
    let mut xlsxwriter =
        Peer::start("write_workbook.py", &[&workbook, &folder.path().join("peer.xlsx")]);
    let (mut ours, mut whole, mut constant) = Default::default();
    for _ in 0..ROUNDS {
        Rounds::measure(&mut ours, write);
        Rounds::add(&mut whole, xlsxwriter.round("memory")[0]);
        Rounds::add(&mut constant, xlsxwriter.round("constant")[0]);
    }
    println!("written by {}", xlsxwriter.title);
    compare(&[
        ("onnxray", &ours),
        ("XlsxWriter", &whole),
        ("XlsxWriter, constant memory", &constant),
    ]);
    drop(xlsxwriter);

    let mut openpyxl = Peer::start("read_workbook.py", &[&workbook]);
    let (mut ours, mut rows, mut whole) = Default::default();
    for _ in 0..ROUNDS {
        Rounds::measure(&mut ours, || {
            drop(black_box(settings::read(&workbook).expect("settings")))
        });
        Rounds::add(&mut rows, openpyxl.round("rows")[0]);
        Rounds::add(&mut whole, openpyxl.round("whole")[0]);
    }
    println!("read by {}", openpyxl.title);
    compare(&[("onnxray", &ours), ("openpyxl, read only", &rows), ("openpyxl", &whole)]);
}

/// Prints medians, and how many times ours the others take.
fn compare(rows: &[(&str, &Rounds)]) {
    for (name, rounds) in rows {
        let seconds = rounds.seconds();
        println!("{name:32} {seconds:8.4} s {:8.2} x", seconds / rows[0].1.seconds());
    }
}

fn summary(recording: &Path) -> Summary {
    let launches = import(&[recording.to_path_buf()], &Reading::default()).expect("a recording");
    examine(&Trace::new(launches), Needs::Measured).expect("statistics").summary
}

/// Times of one thing, in seconds.
#[derive(Default)]
struct Rounds(Vec<f64>);

impl Rounds {
    fn measure(&mut self, run: impl FnOnce()) {
        let start = Instant::now();
        run();
        self.0.push(start.elapsed().as_secs_f64());
    }

    fn add(&mut self, seconds: f64) {
        self.0.push(seconds);
    }

    /// The median.
    fn seconds(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }
}
