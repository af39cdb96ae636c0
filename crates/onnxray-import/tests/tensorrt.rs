//! Files of TensorRT's trtexec, alone, together and damaged.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod files;

use files::{Files, text};
use onnxray_format::{DataType, IterationKind};
use onnxray_import::formats::tensorrt::IMPORTER;
use onnxray_import::{ImportError, Launch, Source, detect};
use std::path::Path;

const TENSORRT: Files = Files { importer: &IMPORTER, folder: "tensorrt" };

fn names(launch: &Launch) -> Vec<&str> {
    launch.operators.iter().map(|operator| operator.name.as_str()).collect()
}

/// Mean and median of each operator.
fn times(launch: &Launch) -> Vec<Option<(f64, Option<f64>)>> {
    let of = |number: u32| {
        let average = launch.averages.iter().find(|average| average.operator == number)?;
        Some((average.mean_ns?, average.median_ns))
    };
    launch.operators.iter().map(|operator| of(operator.number)).collect()
}

const NAMES: [&str; 7] = [
    "Reformatting CopyNode for Input Tensor 0 to \
     conv1.weight + QuantizeLinear_8 + Conv_12 + PWN(Clip_16)",
    "conv1.weight + QuantizeLinear_8 + Conv_12 + PWN(Clip_16)",
    "conv2.weight + QuantizeLinear_20 + Conv_24 + Add_25 + Relu_26",
    "PWN(PWN(Sigmoid_30), Mul_31)",
    "GlobalAveragePool_40",
    "GlobalAveragePool_40 (2)",
    "{ForeignNode[/head/Shape.../head/Softmax]}",
];

const MEANS: [f64; 7] = [4812.5, 21_500.0, 18_765.6, 3000.0, 6100.0, 0.0, 31_200.0];

fn assert_means(launch: &Launch, factor: f64) {
    for (found, expected) in times(launch).into_iter().zip(MEANS) {
        let (mean, median) = found.unwrap();
        assert!((mean - expected * factor).abs() < 1e-6, "{mean} {expected}");
        assert!((median.unwrap() - expected * factor * 0.96875).abs() < 0.11, "{median:?}");
    }
}

#[test]
fn a_profile_has_averages_and_nodes_from_names() {
    let launch = TENSORRT.launch(&["8.6/profile.json"]);
    assert_eq!(names(&launch), NAMES);
    assert_means(&launch, 1.0);
    assert!(launch.averages.iter().all(|average| average.iterations == Some(250)));
    assert_eq!(launch.operators[1].nodes, ["QuantizeLinear_8", "Conv_12", "Clip_16"]);
    assert_eq!(launch.operators[6].nodes, ["/head/Shape", "/head/Softmax"]);
    assert!(launch.operators.iter().all(|operator| operator.operator_type.is_empty()));
    assert!(launch.iterations.is_empty() && launch.events.is_empty());
    assert_eq!((text(&launch), launch.run.engine.as_str()), (vec![], "TensorRT"));
}

#[test]
fn names_need_not_be_escaped() {
    let launch = TENSORRT.launch(&["8.0/profile.json"]);
    assert_eq!(names(&launch)[..2], [r#"Conv_0 "first" + Relu_1"#, r"a\q/Mul_2"]);
    assert!(names(&launch)[2].len() > 3000);
    assert_eq!(names(&launch)[3..], ["Add_3", "Add_3 (2)"]);
    let without_median = |mean| Some((mean, None));
    let expected = [5e5, 2.5e5, 2e6, 1.25e5, 62_500.0].map(without_median);
    assert_eq!(times(&launch), expected);
    let warnings = text(&launch);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("line 3") && warnings[0].contains("repaired"), "{warnings:?}");
    assert!(!launch.warnings[0].loss);
}

#[test]
fn profile_times_and_layers_become_one_launch_in_any_order() {
    let files = ["8.6/profile.json", "8.6/times.json", "8.6/layers.json"];
    let orders = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]];
    for order in orders {
        let launch = TENSORRT.launch(&order.map(|at| files[at]));
        assert_eq!((names(&launch), text(&launch)), (NAMES.to_vec(), vec![]));
        assert_means(&launch, 1.0);
        assert_eq!(launch.files.len(), 3);
        let types: Vec<&str> =
            launch.operators.iter().map(|operator| operator.operator_type.as_str()).collect();
        let convolution = "CaskConvolution";
        let expected =
            ["Reformat", convolution, convolution, "PointWiseV2", "TiledPooling", "NoOp", "Myelin"];
        assert_eq!(types, expected);
        assert_eq!(launch.iterations.len(), 40);
        let first = launch.iterations[0];
        assert_eq!((first.start.0, first.duration.0), (12_602_400, 511_328));
        assert_eq!((first.kind, first.index), (IterationKind::Measured, 0));
        let sum: u64 = launch.iterations.iter().map(|iteration| iteration.duration.0).sum();
        assert_eq!(sum, 18_460_939);
    }
}

