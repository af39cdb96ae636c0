//! ONNX Runtime as the engine of recordings. `ONNXRAY_PYTHON` names a Python that has it.

use crate::engine_versions::older_versions;
use crate::json_schemas::valid;
use crate::onnx_file::{self, BOOL, FLOAT, Message, node, value};
use crate::onnxruntime_package::{library, python};
use crate::program::{Finished, Place, files, finished, json};
use crate::recorder::{MODELS, model, record};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

pub(crate) fn installed_version() -> String {
    python("import onnxruntime; print(onnxruntime.__version__)", &[] as &[&str])
}

/// Arguments that choose the engine.
pub(crate) fn engine(library: &str) -> [&str; 4] {
    ["--engine", "onnxruntime", "--engine-library", library]
}

pub(crate) fn summary(place: &Place, recording: &str, more: &[&str]) -> serde_json::Value {
    let arguments = ["summary", recording, "--strict", "--format", "json", "--all"];
    valid("summary", &place.succeed(&[&arguments, more].concat()))
}

pub(crate) const LEVELS: &[&str] = &["--level", "model,operator"];

/// Whether a figure of the model is the same in both.
fn same(a: &serde_json::Value, b: &serde_json::Value, key: &str) -> bool {
    assert!(!a["model"][key].is_null(), "{key}");
    a["model"][key] == b["model"][key]
}

#[test]
fn every_bundled_model_is_recorded_and_costs_what_it_costs_elsewhere() {
    let (place, library) = (Place::new(), library());
    for (name, _) in MODELS {
        record(&place, name, &format!("{name}-a"), &[]);
        record(&place, name, &format!("{name}-b"), &engine(&library));
        let tract = summary(&place, &format!("{name}-a"), LEVELS);
        let runtime = summary(&place, &format!("{name}-b"), LEVELS);
        assert_eq!(
            runtime["model"]["engine"],
            format!("ONNX Runtime {}", installed_version()),
            "{name}"
        );
        assert_eq!(runtime["model"]["profiled_iterations"], 6, "{name}");
        assert!(runtime["model"]["latency_median_ms"].as_f64().unwrap() > 0.0, "{name}");
        assert_eq!(runtime["model"]["flops_unknown"], 0, "{name}");
        assert!(same(&tract, &runtime, "parameters"), "{name}");
        // Which of the nodes around quantized weights run is up to each engine.
        if !name.contains("int8") {
            assert!(same(&tract, &runtime, "flops"), "{name}");
        }
        let weights = |report: &serde_json::Value| -> BTreeMap<String, String> {
            let operators = report["operators"].as_array().unwrap().iter();
            let weighty = operators.filter(|row| !row["weight"].is_null());
            let key = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap().to_string();
            weighty.map(|row| (key(row, "weight"), row["sparse_ratio_4x1"].to_string())).collect()
        };
        assert_eq!(weights(&tract), weights(&runtime), "{name}");
    }
}

/// Total nanoseconds by what ran, from a recording's kernels.
fn totals(report: &serde_json::Value, key: &str) -> BTreeMap<String, u64> {
    let mut totals = BTreeMap::new();
    for row in report["kernels"].as_array().unwrap() {
        // Of two iterations, neither of which is left out, with what profiling cost in them.
        let profiling = row["profiling_us"].as_f64().unwrap_or(0.0) * 1e3 * 2.0;
        let time = row["total_ms"].as_f64().unwrap_or(0.0) * 1e6 + profiling;
        // A helper has its role behind the node's name.
        let name = row[key].as_str().unwrap().split('#').next().unwrap().to_string();
        *totals.entry(name).or_default() += time.round() as u64;
    }
    totals.retain(|_, total| *total > 0);
    totals
}

