//! `onnxray record`: files, events, options.

use crate::json_schemas::valid;
use crate::program::{Place, json, model, python};
use crate::recorder::{MODELS, record};
use crate::script::Script;
use serde_json::{Value, json as object};
use std::collections::BTreeMap;
use std::process::Command;

#[test]
fn every_bundled_model_is_recorded_summarized_and_reported() {
    for (name, _) in MODELS {
        let place = Place::new();
        record(&place, name, "out", &[]);
        let summary =
            valid("summary", &place.succeed(&["summary", "out", "--all", "--format", "json"]));
        assert_eq!(summary["model"]["profiled_iterations"], 6, "{name}");
        assert!(summary["model"]["latency_median_ms"].as_f64().unwrap() > 0.0);
        shares_add_up(&summary, name);
        place.succeed(&["report", "out", "-o", "report.xlsx"]);
        assert!(place.path("report.xlsx").metadata().unwrap().len() > 10_000);
    }
}

/// Types and overhead make up the whole; operators make up the types.
fn shares_add_up(summary: &Value, name: &str) {
    let sum = |table: &str, key: &str| -> f64 {
        let rows = summary[table].as_array().unwrap();
        rows.iter().filter_map(|row| row[key].as_f64()).sum()
    };
    let mean = summary["model"]["typical_mean_ms"].as_f64().unwrap();
    // Times without what profiling costs are whole nanoseconds, each rounded by itself.
    let count = summary["operators"].as_array().unwrap().len();
    let rounding = 1e-6 * count as f64 / mean;
    assert!((sum("operator_types", "share") - 1.0).abs() < rounding, "{name}");
    let overhead = summary["model"]["overhead_share_percent"].as_f64().unwrap() / 100.0;
    assert!((sum("operators", "share") + overhead - 1.0).abs() < rounding, "{name}");
    // Or a type takes too little to be told from the profiler.
    let types = summary["operator_types"].as_array().unwrap().iter();
    let time = |row: &Value| row["time_ms"].as_f64().or(Some(row["share"].as_f64()? * mean));
    let whole: f64 = types.filter_map(time).sum();
    assert!((whole / mean - 1.0).abs() < rounding, "{name}");
}

#[test]
fn files_lie_where_the_profilers_users_look() {
    let place = Place::new();
    let out = record(&place, "cnn", "engine_profiling", &[]);
    let trace = &place.traces("engine_profiling")[0];
    assert_eq!(
        out.trim(),
        format!("engine_profiling/profiling_trace/{}", trace.file_name().unwrap().display())
    );
    let table = &place.tables("engine_profiling")[0];
    assert_eq!(trace.file_stem(), table.file_stem());
    let name = trace.file_stem().unwrap().to_str().unwrap();
    let pattern: String = name.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(pattern, "profiling_cnn_0000-00-00_00-00-00_0");
}

/// The encoder has a matrix of two rows, which blocks of four do not divide.
#[test]
fn tables_read_back_without_a_loss() {
    let place = Place::new();
    for model in ["encoder", "lstm", "scan", "cnn-int8"] {
        record(&place, model, model, &["--iterations", "2"]);
        let table = place.tables(model)[0].display().to_string();
        place.succeed(&["summary", &table, "--strict"]);
    }
}

/// Helpers are added to their operators, as in the tables of the trace; what profiling costs is in
/// the times, which are as they were measured.
#[test]
fn a_table_has_the_operators_of_the_trace() {
    for (name, _) in MODELS {
        let place = Place::new();
        record(&place, name, "out", &["--iterations", "2"]);
        let operators = |input: &str| -> BTreeMap<String, Option<f64>> {
            let levels = ["--level", "operator", "--all", "--format", "json"];
            let found = json(&place.succeed(&[&["summary", input][..], &levels].concat()));
            let rows = found["operators"].as_array().unwrap().iter();
            let measured = |row: &Value| {
                let profiling = row["profiling_us"].as_f64().unwrap_or(0.0) / 1e3;
                Some(row["time_ms"].as_f64()? + profiling)
            };
            rows.map(|row| (row["name"].as_str().unwrap().to_string(), measured(row))).collect()
        };
        let of_trace = operators("out");
        let of_table = operators(&place.tables("out")[0].display().to_string());
        let names = |of: &BTreeMap<String, Option<f64>>| of.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&of_table), names(&of_trace), "{name}");
        // A table has six decimals.
        for (operator, times) in of_trace.iter().map(|(name, time)| (name, (*time, of_table[name])))
        {
            if let (Some(time), Some(in_table)) = times {
                assert!((time - in_table).abs() < 1e-6, "{name}: {operator}: {times:?}");
            }
        }
    }
}

