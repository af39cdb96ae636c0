//! What `onnxray compare` says where there is little room: in CI, and of recordings that
//! cannot be tested, or need not be compared.

use crate::program::{Place, fixture_file, json};
use serde_json::Value;

/// A trace of ONNX Runtime: iterations of nodes, whose times are in microseconds.
fn trace(place: &Place, file: &str, nodes: usize, time: impl Fn(usize, usize) -> usize) {
    let (mut events, mut now) = (Vec::new(), 1000);
    for iteration in 0..40 {
        let start = now;
        for node in 0..nodes {
            let time = time(iteration, node);
            events.push(serde_json::json!({"cat": "Node", "pid": 1, "tid": 1, "ph": "X",
                "name": format!("/n{node}/MatMul_kernel_time"), "ts": now, "dur": time,
                "args": {"op_name": "MatMul", "provider": "CPUExecutionProvider",
                    "node_index": node.to_string()}}));
            now += time;
        }
        events.push(serde_json::json!({"cat": "Session", "pid": 1, "tid": 1, "ph": "X",
            "name": "model_run", "ts": start, "dur": now - start + 3, "args": {}}));
        now += 10;
    }
    place.write(file, serde_json::to_string(&events).unwrap().as_bytes());
}

/// A recording of launches with so much time each, as one argument.
fn launches(place: &Place, name: &str, nodes: usize, times: &[usize]) -> String {
    let files = times.iter().enumerate().map(|(launch, &time)| {
        let file = format!("{name}_{launch}.json");
        trace(place, &file, nodes, |iteration, node| {
            time + (iteration * 7 + launch * 3 + node) % 5
        });
        file
    });
    files.collect::<Vec<_>>().join(",")
}

const EIGHT: [usize; 8] = [1000; 8];

fn rows<'a>(report: &'a Value, table: &str) -> &'a Vec<Value> {
    report[table].as_array().unwrap_or_else(|| panic!("no {table}"))
}

#[test]
fn a_gate_has_a_line_for_the_whole_and_names_five_layers() {
    let place = Place::new();
    let (a, b) = (launches(&place, "a", 26, &EIGHT), launches(&place, "b", 26, &[1300; 8]));
    let gate = ["compare", &a, &b, "--fail-on", "slower", "--fail-layers-on", "slower"];
    let failed = place.run(&gate);
    assert_eq!(failed.code, Some(3), "{}", failed.err);
    let lines: Vec<&str> = failed.err.lines().collect();
    assert_eq!(lines.len(), 7, "{}", failed.err);
    assert!(lines[0].contains("is slower: +29.9 % ("), "{}", failed.err);
    assert!(lines[0].contains("); largest cause: MatMul (+7.800 ms)"), "{}", failed.err);
    assert!(lines[1].contains("26 layers are slower; the 5 that differ most:"), "{}", failed.err);
    assert!(lines[2].starts_with("  /n"), "{}", failed.err);
    let (_, whole) = failed.out.split_once("latency, typical").unwrap();
    assert!(whole.lines().next().unwrap().contains("<0.001"), "{}", failed.out);
    let report = json(&place.succeed(&["compare", &a, &b, "--format", "json"]));
    assert!(rows(&report, "inference")[0]["p"].as_f64().unwrap() < 0.0002);
    // Each option asks about its own, and what passes says so in one line.
    let whole = place.run(&gate[..5]);
    assert_eq!((whole.code, whole.err.lines().count()), (Some(3), 1), "{}", whole.err);
    let layers = place.run(&[&gate[..3], &gate[5..]].concat());
    assert_eq!((layers.code, layers.err.lines().count()), (Some(3), 6), "{}", layers.err);
    let back = place.run(&["compare", &b, &a, "--fail-above", "3%", "--fail-layers-above", "3%"]);
    assert_eq!(back.code, Some(0));
    let [passed] = back.err.lines().collect::<Vec<_>>()[..] else { panic!("{}", back.err) };
    assert!(passed.starts_with("passed: a_0 is faster: -23.0 %"), "{passed}");
    assert!(passed.ends_with("; 26 layers pass, too"), "{passed}");
}

