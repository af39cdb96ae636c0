//! What a plan prunes, and what it says it brings.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod models;

use models::random::{level, model, settings};
use models::{Model, layer, near, weightless};
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{
    Budget, Exclusion, LossBasis, Outcome, Plan, PlanSettings, Projection, Prunable, Sensitivity,
    Settings, Targets, allocate, plan, project,
};
use onnxray_format::Operator;
use proptest::prelude::*;

const SHAPE: [u64; 2] = [256, 256];

fn planned(summary: &Summary, settings: &Settings) -> Plan {
    plan(summary, &project(summary, settings), settings)
}

/// Of a budget that only loss counts for, without bounds.
fn by_loss(budget: f64) -> PlanSettings {
    PlanSettings { budget, minimum: 0.0, balance: 1.0, first: true, ..PlanSettings::default() }
}

fn plan_of(operators: impl IntoIterator<Item = Operator>, bounds: PlanSettings) -> Plan {
    let model = Model::new(operators.into_iter().map(|operator| (operator, Some(1.0))));
    planned(&model.averaged(), &Settings { plan: bounds, ..Settings::default() })
}

fn levels(plan: &Plan) -> Vec<f64> {
    plan.layers.iter().map(|layer| layer.level()).collect()
}

fn exclusions(plan: &Plan) -> Vec<Option<Exclusion>> {
    plan.layers.iter().map(|layer| layer.exclusion).collect()
}

fn grouped(mut operator: Operator, group: &str) -> Operator {
    operator.attributes.insert("group".to_string(), group.to_string());
    operator
}

fn with_weight(mut operator: Operator, name: &str) -> Operator {
    operator.weight.as_mut().unwrap().name = name.to_string();
    operator
}

/// With weights of which each twentieth is as much larger than the one before.
fn with_magnitudes(mut operator: Operator, growth: f32) -> Operator {
    let weight = operator.weight.as_mut().unwrap();
    weight.magnitudes = (0u8..20).map(|part| growth * f32::from(part)).collect();
    operator
}

#[test]
fn the_first_layer_and_grouped_convolutions_stay_dense_unless_asked_for() {
    let operators = [
        weightless("input", "Cast"),
        layer("stem", "Conv", SHAPE),
        grouped(layer("depthwise", "Conv", SHAPE), "32"),
        grouped(layer("pointwise", "Conv", SHAPE), "1"),
        layer("odd", "Gemm", [6, 8]),
        layer("classes", "Gemm", SHAPE),
    ];
    let (first, grouped) = (Some(Exclusion::First), Some(Exclusion::Grouped));
    let odd = Some(Exclusion::Outcome(Outcome::Unsupported));
    for (asked, expected, shares) in [
        ([false, false], [first, grouped, None, odd, None], 2),
        ([true, false], [None, grouped, None, odd, None], 3),
        ([false, true], [first, None, None, odd, None], 3),
        ([true, true], [None, None, None, odd, None], 4),
    ] {
        let bounds = PlanSettings { first: asked[0], grouped: asked[1], ..PlanSettings::default() };
        let plan = plan_of(operators.clone(), bounds);
        assert_eq!(exclusions(&plan), expected);
        assert_eq!((plan.weights, plan.prunable), (4 * 65536 + 48, shares * 65536));
        for (layer, exclusion) in plan.layers.iter().zip(expected) {
            assert_eq!(layer.level() > 0.0, exclusion.is_none());
            assert_eq!(layer.ratio.value > 1.0, exclusion.is_none());
        }
    }
}

#[test]
fn a_level_that_is_fixed_counts_towards_the_budget_and_against_every_bound() {
    let names = ["stem", "a", "b", "c"];
    let operators = || names.map(|name| layer(name, "Gemm", SHAPE));
    let mut bounds = PlanSettings { budget: 0.5, ..PlanSettings::default() };
    bounds.set_override("stem", 0.1);
    bounds.set_override("b", 0.99);
    bounds.set_override("nowhere", 0.5);
    // Set again.
    bounds.set_override("stem", 0.07);
    let plan =
        plan_of(operators().into_iter().chain([layer("odd", "Gemm", [6, 8])]), bounds.clone());
    assert_eq!(levels(&plan), [0.07, 0.47, 0.99, 0.47, 0.0]);
    assert_eq!(plan.layers[0].planned, 0.07);
    assert_eq!((plan.unmatched, plan.reached), (vec!["nowhere".to_string()], true));
    bounds.set_override("odd", 0.5);
    let plan = plan_of([layer("odd", "Gemm", [6, 8])], bounds);
    assert_eq!((levels(&plan), plan.unmatched.len()), (vec![0.0], 4));
    // A level is as it was given, to the last bit.
    for part in 0..=100 {
        let level = f64::from(part) / 101.0;
        let mut bounds = PlanSettings::default();
        bounds.set_override("a", level);
        let plan = plan_of(operators(), bounds);
        assert_eq!((plan.layers[1].fixed, plan.layers[1].planned), (Some(level), level));
    }
}

