//! A record that lacks a member which others of its kind have is counted, named, and read
//! without it; what a producer leaves out of all of them is not a loss.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_import::{Source, detect};
use std::path::Path;

fn fixture(name: &str) -> String {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    std::fs::read_to_string(fixtures.join(name)).unwrap()
}

/// What is lost of a file.
fn losses(text: &str) -> Vec<String> {
    let mut source = Source::from_bytes("file", text.as_bytes().to_vec()).unwrap();
    let importer = detect(&mut source).unwrap();
    let source = Source::from_bytes("file", text.as_bytes().to_vec()).unwrap();
    let launches = importer.read(vec![source], &Default::default()).unwrap();
    let warnings = launches.iter().flat_map(|launch| &launch.warnings);
    warnings.filter(|warning| warning.loss).map(ToString::to_string).collect()
}

/// One letter of the second `key` of a file is another one: `member` is missing in its record.
#[track_caller]
fn check(name: &str, key: &str, member: &str) {
    let whole = fixture(name);
    assert_eq!(losses(&whole), [""; 0], "{name}");
    let (place, _) = whole.match_indices(key).nth(1).unwrap_or_else(|| panic!("{key} in {name}"));
    let other = format!("{}z{}", &key[..2], &key[3..]);
    let damaged = format!("{}{other}{}", &whole[..place], &whole[place + key.len()..]);
    let losses = losses(&damaged);
    let said = format!("a member that others have, and which is unknown; the first: {member}");
    let loss = losses.iter().find(|loss| loss.contains(&said));
    let loss = loss.unwrap_or_else(|| panic!("{name}, {key}: {losses:?}"));
    assert!(loss.contains(": line "), "{loss}");
}

#[test]
fn nodes_of_tract_have_what_others_have() {
    check("tract/0.23.9/scan.json", "\"secs_per_iter\"", "`secs_per_iter` of \"");
    check("tract/0.23.9/unfolded.json", "\"FMA(F32)\"", "`cost: FMA` of \"");
}

#[test]
fn layers_of_tensorrt_have_what_others_have() {
    for key in ["timeMs", "averageMs", "medianMs"] {
        check("tensorrt/8.6/profile.json", &format!("\"{key}\""), &format!("`{key}` of \""));
    }
    for key in ["LayerType", "Inputs", "Outputs", "Weights", "Bias", "OutMaps"] {
        check("tensorrt/8.6/layers.json", &format!("\"{key}\""), &format!("`{key}` of \""));
    }
    check("tensorrt/10.0/layers.json", "\"Metadata\"", "`Metadata` of \"");
}

#[test]
fn layers_of_openvino_have_what_others_have() {
    let counters = "openvino/cpp/benchmark_average_counters_report.json";
    for key in ["node_type", "exec_type"] {
        check(counters, &format!("\"{key}\""), &format!("`{key}` of \""));
    }
    let graph = "openvino/2026.4.1/execution_graph.xml";
    for key in ["primitiveType", "originalLayersNames", "runtimePrecision", "outputLayouts"] {
        check(graph, &format!(" {key}=\""), &format!("`{key}` of \""));
    }
}

#[test]
fn nodes_of_onnx_runtime_have_what_others_have() {
    let profile = "onnxruntime/1.29.0/chain.json";
    for key in [
        "op_name",
        "provider",
        "node_index",
        "input_type_shape",
        "output_type_shape",
        "parameter_size",
        "activation_size",
        "output_size",
    ] {
        check(profile, &format!("\"{key}\""), &format!("`{key}` of \""));
    }
    // Of one of its executions.
    for key in ["mem_in_use_delta", "thread_scheduling_stats"] {
        check(profile, &format!("\"{key}\""), "");
    }
}

#[test]
fn kernels_of_pytorch_have_what_others_have() {
    check("pytorch/2.5.1/cuda.json", "\"registers per thread\"", "");
}

#[test]
fn operators_of_the_neural_engine_have_what_others_have() {
    for key in ["input_type", "output_shape"] {
        let said = format!("`{key}` of \"");
        check("neural-engine/2022-09/profiling.json", &format!("\"{key}\""), &said);
    }
    let trace = "neural-engine/2023-09/profiling_2023-09-04_10-00-00_0.json";
    check(trace, "\"attributes\"", "`attributes` of \"");
    check(trace, "\"reshape_time\"", "");
}

#[test]
fn executions_of_an_operator_have_the_same_figures() {
    let event = |number: u32, key: &str| {
        let provider = r#""op_name" : "Add","provider" : "CPUExecutionProvider""#;
        format!(
            "{{\"cat\" : \"Node\",\"pid\" :7,\"tid\" :8,\"dur\" :1,\"ts\" :{number},\"ph\" : \"X\",\
             \"name\" :\"a_kernel_time\",\"args\" : {{{provider},\"{key}\" : \"5\"}}}}"
        )
    };
    let profile = |damaged: u32| {
        let key = |number| if number == damaged { "mem_im_use_peak" } else { "mem_in_use_peak" };
        let events: Vec<String> = (0..40).map(|number| event(number, key(number))).collect();
        format!("[\n{}\n]\n", events.join(",\n"))
    };
    assert_eq!(losses(&profile(99)), [""; 0]);
    for damaged in [0, 20, 39] {
        let losses = losses(&profile(damaged));
        let line = damaged + 2;
        assert!(losses[0].contains(&format!(": line {line}, byte ")), "{losses:?}");
        assert!(losses[0].contains("another execution of the same operator has"), "{losses:?}");
    }
}
