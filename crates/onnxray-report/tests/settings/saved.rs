//! Settings that were saved: what is written is what is read.

use crate::book::{problem, read_bytes, sheet_of};
use onnxray_analyzer::projection::{
    Estimate, Origin, PlanSettings, RatioKey, RatioPoint, RatioRow, Sensitivity, Settings, Targets,
    WeightShape, default_row,
};
use onnxray_analyzer::settings::{SettingsError, write};
use onnxray_format::{Block, DataType};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use std::path::Path;

/// A document as `docs/format.md` shows it.
fn documented(language: &str, holds: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/format.md");
    let text = std::fs::read_to_string(path).unwrap();
    let fence = format!("```{language}\n");
    let blocks = text.split(&fence).skip(1).map(|block| block.split("```").next().unwrap());
    blocks.into_iter().find(|block| block.contains(holds)).unwrap().to_string()
}

#[test]
fn the_documented_files_say_the_same() {
    let json = documented("json", "onnxray sparse settings");
    let csv = documented("text", "setting,name,weight shape");
    let (json, csv) = (
        read_bytes("a.json", json.as_bytes()).unwrap(),
        read_bytes("a.csv", csv.as_bytes()).unwrap(),
    );
    assert_eq!(json, csv);
    assert_eq!(json.notes, [""; 0]);
    let ratio = json.settings.ratios[0].points[0].ratio;
    assert_eq!(ratio, Estimate { value: 4.0, low: 3.5, high: 4.5 });
    assert_eq!(json.settings.plan.sensitivities[0].points, [(0.5, 0.01)]);
}

#[test]
fn what_is_missing_is_not_given() {
    let json = r#"{"format": "onnxray sparse settings", "version": 1}"#;
    let csv = "setting,value\n";
    for (name, text) in [("a.json", json), ("a.csv", csv), ("a.csv", "\u{feff}Setting;Value\r\n")] {
        let read = read_bytes(name, text.as_bytes()).unwrap();
        assert_eq!((read.settings, read.notes), Default::default(), "{text}");
    }
}

#[test]
fn lines_may_be_typed_into_a_spreadsheet() {
    let text = "SETTING;Sparse Ratio;name;Value;weight shape;comment\r\n\
                target;90%;;;;\r\n\
                ;;;;;\r\n\
                Target_Type;0,85;MatMul;;;as agreed\r\n\
                ratio;0,9;;4,125;256x256;\r\n\
                plan;;balance;0,25;;\r\n";
    let read = read_bytes("a.csv", text.as_bytes()).unwrap();
    let settings = read.settings;
    assert_eq!(settings.targets.model, Some(0.9));
    assert_eq!(settings.targets.types, [("MatMul".to_string(), 0.85)]);
    assert_eq!(settings.ratios[0].points[0].ratio.value, 4.125);
    assert_eq!((settings.plan.balance, settings.block), (Some(0.25), None));
    assert_eq!(read.notes, ["line 1, field 6: the column \"comment\" is left out"]);
}

