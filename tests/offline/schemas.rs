//! The schemas of JSON output hold of what commands print.

use crate::json_schemas::valid;
use crate::program::{Place, fixture_file, model};
use crate::recordings::recorded;
use std::collections::BTreeSet;
use std::fs;

#[test]
fn what_commands_print_is_as_their_schemas_say() {
    let place = Place::new();
    recorded(&place, "cnn", "one");
    recorded(&place, "cnn-threads-2", "two");
    recorded(&place, "project", "project");
    recorded(&place, "decoder", "decoder");
    recorded(&place, "sweep", "sweep");
    fs::copy(model("cnn"), place.path("model.onnx")).unwrap();
    for (file, to) in
        [("onnxruntime/1.31.1/loop.json", "loop.json"), ("pytorch/2.5.1/cuda.json", "cuda.json")]
    {
        fs::copy(fixture_file(file), place.path(to)).unwrap();
    }
    let compared = ["compare", "one", "two", "--expect-different", "threads", "--format", "json"];
    place.write("comparison.json", place.succeed(&compared).as_bytes());
    let levels = "model,launch,iteration,provider,type,operator,kernel,resource";
    let commands: &[&[&str]] = &[
        &["summary", "one", "--all"],
        &["summary", "one", "--level", levels],
        &["summary", "loop.json", "--level", levels],
        &["summary", "cuda.json", "--level", levels],
        &["summary", "one", "--level", "operator", "--group", "layers.*"],
        &["report", "one", "-o", "one.html"],
        &["compare", "one", "two", "--expect-different", "threads"],
        &["compare", "one", "loop.json", "--allow-model-mismatch"],
        &["compare", "one", "two", "--expect-different", "threads", "--per-recording"],
        &["regressions", "comparison.json"],
        &["check", "one"],
        &["flops", "model.onnx"],
        &["flops", "model.onnx", "--budget", "0.8"],
        &["project", "one"],
        &["project", "project:a"],
        &["profiles", "project"],
        &["summary", "decoder", "--all"],
        &["inspect", "one"],
        &["inspect", "--list"],
        &["sweep", "--profiles", "sweep"],
        &["profiles", "sweep"],
    ];
    for command in commands {
        valid(command[0], &place.succeed(&[command, &["--format", "json"][..]].concat()));
    }
    let shown: BTreeSet<&str> = commands.iter().map(|command| command[0]).collect();
    let refused = place.run(&["schema", "none"]).err;
    let known = refused.split_once("values: ").and_then(|(_, known)| known.split_once(']'));
    let known: BTreeSet<&str> = known.expect(&refused).0.split(", ").collect();
    assert!(shown.is_subset(&known), "{shown:?}, {known:?}");
    // Studies are shown as they are measured, in live tests.
    for study in known.difference(&shown) {
        let help = place.succeed(&[study, "--help"]);
        assert!(help.contains("--time-limit"), "{study} prints JSON; show it here");
    }
}

#[test]
fn shells_and_manuals_know_every_command() {
    let place = Place::new();
    let help = place.succeed(&["--help"]);
    // In groups, each below its title.
    let commands = help.split("\nOptions:").next().unwrap().lines();
    let names: Vec<&str> = commands
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains(&"record") && names.contains(&"flops"), "{names:?}");
    assert!(!names.contains(&"manual"), "{names:?}");
    let pages = place.succeed(&["manual", "man"]);
    for name in names.iter().filter(|name| **name != "help") {
        assert!(pages.contains(&format!("man/onnxray-{name}.1\n")), "{name}: {pages}");
        let page = fs::read_to_string(place.path(&format!("man/onnxray-{name}.1"))).unwrap();
        assert!(page.contains("SYNOPSIS"), "{page}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = place.succeed(&["completions", shell]);
        assert!(names.iter().all(|name| script.contains(name)), "{shell}");
    }
}
