//! Mixes that fail, each by itself: the search goes on. Models that are measured too little.

use crate::json_schemas::valid;
use crate::mix::{MIX, change};
use crate::mix_ended::{INPUTS, RUNS, SEARCH, planted};
use crate::planted;
use crate::program::Place;
use crate::script::Script;
use crate::tune::assert_ratio;
use serde_json::Value;
use std::collections::BTreeSet;

/// The report on planted models in which some mixes fail: of the others, the best one is chosen.
fn chosen(place: &Place, points: &[(&str, &str, u64, &str)]) -> Value {
    let report = valid("mix", &Script::new(place, planted::times(), points).succeed(&MIX));
    let rows = report["mix_changes"].as_array().unwrap();
    let taken = rows.iter().filter(|row| row["taken"] == "yes");
    let taken = taken.map(|row| row["change"].as_str().unwrap());
    assert_eq!(taken.collect::<BTreeSet<_>>(), planted::BEST.into(), "{rows:#?}");
    let models = report["mix_models"].as_array().unwrap();
    let best = planted::latency(&planted::BEST);
    assert_ratio(&models[0]["verified_ratio"], best / planted::latency(&[]));
    assert!(place.path("mixed.onnx").exists());
    report
}

/// What is said of mixes that failed.
fn failures(report: &Value) -> Vec<&str> {
    let remarks = report["mixes"].as_array().unwrap().iter();
    let remarks = remarks.filter_map(|row| row["remark"].as_str());
    remarks.filter(|remark| remark.starts_with("failed")).collect()
}

#[test]
fn a_mix_that_does_not_run_is_listed() {
    let place = planted();
    // The first launch takes the outputs of A, of all of B, of A once more and of each change.
    let report = chosen(&place, &[("run", "a.onnx", RUNS + INPUTS * (3 + 1) + 1, "fail")]);
    let row = change(&report, "second");
    assert!(row["alone_ratio"].is_null() && row["alone_loss"].is_null(), "{row:#}");
    assert_eq!(failures(&report), ["failed: the model fails: the script says so"]);
}

#[test]
fn a_mix_with_which_the_engine_ends_its_process_is_listed() {
    let place = planted();
    // The first launch is tried again with half of the mixes. The one behind it ends at each try,
    // until the first of its mixes is alone next to B.
    let first = SEARCH.survey + 1;
    let second = first + 1 + 2 + 8;
    let points = [first, second, second + 1, second + 2];
    let points = points.map(|number| ("load", "a.onnx", number, "abort"));
    let report = chosen(&place, &points);
    let row = change(&report, "y");
    assert!(row["alone_ratio"].is_null() && row["alone_loss"].is_null(), "{row:#}");
    let said = "failed: the engine ended its process: signal: 6 (SIGABRT)";
    assert_eq!(failures(&report), [said]);
}

#[test]
fn outputs_that_are_not_finite_fail_a_mix() {
    for (half, said) in [
        (f32::NAN, "failed: output `y` holds NaN"),
        (f32::INFINITY, "failed: output `y`: it holds infinite values"),
    ] {
        let place = planted();
        place.write("b.onnx", &planted::model_adding(&planted::ALL, half));
        let report = chosen(&place, &[]);
        assert_eq!(change(&report, "y")["why"], said);
        let of_b = &report["mix_models"][1];
        assert_eq!(of_b["equals"], "yes", "{of_b:#}");
        assert!(of_b["ratio"].is_null() && of_b["loss"].is_null(), "{of_b:#}");
    }
}

#[test]
fn a_time_limit_that_is_too_short_is_said_and_nothing_recommended() {
    let place = planted();
    let script = Script::new(&place, planted::times(), &[]);
    let ended = script.run(&[&MIX[..], &["--time-limit", "1ms"]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let said = "warning: the time limit ended the search after 1 launch; run the same command \
                again to continue\n";
    assert!(ended.err.starts_with(said), "{}", ended.err);
    let report = valid("mix", &ended.out);
    let said = "Out of time: of 16 mixes, none is known to be faster than a and b. Run the same \
                command again to continue.";
    assert_eq!(report["headline"][0], said);
    let rows = report["mix_changes"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["taken"] == "no" && row["why"] == "unknown"), "{rows:#?}");
    for name in ["mixed.onnx", "mix/mixed.onnx", "mix/with-a", "mix/with-b"] {
        assert!(!place.path(name).exists(), "{name}");
    }
}
