//! Standard output and standard error that cannot be written to: a command ends as it is
//! documented to, and what it was asked to write is there.

use crate::program::{
    Finished, Place, finished, fixture_file, model, program, record, without_terminal,
};
use std::fs;
use std::process::Command;

/// A stream, and what becomes of it.
const BROKEN: [(&str, &str); 3] = [
    ("closed", "STREAM>&-"),
    ("full", "STREAM>/dev/full"),
    // The reader is gone before anything is written.
    ("a closed pipe", "STREAM> >(exec true)"),
];

/// A command, its exit code where both streams work, and the files that it writes.
struct Case {
    line: String,
    code: i32,
    files: &'static [&'static str],
    /// Whether anything is written to standard output.
    prints: bool,
}

fn cases(place: &Place) -> Vec<Case> {
    let profile = |name: &str| fixture_file(&format!("onnxruntime/1.31.1/{name}.json"));
    for (from, to) in [("cnn", "a.json"), ("cnn", "c.json"), ("loop", "b.json")] {
        fs::copy(profile(from), place.path(to)).unwrap();
    }
    fs::copy(model("cnn"), place.path("model.onnx")).unwrap();
    record(place, "cnn", "one", &[]);
    record(place, "cnn", "two", &["--threads", "2"]);
    let case = |line: &str, code, files| Case { line: line.to_string(), code, files, prints: true };
    let silent = |line: &str, code| Case { prints: false, ..case(line, code, &[]) };
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
            "summary a.json b.json --each --level operator --format csv -o OUT/each",
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
        case(
            "loss model.onnx --levels 0.5 --layer /classifier/Gemm --save OUT/loss.json -o OUT/loss.xlsx",
            0,
            &["loss.json", "loss.xlsx"],
        ),
        case("compare a.json a.json -o OUT/compare.xlsx", 0, &["compare.xlsx"]),
        case("compare a.json b.json --anyway", 0, &[]),
        case("compare a.json b.json --anyway --fail-on not-tested -o OUT/c.xlsx", 3, &["c.xlsx"]),
        case("compare one two --fail-on slower --format csv -o OUT/c", 4, &["c/inference.csv"]),
        case("check a.json", 0, &[]),
        case("check a.json --format csv -o OUT/check", 0, &["check/checks.csv"]),
        case("import --list", 0, &[]),
        case("import a.json", 0, &[]),
        case("flops model.onnx", 0, &[]),
        case("convert a.json -o OUT/t.csv", 0, &["t.csv", "t.operators.csv", "t.iterations.csv"]),
        case("convert a.json c.json -o OUT/r.json", 0, &["r_0.json", "r_1.json"]),
        case(
            "record model.onnx --batch-size 1 --iterations 2 --out OUT/rec --report OUT/rec.xlsx",
            0,
            &["rec.xlsx"],
        ),
    ]
}

/// Runs a line of a shell in which `PROGRAM` is the program.
fn shell(place: &Place, script: &str) -> Finished {
    let mut bash = Command::new("bash");
    bash.args(["-c", script]).env("LC_ALL", "C").current_dir(place.path(""));
    without_terminal(&mut bash);
    finished(bash.output().unwrap())
}

fn sizes(place: &Place, out: &str, files: &[&str]) -> Vec<u64> {
    let size = |file: &&str| fs::metadata(place.path(out).join(file)).map_or(0, |m| m.len());
    files.iter().map(size).collect()
}

#[test]
fn streams_that_cannot_be_written_to_lose_no_result() {
    let place = Place::new();
    let cases = cases(&place);
    let program = program();
    for (number, case) in cases.iter().enumerate() {
        let out = |part: &str| {
            let out = format!("out-{number}-{part}").replace(' ', "-");
            fs::create_dir(place.path(&out)).unwrap();
            out
        };
        let line = |out: &str| format!("{program} {}", case.line.replace("OUT", out));
        let whole = out("whole");
        let expected = shell(&place, &line(&whole));
        assert_eq!(expected.code, Some(case.code), "{}: {expected:?}", case.line);
        let written = sizes(&place, &whole, case.files);
        assert!(!written.contains(&0), "{}: {:?}", case.line, case.files);
        for (stream, name) in [("1", "standard output"), ("2", "standard error")] {
            for (how, redirection) in BROKEN {
                let what = format!("{} with {name} {how}", case.line);
                let out = out(&format!("{stream}-{how}"));
                let redirection = redirection.replace("STREAM", stream);
                // Gives the reader of a pipe the time to end.
                let script = format!("exec {redirection}; wait $! 2>/dev/null; {}", line(&out));
                let found = shell(&place, &script);
                let is_lost = stream == "1" && how == "full" && case.prints;
                let code = match expected.code {
                    // Not all that was asked for could be done.
                    Some(0) if is_lost => Some(1),
                    code => code,
                };
                assert_eq!(found.code, code, "{what}: {found:?}");
                if is_lost {
                    let why = "error: cannot write to standard output: No space left";
                    assert!(found.err.contains(why), "{what}: {}", found.err);
                }
                assert!(!found.err.contains("panicked"), "{what}: {}", found.err);
                // What `record` writes has the time of day in its name.
                if stream == "2" && !case.line.starts_with("record") {
                    assert_eq!(
                        found.out.replace(&out, ""),
                        expected.out.replace(&whole, ""),
                        "{what}"
                    );
                }
                let sizes = sizes(&place, &out, case.files);
                assert!(!sizes.contains(&0), "{what}: {:?}: {sizes:?}", case.files);
            }
        }
    }
}
