//! What the program says to inputs that it cannot use, word by word.

use crate::program::{Place, json, model};
use crate::recordings::recorded;
use std::fs;

#[test]
fn models_that_are_missing_or_no_models() {
    let place = Place::new();
    place.write("empty.onnx", b"");
    place
        .run(&["flops", "gone.onnx"])
        .failed("error: gone.onnx: No such file or directory (os error 2)\n");
    place.run(&["flops", "empty.onnx"]).failed(
        "error: empty.onnx: not a whole ONNX model: it holds no graph\n\
         hint: the file has 0 bytes; is it an .onnx file, and was it copied completely?\n",
    );
}

#[test]
fn a_batch_size_is_given_once() {
    let place = Place::new();
    let cnn = model("cnn");
    place.run(&["flops", &cnn, "--batch-size", "4", "--dim", "batch=8"]).failed(
        "error: the batch size is given twice: --batch-size 4 and --dim batch=8\n\
         hint: leave one of them out\n",
    );
    place.succeed(&["flops", &cnn, "--batch-size", "4", "--dim", "batch=4"]);
}

#[test]
fn a_report_ends_in_a_known_ending() {
    Place::new()
        .run(&["report", "x", "-o", "report.pdf"])
        .failed("error: report.pdf: expected a file name that ends in .xlsx or .html\n");
}

#[test]
fn recordings_that_are_none() {
    let place = Place::new();
    place.write("notes.json", b"hello");
    place.write("chrome.json", b"{\"traceEvents\":[]}");
    fs::create_dir(place.path("empty")).unwrap();
    let summary = |path: &str| place.run(&["summary", path]);
    summary("gone").failed("error: gone: No such file or directory (os error 2)\n");
    summary("empty").failed(
        "error: empty: no recordings in this folder; it is empty\n\
         hint: it should hold profiling_trace/profiling_*.json, as `onnxray record` writes them, or \
         profiles of another runtime (`onnxray inspect --list`)\n",
    );
    summary("notes.json").failed(
        "error: notes.json: no format that onnxray knows; it begins with \"hello\"\n\
         looked for: JSON; a table of trtexec --dumpProfile, benchmark_app -pc or benchmark_model in a log; a \
         CSV of benchmark_app, DL Workbench, benchmark_model or the Neural Engine; an execution graph (XML); \
         any of these in gzip, Zstandard or ZIP\n\
         hint: `onnxray inspect --list` names the formats, `--from FORMAT` reads the file as one of them\n",
    );
    place.run(&["summary", "chrome.json", "--from", "onnxray"]).failed(
        "error: chrome.json: line 1, byte 0: expected the metadata of an onnxray recording (\"otherData\" \
         with \"format_version\"), found a Chrome trace without it\n",
    );
}

#[test]
fn a_recording_cut_at_any_byte_gives_its_prefix_and_a_warning() {
    let place = Place::new();
    recorded(&place, "cnn-no-plain", "out");
    let whole = fs::read(&place.traces("out")[0]).unwrap();
    let head = whole.iter().position(|&byte| byte == b'\n').unwrap();
    for at in [head + 2, whole.len() / 2, whole.len() * 3 / 4, whole.len() - 40, whole.len() - 2] {
        place.write("cut.json", &whole[..at]);
        let finished = place.run(&["summary", "cut.json", "--level", "model", "--format", "json"]);
        if finished.code == Some(1) {
            assert!(finished.err.starts_with("warning: cut.json: line "), "{}", finished.err);
            assert!(
                finished
                    .err
                    .ends_with("error: cut.json: no measured iteration was recorded (0 warm-up)\n"),
                "{}",
                finished.err
            );
            continue;
        }
        let iterations = json(&finished.out)["model"]["iterations"].as_u64().unwrap();
        assert!(finished.err.contains("the recording ends early: "), "{at}: {}", finished.err);
        assert!(
            finished.err.contains(&format!("{} whole iterations were read", iterations + 2)),
            "{}",
            finished.err
        );
    }
    place.write("cut.json", &whole[..head / 2]);
    place.run(&["summary", "cut.json", "--from", "onnxray"]).failed(&format!(
            "error: cut.json: line 1, byte {}: expected an array of events, found the end of the file\n",
            head / 2
        ));
}
