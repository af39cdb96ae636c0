//! What a projection says of operators: which ratio and which target apply, and
//! why some keep their latency.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod models;

use models::{BLOCK, Model, layer, near, row, sparse, weightless};
use onnxray_analyzer::projection::{
    Estimate, Exclusion, MeasuredOn, Origin, Outcome, Projection, RatioKey, RatioPoint, RatioRow,
    Settings, TargetOrigin, Targets, WeightShape, plan, project,
};
use onnxray_format::{Block, DataType, ModelFile, Operator, Setup, TimedRun};
use proptest::prelude::*;
use proptest::sample::select;

fn find<'a>(
    model: &Model,
    projection: &'a Projection,
    name: &str,
) -> &'a onnxray_analyzer::projection::ProjectedOperator {
    let at = model.operators.iter().position(|operator| operator.name == name).unwrap();
    &projection.operators[at]
}

/// The example of the Neural Engine's documentation. It states one operator and
/// the totals; the operators between are chosen so that these come out.
#[test]
fn the_example_of_the_neural_engine_comes_out_to_the_digit() {
    let mut settings = Settings { default_ratios: false, ..Settings::default() };
    for (shape, ratios) in [
        ([256, 256], [4.0, 2.5, 2.0]),
        ([256, 1024], [4.5, 3.0, 2.5]),
        ([1024, 256], [5.0, 3.5, 3.0]),
    ] {
        let shape = WeightShape { outputs: shape[0], inputs: shape[1] };
        for (level, ratio) in [0.9, 0.8, 0.7].into_iter().zip(ratios) {
            settings.set_ratio(shape, level, Estimate::exact(ratio));
        }
    }
    let operators = [
        (layer("Add_37", "InnerProduct", [256, 256]), 75_000, 70),
        (layer("Add_51", "InnerProduct", [256, 256]), 1_252_720, 90),
        (layer("Add_65", "InnerProduct", [256, 1024]), 899_280, 90),
        (layer("Add_79", "InnerProduct", [256, 1024]), 300_000, 80),
        (layer("Add_93", "InnerProduct", [1024, 256]), 250_000, 90),
        (layer("Add_107", "InnerProduct", [1024, 256]), 350_000, 80),
        (weightless("Softmax_44", "Softmax"), 884_800, 0),
        (weightless("LayerNorm_58", "LayerNorm"), 500_000, 0),
    ];
    for (operator, _, percent) in operators.iter().filter(|(.., percent)| *percent > 0) {
        settings.targets.set_operator(&operator.name, f64::from(*percent) / 100.0);
    }
    let durations = operators.iter().map(|(_, duration, _)| *duration).collect();
    let model = Model::new(operators.map(|(operator, ..)| (operator, None)));
    let projection = project(&model.measured(&[vec![(durations, 0)]]), &settings);

    let found = find(&model, &projection, "Add_37");
    assert_eq!(found.target.unwrap().level, 0.7);
    let figures = [found.dense, found.ratio, found.projected].map(Option::unwrap);
    assert_eq!(figures.map(|figure| figure.value.to_string()), ["0.075", "2", "0.0375"]);
    let totals = &projection.totals;
    let figures = [
        totals.total,
        totals.projected_total,
        totals.support,
        totals.projected_support,
        totals.support_ratio,
        totals.projected_support_ratio,
    ]
    .map(Option::unwrap);
    assert_eq!(
        figures.map(|figure| format!("{:.3}", figure.value)),
        ["4.512", "2.185", "3.127", "0.801", "0.693", "0.366"]
    );
}

