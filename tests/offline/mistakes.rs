//! What people get wrong at first, one row each: the exit code, and what the message says to do
//! next. `tests/live/mistakes.rs` has those of commands that run a model.

use crate::program::{Place, fixture_file, model};
use crate::recordings::recorded;
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Arguments, the exit code, and what standard error says.
type Row<'a> = (&'a [&'a str], i32, &'a [&'a str]);

/// Every row on its own, where a recording of each of two models lies, and what was made of them.
fn check(rows: &[Row]) {
    let place = Place::new();
    recorded(&place, "cnn", "cnn");
    recorded(&place, "encoder", "encoder");
    std::fs::copy(model("cnn"), place.path("cnn.onnx")).unwrap();
    place.write("summary.json", place.succeed(&["summary", "cnn", "--format", "json"]).as_bytes());
    place.succeed(&["report", "cnn", "-o", "page.html"]);
    place.succeed(&["project", "cnn", "-o", "projection.xlsx"]);
    place.succeed(&["project", "cnn", "--save-settings", "settings.json"]);
    place.succeed(&["convert", "cnn", "-o", "cnn.parquet"]);
    for (arguments, code, says) in rows {
        let done = place.run(arguments);
        assert_eq!(done.code, Some(*code), "{arguments:?}\n{}", done.err);
        for part in *says {
            assert!(done.err.contains(part), "{arguments:?} does not say {part:?}:\n{}", done.err);
        }
        let is_usage = done.err.contains("Usage: ");
        let subcommand = arguments[0];
        assert!(
            !is_usage
                || subcommand.contains("cnn")
                || done.err.contains(&format!("Usage: onnxray {subcommand} [OPTIONS]")),
            "{}",
            done.err
        );
        // All columns are what somebody looks for who knows none.
        let mut lines = done.err.lines().filter(|line| !line.starts_with("hint: there are "));
        assert!(lines.all(|line| line.chars().count() < 250), "{}", done.err);
    }
}

#[test]
fn a_file_in_the_place_of_a_command() {
    check(&[
        (&["cnn.onnx"], 2, &["tip: to profile it: onnxray record cnn.onnx"]),
        (&["cnn"], 2, &["tip: to see where its time goes: onnxray summary cnn"]),
    ]);
}

#[test]
fn names_of_files() {
    check(&[
        (&["flops", "cnn.onx"], 1, &["did you mean cnn.onnx?"]),
        (&["summary", "encodr"], 1, &["did you mean encoder?"]),
        (&["compare", "cnn", "encodr/profiling_trace"], 1, &["encoder/profiling_trace?"]),
        (&["project", "cnn", "--ratios", "projecton.xlsx"], 1, &["did you mean projection.xlsx?"]),
        (&["project", "cnn", "--budget", "--sensitivity", "setings.json"], 1, &["settings.json?"]),
        (&["profiles", "nothing"], 1, &["onnxray record MODEL.onnx --profiles nothing"]),
        (&["convert", "cnn", "-o", "x.xls"], 1, &[".json, .csv, .parquet or .arrow"]),
        (
            &["compare", "cnn", "encoder", "-o", "x.csv"],
            1,
            &["`--format csv -o FOLDER` writes a file for each"],
        ),
    ]);
}

#[test]
fn numbers() {
    check(&[
        (
            &["compare", "cnn", "encoder", "--fail-above", "3"],
            2,
            &["'3' is ambiguous: write 3% or 0.03"],
        ),
        (&["compare", "cnn", "encoder", "--noise-threshold", "5"], 2, &["write 5% or 0.05"]),
        (&["project", "cnn", "--target", "90"], 2, &["'90' is ambiguous: write 90% or 0.9"]),
        (
            &["project", "cnn", "--target-type", "Conv=90"],
            2,
            &["'90' is ambiguous: write 90% or 0.9"],
        ),
        (&["project", "cnn", "--ratio", "48x48@90=4"], 2, &["'90' is ambiguous: write 90% or 0.9"]),
        (&["project", "cnn", "--budget", "85"], 2, &["'85' is ambiguous: write 85% or 0.85"]),
        (&["summary", "cnn", "--top", "all"], 2, &["--all shows all rows"]),
        (&["summary", "cnn", "--warmup", "few"], 2, &["expected a whole number"]),
    ]);
}

#[test]
fn too_little_or_the_same_to_compare() {
    check(&[
        (&["compare", "cnn"], 2, &["compare needs two recordings: onnxray compare A B"]),
        (&["compare", "cnn", "cnn"], 0, &["A and B are the same recording", "`onnxray check`"]),
        (
            &["compare", "cnn", "cnn", "--fail-above", "3%"],
            4,
            &["failed: cnn is not comparable: A and B are the same recording"],
        ),
    ]);
}

#[test]
fn options_without_effect() {
    let part = "/stages/stages.0/layers/layers.5/Clip";
    let target = format!("{}=0.9", part.replace("Clip", "Clop"));
    let did_you_mean = format!("did you mean `{part}`?");
    check(&[
        (
            &["compare", "cnn", "cnn", "--layer", "nothing", "--view", "layers"],
            1,
            &[
                "no operator has `nothing` in its name",
                "hint: the operators are `/stem/stem.0/Conv`",
            ],
        ),
        (&["compare", "cnn", "cnn", "--layer", "convv"], 1, &["no operator has `convv`"]),
        (&["project", "cnn", "--target-op", &target, "-q"], 1, &["--target-op", &did_you_mean]),
        (&["project", "cnn", "--plan-op", &target, "-q"], 1, &["--plan-op", &did_you_mean]),
        (&["project", "cnn", "--target-op", "n999=0.9"], 1, &["hint: the operators are `/stem"]),
        (&["project", "cnn", "--target-type", "Conf=.5", "-q"], 1, &["did you mean `Conv`?"]),
        (
            &["project", "cnn", "--ratio", "999x999@0.9=4", "-q"],
            1,
            &["no weight shape `999x999`", "the weight shapes are `16x27`"],
        ),
        (&["project", "cnn", "--ratio", "48x49@0.9=4"], 1, &["did you mean `48x48`"]),
        (&["summary", "cnn", "--columns", "time"], 1, &["did you mean `time_ms`, "]),
        (&["summary", "cnn", "--columns", "xyz"], 1, &["no column `xyz`", "there are type, "]),
        (&["summary", "cnn", "--group", "stagse"], 1, &["did you mean `stages`?"]),
        (&["summary", "cnn", "--level", "operatr"], 2, &["a similar value exists: 'operator'"]),
        (&["flops", "cnn.onnx", "--dim", "bacth=2"], 1, &["did you mean `batch`?"]),
    ]);
}

#[test]
fn what_onnxray_wrote_in_the_place_of_a_recording() {
    let made_from = "give the recording that it was made from";
    check(&[
        (
            &["summary", "summary.json"],
            1,
            &["not a recording but the JSON of onnxray's summary report", "--baseline FILE.json"],
        ),
        (
            &["summary", "page.html"],
            1,
            &["not a recording but a page that onnxray wrote", made_from],
        ),
        (&["compare", "cnn", "projection.xlsx"], 1, &["an Excel workbook", made_from, "--ratios"]),
        (&["summary", "settings.json"], 1, &["a file of onnxray sparse settings", "--ratios"]),
        (&["summary", "cnn.parquet"], 1, &["not a recording but a Parquet file"]),
        (&["project", "cnn", "--ratios", "page.html"], 1, &["found a page that onnxray wrote"]),
        (&["project", "cnn", "--ratios", "summary.json"], 1, &["found the JSON of onnxray's"]),
        (
            &["flops", "page.html"],
            1,
            &["not an ONNX file but a page", "give the model's .onnx file"],
        ),
        (&["summary", "cnn", "-o", "out.json"], 2, &["--output is the folder for the tables"]),
    ]);
}

#[test]
fn a_csv_of_a_recording_leads_to_the_recording() {
    let place = Place::new();
    recorded(&place, "cnn", "cnn");
    let csv = place.tables("cnn")[0].display().to_string();
    let folder = place.path("cnn").display().to_string();
    let said = place.run(&["summary", &csv]).err;
    assert!(said.contains("kernels only; the recording has operators"), "{said}");
    assert!(said.contains(&format!("read {folder} instead")), "{said}");
    // Elsewhere, nobody knows where the recording is.
    std::fs::copy(&csv, place.path("alone.csv")).unwrap();
    assert!(place.run(&["summary", "alone.csv"]).err.contains(" kernels only\n"));
}

#[test]
fn a_folder_of_several_recordings_says_first_which_is_read() {
    let place = Place::new();
    recorded(&place, "encoder-versions", "several");
    let done = place.run(&["summary", "several"]);
    assert!(done.err.starts_with("note: several holds 2 recordings; the newest is read, "));
    assert_eq!(done.code, Some(0));
}

#[test]
fn a_report_without_a_name_is_named_after_the_recording() {
    let place = Place::new();
    recorded(&place, "cnn", "cnn");
    assert_eq!(place.succeed(&["report", "cnn"]), "cnn.html\n");
    assert!(place.path("cnn.html").exists());
    place
        .run(&["report", "cnn"])
        .failed("error: cnn.html: already exists; use --force to replace it\n");
    let profile = fixture_file("onnxruntime/1.31.1/encoder.json.gz").display().to_string();
    assert_eq!(place.succeed(&["report", &profile]), "encoder.html\n");
}

/// A workbook with numbers typed into cells of a sheet, whether they are locked or not.
fn typed(workbook: &[u8], sheet: usize, cells: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(workbook)).unwrap();
    let mut edited = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let name = entry.name().unwrap().to_string();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        let is_edited = name == format!("xl/worksheets/sheet{sheet}.xml");
        for (cell, number) in cells.iter().filter(|_| is_edited) {
            let typed = format!("<c r=\"{cell}\"><v>{number}</v></c>");
            let end_of = |start: usize, tag: &str| start + text[start..].find(tag).unwrap();
            if let Some(start) = text.find(&format!("<c r=\"{cell}\"")) {
                text.replace_range(start..end_of(start, "</c>") + "</c>".len(), &typed);
                continue;
            }
            let row = cell.trim_start_matches(|c: char| c.is_ascii_uppercase());
            let start = text.find(&format!("<row r=\"{row}\"")).unwrap();
            text.insert_str(end_of(start, "</row>"), &typed);
        }
        edited.start_file(name, SimpleFileOptions::default()).unwrap();
        edited.write_all(text.as_bytes()).unwrap();
    }
    edited.finish().unwrap().into_inner()
}

