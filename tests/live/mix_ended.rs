//! Mixes whose search ends before it should, and goes on.

use crate::json_schemas::valid;
use crate::mix::MIX;
use crate::planted;
use crate::program::Place;
use crate::script::Script;
use crate::searches_killed::{self, Moment, Search, cut_anywhere, launches, sessions};
use serde_json::{Value, json as object};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Mixes are made of A, and are sessions of its name: A, A and B with all tensors as outputs, A
/// with those of B, and both as mixes.
pub(crate) const SEARCH: Search =
    Search { journal: "mix/onnxray.mix.jsonl", model: "a.onnx", survey: 6 };
/// Runs of these.
pub(crate) const RUNS: u64 = 4 + 5;
/// Inputs on which a launch compares outputs.
pub(crate) const INPUTS: u64 = 4;

/// Runs a mix of the planted models until a process is at a point, and kills all of them.
fn killed(place: &Place, times: &Value, moment: Moment) {
    let script = Script::new(place, times.clone(), &SEARCH.stopping(moment));
    searches_killed::killed(&script, &MIX, moment);
}

/// Runs it to its end.
fn whole(place: &Place, times: &Value) -> Value {
    valid("mix", &Script::new(place, times.clone(), &SEARCH.counting()).succeed(&MIX))
}

pub(crate) fn planted() -> Place {
    let place = Place::new();
    planted::write(&place);
    place
}

/// Every node takes the same in both, so that nothing gains.
fn same() -> Value {
    let own = object!({"operator_ns": 0, "overhead_ns": 1_000_000, "noise": 0.001});
    object!({"a.onnx": own, "b.onnx": own})
}

/// What is in a folder and those in it, without the script. Traces are called by their launch and
/// the time at which they were recorded, which is the same in all of a recording.
fn listed(folder: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if name.starts_with("script") {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            names.extend(listed(&entry.path()).into_iter().map(|inner| format!("{name}/{inner}")));
            continue;
        }
        let (kind, _) = name.split_once("_20").unwrap_or((&name, ""));
        let launch = name.rsplit_once('_').map_or("", |(_, launch)| launch);
        names.insert(format!("{kind} {launch}"));
    }
    names
}

#[test]
fn what_was_killed_goes_on_and_measures_no_launch_twice() {
    let (place, times) = (planted(), same());
    let third = SEARCH.survey + 1 + 3;
    let moments = [("load", 1), ("run", RUNS + 1), ("load", third), ("run", 4000)];
    let kill = |at: &str, number| killed(&place, &times, (at, SEARCH.model, number));
    let known = SEARCH.killed_at(&place, &moments, kill);
    let report = whole(&place, &times);
    SEARCH.went_on(&place, &known);
    let rows = report["mix_changes"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["taken"] == "no"), "{rows:#?}");
    let left = ["a.onnx ", "b.onnx ", "mix/onnxray.mix.jsonl "];
    assert_eq!(listed(&place.path("")), left.map(str::to_string).into());
}

#[test]
fn what_was_killed_while_it_was_verified_is_verified_and_is_the_same() {
    let times = planted::times();
    let all = planted();
    let expected = whole(&all, &times);
    let mixed = fs::read(all.path("mixed.onnx")).unwrap();
    let searched = SEARCH.searched(&launches(&SEARCH.kept(&all)));
    let place = planted();
    let mut known = Vec::new();
    // B is loaded before anything is measured, and for each launch next to the mix.
    for (model, number, recordings) in
        // The last one with the losses on inputs that no launch saw.
        [("a.onnx", searched / 2, 0), ("a.onnx", searched + 2, 0), ("b.onnx", 1 + 2, 1 + 1)]
    {
        let skipped = if model == "a.onnx" { sessions(&launches(&known)) } else { 0 };
        killed(&place, &times, ("load", model, number - skipped));
        let now = SEARCH.kept(&place);
        assert!(now.starts_with(&known), "{model} {number}: what was known is not any more");
        assert!(now.len() > known.len(), "{model} {number}: nothing is known that was not");
        assert_eq!(now.len() - launches(&now).len(), recordings, "of these, whole ones are known");
        assert!(!place.path("mixed.onnx").exists(), "what is not verified is not written");
        known = now;
    }
    let check = |report: &Value| {
        for table in ["mix_changes", "mix_models"] {
            let taken = |report: &Value| -> Vec<Value> {
                let rows = report[table].as_array().unwrap().iter();
                let rows = rows.map(|row| object!([row["change"], row["taken"], row["best"]]));
                let mut rows: Vec<Value> = rows.collect();
                // What gains nothing has its order by chance.
                rows.sort_by_key(Value::to_string);
                rows
            };
            assert_eq!(taken(report), taken(&expected));
        }
        assert_eq!(fs::read(place.path("mixed.onnx")).unwrap(), mixed);
    };
    check(&whole(&place, &times));
    assert!(SEARCH.kept(&place).starts_with(&known));
    assert_eq!(listed(&place.path("")), listed(&all.path("")), "something is left, or missing");
    // Of recordings that were killed, whole launches stay; the newest is what is looked at.
    for base in ["mix/with-a/a", "mix/with-b/b"] {
        let mixed = Path::new(base).with_file_name("mixed").display().to_string();
        let compare = ["compare", base, &mixed, "--expect-different", "model", "--format", "json"];
        let compared = place.run(&compare);
        assert_eq!(compared.code, Some(0), "{base}: {}", compared.err);
        assert!(!compared.err.contains("warning"), "{base}: {}", compared.err);
    }
}

#[test]
fn what_is_known_is_not_measured_again() {
    let (place, times) = (planted(), planted::times());
    let report = whole(&place, &times);
    let known = SEARCH.kept(&place);
    let script = Script::new(&place, times, &SEARCH.counting());
    let refused = script.run(&MIX);
    refused.failed("error: mixed.onnx: already exists; use --force to replace it\n");
    let again = valid("mix", &script.succeed(&[&MIX[..], &["--force"]].concat()));
    assert_eq!(again, report);
    assert_eq!(SEARCH.kept(&place), known);
    assert_eq!(SEARCH.loaded(&place), SEARCH.survey);
}

#[test]
fn a_journal_that_is_cut_anywhere_in_its_last_line_is_taken_up() {
    let (place, times) = (planted(), same());
    whole(&place, &times);
    cut_anywhere(&SEARCH, &place, |known, left| {
        whole(&place, &times);
        assert!(launches(&SEARCH.kept(&place)).len() > known.len(), "{left} bytes left");
        assert!(SEARCH.loaded(&place) > SEARCH.survey, "{left} bytes left: nothing was measured");
    });
}
