//! Execution providers: those of ONNX Runtime's library, and of plugins that the newest of the
//! other versions has beside it (`ONNXRAY_ENGINES`).

use crate::engine_versions::{older_versions, other_versions};
use crate::json_schemas::valid;
use crate::onnxruntime::{LEVELS, engine, summary};
use crate::onnxruntime_package::{library, python};
use crate::program::{Place, json};
use crate::recorder::{model, record};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A plugin's package, its file, its provider, and an option that the provider has.
const PLUGINS: [(&str, &str, &str, &str); 2] = [
    ("onnxruntime-ggml", "libonnxruntime_ggml.so", "ggml", "threads=1"),
    ("nxrt-ep-cpu", "libonnx_runtime_ep_cpu_plugin.so", "cpu_ep", ""),
];

/// The folder of packages that has plugins, and those that it has.
fn plugins() -> (PathBuf, Vec<(&'static str, &'static str, &'static str, &'static str)>) {
    let newest = other_versions().pop().unwrap();
    let is_there = |package: &str| newest.join(package.replace('-', "_")).is_dir();
    let there: Vec<_> = PLUGINS.into_iter().filter(|(package, ..)| is_there(package)).collect();
    assert!(
        !there.is_empty(),
        "this test needs a plugin of ONNX Runtime beside {} (.ci/test installs them)",
        newest.display()
    );
    (newest, there)
}

#[test]
fn providers_of_plugins_are_recorded_and_told_apart() {
    let (place, (newest, plugins)) = (Place::new(), plugins());
    let newest = newest.to_str().unwrap();
    record(&place, "encoder", "cpu", &engine(newest));
    for (package, file, name, option) in plugins {
        let mut own = [&engine(newest)[..], &["--provider-library", package]].concat();
        if !option.is_empty() {
            own.extend(["--provider-options", option]);
        }
        record(&place, "encoder", name, &own);
        let report = summary(&place, name, LEVELS);
        let stated = report["model"]["engine_options"].as_str().unwrap();
        for expected in [
            format!("execution provider: {name};"),
            format!("provider library: {file}"),
            match option {
                "" => "spinning: ".to_string(),
                option => format!("provider options: {option};"),
            },
        ] {
            assert!(format!("{stated};").contains(&expected), "{expected}: {stated}");
        }
        assert!(report["model"]["latency_median_ms"].as_f64().unwrap() > 0.0, "{report:#}");
        let compared =
            valid("compare", &place.run(&["compare", "cpu", name, "--format", "json"]).out);
        let said = compared["configuration_differences"].to_string();
        assert!(said.contains(&format!("provider library: {file}")), "{said}");
        // Nobody knows which nodes the provider left out of those that it compiled.
        let notes = compared["notes"].to_string();
        let moved = format!("nodes moved from the execution provider CPU in A to {name} in B: /");
        assert!(notes.contains(&moved), "{notes}");
        assert!(!notes.contains("while loading"), "{notes}");
        // By name, and by a path to the folder or the file.
        let path = format!("{newest}/{}", package.replace('-', "_"));
        let out = format!("{name}-path");
        let named = ["--provider-library", &path, "--provider", name];
        record(&place, "encoder", &out, &[&engine(newest)[..], &named].concat());
        let report = summary(&place, &out, &[]);
        let stated = report["model"]["engine_options"].as_str().unwrap();
        assert!(stated.contains(file), "{stated}");
    }
}

/// Number of nodes by provider, as the library says itself.
const ASSIGNMENT: &str = "\
import collections, json, sys
folder, library, name, model = sys.argv[1:]
sys.path.insert(0, folder)
import onnxruntime
options = onnxruntime.SessionOptions()
options.add_session_config_entry('session.record_ep_graph_assignment_info', '1')
onnxruntime.register_execution_provider_library(name, library)
devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == name]
options.add_provider_for_devices(devices, {})
session = onnxruntime.InferenceSession(model, options)
nodes = collections.Counter({name: 0})
for subgraph in session.get_provider_graph_assignment_info():
    nodes[subgraph.ep_name.removesuffix('ExecutionProvider')] += len(subgraph.get_nodes())
print(json.dumps(nodes))
";

