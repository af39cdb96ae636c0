//! Tables of operators as importers read them.

use super::tables::*;
use onnxray_analyzer::comparison::{Certainty, Group, align};
use onnxray_format::Operator;
use onnxray_import::{Reading, import};
use std::path::Path;

fn read(files: &[&str]) -> Vec<Operator> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let files: Vec<_> = files.iter().map(|file| fixtures.join(file)).collect();
    import(&files, &Reading::default()).unwrap().remove(0).operators
}

/// Share of the operators of A whose counterpart is more than a guess.
fn share(a: &[Operator], b: &[Operator]) -> f64 {
    check_that_all_are_there(a, b);
    check_that_all_are_there(b, a);
    let is_sure = |group: &&Group| {
        group.method().is_some_and(|method| method.certainty() != Certainty::Possible)
    };
    let found: usize = align(a, b).groups.iter().filter(is_sure).map(|group| group.a.len()).sum();
    found as f64 / a.len() as f64
}

const VERSIONS: [&str; 2] = ["8.6", "10.0"];

#[test]
fn tensorrt_of_two_versions() {
    let [old, new] = VERSIONS.map(|version| {
        let files =
            ["layers.json", "profile.json"].map(|file| format!("tensorrt/{version}/{file}"));
        read(&files.each_ref().map(String::as_str))
    });
    assert_eq!(share(&old, &new), 1.0);
    assert_eq!(share(&new, &old), 1.0);
    // Each layer with itself, not with another.
    for group in align(&old, &new).groups {
        let name = |operators: &[Operator], at: u32| {
            operators[at as usize].name.replace(" [profile 1]", "")
        };
        let names: Vec<String> = group.a.iter().map(|m| name(&old, m.operator)).collect();
        assert_eq!(group.b.iter().map(|m| name(&new, m.operator)).collect::<Vec<_>>(), names);
    }
}

const GRAPH: &str = "openvino/2026.4.1/execution_graph.xml";
const COUNTERS: &str = "openvino/2026.4.1/benchmark_average_counters_report.csv";
const SORTED: &str = "openvino/2026.4.1/benchmark_sorted_report.csv";

#[test]
fn openvino_in_two_reports() {
    let (whole, sorted) = (read(&[GRAPH, COUNTERS]), read(&[SORTED]));
    assert!(!sorted.is_empty());
    // The same operators, here in the order of time.
    assert_eq!(share(&sorted, &whole), 1.0);
    assert!(align(&sorted, &whole).groups.iter().all(|group| group.a.len() == group.b.len()));
}

/// No trace of the two engines is of one model, but of similar ones.
#[test]
fn openvino_and_onnx_runtime() {
    let openvino = read(&[GRAPH, COUNTERS]);
    let share_of = |file: &str| share(&openvino, &read(&[file]));
    assert!(share_of("onnxruntime/1.31.1/cnn.json") < 0.5);
    assert!(share_of("onnxruntime/1.31.1/cnn-int8.json.gz") < 0.5);
    assert!(share_of("onnxruntime/1.31.1/encoder.json.gz") < 0.2);
}
