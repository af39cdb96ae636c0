//! What nodes of ONNX Runtime launched on devices: GPUs (`Kernel`), WebGPU and QNN (`Api`).

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_import::formats::onnxruntime::IMPORTER;
use onnxray_import::{Launch, NO_ITERATION, Options, Source};

fn event(
    category: &str,
    pid: i32,
    name: &str,
    start: u32,
    duration: u32,
    arguments: &str,
) -> String {
    format!(
        r#"{{"cat" : "{category}","pid" :{pid},"tid" :{pid},"dur" :{duration},"ts" :{start},"ph" : "X","name" :"{name}","args" : {{{arguments}}}}}"#
    )
}

fn node(name: &str, of_type: &str, start: u32, duration: u32) -> String {
    let arguments = format!(r#""op_name" : "{of_type}","node_index" : "0""#);
    event("Node", 7, &format!("{name}_kernel_time"), start, duration, &arguments)
}

fn run(start: u32, duration: u32) -> String {
    event("Session", 7, "model_run", start, duration, "")
}

fn read(events: &[String]) -> Launch {
    let text = format!("[\n{}\n]", events.join(",\n"));
    let source = Source::from_bytes("x.json", text.into_bytes()).unwrap();
    IMPORTER.read(vec![source], &Options::default()).unwrap().remove(0)
}

/// Name and duration in microseconds of what ran on devices in each run; in none, last.
fn on_devices(launch: &Launch) -> Vec<Vec<(&str, u64)>> {
    let mut found = vec![Vec::new(); launch.iterations.len() + 1];
    for chunk in &launch.events.chunks {
        for row in 0..chunk.len() {
            let operator = &launch.operators[chunk.operator[row] as usize];
            let run = match chunk.iteration[row] {
                NO_ITERATION => launch.iterations.len(),
                run => run as usize,
            };
            if operator.device {
                found[run].push((operator.name.as_str(), chunk.duration[row] / 1000));
            }
        }
    }
    found.iter_mut().for_each(|of_run| of_run.sort_unstable());
    found
}

fn parent(launch: &Launch, name: &str) -> String {
    let operator = launch.operators.iter().find(|operator| operator.name == name).unwrap();
    launch.operators[operator.parent.unwrap() as usize].name.clone()
}

#[test]
fn kernels_stand_behind_their_nodes() {
    let kernel = |name: &str, start: u32, duration: u32, stream: u32, parent: &str| {
        let arguments = format!(r#"{parent}"stream" : "{stream}","block_x" : "{start}""#);
        event("Kernel", -1, name, start, duration, &arguments)
    };
    for (of_add, of_mul) in [
        (r#""op_name" : "Add","#, r#""op_name" : "MatMul","#),
        (
            r#""op_name" : "Add","parent_name" : "add_kernel_time","#,
            r#""op_name" : "MatMul","parent_name" : "mul_kernel_time","#,
        ),
    ] {
        let mut events = Vec::new();
        for begin in [1000, 6000] {
            events.push(node("add", "Add", begin + 10, 24));
            events.push(kernel("elementwise", begin + 20, 4, 13, of_add));
            events.push(node("mul", "MatMul", begin + 40, 30));
            // On two streams at once; the last one is late.
            events.push(kernel("sgemm", begin + 60, 900, 13, of_mul));
            events.push(kernel("split", begin + 100, 300, 14, of_mul));
            events.push(kernel("reduce", begin + 2000, 50, 13, of_mul));
            events.push(run(begin, 1200));
        }
        let launch = read(&events);
        let of_run = [
            ("elementwise (add)", 4),
            ("reduce (mul)", 50),
            ("sgemm (mul)", 900),
            ("split (mul)", 300),
        ];
        assert_eq!(on_devices(&launch), [of_run.to_vec(), of_run.to_vec(), vec![]]);
        assert_eq!(parent(&launch, "sgemm (mul)"), "mul");
        let streams: Vec<&str> =
            launch.events.threads.iter().map(|thread| thread.thread.as_str()).collect();
        assert_eq!(streams, ["7", "-1", "stream 13", "stream 14"]);
        assert!(launch.warnings.is_empty(), "{:?}", launch.warnings);
    }
}

#[test]
fn kernels_without_a_node_are_by_themselves() {
    let events = [
        node("add", "Add", 1010, 24),
        event("Kernel", -1, "memset", 1020, 4, r#""stream" : "13""#),
        event("Kernel", -1, "other", 1030, 4, r#""op_name" : "Gemm""#),
        run(1000, 1200),
    ];
    let launch = read(&events);
    assert_eq!(on_devices(&launch), [vec![("memset", 4), ("other", 4)], vec![]]);
    assert!(launch.operators.iter().all(|operator| operator.parent.is_none()));
}

#[test]
fn programs_of_webgpu_are_named_after_their_nodes() {
    // The clock of the device may be another, and names of nodes may hold its mark.
    for (clock, conv) in [(0, "conv1"), (900_000, "conv&1"), (5_000, "/a/conv1")] {
        let mut events = Vec::new();
        let mut programs = Vec::new();
        for begin in [1000, 6000] {
            events.push(node(conv, "Conv", begin + 10, 30));
            events.push(node("relu", "Relu", begin + 50, 20));
            events.push(run(begin, 1500));
            let at = begin + clock;
            programs.push(event("Api", -1, &format!("{conv}&Conv&Pack"), at + 100, 10, ""));
            programs.push(event("Api", -1, &format!("{conv}&Conv&Conv2DMM"), at + 120, 1000, ""));
            programs.push(event("Api", -1, "relu&Relu", at + 1800, 200, r#""shapes" : "x""#));
        }
        events.extend(programs);
        let launch = read(&events);
        let of_run = vec![
            (format!("Conv2DMM ({conv})"), 1000),
            (format!("Pack ({conv})"), 10),
            ("Relu (relu)".to_string(), 200),
        ];
        let found: Vec<Vec<(String, u64)>> = on_devices(&launch)
            .into_iter()
            .map(|of| of.into_iter().map(|(name, time)| (name.to_string(), time)).collect())
            .collect();
        assert_eq!(found, [of_run.clone(), of_run, vec![]], "{conv}");
        assert!(launch.warnings.is_empty(), "{:?}", launch.warnings);
    }
}

#[test]
fn calls_of_qnn_lie_inside_their_nodes_and_those_of_the_host_are_none() {
    let events = [
        node("qnn", "QNN", 1010, 500),
        event("Api", -1, "QnnGraph_execute", 1020, 480, ""),
        event("Api", 7, "hipLaunchKernel", 1030, 5, ""),
        node("softmax", "Softmax", 1600, 30),
        run(1000, 700),
    ];
    let launch = read(&events);
    assert_eq!(on_devices(&launch), [vec![("QnnGraph_execute (qnn)", 480)], vec![]]);
    assert_eq!(launch.events.len(), 3);
    assert!(launch.warnings.is_empty(), "{:?}", launch.warnings);
}

#[test]
fn nodes_of_bodies_keep_what_they_launched() {
    let kernel = |start| event("Kernel", -1, "sgemm", start, 5, r#""op_name" : "MatMul""#);
    let events = [
        node("body", "MatMul", 1020, 10),
        kernel(1040),
        node("body", "MatMul", 1050, 10),
        kernel(1070),
        node("loop", "Loop", 1010, 80),
        run(1000, 100),
    ];
    let launch = read(&events);
    assert_eq!(on_devices(&launch), [vec![("sgemm (body)", 5), ("sgemm (body)", 5)], vec![]]);
    assert_eq!(
        (parent(&launch, "sgemm (body)"), parent(&launch, "body")),
        ("body".into(), "loop".into())
    );
}
