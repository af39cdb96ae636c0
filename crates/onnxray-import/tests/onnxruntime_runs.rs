//! Profiles of one run each, which ONNX Runtime writes for `RunOptions`: iterations of one launch.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_format::Phase;
use onnxray_import::formats::onnxruntime::IMPORTER;
use onnxray_import::{Launch, NO_ITERATION, Options, Reading, Source, Sources, import_each};
use std::path::Path;

fn event(category: &str, process: u32, name: &str, start: u32, time: u32, more: &str) -> String {
    format!(
        r#"{{"cat" : "{category}","pid" :{process},"tid" :{process},"dur" :{time},"ts" :{start},"ph" : "X","name" :"{name}","args" : {{{more}}}}}"#
    )
}

fn node(process: u32, name: &str, of_type: &str, index: u32, start: u32, time: u32) -> String {
    let arguments = format!(r#""op_name" : "{of_type}","node_index" : "{index}""#);
    event("Node", process, &format!("{name}_kernel_time"), start, time, &arguments)
}

/// A run of two nodes, of which the first takes `time` microseconds.
fn run(process: u32, time: u32) -> Vec<String> {
    vec![
        node(process, "/MatMul", "MatMul", 0, 10, time),
        node(process, "/Relu", "Relu", 1, 10 + time, 5),
        event("Session", process, "SequentialExecutor::Execute", 8, time + 10, ""),
        event("Session", process, "model_run", 5, time + 20, ""),
    ]
}

fn profile(events: &[String]) -> String {
    format!("[\n{}\n]\n", events.join(",\n"))
}

fn read(files: &[(&str, String)]) -> Vec<Launch> {
    let sources =
        files.iter().map(|(name, text)| Source::from_bytes(name, text.clone().into_bytes()));
    IMPORTER.read(sources.map(Result::unwrap).collect(), &Options::default()).unwrap()
}

/// Of each run: its start and its duration in microseconds, and the time of MatMul in it.
fn runs(launch: &Launch) -> Vec<(u64, u64, u64)> {
    let mut products = vec![0; launch.iterations.len()];
    for chunk in &launch.events.chunks {
        for row in 0..chunk.len() {
            let run = chunk.iteration[row];
            if run != NO_ITERATION
                && launch.operators[chunk.operator[row] as usize].name.ends_with("/MatMul")
            {
                products[run as usize] += chunk.duration[row] / 1000;
            }
        }
    }
    let runs = launch.iterations.iter().zip(products);
    runs.map(|(run, product)| (run.start.0 / 1000, run.duration.0 / 1000, product)).collect()
}

fn messages(launch: &Launch) -> Vec<&str> {
    launch.warnings.iter().map(|warning| warning.message.as_str()).collect()
}

/// Names of the files of each launch.
fn files(launches: &[Launch]) -> Vec<Vec<String>> {
    let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
    let of_one = |launch: &Launch| launch.files.iter().map(|file| name(file)).collect();
    launches.iter().map(of_one).collect()
}

#[test]
fn a_folder_of_what_the_runtime_wrote_is_one_launch() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/onnxruntime/1.32.0");
    let sources = Sources::find(&[folder]).unwrap();
    let launches = sources.read(&Reading::default()).unwrap();
    assert_eq!(launches.len(), 1);
    assert_eq!(messages(&launches[0]), [""; 0]);
    // Computed apart: of each file, in the order of the names, what this line prints.
    // python3 -c 'import json, glob; [print([e["dur"] for e in json.load(open(f)) if e["name"] in
    //   ("model_run", "/layer/MatMul_kernel_time")]) for f in sorted(glob.glob("*.json"))]'
    let of_each = runs(&launches[0]).into_iter().map(|(_, run, product)| (run, product));
    assert_eq!(of_each.collect::<Vec<_>>(), [(766, 380), (268, 132), (202, 104), (172, 98)]);
    // A name tells milliseconds, and the file how much later the run began.
    let starts: Vec<u64> = runs(&launches[0]).into_iter().map(|(start, ..)| start).collect();
    assert_eq!(starts, [2, 42_002, 49_002, 57_002]);
    assert_eq!(launches[0].run.load_time, None);
    assert_eq!(launches[0].run.launch, 0);
}

