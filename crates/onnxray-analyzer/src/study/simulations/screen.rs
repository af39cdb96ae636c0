//! Screening on launches whose effects are known.

use crate::comparison::Verdict;
use crate::probability::Generator;
use crate::study::looks::{FIRST_LAUNCHES, LAUNCHES, MOST_LAUNCHES};
use crate::study::screen::COMBINED_LAUNCHES;
use crate::study::{Step, Study, StudyOptions, Tuning, screen};
use onnxray_format::{
    Objective, OutputDifference, RuntimeChange, SearchSetup, Stage, TuneQuality, TuneRun,
    TuneTrial, TuneVariant,
};
use std::collections::BTreeSet;

/// Those of changes of the runtime.
const OPTIONS: StudyOptions = StudyOptions {
    smallest_gain: 0.005,
    max_loss: Some(1e-3),
    max_precision_loss: 1e-2,
    latency_limit: 0.05,
};
/// Standard deviation of a ratio between launches.
const SPREAD: f64 = 0.003;

fn without(number: usize) -> RuntimeChange {
    RuntimeChange::WithoutOptimizer(format!("Optimizer{number}"))
}

pub(in crate::study) fn run(changes: Vec<RuntimeChange>) -> TuneRun {
    TuneRun {
        file: Default::default(),
        setup: Default::default(),
        search: SearchSetup { threads: 1, ..SearchSetup::default() },
        cores: 4,
        changes,
        objectives: vec![Objective::Latency],
        rate: None,
        idle_optimizers: 0,
    }
}

/// A search to its end, and the launches that it asked for. The ratio of a variant is `effect` on
/// average; it fails where that is `None`.
fn searched(
    changes: Vec<RuntimeChange>,
    options: StudyOptions,
    seed: u64,
    effect: impl Fn(&[RuntimeChange]) -> Option<f64>,
) -> (Tuning, Vec<TuneTrial>) {
    patient(changes, options, seed, SPREAD, 0, effect)
}

/// The same with another spread, and time for this many launches beyond the plan.
fn patient(
    changes: Vec<RuntimeChange>,
    options: StudyOptions,
    seed: u64,
    spread: f64,
    further: usize,
    effect: impl Fn(&[RuntimeChange]) -> Option<f64>,
) -> (Tuning, Vec<TuneTrial>) {
    let (mut time, mut is_planned) = (further, true);
    let (run, mut generator) = (run(changes), Generator::new(seed));
    let mut launches: Vec<TuneTrial> = Vec::new();
    loop {
        let found = screen(&run, &launches.iter().collect::<Vec<_>>(), options);
        let mut step = found.next.clone();
        if step == Step::Nothing && time > 0 {
            (time, is_planned) = (time - 1, false);
            step = found.further.clone();
        }
        let Step::Measure { stage, number, variants } = step else {
            return (found, launches);
        };
        let of_stage = launches.iter().filter(|launch| launch.stage == stage).count();
        assert_eq!(number as usize, of_stage, "launches are numbered in their order");
        let most = if stage == Stage::Single { LAUNCHES } else { COMBINED_LAUNCHES };
        assert!(of_stage < most || !is_planned, "{stage:?} does not end");
        let measured = |changes: Vec<u32>| {
            let changes = run.named(&changes);
            let known = effect(&changes);
            TuneVariant {
                changes,
                ratio: known.map(|known| known * (spread * generator.normal()).exp()),
                costs: None,
                quality: TuneQuality { outputs: known.map(|_| OutputDifference::default()) },
                failed: known.is_none().then(|| "it does not load".to_string()),
            }
        };
        let variants = variants.into_iter().map(measured).collect();
        launches.push(TuneTrial {
            stage,
            number,
            base_ns: Some(1e6),
            rounds: 9,
            other_cores: None,
            variants,
        });
    }
}

/// The product of what is planted of each change.
fn product(planted: &[(RuntimeChange, f64)], changes: &[RuntimeChange]) -> f64 {
    let of = |change: &RuntimeChange| planted.iter().find(|(own, _)| own == change);
    changes.iter().filter_map(of).map(|(_, ratio)| ratio).product()
}

fn count(launches: &[TuneTrial], stage: Stage) -> usize {
    launches.iter().filter(|launch| launch.stage == stage).count()
}

