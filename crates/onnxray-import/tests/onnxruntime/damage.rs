//! Profiles that are cut, capped, strange or hostile.

use crate::reading::*;
use onnxray_format::DataType;
use onnxray_import::formats::onnxruntime::IMPORTER;
use onnxray_import::{Launch, NO_ITERATION, Options, Source};

/// One event of a node.
fn node(name: &str, operator: &str, start: u64, duration: u64, more: &str) -> String {
    format!(
        r#"{{"cat" : "Node","pid" :7,"tid" :8,"dur" :{duration},"ts" :{start},"ph" : "X","name" :"{name}_kernel_time","args" : {{"op_name" : "{operator}"{more}}}}}"#
    )
}

fn model_run(start: u64, duration: u64) -> String {
    format!(
        r#"{{"cat" : "Session","pid" :7,"tid" :8,"dur" :{duration},"ts" :{start},"ph" : "X","name" :"model_run","args" : {{}}}}"#
    )
}

fn profile(events: &[String]) -> Launch {
    let text = format!("[\n{}\n]\n", events.join(",\n"));
    launch(Source::from_bytes("profile.json", text.into()).unwrap())
}

#[test]
fn a_file_that_is_cut_keeps_its_whole_events() {
    for (name, operators) in [
        ("1.20.1/quoted.json", 3),
        ("1.31.1/loop.json", 5),
        ("1.29.0/nameless.json", 8),
        ("0.4/chain.json", 4),
    ] {
        let whole = bytes(name);
        for length in (0..whole.len()).step_by(97) {
            let count = |what: &str| {
                let whole = String::from_utf8_lossy(&whole);
                let text = String::from_utf8_lossy(&whole.as_bytes()[..length]).into_owned();
                let event = |line: &str| line.trim_end_matches(',').to_string();
                let both = whole.lines().map(event).zip(text.lines().map(event));
                both.filter(|(whole, cut)| whole == cut && cut.contains(what)).count()
            };
            let source = Source::from_bytes(name, whole[..length].to_vec()).unwrap();
            let read = IMPORTER.read(vec![source], &Options::default());
            let Ok(launches) = read else {
                assert_eq!(length, 0, "{name}: {:?}", read.err());
                continue;
            };
            let launch = &launches[0];
            check_columns(launch);
            assert_eq!(launch.events.len(), count("_kernel_time\""), "{name}, {length}");
            assert_eq!(launch.iterations.len(), count("model_run"), "{name}, {length}");
            assert!(launch.warnings.iter().any(|warning| warning.loss), "{name}, {length}");
            // A Loop that is cut off makes no other operators of its body's.
            assert!(launch.operators.len() <= operators, "{name}, {length}");
        }
    }
}

/// Runs of nine nodes: ten events each.
fn many_events(count: usize) -> Vec<u8> {
    let mut text = String::with_capacity(count * 110);
    for number in 0..count {
        let (run, position) = (number / 10 * 100, number % 10);
        let (category, name, start, duration) = match position {
            9 => ("Session", "model_run".to_string(), run, 95),
            _ => ("Node", format!("n{position}_kernel_time"), run + position * 10 + 1, 8),
        };
        text.push_str(if number == 0 { "[\n" } else { ",\n" });
        text.push_str(&format!(
            r#"{{"cat":"{category}","pid":1,"tid":1,"dur":{duration},"ts":{start},"ph":"X","name":"{name}","args":{{}}}}"#
        ));
    }
    text.push_str("\n]\n");
    text.into()
}

#[test]
fn a_profile_that_reached_the_cap_says_so() {
    for (count, capped) in [(999_999, false), (1_000_000, true)] {
        let launch = launch(Source::from_bytes("many.json", many_events(count)).unwrap());
        assert_eq!(launch.iterations.len(), count / 10);
        assert_eq!(launch.events.len(), 900_000);
        let at_cap = launch
            .warnings
            .iter()
            .any(|warning| warning.loss && warning.message.contains("stops recording at 1000000"));
        assert_eq!(at_cap, capped, "{}", messages(&launch));
        // Without its model_run the last run is none.
        let outside =
            events(&launch).iter().filter(|event| event.iteration == NO_ITERATION).count();
        assert_eq!(outside, if capped { 0 } else { 9 });
    }
}

#[test]
fn a_backslash_that_escapes_nothing_shows_that_none_does() {
    let launch = profile(&[
        node(r"C:\models\new", "Add", 1, 1, ""),
        node(r"\\host\unit", "Mul", 3, 1, ""),
        model_run(0, 9),
    ]);
    assert_eq!(names(&launch), [r"C:\models\new", r"\\host\unit"]);
    let launch = profile(&[node(r"C:\\models\\new \u00e9", "Add", 1, 1, "")]);
    assert_eq!(names(&launch), [r"C:\models\new é"]);
    let launch = profile(&[node(r"C:\models\\new", "Add", 1, 1, "")]);
    assert_eq!(names(&launch), [r"C:\models\\new"]);
}