/// 8 ms of a weight of 256x256, 4 ms of one of 256x1024, four times as large, and 3 ms without any.
#[test]
fn what_is_not_pruned_gains_by_the_mean_sparsity_of_the_weights() {
    let operators = [
        (layer("small", "MatMul", [256, 256]), Some(8.0)),
        (layer("large", "MatMul", [256, 1024]), Some(4.0)),
        (weightless("norm", "LayerNormalization"), Some(3.0)),
    ];
    let summary = Model::new(operators).averaged();
    let mut settings = Settings { default_ratios: false, ..Settings::default() };
    for [outputs, inputs] in [[256, 256], [256, 1024]] {
        settings.set_ratio(WeightShape { outputs, inputs }, 0.5, Estimate::exact(2.0));
    }
    let others = Estimate { value: 1.5, low: 1.2, high: 2.0 };
    settings.set_ratio(WeightShape::NOT_PRUNED, 0.5, Estimate::exact(1.25));
    settings.set_ratio(WeightShape::NOT_PRUNED, 0.9, others);
    settings.targets.model = Some(0.5);
    let at = |settings: &Settings| {
        let projection = project(&summary, settings);
        let norm = projection.operators[2].clone();
        (projection.sparsity, norm.ratio.unwrap(), projection.totals.projected_total.unwrap().value)
    };
    assert_eq!(at(&settings), (0.5, Estimate::exact(1.25), 4.0 + 2.0 + 3.0 / 1.25));
    // A fifth of the elements at 0.5, four fifths at 0.9: on the line between both ratios.
    settings.targets.set_operator("large", 0.9);
    let (sparsity, ratio, total) = at(&settings);
    near(sparsity, 0.2 * 0.5 + 0.8 * 0.9);
    near(ratio.value, 1.25 + 0.25 * 0.8);
    near(ratio.low, 1.25 - 0.05 * 0.8);
    // Above its highest level, the large one keeps its ratio.
    near(total, 4.0 + 2.0 + 3.0 / ratio.value);
    // Nothing is pruned, and nothing gains by it.
    settings.targets.set_operator("large", 0.0);
    settings.targets.model = Some(0.0);
    assert_eq!(at(&settings), (0.0, Estimate::exact(1.0), 15.0));
    // Below the lowest level, a ratio is 1.
    settings.targets.set_operator("small", 0.5);
    let (sparsity, ratio, _) = at(&settings);
    near(sparsity, 0.1);
    assert_eq!(ratio, Estimate::exact(1.0));
    // With every weight at a level, whatever the targets are.
    let levels = project(&summary, &settings).at_levels;
    let totals = levels.iter().map(|level| (level.level, level.sparsity, level.totals));
    let total = |at: f64| totals.clone().find(|(level, ..)| *level == at).unwrap();
    let (_, sparsity, totals) = total(0.9);
    assert_eq!((sparsity, totals.projected_total.unwrap().value), (0.9, 4.0 + 2.0 + 3.0 / 1.5));
    // Lowest where products and all else gain least.
    let speedup = totals.speedup.unwrap();
    near(speedup.low, 15.0 / (6.0 + 3.0 / 1.2));
    near(speedup.high, 15.0 / 7.5);
    // Nobody knows of a ratio of what is not pruned: it keeps its latency.
    settings.ratios.retain(|row| row.key.shape != WeightShape::NOT_PRUNED);
    settings.targets.model = Some(0.5);
    assert_eq!(project(&summary, &settings).operators[2].ratio, Some(Estimate::exact(1.0)));
}

/// As measured: no kernel skips the zeros of weights of this shape.
fn multiplied([outputs, inputs]: [u64; 2]) -> RatioRow {
    let mut row = row([outputs, inputs], &[]);
    for level in [0.5, 0.9] {
        let (ratio, origin) = (Estimate::exact(1.0), Origin::Measured);
        row.insert(RatioPoint { level, ratio, origin });
    }
    row
}

#[test]
fn what_multiplies_by_its_zeros_gains_as_what_is_not_pruned() {
    let operators = [
        (layer("product", "MatMul", [256, 256]), Some(8.0)),
        (layer("depthwise", "Conv", [64, 9]), Some(3.0)),
    ];
    let summary = Model::new(operators).averaged();
    let mut settings = Settings { default_ratios: false, ..Settings::default() };
    settings.measured.push(multiplied([64, 9]));
    settings.set_ratio(WeightShape { outputs: 256, inputs: 256 }, 0.5, Estimate::exact(2.0));
    settings.set_ratio(WeightShape::NOT_PRUNED, 0.5, Estimate::exact(1.25));
    settings.targets.model = Some(0.5);
    // Its own target changes nothing, and its elements do not count in the mean sparsity.
    settings.targets.set_operator("depthwise", 0.0);
    let projection = project(&summary, &settings);
    let depthwise = &projection.operators[1];
    assert_eq!((depthwise.outcome, depthwise.target), (Outcome::MultipliesZeros, None));
    assert_eq!(depthwise.ratio, Some(Estimate::exact(1.25)));
    near(projection.sparsity, 0.5);
    near(projection.totals.projected_total.unwrap().value, 4.0 + 3.0 / 1.25);
    // A plan leaves it dense.
    let planned = plan(&summary, &projection, &settings);
    let exclusion = planned.layers.iter().find(|layer| layer.operator == 1).unwrap().exclusion;
    assert_eq!(exclusion, Some(Exclusion::Outcome(Outcome::MultipliesZeros)));
    // Who has a kernel gives its ratio, and a target counts.
    settings.set_ratio(WeightShape { outputs: 64, inputs: 9 }, 0.5, Estimate::exact(3.0));
    settings.targets.set_operator("depthwise", 0.5);
    let given = project(&summary, &settings);
    assert_eq!(given.operators[1].outcome, Outcome::Projected);
    near(given.totals.projected_total.unwrap().value, 4.0 + 3.0 / 3.0);
    // What was measured of the row is no curve with it.
    settings.targets.set_operator("depthwise", 0.9);
    assert_eq!(project(&summary, &settings).operators[1].ratio, Some(Estimate::exact(3.0)));
}

