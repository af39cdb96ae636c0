//! What people do to a workbook, and what is read of it then.

use crate::book::{Book, In, Number, OPERATORS, PLAN, RATIOS, TYPES, Text, Truth};
use onnxray_analyzer::projection::{Estimate, Origin, RatioRow, Settings};
use onnxray_analyzer::settings::{GivenPlan, Read};
use onnxray_format::{Block, DataType};

/// Level and ratio of each point.
fn points(row: &RatioRow) -> Vec<(f64, f64)> {
    row.points.iter().map(|point| (point.level, point.ratio.value)).collect()
}

fn named(list: &[(&str, f64)]) -> Vec<(String, f64)> {
    list.iter().map(|(name, level)| (name.to_string(), *level)).collect()
}

#[track_caller]
fn check(read: &Read, expected: &[(&str, &[(f64, f64)])]) {
    let rows = read.settings.ratios.iter().map(|row| (row.key.shape.to_string(), points(row)));
    let rows: Vec<(String, Vec<(f64, f64)>)> = rows.collect();
    let expected: Vec<(String, Vec<(f64, f64)>)> =
        expected.iter().map(|(shape, points)| (shape.to_string(), points.to_vec())).collect();
    assert_eq!(rows, expected);
}

const UNTOUCHED: [(&str, &[(f64, f64)]); 2] =
    [("256x256", &[(0.8, 3.0), (0.9, 4.5)]), ("1024x256", &[(0.8, 3.5), (0.9, 5.0)])];

#[test]
fn an_untouched_workbook_says_what_was_written() {
    let read = Book::projection().read();
    check(&read, &UNTOUCHED);
    assert_eq!(read.notes, [""; 0]);
    let settings = read.settings;
    let key = &settings.ratios[0].key;
    assert_eq!(
        (key.operator_type.as_deref(), key.data_type, key.block),
        (Some("MatMul"), Some(DataType::Fp32), Block::new(4, 1))
    );
    assert_eq!(settings.levels, Some(vec![0.9, 0.8]));
    assert_eq!((settings.block, settings.default_ratios), (Some(Block::new(4, 1)), Some(false)));
    assert_eq!(settings.targets.model, Some(0.9));
    assert_eq!((settings.targets.types, settings.targets.operators), (vec![], vec![]));
    let plan = GivenPlan {
        budget: Some(0.85),
        minimum: Some(0.4),
        maximum: Some(0.95),
        balance: Some(0.5),
        first: Some(false),
        grouped: Some(false),
        ..GivenPlan::default()
    };
    assert_eq!(settings.plan, plan);
}

#[test]
fn every_input_can_be_edited() {
    let mut book = Book::projection();
    book.set(RATIOS, "B2", Number(0.7)).set(RATIOS, "G7", Number(6.25)).clear(RATIOS, "H8");
    book.set(RATIOS, "I6", Number(0.5)).set(RATIOS, "I8", Number(1.5));
    book.set(RATIOS, "K7", Number(6.0)).set(RATIOS, "N7", Number(7.0)).set(
        RATIOS,
        "J8",
        Number(0.5),
    );
    book.set(OPERATORS, "N2", Number(0.8)).clear(OPERATORS, "N3");
    book.set(TYPES, "F5", Number(0.0)).set(PLAN, "B2", Number(0.6)).set(PLAN, "B6", Truth(true));
    book.set(PLAN, "F20", Number(0.95));
    let read = book.read();
    check(
        &read,
        &[("256x256", &[(0.8, 3.0), (0.9, 6.25)]), ("1024x256", &[(0.5, 1.5), (0.9, 5.0)])],
    );
    let settings = &read.settings;
    let range = Estimate { value: 6.25, low: 6.0, high: 7.0 };
    assert_eq!(settings.ratios[0].points[1].ratio, range);
    assert_eq!(settings.ratios[1].others, 0.5);
    assert_eq!(settings.levels, Some(vec![0.9, 0.8, 0.5]));
    assert_eq!(settings.targets.model, Some(0.7));
    assert_eq!(settings.targets.operators, named(&[("/a", 0.8), ("/b", 0.0)]));
    assert_eq!(settings.targets.types, named(&[("Gemm", 0.0)]));
    assert_eq!((settings.plan.budget, settings.plan.first), (Some(0.6), Some(true)));
    assert_eq!(settings.plan.overrides, named(&[("/b", 0.95)]));
    assert_eq!(read.notes, ["'Operator profiling'!N3: empty, so that the operator is left dense"]);
}