#[test]
fn runs_are_in_the_order_of_their_numbers() {
    // As texts, 10 is before 2 and 9; the times are of a clock that was set back.
    let launches = read(&[
        ("run10_2026-11-28_18-00-00_500.json", profile(&run(7, 10))),
        ("run2_2026-11-28_19-00-00_000.json", profile(&run(7, 2))),
        ("run9_2026-11-28_18-00-00_250.json", profile(&run(7, 9))),
    ]);
    assert_eq!(launches.len(), 1);
    let products: Vec<u64> = runs(&launches[0]).into_iter().map(|run| run.2).collect();
    assert_eq!(products, [2, 9, 10]);
    assert_eq!(
        messages(&launches[0]),
        [
            "no file has the number 3, 4, 5, 6, 7 and 1 more: these runs were not profiled, or their \
          files are not here"
        ]
    );
}

#[test]
fn runs_lie_where_their_names_say_and_never_in_each_other() {
    let launches = read(&[
        ("p_2026-11-28_23-59-59_999.json", profile(&run(7, 100))),
        // A second later, on the next day; then within the millisecond that the name tells.
        ("p_2026-11-29_00-00-00_999.json", profile(&run(7, 3000))),
        ("p_2026-11-29_00-00-01_001.json", profile(&run(7, 1))),
    ]);
    // 5 + 1,000,000; the second ends at 1,003,025, the third begins 1 µs behind that.
    let expected = [(5, 120, 100), (1_000_005, 3020, 3000), (1_003_026, 21, 1)];
    assert_eq!(runs(&launches[0]), expected);
    // Without times, behind each other: 5 + 120 + 1.
    let launches = read(&[("a_1.json", profile(&run(7, 100))), ("a_2.json", profile(&run(7, 50)))]);
    assert_eq!(runs(&launches[0]), [(5, 120, 100), (126, 70, 50)]);
}

#[test]
fn runs_of_threads_beside_each_other_overlap() {
    let on = |thread: u32| {
        let events = run(7, 3000).join(",\n");
        format!("[\n{}\n]\n", events.replace("\"tid\" :7", &format!("\"tid\" :{thread}")))
    };
    let launches = read(&[
        ("p_2026-11-28_10-00-00_000.json", on(7)),
        ("p_2026-11-28_10-00-00_001.json", on(8)),
        ("p_2026-11-28_10-00-00_004.json", on(7)),
    ]);
    let starts: Vec<u64> = runs(&launches[0]).into_iter().map(|run| run.0).collect();
    assert_eq!(starts, [5, 1005, 4005]);
    assert!(runs(&launches[0]).iter().all(|run| run.2 == 3000));
}

#[test]
fn what_is_not_of_one_session_is_apart() {
    let other = || {
        vec![
            node(7, "/Conv", "Conv", 0, 10, 4),
            node(7, "/Gelu", "Gelu", 1, 14, 4),
            event("Session", 7, "model_run", 5, 20, ""),
        ]
    };
    let mut loaded = vec![event("Session", 7, "session_initialization", 0, 9, "")];
    loaded.extend(run(7, 4));
    let launches = read(&[
        // A whole session, two models, another process, another prefix.
        ("p_2026-11-28_10-00-00_000.json", profile(&loaded)),
        ("p_2026-11-28_10-00-00_010.json", profile(&run(7, 1))),
        ("p_2026-11-28_10-00-00_020.json", profile(&other())),
        ("p_2026-11-28_10-00-00_030.json", profile(&run(7, 2))),
        ("p_2026-11-28_10-00-00_040.json", profile(&other())),
        ("p_2026-11-28_10-00-00_050.json", profile(&run(8, 3))),
        ("q_2026-11-28_10-00-00_060.json", profile(&run(7, 5))),
        ("q.json", profile(&run(7, 6))),
    ]);
    let products: Vec<Vec<u64>> =
        launches.iter().map(|launch| runs(launch).into_iter().map(|run| run.2).collect()).collect();
    assert_eq!(products, [vec![4], vec![1, 2], vec![0, 0], vec![3], vec![5], vec![6]]);
    let numbers: Vec<u32> = launches.iter().map(|launch| launch.run.launch).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
    assert!(launches.iter().all(|launch| launch.warnings.is_empty()));
}

