//! Neural Engine profiles: the CSV and its defects, the trace, and both together.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod files;

use files::Files;
use onnxray_format::{DataType, Operator, Tensor};
use onnxray_import::formats::neural_engine::IMPORTER;
use onnxray_import::{Launch, Options, Source};
use proptest::prelude::*;

const NEURAL_ENGINE: Files = Files { importer: &IMPORTER, folder: "neural-engine" };

const CSV: &str = "2023-09/profiling_2023-09-04_10-00-00_0.csv";
const TRACE: &str = "2023-09/profiling_2023-09-04_10-00-00_0.json";

fn source(name: &str) -> Source {
    Source::from_bytes(name, NEURAL_ENGINE.bytes(name)).unwrap()
}

fn read_all(sources: Vec<Source>) -> Vec<Launch> {
    IMPORTER.read(sources, &Options::default()).unwrap()
}

fn operator<'a>(launch: &'a Launch, name: &str) -> &'a Operator {
    launch.operators.iter().find(|operator| operator.name == name).unwrap()
}

fn tensors(tensors: &[Tensor]) -> String {
    let text = |tensor: &Tensor| {
        let shape = tensor.shape.as_ref().map_or("?".to_string(), |shape| format!("{shape:?}"));
        let data_type = tensor.data_type.map_or("?", DataType::name);
        format!("{} {data_type} {shape}", tensor.name)
    };
    tensors.iter().map(text).collect::<Vec<_>>().join("; ")
}

/// `name: type, milliseconds, inputs -> outputs`
fn line(launch: &Launch, operator: &Operator) -> String {
    let average = launch.averages.iter().find(|average| average.operator == operator.number);
    let mean = average.and_then(|average| average.mean_ns).map(|mean| mean / 1e6);
    let mean = mean.map_or("-".to_string(), |mean| format!("{mean:.3}"));
    let (inputs, outputs) = (tensors(&operator.inputs), tensors(&operator.outputs));
    format!("{}: {}, {mean}, {inputs} -> {outputs}", operator.name, operator.operator_type)
}

fn lines(launch: &Launch) -> Vec<String> {
    launch.operators.iter().map(|operator| line(launch, operator)).collect()
}

fn weight(operator: &Operator) -> String {
    let Some(weight) = &operator.weight else { return "none".to_string() };
    let ratio = |r: &onnxray_format::SparseRatio| format!(" {} {}", r.block, r.ratio.unwrap());
    let ratios: String = weight.sparse_ratios.iter().map(ratio).collect();
    format!(
        "{} {} {:?} {}{ratios}",
        weight.name,
        weight.data_type,
        weight.stored_shape,
        weight.matrix_shape()
    )
}

fn losses(launch: &Launch) -> Vec<&str> {
    launch.warnings.iter().filter(|w| w.loss).map(|w| w.message.as_str()).collect()
}

const OPERATORS: [&str; 9] = [
    "Range_1: Range, 0.003,  -> Range_1:0 s32 [128]",
    "Add_37: InnerProduct, 0.076, 116:0 fp32 [64, 1024]; 641:0 fp32 [256, 1024]; bert.bias:0 fp32 [256] -> Add_37:0 fp32 [64, 256]",
    "Reshape_5: Reshape, 0.002, Add_37:0 fp32 [64, 256]; shape:0 s32 [] -> Reshape_5:0 fp32 [8, 8, 256]",
    "Quant_6: Quantize, 0.009, Reshape_5:0 fp32 [8, 8, 256] -> Quant_6:0 u8 [64, 256]",
    "MatMul_40: InnerProduct, 0.137, Quant_6:0 u8 [64, 256]; w2:0 s8 [256, 1024] -> MatMul_40:0 fp32 [64, 1024]",
    "Sparse_41: InnerProduct, 0.052, w3:0 s8 [1024, 256]; Quant_6:0 u8 [256, 64] -> Sparse_41:0 fp32 [1024, 64]",
    "Matmul_42: Matmul, 0.081, MatMul_40:0 bf16 [64, 1024]; w4:0 bf16 [1024, 256] -> Matmul_42:0 fp32 [64, 256]",
    "Sqrt_43: Sqrt, 0.001, Range_1:0 fp32 [] -> Sqrt_43:0 fp32 []",
    "LayerNorm_44: LayerNorm, 0.023, Matmul_42:0 fp32 [64, 256]; g:0 fp32 [256]; b:0 fp32 [256] -> LayerNorm_44:0 fp32 [64, 256]; mean:0 fp32 [64]",
];

