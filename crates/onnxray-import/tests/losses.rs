//! Nothing is lost in silence: what damage costs is counted and named, it costs nothing
//! beside, and what costs nothing is not a loss.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use flate2::write::GzEncoder;
use onnxray_import::{ImportError, Launch, Reading, Source, detect, import};
use std::io::Write;
use std::path::Path;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)).unwrap()
}

fn text(name: &str) -> String {
    String::from_utf8(fixture(name)).unwrap()
}

/// Reads a file with this content as the program does.
fn read_all(bytes: impl AsRef<[u8]>, strict: bool) -> Result<Launch, ImportError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, bytes).unwrap();
    import(&[file], &Reading { strict, ..Reading::default() })
        .map(|mut launches| launches.remove(0))
}

/// The launch, and its losses without the file's name; `--strict` fails exactly if there are
/// some.
fn read(bytes: impl AsRef<[u8]>) -> (Launch, Vec<String>) {
    let launch = read_all(&bytes, false).unwrap();
    let losses = launch.warnings.iter().filter(|warning| warning.loss);
    let losses: Vec<String> = losses
        .map(|warning| match warning.position {
            Some(position) => format!("{position}: {}", warning.message),
            None => warning.message.clone(),
        })
        .collect();
    assert_eq!(read_all(&bytes, true).is_err(), !losses.is_empty(), "{losses:?}");
    (launch, losses)
}

#[track_caller]
fn check(bytes: impl AsRef<[u8]>, expected: &[&str]) -> Launch {
    let (launch, losses) = read(bytes);
    assert_eq!(losses, expected);
    launch
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

// ---- Compression and encoding ----

#[test]
fn damaged_compression_is_said_wherever_it_is() {
    // In and behind the part that is looked at to tell the format.
    for events in [20, 5_000] {
        let event = r#"{"ph":"X","ts":1,"dur":2,"name":"a","pid":1,"tid":1}"#;
        let trace = format!("[{}]", vec![event; events].join(",\n"));
        let whole = gzip(trace.as_bytes());
        assert_eq!(read(&whole).0.events.len(), events);
        let mut checksum = whole.clone();
        let place = whole.len() - 8;
        checksum[place] ^= 1;
        let garbage = [whole.as_slice(), b"garbage"].concat();
        let cut = &whole[..whole.len() - 1];
        for damaged in [checksum.as_slice(), &garbage, cut] {
            let (launch, losses) = read(damaged);
            assert_eq!(losses.len(), 1, "{losses:?}");
            assert!(losses[0].contains("the input ends early"), "{losses:?}");
            assert_eq!(launch.events.len(), events);
        }
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(trace.as_bytes()).unwrap();
        let whole = encoder.finish().unwrap();
        let mut checksum = whole.clone();
        *checksum.last_mut().unwrap() ^= 1;
        let garbage = [whole.as_slice(), b"garbage"].concat();
        for damaged in [checksum.as_slice(), &garbage, &whole[..whole.len() - 1]] {
            let (_, losses) = read(damaged);
            assert!(losses[0].contains("the input ends early"), "{losses:?}");
        }
    }
}

#[test]
fn parallel_compressors_and_other_encodings_are_read() {
    let trace = text("onnxruntime/1.22.1/chain.json");
    let (plain, _) = read(&trace);
    let frame = zstd::encode_all(trace.as_bytes(), 1).unwrap();
    let skipped = [b"\x5d\x2a\x4d\x18\x04\0\0\0size".as_slice(), &frame].concat();
    let utf16 = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(0xfeff).chain(trace.encode_utf16()).flat_map(unit).collect()
    };
    let (little, big) = (utf16(u16::to_le_bytes), utf16(u16::to_be_bytes));
    for bytes in [skipped, gzip(&little), little, big] {
        let launch = check(&bytes, &[]);
        assert_eq!(format!("{:?}", launch.events), format!("{:?}", plain.events));
    }
}

// ---- Our own recordings ----