#[test]
fn models_of_one_folder_are_recordings_of_their_own() {
    let place = tempfile::tempdir().unwrap();
    let gelu = |text: String| text.replace("/MatMul", "/Conv").replace("/Relu", "/Gelu");
    let mut paths = Vec::new();
    for run_of in 0..4 {
        let text = profile(&run(7, run_of));
        let path = place.path().join(format!("p_2026-11-28_10-00-0{run_of}_000.json"));
        std::fs::write(&path, if run_of % 2 == 0 { text } else { gelu(text) }).unwrap();
        paths.push(path);
    }
    let recordings = import_each(&paths, &Reading::default()).unwrap();
    let counts: Vec<Vec<usize>> = recordings
        .iter()
        .map(|launches| launches.iter().map(|launch| launch.iterations.len()).collect())
        .collect();
    assert_eq!(counts, [[2], [2]]);
}

#[test]
fn numbers_of_a_prefix_are_no_runs() {
    let at = |second: u32, batch: u32| format!("batch{batch}_2026-11-28_10-00-0{second}_000.json");
    let named = [at(1, 8), at(2, 8), at(3, 16), at(4, 16)];
    let all: Vec<(&str, String)> =
        named.iter().zip(1..).map(|(name, time)| (name.as_str(), profile(&run(7, time)))).collect();
    let launches = read(&all);
    assert_eq!(
        files(&launches),
        [[named[0].clone(), named[1].clone()], [named[2].clone(), named[3].clone()]]
    );
    assert!(launches.iter().all(|launch| launch.warnings.is_empty()));
    // Two generations that count their runs are of one session.
    let named = [
        "g0_2026-11-28_10-00-01.json",
        "g1_2026-11-28_10-00-02.json",
        "g0_2026-11-28_10-00-03.json",
    ];
    let all: Vec<(&str, String)> =
        named.iter().zip(1..).map(|(name, time)| (*name, profile(&run(7, time)))).collect();
    let launches = read(&all);
    assert_eq!(files(&launches), [named]);
    assert!(launches[0].warnings.is_empty());
}

#[test]
fn two_files_of_one_number_are_two_runs_and_named() {
    let launches = read(&[
        ("run_1.json", profile(&run(7, 3))),
        ("run_01.json", profile(&run(7, 3))),
        ("run_2.json", profile(&run(7, 4))),
        ("<b>run_2.json", profile(&run(7, 5))),
    ]);
    let products: Vec<Vec<u64>> =
        launches.iter().map(|launch| runs(launch).into_iter().map(|run| run.2).collect()).collect();
    assert_eq!(products, [vec![3, 3, 4], vec![5]]);
    assert_eq!(
        messages(&launches[0]),
        [
            "run_01.json has the number of another file and counts as a run of its own; leave it out \
          if it is a copy"
        ]
    );
}

#[test]
fn a_truncated_run_costs_no_other() {
    let whole = profile(&run(7, 30));
    for cut in 1..whole.len() {
        let all = [
            ("r_1.json", profile(&run(7, 10))),
            ("r_2.json", whole[..cut].to_string()),
            ("r_3.json", profile(&run(7, 20))),
        ];
        let Some(launches) = std::panic::catch_unwind(|| read(&all)).ok() else { panic!("{cut}") };
        let of_others: Vec<u64> = launches
            .iter()
            .flat_map(runs)
            .map(|run| run.1)
            .filter(|&run| run == 30 || run == 40)
            .collect();
        assert_eq!(of_others, [30, 40], "{cut}");
        let named = launches
            .iter()
            .flat_map(|launch| &launch.warnings)
            .any(|warning| warning.file.ends_with("r_2.json") && warning.loss);
        assert!(named || cut >= whole.trim_end().len(), "{cut}: {:?}", launches[0].warnings);
        // What is left of it is in no run, unless it is only the end of the file that is missing.
        if whole[..cut].contains("/Relu_kernel_time") && !whole[..cut].contains("model_run") {
            let outside = "2 events are in no whole run; the figures are without their 0.035 ms";
            let events = whole[..cut].matches("}}").count();
            assert!(events < 2 || messages(&launches[0]).contains(&outside), "{cut}");
        }
    }
}

