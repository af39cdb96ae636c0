//! `onnxray record --against`: two models in turns, by iterations or by launches.

use crate::numpy_file::two_numbers;
use crate::onnx_file::{FLOAT, INT64, Message, floats, model as onnx, node, value};
use crate::program::{Finished, Place, json, model};
use crate::script::Script;
use serde_json::{Value, json as object};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHORT: [&str; 6] = ["--iterations", "6", "--warmup", "2", "--unprofiled-iterations", "3"];

/// Records both models into `out`, quickly.
fn record(place: &Place, first: &str, against: &str, more: &[&str]) -> Finished {
    let models = ["record", first, "--against", against, "--out", "out"];
    place.run(&[&models[..], &SHORT, more].concat())
}

fn metadata(trace: &Path) -> Value {
    json(&fs::read_to_string(trace).unwrap())["otherData"].clone()
}

#[test]
fn launches_take_turns_and_each_recording_knows_the_other() {
    let place = Place::new();
    let (encoder, cnn) = (model("encoder"), model("cnn"));
    // The dimension is one of the first model only.
    let more = ["--dim", "sequence=8", "--launches", "4", "--interleave", "launches"];
    let done = record(&place, &encoder, &cnn, &more);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let (first, second) = (place.traces("out/encoder"), place.traces("out/cnn"));
    assert_eq!((first.len(), second.len()), (4, 4));
    let printed: Vec<&str> = done.out.lines().collect();
    let [of_first, of_second] = printed[..] else { panic!("{}", done.out) };
    for (pattern, traces) in [(of_first, &first), (of_second, &second)] {
        let (begin, end) = pattern.split_once('*').unwrap();
        let begin = place.path(begin).display().to_string();
        let is_one = |trace: &PathBuf| {
            let trace = trace.display().to_string();
            trace.starts_with(&begin) && trace.ends_with(end)
        };
        assert!(traces.iter().all(is_one), "{pattern}");
    }

    let mut turns: Vec<(u64, &str, u64, String, std::time::SystemTime)> = Vec::new();
    for (name, own, other) in [("A", &first, &second), ("B", &second, &first)] {
        let other = metadata(&other[0]);
        for trace in own {
            let run = metadata(trace);
            assert_eq!(run["interleaved"]["with"], other["recording"]);
            assert_ne!(run["recording"], other["recording"]);
            assert_eq!(run["launches_planned"], 4);
            assert_eq!(run["interleaved"]["turn"], Value::Null);
            let position = run["interleaved"]["position"].as_u64().unwrap();
            let began = run["started_at"].as_str().unwrap().to_string();
            let ended = trace.metadata().unwrap().modified().unwrap();
            turns.push((position, name, run["launch"].as_u64().unwrap(), began, ended));
        }
    }
    turns.sort();
    let order: Vec<&str> = turns.iter().map(|turn| turn.1).collect();
    assert_eq!(order, ["A", "B", "B", "A", "A", "B", "B", "A"]);
    let numbers: Vec<u64> = turns.iter().map(|turn| turn.2).collect();
    assert_eq!(numbers, [0, 0, 1, 1, 2, 2, 3, 3]);
    let positions: Vec<u64> = turns.iter().map(|turn| turn.0).collect();
    assert_eq!(positions, (0..8).collect::<Vec<_>>());
    // Starts are whole seconds; files are as exact as their system.
    assert!(turns.is_sorted_by(|a, b| a.3 <= b.3 && a.4 <= b.4), "{turns:?}");

    for (folder, profile) in [("out/encoder", "baseline"), ("out/cnn", "cnn")] {
        let summary = place.figures(folder);
        assert_eq!(summary["model"]["launches"], 4);
        assert_eq!(summary["model"]["profiled_iterations"], 24);
        assert_eq!(summary["model"]["profile"], profile);
    }
    for expected in [
        "note: with fewer than 10 launches of each model, a comparison misses what changes",
        "\nNot comparable: input shapes differ.\n",
        "\nRecordings: 'out/encoder/profiling_trace/profiling_",
        "_*.json' (4 launches)\n",
        "\nhint: onnxray compare out/encoder out/cnn\n",
    ] {
        assert!(done.err.contains(expected), "{expected} in\n{}", done.err);
    }

    let trace = second[2].to_str().unwrap();
    place.succeed(&["convert", trace, "-o", "converted.json"]);
    let converted = metadata(&place.path("converted.json"));
    assert_eq!(converted["interleaved"], metadata(&second[2])["interleaved"]);
    assert_eq!(converted["interleaved"]["position"], 5);
}

