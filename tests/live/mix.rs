//! Mixes of two models: what is planted is found, each mix computes what it should, and what
//! cannot be mixed is refused.

use crate::onnx_file::{FLOAT, Message, floats, model as onnx, node, value};
use crate::onnxruntime_package::library;
use crate::program::{Place, json, model};
use crate::script::Script;
use crate::tune::times;
use serde_json::Value;
use std::fs;

/// Elements of each tensor.
const SIZE: u64 = 1 << 15;
/// Nodes of a detour, an even number of negations: it computes what it is given.
const DETOUR: usize = 60;

/// What of a model is planted.
#[derive(Clone, Copy)]
struct Planted {
    /// Whether the tensor `first` is computed by a detour.
    first: bool,
    /// The same of `second`.
    second: bool,
    /// The same of `y`, to which this is added.
    last: (bool, f32),
}

const A: Planted = Planted { first: true, second: false, last: (true, 0.25) };
/// It is faster to `first` and, with another result, to `y`, and slower to `second`.
const B: Planted = Planted { first: false, second: true, last: (false, 0.5) };

/// A node, by a detour or not.
fn way(nodes: &mut Vec<Message>, detour: bool, kind: &str, inputs: &[&str], output: &str) {
    if !detour {
        return nodes.push(node(kind, &format!("make {output}"), inputs, &[output]));
    }
    let begin = format!("{output} 0");
    nodes.push(node(kind, &format!("make {output}"), inputs, &[&begin]));
    let name = |step: usize| match step {
        DETOUR => output.to_string(),
        _ => format!("{output} {step}"),
    };
    for step in 0..DETOUR {
        let negated = format!("negate {output} {step}");
        nodes.push(node("Neg", &negated, &[&name(step)], &[&name(step + 1)]));
    }
}

fn bytes(planted: Planted) -> Vec<u8> {
    let mut nodes = Vec::new();
    way(&mut nodes, planted.first, "Relu", &["x"], "first");
    way(&mut nodes, false, "Tanh", &["first"], "same");
    way(&mut nodes, planted.second, "Sigmoid", &["same"], "second");
    let (detour, added) = planted.last;
    way(&mut nodes, detour, "Add", &["second", "added"], "y");
    let shape = [1, SIZE];
    onnx(
        nodes,
        vec![floats("added", &[1], &[added])],
        vec![value("x", FLOAT, &shape)],
        vec![value("y", FLOAT, &shape)],
    )
}

fn change<'a>(report: &'a Value, name: &str) -> &'a Value {
    let rows = report["mix_changes"].as_array().unwrap();
    rows.iter().find(|row| row["change"] == name).unwrap_or_else(|| panic!("{name}: {rows:#?}"))
}

/// The launches of a journal, whose first line is of the run.
fn journal(place: &Place, folder: &str) -> Vec<Value> {
    let text = fs::read_to_string(place.path(folder).join("onnxray.mix.jsonl")).unwrap();
    text.lines().map(json).collect()
}

#[test]
fn what_gains_is_taken_and_what_costs_or_loses_is_not() {
    let place = Place::new();
    place.write("a.onnx", &bytes(A));
    place.write("b.onnx", &bytes(B));
    let arguments =
        ["mix", "a.onnx", "b.onnx", "-o", "mixed.onnx", "--max-loss", "1e-6", "--format", "json"];
    let report = json(&place.succeed(&arguments));
    for (name, taken, why) in
        [("first", "yes", "gains"), ("second", "no", "costs"), ("y", "no", "too_lossy")]
    {
        let row = change(&report, name);
        assert_eq!((&row["taken"], &row["why"]), (&taken.into(), &why.into()), "{row:#}");
    }
    assert!(change(&report, "y")["alone_loss"].as_f64().unwrap() > 0.1, "0.25 more, of about 0.75");
    assert_eq!(report["mix_changes"].as_array().unwrap().len(), 3, "`same` is the same in both");
    let models = report["mix_models"].as_array().unwrap();
    for (at, equals) in [(0, "yes"), (1, "yes")] {
        assert_eq!(models[at]["equals"], equals, "{models:#?}");
    }
    // Half of A's nodes at least are gone.
    let ratio = models[0]["verified_ratio"].as_f64().unwrap();
    assert!(ratio < 0.8, "{ratio}");
    let kept: Vec<String> =
        serde_json::from_slice(&fs::read(place.path("mix/nodes_to_exclude.json")).unwrap())
            .unwrap();
    assert_eq!(kept.len(), 2 + DETOUR, "{kept:?}");
    assert!(kept.contains(&"make second".to_string()) && kept.contains(&"negate y 0".to_string()));

    // A third model, written by hand, is what was found.
    let by_hand = Planted { first: false, ..A };
    place.write("hand.onnx", &bytes(by_hand));
    let same = place.run(&["mix", "hand.onnx", "mixed.onnx", "-o", "none.onnx", "--out", "none"]);
    assert!(same.err.ends_with("both compute everything in the same way\n"), "{}", same.err);
    assert!(!place.path("none").exists(), "nothing is left of what did not begin");

    // It runs in the other engine as well.
    let library = library();
    let engine = ["--engine", "onnxruntime", "--engine-library", &library];
    place.succeed(&[&["record", "mixed.onnx", "--iterations", "3"][..], &engine].concat());

    // The same command says the same without measuring anything again.
    let before = journal(&place, "mix");
    let arguments = [&arguments[..], &["--force"]].concat();
    let again = json(&place.succeed(&arguments));
    assert_eq!(again["mix_changes"], report["mix_changes"]);
    assert_eq!(journal(&place, "mix"), before);
}

