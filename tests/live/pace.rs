//! Calls at a pace, and costs of two models beside each other.

use crate::onnxruntime::engine;
use crate::onnxruntime_package::library;
use crate::program::{Place, json, model};
use crate::script::Script;
use serde_json::{Value, json as object};
use std::fs;

/// Records the scripted CNN with calls at these rates, for a second of the script's clock.
fn at_rates(script: &Script, rates: &str) -> String {
    let cnn = model("cnn");
    let usual = ["record", &cnn, "--iterations", "3", "--no-roofs", "--starts", "2"];
    let paced = ["--rate", rates, "--rate-duration", "1s", "--out", "out"];
    script.succeed(&[&usual[..], &paced].concat())
}

fn paces(place: &Place) -> Vec<Value> {
    let summary = place.succeed(&["summary", "out", "--level", "model", "--format", "json"]);
    json(&summary)["pace"].as_array().unwrap().clone()
}

#[test]
fn calls_come_at_the_pace_that_was_asked_for() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    at_rates(&script, "1200/min,max");
    let figures = place.figures("out");
    let latency = figures["model"]["latency_median_ms"].as_f64().unwrap();
    let [paced, closed] = &paces(&place)[..] else { panic!("two rates") };
    let of = |pace: &Value, key: &str| pace[key].as_f64().unwrap();
    assert_eq!((&paced["rate"], &closed["rate"]), (&object!("20"), &object!("max")));
    assert_eq!(
        (of(paced, "calls"), of(paced, "unserved"), of(paced, "late_share")),
        (40.0, 0.0, 0.0)
    );
    for key in ["latency_median_ms", "latency_median_low_ms", "latency_p90_ms", "service_median_ms"]
    {
        assert!((of(paced, key) - latency).abs() < 1e-6, "{key}: {paced}");
    }
    assert!(paced["latency_p99_ms"].is_null(), "of 40 calls none is beyond it: {paced}");
    // By the script's clock, a thread is busy all the time: 50 ms between two calls.
    assert!((of(paced, "cpu_time_ms") - 50.0).abs() < 1e-6, "{paced}");
    assert!((of(closed, "cpu_time_ms") - latency).abs() < 1e-3, "{closed}");
    assert_eq!((&paced["departs"], &closed["departs"]), (&object!("no"), &Value::Null));
    assert_eq!(figures["model"]["idle_session_cores"], 1.0);
    let screen = place.succeed(&["summary", "out"]);
    let lines: Vec<&str> = screen.lines().filter(|line| line.starts_with("Pace ")).collect();
    assert!(lines[0].contains("at 20/s") && lines[0].contains("CPU 50"), "{screen}");
    assert!(lines[0].contains("(idle session 1.00 cores)") && lines[1].contains("back to back"));
}

#[test]
fn a_rate_beyond_the_machine_is_measured_and_said() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 1_000_000}}), &[]);
    let cnn = model("cnn");
    let usual = ["record", &cnn, "--iterations", "3", "--no-roofs", "--starts", "2"];
    let paced = ["--rate", "5,1000", "--rate-duration", "5s", "--poisson", "--out", "out"];
    script.succeed(&[&usual[..], &paced].concat());
    let [slow, fast] = &paces(&place)[..] else { panic!("two rates") };
    assert_eq!((&slow["departs"], &fast["departs"]), (&object!("no"), &object!("yes")));
    assert_eq!(fast["gaps"], "poisson");
    assert!(fast["unserved"].as_f64().unwrap() > fast["calls"].as_f64().unwrap(), "{fast}");
    let screen = place.succeed(&["summary", "out"]);
    assert!(screen.contains(" served: the queue grew"), "{screen}");
    let queueing = screen.lines().find(|line| line.starts_with("Queueing ")).unwrap();
    assert!(
        queueing.contains("from 1000/s on") && queueing.contains("tried 5/s, 1000/s"),
        "{queueing}"
    );
}

#[test]
fn paces_outlive_conversions() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    at_rates(&script, "20");
    let found = paces(&place);
    place.succeed(&["convert", "out", "--compact", "-o", "base.json"]);
    let compact = place.succeed(&["summary", "base.json", "--level", "model", "--format", "json"]);
    assert_eq!(json(&compact)["pace"].as_array().unwrap(), &found);
}

