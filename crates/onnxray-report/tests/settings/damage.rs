//! Files that are broken, cut, huge or something else.

use crate::book::{Book, RATIOS, Text, problem, read_bytes, repacked};
use crate::projection::{model, write_model};
use onnxray_analyzer::projection::Settings;
use onnxray_analyzer::settings::{SettingsError, write};
use proptest::prelude::*;
use std::sync::OnceLock;

const HINT: &str = "\nhint: `onnxray project RECORDING -o FILE.xlsx` writes a workbook to edit";

#[test]
fn encrypted_and_old_workbooks_say_what_to_do() {
    let mut compound = vec![0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    compound.resize(2048, 0);
    assert_eq!(
        problem("a.xlsx", &compound),
        format!(
            "expected an Excel workbook (.xlsx), a profile (.csv) or saved settings (.json), found \
             an old Excel workbook (.xls); save it as .xlsx{HINT}"
        )
    );
    compound.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    assert_eq!(
        problem("a.xlsx", &compound),
        "the workbook is protected with a password\n\
         hint: open it in a spreadsheet and save it as .xlsx without a password"
    );
}

#[test]
fn other_files_are_named() {
    for (bytes, found) in [
        (&b""[..], "an empty file"),
        (b"\n \n", "an empty file"),
        (b"hello, world\n", "text that begins with \"hello, world\""),
        (b"\x1b[2J,x", "text that begins with \"\\u{1b}[2J,x\""),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "binary data"),
        (b"weight shape,90%\nMat\xe9,2", "text that is not UTF-8 in line 2; save it as UTF-8"),
        (b"\xff\xfew\0e\0", "text in UTF-16; save it as UTF-8"),
        (b"[1, 2]", "text that begins with \"[1, 2]\""),
    ] {
        let message = problem("a.xlsx", bytes);
        let start = "expected an Excel workbook (.xlsx), a profile (.csv) or saved settings (.json), found ";
        let named = message.strip_prefix(start).and_then(|message| message.strip_suffix(HINT));
        assert_eq!(named, Some(found));
    }
}

#[test]
fn references_in_texts_are_what_they_stand_for_and_numbers_have_none() {
    let whole = Book::projection().bytes();
    let of_text = |xml: String| xml.replace("weight shape", "&#x77;eight&#32;shape");
    let bytes = repacked(&whole, "xl/sharedStrings.xml", of_text);
    assert_eq!(read_bytes("a.xlsx", &bytes).unwrap(), Book::projection().read());
    let sheet = "xl/worksheets/sheet1.xml";
    let in_number = |xml: String| xml.replace("<c r=\"G7\"><v>4", "<c r=\"G7\"><v>&#x34;");
    assert_eq!(
        problem("a.xlsx", &repacked(&whole, sheet, in_number)).lines().next(),
        Some(
            "xl/worksheets/sheet1.xml: expected the value of a cell in one piece, found \
             \"&#x34;.5\""
        )
    );
}

#[test]
fn a_cut_workbook_is_told_from_a_whole_one() {
    let whole = Book::projection().bytes();
    for length in [4, 100, whole.len() / 2, whole.len() - 30] {
        let message = problem("a.xlsx", &whole[..length]);
        assert!(message.starts_with("the workbook cannot be unpacked: "), "{message}");
        assert!(message.contains("\nhint: the file is cut off or damaged"), "{message}");
    }
    let sheet = "xl/worksheets/sheet1.xml";
    let cut = |xml: String| xml[..xml.find("<c r=\"H7\"").unwrap()].to_string();
    let message = problem("a.xlsx", &repacked(&whole, sheet, cut));
    assert!(message.starts_with("'Sparse ratio setting', behind G7: "), "{message}");
    let strange = |xml: String| xml.replace("<c r=\"G7\">", "<c r=\"G7\" t=\"e\">");
    let message = problem("a.xlsx", &repacked(&whole, sheet, strange));
    assert!(message.starts_with("'Sparse ratio setting', behind F7: "), "{message}");
    let twice = |xml: String| xml.replace("<c r=\"H7\">", "<c r=\"G7\">");
    let message = problem("a.xlsx", &repacked(&whole, sheet, twice));
    assert!(message.starts_with("'Sparse ratio setting', behind G7: a cell is there twice"));
}

