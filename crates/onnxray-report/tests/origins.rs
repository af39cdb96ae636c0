//! Where the perf ratios come from that figures rest on: whatever was set, each figure
//! has the origin of the cells that it used, looked for here one by one.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

#[path = "../../onnxray-analyzer/tests/models/mod.rs"]
mod models;

use models::{BLOCK, Model, layer, sparse, weightless};
use onnxray_analyzer::projection::{
    Estimate, Origin, Origins, Projection, RatioKey, RatioOrigin, RatioPoint, RatioRow, Settings,
    Targets, WeightShape, plan, project,
};
use onnxray_analyzer::{Summary, settings};
use onnxray_format::{DataType, Operator};
use onnxray_report::{ProjectionReport, Report, write_workbook};
use proptest::prelude::*;
use proptest::sample::select;
use std::fs::File;

const SHAPES: [[u64; 2]; 3] = [[256, 256], [1024, 256], [256, 1024]];
const DEFAULTS: [(u32, f64); 3] = [(70, 2.0), (80, 2.5), (90, 4.0)];

/// What a user sets: a ratio of a shape at a level in percent.
type Edit = (usize, u32, f64);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let level = prop_oneof![select(vec![70u32, 80, 90]), 0u32..=100];
    // The default's own value among them: what is given is given.
    let ratio = prop_oneof![select(vec![2.0, 2.5, 4.0]), 0.5f64..9.0];
    prop::collection::vec((0..SHAPES.len(), level, ratio), 0..6)
}

fn model(sparse_ratios: [Option<f64>; 3]) -> Summary {
    let weighted =
        SHAPES.into_iter().zip(sparse_ratios).enumerate().map(|(number, (shape, ratio))| {
            let mut operator = sparse(layer(&number.to_string(), "MatMul", shape), ratio);
            operator.weight.as_mut().unwrap().name = format!("{number}.weight");
            operator
        });
    let unknown = Operator { parameters: None, ..weightless("unknown", "MatMul") };
    let rest = [weightless("softmax", "Softmax"), unknown];
    let operators = weighted.chain(rest).map(|operator| (operator, Some(1.0)));
    Model::new(operators).averaged()
}

/// Levels in percent at which a shape was measured.
type Timed = [Vec<u32>; 3];

fn timed() -> impl Strategy<Value = Timed> {
    let level = prop_oneof![select(vec![50u32, 70, 90]), 1u32..=99];
    let levels = prop::collection::btree_set(level, 1..4)
        .prop_map(|levels| levels.into_iter().collect::<Vec<u32>>());
    prop::array::uniform3(prop_oneof![Just(Vec::new()), levels])
}

fn settings_of(edits: &[Edit], timed: &Timed, target: u32) -> Settings {
    let mut settings = Settings { block: BLOCK, ..Settings::default() };
    for ([outputs, inputs], levels) in SHAPES.into_iter().zip(timed) {
        let key = RatioKey {
            operator_type: Some("MatMul".to_string()),
            shape: WeightShape { outputs, inputs },
            data_type: Some(DataType::Fp32),
            block: BLOCK,
        };
        let mut row = RatioRow::new(key);
        for &level in levels {
            // A default's own value, without and with a range.
            let ratio = Estimate { value: 4.0, low: 4.0 - f64::from(level % 2), high: 4.0 };
            let level = f64::from(level) / 100.0;
            row.insert(RatioPoint { level, ratio, origin: Origin::Measured });
        }
        settings.measured.extend(Some(row).filter(|row| !row.points.is_empty()));
    }
    for &(shape, level, ratio) in edits {
        let [outputs, inputs] = SHAPES[shape];
        let shape = WeightShape { outputs, inputs };
        settings.set_ratio(shape, f64::from(level) / 100.0, Estimate::exact(ratio));
    }
    settings.targets = Targets { model: Some(f64::from(target) / 100.0), ..Targets::default() };
    settings
}

/// The cells of a shape: what is given counts before what was measured, and that before defaults.
fn cells(edits: &[Edit], timed: &Timed, shape: usize) -> Vec<(u32, Origin)> {
    let origin = |level: u32| match &timed[shape] {
        _ if edits.iter().any(|edit| (edit.0, edit.1) == (shape, level)) => Some(Origin::Given),
        measured if measured.contains(&level) => Some(Origin::Measured),
        measured if measured.is_empty() && DEFAULTS.iter().any(|(known, _)| *known == level) => {
            Some(Origin::Default)
        }
        _ => None,
    };
    (0..=100).filter_map(|level| Some((level, origin(level)?))).collect()
}

