//! What pruning costs: figures against NumPy and ONNX Runtime, and what is refused.

use crate::json_schemas::valid;
use crate::onnx_file::{self, FLOAT, Message, node, value};
use crate::onnxruntime::engine;
use crate::onnxruntime_package::{library, python};
use crate::program::{Finished, Place, fixture_file, json, model};
use crate::recordings::recorded;
use serde_json::Value;
use std::fs;

/// Two batches of two items for a bundled model, and their labels.
const DATA: &str = r"
import sys, numpy as np, onnxruntime
model, out = sys.argv[1:]
chance = np.random.default_rng(5)
inputs = onnxruntime.InferenceSession(model).get_inputs()
size = lambda axis: axis if isinstance(axis, int) else 2 if 'batch' in axis else 16
for number in range(2):
    arrays = {}
    for about in inputs:
        shape = [size(axis) for axis in about.shape]
        if 'float' in about.type:
            arrays[about.name] = chance.standard_normal(shape).astype(np.float32)
        elif 'mask' in about.name:
            arrays[about.name] = np.ones(shape, np.int64)
        else:
            arrays[about.name] = chance.integers(0, 2 if 'type' in about.name else 200, shape)
    np.savez(f'{out}/{number}.npz', **arrays)
np.save(f'{out}/labels.npy', chance.integers(0, 2, 4).astype(np.int32))
";

/// A place with a folder `data` for a bundled model.
fn place_for(name: &str) -> Place {
    let place = Place::new();
    let data = place.path("data");
    fs::create_dir(&data).unwrap();
    python(DATA, &[model(name), data.display().to_string()]);
    place
}

fn profile(place: &Place, name: &str) -> Value {
    json(&fs::read_to_string(place.path(name)).unwrap())
}

/// How far a profile is from the reference.
fn compared(place: &Place, name: &str, labels: bool) -> Value {
    let run = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0])";
    let path = |file: &str| place.path(file).display().to_string();
    let reference = fixture_file("../tests/live/loss_reference.py").display().to_string();
    let mut arguments = vec![reference, model(name), path("loss.json")];
    arguments.extend(["data/0.npz", "data/1.npz"].map(path));
    arguments.extend(labels.then(|| path("data/labels.npy")));
    json(&python(run, &arguments))
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} in {value}"))
}

#[test]
fn figures_are_those_of_numpy_and_onnx_runtime() {
    let library = library();
    for (name, block, layers) in [
        ("cnn", "1x1", 23),
        ("cnn-int8", "4x1", 23),
        ("encoder", "4x1", 13),
        ("encoder-int8", "1x1", 14),
    ] {
        let place = place_for(name);
        let path = model(name);
        let labels = !name.starts_with("cnn");
        let own = ["sensitivity", "--loss-only", &path, "--data", "data", "--block", block];
        let arguments = [&own[..], &["--sparsities", "0.3,0.9", "--save", "loss.json"]].concat();
        let labelled = ["--labels", "data/labels.npy"];
        let more = if labels { &labelled[..] } else { &[] };
        let json = ["--format", "json"];
        let said = place.succeed(&[&arguments, &engine(&library)[..], more, &json].concat());
        valid("sensitivity", &said);
        let off = compared(&place, name, labels);
        assert_eq!(number(&off, "points") as usize, layers * 2, "{name}");
        assert_eq!(number(&off, "pruned"), 0.0, "{name}");
        assert!(number(&off, "l1") < 1e-6 && number(&off, "l2") < 1e-6, "{name}: {off}");
        assert!(number(&off, "divergence") < 1.0, "{name}: {off}");
        assert!(number(&off, "loss") < 1e-6, "{name}: {off}");
        assert!(number(&off, "scatter") < 1.0, "{name}: {off}");
        assert!(number(&off, "largest") > 1e-4, "{name}: there is something to compare");
        let run = &profile(&place, "loss.json")["run"];
        assert_eq!((&run["data"]["items"], &run["data"]["batches"]), (&4.into(), &2.into()));
        assert_eq!(run["outputs"][0]["measure"], "kl_logits", "{name}");
    }
}