#[test]
fn rates_that_cannot_be_are_refused_with_an_example() {
    let place = Place::new();
    let cnn = model("cnn");
    for rate in ["0", "-1", "NaN", "inf", "2000000", "fast"] {
        let rate = format!("--rate={rate}");
        let refused = place.run(&["record", &cnn, &rate]);
        assert_eq!(refused.code, Some(2), "{rate}: {}", refused.err);
        assert!(
            refused.err.contains("such as 20, 20/s, 1200/min or max"),
            "{rate}: {}",
            refused.err
        );
    }
    for (more, said) in [
        (&["--rate", "20", "--starts", "0"][..], "leave it out"),
        (&["--rate", "0.1", "--starts", "1"], "--rate-duration 100s"),
        (&["--poisson", "--starts", "1"], "--rate"),
        (&["--rate", "20", "--instances", "2", "--starts", "1"], "--instances"),
    ] {
        let refused = place.run(&[&["record", &cnn], more].concat());
        assert!(refused.code == Some(2) && refused.err.contains(said), "{more:?}: {}", refused.err);
    }
}

/// B does half the work, and `compare` says so of each cost; gates stop what costs more.
#[test]
fn costs_of_two_models_are_compared_and_gated() {
    let place = Place::new();
    let times =
        object!({"cnn.onnx": {"operator_ns": 100_000}, "cnn-int8.onnx": {"operator_ns": 25_000}});
    let script = Script::new(&place, times, &[]);
    let (cnn, int8) = (model("cnn"), model("cnn-int8"));
    let compared = ["record", &cnn, "--against", &int8, "--launches", "2", "--iterations", "3"];
    let costs = ["--no-roofs", "--starts", "3", "--rate", "20", "--rate-duration", "1s"];
    script.succeed(&[&compared[..], &costs, &["--out", "out"]].concat());
    let (a, b) = ("out/cnn", "out/cnn-int8");
    let screen = place.succeed(&["compare", a, b]);
    let said = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("Cost of cnn-int8: CPU time "), "{screen}");
    assert!(said.contains("CPU time at 20/s the same"), "busy all the time: {screen}");
    let document = json(&place.succeed(&["compare", a, b, "--format", "json"]));
    let rows = document["inference"].as_array().unwrap();
    let row = |figure: &str| {
        rows.iter().find(|row| row["figure"] == figure).unwrap_or_else(|| panic!("{figure}"))
    };
    let figures = [a, b].map(|side| place.figures(side)["model"]["cpu_time_ms"].as_f64().unwrap());
    let cpu = row("cpu_time_ms");
    assert_eq!((cpu["a"].as_f64(), cpu["b"].as_f64()), (Some(figures[0]), Some(figures[1])));
    assert!((cpu["ratio"].as_f64().unwrap() - figures[1] / figures[0]).abs() < 1e-12);
    assert_eq!(cpu["verdict"], "lower");
    let latency = row("latency_typical_ms")["ratio"].as_f64().unwrap();
    let paced = row("paced_latency_ms")["ratio"].as_f64().unwrap();
    assert!((latency - paced).abs() < 1e-3, "{latency} {paced}");
    // The other way round, B costs more.
    let gated = place.run(&["compare", b, a, "--fail-cpu-above", "3%", "--fail-start-above", "3%"]);
    assert_eq!(gated.code, Some(3), "{}", gated.err);
    assert!(gated.err.contains("cnn: CPU time is higher by more than 3 %: "), "{}", gated.err);
    assert!(gated.err.contains("cnn: start is higher by more than 3 %: "), "{}", gated.err);
    // Two launches say nothing of latencies, and processes do of the CPU time.
    let undecided = place.run(&["compare", b, a, "--fail-above", "3%"]);
    assert_eq!(undecided.code, Some(0), "{}", undecided.err);
    let said = undecided.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("undecided") && said.contains("; --fail-cpu-above 3% limits"), "{said}");
    let passed = place.run(&["compare", a, b, "--fail-cpu-above", "3%"]);
    assert_eq!(passed.code, Some(0), "{}", passed.err);
    let said = passed.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("passed: cnn-int8: CPU time "), "{said}");
    // A limit of the CPU time is one of a call at a pace as well.
    assert!(said.contains("; CPU time at 20/s 0.0 % higher"), "{said}");
    // B answers such a call later, and by the script it does so for sure; the other way round it is faster.
    let gated = place.run(&["compare", b, a, "--fail-call-above", "3%"]);
    assert_eq!(gated.code, Some(3), "{}", gated.err);
    assert!(
        gated.err.contains("cnn: latency at 20/s is higher by more than 3 %: "),
        "{}",
        gated.err
    );
    let passed = place.run(&["compare", a, b, "--fail-call-above", "3%", "--fail-undecided"]);
    assert_eq!(passed.code, Some(0), "{}", passed.err);
    // Two launches do not decide of the latency.
    let stopped = place.run(&["compare", b, a, "--fail-above", "3%", "--fail-undecided"]);
    assert_eq!(stopped.code, Some(3), "{}", stopped.err);
    assert!(stopped.err.contains("failed: undecided (--fail-undecided): "), "{}", stopped.err);
}