/// The rows of `--level provider`, by provider.
fn placed(place: &Place, recording: &str) -> BTreeMap<String, serde_json::Value> {
    let report = summary(place, recording, &["--level", "provider"]);
    let rows = report["providers"].as_array().unwrap().iter();
    rows.map(|row| (row["provider"].as_str().unwrap().to_string(), row.clone())).collect()
}

#[test]
fn nodes_are_placed_as_the_library_says() {
    let (place, (newest, plugins)) = (Place::new(), plugins());
    let newest = newest.to_str().unwrap();
    for (package, file, name, _) in plugins {
        let folder = format!("{newest}/{}", package.replace('-', "_"));
        let library = find(Path::new(&folder), file).unwrap();
        for model in ["encoder", "scan"] {
            let out = format!("{model}-{name}");
            let own = [&engine(newest)[..], &["--provider-library", package]].concat();
            record(&place, model, &out, &own);
            let screen = place.succeed(&["summary", &out]);
            let rows = placed(&place, &out);
            let nodes: BTreeMap<&str, u64> =
                rows.iter().map(|(name, row)| (&**name, row["nodes"].as_u64().unwrap())).collect();
            let path = crate::recorder::model(model);
            let said = python(ASSIGNMENT, &[newest, library.to_str().unwrap(), name, &path]);
            let said = json(&said);
            assert_eq!(serde_json::to_value(&nodes).unwrap(), said, "{out}");
            let title = screen.lines().next().unwrap();
            assert!(title.contains(&format!(" on {name}, ")), "{title}");
            let line = screen.lines().find(|line| line.starts_with("Placement")).unwrap();
            assert!(line.contains(&format!("{name} {} of ", nodes[name])), "{line}");
        }
        // All of it is one node, and nothing crosses.
        let rows = placed(&place, &format!("encoder-{name}"));
        let whole = &rows[name];
        assert_eq!((&whole["partitions"], &whole["tensors_in"]), (&1.into(), &0.into()), "{whole}");
        assert_eq!((rows.len(), &whole["operators"]), (1, &1.into()), "{whole}");
        // So are its blocks, each of which the provider runs.
        let encoder = crate::recorder::model("encoder");
        let own = [&engine(newest)[..], &["--provider-library", package]].concat();
        let length = ["--blocks", "3", "--launches", "1", "--iterations", "2"];
        let out = ["--dim", "sequence=16", "--no-roofs", "--out", "blocks"];
        place.succeed(&[&["xray", &encoder], &own[..], &length, &out].concat());
        let blocks = placed(&place, "blocks");
        assert_eq!((blocks.len(), &blocks[name]["nodes"]), (1, &whole["nodes"]), "{blocks:?}");
        let screen = place.succeed(&["summary", "blocks"]);
        let count = blocks[name]["operators"].as_u64().unwrap();
        assert!(count > 1 && screen.contains(&format!("{count} blocks between cuts")), "{screen}");
        std::fs::remove_dir_all(place.path("blocks")).unwrap();
    }
}

/// A file of a package.
fn find(folder: &Path, file: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let paths = entries.map(|entry| entry.path());
    paths.into_iter().find_map(|path| match path.is_dir() {
        true => find(&path, file),
        false => path.ends_with(file).then_some(path),
    })
}

#[test]
fn what_crosses_between_providers_has_a_size() {
    let (place, (newest, plugins)) = (Place::new(), plugins());
    let newest = newest.to_str().unwrap();
    let Some((package, _, name, _)) = plugins.into_iter().find(|(_, _, name, _)| *name == "cpu_ep")
    else {
        return;
    };
    let own = [&engine(newest)[..], &["--provider-library", package]].concat();
    record(&place, "scan", "scan", &own);
    let rows = placed(&place, "scan");
    // The Scan with its body is left to the processor; it hands on 8 frames of 64 floats each.
    for (row, nodes, [read, written]) in [(&rows[name], 2, [1, 0]), (&rows["CPU"], 5, [0, 1])] {
        assert_eq!((&row["nodes"], &row["partitions"]), (&nodes.into(), &1.into()), "{row}");
        assert_eq!((&row["tensors_in"], &row["tensors_out"]), (&read.into(), &written.into()));
        let bytes = |tensors: u64| tensors as f64 * 8.0 * 64.0 * 4.0;
        assert_eq!(row["bytes_in"].as_f64(), Some(bytes(read)), "{row}");
        assert_eq!(row["bytes_out"].as_f64(), Some(bytes(written)), "{row}");
    }
}

