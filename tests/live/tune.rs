//! Changes of ONNX Runtime, tried one at a time: what is planted is found, and nothing else.

use crate::hardware::lacks;
use crate::json_schemas::valid;
use crate::onnxruntime::engine;
use crate::onnxruntime_package::library;
use crate::program::{Finished, Place, finished, model};
use crate::script::Script;
use serde_json::{Value, json as object};
use std::fs;
use std::thread::available_parallelism;

/// Half the width of the noise of a run, as a share.
pub(crate) const NOISE: f64 = 0.004;

/// A millisecond each, whatever the machine does.
pub(crate) fn times(file: &str) -> Value {
    object!({file: {"operator_ns": 100, "overhead_ns": 1_000_000, "noise": NOISE}})
}

/// The arguments of a tuning of a model.
pub(crate) fn arguments<'a>(path: &'a str, library: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["tune", path, "--engine-library", library, "--format", "json"][..], more].concat()
}

/// The row of a change.
fn row<'a>(report: &'a Value, change: &str) -> &'a Value {
    let rows = report["tune_changes"].as_array().unwrap();
    rows.iter().find(|row| row["change"] == change).unwrap_or_else(|| panic!("{change}: {rows:#?}"))
}

/// A ratio is what was planted, within the noise of a run.
pub(crate) fn assert_ratio(found: &Value, planted: f64) {
    let off = found.as_f64().unwrap_or(f64::NAN) - planted;
    assert!(off.abs() <= NOISE * planted, "{found} is not {planted}");
}

#[test]
fn planted_effects_are_found_and_those_that_pay_are_combined_and_verified() {
    let (place, library, path) = (Place::new(), library(), model("encoder-int8"));
    let planted = object!({
        "arena=off": 0.9,
        "disabled optimizers=SkipLayerNormFusion": 0.95,
        "session.set_denormal_as_zero=1": 1.2,
        "threads=2": 0.5,
    });
    let script = Script::with_factors(&place, times("encoder-int8.onnx"), planted, &[]);
    let kinds = "optimizers,memory,threads,config";
    // How far a fusion changes outputs of quantized layers depends on the instruction set.
    let more = ["--dim", "sequence=16", "--only", kinds, "--tolerance", "1%"];
    let ended = script.run(&arguments(&path, &library, &more));
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let report = valid("tune", &ended.out);
    for (change, ratio, verdict) in [
        ("arena off", 0.9, "faster"),
        ("without SkipLayerNormFusion", 0.95, "faster"),
        ("session.set_denormal_as_zero=1", 1.2, "slower"),
    ] {
        let row = row(&report, change);
        assert_ratio(&row["ratio"], ratio);
        assert_eq!(row["verdict"], verdict, "{row:#}");
        assert!(row["ratio_low"].as_f64() <= row["ratio"].as_f64(), "{row:#}");
        assert!(row["ratio"].as_f64() <= row["ratio_high"].as_f64(), "{row:#}");
    }
    let rows = report["tune_changes"].as_array().unwrap();
    let clear = |row: &&Value| row["verdict"] == "faster" || row["verdict"] == "slower";
    let has_two_cores = available_parallelism().is_ok_and(|cores| cores.get() >= 2);
    let found: Vec<&Value> = rows.iter().filter(clear).collect();
    assert_eq!(found.len(), 3 + usize::from(has_two_cores), "{found:#?}");
    let headline = report["headline"].to_string();
    if has_two_cores {
        let row = row(&report, "2 threads");
        assert_ratio(&row["ratio"], 0.5);
        assert_eq!(row["remark"], "takes more threads", "{row:#}");
        assert!(headline.contains("Faster, but not recommended: 2 threads ("), "{headline}");
    } else {
        lacks("a second core", "that more threads are not recommended");
    }
    let said = &report["tune"];
    assert_eq!(said["recommended"], "arena off, without SkipLayerNormFusion");
    for key in ["predicted_ratio", "verified_ratio"] {
        assert_ratio(&said[key], 0.9 * 0.95);
    }
    let combined = report["tune_combinations"].as_array().unwrap();
    assert_eq!(combined[0]["change"], "arena off, without SkipLayerNormFusion");
    assert_eq!(combined.len(), 3, "{combined:#?}");
    assert!(headline.contains("without SkipLayerNormFusion, with arena off"), "{headline}");
    let lines = |language: &str| report["tune_code"][language].as_str().unwrap().to_string();
    let entry = r#"("optimization.disable_specified_optimizers", "SkipLayerNormFusion")"#;
    let python = lines("python");
    for line in [
        "options.intra_op_num_threads = 1",
        &format!("options.add_session_config_entry{entry}"),
        "options.enable_cpu_mem_arena = False",
    ] {
        assert!(python.contains(line), "{line}: {python}");
    }
    let cpp = lines("cpp");
    for line in [&format!("options.AddConfigEntry{entry};"), "options.DisableCpuMemArena();"] {
        assert!(cpp.contains(line), "{line}: {cpp}");
    }
    let record = "--threads 1 --ort disable_optimizer=SkipLayerNormFusion --ort arena=no";
    assert_eq!(lines("record"), record);
    // What it says of the recordings is shown by the command that it names.
    let hint = ended.err.split_once("hint: onnxray ").expect(&ended.err).1;
    let (command, _) = hint.split_once(" shows").expect(hint);
    let command: Vec<&str> = command.split(' ').chain(["--format", "json"]).collect();
    let compared = valid("compare", &place.succeed(&command));
    let fields = compared["configuration_differences"].as_array().unwrap();
    assert_eq!(fields.len(), 1, "{fields:#?}");
    assert!(fields[0].to_string().contains("SkipLayerNormFusion"), "{fields:#?}");
}