/// Checked by Python, which shares no code with us.
const NESTING: &str = r#"
import json, sys
trace = json.load(open(sys.argv[1]))
events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
model, = [e for e in events if e["cat"] == "inference"]
iterations = [e for e in events if e["cat"] == "iteration"]
operators = [e for e in events if "op" in e["args"]]
end = lambda e: round((e["ts"] + e["dur"]) * 1000)
inside = lambda a, b: b["ts"] <= a["ts"] and end(a) <= end(b)
assert model["name"] == "model_inference"
assert [e["name"] for e in iterations] == [f"Iteration{i}" for i in range(8)]
assert all(inside(e, model) for e in iterations)
assert all(any(inside(e, i) for i in iterations) for e in operators)
for i in iterations:
    own = sorted((e for e in operators if inside(e, i)), key=lambda e: (e["ts"], -e["dur"]))
    assert own
    for a, b in zip(own, own[1:]):
        assert inside(b, a) or end(a) <= round(b["ts"] * 1000), (a, b)
first = operators[0]["args"]
assert set(first) == {"op", "forward_time", "input_tensor_name", "input_type",
    "input_shape", "output_tensor_name", "output_type", "output_shape", "attributes", "facts"}
assert first["forward_time"].endswith("ms")
later = [e for e in operators if inside(e, iterations[-1])]
assert all(set(e["args"]) == {"op"} for e in later)
assert trace["displayTimeUnit"] == "ns"
print(len(operators))
"#;

