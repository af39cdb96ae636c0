//! What `record --report` writes: never over what it reads, and over what exists only with
//! `--force`.

use crate::numpy_file::two_numbers;
use crate::output_rules::{Writing, place_with_inputs, refused, touches_no_file};
use std::fs;

const REPORTS: [Writing; 2] = [
    Writing {
        ending: "xlsx",
        command: "record model.onnx --batch-size 1 --iterations 2 --report OUT",
        inputs: &["model.onnx"],
    },
    Writing {
        ending: "html",
        command: "record model.onnx --batch-size 1 --iterations 2 --report OUT",
        inputs: &["model.onnx"],
    },
];

#[test]
fn what_exists_is_replaced_by_force_only() {
    REPORTS.iter().for_each(Writing::replaces_by_force_only);
}

#[test]
fn a_link_to_nothing_exists_and_a_folder_is_no_file() {
    REPORTS.iter().for_each(Writing::takes_links_to_nothing_for_files_and_folders_for_none);
}

#[test]
fn a_model_is_never_an_output() {
    REPORTS.iter().for_each(Writing::never_writes_over_inputs);
}

#[test]
fn links_are_replaced_and_not_followed() {
    REPORTS.iter().for_each(Writing::replaces_links_and_does_not_follow_them);
}

#[test]
fn values_of_an_input_are_an_input() {
    let place = place_with_inputs();
    // A pair of numbers for an input of the model.
    let values = place.write("values.npy", &two_numbers(1, 2));
    fs::hard_link(&values, place.path("values.xlsx")).unwrap();
    let input =
        ["record", "model.onnx", "--input", "x=values.npy", "--report", "values.xlsx", "--force"];
    refused(&place.run(&input), "is the same file as values.npy, an input of this command");
}

#[test]
fn what_is_refused_is_refused_before_a_model_is_run() {
    let place = place_with_inputs();
    place.write("report.xlsx", b"mine");
    refused(
        &place.run(&["record", "gone.onnx", "--report", "report.xlsx"]),
        "report.xlsx: already exists; use --force to replace it",
    );
}

#[test]
fn trying_a_folder_touches_no_file() {
    let command = "record model.onnx --batch-size 1 --iterations 2 --out made";
    touches_no_file(&place_with_inputs(), "made/profiling_trace", command);
}