/// The second recording was made while the machine was now slower, now faster: a layer that is
/// slower by less than the whole may be makes nothing fail.
#[test]
fn layers_do_not_fail_by_what_the_machine_may_have_done() {
    let place = Place::new();
    let a = launches(&place, "a", 8, &[1000, 1001, 1002, 1003, 1004, 1005]);
    let gated = |layer: usize| {
        let of_b = (0..6).map(|launch| {
            let file = format!("b_{layer}_{launch}.json");
            trace(&place, &file, 8, |iteration, node| match node {
                0 => layer + launch,
                _ => 850 + 300 * (launch % 2) + iteration % 3,
            });
            file
        });
        let b = of_b.collect::<Vec<_>>().join(",");
        place.run(&["compare", &a, &b, "--fail-above", "3%", "--fail-layers-above", "3%"])
    };
    let slightly = gated(1060);
    assert!(slightly.out.starts_with("Inconclusive: "), "{}", slightly.out);
    assert!(slightly.err.starts_with("passed (undecided): "), "{}", slightly.err);
    assert!(slightly.err.contains("; may exceed 3 %; "), "{}", slightly.err);
    let open = "Causes are not listed: it is open whether there is a difference that matters; ";
    assert!(slightly.out.contains(open), "{}", slightly.out);
    let why = "recorded one after the other, and the latency may differ by ";
    assert!(slightly.out.contains(why), "{}", slightly.out);
    assert_eq!(slightly.code, Some(0), "{}", slightly.err);
    assert!(slightly.err.contains("record A --against B tells more"), "{}", slightly.err);
    let by_far = gated(2000);
    assert_eq!(by_far.code, Some(3), "{}", by_far.err);
    assert!(by_far.err.contains("1 layer is slower by more than 3 %"), "{}", by_far.err);
}

/// The estimate is above the limit, and its interval is not: what decides is said.
#[test]
fn an_estimate_just_above_a_limit_reads_so() {
    let place = Place::new();
    let (a, b) = (
        launches(&place, "a", 2, &EIGHT),
        launches(&place, "b", 2, &[1024, 1036, 1025, 1035, 1026, 1034, 1027, 1037]),
    );
    let failed = place.run(&["compare", &a, &b, "--fail-above", "3%"]);
    assert_eq!(failed.code, Some(3), "{}", failed.err);
    let (_, said) = failed.err.split_once("is slower by more than 3 %: +3.0").unwrap();
    assert!(!said.starts_with(' '), "more decimals in {}", failed.err);
    assert!(said.contains("; the estimate decides); largest cause: MatMul ("), "{said}");
    // The threshold lies within the interval.
    let slower = "% slower than a_0, but not clearly more than the noise threshold of 3.1 %: ";
    let text = place.succeed(&["compare", &a, &b, "--noise-threshold", "3.1%"]);
    assert!(text.lines().next().unwrap().contains(slower), "{text}");
}

#[test]
fn a_limit_is_apart_from_the_noise_threshold() {
    let place = Place::new();
    let (a, b) = (launches(&place, "a", 2, &EIGHT), launches(&place, "b", 2, &[1020; 8]));
    let run = |limit: &str| place.run(&["compare", &a, &b, "--fail-above", limit]);
    // 2 % slower for sure: the same by the noise threshold of 3 %, and beyond 1 %.
    let failed = run("1%");
    assert_eq!(failed.code, Some(3), "{}", failed.err);
    assert!(failed.err.contains("is slower by more than 1 %: +2.0 % ("), "{}", failed.err);
    assert_eq!(run("0.01").code, Some(3));
    let passed = run("5%");
    assert_eq!(passed.code, Some(0));
    assert!(
        passed.err.contains("passed: b_0 is within the noise threshold: +2.0 % ("),
        "{}",
        passed.err
    );
    assert!(
        passed.out.contains("% slower than a_0, within the noise threshold of 3 %: "),
        "{}",
        passed.out
    );
    let both = ["compare", &a, &b, "--fail-above", "5%", "--fail-on", "slower"];
    assert_eq!(place.run(&both).code, Some(0));
    assert_eq!(place.run(&["compare", &b, &a, "--fail-above", "0%"]).code, Some(0), "faster");
    assert_eq!(place.run(&["compare", &a, &b, "--fail-above", "much"]).code, Some(2));
}

