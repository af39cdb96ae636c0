//! What commands write: never over what they read, and over what exists only with
//! `--force`.

use crate::output_rules::{Writing, place_with_inputs, profile, refused, touches_no_file};
use crate::program::{Finished, Place, fixture_file};
use crate::recordings::recorded;
use std::fs;
use std::io::Write;
use std::process::Stdio;

const fn of_one(ending: &'static str, command: &'static str) -> Writing {
    Writing { ending, command, inputs: &["x.json"] }
}

const fn of_two(ending: &'static str, command: &'static str) -> Writing {
    Writing { ending, command, inputs: &["x.json", "y.json"] }
}

const fn of_model(ending: &'static str) -> Writing {
    Writing { ending, command: "flops model.onnx -o OUT", inputs: &["model.onnx"] }
}

const COMMANDS: [Writing; 13] = [
    of_one("xlsx", "report x.json -o OUT"),
    of_one("html", "report x.json -o OUT"),
    of_one("html", "project x.json -o OUT"),
    of_two("html", "compare x.json y.json -o OUT"),
    of_one("xlsx", "project x.json -o OUT"),
    of_one("json", "project x.json --save-settings OUT"),
    of_two("xlsx", "compare x.json y.json -o OUT"),
    of_one("json", "convert x.json -o OUT"),
    of_one("csv", "convert x.json -o OUT"),
    of_one("parquet", "convert x.json -o OUT"),
    of_one("arrow", "convert x.json -o OUT"),
    of_model("html"),
    of_model("xlsx"),
];

#[test]
fn what_exists_is_replaced_by_force_only() {
    COMMANDS.iter().for_each(Writing::replaces_by_force_only);
}

#[test]
fn a_link_to_nothing_exists_and_a_folder_is_no_file() {
    COMMANDS.iter().for_each(Writing::takes_links_to_nothing_for_files_and_folders_for_none);
}

#[test]
fn an_input_is_never_an_output() {
    COMMANDS.iter().for_each(Writing::never_writes_over_inputs);
}

#[test]
fn links_are_replaced_and_not_followed() {
    COMMANDS.iter().for_each(Writing::replaces_links_and_does_not_follow_them);
}

#[test]
fn other_files_that_a_command_reads_are_inputs_too() {
    let place = place_with_inputs();
    recorded(&place, "cnn", "out");
    place.succeed(&["project", "out", "-o", "edited.xlsx"]);
    let before = fs::read(place.path("edited.xlsx")).unwrap();
    let again = ["project", "out", "--ratios", "edited.xlsx", "-o", "edited.xlsx", "--force"];
    refused(&place.run(&again), "edited.xlsx: is an input of this command");
    assert_eq!(fs::read(place.path("edited.xlsx")).unwrap(), before);
    fs::hard_link(place.path("model.onnx"), place.path("model.json")).unwrap();
    let joined = ["convert", "x.json", "--model", "model.onnx", "-o", "model.json", "--force"];
    refused(&place.run(&joined), "is the same file as model.onnx, an input of this command");
    let trace = place.traces("out")[0].display().to_string();
    refused(&place.run(&["convert", "out", "-o", &trace, "--force"]), "an input of this command");
}

#[test]
fn standard_input_is_an_input() {
    let place = Place::new();
    let before = profile(&place, "x.json");
    let file = fs::File::open(place.path("x.json")).unwrap();
    let mut command = place.command(&["convert", "-", "-o", "x.json", "--force"]);
    let finished = crate::program::finished(command.stdin(file).output().unwrap());
    refused(&finished, "x.json: is standard input, an input of this command");
    assert_eq!(fs::read(place.path("x.json")).unwrap(), before);
}

#[test]
fn files_beside_the_one_that_is_named_are_kept_too() {
    let place = place_with_inputs();
    for beside in ["out.operators.csv", "out.iterations.csv"] {
        place.write(beside, b"mine");
        let refusal = place.run(&["convert", "x.json", "-o", "out.csv"]);
        refused(&refusal, &format!("{beside}: already exists; use --force"));
        assert!(!place.path("out.csv").exists(), "nothing is written before all is checked");
        assert_eq!(fs::read(place.path(beside)).unwrap(), b"mine");
        fs::remove_file(place.path(beside)).unwrap();
    }
    // Several launches take a file each.
    place.write("z_1.json", b"mine");
    let two = ["convert", "x.json", "y.json", "-o", "z.json"];
    refused(&place.run(&two), "z_1.json: already exists; use --force");
    assert!(!place.path("z_0.json").exists());
    let renamed = ["x.json", "y_1.json"];
    fs::rename(place.path("y.json"), place.path("y_1.json")).unwrap();
    let over = [&["convert"][..], &renamed, &["-o", "y.json", "--force"]].concat();
    refused(&place.run(&over), "y_1.json: is an input of this command");
    assert!(!place.path("y_0.json").exists());
}

#[test]
fn what_is_refused_is_refused_before_anything_is_read() {
    let place = place_with_inputs();
    place.write("report.xlsx", b"mine");
    refused(&place.run(&["report", "gone.json", "-o", "report.xlsx"]), "already exists");
    refused(&place.run(&["compare", "gone", "gone", "-o", "report.xlsx"]), "already exists");
}

