//! What pages compute, in JavaScript, against the analyzer's: every figure of a projection at
//! random models, settings and edits, all bits equal; settings that the page saves; ratios in words.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod cases;
mod difference;
mod edits;
#[path = "../../../onnxray-analyzer/tests/models/mod.rs"]
mod models;

use edits::Edit;
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{Plan, Projection, Settings, plan, project};
use onnxray_analyzer::settings;
use onnxray_report::{Block, ProjectionReport, ProjectionSelection, Report, write_json};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Of each model, the settings that it comes with, and this many after edits.
const EDITED: usize = 9;
const EDITS: usize = 4;

/// A model that was projected, and a page of it.
struct Case {
    summary: Summary,
    plan: Plan,
    /// With all ratios that apply, as the page has them.
    settings: Settings,
    /// The page's data, and what it shows at these settings.
    data: String,
    tables: String,
}

impl Case {
    fn new(summary: Summary, given: &Settings) -> Case {
        let projection = project(&summary, given);
        let plan = plan(&summary, &projection, given);
        let report = report(&summary, &projection, &plan, given);
        let blocks = report.page().report.blocks;
        let data = blocks.into_iter().find_map(|block| match block {
            Block::Projection(data) => Some(data.to_string()),
            _ => None,
        });
        let (data, tables) = (data.unwrap(), tables(&report));
        let settings = projection.settings(given);
        Case { data, tables, settings, plan, summary }
    }

    /// What the analyzer says of edited settings, where the budget is not spread again:
    /// layers without a level of their own have the one that they had.
    fn edited(&self, settings: &Settings) -> String {
        let projection = project(&self.summary, settings);
        let mut fixed = settings.clone();
        let spread = plan(&self.summary, &projection, settings);
        for (layer, before) in spread.layers.iter().zip(&self.plan.layers) {
            if layer.exclusion.is_none() && layer.fixed.is_none() {
                let name = &self.summary.operators[layer.operator].operator.name;
                fixed.plan.set_override(name, before.planned);
            }
        }
        let plan = plan(&self.summary, &projection, &fixed);
        tables(&report(&self.summary, &projection, &plan, settings))
    }
}

fn report<'a>(
    summary: &'a Summary,
    projection: &'a Projection,
    plan: &'a Plan,
    settings: &'a Settings,
) -> ProjectionReport<'a> {
    ProjectionReport { name: "", summary, projection, plan, settings, profile: None }
}

/// All tables of a projection, in one line.
fn tables(report: &ProjectionReport) -> String {
    let everything =
        ProjectionSelection { operators: None, levels_table: true, plan: true, details: true };
    let mut json = Vec::new();
    write_json(&report.document(&everything), &mut json).unwrap();
    String::from_utf8(json).unwrap().replace('\n', "")
}

/// Cases in the form in which `projection.mjs` reads them, and the settings of each
/// after its edits.
fn cases(models: usize) -> (String, Vec<Settings>, BTreeSet<String>) {
    let mut runner = TestRunner::deterministic();
    let (mut lines, mut edited, mut seen) = (String::new(), Vec::new(), BTreeSet::new());
    let series = prop::collection::vec(prop::collection::vec(edits::edit(), 1..EDITS), EDITED);
    let model = (cases::summary(), cases::settings(), series);
    for _ in 0..models {
        let (summary, given, series) = model.new_tree(&mut runner).unwrap().current();
        let case = Case::new(summary, &given);
        note(&case, &mut seen);
        edited.push(case.settings.clone());
        write!(lines, "{{\"block\":{},\"cases\":[", case.data).unwrap();
        write!(lines, "{{\"edits\":[],\"tables\":{}}}", case.tables).unwrap();
        for edits in &series {
            let mut settings = case.settings.clone();
            let apply = |edit: &Edit| edit.apply(&mut settings, &case.summary, &case.plan);
            let edits: Vec<_> = edits.iter().filter_map(apply).collect();
            let edits = serde_json::Value::from(edits);
            let tables = case.edited(&settings);
            write!(lines, ",{{\"edits\":{edits},\"tables\":{tables}}}").unwrap();
            edited.push(project(&case.summary, &settings).settings(&settings));
        }
        lines.push_str("]}\n");
    }
    (lines, edited, seen)
}