/// The files are of what is known; nothing is measured for them.
#[test]
fn what_was_found_is_written_as_a_page_a_workbook_and_tables() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let planted = object!({"arena=off": 0.9, "memory pattern=off": 0.8});
    let script = Script::with_factors(&place, times("cnn.onnx"), planted, &[]);
    let tuned = |more: &[&str]| {
        let own = ["tune", &path, "--engine-library", &library, "--only", "memory"];
        script.succeed(&[&own[..], more].concat())
    };
    let shown = tuned(&[]);
    let said = "with memory pattern off and arena off; outputs are equal on 20 inputs that the search \
                did not see.";
    assert!(shown.contains(said), "{shown}");
    for output in
        [&["-o", "tune.html"][..], &["-o", "tune.xlsx"], &["-o", "csv", "--format", "csv"]]
    {
        tuned(output);
        assert!(place.path(output[1]).exists(), "{output:?}");
    }
    for name in ["tune", "tune_changes", "tune_combinations", "tune_code"] {
        assert!(place.path("csv").join(name).with_extension("csv").exists(), "{name}");
    }
}

#[test]
fn noise_alone_recommends_nothing_and_records_nothing() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let script = Script::new(&place, times("cnn.onnx"), &[]);
    let report =
        valid("tune", &script.succeed(&arguments(&path, &library, &["--only", "memory,config"])));
    assert_eq!(report["tune"]["recommended"], "nothing");
    let rows = report["tune_changes"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["verdict"] == "same"), "{rows:#?}");
    let said = format!(
        "Nothing that was tried makes cnn faster: of {} changes, none gains 0.5 % or more; largest \
         effect: ",
        rows.len()
    );
    let headline = report["headline"][0].as_str().unwrap();
    let largest = headline.strip_prefix(&said).unwrap_or_else(|| panic!("{headline}"));
    let ratio = |row: &&Value| row["ratio"].as_f64().unwrap();
    let fastest = rows.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b))).unwrap();
    assert!(largest.starts_with(fastest["change"].as_str().unwrap()), "{headline}");
    assert!(largest.contains("% (95 % CI "), "{headline}");
    assert!(report["tune_code"].is_null() && report["tune_combinations"].is_null());
    for folder in ["tune/base", "tune/tuned"] {
        assert!(!place.path(folder).exists(), "{folder}");
    }
}

/// Another smallest gain may choose something else, and what was recorded is not of that.
#[test]
fn what_is_verified_is_what_is_recommended_now() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let planted = object!({"arena=off": 0.9, "memory pattern=off": 0.8});
    let script = Script::with_factors(&place, times("cnn.onnx"), planted, &[]);
    let tuned = |more: &[&str]| {
        let all = [&["--only", "memory"], more].concat();
        valid("tune", &script.succeed(&arguments(&path, &library, &all)))["tune"].clone()
    };
    let both = tuned(&[]);
    assert_eq!(both["recommended"], "memory pattern off, arena off");
    assert_ratio(&both["verified_ratio"], 0.72);
    let one = tuned(&["--smallest-gain", "15%"]);
    assert_eq!(one["recommended"], "memory pattern off");
    assert_ratio(&one["verified_ratio"], 0.8);
}

#[test]
fn what_cannot_be_loaded_is_listed_and_the_search_goes_on() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let planted = object!({"arena=off": 0.9});
    let script = Script::with_factors(&place, times("cnn.onnx"), planted, &[]);
    let more = ["--only", "memory", "--ort", "session.load_model_format=ORT"];
    let report = valid("tune", &script.succeed(&arguments(&path, &library, &more)));
    let failed = row(&report, "session.load_model_format=ORT");
    assert_eq!(failed["verdict"], "failed", "{failed:#}");
    assert!(failed["remark"].as_str().unwrap().contains("verification failed"), "{failed:#}");
    assert!(failed["ratio"].is_null() && failed["output_difference"].is_null(), "{failed:#}");
    assert_eq!(report["tune"]["recommended"], "arena off");
    assert_ratio(&report["tune"]["verified_ratio"], 0.9);
}

