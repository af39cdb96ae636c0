//! Workbooks in the hands of their users: edited, recalculated and saved by
//! LibreOffice, or written again by openpyxl.

use crate::office::edits::{Edits, OPERATORS, RATIOS, RENAMED, TARGET, find};
use crate::office::tables::{assert_printed, assert_same, assert_same_figures};
use crate::office::{Cell, Job, Sheets, address, libreoffice, openpyxl, written};
use crate::program::{Place, json};
use crate::recordings::recorded;
use crate::synthetic;
use serde_json::Value;

/// Operators of the large model: all of them where every cell is compared, fewer where edits are
/// tried out.
const MANY: u32 = 5000;
const EDITED: u32 = 400;

#[test]
fn libreoffice_computes_what_stands_in_a_report() {
    let place = Place::new();
    recorded(&place, "encoder", "encoder");
    synthetic::recording(&place.path("synthetic.json"), 300).unwrap();
    for recording in ["encoder", "synthetic.json"] {
        place.succeed(&["report", recording, "-o", &format!("{recording}.xlsx")]);
    }
    // Once as we wrote it, and once as openpyxl does, without any result.
    let again = Job::new("encoder.xlsx", Vec::new(), "again.xlsx");
    openpyxl(&place, &[again]);
    let jobs = ["encoder.xlsx", "synthetic.json.xlsx", "again.xlsx"]
        .map(|open| Job::new(open, Vec::new(), &format!("saved-{open}")));
    for (job, computed) in jobs.iter().zip(libreoffice(&place, &jobs)) {
        let ours = job.open.replace("again", "encoder");
        assert_same(&written(&place.path(&ours)), &computed, &job.open);
        assert_same(&written(&place.path(&job.save)), &computed, &job.save);
    }
}

/// What the tests are about: a file or folder for each model.
fn recordings(place: &Place, operators: u32) -> [&'static str; 3] {
    recorded(place, "encoder", "encoder");
    recorded(place, "cnn", "cnn");
    synthetic::recording(&place.path("synthetic.json"), operators).unwrap();
    ["encoder", "cnn", "synthetic.json"]
}

/// What the program prints of a projection.
fn project(place: &Place, recording: &str, more: &[&str]) -> Value {
    let arguments = ["project", recording, "--all", "--sparsity-table", "--format", "json"];
    json(&place.succeed(&[&arguments, more].concat()))
}

/// Perf ratios of the encoder that were measured, with ends, beside one that is given.
const MEASURED: &str = r#"{"format": "onnxray sparse settings", "version": 1, "ratios": [
    {"weight_shape": "256x256", "operator_type": "MatMul", "points": [
        {"sparse_ratio": 0.5, "perf_ratio": 1.875, "low": 1.75, "high": 2.125, "origin": "measured"},
        {"sparse_ratio": 0.8, "perf_ratio": 3.25, "origin": "given"},
        {"sparse_ratio": 0.9, "perf_ratio": 4.75, "low": 4.25, "high": 5.5, "origin": "measured"}]},
    {"weight_shape": "not pruned", "points": [
        {"sparse_ratio": 0.5, "perf_ratio": 1.02, "low": 0.99, "high": 1.03, "origin": "measured"},
        {"sparse_ratio": 0.9, "perf_ratio": 1.06, "low": 1.04, "high": 1.1, "origin": "measured"}]},
    {"weight_shape": "1024x256", "points": [
        {"sparse_ratio": 0.9, "perf_ratio": 4, "origin": "measured"}]}]}"#;

/// Options that a recording's projections are made with.
fn options(place: &Place, recording: &str) -> Vec<&'static str> {
    if recording != "encoder" {
        return Vec::new();
    }
    place.write("measured.json", MEASURED.as_bytes());
    vec!["--ratios", "measured.json"]
}

#[test]
fn libreoffice_computes_what_stands_in_a_projection() {
    let place = Place::new();
    let jobs = recordings(&place, MANY).map(|recording| {
        let open = format!("{recording}.xlsx");
        project(&place, recording, &[&options(&place, recording)[..], &["-o", &open]].concat());
        Job::new(&open, Vec::new(), &format!("saved-{open}"))
    });
    for (job, computed) in jobs.iter().zip(libreoffice(&place, &jobs)) {
        assert_same(&written(&place.path(&job.open)), &computed, &job.open);
        let recording = job.open.trim_end_matches(".xlsx");
        let printed = project(&place, recording, &options(&place, recording));
        assert_printed(&printed, &computed, &job.open);
    }
}

/// Edits that once told the sheet from the program: headings of one level that are typed in two
/// ways and differ in the last bit; the end of a range at its ratio.
const FOUND: [u64; 2] = [1_795_768_651_332_124_521, 1_795_770_314_701_339_874];