/// 12 ms of two layers, and 3 ms of one that was not timed with them.
#[test]
fn perf_ratios_of_a_machine_of_another_speed_are_told() {
    let operators = [
        (layer("a", "MatMul", [256, 256]), Some(8.0)),
        (layer("b", "MatMul", [256, 1024]), Some(4.0)),
        (layer("depthwise", "Conv", [64, 9]), Some(3.0)),
    ];
    let summary = Model::new(operators).averaged();
    let run = &summary.run;
    let said = |layers: &[(&str, f64)]| {
        let on = MeasuredOn {
            file: ModelFile::default(),
            setup: Setup {
                engine: run.engine.clone(),
                engine_version: run.engine_version.clone(),
                dimensions: run.dimensions.clone(),
                ..Setup::default()
            },
            timed: TimedRun { threads: run.threads.unwrap_or(1), ..TimedRun::default() },
            block: BLOCK,
            dense_ms: layers.iter().map(|(name, time)| (format!("{name}.weight"), *time)).collect(),
        };
        on.other_conditions(&summary)
    };
    for alike in [[8.0, 4.0], [8.7, 4.4], [7.4, 3.6]] {
        assert_eq!(said(&[("a", alike[0]), ("b", alike[1])]), None);
    }
    for [a, b] in [[9.0, 4.5], [6.0, 4.0]] {
        let said = said(&[("a", a), ("b", b)]).unwrap();
        let times = format!("12.000 ms in the recording, and {:.3} ms", a + b);
        assert!(said.contains(&times), "{said}");
    }
    // One of them is not in the recording, or none was timed: nothing is known.
    assert_eq!(said(&[("a", 80.0), ("gone", 4.0)]), None);
    assert_eq!(said(&[]), None);
}