/// In a loop they are the same; between calls at a pace, the threads of one spin.
#[test]
fn a_gate_of_the_cpu_time_knows_what_a_call_costs() {
    let place = Place::new();
    let library = library();
    let engine = engine(&library);
    // Processes that measure starts know no operators of this engine.
    let times = object!({"cnn.onnx": {"operator_ns": 100_000, "overhead_ns": 1_000_000}});
    let script = Script::new(&place, times, &[]).sleeping(&["spinning=off"]);
    for (out, spinning) in [("on", "yes"), ("off", "no")] {
        let spinning = format!("spinning={spinning}");
        let cnn = model("cnn");
        let usual = ["record", &cnn, "--iterations", "3", "--no-roofs", "--starts", "3"];
        let paced = ["--rate", "20", "--rate-duration", "1s", "--threads", "2", "--out", out];
        script.succeed(&[&usual[..], &engine, &["--ort", &spinning], &paced].concat());
    }
    let gate = ["--expect-different", "engine_options", "--fail-cpu-above", "10%"];
    let gated = place.run(&[&["compare", "off", "on"][..], &gate].concat());
    let said = gated.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(gated.code, Some(3), "{said}");
    assert!(said.contains("CPU time at 20/s is higher by more than 10 %: "), "{said}");
    let passed = place.run(&[&["compare", "on", "off"][..], &gate].concat());
    assert_eq!(passed.code, Some(0), "{}", passed.err);
    // In a loop, threads that spin take what other programs leave them: nothing is decided of sides that
    // did not take turns.
    let (cnn, loops) = (model("cnn"), ["--starts", "3", "--threads", "2"]);
    for (out, spinning) in [("loop-on", "yes"), ("loop-off", "no")] {
        let spinning = format!("spinning={spinning}");
        let usual = ["record", &cnn, "--iterations", "3", "--no-roofs", "--out", out];
        script.succeed(&[&usual[..], &engine, &["--ort", &spinning], &loops].concat());
    }
    let compare = ["compare", "loop-off", "loop-on"];
    let open = place.run(&[&compare[..], &gate].concat());
    assert_eq!(open.code, Some(0), "{}", open.err);
    assert!(open.out.contains("note: threads spin: "), "{}", open.out);
    let stopped = place.run(&[&compare[..], &gate, &["--fail-undecided"]].concat());
    assert_eq!(stopped.code, Some(3), "{}", stopped.err);
    let document = json(&place.run(&[&compare[..], &["--format", "json"]].concat()).out);
    let rows = document["inference"].as_array().unwrap();
    let cpu = rows.iter().find(|row| row["figure"] == "cpu_time_ms").unwrap();
    assert_eq!(cpu["verdict"], "inconclusive", "{cpu}");
}

#[test]
fn a_limit_of_a_cost_that_nobody_measured_fails() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    for (out, starts) in [("a", "0"), ("b", "2")] {
        let cnn = model("cnn");
        let usual = ["record", &cnn, "--iterations", "3", "--no-roofs", "--starts", starts];
        script.succeed(&[&usual[..], &["--out", out]].concat());
    }
    let gated = place.run(&["compare", "a", "b", "--fail-memory-above", "3%"]);
    assert_eq!(gated.code, Some(3), "{}", gated.err);
    assert!(gated.err.contains("memory at peak is unknown on a side"), "{}", gated.err);
}

/// What a container allows is beside the threads.
#[test]
fn limits_of_cpus_and_memory_are_beside_the_threads() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    let cnn = model("cnn");
    script.succeed(&["record", &cnn, "--iterations", "3", "--no-roofs", "--out", "out"]);
    let path = &place.traces("out")[0];
    let mut trace = json(&fs::read_to_string(path).unwrap());
    trace["conditions"]["limit"] = object!({"cores": 0.5, "throttled_periods": 3});
    trace["conditions"].as_object_mut().unwrap().remove("memory_limit");
    fs::write(path, trace.to_string()).unwrap();
    let screen = place.succeed(&["summary", "out"]);
    assert!(screen.contains(", 0.5 CPUs allowed"), "{screen}");
    trace["conditions"]["memory_limit"] = 200_000_000.into();
    fs::write(path, trace.to_string()).unwrap();
    let screen = place.succeed(&["summary", "out"]);
    assert!(screen.contains(", 0.5 CPUs and 200 MB allowed"), "{screen}");
}
