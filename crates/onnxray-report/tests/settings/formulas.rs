//! Formulas in cells that the user sets.

use crate::book::{Book, In, Number, RATIOS, Text, problem, repacked};

/// What the ratio of a workbook is whose cell holds a formula.
#[track_caller]
fn gives(formula: &'static str, expected: f64) {
    let mut book = Book::projection();
    book.set(RATIOS, "G7", In::Formula(formula)).set("Other sheet", "A1", Number(2.5));
    book.set("Other sheet", "A2", Text("x")).set("It's", "B1", Number(7.0));
    let read = book.read();
    assert_eq!(read.settings.ratios[0].points[1].ratio.value, expected, "{formula}");
}

#[track_caller]
fn refuses(formula: &'static str, expected: &str) {
    let mut book = Book::projection();
    book.set(RATIOS, "G7", In::Formula(formula));
    assert_eq!(
        book.problem(),
        format!("'Sparse ratio setting'!G7: its formula {expected}"),
        "{formula}"
    );
}

#[test]
fn simple_formulas_are_computed_anew() {
    for (formula, expected) in [
        ("=4+0.5", 4.5),
        ("9/2", 4.5),
        ("-(-4.5)", 4.5),
        ("-2^2", 4.0),
        ("2^3^2", 64.0),
        ("2+3*4", 14.0),
        ("(2+3)*4", 20.0),
        ("450%", 4.5),
        ("1E1", 10.0),
        (".5", 0.5),
        ("H7", 3.0),
        ("$H$7*2", 6.0),
        ("h7 + H8", 6.5),
        ("'Other sheet'!A1", 2.5),
        ("'other sheet'!$A$1*2", 5.0),
        ("'It''s'!B1", 7.0),
        ("SUM(H7:H8)", 6.5),
        ("SUM(H7:H8,1,'Other sheet'!A1:A2)", 10.0),
        ("SUM(H:H)", 7.3),
        ("AVERAGE(H7,H8)", 3.25),
        ("MIN(H7:H8)", 3.0),
        ("MAX(H7:H8,5)", 5.0),
        ("ROUND(2.675,2)", 2.68),
        ("ROUND(1234.5,-2)", 1200.0),
        ("ABS(3-H8)", 0.5),
        ("IF(H7>2,4,1/0)", 4.0),
        ("IF(H7<>3,4,IF(H7=3,5,6))", 5.0),
        ("IF(A7=\"256X256\",1.5,2)", 1.5),
        ("IF(TRUE,2)", 2.0),
        ("IF(TRUE()=FALSE(),2,3)", 3.0),
        ("1+(H7>=3)", 2.0),
        ("I7+1", 1.0),
    ] {
        gives(formula, expected);
    }
}

#[test]
fn formulas_that_refer_to_formulas_are_followed() {
    let mut book = Book::projection();
    book.set(RATIOS, "G7", In::Formula("'Other'!A1*2"));
    book.set("Other", "A1", In::Formula("SUM(B1:B3)")).set("Other", "B1", In::Formula("C1"));
    book.set("Other", "B2", Number(1.0)).set("Other", "C1", Number(0.5));
    let read = book.read();
    assert_eq!(read.settings.ratios[0].points[1].ratio.value, 3.0);
}

#[test]
fn a_long_chain_of_formulas_is_no_deep_one() {
    let mut book = Book::projection();
    book.set(RATIOS, "G7", In::Formula("Chain!A20000")).set("Chain", "A1", Number(1.0));
    for row in 2..=20_000 {
        let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
        let before = leak(format!("A{}+1", row - 1));
        book.push("Chain", leak(format!("A{row}")), In::Formula(before));
    }
    let read = book.read();
    assert_eq!(read.settings.ratios[0].points[1].ratio.value, 20_000.0);
}

#[test]
fn what_is_not_simple_is_refused_by_its_name() {
    let not = "which is not evaluated here";
    for (formula, expected) in [
        ("VLOOKUP(A7,A7:G8,2)", format!("uses \"VLOOKUP\", {not}")),
        ("_xlfn.XLOOKUP(A7,A7:A8,G7:G8)", format!("uses \"XLOOKUP\", {not}")),
        ("my_ratio*2", format!("uses the name \"my_ratio\", {not}")),
        ("Table1[perf]", format!("refers to \"Table1[perf]\", {not}")),
        ("\"4\"&\".5\"", format!("joins texts with &, {not}")),
        ("SUM({1,2})", format!("holds a list in braces, {not}")),
        ("1:3", format!("refers to whole rows, {not}")),
        ("H7:H8", "uses a range where one value belongs".to_string()),
        ("A7*2", "calculates with the text \"256x256\"".to_string()),
        ("Gone!A1", "refers to the sheet \"Gone\", which is not there".to_string()),
        ("#REF!*2", "refers to a cell that is gone (#REF!)".to_string()),
        ("Plan!#REF!", "refers to a cell that is gone (#REF!)".to_string()),
        ("4+", "ends too early".to_string()),
        ("4 5", "cannot be read at \"5\"".to_string()),
        ("SUM(1;2,3)", "has both , and ; between its arguments".to_string()),
        ("ABS(1,2)", "gives ABS 2 arguments".to_string()),
    ] {
        refuses(formula, &expected);
    }
    let deep = "(".repeat(70) + "1" + &")".repeat(70);
    refuses(Box::leak(deep.into_boxed_str()), "is nested more than 64 deep");
}