/// Seeds of the edits, and one more that nobody has tried.
fn seeds(count: u64) -> Vec<u64> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    (1..count).chain(FOUND).chain([now.as_nanos() as u64]).collect()
}

/// A workbook of a recording, and what is done to it.
struct Edited {
    recording: &'static str,
    job: Job,
    /// Says which edits they are.
    what: String,
}

/// Workbooks with random edits: many of the small models, `large` of the large
/// one.
fn edited(place: &Place, tool: &str, large: u64, also: fn(&mut Edits)) -> Vec<Edited> {
    let mut all = Vec::new();
    for recording in recordings(place, EDITED) {
        let open = format!("{recording}.xlsx");
        project(place, recording, &[&options(place, recording)[..], &["-o", &open]].concat());
        let sheets = written(&place.path(&open));
        let (count, seeds) = match recording {
            "synthetic.json" if large == 0 => continue,
            "synthetic.json" => (150, seeds(large)),
            _ => (12, seeds(3)),
        };
        for seed in seeds {
            let mut edits = Edits::new(&sheets, seed);
            edits.as_text = tool == "typed";
            edits.computed = tool != "openpyxl" && !edits.as_text;
            edits.cells(count);
            also(&mut edits);
            let save = format!("{tool}-{seed}-{open}");
            let what = format!("{recording}, edits of seed {seed}");
            all.push(Edited { recording, job: Job::new(&open, edits.list, &save), what });
        }
    }
    all
}

/// Has the program read edited workbooks, and compares what it computes with what
/// LibreOffice did.
fn assert_read(place: &Place, edited: &[Edited], computed: &[Sheets]) {
    for (edited, computed) in edited.iter().zip(computed) {
        let fresh = format!("fresh-{}", edited.job.save);
        let more = ["--ratios", &edited.job.save, "-o", &fresh];
        let printed = project(place, edited.recording, &more);
        assert_same_figures(&written(&place.path(&fresh)), computed, &edited.what);
        assert_printed(&printed, computed, &edited.what);
    }
}

#[test]
fn what_libreoffice_saves_is_read_as_it_computes_it() {
    let place = Place::new();
    let edited = edited(&place, "saved", 1, |_| {});
    let jobs: Vec<Job> = edited.iter().map(|edited| edited.job.clone()).collect();
    let computed = libreoffice(&place, &jobs);
    assert_read(&place, &edited, &computed);
}

#[test]
fn numbers_typed_as_text_count_alike_in_the_sheet_and_in_the_program() {
    let place = Place::new();
    let edited = edited(&place, "typed", 1, |_| {});
    let jobs: Vec<Job> = edited.iter().map(|edited| edited.job.clone()).collect();
    openpyxl(&place, &jobs);
    let saved = |job: &Job| Job::new(&job.save, Vec::new(), &format!("computed-{}", job.save));
    let computed = libreoffice(&place, &jobs.iter().map(saved).collect::<Vec<_>>());
    assert_read(&place, &edited, &computed);
}

#[test]
fn the_sheet_says_where_ratios_come_from_as_the_program_does() {
    let place = Place::new();
    recorded(&place, "encoder", "encoder");
    project(&place, "encoder", &["-o", "written.xlsx"]);
    let sheets = written(&place.path("written.xlsx"));
    let (header, _) = find(&sheets[RATIOS], "weight shape");
    let kinds = &sheets[RATIOS][header - 1];
    let columns = |kind: &str| -> Vec<usize> {
        (0..kinds.len()).filter(|&column| kinds[column].text() == kind).collect()
    };
    let (levels, lows) = (&columns("perf ratio")[..3], columns("perf ratio, low"));
    let set = |row: usize, column: usize, value: &str| {
        let cell = address(header + row, column);
        serde_json::json!({"do": "set", "sheet": RATIOS, "cell": cell, "value": value})
    };
    let ratio = |row: usize, column: usize| sheets[RATIOS][header + row][column].number().unwrap();
    let mut edits = Vec::new();
    for (position, &column) in levels.iter().enumerate() {
        edits.push(set(1, column, ["370 %", "2,6", " 2.2 (settable)"][position]));
        // What looks blank is blank, and defaults may be typed anew.
        edits.push(set(2, lows[position], " "));
        edits.push(set(3, column, &format!("{} ", ratio(3, column))));
        edits.push(set(4, column, " "));
    }
    openpyxl(&place, &[Job::new("written.xlsx", edits, "typed.xlsx")]);
    let computed = libreoffice(&place, &[Job::new("typed.xlsx", Vec::new(), "saved.xlsx")]);
    project(&place, "encoder", &["--ratios", "typed.xlsx", "-o", "fresh.xlsx"]);
    let origins = |sheets: &Sheets| -> Vec<String> {
        let (header, column) = find(&sheets[RATIOS], "origin");
        (1..5).map(|row| sheets[RATIOS][header + row][column].text().to_string()).collect()
    };
    let expected = ["given", "default, not measured", "default, not measured", "no ratio given"];
    assert_eq!(origins(&written(&place.path("fresh.xlsx"))), expected);
    assert_eq!(origins(&computed[0]), expected);
}