#[test]
fn a_time_limit_that_is_too_short_is_said_and_nothing_recommended() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let planted = object!({"arena=off": 0.9});
    let script = Script::with_factors(&place, times("cnn.onnx"), planted, &[]);
    let more = ["--only", "memory", "--time-limit", "1ms"];
    let ended = script.run(&arguments(&path, &library, &more));
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let said = "warning: the time limit ended the search after 1 launch; run the same command again \
                to continue\n";
    assert!(ended.err.contains(said), "{}", ended.err);
    let report = valid("tune", &ended.out);
    let said = "Out of time: 2 of 2 options are undecided. Run the same command again to continue.";
    assert_eq!(report["headline"], object!([said]));
    assert_eq!(report["tune"]["recommended"], "nothing");
    assert!(!place.path("tune/base").exists());
    // The same command again replaces its own report, and nothing else.
    let page = [&more[..], &["-o", "tune.html"]].concat();
    for _ in 0..2 {
        let ended = script.run(&arguments(&path, &library, &page));
        assert_eq!(ended.code, Some(0), "{}", ended.err);
    }
    place.write("tune.html", b"mine");
    let ended = script.run(&arguments(&path, &library, &page));
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.err.contains("tune.html: already exists"), "{}", ended.err);
}

#[test]
fn without_onnx_runtime_it_says_so_and_leaves_nothing() {
    let (place, path) = (Place::new(), model("cnn"));
    let mut command = place.command(&["tune", &path]);
    command.env("PATH", place.path(".")).env_remove("ORT_DYLIB_PATH");
    let missing = finished(command.output().unwrap());
    let named = place.run(&["tune", &path]);
    for (Finished { code, out, err }, said) in
        [(missing, "ONNX Runtime is not installed\nhint: "), (named, "/nowhere/libonnxruntime.so")]
    {
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.starts_with("error: ") && err.contains(said), "{err}");
        assert_eq!(err.matches("error: ").count(), 1, "{err}");
    }
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), 0, "something is left");
}

/// It really runs; one launch is measured however long that takes.
#[test]
fn optimizers_that_change_a_model_are_tried_and_outputs_compared() {
    let (place, library, path) = (Place::new(), library(), model("encoder-int8"));
    let script = Script::new(&place, object!({}), &[]);
    let more = ["--dim", "sequence=16", "--only", "optimizers", "--time-limit", "1ms"];
    let report = valid("tune", &script.succeed(&arguments(&path, &library, &more)));
    row(&report, "without SkipLayerNormFusion");
    assert!(report["tune"]["base_ms"].as_f64() > Some(0.0), "{report:#}");
    for row in report["tune_changes"].as_array().unwrap() {
        assert!(row["change"].as_str().unwrap().starts_with("without "), "{row:#}");
        assert!(row["output_difference"].is_number(), "{row:#}");
    }
}

#[test]
fn options_of_a_session_are_checked_and_recorded() {
    let (place, library, path) = (Place::new(), library(), model("encoder-int8"));
    let few = ["--iterations", "3", "--warmup", "0", "--unprofiled-iterations", "0"];
    let record = |out: &str, more: &[&str]| {
        let own = ["record", &path, "--dim", "sequence=8", "--out", out];
        place.run(&[&own[..], &few, &engine(&library), more].concat())
    };
    let near = record("near", &["--disable-optimizer", "SkipLayerNormFusio"]);
    assert_eq!(near.code, Some(1), "{}", near.err);
    for said in ["has no graph optimizer `SkipLayerNormFusio`", "`SkipLayerNormFusion`"] {
        assert!(near.err.contains(said), "{said}: {}", near.err);
    }
    let set = [
        ("--disable-optimizer", "SkipLayerNormFusion", "SkipLayerNormFusion"),
        ("--config", "session.set_denormal_as_zero=1", "session.set_denormal_as_zero: 1"),
        ("--ort", "memory_pattern=no", "memory pattern: off"),
    ];
    let options: Vec<&str> = set.iter().flat_map(|(option, value, _)| [*option, *value]).collect();
    for (out, more) in [("a", &[][..]), ("b", &options)] {
        let recorded = record(out, more);
        assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    }
    let compare = ["compare", "a", "b", "--expect-different", "engine_options", "--format", "json"];
    let compared = valid("compare", &place.succeed(&compare));
    let differences = compared["configuration_differences"].to_string();
    for (_, _, stated) in set {
        assert!(differences.contains(stated), "{stated}: {differences}");
    }
}
