//! `docs/columns.md`: every table of every report, printed from the declarations of its columns.
//!
//! `ONNXRAY_UPDATE=1` writes the file anew.

use super::declared::Declared;
use super::tables::REPORTS;
use crate::document::Heading;
use std::collections::HashSet;
use std::fmt::Write;

/// Text above the tables.
const INTRODUCTION: &str = "\
# Columns and figures

JSON, CSV and `--columns` call a column or a figure by its key. The terminal, pages and workbooks show its
heading, unless a workbook has a name of its own for it. [The statistics](statistics.md) define how each is
computed. This page is printed from the program.
";

fn everything() -> Vec<Declared> {
    let mut all: Vec<Declared> = REPORTS.iter().flat_map(|reports| (reports.tables)()).collect();
    // Several commands show a table.
    let mut titles = HashSet::new();
    all.retain(|table| titles.insert(table.title));
    all
}

/// A meaning without the end of the interval that it begins with.
fn of_both(meaning: &str) -> String {
    let ends = ["low end of ", "high end of "];
    let rest = ends.iter().find_map(|end| meaning.strip_prefix(end));
    rest.map_or(meaning.to_string(), |rest| format!("ends of {rest}"))
}

fn markdown(table: &Declared) -> String {
    let mut text = format!("\n## {}\n\n| key | heading | meaning |\n|-|-|-|\n", table.title);
    // Of both sides, or of both ends of an interval, the same is said once.
    for alike in table.columns.chunk_by(|one, other| of_both(one.meaning) == of_both(other.meaning))
    {
        let keys: Vec<String> = alike.iter().map(|column| format!("`{}`", column.key)).collect();
        // A heading may hold a bar; a key and a meaning do not.
        let headings: Vec<String> =
            alike.iter().map(|column| column.heading.replace('|', "\\|")).collect();
        let (keys, headings) = (keys.join(", "), headings.join(", "));
        let meaning = of_both(alike[0].meaning);
        writeln!(text, "| {keys} | {headings} | {meaning} |").expect("texts take all");
    }
    text
}

#[test]
fn documentation_lists_all_columns() {
    let text: String = everything().iter().map(markdown).collect();
    let text = format!("{INTRODUCTION}{text}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/columns.md");
    if std::env::var_os("ONNXRAY_UPDATE").is_some() {
        std::fs::write(path, &text).expect("the page can be written");
    }
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(page == text, "docs/columns.md is not what is declared: set ONNXRAY_UPDATE=1 once");
}

#[test]
fn every_column_has_a_meaning_of_its_own() {
    for table in everything() {
        let mut keys = HashSet::new();
        for Heading { key, heading, meaning, .. } in &table.columns {
            let column = format!("{key} of {}", table.title);
            assert!(keys.insert(*key), "{column} is there twice");
            assert!(!heading.is_empty() && !meaning.is_empty(), "{column} does not say what it is");
            assert!(!meaning.contains(['|', '\n']), "{column} breaks a table");
        }
    }
}