#[test]
fn what_cannot_be_projected_keeps_its_latency_and_says_why() {
    use Outcome::*;
    let shape = [256, 256];
    let unknown = Operator { parameters: None, ..weightless("unknown", "MatMul") };
    let cases = [
        (layer("dense", "MatMul", shape), Some(1.0), 0.9, Projected),
        (sparse(layer("nearly", "MatMul", shape), Some(0.499)), Some(1.0), 0.9, Projected),
        (sparse(layer("untold", "MatMul", shape), None), Some(1.0), 0.9, Projected),
        (layer("slept", "MatMul", shape), None, 0.9, LatencyUnknown),
        (unknown, Some(1.0), 0.9, WeightUnknown),
        (weightless("product", "MatMul"), Some(1.0), 0.9, NoWeight),
        (layer("odd", "MatMul", [254, 256]), Some(1.0), 0.9, Unsupported),
        (sparse(layer("pruned", "MatMul", shape), Some(0.5)), Some(1.0), 0.9, AlreadySparse),
        (layer("left", "MatMul", shape), Some(1.0), 0.0, NoTarget),
        (sparse(layer("there", "MatMul", shape), Some(0.3)), Some(1.0), 0.3, AtTarget),
        (sparse(layer("beyond", "MatMul", shape), Some(0.3)), Some(1.0), 0.2, AtTarget),
        (layer("strange", "MatMul", [128, 256]), Some(1.0), 0.9, NoRatio),
        (layer("depthwise", "MatMul", [64, 9]), Some(1.0), 0.9, MultipliesZeros),
    ];
    let mut settings = Settings {
        ratios: vec![RatioRow { others: 3.0, ..row(shape, &[(0.9, 4.0)]) }],
        measured: vec![multiplied([64, 9])],
        default_ratios: false,
        ..Settings::default()
    };
    for (operator, _, target, _) in &cases {
        settings.targets.set_operator(&operator.name, *target);
    }
    let model = Model::new(cases.clone().map(|(operator, latency, ..)| (operator, latency)));
    let projection = project(&model.averaged(), &settings);
    for ((operator, latency, target, outcome), found) in cases.iter().zip(&projection.operators) {
        let name = &operator.name;
        let ratio = match outcome {
            Projected => Some(4.0),
            WeightUnknown => None,
            _ => Some(1.0),
        };
        assert_eq!((found.outcome, found.ratio), (*outcome, ratio.map(Estimate::exact)), "{name}");
        let projected = latency.zip(ratio).map(|(latency, ratio)| latency / ratio);
        assert_eq!(found.projected, projected.map(Estimate::exact), "{name}");
        let target = outcome.is_settable().then_some(*target);
        assert_eq!(found.target.map(|target| target.level), target, "{name}");
    }
    let reasons: std::collections::HashSet<&str> =
        projection.operators.iter().map(|found| found.outcome.text()).collect();
    assert_eq!(reasons.len(), Outcome::ALL.len());
    // Of those of unknown latency nothing is summed up.
    assert_eq!(projection.totals.operators.unwrap().value, 12.0);
    let [matmul] = &projection.types[..] else { panic!("{:?}", projection.types) };
    assert_eq!((matmul.operators, matmul.settable, matmul.dense.unwrap().value), (13, 7, 12.0));
    assert_eq!(matmul.projected, None, "of one of them the weight is unknown");
}

#[test]
fn a_target_of_the_operator_comes_before_that_of_its_type_and_of_the_model() {
    let name = |number: usize| format!("layer{number}");
    let types = ["MatMul", "Gemm", "MatMul", "Gemm"];
    let operators = (0..).zip(types).map(|(n, t)| (layer(&name(n), t, [256, 256]), Some(1.0)));
    let summary = Model::new(operators).averaged();
    let check = |targets: Targets, expected: [(f64, TargetOrigin); 4], unmatched: &[&str]| {
        let projection = project(&summary, &Settings { targets, ..Settings::default() });
        let found: Vec<(f64, TargetOrigin)> = projection
            .operators
            .iter()
            .map(|found| found.target.unwrap())
            .map(|target| (target.level, target.from))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(projection.unmatched_targets, unmatched);
        projection
    };
    use TargetOrigin::{Default as Nowhere, Model as Whole, Operator as Own, Type};
    check(Targets::default(), [(0.9, Nowhere); 4], &[]);
    let model = Targets { model: Some(0.8), ..Targets::default() };
    check(model.clone(), [(0.8, Whole); 4], &[]);
    let mut targets = Targets { types: vec![("MATMUL".to_string(), 0.7)], ..model };
    let by_type = [(0.7, Type), (0.8, Whole), (0.7, Type), (0.8, Whole)];
    check(targets.clone(), by_type, &[]);
    targets.set_operator("layer2", 0.5);
    targets.set_operator("layer3", 0.0);
    let found = [(0.7, Type), (0.8, Whole), (0.5, Own), (0.0, Own)];
    let projection = check(targets.clone(), found, &[]);
    assert_eq!(projection.model_target.level, 0.8);
    let of_types: Vec<_> =
        projection.types.iter().map(|t| (t.operator_type.as_str(), t.target.level)).collect();
    assert_eq!(of_types, [("MatMul", 0.7), ("Gemm", 0.8)]);
    // Set again, in another case; names of operators have one.
    targets.set_type("matmul", 0.6);
    targets.set_type("Softmax", 0.6);
    targets.set_operator("Layer0", 0.1);
    let found = [(0.6, Type), (0.8, Whole), (0.5, Own), (0.0, Own)];
    check(targets, found, &["Softmax", "Layer0"]);
}

