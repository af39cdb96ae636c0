//! `tune` on products with weights of a few bits: the model itself changes.

use crate::json_schemas::valid;
use crate::mix_computed::script;
use crate::onnxruntime_package::{library, python};
use crate::program::{Place, model};
use crate::script::Script;
use crate::tune::{arguments, assert_ratio};
use serde_json::{Value, json as object};

/// Name and level of all nodes of a file, and whether it has external data.
const LEVELS: &str = "import onnx, sys
m = onnx.load(sys.argv[1], load_external_data=False)
print([a.i for n in m.graph.node for a in n.attribute if a.name == 'accuracy_level'],
      any(t.external_data for t in m.graph.initializer))";

/// What gains is the file that is written, so that fresh processes of it decide.
#[test]
fn a_level_that_pays_is_written_with_the_data_of_the_model() {
    let (place, library) = (Place::new(), library());
    std::fs::create_dir(place.path("models")).unwrap();
    script("accuracy_models.py", &[&place.path("models")]);
    let time = |latency: u64| object!({"operator_ns": 100, "overhead_ns": latency});
    let times =
        object!({"bits.onnx": time(1_000_000), "bits-accuracy_level-4.onnx": time(500_000)});
    let scripted = Script::with_factors(&place, times, object!({}), &[]);
    let more = ["--only", "accuracy", "--for", "cpu", "--max-loss", "0.05"];
    let more = [&more[..], &["--engine", "onnxruntime", "--write", "tuned.onnx"]].concat();
    let ended = scripted.run(&arguments("models/bits.onnx", &library, &more));
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let report = valid("tune", &ended.out);
    let said = &report["tune"];
    assert_eq!(said["recommended"], "accuracy_level=4", "{report:#}");
    assert_eq!(said["written"], "tuned.onnx");
    assert_ratio(&said["verified_ratio"], 0.5);
    let rows = report["tune_changes"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "the processor has two levels, and the model has one: {rows:#?}");
    for loss in [&rows[0]["loss"], &said["held_out_loss"]] {
        assert!((0.0..0.05).contains(&loss.as_f64().unwrap()), "{report:#}");
    }
    let headline = report["headline"][0].as_str().unwrap();
    assert!(headline.contains("with accuracy_level=4"), "{headline}");
    assert!(headline.contains("loss of outputs "), "{headline}");
    assert_eq!(report["tune_code"]["model"], "tuned.onnx, with accuracy_level=4");
    assert!(ended.err.contains("--expect-different model shows"), "{}", ended.err);
    let levels = |file: &str| python(LEVELS, &[place.path(file)]);
    // One node has no level, and the other has one that is the same on the processor.
    assert_eq!(levels("models/bits.onnx"), "[1] True");
    assert_eq!(levels("tuned.onnx"), "[4, 4] False");
    let both = ["compare", "tune/base", "tune/tuned", "--expect-different", "model"];
    place.succeed(&both);
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let refused = |more: &[&str], words: &str| {
        let ended = place.run(&arguments(&path, &library, more));
        assert_ne!(ended.code, Some(0), "{more:?}");
        assert!(ended.err.contains(words), "{more:?}: {}", ended.err);
    };
    let engine = "tune tries options of ONNX Runtime, and tract has none; leave --engine out";
    refused(&["--engine", "tract"], engine);
    refused(&["--write", "tuned.txt"], "expected a file name that ends in .onnx");
    let none = "has no node MatMulNBits whose accuracy_level could change; leave --write out";
    refused(&["--only", "memory", "--write", "tuned.onnx"], none);
    let nothing: Value = object!(place.path("tune").exists());
    assert_eq!(nothing, false, "nothing is left of what was refused");
}