#[test]
fn a_formula_of_the_user_needs_a_spreadsheet_that_computes_it() {
    let place = Place::new();
    recorded(&place, "encoder", "encoder");
    project(&place, "encoder", &["-o", "whole.xlsx"]);
    let cell = {
        let sheets = written(&place.path("whole.xlsx"));
        let (header, column) = find(&sheets[RATIOS], "others");
        address(header + 1, column)
    };
    let edit =
        serde_json::json!({"do": "set", "sheet": RATIOS, "cell": cell, "formula": "=1/(1/2)"});
    openpyxl(&place, &[Job::new("whole.xlsx", vec![edit], "edited.xlsx")]);
    let message = format!(
        "error: edited.xlsx: '{RATIOS}'!{cell}: a formula without a stored value; open the file \
         in a spreadsheet program and save it once\n"
    );
    let refused = place.run(&["project", "encoder", "--ratios", "edited.xlsx"]);
    assert_eq!((refused.code, refused.err.as_str()), (Some(1), message.as_str()));
    libreoffice(&place, &[Job::new("edited.xlsx", Vec::new(), "saved.xlsx")]);
    place.succeed(&["project", "encoder", "--ratios", "saved.xlsx"]);
}

#[test]
fn only_inputs_can_be_edited_until_a_sheet_is_unprotected() {
    let place = Place::new();
    recorded(&place, "encoder", "encoder");
    project(&place, "encoder", &["-o", "written.xlsx"]);
    let sheets = written(&place.path("written.xlsx"));
    let (header, target) = find(&sheets[OPERATORS], TARGET);
    let (_, latency) = find(&sheets[OPERATORS], "operator latency (ms)");
    let row = (header + 1..).find(|&row| sheets[OPERATORS][row][target] != Cell::Empty).unwrap();
    let at = |sheets: &Sheets, column: usize| sheets[OPERATORS][row][column].clone();
    // UNO writes values into locked cells, but does not empty them.
    let empty = |column| {
        let cell = address(row, column);
        serde_json::json!({"do": "set", "sheet": OPERATORS, "cell": cell, "value": null})
    };
    let unprotect = serde_json::json!({"do": "unprotect", "sheet": OPERATORS});
    let jobs = [
        Job::new("written.xlsx", vec![empty(target), empty(latency)], "protected.xlsx"),
        Job::new("written.xlsx", vec![unprotect, empty(latency)], "unprotected.xlsx"),
    ];
    let [protected, unprotected] = libreoffice(&place, &jobs).try_into().unwrap();
    assert_eq!(at(&protected, target), Cell::Empty);
    assert_eq!(at(&protected, latency), at(&sheets, latency), "it is locked");
    assert_eq!(at(&unprotected, latency), Cell::Empty);
    // What is typed there is not read.
    let projected = |file: &str| project(&place, "encoder", &["--ratios", file]);
    assert_eq!(projected("unprotected.xlsx"), projected("written.xlsx"));
}

#[test]
fn rows_columns_and_sheets_may_be_moved_and_renamed() {
    let place = Place::new();
    let edited = edited(&place, "moved", 1, Edits::structure);
    let jobs: Vec<Job> = edited.iter().map(|edited| edited.job.clone()).collect();
    let mut computed = libreoffice(&place, &jobs);
    for sheets in &mut computed {
        for (name, new) in RENAMED {
            let rows = sheets.remove(new).unwrap();
            sheets.insert(name.to_string(), rows);
        }
    }
    assert_read(&place, &edited, &computed);
}

#[test]
fn what_openpyxl_saves_is_read_as_libreoffice_computes_it() {
    let place = Place::new();
    let edited = edited(&place, "openpyxl", 0, |_| {});
    let jobs: Vec<Job> = edited.iter().map(|edited| edited.job.clone()).collect();
    openpyxl(&place, &jobs);
    // openpyxl computes nothing; what it saved is opened once more.
    let again = |job: &Job| Job::new(&job.save, Vec::new(), &format!("again-{}", job.save));
    let computed = libreoffice(&place, &jobs.iter().map(again).collect::<Vec<_>>());
    assert_read(&place, &edited, &computed);
}