/// The origins of the cells that a figure at a level rests on.
fn expected(
    (edits, timed): (&[Edit], &Timed),
    shape: usize,
    level: u32,
    sparse_ratio: Option<f64>,
) -> Origins {
    let percent = f64::from(level) / 100.0;
    if level == 0 || sparse_ratio.is_some_and(|ratio| ratio >= 0.5 || percent <= ratio) {
        return Origins::default();
    }
    let cells = cells(edits, timed, shape);
    if let Some((_, origin)) = cells.iter().find(|(known, _)| *known == level) {
        return (*origin).into();
    }
    let below = cells.iter().rfind(|(known, _)| *known < level);
    let above = cells.iter().find(|(known, _)| *known > level);
    match (below, above) {
        // 1 below all levels is nobody's measurement.
        (None, _) => Origin::Default.into(),
        (Some(below), above) => {
            let above = above.map_or(Origins::default(), |(_, origin)| (*origin).into());
            Origins::from(below.1).and(above)
        }
    }
}

fn check(
    projection: &Projection,
    (edits, timed): (&[Edit], &Timed),
    target: u32,
    sparse_ratios: [Option<f64>; 3],
) {
    let of = |level: u32| {
        let shapes = 0..SHAPES.len();
        shapes.map(move |shape| expected((edits, timed), shape, level, sparse_ratios[shape]))
    };
    let together =
        |all: &mut dyn Iterator<Item = Origins>| all.fold(Origins::default(), Origins::and);
    for (operator, expected) in projection.operators.iter().zip(of(target)) {
        let origins = operator.origin.map(RatioOrigin::origins).unwrap_or_default();
        assert_eq!(origins, expected, "{operator:?}");
    }
    assert!(projection.operators[SHAPES.len()..].iter().all(|o| o.origin.is_none()));
    assert_eq!(projection.origins(), together(&mut of(target)));
    let matmul = projection.types.iter().find(|known| known.operator_type == "MatMul").unwrap();
    assert_eq!(matmul.origins, together(&mut of(target)));
    for level in &projection.at_levels {
        let percent = (level.level * 100.0).round() as u32;
        assert_eq!(level.origins, together(&mut of(percent)), "{percent}");
    }
    for row in projection.rows.iter().filter(|row| row.operators > 0) {
        let key = row.ratios.key.shape;
        let shape = SHAPES.iter().position(|shape| *shape == [key.outputs, key.inputs]).unwrap();
        let found = row
            .ratios
            .points
            .iter()
            .map(|point| ((point.level * 100.0).round() as u32, point.origin));
        assert_eq!(found.collect::<Vec<_>>(), cells(edits, timed, shape));
    }
}

proptest! {
    #[test]
    fn each_figure_has_the_origin_of_the_cells_it_used(
        edits in edits(),
        timed in timed(),
        target in 0u32..=100,
        sparse_ratios in prop::array::uniform3(select(vec![None, Some(0.0), Some(0.3), Some(0.75)])),
    ) {
        let projection = project(&model(sparse_ratios), &settings_of(&edits, &timed, target));
        check(&projection, (&edits, &timed), target, sparse_ratios);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// In each of the forms in which settings are written.
    #[test]
    fn origins_come_back_from_files(edits in edits(), timed in timed(), target in 1u32..=100) {
        let sparse_ratios = [Some(0.0); 3];
        let (summary, given) = (model(sparse_ratios), settings_of(&edits, &timed, target));
        let projection = project(&summary, &given);
        let folder = tempfile::tempdir().unwrap();
        for name in ["s.json", "p.xlsx"] {
            let path = folder.path().join(name);
            if name.ends_with("xlsx") {
                let planned = plan(&summary, &projection, &given);
                let report = ProjectionReport {
                    name: "",
                    summary: &summary,
                    projection: &projection,
                    plan: &planned,
                    settings: &given,
                    profile: None,
                };
                let file = File::create(&path).unwrap();
                write_workbook(&report.workbook(), folder.path(), file).unwrap();
            } else {
                settings::write(&projection.settings(&given), &path, true).unwrap();
            }
            let mut again = Settings { block: BLOCK, ..Settings::default() };
            settings::read(&path).unwrap().settings.apply(&mut again);
            check(&project(&summary, &again), (&edits, &timed), target, sparse_ratios);
        }
    }
}
