//! What the projections of operators add up to, at the targets and at each level.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod models;

use models::random::{launches, level, model, ratio, settings};
use models::{BLOCK, Model, layer, near, row, weightless};
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{
    ALREADY_SPARSE, Basis, Estimate, Projection, RatioRow, Settings, Targets, Totals, project,
};
use proptest::prelude::*;

/// The perf ratio of an operator at a target, from the definitions.
fn perf_ratio(model: &Model, settings: &Settings, number: usize) -> Option<Estimate> {
    let one = Some(Estimate::exact(1.0));
    let operator = &model.operators[number];
    let Some(weight) = &operator.weight else {
        return one.filter(|_| operator.parameters.is_some());
    };
    let sparse_ratio = weight.sparse_ratio(BLOCK).unwrap_or(0.0);
    let of_operator = settings.targets.operators.iter().find(|(name, _)| *name == operator.name);
    let same = |name: &str| name.to_lowercase() == operator.operator_type.to_lowercase();
    let of_type = settings.targets.types.iter().find(|(name, _)| same(name));
    let target = of_operator.or(of_type).map(|(_, level)| *level);
    let target = target.or(settings.targets.model).unwrap_or(0.9);
    let fixed = weight.outputs % 4 != 0 || sparse_ratio >= ALREADY_SPARSE;
    if fixed || target == 0.0 || target <= sparse_ratio || model.milliseconds[number].is_none() {
        return one;
    }
    let shape = [weight.outputs, weight.inputs];
    let fits = |row: &&RatioRow| [row.key.shape.outputs, row.key.shape.inputs] == shape;
    let default = row(shape, &[(0.7, 2.0), (0.8, 2.5), (0.9, 4.0)]);
    match settings.ratios.iter().find(fits) {
        Some(row) => Some(row.at(target)),
        None if settings.default_ratios => Some(default.at(target)),
        None => one,
    }
}

fn all_near(found: Estimate, expected: Estimate) {
    near(found.value, expected.value);
    near(found.low, expected.low);
    near(found.high, expected.high);
}

fn contains(estimate: Estimate) -> bool {
    let slack = 1e-9 * estimate.value.abs();
    estimate.low <= estimate.value + slack && estimate.value <= estimate.high + slack
}

/// Every figure with ends.
fn figures(projection: &Projection) -> Vec<Estimate> {
    let of_totals = |totals: &Totals| {
        let maybe = [
            totals.operators,
            totals.projected_operators,
            totals.concurrent,
            totals.projected_concurrent,
            totals.total,
            totals.projected_total,
            totals.support,
            totals.projected_support,
            totals.overhead,
            totals.support_ratio,
            totals.projected_support_ratio,
            totals.speedup,
            totals.items_per_second,
            totals.projected_items_per_second,
        ];
        maybe.into_iter().flatten().collect::<Vec<_>>()
    };
    let operators = projection.operators.iter();
    let operators = operators.flat_map(|o| [o.dense, o.projected, o.ratio]).flatten();
    let types = projection.types.iter().flat_map(|known| [known.dense, known.projected]).flatten();
    let levels = projection.at_levels.iter();
    let levels = levels.flat_map(|level| {
        let types = level.types.iter().copied().flatten();
        of_totals(&level.totals).into_iter().chain(types)
    });
    operators.chain(types).chain(of_totals(&projection.totals)).chain(levels).collect()
}