/// The same from the runtime's own profiles, by a reader that is not the program's.
fn totals_elsewhere(profiles: &Path, by_name: bool) -> BTreeMap<String, u64> {
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/readers/onnxruntime.py");
    let mut totals = BTreeMap::new();
    for profile in std::fs::read_dir(profiles).unwrap() {
        let output = Command::new(crate::program::python())
            .arg(&reader)
            .arg(profile.unwrap().path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let read = json(&String::from_utf8(output.stdout).unwrap());
        for (name, row) in read["operators"].as_object().unwrap() {
            let name = if by_name { name } else { row["type"].as_str().unwrap() };
            let name = name.strip_suffix("/duplicated").unwrap_or(name).to_string();
            *totals.entry(name).or_default() += row["exclusive_ns"].as_u64().unwrap();
        }
    }
    totals.retain(|_, total| *total > 0);
    totals
}

#[test]
fn totals_are_those_of_the_engines_own_profiles() {
    let (place, library) = (Place::new(), library());
    for (name, sizes) in MODELS {
        // Nodes have their own names only where nothing is fused.
        for (optimization, ours) in [("disabled", "name"), ("all", "kernel")] {
            let path = model(name);
            let both = |attempt: u32| {
                let out = format!("{name}-{optimization}-{attempt}");
                let profiles = format!("{out}-profiles");
                let arguments = [
                    &["record", &path, "--out", &out, "--iterations", "2", "--warmup", "0"][..],
                    sizes,
                    &engine(&library),
                    &["--optimization", optimization, "--engine-profiles", &profiles],
                ];
                place.succeed(&arguments.concat());
                let kernels = summary(&place, &out, &["--level", "kernel"]);
                let elsewhere = totals_elsewhere(&place.path(&profiles), ours == "name");
                assert!(!elsewhere.is_empty(), "{out}");
                (totals(&kernels, ours), elsewhere)
            };
            // Beside other programs, ours may leave one of both iterations out.
            assert!((0..5).map(both).any(|(own, other)| own == other), "{name}-{optimization}");
        }
    }
}

#[test]
fn operators_that_run_side_by_side_are_kept_apart() {
    let (place, library) = (Place::new(), library());
    let path = model("encoder");
    let arguments = [
        &["record", &path, "--out", "out", "--iterations", "2", "--warmup", "0"][..],
        &["--dim", "sequence=64", "--optimization", "disabled", "--ort", "inter_op_threads=2"],
        &["--engine-profiles", "profiles"],
        &engine(&library),
    ];
    place.succeed(&arguments.concat());
    let report = summary(&place, "out", &["--level", "model,kernel"]);
    assert_eq!(totals(&report, "name"), totals_elsewhere(&place.path("profiles"), true));
    let options = report["model"]["engine_options"].as_str().unwrap();
    assert!(options.contains("execution mode: parallel, 2 threads"), "{options}");
    let figure = |key: &str| report["model"][key].as_f64().unwrap();
    let concurrent = report["model"]["concurrent_mean_ms"].as_f64().unwrap_or(0.0);
    let parts = figure("operators_mean_ms") - concurrent + figure("overhead_mean_ms");
    assert!((parts - figure("typical_mean_ms")).abs() < 1e-6, "{report:#}");
    assert!(figure("overhead_mean_ms") >= 0.0, "{report:#}");
}

#[test]
fn sessions_are_renewed_before_a_profile_is_full() {
    let (place, library) = (Place::new(), library());
    let path = model("scan");
    // More than a million events together, had there been one session.
    let arguments = [
        &["record", &path, "--out", "out", "--iterations", "30", "--warmup", "0"][..],
        &["--unprofiled-iterations", "0", "--dim", "frames=4000", "--engine-profiles", "profiles"],
        &engine(&library),
    ];
    let recorded = place.run(&arguments.concat());
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    assert!(!recorded.err.contains("lost"), "{}", recorded.err);
    let profiles = std::fs::read_dir(place.path("profiles")).unwrap().count();
    assert!(profiles > 1, "{profiles} profiles");
    let report = summary(&place, "out", &["--level", "model,kernel"]);
    assert_eq!(report["model"]["iterations"], 30);
    let in_body = |row: &&serde_json::Value| row["executions"] == 4000.0;
    let kernels = report["kernels"].as_array().unwrap();
    let in_body: Vec<_> = kernels.iter().filter(in_body).collect();
    assert!(!in_body.is_empty(), "{kernels:?}");
    // Times are of typical iterations, and a machine under load has others.
    let typical = 30 - report["model"]["iterations_left_out"].as_u64().unwrap_or(0);
    assert!(in_body.iter().all(|row| row["calls"] == 4000 * typical), "{in_body:?}");
}

#[test]
fn fused_operators_have_the_type_of_their_kernel_and_their_nodes_beside_it() {
    let (place, library) = (Place::new(), library());
    for (name, sizes, kernel, nodes) in [
        ("encoder", &["--dim", "sequence=8"][..], "BiasGelu", "Erf"),
        ("encoder-int8", &["--dim", "sequence=8"][..], "SkipLayerNormalization", "Add"),
        ("cnn-int8", &[][..], "QLinearConv", "Conv"),
    ] {
        let path = model(name);
        let few = ["--iterations", "2", "--warmup", "0", "--unprofiled-iterations", "0"];
        let command = [&["record", &path, "--out", name][..], &few, sizes, &engine(&library)];
        place.succeed(&command.concat());
        let report = summary(&place, name, &["--level", "type,operator"]);
        let rows = report["operators"].as_array().unwrap();
        let fused: Vec<_> = rows.iter().filter(|row| row["type"] == kernel).collect();
        assert!(!fused.is_empty(), "{name}: {rows:#?}");
        for row in fused {
            let made_of: Vec<&str> = row["node_types"].as_str().unwrap().split(" + ").collect();
            assert!(made_of.contains(&nodes), "{row:#}");
            let names = row["nodes"].as_str().unwrap().split("; ").count();
            assert_eq!(made_of.len(), names, "{row:#}");
        }
        let types = report["operator_types"].as_array().unwrap();
        assert!(types.iter().any(|row| row["type"] == kernel), "{types:#?}");
        let text = place.succeed(&["summary", name, "--level", "operator", "--all"]);
        assert!(text.contains("Fused of") && text.contains(kernel), "{text}");
    }
}

#[test]
fn a_comparison_names_the_fusions_that_are_lost() {
    let (place, library) = (Place::new(), library());
    let path = model("encoder");
    let command = [
        &["record", &path, "--dim", "sequence=8", "--out", "out", "--iterations", "3"][..],
        &["--against-options", "--optimization basic"],
        &engine(&library),
    ];
    place.succeed(&command.concat());
    let compare =
        ["compare", "out/encoder-a", "out/encoder-b", "--expect-different", "engine_options"];
    let said = place.succeed(&[&compare[..], &["--view", "causes"]].concat());
    // Behind the causes, and once for all fusions of a layer.
    let (_, notes) = said.rsplit_once("\n\n").expect(&said);
    let line = notes.lines().find(|line| line.starts_with("note: Fusions: ")).expect(&said);
    assert!(line.contains(" lost, the whole layer ") && !line.contains("gained"), "{line}");
    // Its group tells all that is executed in its place.
    let said = place.succeed(&[&compare[..], &["--all", "--format", "json"]].concat());
    let report = valid("compare", &said);
    let layers = report["layers"].as_array().unwrap();
    let types = |row: &serde_json::Value| row["b_type"].as_str().unwrap_or_default().to_string();
    let lost = layers.iter().find(|row| row["a_type"] == "MatMul + BiasGelu").expect(&said);
    assert_eq!(types(lost), "MatMul + Add (2) + Div + Erf + Mul (2)", "{lost:#}");
    let back =
        ["compare", "out/encoder-b", "out/encoder-a", "--expect-different", "engine_options"];
    let said = place.succeed(&[&back[..], &["--view", "causes"]].concat());
    let line = said.lines().find(|line| line.starts_with("note: Fusions: ")).expect(&said);
    assert!(line.contains(" gained, ") && !line.contains("lost"), "{line}");
}

#[test]
fn a_profile_of_another_program_is_calibrated_afterwards() {
    let (place, library) = (Place::new(), library());
    record(&place, "cnn", "out", &[&["--engine-profiles", "kept"][..], &engine(&library)].concat());
    let profile = files(&place.path("kept")).remove(0);
    let profile = profile.to_str().unwrap();
    let convert = ["convert", profile, "--calibrate-with", &library, "-o"];
    place.succeed(&[&convert[..], &["calibrated.json"]].concat());
    let trace = json(&std::fs::read_to_string(place.path("calibrated.json")).unwrap());
    let chains = trace["calibration"]["chains"].as_array().unwrap();
    assert_eq!(chains.len(), 3, "{trace:#}");
    for chain in chains {
        assert_eq!(chain["plain_ns"].as_array().unwrap().len(), 60, "{chain:#}");
    }
    let version = format!("ONNX Runtime {}", installed_version());
    assert_eq!(trace["calibration"]["afterwards"], version);
    let report = summary(&place, "calibrated.json", &[]);
    let notes = report["notes"].to_string();
    let is_said = ["was measured with ONNX Runtime", "the profiling cost is unknown"];
    assert!(is_said.iter().any(|said| notes.contains(said)), "{notes}");
    let figure = |key: &str| report["model"][key].as_f64().unwrap();
    let parts = figure("operators_mean_ms") + figure("overhead_mean_ms");
    assert!((parts - figure("typical_mean_ms")).abs() < 1e-6, "{report:#}");
    let raw = summary(&place, profile, &[]);
    let raw = raw["model"]["operators_mean_ms"].as_f64().unwrap();
    assert!(figure("operators_mean_ms") <= raw, "{report:#}");

    let refused = |input: &str, output: &str, reason: &str| {
        let command = ["convert", input, "--calibrate-with", &library, "-o", output];
        let found = place.run(&command);
        assert!(found.code != Some(0) && found.err.contains(reason), "{found:?}");
    };
    refused(profile, "calibrated.parquet", "needs a recording as output");
    refused("calibrated.json", "again.json", "it was calibrated before");
    record(&place, "cnn", "tract", &[]);
    let tract = place.traces("tract").remove(0);
    refused(tract.to_str().unwrap(), "tract.json", "it was calibrated before");
    let kineto = r#"{"schemaVersion":1,"traceEvents":[
        {"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":1,"dur":2}]}"#;
    place.write("kineto.json", kineto.as_bytes());
    refused("kineto.json", "out.json", "--calibrate-with is for profiles of ONNX Runtime");
}

