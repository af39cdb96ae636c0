//! Chrome traces of no producer in particular.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod executions;

use executions::{agrees_with, fixture, losses, read, read_bytes, summary};
use onnxray_import::formats::chrome_trace::IMPORTER;
use onnxray_import::{Launch, NO_ITERATION, Options, Source, detect};

const FIXTURES: [&str; 4] = [
    "chrome-trace/array/open.json",
    "chrome-trace/array/compact.json",
    "chrome-trace/object/iterations.json",
    "chrome-trace/object/steps.json",
];

#[test]
fn a_plain_reader_agrees() {
    agrees_with("chrome-trace.py", &IMPORTER, &FIXTURES);
}

fn of(name: &str) -> Launch {
    let (format, launch) = read(&fixture(name));
    assert_eq!(format, IMPORTER.format);
    launch
}

fn notes(launch: &Launch) -> Vec<&str> {
    launch.warnings.iter().chain(&launch.ignored).map(|warning| warning.message.as_str()).collect()
}

fn own_time(launch: &Launch, operator: &str) -> (u64, i64) {
    let figures = &summary(launch)["operators"][operator];
    (figures["executions"].as_u64().unwrap(), figures["exclusive_ns"].as_i64().unwrap())
}

#[test]
fn begins_and_ends_become_executions() {
    let launch = of("chrome-trace/array/open.json");
    assert_eq!(launch.run.engine, "");
    let names: Vec<(&str, &str)> =
        launch.operators.iter().map(|o| (o.name.as_str(), o.operator_type.as_str())).collect();
    assert_eq!(
        names,
        [("frame", "work"), ("layout", "work"), ("decode", "work"), ("paint", "work")]
    );
    assert_eq!(own_time(&launch, "frame"), (5, 5 * 29_875));
    assert_eq!(own_time(&launch, "paint"), (5, 5 * 40_125));
    let threads = launch.events.threads.iter().map(|t| (t.process.as_str(), t.thread.as_str()));
    assert_eq!(threads.collect::<Vec<_>>(), [("app", "main"), ("app", "worker")]);
    // A missing bracket is not damage.
    assert_eq!(
        notes(&launch),
        ["2 events begin or end only, and are left out", "ignored 5 counters, 1 metadata events",]
    );
}

#[test]
fn texts_that_look_like_json() {
    let launch = of("chrome-trace/array/compact.json");
    assert!(launch.warnings.is_empty());
    assert_eq!((launch.events.len(), launch.operators.len()), (40, 13));
    // Of three categories the one in front has the name: here that of none.
    let named = |name: &str| launch.operators.iter().find(|o| o.name == name).unwrap();
    assert_eq!(named("he said \"},\n{\"").operator_type, "he said \"},\n{\"");
    assert_eq!(named("he said \"},\n{\" (io)").operator_type, "io");
    assert_eq!(named("überlang 😀 (net)").operator_type, "net");
    let bytes = std::fs::read(fixture("chrome-trace/array/compact.json")).unwrap();
    let small = read_bytes(&IMPORTER, &bytes).unwrap();
    assert_eq!(summary(&small), summary(&launch));
}

#[test]
fn iterations_have_a_category_of_their_own() {
    let launch = of("chrome-trace/object/iterations.json");
    let iterations: Vec<(u32, u64, u64)> =
        launch.iterations.iter().map(|i| (i.index, i.start.0, i.duration.0)).collect();
    assert_eq!(iterations, [(0, 0, 900_000), (1, 1_000_000, 900_000), (2, 2_000_000, 900_000)]);
    assert_eq!(launch.events.len(), 13);
    assert_eq!(own_time(&launch, "fc"), (3, 301_500));
    let mut of = [0; 3];
    let mut outside = 0;
    for (_, iteration, ..) in executions::executions(&launch) {
        match iteration {
            NO_ITERATION => outside += 1,
            iteration => of[iteration as usize] += 1,
        }
    }
    assert_eq!((of, outside), ([4, 4, 4], 1));
}