#[test]
fn rows_columns_and_sheets_are_found_wherever_they_are() {
    let mut moved = Book::projection();
    moved.move_rows(RATIOS, 7, 3).move_rows(RATIOS, 2, 4).move_columns(RATIOS, "H", 2);
    moved.move_columns(RATIOS, "A", 1).move_rows(OPERATORS, 1, 5).move_columns(OPERATORS, "A", 3);
    // References move with their cells.
    for (row, cell) in [("7", "Q7"), ("8", "Q8"), ("9", "Q9")] {
        moved.set(OPERATORS, cell, In::Formula(Box::leak(format!("$Z{row}").into_boxed_str())));
    }
    moved.move_rows(PLAN, 3, 2).move_columns(TYPES, "B", 1);
    let untouched = Book::projection().read();
    assert_eq!(moved.read().settings, untouched.settings);

    let mut renamed = Book::projection();
    renamed.rename(RATIOS, "ratios").rename(OPERATORS, "ops").rename(TYPES, "x").rename(PLAN, "y");
    assert_eq!(renamed.read(), untouched);

    let mut spelled = Book::projection();
    spelled.set(RATIOS, "A6", Text("Weight_Shape ")).set(RATIOS, "J6", Text("OTHERS"));
    spelled.set(RATIOS, "G6", Text("90% perf ratio")).set(RATIOS, "H6", Text("80%"));
    spelled.set(OPERATORS, "N1", Text("Aim to  weight sparse ratio"));
    assert_eq!(spelled.read(), untouched);
}

#[test]
fn rows_may_be_added_and_taken_away() {
    let mut book = Book::projection();
    for (cell, value) in [("A9", Text("64x64")), ("D9", Text("1x16")), ("H9", Number(2.0))] {
        book.set(RATIOS, cell, value);
    }
    for cell in ["A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8", "J8", "P8"] {
        book.clear(RATIOS, cell);
    }
    let read = book.read();
    check(&read, &[UNTOUCHED[0], ("64x64", &[(0.8, 2.0)])]);
    let key = &read.settings.ratios[1].key;
    assert_eq!((&key.operator_type, key.data_type, key.block), (&None, None, Block::new(1, 16)));
}

#[test]
fn what_has_no_effect_is_noted() {
    let mut book = Book::projection();
    book.set(RATIOS, "A20", Text("measured on the old machine"));
    book.clear(RATIOS, "B2").set(TYPES, "F6", Number(0.5));
    // Behind the columns that somebody computed.
    book.set(RATIOS, "Q6", Text("comment")).set(RATIOS, "Q7", Text("measured twice"));
    let read = book.read();
    check(&read, &UNTOUCHED);
    assert_eq!(read.settings.targets.model, Some(0.0));
    assert_eq!(
        read.notes,
        [
            "'Sparse ratio setting'!Q6: \"comment\" is not a known heading; the column is left out",
            "'Sparse ratio setting'!A20: neither a weight shape nor perf ratios; the row is left \
             out, and 1 more like it",
            "'Sparse ratio setting'!B2: empty, so that operators without a target are left dense",
        ]
    );
}

#[test]
fn a_target_counts_where_this_model_could_not_have_one() {
    // Another model may have the operator with a weight.
    let mut book = Book::projection();
    let read = book.set(OPERATORS, "N5", Number(0.5)).read();
    assert_eq!(read.settings.targets.operators, named(&[("/d", 0.5)]));
}

#[test]
fn optional_sheets_may_be_missing() {
    let mut book = Book::projection();
    book.without(OPERATORS).without(TYPES).without(PLAN).set("Notes", "A1", Text("weight shape"));
    let read = book.read();
    check(&read, &UNTOUCHED);
    assert_eq!(read.settings.plan, GivenPlan::default());
    let missing = |what: &str, columns: &str, sheet: &str| {
        format!("no {what}: no sheet has the columns {columns} (\"{sheet}\" should)")
    };
    let target = "\"target sparsity\"";
    assert_eq!(
        read.notes,
        [
            // Under their names of now, whatever they are called in the file.
            missing(
                "targets of operator types",
                &format!("\"operator type\" and {target}"),
                "By type"
            ),
            missing(
                "targets of operators",
                &format!("\"operator name\" and {target}"),
                "Projected operators"
            ),
            missing("plan", "\"operator name\" and \"override\"", PLAN),
        ]
    );
}