/// What holds between totals, operators, types and what was measured.
fn add_up(summary: &Summary, projection: &Projection) {
    let totals = &projection.totals;
    let sum = |pick: &dyn Fn(usize) -> Option<Estimate>| -> Estimate {
        (0..projection.operators.len()).filter_map(pick).sum()
    };
    let supported = |at: usize| summary.operators[at].operator.sparse_support;
    let dense = |at: usize| projection.operators[at].dense;
    let sparse = |at: usize| projection.operators[at].projected;
    let any = |is: &dyn Fn(usize) -> bool| (0..projection.operators.len()).any(is);
    let unknown = |at: usize| projection.operators[at].ratio.is_none();
    let has_weight = |at: usize| summary.operators[at].operator.weight.is_some();
    let timed = any(&|at| dense(at).is_some());
    let told = timed && (any(&has_weight) || !any(&unknown));
    assert_eq!((totals.operators.is_some(), totals.total.is_some()), (timed, timed));
    let after = [totals.projected_total, totals.support, totals.projected_support];
    assert_eq!(after.map(|figure| figure.is_some()), [told; 3]);
    assert!(told || totals.speedup.is_none());
    if !told {
        return;
    }
    let [operators, after, total, projected_total] =
        [totals.operators, totals.projected_operators, totals.total, totals.projected_total]
            .map(Option::unwrap);
    all_near(operators, sum(&dense));
    // Nobody knows what the others would gain.
    all_near(after, sum(&|at| sparse(at).or(dense(at))));
    let support = totals.support.unwrap();
    all_near(support, sum(&|at| dense(at).filter(|_| supported(at))));
    let sparse_support = sum(&|at| sparse(at).filter(|_| supported(at)));
    all_near(totals.projected_support.unwrap(), sparse_support);
    assert!(support.value <= operators.value * (1.0 + 1e-12));
    let types: Estimate = projection.types.iter().filter_map(|known| known.dense).sum();
    all_near(types, operators);
    for (known, of_type) in projection.types.iter().zip(&summary.types) {
        let own =
            |at: &usize| summary.operators[*at].operator.operator_type == of_type.operator_type;
        let own: Vec<usize> = (0..projection.operators.len()).filter(own).collect();
        let projected: Vec<Estimate> = own.iter().filter_map(|at| sparse(*at)).collect();
        let known_all = !own.iter().any(|at| unknown(*at)) && !projected.is_empty();
        assert_eq!(known.projected.is_some(), known_all);
        if let Some(found) = known.projected {
            all_near(found, projected.into_iter().sum());
        }
    }
    let overhead = totals.overhead.unwrap_or_default();
    let concurrent = totals.concurrent.unwrap();
    near(types.value - concurrent.value + overhead.value, total.value);
    let side_by_side = totals.projected_concurrent.unwrap();
    near(after.value - side_by_side.value + overhead.value, projected_total.value);
    // Side by side to the same degree.
    near(side_by_side.value * operators.value, concurrent.value * after.value);
    if let Some(ratio) = totals.support_ratio {
        near(ratio.value * total.value, support.value);
    }
    if let Some(speedup) = totals.speedup {
        near(speedup.value * projected_total.value, total.value);
    }
}

/// A model and its runs, one operator after the other or side by side.
#[derive(Clone, Debug)]
struct Ran {
    model: Model,
    launches: Vec<Vec<(Vec<u64>, u64)>>,
    side_by_side: bool,
}

impl Ran {
    fn summary(&self) -> Summary {
        match self.side_by_side {
            true => self.model.side_by_side(&self.launches),
            false => self.model.measured(&self.launches),
        }
    }
}

fn ran() -> impl Strategy<Value = Ran> {
    let runs = model().prop_flat_map(|model| {
        let launches = launches(model.operators.len());
        (Just(model), launches, any::<bool>())
    });
    runs.prop_map(|(model, launches, side_by_side)| Ran { model, launches, side_by_side })
}

#[test]
fn operators_that_run_side_by_side_do_so_to_the_same_degree() {
    let sparse = layer("sparse", "MatMul", [256, 256]);
    let model = Model::new([(sparse, None), (weightless("dense", "Softmax"), None)]);
    let summary = model.side_by_side(&[vec![(vec![4_000_000, 6_000_000], 1_000_000)]]);
    let totals = project(&summary, &Settings::default()).totals;
    for (figure, expected) in [
        (totals.operators, 10.0),
        (totals.concurrent, 4.0),
        (totals.overhead, 1.0),
        (totals.total, 7.0),
        (totals.projected_operators, 7.0),
        (totals.projected_concurrent, 2.8),
        (totals.projected_total, 5.2),
        (totals.speedup, 7.0 / 5.2),
    ] {
        near(figure.unwrap().value, expected);
    }
    assert_eq!(totals.items_per_second, None);
}

