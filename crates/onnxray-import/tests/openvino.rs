//! Files of OpenVINO's benchmark_app, alone, together and damaged.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod files;

use files::{Files, text};
use onnxray_format::{DataType, Nanoseconds};
use onnxray_import::formats::openvino::IMPORTER;
use onnxray_import::{ImportError, Launch, Source, detect};

const OPENVINO: Files = Files { importer: &IMPORTER, folder: "openvino" };

/// Name and mean time in microseconds.
fn times(launch: &Launch) -> Vec<(&str, Option<f64>)> {
    let of = |number: u32| {
        let average = launch.averages.iter().find(|average| average.operator == number)?;
        Some((average.mean_ns? * 10.0).round() / 10_000.0)
    };
    launch.operators.iter().map(|o| (o.name.as_str(), of(o.number))).collect()
}

const AVERAGE: &str = "2026.4.1/benchmark_average_counters_report.csv";
const SORTED: &str = "2026.4.1/benchmark_sorted_report.csv";
const REPORT: &str = "2026.4.1/benchmark_report.csv";
const GRAPH: &str = "2026.4.1/execution_graph.xml";

const TIMES: [(&str, Option<f64>); 15] = [
    ("image", None),
    ("Convert_50", Some(8.0)),
    ("Convert_50_abcd_acdb_/stem/Conv/WithoutBiases", Some(7.0)),
    ("/stem/Conv/WithoutBiases", Some(43.0)),
    ("/stem/Relu", None),
    ("/body/Conv", Some(32.0)),
    ("/body/Add", Some(10.0)),
    ("/body/Relu", None),
    ("/pool/GlobalAveragePool", Some(7.0)),
    ("/pool/GlobalAveragePool_f32_acdb_bf16_abcd_/pool/Flatten", None),
    ("/pool/Flatten", None),
    ("/head/Gemm", Some(11.0)),
    ("/head/Gemm_bf16_f32_probabilities", None),
    ("probabilities", Some(2.0)),
    ("probabilities/sink_port_0", None),
];

#[test]
fn averages_as_csv() {
    let launch = OPENVINO.launch(&[AVERAGE]);
    assert_eq!((times(&launch), text(&launch)), (TIMES.to_vec(), vec![]));
    let convolution = &launch.operators[3];
    assert_eq!(convolution.operator_type, "Convolution");
    assert_eq!(convolution.kernel.as_deref(), Some("brgconv_avx512_amx_bf16"));
    assert!(convolution.nodes.is_empty() && convolution.attributes.is_empty());
    let relu = &launch.operators[4];
    assert_eq!((relu.kernel.as_deref(), relu.attributes["execStatus"].as_str()), (None, "NOT_RUN"));
    assert!(launch.iterations.is_empty() && launch.events.is_empty());
    assert_eq!(launch.run.clock_resolution, Some(Nanoseconds(1000)));
}

#[test]
fn layers_that_dl_workbench_exports() {
    let launch = OPENVINO.launch(&["workbench/layers.csv"]);
    let expected = [
        ("image", None),
        ("/stem/Conv;0", Some(120.0)),
        ("/stem/Relu", None),
        ("/quoted \"name\"/MatMul", Some(1500.0)),
        ("Reorder_1", Some(7.0)),
        ("Reorder_1 (2)", Some(3.0)),
        ("probabilities", None),
    ];
    assert_eq!((times(&launch), text(&launch)), (expected.to_vec(), vec![]));
    let convolution = &launch.operators[1];
    assert_eq!(convolution.operator_type, "Convolution");
    assert_eq!(convolution.attributes["runtimePrecision"], "FP32");
    assert_eq!(convolution.kernel, None);
    assert_eq!(launch.run.producer, "DL Workbench");
}

