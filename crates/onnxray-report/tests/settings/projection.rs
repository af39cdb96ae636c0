//! The workbook that a projection is written as, read again.

use onnxray_analyzer::projection::{
    Estimate, Plan, Projection, Settings, WeightShape, plan, project,
};
use onnxray_analyzer::settings::read;
use onnxray_analyzer::trace::Trace;
use onnxray_analyzer::{Needs, Summary, examine};
use onnxray_format::{
    Block, DataType, Iteration, IterationKind, Nanoseconds, Operator, SparseRatio, Weight,
};
use onnxray_import::{EventChunk, Events, Launch, Thread};
use onnxray_report::{ProjectionReport, Report, write_workbook};
use std::fs::File;
use std::path::Path;

/// Names that a spreadsheet or a reader might take for something else.
const NAMES: [&str; 12] = [
    "/encoder/MatMul",
    "=1+1",
    "'quoted",
    "+49",
    "@name",
    "a b",
    " spaces around ",
    "line\nbreak\tand tab",
    "_x0041_",
    "total",
    "operator name?",
    "<&>\"é😀",
];

pub(crate) fn model() -> Summary {
    let kind = |number| if number < 6 { "MatMul" } else { "Gemm" }.to_string();
    let named = NAMES.iter().enumerate();
    named_model(&named.map(|(number, name)| (name.to_string(), kind(number))).collect::<Vec<_>>())
}

/// A model with operators of these names and types.
pub(crate) fn named_model(names: &[(String, String)]) -> Summary {
    let shapes = [(256, 256), (1024, 256)];
    let operators: Vec<Operator> = (0..)
        .zip(names)
        .map(|(number, (name, operator_type))| {
            let (outputs, inputs) = match name.as_str() {
                "total" => (2, 8),
                _ => shapes[number as usize % shapes.len()],
            };
            let weight = Weight {
                name: format!("w{number}"),
                data_type: if number % 2 == 0 { DataType::Fp32 } else { DataType::S8 },
                outputs,
                inputs,
                stored_shape: vec![inputs, outputs],
                sparse_ratios: vec![SparseRatio { block: Block::new(4, 1), ratio: Some(0.1) }],
                magnitudes: Vec::new(),
            };
            Operator {
                number,
                name: name.to_string(),
                operator_type: operator_type.clone(),
                sparse_support: outputs % 4 == 0,
                parameters: Some(outputs * inputs),
                weight: Some(weight),
                ..Operator::default()
            }
        })
        .collect();
    let mut chunk = EventChunk::default();
    let mut iterations = Vec::new();
    for index in 0..3 {
        let start = u64::from(index) * 1_000_000;
        for number in 0..names.len() as u32 {
            chunk.operator.push(number);
            chunk.iteration.push(index);
            chunk.thread.push(0);
            chunk.start.push(start + u64::from(number) * 10_000);
            chunk.duration.push(7_000 + u64::from(number * 100 + index));
        }
        let (start, duration) = (Nanoseconds(start), Nanoseconds(200_000));
        iterations.push(Iteration {
            index,
            kind: IterationKind::Measured,
            start,
            duration,
            step: None,
        });
    }
    let events =
        Events { chunks: vec![chunk], threads: vec![Thread::default()], figures: Vec::new() };
    let launch = Launch { operators, iterations, events, ..Launch::default() };
    examine(&Trace::new(vec![launch]), Needs::Measured).unwrap().summary
}

/// Writes the workbook of a model.
pub(crate) fn write_model(summary: &Summary, settings: &Settings, path: &Path) {
    let projection = project(summary, settings);
    let planned = plan(summary, &projection, settings);
    write(summary, &projection, &planned, settings, path);
}

fn write(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
    settings: &Settings,
    path: &Path,
) {
    let report = ProjectionReport { name: "", summary, projection, plan, settings, profile: None };
    let file = File::create(path).unwrap();
    write_workbook(&report.workbook(), path.parent().unwrap(), file).unwrap();
}

#[track_caller]
fn check(settings: &Settings) -> Settings {
    check_model(&model(), settings)
}

/// Writes a workbook for settings, reads it, and compares what both project.
#[track_caller]
pub(crate) fn check_model(summary: &Summary, settings: &Settings) -> Settings {
    let projection = project(summary, settings);
    let planned = plan(summary, &projection, settings);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.xlsx");
    write(summary, &projection, &planned, settings, &path);
    let found = read(&path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.notes, [""; 0]);
    let mut applied = Settings::default();
    found.settings.apply(&mut applied);
    let again = project(summary, &applied);
    let figures = |projection: &Projection| {
        let operators = projection.operators.iter();
        let figures = operators
            .map(|o| (o.target.map(|t| t.level), o.ratio, o.origin, o.projected, o.outcome));
        figures.collect::<Vec<_>>()
    };
    assert_eq!(figures(&again), figures(&projection));
    assert_eq!(again.levels, projection.levels);
    assert_eq!(again.totals, projection.totals);
    let again = plan(summary, &again, &applied);
    let levels = |plan: &Plan| plan.layers.iter().map(|layer| layer.level()).collect::<Vec<f64>>();
    assert_eq!(levels(&again), levels(&planned));
    applied
}

#[test]
fn an_untouched_workbook_projects_the_same() {
    let applied = check(&Settings::default());
    assert_eq!(applied.targets.operators, []);
}

#[test]
fn what_was_set_comes_back() {
    let mut settings = Settings::default();
    settings.set_ratio(
        WeightShape { outputs: 256, inputs: 256 },
        0.85,
        Estimate { value: 3.7, low: 3.1, high: 4.9 },
    );
    // As large as the default, but given.
    let shape = WeightShape { outputs: 1024, inputs: 256 };
    settings.set_ratio(shape, 0.8, Estimate::exact(2.5));
    settings.targets.model = Some(0.8);
    settings.targets.set_type("gemm", 0.7);
    for (number, name) in NAMES.iter().enumerate() {
        settings.targets.set_operator(name, number as f64 / 20.0);
        settings.plan.set_override(name, 0.5 + number as f64 / 100.0);
    }
    settings.plan.budget = 0.6;
    settings.plan.first = true;
    let applied = check(&settings);
    settings.plan.overrides.retain(|(name, _)| name != "total");
    assert_eq!(applied.plan.overrides, settings.plan.overrides);
    assert_eq!((applied.plan.budget, applied.plan.first), (0.6, true));
    assert_eq!(applied.targets.model, Some(0.8));
}

#[test]
fn what_belongs_to_another_model_is_kept() {
    let mut settings = Settings { default_ratios: false, ..Settings::default() };
    settings.set_ratio(WeightShape { outputs: 64, inputs: 64 }, 0.9, Estimate::exact(2.0));
    let applied = check(&settings);
    let shapes: Vec<String> = applied.ratios.iter().map(|row| row.key.shape.to_string()).collect();
    assert!(shapes.contains(&"64x64".to_string()), "{shapes:?}");
}