#[test]
fn a_convolution_has_the_sum_that_it_computes_itself() {
    let (place, library) = (Place::new(), library());
    record(&place, "cnn", "out", &engine(&library));
    let report = summary(&place, "out", &["--level", "operator"]);
    let rows = report["operators"].as_array().unwrap();
    let of_type = |kind: &str| rows.iter().filter(|row| row["type"] == kind).count();
    // The last residual sum goes into the convolution before it, and not into the pool.
    assert_eq!((of_type("Add"), of_type("GlobalAveragePool")), (0, 1), "{rows:#?}");
}

#[test]
fn two_versions_take_turns_launch_by_launch() {
    let (place, library) = (Place::new(), library());
    let folder = older_versions().remove(0);
    let older = folder.to_str().unwrap();
    let path = model("cnn");
    let arguments = [
        &["record", &path, "--out", "out", "--iterations", "5", "--launches", "2"][..],
        &engine(older),
        &["--against-library", &library],
    ];
    let recorded = place.run(&arguments.concat());
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    let versions = ["out/cnn-a", "out/cnn-b"].map(|folder| {
        summary(&place, folder, &[])["model"]["engine"].as_str().unwrap().to_string()
    });
    let of = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_string();
    let expected =
        [of(&folder), installed_version()].map(|version| format!("ONNX Runtime {version}"));
    assert_eq!(versions, expected);
    // Options that tract does not have are the other engine's.
    let options = ["--engine-library", &library, "--against-engine", "onnxruntime"];
    let beside = ["record", &path, "--out", "beside", "--iterations", "3", "--launches", "1"];
    place.succeed(&[&beside[..], &options].concat());
    let in_one = place.run(&[&arguments.concat()[..], &["--interleave", "iterations"]].concat());
    assert_eq!(in_one.code, Some(2), "{}", in_one.err);
    assert!(in_one.err.contains("a process loads one"), "{}", in_one.err);
}