#[test]
fn a_damaged_line_of_dl_workbench_costs_itself() {
    let whole = String::from_utf8(OPENVINO.bytes("workbench/layers.csv")).unwrap();
    for (good, bad, said) in [
        (";0.12;", ";0.1x2;", "line 4, byte 122: 1 layer has no usable time and is left out"),
        ("1;/stem/Conv;0;Conv", "1x;/stem/Conv;0;Conv", "the first: no number of its order"),
        ("4;Reorder_1;Reorder;0.007;", "4;Reorder_1;", "the first: too few columns"),
        ("FP32\n2;", "FP32-2;", "the first: several layers in a line"),
        ("Runtime Precision", "Runtime Prezision", "the first: a heading that is not known"),
    ] {
        assert!(whole.contains(good), "{good}");
        let bytes = whole.replacen(good, bad, 1).into_bytes();
        let launch = OPENVINO.read_all(&[("layers.csv", bytes)]).unwrap().remove(0);
        assert!(launch.warnings.iter().any(|warning| warning.loss));
        assert!(text(&launch)[0].contains(said), "{bad}: {:?}", text(&launch));
    }
    let cut = whole.as_bytes()[..whole.rfind("Result").unwrap()].to_vec();
    let launch = OPENVINO.read_all(&[("layers.csv", cut)]).unwrap().remove(0);
    assert!(
        text(&launch)[0].contains("the input ends early: within a line"),
        "{:?}",
        text(&launch)
    );
}

#[test]
fn sorted_report_of_python() {
    let alone = OPENVINO.launch(&[SORTED]);
    let found = times(&alone);
    assert_eq!((found[0].0, found.len()), ("/stem/Conv/WithoutBiases", 15));
    for expected in TIMES {
        assert!(found.contains(&expected), "{expected:?}");
    }
    assert_eq!(text(&alone), [""; 0]);
    // It says nothing new beside the report that it was made of.
    let both = OPENVINO.launch(&[SORTED, AVERAGE]);
    assert_eq!((times(&both), both.files.len()), (TIMES.to_vec(), 2));
}

#[test]
fn averages_of_python_as_json_have_one_layer() {
    let launch = OPENVINO.launch(&["2026.4.1/benchmark_average_counters_report.json"]);
    assert_eq!(times(&launch), [("image", None)]);
    assert!(text(&launch)[0].contains("only one layer"), "{:?}", text(&launch));
}

#[test]
fn detailed_reports_are_means_over_infer_requests() {
    let csv = OPENVINO.launch(&["2026.4.1/benchmark_detailed_counters_report.csv"]);
    let sum: f64 = times(&csv).iter().filter_map(|(_, time)| *time).sum();
    assert_eq!((csv.operators.len(), csv.averages.len(), sum.round()), (15, 10, 1771.0));
    let json = OPENVINO.launch(&["2026.4.1/benchmark_detailed_counters_report.json"]);
    let sum: f64 = times(&json).iter().filter_map(|(_, time)| *time).sum();
    assert_eq!((json.operators.len(), json.averages.len(), sum), (15, 10, 602.5));
    assert_eq!((text(&csv), text(&json)), (vec![], vec![]));
}

#[test]
fn reports_of_the_program_in_cpp() {
    let detailed = [
        ("image", None),
        ("/stem/Conv;0", Some(130.0)),
        ("/stem/Relu", None),
        ("/quoted \"name\"/MatMul", Some(1501.0)),
        ("Reorder_1", Some(3.5)),
        ("Reorder_1 (2)", Some(3.5)),
        ("probabilities", None),
    ];
    let files = ["cpp/benchmark_report.json", "cpp/benchmark_detailed_counters_report.csv"];
    let together = OPENVINO.launch(&files);
    assert_eq!((times(&together), text(&together)), (detailed.to_vec(), vec![]));
    assert_eq!(together.operators[2].attributes["execStatus"], "OPTIMIZED_OUT");
    let run = &together.run;
    assert_eq!((run.batch_size, run.threads, run.model.as_str()), (Some(2), Some(4), "tiny.onnx"));
    assert_eq!(run.load_time, Some(Nanoseconds(42_750_000)));
    let average = OPENVINO.launch(&["cpp/benchmark_average_counters_report.json"]);
    assert_eq!(times(&average)[4], ("Reorder_1", Some(7.0)));
    let sorted = OPENVINO.launch(&["cpp/benchmark_sort_detailed_counters_report.csv"]);
    let names: Vec<&str> = times(&sorted).iter().map(|(name, _)| *name).collect();
    let expected = ["/quoted \"name\"/MatMul", "/stem/Conv;0", "Reorder_1", "Reorder_1 (2)"];
    assert_eq!((names, text(&sorted)), (expected.to_vec(), vec![]));
}

