//! Names from traces are data: in every format, on a terminal, and in the files that
//! spreadsheets cut at other letters than ours.

use crate::office::{Job, libreoffice, openpyxl};
use crate::program::{Place, json};
use crate::recordings::recorded;
use crate::terminal::on_terminal;

/// What commands a terminal, forges a line, or is evaluated by a spreadsheet.
const NAMES: [&str; 14] = [
    "x;=1+1;y",
    "x\t=1+1\ty",
    "x\n=1+1",
    "x;\"=1+1;y",
    "=1+1",
    "'=1+1",
    "＝1+1",
    "＋1",
    "－1",
    "＠A1",
    " @A1",
    "a|-1|b",
    "\u{1b}[31mred\u{9b}31m\u{7f}\u{202e}\r\nerror: forged",
    "plain",
];

/// A trace of the Neural Engine with an operator of each name.
fn trace(place: &Place) {
    let event = |name: &str, category: &str, start: usize, duration: usize| {
        let arguments = match category {
            "Matmul" => serde_json::json!({"reshape_time": "0ms", "forward_time": "0.09ms",
                "input_tensor_name": "a", "input_type": "fp32", "input_shape": "1",
                "output_tensor_name": "b", "output_type": "fp32", "output_shape": "1"}),
            _ => serde_json::json!({}),
        };
        serde_json::json!({"name": name, "cat": category, "ph": "X", "pid": 1, "tid": 1,
            "ts": start, "dur": duration, "args": arguments})
    };
    let mut events = vec![event("model_inference", "inference", 0, 100_000)];
    for iteration in 0..6 {
        let start = 1000 + iteration * 2000;
        let named = NAMES.iter().enumerate();
        events.extend(named.map(|(at, name)| event(name, "Matmul", start + at * 100, 90)));
        events.push(event(&format!("Iteration{iteration}"), "iteration", start, NAMES.len() * 100));
    }
    let trace = serde_json::json!({"traceEvents": events});
    place.write("t.json", trace.to_string().as_bytes());
}

/// Fields as a spreadsheet has them that cuts at `separator`, where quotes count only at
/// the start of a field.
fn fields(text: &str, separator: char) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let field = fields.last_mut().unwrap();
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if field.is_empty() => is_quoted = true,
            '\n' | '\r' if !is_quoted => fields.push(String::new()),
            letter if letter == separator && !is_quoted => fields.push(String::new()),
            letter => field.push(letter),
        }
    }
    fields
}

/// Every CSV that the program writes of the trace.
fn tables(place: &Place) -> Vec<(String, String)> {
    place.succeed(&["summary", "t.json", "--all", "--format", "csv", "-o", "summary"]);
    place.succeed(&["project", "t.json", "--format", "csv", "-o", "project"]);
    place.succeed(&["compare", "t.json", "t.json", "--format", "csv", "-o", "compare"]);
    place.succeed(&["check", "t.json", "--format", "csv", "-o", "check"]);
    place.succeed(&["convert", "t.json", "-o", "convert.csv"]);
    let folders = ["summary", "project", "compare", "check", "."];
    let files = folders.iter().flat_map(|folder| crate::program::files(&place.path(folder)));
    let tables = files.filter(|file| file.extension().is_some_and(|ending| ending == "csv"));
    tables
        .map(|file| (file.display().to_string(), std::fs::read_to_string(file).unwrap()))
        .collect()
}

#[test]
fn no_name_is_a_formula_whatever_parts_the_fields() {
    let place = Place::new();
    trace(&place);
    let tables = tables(&place);
    assert!(tables.len() > 12, "{}", tables.len());
    let mut names = 0;
    for (file, text) in &tables {
        for separator in [',', ';', '\t', '|'] {
            for field in fields(text, separator) {
                let start = field.trim_start_matches(|letter: char| {
                    letter.is_whitespace() || letter.is_control() || letter == '"'
                });
                let is_number = start.split(',').all(|part| part.parse::<f64>().is_ok());
                let is_formula = start.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
                assert!(!is_formula || is_number, "{file} cut at {separator:?}: {field:?}");
            }
        }
        names += text.matches("'=1+1").count();
    }
    assert!(names > 10, "{names}");
}

#[test]
fn names_are_read_back_from_our_own_files() {
    let place = Place::new();
    trace(&place);
    let targets: Vec<String> = NAMES.iter().map(|name| format!("{name}=0.5")).collect();
    let mut save = vec!["project", "t.json", "--save-settings", "s.json"];
    targets.iter().for_each(|target| save.extend(["--target-op", target]));
    place.succeed(&save);
    place.succeed(&["project", "t.json", "--ratios", "s.json", "--save-settings", "again.json"]);
    let [first, again] = ["s.json", "again.json"].map(|file| std::fs::read(place.path(file)));
    assert_eq!(first.unwrap(), again.unwrap());
    let settings = json(&std::fs::read_to_string(place.path("s.json")).unwrap());
    let targets = settings["targets"]["operators"].as_object().unwrap();
    assert_eq!(targets.len(), NAMES.len());
    assert!(NAMES.iter().all(|name| targets.contains_key(*name)), "{targets:?}");
    place.succeed(&["convert", "t.json", "--compact", "-o", "base.json"]);
    let compared =
        place.succeed(&["compare", "--baseline", "base.json", "t.json", "--format", "json"]);
    let layers = json(&compared)["layers"].as_array().unwrap().clone();
    assert_eq!(layers.len(), NAMES.len());
    for name in NAMES {
        assert!(layers.iter().any(|layer| layer["layer"] == name), "{name:?}: {layers:?}");
    }
}

