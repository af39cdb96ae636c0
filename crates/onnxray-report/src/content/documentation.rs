//! `docs/columns.md`: every table of every report, printed from the declarations of its columns.
//!
//! `ONNXRAY_UPDATE=1` writes the file anew.

use super::declared::{Declared, parts};
use super::{
    check, comparison, concurrency, inputs, latency, launches, loss, mix, model, modules,
    operators, phases, placement, profiles, projection, searches, slowest, sweep, tune, types,
};
use onnxray_analyzer::figure;
use std::collections::HashSet;

/// What stands above the tables.
const INTRODUCTION: &str = "\
# Columns and figures

What every table and list of figures holds. The key is what JSON and CSV call a column, and
what `--columns` takes; the heading is what the terminal, pages and workbooks show, unless a
workbook has a name of its own for it. [The statistics](statistics.md) define how the figures
are computed. This page is printed from the program.
";

fn of_recordings() -> Vec<Declared> {
    let resources = figure::ALL.iter().map(|figure| (figure.key, figure.heading, figure.meaning));
    vec![
        Declared::of("Model", model::FACTS)
            .and(model::MEASURED)
            .and(placement::PLACEMENT)
            .and(latency::LATENCY)
            .and(latency::THROUGHPUT)
            .and(latency::PARTS)
            .and(latency::DEVICES)
            .and(latency::PROFILING)
            .and(latency::CALIBRATION)
            .and(concurrency::RANKS)
            .and(concurrency::CONCURRENT_INSTANCES)
            .and(model::COSTS)
            .and(model::RATES),
        Declared::of("Phases", phases::PHASES),
        Declared::of("Operator types", types::TYPES),
        Declared::of("Operators and kernels", operators::OPERATORS),
        Declared::figures("Slowest operators", [slowest::CUMULATIVE_SHARE].iter().map(parts)),
        Declared::of("Execution providers", placement::PROVIDERS),
        Declared::of("Modules", modules::MODULES),
        Declared::figures("Resources", resources),
        Declared::of("Launches", launches::LAUNCHES),
        Declared::of("Iterations", launches::ITERATIONS),
        Declared::of("Profiles", &profiles::Row::COLUMNS),
        Declared::of("Formats", inputs::FORMATS),
        Declared::of("Inputs", inputs::INPUTS),
        Declared::of("Check", &check::finding_columns()),
        Declared::of("A/A false positives", &check::alarm_columns()),
    ]
}

fn everything() -> Vec<Declared> {
    let groups = [
        of_recordings(),
        comparison::declared(),
        projection::declared(),
        loss::declared(),
        sweep::declared(),
        vec![Declared::of("Tuning and mixing: setting", searches::SETTING)],
        tune::declared(),
        mix::declared(),
    ];
    groups.into_iter().flatten().collect()
}

#[test]
fn documentation_lists_all_columns() {
    let tables = everything();
    let text: String = tables.iter().map(Declared::markdown).collect();
    let text = format!("{INTRODUCTION}{text}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/columns.md");
    if std::env::var_os("ONNXRAY_UPDATE").is_some() {
        std::fs::write(path, &text).expect("the page can be written");
    }
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(page == text, "docs/columns.md is not what is declared: set ONNXRAY_UPDATE=1 once");
}

#[test]
fn every_column_has_a_meaning_of_its_own() {
    for table in everything() {
        let mut keys = HashSet::new();
        for (key, heading, meaning) in &table.columns {
            let column = format!("{key} of {}", table.title);
            assert!(keys.insert(*key), "{column} is there twice");
            assert!(!heading.is_empty() && !meaning.is_empty(), "{column} does not say what it is");
            assert!(!meaning.contains(['|', '\n']), "{column} breaks a table");
        }
    }
}