#[test]
fn a_folder_without_whole_runs_says_so() {
    let events = run(7, 10);
    let launches =
        read(&[("r_1.json", profile(&events[..2])), ("r_2.json", profile(&events[..1]))]);
    assert_eq!(launches.len(), 1);
    assert_eq!(launches[0].iterations.len(), 0);
    assert_eq!(launches[0].events.len(), 3);
    assert_eq!(
        messages(&launches[0]),
        ["no run is in it: a session writes one for each call of Run"]
    );
}

#[test]
fn branches_do_not_part_runs() {
    // Most nodes are of the branch that was taken.
    let branch = |name: &str| {
        let mut events: Vec<String> = (0..6)
            .map(|at| node(7, &format!("/{name}/{at}"), "Add", at, 20 + 10 * at, 5))
            .collect();
        events.push(node(7, "/If", "If", 1, 15, 80));
        events.push(node(7, "/MatMul", "MatMul", 0, 5, 5));
        events.push(event("Session", 7, "model_run", 0, 100, ""));
        profile(&events)
    };
    let launches = read(&[("r_1.json", branch("then")), ("r_2.json", branch("else"))]);
    assert_eq!(launches.len(), 1);
    assert_eq!(runs(&launches[0]), [(0, 100, 5), (101, 100, 5)]);
    let parent = |name: &str| {
        let own = launches[0].operators.iter().find(|operator| operator.name == name).unwrap();
        launches[0].operators[own.parent.unwrap() as usize].name.clone()
    };
    assert_eq!([parent("/then/0"), parent("/else/5")], ["/If", "/If"]);
}

#[test]
fn what_a_run_launched_on_devices_is_its_own() {
    let with_kernels = |time: u32| {
        let mut events = run(7, time);
        let arguments = r#""parent_name" : "/MatMul_kernel_time""#;
        events.push(event("Kernel", 0, "sgemm", 12, time - 4, arguments));
        profile(&events)
    };
    let launches = read(&[("r_1.json", with_kernels(10)), ("r_2.json", with_kernels(20))]);
    let launch = &launches[0];
    let mut found = Vec::new();
    for chunk in &launch.events.chunks {
        for row in 0..chunk.len() {
            if launch.operators[chunk.operator[row] as usize].device {
                found.push((chunk.iteration[row], chunk.duration[row] / 1000));
            }
        }
    }
    assert_eq!(found, [(0, 6), (1, 16)]);
    let kernel = launch.operators.iter().find(|operator| operator.device).unwrap();
    assert_eq!(kernel.name, "sgemm (/MatMul)");
}

#[test]
fn a_generation_with_a_file_for_each_run_has_its_phases() {
    // The prompt's 5 tokens, then one each, with a cache that grows by them.
    let step = |tokens: u32, cached: u32| {
        let shapes = format!(
            r#""op_name" : "Attention","node_index" : "0","input_type_shape" : [{{"float":[1,{tokens},8]}},{{"float":[1,{cached},8]}}]"#
        );
        let node = event("Node", 7, "/attention_kernel_time", 10, 10 * tokens, &shapes);
        profile(&[node, event("Session", 7, "model_run", 5, 100, "")])
    };
    // Before 2 comes 10, as texts.
    let mut files: Vec<(String, String)> =
        (1..=10).map(|number| (format!("run{number}.json"), step(1, 4 + number))).collect();
    files.push(("run0.json".to_string(), step(5, 0)));
    files.sort();
    let named: Vec<(&str, String)> =
        files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let launches = read(&named);
    assert_eq!(launches.len(), 1);
    let steps: Vec<(Phase, u32, u32)> = launches[0]
        .iterations
        .iter()
        .filter_map(|run| run.step.map(|step| (step.phase, step.tokens, step.cached)))
        .collect();
    let decoded = (5..15).map(|cached| (Phase::Decode, 1, cached));
    let expected: Vec<_> = std::iter::once((Phase::Prefill, 5, 0)).chain(decoded).collect();
    assert_eq!(steps, expected);
    assert_eq!(
        messages(&launches[0]),
        ["1 operator ran with several shapes; the first ones are shown"]
    );
}