#[test]
fn names_stay_unique_whatever_they_are() {
    let launch = profile(&[
        node("a (2)", "Add", 1, 1, ""),
        node("a", "Add", 3, 1, ""),
        node("a", "Mul", 5, 1, ""),
        node("a", "Add", 7, 1, r#","node_index" : "4""#),
        node("", "", 9, 1, ""),
    ]);
    assert_eq!(names(&launch), ["a (2)", "a", "a (3)", "a (4)", "unnamed"]);
}

#[test]
fn a_loop_that_seems_to_lie_in_itself_has_an_end() {
    // Each event is in the next: no model's, but somebody's file.
    let count = 3000;
    let nested: Vec<String> =
        (0..count).map(|depth| node("x", "Loop", count - depth, 2 * depth, "")).collect();
    let launch = profile(&nested);
    assert_eq!(launch.events.len(), count as usize);
    assert!(launch.operators.len() < 32, "{}", launch.operators.len());
    for mut operator in &launch.operators {
        for _ in 0..32 {
            let parent = operator.parent.map(|parent| &launch.operators[parent as usize]);
            operator = parent.unwrap_or(operator);
        }
        assert_eq!(operator.parent, None);
    }
}

#[test]
fn bodies_are_known_however_long_the_profile_is() {
    // A run of four nodes, of which `rare` is there once, far from the front.
    let runs = 20_000;
    let mut all = Vec::new();
    for run in 0..runs {
        let start = run * 100;
        all.push(node("body", "Add", start + 20, 5, ""));
        if run == runs - 10 {
            all.push(node("rare", "Mul", start + 30, 5, ""));
        }
        all.push(node("loop", "Loop", start + 10, 40, ""));
        all.push(node("behind", "Relu", start + 60, 10, ""));
        all.push(model_run(start, 80));
    }
    let launch = profile(&all);
    let parents = parents(&launch);
    assert_eq!((parents["body"], parents["rare"]), (Some("loop"), Some("loop")));
    assert_eq!((parents["loop"], parents["behind"], parents.len()), (None, None, 4));
    assert_eq!(executions(&launch, "body"), runs as usize);
}

#[test]
fn nodes_beside_a_loop_are_not_in_it() {
    let launch = profile(&[
        node("before", "Relu", 10, 10, ""),
        node("first", "Add", 20, 5, ""),
        node("last", "Add", 40, 0, ""),
        node("loop", "Loop", 20, 20, ""),
        node("behind", "Relu", 40, 10, ""),
        model_run(0, 60),
    ]);
    let parents = parents(&launch);
    assert_eq!(parents["first"], Some("loop"));
    assert_eq!(parents["last"], Some("loop"));
    assert!(["before", "behind", "loop"].iter().all(|name| parents[name].is_none()));
}

#[test]
fn doubts_are_told() {
    let kernel = r#"{"cat" : "Kernel","pid" :7,"tid" :9,"dur" :3,"ts" :2,"ph" : "X","name" :"_Z4gemm","args" : {"op_name" : "Gemm","parent" : "g"}}"#;
    let shape = |size: u32| format!(r#","input_type_shape" : [{{"float16":[{size}]}}]"#);
    let launch = profile(&[
        node("a", "Relu", 1, 1, &shape(1)),
        kernel.to_string(),
        model_run(0, 3),
        node("a", "Relu", 11, 1, &shape(2)),
        model_run(10, 3),
        node("a", "Relu", 21, 1, &shape(3)),
    ]);
    // The kernel is an operator of its own.
    assert_eq!(launch.events.len(), 4);
    let messages = messages(&launch);
    assert!(messages.contains("1 operator ran with several shapes"), "{messages}");
    assert!(messages.contains("1 event is in no whole run"), "{messages}");
    assert!(launch.warnings.iter().all(|warning| !warning.loss));
    assert_eq!(launch.operators[0].inputs[0].data_type, Some(DataType::Fp16));
    assert_eq!(launch.operators[0].inputs[0].shape, Some(vec![1]));
}

#[test]
fn strange_values_are_no_values() {
    let sizes = r#","output_size" : "-5","parameter_size" : "0","activation_size" : "1""#;
    let shapes = r#","input_type_shape" : [{"float":[-1,2]},{"int4":["x"]}]"#;
    let memory = r#","mem_bytes_in_use" : "99999999999999999999""#;
    let threads = r#","thread_scheduling_stats" : {"main_thread": 3,"sub_threads": [1]}"#;
    let launch = profile(&[
        node("a", "Relu", 1, 1, sizes),
        node("b", "Relu", 3, 1, &format!("{shapes}{memory}")),
        node("c", "Relu", 5, 1, threads),
        node("d", "Relu", 6, 1, "").replace("\"dur\" :1", "\"dur\" :-1"),
        model_run(0, 9),
    ]);
    assert_eq!(names(&launch)[..3], ["a", "b", "c"]);
    assert_eq!(launch.events.len(), 3);
    assert_eq!(launch.operators[0].bytes, None);
    let inputs = &launch.operators[1].inputs;
    assert_eq!((inputs.len(), &inputs[0].shape, &inputs[1].shape), (2, &None, &None));
    assert_eq!(inputs[1].data_type, Some(DataType::Other));
    assert_eq!(figure(&launch, "memory_in_use_bytes"), [None; 3]);
    assert_eq!(figure(&launch, "threads"), [None; 3]);
    assert!(launch.warnings.iter().any(|warning| warning.loss));
}