#[test]
fn a_weight_that_layers_share_is_pruned_once() {
    let shared = |name: &str| with_weight(layer(name, "Gemm", SHAPE), "shared");
    let operators = || [shared("a"), layer("b", "Gemm", SHAPE), shared("c")];
    let bounds = |balance| PlanSettings { balance, ..by_loss(0.45) };
    let plan = plan_of(operators(), bounds(1.0));
    assert_eq!(levels(&plan), [0.45, 0.45, 0.45]);
    let parameters: Vec<u64> = plan.layers.iter().map(|layer| layer.parameters).collect();
    assert_eq!(parameters, [65536, 65536, 0]);
    assert_eq!((plan.weights, plan.prunable, plan.pruned), (131072, 131072, 131072.0 * 0.45));
    // Two layers gain by it.
    assert_eq!(levels(&plan_of(operators(), bounds(0.0))), [0.9, 0.0, 0.9]);
    // What holds for one of them holds for both.
    let stem = PlanSettings { first: false, ..bounds(1.0) };
    let plan = plan_of(operators(), stem.clone());
    assert_eq!(levels(&plan), [0.0, 0.45, 0.0]);
    assert_eq!(exclusions(&plan), [Some(Exclusion::First), None, Some(Exclusion::First)]);
    let mut fixed = stem;
    fixed.set_override("c", 0.3);
    let plan = plan_of(operators(), fixed.clone());
    assert_eq!((levels(&plan), plan.prunable), (vec![0.3, 0.6, 0.3], 131072));
    assert_eq!((exclusions(&plan), &plan.caveats[..]), (vec![None; 3], &[][..]));
    fixed.set_override("a", 0.4);
    let plan = plan_of(operators(), fixed);
    assert_eq!(levels(&plan), [0.4, 0.5, 0.4]);
    assert_eq!(
        plan.caveats,
        ["a and c have one weight: it is pruned to the sparsity of the first"]
    );
}

#[test]
fn a_weight_stays_dense_if_one_of_its_layers_must() {
    let shared = |name: &str| with_weight(layer(name, "Gemm", SHAPE), "shared");
    let mut settings = Settings { plan: by_loss(0.5), ..Settings::default() };
    settings.plan.set_override("ran", 0.7);
    let model = Model::new([
        (shared("ran"), Some(1.0)),
        (shared("slept"), None),
        (layer("other", "Gemm", SHAPE), Some(1.0)),
    ]);
    let plan = planned(&model.averaged(), &settings);
    assert_eq!(levels(&plan), [0.0, 0.0, 0.5]);
    assert_eq!((plan.pruned, plan.prunable), (32768.0, 65536));
    assert_eq!(plan.layers[0].exclusion, Some(Exclusion::Outcome(Outcome::LatencyUnknown)));
    assert_eq!(plan.unmatched, ["ran"]);
}

#[test]
fn sensitivities_count_if_they_are_known_of_all_layers() {
    let operators = || {
        let shared = |name: &str| with_weight(layer(name, "Gemm", SHAPE), "shared");
        let magnitudes = [(layer("a", "Gemm", SHAPE), 1.0), (shared("b"), 2.0), (shared("c"), 2.0)];
        magnitudes.map(|(operator, growth)| with_magnitudes(operator, growth))
    };
    // The loss of the dense model is another in each.
    let given = |layer: &str, points: &[(f64, f64)]| Sensitivity {
        layer: layer.to_string(),
        points: points.to_vec(),
    };
    let a = given("a", &[(0.0, 7.0), (0.5, 7.0), (1.0, 47.0)]);
    let even = [(0.0, 3.0), (1.0, 13.0)];
    let plan = |sensitivities: Vec<Sensitivity>| {
        plan_of(operators(), PlanSettings { sensitivities, ..by_loss(0.4) })
    };
    for name in ["b", "c", "shared"] {
        let plan = plan(vec![given(name, &even), a.clone(), given("nowhere", &even)]);
        assert_eq!((plan.basis, &plan.caveats[..]), (LossBasis::Sensitivity, &[][..]), "{name}");
        // There one has lost 2.4, and the other 2.7.
        assert_eq!(levels(&plan), [0.53, 0.27, 0.27]);
    }
    let plan = plan(vec![a]);
    assert_eq!(plan.basis, LossBasis::Magnitude);
    assert!(plan.caveats[0].starts_with("the loss is known of 1 of 2 layers only"));
    // Between the middles of twentieths: there they are 10.1, and 9.8.
    assert_eq!(levels(&plan), [0.53, 0.27, 0.27]);
    let mut untold = operators();
    untold[0].weight.as_mut().unwrap().magnitudes.clear();
    let plan = plan_of(untold, by_loss(0.4));
    assert_eq!((plan.basis, levels(&plan)), (LossBasis::Level, vec![0.4; 3]));
}

