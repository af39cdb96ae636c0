//! What bad workbooks get: a message with sheet and cell, and nothing else.

use crate::book::{
    Book, Date, In, Number, OPERATORS, PLAN, RATIOS, TYPES, Text, Truth, problem, repacked,
};

/// The problem of a workbook with one cell changed.
#[track_caller]
fn with(sheet: &'static str, cell: &'static str, value: In, expected: &str) {
    let mut book = Book::projection();
    book.set(sheet, cell, value);
    assert_eq!(book.problem(), expected);
}

#[track_caller]
fn ratio(value: In, expected: &str) {
    with(RATIOS, "G7", value, &format!("'Sparse ratio setting'!G7: {expected}"));
}

#[test]
fn text_in_cells_of_numbers() {
    ratio(Text("four"), "expected a number, found \"four\"");
    ratio(Text("4.5 x"), "expected a number, found \"4.5 x\"");
    ratio(Text("4.500,5"), "expected a number, found \"4.500,5\"");
    ratio(
        Text("1,234"),
        "expected a number, found \"1,234\", which is one number with a decimal comma and another \
         with a separator of thousands",
    );
    ratio(Truth(true), "expected a number, found TRUE");
    ratio(Date, "expected a number, found a date");
    ratio(Text("\u{1b}[31m4"), "expected a number, found \"\\u{1b}[31m4\"");
    let read = {
        let mut book = Book::projection();
        book.set(RATIOS, "G7", Text("4,5")).set(RATIOS, "H7", Text(" 3.25 ")).read()
    };
    assert_eq!(read.settings.ratios[0].points[1].ratio.value, 4.5);
    assert_eq!(read.settings.ratios[0].points[0].ratio.value, 3.25);
    assert_eq!(read.notes, ["'Sparse ratio setting'!G7: \"4,5\" is taken as 4.5"]);
}

#[test]
fn ratios_that_are_negative_zero_or_infinite() {
    let above = "expected a perf ratio above 0, as a finite number, found";
    ratio(Number(-2.0), &format!("{above} -2"));
    ratio(Number(0.0), &format!("{above} 0"));
    let bytes = repacked(&Book::projection().bytes(), "xl/worksheets/sheet1.xml", |xml| {
        xml.replace("<v>4.5</v>", "<v>1e999</v>")
    });
    assert_eq!(problem("a.xlsx", &bytes), format!("'Sparse ratio setting'!G7: {above} inf"));
    with(RATIOS, "J8", Number(0.0), &format!("'Sparse ratio setting'!J8: {above} 0"));
    with(
        RATIOS,
        "K7",
        Number(5.0),
        "'Sparse ratio setting'!K7: expected at most the perf ratio itself, 4.5, found 5",
    );
    with(
        RATIOS,
        "O8",
        Number(3.0),
        "'Sparse ratio setting'!O8: expected at least the perf ratio itself, 3.5, found 3",
    );
    let mut book = Book::projection();
    book.clear(RATIOS, "G7").set(RATIOS, "N7", Number(5.0));
    assert_eq!(
        book.problem(),
        "'Sparse ratio setting'!N7: one end of a range whose perf ratio is missing"
    );
}

#[test]
fn sparse_ratios_outside_of_their_range() {
    let range = "expected a sparsity from 0 to 1, or from 0% to 100%, found";
    for (sheet, cell) in
        [(RATIOS, "B2"), (RATIOS, "H6"), (OPERATORS, "N2"), (TYPES, "F4"), (PLAN, "F19")]
    {
        with(sheet, cell, Number(150.0), &format!("'{sheet}'!{cell}: {range} 150"));
        with(sheet, cell, Number(-0.1), &format!("'{sheet}'!{cell}: {range} -0.1"));
    }
    with(OPERATORS, "N2", Text("150%"), &format!("'Operator profiling'!N2: {range} \"150%\""));
    with(PLAN, "B5", Number(50.0), "'Plan'!B5: expected a number from 0 to 1, found 50");
    with(PLAN, "B3", Number(0.99), "'Plan'!B3: a minimum of 0.99, above the maximum of 0.95");
    with(PLAN, "B6", Text("maybe"), "'Plan'!B6: expected TRUE or FALSE, found \"maybe\"");
    let mut book = Book::projection();
    book.set(OPERATORS, "N2", Number(90.0)).set(OPERATORS, "N3", Text("80"));
    let read = book.set(TYPES, "F4", Text(" 70% ")).read();
    assert_eq!(read.settings.targets.operators, [("/a".to_string(), 0.9), ("/b".to_string(), 0.8)]);
    assert_eq!(read.settings.targets.types, [("MatMul".to_string(), 0.7)]);
    assert_eq!(read.notes, ["'Operator profiling'!N2: 90 is taken as 90%, and 1 more like it"]);
}