#[test]
fn the_comparison_of_both_is_written_where_it_is_asked_for() {
    let place = Place::new();
    let cnn = model("cnn");
    for (option, file) in [("-o", "comparison.html"), ("--report", "comparison.xlsx")] {
        let done = record(&place, &cnn, &cnn, &["--launches", "2", option, file]);
        assert_eq!(done.code, Some(0), "{}", done.err);
        let printed: Vec<&str> = done.out.lines().collect();
        let [written, of_first, of_second] = printed[..] else { panic!("{}", done.out) };
        assert_eq!(written, file);
        for (pattern, folder) in [(of_first, "cnn-a"), (of_second, "cnn-b")] {
            let begin = format!("out/{folder}/profiling_trace/profiling_cnn_20");
            assert!(pattern.starts_with(&begin), "{pattern}");
        }
        assert!(fs::metadata(place.path(file)).unwrap().len() > 1000, "{file}");
    }
    assert!(fs::read_to_string(place.path("comparison.html")).unwrap().contains("cnn-b"));
    assert!(place.tables("out/cnn-a")[0].to_str().unwrap().contains("/profiling_cnn_20"));
}

#[test]
fn models_of_one_name_get_folders_of_their_own() {
    let place = Place::new();
    for (folder, name) in [("dense", "cnn"), ("sparse", "scan")] {
        fs::create_dir(place.path(folder)).unwrap();
        fs::copy(model(name), place.path(folder).join("model.onnx")).unwrap();
    }
    let names = ["--dim", "frames=4", "--name", "old", "--against-name", "new"];
    let more = [&names[..], &["--launches", "10", "--interleave", "launches"]].concat();
    let done = record(&place, "dense/model.onnx", "sparse/model.onnx", &more);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(!done.err.contains("fewer than"), "{}", done.err);
    assert!(
        done.err.ends_with("\nhint: onnxray compare out/model-a out/model-b\n"),
        "{}",
        done.err
    );
    let [first, second] = ["out/model-a", "out/model-b"].map(|out| place.figures(out));
    assert_eq!(
        (&first["model"]["profile"], &second["model"]["profile"]),
        (&"old".into(), &"new".into())
    );
    assert_eq!(first["model"]["dimensions"], "batch=1");
    assert!(second["model"]["dimensions"].as_str().unwrap().contains("frames=4"));
}

#[test]
fn what_a_model_is_refused_for_costs_no_launch_and_leaves_nothing() {
    let place = Place::new();
    let (encoder, cnn) = (model("encoder"), model("cnn"));
    place.write("notes.onnx", b"just some text, not a model at all");
    place.write("ids.npy", &two_numbers(1, 2));
    let refused = |first: &str, against: &str, more: &[&str], expected: &str| {
        let finished = record(&place, first, against, more);
        assert_eq!((finished.code, finished.out.as_str()), (Some(1), ""));
        assert!(finished.err.starts_with(expected), "{}", finished.err);
        assert!(!place.path("out").exists(), "a failed run leaves nothing behind");
    };
    refused(&cnn, "gone.onnx", &[], "error: gone.onnx: No such file or directory");
    refused(&cnn, "notes.onnx", &[], "error: notes.onnx: not a whole ONNX model: ");
    refused("notes.onnx", &cnn, &[], "error: notes.onnx: not a whole ONNX model: ");
    let unsized_dimension = format!("error: {encoder}: dimension `sequence` of inputs `input_ids`");
    refused(&cnn, &encoder, &[], &unsized_dimension);
    let unknown_dimension = format!(
        "error: neither model has a free dimension `frames`\n\
         hint: those of {cnn} are batch; those of {encoder} are batch, sequence\n"
    );
    let sizes = ["--dim", "sequence=2", "--dim", "frames=2"];
    refused(&cnn, &encoder, &sizes, &unknown_dimension);
    let no_input = format!("error: {cnn}: the model has no input `input_ids`\nhint: ");
    let input = ["--dim", "sequence=2", "--input", "input_ids=ids.npy"];
    refused(&cnn, &encoder, &input, &no_input);
    let wrong_input =
        format!("error: {encoder}: input `input_ids` should be s64 of shape 1x2, but ");
    refused(&encoder, &encoder, &input, &wrong_input);
}

