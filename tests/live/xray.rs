//! Blocks between cuts, timed from outside.

use crate::onnx_file::{self, FLOAT, INT64, Message, floats, node, open_value, value};
use crate::onnxruntime_package::library;
use crate::program::{Place, json};
use crate::recorder::model;
use crate::script::Script;
use serde_json::{Value, json as object};
use std::collections::BTreeSet;

/// All figures of a recording.
fn figures(place: &Place, out: &str) -> Value {
    json(&place.succeed(&["summary", out, "--format", "json", "--all", "--no-fold"]))
}

/// Rows of the operators of a recording: name, nodes and milliseconds. Beside a load a block may be told
/// from nothing in no iteration: its time is unknown, and it has a share of the latency all the same.
fn blocks(figures: &Value) -> Vec<(String, Vec<String>, f64)> {
    let rows = figures["operators"].as_array().unwrap().iter();
    let mean = figures["model"]["typical_mean_ms"].as_f64().unwrap();
    let row = |row: &Value| {
        let name = row["name"].as_str().unwrap().to_string();
        let known = row["time_ms"].as_f64();
        let time =
            known.or(row["time_below_ms"].as_f64().and(row["share"].as_f64()).map(|s| s * mean));
        (name, nodes(row), time.unwrap())
    };
    rows.map(row).collect()
}

/// Nodes of an operator; one that has its node's name names no others.
fn nodes(row: &Value) -> Vec<String> {
    let listed = row["nodes"].as_str().or(row["name"].as_str()).unwrap();
    listed.split("; ").map(str::to_string).collect()
}

#[test]
fn blocks_add_up_to_the_latency_and_hold_what_their_operators_take() {
    let place = Place::new();
    let cnn = model("cnn");
    // By a script, an operator of tract takes 100 us, and the classifier 700 us.
    let times =
        object!({"cnn.onnx": {"operator_ns": 100_000, "operators": {"/classifier/Gemm": 700_000}}});
    let script = Script::new(&place, times, &[]);
    script.succeed(&["record", &cnn, "--iterations", "3", "--out", "whole", "--no-roofs"]);
    let run = ["xray", &cnn, "--engine", "tract", "--blocks", "6", "--launches", "2"];
    script.succeed(&[&run, &["--iterations", "3", "--out", "out", "--no-roofs"][..]].concat());
    let (figures, whole) = (figures(&place, "out"), figures(&place, "whole"));
    let blocks = blocks(&figures);
    assert!((3..=6).contains(&blocks.len()), "{blocks:?}");
    let latency = figures["model"]["latency_median_ms"].as_f64().unwrap();
    assert_eq!(figures["model"]["latency_median_ms"], whole["model"]["latency_median_ms"]);
    let sum: f64 = blocks.iter().map(|(_, _, time)| time).sum();
    assert!((sum - latency).abs() < 1e-9, "{sum} of {latency}");
    // Both sides of a cut together have the kernels of the whole, but for few that change its layout:
    // each takes 0.1 ms.
    let columns = ["--level", "operator", "--columns", "number,attributes", "--format", "json"];
    let rows = json(&place.succeed(&[&["summary", "out", "--all"], &columns[..]].concat()));
    let adds = |row: &Value| -> Option<Vec<f64>> {
        let (_, adds) = row["attributes"].as_str()?.split_once("cut behind it adds=")?;
        let words = adds.split([' ', '(', ')', ';']).filter_map(|word| word.parse().ok());
        Some(words.take(3).collect())
    };
    let adds: Vec<Vec<f64>> =
        rows["operators"].as_array().unwrap().iter().filter_map(adds).collect();
    assert_eq!(adds.len(), blocks.len() - 1, "{rows}");
    for own in adds {
        let operators = own[0] / 0.1;
        assert!((operators - operators.round()).abs() < 1e-6 && operators.abs() < 10.0, "{own:?}");
        assert!(own.iter().all(|time| *time == own[0]), "the same in each round: {own:?}");
    }
    // Each node is in one block.
    let nodes: Vec<&String> = blocks.iter().flat_map(|(_, nodes, _)| nodes).collect();
    assert_eq!(nodes.iter().collect::<BTreeSet<_>>().len(), nodes.len());
    // What the operators of a block take by themselves, it takes together, but for what its two cuts add:
    // a kernel or two each, of which a part is in it.
    let operators = whole["operators"].as_array().unwrap();
    for (name, nodes, time) in &blocks {
        let within = operators
            .iter()
            .filter(|operator| self::nodes(operator).iter().all(|node| nodes.contains(node)));
        let sum: f64 = within.map(|operator| operator["time_ms"].as_f64().unwrap()).sum();
        assert!((time - sum).abs() < 0.201, "{name}: {time} ms, {sum} ms of operators");
    }
    let slowest = blocks.iter().max_by(|a, b| a.2.total_cmp(&b.2)).unwrap();
    assert!(slowest.1.contains(&"/classifier/Gemm".to_string()), "{slowest:?}");
}