#[test]
fn other_files_are_not_opened() {
    refuses("[1]Sheet1!$A$1", "refers to another file, \"[1]Sheet1!$A$1\"");
    refuses("'[rates.xlsx]Sheet1'!A1*2", "refers to another file, \"'[rates.xlsx]Sheet1'!A1*2\"");
    refuses("'file:///r.xlsx'#A1", "refers to another file, \"'file:///r.xlsx'#A1\"");
}

#[test]
fn circles_are_named() {
    refuses("G7+1", "is circular (G7 → G7)");
    let mut book = Book::projection();
    book.set(RATIOS, "G7", In::Formula("SUM(G8,1)")).set(RATIOS, "G8", In::Formula("H8*1"));
    book.set(RATIOS, "H8", In::Formula("G7"));
    assert_eq!(
        book.problem(),
        "3 problems, so that nothing is taken from it\n  \
         'Sparse ratio setting'!G7: its formula is circular (G7 → G8 → H8 → G7)\n  \
         'Sparse ratio setting'!G8: its formula leads to 'Sparse ratio setting'!G7, whose formula \
         is circular (G7 → G8 → H8 → G7)\n  \
         'Sparse ratio setting'!H8: its formula leads to 'Sparse ratio setting'!G7, whose formula \
         is circular (G7 → G8 → H8 → G7)"
    );
}

#[test]
fn results_that_are_no_numbers() {
    let at = "'Sparse ratio setting'!G7:";
    for (formula, expected) in [
        ("1/0", "expected a number, found the error #DIV/0!"),
        ("H7/I7", "expected a number, found the error #DIV/0!"),
        ("0-H7", "expected a perf ratio above 0, as a finite number, found -3"),
        ("#N/A", "expected a number, found the error #N/A"),
        ("9^999", "expected a number, found the error #NUM!"),
        ("IF(1,\"abc\",2)", "expected a number, found \"abc\""),
        ("H7>1", "expected a number, found TRUE"),
        ("I7", "expected a perf ratio above 0, as a finite number, found 0"),
    ] {
        let mut book = Book::projection();
        book.set(RATIOS, "G7", In::Formula(formula));
        assert_eq!(book.problem(), format!("{at} {expected}"), "{formula}");
    }
    // An error without a formula: what was pasted as a value.
    let bytes = repacked(&Book::projection().bytes(), "xl/worksheets/sheet1.xml", |xml| {
        xml.replace("<c r=\"G7\"><v>4.5</v>", "<c r=\"G7\" t=\"e\"><v>#REF!</v>")
    });
    assert_eq!(problem("a.xlsx", &bytes), format!("{at} expected a number, found the error #REF!"));
}

#[test]
fn a_faulty_formula_behind_the_cell_is_named_with_its_place() {
    let mut book = Book::projection();
    book.set(RATIOS, "G7", In::Formula("'Other'!A1")).set("Other", "A1", In::Formula("RAND()"));
    assert_eq!(
        book.problem(),
        "'Sparse ratio setting'!G7: its formula leads to 'Other'!A1, whose formula uses \"RAND\", \
         which is not evaluated here"
    );
}

#[test]
fn formulas_that_cells_share_move_with_their_cells() {
    let shared = |xml: String| {
        let first = "<c r=\"G7\"><f t=\"shared\" ref=\"G7:G8\" si=\"4\">H7+$H$7</f><v>1</v></c>";
        let second = "<c r=\"G8\"><f t=\"shared\" si=\"4\"/><v>1</v></c>";
        xml.replace("<c r=\"G7\"><v>4.5</v></c>", first).replace("<c r=\"G8\"><v>5</v></c>", second)
    };
    let bytes = repacked(&Book::projection().bytes(), "xl/worksheets/sheet1.xml", shared);
    let read = crate::book::read_bytes("a.xlsx", &bytes).unwrap();
    let ratio = |row: usize| read.settings.ratios[row].points[1].ratio.value;
    assert_eq!((ratio(0), ratio(1)), (6.0, 6.5));
    // A number that would reserve all memory is a number.
    let huge = |xml: String| shared(xml).replace("si=\"4\"/>", "si=\"4000000000000\"/>");
    let bytes = repacked(&Book::projection().bytes(), "xl/worksheets/sheet1.xml", huge);
    assert_eq!(
        problem("a.xlsx", &bytes),
        "'Sparse ratio setting'!G8: its formula shares one that is not there"
    );
}

#[test]
fn formulas_together_have_an_end() {
    let mut book = Book::projection();
    book.set(RATIOS, "G7", In::Formula("SUM(Many!A1:A4000)"));
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    for row in 1..=4000 {
        book.push("Many", leak(format!("A{row}")), In::Formula("SUM(B$1:C$4000)"));
        book.push("Many", leak(format!("B{row}")), Number(1.0));
        book.push("Many", leak(format!("C{row}")), Number(1.0));
    }
    let message = book.problem();
    let end = "formula takes too long, together with the others of this file";
    assert!(message.ends_with(end), "{message}");
}