#[test]
fn wrong_usage_is_told_apart() {
    let place = Place::new();
    let alone = place.run(&["record", "a.onnx", "--against-name", "b"]);
    assert_eq!(alone.code, Some(2));
    assert!(alone.err.contains("needs a second recording: --against MODEL.onnx"), "{}", alone.err);
}

/// A model that selects rows of a table of this many.
fn table(rows: u64) -> Vec<u8> {
    onnx(
        vec![node("Gather", "/embedding/Gather", &["table", "ids"], &["y"])],
        vec![floats("table", &[rows, 2], &vec![0.0; rows as usize * 2])],
        vec![value("ids", INT64, &[2])],
        vec![value("y", FLOAT, &[2, 2])],
    )
}

#[test]
fn a_model_that_fails_is_refused_before_anything_is_recorded() {
    let place = Place::new();
    place.write("large.onnx", &table(100));
    place.write("small.onnx", &table(4));
    place.write("ids.npy", &two_numbers(1, 99));
    for turns in ["iterations", "launches"] {
        let more = ["--launches", "3", "--interleave", turns, "--input", "ids=ids.npy"];
        let failed = record(&place, "large.onnx", "small.onnx", &more);
        assert_eq!((failed.code, failed.out.as_str()), (Some(1), ""), "{}", failed.err);
        let reason =
            "error: small.onnx: the model fails in operator `/embedding/Gather` (Gather): ";
        assert!(failed.err.starts_with(reason), "{}", failed.err);
        assert!(!place.path("out").exists());
    }
}

#[test]
fn a_model_that_fails_later_keeps_the_iterations_of_both() {
    let place = Place::new();
    fs::copy(model("scan"), place.path("unlucky.onnx")).unwrap();
    let cnn = model("cnn");
    // Each runs three times to be tried out, and then an iteration a turn; they swap places
    // every other round.
    for (runs, iterations) in [(3 + 41, [41, 40]), (3 + 42, [41, 41])] {
        let script = Script::new(&place, object!({}), &[("run", "unlucky.onnx", runs, "fail")]);
        let out = format!("out{runs}");
        let models = ["record", &cnn, "--against", "unlucky.onnx", "--out", &out];
        let schedule = ["--iterations", "1000000", "--warmup", "0", "--unprofiled-iterations", "0"];
        let more = ["--dim", "frames=8", "--iterations-per-turn", "1", "--launches", "3"];
        let failed = script.run(&[&models[..], &schedule, &more].concat());
        assert_eq!(failed.code, Some(1), "{}", failed.err);
        let reason = "unlucky.onnx: the model fails in operator ";
        assert!(failed.err.contains(reason), "{}", failed.err);
        let folders = ["cnn", "unlucky"].map(|name| format!("{out}/{name}"));
        let counts = folders
            .each_ref()
            .map(|folder| place.figures(folder)["model"]["iterations"].as_u64().unwrap());
        assert_eq!(counts, iterations, "{}", failed.err);
        assert!(failed.err.contains(&format!("\nhint: onnxray compare {}\n", folders.join(" "))));
        // That of the model that did not fail is closed properly.
        assert!(!place.run(&["summary", &folders[0]]).err.contains("ends early"));
        place.succeed(&["compare", &folders[0], &folders[1], "--allow-model-mismatch"]);
    }
}

/// Start and end of every iteration of a trace, in microseconds, with a letter: small for
/// plain ones.
fn iterations(trace: &Path, letter: char) -> Vec<(f64, f64, char)> {
    let trace = json(&fs::read_to_string(trace).unwrap());
    let events = trace["traceEvents"].as_array().unwrap().iter();
    let iterations = events.filter_map(|event| {
        let letter = match event["cat"].as_str()? {
            "iteration" => letter,
            "plain_iteration" => letter.to_ascii_lowercase(),
            _ => return None,
        };
        let start = event["ts"].as_f64().unwrap();
        Some((start, start + event["dur"].as_f64().unwrap(), letter))
    });
    iterations.collect()
}

