//! What is written reads back, whole or cut off anywhere.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_format::{
    Block, DataType, Dimension, FORMAT_VERSION, Iteration, IterationKind, Lane, Nanoseconds,
    Operator, OperatorArguments, Phase, Run, Span, SparseRatio, Step, Tensor, TraceWriter, Weight,
    ZeroBlocks,
};
use onnxray_import::formats::onnxray::IMPORTER;
use onnxray_import::{ImportError, Launch, Options, Source};
use proptest::prelude::*;

/// A launch as a recorder sees it: each iteration with its spans.
#[derive(Clone, Debug)]
struct Recorded {
    run: Run,
    operators: Vec<Operator>,
    iterations: Vec<(Iteration, Vec<Span>)>,
}

fn write(recorded: &Recorded, arguments: OperatorArguments, finish: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = TraceWriter::new(&mut bytes, &recorded.run, &recorded.operators, arguments);
    for (iteration, spans) in &recorded.iterations {
        writer.write_iteration(iteration, spans).unwrap();
    }
    if finish {
        writer.finish().unwrap();
    }
    bytes
}

/// Reads as a recording, in slices so small that events are cut.
fn try_read(bytes: &[u8]) -> Result<Launch, ImportError> {
    let source = Source::from_bytes("trace.json", bytes.to_vec())?;
    let options = Options { slice_bytes: 512, workers: 2, ..Options::default() };
    Ok(IMPORTER.read(vec![source], &options)?.remove(0))
}

fn read(bytes: &[u8]) -> Launch {
    try_read(bytes).unwrap()
}

/// Operator, start and duration of all events.
fn spans(launch: &Launch) -> Vec<Span> {
    let chunks = launch.events.chunks.iter();
    let of_chunk = chunks.flat_map(|chunk| {
        (0..chunk.len()).map(|row| Span {
            operator: chunk.operator[row],
            worker: 0,
            start: Nanoseconds(chunk.start[row]),
            duration: Nanoseconds(chunk.duration[row]),
        })
    });
    of_chunk.collect()
}

/// Names that have broken readers before, and any other text.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a\"b\\c\n\r\t,;=\u{1}</script>'../x:0".to_string()),
        Just("名前 \u{202e}\u{0}".to_string()),
        ".{0,12}",
    ]
}

fn tensor() -> impl Strategy<Value = Tensor> {
    let data_type = prop_oneof![Just(DataType::Fp32), Just(DataType::S8), Just(DataType::Other)];
    (
        name(),
        proptest::option::of(data_type),
        proptest::option::of(prop::collection::vec(0u64..2048, 0..4)),
    )
        .prop_map(|(name, data_type, shape)| Tensor { name, data_type, shape })
}

fn weight() -> impl Strategy<Value = Weight> {
    let magnitudes = prop_oneof![Just(Vec::new()), prop::collection::vec(0.0f32..1e3, 20)];
    let size = (1u64..4096, 1u64..4096);
    (name(), size, 0u32..=1000, magnitudes).prop_map(|(name, size, zeros, mut magnitudes)| {
        let (outputs, inputs) = size;
        magnitudes.sort_by(f32::total_cmp);
        Weight {
            name,
            data_type: DataType::Fp32,
            stored_shape: vec![inputs, outputs],
            outputs,
            inputs,
            sparse_ratios: vec![
                SparseRatio { block: Block::new(4, 1), ratio: Some(f64::from(zeros) / 1000.0) },
                SparseRatio { block: Block::new(4, 16), ratio: None },
            ],
            magnitudes,
        }
    })
}