#[test]
fn the_first_damaged_sheet_is_told() {
    let whole = Book::projection().bytes();
    let end = |xml: String| xml.replace("</sheetData>", "</row><c r=\"\"/></sheetData>");
    let start = |xml: String| xml.replacen("<c r=\"", "<c r=\"?", 1);
    let damaged = repacked(&whole, "xl/worksheets/sheet4.xml", start);
    let message = problem("a.xlsx", &damaged);
    assert!(message.starts_with("'Plan': "), "{message}");
    // The second sheet takes longest until its damage is reached.
    let rows: String = (2000..20_000)
        .map(|row| format!("<row r=\"{row}\"><c r=\"A{row}\"><v>1</v></c></row>"))
        .collect();
    let long = |xml: String| end(xml.replace("</sheetData>", &format!("{rows}</sheetData>")));
    let damaged = repacked(&damaged, "xl/worksheets/sheet2.xml", long);
    for _ in 0..5 {
        let message = problem("a.xlsx", &damaged);
        assert!(message.starts_with("'Operator profiling', behind A19999: "), "{message}");
    }
}

#[test]
fn rows_may_stand_in_any_order() {
    let whole = Book::projection();
    let turned = repacked(&whole.bytes(), "xl/worksheets/sheet1.xml", |xml| {
        let start = xml.find("<row").unwrap();
        let end = xml.find("</sheetData>").unwrap();
        let mut rows: Vec<&str> = xml[start..end].split_inclusive("</row>").collect();
        rows.reverse();
        format!("{}{}{}", &xml[..start], rows.concat(), &xml[end..])
    });
    assert_eq!(read_bytes("a.xlsx", &turned).unwrap(), whole.read());
}

#[test]
fn sheets_that_are_one_part_many_times_have_an_end() {
    let mut book = Book::projection();
    book.set(RATIOS, "A40", Text("x"));
    let long = " ".repeat(64 << 20);
    let bytes = repacked(&book.bytes(), "xl/worksheets/sheet1.xml", |xml| {
        xml.replace("</sheetData>", &format!("{long}</sheetData>"))
    });
    let bytes = repacked(&bytes, "xl/workbook.xml", |xml| {
        let sheets: String = (0..40)
            .map(|number| {
                format!("<sheet name=\"s{number}\" sheetId=\"{}\" r:id=\"rId1\"/>", number + 9)
            })
            .collect();
        xml.replace("</sheets>", &format!("{sheets}</sheets>"))
    });
    assert!(bytes.len() < 1 << 20);
    assert_eq!(problem("a.xlsx", &bytes), "too large: it has 44 sheets of this size");
}

/// A sheet of ratios whose row of headings is made again.
fn with_rows(rows: impl Fn() -> String) -> Vec<u8> {
    repacked(&Book::projection().bytes(), "xl/worksheets/sheet1.xml", |xml| {
        xml.replace("</sheetData>", &format!("{}</sheetData>", rows()))
    })
}

