//! Mixes of two models: what is planted is found, and where no mix is cut.

use crate::json_schemas::valid;
use crate::onnxruntime::engine;
use crate::onnxruntime_package::library;
use crate::planted;
use crate::program::{Place, json, model};
use crate::script::Script;
use crate::tune::{assert_ratio, times};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A mix of the planted models.
pub(crate) const MIX: [&str; 9] =
    ["mix", "a.onnx", "b.onnx", "--write", "mixed.onnx", "--max-loss", "1e-6", "--format", "json"];

pub(crate) fn change<'a>(report: &'a Value, name: &str) -> &'a Value {
    let rows = report["mix_changes"].as_array().unwrap();
    rows.iter().find(|row| row["change"] == name).unwrap_or_else(|| panic!("{name}: {rows:#?}"))
}

/// A journal, whose first line is of the run.
fn journal(place: &Place, folder: &str) -> Vec<Value> {
    let text = fs::read_to_string(place.path(folder).join("onnxray.mix.jsonl")).unwrap();
    text.lines().map(json).collect()
}

#[test]
fn what_gains_is_taken_alone_or_together_and_what_costs_or_loses_is_not() {
    let place = Place::new();
    planted::write(&place);
    let script = Script::new(&place, planted::times(), &[]);
    let ended = script.run(&MIX);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let report = valid("mix", &ended.out);
    let latency = planted::latency;
    let alone = |name: &str| latency(&[name]) / latency(&[]);
    for name in planted::ALL {
        let row = change(&report, name);
        let (taken, why) = match (name, planted::BEST.contains(&name)) {
            (_, true) => ("yes", "gains"),
            ("y", _) => ("no", "too_lossy"),
            _ => ("no", "costs"),
        };
        assert_eq!((&row["taken"], &row["why"]), (&taken.into(), &why.into()), "{row:#}");
        assert_ratio(&row["alone_ratio"], alone(name));
        let loss = row["alone_loss"].as_f64().unwrap();
        assert_eq!(loss > 0.01, name == "y", "{row:#}");
    }
    let rows = report["mix_changes"].as_array().unwrap();
    assert_eq!(rows.len(), planted::ALL.len(), "what is the same in both is no change");
    let models = report["mix_models"].as_array().unwrap();
    let best = latency(&planted::BEST);
    for (row, own) in models.iter().zip([&[][..], &planted::ALL]) {
        assert_eq!(row["equals"], "yes", "{row:#}");
        assert_ratio(&row["ratio"], latency(own) / latency(&[]));
        assert_ratio(&row["verified_ratio"], best / latency(own));
        // All of the time is of the processor; and in fresh processes both files are their own.
        assert_ratio(&row["cpu_ratio"], best / latency(own));
        assert!(row["start_ratio"].as_f64() > Some(0.0), "{row:#}");
    }
    let headline = report["headline"].to_string();
    assert!(headline.contains("CPU time "), "{headline}");
    assert_ratio(&models[2]["ratio"], best / latency(&[]));
    // An island is worth more than what its parts cost.
    let added = planted::BEST.iter().map(|name| alone(name) - 1.0).sum::<f64>();
    assert_ratio(&models[2]["predicted_ratio"], 1.0 + added);

    let kept: BTreeSet<String> =
        serde_json::from_slice(&fs::read(place.path("mix/nodes_to_exclude.json")).unwrap())
            .unwrap();
    assert_eq!(kept, planted::nodes_of_a(&planted::WORSE));
    // The same model, written by hand.
    place.write("hand.onnx", &planted::model(&planted::BEST));
    let same =
        place.run(&["mix", "hand.onnx", "mixed.onnx", "--write", "none.onnx", "--out", "none"]);
    same.failed(
        "error: hand.onnx and mixed.onnx cannot be mixed: both compute everything in the same \
         way\n",
    );
    // It runs in the other engine as well.
    let library = library();
    place
        .succeed(&[&["record", "mixed.onnx", "--iterations", "3"], &engine(&library)[..]].concat());
}

/// A Clip that quantization absorbed leaves tensors that mean something else; no mix is cut there.
#[test]
fn no_mix_of_a_quantized_model_is_cut_where_values_differ() {
    let (place, library) = (Place::new(), library());
    let (a, b) = (model("cnn"), model("cnn-int8"));
    let script = Script::new(&place, times("cnn.onnx"), &[]);
    let more = ["--write", "mixed.onnx", "--time-limit", "10s", "--format", "json"];
    let arguments = [&["mix", &a, &b], &engine(&library)[..], &more].concat();
    let report = valid("mix", &script.succeed(&arguments));
    let lines = journal(&place, "mix");
    let changes = lines[0]["run"]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 30, "29 tensors and the shapes that the files state");
    let differing = changes.iter().filter(|change| change["needs"] != json("[]"));
    assert_eq!(differing.count(), 17);
    let models = report["mix_models"].as_array().unwrap();
    assert_eq!([&models[0]["equals"], &models[1]["equals"]], ["yes", "yes"]);
    let loss_of_b = models[1]["loss"].as_f64().unwrap();
    let mut mixes = 0;
    for launch in lines[1..].iter().filter(|line| line["variants"].is_array()) {
        for mix in launch["variants"].as_array().unwrap() {
            assert!(mix["failed"].is_null(), "{mix}");
            let loss = mix["loss"].as_f64().unwrap();
            assert!(loss <= 20.0 * loss_of_b, "{loss} of {mix}, and B's is {loss_of_b}");
            mixes += 1;
        }
    }
    assert!(mixes >= 2, "all of B, and one more");
}

#[test]
fn another_constant_is_a_change_of_what_reads_it() {
    let place = Place::new();
    planted::write(&place);
    place.write("b.onnx", &planted::model(&["y"]));
    let script = Script::new(&place, planted::times(), &[]);
    let report = valid("mix", &script.succeed(&MIX));
    let rows = report["mix_changes"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{rows:#?}");
    assert_eq!(rows[0]["change"], "y");
    assert!(!place.path("mixed.onnx").exists(), "it is A or B");
}
