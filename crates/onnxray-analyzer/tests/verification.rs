//! A projection next to what it foretold, where the truth is known.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod models;

use models::{BLOCK, Model, layer, sparse, weightless};
use onnxray_analyzer::projection::{Estimate, Settings, WeightShape};
use onnxray_analyzer::verification::{Verified, verify};
use onnxray_format::{Operator, ZeroBlocks};

const SHAPE: [u64; 2] = [256, 256];

fn pruned(name: &str, level: f64, zero_blocks: ZeroBlocks) -> Operator {
    Operator { zero_blocks: Some(zero_blocks), ..sparse(layer(name, "MatMul", SHAPE), Some(level)) }
}

fn dense(name: &str) -> Operator {
    sparse(layer(name, "MatMul", SHAPE), Some(0.0))
}

fn settings(ratios: &[(f64, f64)]) -> Settings {
    let mut settings = Settings { block: BLOCK, ..Settings::default() };
    for &(level, ratio) in ratios {
        let shape = WeightShape { outputs: SHAPE[0], inputs: SHAPE[1] };
        settings.set_ratio(shape, level, Estimate::exact(ratio));
    }
    settings
}

#[test]
fn a_projection_that_is_right_is_off_by_nothing_and_parts_add_up() {
    let skipped = || ZeroBlocks::Skipped("AVX2".to_string());
    let before = Model::new([
        (dense("a"), Some(8.0)),
        (dense("b"), Some(6.0)),
        (weightless("softmax", "Softmax"), Some(1.0)),
    ]);
    // The second is off: 3 ms are projected to 4 times as fast, 2 ms were taken.
    let after = Model::new([
        // As pruning does to whole blocks: less than one of 16384 short of 80 %.
        (pruned("a", 0.79999, skipped()), Some(4.0)),
        (pruned("b", 0.90001, skipped()), Some(2.0)),
        (weightless("softmax", "Softmax"), Some(1.25)),
    ]);
    let settings = settings(&[(0.7, 1.5), (0.8, 2.0), (0.9, 4.0)]);
    let found = verify(&before.averaged(), &after.averaged(), &settings).unwrap();
    let value = |times: &Verified| {
        [times.dense, times.projected, times.measured].map(|own| own.unwrap().value)
    };
    let close = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
    assert!(close(value(&found.projected), [14.0, 5.5, 6.0]), "{found:#?}");
    assert!(close(value(&found.rest), [1.0, 1.0, 1.25]));
    assert!(close(value(&found.total), [15.0, 6.5, 7.25]));
    let names: Vec<&str> = found.operators.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["b", "softmax", "a"], "where most is off comes first");
    assert_eq!(found.operators[0].times.error(), Some(-0.25));
    assert_eq!(found.operators[0].level, Some(0.9));
    assert_eq!((found.operators[2].times.error(), found.median_error), (Some(0.0), Some(0.125)));
    assert_eq!(found.speedup, [Some(15.0 / 6.5), Some(15.0 / 7.25)]);
    assert!(found.caveats.is_empty(), "{:?}", found.caveats);
}

#[test]
fn what_multiplies_by_its_zeros_is_not_projected_and_what_is_alone_is_named() {
    let multiplied = ZeroBlocks::Multiplied("it is in a loop".to_string());
    let skipped = ZeroBlocks::Skipped("AVX2".to_string());
    let before =
        Model::new([(dense("a"), Some(4.0)), (dense("b"), Some(4.0)), (dense("gone"), Some(1.0))]);
    let after = Model::new([
        (pruned("a", 0.95, skipped), Some(1.0)),
        (pruned("b", 0.9, multiplied.clone()), Some(4.0)),
        (weightless("new", "Add"), Some(0.5)),
    ]);
    let found = verify(&before.averaged(), &after.averaged(), &settings(&[(0.9, 4.0)])).unwrap();
    let by_name = |name: &str| found.operators.iter().find(|own| own.name == name).unwrap();
    assert_eq!((by_name("b").ratio, by_name("b").level), (None, None));
    assert_eq!(by_name("a").ratio, Some(4.0));
    assert_eq!(by_name("gone").times.error(), None);
    assert_eq!(found.rest.measured.unwrap().value, 4.5);
    let caveats = found.caveats.join("\n");
    for part in [
        "b (it is in a loop)",
        "dense recording alone: gone",
        "sparse recording alone: new",
        "than any perf ratio of theirs, so that the highest one is taken: a",
    ] {
        assert!(caveats.contains(part), "{part}: {caveats}");
    }
    let dense_only = Model::new([(pruned("a", 0.9, multiplied), Some(1.0))]);
    assert!(verify(&before.averaged(), &dense_only.averaged(), &settings(&[])).is_err());
}
