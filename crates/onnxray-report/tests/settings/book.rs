//! Workbooks for tests, laid out as the projection writes them, cell by cell.

use onnxray_analyzer::settings::{Read, SettingsError, read};
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};

/// What a cell holds.
#[derive(Clone, Debug)]
pub(crate) enum In {
    Text(&'static str),
    Number(f64),
    Truth(bool),
    /// Without a stored value.
    Formula(&'static str),
    /// With a value that a spreadsheet stored, whatever the formula gives.
    Stale(&'static str, &'static str),
    Date,
}

pub(crate) use In::{Date, Number, Stale, Text, Truth};

pub(crate) const RATIOS: &str = "Sparse ratio setting";
pub(crate) const OPERATORS: &str = "Operator profiling";
pub(crate) const TYPES: &str = "Layer types";
pub(crate) const PLAN: &str = "Plan";

/// Stands where no value is to be stored.
const NO_VALUE: &str = "no value";

/// Cells by sheet and name, in the order in which they are written; a later one
/// takes the place of an earlier one.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    sheets: Vec<&'static str>,
    cells: Vec<(&'static str, &'static str, In)>,
}

impl Book {
    pub(crate) fn new(sheets: &[&'static str]) -> Book {
        Book { sheets: sheets.to_vec(), cells: Vec::new() }
    }

    /// The settings of a model with two weight shapes, and four operators.
    pub(crate) fn projection() -> Book {
        let mut book = Book::new(&[RATIOS, OPERATORS, TYPES, PLAN]);
        for (cell, value) in [
            ("A1", Text("Sparse ratio setting")),
            ("A2", Text("aim to weight sparse ratio, all operators")),
            ("B2", Number(0.9)),
            ("A3", Text("block shape")),
            ("B3", Text("4x1")),
            ("A4", Text("Yellow cells are yours to set.")),
        ] {
            book.set(RATIOS, cell, value);
        }
        let columns = ["G", "H", "I", "J", "K", "L", "M", "N", "O", "P"];
        let kinds = ["perf ratio"; 4].into_iter().chain(["perf ratio, low"; 3]);
        let kinds = kinds.chain(["perf ratio, high"; 2]).chain(["computed"]);
        for (column, kind) in columns.iter().zip(kinds) {
            book.set(RATIOS, leak(format!("{column}5")), Text(kind));
        }
        for (cell, text) in [
            ("A6", "weight shape"),
            ("B6", "operator type"),
            ("C6", "data type"),
            ("D6", "block"),
            ("E6", "operators"),
            ("F6", "origin"),
            ("J6", "others"),
            ("P6", "key"),
        ] {
            book.set(RATIOS, cell, Text(text));
        }
        for (cell, level) in
            [("G6", 0.9), ("H6", 0.8), ("K6", 0.9), ("L6", 0.8), ("N6", 0.9), ("O6", 0.8)]
        {
            book.set(RATIOS, cell, Number(level));
        }
        for (row, shape, kind, ratios) in
            [("7", "256x256", "MatMul", [4.5, 3.0]), ("8", "1024x256", "Gemm", [5.0, 3.5])]
        {
            let at = |column: &str| leak(format!("{column}{row}"));
            book.set(RATIOS, at("A"), Text(shape));
            book.set(RATIOS, at("B"), Text(kind));
            book.set(RATIOS, at("C"), Text("fp32"));
            book.set(RATIOS, at("D"), Text("4x1"));
            book.set(RATIOS, at("E"), Number(2.0));
            book.set(RATIOS, at("F"), In::Formula("IF(COUNT(G7:I7)=0,\"no\",\"given\")"));
            book.set(RATIOS, at("G"), Number(ratios[0]));
            book.set(RATIOS, at("H"), Number(ratios[1]));
            book.set(RATIOS, at("J"), Number(1.0));
            book.set(RATIOS, at("P"), In::Formula("B7&\"|\"&A7"));
        }
        book.operators();
        book.types_and_plan();
        book
    }

    fn operators(&mut self) {
        for (cell, text) in [
            ("A1", "operator type"),
            ("C1", "operator name"),
            ("J1", "weight shape"),
            ("K1", "weight sparse ratio"),
            ("M1", "operator latency (ms)"),
            ("N1", "aim to weight sparse ratio"),
            ("O1", "sparse kernel pref ratio"),
            ("Q1", "projection"),
            ("W1", "target of type or model"),
        ] {
            self.set(OPERATORS, cell, Text(text));
        }
        for (row, kind, name) in
            [("2", "MatMul", "/a"), ("3", "MatMul", "/b"), ("4", "Gemm", "/c"), ("5", "Relu", "/d")]
        {
            let at = |column: &str| leak(format!("{column}{row}"));
            self.set(OPERATORS, at("A"), Text(kind));
            self.set(OPERATORS, at("C"), Text(name));
            self.set(OPERATORS, at("M"), Number(0.25));
            if kind == "Relu" {
                self.set(OPERATORS, at("O"), Number(1.0));
                self.set(OPERATORS, at("Q"), Text("no constant weight"));
                continue;
            }
            self.set(OPERATORS, at("K"), Number(0.0));
            self.set(OPERATORS, at("N"), In::Formula(leak(format!("W{row}"))));
            self.set(OPERATORS, at("O"), In::Formula("INDEX(ratio_values,1,1)"));
            self.set(OPERATORS, at("Q"), In::Formula("IF(N2<=0,\"no target\",\"projected\")"));
            self.set(OPERATORS, at("W"), In::Formula("IFERROR(INDEX(type_targets,1),0)"));
        }
    }

    fn types_and_plan(&mut self) {
        for (cell, value) in [
            ("A1", Text("Layer types, before and after")),
            ("A3", Text("operator type")),
            ("B3", Text("operators")),
            ("F3", Text("aim to weight sparse ratio")),
            ("A4", Text("MatMul")),
            ("B4", Number(2.0)),
            ("A5", Text("Gemm")),
            ("A6", Text("total")),
        ] {
            self.set(TYPES, cell, value);
        }
        for (cell, value) in [
            ("A1", Text("Plan")),
            ("A2", Text("budget (share of prunable parameters)")),
            ("B2", Number(0.85)),
            ("A3", Text("minimum level")),
            ("B3", Number(0.4)),
            ("A4", Text("maximum level")),
            ("B4", Number(0.95)),
            ("A5", Text("balance (1: loss only, 0: latency only)")),
            ("B5", Number(0.5)),
            ("A6", Text("prune the first layer")),
            ("B6", Truth(false)),
            ("A7", Text("prune grouped convolutions")),
            ("B7", Truth(false)),
            ("A18", Text("operator name")),
            ("E18", Text("planned level")),
            ("F18", Text("override")),
            ("A19", Text("/a")),
            ("E19", Number(0.85)),
            ("A20", Text("/b")),
        ] {
            self.set(PLAN, cell, value);
        }
    }

    pub(crate) fn set(&mut self, sheet: &'static str, cell: &'static str, value: In) -> &mut Book {
        if !self.sheets.contains(&sheet) {
            self.sheets.push(sheet);
        }
        self.clear(sheet, cell);
        self.cells.push((sheet, cell, value));
        self
    }

    /// Without a look for one that is there.
    pub(crate) fn push(&mut self, sheet: &'static str, cell: &'static str, value: In) {
        if !self.sheets.contains(&sheet) {
            self.sheets.push(sheet);
        }
        self.cells.push((sheet, cell, value));
    }

    pub(crate) fn clear(&mut self, sheet: &str, cell: &str) -> &mut Book {
        self.cells.retain(|(known, place, _)| (*known, *place) != (sheet, cell));
        self
    }

    pub(crate) fn without(&mut self, sheet: &str) -> &mut Book {
        self.cells.retain(|(known, _, _)| *known != sheet);
        self.sheets.retain(|known| *known != sheet);
        self
    }

    pub(crate) fn rename(&mut self, sheet: &str, name: &'static str) -> &mut Book {
        for known in self.sheets.iter_mut().chain(self.cells.iter_mut().map(|(known, ..)| known)) {
            if *known == sheet {
                *known = name;
            }
        }
        self
    }

    /// Moves every cell of a sheet from a row on.
    pub(crate) fn move_rows(&mut self, sheet: &str, from: u32, by: u32) -> &mut Book {
        for (known, cell, _) in &mut self.cells {
            let (row, column) = place(cell);
            if *known == sheet && row + 1 >= from {
                *cell = leak(format!("{}{}", letters(column), row + 1 + by));
            }
        }
        self
    }

    /// Moves every cell of a sheet from a column on.
    pub(crate) fn move_columns(&mut self, sheet: &str, from: &str, by: u16) -> &mut Book {
        let (_, from) = place(&format!("{from}1"));
        for (known, cell, _) in &mut self.cells {
            let (row, column) = place(cell);
            if *known == sheet && column >= from {
                *cell = leak(format!("{}{}", letters(column + by), row + 1));
            }
        }
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut workbook = Workbook::new();
        let date = Format::new().set_num_format("yyyy-mm-dd");
        for name in &self.sheets {
            let sheet = workbook.add_worksheet();
            sheet.set_name(*name).unwrap();
            for (_, cell, value) in self.cells.iter().filter(|(known, ..)| known == name) {
                let (row, column) = place(cell);
                match value {
                    Text(text) => sheet.write_string(row, column, *text),
                    Number(number) => sheet.write_number(row, column, *number),
                    Truth(truth) => sheet.write_boolean(row, column, *truth),
                    In::Formula(formula) => sheet.write_formula(
                        row,
                        column,
                        Formula::new(*formula).set_result(NO_VALUE),
                    ),
                    Stale(formula, value) => {
                        sheet.write_formula(row, column, Formula::new(*formula).set_result(*value))
                    }
                    Date => {
                        let day = ExcelDateTime::from_ymd(2026, 4, 5).unwrap();
                        sheet.write_datetime_with_format(row, column, &day, &date)
                    }
                }
                .unwrap();
            }
        }
        let bytes = workbook.save_to_buffer().unwrap();
        // The writer stores something for every formula.
        let sheets =
            (1..=self.sheets.len()).map(|number| format!("xl/worksheets/sheet{number}.xml"));
        sheets.fold(bytes, |bytes, sheet| {
            repacked(&bytes, &sheet, |xml| xml.replace(&format!("<v>{NO_VALUE}</v>"), ""))
        })
    }

    #[track_caller]
    pub(crate) fn read(&self) -> Read {
        read_bytes("edited.xlsx", &self.bytes()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What is wrong with it, without the name of the file.
    #[track_caller]
    pub(crate) fn problem(&self) -> String {
        problem("edited.xlsx", &self.bytes())
    }
}

/// What a spreadsheet makes of a CSV, on a sheet `x`: shares are numbers.
pub(crate) fn sheet_of(text: &str) -> Book {
    let mut book = Book::new(&["x"]);
    let mut lines = csv::ReaderBuilder::new();
    let lines = lines.has_headers(false).flexible(true).from_reader(text.as_bytes()).into_records();
    for (row, record) in (1..).zip(lines) {
        for (column, field) in record.unwrap().iter().enumerate() {
            let letter = char::from(b'A' + column as u8);
            let share =
                field.trim().strip_suffix('%').and_then(|digits| digits.parse::<f64>().ok());
            let cell = match field {
                "" => continue,
                "true" => Truth(true),
                "FALSE" => Truth(false),
                formula if formula.starts_with('=') => In::Formula(leak(formula.to_string())),
                _ if share.is_some() => Number(share.unwrap() / 100.0),
                number if number.parse::<f64>().is_ok() => Number(number.parse().unwrap()),
                text => Text(leak(text.to_string())),
            };
            book.push("x", leak(format!("{letter}{row}")), cell);
        }
    }
    book
}

/// Reads a file with this content.
pub(crate) fn read_bytes(name: &str, bytes: &[u8]) -> Result<Read, SettingsError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    read(&path)
}

/// What is wrong with a file, without its name.
#[track_caller]
pub(crate) fn problem(name: &str, bytes: &[u8]) -> String {
    match read_bytes(name, bytes) {
        Ok(read) => panic!("no problem: {read:?}"),
        Err(error) => {
            let message = error.to_string();
            let start = message.find(name).unwrap() + name.len() + 2;
            message[start..].to_string()
        }
    }
}

/// Entries of an archive, one of them changed.
pub(crate) fn repacked(bytes: &[u8], name: &str, change: impl Fn(String) -> String) -> Vec<u8> {
    use std::io::{Cursor, Read as _, Write as _};
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let known = entry.name().unwrap().into_owned();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        let text = if known == name { change(text) } else { text };
        writer.start_file(known, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// Row and column of `C7`.
fn place(cell: &str) -> (u32, u16) {
    let digits = cell.find(|c: char| c.is_ascii_digit()).unwrap();
    let (letters, row) = cell.split_at(digits);
    let column =
        letters.bytes().fold(0, |column, letter| column * 26 + u16::from(letter - b'A') + 1);
    (row.parse::<u32>().unwrap() - 1, column - 1)
}

fn letters(column: u16) -> String {
    rust_xlsxwriter::utility::column_number_to_name(column)
}

#[test]
fn places_are_what_spreadsheets_call_them() {
    assert_eq!((place("A1"), place("AB10")), ((0, 0), (9, 27)));
    assert_eq!(letters(27), "AB");
}
