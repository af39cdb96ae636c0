//! The alignment of bundled models, quantized and in two engines, against a truth
//! that was made from the ONNX graphs (`fixtures/alignment/generate.py`).

use crate::program::{fixture_file, json, model};
use onnxray_analyzer::comparison::{Alignment, Certainty, Side, align};
use onnxray_format::Operator;
use onnxray_import::{Reading, import};
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::{GivenDimensions, Model};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Of the pairs of operators that the alignment tells, and of those of the truth,
/// at least this many are in the other.
const LEAST: f64 = 0.95;

/// The table of operators of a model in an engine.
fn table(of: &Value) -> Vec<Operator> {
    let name = of["model"].as_str().unwrap();
    match of["engine"].as_str().unwrap() {
        "tract" => {
            let sizes = [("sequence".to_string(), 128)].into();
            let given = GivenDimensions { sizes, for_several: true, ..GivenDimensions::default() };
            Model::load(&EngineSpec::default(), Path::new(&model(name)), &given, 1)
                .unwrap()
                .operators(&[])
                .unwrap()
        }
        engine => {
            let path = ["json", "json.gz"]
                .map(|end| fixture_file(&format!("{engine}/1.31.1/{name}.{end}")))
                .into_iter()
                .find(|path| path.is_file())
                .unwrap();
            import(&[path], &Reading::default()).unwrap().remove(0).operators
        }
    }
}

/// For each operator of a side, the number of its group in the truth.
fn truth(document: &Value, side: &str, operators: &[Operator]) -> Vec<usize> {
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, group) in document["groups"].as_array().unwrap().iter().enumerate() {
        for name in group[side].as_array().unwrap() {
            let known = groups.insert(name.as_str().unwrap(), number);
            assert_eq!(known, None, "{name} is in two groups of the truth");
        }
    }
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let of = |operator: &Operator| {
        // Of the steps of a node in tract, the truth names only the node.
        let step = operator.name.split('#').next().unwrap();
        let name = groups.keys().find(|&&name| name == operator.name || name == step);
        let name = name.unwrap_or_else(|| panic!("the truth does not know {}", operator.name));
        named.insert(name);
        groups[name]
    };
    let found = operators.iter().map(of).collect();
    let gone: Vec<_> = groups.keys().filter(|name| !named.contains(*name)).collect();
    assert!(gone.is_empty(), "the table of {side} has no {gone:?}");
    found
}

/// For each operator of a side, the number of its group; it must have exactly one.
fn aligned(alignment: &Alignment, side: Side, operators: &[Operator]) -> Vec<usize> {
    let mut found = vec![usize::MAX; operators.len()];
    for (number, group) in alignment.groups.iter().enumerate() {
        for member in group.members(side) {
            let place = &mut found[member.operator as usize];
            assert_eq!(*place, usize::MAX, "{}", operators[member.operator as usize].name);
            *place = number;
        }
    }
    let without = found.iter().position(|&group| group == usize::MAX);
    assert_eq!(without.map(|operator| &operators[operator].name), None);
    found
}

/// Operators of the two sides in one group.
fn pairs(a: &[usize], b: &[usize]) -> BTreeSet<(usize, usize)> {
    let members = |group: usize| {
        b.iter().enumerate().filter(move |&(_, &of)| of == group).map(|(member, _)| member)
    };
    a.iter().enumerate().flat_map(|(a, &group)| members(group).map(move |b| (a, b))).collect()
}

fn check(name: &str) {
    let text = std::fs::read_to_string(fixture_file(&format!("alignment/{name}.json"))).unwrap();
    let document = json(&text);
    let (a, b) = (table(&document["a"]), table(&document["b"]));
    let alignment = align(&a, &b);
    let (true_a, true_b) = (truth(&document, "a", &a), truth(&document, "b", &b));
    let expected = pairs(&true_a, &true_b);
    let group_of_a = aligned(&alignment, Side::A, &a);
    let found = pairs(&group_of_a, &aligned(&alignment, Side::B, &b));
    let mirrored = align(&b, &a);
    let (b_first, a_second) = (aligned(&mirrored, Side::A, &b), aligned(&mirrored, Side::B, &a));
    assert_eq!(pairs(&a_second, &b_first), found, "{name}: not the same the other way around");
    let right = expected.intersection(&found).count() as f64;
    let (precision, recall) = (right / found.len() as f64, right / expected.len() as f64);
    println!("{name}: precision {precision:.4}, recall {recall:.4}, {} pairs", expected.len());
    let list = |pairs: Vec<&(usize, usize)>| -> String {
        pairs.iter().map(|&&(at, bt)| format!("  {} = {}\n", a[at].name, b[bt].name)).collect()
    };
    let wrong = list(found.difference(&expected).collect());
    let missed = list(expected.difference(&found).collect());
    assert!(
        precision >= LEAST && recall >= LEAST,
        "{name}: precision {precision:.4}, recall {recall:.4}\nwrong:\n{wrong}missed:\n{missed}"
    );
    // Every layer of the original that runs, and that the other side runs too.
    for (operator, &group) in true_a.iter().enumerate() {
        let matched = alignment.groups[group_of_a[operator]].is_matched();
        let expected = true_b.contains(&group);
        assert!(matched || !expected, "{name}: {} has no counterpart", a[operator].name);
    }
}

#[test]
fn a_quantized_encoder_in_tract() {
    check("encoder-int8-tract");
}

#[test]
fn a_quantized_cnn_in_tract() {
    check("cnn-int8-tract");
}

#[test]
fn a_quantized_encoder_in_onnx_runtime() {
    check("encoder-int8-onnxruntime");
}

#[test]
fn a_quantized_cnn_in_onnx_runtime() {
    check("cnn-int8-onnxruntime");
}

#[test]
fn an_encoder_in_two_engines() {
    check("encoder-engines");
}

#[test]
fn a_cnn_in_two_engines() {
    check("cnn-engines");
}

#[test]
fn an_encoder_quantized_and_in_another_engine() {
    check("encoder-int8-engines");
}

#[test]
fn models_that_have_nothing_to_do_with_each_other() {
    let of =
        |model: &str, engine: &str| table(&serde_json::json!({"model": model, "engine": engine}));
    let (cnn, encoder) = (of("cnn", "tract"), of("encoder", "tract"));
    let (quantized, other) = (of("cnn-int8", "onnxruntime"), of("encoder-int8", "onnxruntime"));
    for (a, b) in [(&cnn, &encoder), (&quantized, &other), (&cnn, &other), (&encoder, &quantized)] {
        let alignment = align(a, b);
        let sure = alignment.groups.iter().filter(|group| {
            group.method().is_some_and(|method| method.certainty() != Certainty::Possible)
        });
        // Both end with a /classifier/Gemm.
        let found: Vec<&str> = sure
            .flat_map(|group| &group.a)
            .filter(|member| !member.conversion)
            .map(|member| a[member.operator as usize].name.as_str())
            .collect();
        assert!(found.iter().all(|name| name.starts_with("/classifier/Gemm")), "{found:?}");
    }
}

#[test]
fn the_truth_names_every_pair_that_is_tested() {
    let manifest = std::fs::read_to_string(fixture_file("alignment/MANIFEST.json")).unwrap();
    let files = json(&manifest)["files"].as_array().unwrap().len();
    let source = include_str!("alignment.rs");
    assert_eq!(source.matches("\n    check(\"").count(), files);
}