#[test]
fn two_providers_take_turns_in_one_process() {
    let (place, (newest, plugins)) = (Place::new(), plugins());
    let (package, _, name, _) = plugins[0];
    let (path, library) = (model("encoder"), newest.to_str().unwrap());
    let arguments = [
        &["record", &path, "--dim", "sequence=16", "--out", "out", "--iterations", "3"][..],
        &["--launches", "1", "--interleave", "iterations"],
        &engine(library),
        &["--against-options"],
    ];
    let second = format!("--provider-library {package}");
    place.succeed(&[&arguments.concat()[..], &[&second]].concat());
    let of = |side: &str| {
        let report = summary(&place, &format!("out/encoder-{side}"), &[]);
        report["model"]["engine_options"].as_str().unwrap().to_string()
    };
    assert!(of("a").contains("execution provider: CPUExecutionProvider"), "{}", of("a"));
    assert!(of("b").contains(&format!("execution provider: {name}")), "{}", of("b"));
}

#[test]
fn a_provider_that_the_library_has_is_taken_by_its_name() {
    let (place, library) = (Place::new(), library());
    // It runs nothing of a model that does not ask for it.
    record(&place, "cnn", "azure", &[&engine(&library)[..], &["--provider", "azure"]].concat());
    let report = summary(&place, "azure", &[]);
    let stated = report["model"]["engine_options"].as_str().unwrap();
    assert!(stated.contains("execution provider: AzureExecutionProvider"), "{stated}");
    // Old libraries say nothing of nodes: then profile and graph do.
    let old = older_versions().pop().unwrap();
    let own = [&engine(old.to_str().unwrap())[..], &["--provider", "azure"]].concat();
    record(&place, "cnn", "old", &own);
    let operators = summary(&place, "old", &["--level", "kernel"]);
    let count = operators["kernels"].as_array().unwrap().len();
    for recording in ["azure", "old"] {
        let rows = placed(&place, recording);
        assert_eq!((&rows["Azure"]["nodes"], rows.len()), (&0.into(), 2), "{rows:#?}");
        // All of them are connected.
        assert_eq!(rows["CPU"]["partitions"], 1, "{rows:#?}");
        assert_eq!(rows["CPU"]["tensors_out"], 0, "{rows:#?}");
    }
    assert_eq!(placed(&place, "old")["CPU"]["nodes"], count);
}

#[test]
fn what_is_wrong_with_a_provider_is_said_before_anything_is_recorded() {
    let (place, installed) = (Place::new(), library());
    let path = model("cnn");
    let refused = |more: &[&str], code: i32, expected: &str| {
        let run = place.run(&[&["record", &path, "--out", "out"], more].concat());
        assert_eq!(run.code, Some(code), "{more:?}: {}", run.err);
        assert!(run.err.contains(expected), "expected {expected:?}: {}", run.err);
        assert!(!place.path("out").exists(), "something was recorded: {}", run.err);
    };
    let with = |more: &[&str], code: i32, expected: &str| {
        refused(&[&engine(&installed)[..], more].concat(), code, expected);
    };
    with(&["--provider", "azur"], 1, "did you mean `Azure`?");
    with(&["--provider", "ggml"], 1, "--provider-library onnxruntime-ggml bring it");
    with(&["--provider-options", "threads"], 2, "expected KEY=VALUE");
    with(&["--provider-options", "threads=1"], 1, "the CPU provider has no options of its own");
    place.write("other.so", b"\x7fELF something else");
    with(&["--provider-library", "other.so"], 1, "it has no execution providers");
    // It has the name that plugins have, and is none.
    place.write("broken.so", b"CreateEpFactories");
    with(&["--provider-library", "broken.so"], 1, "refuses it: ");
    with(&["--provider-library", "./nowhere.so"], 1, "nowhere.so: No such file");
    with(&["--provider-library", "onnxruntime-nothing"], 1, "pip install onnxruntime-nothing");
    refused(&["--provider-library", "broken.so"], 2, "--engine onnxruntime");
    let oldest = older_versions().remove(0);
    let version = oldest.file_name().unwrap().to_str().unwrap();
    let old = [&engine(oldest.to_str().unwrap())[..], &["--provider-library", "broken.so"]];
    let expected = format!("ONNX Runtime {version} has no plugin providers: 1.22 has");
    refused(&old.concat(), 1, &expected);
}