#[test]
fn a_baseline_is_a_recording_or_a_stored_summary() {
    let place = Place::new();
    let (a, b) = (launches(&place, "a", 12, &EIGHT), launches(&place, "b", 12, &[1300; 8]));
    let files: Vec<&str> = a.split(',').collect();
    let store = |more: &[&str], file: &str| {
        let arguments = [&["summary"], &files[..], &["--format", "json"], more].concat();
        place.write(file, place.succeed(&arguments).as_bytes());
    };
    store(&[], "main.json");
    let stored = |more: &[&str]| {
        let start = ["compare", "--baseline", "main.json", &b];
        place.run(&[&start[..], more].concat())
    };
    // The means of the recording, and nothing tested.
    let report = json(&stored(&["--format", "json"]).out);
    let recorded = json(&place.succeed(&["compare", &a, &b, "--format", "json"]));
    let mean = |report: &Value| {
        let row = rows(report, "inference")
            .iter()
            .find(|row| row["figure"] == "profiled_latency_mean_ms");
        row.unwrap()["a"].as_f64().unwrap()
    };
    assert!((mean(&report) - mean(&recorded)).abs() < 1e-9);
    assert_eq!(rows(&report, "layers").len(), rows(&recorded, "layers").len());
    assert!(rows(&report, "layers").iter().all(|layer| layer["verdict"] == "not tested"));
    let overhead = &rows(&report, "inference")[5];
    assert!((overhead["a"].as_f64().unwrap() - 0.003).abs() < 1e-6, "{overhead}");
    let notes = report["notes"].to_string();
    assert!(notes.contains("nothing is tested against it"), "{notes}");
    // A limit is judged by the estimate, and says so.
    let failed = stored(&["--fail-above", "5%"]);
    assert_eq!(failed.code, Some(3), "{}", failed.err);
    assert!(failed.err.contains("by an estimate that was not tested"), "{}", failed.err);
    assert_eq!(stored(&["--fail-above", "50%"]).code, Some(0));
    let undecided = stored(&["--fail-on", "slower"]);
    assert_eq!(undecided.code, Some(0));
    assert!(
        undecided.err.contains("--fail-on slower,not-tested would fail it"),
        "{}",
        undecided.err
    );
    // A recording is a baseline as well.
    let recording = place.succeed(&["compare", "--baseline", "a_0.json", "b_0.json"]);
    assert!(recording.starts_with("Inconclusive: b_0 vs a_0, "), "{recording}");
    assert!(recording.lines().next().unwrap().contains("+29.9 %"), "{recording}");
    // Some of the operators are not a baseline, and it is said how to make one.
    store(&["--top", "3"], "part.json");
    let part = place.run(&["compare", "--baseline", "part.json", &b]);
    assert_eq!(part.code, Some(1));
    assert!(part.err.contains("summary X --format json"), "{}", part.err);
    let other = place.succeed(&["check", "a_0.json", "--format", "json"]);
    place.write("check.json", other.as_bytes());
    let other = place.run(&["compare", "--baseline", "check.json", &b]);
    assert_eq!(other.code, Some(1));
    assert!(other.err.contains("another report"), "{}", other.err);
    assert_eq!(place.run(&["compare", "--baseline", "nowhere.json", &b]).code, Some(1));
}

