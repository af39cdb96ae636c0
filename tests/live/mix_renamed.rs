//! Mixes with a model whose tensors a tool renamed: they correspond by what computes them.

use crate::json_schemas::valid;
use crate::onnx_file::{FLOAT, floats, model as onnx, node, value};
use crate::program::Place;
use serde_json::Value;
use std::fs;

const SHAPE: [u64; 2] = [1, 64];

/// A model whose names are made by `named`; it adds `added` in the end, and negates twice before.
fn chain(named: &dyn Fn(&str) -> String, added: f32) -> Vec<u8> {
    let steps = [
        ("Relu", "x", "first"),
        ("Tanh", "first", "same"),
        ("Sigmoid", "same", "second"),
        ("Exp", "second", "third"),
    ];
    let step = |(kind, from, to): (&str, &str, &str)| {
        node(kind, &named(&format!("make {to}")), &[&named(from)], &[&named(to)])
    };
    let mut nodes: Vec<_> = steps.into_iter().map(step).collect();
    let [third, constant, y] = ["third", "added", "y"].map(named);
    nodes.push(node("Add", &named("make y"), &[&third, &constant], &[&y]));
    onnx(
        nodes,
        vec![floats(&constant, &[1], &[added])],
        vec![value(&named("x"), FLOAT, &SHAPE)],
        vec![value(&y, FLOAT, &SHAPE)],
    )
}

/// Two branches of the same nodes; the second one is written first if it multiplies by `factor`.
fn branches(named: &dyn Fn(&str) -> String, factor: Option<f32>) -> Vec<u8> {
    let [x, u, v, y] = ["x", "u", "v", "y"].map(named);
    let [one, two] = ["one", "two"].map(named);
    let mut nodes = vec![
        node("Mul", &named("make u"), &[&x, &one], &[&u]),
        node("Mul", &named("make v"), &[&x, &two], &[&v]),
    ];
    if factor.is_some() {
        nodes.reverse();
    }
    nodes.push(node("Sub", &named("make y"), &[&u, &v], &[&y]));
    onnx(
        nodes,
        vec![floats(&one, &[1], &[1.0]), floats(&two, &[1], &[factor.unwrap_or(-2.0)])],
        vec![value(&x, FLOAT, &SHAPE)],
        vec![value(&y, FLOAT, &SHAPE)],
    )
}

fn as_it_is(name: &str) -> String {
    name.to_string()
}

fn renamed(name: &str) -> String {
    format!("other/{}", name.to_uppercase())
}

fn mixed(place: &Place) -> Value {
    valid(
        "mix",
        &place.succeed(&["mix", "a.onnx", "b.onnx", "--write", "mixed.onnx", "--format", "json"]),
    )
}

fn changes(report: &Value) -> Vec<&str> {
    let rows = report["mix_changes"].as_array().unwrap();
    rows.iter().map(|row| row["change"].as_str().unwrap()).collect()
}

#[test]
fn tensors_under_other_names_correspond_by_what_computes_them() {
    let place = Place::new();
    place.write("a.onnx", &chain(&as_it_is, 0.25));
    place.write("b.onnx", &chain(&renamed, 0.5));
    let report = mixed(&place);
    assert_eq!(changes(&report), ["y"], "it adds another constant");
    let models = report["mix_models"].as_array().unwrap();
    assert!(models[..2].iter().all(|row| row["equals"] == "yes"), "{models:#?}");
    assert_eq!(models[1]["file"], "b.onnx");
    let notes = report["notes"].as_array().unwrap();
    let said = "b has other names: 5 tensors correspond by place in the graph";
    assert!(
        notes.iter().any(|note| note["text"].as_str().unwrap().starts_with(said)),
        "{notes:#?}"
    );
    assert!(fs::read(place.path("b.onnx")).unwrap() == chain(&renamed, 0.5), "B stays as it is");
}

#[test]
fn what_is_the_same_under_other_names_leaves_nothing_to_mix() {
    let place = Place::new();
    place.write("a.onnx", &chain(&as_it_is, 0.25));
    place.write("b.onnx", &chain(&renamed, 0.25));
    let same = place.run(&["mix", "a.onnx", "b.onnx", "--write", "mixed.onnx"]);
    assert_eq!(same.code, Some(1));
    assert!(same.err.ends_with("both compute everything in the same way\n"), "{}", same.err);
    assert!(same.err.contains("a.onnx and b.onnx cannot be mixed"), "{}", same.err);
    assert!(!place.path("mix").exists(), "nothing is left of what did not begin");
}

#[test]
fn what_only_looks_alike_is_no_place_to_cut() {
    let place = Place::new();
    place.write("a.onnx", &branches(&as_it_is, None));
    place.write("b.onnx", &branches(&renamed, Some(-2.01)));
    let report = mixed(&place);
    assert_eq!(changes(&report), ["y"], "u and v are each other's place, and not their values");
    let models = report["mix_models"].as_array().unwrap();
    let loss = models[1]["loss"].as_f64().unwrap();
    assert!(loss < 0.02, "of -2 and -2.01, and not of u and v: {loss}");
}