#[test]
fn layer_information_has_shapes_types_kernels_and_weights() {
    let launch = TENSORRT.launch(&["8.6/layers.json"]);
    assert!(launch.averages.is_empty());
    let convolution = &launch.operators[2];
    assert_eq!(convolution.kernel.as_deref(), Some("sm80_xmma_fprop_implicit_gemm_i8"));
    assert_eq!(convolution.nodes, ["QuantizeLinear_20", "Conv_24", "Add_25", "Relu_26"]);
    let inputs: Vec<_> = convolution
        .inputs
        .iter()
        .map(|tensor| (tensor.name.as_str(), tensor.data_type, tensor.shape.clone().unwrap()))
        .collect();
    let int8 = Some(DataType::S8);
    let shape = vec![1, 32, 56, 56];
    assert_eq!(inputs, [("a", int8, shape.clone()), ("input'", int8, shape)]);
    assert_eq!(convolution.parameters, Some(9248));
    let weight = convolution.weight.as_ref().unwrap();
    assert_eq!((weight.matrix_shape().as_str(), weight.data_type), ("32x288", DataType::S8));
    let attributes =
        ["Groups", "Kernel", "ParameterType"].map(|key| convolution.attributes[key].as_str());
    assert_eq!(attributes, ["1", "[3,3]", "Convolution"]);
    let output = &launch.operators[6].outputs[0];
    assert_eq!((output.data_type, output.shape.clone()), (Some(DataType::Fp32), None));
}

#[test]
fn metadata_names_the_nodes_and_the_shape_profile_that_ran_is_kept() {
    let together = TENSORRT.launch(&["10.0/layers.json", "10.0/profile.json", "10.0/times.json"]);
    let mut expected = NAMES.map(|name| format!("{} [profile 1]", name.trim_end_matches(" (2)")));
    expected[5] += " (2)";
    assert_eq!(names(&together), expected);
    assert_means(&together, 2.0);
    assert!(together.operators[0].nodes.is_empty());
    let nodes = ["/head/Shape", "/head/Gather", "/head/Gemm", "/head/Softmax"];
    assert_eq!(together.operators[6].nodes, nodes);
    assert_eq!(text(&together).len(), 1);
    assert!(text(&together)[0].contains("7 layers are of profiles of shapes that did not run"));
    assert_eq!(TENSORRT.launch(&["10.0/layers.json"]).operators.len(), 14);
}

#[test]
fn names_alone_are_layer_information_too() {
    let together = TENSORRT.launch(&["8.2/layers.json", "8.2/times.json", "8.2/profile.json"]);
    assert_eq!(names(&together), NAMES);
    assert_means(&together, 1.0);
    assert_eq!(together.operators[3].nodes, ["Sigmoid_30", "Mul_31"]);
    assert_eq!(together.iterations.len(), 6);
    assert!(text(&together)[0].contains("warm-up"));
}

#[test]
fn several_profiles_are_several_launches() {
    let [profile, times, layers] =
        ["profile", "times", "layers"].map(|name| TENSORRT.bytes(&format!("8.6/{name}.json")));
    let launches = TENSORRT
        .read_all(&[
            ("p0", profile.clone()),
            ("t0", times.clone()),
            ("p1", profile.clone()),
            ("l", layers.clone()),
            ("t1", times.clone()),
        ])
        .unwrap();
    assert_eq!(launches.len(), 2);
    for (number, launch) in launches.iter().enumerate() {
        assert_eq!(launch.run.launch, number as u32);
        assert_eq!((launch.operators.len(), launch.iterations.len()), (7, 40));
        assert_eq!(launch.files[0], Path::new("l"));
        assert_eq!(launch.files[1], Path::new(["p0", "p1"][number]));
        assert_eq!(launch.files[2], Path::new(["t0", "t1"][number]));
    }
    for odd in [
        vec![("p0", profile.clone()), ("p1", profile.clone()), ("t0", times.clone())],
        vec![("p0", profile.clone()), ("t0", times.clone()), ("t1", times.clone())],
        vec![("p0", profile.clone()), ("l0", layers.clone()), ("l1", layers.clone())],
    ] {
        let error = TENSORRT.read_all(&odd).unwrap_err();
        assert!(matches!(error, ImportError::DifferentRecordings { .. }), "{error}");
        assert!(error.to_string().contains("p0") && error.to_string().contains("hint:"), "{error}");
    }
    let alone = TENSORRT.read_all(&[("t0", times.clone()), ("t1", times)]).unwrap();
    assert_eq!(alone.len(), 2);
}

#[test]
fn layers_of_another_engine_are_told() {
    let profile = br#"[ { "count" : 2 }, { "name" : "other", "timeMs" : 3 } ]"#.to_vec();
    let launches =
        TENSORRT.read_all(&[("p", profile), ("l", TENSORRT.bytes("8.6/layers.json"))]).unwrap();
    assert_eq!(launches[0].operators.len(), 8);
    // The average is missing: it follows from the sum.
    assert_eq!(times(&launches[0])[7], Some((1.5e6, None)));
    assert!(text(&launches[0])[0].contains("1 layer has no layer information"));
}