#[test]
fn one_recording_under_two_names_is_noticed() {
    let place = Place::new();
    let a = launches(&place, "a", 2, &[1000; 3]);
    let is_one = |b: &str| {
        let report = json(&place.succeed(&["compare", &a, b, "--format", "json"]));
        report["notes"].to_string().contains("A and B are one recording")
    };
    std::fs::create_dir(place.path("copies")).unwrap();
    for launch in 0..3 {
        let name = format!("a_{launch}.json");
        std::fs::copy(place.path(&name), place.path(&format!("copies/x_{launch}.json"))).unwrap();
        let link = place.path(&format!("l_{launch}.json"));
        std::os::unix::fs::symlink(place.path(&name), link).unwrap();
    }
    let absolute = |file: &str| place.path(file).display().to_string();
    assert!(is_one(&a), "the same path");
    assert!(is_one(&["a_0.json", "a_1.json", "a_2.json"].map(absolute).join(",")), "another path");
    assert!(is_one("copies/x_0.json,copies/x_1.json,copies/x_2.json"), "copies");
    assert!(is_one("l_0.json,l_1.json,l_2.json"), "links");
    assert!(!is_one(&launches(&place, "b", 2, &[1001; 3])));
    let shared = place.succeed(&["compare", &a, "a_2.json"]);
    assert!(shared.contains("1 launch is in both A and B"), "{shared}");
    // Averages have no iterations that would tell.
    let profile = fixture_file("tensorrt/8.6/profile.json").display().to_string();
    assert!(place.succeed(&["compare", &profile, &profile]).contains("A and B are one recording"));
}

#[test]
fn an_inconclusive_verdict_beside_an_interval_without_1_says_why() {
    let place = Place::new();
    let a = launches(&place, "a", 1, &[1004, 1100, 1000, 1012, 1008]);
    let b = launches(&place, "b", 1, &[1080, 1140, 1060, 1130, 1070]);
    let strict = ["compare", &a, &b, "--alpha", "0.01"];
    let table = place.succeed(&strict);
    assert!(table.starts_with("Inconclusive"), "{table}");
    let why = "t test at n = 5: p = 0.021";
    assert!(table.lines().next().unwrap().contains(why), "{table}");
    let report = json(&place.succeed(&[&strict[..], &["--format", "json"]].concat()));
    let whole = &rows(&report, "inference")[0];
    assert!(whole["ratio_low"].as_f64().unwrap() > 1.0, "{whole}");
    assert_eq!((&whole["verdict"], &whole["reason"]), (&"inconclusive".into(), &why.into()));
    // Where the interval holds 1, it is reason enough.
    let c = launches(&place, "c", 1, &[1000, 900, 1000, 1100, 1000]);
    let report = json(&place.succeed(&["compare", &a, &c, "--format", "json"]));
    let whole = &rows(&report, "inference")[0];
    assert_eq!((&whole["verdict"], &whole["reason"]), (&"inconclusive".into(), &Value::Null));
}

/// Two iterations of A take 18 ms longer in each operator: they are in no mean, and what they are
/// with them stands beside it.
#[test]
fn iterations_that_took_far_longer_are_in_no_mean_and_in_no_cause() {
    let place = Place::new();
    let slow = |iteration: usize| if [20, 31].contains(&iteration) { 18_000 } else { 0 };
    trace(&place, "a.json", 3, |iteration, node| 1000 + (iteration + node) % 5 + slow(iteration));
    trace(&place, "b.json", 3, |iteration, node| 1000 + (iteration * 3 + node) % 5);
    let table = place.succeed(&["compare", "a.json", "b.json", "--view", "inference,causes"]);
    let note = "note: A: 4 profiled iterations are in no mean, of 40: those that took far longer than \
                the others of their launch, and as many of the fastest; with them, it is ";
    let (_, with) = table.split_once(note).unwrap_or_else(|| panic!("{table}"));
    let times: Vec<f64> = with.split(' ').filter_map(|word| word.parse().ok()).take(2).collect();
    assert!((times[0] - times[1] - 2.7).abs() < 0.01, "{with}");
    let report = json(&place.succeed(&["compare", "a.json", "b.json", "--format", "json"]));
    let left_out = rows(&report, "inference").iter();
    let left_out: Vec<&Value> =
        left_out.filter(|row| row["figure"] == "iterations_left_out").collect();
    assert_eq!((&left_out[0]["a"], &left_out[0]["b"]), (&4.0.into(), &0.0.into()));
    for cause in rows(&report, "causes") {
        assert!(cause["difference_ms"].as_f64().unwrap().abs() < 0.005, "{cause}");
    }
    // A summary says the same.
    let summary = json(&place.succeed(&["summary", "a.json", "--format", "json"]));
    assert_eq!(summary["model"]["iterations_left_out"], 4);
    let compared = rows(&report, "compared_types")[0]["a_ms"].as_f64().unwrap();
    let summarized = rows(&summary, "operator_types")[0]["time_ms"].as_f64().unwrap();
    assert!((compared - summarized).abs() < 1e-12, "{compared} {summarized}");
}

