//! What people get wrong in a workbook. Other mistakes are in `cases/mistakes`, and those of
//! commands that run a model in `tests/live/mistakes.rs`.

use crate::program::{Place, files, fixture_file};
use crate::recordings::recorded;
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// All columns are what somebody looks for who knows none.
#[test]
fn no_message_is_long_but_the_list_of_columns() {
    for file in files(&fixture_file("../tests/offline/cases/mistakes")) {
        let text = std::fs::read_to_string(file).unwrap();
        let mut lines = text.lines().filter(|line| !line.starts_with("hint: there are "));
        assert!(lines.all(|line| line.chars().count() < 250), "{text}");
    }
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
fn targets_in_the_cells_of_what_has_no_weight_are_told() {
    let place = Place::new();
    recorded(&place, "cnn", "cnn");
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
        "warning: one.xlsx: 'Projected operators'!N4: no weight, so the target has no effect\n"
    );
    assert_eq!(
        said("two.xlsx"),
        "warning: two.xlsx: 'By type'!F5, 'By type'!F6: no weight, so the targets have no \
         effect\n"
    );
}
