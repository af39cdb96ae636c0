//! Settings files that expand, repeat or claim without end: an error that names the limit,
//! in bounded memory.

use crate::program::{Finished, Place, finished, fixture_file, program, without_terminal};
use std::fs;
use std::io::{Cursor, Read, Write};
use std::process::Command;
use zip::write::SimpleFileOptions;

const SHEET: &str = "xl/worksheets/sheet1.xml";
const TEXTS: &str = "xl/sharedStrings.xml";

/// KiB of address space: a third of it is what a summary of a small trace takes.
const MEMORY: u32 = 1_000_000;

/// A projection with a file of settings, in so little memory that a file without bounds
/// would end it by an abort.
fn read(place: &Place, settings: &str) -> Finished {
    let script =
        format!("ulimit -v {MEMORY}; exec {} project t.json --ratios {settings}", program());
    let mut bash = Command::new("bash");
    bash.args(["-c", &script]).env("LC_ALL", "C").current_dir(place.path(""));
    without_terminal(&mut bash);
    finished(bash.output().unwrap())
}

fn place() -> Place {
    let place = Place::new();
    fs::copy(fixture_file("onnxruntime/1.31.1/loop.json"), place.path("t.json")).unwrap();
    place.succeed(&["project", "t.json", "-o", "whole.xlsx"]);
    place
}

/// The workbook, with something written in front of `end` in one of its parts.
fn with(place: &Place, file: &str, part: &str, end: &str, write: impl Fn(&mut dyn Write)) {
    let whole = fs::read(place.path("whole.xlsx")).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(whole)).unwrap();
    let mut writer = zip::ZipWriter::new(fs::File::create(place.path(file)).unwrap());
    let options = SimpleFileOptions::default().compression_level(Some(1));
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        writer.start_file(name.clone(), options).unwrap();
        match text.split_once(end).filter(|_| name == part) {
            Some((before, behind)) => {
                writer.write_all(before.as_bytes()).unwrap();
                write(&mut std::io::BufWriter::new(&mut writer));
                writer.write_all(end.as_bytes()).unwrap();
                writer.write_all(behind.as_bytes()).unwrap();
            }
            None => writer.write_all(text.as_bytes()).unwrap(),
        }
    }
    writer.finish().unwrap();
}

/// What is refused, and why.
fn refused(place: &Place, file: &str, limit: &str) {
    let found = read(place, file);
    assert_eq!(found.code, Some(1), "{file}: {}", found.err);
    let error = format!("error: {file}: too large: ");
    assert!(found.err.contains(&error) && found.err.contains(limit), "{file}: {}", found.err);
}

#[test]
fn workbooks_that_grow_are_refused_in_little_memory() {
    let place = place();
    let spaces = vec![b' '; 1 << 20];
    let pages = |count: usize| {
        let spaces = &spaces;
        move |out: &mut dyn Write| (0..count).for_each(|_| out.write_all(spaces).unwrap())
    };
    with(&place, "bomb.xlsx", SHEET, "</sheetData>", pages(1 << 10));
    assert!(fs::metadata(place.path("bomb.xlsx")).unwrap().len() < 32 << 20);
    refused(&place, "bomb.xlsx", "it unpacks to more than 256 MiB");
    with(&place, "texts.xlsx", TEXTS, "</sst>", |out| {
        (0..4_000_001).for_each(|_| out.write_all(b"<si><t>a</t></si>").unwrap());
    });
    refused(&place, "texts.xlsx", "it has more than 4000000 texts");
    with(&place, "cells.xlsx", SHEET, "</sheetData>", |out| {
        for row in 1000..201_001 {
            write!(out, "<row r=\"{row}\">").unwrap();
            for column in 'A'..='J' {
                write!(out, "<c r=\"{column}{row}\"><v>1</v></c>").unwrap();
            }
            write!(out, "</row>").unwrap();
        }
    });
    refused(&place, "cells.xlsx", "more than 2000000 cells or 256 MiB of text");
}

#[test]
fn the_largest_that_is_read_fits_into_little_memory() {
    let place = place();
    let long = "a".repeat(1 << 20);
    with(&place, "long.xlsx", TEXTS, "</sst>", |out| {
        (0..240).for_each(|_| write!(out, "<si><t>{long}</t></si>").unwrap());
    });
    with(&place, "rows.xlsx", SHEET, "</sheetData>", |out| {
        for row in 1000..1_048_576 {
            write!(out, "<row r=\"{row}\"><c r=\"A{row}\" t=\"s\"><v>0</v></c></row>").unwrap();
        }
    });
    with(&place, "last.xlsx", SHEET, "</sheetData>", |out| {
        write!(out, "<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row>").unwrap();
    });
    for file in ["long.xlsx", "rows.xlsx", "last.xlsx"] {
        let found = read(&place, file);
        assert_eq!(found.code, Some(0), "{file}: {}", found.err);
    }
    with(&place, "outside.xlsx", SHEET, "</sheetData>", |out| {
        write!(out, "<row r=\"1048577\"><c r=\"A1048577\"><v>1</v></c></row>").unwrap();
    });
    let found = read(&place, "outside.xlsx");
    assert_eq!(found.code, Some(1), "{}", found.err);
}

#[test]
fn texts_that_are_large_are_refused_in_little_memory() {
    let place = place();
    let write = |file: &str, start: &str, line: &str, bytes: usize| {
        let mut text = start.to_string();
        text.extend(std::iter::repeat_n(line, (bytes / line.len()) + 1));
        place.write(file, text.as_bytes());
    };
    write("stored.csv", "", "weight shape,90%\n", 65 << 20);
    refused(&place, "stored.csv", "more than 64 MiB");
    write("cells.csv", "weight shape,90%\n", ",,,,,,,,\n", 3 << 20);
    refused(&place, "cells.csv", "more than 2000000 cells");
    write("saved.json", "{\"format\":\"onnxray sparse settings\",\"levels\":[", "0.5,", 17 << 20);
    refused(&place, "saved.json", "more than 16 MiB of settings");
    // As deep as text can be within that.
    write("deep.json", "{\"format\":", "[", 15 << 20);
    let found = read(&place, "deep.json");
    assert_eq!(found.code, Some(1), "{}", found.err);
    assert!(found.err.starts_with("error: deep.json: "), "{}", &found.err[..200]);
}