#[test]
fn both_models_run_in_one_process_a_few_iterations_each() {
    let place = Place::new();
    let (encoder, cnn) = (model("encoder"), model("cnn"));
    let more = ["--dim", "sequence=8", "--launches", "3", "--iterations-per-turn", "2"];
    let done = record(&place, &encoder, &cnn, &more);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let (first, second) = (place.traces("out/encoder"), place.traces("out/cnn"));
    assert_eq!((first.len(), second.len()), (3, 3));
    // Warm-up, then measured and plain; the last turns of plain ones are shorter.
    let even = "AABB AABBaabb BBAAba AABB";
    let odd: String = even
        .chars()
        .map(|letter| match letter {
            'A' => 'B',
            'B' => 'A',
            'a' => 'b',
            'b' => 'a',
            other => other,
        })
        .collect();
    for (launch, (a, b)) in first.iter().zip(&second).enumerate() {
        let runs = [metadata(a), metadata(b)];
        assert_eq!(runs[0]["process"], runs[1]["process"]);
        for (side, run) in runs.iter().enumerate() {
            assert_eq!(run["interleaved"]["turn"], 2);
            assert_eq!(run["interleaved"]["with"], runs[1 - side]["recording"]);
            let place = if launch == 1 { 1 - side } else { side };
            assert_eq!(run["interleaved"]["position"], 2 * launch + place);
            assert_eq!(run["launch"], launch);
        }
        let mut all = [iterations(a, 'A'), iterations(b, 'B')].concat();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(all.windows(2).all(|pair| pair[0].1 <= pair[1].0), "one clock: {all:?}");
        let order: String = all.iter().map(|iteration| iteration.2).collect();
        let expected = if launch == 1 { &odd } else { even };
        assert_eq!(order, expected.replace(' ', ""), "launch {launch}");
    }
    for out in ["out/encoder", "out/cnn"] {
        assert_eq!(place.figures(out)["model"]["profiled_iterations"], 18);
    }
}

