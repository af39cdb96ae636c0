//! What holds of many comparisons, and documents that cannot be read.

use crate::program::{Place, finished, json};
use crate::recordings::recorded;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::File;

/// Rows of a table with a verdict, by name.
fn differing<'a>(report: &'a Value, table: &str, name: &str) -> BTreeSet<(&'a str, &'a str)> {
    let rows = report[table].as_array().unwrap().iter();
    let text = |row: &'a Value, key: &str| row[key].as_str().unwrap_or_default();
    let all = rows.map(|row| (text(row, name), text(row, "verdict")));
    all.filter(|(_, verdict)| ["slower", "faster"].contains(verdict)).collect()
}

fn compared(place: &Place, a: &str, b: &str) -> String {
    place.succeed(&["compare", a, b, "--allow-model-mismatch", "--format", "json"])
}

fn two(place: &Place) -> [String; 2] {
    recorded(place, "cnn", "one");
    recorded(place, "cnn-threads-2", "two");
    [compared(place, "one", "two"), compared(place, "two", "one")]
}

#[test]
fn a_single_comparison_is_as_it_says_itself() {
    let place = Place::new();
    let [one, other] = two(&place);
    place.write("one.json", one.as_bytes());
    let compared = json(&one);
    let found = json(&place.succeed(&["regressions", "one.json", "--format", "json"]));
    let [of_layers, layers] =
        [&compared, &found].map(|report| differing(report, "layers", "layer"));
    assert!(layers.is_subset(&of_layers), "{layers:?} {of_layers:?}");
    let tested = compared["layers"].as_array().unwrap().iter();
    let tested = tested.filter(|row| row["p"].is_number()).count();
    assert_eq!(found["regressions"]["layers_tested"], tested);
    assert_eq!(found["regressions"]["comparisons"], 1);

    // Two, in a file and from standard input.
    place.write("all.json", format!("{one}{other}").as_bytes());
    let found = json(&place.succeed(&["regressions", "all.json", "--format", "json"]));
    assert_eq!(found["regressions"]["comparisons"], 2);
    assert_eq!(found["regressions"]["layers_tested"], 2 * tested);
    let mut piped = place.command(&["regressions", "-", "--format", "json"]);
    piped.stdin(File::open(place.path("all.json")).unwrap());
    assert_eq!(json(&finished(piped.output().unwrap()).out), found);
    for format in ["table", "markdown"] {
        let shown = place.succeed(&["regressions", "all.json", "--format", format]);
        assert!(shown.contains("2 comparisons: of 2 latencies, "), "{shown}");
    }
    let listed = place.succeed(&["regressions", "all.json", "--format", "csv", "-o", "tables"]);
    assert_eq!(listed.lines().count(), 4, "{listed}");
}

const SLIM: &str = "{\"report\": \"comparison\", \"comparison\": \"x\\u001b[1m\", \"inference\": \
    [{\"figure\": \"latency_typical_ms\", \"baseline\": \"a\", \"version\": \"b\", \"a\": 2, \
    \"b\": 3, \"ratio\": 1.5, \"p\": 0.001, \"verdict\": \"slower\"}]}\n";

#[test]
fn slim_documents_are_enough() {
    let place = Place::new();
    place.write("all.jsonl", SLIM.repeat(3).as_bytes());
    let shown = place.succeed(&["regressions", "all.jsonl"]);
    let headline = "3 comparisons: of 3 latencies, 3 are slower; no layer was tested. ";
    assert!(shown.starts_with(headline) && !shown.contains('\u{1b}'), "{shown}");
}

#[test]
fn what_cannot_be_read_is_said() {
    let place = Place::new();
    recorded(&place, "cnn", "one");
    let summary = place.succeed(&["summary", "one", "--format", "json"]);
    let bad = SLIM.replace("0.001", "1.5");
    for (text, error) in [
        (
            summary.as_str(),
            "line 1: is the JSON of another report (\"summary\"); `onnxray compare A B --format json` makes such",
        ),
        ("", "the file is empty"),
        ("text", "line 1: invalid JSON: expected ident at line 1 column 2"),
        (&bad, "line 1: the p of \"latency_typical_ms\" is 1.5, not from 0 to 1"),
        (&SLIM[..40], "line 1: invalid JSON: EOF while parsing a string at line 1 column 40"),
    ] {
        place.write("bad.json", text.as_bytes());
        place.run(&["regressions", "bad.json"]).failed(&format!("error: bad.json: {error}\n"));
    }
    place.run(&["regressions", "none.json"]).failed(
        "error: none.json: No such file or directory (os error 2); the only .json file there is \
             bad.json\n",
    );
    // Beside others, it is a loss.
    place.write("some.json", format!("{SLIM}{bad}{SLIM}{}", &SLIM[..40]).as_bytes());
    let shown = place.succeed(&["regressions", "some.json"]);
    assert!(shown.starts_with("2 comparisons: "), "{shown}");
    let warnings = ["warning: some.json: line 2: the p of", "warning: some.json: line 4: invalid"];
    assert!(warnings.iter().all(|warning| shown.contains(warning)), "{shown}");
    assert_eq!(place.run(&["regressions", "some.json", "--strict"]).code, Some(1));
}

#[test]
fn what_no_comparison_says_is_refused() {
    let place = Place::new();
    let document = |verdict: &str, ratio: f64| {
        serde_json::json!({"report": "comparison", "schema_version": 1, "layers": [], "inference": [{
            "figure": "latency_ms", "version": "b", "baseline": "a", "verdict": verdict, "p": 1e-9,
            "a": 1.0, "b": 2.0, "ratio": ratio, "ratio_low": 1.9, "ratio_high": 2.1,
        }]})
    };
    for (verdict, ratio, reason) in [
        ("slowerx", 2.0, "the verdict of \"latency_ms\" is \"slowerx\", which is none"),
        ("slower", -2.0, "a ratio of \"latency_ms\" is -2, below 0"),
    ] {
        place.write("one.json", document(verdict, ratio).to_string().as_bytes());
        let refused = place.run(&["regressions", "--strict", "one.json"]);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.err.contains(reason), "{}", refused.err);
    }
    place.write("one.json", document("slower", 2.0).to_string().as_bytes());
    place.succeed(&["regressions", "--strict", "one.json"]);
}

#[test]
fn documents_that_begin_and_never_end_are_given_up() {
    let place = Place::new();
    place.write("open.json", "{\"a\":[\n".repeat(100_000).as_bytes());
    let refused = place.run(&["regressions", "open.json"]);
    assert_eq!(refused.code, Some(1));
    let reason = "is damaged in too many places; what follows is left out";
    assert!(refused.err.contains(reason), "{}", &refused.err[..refused.err.len().min(500)]);
}

#[test]
fn a_model_is_refused_once() {
    let place = Place::new();
    let refused = place.run(&["regressions", &crate::program::model("cnn")]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("cnn.onnx: line 1: is neither text nor JSON"), "{}", refused.err);
    assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
}
