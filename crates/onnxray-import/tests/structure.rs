//! What a Chrome trace is, is told by where words stand in it, not by the words.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_import::{Source, detect};

fn format(text: &str) -> &'static str {
    let mut source = Source::from_bytes("x", text.as_bytes().to_vec()).unwrap();
    detect(&mut source).map_or("none", |importer| importer.format.name)
}

/// Words that stand for other formats, as names that any program may give.
const WORDS: [&str; 12] = [
    "model_inference",
    "Iteration0",
    "model_run",
    "session_initialization",
    "SequentialExecutor::Execute",
    "MatMul_kernel_time",
    "model_loading_uri",
    "baseTimeNanoseconds",
    "reshape_time",
    "format_version",
    "aten::mm",
    "ProfilerStep#3",
];

fn event(category: &str, name: &str, arguments: &str) -> String {
    format!(
        r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":1,"ts":0,"dur":5,"args":{arguments}}}"#
    )
}

fn object(front: &str, events: &[String]) -> String {
    format!("{{{front}\"traceEvents\":[{}]}}", events.join(",\n"))
}

fn array(events: &[String]) -> String {
    format!("[{}]", events.join(",\n"))
}

#[test]
fn names_of_spans_make_no_format() {
    for word in WORDS {
        let quoted = format!(r#"{{"note":"{word}","{word}":1}}"#);
        let events = [event("app", word, "{}"), event("app", "matmul", &quoted)];
        assert_eq!(format(&array(&events)), "chrome-trace", "{word}");
        assert_eq!(format(&object("", &events)), "chrome-trace", "{word}");
        let front = format!("\"otherData\":{{\"version\":\"{word}\"}},\"info\":{quoted},");
        assert_eq!(format(&object(&front, &events)), "chrome-trace", "{word}");
        // The same in the traces of others.
        let annotated = [event("user_annotation", word, "{}"), event("cpu_op", "aten::mm", "{}")];
        assert_eq!(format(&object("\"schemaVersion\":1,", &annotated)), "pytorch", "{word}");
        let node =
            event("Node", &format!("{word}_kernel_time"), &format!("{{\"op_name\":\"{word}\"}}"));
        assert_eq!(format(&array(&[node])), "onnxruntime", "{word}");
    }
}

#[test]
fn pytorch_is_known_by_its_members_and_categories() {
    let plain = event("kernel", "k1", "{}");
    let python = event("python_function", "f", "{}");
    for (front, events, expected) in [
        // No member of the object says so.
        ("", event("cpu_op", "aten::mm", "{}"), "pytorch"),
        ("", event("Operator", "aten::mm", r#"{"External id":1}"#), "pytorch"),
        ("", event("cuda_runtime", "cudaLaunchKernel", r#"{"correlation":7}"#), "pytorch"),
        ("", event("python_function", "f", r#"{"Python id":7}"#), "pytorch"),
        ("", event("Trace", "PyTorch Profiler (0)", "{}"), "pytorch"),
        // No event does.
        (r#""schemaVersion":1,"deviceProperties":[],"#, event("vendor", "x", "{}"), "pytorch"),
        (r#""schemaVersion":1,"#, plain.clone(), "pytorch"),
        (r#""distributedInfo":{"rank":0},"#, event("gpu_memset", "m", "{}"), "pytorch"),
        // Categories and members that others have, too.
        ("", plain, "chrome-trace"),
        (r#""viztracer_metadata":{"baseTimeNanoseconds":1},"#, python.clone(), "chrome-trace"),
        (r#""schemaVersion":1,"#, event("app", "kernel", "{}"), "chrome-trace"),
        ("", python, "chrome-trace"),
    ] {
        assert_eq!(format(&object(front, &[events])), expected, "{front}");
    }
    let behind = r#"{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","ts":0,"dur":1}],
        "baseTimeNanoseconds":1,"schemaVersion":1}"#;
    assert_eq!(format(behind), "pytorch");
}

#[test]
fn a_profile_of_onnx_runtime_may_stand_in_an_object() {
    let events = [event("Session", "model_run", "{}"), event("Node", "a_kernel_time", "{}")];
    assert_eq!(format(&array(&events)), "onnxruntime");
    assert_eq!(format(&object("", &events)), "onnxruntime");
    assert_eq!(format(&object(r#""displayTimeUnit":"ms","#, &events[1..])), "onnxruntime");
    assert_eq!(format(&array(&[event("Node", "a", "{}")])), "chrome-trace");
}

#[test]
fn the_neural_engine_is_known_by_what_it_tells_of_operators() {
    let model = event("inference", "model_inference", "{}");
    let operator = event("Range", "Range_1", r#"{"reshape_time":"0ms","input_tensor_name":"a:0"}"#);
    assert_eq!(format(&object("", &[model.clone(), operator.clone()])), "neural-engine");
    assert_eq!(format(&object("", &[operator])), "neural-engine");
    let own = event("inference", "Range_1", r#"{"reshape_time":"0ms"}"#);
    assert_eq!(format(&object("", &[model, own])), "chrome-trace");
}

#[test]
fn what_tells_may_stand_far_behind() {
    let others: Vec<String> =
        (0..2_000).map(|number| event("app", &format!("model_run {number}"), "{}")).collect();
    let mut of_pytorch = others.clone();
    of_pytorch.push(event("cpu_op", "aten::mm", "{}"));
    assert_eq!(format(&object("", &of_pytorch)), "pytorch");
    assert_eq!(format(&object("", &others)), "chrome-trace");
}