#[test]
fn the_trace_is_accepted_by_another_reader_and_nests() {
    for name in ["encoder", "scan", "lstm"] {
        let place = Place::new();
        record(&place, name, "out", &[]);
        let output = Command::new(python())
            .args(["-c", NESTING])
            .arg(&place.traces("out")[0])
            .output()
            .expect("python3 is needed for this test");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn iterations_are_conserved_to_the_nanosecond() {
    let place = Place::new();
    record(&place, "scan", "out", &[]);
    let text = place.succeed(&["summary", "out", "--level", "iteration", "--format", "json"]);
    let iterations = json(&text)["iterations"].as_array().unwrap().clone();
    let count = |kind: &str| iterations.iter().filter(|row| row["kind"] == kind).count();
    assert_eq!((count("warm-up"), count("measured"), count("plain")), (2, 6, 3));
    for row in iterations.iter().filter(|row| row["kind"] != "plain") {
        let nanoseconds = |time: f64| (time * 1e6).round() as u64;
        let known = |key: &str| nanoseconds(row[key].as_f64().unwrap());
        // On a machine under load, chains may not settle: then nothing is taken out.
        let profiling = nanoseconds(row["profiling_ms"].as_f64().unwrap_or(0.0));
        let parts = known("operators_ms") + profiling + known("overhead_ms");
        assert_eq!(parts, known("latency_ms"), "{row}");
    }
}

#[test]
fn launches_are_processes_of_their_own_with_one_name() {
    let place = Place::new();
    let out =
        record(&place, "cnn", "out", &["--launches", "3", "--name", "tuned", "--threads", "2"]);
    let traces = place.traces("out");
    // One line, which is what other commands take.
    assert!(out.ends_with("_*.json\n") && out.lines().count() == 1, "{out}");
    let summary = json(&place.succeed(&["summary", out.trim_end(), "--format", "json"]));
    assert_eq!(summary["model"]["launches"], 3);
    let stem = |index: usize| traces[index].file_stem().unwrap().to_str().unwrap().to_string();
    assert!(stem(0).ends_with("_0") && stem(2).ends_with("_2"));
    assert_eq!(stem(0).trim_end_matches('0'), stem(1).trim_end_matches('1'));
    let summary =
        json(&place.succeed(&["summary", "out", "--level", "model,launch", "--format", "json"]));
    assert_eq!(summary["launches"].as_array().unwrap().len(), 3);
    assert_eq!(summary["model"]["profiled_iterations"], 18);
    assert_eq!(summary["model"]["profile"], "tuned");
    assert_eq!(summary["model"]["threads"], 2);
    let processes: std::collections::BTreeSet<u64> = traces
        .iter()
        .map(|trace| {
            json(&std::fs::read_to_string(trace).unwrap())["otherData"]["process"].as_u64().unwrap()
        })
        .collect();
    assert_eq!(processes.len(), 3);
}

#[test]
fn inputs_come_from_files_and_sizes_from_options() {
    let place = Place::new();
    let script = "import struct,sys\n\
        def npy(path, descr, shape, data):\n\
        \x20 h=str({'descr':descr,'fortran_order':False,'shape':shape}).encode()\n\
        \x20 h+=b' '*(63-(len(h)+10)%64)+b'\\n'\n\
        \x20 open(path,'wb').write(b'\\x93NUMPY\\x01\\x00'+struct.pack('<H',len(h))+h+data)\n\
        npy('ids.npy','<i8',(2,5),struct.pack('<10q',*range(10)))\n\
        npy('wrong.npy','<i8',(2,6),bytes(96))\n\
        npy('float.npy','<f4',(2,5),bytes(40))\n\
        import zipfile\n\
        archive=zipfile.ZipFile('all.npz','w')\n\
        archive.write('ids.npy','input_ids.npy')\n\
        archive.write('ids.npy','other.npy')\n\
        archive.close()\n\
        archive=zipfile.ZipFile('twice.npz','w')\n\
        archive.write('ids.npy','input_ids.npy')\n\
        archive.write('float.npy','input_ids.npy')\n\
        archive.close()\n";
    let made = Command::new(python()).args(["-c", script]).current_dir(place.path("")).status();
    assert!(made.expect("python3 is needed for this test").success());
    let encoder = model("encoder");
    let sized = [
        "record",
        &encoder,
        "--batch-size",
        "2",
        "--dim",
        "sequence=5",
        "--iterations",
        "1",
        "--warmup",
        "0",
    ];
    let with = |more: &[&str]| place.run(&[&sized[..], more].concat());
    let done = with(&["--input", "input_ids=ids.npy"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let summary = place.figures("engine_profiling");
    assert_eq!(summary["model"]["inputs"], "input_ids=ids.npy; others random, seed 1");
    assert_eq!(summary["model"]["dimensions"], "batch=2, sequence=5");

    let archived = with(&["--input", "input_ids=all.npz"]);
    assert_eq!(archived.code, Some(0), "{}", archived.err);
    let missing = with(&["--input", "attention_mask=all.npz"]);
    assert_eq!(
        missing.err,
        "error: all.npz: holds no array named `attention_mask`; its arrays are input_ids, other\n"
    );
    let twice = with(&["--input", "input_ids=twice.npz"]);
    assert_eq!(
        twice.err,
        "error: twice.npz: holds two arrays named `input_ids`, of which only one can be meant\n"
    );

    let wrong = with(&["--input", "input_ids=wrong.npy"]);
    assert_eq!(
        (wrong.code, wrong.err.as_str()),
        (
            Some(1),
            "error: input `input_ids` should be s64 of shape 2x5, but wrong.npy holds shape 2x6\n"
        )
    );
    let wrong = with(&["--input", "input_ids=float.npy"]);
    assert!(
        wrong
            .err
            .contains("should be s64 of shape 2x5, but float.npy holds elements of NumPy type"),
        "{}",
        wrong.err
    );
    let wrong = with(&["--input", "tokens=ids.npy"]);
    assert_eq!(
        wrong.err,
        "error: the model has no input `tokens`\nhint: the inputs are `input_ids`, `attention_mask`, `token_type_ids`\n"
    );
    let missing = with(&["--input", "input_ids=gone.npy"]);
    assert!(missing.err.starts_with("error: gone.npy: No such file"), "{}", missing.err);
}

/// What a loss profile measures depends on the inputs.
#[test]
fn random_inputs_depend_on_the_seed() {
    let place = Place::new();
    let scan = model("scan");
    let measured = |seed: &str| {
        let own = [
            "sensitivity",
            "--loss-only",
            &scan,
            "--dim",
            "frames=4",
            "--sparsities",
            "0.5",
            "--seed",
            seed,
        ];
        place.succeed(&[&own[..], &["--save", "loss.json", "--force"]].concat());
        json(&std::fs::read_to_string(place.path("loss.json")).unwrap())["layers"].clone()
    };
    let [first, again, other] = ["1", "1", "2"].map(measured);
    assert_eq!(first, again);
    assert_ne!(first, other);
    let few = ["--iterations", "1", "--warmup", "0", "--unprofiled-iterations", "0"];
    let own = ["record", &scan, "--dim", "frames=4", "--seed", "2"];
    place.succeed(&[&own[..], &few].concat());
    assert_eq!(place.figures("engine_profiling")["model"]["inputs"], "random, seed 2");
}

/// The embedding tables have 256, 2 and 128 rows, and a run ends at an index outside.
#[test]
fn random_indices_lie_inside_their_tables() {
    let place = Place::new();
    let encoder = model("encoder");
    let own = ["record", &encoder, "--dim", "sequence=128", "--batch-size", "4", "--iterations"];
    for seed in ["1", "2", "3", "4", "5"] {
        let few = ["1", "--warmup", "0", "--unprofiled-iterations", "0", "--seed", seed];
        place.succeed(&[&own[..], &few].concat());
    }
}

#[test]
fn duration_warmup_and_full_arguments_are_obeyed() {
    let place = Place::new();
    let times = object!({"cnn.onnx": {"operator_ns": 1_000, "overhead_ns": 1_000_000}});
    let script = Script::new(&place, times, &[]);
    let own = ["record", &model("cnn"), "--duration", "0.2", "--warmup", "3"];
    script.succeed(&[&own[..], &["--unprofiled-iterations", "0", "--full-args"]].concat());
    let trace = json(&std::fs::read_to_string(&place.traces("engine_profiling")[0]).unwrap());
    let events = trace["traceEvents"].as_array().unwrap();
    let iterations: Vec<&Value> =
        events.iter().filter(|event| event["cat"] == "iteration").collect();
    let warmup = iterations.iter().filter(|event| event["args"]["warmup"] == true).count();
    assert_eq!(warmup, 3);
    let operators = events.iter().filter(|event| event["args"]["op"].is_u64());
    assert!(operators.clone().all(|event| event["args"]["facts"].is_object()));
    // The last one begins before the time is over, and ends then or later.
    let each = operators.count() / iterations.len();
    assert!(each > 10, "{each}");
    let length = 1_000 * each + 1_000_000;
    assert_eq!(iterations.len() - warmup, 200_000_000_usize.div_ceil(length));
}

#[test]
fn recordings_of_one_second_stay_apart() {
    let place = Place::new();
    for name in ["scan", "lstm", "scan"] {
        record(&place, name, "out", &[]);
    }
    let times: std::collections::BTreeSet<String> = place
        .traces("out")
        .iter()
        .map(|trace| {
            trace.file_stem().unwrap().to_str().unwrap().rsplit_once('_').unwrap().0.to_string()
        })
        .collect();
    assert_eq!(times.len(), 3);
    let summary = place.figures("out");
    assert_eq!(summary["model"]["launches"], 1);
}

/// The latency is taken from them.
#[test]
fn plain_iterations_that_are_lost_are_noticed() {
    let place = Place::new();
    record(&place, "scan", "out", &[]);
    let path = place.traces("out").remove(0);
    let text = std::fs::read_to_string(&path).unwrap();
    let name = path.to_str().unwrap();
    place.succeed(&["inspect", name, "--strict"]);
    let is_lost = |line: &&str| line.contains("\"PlainIteration1\"");
    assert_eq!(text.lines().filter(is_lost).count(), 1);
    let kept: Vec<&str> = text.lines().filter(|line| !is_lost(line)).collect();
    std::fs::write(&path, kept.join("\n") + "\n").unwrap();
    let strict = place.run(&["inspect", name, "--strict"]);
    assert_eq!(strict.code, Some(1), "{strict:?}");
    let said = "3 unprofiled iterations were recorded, 2 were read: the latency is of fewer";
    assert!(strict.err.contains(said), "{}", strict.err);
}