#[test]
fn the_workbook_of_another_report_is_named() {
    let place = Place::new();
    recorded(&place, "cnn", "cnn");
    recorded(&place, "cnn-int8", "int8");
    recorded(&place, "sweep", "sweep");
    let model = fixture_file("models/cnn.onnx").display().to_string();
    place.succeed(&["report", "cnn", "-o", "recording.xlsx"]);
    place.succeed(&["compare", "cnn", "int8", "-o", "comparison.xlsx"]);
    place.succeed(&["sweep", "--profiles", "sweep", "-o", "sweep.xlsx"]);
    place.succeed(&["flops", &model, "-o", "flops.xlsx"]);
    for (file, report) in [
        ("recording.xlsx", "a recording"),
        ("comparison.xlsx", "a comparison"),
        ("sweep.xlsx", "a sweep"),
        ("flops.xlsx", "a FLOPS profile"),
    ] {
        place.run(&["project", "cnn", "--ratios", file]).failed(&format!(
            "error: {file}: the workbook of {report}, not of a projection\n\
             hint: give the one that `onnxray project RECORDING -o FILE.xlsx` writes\n"
        ));
    }
}

#[test]
fn targets_of_what_has_no_weight_are_refused_or_told() {
    let place = Place::new();
    recorded(&place, "cnn", "cnn");
    let types = "hint: the operator types with a weight are `Conv`, `Gemm`\n";
    place.run(&["project", "cnn", "--target-type", "relu=0.5"]).failed(&format!(
        "error: --target-type has no effect: the operator type `relu` has no weight\n{types}"
    ));
    for option in ["--target-op", "--plan-op"] {
        place.run(&["project", "cnn", option, "/stem/stem.2/Clip=0.5"]).failed(&format!(
            "error: {option} has no effect: the operator `/stem/stem.2/Clip` has no weight\n\
             hint: did you mean `/stem/stem.0/Conv`?\n"
        ));
    }
    place.succeed(&["project", "cnn", "--target-type", "Gemm=0.5"]);
    // In a cell that is there for a target, but of another operator or type.
    place.succeed(&["project", "cnn", "-o", "written.xlsx"]);
    let written = std::fs::read(place.path("written.xlsx")).unwrap();
    place.write("one.xlsx", &typed(&written, 2, &[("N4", "0.5"), ("N5", "0.8"), ("N7", "0")]));
    place.write("two.xlsx", &typed(&written, 4, &[("F5", "0.5"), ("F6", "0.5"), ("F7", "0.5")]));
    let said = |file: &str| {
        let done = place.run(&["project", "cnn", "--ratios", file, "-q"]);
        assert_eq!(done.code, Some(0), "{}", done.err);
        done.err
    };
    assert_eq!(
        said("one.xlsx"),
        "warning: one.xlsx: 'Operator profiling'!N4: no weight, so the target has no effect\n"
    );
    assert_eq!(
        said("two.xlsx"),
        "warning: two.xlsx: 'Layer types'!F5, 'Layer types'!F6: no weight, so the targets have no \
         effect\n"
    );
}