fn operator(number: u32) -> impl Strategy<Value = Operator> {
    let names = (name(), name(), prop::collection::vec(name(), 0..3));
    let tensors = (prop::collection::vec(tensor(), 1..3), prop::collection::vec(tensor(), 1..2));
    let costs = (proptest::option::of(any::<u64>()), proptest::option::of(any::<u64>()));
    (
        names,
        tensors,
        costs,
        proptest::option::of(weight()),
        prop::collection::btree_map(name(), name(), 0..3),
    )
        .prop_map(
            move |(
                (name, operator_type, nodes),
                (inputs, outputs),
                (flops, bytes),
                weight,
                attributes,
            )| Operator {
                zero_blocks: match number % 3 {
                    0 => None,
                    1 => Some(ZeroBlocks::Skipped(name.clone())),
                    _ => Some(ZeroBlocks::Multiplied(name.clone())),
                },
                number,
                name,
                operator_type,
                post_ops: nodes.clone(),
                node_types: nodes.clone(),
                nodes,
                phase: Phase::ALL.get(number as usize % 3).copied(),
                kernel: Some("OptMatMul".to_string()),
                provider: Some("CPUExecutionProvider".to_string()).filter(|_| number % 2 == 1),
                parent: number.checked_sub(1),
                device: number % 2 == 1,
                block: number % 5 == 4,
                inputs,
                outputs,
                sparse_support: weight.is_some(),
                weight,
                parameters: flops,
                flops,
                bytes,
                executions: bytes,
                allocated_bytes: flops,
                attributes,
            },
        )
}

fn run() -> impl Strategy<Value = Run> {
    (name(), proptest::option::of(1u64..512), any::<u32>()).prop_map(
        |(model, batch_size, process)| Run {
            format_version: FORMAT_VERSION,
            producer: "onnxray test".to_string(),
            profile: "baseline".to_string(),
            dimensions: batch_size
                .map(|size| Dimension { name: model.clone(), size })
                .into_iter()
                .collect(),
            model,
            batch_size,
            clock_resolution: Some(Nanoseconds(25)),
            process,
            ..Run::default()
        },
    )
}