/// In one process, threads of one side that spin would take the cores of the other.
#[test]
fn sides_that_differ_in_spinning_take_turns_in_processes_of_their_own() {
    let (place, library) = (Place::new(), library());
    let path = model("cnn");
    let options = |second: &str, more: &[&str]| {
        let usual = ["record", &path, "--out", "out", "--iterations", "3", "--launches", "1"];
        let against = ["--threads", "2", "--against-options", second];
        let all = [&usual[..], &engine(&library), &against, more, &["--force"]].concat();
        let recorded = place.run(&all);
        assert_eq!(recorded.code, Some(0), "{}", recorded.err);
        assert!(!recorded.err.contains("what differs is noise"), "{}", recorded.err);
        ["out/cnn-a", "out/cnn-b"].map(|folder| {
            let model = summary(&place, folder, &[])["model"].clone();
            model["engine_options"].as_str().unwrap().to_string()
        })
    };
    let [a, b] = options("--ort spinning=no", &[]);
    assert!(a.contains("spinning: on") && b.contains("spinning: off"), "{a} / {b}");
    // What differs in anything else shares a process, in which no thread spins.
    let both = options("--ort arena=no", &[]);
    assert!(both.iter().all(|own| own.contains("spinning: off")), "{both:?}");
    let both = options("--ort arena=no", &["--ort", "spinning=yes"]);
    assert!(both[0].contains("spinning: on"), "{both:?}");
}

