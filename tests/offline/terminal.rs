//! What people see: tables that fit the terminal, units that suit the values, colours
//! where they are wanted.

use crate::program::{
    Place, files, finished, fixture_file, json, program, python, without_terminal,
};
use std::path::{Path, PathBuf};
use std::process::Command;
use unicode_width::UnicodeWidthStr;

const LEVELS: &str = "model,launch,type,operator,kernel,resource";

fn fixture(name: &str) -> String {
    fixture_file(name).display().to_string()
}

/// Every file below a folder.
fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in files(folder) {
        match path.is_dir() {
            true => below(&path, found),
            false => found.push(path),
        }
    }
}

/// What a command prints where a terminal is so wide; nothing if it cannot be done.
fn printed(place: &Place, arguments: &[&str], width: usize) -> String {
    let output = place.command(arguments).env("COLUMNS", width.to_string()).output();
    finished(output.unwrap()).out
}

fn widest(text: &str) -> usize {
    text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0)
}

/// Runs a command on a terminal of 60 columns and prints what comes there.
const ON_TERMINAL: &str = "
import fcntl, os, struct, subprocess, sys, termios
terminal, program = os.openpty()
fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 60, 0, 0))
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=program, stderr=subprocess.DEVNULL)
os.close(program)
try:
    while part := os.read(terminal, 4096):
        sys.stdout.buffer.write(part)
except OSError:
    pass  # the other end is closed
sys.exit(child.wait())
";

pub(crate) fn on_terminal(place: &Place, arguments: &[&str]) -> String {
    let mut terminal = Command::new(python());
    terminal.args(["-c", ON_TERMINAL, program()]).args(arguments).current_dir(place.path("."));
    terminal.env("TERM", "xterm");
    without_terminal(&mut terminal);
    let output = terminal.output();
    let finished = finished(output.unwrap());
    assert_eq!(finished.code, Some(0), "{}", finished.err);
    finished.out.replace('\r', "")
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let place = Place::new();
    let mut traces = Vec::new();
    below(&fixture_file(""), &mut traces);
    traces.retain(|path| !path.ends_with("MANIFEST.json"));
    // Of each recording one launch: the others are of the same operators.
    let recordings = fixture_file("recordings");
    let is_first = |path: &Path| path.to_string_lossy().ends_with("_0.json.gz");
    traces.retain(|path| !path.starts_with(&recordings) || is_first(path));
    let mut shown = 0;
    for trace in traces {
        for width in [1, 40, 80, 200] {
            let text =
                printed(&place, &["summary", trace.to_str().unwrap(), "--level", LEVELS], width);
            assert!(widest(&text) <= width.max(20), "{} at {width}:\n{text}", trace.display());
            shown += usize::from(!text.is_empty());
        }
    }
    assert!(shown > 200, "{shown} reports");
}

#[test]
fn no_line_of_other_commands_is_wider_either() {
    let place = Place::new();
    let profile = fixture("onnxruntime/1.31.1/encoder.json.gz");
    let older = fixture("onnxruntime/1.31.1/encoder-int8.json.gz");
    let model = fixture("models/encoder.onnx");
    let commands: [&[&str]; 6] = [
        &["compare", &profile, &older, "--all", "--allow-model-mismatch"],
        &["check", &profile],
        &["project", &profile, "--model", &model, "--all", "--sparsity-table"],
        &["inspect", &profile],
        &["inspect", "--list"],
        &["flops", &model, "--dim", "sequence=16"],
    ];
    for command in commands {
        for width in [40, 80, 200] {
            let text = printed(&place, command, width);
            assert!(!text.is_empty(), "{command:?}");
            assert!(widest(&text) <= width, "{command:?} at {width}:\n{text}");
        }
    }
}

#[test]
fn redirected_output_is_whole_and_a_terminal_shows_what_it_has_room_for() {
    let place = Place::new();
    let profile = fixture("onnxruntime/1.31.1/encoder.json.gz");
    let command = ["summary", &profile, "--level", "operator"];
    let whole = place.succeed(&command);
    let name = "/bert/encoder/layer.0/output/dense/MatMul";
    assert!(whole.contains(name) && widest(&whole) > 80, "{whole}");

    let shown = on_terminal(&place, &command);
    assert!(shown.contains("\u{1b}[1m"), "{shown}");
    let shown = on_terminal(&place, &[&command[..], &["--color", "never"]].concat());
    assert!(widest(&shown) <= 60, "{shown}");
    assert!(shown.contains("/MatMul") && shown.contains('…') && !shown.contains(name), "{shown}");
    assert!(shown.contains("--wide shows them"), "{shown}");
    let wide = on_terminal(&place, &[&command[..], &["--color", "never", "--wide"]].concat());
    assert_eq!(wide, whole);
}