#[test]
fn a_target_of_operators_without_a_type_is_not_the_models() {
    let summary = Model::new([(layer("a", "", [256, 256]), Some(1.0))]).averaged();
    let mut settings = Settings::default();
    settings.targets.set_type("", 0.7);
    let projection = project(&summary, &settings);
    assert_eq!(projection.operators[0].target.unwrap().level, 0.7);
    assert_eq!(projection.model_target.from, TargetOrigin::Default);
}

#[test]
fn weight_shapes_without_a_row_get_default_ratios_unless_a_table_was_given() {
    let shapes = [[256, 256], [512, 256]];
    let operators = shapes.map(|shape| (layer(&format!("{shape:?}"), "Gemm", shape), Some(1.0)));
    let summary = Model::new(operators).averaged();
    let mut settings =
        Settings { ratios: vec![row(shapes[0], &[(0.9, 5.0)])], ..Settings::default() };
    for (default_ratios, outcome, ratio) in
        [(true, Outcome::Projected, 4.0), (false, Outcome::NoRatio, 1.0)]
    {
        settings.default_ratios = default_ratios;
        let projection = project(&summary, &settings);
        let found: Vec<_> = projection
            .operators
            .iter()
            .map(|found| (found.outcome, found.ratio.unwrap().value))
            .collect();
        assert_eq!(found, [(Outcome::Projected, 5.0), (outcome, ratio)]);
        // Either has a row, which the user may fill.
        assert_eq!(projection.rows.len(), 2);
        // What is written down whole is read back the same.
        let again = project(&summary, &projection.settings(&settings));
        assert_eq!((again.operators, again.rows), (projection.operators, projection.rows));
    }
    // An empty row's ratio is that of all levels.
    settings.ratios.push(RatioRow { others: 1.5, ..row(shapes[1], &[]) });
    let found = &project(&summary, &settings).operators[1];
    assert_eq!((found.outcome, found.ratio.unwrap().value), (Outcome::NoRatio, 1.5));
}

/// A ratio with its range, and a level in percent.
fn point() -> impl Strategy<Value = (u32, Estimate)> {
    let ratio = prop::array::uniform3(0.2f64..9.0).prop_map(|mut ends| {
        ends.sort_by(f64::total_cmp);
        let [low, value, high] = ends;
        Estimate { value, low, high }
    });
    (1u32..=100, ratio)
}

/// On the line between the nearest points on either side, if there are such.
fn interpolated(points: &[(u32, Estimate)], others: f64, level: f64) -> Estimate {
    let nearest = |inside: &dyn Fn(f64) -> bool| {
        let points = points.iter().map(|(percent, ratio)| (f64::from(*percent) / 100.0, *ratio));
        // The last that was set at a level is the one that holds.
        let inside = points.rev().filter(|(at, _)| inside(*at));
        inside.min_by(|(a, _), (b, _)| (a - level).abs().total_cmp(&(b - level).abs()))
    };
    let (below, above) = (nearest(&|at| at <= level), nearest(&|at| at >= level));
    match (below, above) {
        (None, _) => Estimate::exact(others),
        (Some((_, last)), None) => last,
        (Some((from, before)), Some((to, _))) if from == to => before,
        (Some((from, before)), Some((to, after))) => {
            let weight = (to - level) / (to - from);
            before.times(weight) + after.times(1.0 - weight)
        }
    }
}

/// A row, its weight in a model, and the ratio that belongs to it.
fn keys() -> impl Strategy<Value = RatioKey> {
    let operator_type = select(vec![None, Some("MatMul"), Some("matmul"), Some("Gemm")]);
    let data_type = select(vec![None, Some(DataType::Fp32), Some(DataType::Fp16)]);
    let shape = select(vec![[256, 256], [256, 1024]]);
    let block = select(vec![BLOCK, BLOCK, Block::new(1, 1)]);
    (operator_type, data_type, shape, block).prop_map(|(operator_type, data_type, shape, block)| {
        let operator_type = operator_type.map(str::to_string);
        let shape = WeightShape { outputs: shape[0], inputs: shape[1] };
        RatioKey { operator_type, shape, data_type, block }
    })
}

