//! Messages on standard error: how much is said, and what to do next.

use crate::program::{Place, finished, fixture_file, model};
use std::fs::File;
use std::process::Stdio;

fn profile() -> String {
    fixture_file("onnxruntime/1.31.1/encoder.json.gz").display().to_string()
}

#[test]
fn a_quiet_command_says_no_notes_and_a_verbose_one_what_it_reads() {
    let place = Place::new();
    let command = |more: &[&str]| {
        place.run(&[&["summary", &profile(), "--level", "type"][..], more].concat())
    };
    let usual = command(&[]);
    assert!(usual.err.contains("note: only 3 iterations were measured"), "{}", usual.err);
    assert!(!usual.err.contains("read "), "{}", usual.err);
    let quiet = command(&["-q"]);
    assert_eq!((quiet.err.as_str(), quiet.out), ("", usual.out));
    let verbose = command(&["--verbose"]);
    let read = "encoder.json.gz as onnxruntime: 74 operators, 3 iterations, 222 executions";
    assert!(verbose.err.contains(read), "{}", verbose.err);
    assert_eq!(command(&["-q", "-v"]).code, Some(2));
}

#[test]
fn notes_of_a_comparison_are_left_to_programs() {
    let place = Place::new();
    let trace = profile();
    let command = ["compare", &trace, &trace];
    assert!(place.succeed(&command).contains("\nnote: "));
    let quiet = place.succeed(&[&command[..], &["-q"]].concat());
    assert!(!quiet.contains("note: ") && quiet.contains("Inference time"), "{quiet}");
    let json = place.succeed(&[&command[..], &["-q", "--format", "json"]].concat());
    assert!(json.contains("\"kind\": \"note\""), "{json}");
}

#[test]
fn errors_are_said_to_those_who_want_quiet() {
    let place = Place::new();
    let failed = place.run(&["-q", "summary", "nothing.json"]);
    assert_eq!(failed.code, Some(1));
    assert!(failed.err.starts_with("error: nothing.json: "), "{}", failed.err);
}

#[test]
fn a_model_is_no_trace() {
    let place = Place::new();
    let failed = place.run(&["summary", &model("cnn")]);
    assert_eq!(failed.code, Some(1));
    assert!(failed.err.contains("this is a model, not a trace\nhint: record it"), "{}", failed.err);
}

#[test]
fn messages_that_cannot_be_written_decide_nothing() {
    let place = Place::new();
    let trace = profile();
    let commands: [&[&str]; 3] = [
        &["summary", &trace, "--level", "type"],
        &["report", &trace, "-o", "report.xlsx"],
        &["compare", &trace, &trace],
    ];
    for command in commands {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = place.command(command).stderr(Stdio::from(full)).output().unwrap();
        assert_eq!(finished(output).code, Some(0), "{command:?}");
    }
    assert!(place.path("report.xlsx").exists());
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = place.command(&["summary", "nothing"]).stderr(Stdio::from(full)).output();
    assert_eq!(finished(output.unwrap()).code, Some(1));
}

#[test]
fn one_is_singular() {
    let place = Place::new();
    let damaged = fixture_file("malformed/unclosed-object.json").display().to_string();
    let said = place.run(&["summary", &damaged]).err;
    assert!(said.contains(": 1 event could not be understood and is left out"), "{said}");
}

#[test]
fn a_warning_about_the_model_is_said_once() {
    let place = Place::new();
    for number in 0..2 {
        let profile = fixture_file("onnxruntime/1.31.1/cnn.json");
        std::fs::copy(profile, place.path(&format!("run_{number}.json"))).unwrap();
    }
    let model = model("cnn");
    let said = place.run(&["summary", "run_*.json", "--model", &model]).err;
    assert_eq!(said.matches("have no node in the model").count(), 1, "{said}");
}