#[test]
fn what_pays_is_found_and_combined() {
    let planted = [
        (without(3), 0.97),
        (RuntimeChange::Arena(false), 0.94),
        (without(5), 1.05),
        (without(7), 0.999),
        (RuntimeChange::Threads(2), 0.5),
    ];
    let mut changes: Vec<RuntimeChange> = (0..20).map(without).collect();
    changes.extend([RuntimeChange::Arena(false), RuntimeChange::Threads(2)]);
    for seed in 1..=20 {
        let (found, launches) =
            searched(changes.clone(), OPTIONS, seed, |own| Some(product(&planted, own)));
        assert_eq!(count(&launches, Stage::Single), LAUNCHES, "seed {seed}");
        assert_eq!(count(&launches, Stage::Combined), COMBINED_LAUNCHES, "seed {seed}");
        let best = found.best.as_ref().unwrap();
        let named = found.run.named(&best.changes);
        assert_eq!(named, [RuntimeChange::Arena(false), without(3)], "seed {seed}");
        let of = |change: RuntimeChange| {
            let number = changes.iter().position(|own| *own == change).unwrap();
            found.single[number].clone()
        };
        let ratio = |change| of(change).effect.unwrap().ratio;
        let expected = ratio(RuntimeChange::Arena(false)) * ratio(without(3));
        assert!((found.predicted.unwrap() - expected).abs() < 1e-12, "seed {seed}");
        assert_eq!(of(without(5)).verdict, Verdict::Slower, "seed {seed}");
        assert_eq!(of(without(5)).launches, FIRST_LAUNCHES, "seed {seed}: it cannot pay");
        let threads = of(RuntimeChange::Threads(2));
        assert!(threads.verdict == Verdict::Faster && !threads.pays(), "seed {seed}");
        let missed = of(without(7));
        assert!(!missed.pays(), "seed {seed}: it gains too little");
    }
}

/// What computes in other numbers has a limit of its own, of another measure.
#[test]
fn other_numbers_are_judged_by_their_loss() {
    let level = RuntimeChange::AccuracyLevel(4);
    let outputs = |relative, loss| OutputDifference {
        output: Some("y".to_string()),
        absolute: 1.0,
        relative,
        loss,
    };
    let of = |change: &RuntimeChange, quality: OutputDifference| {
        let run = run(vec![change.clone()]);
        let launches: Vec<TuneTrial> = (0..LAUNCHES as u32)
            .map(|number| {
                let variants = vec![TuneVariant {
                    changes: vec![change.clone()],
                    ratio: Some(0.5 + 0.001 * f64::from(number % 3)),
                    costs: None,
                    quality: TuneQuality { outputs: Some(quality.clone()) },
                    failed: None,
                }];
                TuneTrial {
                    stage: Stage::Single,
                    number,
                    base_ns: Some(1e6),
                    rounds: 9,
                    other_cores: None,
                    variants,
                }
            })
            .collect();
        let found = screen(&run, &launches.iter().collect::<Vec<_>>(), OPTIONS);
        (found.single[0].pays(), found.single[0].loss)
    };
    let (tolerated, lost) = (OPTIONS.max_loss.unwrap(), OPTIONS.max_precision_loss);
    assert_eq!(of(&level, outputs(10.0 * tolerated, Some(lost))), (true, Some(lost)));
    assert_eq!(of(&level, outputs(0.0, Some(1.1 * lost))), (false, Some(1.1 * lost)));
    // An unknown loss is not a small one.
    assert_eq!(of(&level, outputs(0.0, None)), (false, None));
    let other = without(1);
    assert_eq!(of(&other, outputs(tolerated, Some(2.0 * lost))), (true, Some(tolerated)));
    assert!(!of(&other, outputs(10.0 * tolerated, Some(0.0))).0);
}

/// On a machine on which ten launches decide nothing.
const NOISY: f64 = 0.025;