#[test]
fn steps_among_other_work_are_work() {
    let launch = of("chrome-trace/object/steps.json");
    assert!(launch.iterations.is_empty());
    assert_eq!(own_time(&launch, "step 1"), (1, 50_000));
    assert_eq!(own_time(&launch, "forward (train)"), (4, 120_000));
    // A time may be a text.
    assert_eq!(own_time(&launch, "forward"), (1, 12_500));
    // What has no usable time leaves nothing behind, not even its name.
    assert!(launch.operators.iter().all(|operator| operator.name != "broken"));
    assert_eq!(losses(&launch).len(), 1);
}

/// Name, start and duration of each execution of some events, in microseconds.
fn executions_of(events: &str) -> (Vec<(String, u64, u64)>, Vec<String>) {
    let launch = read_bytes(&IMPORTER, format!("[{events}]").as_bytes()).unwrap();
    let mut found = Vec::new();
    for (operator, _, _, start, duration) in executions::executions(&launch) {
        let name = launch.operators[operator as usize].name.clone();
        found.push((name, start / 1000, duration / 1000));
    }
    found.sort();
    (
        found,
        launch
            .warnings
            .iter()
            .chain(&launch.ignored)
            .map(|warning| warning.message.clone())
            .collect(),
    )
}

#[test]
fn ends_are_those_of_begins_of_their_names() {
    // Phase, name, thread and time of each edge.
    let check = |edges: &[(&str, &str, u32, u32)], expected: &[(&str, u64, u64)], warning: &str| {
        let events: Vec<String> = edges
            .iter()
            .map(|(phase, name, thread, time)| {
                let name = match *name {
                    "" => String::new(),
                    name => format!(r#""name":"{name}","#),
                };
                format!(r#"{{{name}"ph":"{phase}","pid":1,"tid":{thread},"ts":{time}}}"#)
            })
            .collect();
        let (found, warnings) = executions_of(&events.join(","));
        let expected: Vec<_> =
            expected.iter().map(|&(name, start, time)| (name.to_string(), start, time)).collect();
        assert_eq!(found, expected, "{edges:?}");
        assert_eq!(warnings.first().map_or("", |first| first), warning, "{edges:?}");
    };
    let swapped =
        [("B", "load", 1, 0), ("B", "run", 1, 10), ("E", "load", 1, 20), ("E", "run", 1, 50)];
    check(&swapped, &[("load", 0, 20), ("run", 10, 40)], "");
    let lost = [
        ("B", "A", 1, 0),
        ("B", "B", 1, 10),
        ("B", "LOST", 1, 20),
        ("E", "B", 1, 30),
        ("E", "A", 1, 40),
    ];
    check(&lost, &[("A", 0, 40), ("B", 10, 20)], "1 event begins or ends only, and is left out");
    // Nested ones of one name, and those of other threads.
    let nested = [
        ("B", "A", 1, 0),
        ("B", "A", 1, 10),
        ("B", "A", 2, 15),
        ("E", "A", 1, 20),
        ("E", "A", 2, 22),
        ("E", "A", 1, 30),
    ];
    check(&nested, &[("A", 0, 30), ("A", 10, 10), ("A", 15, 7)], "");
    // Either end has the name.
    let late = [("B", "", 1, 0), ("E", "A", 1, 20), ("B", "C", 1, 30), ("E", "", 1, 35)];
    check(&late, &[("A", 0, 20), ("C", 30, 5)], "");
    let end_only = [("E", "A", 1, 5), ("B", "A", 1, 10), ("E", "A", 1, 20), ("E", "B", 1, 30)];
    check(&end_only, &[("A", 0, 10)], "2 events begin or end only, and are left out");
}

#[test]
fn an_event_without_a_thread_lies_on_that_of_its_process() {
    let (found, _) = executions_of(
        r#"{"name":"outer","ph":"X","pid":7,"ts":0,"dur":100},
           {"name":"inner","ph":"X","pid":7,"tid":7,"ts":10,"dur":20},
           {"name":"B","ph":"B","pid":7,"tid":7,"ts":40},{"name":"B","ph":"E","pid":7,"ts":60}"#,
    );
    assert_eq!(found.iter().map(|execution| execution.2).collect::<Vec<_>>(), [20, 20, 100]);
    let text = r#"[{"name":"outer","ph":"X","pid":7,"ts":0,"dur":100},
        {"name":"inner","ph":"X","pid":7,"tid":7,"ts":10,"dur":20},
        {"name":"thread_name","ph":"M","pid":7,"args":{"name":"main"}}]"#;
    let launch = read_bytes(&IMPORTER, text.as_bytes()).unwrap();
    assert_eq!(own_time(&launch, "outer"), (1, 80_000));
    assert_eq!(launch.events.threads.len(), 1);
    assert_eq!(launch.events.threads[0].thread_name, "main");
}

#[test]
fn an_empty_object_behind_the_events_is_no_loss() {
    for end in ["{}", "{ }", "{\n}\n", "{},{}"] {
        let (found, warnings) =
            executions_of(&format!(r#"{{"name":"a","ph":"X","ts":0,"dur":1}},{end}"#));
        assert_eq!((found.len(), warnings.len()), (1, 0), "{end}");
    }
    let (_, warnings) = executions_of(r#"{"name":"a","ph":"X","ts":0,"dur":1},{"name":"b"}"#);
    assert_eq!(warnings.len(), 1);
}

#[test]
fn an_execution_whose_phase_is_damaged_is_not_lost_in_silence() {
    let with =
        |other: &str| executions_of(&format!(r#"{{"name":"a","ph":"X","ts":0,"dur":1}},{other}"#));
    for phase in ["s", "i", "C", "b"] {
        let (found, warnings) = with(&format!(r#"{{"name":"b","ph":"{phase}","ts":2,"dur":3}}"#));
        assert_eq!((found.len(), warnings.len()), (1, 1), "{phase}: {warnings:?}");
        for lasts in [r#","dur":0"#, ""] {
            let (_, warnings) = with(&format!(r#"{{"name":"b","ph":"{phase}","ts":2{lasts}}}"#));
            assert!(warnings[0].starts_with("ignored 1 "), "{warnings:?}");
        }
    }
}

#[test]
fn iterations_are_called_as_is_said() {
    let text = r#"[{"name":"frame 1","cat":"app","ph":"X","pid":1,"tid":1,"ts":0,"dur":100},
        {"name":"work","cat":"app","ph":"X","pid":1,"tid":1,"ts":10,"dur":50},
        {"name":"frame 2","cat":"app","ph":"X","pid":1,"tid":1,"ts":200,"dur":90},
        {"name":"step 3","cat":"other","ph":"X","pid":1,"tid":1,"ts":210,"dur":10}]"#;
    let read = |marks: Option<&str>| {
        let source = Source::from_bytes("x", text.as_bytes().to_vec()).unwrap();
        let options = Options {
            iteration_marks: marks.map(onnxray_import::MarkPattern::new),
            ..Options::default()
        };
        let launch = IMPORTER.read(vec![source], &options).unwrap().remove(0);
        (launch.iterations.len(), launch.events.len())
    };
    assert_eq!(read(Some("frame *")), (2, 2));
    assert_eq!(read(Some("work")), (1, 3));
    assert_eq!(read(Some("nothing")), (0, 4));
    assert_eq!(read(None), (1, 3));
}

#[test]
fn what_has_no_events_is_refused() {
    for text in ["[]", "{}", "[1,2]", "{\"traceEvents\":[]}", "{\"ph\":1}", "ph", "[{\"ph\":1}]"] {
        let mut source = Source::from_bytes("x", text.as_bytes().to_vec()).unwrap();
        assert!(detect(&mut source).is_err(), "{text}");
    }
    for text in ["[{\"ph\" : \"X\"", " {\"a\":1,\"traceEvents\": [{\"ph\":\"M\"}]}"] {
        let mut source = Source::from_bytes("x", text.as_bytes().to_vec()).unwrap();
        assert_eq!(detect(&mut source).unwrap().format, IMPORTER.format, "{text}");
    }
}

#[test]
fn cut_or_damaged_anywhere() {
    for name in FIXTURES {
        let bytes = std::fs::read(fixture(name)).unwrap();
        let whole = read_bytes(&IMPORTER, &bytes).unwrap().events.len();
        for cut in 0..bytes.len() {
            let read = read_bytes(&IMPORTER, &bytes[..cut]);
            // Begins without their ends are work only if nothing else is.
            assert!(read.is_none_or(|launch| launch.events.len() <= whole + 1), "{name} {cut}");
        }
        executions::damage(&bytes, |damaged| {
            read_bytes(&IMPORTER, damaged);
        });
    }
}