/// Reads a profile from standard input, which comes only after the output was checked.
fn run_late(place: &Place, arguments: &[&str], meanwhile: impl FnOnce()) -> Finished {
    let profile = fs::read_to_string(fixture_file("onnxruntime/1.31.1/loop.json")).unwrap();
    let mut command = place.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let (start, last) = profile.split_at(profile.rfind("\n{").unwrap());
    // All of this is written once the program reads: no pipe holds as much.
    input.write_all(start.as_bytes()).unwrap();
    input.write_all(&vec![b' '; 4 << 20]).unwrap();
    meanwhile();
    input.write_all(last.as_bytes()).unwrap();
    drop(input);
    crate::program::finished(child.wait_with_output().unwrap())
}

#[test]
fn what_appears_while_a_command_runs_is_kept() {
    for (out, command) in [
        ("out.xlsx", "report - -o out.xlsx"),
        ("out.html", "report - -o out.html"),
        ("out.xlsx", "project - -o out.xlsx"),
        ("out.json", "project - --save-settings out.json"),
        ("out.json", "convert - -o out.json"),
        ("out.csv", "convert - -o out.csv"),
        ("out.operators.csv", "convert - -o out.csv"),
        ("operators.csv", "summary - --format csv -o ."),
    ] {
        let place = Place::new();
        let arguments: Vec<&str> = command.split(' ').collect();
        let finished = run_late(&place, &arguments, || drop(place.write(out, b"another's")));
        assert_eq!(finished.code, Some(1), "{command}: {}", finished.err);
        let said = ["appeared in the meantime; it is kept", "already exists"];
        assert!(said.iter().any(|said| finished.err.contains(said)), "{}", finished.err);
        assert_eq!(fs::read(place.path(out)).unwrap(), b"another's", "{command}");
        let force = [&arguments[..], &["--force"]].concat();
        let forced = run_late(&place, &force, || {});
        assert_eq!(forced.code, Some(0), "{command}: {}", forced.err);
        assert_ne!(fs::read(place.path(out)).unwrap(), b"another's", "{command}");
    }
}

#[test]
fn no_file_is_written_twice() {
    let place = place_with_inputs();
    for settings in
        ["out/projected_types.csv", "./out/Projected_Types.CSV", "out/../out/projected_types.csv"]
    {
        for exists in [false, true] {
            if exists {
                fs::create_dir_all(place.path("out")).unwrap();
            } else if settings.contains("..") {
                continue; // leads nowhere
            }
            let command = ["project", "x.json", "--format", "csv", "-o", "out", "--force"];
            let finished = place.run(&[&command[..], &["--save-settings", settings]].concat());
            // Where the folder is still to be made, nothing can be saved into it.
            let said = if exists { "would be written twice" } else { "cannot write there" };
            refused(&finished, said);
            assert!(!exists || crate::program::files(&place.path("out")).is_empty());
        }
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

/// Whether a folder can be written to is tried without a name that can be foreseen.
#[test]
fn trying_a_folder_touches_no_file() {
    touches_no_file(&place_with_inputs(), "out", "convert x.json -o out/x.parquet");
}

#[test]
fn a_conversion_does_not_become_a_part_of_what_it_is_of() {
    let place = Place::new();
    recorded(&place, "cnn", "out");
    let traces = place.traces("out").len();
    for output in ["out/c.json", "out/profiling_trace/c.csv", "./out/../out/c.parquet"] {
        refused(&place.run(&["convert", "out", "-o", output]), "is inside out, which is read");
        assert!(!place.path(output).exists(), "{output}");
    }
    refused(&place.run(&["convert", ".", "-o", "c.json"]), "is inside ., which is read");
    place.succeed(&["convert", "out", "-o", "c.json"]);
    assert_eq!(place.traces("out").len(), traces);
}

/// Neither a browser nor a spreadsheet opens what a large trace would make.
#[test]
fn a_page_that_no_browser_would_open_is_refused() {
    const OPERATORS: usize = 200_001;
    let place = Place::new();
    let event = |number: usize| {
        format!(
            r#"{{"name":"{number}","cat":"Add","ph":"X","ts":{number},"dur":1,"pid":1,"tid":1}}"#
        )
    };
    let events: Vec<String> = (0..OPERATORS).map(event).collect();
    place.write("large.json", format!("[{}]", events.join(",")).as_bytes());
    let refused = place.run(&["report", "large.json", "-o", "large.html"]);
    assert_eq!(refused.code, Some(1));
    let why = "large.html: 200001 operators and 0 iterations are more than a page has room for, \
               200000 rows";
    assert!(refused.err.contains(why) && refused.err.contains("--top N"), "{}", refused.err);
    assert!(!place.path("large.html").exists());
}

#[test]
fn a_report_that_is_printed_writes_no_page_unless_one_is_named() {
    let place = place_with_inputs();
    let printed = place.succeed(&["report", "x.json", "--format", "json"]);
    assert!(!place.path("x.html").exists());
    let named = place.succeed(&["report", "x.json", "-o", "x.html", "--format", "json"]);
    assert!(place.path("x.html").exists());
    assert_eq!(named, printed);
}