/// A Clip that quantization absorbed leaves tensors that mean something else; no mix is cut there.
#[test]
fn no_mix_of_a_quantized_model_is_cut_where_values_differ() {
    let (place, library) = (Place::new(), library());
    let (a, b) = (model("cnn"), model("cnn-int8"));
    let script = Script::new(&place, times("cnn.onnx"), &[]);
    let more = ["-o", "mixed.onnx", "--engine", "onnxruntime", "--engine-library", &library];
    let limit = ["--time-limit", "10s", "--format", "json"];
    let arguments = [&["mix", a.as_str(), b.as_str()][..], &more, &limit].concat();
    let report = json(&script.succeed(&arguments));
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
    place.write("a.onnx", &bytes(A));
    place.write("b.onnx", &bytes(Planted { last: (true, 0.75), ..A }));
    let arguments = ["mix", "a.onnx", "b.onnx", "-o", "mixed.onnx", "--format", "json"];
    let report = json(&place.succeed(&arguments));
    let rows = report["mix_changes"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{rows:#?}");
    assert_eq!(rows[0]["change"], "y 0");
    assert!(!place.path("mixed.onnx").exists(), "it is A or B");
}

#[test]
fn what_cannot_be_mixed_is_refused_in_a_line() {
    let place = Place::new();
    place.write("a.onnx", &bytes(A));
    place.write("b.onnx", &bytes(B));
    let shape = [1, SIZE];
    let other = |input: &str, output: &str, inner: &str| {
        let nodes =
            vec![node("Relu", "n", &[input], &[inner]), node("Exp", "m", &[inner], &[output])];
        onnx(nodes, vec![], vec![value(input, FLOAT, &shape)], vec![value(output, FLOAT, &shape)])
    };
    place.write("output.onnx", &other("x", "z", "first"));
    place.write("input.onnx", &other("w", "y", "first"));
    place.write("kept.onnx", b"a file of somebody");
    for (b, output, error) in [
        ("output.onnx", "mixed.onnx", "B lacks A's output `y`"),
        ("input.onnx", "mixed.onnx", "A lacks B's input `w`"),
        ("a.onnx", "mixed.onnx", "both compute everything in the same way"),
        ("none.onnx", "mixed.onnx", "none.onnx: cannot be read"),
        ("b.onnx", "b.onnx", "b.onnx: is an input of this command; choose another name"),
        ("b.onnx", "mixed.bin", "mixed.bin: expected a file name that ends in .onnx"),
        ("b.onnx", "kept.onnx", "kept.onnx: already exists; use --force to replace it"),
    ] {
        let ended = place.run(&["mix", "a.onnx", b, "-o", output]);
        assert_eq!(ended.code, Some(1), "{b} {output}: {}", ended.err);
        let expected = error.split(": cannot").next().unwrap();
        assert!(ended.err.contains(expected), "{error}: {}", ended.err);
        assert!(!place.path("mix").exists() && !place.path("mixed.onnx").exists(), "{error}");
    }
    place.write("c.onnx", &bytes(Planted { last: (true, 0.75), ..A }));
    place.succeed(&["mix", "a.onnx", "c.onnx", "-o", "mixed.onnx", "-q"]);
    place.write("c.onnx", &bytes(Planted { first: true, ..B }));
    let other = place.run(&["mix", "a.onnx", "c.onnx", "-o", "other.onnx"]);
    assert_eq!(other.code, Some(1), "{}", other.err);
    assert!(other.err.contains("--restart"), "{}", other.err);
}