#[test]
fn a_bad_entry_of_a_table_costs_itself() {
    let averages: Vec<String> = (0..3)
        .map(|number| {
            format!("{{\"operator\":{number},\"mean_ns\":{number}.5,\"executions\":1.0}}")
        })
        .collect();
    let averages = format!("\"averages\":[{}],\"completed\":", averages.join(","));
    let recording = text("onnxray/0.1.0/converted.json").replacen("\"completed\":", &averages, 1);
    let (whole, _) = read(&recording);
    assert_eq!(whole.averages.len(), 3);
    let bad = recording.replacen("\"mean_ns\":0.5", "\"mean_ns\":\"x\"", 1);
    let (launch, losses) = read(&bad);
    assert_eq!(losses.len(), 1, "{losses:?}");
    assert!(losses[0].contains("1 average could not be understood"), "{losses:?}");
    assert_eq!(launch.averages[..], whole.averages[1..]);
    // Of which operator it is, it must say: it is not that of another.
    let bad = recording.replacen("\"averages\":[{", "\"averages\":[{\"operator\":-1,\"was\":", 1);
    let bad = bad.replacen("\"was\":\"operator\":", "\"was\":", 1);
    let (launch, losses) = read(&bad);
    assert_eq!(launch.averages[..], whole.averages[1..]);
    assert!(losses[0].contains("1 average could not be understood"), "{losses:?}");
}

#[test]
fn bad_facts_cost_themselves() {
    let recording = text("onnxray/0.1.0/scan.json");
    let (whole, _) = read(&recording);
    let bad = recording.replacen("\"flops\":16384", "\"flops\":\"many\"", 1);
    let (launch, losses) = read(&bad);
    assert!(losses[0].contains("1 operator has a member"), "{losses:?}");
    assert!(losses[0].contains("the first: \"facts of"), "{losses:?}");
    // No execution is lost, and no name.
    assert_eq!(format!("{:?}", launch.events), format!("{:?}", whole.events));
    let changed: Vec<usize> = (0..whole.operators.len())
        .filter(|&number| whole.operators[number] != launch.operators[number])
        .collect();
    assert_eq!(changed.len(), 1);
    let (before, after) = (&whole.operators[changed[0]], &launch.operators[changed[0]]);
    assert_eq!((after.number, &after.name), (before.number, &before.name));
    assert_eq!((&after.operator_type, after.flops), (&before.operator_type, None));
}

#[test]
fn bad_conditions_cost_themselves() {
    let conditions = r#"{"pinned":[1],"cores":[1],"smt":true,"turbo":null,"governor":"performance",
        "limit":{"cores":1.5,"throttled_periods":3},
        "slices":{"start":5,"ends":[10,20],"others_ms":[90,0],"steal_ms":null,"frequency_khz":[1,2]},
        "minor_faults":{"iterations":[0,2],"counts":[7,1]},"waits_us":{"iterations":[],"counts":[]}}"#;
    let with = |conditions: &str| {
        let member = format!("\"conditions\":{conditions},\"completed\":");
        text("onnxray/0.1.0/scan.json").replacen("\"completed\":", &member, 1)
    };
    let whole = check(with(conditions), &[]).conditions.unwrap();
    assert_eq!(
        (whole.pinned.as_deref(), whole.smt, whole.turbo),
        (Some(&[1][..]), Some(true), None)
    );
    assert_eq!(whole.limit.as_ref().unwrap().cores, Some(1.5));
    assert_eq!(whole.minor_faults.as_ref().unwrap().of(2), 1);
    assert_eq!(whole.involuntary_switches, None, "a member that is missing is unknown");

    for (good, bad, lost) in [
        ("\"smt\":true", "\"smt\":1", "smt"),
        ("\"cores\":[1],", "\"cores\":[-1],", "cores"),
        ("[10,20]", "[20,10]", "slices"),
        ("[10,20]", "[10,20,30]", "slices"),
        ("[90,0]", "[90]", "slices"),
        ("[90,0]", "[90,\"x\"]", "slices"),
        ("[0,2]", "[2,0]", "minor_faults"),
        ("[0,2]", "[0]", "minor_faults"),
        ("1.5", "-1.5", "limit"),
    ] {
        let (launch, losses) = read(with(&conditions.replacen(good, bad, 1)));
        assert_eq!(losses.len(), 1, "{bad}: {losses:?}");
        assert!(losses[0].ends_with(&format!("the first: {lost:?}")), "{losses:?}");
        let mut expected = whole.clone();
        match lost {
            "smt" => expected.smt = None,
            "cores" => expected.cores = None,
            "slices" => expected.slices = None,
            "minor_faults" => expected.minor_faults = None,
            _ => expected.limit = None,
        }
        assert_eq!(launch.conditions.unwrap(), expected, "{bad}");
    }
    // What is not an object says nothing, and null is unknown.
    let (launch, losses) = read(with("[1]"));
    assert_eq!((launch.conditions, losses.len()), (None, 1));
    assert_eq!(check(with("null"), &[]).conditions, None);
    assert_eq!(check(text("onnxray/0.1.0/scan.json"), &[]).conditions, None);
}