#[test]
fn with_time_left_what_is_undecided_is_measured_on() {
    let planted = [(without(3), 0.98)];
    let changes: Vec<RuntimeChange> = (0..12).map(without).collect();
    let search = |seed, further| {
        let effect = |own: &[RuntimeChange]| Some(product(&planted, own));
        patient(changes.clone(), OPTIONS, seed, NOISY, further, effect)
    };
    let (mut planned, mut patient) = (0, 0);
    for seed in 1..=20 {
        let (found, launches) = search(seed, 0);
        planned += usize::from(found.best.is_some());
        let is_open = found.best.is_none() && found.single.iter().any(|own| own.may_pay(0.005));
        assert_eq!(found.is_searching(), is_open, "seed {seed}");
        let (more, all) = search(seed, usize::MAX);
        assert!(all.starts_with(&launches), "seed {seed}: a search goes on from where it was");
        assert!(!more.is_searching(), "seed {seed}");
        assert!(count(&all, Stage::Single) <= MOST_LAUNCHES, "seed {seed}");
        patient += usize::from(more.best.is_some());
        // Every launch beyond the plan leads to a look.
        let mut counts = more.single.iter().map(|own| own.launches);
        assert!(counts.all(|own| own <= LAUNCHES || [20, 40].contains(&own)), "seed {seed}");
    }
    assert!(planned < patient && patient >= 15, "{planned} of 20, {patient} of 20 with time");
}

/// What gains by itself may lose beside another.
#[test]
fn changes_that_disturb_each_other_are_not_recommended_together() {
    let [first, second] = [without(0), without(1)];
    let effect = |changes: &[RuntimeChange]| match changes {
        [only] if *only == first => Some(0.9),
        [only] if *only == second => Some(0.95),
        [_] => Some(1.0),
        _ => Some(0.93),
    };
    let changes: Vec<RuntimeChange> = (0..4).map(without).collect();
    let (found, _) = searched(changes, OPTIONS, 1, effect);
    assert_eq!(found.best.unwrap().changes, [0]);
    assert_eq!(found.combined.len(), 3);
}

#[test]
fn without_an_effect_next_to_nothing_is_recommended() {
    const SEARCHES: u64 = 200;
    let changes: Vec<RuntimeChange> = (0..20).map(without).collect();
    for smallest_gain in [OPTIONS.smallest_gain, 0.0] {
        let options = StudyOptions { smallest_gain, ..OPTIONS };
        let recommends = |&seed: &u64| {
            // Up to the second look.
            let searched = patient(changes.clone(), options, seed, SPREAD, 10, |_| Some(1.0));
            searched.0.best.is_some()
        };
        let found = (0..SEARCHES).filter(recommends).count() as f64;
        let (all, share) = (SEARCHES as f64, 0.05);
        let most = all * share + 3.0 * (all * share * (1.0 - share)).sqrt();
        assert!(found <= most, "{found} of {all} at a smallest gain of {smallest_gain}");
    }
}

#[test]
fn of_changes_that_set_the_same_one_is_combined() {
    let level = |name: &str| RuntimeChange::Optimization(name.to_string());
    let planted =
        [(level("basic"), 0.92), (level("extended"), 0.9), (RuntimeChange::Arena(false), 0.95)];
    let changes = planted.iter().map(|(change, _)| change.clone()).collect();
    let (found, launches) = searched(changes, OPTIONS, 1, |own| Some(product(&planted, own)));
    let best = found.run.named(&found.best.unwrap().changes);
    assert_eq!(best, [level("extended"), RuntimeChange::Arena(false)]);
    for variant in launches.iter().flat_map(|launch| &launch.variants) {
        let settings: BTreeSet<&str> = variant.changes.iter().map(RuntimeChange::setting).collect();
        assert_eq!(settings.len(), variant.changes.len(), "{variant:?}");
    }
}

#[test]
fn what_failed_is_not_asked_for_again() {
    let changes: Vec<RuntimeChange> = (0..5).map(without).collect();
    let (found, launches) =
        searched(changes, OPTIONS, 1, |own| (*own != [without(2)]).then_some(1.0));
    let asked = launches.iter().flat_map(|launch| &launch.variants);
    assert_eq!(asked.filter(|variant| variant.changes == [without(2)]).count(), 1);
    let failed = &found.single[2];
    assert_eq!(failed.failed.as_deref(), Some("it does not load"));
    assert_eq!((failed.effect, failed.launches, found.best), (None, 0, None));
}
