//! Commands on standard output and standard error that cannot be written to.

use crate::broken_streams::{Case, case, lose_no_result};
use crate::program::{Place, fixture_file, model};
use crate::recordings::recorded;
use std::fs;

/// A command that prints nothing to standard output.
fn silent(line: &str, code: i32) -> Case {
    Case { prints: false, ..case(line, code, &[]) }
}

fn cases(place: &Place) -> Vec<Case> {
    let profile = |name: &str| fixture_file(&format!("onnxruntime/1.31.1/{name}.json"));
    for (from, to) in [("cnn", "a.json"), ("cnn", "c.json"), ("loop", "b.json")] {
        fs::copy(profile(from), place.path(to)).unwrap();
    }
    fs::copy(model("cnn"), place.path("model.onnx")).unwrap();
    recorded(place, "cnn", "one");
    recorded(place, "cnn-threads-2", "two");
    vec![
        case("--help", 0, &[]),
        case("--version", 0, &[]),
        case("summary --help", 0, &[]),
        silent("", 2),
        silent("summary", 2),
        silent("summary a.json --format nothing", 2),
        silent("summary gone.json", 1),
        case("summary a.json", 0, &[]),
        case("summary a.json --format json", 0, &[]),
        case("summary a.json --format markdown --all", 0, &[]),
        case("summary a.json --level operator --format csv", 0, &[]),
        case(
            "summary a.json --format csv -o OUT/tables",
            0,
            &["tables/model.csv", "tables/operators.csv", "tables/operator_types.csv"],
        ),
        case(
            "summary a.json b.json --per-recording --level operator --format csv -o OUT/each",
            0,
            &["each/1/operators.csv", "each/2/operators.csv"],
        ),
        case("report a.json -o OUT/report.xlsx", 0, &["report.xlsx"]),
        case("report a.json -o OUT/report.html --format json", 0, &["report.html"]),
        case("compare a.json a.json -o OUT/compare.html", 0, &["compare.html"]),
        case(
            "project a.json -o OUT/project.xlsx --save-settings OUT/settings.json",
            0,
            &["project.xlsx", "settings.json"],
        ),
        case("compare a.json a.json -o OUT/compare.xlsx", 0, &["compare.xlsx"]),
        case("compare a.json b.json --allow-model-mismatch", 0, &[]),
        case(
            "compare a.json b.json --allow-model-mismatch --fail-on not-tested -o OUT/c.xlsx",
            3,
            &["c.xlsx"],
        ),
        case("compare one two --fail-on slower --format csv -o OUT/c", 4, &["c/inference.csv"]),
        case("check a.json", 0, &[]),
        case("check a.json --format csv -o OUT/check", 0, &["check/checks.csv"]),
        case("inspect --list", 0, &[]),
        case("inspect a.json", 0, &[]),
        case("flops model.onnx", 0, &[]),
        case(
            "convert a.json -o OUT/t.csv",
            0,
            &["t.csv", "t.operators.csv", "t.iterations.csv", "t.launches.csv"],
        ),
        case("convert a.json c.json -o OUT/r.json", 0, &["r_0.json", "r_1.json"]),
    ]
}

#[test]
fn streams_that_cannot_be_written_to_lose_no_result() {
    let place = Place::new();
    lose_no_result(&place, &cases(&place));
}