#[test]
fn keys_that_are_there_twice_and_disagree() {
    let mut book = Book::projection();
    for (cell, value) in [
        ("A9", Text("256x256")),
        ("B9", Text("matmul")),
        ("C9", Text("FP32")),
        ("D9", Text("4x1")),
        ("G9", Number(4.0)),
    ] {
        book.set(RATIOS, cell, value);
    }
    assert_eq!(
        book.problem(),
        "'Sparse ratio setting'!A9: other perf ratios for matmul 256x256 fp32 in blocks of 4x1 \
         than in 'Sparse ratio setting'!A7"
    );
    let mut book = Book::projection();
    book.set(RATIOS, "I6", Number(0.9)).set(RATIOS, "I7", Number(4.0)).set(
        RATIOS,
        "I8",
        Number(5.0),
    );
    assert_eq!(
        book.problem(),
        "'Sparse ratio setting'!I7: another perf ratio than in 'Sparse ratio setting'!G7"
    );
    let mut book = Book::projection();
    book.set(OPERATORS, "C3", Text("/a")).set(OPERATORS, "N3", Number(0.5));
    assert_eq!(
        book.problem(),
        "'Operator profiling'!N3: another sparsity for /a than in 'Operator profiling'!N2"
    );
    with(
        RATIOS,
        "F6",
        Text("weight shape"),
        "'Sparse ratio setting'!F6: a second column \"weight shape\"",
    );
}

#[test]
fn keys_that_are_missing_or_no_keys() {
    let mut book = Book::projection();
    book.clear(RATIOS, "A7");
    assert_eq!(
        book.problem(),
        "'Sparse ratio setting'!A7: expected the weight shape that these perf ratios are for, \
         found nothing"
    );
    with(
        RATIOS,
        "A7",
        Text("256"),
        "'Sparse ratio setting'!A7: expected a weight shape such as 256x1024, found \"256\"",
    );
    with(
        RATIOS,
        "C7",
        Text("float"),
        "'Sparse ratio setting'!C7: expected an element type such as fp32, found \"float\"",
    );
    with(
        RATIOS,
        "D7",
        Number(4.0),
        "'Sparse ratio setting'!D7: expected a block shape such as 4x1, found \"4\"",
    );
    with(
        RATIOS,
        "B3",
        Text("four"),
        "'Sparse ratio setting'!B3: expected a block shape such as 4x1, found \"four\"",
    );
    with(
        RATIOS,
        "I7",
        Number(2.0),
        "'Sparse ratio setting'!I7: a perf ratio in a column without a sparsity in its heading",
    );
    with(
        RATIOS,
        "G6",
        In::Formula("VLOOKUP(1,A1:B2,2)"),
        "'Sparse ratio setting'!G6: a formula without a stored value; open the file in a \
         spreadsheet program and save it once",
    );
    with(
        RATIOS,
        "G6",
        Text("90% perf raito"),
        "'Sparse ratio setting'!G6: expected a column such as \"90% perf ratio\", found \
         \"90% perf raito\"",
    );
    with(
        OPERATORS,
        "N9",
        Number(0.5),
        "'Operator profiling'!N9: a target in a row without an operator name",
    );
    with(PLAN, "F30", Number(0.5), "'Plan'!F30: an override in a row without an operator name");
}

#[test]
fn sheets_and_columns_that_are_missing() {
    let missing = "perf ratios: no sheet with a column \"weight shape\" and sparsities such as \
                   90% beside it; sheets found: ";
    let mut book = Book::projection();
    book.without(RATIOS);
    let sheets = "'Operator profiling', 'Layer types', 'Plan'";
    assert_eq!(book.problem(), format!("{missing}{sheets}"));
    let mut book = Book::projection();
    book.clear(RATIOS, "A6");
    assert_eq!(book.problem(), format!("{missing}'Sparse ratio setting', {sheets}"));
    let mut book = Book::projection();
    book.rename(RATIOS, "mine").set("yours", "A1", Text("weight shape")).set(
        "yours",
        "B1",
        Number(0.9),
    );
    assert_eq!(
        book.problem(),
        "perf ratios: the sheets \"mine\", \"yours\" have a column \"weight shape\" and \
         sparsities beside it; call the right one \"Sparse ratio setting\""
    );
}

#[test]
fn all_problems_are_told_at_once() {
    let mut book = Book::projection();
    book.set(RATIOS, "G7", Text("a")).set(RATIOS, "H8", Number(0.0)).set(PLAN, "F19", Text("b"));
    assert_eq!(
        book.problem(),
        "3 problems, so that nothing is taken from it\n  \
         'Sparse ratio setting'!G7: expected a number, found \"a\"\n  \
         'Sparse ratio setting'!H8: expected a perf ratio above 0, as a finite number, found 0\n  \
         'Plan'!F19: expected a number, found \"b\""
    );
    let mut book = Book::projection();
    for row in 10..40 {
        let at = |column: &str| -> &'static str { Box::leak(format!("{column}{row}").into()) };
        book.set(RATIOS, at("A"), Text("x")).set(RATIOS, at("G"), Number(1.0));
    }
    let message = book.problem();
    assert!(message.starts_with("30 problems, so that nothing is taken from it\n"));
    assert!(message.ends_with("\n  and 10 more"), "{message}");
    assert_eq!(message.lines().count(), 22);
}