#[test]
fn a_plan_says_whether_its_budget_is_reached() {
    let operators = || ["a", "b"].map(|name| layer(name, "Gemm", SHAPE));
    for (budget, maximum, reached) in [(0.85, 0.9, true), (0.9, 0.9, true), (0.91, 0.9, false)] {
        let plan = plan_of(operators(), PlanSettings { maximum, ..by_loss(budget) });
        assert_eq!(plan.reached, reached, "{budget}");
        assert!(levels(&plan).iter().all(|level| *level <= maximum));
        let enough = plan.pruned >= budget * plan.prunable as f64 - 1e-6;
        assert_eq!(enough, reached);
    }
}

#[test]
fn the_compression_is_that_of_the_model_or_else_of_its_weights() {
    let model = Model::new(["a", "b"].map(|name| (layer(name, "Gemm", SHAPE), Some(1.0))));
    let settings = Settings { plan: by_loss(0.5), ..Settings::default() };
    let mut summary = model.averaged();
    assert_eq!(planned(&summary, &settings).compression(), Some(2.0));
    summary.run.parameters = Some(3 * 65536);
    assert_eq!(planned(&summary, &settings).compression(), Some(1.5));
    summary.run.parameters = Some(65536);
    assert_eq!(planned(&summary, &settings).compression(), None);
}

/// On the lines between points; outside of them level.
fn on_lines(points: &[(f64, f64)], at: f64) -> f64 {
    let (first, last) = (points[0], points[points.len() - 1]);
    let inside = at.clamp(first.0, last.0);
    let part = points.windows(2).find(|part| inside <= part[1].0);
    part.map_or(first.1, |part| {
        let ((from, before), (to, after)) = (part[0], part[1]);
        (before * (to - inside) + after * (inside - from)) / (to - from)
    })
}

/// The loss of pruning a layer to a level.
fn loss(basis: LossBasis, bounds: &PlanSettings, operator: &Operator, level: f64) -> f64 {
    let points: Vec<(f64, f64)> = match basis {
        LossBasis::Level => return level,
        LossBasis::Magnitude if level == 0.0 => return 0.0,
        LossBasis::Magnitude => {
            let magnitudes = &operator.weight.as_ref().unwrap().magnitudes;
            (0..20).map(|p| (f64::from(p) / 20.0 + 0.025, magnitudes[p as usize].into())).collect()
        }
        LossBasis::Sensitivity => {
            let given = bounds.sensitivities.iter().find(|given| given.layer == operator.name);
            given.unwrap().points.clone()
        }
    };
    let dense = if basis == LossBasis::Sensitivity { on_lines(&points, 0.0) } else { 0.0 };
    on_lines(&points, level) - dense
}

/// A model whose layers have FLOPs, magnitudes and groups, or not, and bounds
/// of its plan.
fn planned_models() -> impl Strategy<Value = (Model, Settings)> {
    let fact =
        (prop::option::of(0u64..1000), 0.1f32..9.0, any::<bool>(), prop::option::of(level()));
    let facts = (prop::collection::vec(fact, 10), prop::array::uniform2(any::<bool>()));
    let bounds = (level(), level(), 0.3f64..1.0, level(), prop::array::uniform2(any::<bool>()));
    (model(), settings(true), facts, bounds).prop_map(|(mut model, mut settings, facts, bounds)| {
        let (facts, [magnitudes, sensitivities]) = facts;
        let (budget, minimum, maximum, balance, [first, grouped]) = bounds;
        let minimum = minimum * maximum;
        settings.plan = PlanSettings {
            budget,
            minimum,
            maximum,
            balance,
            first,
            grouped,
            ..PlanSettings::default()
        };
        for (operator, (flops, growth, group, fixed)) in model.operators.iter_mut().zip(facts) {
            (operator.flops, operator.executions) = (flops, Some(1));
            if group {
                operator.attributes.insert("group".to_string(), "2".to_string());
            }
            if let (Some(level), true) = (fixed, growth < 2.0) {
                settings.plan.set_override(&operator.name, level);
            }
            if sensitivities {
                let points = vec![(0.1, growth.into()), (0.6, 3.0), (0.8, f64::from(growth) * 9.0)];
                let layer = operator.name.clone();
                settings.plan.sensitivities.push(Sensitivity { layer, points });
            }
            if let (Some(weight), true) = (&mut operator.weight, magnitudes) {
                weight.magnitudes = (0u8..20).map(|part| growth * f32::from(part)).collect();
            }
        }
        (model, settings)
    })
}