fn text(cell: &str, text: &str) -> String {
    format!("<c r=\"{cell}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}

#[test]
fn tables_without_end_are_refused() {
    let tables = with_rows(|| {
        let table = |row: usize| {
            let (shape, level) = (text(&format!("A{row}"), "weight shape"), format!("B{row}"));
            format!("<row r=\"{row}\">{shape}<c r=\"{level}\"><v>0.9</v></c></row>")
        };
        (100..120).map(table).collect()
    });
    assert_eq!(
        problem("a.xlsx", &tables),
        "perf ratios: 21 rows have a column \"weight shape\" and sparsities beside it; at most \
         20 tables are read"
    );
    let labels = with_rows(|| {
        let label = |row: usize| {
            let label = text(&format!("A{row}"), "aim to weight sparse ratio, all operators");
            format!("<row r=\"{row}\">{label}</row>")
        };
        (100..120).map(label).collect()
    });
    assert_eq!(
        problem("a.xlsx", &labels),
        "target: 21 cells say \"target sparsity, all operators\""
    );
    let mut book = Book::new(&["x"]);
    book.set("x", "A1", Text("weight shape"));
    let bytes = repacked(&book.bytes(), "xl/worksheets/sheet1.xml", |xml| {
        let column = |column: u16| {
            let name = rust_xlsxwriter::utility::column_number_to_name(column);
            format!("<c r=\"{name}1\"><v>{}</v></c>", f64::from(column) / 2000.0)
        };
        let columns: String = (1..=1001).map(column).collect();
        xml.replace("</row>", &format!("{columns}</row>"))
    });
    assert_eq!(problem("a.xlsx", &bytes), "'x'!ALN1: more than 1000 columns of ratios");
}

#[test]
fn curves_without_end_are_refused() {
    let points: Vec<String> = (0..1001).map(|n| format!("[{},1]", f64::from(n) / 1001.0)).collect();
    let json = format!(
        "{{\"format\":\"onnxray sparse settings\",\"version\":1,\"plan\":{{\"sensitivities\":\
         [{{\"layer\":\"a\",\"points\":[{}]}}]}}}}",
        points.join(",")
    );
    assert_eq!(
        problem("a.json", json.as_bytes()),
        "plan.sensitivities[0].points[1000]: more than 1000 sparsities for one layer"
    );
    let point = |n| format!("{{\"sparse_ratio\":{},\"perf_ratio\":1}}", f64::from(n) / 1001.0);
    let points: Vec<String> = (0..1001).map(point).collect();
    let json = format!(
        "{{\"format\":\"onnxray sparse settings\",\"version\":1,\"ratios\":\
         [{{\"weight_shape\":\"8x8\",\"points\":[{}]}}]}}",
        points.join(",")
    );
    assert_eq!(
        problem("a.json", json.as_bytes()),
        "ratios[0].points[1000]: more than 1000 sparsities for one weight shape"
    );
}

#[test]
fn files_and_texts_that_are_too_large_are_refused() {
    let json = format!("{{\"format\":\"{}\"}}", "x".repeat(17 << 20));
    assert_eq!(problem("a.json", json.as_bytes()), "too large: more than 16 MiB of settings");
    assert_eq!(problem("a.csv", &vec![b' '; (64 << 20) + 1]), "too large: more than 64 MiB");
    let csv = "weight shape,90%\n".to_string() + &",".repeat(2_000_001);
    assert_eq!(problem("a.csv", csv.as_bytes()), "too large: it has more than 2000000 cells");
    // One long text in many cells.
    let long = "x".repeat(1 << 20);
    let bytes = repacked(&Book::projection().bytes(), "xl/sharedStrings.xml", |xml| {
        xml.replace("MatMul", &long)
    });
    let bytes = repacked(&bytes, "xl/worksheets/sheet1.xml", |xml| {
        let start = xml.find("<c r=\"B7\"").unwrap();
        let cell = &xml[start..start + xml[start..].find("</c>").unwrap() + 4];
        let again =
            |row: u32| format!("<row r=\"{row}\">{}</row>", cell.replace("B7", &format!("B{row}")));
        xml.replace(
            "</sheetData>",
            &format!("{}</sheetData>", (100..400).map(again).collect::<String>()),
        )
    });
    assert_eq!(problem("a.xlsx", &bytes), "too large: more than 2000000 cells or 256 MiB of text");
}

/// Valid files of each kind.
fn valid() -> &'static [(&'static str, Vec<u8>)] {
    static FILES: OnceLock<Vec<(&'static str, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        Book::projection().read().settings.apply(&mut settings);
        let saved = folder.path().join("s.json");
        write(&settings, &saved, true).unwrap();
        let saved = std::fs::read(&saved).unwrap();
        let profile = include_bytes!("../../../../fixtures/neural-engine/onnxray/profiling.csv");
        let workbook = Book::projection().bytes();
        // As the program writes it, with names that are something else to a reader.
        let own = folder.path().join("own.xlsx");
        write_model(&model(), &settings, &own);
        let own = std::fs::read(&own).unwrap();
        let profile = profile.to_vec();
        vec![("s.json", saved), ("p.csv", profile), ("w.xlsx", workbook), ("o.xlsx", own)]
    })
}