#[test]
fn a_slower_operator_is_found_in_its_block_and_in_no_other() {
    let place = Place::new();
    let cnn = model("cnn");
    std::fs::copy(&cnn, place.path("slower.onnx")).unwrap();
    let times = |gemm: u64| {
        let operators = object!({"/classifier/Gemm": gemm});
        object!({"operator_ns": 100_000, "noise": 0.02, "operators": operators})
    };
    let times = object!({"cnn.onnx": times(700_000), "slower.onnx": times(1_000_000)});
    let script = Script::new(&place, times, &[]);
    let run = ["xray", &cnn, "--against", "slower.onnx", "--engine", "tract", "--blocks", "6"];
    let length = ["--launches", "6", "--iterations", "6", "--no-roofs", "--out", "out"];
    script.succeed(&[&run[..], &length].concat());
    let [a, b] = ["out/cnn", "out/slower"];
    let compared =
        json(&place.succeed(&["compare", a, b, "--format", "json", "--all", "--no-fold"]));
    let layers = compared["layers"].as_array().unwrap();
    let slower: Vec<&Value> = layers.iter().filter(|layer| layer["verdict"] == "slower").collect();
    let [slower] = slower[..] else { panic!("{layers:?}") };
    assert!(slower["layer"].as_str().unwrap().contains("classifier"), "{slower}");
    assert!(layers.iter().all(|layer| layer["verdict"] != "faster"), "{layers:?}");
}

#[test]
fn another_x_ray_is_cut_where_the_first_one_is() {
    let place = Place::new();
    let cnn = model("cnn");
    let times = object!({"cnn.onnx": {"operator_ns": 100_000}});
    let script = Script::new(&place, times, &[]);
    let usual = ["--engine", "tract", "--launches", "1", "--iterations", "2", "--no-roofs"];
    let run = ["xray", &cnn, "--out"];
    script.succeed(&[&run[..], &["coarse", "--blocks", "4"], &usual].concat());
    script.succeed(&[&run[..], &["same", "--cuts", "coarse"], &usual].concat());
    let nodes = |out: &str| -> Vec<Vec<String>> {
        blocks(&figures(&place, out)).into_iter().map(|(_, nodes, _)| nodes).collect()
    };
    let sorted = |mut all: Vec<Vec<String>>| {
        all.sort();
        all
    };
    assert!(nodes("coarse").len() > 2, "{:?}", nodes("coarse"));
    assert_eq!(sorted(nodes("same")), sorted(nodes("coarse")));
    // Of another model, none of them is there.
    let lstm = model("lstm");
    let refused =
        place.run(&["xray", &lstm, "--dim", "sequence=6", "--cuts", "coarse", "--engine", "tract"]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("no cut of coarse is one of this model"), "{}", refused.err);
    script.succeed(&["record", &cnn, "--iterations", "2", "--out", "whole", "--no-roofs"]);
    let refused = place.run(&["xray", &cnn, "--cuts", "whole"]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("whole is not an x-ray"), "{}", refused.err);
}