#[test]
fn columns_and_rows_that_are_there_twice_may_agree() {
    let mut book = Book::projection();
    book.set(RATIOS, "I6", Number(90.0)).set(RATIOS, "I7", Number(4.5)).set(
        RATIOS,
        "I8",
        Number(5.0),
    );
    for (cell, value) in [
        ("A9", Text("256x256")),
        ("B9", Text("MATMUL")),
        ("C9", Text("fp32")),
        ("G9", Number(4.5)),
        ("H9", Number(3.0)),
        ("I9", Number(4.5)),
    ] {
        book.set(RATIOS, cell, value);
    }
    let read = book.read();
    check(&read, &UNTOUCHED);
    assert_eq!(read.notes, ["'Sparse ratio setting'!I6: 90 is taken as 90%"]);
}

#[test]
fn blocks_may_stand_in_headings() {
    let mut book = Book::new(&["x"]);
    for (cell, text) in [
        ("A1", "weight shape"),
        ("B1", "90% 4x1 perf ratio"),
        ("C1", "90% 1x16 perf ratio"),
        ("D1", "others"),
        ("A2", "8x8"),
        ("B2", "4"),
        ("C2", "3"),
    ] {
        book.set("x", cell, Text(text));
    }
    let settings = book.read().settings;
    let rows: Vec<(Block, f64)> =
        settings.ratios.iter().map(|row| (row.key.block, row.points[0].ratio.value)).collect();
    assert_eq!(rows, [(Block::new(1, 16), 3.0), (Block::new(4, 1), 4.0)]);
    assert_eq!((settings.block, settings.levels), (None, Some(vec![0.9])));
}

#[test]
fn placeholders_stay_placeholders() {
    let mut book = Book::projection();
    book.set(RATIOS, "I6", Number(0.7)).set(RATIOS, "G7", Number(4.0));
    book.set(RATIOS, "H7", Number(2.5)).set(RATIOS, "I7", Number(2.0));
    let origins = |book: &Book| -> Vec<Vec<Origin>> {
        let rows = book.read().settings.ratios;
        rows.iter().map(|row| row.points.iter().map(|point| point.origin).collect()).collect()
    };
    use Origin::{Default, Given};
    assert_eq!(origins(&book)[0], [Default; 3]);
    // One cell that was set makes no measurement of its neighbours.
    book.set(RATIOS, "G7", Number(4.5));
    assert_eq!(origins(&book)[0], [Default, Default, Given]);
    // What the file says of a cell counts.
    book.set(RATIOS, "X5", Text("perf ratio, origin")).set(RATIOS, "X6", Number(0.8));
    book.set(RATIOS, "X7", Text("given"));
    assert_eq!(origins(&book)[0], [Default, Given, Given]);
}

#[test]
fn what_is_read_is_laid_over_the_settings() {
    let mut settings = Settings::default();
    settings.targets.set_operator("/elsewhere", 0.1);
    let mut book = Book::projection();
    book.set(OPERATORS, "N2", Number(0.8));
    book.read().settings.apply(&mut settings);
    assert_eq!(settings.levels, [0.9, 0.8]);
    assert!(!settings.default_ratios);
    assert_eq!(settings.targets.operators, named(&[("/elsewhere", 0.1), ("/a", 0.8)]));
    assert_eq!(settings.ratios.len(), 2);
}

#[test]
fn another_sheet_with_ratios_is_named() {
    let mut book = Book::projection();
    for (cell, text) in [("A1", "weight shape"), ("B1", "90% perf ratio"), ("A2", "256x256")] {
        book.push("Copy of ratios", cell, Text(text));
    }
    book.push("Copy of ratios", "B2", Number(9.0));
    let read = book.read();
    check(&read, &UNTOUCHED);
    assert_eq!(
        read.notes,
        [format!(
            "'Copy of ratios'!A1: a table like those of \"{RATIOS}\", which are read; it is left \
             out"
        )]
    );
}