#[test]
fn execution_graph_without_what_is_computed_at_load() {
    let launch = OPENVINO.launch(&[GRAPH]);
    // Layers that became part of others are in the counters only.
    let fused = ["/stem/Relu", "/body/Relu"];
    let expected: Vec<_> = TIMES.into_iter().filter(|(name, _)| !fused.contains(name)).collect();
    assert_eq!((times(&launch), text(&launch)), (expected, vec![]));
    let convolution = &launch.operators[3];
    assert_eq!(convolution.nodes, ["/stem/Conv", "/stem/Relu"]);
    assert_eq!(convolution.kernel.as_deref(), Some("brgconv_avx512_amx_bf16"));
    let input =
        |at: usize| (convolution.inputs[at].data_type, convolution.inputs[at].shape.clone());
    assert_eq!(input(0), (Some(DataType::Bf16), Some(vec![2, 3, 32, 32])));
    assert_eq!(input(1), (Some(DataType::Fp32), Some(vec![16, 3, 3, 3])));
    assert_eq!(convolution.outputs[0].shape, Some(vec![2, 16, 32, 32]));
    assert_eq!(convolution.attributes["runtimePrecision"], "bf16");
    // Weights and biases; the biases reach it through layers run at load.
    assert_eq!(convolution.parameters, Some(16 * 27 + 16));
    assert_eq!(launch.operators[0].attributes["execStatus"], "not_executed");
    assert!(launch.operators[0].nodes.is_empty());
}

#[test]
fn counters_graph_and_report_become_one_launch_in_any_order() {
    for files in [[AVERAGE, GRAPH, REPORT], [REPORT, GRAPH, AVERAGE], [GRAPH, REPORT, AVERAGE]] {
        let launch = OPENVINO.launch(&files);
        assert_eq!((times(&launch), text(&launch)), (TIMES.to_vec(), vec![]));
        assert_eq!(launch.files.len(), 3);
        let add = &launch.operators[6];
        // The graph calls it Eltwise.
        assert_eq!(add.operator_type, "Add");
        assert_eq!(add.nodes, ["/body/Add", "/body/Relu"]);
        assert_eq!(add.post_ops, ["Relu"]);
        assert_eq!(add.inputs.len(), 2);
        assert!(!add.attributes.contains_key("execStatus"));
        let run = &launch.run;
        assert_eq!((run.engine.as_str(), run.model.as_str()), ("OpenVINO", "tiny.onnx"));
        assert_eq!((run.batch_size, run.threads), (Some(2), Some(2)));
        assert_eq!(run.load_time, Some(Nanoseconds(183_190_000)));
    }
}

#[test]
fn several_counters_are_several_launches() {
    let (average, graph, report) =
        (OPENVINO.bytes(AVERAGE), OPENVINO.bytes(GRAPH), OPENVINO.bytes(REPORT));
    let launches = OPENVINO
        .read_all(&[
            ("a", average.clone()),
            ("g", graph.clone()),
            ("b", average.clone()),
            ("r0", report.clone()),
            ("r1", report.clone()),
        ])
        .unwrap();
    let files: Vec<_> = launches
        .iter()
        .map(|launch| launch.files.iter().map(|file| file.to_str().unwrap()).collect::<Vec<_>>())
        .collect();
    assert_eq!(files, [["a", "g", "r0"], ["b", "g", "r1"]]);
    assert_eq!(launches[1].run.launch, 1);
    assert!(launches.iter().all(|launch| launch.operators[6].nodes.len() == 2));
    let odd =
        [("a", average.clone()), ("b", average.clone()), ("c", average), ("g", graph.clone())];
    let odd = [odd.as_slice(), &[("h", graph)]].concat();
    let error = OPENVINO.read_all(&odd).unwrap_err();
    assert!(matches!(error, ImportError::DifferentRecordings { .. }), "{error}");
    let error = OPENVINO.read_all(&[("r", report)]).unwrap_err();
    assert!(error.to_string().contains("counters or an execution graph"), "{error}");
}

