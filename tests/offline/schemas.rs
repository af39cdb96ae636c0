//! The schemas of JSON output hold of what commands print.

use crate::program::{Place, finished, fixture_file, model, python};
use crate::recordings::recorded;
use std::fs;
use std::process::Command;

/// Checks that each schema is one, and that the outputs beside it are as it says, to the keys.
const VALIDATE: &str = "
import json, pathlib, jsonschema
for file in pathlib.Path('schemas').iterdir():
    schema = json.loads(file.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    # Later versions may add keys; this one declares all that it prints.
    schema['$defs']['members']['additionalProperties'] = False
    validator = jsonschema.Draft202012Validator(schema)
    outputs = list(pathlib.Path('outputs').glob(file.name + '.*'))
    assert outputs, file
    for output in outputs:
        for error in validator.iter_errors(json.loads(output.read_text())):
            best = jsonschema.exceptions.best_match([error])
            raise SystemExit(f'{output.name}: {best.json_path}: {best.message[:300]}')
    print(file.name, len(outputs))
";

#[test]
fn what_commands_print_is_as_their_schemas_say() {
    let place = Place::new();
    recorded(&place, "cnn", "one");
    recorded(&place, "cnn-threads-2", "two");
    recorded(&place, "project", "project");
    recorded(&place, "decoder", "decoder");
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
    ];
    fs::create_dir(place.path("schemas")).unwrap();
    fs::create_dir(place.path("outputs")).unwrap();
    for (number, command) in commands.iter().enumerate() {
        let name = command[0];
        let printed = place.succeed(&[command, &["--format", "json"][..]].concat());
        place.write(&format!("outputs/{name}.{number}"), printed.as_bytes());
        let schema = place.succeed(&["schema", name]);
        place.write(&format!("schemas/{name}"), schema.as_bytes());
    }
    let mut validate = Command::new(python());
    validate.args(["-c", VALIDATE]).current_dir(place.path("."));
    let validated = finished(validate.output().unwrap());
    assert_eq!(validated.code, Some(0), "{}{}", validated.out, validated.err);
    assert_eq!(validated.out.lines().count(), 9, "{}", validated.out);
}

#[test]
fn shells_and_manuals_know_every_command() {
    let place = Place::new();
    let help = place.succeed(&["--help"]);
    let commands = help.split("Commands:\n").nth(1).unwrap().lines();
    let names: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|l| l.split_whitespace().next())
        .collect();
    assert!(names.contains(&"record") && !names.contains(&"manual"), "{names:?}");
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