const WEIGHTS: [(&str, &str); 4] = [
    ("Add_37", "641:0 fp32 [256, 1024] 256x1024 1x16 0"),
    ("MatMul_40", "w2:0 s8 [256, 1024] 1024x256 16x4 0.125"),
    ("Sparse_41", "w3:0 s8 [1024, 256] 1024x256 4x1 0.9"),
    ("Matmul_42", "w4:0 bf16 [1024, 256] 256x1024"),
];

#[test]
fn a_csv_reads_the_same_however_it_was_saved() {
    for name in [
        CSV,
        "spreadsheet/semicolon.csv",
        "spreadsheet/comma.csv",
        "spreadsheet/tabs.csv",
        "spreadsheet/operators-only.csv",
    ] {
        let launch = NEURAL_ENGINE.read(name);
        assert_eq!(lines(&launch), OPERATORS, "{name}");
        for (name, expected) in WEIGHTS {
            assert_eq!(weight(operator(&launch, name)), expected);
            assert!(operator(&launch, name).sparse_support);
        }
        assert!(!operator(&launch, "Quant_6").sparse_support);
        assert_eq!(operator(&launch, "Add_37").post_ops, ["gelu_tanh"]);
        let cut = name == "spreadsheet/operators-only.csv";
        assert_eq!(losses(&launch).len(), usize::from(cut), "{name}");
        assert_eq!(launch.run.engine, "Neural Engine");
        assert!(launch.averages.iter().all(|average| average.executions == Some(1.0)));
    }
    let notes: Vec<String> =
        NEURAL_ENGINE.read(CSV).warnings.into_iter().map(|w| w.message).collect();
    assert_eq!(
        notes,
        [
            "3 lines were malformed and were repaired; the first: its fields are not in their columns",
            "latencies may be those of the last iteration: engines since April 2023 write it in place of the mean",
        ]
    );
}

#[test]
fn earlier_layouts_read() {
    let launch = NEURAL_ENGINE.read("2022-08/profiling_0.csv");
    let add = operator(&launch, "Add_37");
    assert_eq!(line(&launch, add), OPERATORS[1].replace("0.076", "0.079"));
    // Without the sign, a number above 1 is a percentage all the same.
    let launch = NEURAL_ENGINE.read("2022-08/no-percent.csv");
    assert_eq!(weight(operator(&launch, "MatMul_40")), WEIGHTS[1].1);
    assert_eq!(losses(&launch), [""; 0]);
}

#[test]
fn our_own_csv_reads() {
    let launch = NEURAL_ENGINE.read("onnxray/profiling.csv");
    assert_eq!(
        lines(&launch),
        [
            "/layer/MatMul#1: MatMul, 0.075, x fp32 [64, 1024]; w fp32 [1024, 256] -> y fp32 [64, 256]",
            "=cmd: Abs, 0.000, r fp32 [] -> s fp32 []",
            "a, \"b\": If, -, c bool []; d ? [2, 3] -> e fp32 ?",
        ]
    );
    let matmul = &launch.operators[0];
    assert_eq!(weight(matmul), "w fp32 [1024, 256] 256x1024 4x1 0.125");
    assert_eq!(matmul.nodes, ["/layer/MatMul"]);
    assert_eq!(launch.averages[1].mean_ns, Some(250.0));
    assert_eq!(launch.averages.len(), 2, "a blank latency is unknown");
    let said: Vec<String> = launch.warnings.iter().map(ToString::to_string).collect();
    assert!(matches!(&said[..], [only] if only.contains("kernels only")), "{said:?}");
    assert_eq!(launch.run.engine, "");

    let text = String::from_utf8(NEURAL_ENGINE.bytes("onnxray/profiling.csv")).unwrap();
    // A matrix that the blocks do not divide.
    let launch = NEURAL_ENGINE
        .read_bytes(
            text.replace("1024x256,", "1024x2,")
                .replace("256x1024,12.50%", "2x1024,unknown")
                .into(),
        )
        .unwrap();
    assert_eq!(weight(&launch.operators[0]), "w fp32 [1024, 2] 2x1024");
    assert!(!launch.warnings.iter().any(|warning| warning.loss), "{:?}", launch.warnings);
}