/// What is rare, so that it is known to be among the cases.
fn note(case: &Case, seen: &mut BTreeSet<String>) {
    let projection = project(&case.summary, &case.settings);
    let totals = &projection.totals;
    let mut note = |is_seen: bool, what: &str| {
        if is_seen {
            seen.insert(what.to_string());
        }
    };
    note(projection.operators.is_empty(), "no operators");
    note(totals.total.is_some_and(|total| total.value == 0.0), "a time of 0");
    note(totals.concurrent.is_some_and(|time| time.value > 0.0), "concurrent");
    note(totals.total.is_some() && totals.overhead.is_none(), "overhead unknown");
    note(totals.total.is_some() && totals.projected_total.is_none(), "weights unknown");
    note(totals.total.is_some_and(|total| total.low < total.high), "intervals");
    let near = |pair: &[f64]| (pair[1] - pair[0]).abs() < 1.1e-9;
    for row in &projection.rows {
        let levels: Vec<f64> = row.ratios.points.iter().map(|point| point.level).collect();
        note(row.operators > 0 && levels.windows(2).any(near), "levels hardly apart");
    }
    let shared = case.plan.layers.iter().enumerate().any(|(at, layer)| layer.same_weight != at);
    note(shared, "a weight of two layers");
    for operator in &projection.operators {
        note(true, operator.outcome.text());
        note(!operator.outcome.is_settable() && operator.origin.is_some(), "gains unpruned");
        let origin = operator.origin.map(|origin| origin.to_string()).unwrap_or_default();
        note(
            true,
            origin.split(" %").next().unwrap().trim_end_matches(|c| !char::is_alphabetic(c)),
        );
    }
}

/// Runs a script, and with it the page's modules, over cases; where they save settings, if they do.
fn node(script: &str, cases: &str, saved: Option<&Path>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cases.json");
    std::fs::write(&file, cases).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page_projection").join(script);
    let output = Command::new("node").arg(script).arg(file).args(saved).output().expect("Node");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[test]
fn the_page_projects_as_the_analyzer_does_to_the_bit() {
    let (cases, settings, seen) = cases(1000);
    assert_eq!(settings.len(), 10_000);
    node("projection.mjs", &cases, None);
    for rare in [
        "no operators",
        "a time of 0",
        "concurrent",
        "overhead unknown",
        "weights unknown",
        "intervals",
        "levels hardly apart",
        "a weight of two layers",
        "already sparse",
        "already at the target",
        "no perf ratio",
        "gains unpruned",
        "no target",
        "weight unknown",
        "latency unknown",
        "below all levels (default",
        "below all levels (given",
        "between",
        "as at",
    ] {
        assert!(seen.iter().any(|what| what.starts_with(rare)), "{rare} is not among {seen:?}");
    }
}

#[test]
fn what_the_page_saves_is_read_back_as_it_was_edited() {
    let (cases, expected, _) = cases(60);
    let folder = tempfile::tempdir().unwrap();
    node("projection.mjs", &cases, Some(folder.path()));
    for (number, expected) in expected.iter().enumerate() {
        let path = folder.path().join(format!("{number}.json"));
        let read = settings::read(&path);
        let text = std::fs::read_to_string(&path).unwrap();
        let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.notes, [""; 0], "{text}");
        let mut found = Settings::default();
        read.settings.apply(&mut found);
        assert_eq!(found, *expected, "{text}");
        // Line by line as the program saves it, but for `1` in the place of `1.0`.
        let own = folder.path().join("own.json");
        settings::write(expected, &own, true).unwrap();
        let own = std::fs::read_to_string(&own).unwrap();
        let lines = own.lines().map(|line| match line.strip_suffix(',') {
            Some(line) => format!("{},", line.trim_end_matches(".0")),
            None => line.trim_end_matches(".0").to_string(),
        });
        assert_eq!(lines.collect::<Vec<_>>(), text.lines().collect::<Vec<_>>());
    }
}