#[test]
fn other_members_than_a_recordings_are_named() {
    let recording = text("onnxray/0.1.0/converted.json");
    let bad = recording.replacen("\"completed\":", "\"averagez\":[],\"completed\":", 1);
    let (_, losses) = read(&bad);
    assert!(losses[0].contains("\"averagez\" is not part of a recording"), "{losses:?}");
    let bad = text("onnxray/0.1.0/scan.json").replacen("\"threads\":1", "\"threads\":\"1\"", 1);
    let (_, losses) = read(&bad);
    assert!(losses[0].ends_with("the first: \"threads\""), "{losses:?}");
}

#[test]
fn events_of_operators_that_do_not_exist_are_said() {
    let recording = text("onnxray/0.1.0/scan.json");
    let (whole, _) = read(&recording);
    // A number of none, and that of another.
    for number in ["77", "3"] {
        let place = recording.find("\"op\":9}").unwrap();
        let bad = recording.replacen("\"op\":9}", &format!("\"op\":{number}}}"), 1);
        let start = bad[..place].rfind('\n').unwrap() + 1;
        let line = bad[..start].matches('\n').count() + 1;
        let (launch, losses) = read(&bad);
        assert_eq!(launch.operators, whole.operators);
        assert_eq!(launch.events.len(), whole.events.len() - 1);
        let expected = format!(
            "line {line}, byte {start}: 1 event could not be understood and is left out; the \
             first: \"/head/MatMul\" is not operator {number} (`op`)"
        );
        assert!(losses.contains(&expected), "{losses:?}");
    }
    // Its first event told another number.
    let bad = recording.replacen("\"args\":{\"op\":9,", "\"args\":{\"op\":3,", 1);
    let (_, losses) = read(&bad);
    assert!(losses.iter().any(|loss| loss.contains("is not operator 3")), "{losses:?}");
}

#[test]
fn operators_that_no_event_describes_are_said() {
    let recording = text("onnxray/0.1.0/scan.json");
    let (whole, _) = read(&recording);
    let number = whole.operators.iter().position(|o| o.name == "/head/MatMul").unwrap();
    let facts = recording.find("\"facts\":{\"bytes\":").unwrap();
    let place = recording[..facts].rfind('\n').unwrap() + 1;
    assert!(recording[place..].starts_with("{\"name\":\"/cell/input/MatMul\","));
    let lost = recording.replacen(
        recording[place..].lines().next().unwrap(),
        "{\"ph\":\"X\",\"ts\":1},",
        1,
    );
    let (launch, losses) = read(&lost);
    assert_eq!(launch.operators[number], whole.operators[number]);
    assert_eq!(launch.operators[1].name, "/cell/input/MatMul");
    assert_eq!(launch.operators[1].flops, None);
    let said = losses.iter().any(|loss| {
        loss.contains("1 operator has a member that could not be understood")
            && loss.contains("what operator 1 is")
    });
    assert!(said, "{losses:?}");
}

#[test]
fn members_that_no_recording_has_are_said() {
    let recording = text("onnxray/0.1.0/scan.json");
    for (good, bad, said) in [
        ("\"facts\":", "\"fscts\":", "an argument (`args`) that its producer does not write"),
        ("\"warmup\":true", "\"varmup\":true", "an argument (`args`)"),
        ("\"flops\":16384", "\"flips\":16384", "the first: \"flips of"),
        ("\"shape\":[2,1,64]", "\"shade\":[2,1,64]", "the first: \"inputs.0.shade of"),
        ("\"threads\":1", "\"breads\":1", "the first: \"breads\""),
        ("\"completed\":{", "\"completed\":{\"plain-iterations\":1,", "the closing mark cannot be"),
    ] {
        assert!(recording.contains(good), "{good}");
        let (_, losses) = read(recording.replacen(good, bad, 1));
        assert!(losses.iter().any(|loss| loss.contains(said)), "{bad}: {losses:?}");
    }
}

#[test]
fn iterations_are_what_their_names_say() {
    let recording = text("onnxray/0.1.0/scan.json");
    let (whole, _) = read(&recording);
    for (name, index) in [("Iteration1", 1), ("PlainIteration0", 0)] {
        let start = recording.find(&format!("{{\"name\":\"{name}\"")).unwrap();
        let line = recording[start..].lines().next().unwrap();
        let bad = recording.replacen(
            line,
            &line.replace(&format!("\"iteration\":{index}"), "\"iteration\":7"),
            1,
        );
        let (launch, losses) = read(&bad);
        assert_eq!(launch.iterations.len(), whole.iterations.len() - 1);
        let said = format!("{name:?} is not iteration 7");
        assert!(losses.iter().any(|loss| loss.contains(&said)), "{losses:?}");
    }
}

