//! Models and settings at random, with what is rare among them: no operators, times of 0,
//! levels that are hardly apart, weights that nobody knows, names that mean something to
//! JavaScript.

use crate::models::{BLOCK, Model, layer, sparse, weightless};
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{
    Estimate, MeasuredOn, Origin, PlanSettings, RatioKey, RatioPoint, RatioRow, Sensitivity,
    Settings, Targets, WeightShape,
};
use onnxray_format::{Block, DataType, ModelFile, Operator, Setup, TimedRun};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const TYPES: [&str; 8] =
    ["MatMul", "MATMUL", "Gemm", "gemm", "Conv", "__proto__", "constructor", "Straße"];
/// Of the last no blocks of four outputs can be made.
const SHAPES: [[u64; 2]; 4] = [[256, 256], [256, 1024], [8, 4], [6, 8]];
const NAMES: [&str; 8] =
    ["__proto__", "constructor", "1", "=1+1", "a;=b", " ", "\"é\r\n\"", "/head/MatMul"];

fn name(number: usize) -> String {
    NAMES.get(number).map_or(format!("layer{number}"), ToString::to_string)
}

/// Sparsities from 0 to 1, many of them near or at others.
pub(crate) fn level() -> impl Strategy<Value = f64> {
    let near = select(vec![0.7, 0.7 + 1e-9, 0.7 - 1e-9, 0.7 + 4e-10, 0.7 + 2e-9, 0.3, 1e-9]);
    prop_oneof![
        2 => select(vec![0.0, 0.7, 0.8, 0.9, 0.95, 1.0]),
        2 => (0u32..=100).prop_map(|percent| f64::from(percent) / 100.0),
        1 => near,
        1 => 0.0..1.0f64,
    ]
}

/// A perf ratio with its range, or without.
pub(crate) fn ratio() -> impl Strategy<Value = Estimate> {
    let range = prop::array::uniform3(0.1f64..9.0).prop_map(|mut ends| {
        ends.sort_by(f64::total_cmp);
        let [low, value, high] = ends;
        Estimate { value, low, high }
    });
    let exact = prop_oneof![0.1f64..9.0, select(vec![1.0, 2.0, 2.5, 4.0])];
    prop_oneof![3 => range, 2 => exact.prop_map(Estimate::exact)]
}

/// The ratio below all levels.
pub(crate) fn others() -> impl Strategy<Value = f64> {
    prop_oneof![Just(1.0), 0.3f64..3.0]
}

fn operator() -> impl Strategy<Value = Operator> {
    let zeros = select(vec![None, Some(0.0), Some(0.0), Some(0.3), Some(0.4999), Some(0.75)]);
    let data_type = select(vec![DataType::Fp32, DataType::Fp32, DataType::Fp16, DataType::S8]);
    // Most have a weight of their own.
    let weight = prop_oneof![3 => Just(None), 1 => select(vec![Some("shared"), Some("")])];
    let weighted = (select(&TYPES[..]), select(&SHAPES[..]), zeros, data_type, weight, 0u32..8)
        .prop_map(|(operator_type, shape, zeros, data_type, name, group)| {
            let mut operator = sparse(layer("", operator_type, shape), zeros);
            let weight = operator.weight.as_mut().unwrap();
            weight.data_type = data_type;
            weight.name = name.unwrap_or("own").to_string();
            operator.attributes.insert("group".to_string(), (group / 6 + 1).to_string());
            operator
        });
    let unknown = any::<bool>().prop_map(|sparse_support| Operator {
        parameters: None,
        sparse_support,
        ..weightless("", "MatMul")
    });
    let cost = option::weighted(0.8, 0u64..1 << 40);
    let operator = prop_oneof![
        8 => weighted,
        2 => select(vec!["Softmax", "MatMul", "toString"]).prop_map(|t| weightless("", t)),
        1 => unknown,
    ];
    (operator, cost).prop_map(|(operator, flops)| Operator {
        flops,
        executions: flops.map(|_| 1),
        ..operator
    })
}

/// Nanoseconds, of some operators none.
fn time() -> impl Strategy<Value = u64> {
    prop_oneof![1 => Just(0u64), 1 => 1u64..20, 8 => 1000u64..2_000_000]
}

fn launches(operators: usize) -> impl Strategy<Value = Vec<Vec<(Vec<u64>, u64)>>> {
    let iterations = vec((vec(time(), operators), time()), 1..8);
    vec(iterations, 1..5)
}

fn model() -> impl Strategy<Value = Model> {
    let latency =
        prop_oneof![6 => (0.0f64..10.0).prop_map(Some), 1 => Just(Some(0.0)), 1 => Just(None)];
    let operators = vec((operator(), latency), 0..9);
    let batch_size = option::of(1u64..64);
    (operators, batch_size, option::of(0u64..1 << 30)).prop_map(
        |(operators, batch_size, parameters)| {
            let named = |(number, (mut operator, latency)): (usize, (Operator, Option<f64>))| {
                operator.name = name(number);
                if let Some(weight) = operator.weight.as_mut().filter(|weight| weight.name == "own")
                {
                    weight.name = format!("{number}.weight");
                }
                (operator, latency)
            };
            let mut model = Model::new(operators.into_iter().enumerate().map(named));
            (model.run.batch_size, model.run.parameters) = (batch_size, parameters);
            model
        },
    )
}