#[test]
fn a_graph_of_another_model_is_told() {
    let other = "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)\n\
                 x;EXECUTED;Add;jit;0.5;0.5\nTotal;;;;0.5;0.5\n";
    let launches = OPENVINO.read_all(&[("c", other.into()), ("g", OPENVINO.bytes(GRAPH))]).unwrap();
    assert_eq!(times(&launches[0]), [("x", Some(500.0))]);
    assert!(text(&launches[0])[0].contains("another model"));
}

#[test]
fn totals_are_checked() {
    for (file, from, to) in [
        (AVERAGE, "Total;;;;0.120", "Total;;;;0.220"),
        (SORTED, "Total time: 0.12", "Total time: 0.22"),
        (
            "2026.4.1/benchmark_detailed_counters_report.json",
            "\"total_real_time\": \"0.",
            "\"total_real_time\": \"7.",
        ),
    ] {
        let changed = String::from_utf8(OPENVINO.bytes(file)).unwrap().replacen(from, to, 1);
        let launches = OPENVINO.read_all(&[(file, changed.into_bytes())]).unwrap();
        let warnings = &launches[0].warnings;
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].message.contains("the layers sum up to"), "{warnings:?}");
        assert!(warnings[0].position.is_some() && !warnings[0].loss);
    }
}

/// Every prefix is read or refused, and its whole records are kept.
#[test]
fn whole_records_before_a_cut_are_kept() {
    for (file, record) in [
        (AVERAGE, "\n"),
        (SORTED, "%\n"),
        ("cpp/benchmark_detailed_counters_report.csv", "\n"),
        ("2026.4.1/benchmark_detailed_counters_report.json", "                }"),
        (GRAPH, "</layer>"),
    ] {
        let whole = OPENVINO.bytes(file);
        let complete = OPENVINO.read_all(&[(file, whole.clone())]).unwrap().remove(0);
        let mut most = 0;
        for length in (0..whole.len()).step_by(if whole.len() > 5000 { 17 } else { 1 }) {
            let cut = String::from_utf8_lossy(&whole[..length]).into_owned();
            let records = cut.matches(record).count();
            match OPENVINO.read_all(&[(file, cut.clone().into_bytes())]) {
                Ok(launches) => {
                    let read = launches[0].operators.len();
                    // Without the edges, constants cannot all be told apart.
                    let limit = if file == GRAPH { 24 } else { complete.operators.len() };
                    assert!(read <= limit && (read >= most || file == GRAPH), "{file} {length}");
                    most = read;
                    let lost = launches[0].warnings.iter().any(|warning| warning.loss);
                    // A total ends the counters of an infer request, even if it is cut.
                    let rest = whole[length..].trim_ascii().len();
                    let total = cut.lines().last().is_some_and(|line| line.starts_with("Total"));
                    let ended = total || cut.ends_with("\n\n") || rest < 30;
                    assert!(lost || ended, "{file} {length}");
                }
                Err(error) => {
                    assert!(most == 0 && records <= 1, "{file} {length}: {error}");
                    assert!(error.to_string().contains("expected"), "{error}");
                }
            }
        }
        assert_eq!(most, complete.operators.len(), "{file}");
    }
}