/// Two iterations of A take a fifth longer: no layer shows that, and no cause does.
#[test]
fn a_cause_is_what_its_layers_are() {
    let place = Place::new();
    let slow = |iteration: usize| if [20, 31].contains(&iteration) { 200 } else { 0 };
    trace(&place, "a.json", 3, |iteration, node| 1000 + (iteration + node) % 5 + slow(iteration));
    trace(&place, "b.json", 3, |iteration, node| 1000 + (iteration * 3 + node) % 5);
    let listed = place.succeed(&["compare", "a.json", "b.json"]);
    assert!(listed.contains("\nCauses are not listed: "), "{listed}");
    assert!(!listed.contains("Where the difference comes from"), "{listed}");
    let report = json(&place.succeed(&["compare", "a.json", "b.json", "--format", "json"]));
    let difference = |row: &Value| row["difference_ms"].as_f64().unwrap();
    let layers: Vec<f64> = rows(&report, "layers").iter().map(difference).collect();
    assert!(layers.iter().all(|layer| layer.abs() < 0.015), "{layers:?}");
    let causes = rows(&report, "causes");
    let product = causes.iter().find(|cause| cause["cause"] == "MatMul").unwrap();
    assert!((difference(product) - layers.iter().sum::<f64>()).abs() < 1e-12, "{product}");
    let whole = rows(&report, "inference")[0]["difference"].as_f64().unwrap();
    let sum: f64 = causes.iter().map(difference).sum();
    assert!((sum - whole).abs() < 1e-12, "{sum}, {whole}");
}

#[test]
fn the_latency_of_tensorrt_is_tested_and_its_layers_are_not() {
    let place = Place::new();
    let engine = |version: &str| {
        let files = ["times", "profile", "layers"].map(|name| {
            fixture_file(&format!("tensorrt/{version}/{name}.json")).display().to_string()
        });
        files.join(",")
    };
    let (a, b) = (engine("8.6"), engine("10.0"));
    let table = place.succeed(&["compare", &a, &b]);
    assert!(!table.contains("averages only; no test"), "{table}");
    assert!(table.contains("Layers, mean times"), "{table}");
    let report = json(&place.succeed(&["compare", &a, &b, "--format", "json"]));
    assert!(rows(&report, "inference")[0]["p"].is_number());
    assert!(rows(&report, "layers").iter().all(|layer| layer["verdict"] == "not tested"));
    for side in rows(&report, "conservation") {
        assert!(side["overhead_ms"].is_null() && side["concurrent_ms"].is_null(), "{side}");
        let number = |key: &str| side[key].as_f64().unwrap();
        let parts = number("aligned_ms") + number("only_ms") - number("timed_apart_ms");
        assert!((parts - number("whole_ms")).abs() < 1e-9, "{side}");
    }
    let causes: Vec<&str> =
        rows(&report, "causes").iter().map(|cause| cause["cause"].as_str().unwrap()).collect();
    assert!(
        causes.contains(&"latency less layers (timed one by one, in another run)"),
        "{causes:?}"
    );
    assert!(
        !causes.contains(&"framework overhead") && !causes.contains(&"side by side"),
        "{causes:?}"
    );
    let notes = report["notes"].to_string();
    assert!(notes.contains("the latency is tested, layers are not"), "{notes}");
}
