//! Changes of ONNX Runtime that make something else lower than the latency.

use crate::json_schemas::valid;
use crate::onnxruntime_package::library;
use crate::program::{Place, model};
use crate::script::Script;
use crate::tune::{arguments, assert_ratio, times};
use serde_json::{Value, json as object};
use std::fs;

const STOPPED: &str = "session.force_spinning_stop=1";

fn row<'a>(report: &'a Value, change: &str) -> &'a Value {
    let rows = report["tune_changes"].as_array().unwrap();
    rows.iter().find(|row| row["change"] == change).unwrap_or_else(|| panic!("{change}: {rows:#?}"))
}

/// Threads that spin are busy between two calls; without it, a call costs what it takes. What gains
/// as much, and is slower, is not recommended.
#[test]
fn threads_that_spin_between_calls_are_found() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let slower = object!({STOPPED: 1.2});
    let script = Script::with_factors(&place, times("cnn.onnx"), slower, &[])
        .sleeping(&["spinning=off", STOPPED]);
    let more = ["--threads", "2", "--only", "threads", "--for", "cpu,start", "--rate", "20"];
    let report = valid("tune", &script.succeed(&arguments(&path, &library, &more)));
    let said = &report["tune"];
    assert_eq!(said["recommended"], "spinning off", "{report:#}");
    assert_eq!(said["objective"], "CPU time at 20/s");
    // Of 50 ms from call to call, a call takes one, but for the script's noise.
    let gain = said["verified_ratio"].as_f64().unwrap();
    assert!((0.0195..0.022).contains(&gain), "{gain}");
    assert_ratio(&said["verified_latency_ratio"], 1.0);
    let headline = report["headline"][0].as_str().unwrap();
    assert!(headline.starts_with("cnn: CPU time at 20/s "), "{headline}");
    assert!(
        headline.contains("x lower") && headline.contains("with spinning off; latency at 20/s")
    );
    let found = row(&report, "spinning off");
    assert_eq!(found["verdict"], "lower", "{found:#}");
    assert_ratio(&found["latency_ratio"], 1.0);
    assert_ratio(&found["start_ratio"], 1.0);
    assert!(found["memory_ratio"].is_null() && found["cpu_ratio"] == found["ratio"], "{found:#}");
    let stopped = row(&report, STOPPED);
    assert_eq!(stopped["verdict"], "lower", "{stopped:#}");
    assert_ratio(&stopped["latency_ratio"], 1.2);
    let remark = stopped["remark"].as_str().unwrap();
    assert!(
        remark.starts_with("latency at 20/s ") && remark.contains(" % higher (95 % CI "),
        "{remark}"
    );
    let costly = report["headline"][1].as_str().unwrap();
    assert!(costly.starts_with("Lower, but not recommended: "), "{costly}");
    // The recordings tell of it as well.
    let compare = ["compare", "tune/base", "tune/tuned", "--expect-different", "engine_options"];
    let compared = place.succeed(&compare);
    assert!(compared.contains("CPU time at 20/s"), "{compared}");
    // What is known is not measured again.
    let journal = fs::read(place.path("tune/onnxray.tune.jsonl")).unwrap();
    let again = valid("tune", &script.succeed(&arguments(&path, &library, &more)));
    assert_eq!(again["tune"]["verified_ratio"], said["verified_ratio"]);
    assert_eq!(fs::read(place.path("tune/onnxray.tune.jsonl")).unwrap(), journal);
    // Of what else is made lower, it says something else.
    for (other, differs) in [
        (&["--for", "memory", "--rate", "20"][..], "differs in: objectives\n"),
        (&["--for", "cpu,start"], "differs in: rate\n"),
        (&[], "differs in: objectives, rate\n"),
    ] {
        let own = [&more[..4], other].concat();
        let refused = script.run(&arguments(&path, &library, &own));
        assert_eq!(refused.code, Some(1), "{other:?}: {}", refused.err);
        let said = refused.err.contains(differs) && refused.err.contains("--restart");
        assert!(said, "{other:?}: {}", refused.err);
    }
    let with_limit = [&more[..], &["--latency-limit", "30%"]].concat();
    let wide = valid("tune", &script.succeed(&arguments(&path, &library, &with_limit)));
    assert!(row(&wide, STOPPED)["remark"].is_null(), "{wide:#}");
}

/// A cost of inferences that follow each other, shown beside what decides.
#[test]
fn what_does_not_decide_is_shown() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let planted = object!({"arena=off": 0.8, "memory pattern=off": 1.2});
    let script = Script::with_factors(&place, times("cnn.onnx"), planted, &[]);
    let tuned = |out: &str, what: &str| {
        let more = ["--only", "memory", "--for", what, "--out", out];
        valid("tune", &script.succeed(&arguments(&path, &library, &more)))
    };
    for (out, what) in [("a", "latency,cpu"), ("b", "cpu")] {
        let report = tuned(out, what);
        assert_eq!(report["tune"]["recommended"], "arena off", "{what}");
        assert_ratio(&report["tune"]["verified_ratio"], 0.8);
        let found = row(&report, "arena off");
        for key in ["ratio", "latency_ratio", "cpu_ratio"] {
            assert_ratio(&found[key], 0.8);
        }
        assert!(found["start_ratio"].is_null(), "{found:#}");
        let headline = report["headline"][0].as_str().unwrap();
        let said = if what == "cpu" { "cnn: CPU time 20." } else { "cnn is 20." };
        assert!(headline.starts_with(said) || headline.contains("19."), "{headline}");
        assert!(headline.contains(if what == "cpu" { "; latency " } else { "; CPU time " }));
    }
}

#[test]
fn what_cannot_be_made_lower_is_refused_with_a_way_out() {
    let place = Place::new();
    for (more, said) in [
        (&["--for", "speed"][..], "[possible values: latency, cpu, memory, start]"),
        (&["--rate", "5,20"], "run it for each"),
        (&["--rate", "max"], "leave it out"),
        (&["--rate", "0.1"], "1/s or more"),
        (&["--rate", "fast"], "such as 20"),
        (&["--latency-limit", "1"], "100%"),
    ] {
        let refused = place.run(&[&["tune", "a.onnx"], more].concat());
        assert_eq!(refused.code, Some(2), "{more:?}: {}", refused.err);
        assert!(refused.err.contains(said), "{more:?}: {}", refused.err);
    }
}