#[test]
fn blocks_and_iterations_fit_into_the_time_limit() {
    let place = Place::new();
    let cnn = model("cnn");
    let iterations = |operator: u64, out: &str, options: &[&str]| {
        let times = object!({"cnn.onnx": {"operator_ns": operator}});
        let script = Script::new(&place, times, &[]);
        let run = ["xray", &cnn, "--engine", "tract", "--launches", "2", "--no-roofs", "--out"];
        script.succeed(&[&run[..], &[out], options].concat());
        let figures = figures(&place, out);
        (figures["model"]["iterations"].as_u64().unwrap(), blocks(&figures).len())
    };
    // About 1 ms an inference: all iterations of two launches.
    let (all, blocks) = iterations(100_000, "short", &["--time-limit", "1h"]);
    assert_eq!(all, 20);
    // 2 % of it are less than 0.1 ms, and each operator takes as long.
    let (_, finer) = iterations(100_000, "finer", &["--min-block", "0.05ms", "--time-limit", "1h"]);
    assert!(finer > blocks, "{finer} and {blocks}");
    // About 4 s: as few as there may be.
    assert_eq!(iterations(400_000_000, "long", &["--time-limit", "5m"]).0, 4);
}

#[test]
fn an_engine_that_ends_its_process_on_one_cut_keeps_the_others() {
    let place = Place::new();
    let cnn = model("cnn");
    let times = object!({"cnn.onnx": {"operator_ns": 100_000}});
    let run = ["xray", &cnn, "--engine", "tract", "--launches", "1", "--iterations", "2"];
    let xray = |script: &Script, cuts: [&str; 2], out: &str| {
        let finished = script.run(&[&run[..], &cuts, &["--no-roofs", "--out", out]].concat());
        assert_eq!(finished.code, Some(0), "{}", finished.err);
        let columns = ["--columns", "number,name,nodes", "--format", "json"];
        let rows = ["summary", out, "--level", "operator", "--all", "--no-fold"];
        let rows = json(&place.succeed(&[&rows[..], &columns].concat()));
        let mut rows = rows["operators"].as_array().unwrap().clone();
        rows.sort_by_key(|row| row["number"].as_u64());
        (rows.iter().map(nodes).collect::<Vec<_>>(), finished.err)
    };
    let (all, _) = xray(&Script::new(&place, times.clone(), &[]), ["--blocks", "6"], "all");
    assert!(all.len() > 3, "{all:?}");
    // What is before a cut computes these nodes, but for some that the engine folds.
    let before = |blocks: usize| all[..blocks].iter().map(Vec::len).sum::<usize>();
    let cuts = all.len() - 1;
    let script = Script::new(&place, times.clone(), &[]).ending(&[(before(1), before(2))]);
    let (fewer, said) = xray(&script, ["--cuts", "all"], "fewer");
    let told = format!("on what is before 1 of {cuts} cuts");
    assert!(said.contains("the engine ended its process (") && said.contains(&told), "{said}");
    assert_eq!(fewer.len(), all.len() - 1);
    assert_eq!(fewer[1], [&all[1][..], &all[2]].concat(), "both sides are one");
    assert_eq!((&fewer[0], &fewer[2..]), (&all[0], &all[3..]), "the others are as they were");
    // Without any cut that it survives, the whole is one block.
    let script = Script::new(&place, times, &[]).ending(&[(0, before(cuts))]);
    let (one, said) = xray(&script, ["--cuts", "all"], "one");
    assert_eq!(one, [all.concat()]);
    assert!(said.contains(&format!("before {cuts} of {cuts} cuts")), "{said}");
}

#[test]
fn ctrl_c_ends_an_x_ray_within_an_iteration_and_keeps_those_before() {
    let place = Place::new();
    let cnn = model("cnn");
    // A run of a part is one of many of an iteration.
    let script = Script::new(&place, object!({}), &[("run", "cnn.onnx", 2000, "wait")]);
    let run = ["xray", &cnn, "--engine", "tract", "--blocks", "4", "--launches", "1"];
    let length = ["--iterations", "1000000", "--no-roofs", "--out", "out"];
    let mut program = script.start(&[&run[..], &length].concat());
    let waiting = script.reached(&mut program, "run cnn.onnx 2000");
    program.signal("-INT");
    drop(waiting);
    let finished = program.ended();
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    let figures = figures(&place, "out");
    let read = figures["model"]["iterations"].as_u64().unwrap();
    assert!((1..1000).contains(&read), "{read}");
    let sum: f64 = blocks(&figures).iter().map(|(_, _, time)| time).sum();
    let mean = figures["model"]["typical_mean_ms"].as_f64().unwrap();
    assert!((sum - mean).abs() < 1e-6 * mean, "{sum} of {mean}");
}