/// A model as a trace tells it: iterations or not, one operator after the other or not.
pub(crate) fn summary() -> impl Strategy<Value = Summary> {
    let measured = || {
        model().prop_flat_map(|model| {
            let operators = model.operators.len();
            (Just(model), launches(operators))
        })
    };
    prop_oneof![
        1 => model().prop_map(|model| model.averaged()),
        1 => model().prop_map(|model| model.without_iterations()),
        2 => measured().prop_map(|(model, launches)| model.measured(&launches)),
        2 => measured().prop_map(|(model, launches)| model.side_by_side(&launches)),
    ]
}

fn row() -> impl Strategy<Value = RatioRow> {
    let operator_type = option::of(select(vec!["MatMul", "matmul", "GEMM", "__PROTO__", "Other"]));
    let data_type = select(vec![None, None, Some(DataType::Fp32), Some(DataType::S8)]);
    let block = select(vec![BLOCK, BLOCK, BLOCK, Block::new(1, 1)]);
    let origin = select(Origin::ALL.to_vec());
    let points = vec((level(), ratio(), origin), 0..6);
    let shape = prop_oneof![4 => select(&SHAPES[..]).prop_map(Some), 1 => Just(None)];
    let key = (operator_type, shape, data_type, block);
    // As of layers that multiply by their zeros.
    let is_one = proptest::bool::weighted(0.2);
    (key, points, others(), is_one).prop_map(
        |((operator_type, shape, data_type, block), points, others, is_one)| {
            let of_weight = |[outputs, inputs]: [u64; 2]| WeightShape { outputs, inputs };
            let operator_type = operator_type.filter(|_| shape.is_some()).map(str::to_string);
            let data_type = data_type.filter(|_| shape.is_some());
            let shape = shape.map_or(WeightShape::NOT_PRUNED, of_weight);
            let mut row = RatioRow::new(RatioKey { operator_type, shape, data_type, block });
            row.others = if is_one { 1.0 } else { others };
            for (level, ratio, origin) in points {
                let measured = (Estimate::exact(1.0), Origin::Measured);
                let (ratio, origin) = if is_one { measured } else { (ratio, origin) };
                row.insert(RatioPoint { level, ratio, origin });
            }
            row
        },
    )
}

/// Rows, each for something else.
fn rows() -> impl Strategy<Value = Vec<RatioRow>> {
    vec(row(), 0..5).prop_map(|mut rows| {
        let mut keys = std::collections::HashSet::new();
        let folded = |key: &RatioKey| key.operator_type.as_ref().map(|name| name.to_lowercase());
        rows.retain(|row| {
            keys.insert(RatioKey { operator_type: folded(&row.key), ..row.key.clone() })
        });
        rows
    })
}

fn targets() -> impl Strategy<Value = Targets> {
    let types = vec((select(vec!["matmul", "Gemm", "CONV", "__proto__", "Nobody"]), level()), 0..3);
    let operators = vec((0usize..12, level()), 0..4);
    (option::of(level()), types, operators).prop_map(|(model, types, operators)| {
        let mut targets = Targets { model, ..Targets::default() };
        types.iter().for_each(|(name, level)| targets.set_type(name, *level));
        operators.iter().for_each(|(number, level)| targets.set_operator(&name(*number), *level));
        targets
    })
}

fn plan() -> impl Strategy<Value = PlanSettings> {
    let max_loss = proptest::option::of(0.0..1e3f64);
    let bounds = (0.0..1.0f64, 0.0..0.6f64, 0.6..1.0f64, (0.0..1.0f64, max_loss));
    let overrides = vec((0usize..12, level()), 0..3);
    let sensitivities = vec((0usize..12, vec(-1e3..1e3f64, 0..4)), 0..2);
    (bounds, any::<[bool; 2]>(), overrides, sensitivities).prop_map(
        |((budget, minimum, maximum, (balance, max_loss)), [first, grouped], overrides, known)| {
            let mut settings = PlanSettings {
                budget,
                minimum,
                maximum,
                balance,
                max_loss,
                first,
                grouped,
                ..PlanSettings::default()
            };
            for (number, level) in overrides {
                settings.set_override(&name(number), level);
            }
            for (number, losses) in known {
                let points = (1..).map(|at| f64::from(at) / 7.0).zip(losses).collect();
                let sensitivity = Sensitivity { layer: name(number), points };
                settings.sensitivities.retain(|earlier| earlier.layer != sensitivity.layer);
                settings.sensitivities.push(sensitivity);
            }
            settings
        },
    )
}

prop_compose! {
    pub(crate) fn settings()(
        levels in vec(level(), 0..4),
        ratios in rows(),
        default_ratios in any::<bool>(),
        targets in targets(),
        plan in plan(),
    ) -> Settings {
        let measured_on = vec![MeasuredOn {
            file: ModelFile { model: name(0), ..ModelFile::default() },
            setup: Setup::default(),
            timed: TimedRun::default(),
            block: BLOCK,
            dense_ms: Default::default(),
        }];
        let mut settings = Settings { block: BLOCK, levels: Vec::new(), ratios, default_ratios, targets, plan, measured_on, ..Settings::default() };
        levels.into_iter().for_each(|level| settings.add_level(level));
        settings
    }
}