#[test]
fn tract_comes_to_the_same_as_onnx_runtime() {
    for name in ["cnn", "encoder"] {
        let place = place_for(name);
        let path = model(name);
        let own =
            ["sensitivity", "--loss-only", &path, "--data", "data", "--sparsities", "0.3,0.9"];
        place.succeed(&[&own[..], &["--save", "loss.json"]].concat());
        let off = compared(&place, name, false);
        assert!(number(&off, "divergence") < 10.0, "{name}: 1e-3, or 1e-6 of a tiny one: {off}");
    }
}

#[test]
fn one_command_measures_latency_and_sensitivity() {
    let place = Place::new();
    let path = model("encoder");
    let one = ["record", &path, "--dim", "sequence=16", "--iterations", "3", "--no-roofs"];
    let report = ["--out", "out", "-o", "report.html", "--sensitivity"];
    let said = place.run(&[&one[..], &report].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let names: Vec<&str> = said.out.lines().collect();
    let [trace, profile, page] = names[..] else { panic!("{names:?}") };
    assert!(trace.starts_with("out/profiling_trace/profiling_encoder_"), "{trace}");
    let stamp = profile.strip_prefix("out/profiling_sensitivity/").unwrap();
    assert_eq!(stamp.strip_suffix(".json"), trace[20..].strip_suffix("_0.json"), "{profile}");
    assert_eq!(page, "report.html");
    // The command that it names takes both, and the sensitivities are those of `sensitivity`.
    let next = format!("onnxray project {trace} --budget --sensitivity {profile}");
    assert!(said.err.contains(&format!("hint: {next}\n")), "{}", said.err);
    let planned: Vec<&str> = next.split(' ').skip(1).chain(["--format", "json"]).collect();
    let planned = valid("project", &place.succeed(&planned));
    assert!(number(&planned["planned_loss"], "sensitivity") > 0.0, "{planned}");
    place.succeed(&[
        "sensitivity",
        "--loss-only",
        &path,
        "--dim",
        "sequence=16",
        "--save",
        "alone.json",
    ]);
    let [mut both, alone] = [profile, "alone.json"].map(|name| self::profile(&place, name));
    // Times come with them, with the recording's threads.
    assert_eq!((&both["timed"]["threads"], &both["timed"]["launches"]), (&1.into(), &5.into()));
    for layer in both["layers"].as_array_mut().unwrap() {
        for point in layer["points"].as_array_mut().unwrap() {
            assert!(point.as_object_mut().unwrap().remove("times").is_some(), "{point}");
        }
    }
    assert_eq!(both["layers"], alone["layers"]);
    assert!(!place.path(&format!("{profile}.journal")).exists());
    // The page says where it is, and what comes next.
    let report = json(&place.succeed(&["report", "out", "-o", "plain.html", "--format", "json"]));
    assert!(!report["headline"].to_string().contains("Sensitivity"), "{report}");
    let page = fs::read_to_string(place.path("report.html")).unwrap();
    assert!(page.contains(profile) && page.contains("Plan with both: onnxray project"));
}

#[test]
fn a_recording_with_sensitivity_refuses_what_would_be_left_out() {
    let place = Place::new();
    let path = model("encoder");
    place.write("relu.onnx", &without_weights());
    let refused = |arguments: &[&str], code: i32, expected: &str| {
        let Finished { code: found, err, .. } = place.run(&[&["record"], arguments].concat());
        assert_eq!(found, Some(code), "{arguments:?}: {err}");
        assert!(err.contains(expected), "{arguments:?}: {err}");
        assert!(!place.path("engine_profiling").exists());
    };
    refused(&["relu.onnx", "--sensitivity"], 1, "no layer that could be pruned");
    refused(&[&path, "--sensitivity", "--data", "none.npz"], 1, "No such file");
    refused(&[&path, "--data", "none.npz"], 2, "--sensitivity");
    refused(&[&path, "--sensitivity", "--input", "a=b.npy"], 2, "--data FILE.npz");
    refused(&[&path, "--sensitivity", "--against", &path], 2, "cannot be used with");
    refused(&[&path, "--sensitivity", "--generate", "4"], 2, "cannot be used with");
}

/// A model of two products of which the second counts for nothing, `y = x a + 0 (x b)`, and
/// whose weight `a` is 1 to 16.
fn with_a_dead_layer() -> Vec<u8> {
    let ascending: Vec<f32> = (1..=16).map(|number| number as f32).collect();
    let constants = [
        onnx_file::floats("a", &[4, 4], &ascending),
        onnx_file::floats("b", &[4, 4], &ascending),
        onnx_file::floats("zero", &[1], &[0.0]),
    ];
    let nodes = [
        node("MatMul", "alive", &["x", "a"], &["xa"]),
        node("MatMul", "dead", &["x", "b"], &["xb"]),
        node("Mul", "stop", &["xb", "zero"], &["nothing"]),
        node("Add", "sum", &["xa", "nothing"], &["y"]),
    ];
    let (x, y) = (value("x", FLOAT, &[1, 4]), value("y", FLOAT, &[1, 4]));
    onnx_file::model(nodes.into(), constants.into(), vec![x], vec![y])
}

#[test]
fn a_layer_that_counts_for_nothing_has_no_sensitivity() {
    let place = Place::new();
    place.write("m.onnx", &with_a_dead_layer());
    for engine in [vec![], engine(&library()).map(str::to_string).to_vec()] {
        let engine: Vec<&str> = engine.iter().map(String::as_str).collect();
        let arguments = [
            "sensitivity",
            "--loss-only",
            "m.onnx",
            "--save",
            "loss.json",
            "--force",
            "--measure",
            "l2",
        ];
        place.succeed(&[&arguments, &engine[..]].concat());
        let profile = profile(&place, "loss.json");
        let points = |layer: usize| profile["layers"][layer]["points"].as_array().unwrap().clone();
        for (alive, dead) in points(0).iter().zip(points(1)) {
            assert_eq!(dead["measured"]["divergence"], 0.0, "{dead}");
            assert!(number(&alive["measured"], "divergence") > 0.0, "{alive}");
            assert_eq!(alive["l1"], dead["l1"]);
        }
        // 1 to 8 of 1 to 16 go.
        assert!((number(&points(0)[0], "l1") - 36.0 / 136.0).abs() < 1e-12);
        assert_eq!(profile["run"]["data"]["random"], true);
    }
}

#[test]
fn outputs_that_are_no_numbers_fail_at_their_layer_and_level() {
    let place = Place::new();
    // The root of x w - 20, as long as enough of w is there.
    let ascending: Vec<f32> = (1..=16).map(|number| number as f32).collect();
    let constants =
        vec![onnx_file::floats("w", &[4, 4], &ascending), onnx_file::floats("c", &[1], &[20.0])];
    let nodes = vec![
        node("MatMul", "product", &["x", "w"], &["xw"]),
        node("Sub", "difference", &["xw", "c"], &["d"]),
        node("Sqrt", "root", &["d"], &["y"]),
    ];
    let (x, y) = (value("x", FLOAT, &[1, 4]), value("y", FLOAT, &[1, 4]));
    place.write("m.onnx", &onnx_file::model(nodes, constants, vec![x], vec![y]));
    let ones = "import sys, numpy as np; np.savez(sys.argv[1], x=np.ones((1, 4), np.float32))";
    python(ones, &[place.path("x.npz").display().to_string()]);
    let arguments = [
        "sensitivity",
        "--loss-only",
        "m.onnx",
        "--data",
        "x.npz",
        "--save",
        "loss.json",
        "--format",
        "json",
        "--measure",
        "l2",
        "--block",
        "1x1",
    ];
    let ended = place.run(&[&arguments[..], &["--sparsities", "0.1,0.9"]].concat());
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    let notes = valid("sensitivity", &ended.out)["notes"].to_string();
    assert!(notes.contains("product at 90 % (output `y` holds NaN)"), "{notes}");
    let points = profile(&place, "loss.json")["layers"][0]["points"].clone();
    // The columns add up to 28, 32, 36 and 40; 1 and 2 of the first two go at 10 %.
    let (dense, pruned) = ([8.0f64, 12.0, 16.0, 20.0], [7.0f64, 10.0, 16.0, 20.0]);
    let squares = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>();
    let changed = squares(&mut dense.iter().zip(&pruned).map(|(d, p)| d.sqrt() - p.sqrt()));
    let expected = (changed / squares(&mut dense.iter().map(|d| d.sqrt()))).sqrt();
    assert!((number(&points[0]["measured"], "divergence") - expected).abs() < 1e-6);
    assert_eq!(points[1]["measured"]["failed"], "output `y` holds NaN");
    assert!(points[1]["measured"]["divergence"].is_null());
}

#[test]
fn weights_of_all_types_and_places_are_pruned() {
    let library = library();
    let numbers: Vec<f32> = (1..=16).map(|number| number as f32).collect();
    let half: Vec<u16> = numbers.iter().map(|&number| half_bits(number)).collect();
    let brain: Vec<u16> = numbers.iter().map(|number| (number.to_bits() >> 16) as u16).collect();
    let bytes = |bits: &[u16]| bits.iter().flat_map(|bits| bits.to_le_bytes()).collect::<Vec<u8>>();
    let start =
        |kind: u64| Message::default().number(1, 4).number(1, 4).number(2, kind).text(8, "w");
    let varints = |bits: &[u16]| bits.iter().fold(start(10), |m, &bits| m.number(5, bits.into()));
    let entry = |key: &str, value: &str| Message::default().text(1, key).text(2, value);
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let double: Vec<u8> =
        numbers.iter().flat_map(|&number| f64::from(number).to_le_bytes()).collect();
    let tensors = [
        ("fp32", start(1).bytes(9, &raw)),
        ("fp32", numbers.iter().fold(start(1), |message, &number| message.float(4, number))),
        ("fp32", start(1).message(13, entry("location", "w.bin")).number(14, 1)),
        ("fp64", start(11).bytes(9, &double)),
        ("fp16", start(10).bytes(9, &bytes(&half))),
        ("fp16", varints(&half)),
        ("bf16", start(16).bytes(9, &bytes(&brain))),
    ];
    let place = Place::new();
    place.write("w.bin", &raw);
    let mut first: Option<Value> = None;
    for (data_type, tensor) in tensors {
        let to = Message::default().text(1, "to").number(3, FLOAT).number(20, 2);
        let nodes = vec![
            node("Cast", "cast", &["w"], &["weight"]).message(5, to),
            node("MatMul", "product", &["x", "weight"], &["y"]),
        ];
        let (x, y) = (value("x", FLOAT, &[1, 4]), value("y", FLOAT, &[1, 4]));
        place.write("m.onnx", &onnx_file::model(nodes, vec![tensor], vec![x], vec![y]));
        let arguments = ["sensitivity", "--loss-only", "m.onnx", "--save", "loss.json", "--force"];
        place.succeed(&[&arguments, &engine(&library)[..]].concat());
        let layer = profile(&place, "loss.json")["layers"][0].clone();
        assert_eq!(layer["data_type"], data_type);
        // The same numbers, however they are stored, and so the same outputs.
        assert_eq!(&layer["points"], first.get_or_insert(layer["points"].clone()), "{data_type}");
        assert!(number(&layer["points"][4]["measured"], "divergence") > 0.0);
    }
}

/// A small whole number as a float of 16 bits.
fn half_bits(number: f32) -> u16 {
    let bits = number.to_bits();
    let exponent = (bits >> 23) - 127 + 15;
    (exponent << 10 | (bits >> 13 & 0x3ff)) as u16
}

#[test]
fn a_plan_stands_beside_what_its_layers_let_expect() {
    let place = place_for("encoder");
    let path = model("encoder");
    recorded(&place, "encoder", "out");
    let measure =
        ["sensitivity", "--loss-only", path.as_str(), "--data", "data", "--sparsities", "0.5,0.9"];
    let measured = |more: &[&str]| place.succeed(&[&measure[..], more].concat());
    measured(&["--save", "loss.json"]);
    let planned = place.succeed(&[
        "project",
        "out",
        "--budget=0.8",
        "--sensitivity",
        "loss.json",
        "--save-settings",
        "plan.json",
        "--format",
        "json",
    ]);
    let planned = &valid("project", &planned)["planned_loss"];
    let [l1, l2] = ["l1", "l2"].map(|key| number(planned, key));
    assert!(0.0 < l1 && l1 < 0.95 && 0.0 < l2 && l2 < 0.95, "{planned}");
    let text = measured(&["--plan", "plan.json", "--save", "whole.json"]);
    assert!(text.contains("predicted sensitivity") && text.contains("measured sensitivity"));
    let plan = profile(&place, "whole.json")["plan"].clone();
    let predicted = number(&plan, "predicted");
    assert!((predicted - number(planned, "sensitivity")).abs() <= 1e-12 * predicted);
    assert!(number(&plan["measured"], "divergence") > 0.0);
    // Files have no others that it could be compared on.
    assert!(plan.get("held_out").is_none() && text.contains("may lose more on others"), "{text}");
    // A plan of one layer is that layer.
    let level = json(&fs::read_to_string(place.path("plan.json")).unwrap());
    let operators = level["targets"]["operators"].as_object().unwrap();
    assert!(operators.len() > 5, "{operators:?}");
    let one = r#"{"format": "onnxray sparse settings", "version": 1,
                  "targets": {"operators": {"/bert/pooler/dense/Gemm": 0.9}}}"#;
    place.write("one.json", one.as_bytes());
    let one =
        ["--plan", "one.json", "--layer", "/bert/pooler/dense/Gemm", "--save", "one-whole.json"];
    let whole = measured(&[&one[..], &["--format", "json"]].concat());
    valid("sensitivity", &whole);
    let plan = profile(&place, "one-whole.json")["plan"].clone();
    assert_eq!(plan["predicted"], plan["measured"]["divergence"]);
    assert!(number(&plan, "predicted") > 0.0);
}