#[test]
fn averages_are_of_the_operator_that_they_name() {
    let averages = "\"averages\":[{\"operator\":1,\"mean_ns\":5.5}],\"completed\":";
    let recording = text("onnxray/0.1.0/converted.json").replacen("\"completed\":", averages, 1);
    assert_eq!(check(&recording, &[]).averages.len(), 1);
    let (launch, losses) = read(recording.replacen("\"operator\":1", "\"operators\":1", 1));
    assert!(launch.averages.is_empty());
    assert!(losses[0].contains("1 average could not be understood"), "{losses:?}");
}

#[test]
fn a_second_average_and_a_thread_without_a_name_are_said() {
    let averages =
        "\"averages\":[{\"operator\":1,\"mean_ns\":5.5},{\"operator\":1}],\"completed\":";
    let recording = text("onnxray/0.1.0/converted.json");
    let (launch, losses) = read(recording.replacen("\"completed\":", averages, 1));
    assert_eq!(launch.averages[0].mean_ns, Some(5.5));
    assert!(losses[0].ends_with("the first: \"a second one of operator 1\""), "{losses:?}");
    let threads = "\"threads\":[{\"pid\":1,\"tid\":99}],\"completed\":";
    let (_, losses) = read(recording.replacen("\"completed\":", threads, 1));
    let said = losses[0].contains("could not be understood and");
    assert!(said && losses[0].contains("the first: \"thread "), "{losses:?}");
}

#[test]
fn a_number_that_is_taken_and_a_parent_that_is_missing_are_said() {
    let recording = text("onnxray/0.1.0/scan.json");
    let idle = r#""idleOperators":[{"number":1,"name":"idle","type":"Add"}]"#;
    let (_, losses) = read(recording.replacen("\"idleOperators\":[]", idle, 1));
    let said = "the number of \\\"idle\\\", which is that of";
    assert!(losses.iter().any(|loss| loss.contains(said)), "{losses:?}");
    let (launch, losses) = read(recording.replacen("\"parent\":2", "\"parent\":97", 1));
    assert!(losses[0].contains("operator 97, the parent of"), "{losses:?}");
    assert!(launch.operators.iter().any(|operator| operator.parent == Some(2)));
}

// ---- Events and rows ----

#[test]
fn events_of_unknown_categories_are_counted() {
    let bad = text("onnxruntime/1.22.1/chain.json").replacen("\"Node\"", "\"Nude\"", 2);
    let (_, losses) = read(bad);
    assert!(losses[0].contains("2 events are of kinds that are not known"), "{losses:?}");
}

