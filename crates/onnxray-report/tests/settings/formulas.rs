//! Formulas in cells that the user sets: what a spreadsheet stored for them counts.

use crate::book::{Book, In, OPERATORS, PLAN, RATIOS, Stale, problem, read_bytes, repacked};
use onnxray_analyzer::projection::Origin;

/// What every formula that was saved without a value gets.
const UNKNOWN: &str =
    "a formula without a stored value; open the file in a spreadsheet program and save it once";
const SHEET: &str = "xl/worksheets/sheet1.xml";

#[test]
fn what_a_spreadsheet_stored_is_taken() {
    let mut book = Book::projection();
    book.set(RATIOS, "G7", Stale("VLOOKUP(A7,rates,2)", "6.5"));
    book.set(RATIOS, "B2", Stale("1-20%", "0.8")).set(PLAN, "B6", Stale("1=1", "TRUE"));
    book.set(RATIOS, "D7", Stale("\"1x\"&16", "1x16")).set(RATIOS, "G6", Stale("0.5+0.45", "0.95"));
    let settings = book.read().settings;
    let row = &settings.ratios[0];
    assert_eq!((row.points[1].level, row.points[1].ratio.value), (0.95, 6.5));
    assert_eq!(row.key.block.to_string(), "1x16");
    assert_eq!((settings.targets.model, settings.plan.first), (Some(0.8), Some(true)));
}

#[test]
fn a_formula_without_a_stored_value_is_refused_with_its_place() {
    for cell in ["B2", "G6", "G7", "A8", "B8", "D8", "J8", "K7"] {
        let mut book = Book::projection();
        book.set(RATIOS, cell, In::Formula("1+1"));
        assert_eq!(book.problem(), format!("'{RATIOS}'!{cell}: {UNKNOWN}"));
    }
    for (sheet, cell) in [(OPERATORS, "N3"), (OPERATORS, "C3"), (PLAN, "B2"), (PLAN, "F19")] {
        let mut book = Book::projection();
        book.set(sheet, cell, In::Formula("H7*2"));
        assert_eq!(book.problem(), format!("'{sheet}'!{cell}: {UNKNOWN}"));
    }
}

#[test]
fn targets_that_follow_their_type_need_no_value() {
    for formula in ["W2", "$W$2", "'Operator profiling'!W2"] {
        let mut book = Book::projection();
        let stale = book.set(OPERATORS, "N2", Stale(formula, "0.123")).read();
        assert_eq!(stale.settings.targets.operators, [], "{formula}");
        let missing = book.set(OPERATORS, "N2", In::Formula(formula)).read();
        assert_eq!(missing, stale, "{formula}");
    }
    let mut book = Book::projection();
    book.set(OPERATORS, "N2", Stale("W3", "0.25"));
    assert_eq!(book.read().settings.targets.operators, [("/a".to_string(), 0.25)]);
}

#[test]
fn origins_are_told_by_their_formulas() {
    let mut book = Book::projection();
    for (cell, value) in [
        ("X5", In::Text("perf ratio, origin")),
        ("Y5", In::Text("perf ratio, origin")),
        ("X6", In::Formula("IF(G6=\"\",\"\",G6)")),
        ("Y6", In::Formula("IF(H6=\"\",\"\",H6)")),
        ("G7", In::Number(4.0)),
        ("X7", In::Formula("IF(G7=\"\",\"\",\"given\")")),
        ("G8", In::Number(4.0)),
        ("X8", In::Formula("IF(G8=\"\",\"\",IF(G8=4,\"default\",\"given\"))")),
    ] {
        book.set(RATIOS, cell, value);
    }
    let rows = book.read().settings.ratios;
    assert_eq!(rows[0].points[1].origin, Origin::Given);
    assert_eq!(rows[1].points[1].origin, Origin::Default);
}

#[test]
fn results_that_are_no_numbers() {
    let at = "'Sparse ratio setting'!G7:";
    for (stored, expected) in [
        ("#DIV/0!", "expected a number, found the error #DIV/0!"),
        ("-3", "expected a perf ratio above 0, as a finite number, found -3"),
        ("abc", "expected a number, found \"abc\""),
        ("TRUE", "expected a number, found TRUE"),
    ] {
        let mut book = Book::projection();
        book.set(RATIOS, "G7", Stale("H7*1", stored));
        assert_eq!(book.problem(), format!("{at} {expected}"), "{stored}");
    }
    // An error without a formula: what was pasted as a value.
    let bytes = repacked(&Book::projection().bytes(), SHEET, |xml| {
        xml.replace("<c r=\"G7\"><v>4.5</v>", "<c r=\"G7\" t=\"e\"><v>#REF!</v>")
    });
    assert_eq!(problem("a.xlsx", &bytes), format!("{at} expected a number, found the error #REF!"));
}

#[test]
fn formulas_that_cells_share_have_values_of_their_own() {
    let shared = |xml: String| {
        let first = "<c r=\"G7\"><f t=\"shared\" ref=\"G7:G8\" si=\"4\">H7+$H$7</f><v>6</v></c>";
        let second = "<c r=\"G8\"><f t=\"shared\" si=\"4\"/><v>6.5</v></c>";
        xml.replace("<c r=\"G7\"><v>4.5</v></c>", first).replace("<c r=\"G8\"><v>5</v></c>", second)
    };
    let bytes = repacked(&Book::projection().bytes(), SHEET, shared);
    let read = read_bytes("a.xlsx", &bytes).unwrap();
    let ratio = |row: usize| read.settings.ratios[row].points[1].ratio.value;
    assert_eq!((ratio(0), ratio(1)), (6.0, 6.5));
    // A number that would reserve all memory is a number.
    let huge = |xml: String| shared(xml).replace("si=\"4\"/><v>6.5</v>", "si=\"4000000000000\"/>");
    let bytes = repacked(&Book::projection().bytes(), SHEET, huge);
    assert_eq!(problem("a.xlsx", &bytes), format!("'Sparse ratio setting'!G8: {UNKNOWN}"));
}

#[test]
fn a_formula_in_a_csv_has_no_value() {
    let text = "weight shape,90%\n8x8,=2*2.5\n";
    assert_eq!(problem("a.csv", text.as_bytes()), format!("line 2, column \"90%\": {UNKNOWN}"));
}