const MOVES_DATA: [&str; 9] =
    ["Shape", "Gather", "Slice", "Unsqueeze", "Concat", "Reshape", "Transpose", "Flatten", "Cast"];

#[test]
fn engines_levels_and_versions_take_turns() {
    let (place, library) = (Place::new(), library());
    let older = older_versions().pop().unwrap();
    let long: &[&str] = &["--dim", "sequence=128"];
    for (name, sizes) in [("cnn", &[][..]), ("encoder", long), ("encoder-int8", long)] {
        for (kind, second) in [
            ("engines", ["--against-engine", "tract"]),
            ("levels", ["--against-options", "--optimization basic"]),
            ("versions", ["--against-library", older.to_str().unwrap()]),
        ] {
            let out = format!("{name}-{kind}");
            let path = model(name);
            let arguments = [
                &["record", &path, "--out", &out, "--iterations", "5", "--launches", "1"][..],
                sizes,
                &engine(&library),
                &second,
            ];
            let recorded = place.run(&arguments.concat());
            assert_eq!(recorded.code, Some(0), "{}", recorded.err);
            let (_, hint) = recorded.err.split_once("hint: onnxray ").unwrap();
            let words: Vec<&str> = hint.split_whitespace().collect();
            let compared = [&words, &["--format", "json", "--all"][..]].concat();
            let report = valid("compare", &place.succeed(&compared));
            // What moves data or computes shapes may be there on one side only.
            for row in report["layers"].as_array().unwrap() {
                let types = ["a_type", "b_type"].map(|key| row[key].as_str());
                if let [Some(alone), None] | [None, Some(alone)] = types {
                    assert!(MOVES_DATA.contains(&alone), "{out}: {row:#}");
                }
            }
        }
    }
}

/// Runs the program without a library that it could find by itself.
fn alone(place: &Place, arguments: &[&str], environment: &[(&str, &Path)]) -> Finished {
    let mut command = place.command(arguments);
    command.env("PATH", place.path(".")).env_remove("ORT_DYLIB_PATH");
    command.envs(environment.iter().copied());
    finished(command.output().unwrap())
}

