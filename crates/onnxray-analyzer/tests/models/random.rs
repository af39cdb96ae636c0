//! Models, ratios and targets of all kinds, at random.

use super::{BLOCK, Model, layer, row, sparse, weightless};
use onnxray_analyzer::projection::{Estimate, RatioRow, Settings, Targets};
use onnxray_format::Operator;
use proptest::prelude::*;
use proptest::sample::select;

const TYPES: [&str; 3] = ["MatMul", "Gemm", "Conv"];
/// Of the last no blocks of four outputs can be made.
const SHAPES: [[u64; 2]; 3] = [[256, 256], [256, 1024], [6, 8]];

/// An operator with a dense or sparse weight, with none, or of which that is
/// unknown.
pub(crate) fn operator() -> impl Strategy<Value = Operator> {
    let ratio = select(vec![None, Some(0.0), Some(0.0), Some(0.3), Some(0.75)]);
    let weighted = (select(&TYPES), select(&SHAPES), ratio)
        .prop_map(|(operator_type, shape, ratio)| sparse(layer("", operator_type, shape), ratio));
    let unknown = Operator { parameters: None, ..weightless("", "MatMul") };
    prop_oneof![
        6 => weighted,
        1 => Just(weightless("", "Softmax")),
        1 => Just(unknown),
    ]
}

/// Named by their numbers, each with a weight of its own; of some the latency is unknown.
pub(crate) fn model() -> impl Strategy<Value = Model> {
    let latency = prop_oneof![6 => (0.01f64..10.0).prop_map(Some), 1 => Just(None)];
    prop::collection::vec((operator(), latency), 1..10).prop_map(|operators| {
        let named = |(number, (mut operator, latency)): (usize, (Operator, Option<f64>))| {
            operator.name = number.to_string();
            if let Some(weight) = &mut operator.weight {
                weight.name = format!("{number}.weight");
            }
            (operator, latency)
        };
        let mut model = Model::new(operators.into_iter().enumerate().map(named));
        model.run.batch_size = Some(8);
        model
    })
}

/// Percent as a share.
pub(crate) fn level() -> impl Strategy<Value = f64> {
    (0u32..=100).prop_map(|percent| f64::from(percent) / 100.0)
}

/// A range, or a value if `exact`.
pub(crate) fn ratio(exact: bool) -> impl Strategy<Value = Estimate> {
    prop::array::uniform3(0.5f64..9.0).prop_map(move |mut ends| {
        ends.sort_by(f64::total_cmp);
        let [low, value, high] = ends;
        if exact { Estimate::exact(value) } else { Estimate { value, low, high } }
    })
}

fn ratios(exact: bool) -> impl Strategy<Value = Vec<RatioRow>> {
    let points = prop::collection::vec((level(), ratio(exact)), 0..4);
    let row = (select(&SHAPES), points, 0.5f64..2.0).prop_map(|(shape, points, others)| {
        let mut row = RatioRow { others, ..row(shape, &[]) };
        points.into_iter().for_each(|(level, ratio)| row.set(level, ratio));
        row
    });
    prop::collection::vec(row, 0..4)
}

/// Settings of everything but the plan; perf ratios have ranges unless `exact`.
pub(crate) fn settings(exact: bool) -> impl Strategy<Value = Settings> {
    let types = prop::collection::vec((select(&TYPES), level()), 0..3);
    let operators = prop::collection::vec(((0usize..10), level()), 0..4);
    let targets =
        (prop::option::of(level()), types, operators).prop_map(|(model, types, names)| {
            let mut targets = Targets { model, ..Targets::default() };
            types.iter().for_each(|(name, level)| targets.set_type(&name.to_uppercase(), *level));
            names.iter().for_each(|(name, level)| targets.set_operator(&name.to_string(), *level));
            targets
        });
    (ratios(exact), any::<bool>(), targets).prop_map(|(ratios, default_ratios, targets)| Settings {
        block: BLOCK,
        ratios,
        default_ratios,
        targets,
        ..Settings::default()
    })
}

/// For each iteration the nanoseconds of each of this many operators, and those
/// beside them.
pub(crate) fn launches(operators: usize) -> impl Strategy<Value = Vec<Vec<(Vec<u64>, u64)>>> {
    let times = prop::collection::vec(1000u64..2_000_000, operators);
    let iterations = prop::collection::vec((times, 1u64..500_000), 3..12);
    prop::collection::vec(iterations, 1..5)
}