#[test]
fn a_second_array_of_events_is_read() {
    let event = |number: u32| {
        format!(r#"{{"ph":"X","ts":{number},"dur":1,"name":"e{number}","pid":1,"tid":1}}"#)
    };
    let array = |from: u32, to: u32| {
        let events: Vec<String> = (from..to).map(event).collect();
        format!("\"traceEvents\":[{}]", events.join(","))
    };
    let trace = format!("{{{},\"a\":1,{},\"b\":2}}", array(0, 10), array(10, 60));
    let launch = check(&trace, &[]);
    assert_eq!(launch.events.len(), 60);
    let said: Vec<String> = launch.warnings.iter().map(ToString::to_string).collect();
    assert!(said[0].contains("1 array of records follows the first one"), "{said:?}");
    // If it is not whole, that is said.
    let (launch, losses) = read(&trace[..trace.len() - 20]);
    assert_eq!(launch.events.len(), 59);
    assert_eq!(losses.len(), 1, "{losses:?}");
}

#[test]
fn a_wrong_bracket_costs_one_layer() {
    let layer = |number: u32, outputs: &str| {
        format!(r#"{{"Name":"l{number}","LayerType":"Conv","Outputs":{outputs},"Alpha":0}}"#)
    };
    let good = r#"[{"Name":"t","Dimensions":[1,2]}]"#;
    for bad in [
        r#"[{"Name":"t","Dimensions":[1,2]}}"#,
        // Cut, and the end of another array behind it.
        r#"[{"Name":"t"}],"Weights":"Format":"f"}]"#,
        r#"[{"Name":"t"},"Bias":{"Count":1}"#,
        // Cut, and the rest of another place behind it.
        r#"[{"Name":"t","Dimensions":[1,2],{"Count":1},"Bias":{"Count":1}"#,
    ] {
        let layers: Vec<String> =
            (0..32).map(|number| layer(number, if number == 3 { bad } else { good })).collect();
        let (launch, losses) = read(format!("{{\"Layers\":[{}]}}", layers.join(",")));
        assert_eq!(launch.operators.len(), 31, "{losses:?}");
        assert!(losses[0].contains("1 layer could not be understood"), "{losses:?}");
    }
}

#[test]
fn damaged_headings_are_said() {
    let log = text("tflite/2.9/plain.csv");
    let said = |log: &str| -> Vec<String> {
        read(log).0.warnings.iter().map(ToString::to_string).collect()
    };
    assert!(said(&log).is_empty());
    for (good, bad) in [
        ("Run Order ===", "Run Odrer ==="),
        ("avg_ms, %, cdf%", "avg_ms, $, cdf%"),
        ("Number of nodes executed: ", "Number of nodes executed: x"),
        ("Timings (microseconds): count=", "Timings (microseconds): cuont="),
    ] {
        let regular = log.find("Operator-wise").unwrap();
        let place = regular + log[regular..].find(good).unwrap();
        let damaged = format!("{}{bad}{}", &log[..place], &log[place + good.len()..]);
        assert!(!said(&damaged).is_empty(), "{bad}");
    }
    let report = text("openvino/2026.4.1/benchmark_average_counters_report.csv");
    let error = read_all(report.replacen("realTime (ms);", "", 1), false).unwrap_err();
    assert!(error.to_string().contains("line 1, byte 0: expected"), "{error}");
    let (_, losses) = read(report.replacen("Status.EXECUTED", "Status.EXECUTER", 1));
    assert!(losses[0].contains("1 layer is of a kind that is not known"), "{losses:?}");
    let graph = text("openvino/2026.4.1/execution_graph.xml");
    assert!(said(&graph).is_empty());
    assert!(!said(&graph.replacen("from-layer=\"15\"", "from-layer=\"&5\"", 1)).is_empty());
    let profile = text("neural-engine/onnxray/profiling.csv");
    let (_, losses) = read(profile.replacen("0.075", "0.0 5", 1));
    assert!(losses[0].ends_with("the first: the latency"), "{losses:?}");
    // A digit became white space.
    let cut = graph.replacen("execTimeMcs=\"10\"", "execTimeMcs=\"1\u{b}\"", 1);
    assert_ne!(cut, graph);
    let (_, losses) = read(cut);
    assert!(losses[0].ends_with("the first: `execTimeMcs` is not a time"), "{losses:?}");
}

#[test]
fn characters_between_events_cost_nothing() {
    for control in ["\u{b}", "\0", "\u{7f}"] {
        let event = r#"{"ph":"X","ts":1,"dur":2,"name":"a","pid":1,"tid":1}"#;
        let trace = format!("[{}]", vec![event; 60].join(&format!(",{control}\n")));
        let launch = check(&trace, &[]);
        assert_eq!(launch.events.len(), 60);
        let said: Vec<String> = launch.warnings.iter().map(ToString::to_string).collect();
        assert!(said[0].contains("59 events were malformed and were repaired"), "{said:?}");
    }
}

#[test]
fn times_that_no_clock_shows_are_refused() {
    let trace = |duration: u64, events: usize| {
        let event = format!(r#"{{"ph":"X","ts":1,"dur":{duration},"name":"a","pid":1,"tid":1}}"#);
        format!("[{}]", vec![event; events].join(","))
    };
    const YEAR: u64 = 365 * 24 * 3_600 * 1_000_000;
    check(trace(YEAR, 100), &[]);
    let (launch, losses) = read(trace(2 * YEAR, 3));
    assert_eq!(launch.events.len(), 0);
    assert!(losses[0].ends_with("a duration of more than a year"), "{losses:?}");
    let error = read_all(trace(YEAR, 1_000), false).unwrap_err().to_string();
    assert!(error.contains("the times add up to 1000 years"), "{error}");
}

#[test]
fn a_source_that_fails_in_its_head_says_so_to_its_reader() {
    let mut bytes = gzip(b"[{\"ph\":\"X\",\"ts\":1,\"dur\":1}]");
    let place = bytes.len() - 8;
    bytes[place] ^= 1;
    let mut source = Source::from_bytes("file", bytes).unwrap();
    detect(&mut source).unwrap();
    let (text, damage) = source.read_whole().unwrap();
    assert_eq!(text, b"[{\"ph\":\"X\",\"ts\":1,\"dur\":1}]");
    assert!(damage.is_some());
}