proptest! {
    #[test]
    fn ratios_are_on_the_lines_between_levels(
        points in prop::collection::vec(point(), 0..6),
        others in 0.2f64..9.0,
        permille in 0u32..=1000,
    ) {
        let mut row = RatioRow { others, ..row([256, 256], &[]) };
        points.iter().for_each(|&(percent, ratio)| row.set(f64::from(percent) / 100.0, ratio));
        for level in points.iter().map(|(percent, _)| *percent * 10).chain([permille]) {
            let level = f64::from(level) / 1000.0;
            let (found, expected) = (row.at(level), interpolated(&points, others, level));
            near(found.value, expected.value);
            near(found.low, expected.low);
            near(found.high, expected.high);
            prop_assert!(found.low <= found.value && found.value <= found.high);
        }
        // A level is found in spite of rounding, and the others hold right below.
        if let Some(lowest) = row.points.first() {
            let (just, below) = (row.at(lowest.level - 1e-10), row.at(lowest.level - 1e-8));
            prop_assert!((just.value - lowest.ratio.value).abs() < 1e-6);
            prop_assert_eq!(below, Estimate::exact(others));
        }
        prop_assert!(row.points.is_sorted_by(|a, b| a.level < b.level));
    }

    #[test]
    fn the_row_that_fits_best_applies(
        keys in prop::collection::vec(keys(), 0..8),
        weights in prop::collection::vec((keys(), any::<bool>()), 1..6),
    ) {
        let ratio = |number: usize| number as f64 + 2.0;
        let ratios: Vec<RatioRow> = (0..).zip(&keys).map(|(number, key)| {
            let mut row = RatioRow::new(key.clone());
            row.set(0.9, Estimate::exact(ratio(number)));
            row
        }).collect();
        let operators = (0..).zip(&weights).map(|(number, (key, known)): (usize, _)| {
            let WeightShape { outputs, inputs } = key.shape;
            let operator_type = key.operator_type.as_deref().unwrap_or("Conv");
            let mut operator = layer(&number.to_string(), operator_type, [outputs, inputs]);
            operator.weight.as_mut().unwrap().data_type = key.data_type.unwrap_or(DataType::S8);
            (operator, known.then_some(1.0))
        });
        let model = Model::new(operators);
        let settings = Settings { ratios, default_ratios: false, ..Settings::default() };
        let projection = project(&model.averaged(), &settings);
        let mut used = std::collections::BTreeSet::new();
        for (operator, found) in model.operators.iter().zip(&projection.operators) {
            let weight = operator.weight.as_ref().unwrap();
            // Nothing is looked up for what a target cannot change.
            if found.outcome == Outcome::LatencyUnknown {
                prop_assert_eq!((found.row, found.ratio.unwrap().value), (None, 1.0));
                continue;
            }
            let fits = |key: &RatioKey| {
                let same = |name: &String| name.eq_ignore_ascii_case(&operator.operator_type);
                key.shape == WeightShape::of(weight)
                    && key.block == BLOCK
                    && key.operator_type.as_ref().is_none_or(same)
                    && key.data_type.is_none_or(|data_type| data_type == weight.data_type)
            };
            let rank = |key: &RatioKey| match (&key.operator_type, key.data_type) {
                (Some(_), Some(_)) => 0,
                (Some(_), None) => 1,
                (None, Some(_)) => 2,
                (None, None) => 3,
            };
            // Of equals the first is taken.
            let best = (0..keys.len()).filter(|&n| fits(&keys[n])).min_by_key(|&n| rank(&keys[n]));
            used.extend(best);
            prop_assert_eq!(found.ratio.unwrap().value, best.map_or(1.0, ratio));
            let applied = &projection.rows[found.row.unwrap()];
            let kept = best.map_or(&[][..], |best| &settings.ratios[best].points);
            prop_assert_eq!(&applied.ratios.points[..], kept);
            let sharing = projection.operators.iter().filter(|other| other.row == found.row);
            prop_assert_eq!(applied.operators, sharing.count() as u64);
        }
        // Behind the rows that apply stand the others, as they were given.
        let unused = || projection.rows.iter().filter(|row| row.operators == 0);
        let given = (0..keys.len()).filter(|n| !used.contains(n)).map(|n| &settings.ratios[n]);
        prop_assert!(unused().map(|row| &row.ratios).eq(given));
        let applied = projection.rows.len() - unused().count();
        prop_assert!(projection.rows[applied..].iter().all(|row| row.operators == 0));
        let shapes = projection.rows[..applied].iter().map(|row| row.ratios.key.shape);
        prop_assert!(shapes.is_sorted());
    }
}
