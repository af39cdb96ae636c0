//! Settings by name come back, whatever the names are.

use crate::projection::{check_model, named_model};
use onnxray_analyzer::projection::{Sensitivity, Settings};
use onnxray_analyzer::settings::{read, write};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// What some program takes for something else than a part of a name.
const PIECES: [&str; 57] = [
    "a",
    "B",
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\0",
    "\u{1}",
    "\u{2}",
    "\u{1b}[31m",
    "\u{7f}",
    "\u{85}",
    "\u{9b}",
    "\u{a0}",
    "\u{200b}",
    "\u{202e}",
    "\u{2028}",
    "\u{feff}",
    "\u{fffd}",
    "\u{fffe}",
    "\u{ffff}",
    "😀",
    "é",
    "e\u{301}",
    "ß",
    "İ",
    "=",
    "+",
    "-",
    "@",
    "＝",
    "'",
    "\"",
    ",",
    ";",
    "|",
    "\\",
    "\\u{1}",
    "\\u{}",
    "\\u{110000}",
    "_x0041_",
    "_x005F_x0041_",
    "_x000D_",
    "_",
    "<b>&amp;",
    "*?~",
    "1",
    "1e5",
    "90%",
    "2026-11-22",
    "TRUE",
    "#N/A",
    "–",
    "total",
    "weight shape",
    "target sparsity, all operators",
];

fn name() -> impl Strategy<Value = String> {
    let pieces = vec(select(&PIECES[..]), 0..5).prop_map(|pieces| pieces.concat());
    let long =
        (select(&PIECES[..]), 3990usize..4010).prop_map(|(piece, times)| piece.repeat(times));
    prop_oneof![12 => pieces, 2 => any::<String>(), 1 => long]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_workbook_is_read_back_whatever_the_names_are(
        names in vec((name(), name(), 0u32..20, 0u32..20), 1..6),
    ) {
        let of: Vec<(String, String)> =
            names.iter().map(|(name, kind, ..)| (name.clone(), kind.clone())).collect();
        let summary = named_model(&of);
        check_model(&summary, &Settings::default());
        let mut settings = Settings::default();
        for (name, kind, target, level) in &names {
            settings.targets.set_operator(name, f64::from(*target) / 20.0);
            settings.targets.set_type(kind, f64::from(*level) / 20.0);
            settings.plan.set_override(name, f64::from(*level) / 20.0);
        }
        settings.plan.first = true;
        check_model(&summary, &settings);
    }

    #[test]
    fn saved_settings_are_read_back_whatever_the_names_are(
        names in vec((name(), name(), 0u32..20), 1..6),
    ) {
        let mut settings = Settings::default();
        for (name, kind, level) in &names {
            let level = f64::from(*level) / 20.0;
            settings.targets.set_operator(name, level);
            settings.targets.set_type(kind, level);
            settings.plan.set_override(name, level);
            let known = |known: &Sensitivity| known.layer == *name;
            if !settings.plan.sensitivities.iter().any(known) {
                let sensitivity = Sensitivity { layer: name.clone(), points: vec![(level, 0.5)] };
                settings.plan.sensitivities.push(sensitivity);
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.json");
        write(&settings, &path, true).unwrap();
        let found = read(&path).unwrap_or_else(|error| panic!("{error}"));
        let mut applied = Settings::default();
        found.settings.apply(&mut applied);
        prop_assert_eq!(&applied, &settings);
    }
}

#[test]
fn names_that_only_control_characters_tell_apart_keep_their_targets() {
    let names =
        ["a\u{1}", "a\u{2}", "", " ", "  ", "weight shape", "operator name", "total latency"];
    let kind = |name: &str| if name == "weight shape" { "total" } else { "MatMul" }.to_string();
    let of: Vec<(String, String)> =
        names.iter().map(|name| (name.to_string(), kind(name))).collect();
    let mut settings = Settings::default();
    for (number, name) in names.iter().enumerate() {
        settings.targets.set_operator(name, number as f64 / 10.0);
    }
    settings.targets.set_type("total", 0.3);
    let applied = check_model(&named_model(&of), &settings).targets;
    assert_eq!(
        (applied.operators, applied.types),
        (settings.targets.operators, settings.targets.types)
    );
}

#[test]
fn a_model_without_weights_to_prune_has_no_targets() {
    let of = [("total".to_string(), "MatMul".to_string())];
    let applied = check_model(&named_model(&of), &Settings::default());
    assert_eq!(applied.targets.operators, []);
}
