//! Tunings that end before they should, and go on.

use crate::json_schemas::valid;
use crate::onnxruntime_package::library;
use crate::program::{Place, model};
use crate::script::Script;
use crate::searches_killed::{self, Search, cut_anywhere, launches};
use crate::tune::{arguments, assert_ratio, times};
use serde_json::{Value, json as object};
use std::fs;

const JOURNAL: &str = "tune/onnxray.tune.jsonl";
const TUNE: Search = Search { journal: JOURNAL, model: "cnn.onnx", survey: 1 };

const MEMORY: [&str; 2] = ["--only", "memory"];

/// Runs a tuning until a process is at a point, and kills all of them.
fn killed(place: &Place, planted: &Value, at: &str, number: u64) {
    let (library, path) = (library(), model("cnn"));
    let moment = (at, TUNE.model, number);
    let points = TUNE.stopping(moment);
    let script = Script::with_factors(place, times("cnn.onnx"), planted.clone(), &points);
    searches_killed::killed(&script, &arguments(&path, &library, &MEMORY), moment);
}

/// Runs it to its end.
fn whole(place: &Place, planted: &Value) -> Value {
    let (library, path) = (library(), model("cnn"));
    let points = TUNE.counting();
    let script = Script::with_factors(place, times("cnn.onnx"), planted.clone(), &points);
    valid("tune", &script.succeed(&arguments(&path, &library, &MEMORY)))
}

#[test]
fn what_was_killed_goes_on_and_measures_no_launch_twice() {
    let (place, nothing) = (Place::new(), object!({}));
    let moments = [("run", 1), ("run", 20), ("load", 4), ("run", 700), ("run", 900)];
    let kill = |at: &str, number| killed(&place, &nothing, at, number);
    let known = TUNE.killed_at(&place, &moments, kill);
    let report = whole(&place, &nothing);
    TUNE.went_on(&place, &known);
    assert_eq!(report["tune"]["recommended"], "nothing");
    let rows = report["tune_changes"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["verdict"] == "same"), "{rows:#?}");
}

#[test]
fn what_was_killed_while_it_was_verified_is_verified() {
    let planted = object!({"arena=off": 0.9});
    let all = Place::new();
    whole(&all, &planted);
    let searched = TUNE.searched(&launches(&TUNE.kept(&all)));
    assert!(TUNE.loaded(&all) > searched + 2, "nothing was recorded");
    let place = Place::new();
    // The second launch of the recordings, or a process beside it.
    killed(&place, &planted, "load", searched + 3);
    let known = TUNE.kept(&place);
    // Beside launches, outputs on inputs that the search did not see.
    assert_eq!(launches(&known).len() + 1, known.len(), "recordings are known that are not whole");
    let check = |report: &Value| {
        assert_eq!(report["tune"]["recommended"], "arena off");
        assert_ratio(&report["tune"]["verified_ratio"], 0.9);
    };
    check(&whole(&place, &planted));
    assert!(TUNE.kept(&place).starts_with(&known));
    assert_eq!(TUNE.kept(&place).len(), known.len() + 1, "the recordings are known");
    // Then all is known.
    check(&whole(&place, &planted));
    assert_eq!(TUNE.loaded(&place), TUNE.survey);
}

#[test]
fn a_change_with_which_the_engine_ends_its_process_is_listed_and_the_search_goes_on() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    // The first launch loads the model, the base and both changes; the second one, which is for
    // the first change alone, a session less.
    let both = TUNE.survey + 2;
    let alone = both + 3;
    let points = [both, alone].map(|number| ("load", "cnn.onnx", number, "abort"));
    let planted = object!({"arena=off": 0.9});
    let script = Script::with_factors(&place, times("cnn.onnx"), planted, &points);
    let report = valid("tune", &script.succeed(&arguments(&path, &library, &MEMORY)));
    let rows = report["tune_changes"].as_array().unwrap();
    let failed: Vec<&Value> = rows.iter().filter(|row| row["verdict"] == "failed").collect();
    assert_eq!(failed.len(), 1, "{rows:#?}");
    assert_eq!(failed[0]["change"], "memory pattern off");
    let said = "the engine ended its process: signal: 6 (SIGABRT)";
    assert!(failed[0]["remark"].as_str().unwrap().starts_with(said), "{failed:#?}");
    assert_eq!(report["tune"]["recommended"], "arena off");
}

#[test]
fn a_journal_that_is_cut_anywhere_in_its_last_line_is_taken_up() {
    let (place, nothing) = (Place::new(), object!({}));
    whole(&place, &nothing);
    cut_anywhere(&TUNE, &place, |known, left| {
        let report = whole(&place, &nothing);
        assert_eq!(report["tune"]["recommended"], "nothing", "{left} bytes left");
        assert!(launches(&TUNE.kept(&place)).len() > known.len(), "{left} bytes left");
        assert!(TUNE.loaded(&place) > TUNE.survey, "{left} bytes left: nothing was measured");
    });
}

#[test]
fn the_folder_of_another_run_is_refused_unless_it_is_to_be_replaced() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let other = model("cnn-int8");
    let script = Script::new(&place, times("cnn.onnx"), &[]);
    let short = ["--time-limit", "1ms"];
    let run = |path: &str, more: &[&str]| {
        script.run(&arguments(path, &library, &[&short[..], more].concat()))
    };
    let begun = run(&path, &MEMORY);
    assert_eq!(begun.code, Some(0), "{}", begun.err);
    let journal = fs::read(place.path(JOURNAL)).unwrap();
    for (path, more, differs) in [
        (&path, &["--only", "config"][..], "differs in: changes\n"),
        (&path, &["--only", "memory", "--batch-size", "2"], "differs in: batch size, dimensions"),
        (&path, &["--only", "memory", "--seed", "2"], "differs in: inputs"),
        (&other, &MEMORY, "model, model sha256"),
    ] {
        let refused = run(path, more);
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{more:?}");
        let said = refused.err.contains(differs) && refused.err.contains("--restart");
        assert!(said, "{more:?}: {}", refused.err);
        assert_eq!(fs::read(place.path(JOURNAL)).unwrap(), journal, "{more:?}");
    }
    let replaced = run(&path, &["--only", "config", "--restart"]);
    assert_eq!(replaced.code, Some(0), "{}", replaced.err);
    assert_eq!(launches(&TUNE.kept(&place)).len(), 1);
    for nonsense in ["no journal\n", "{}\n", "\u{0}\n"] {
        fs::write(place.path(JOURNAL), nonsense).unwrap();
        let refused = run(&path, &MEMORY);
        assert_eq!(refused.code, Some(1), "{nonsense:?}");
        assert!(refused.err.contains("in the place of the journal"), "{}", refused.err);
        assert!(refused.err.contains("--restart"), "{}", refused.err);
        assert_eq!(fs::read_to_string(place.path(JOURNAL)).unwrap(), nonsense);
    }
    let replaced = run(&path, &["--only", "memory", "--restart"]);
    assert_eq!(replaced.code, Some(0), "{}", replaced.err);
}
