//! Settings that were saved: what is written is what is read.

use crate::book::{problem, read_bytes};
use onnxray_analyzer::projection::{
    DEFAULT_BLOCK, Estimate, MeasuredOn, Origin, PlanSettings, RatioKey, RatioPoint, RatioRow,
    Sensitivity, Settings, Targets, WeightShape, default_row,
};
use onnxray_analyzer::settings::{SettingsError, write};
use onnxray_format::{Block, DataType, ModelFile, Setup, TimedRun};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use std::path::Path;

#[test]
fn the_documented_file_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/format.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("```json\n").skip(1).map(|block| block.split("```").next().unwrap());
    let json = blocks.into_iter().find(|block| block.contains("onnxray sparse settings")).unwrap();
    let json = read_bytes("a.json", json.as_bytes()).unwrap();
    assert_eq!(json.notes, [""; 0]);
    let ratio = json.settings.ratios[0].points[0].ratio;
    assert_eq!(ratio, Estimate { value: 4.0, low: 3.5, high: 4.5 });
    assert_eq!(json.settings.plan.sensitivities[0].points, [(0.5, 0.01)]);
}

#[test]
fn what_is_missing_is_not_given() {
    let json = r#"{"format": "onnxray sparse settings", "version": 1}"#;
    let read = read_bytes("a.json", json.as_bytes()).unwrap();
    assert_eq!((read.settings, read.notes), Default::default());
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
             `balance`, `max_loss`, `first`, `grouped`, `overrides`, `sensitivities`",
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
    let range = "expected a sparsity from 0 to 1, or from 0% to 100%, found";
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
            "targets.operators.a: another sparsity for a than in targets.operators.a".to_string(),
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
            "plan.sensitivities[0].points[1]: another loss for the sparsity 0.5".to_string(),
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
fn settings_as_csv_are_refused_with_what_to_do_instead() {
    for text in ["setting,name,weight shape,value\n", "\u{feff}\"Setting\";Value\r\n", "setting\n"]
    {
        let found = problem("a.csv", text.as_bytes());
        assert!(found.contains("found settings as CSV; have them written by"), "{found}");
    }
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
fn only_json_is_written() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.toml", "a.csv", "json"] {
        let error = write(&Settings::default(), &folder.path().join(name), true).unwrap_err();
        assert!(matches!(&error, SettingsError::UnknownTarget { .. }), "{error}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A sparsity; all of them differ by more than what makes two the same.
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
        let origins = Origin::ALL;
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
    let limits = (level(), option::of(0.0..1e3));
    (level(), level(), level(), limits, any::<(bool, bool)>(), named(), (sensitivities, levels()))
        .prop_map(|(budget, one, other, limits, (first, grouped), overrides, (layers, levels))| {
            let (balance, max_loss) = limits;
            let sensitivity = |(layer, losses): (String, Vec<f64>)| Sensitivity {
                layer,
                points: levels.iter().copied().zip(losses).collect(),
            };
            PlanSettings {
                budget,
                minimum: one.min(other),
                maximum: one.max(other),
                balance,
                max_loss,
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
        measured_on in vec(measured_on(), 0..3),
    ) -> Settings {
        let mut types = types;
        types.dedup_by_key(|(name, _)| name.to_lowercase());
        let block = Block::ALL[block];
        let targets = Targets { model, types, operators };
        let settings = Settings { block, levels, ratios, default_ratios, ..Settings::default() };
        Settings { targets, plan, measured_on, ..settings }
    }
}

fn measured_on() -> impl Strategy<Value = MeasuredOn> {
    (name(), name(), option::of(name()), any::<u32>()).prop_map(|(model, engine, cpu, threads)| {
        let timed = TimedRun { launches: 5, threads, cpu, ..TimedRun::default() };
        let file = ModelFile { model, ..ModelFile::default() };
        let setup = Setup { engine, batch_size: Some(1), ..Setup::default() };
        MeasuredOn {
            file,
            setup,
            timed,
            block: DEFAULT_BLOCK,
            dense_ms: [("a".to_string(), 1.5)].into(),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_written_is_what_is_read(settings in settings()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.json");
        write(&settings, &path, true).unwrap();
        let read = onnxray_analyzer::settings::read(&path);
        let text = std::fs::read_to_string(&path).unwrap();
        let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut applied = Settings::default();
        read.settings.apply(&mut applied);
        prop_assert_eq!(&applied, &settings, "{}", text);
        prop_assert_eq!(&read.notes, &[""; 0]);
    }
}