/// Operators one after the other inside their iteration, gaps between all.
fn recorded() -> impl Strategy<Value = Recorded> {
    let operators = (1u32..6).prop_flat_map(|count| (0..count).map(operator).collect::<Vec<_>>());
    (
        run(),
        operators,
        prop::collection::vec(
            (0u8..3, prop::collection::vec((0u64..1 << 40, 0u64..1 << 30), 0..8)),
            0..6,
        ),
    )
        .prop_map(|(run, operators, plan)| {
            let mut clock = 17;
            let mut indices = [0u32; 2];
            let iterations = plan.into_iter().map(|(kind, steps)| {
                let kind =
                    [IterationKind::Measured, IterationKind::WarmUp, IterationKind::Unprofiled]
                        [kind as usize];
                let start = Nanoseconds(clock);
                clock += 3;
                let mut spans = Vec::new();
                let steps = if kind == IterationKind::Unprofiled { Vec::new() } else { steps };
                for (index, (gap, duration)) in steps.into_iter().enumerate() {
                    clock += gap % 1000;
                    spans.push(Span {
                        operator: (index % operators.len()) as u32,
                        worker: 0,
                        start: Nanoseconds(clock),
                        duration: Nanoseconds(duration),
                    });
                    clock += duration;
                }
                clock += 5;
                let index = &mut indices[usize::from(kind == IterationKind::Unprofiled)];
                let iteration = Iteration {
                    index: *index,
                    kind,
                    start,
                    duration: Nanoseconds(clock) - start,
                    step: Phase::ALL.get(*index as usize % 3).map(|&phase| Step {
                        phase,
                        tokens: *index,
                        cached: u32::MAX - *index,
                    }),
                };
                *index += 1;
                clock += 1 << 20;
                (iteration, spans)
            });
            let iterations = iterations.collect();
            Recorded { run, operators, iterations }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_is_written_reads_back(recorded in recorded(), always in any::<bool>()) {
        let arguments = if always { OperatorArguments::Always } else { OperatorArguments::WhenChanged };
        let launch = read(&write(&recorded, arguments, true));
        prop_assert_eq!(&launch.run, &recorded.run);
        prop_assert!(launch.warnings.is_empty(), "{:?}", launch.warnings);
        prop_assert_eq!(&launch.iterations, &recorded.iterations.iter().map(|(i, _)| *i).collect::<Vec<_>>());
        let written: Vec<Span> = recorded.iterations.iter().flat_map(|(_, spans)| spans.clone()).collect();
        prop_assert_eq!(spans(&launch), written);
        for operator in &launch.operators {
            prop_assert_eq!(operator, &recorded.operators[operator.number as usize]);
        }
    }

    #[test]
    fn the_trace_is_json_that_others_read(recorded in recorded()) {
        let bytes = write(&recorded, OperatorArguments::WhenChanged, true);
        let document: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        for event in document["traceEvents"].as_array().unwrap() {
            prop_assert!(event["name"].is_string() && event["pid"].is_u64() && event["tid"].is_u64());
        }
        // Another program may write it back in its own layout.
        let again = read(serde_json::to_string_pretty(&document).unwrap().as_bytes());
        prop_assert_eq!(spans(&again), spans(&read(&bytes)));
    }

    #[test]
    fn a_cut_anywhere_gives_the_prefix(recorded in recorded(), at in any::<prop::sample::Index>()) {
        let bytes = write(&recorded, OperatorArguments::WhenChanged, true);
        let cut = at.index(bytes.len());
        let whole = read(&bytes);
        match try_read(&bytes[..cut]) {
            Ok(launch) => {
                prop_assert!(launch.iterations.len() <= whole.iterations.len());
                prop_assert_eq!(&launch.iterations[..], &whole.iterations[..launch.iterations.len()]);
                let events = spans(&launch);
                prop_assert_eq!(&events[..], &spans(&whole)[..events.len()]);
                // Only white space may be missing from what claims to be whole.
                let nothing_missing = bytes[cut..].iter().all(u8::is_ascii_whitespace);
                prop_assert!(nothing_missing || !launch.warnings.is_empty());
            }
            // Without the metadata at the very front it is not a recording.
            Err(error) => prop_assert!(error.to_string().starts_with("trace.json: "), "{}", error),
        }
    }
}

/// A header whose values would mislead whoever looks for its end by their looks.
fn varied_run() -> Run {
    Run {
        format_version: FORMAT_VERSION,
        producer: "onnxray \\\"1.0\\\" {[".to_string(),
        model: "名前\u{1}\n],\"traceEvents\":[".to_string(),
        dimensions: vec![Dimension { name: "x\\".to_string(), size: 1_234_567 }],
        batch_size: Some(10),
        threads: Some(64),
        cpu: Some("7".to_string()),
        host: Some(String::new()),
        load_time: Some(Nanoseconds(41_256_927)),
        process: 4_194_303,
        iterations_are_sums: true,
        ..Run::default()
    }
}

#[test]
fn a_cut_at_every_byte_gives_the_prefix_or_says_where_the_file_ends() {
    let bytes =
        write(&Recorded { run: varied_run(), ..small() }, OperatorArguments::WhenChanged, true);
    let whole = read(&bytes);
    let header = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    assert_eq!(try_read(b"").unwrap_err().to_string(), "trace.json: the file is empty");
    for cut in 1..header {
        let error = try_read(&bytes[..cut]).unwrap_err().to_string();
        let expected = "expected an array of events, found the end of the file";
        assert_eq!(error, format!("trace.json: line 1, byte {cut}: {expected}"));
    }
    for cut in header..bytes.len() {
        let launch = read(&bytes[..cut]);
        let iterations = &whole.iterations[..launch.iterations.len()];
        assert_eq!(launch.iterations, iterations, "cut at {cut}");
        assert_eq!(spans(&launch), spans(&whole)[..spans(&launch).len()], "cut at {cut}");
        let missing = !bytes[cut..].iter().all(u8::is_ascii_whitespace);
        assert_eq!(!launch.warnings.is_empty(), missing, "cut at {cut}");
    }
}

#[test]
fn every_figure_that_there_is_reads_back() {
    let mut figures: Vec<(&str, i64)> =
        onnxray_import::figure::ALL.iter().map(|figure| figure.key).zip(1..).collect();
    let mut bytes = Vec::new();
    let recorded = small();
    let arguments = OperatorArguments::WhenChanged;
    let mut writer = TraceWriter::new(&mut bytes, &recorded.run, &recorded.operators, arguments);
    for (iteration, spans) in &recorded.iterations {
        for span in spans {
            let lane = Lane { process: 7, thread: 8 };
            writer.write_execution(span, lane, &figures).unwrap();
        }
        writer.write_mark(iteration, Lane { process: 7, thread: 8 }).unwrap();
    }
    writer.finish().unwrap();
    let events = read(&bytes).events;
    let chunk = &events.chunks[0];
    let values = |row: usize| {
        events.figures.iter().zip(&chunk.figures).map(move |(f, column)| (f.key, column.get(row)))
    };
    figures.sort_unstable();
    for row in 0..chunk.len() {
        let mut read: Vec<(&str, i64)> =
            values(row).filter_map(|(key, value)| Some((key, value?))).collect();
        read.sort_unstable();
        assert_eq!(read, figures);
    }
}

fn small() -> Recorded {
    let operator = |number: u32, name: &str| Operator {
        number,
        name: name.to_string(),
        operator_type: "MatMul".to_string(),
        inputs: vec![Tensor {
            name: "x".to_string(),
            data_type: Some(DataType::Fp32),
            shape: Some(vec![2, 3]),
        }],
        ..Operator::default()
    };
    let span = |operator, start| Span {
        operator,
        worker: 0,
        start: Nanoseconds(start),
        duration: Nanoseconds(10),
    };
    let iteration = |index, start| Iteration {
        index,
        kind: IterationKind::Measured,
        start: Nanoseconds(start),
        duration: Nanoseconds(50),
        step: None,
    };
    Recorded {
        run: Run { format_version: FORMAT_VERSION, ..Run::default() },
        operators: vec![operator(0, "a"), operator(1, "b")],
        iterations: vec![
            (iteration(0, 100), vec![span(0, 110), span(1, 130)]),
            (iteration(1, 200), vec![span(0, 210), span(1, 230)]),
        ],
    }
}

#[test]
fn a_bad_event_is_counted_and_the_rest_is_read() {
    let text = String::from_utf8(write(&small(), OperatorArguments::WhenChanged, true)).unwrap();
    let damaged = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        read(text.replacen(from, to, 1).as_bytes())
    };
    let launch = damaged("\"ts\":0.210", "\"ts\":\"soon\"");
    assert_eq!((launch.events.len(), launch.iterations.len()), (3, 2));
    let warning = launch.warnings[0].to_string();
    assert!(warning.starts_with("trace.json: line 8, byte "), "{warning}");
    assert!(warning.ends_with("left out; the first: no usable start (`ts`)"), "{warning}");

    let launch = damaged("\"dur\":0.010", "\"dur\":-1");
    let is_said = launch.warnings.iter().any(|w| w.message.contains("a negative duration"));
    assert!(is_said, "{:?}", launch.warnings);

    // Not even JSON: the reader goes on with the next event.
    let launch = damaged("{\"name\":\"Iteration0\"", "{name:");
    assert_eq!(launch.iterations.len(), 1);
    assert!(launch.warnings.iter().any(|w| w.message.contains("are in no iteration")));
    assert!(launch.warnings.iter().all(|warning| warning.loss));
}

#[test]
fn facts_are_written_once_and_again_when_they_change() {
    let mut recorded = small();
    let mut bytes = Vec::new();
    let mut writer = TraceWriter::new(
        &mut bytes,
        &recorded.run,
        &recorded.operators,
        OperatorArguments::WhenChanged,
    );
    let (first, spans) = recorded.iterations[0].clone();
    writer.write_iteration(&first, &spans).unwrap();
    recorded.operators[1].inputs[0].shape = Some(vec![4, 3]);
    writer.set_operators(&recorded.operators);
    let (second, spans) = recorded.iterations[1].clone();
    writer.write_iteration(&second, &spans).unwrap();
    writer.finish().unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert_eq!(text.matches("\"facts\"").count(), 3);
    let launch = read(&bytes);
    assert!(
        launch.warnings[0].message.starts_with("the facts of 1 operators changed"),
        "{:?}",
        launch.warnings
    );
    assert!(!launch.warnings[0].loss);
    assert_eq!(launch.operators[1].inputs[0].shape, Some(vec![2, 3]), "the first ones stand");
}

#[test]
fn what_is_no_recording_is_refused_with_its_place() {
    let check = |bytes: &[u8], expected: &str| {
        assert_eq!(try_read(bytes).unwrap_err().to_string(), expected);
    };
    check(b"", "trace.json: the file is empty");
    check(
        b"\x7fELF",
        "trace.json: line 1, byte 0: expected an array of events, or an object, found \"\\u{7f}ELF\"",
    );
    check(
        b"{\"traceEvents\": []}",
        "trace.json: line 1, byte 0: expected the metadata of an onnxray recording (\"otherData\" with \
         \"format_version\"), found a Chrome trace without it",
    );
    let newer = br#"{"otherData":{"format_version":9,"producer":"onnxray 7.0"},"traceEvents":[]}"#;
    check(
        newer,
        "trace.json: the recording has format version 9; this onnxray reads up to version 1\n\
         hint: read it with the onnxray that wrote it, onnxray 7.0",
    );
}

#[test]
fn a_hostile_operator_number_does_not_grow_the_table() {
    let text = String::from_utf8(write(&small(), OperatorArguments::WhenChanged, true)).unwrap();
    let launch = read(text.replacen("{\"op\":1}", "{\"op\":4294967295}", 1).as_bytes());
    assert_eq!((launch.operators.len(), launch.events.len()), (2, 3));
    let said = launch.warnings.iter().any(|warning| {
        warning.loss && warning.message.ends_with("\"b\" is not operator 4294967295 (`op`)")
    });
    assert!(said, "{:?}", launch.warnings);
    // Nothing is known of it but what its event says.
    let text = text.replacen("{\"name\":\"b\"", "{\"name\":\"c\"", 2);
    let launch = read(text.replacen("\"facts\":", "\"fakts\":", 2).as_bytes());
    let unknown = &launch.operators[1];
    assert_eq!((unknown.number, unknown.name.as_str(), unknown.inputs.len()), (1, "c", 0));
}

#[test]
fn facts_that_contradict_their_event_do_not_rename_it() {
    let mut text = String::from_utf8(write(&small(), OperatorArguments::Always, true)).unwrap();
    // The first event of operator 1 loses its facts, the second one lies.
    let facts = text.match_indices(",\"facts\":").nth(1).unwrap().0;
    let end = facts + text[facts..].find("}}").unwrap();
    text.replace_range(facts..end, "");
    let lie = text.rfind("\"number\":1").unwrap();
    text.replace_range(lie..lie + 10, "\"number\":7");
    let launch = read(text.as_bytes());
    let numbers: Vec<u32> = launch.operators.iter().map(|operator| operator.number).collect();
    assert_eq!(numbers, [0, 1]);
    assert!(spans(&launch).iter().all(|span| numbers.contains(&span.operator)));
}

#[test]
fn floats_of_facts_read_back_to_the_last_bit() {
    let mut state = 1u64;
    for _ in 0..20_000 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let float = f64::from_bits(state >> 2);
        if !float.is_finite() {
            continue;
        }
        for float in [float, (state >> 11) as f64 / (1u64 << 53) as f64, (state >> 30) as f64 / 7.0]
        {
            let mut text = serde_json::to_string(&float).unwrap().into_bytes();
            let read: f64 = simd_json::serde::from_slice(&mut text).unwrap();
            assert_eq!(read.to_bits(), float.to_bits(), "{float:?}");
        }
    }
}