#[test]
fn engines_are_listed_with_their_libraries_and_providers() {
    let (place, (newest, plugins)) = (Place::new(), plugins());
    let library = newest.to_str().unwrap();
    let list = |more: &[&str]| {
        let arguments = [&["inspect", "--engines", "--format", "json"], more].concat();
        let report = valid("inspect", &place.succeed(&arguments));
        report["engines"].as_array().unwrap().clone()
    };
    let found = list(&["--engine-library", library]);
    assert_eq!((&found[0]["engine"], &found[0]["library"]), (&"tract".into(), &().into()));
    assert_eq!(found[1]["engine"], "onnxruntime", "{found:#?}");
    assert_eq!(found[1]["version"], newest.file_name().unwrap().to_str().unwrap());
    assert!(found[1]["providers"].as_str().unwrap().starts_with("CPU"), "{found:#?}");
    for (package, file, name, _) in &plugins {
        let is_meant = |row: &&serde_json::Value| {
            row["library"].as_str().is_some_and(|library| library.ends_with(file))
        };
        let row = found.iter().find(is_meant).unwrap_or_else(|| panic!("{package}: {found:#?}"));
        assert_eq!((&row["providers"], &row["failure"]), (&(*name).into(), &().into()), "{row:#}");
        assert!(row["version"].as_str().unwrap().starts_with("0."), "{row:#}");
    }
    // Of another Python than ONNX Runtime's.
    let path = format!("{library}/{}", plugins[0].0.replace('-', "_"));
    let found = list(&[
        "--engine-library",
        &crate::onnxruntime_package::library(),
        "--provider-library",
        &path,
    ]);
    assert_eq!(found[2]["providers"], plugins[0].2, "{found:#?}");
    assert!(found[2]["version"].as_str().unwrap().starts_with("0."), "{found:#?}");
    place.write("broken.so", b"CreateEpFactories");
    let found = list(&["--engine-library", library, "--provider-library", "broken.so"]);
    assert!(found[2]["failure"].as_str().unwrap().contains("refuses it"), "{found:#?}");
    let found = list(&["--engine-library", "broken.so"]);
    let failure = found[1]["failure"].as_str().unwrap();
    assert!(failure.contains("it is not an ONNX Runtime library"), "{found:#?}");
    let text = place.succeed(&["inspect", "--engines", "--engine-library", library]);
    assert!(text.contains("tract") && text.contains(plugins[0].2), "{text}");
}

/// What a plugin refuses or takes whole is cut nowhere on the other side either.
#[test]
fn both_sides_of_an_x_ray_are_cut_alike() {
    let (place, (newest, plugins)) = (Place::new(), plugins());
    let (newest, cnn) = (newest.to_str().unwrap(), model("cnn"));
    for (package, _, name, _) in plugins {
        let other = format!("--provider-library {package}");
        let run = ["xray", &cnn, "--blocks", "8", "--launches", "1", "--iterations", "2"];
        let quick = ["--starts", "0", "--no-roofs", "--out", name, "--against-options", &other];
        place.succeed(&[&run[..], &quick, &engine(newest)].concat());
        let [a, b] = ["a", "b"].map(|side| {
            let report = summary(&place, &format!("{name}/cnn-{side}"), LEVELS);
            let rows = report["operators"].as_array().unwrap().clone();
            let mut blocks: Vec<String> = rows.iter().map(|row| row["name"].to_string()).collect();
            blocks.sort();
            blocks
        });
        assert!(a.len() > 1, "{a:?}");
        // One that refuses all parts of the model, or ends its process on them, has no cut.
        assert!(a == b || b.len() == 1, "{name}: {a:?} {b:?}");
        let side = format!("{name}/cnn-b");
        let is_unused = placed(&place, &side).get(name).is_some_and(|row| row["nodes"] == 0);
        let said = place.run(&["summary", &side]).err;
        assert_eq!(
            said.contains(&format!("{name} runs no node of this model")),
            is_unused,
            "{said}"
        );
    }
}