/// On engines as they are, whatever time they take.
#[test]
fn models_of_both_engines_are_cut_and_run() {
    let place = Place::new();
    let (lstm, library) = (model("lstm"), library());
    let usual = ["--launches", "1", "--iterations", "2", "--blocks", "5", "--no-roofs"];
    for (model, engine, dimension) in [
        (model("cnn"), "tract", "batch=1"),
        (lstm.clone(), "tract", "sequence=6"),
        (model("encoder"), "onnxruntime", "sequence=16"),
        (lstm, "onnxruntime", "sequence=6"),
    ] {
        let run = ["xray", &model, "--engine", engine, "--dim", dimension, "--out", "out"];
        let own = ["--engine-library", &library];
        let of_engine = if engine == "onnxruntime" { &own[..] } else { &[] };
        place.succeed(&[&run[..], &usual, of_engine].concat());
        let figures = figures(&place, "out");
        let sum: f64 = blocks(&figures).iter().map(|(_, _, time)| time).sum();
        let mean = figures["model"]["typical_mean_ms"].as_f64().unwrap();
        assert!((sum - mean).abs() < 1e-6 * mean, "{model}, {engine}: {sum} of {mean}");
        assert!(blocks(&figures).len() > 1, "{model}, {engine}: {figures}");
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
    let library = self::library();
    let option = ["--engine-library", &library, "--ort", "disable_optimizer=TYPO"];
    let refused = place.run(&[&["xray", &model("cnn")], &option[..]].concat());
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("no graph optimizer `TYPO`"), "{}", refused.err);
    // Whether an engine is installed or not.
    for missing in [["xray", "missing.onnx"], ["tune", "missing.onnx"]] {
        let refused = place.run(&missing);
        assert_eq!(refused.code, Some(1), "{}", refused.err);
        assert!(refused.err.contains("missing.onnx: "), "{}", refused.err);
    }
    let refused = place.run(&["xray", &model("cnn"), "--engine-profiles", "profiles"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("no profiler is at work"), "{}", refused.err);
}

/// Runs of a side write where the one before wrote: not where an output has another shape each time, or
/// is not a tensor.
#[test]
fn outputs_that_cannot_be_written_to_again_are_new_in_each_run() {
    let (place, library) = (Place::new(), library());
    let weights: Vec<f32> = (0..64 * 64).map(|at| (at % 7) as f32 / 64.0).collect();
    let layers = || {
        let tensors = ["x", "a", "b", "c"];
        let product = |at: usize| {
            let name = format!("product{at}");
            node("MatMul", &name, &[tensors[at], "w"], &[tensors[at + 1]])
        };
        (0..3).map(product).collect::<Vec<_>>()
    };
    let whole = |name: &str, more: Vec<Message>, output: Message| {
        let nodes = [layers(), more].concat();
        let constants = vec![floats("w", &[64, 64], &weights)];
        let inputs = vec![value("x", FLOAT, &[64, 64])];
        let outputs = vec![value("c", FLOAT, &[64, 64]), output];
        place.write(name, &onnx_file::model(nodes, constants, inputs, outputs));
    };
    let random = vec![
        node("RandomUniformLike", "random", &["c"], &["r"]),
        node("Round", "round", &["r"], &["ones"]),
        node("NonZero", "places", &["ones"], &["p"]),
    ];
    whole("random.onnx", random, open_value("p", INT64, Some(&["2", "found"])));
    let kind = Message::default().message(1, Message::default().number(1, FLOAT));
    let kind = Message::default().message(4, Message::default().message(1, kind));
    let sequence = vec![node("SequenceConstruct", "sequence", &["c"], &["s"])];
    whole("sequence.onnx", sequence, Message::default().text(1, "s").message(2, kind));
    for name in ["random", "sequence"] {
        let run = ["xray", &format!("{name}.onnx"), "--engine-library", &library, "--out", name];
        let usual = ["--launches", "2", "--iterations", "3", "--blocks", "3", "--no-roofs"];
        place.succeed(&[&run[..], &usual].concat());
        let figures = figures(&place, name);
        let sum: f64 = blocks(&figures).iter().map(|(_, _, time)| time).sum();
        let mean = figures["model"]["typical_mean_ms"].as_f64().unwrap();
        assert!((sum - mean).abs() < 1e-6 * mean, "{name}: {sum} of {mean}");
        assert!(blocks(&figures).len() > 1, "{name}: {figures}");
    }
}