#[test]
fn two_configurations_of_one_model_are_recordings_of_their_own() {
    let place = Place::new();
    let encoder = model("encoder");
    let start = ["record", &encoder, "--dim", "sequence=8", "--out", "out", "--launches", "1"];
    let own = ["--against-options", "--threads 2 --dim sequence=16 --batch-size 3"];
    let done = place.run(&[&start[..], &SHORT, &own].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    let runs = ["out/encoder-a", "out/encoder-b"].map(|out| metadata(&place.traces(out)[0]));
    assert_eq!(runs[0]["model_sha256"], runs[1]["model_sha256"]);
    assert_eq!([&runs[0]["threads"], &runs[1]["threads"]], [1, 2]);
    assert_eq!([&runs[0]["batch_size"], &runs[1]["batch_size"]], [1, 3]);
    let sequence = |run: &Value| run["dimensions"][1]["size"].clone();
    assert_eq!([sequence(&runs[0]), sequence(&runs[1])], [8, 16]);
    assert_eq!(runs[1]["profile"], own[1]);
    let refused = |options: &str, expected: &str| {
        let refused = place.run(&["record", &encoder, "--against-options", options]);
        assert_eq!(refused.code, Some(2), "{}", refused.err);
        assert!(refused.err.contains(expected), "{expected} in\n{}", refused.err);
    };
    refused("--seed 3", "--seed");
    refused("--threads many", "many");
    refused("'--threads 2", "a quote is not closed");
}

/// Two models whose runs take known times, with a noise of so much around them.
fn timed(noise: f64) -> Value {
    let times = |run: u64| object!({"operator_ns": 0, "overhead_ns": run, "noise": noise});
    object!({"cnn.onnx": times(1_000_000), "copy.onnx": times(1_100_000)})
}

#[test]
fn a_recording_in_turns_goes_on_until_it_is_precise() {
    let place = Place::new();
    let cnn = model("cnn");
    place.write("copy.onnx", &fs::read(&cnn).unwrap());
    let script = Script::new(&place, timed(0.05), &[]);
    let models = ["record", &cnn, "--against", "copy.onnx", "--out", "out", "--until", "1%"];
    let done = script.run(&[&models[..], &SHORT].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    let known = done.err.split("note: the ratio is known to within ").nth(1).unwrap();
    let (reached, rest) = known.split_once(" % after ").unwrap();
    assert!(reached.parse::<f64>().unwrap() <= 1.0, "{}", done.err);
    let launches: usize = rest.split(' ').next().unwrap().parse().unwrap();
    // Fewer have no interval to speak of.
    assert!(launches >= 4 && place.traces("out/cnn").len() == launches, "{}", done.err);
    assert_eq!(place.traces("out/copy").len(), launches);
    assert_eq!(metadata(&place.traces("out/cnn")[0])["launches_planned"], Value::Null);
}

/// Without a difference there are no causes, and the verdict is said all the same.
#[test]
fn a_verdict_needs_no_causes() {
    let place = Place::new();
    let cnn = model("cnn");
    place.write("copy.onnx", &fs::read(&cnn).unwrap());
    let times = object!({"operator_ns": 1_000, "overhead_ns": 1_000_000, "noise": 0.001});
    let script = Script::new(&place, object!({"cnn.onnx": times.clone(), "copy.onnx": times}), &[]);
    let models = ["record", &cnn, "--against", "copy.onnx", "--out", "out", "--launches", "5"];
    let done = script.run(&[&models[..], &SHORT].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    // Lines end where a screen does.
    let said = done.err.replace('\n', " ");
    assert!(said.contains(" pairs of iterations in 5 launches, interleaved. "), "{}", done.err);
    let why = " Causes are not listed: there is no difference that matters; ";
    assert!(said.contains(why) && !said.contains("no column"), "{}", done.err);
}

#[test]
fn a_recording_in_turns_ends_when_its_time_is_spent() {
    let place = Place::new();
    let cnn = model("cnn");
    place.write("copy.onnx", &fs::read(&cnn).unwrap());
    let script = Script::new(&place, timed(0.05), &[]);
    let start = ["record", &cnn, "--against", "copy.onnx", "--until", "0.0001%"];
    let spent = |limit: &str, out: &str| {
        let more = ["--time-limit", limit, "--out", out];
        let done = script.run(&[&start[..], &SHORT, &more].concat());
        assert_eq!(done.code, Some(0), "{}", done.err);
        let launches = place.traces(&format!("{out}/copy")).len();
        assert_eq!(place.traces(&format!("{out}/cnn")).len(), launches);
        (launches, done.err)
    };
    let (launches, said) = spent("0.001s", "one");
    assert_eq!(launches, 1, "however short the time limit is, something comes of it");
    assert!(said.contains("after 1 launch cannot be said"), "{said}");
    // A launch runs each model 12 times and takes 25 ms, and 2.5 for its chains; the fifth is over
    // after 138.
    let (launches, said) = spent("0.12s", "some");
    assert_eq!(launches, 5, "{said}");
    assert!(said.contains(&format!("after {launches} launches, not 0.0001 %")), "{said}");
}

#[test]
fn ctrl_c_keeps_both_recordings() {
    let place = Place::new();
    let (cnn, encoder) = (model("cnn"), model("encoder"));
    // Both are tried out in three runs; then the launch of the first one runs, and of the second.
    let script = Script::new(&place, object!({}), &[("run", "encoder.onnx", 3 + 10, "wait")]);
    let sizes = ["--dim", "sequence=8", "--launches", "3"];
    let length = ["--iterations", "20", "--warmup", "0", "--unprofiled-iterations", "0"];
    let start = ["record", &cnn, "--against", &encoder, "--out", "out", "--interleave", "launches"];
    let mut program = script.start(&[&start[..], &sizes, &length].concat());
    let waiting = script.reached(&mut program, "run encoder.onnx 13");
    // The launch gets the signal and the end of its input during one iteration.
    program.signal_all("-INT");
    drop(waiting);
    let finished = program.ended();
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    for expected in [
        "interrupted; what was recorded until then is kept\n",
        "\nRecordings: out/cnn/profiling_trace/profiling_",
        "\n            out/encoder/profiling_trace/profiling_",
        "\nhint: onnxray compare out/cnn out/encoder\n",
    ] {
        assert!(finished.err.contains(expected), "{expected} in\n{}", finished.err);
    }
    for out in ["out/cnn", "out/encoder"] {
        assert_eq!((place.traces(out).len(), place.tables(out).len()), (1, 1), "{out}");
        let summary = place.run(&["summary", out, "--level", "model"]);
        assert_eq!(summary.code, Some(0), "{}", summary.err);
        assert!(!summary.err.contains("ends early"), "closed properly: {}", summary.err);
    }
}

#[test]
fn names_of_models_are_words_of_the_shell_and_command_no_terminal() {
    let place = Place::new();
    let name = "it's \u{1b}[31m\nhint: $(touch made)";
    let model_file = format!("{name}.onnx");
    fs::copy(model("cnn"), place.path(&model_file)).unwrap();
    let done = record(&place, &model_file, &model("cnn"), &[]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(!done.err.contains('\u{1b}'), "{}", done.err);
    let hints: Vec<&str> = done.err.lines().filter(|line| line.starts_with("hint: ")).collect();
    let [hint] = hints.as_slice() else { panic!("{}", done.err) };
    // A shell makes the two folders of it, and runs nothing.
    let words = hint.strip_prefix("hint: onnxray compare ").unwrap();
    let script = format!("printf '%s\\0' {words}");
    let shell = Command::new("bash").args(["-c", &script]).current_dir(place.path("")).output();
    let expected = format!("out/{name}\0out/cnn\0");
    assert_eq!(String::from_utf8(shell.unwrap().stdout).unwrap(), expected);
    assert!(!place.path("made").exists());

    // What goes wrong with such names stays on the line of the error.
    let broken = place.write(&format!("{name}.broken"), b"no model");
    for arguments in [
        vec!["record", broken.to_str().unwrap()],
        vec!["flops", broken.to_str().unwrap()],
        vec!["record", &model_file, "--dim", "a\nhint: b=1"],
        vec!["record", &model_file, "--input", "a\nhint: b=gone.npy"],
        vec!["record", &model_file, "--against", &model_file, "--dim", "a\nhint: b=1"],
    ] {
        let refused = place.run(&arguments);
        assert_eq!(refused.code, Some(1));
        let is_kind = |line: &str| line.starts_with("error: ") || line.starts_with("hint: ");
        assert!(refused.err.lines().all(is_kind), "{}", refused.err);
        assert_eq!(refused.err.lines().count(), 2, "{}", refused.err);
        assert!(!refused.err.contains('\u{1b}'), "{}", refused.err);
        assert!(!refused.err.contains("hint: b") || refused.err.contains("\\nhint: b"));
    }
}

#[test]
fn a_size_is_asked_for_in_a_word_of_the_shell() {
    let place = Place::new();
    let mut named = value("x", FLOAT, &[]);
    // The dimension's name is not a word.
    let dimension = Message::default().text(2, "past tokens");
    let shape = Message::default().message(1, dimension);
    let tensor = Message::default().number(1, FLOAT).message(2, shape);
    named = named.message(2, Message::default().message(1, tensor));
    let relu = node("Relu", "r", &["x"], &["y"]);
    place.write("m.onnx", &onnx(vec![relu], vec![], vec![named], vec![value("y", FLOAT, &[])]));
    let missing = place.run(&["record", "m.onnx"]);
    assert!(
        missing.err.ends_with("hint: give it with --dim 'past tokens=SIZE'\n"),
        "{}",
        missing.err
    );
}

#[test]
fn ctrl_c_ends_both_models_of_a_process_after_a_whole_round() {
    let place = Place::new();
    let (cnn, encoder) = (model("cnn"), model("encoder"));
    let script = Script::new(&place, object!({}), &[("run", "encoder.onnx", 3 + 20, "wait")]);
    let sizes = ["--dim", "sequence=8", "--launches", "3"];
    let length = ["--iterations", "10000", "--warmup", "0", "--iterations-per-turn", "3"];
    let start = ["record", &cnn, "--against", &encoder, "--out", "out"];
    let mut program = script.start(&[&start[..], &sizes, &length].concat());
    let waiting = script.reached(&mut program, "run encoder.onnx 23");
    program.signal_all("-INT");
    drop(waiting);
    let finished = program.ended();
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    let counts = ["out/cnn", "out/encoder"].map(|out| {
        assert_eq!((place.traces(out).len(), place.tables(out).len()), (1, 1), "{out}");
        let summary = place.run(&["summary", out, "--level", "model"]);
        assert!(!summary.err.contains("ends early"), "closed properly: {}", summary.err);
        place.figures(out)["model"]["iterations"].as_u64().unwrap()
    });
    assert_eq!(counts[0], counts[1]);
    assert_eq!(counts[0] % 3, 0);
}
