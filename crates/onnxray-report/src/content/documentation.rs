//! `docs/columns.md`: every table of every report, printed from the declarations of its columns.
//!
//! `ONNXRAY_UPDATE=1` writes the file anew.

use super::declared::Declared;
use super::tables::all_reports;
use crate::document::Heading;
use std::collections::HashSet;
use std::fmt::Write;

/// Text above the tables.
const INTRODUCTION: &str = "\
# Columns and figures

JSON, CSV and `--columns` call a column or a figure by its `key`. The terminal, pages and workbooks show its
*heading*, here only if it is not the key in words or an end of an interval; workbooks have own names for some.
[The statistics](statistics.md) define how each is computed. This page is printed from the program.
";

/// Text above the columns that several tables share.
const SHARED: &str =
    "\n## In several tables\n\nBelow, *also* lists the columns that a table shares with others.\n";

fn everything() -> Vec<Declared> {
    let mut all: Vec<Declared> = all_reports().flat_map(|reports| (reports.tables)()).collect();
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

/// Letters and digits alone, in which a key and the heading made of it are the same.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// An entry of a list of columns: keys, and what follows them.
type Row = (String, String);

fn rows(table: &Declared) -> Vec<Row> {
    // Of both sides, or of both ends of an interval, the same is said once.
    let alike = table.columns.chunk_by(|one, other| of_both(one.meaning) == of_both(other.meaning));
    let row = |alike: &[Heading]| {
        let keys: Vec<String> = alike.iter().map(|column| format!("`{}`", column.key)).collect();
        let is_key = |column: &Heading| letters(column.key) == letters(&column.heading);
        let headings: Vec<&str> = alike.iter().map(|column| &*column.heading).collect();
        // Ends of an interval are called low and high.
        let is_plain =
            alike.iter().all(is_key) || of_both(alike[0].meaning).starts_with("ends of ");
        let headings = match is_plain {
            true => String::new(),
            false => format!(" *{}*", headings.join(", ")),
        };
        (keys.join(", "), format!("{headings}: {}", of_both(alike[0].meaning)))
    };
    alike.map(row).collect()
}

/// Rows that several tables have, the one of most tables for each key.
fn shared(tables: &[Vec<Row>]) -> Vec<Row> {
    let mut counts: Vec<(&Row, usize)> = Vec::new();
    for row in tables.iter().flatten() {
        match counts.iter_mut().find(|(known, _)| *known == row) {
            Some((_, count)) => *count += 1,
            None => counts.push((row, 1)),
        }
    }
    let most = |keys: &str| {
        let of_keys = counts.iter().filter(|((of, _), _)| of == keys).map(|(_, count)| *count);
        of_keys.max().unwrap_or_default()
    };
    let mut keys = HashSet::new();
    let is_shared = |((of, _), count): &(&Row, usize)| *count > 1 && *count == most(of);
    let all: Vec<_> = counts.iter().filter(|row| is_shared(row)).map(|(row, _)| *row).collect();
    all.into_iter().filter(|(of, _)| keys.insert(of.clone())).cloned().collect()
}

fn markdown(text: &mut String, rows: &[&Row]) {
    if !rows.is_empty() {
        *text += "\n";
    }
    for (keys, rest) in rows {
        writeln!(text, "- {keys}{rest}").expect("texts take all");
    }
}

fn page() -> String {
    let tables = everything();
    let of_tables: Vec<Vec<Row>> = tables.iter().map(rows).collect();
    let shared = shared(&of_tables);
    let mut text = format!("{INTRODUCTION}{SHARED}");
    markdown(&mut text, &shared.iter().collect::<Vec<_>>());
    for (table, rows) in tables.iter().zip(&of_tables) {
        writeln!(text, "\n## {}", table.title).expect("texts take all");
        let (known, own): (Vec<&Row>, Vec<&Row>) =
            rows.iter().partition(|row| shared.contains(row));
        if !known.is_empty() {
            let keys: Vec<&str> = known.iter().map(|(keys, _)| keys.as_str()).collect();
            writeln!(text, "\nAlso {}.", keys.join(", ")).expect("texts take all");
        }
        markdown(&mut text, &own);
    }
    text
}

#[test]
fn documentation_lists_all_columns() {
    let text = page();
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
            assert!(!meaning.contains(['|', '\n']), "{column} breaks a list");
        }
    }
}
