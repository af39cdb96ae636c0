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

/// What a provider that is a plugin adds behind everything else.
fn late(name: &str, start: u32, duration: u32, arguments: &str) -> String {
    event("Kernel", -1, name, start, duration, arguments)
}

#[test]
fn kernels_of_plugins_stand_behind_all_nodes() {
    // As ONNX Runtime's example of a plugin, Qualcomm's and CUDA's write them.
    for (first, second) in [
        (r#""parent_name" : "a_kernel_time""#, r#""parent_name" : "b_kernel_time""#),
        (
            r#""parent_ort_node" : "a_kernel_time","unit" : "US","level" : "ROOT""#,
            r#""parent_ort_node" : "b_kernel_time","unit" : "us","qnn_timing_source" : "HOST""#,
        ),
        (
            r#""stream" : "7","ort_correlation_id" : "1795894295613001","ort_event_name" : "a_kernel_time","ort_op_name" : "MatMul","ort_node_index" : "0""#,
            r#""stream" : "7","ort_correlation_id" : "1795894295613041","ort_event_name" : "b_kernel_time","ort_op_name" : "Add","ort_node_index" : "0""#,
        ),
        (r#""op_name" : "MatMul""#, r#""op_name" : "Add""#),
    ] {
        let (mut events, mut kernels) = (Vec::new(), Vec::new());
        for (run_of, begin) in [1000, 2000, 3000].into_iter().enumerate() {
            events.push(node("a", "MatMul", begin + 10, 30));
            events.push(node("b", "Add", begin + 50, 30));
            events.push(run(begin, 100));
            kernels.push(late("gemm", begin + 15, 10 + run_of as u32, first));
            kernels.push(late("sum", begin + 55, 20 + run_of as u32, second));
        }
        events.extend(kernels);
        let launch = read(&events);
        let of_run = |run_of: u64| vec![("gemm (a)", 10 + run_of), ("sum (b)", 20 + run_of)];
        assert_eq!(on_devices(&launch), [of_run(0), of_run(1), of_run(2), vec![]], "{first}");
        assert_eq!(parent(&launch, "gemm (a)"), "a");
        assert!(launch.warnings.is_empty(), "{:?}", launch.warnings);
    }
}

#[test]
fn late_kernels_go_to_the_execution_whose_turn_it_is() {
    // The device begins long after the node has ended, in the time of the next run.
    let (mut events, mut kernels) = (Vec::new(), Vec::new());
    for begin in [1000, 2000, 3000] {
        events.push(node("a", "MatMul", begin + 10, 5));
        events.push(run(begin, 900));
        kernels.push(late("gemm", begin + 1500, begin / 100, r#""parent_name" : "a_kernel_time""#));
    }
    events.extend(kernels);
    let launch = read(&events);
    let of_run = |time: u64| vec![("gemm (a)", time)];
    assert_eq!(on_devices(&launch), [of_run(10), of_run(20), of_run(30), vec![]]);
}

#[test]
fn nodes_of_one_name_are_told_apart_by_their_numbers() {
    let numbered = |number: &str, start: u32| {
        let arguments = format!(r#""op_name" : "Add","node_index" : "{number}""#);
        event("Node", 7, "x_kernel_time", start, 10, &arguments)
    };
    let kernel = |number: &str, duration: u32| {
        let arguments = format!(r#""parent_name" : "x_kernel_time","node_index" : {number}"#);
        late("sum", 1500, duration, &arguments)
    };
    let launch = read(&[
        numbered("3", 1010),
        numbered("5", 1030),
        run(1000, 900),
        kernel("5", 51),
        kernel("\"3\"", 31),
    ]);
    assert_eq!(on_devices(&launch), [vec![("sum (x)", 51), ("sum (x) (2)", 31)], vec![]]);
    assert_eq!([parent(&launch, "sum (x)"), parent(&launch, "sum (x) (2)")], ["x (2)", "x"]);
    assert!(launch.warnings.is_empty(), "{:?}", launch.warnings);
    // A number that is none, of a node and of a kernel, is counted; the name tells.
    let launch =
        read(&[numbered("x3", 1010), run(1000, 900), kernel("\"<b>\"", 8), kernel("[]", 9)]);
    assert_eq!(on_devices(&launch), [vec![("sum (x)", 8), ("sum (x) (2)", 9)], vec![]]);
    let message = "3 events have members that could not be understood and are unknown; the first: \
                   `node_index` is not a number";
    assert_eq!(launch.warnings.len(), 1);
    assert_eq!(launch.warnings[0].message, message);
    assert!(launch.warnings[0].loss);
    assert_eq!(launch.warnings[0].position.unwrap().line, 2);
}

#[test]
fn a_parent_that_is_not_there_is_counted_and_named() {
    let lost = r#""parent_name" : "gone <b>_kernel_time","op_name" : "Add""#;
    let launch = read(&[
        node("a", "Add", 1010, 24),
        run(1000, 1200),
        late("sum", 1020, 4, lost),
        late("sum", 1030, 5, lost),
        // What is done around the nodes has no node.
        late("compile", 1003, 6, r#""parent_name" : "model_run""#),
        late("copy", 1005, 7, r#""parent_name" : "SequentialExecutor::Execute""#),
        late("other", 1006, 8, r#""parent_name" : """#),
    ]);
    let of_run = vec![("compile", 6), ("copy", 7), ("other", 8), ("sum", 4), ("sum", 5)];
    assert_eq!(on_devices(&launch), [of_run, vec![]]);
    assert!(launch.operators.iter().all(|operator| operator.parent.is_none()));
    let messages: Vec<&str> = launch.warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "2 events of devices name what launched them, which is not in the profile: they belong to \
          no node; the first: \"sum\" of \"gone <b>_kernel_time\""
        ]
    );
}

#[test]
fn parents_of_parents_lead_to_a_node_and_circles_to_none() {
    let of = |parent: &str| format!(r#""parent_name" : "{parent}""#);
    let launch = read(&[
        node("fused", "Plugin", 1010, 900),
        run(1000, 1200),
        late("graph", 1020, 100, &of("fused_kernel_time")),
        late("layer", 1030, 40, &of("graph")),
        late("tile", 1035, 10, &of("layer")),
        late("x", 1200, 1, &of("y")),
        late("y", 1300, 2, &of("x")),
        late("z", 1400, 3, &of("z")),
    ]);
    let on_devices = on_devices(&launch);
    let of_run = [
        ("graph (fused)", 100),
        ("layer (fused)", 40),
        ("tile (fused)", 10),
        ("x", 1),
        ("y", 2),
        ("z", 3),
    ];
    assert_eq!(on_devices, [of_run.to_vec(), vec![]]);
    assert_eq!(launch.warnings.len(), 1);
    assert_eq!(
        launch.warnings[0].message,
        "3 events of devices name each other as what launched them: they belong to no node; the \
         first: \"x\" of \"y\""
    );
}

#[test]
fn names_of_parents_are_data() {
    let name = r#"/the \"first\", \\layer & <i>{1}\u00e9\n"#;
    let of = format!(r#""parent_name" : "{name}_kernel_time""#);
    let launch = read(&[
        node("other", "Add", 1010, 10),
        node(name, "Add", 1030, 10),
        node("third", "Add", 1050, 10),
        run(1000, 900),
        late(r#"=SUM(\"A1\")"#, 1035, 4, &of),
    ]);
    let parent = parent(&launch, "=SUM(\"A1\") (/the \"first\", \\layer & <i>{1}é\n)");
    assert_eq!(parent, "/the \"first\", \\layer & <i>{1}é\n");
    assert!(launch.warnings.is_empty(), "{:?}", launch.warnings);
}

#[test]
fn a_provider_may_divide_its_node_into_others() {
    let layer = r#""parent_name" : "fused_kernel_time","op_name" : "Conv""#;
    let launch = read(&[
        node("fused", "Plugin", 1010, 900),
        run(1000, 1200),
        event("Node", -1, "conv1", 1020, 300, layer),
        event("Node", -1, "conv2", 1330, 500, layer),
    ]);
    assert_eq!(on_devices(&launch), [vec![("conv1 (fused)", 300), ("conv2 (fused)", 500)], vec![]]);
    let conv = launch.operators.iter().find(|operator| operator.device).unwrap();
    assert_eq!(conv.operator_type, "Node");
}

#[test]
fn values_that_are_not_times_are_counted_and_left_out() {
    let value = |name: &str, unit: &str| {
        let arguments =
            format!(r#""parent_ort_node" : "a_kernel_time","unit" : "{unit}","value" : "123456""#);
        late(name, 1020, 0, &arguments)
    };
    let launch = read(&[
        node("a", "QNN", 1010, 24),
        run(1000, 1200),
        late("execute", 1012, 20, r#""parent_ort_node" : "a_kernel_time","unit" : "US""#),
        value("accelerator", "CYCLES"),
        value("hvx threads", "COUNT"),
    ]);
    assert_eq!(on_devices(&launch), [vec![("execute (a)", 20)], vec![]]);
    let ignored: Vec<&str> = launch.ignored.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(ignored, ["ignored 2 values of devices that are not times"]);
}