/// Every prefix is read or refused, and its whole records are kept.
#[test]
fn whole_records_before_a_cut_are_kept() {
    for (file, record) in [
        ("8.6/profile.json", "\"averageMs\""),
        ("8.6/times.json", "\"latencyMs\""),
        ("8.6/layers.json", "\"TacticValue\""),
        ("8.2/layers.json", "\n,"),
    ] {
        let whole = TENSORRT.bytes(file);
        let body = String::from_utf8(whole.clone()).unwrap();
        let body = body.split("\"Bindings\"").next().unwrap();
        for length in 0..whole.len() {
            let text = &body[..length.min(body.len())];
            let records = match file {
                "8.2/layers.json" => text.matches(record).count(),
                _ => text.rsplit_once('}').map_or(0, |(before, _)| before.matches(record).count()),
            };
            match TENSORRT.read_all(&[(file, whole[..length].to_vec())]) {
                Ok(launches) => {
                    let launch = &launches[0];
                    let read = launch.operators.len().max(launch.iterations.len());
                    assert!(read >= records && read <= records + 1, "{file} {length}: {read}");
                    let is_whole = length + 1 >= whole.len();
                    assert!(is_whole || launch.warnings.iter().any(|w| w.loss), "{file} {length}");
                }
                Err(error) => {
                    assert!(records == 0, "{file} {length}: {error}");
                    assert!(error.to_string().contains("expected"), "{error}");
                }
            }
        }
    }
}

#[test]
fn damage_is_counted_and_the_rest_is_read() {
    let profile = b"[ { \"count\" : 4 },, { \"name\" : \"a\xff\", \"averageMs\" : 1 }\n\
        , { \"name\" : \"nan\", \"timeMs\" : -nan, \"averageMs\" : nan }\n\
        , { \"name\" : \"negative\", \"averageMs\" : -1 }\n\
        , { \"name\" : \"huge\", \"averageMs\" : 1e300 }\n\
        , { \"name\" : 7, \"averageMs\" : 1 }\n\
        , { \"name\" : \"broken\", x }\n\
        , 12, { \"name\" : \"z\", \"averageMs\" : \"2\", }\n] rest"
        .to_vec();
    let launches = TENSORRT.read_all(&[("p", profile)]).unwrap();
    assert_eq!(names(&launches[0]), ["a\u{fffd}", "z"]);
    assert_eq!(times(&launches[0]), [Some((1e6, None)), Some((2e6, None))]);
    let warnings = text(&launches[0]).join("\n");
    for expected in [
        "line 6, byte 256: 1 layer could not be understood",
        "line 5, byte 201: 2 layers are not records",
        "line 2, byte 57: 3 layers have no usable time",
        "line 8, byte 305: there is more after the end",
        "line 1, byte 18: 2 layers were malformed",
        "line 1, byte 33: 1 text is not UTF-8",
    ] {
        assert!(warnings.contains(expected), "{expected}\n{warnings}");
    }
}

#[test]
fn what_is_something_else_is_refused() {
    for text in ["{}", "[]", "x", r#"[{"name":"a","ph":"X"}]"#, r#"{"Layers": []}"#] {
        let error = TENSORRT.read_all(&[("x", text.into())]).unwrap_err();
        assert!(matches!(error, ImportError::Unexpected { .. }), "{error}");
    }
    for text in ["[ { \"count\" : 3, \"n\" : 1 } ]", "{\"Layers\": 3}", r#"[{"name":"a"}]"#] {
        let mut source = Source::from_bytes("x", text.into()).unwrap();
        assert!(matches!(detect(&mut source), Err(ImportError::Unrecognized { .. })), "{text}");
    }
}

#[test]
fn an_iteration_takes_what_lies_between_its_ends() {
    let iteration = |start: f64, end: f64, own: f64| {
        format!(r#"{{"startComputeMs": {start}, "endComputeMs": {end}, "computeMs": {own}}}"#)
    };
    // Six digits of a time behind a minute leave a tenth of a millisecond.
    let fits = [iteration(1.0, 2.0, 1.0), iteration(100_002.0, 100_003.0, 1.0996)];
    let contradicts =
        [iteration(3.0, 4.0, 2.0), iteration(5.0, 4.0, 1.0), iteration(6.0, 7.0, 0.5)];
    let all = [&fits[..], &contradicts].concat();
    let text_of = format!("[\n {} ]\n", all.join("\n, "));
    let launches = TENSORRT.read_all(&[("times.json", text_of.into_bytes())]).unwrap();
    let durations: Vec<u64> = launches[0].iterations.iter().map(|own| own.duration.0).collect();
    assert_eq!(durations, [1_000_000, 1_099_600]);
    let warned = text(&launches[0]).join("; ");
    assert!(warned.contains("3 ") && warned.contains("computeMs"), "{warned}");
}