#[test]
fn a_trace_has_executions_iterations_and_facts() {
    let launch = NEURAL_ENGINE.read(TRACE);
    let without_times: Vec<String> = lines(&launch);
    let expected = OPERATORS.map(|line| {
        let (name, rest) = line.split_once(", ").unwrap();
        format!("{name}, -, {}", rest.split_once(", ").unwrap().1)
    });
    // Of the shapes of two inputs of which one is a scalar, one is written; of
    // the outputs' that of the first.
    let known = |line: String| {
        line.replace("fp32 [64, 256]; shape:0 s32 []", "fp32 ?; shape:0 s32 ?")
            .replace("mean:0 fp32 [64]", "mean:0 fp32 ?")
    };
    assert_eq!(without_times, expected.map(known));
    assert_eq!((launch.iterations.len(), launch.events.len()), (4, 36));
    assert_eq!(operator(&launch, "Add_37").post_ops, ["gelu_tanh"]);
    assert_eq!(operator(&launch, "Add_37").attributes["src1_perm"], "1,0");
    let chunk = &launch.events.chunks[0];
    assert_eq!(chunk.iteration[..10], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(chunk.start[..3], [0, 3_000, 79_000]);
    assert_eq!(chunk.duration[..3], [3_000, 76_000, 2_000]);
    // 73 us forward, 3 us to prepare shapes.
    assert_eq!(launch.events.figures[0].key, "reshape_ns");
    assert_eq!(chunk.figures[0].get(1), Some(3_000));
    let durations: Vec<u64> = launch.iterations.iter().map(|i| i.duration.0).collect();
    assert_eq!(durations.iter().sum::<u64>(), 1_542_000);
    assert_eq!(durations[0], 389_000);
    assert_eq!(losses(&launch), [""; 0]);
    assert!(launch.warnings[0].message.contains("running sums"));
}

#[test]
fn long_traces_are_in_order_and_do_not_overlap() {
    let launch = NEURAL_ENGINE.read("2023-09/long.json");
    assert_eq!((launch.iterations.len(), launch.events.len()), (12, 120));
    let mut now = 0;
    for chunk in &launch.events.chunks {
        for row in 0..chunk.len() {
            assert_eq!(chunk.start[row], now, "row {row}");
            now += chunk.duration[row];
            let iteration = &launch.iterations[chunk.iteration[row] as usize];
            assert!(iteration.start.0 <= chunk.start[row] && now <= iteration.end().0);
        }
    }
    let indices: Vec<u32> = launch.iterations.iter().map(|iteration| iteration.index).collect();
    assert_eq!(indices, (0..12).collect::<Vec<u32>>());
    let last = launch.iterations.last().unwrap();
    assert_eq!(last.end().0, now);
    assert!(launch.warnings.iter().any(|w| w.message.starts_with("9 operators ran with several")));
    let dynamic = &launch.operators[1].inputs[0];
    assert_eq!(dynamic.shape, Some(vec![64, 1024]));
}

#[test]
fn the_first_traces_have_post_ops_by_themselves() {
    let launch = NEURAL_ENGINE.read("2022-09/profiling.json");
    assert_eq!(operator(&launch, "Add_37").post_ops, ["gelu_tanh"]);
    assert!(operator(&launch, "Add_37").attributes.is_empty());
    assert_eq!(launch.events.len(), 12);
}

#[test]
fn a_trace_and_its_csv_become_one_launch() {
    for order in [[CSV, TRACE], [TRACE, CSV]] {
        let launches = read_all(order.map(source).into());
        let [launch] = launches.as_slice() else { panic!("{} launches", launches.len()) };
        assert_eq!((launch.iterations.len(), launch.events.len()), (4, 36));
        assert!(launch.averages.is_empty());
        assert_eq!(launch.files.len(), 2);
        for (name, expected) in WEIGHTS {
            assert_eq!(weight(operator(launch, name)), expected);
        }
        assert_eq!(
            tensors(&operator(launch, "Reshape_5").inputs),
            "Add_37:0 fp32 [64, 256]; shape:0 s32 []"
        );
        assert_eq!(losses(launch), [""; 0]);
    }
}

#[test]
fn pairs_of_several_launches_find_each_other_by_their_names() {
    let named = |name: &str, of: &str| Source::from_bytes(name, NEURAL_ENGINE.bytes(of)).unwrap();
    let launches = read_all(vec![
        named("csv/profiling_1.csv", CSV),
        named("json/profiling_0.json", TRACE),
        named("json/profiling_1.json", TRACE),
        named("csv/other.csv", "onnxray/profiling.csv"),
    ]);
    let files: Vec<usize> = launches.iter().map(|launch| launch.files.len()).collect();
    assert_eq!(files, [1, 2, 1]);
    let numbers: Vec<u32> = launches.iter().map(|launch| launch.run.launch).collect();
    assert_eq!(numbers, [0, 1, 2]);
}

#[test]
fn names_that_nobody_quoted_are_put_together() {
    let csv = NEURAL_ENGINE.read("malformed/names.csv");
    let names =
        |launch: &Launch| launch.operators.iter().map(|o| o.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&csv), ["a,b\"1\"", "\"quoted", "back\\slash"]);
    assert_eq!(tensors(&csv.operators[0].inputs), "x,1:0 fp32 [4, 4]; y:0 fp32 [4]");
    assert_eq!(tensors(&csv.operators[1].outputs), "out;1:0 fp32 [8, 32]");
    assert_eq!(weight(&csv.operators[1]), "w:0 fp32 [32, 16] 32x16 1x16 0.25");
    let trace = NEURAL_ENGINE.read("malformed/names.json");
    assert_eq!(names(&trace)[..2], ["a,b\"1\"", "\"quoted"]);
    assert_eq!(trace.operators[2].attributes["note"], "a;b");
    assert_eq!((trace.iterations.len(), trace.events.len()), (2, 6));
    assert_eq!(losses(&trace), [""; 0]);
    // What one of them cannot spell is found by its place.
    let both = read_all(vec![source("malformed/names.csv"), source("malformed/names.json")]);
    assert_eq!(both.len(), 1);
    assert_eq!(both[0].operators[2].post_ops, ["sum"]);
}