proptest! {
    #[test]
    fn levels_are_what_the_budget_allocates_and_the_rest_follows(
        (model, settings) in planned_models(),
    ) {
        let (summary, bounds) = (model.averaged(), &settings.plan);
        let projection = project(&summary, &settings);
        let found = plan(&summary, &projection, &settings);
        // The model with every weight at a level.
        let at = |level: f64| {
            let targets = Targets { model: Some(level), ..Targets::default() };
            project(&summary, &Settings { targets, ..settings.clone() })
        };
        let levels: Vec<_> = (0..100).map(|percent| at(f64::from(percent) / 100.0)).collect();
        let mut free = Vec::new();
        let weighted = model.operators.iter().enumerate().filter(|(_, o)| o.weight.is_some());
        for (place, (number, operator)) in weighted.enumerate() {
            let layer = &found.layers[place];
            prop_assert_eq!(layer.operator, number);
            let outcome = projection.operators[number].outcome;
            let fixed = bounds.overrides.iter().find(|(name, _)| *name == operator.name);
            let dense = !outcome.is_settable()
                || fixed.is_none() && place == 0 && !bounds.first
                || fixed.is_none() && operator.attributes.contains_key("group") && !bounds.grouped;
            prop_assert_eq!(layer.exclusion.is_some(), dense);
            match dense {
                true => prop_assert_eq!(layer.level(), 0.0),
                false => free.push((place, number, fixed.map(|(_, level)| *level))),
            }
        }
        // Where nothing is timed, a level is worth what operations it saves.
        let is_timed = model.milliseconds.iter().any(Option::is_some);
        let latency = |number: usize| {
            let flops = model.operators[number].flops.unwrap_or(0) as f64;
            let at = |(percent, at): (usize, &Projection)| match is_timed {
                true => at.operators[number].projected.unwrap().value,
                false => flops * (1.0 - percent as f64 / 100.0),
            };
            levels.iter().enumerate().map(at).collect()
        };
        let prunables: Vec<Prunable> = free.iter().map(|&(_, number, fixed)| Prunable {
            parameters: summary.operators[number].operator.parameters.unwrap(),
            loss: (0..100)
                .map(|percent| loss(found.basis, bounds, &model.operators[number], f64::from(percent) / 100.0))
                .collect(),
            latency: latency(number),
            fixed: fixed.map(|level| level * 100.0),
        }).collect();
        let PlanSettings { budget: share, minimum, maximum, balance, .. } = *bounds;
        let allocation = allocate(&prunables, &Budget { share, minimum, maximum, balance });
        for ((place, _, fixed), level) in free.iter().zip(&allocation.levels) {
            near(found.layers[*place].level(), fixed.unwrap_or(*level));
        }
        prop_assert_eq!(found.reached, allocation.reached);
        near(found.pruned, allocation.pruned);
        prop_assert_eq!(found.prunable, prunables.iter().map(|p| p.parameters).sum::<u64>());

        // As targets, the levels project the model the same.
        let mut targets = Targets::default();
        for (name, level) in found.targets(&summary) {
            targets.set_operator(&name, level);
        }
        let same = project(&summary, &Settings { targets, ..settings.clone() });
        prop_assert_eq!(&found.totals, &same.totals);
        for layer in &found.layers {
            let same = &same.operators[layer.operator];
            prop_assert_eq!((layer.dense, layer.projected), (same.dense, same.projected));
            prop_assert_eq!((Some(layer.ratio), layer.origin), (same.ratio, same.origin));
            let flops = summary.operators[layer.operator].flops;
            let left = flops.map(|flops| flops * (1.0 - layer.level()));
            prop_assert_eq!((layer.flops, layer.planned_flops), (flops, left));
        }
        let flops = |operator: &Operator| operator.flops.map_or(0.0, |flops| flops as f64);
        near(found.flops.known, model.operators.iter().map(flops).sum());
        let gone = found.layers.iter().map(|layer| layer.flops.unwrap_or(0.0) * layer.level());
        near(found.flops.known - gone.sum::<f64>(), found.planned_flops.known);
        let unknown = model.operators.iter().filter(|operator| operator.flops.is_none()).count();
        prop_assert_eq!([found.flops.unknown, found.planned_flops.unknown], [unknown as u64; 2]);
    }
}
