//! Profiles of the Neural Engine and our own, as CSV and saved as workbooks.

use crate::book::{Number, problem, read_bytes, sheet_of};
use onnxray_analyzer::projection::Origin;
use onnxray_analyzer::settings::Read;
use onnxray_format::Block;
use std::path::Path;

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/neural-engine");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Shapes with the ratio of each level, lowest first.
fn ratios(read: &Read) -> Vec<(String, Vec<f64>)> {
    let rows = read.settings.ratios.iter();
    rows.map(|row| {
        let ratios = row.points.iter().map(|point| point.ratio.value).collect();
        (row.key.shape.to_string(), ratios)
    })
    .collect()
}

fn targets(read: &Read) -> Vec<(&str, f64)> {
    let operators = read.settings.targets.operators.iter();
    operators.map(|(name, level)| (name.as_str(), *level)).collect()
}

#[test]
fn every_profile_is_read() {
    let all = [("Add_37", 0.9), ("MatMul_40", 0.9), ("Matmul_42", 0.9)];
    let older = [("Add_37", 0.9), ("MatMul_40", 0.9), ("Sparse_41", 0.9), ("Matmul_42", 0.9)];
    for (name, expected, notes) in [
        ("2022-08/profiling_0.csv", &older[..], 0),
        ("2022-08/no-percent.csv", &older, 1),
        ("2023-09/profiling_2023-09-04_10-00-00_0.csv", &all, 0),
        ("spreadsheet/comma.csv", &all, 0),
        ("spreadsheet/semicolon.csv", &all, 0),
        ("spreadsheet/tabs.csv", &all, 1),
    ] {
        let read = read_bytes("profile.csv", fixture(name).as_bytes()).unwrap();
        assert_eq!(
            ratios(&read),
            [("256x1024".to_string(), vec![4.0; 3]), ("1024x256".to_string(), vec![4.0; 3])],
            "{name}"
        );
        assert_eq!(targets(&read), expected, "{name}");
        assert_eq!(read.notes.len(), notes, "{name}: {:?}", read.notes);
        assert_eq!(read.settings.block, Some(Block::new(4, 1)));
        assert_eq!(read.settings.levels, Some(vec![0.9, 0.8, 0.7]));
    }
}

#[test]
fn numbers_without_their_percent_sign_are_noted() {
    let read = read_bytes("p.csv", fixture("2022-08/no-percent.csv").as_bytes()).unwrap();
    assert_eq!(
        read.notes,
        [
            "line 6, column \"aim to weight sparse ratio\": \"90\" is taken as 90%, and 3 more like it"
        ]
    );
}

#[test]
fn our_own_profile_is_read_with_its_names() {
    let text = fixture("onnxray/profiling.csv")
        .replace("64x256,fp32,256x1024,12.50%", "64x256,fp32,256x1024,0.00%")
        .replace("/layer/MatMul#1", "'=layer");
    let read = read_bytes("p.csv", text.as_bytes()).unwrap();
    assert_eq!(targets(&read), [("=layer", 0.9)]);
    assert!(read.settings.ratios[0].points.iter().all(|point| point.origin == Origin::Default));
    assert_eq!(read.notes, [""; 0]);
}

#[test]
fn levels_and_targets_can_be_edited() {
    let text = fixture("2023-09/profiling_2023-09-04_10-00-00_0.csv")
        .replace("70% 4x1 perf ratio", "50% 4x1 Pref ratio (settable)")
        .replacen("4.000000,4.000000,4.000000,1", "6,5,1.5(settable),0.9", 1)
        .replacen(" 90%,\"=IF(N9", " 85 %,\"=IF(N9", 1)
        .replacen(" 90%,\"=IF(N11", " ,\"=IF(N11", 1);
    let read = read_bytes("p.csv", text.as_bytes()).unwrap();
    assert_eq!(ratios(&read)[0], ("256x1024".to_string(), vec![1.5, 5.0, 6.0]));
    assert_eq!(read.settings.ratios[0].others, 0.9);
    assert_eq!(targets(&read), [("Add_37", 0.9), ("MatMul_40", 0.85), ("Matmul_42", 0.0)]);
    assert_eq!(
        read.notes,
        [
            "line 11, column \"aim to weight sparse ratio\": empty, so that the operator is left dense"
        ]
    );
}