/// Letters that command a terminal, or turn what is written.
fn commands(letter: char) -> bool {
    letter.is_control() && letter != '\n' || ('\u{202a}'..='\u{202e}').contains(&letter)
}

#[test]
fn nothing_of_a_name_reaches_a_terminal_as_a_command() {
    let place = Place::new();
    trace(&place);
    let forged = "\u{1b}[31mx\n.json";
    std::fs::copy(place.path("t.json"), place.path(forged)).unwrap();
    for arguments in [
        &["summary", forged, "--all"][..],
        &["summary", forged, "--level", "operator", "--format", "csv"],
        &["summary", forged, "--format", "json"],
        &["summary", forged, "--format", "markdown", "--all"],
        &["inspect", forged, "--format", "csv"],
        &["inspect", forged],
        &["project", forged, "--all"],
        &["compare", forged, "t.json"],
        &["check", forged],
        &["convert", forged, "-o", "\u{1b}[31m.csv"],
        &["report", forged, "-o", "\u{1b}[31m.xlsx"],
    ] {
        let arguments = [arguments, &["--color", "never"]].concat();
        let shown = on_terminal(&place, &arguments);
        assert!(!shown.contains(commands), "{arguments:?}: {shown:?}");
    }
    // A program gets the data as they are, in JSON by escapes.
    let csv = place.succeed(&["summary", forged, "--level", "operator", "--format", "csv"]);
    assert!(csv.contains("\u{1b}[31mred"));
    let text = place.succeed(&["summary", forged, "--format", "json"]);
    assert!(!text.contains(commands), "{text}");
    let operators = json(&text)["operators"].as_array().unwrap().clone();
    assert!(operators.iter().any(|operator| operator["name"] == NAMES[12]), "{operators:?}");
}

#[test]
fn messages_have_a_line_for_what_they_say() {
    let place = Place::new();
    trace(&place);
    let forged = "x\nerror: forged \u{1b}[31m";
    place.write(&format!("{forged}.xlsx"), b"");
    place.write(&format!("{forged}.csv"), b"a,b");
    for arguments in [
        &["report", "t.json", "-o", &format!("{forged}.xlsx")][..],
        &["report", "t.json", "-o", &format!("{forged}.txt")],
        &["report", "t.json", "-o", &format!("{forged}/r.xlsx")],
        &["convert", "t.json", "-o", forged],
        &["project", "t.json", "--ratios", &format!("{forged}.csv")],
        &["project", "t.json", "--ratios", &format!("{forged}.json")],
        &["summary", "t.json", "--format", forged],
        &["summary", "t.json", "--format", "csv", "-o", &format!("{forged}.csv")],
    ] {
        let failed = place.run(arguments);
        assert!(matches!(failed.code, Some(1 | 2)), "{arguments:?}: {}", failed.err);
        assert!(!failed.err.contains('\u{1b}'), "{arguments:?}: {:?}", failed.err);
        let is_forged = |line: &str| line.starts_with("error: forged");
        if failed.code == Some(1) {
            assert!(!failed.err.lines().any(is_forged), "{arguments:?}: {}", failed.err);
        }
    }
}

/// Names that a cell does not keep, or that its reader takes for something else.
const STRANGE: [&str; 20] = [
    "a\u{1}",
    "a\u{2}",
    "",
    "  ",
    " x ",
    "=1+1",
    "'=1",
    "_x0041_",
    "_x005F_",
    "weight shape",
    "operator name",
    "total",
    "TRUE",
    "#N/A",
    "x\r\ny",
    "\\u{1}",
    "\u{202e}abc",
    "e\u{301}",
    "target sparsity, all operators",
    "\u{feff}😀\u{1b}[31m",
];

#[test]
fn a_workbook_that_others_saved_keeps_the_names() {
    let place = Place::new();
    recorded(&place, "cnn", "cnn");
    let project = |trace: &str, more: &[&str]| {
        let arguments = [&["project", trace, "--format", "json"][..], more].concat();
        json(&place.succeed(&arguments))["projected_operators"].as_array().unwrap().clone()
    };
    let trace = place.traces("cnn")[0].display().to_string();
    let mut text = std::fs::read_to_string(&trace).unwrap();
    let settable = project(&trace, &[]).into_iter().filter(|row| row["target"].is_number());
    for (row, name) in settable.zip(STRANGE) {
        text = text.replace(&row["name"].to_string(), &serde_json::to_string(name).unwrap());
    }
    place.write("t.json", text.as_bytes());
    let targets = STRANGE.iter().enumerate();
    let targets = targets.map(|(at, name)| format!("{name}={}", at as f64 / 20.0));
    let targets: Vec<String> = targets.collect();
    let mut more = vec!["-o", "p.xlsx"];
    targets.iter().for_each(|target| more.extend(["--target-op", target]));
    let asked = project("t.json", &more);
    let [calc, python] = ["calc.xlsx", "python.xlsx"].map(|to| Job::new("p.xlsx", Vec::new(), to));
    libreoffice(&place, &[calc]);
    openpyxl(&place, &[python]);
    for file in ["p.xlsx", "calc.xlsx", "python.xlsx"] {
        let read = project("t.json", &["--ratios", file]);
        for (asked, read) in asked.iter().zip(&read) {
            assert_eq!(
                (&asked["name"], &asked["target"]),
                (&read["name"], &read["target"]),
                "{file}"
            );
        }
    }
    let has_target = |row: &&serde_json::Value| row["target"].is_number();
    assert!(asked.iter().filter(has_target).count() >= STRANGE.len());
}