#[test]
fn colour_is_where_it_is_wanted() {
    let place = Place::new();
    let profile = fixture("onnxruntime/1.31.1/encoder.json.gz");
    let command = ["summary", profile.as_str(), "--color"];
    let always = place.succeed(&[command[0], command[1], command[2], "always"]);
    assert!(always.contains("\u{1b}["), "{always}");
    for quiet in [&[command[0], command[1]][..], &[command[0], command[1], command[2], "never"]] {
        assert!(!place.succeed(quiet).contains('\u{1b}'));
    }
    let mut no_color = place.command(&["summary", &profile]);
    let output = no_color.env("NO_COLOR", "1").output().unwrap();
    assert!(!finished(output).out.contains('\u{1b}'));
    // What is coloured is as wide as what is not.
    let plain: String = strip(&always);
    assert_eq!(plain, place.succeed(&["summary", &profile]));
}

/// A text without its colours.
fn strip(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap().to_string();
    parts.for_each(|part| plain.push_str(part.split_once('m').unwrap().1));
    plain
}

#[test]
fn times_are_in_a_unit_that_suits_them() {
    let place = Place::new();
    let profile = fixture("onnxruntime/1.31.1/encoder.json.gz");
    let text = place.succeed(&["summary", &profile, "--level", "model,operator"]);
    let numbers = json(&place.succeed(&[
        "summary",
        &profile,
        "--level",
        "model,operator",
        "--format",
        "json",
    ]));
    assert!(text.contains("Time µs"), "{text}");
    let row = text.lines().find(|line| line.contains("layer.0/output/dense/MatMul")).unwrap();
    let shown: f64 = row.split_whitespace().nth(3).unwrap().parse().unwrap();
    let operators = numbers["operators"].as_array().unwrap();
    let operator =
        operators.iter().find(|operator| row.contains(operator["name"].as_str().unwrap()));
    let exact = operator.unwrap()["time_ms"].as_f64().unwrap() * 1000.0;
    assert!((shown - exact).abs() <= 0.05, "{shown} for {exact}");
}

#[test]
fn the_rows_that_are_left_out_are_added_up() {
    let place = Place::new();
    let profile = fixture("onnxruntime/1.31.1/encoder.json.gz");
    for (level, key) in [("type", "operator_types"), ("operator", "operators")] {
        let command = ["summary", &profile, "--level", level, "--columns"];
        let columns = if level == "type" { "type,time_ms,share" } else { "name,time_ms,share" };
        let shown = place.succeed(&[&command[..], &[columns, "--top", "3", "--no-fold"]].concat());
        let all =
            json(&place.succeed(&["summary", &profile, "--level", level, "--format", "json"]));
        let all = all[key].as_array().unwrap();
        let rest = all.iter().skip(3).filter(|row| row["type"] != "framework overhead");
        let (count, share) = rest.fold((0, 0.0), |(count, share), row| {
            (count + 1, share + row["share"].as_f64().unwrap())
        });
        let expected = format!("{count} others");
        let row = shown.lines().find(|line| line.starts_with(&expected)).expect(&shown);
        assert!(row.ends_with(&format!("{:.1} %", share * 100.0)), "{share} in {row}");
    }
}

#[test]
fn operators_are_added_up_to_modules() {
    let place = Place::new();
    let profile = fixture("onnxruntime/1.31.1/encoder.json.gz");
    let command = ["summary", &profile, "--level", "operator", "--group"];
    let modules = json(&place.succeed(&[&command[..], &["layer.*", "--format", "json"]].concat()));
    let operators =
        json(&place.succeed(&["summary", &profile, "--level", "operator", "--format", "json"]));
    let operators = operators["operators"].as_array().unwrap();
    for module in modules["modules"].as_array().unwrap().iter().take(2) {
        let name = format!("{}/", module["module"].as_str().unwrap());
        let of_module = operators.iter().filter(|o| o["name"].as_str().unwrap().starts_with(&name));
        let times: Vec<f64> = of_module.map(|o| o["time_ms"].as_f64().unwrap()).collect();
        assert_eq!(module["operators"], times.len());
        let sum: f64 = times.iter().sum();
        assert!((module["time_ms"].as_f64().unwrap() - sum).abs() < 1e-9);
    }
}