#[test]
fn a_csv_cut_anywhere_keeps_its_whole_rows() {
    let whole = NEURAL_ENGINE.bytes(CSV);
    let table = memchr::memmem::find(&whole, b"operator type").unwrap();
    for length in 0..whole.len() {
        let Some(launch) = NEURAL_ENGINE.read_bytes(whole[..length].to_vec()) else {
            assert!(length < table + 20, "at {length}");
            continue;
        };
        let rows = whole[table..length.max(table)].iter().filter(|&&b| b == b'\n').count();
        let least = rows.saturating_sub(1).min(OPERATORS.len());
        assert!(launch.operators.len() >= least, "at {length}");
        let found = lines(&launch);
        assert_eq!(found, OPERATORS[..found.len()], "at {length}");
        let total = memchr::memmem::find(&whole[..length], b"total latency").is_some();
        assert_eq!(losses(&launch).is_empty(), total, "at {length}");
    }
}

#[test]
fn what_stands_behind_the_totals_is_counted() {
    let whole = NEURAL_ENGINE.bytes(CSV);
    let launch = NEURAL_ENGINE.read_bytes(whole.clone()).unwrap();
    assert_eq!(losses(&launch), <Vec<&str>>::new());
    let row = String::from_utf8(whole.clone()).unwrap();
    let row =
        row.lines().find(|line| line.starts_with("Softmax,")).unwrap_or("Abs,,x,y").to_string();
    let behind = [&whole[..], row.as_bytes(), b"\n"].concat();
    let found = NEURAL_ENGINE.read_bytes(behind).unwrap();
    assert_eq!(found.operators.len(), launch.operators.len());
    assert!(losses(&found).iter().any(|loss| loss.contains("it follows the totals")));
    // A second profile: two tables, of which each line is lost.
    let twice = NEURAL_ENGINE.read_bytes([&whole[..], &whole].concat()).unwrap();
    assert_eq!(twice.operators.len(), launch.operators.len());
    let said = losses(&twice).join("; ");
    assert!(said.contains("it follows the totals"), "{said}");
}