#[test]
fn problems_of_a_json_document_have_its_path() {
    let document = |members: &str| {
        let text = format!("{{\"format\":\"onnxray sparse settings\",\"version\":1,{members}}}");
        problem("a.json", text.as_bytes())
    };
    for (members, expected) in [
        (r#""levels":[0.9,"80%"]"#, "levels[1]: invalid type: string \"80%\", expected f64"),
        (
            r#""targets":{"operators":{"a":1,"b":true}}"#,
            "targets.operators.b: invalid type: boolean `true`, expected f64",
        ),
        (r#""targets":{"model":0.5,"model":0.5}"#, "targets: duplicate field `model`"),
        (
            r#""plan":{"budged":0.5}"#,
            "plan.budged: unknown field `budged`, expected one of `budget`, `minimum`, `maximum`, \
             `balance`, `first`, `grouped`, `overrides`, `sensitivities`",
        ),
        (r#""plan":{"first":1}"#, "plan.first: invalid type: integer `1`, expected a boolean"),
        (r#""ratios":{}"#, "ratios: invalid type: map, expected a sequence"),
        (r#""ratios":[{}]"#, "ratios[0]: missing field `weight_shape`"),
        (r#""targets":null"#, "targets: invalid type: null, expected struct Targets"),
    ] {
        let found = document(members);
        let place = found.strip_prefix(expected).unwrap_or_else(|| panic!("{members}: {found}"));
        assert!(place.starts_with(" at line 1 column "), "{members}: {found}");
    }
    let range = "expected a sparse ratio from 0 to 1, or from 0% to 100%, found";
    for (members, expected) in [
        (r#""targets":{"model":-1}"#, format!("targets.model: {range} -1")),
        (
            r#""levels":[-1],"targets":{"types":{"MatMul":101}}"#,
            format!(
                "2 problems, so that nothing is taken from it\n  levels[0]: {range} -1\n  \
                 targets.types.MatMul: {range} 101"
            ),
        ),
        (
            r#""targets":{"operators":{"a":1,"a":0.5}}"#,
            "targets.operators.a: another sparse ratio for a than in targets.operators.a"
                .to_string(),
        ),
        (
            r#""plan":{"minimum":0.9,"maximum":0.5}"#,
            "plan: a minimum of 0.9, above the maximum of 0.5".to_string(),
        ),
        (
            r#""ratios":[{"weight_shape":"8x8","points":[{"sparse_ratio":0.9,"perf_ratio":0}]}]"#,
            "ratios[0].points[0].perf_ratio: expected a perf ratio above 0, as a finite number, \
             found 0"
                .to_string(),
        ),
        (
            r#""ratios":[{"weight_shape":"8x8","points":[{"sparse_ratio":0.9,"perf_ratio":2,"low":3}]}]"#,
            "ratios[0].points[0]: expected at most the perf ratio itself, 2, found 3".to_string(),
        ),
        (
            r#""ratios":[{"weight_shape":"8x8"},{"weight_shape":"8x8","others":2}]"#,
            "ratios[1]: other perf ratios for 8x8 in blocks of 4x1 than in ratios[0]".to_string(),
        ),
        (
            r#""plan":{"sensitivities":[{"layer":"a","points":[[0.5,1],[0.5,2]]}]}"#,
            "plan.sensitivities[0].points[1]: another loss for the sparse ratio 0.5".to_string(),
        ),
    ] {
        assert_eq!(document(members), expected, "{members}");
    }
    let newer = r#"{"format":"onnxray sparse settings","version":2}"#;
    assert_eq!(
        problem("a.json", newer.as_bytes()),
        "version: expected 1, the version that is known, found 2"
    );
    assert_eq!(
        problem("a.json", b"{\"format\":\n\"onnxray sparse settings\""),
        "invalid JSON: EOF while parsing an object at line 2 column 25"
    );
    assert!(
        problem("a.json", br#"{"traceEvents":[]}"#).contains("a JSON document of another kind")
    );
}

#[test]
fn what_a_json_document_names_is_shown_safely_and_short() {
    let long = "x".repeat(100_000);
    let text =
        format!("{{\"format\":\"onnxray sparse settings\",\"version\":1,\"\\u001b[31m{long}\":1}}");
    let found = problem("a.json", text.as_bytes());
    assert!(found.starts_with("\\u{1b}[31mxxx") && found.len() < 600, "{found}");
    assert!(found.contains("column 100"), "{found}");
}

#[test]
fn problems_of_a_csv_have_line_and_column() {
    let header = "setting,name,weight shape,data type,block,sparse ratio,value,low,high";
    for (line, expected) in [
        (
            "taget,,,,,0.9,,,",
            "line 3, column \"setting\": expected one of block, level, target, target type, target operator, default ratios, others, ratio, plan, plan override, sensitivity, found \"taget\"",
        ),
        (
            "target,,,,,190%,,,",
            "line 3, column \"sparse ratio\": expected a sparse ratio from 0 to 1, or from 0% to 100%, found \"190%\"",
        ),
        ("target,,,,,,,,", "line 3, column \"sparse ratio\": expected a number, found nothing"),
        ("target,,,,,,0.9,,", "line 3, column \"value\": \"0.9\", which \"target\" does not take"),
        ("target operator,,,,,0.9,,,", "line 3, column \"name\": expected a name, found nothing"),
        (
            "ratio,,,,,0.9,4,,",
            "line 3, column \"weight shape\": expected a weight shape, found nothing",
        ),
        (
            "ratio,,8x8,,,0.9,-4,,",
            "line 3, column \"value\": expected a perf ratio above 0, as a finite number, found -4",
        ),
        (
            "ratio,,8x8,,,0.9,4,5,",
            "line 3, column \"low\": expected at most the perf ratio itself, 4, found 5",
        ),
        (
            "ratio,,8x8,,,0.9,4,,\nratio,,8x8,,,90%,5,,",
            "line 4, column \"value\": another perf ratio for the sparse ratio 0.9",
        ),
        (
            "plan,budged,,,,,0.5,,",
            "line 3, column \"name\": expected one of budget, minimum, maximum, balance, first, grouped, found \"budged\"",
        ),
        (
            "plan,balance,,,,,50,,",
            "line 3, column \"value\": expected a number from 0 to 1, found 50",
        ),
        (
            "target type,A,,,,0.9,,,\ntarget type,a,,,,0.8,,,",
            "line 4, column \"sparse ratio\": another sparse ratio for a than in line 3, column \"sparse ratio\"",
        ),
        ("target,,,,,0.9,,,,,x", "line 3, field 11: a field behind the last column, \"x\""),
        ("sensitivity,a,,,,0.5,,,", "line 3, column \"value\": expected a number, found nothing"),
        (
            "block,,,,4,,,,",
            "line 3, column \"block\": expected a block shape such as 4x1, found \"4\"",
        ),
    ] {
        // A name with a line break makes two lines of the first one.
        let text = format!("{header}\nplan override,,,,,,,,\n{line}\n")
            .replace("plan override,,,,,,,,", "");
        assert_eq!(problem("a.csv", text.as_bytes()), expected, "{line}");
    }
}

#[test]
fn a_column_that_is_missing_is_named() {
    let text = "setting,value\ntarget,0.9\nratio,4\n";
    assert_eq!(
        problem("a.csv", text.as_bytes()),
        "2 problems, so that nothing is taken from it\n  \
         line 2, column \"value\": \"0.9\", which \"target\" does not take\n  \
         line 3, column \"setting\": no column \"weight shape\": expected a weight shape, found \
         nothing"
    );
}

#[test]
fn saved_settings_may_be_a_sheet() {
    let csv = documented("text", "setting,name,weight shape");
    let expected = read_bytes("a.csv", csv.as_bytes()).unwrap();
    assert_eq!(sheet_of(&csv).read(), expected);
    assert_eq!(
        sheet_of(&csv.replace(",0.8,", ",-1,")).problem(),
        "2 problems, so that nothing is taken from it\n  \
         'x'!F4: expected a sparse ratio from 0 to 1, or from 0% to 100%, found -1\n  \
         'x'!F6: expected a sparse ratio from 0 to 1, or from 0% to 100%, found -1"
    );
}

#[test]
fn only_json_and_csv_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let error = write(&Settings::default(), &folder.path().join("a.toml")).unwrap_err();
    assert!(matches!(&error, SettingsError::UnknownTarget { .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A sparse ratio; all of them differ by more than what makes two the same.
fn level() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), Just(0.9), (1u32..1_000_000).prop_map(|n| f64::from(n) / 1e6)]
}

fn levels() -> impl Strategy<Value = Vec<f64>> {
    let distinct = btree_map(0u32..1000, Just(()), 0..5);
    distinct.prop_map(|levels| levels.into_keys().map(|level| f64::from(level) / 999.0).collect())
}

/// Names as models have them, and worse.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "/[a-z]{1,5}/MatMul",
        "[=+@'\"; ,\t\r\n-]{0,3}[a-zé]{1,3}[=' ,\"\n\r]{0,2}",
        "x.{0,5}"
    ]
}

fn named() -> impl Strategy<Value = Vec<(String, f64)>> {
    btree_map(name(), level(), 0..4).prop_map(|named| named.into_iter().collect())
}

fn ratio() -> impl Strategy<Value = Estimate> {
    (1e-3..1e3, 0.0..1.0, 0.0..2.0, any::<bool>()).prop_map(
        |(value, low, high, exact): (f64, f64, f64, bool)| match exact {
            true => Estimate::exact(value),
            false => Estimate { value, low: value * (1.0 - low * 0.9), high: value * (1.0 + high) },
        },
    )
}

fn row() -> impl Strategy<Value = RatioRow> {
    let key = (option::of("[A-Z][a-z]{0,6}"), 1u64..1 << 40, 1u64..3000, any::<bool>(), 0usize..5);
    let points = levels().prop_flat_map(|levels| {
        let count = levels.len();
        (Just(levels), vec(ratio(), count))
    });
    (key, points, 0.1..3.0, any::<bool>()).prop_map(|(key, (levels, ratios), others, default)| {
        let (operator_type, outputs, inputs, typed, block) = key;
        let key = RatioKey {
            operator_type,
            shape: WeightShape { outputs, inputs },
            data_type: typed.then_some(DataType::S8),
            block: Block::ALL[block],
        };
        if default {
            return default_row(key);
        }
        let mut row = RatioRow { others, ..RatioRow::new(key) };
        let origins = [Origin::Given, Origin::Default];
        for ((level, ratio), origin) in
            levels.into_iter().zip(ratios).zip(origins.into_iter().cycle())
        {
            row.insert(RatioPoint { level, ratio, origin });
        }
        row
    })
}

fn rows() -> impl Strategy<Value = Vec<RatioRow>> {
    vec(row(), 0..5).prop_map(|mut rows| {
        let mut keys = std::collections::HashSet::new();
        rows.retain(|row| keys.insert(row.key.clone()));
        rows
    })
}

fn plan() -> impl Strategy<Value = PlanSettings> {
    let sensitivities = btree_map(name(), vec(-1e9..1e9, 6), 0..3);
    (level(), level(), level(), level(), any::<(bool, bool)>(), named(), (sensitivities, levels()))
        .prop_map(|(budget, one, other, balance, (first, grouped), overrides, (layers, levels))| {
            let sensitivity = |(layer, losses): (String, Vec<f64>)| Sensitivity {
                layer,
                points: levels.iter().copied().zip(losses).collect(),
            };
            PlanSettings {
                budget,
                minimum: one.min(other),
                maximum: one.max(other),
                balance,
                first,
                grouped,
                overrides,
                sensitivities: layers.into_iter().map(sensitivity).collect(),
            }
        })
}

prop_compose! {
    fn settings()(
        (block, levels, ratios, default_ratios) in (0usize..5, levels(), rows(), any::<bool>()),
        (model, types, operators) in (option::of(level()), named(), named()),
        plan in plan(),
    ) -> Settings {
        let mut types = types;
        types.dedup_by_key(|(name, _)| name.to_lowercase());
        let block = Block::ALL[block];
        let targets = Targets { model, types, operators };
        Settings { block, levels, ratios, default_ratios, targets, plan }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_written_is_what_is_read(settings in settings()) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["s.json", "s.csv"] {
            let path = folder.path().join(name);
            write(&settings, &path).unwrap();
            let read = onnxray_analyzer::settings::read(&path);
            let text = std::fs::read_to_string(&path).unwrap();
            let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
            let mut applied = Settings::default();
            read.settings.apply(&mut applied);
            prop_assert_eq!(&applied, &settings, "{}", text);
            prop_assert_eq!(&read.notes, &[""; 0]);
        }
    }
}