#[test]
fn damaged_counters_cost_themselves() {
    let csv = b"layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)\r\n\
        a\xff;EXECUTED;Add;jit;0.25;0.25\r\n\
        short;EXECUTED\r\n\
        negative;EXECUTED;Add;jit;-1;0\r\n\
        none;EXECUTED;Add;jit;nan;0\r\n\
        \"q\";Status.EXECUTED;Add;jit;0.5;0.5\r\n\
        cut;EXECUTED;Add;jit;0.1"
        .to_vec();
    let launches = OPENVINO.read_all(&[("c", csv)]).unwrap();
    assert_eq!(times(&launches[0]), [("a\u{fffd}", Some(250.0)), ("\"q\"", Some(500.0))]);
    let warnings = text(&launches[0]).join("\n");
    for expected in [
        "line 3, byte 99: 1 layer could not be understood",
        "line 4, byte 115: 2 layers have no usable time",
        "line 7, byte 213: the input ends early: within a line",
        "line 2, byte 69: 1 text is not UTF-8",
    ] {
        assert!(warnings.contains(expected), "{expected}\n{warnings}");
    }
    let json = r#"{"report_type":"detailed","detailed_performance":[{"nodes":[
        {"name":"a","status":"EXECUTED","real_time":0.5},
        {"name":"b","status":"EXECUTED","real_time":"much"}, 7,
        {"name":"c", x},
        {"name":"d","status":"EXECUTED","real_time":"1.5",}],"total_real_time":2.0}]} x"#;
    let launches = OPENVINO.read_all(&[("c", json.into())]).unwrap();
    assert_eq!(times(&launches[0]), [("a", Some(500.0)), ("d", Some(1500.0))]);
    let kinds: Vec<&str> =
        launches[0].warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
    assert!(kinds[0].starts_with("1 layer could not be understood"), "{kinds:?}");
}

#[test]
fn a_damaged_layer_of_the_graph_costs_itself() {
    let graph = String::from_utf8(OPENVINO.bytes(GRAPH)).unwrap();
    let damaged = graph.replacen("name=\"/body/Conv\"", "name=\"/body/Conv", 1).replacen(
        "<dim>3</dim>",
        "<dim>-1</dim>",
        1,
    );
    let launches = OPENVINO.read_all(&[("g", damaged.into_bytes())]).unwrap();
    let launch = &launches[0];
    assert_eq!(launch.operators.len(), 12);
    assert!(times(launch).iter().all(|(name, _)| *name != "/body/Conv"));
    assert_eq!(launch.operators[0].outputs[0].shape, None);
    assert_eq!(launch.warnings.len(), 1);
    assert!(text(launch)[0].contains("1 layer could not be understood"), "{:?}", text(launch));
}

#[test]
fn a_damaged_edge_takes_no_layer_away() {
    let graph = String::from_utf8(OPENVINO.bytes(GRAPH)).unwrap();
    let whole = OPENVINO.launch(&[GRAPH]).operators.len();
    for (edge, _) in graph.match_indices("<edge from-layer=\"") {
        let mut damaged = graph.clone();
        damaged.replace_range(edge + 17..edge + 18, " ");
        let launch = OPENVINO.read_bytes(damaged.into_bytes()).unwrap();
        assert!(launch.operators.len() >= whole, "{edge}");
        assert_eq!(launch.warnings.len(), 1, "{:?}", text(&launch));
    }
}

#[test]
fn a_model_is_no_execution_graph() {
    let model = "<?xml version=\"1.0\"?>\n<net name=\"m\"><layers><layer id=\"0\" name=\"x\" \
                 type=\"Parameter\"><data shape=\"1\"/></layer></layers></net>";
    let mut source = Source::from_bytes("m.xml", model.into()).unwrap();
    assert!(matches!(detect(&mut source), Err(ImportError::Unrecognized { .. })));
    let error = OPENVINO.read_all(&[("m.xml", model.into())]).unwrap_err();
    assert!(matches!(error, ImportError::Unexpected { .. }), "{error}");
}