#[test]
fn a_trace_cut_anywhere_keeps_its_whole_events() {
    let whole = NEURAL_ENGINE.bytes(TRACE);
    let mut most = 0;
    for length in 60..whole.len() {
        let Some(launch) = NEURAL_ENGINE.read_bytes(whole[..length].to_vec()) else {
            assert_eq!(most, 0, "at {length}");
            continue;
        };
        assert_eq!(losses(&launch).len(), 1, "at {length}");
        assert!(launch.events.len() >= most, "at {length}");
        most = launch.events.len();
        let iterations: Vec<u32> =
            launch.events.chunks.iter().flat_map(|chunk| chunk.iteration.clone()).collect();
        let expected: Vec<u32> = (0..most).map(|event| event as u32 / 9).collect();
        assert_eq!(iterations, expected, "at {length}");
    }
    assert_eq!(most, 36);
}

#[test]
fn an_event_that_is_missing_leaves_the_others_in_their_iterations() {
    let text = String::from_utf8(NEURAL_ENGINE.bytes(TRACE)).unwrap();
    let start = text.match_indices(",{\"cat\":\"Quantize\"").nth(1).unwrap().0;
    let end = start + text[start..].find("}}").unwrap() + 2;
    let launch =
        NEURAL_ENGINE.read_bytes([&text[..start], &text[end..]].concat().into_bytes()).unwrap();
    assert_eq!(launch.events.len(), 35);
    let chunk = &launch.events.chunks[0];
    assert_eq!(chunk.iteration[9..17], [1; 8]);
    assert_eq!(chunk.iteration[17], 2);
}

#[test]
fn recordings_of_onnxray_are_not_taken() {
    let check = |text: &str, expected: bool| {
        let mut source = Source::from_bytes("x", text.as_bytes().to_vec()).unwrap();
        let is_taken =
            onnxray_import::detect(&mut source).is_ok_and(|f| f.format == IMPORTER.format);
        assert_eq!(is_taken, expected, "{text}");
    };
    let event = "{\"cat\":\"Range\",\"name\":\"Range_1\",\"ph\":\"X\",\"ts\":0,\"dur\":3,\
                 \"args\":{\"reshape_time\":\"0ms\",\"input_tensor_name\":\"\"}}";
    check(&format!("{{\"otherData\": {{}}, \"traceEvents\": [{event}]}}"), true);
    let ours = format!("{{\"otherData\":{{\"format_version\":1}},\"traceEvents\":[{event}]}}");
    check(&ours, false);
    check("[{\"cat\":\"Node\",\"ph\":\"X\"}]", false);
    check("layerName;execStatus\n", false);
    check("weight shape,others\n", false);
}

#[test]
fn nothing_to_read_is_an_error_with_a_place() {
    for (text, found) in [("weight shape,90%\n1x1,4\n", "weight shape"), ("hello", "hello")] {
        let source = Source::from_bytes("x.csv", text.as_bytes().to_vec()).unwrap();
        let error = IMPORTER.read(vec![source], &Options::default());
        let message = error.unwrap_err().to_string();
        assert!(message.starts_with("x.csv: line 1, byte 0: expected a table"), "{message}");
        assert!(message.contains(found), "{message}");
    }
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(
        changes in prop::collection::vec((0usize..20_000, any::<u8>()), 1..20),
        csv: bool,
    ) {
        let mut damaged = NEURAL_ENGINE.bytes(if csv { CSV } else { TRACE });
        for (at, byte) in changes {
            let length = damaged.len();
            damaged[at % length] = byte;
        }
        let _ = NEURAL_ENGINE.read_bytes(damaged);
    }
}