#[test]
fn without_iterations_totals_are_of_the_whole_trace() {
    let operators =
        [(layer("a", "MatMul", [256, 256]), Some(4.0)), (weightless("b", "Add"), Some(6.0))];
    let model = Model::new(operators);
    let projection = project(&model.without_iterations(), &Settings::default());
    assert_eq!((projection.basis, projection.spread.parts), (Basis::Trace, None));
    let totals = projection.totals;
    near(totals.total.unwrap().value, 10.0);
    near(totals.projected_total.unwrap().value, 7.0);
    assert_eq!((totals.overhead, totals.items_per_second), (None, None));
}

proptest! {
    #[test]
    fn operators_are_projected_by_the_rules_taken_literally(
        model in model(),
        settings in settings(false),
    ) {
        let summary = model.averaged();
        let projection = project(&summary, &settings);
        for (number, found) in projection.operators.iter().enumerate() {
            let ratio = perf_ratio(&model, &settings, number);
            prop_assert_eq!(found.ratio.is_some(), ratio.is_some());
            prop_assert_eq!(found.dense.is_some(), model.milliseconds[number].is_some());
            let dense = model.milliseconds[number];
            let (Some(dense), Some(ratio)) = (dense, ratio) else {
                prop_assert_eq!(found.projected, None);
                continue;
            };
            all_near(found.ratio.unwrap(), ratio);
            all_near(found.projected.unwrap(), Estimate {
                value: dense / ratio.value,
                low: dense / ratio.high,
                high: dense / ratio.low,
            });
        }
        add_up(&summary, &projection);
        prop_assert_eq!(projection.totals.overhead, None);
    }

    #[test]
    fn the_total_is_the_mean_latency_and_its_parts_add_up_to_it(
        ran in ran(),
        settings in settings(false),
    ) {
        let summary = ran.summary();
        let projection = project(&summary, &settings);
        add_up(&summary, &projection);
        let mean = summary.model.whole.unwrap().0;
        near(projection.totals.total.unwrap().value, mean);
        let batch = summary.run.batch_size.unwrap() as f64;
        near(projection.totals.items_per_second.unwrap().value, batch * 1e3 / mean);
    }

    #[test]
    fn every_value_lies_between_its_ends(ran in ran(), settings in settings(false)) {
        let projection = project(&ran.summary(), &settings);
        for figure in figures(&projection) {
            prop_assert!(contains(figure), "{figure:?} of {:?}", projection.totals);
            prop_assert!(figure.low >= 0.0, "{figure:?} of {:?}", projection.totals);
        }
    }

    #[test]
    fn without_anything_that_varies_the_ends_are_the_values(
        model in model(),
        settings in settings(true),
    ) {
        let projection = project(&model.averaged(), &settings);
        for figure in figures(&projection) {
            near(figure.low, figure.value);
            near(figure.high, figure.value);
        }
    }

    #[test]
    fn the_speedup_follows_amdahls_law(
        nanoseconds in 1u64..1_000_000,
        rest in 0u64..1_000_000,
        overhead in 0u64..1_000_000,
        ratio in 0.2f64..20.0,
    ) {
        let operators = [layer("a", "MatMul", [256, 256]), weightless("b", "Softmax")];
        let model = Model::new(operators.map(|operator| (operator, None)));
        let summary = model.measured(&[vec![(vec![nanoseconds, rest], overhead)]]);
        let ratios = vec![row([256, 256], &[(0.9, ratio)])];
        let totals = project(&summary, &Settings { ratios, ..Settings::default() }).totals;
        let share = nanoseconds as f64 / (nanoseconds + rest + overhead) as f64;
        near(totals.support_ratio.unwrap().value, share);
        near(totals.speedup.unwrap().value, 1.0 / (1.0 - share + share / ratio));
    }

    /// With the sparse operators and all else anywhere between their ends.
    #[test]
    fn no_case_is_beyond_the_ends_of_the_speedup(
        latencies in prop::collection::vec((1_000_000u64..2_000_000, 0u64..2_000_000), 6..20),
        ratio in ratio(false),
        cases in prop::array::uniform3(0.0f64..=1.0),
    ) {
        let operators = [layer("a", "MatMul", [256, 256]), weightless("b", "Softmax")];
        let model = Model::new(operators.map(|operator| (operator, None)));
        let iterations = latencies.iter().map(|&(own, rest)| (vec![own, rest], 1000)).collect();
        let summary = model.measured(&[iterations]);
        let mut given = row([256, 256], &[]);
        given.set(0.9, ratio);
        let totals = project(&summary, &Settings { ratios: vec![given], ..Settings::default() }).totals;
        let between = |estimate: Estimate, fraction: f64| {
            estimate.low + fraction * (estimate.high - estimate.low)
        };
        let speedup = totals.speedup.unwrap();
        let (support, total) = (totals.support.unwrap(), totals.total.unwrap());
        let rest = total - support;
        let of = |cases: [f64; 3]| {
            let (support, rest) = (between(support, cases[0]), between(rest, cases[1]));
            (support + rest) / (support / between(ratio, cases[2]) + rest)
        };
        let found = of(cases);
        let slack = 1e-9 * found;
        prop_assert!(speedup.low <= found + slack && found <= speedup.high + slack);
        // And the ends are such cases.
        let corners = |at: f64| [[0.0, 0.0, at], [0.0, 1.0, at], [1.0, 0.0, at], [1.0, 1.0, at]].map(of);
        near(speedup.low, corners(0.0).into_iter().fold(f64::INFINITY, f64::min));
        near(speedup.high, corners(1.0).into_iter().fold(0.0, f64::max));
    }

    #[test]
    fn ends_where_all_may_take_no_time_are_computed_or_open(
        long in 10_000_000u64..20_000_000,
        ratio in 1.5f64..4.0,
    ) {
        let operators = [layer("a", "MatMul", [256, 256]), weightless("b", "Softmax")];
        let model = Model::new(operators.map(|operator| (operator, None)));
        // Launches so far apart that the low ends of both are 0.
        let launch = |time: u64| vec![(vec![time, time], 0)];
        let summary = model.measured(&[launch(1), launch(1), launch(long)]);
        let ratios = vec![row([256, 256], &[(0.9, ratio)])];
        let totals = project(&summary, &Settings { ratios, ..Settings::default() }).totals;
        let total = totals.total.unwrap();
        prop_assert_eq!(total.low, 0.0);
        // From all time in the other operator to all in the sparse one.
        let speedup = totals.speedup.unwrap();
        near(speedup.low, 1.0);
        near(speedup.high, ratio);
        let share = totals.support_ratio.unwrap();
        prop_assert_eq!((share.low, share.high), (0.0, 1.0));
        if let Some(items) = totals.items_per_second {
            near(items.low, items.value * total.value / total.high);
            prop_assert!(items.high.is_infinite());
        }
    }

    #[test]
    fn the_model_at_a_level_is_the_model_with_that_target(
        ran in ran(),
        settings in settings(false),
        levels in prop::collection::vec(level(), 1..4),
    ) {
        let (summary, settings) = (ran.summary(), Settings { levels, ..settings });
        let projection = project(&summary, &settings);
        let mut levels: Vec<f64> = projection.at_levels.iter().map(|level| level.level).collect();
        prop_assert_eq!(&levels, &projection.levels);
        for level in &projection.at_levels {
            let targets = Targets { model: Some(level.level), ..Targets::default() };
            let alone = project(&summary, &Settings { targets, ..settings.clone() });
            prop_assert_eq!(&level.totals, &alone.totals);
            prop_assert!(level.types.iter().eq(alone.types.iter().map(|known| &known.projected)));
        }
        // The levels that were asked for come first, then those of the ratios, once each.
        prop_assert!(levels.starts_with(&settings.levels));
        let points = projection.rows.iter().flat_map(|row| &row.ratios.points);
        prop_assert!(points.clone().all(|point| levels.contains(&point.level)));
        let behind = levels.split_off(settings.levels.len());
        prop_assert!(behind.iter().all(|level| points.clone().any(|p| p.level == *level)));
    }
}
