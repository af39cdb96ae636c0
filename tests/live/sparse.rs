//! `record --sparse`: products skip the zero blocks of their weights, and a recording says which.

use crate::program::{Place, json};
use crate::recorder::model;
use serde_json::Value;

const SIZES: [&str; 4] = ["--dim", "sequence=32", "--iterations", "5"];

fn operators(place: &Place, folder: &str) -> Vec<Value> {
    let arguments = ["summary", folder, "--level", "operator", "--sort", "execution", "--all"];
    let arguments = [&arguments[..], &["--format", "json"]].concat();
    let report = json(&place.succeed(&arguments));
    report["operators"].as_array().unwrap().clone()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_default()
}

/// Operators with a weight, and what they do with zero blocks.
fn zero_blocks(rows: &[Value]) -> Vec<(&str, &str)> {
    let with_weight = rows.iter().filter(|row| !text(row, "weight").is_empty());
    with_weight.map(|row| (text(row, "name"), text(row, "zero_blocks"))).collect()
}

#[test]
fn one_model_takes_turns_with_and_without_its_zeros() {
    let place = Place::new();
    let pruned = model("encoder-pruned-4x1");
    let record = [&["record", &pruned, "--against-options=--sparse"], &SIZES[..]].concat();
    place.succeed(&record);
    let [dense, sparse] =
        ["engine_profiling/encoder-pruned-4x1-a", "engine_profiling/encoder-pruned-4x1-b"];
    let (before, after) = (operators(&place, dense), operators(&place, sparse));
    assert!(zero_blocks(&before).iter().all(|(_, text)| text.is_empty()), "{before:#?}");
    // All but the head, whose outputs are two.
    for (name, text) in zero_blocks(&after) {
        match name.contains("classifier") {
            true => assert_eq!(text, "multiplied: 2 outputs are not a multiple of 4"),
            false => {
                assert!(["AVX-512", "AVX2", "NEON", "portable"].contains(&text), "{name}: {text}")
            }
        }
    }
    // Both are one model to a comparison: names, shapes and weights are those of the dense run.
    let facts = |rows: &[Value]| -> Vec<[String; 4]> {
        let with_weight = rows.iter().filter(|row| !text(row, "weight").is_empty());
        let keys = ["name", "type", "weight_shape", "output_shapes"];
        with_weight.map(|row| keys.map(|key| text(row, key).to_string())).collect()
    };
    assert_eq!(facts(&before), facts(&after));
    let figures = place.figures(sparse);
    assert_eq!(figures["model"]["engine_options"], "sparse: 0.5");
    let screen = place.succeed(&["summary", sparse]);
    assert!(screen.contains("13 of 18 products skip zero blocks"), "{screen}");
    place.succeed(&["compare", dense, sparse, "--expect-different", "engine_options"]);
}

#[test]
fn what_is_not_pruned_stays_dense_and_says_so() {
    let place = Place::new();
    let encoder = model("encoder");
    let record = [&["record", &encoder, "--sparse=10%", "--out", "out"], &SIZES[..]].concat();
    place.succeed(&record);
    let rows = operators(&place, "out");
    let reasons = zero_blocks(&rows);
    let dense = "multiplied: 0.0 % of its blocks of 4x1 are zero, below 10.0 %";
    assert!(reasons.iter().filter(|(_, text)| *text == dense).count() >= 13, "{reasons:#?}");
    let screen = place.succeed(&["summary", "out"]);
    assert!(screen.contains("0 of 18 products skip zero blocks"), "{screen}");
}

#[test]
fn shares_that_are_none_and_engines_without_kernels_are_refused() {
    let place = Place::new();
    let encoder = model("encoder");
    let refused = place.run(&["record", &encoder, "--sparse=1.5"]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains("a share from 0 to 1"), "{}", refused.err);
    let refused = place.run(&["record", &encoder, "--sparse", "--engine", "onnxruntime"]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains("--sparse is for tract"), "{}", refused.err);
}