#[test]
fn what_is_wrong_with_the_engine_is_said_before_anything_is_recorded() {
    let (place, library) = (Place::new(), library());
    let path = model("cnn");
    let record = ["record", path.as_str(), "--out", "out", "--engine", "onnxruntime"];
    let refused = |run: Finished, code: i32, expected: &str| {
        assert_eq!(run.code, Some(code), "{}", run.err);
        assert!(run.err.contains(expected), "expected {expected:?}: {}", run.err);
        assert!(!place.path("out").exists(), "something was recorded: {}", run.err);
    };
    refused(alone(&place, &record, &[]), 1, "hint: install it with `pip install onnxruntime`");
    let fake = place.write("libonnxruntime.so", b"\x7fELF but not that library");
    refused(alone(&place, &record, &[("ORT_DYLIB_PATH", &fake)]), 1, "not an ONNX Runtime library");
    // It has what a library has, and is none.
    let broken = place.write("broken.so", b"OrtGetApiBase VERS_1.31.0\0");
    refused(alone(&place, &record, &[("ORT_DYLIB_PATH", &broken)]), 1, "cannot be used as");
    let with = |more: &[&str]| place.run(&[&record, more].concat());
    refused(with(&["--engine-library", "nowhere"]), 1, "nowhere: No such file or directory");
    refused(with(&["--engine-library", "."]), 1, "not an ONNX Runtime library");
    let own = ["--engine-library", &library];
    refused(with(&[&own[..], &["--provider", "cuda"]].concat()), 1, "execution provider `CUDA`");
    refused(with(&[&own[..], &["--provider", "quantum"]].concat()), 1, "it has CPU");
    refused(
        with(&[&own[..], &["--optimization", "most"]].concat()),
        2,
        "disabled, basic, extended",
    );
    let tract = ["record", path.as_str(), "--out", "out", "--optimization", "basic"];
    refused(place.run(&tract), 2, "--engine onnxruntime");
    let unknown = ["record", path.as_str(), "--out", "out", "--engine", "abacus"];
    refused(place.run(&unknown), 2, "[possible values: tract, onnxruntime]");
}

#[test]
fn a_model_that_one_engine_cannot_run_costs_no_launch_of_the_other() {
    let (place, library) = (Place::new(), library());
    // tract has no such operator.
    let unique = vec![node("Unique", "unique", &["x"], &["y"])];
    let bytes = onnx_file::model(
        unique,
        vec![],
        vec![value("x", FLOAT, &[4])],
        vec![value("y", FLOAT, &[])],
    );
    let path = place.write("model.onnx", &bytes);
    let path = path.to_str().unwrap();
    let arguments =
        [&["record", path, "--out", "out"][..], &engine(&library), &["--against-engine", "tract"]];
    let refused = place.run(&arguments.concat());
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(
        refused.err.contains("tract 0.23.9 cannot run operator type Unique"),
        "{}",
        refused.err
    );
    assert!(!place.path("out").exists(), "{}", refused.err);
    // Which the other one runs, whatever the shape of its result.
    let alone = [&["record", path, "--out", "out"][..], &engine(&library)];
    place.succeed(&alone.concat());
}

#[test]
fn inputs_that_are_no_tensors_are_refused_by_name() {
    let (place, library) = (Place::new(), library());
    // An optional is field 9 of a type; its element has a type itself.
    let tensor = Message::default().message(1, Message::default().number(1, FLOAT));
    let optional = Message::default().message(9, Message::default().message(1, tensor));
    let input = Message::default().text(1, "may_be").message(2, optional);
    let nodes = vec![node("OptionalHasElement", "has", &["may_be"], &["y"])];
    let bytes = onnx_file::model(nodes, vec![], vec![input], vec![value("y", BOOL, &[])]);
    let path = place.write("model.onnx", &bytes);
    let arguments = [&["record", path.to_str().unwrap(), "--out", "out"][..], &engine(&library)];
    let refused = place.run(&arguments.concat());
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("input `may_be` is a map or an optional, "), "{}", refused.err);
}