#[test]
fn operators_whose_fields_slid_have_their_target_where_they_have_it() {
    // A scalar among the inputs: the comma behind its shape is missing.
    let text = fixture("2023-09/profiling_2023-09-04_10-00-00_0.csv").replace(
        "64x1024;256x1024;256,fp32;fp32;fp32,Add_37:0",
        "64x1024;256x1024;fp32;fp32;fp32,Add_37:0",
    );
    let read = read_bytes("p.csv", text.replacen(" 90%", " 75%", 1).as_bytes()).unwrap();
    assert_eq!(targets(&read)[0], ("Add_37", 0.75));
}

#[test]
fn problems_have_a_line_and_a_column() {
    let whole = fixture("2023-09/profiling_2023-09-04_10-00-00_0.csv");
    let text = whole.replacen("4.000000", "four", 1).replacen(" 90%,", " 190%,", 1);
    assert_eq!(
        problem("p.csv", text.as_bytes()),
        "2 problems, so that nothing is taken from it\n  \
         line 2, column \"90% 4x1 perf ratio\": expected a number, found \"four\"\n  \
         line 6, column \"aim to weight sparse ratio\": expected a sparsity from 0 to 1, or \
         from 0% to 100%, found \"190%\""
    );
    let text =
        whole.replacen("4.000000", "1,234", 1).replace("256x1024,1,234", "256x1024,\"1,234\"");
    assert!(problem("p.csv", text.as_bytes()).contains("with a decimal comma"));
    let operators = fixture("spreadsheet/operators-only.csv");
    assert_eq!(
        problem("p.csv", operators.as_bytes()),
        "perf ratios: no line with the column \"weight shape\" and sparsities such as 90% \
         beside it"
    );
}

#[test]
fn a_sheet_that_was_exported_is_read() {
    let text = "Sparse ratio setting,,,,,,\r\n\
                \"aim to weight sparse ratio, all operators\",85%,,,,,\r\n\
                block shape,1x16,,,,,\r\n\r\n\
                ,,,,perf ratio,perf ratio,\"perf ratio, low\"\r\n\
                weight shape,operator type,data type,block,90% perf ratio,others,90% low\r\n\
                256x256,MatMul,fp32,,4.5,1,4\r\n";
    let read = read_bytes("p.csv", text.as_bytes()).unwrap();
    let row = &read.settings.ratios[0];
    assert_eq!((row.key.block, row.points[0].ratio.low), (Block::new(1, 16), 4.0));
    assert_eq!(read.settings.targets.model, Some(0.85));
    assert_eq!(read.notes, [""; 0]);
    assert_eq!(
        problem("p.csv", text.replace("4.5", "4.5x").as_bytes()),
        "line 7, column \"90% perf ratio\": expected a number, found \"4.5x\""
    );
}

#[test]
fn a_profile_saved_as_a_workbook_says_the_same() {
    for name in ["2022-08/profiling_0.csv", "2023-09/profiling_2023-09-04_10-00-00_0.csv"] {
        let text = fixture(name);
        let read = sheet_of(&text).read();
        assert_eq!(read.settings, read_bytes("p.csv", text.as_bytes()).unwrap().settings, "{name}");
        assert_eq!(read.notes, [""; 0], "{name}");
    }
    let mut book = sheet_of(&fixture("2022-08/profiling_0.csv"));
    book.set("x", "N6", Number(0.5)).set("x", "B2", Number(-1.0));
    assert_eq!(
        book.problem(),
        "'x'!B2: expected a perf ratio above 0, as a finite number, found -1"
    );
}