#[test]
fn a_plan_is_reported_by_inputs_that_no_layer_was_measured_on() {
    let place = Place::new();
    let path = model("cnn-int8");
    place.write(
        "plan.json",
        br#"{"format": "onnxray sparse settings", "version": 1,
             "targets": {"operators": {"/stem/stem.0/Conv": 0.5}}}"#,
    );
    let arguments = [
        "sensitivity",
        "--loss-only",
        &path,
        "--sparsities",
        "0.5",
        "--layer",
        "/stem/stem.0/Conv",
    ];
    let planned = ["--plan", "plan.json", "--save", "loss.json", "--format", "json"];
    let report = place.succeed(&[&arguments[..], &planned].concat());
    let report = valid("sensitivity", &report)["loss_plan"].clone();
    let plan = profile(&place, "loss.json")["plan"].clone();
    let held_out = plan["held_out"].as_array().unwrap();
    let mut sorted: Vec<f64> = held_out.iter().map(|value| value.as_f64().unwrap()).collect();
    sorted.sort_by(f64::total_cmp);
    assert_eq!(sorted.len(), 20);
    assert!(!held_out.contains(&plan["measured"]["divergence"]), "inputs of their own");
    assert_eq!(plan["measured"]["scatter"]["count"], 4, "and those of the search");
    let expected = [sorted[0], (sorted[9] + sorted[10]) / 2.0, sorted[19]];
    let keys = ["held_out_sensitivity_low", "held_out_sensitivity", "held_out_sensitivity_high"];
    let said = keys.map(|key| number(&report, key));
    assert_eq!(said, expected, "{report}");
    // The median of others is near the mean of those of the search, of the same model.
    let measured = number(&report, "measured_sensitivity");
    assert!(said[1] > measured / 10.0 && said[1] < measured * 10.0, "{report}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let place = place_for("encoder");
    let (encoder, cnn) = (model("encoder"), model("cnn"));
    let save = "
import sys, numpy as np
folder = sys.argv[1]
arrays = dict(np.load(folder + '/data/0.npz'))
np.savez(folder + '/more.npz', other=np.zeros(3), **arrays)
short = dict(arrays, input_ids=arrays['input_ids'][:, :3])
np.savez(folder + '/shape.npz', **short)
np.savez(folder + '/type.npz', **dict(arrays, input_ids=arrays['input_ids'].astype(np.float32)))
np.save(folder + '/few.npy', np.zeros(3, np.int64))
np.save(folder + '/outside.npy', np.full(4, 2))
np.save(folder + '/halves.npy', np.zeros(4))
np.savez(folder + '/nan.npz', x=np.full((1, 4), np.nan, np.float32))
";
    python(save, &[place.path("").display().to_string()]);
    place.write("relu.onnx", &without_weights());
    fs::create_dir(place.path("empty")).unwrap();
    let refused = |arguments: &[&str], code: i32, expected: &str| {
        let Finished { code: found, err, .. } = place.run(&[&["sensitivity"], arguments].concat());
        assert_eq!(found, Some(code), "{arguments:?}: {err}");
        assert!(err.contains(expected), "{arguments:?}: {err}");
        assert!(!place.path("x.json").exists() && !place.path("x.json.journal").exists());
    };
    let data = |file| [encoder.as_str(), "--data", file, "--save", "x.json"];
    refused(&data("more.npz"), 1, "an array `other`, which is not an input");
    refused(&data("shape.npz"), 1, "should be s64 of shape 2x");
    refused(&data("type.npz"), 1, "NumPy type '<f4'");
    refused(&data("none.npz"), 1, "No such file");
    refused(&data("empty"), 1, "holds no file that ends in .npz");
    refused(&data("relu.onnx"), 1, "expected a file that ends in .npz");
    refused(&[&cnn, "--data", "data", "--save", "x.json"], 1, "no array named `image`");
    place.write("m.onnx", &with_a_dead_layer());
    refused(&["m.onnx", "--data", "nan.npz", "--save", "x.json"], 1, "unchanged model holds NaN");
    let labels = |file| [&data("data")[..], &["--labels", file]].concat();
    refused(&labels("few.npy"), 1, "expected 4 whole numbers, a label for each, found shape 3");
    refused(&labels("outside.npy"), 1, "a label is 2, and there are the classes 0 to 1");
    refused(&labels("halves.npy"), 1, "NumPy type '<f8'");
    refused(&[&labels("few.npy")[..], &["--measure", "l2"]].concat(), 1, "none of the outputs");
    refused(&["relu.onnx", "--save", "x.json"], 1, "no layer that could be pruned");
    for level in ["0", "1", "-0.5", "101", "NaN", "x"] {
        let levels = format!("--sparsities=0.5,{level}");
        refused(&[&cnn, "--save", "x.json", &levels], 2, "--sparsities");
    }
    refused(&[&cnn, "--save", "x.json", "--block", "0x1"], 2, "--block");
    refused(&[&cnn, "--save", "x.json", "--block", "5000x1"], 1, "none of the layers");
    refused(&[&cnn, "--save", "none/x.json"], 1, "cannot write there");
    refused(&[&cnn, "--save", "x.txt"], 1, "ends in .json");
    refused(&[&cnn, "--save", "x.json", "--layer", "none"], 1, "no layer `none`");
}

fn without_weights() -> Vec<u8> {
    let (x, y) = (value("x", FLOAT, &[1, 4]), value("y", FLOAT, &[1, 4]));
    onnx_file::model(vec![node("Relu", "relu", &["x"], &["y"])], vec![], vec![x], vec![y])
}
