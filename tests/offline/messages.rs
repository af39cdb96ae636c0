//! Messages on standard error that nobody can read, and notes that programs read.

use crate::program::{Place, finished, fixture_file};
use std::fs::File;
use std::process::Stdio;

fn profile() -> String {
    fixture_file("onnxruntime/1.31.1/encoder.json.gz").display().to_string()
}

#[test]
fn notes_of_a_quiet_comparison_are_left_to_programs() {
    let (place, trace) = (Place::new(), profile());
    let report = place.succeed(&["compare", &trace, &trace, "-q", "--format", "json"]);
    assert!(report.contains("\"kind\": \"note\""), "{report}");
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