/// Damaged files per test; `ONNXRAY_MUTATIONS` sets more.
fn mutations() -> u32 {
    let given = std::env::var("ONNXRAY_MUTATIONS").ok();
    given.and_then(|given| given.parse().ok()).unwrap_or(1000)
}

/// A cell's value or formula, as XML may have it.
fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        "[-+(),;:!$#%'\"&lt;A-C1-9A-Z.^*/=]{0,20}",
        "(SUM|IF|ROUND)\\([A-C$0-9:,(]{0,12}\\)?",
        any::<f64>().prop_map(|number| number.to_string()),
        ".{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(mutations()))]

    /// Whatever bytes are changed, taken away or doubled: something is said.
    #[test]
    fn damaged_files_are_read_or_refused(
        file in 0usize..4,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0usize..3), 1..6),
    ) {
        let (name, bytes) = &valid()[file];
        let mut bytes = bytes.clone();
        for (place, byte, kind) in changes {
            let place = place.index(bytes.len());
            match kind {
                0 => bytes[place] = byte,
                1 => drop(bytes.remove(place)),
                _ => bytes.insert(place, byte),
            }
        }
        check(read_bytes(name, &bytes))?;
    }

    /// Damage behind the compression, which checksums would find first.
    #[test]
    fn damaged_sheets_are_read_or_refused(
        (file, part) in (2usize..4, 0usize..6),
        place in any::<prop::sample::Index>(),
        text in fragment(),
        formula in any::<bool>(),
    ) {
        let name = [
            "xl/worksheets/sheet1.xml",
            "xl/worksheets/sheet2.xml",
            "xl/worksheets/sheet4.xml",
            "xl/sharedStrings.xml",
            "xl/styles.xml",
            "xl/workbook.xml",
        ][part];
        let bytes = repacked(&valid()[file].1, name, |xml| {
            let places: Vec<usize> = xml.match_indices("<v>").map(|(at, _)| at).collect();
            let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
            if formula && !places.is_empty() {
                let at = places[place.index(places.len())];
                return format!("{}<f>{escaped}</f>{}", &xml[..at], &xml[at..]);
            }
            let mut at = place.index(xml.len());
            while !xml.is_char_boundary(at) {
                at -= 1;
            }
            format!("{}{text}{}", &xml[..at], &xml[at..])
        });
        check(read_bytes("w.xlsx", &bytes))?;
    }
}

/// Whatever was read is in range.
fn check(
    read: Result<onnxray_analyzer::settings::Read, SettingsError>,
) -> Result<(), TestCaseError> {
    let read = match read {
        Ok(read) => read,
        Err(error) => {
            prop_assert_eq!(error.to_string().find('\u{1b}'), None);
            return Ok(());
        }
    };
    let targets = &read.settings.targets;
    for (_, level) in targets.operators.iter().chain(&targets.types) {
        prop_assert!((0.0..=1.0).contains(level));
    }
    for point in read.settings.ratios.iter().flat_map(|row| &row.points) {
        let ratio = point.ratio;
        prop_assert!(
            (0.0..=1.0).contains(&point.level) && 0.0 < ratio.low && ratio.high.is_finite()
        );
        prop_assert!(ratio.low <= ratio.value && ratio.value <= ratio.high);
    }
    Ok(())
}

#[test]
fn the_files_that_are_damaged_are_whole() {
    for (name, bytes) in valid() {
        assert!(read_bytes(name, bytes).is_ok(), "{name}");
    }
}
