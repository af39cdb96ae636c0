//! PyTorch's traces: of the host as torch.profiler wrote them, of devices as
//! Kineto would have.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod executions;

use executions::{agrees_with, fixture, losses, read, read_bytes, summary};
use onnxray_format::{Iteration, Operator};
use onnxray_import::formats::kineto::IMPORTER;
use onnxray_import::{Launch, NO_ITERATION, Options, Source, Thread};

const FIXTURES: [&str; 9] = [
    "pytorch/2.5.1/steps.json",
    "pytorch/2.5.1/steps.pt.trace.json.gz",
    "pytorch/2.5.1/whole.json",
    "pytorch/2.5.1/stack.json.gz",
    "pytorch/2.5.1/cuda.json",
    "pytorch/2.5.1/rocm.json",
    "pytorch/2.5.1/accelerator.json",
    "pytorch/2.5.1/server.json",
    "pytorch/1.8.1/old.json",
];

#[test]
fn a_plain_reader_agrees() {
    agrees_with("pytorch.py", &IMPORTER, &FIXTURES);
}

fn of(name: &str) -> Launch {
    let (format, launch) = read(&fixture(name));
    assert_eq!(format, IMPORTER.format);
    launch
}

/// Name, type, executions and own time of each operator.
fn operators(launch: &Launch) -> Vec<(String, String, u64, i64)> {
    let summary = summary(launch);
    let figures = |operator: &Operator| {
        let figures = &summary["operators"][&operator.name];
        let own = figures["exclusive_ns"].as_i64().unwrap();
        let executions = figures["executions"].as_u64().unwrap();
        (operator.name.clone(), operator.operator_type.clone(), executions, own)
    };
    launch.operators.iter().map(figures).collect()
}

fn find<'a>(launch: &'a Launch, name: &str) -> &'a Operator {
    launch.operators.iter().find(|operator| operator.name == name).unwrap()
}

/// Index, start and duration of each iteration.
fn iterations(launch: &Launch) -> Vec<(u32, u64, u64)> {
    let plain = |i: &Iteration| (i.index, i.start.0, i.duration.0);
    launch.iterations.iter().map(plain).collect()
}

fn thread(process: &str, thread: &str) -> Thread {
    Thread { process: process.to_string(), thread: thread.to_string(), ..Thread::default() }
}

fn notes(launch: &Launch) -> Vec<&str> {
    launch.warnings.iter().chain(&launch.ignored).map(|warning| warning.message.as_str()).collect()
}

#[test]
fn steps_of_the_host() {
    let launch = of("pytorch/2.5.1/steps.json");
    assert_eq!(launch.run.engine, "PyTorch");
    assert_eq!(launch.run.producer, "PyTorch profiler (Kineto), schema 1");
    assert_eq!(launch.run.engine_version, "");
    // Of 5 steps the first two were not recorded.
    let indexes: Vec<u32> = launch.iterations.iter().map(|i| i.index).collect();
    assert_eq!(indexes, [2, 3, 4]);
    assert_eq!(launch.iterations[0].start.0, 0);
    assert_eq!((launch.operators.len(), launch.events.len()), (19, 66));
    assert_eq!(launch.events.threads.len(), 1);
    let conv = find(&launch, "aten::conv2d");
    assert_eq!(conv.operator_type, "aten::conv2d");
    assert!(conv.inputs.is_empty() && conv.kernel.is_none() && conv.nodes.is_empty());
    for iteration in 0..3 {
        let executions = executions::executions(&launch);
        let count = executions.iter().filter(|&&(_, of, ..)| of == iteration).count();
        assert_eq!(count, 22);
    }
    assert_eq!(notes(&launch), ["ignored 8 metadata events, 2 instants, 1 marks of the profiler"]);
}

#[test]
fn a_trace_without_steps_has_no_iterations() {
    let launch = of("pytorch/2.5.1/whole.json");
    assert!(launch.iterations.is_empty());
    assert_eq!(launch.events.len(), 22);
    assert!(executions::executions(&launch).iter().all(|&(_, of, ..)| of == NO_ITERATION));
    // The first event is the launch's zero.
    let first = executions::executions(&launch).iter().map(|&(_, _, _, start, _)| start).min();
    assert_eq!(first, Some(0));
}

#[test]
fn training_in_a_compressed_trace() {
    let launch = of("pytorch/2.5.1/steps.pt.trace.json.gz");
    assert_eq!((launch.iterations.len(), launch.events.len()), (2, 226));
    let backward = "autograd::engine::evaluate_function: AddmmBackward0";
    assert_eq!(find(&launch, backward).operator_type, "autograd::engine::evaluate_function");
}

#[test]
fn a_name_that_torch_did_not_escape_costs_nothing() {
    let launch = of("pytorch/2.5.1/stack.json.gz");
    assert_eq!((losses(&launch).len(), launch.events.len()), (0, 22));
    assert_eq!(
        notes(&launch),
        [
            "1 event was malformed and was repaired; the first: expected a comma or the \
             end of the object",
            "ignored 134 Python functions, 14 instants, 8 metadata events, 1 \
             annotations, 1 marks of the profiler",
        ]
    );
}

#[test]
fn kernels_and_copies_of_a_device() {
    let launch = of("pytorch/2.5.1/cuda.json");
    let gemm = "void gemm<float, 128>(int, float const*)::{lambda(int)#1}";
    let add = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >(int)";
    let (gemm, add) = (format!("{gemm} (aten::mm)"), format!("{add} (aten::add.Tensor)"));
    let backward = "autograd::engine::evaluate_function: MmBackward0";
    let expected = [
        ("aten::mm", "aten::mm", 2, 188_956),
        ("aten::empty", "aten::empty", 2, 10_250),
        ("cudaLaunchKernel", "cuda_runtime", 6, 123_000),
        ("aten::add.Tensor", "aten::add", 2, 199_208),
        ("triton_fused_0", "triton_fused_0", 2, 199_210),
        ("aten::copy_", "aten::copy_", 2, 14_000),
        ("cudaMemcpyAsync", "cuda_runtime", 2, 30_000),
        (backward, "autograd::engine::evaluate_function", 2, 20_250),
        ("MmBackward0", "MmBackward0", 2, 40_250),
        ("cudaDeviceSynchronize", "cuda_runtime", 2, 30_000),
        (&gemm, "kernel", 2, 403_984),
        (&add, "kernel", 2, 413_388),
        ("triton_fused_0 (triton_fused_0)", "kernel", 2, 410_764),
        ("Memcpy HtoD (Pageable -> Device) (aten::copy_)", "gpu_memcpy", 2, 12_000),
        ("Memset (Device) (aten::copy_)", "gpu_memset", 2, 2_000),
    ];
    let expected =
        expected.map(|(name, kind, count, own)| (name.to_string(), kind.to_string(), count, own));
    assert_eq!(operators(&launch), expected);
    let fused = find(&launch, "triton_fused_0 (triton_fused_0)");
    assert_eq!(fused.kernel.as_deref(), Some("triton_fused_0"));
    let launcher = find(&launch, "triton_fused_0");
    assert_eq!((fused.device, fused.parent), (true, Some(launcher.number)));
    assert!(!launcher.device && launcher.parent.is_none());
    assert_eq!(find(&launch, "triton_fused_0").kernel, None);
    // Annotations of the device are not steps.
    assert_eq!(iterations(&launch), [(7, 0, 950_500), (8, 1_000_000, 950_500)]);
    let ids = launch.events.threads.iter().map(|t| thread(&t.process, &t.thread));
    assert_eq!(
        ids.collect::<Vec<_>>(),
        [thread("4000", "4000"), thread("0", "7"), thread("0", "20"), thread("4000", "4055")]
    );
    let host = &launch.events.threads[0];
    assert_eq!(
        (&*host.process_name, &*host.thread_name),
        ("python3 (CPU)", "thread 4000 (python3)")
    );
    let per_step =
        |step| executions::executions(&launch).iter().filter(|&&(_, of, ..)| of == step).count();
    assert_eq!((per_step(0), per_step(1), per_step(NO_ITERATION)), (17, 17, 0));
    assert_eq!(
        notes(&launch),
        ["ignored 6 metadata events, 2 annotations of devices, 2 instants, 2 \
          waits of streams, 1 Python functions, 1 annotations, 1 marks of the profiler, 1 \
          overheads of the profiler"]
    );
}

#[test]
fn figures_of_a_device() {
    let launch = of("pytorch/2.5.1/cuda.json");
    let keys: Vec<&str> = launch.events.figures.iter().map(|figure| figure.key).collect();
    assert_eq!(
        keys,
        ["transfer_bytes", "occupancy_percent", "registers_per_thread", "shared_memory_bytes"]
    );
    let chunk = &launch.events.chunks[0];
    let of_operator = |name: &str, figure: usize| -> Vec<Option<i64>> {
        let number = find(&launch, name).number;
        let rows = (0..chunk.len()).filter(|&row| chunk.operator[row] == number);
        rows.map(|row| chunk.figures[figure].get(row)).collect()
    };
    assert_eq!(of_operator("Memset (Device) (aten::copy_)", 0), [Some(16), Some(16)]);
    let copies = of_operator("Memcpy HtoD (Pageable -> Device) (aten::copy_)", 0);
    assert_eq!(copies, [Some(1_802_247), Some(1_802_248)]);
    assert_eq!(of_operator("triton_fused_0 (triton_fused_0)", 1), [Some(63), Some(63)]);
    assert_eq!(of_operator("triton_fused_0 (triton_fused_0)", 2), [Some(16), Some(16)]);
    assert_eq!(of_operator("aten::mm", 1), [None, None]);
}

#[test]
fn launches_are_numbered_by_rank_if_all_have_one() {
    let number = |names: &[&str]| -> Vec<u32> {
        let open = |name: &&str| Source::open(&fixture(name)).unwrap();
        let sources = names.iter().map(open).collect();
        let launches = IMPORTER.read(sources, &Options::default()).unwrap();
        launches.iter().map(|launch| launch.run.launch).collect()
    };
    let (ranked, unranked) = ("pytorch/2.5.1/cuda.json", "pytorch/2.5.1/rocm.json");
    assert_eq!(number(&[ranked]), [1]);
    assert_eq!(number(&[ranked, unranked]), [0, 1]);
    assert_eq!(number(&[ranked, ranked]), [0, 1]);
}

#[test]
fn another_vendor() {
    let launch = of("pytorch/2.5.1/rocm.json");
    let expected = [
        ("aten::addmm", "aten::addmm", 4, 759_190),
        ("hipLaunchKernel", "cuda_runtime", 4, 240_816),
        ("hipMemcpyWithStream", "cuda_runtime", 4, 200_000),
        ("aten::zeros", "aten::zeros", 1, 7_000),
        ("Cijk_Ailk_Bljk_SB_MT64x64x16 (aten::addmm)", "kernel", 4, 133_332),
        ("Memcpy HtoD (Host -> Device) (aten::addmm)", "gpu_memcpy", 4, 89_764),
    ];
    let expected =
        expected.map(|(name, kind, count, own)| (name.to_string(), kind.to_string(), count, own));
    assert_eq!(operators(&launch), expected);
    assert_eq!(iterations(&launch), [(1, 0, 2_000_000)]);
    // The host's addresses and sizes of copies are not figures.
    assert!(launch.events.figures.is_empty());
    assert!(
        notes(&launch).contains(&"1 event is in no step; the figures are without its 0.007 ms")
    );
}

/// Executions on devices and their time in each iteration, without what lies in no iteration.
fn on_devices(launch: &Launch) -> Vec<(usize, u64)> {
    let mut sums = vec![(0, 0); launch.iterations.len()];
    for chunk in &launch.events.chunks {
        for row in 0..chunk.len() {
            let operator = &launch.operators[chunk.operator[row] as usize];
            if let (true, Some(sum)) =
                (operator.device, sums.get_mut(chunk.iteration[row] as usize))
            {
                *sum = (sum.0 + 1, sum.1 + chunk.duration[row]);
            }
        }
    }
    sums
}

#[test]
fn a_device_that_no_category_tells_of() {
    let launch = of("pytorch/2.5.1/accelerator.json");
    let devices: Vec<&str> =
        launch.operators.iter().filter(|o| o.device).map(|o| o.name.as_str()).collect();
    assert_eq!(devices, ["gemm (aten::mm)", "to host"]);
    assert_eq!(find(&launch, "gemm (aten::mm)").parent, Some(find(&launch, "aten::mm").number));
    // Three kernels of 150, 200 (as far as the next one begins) and 150 µs were launched in each
    // step; of the copies, of which nobody knows who launched them, one and two begin in it.
    assert_eq!(on_devices(&launch), [(4, 510_000), (5, 520_000)]);
    assert_eq!(
        notes(&launch),
        [
            "2 kernels hold later ones of their own streams, and count up to the next one only: \
             9.600 ms less",
            "3 events are in no step; the figures are without their 0.030 ms of devices",
            "ignored 3 metadata events",
        ]
    );
}

fn read_with(text: &str, marks: Option<&str>) -> Launch {
    let source = Source::from_bytes("x.json", text.as_bytes().to_vec()).unwrap();
    let marks = marks.map(onnxray_import::MarkPattern::new);
    let options = Options { iteration_marks: marks, ..Options::default() };
    IMPORTER.read(vec![source], &options).unwrap().remove(0)
}

#[test]
fn a_step_in_which_nothing_ran_is_in_no_mean() {
    let step = |number: u32, start: u32, duration: u32| {
        format!(
            r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{number}","pid":1,"tid":1,"ts":{start},"dur":{duration}}},"#
        )
    };
    let add = |start: u32| {
        format!(
            r#"{{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":{start},"dur":5}},"#
        )
    };
    let trace = |events: &str| format!(r#"{{"traceEvents":[{}]}}"#, events.trim_end_matches(','));
    let events = [step(3, 0, 100), add(10), step(4, 100, 10), step(5, 200, 90), add(210)].concat();
    let launch = read_with(&trace(&events), None);
    assert_eq!(iterations(&launch), [(3, 0, 100_000), (5, 200_000, 90_000)]);
    assert_eq!(launch.events.chunks[0].iteration, [0, 1]);
    let note = "1 of 3 steps is left out, since nothing ran in it";
    assert!(notes(&launch).contains(&note), "{:?}", notes(&launch));
    // If nothing ran in any, they are all that is known.
    let launch = read_with(&trace(&[step(3, 0, 100), step(4, 100, 10), add(400)].concat()), None);
    assert_eq!(launch.iterations.len(), 2);
    assert_eq!(launch.events.chunks[0].iteration, [NO_ITERATION]);
}

#[test]
fn annotations_of_a_server_are_iterations() {
    let launch = of("pytorch/2.5.1/server.json");
    let steps: Vec<_> = (0..4).map(|step| (step, u64::from(step) * 1_000_000, 900_000)).collect();
    assert_eq!(iterations(&launch), steps);
    assert_eq!(
        notes(&launch)[0],
        "the 4 annotations of SGLang that begin with \"step[\" are read as iterations; \
         `--iteration-marks PATTERN` names others"
    );
    let text = std::fs::read_to_string(fixture("pytorch/2.5.1/server.json")).unwrap();
    let count = |marks| read_with(&text, Some(marks)).iterations.len();
    assert_eq!((count("step[DECODE*"), count("*bs=3?*"), count("*bs=3*")), (4, 0, 3));
    assert_eq!((count("sample"), count("aten::mm"), count("*")), (4, 4, 5));
    let unknown = read_with(&text.replace("step[", "batch ["), None);
    assert!(unknown.iterations.is_empty());
    assert!(notes(&unknown)[0].starts_with(
        "no steps are marked; `--iteration-marks PATTERN` takes annotations for iterations: \
         \"sample\" (4), "
    ));
    let none = read_with(&text, Some("decode*"));
    assert!(none.iterations.is_empty());
    assert_eq!(
        notes(&none)[0],
        "no annotation is called \"decode*\", which is to mark iterations; there are \
         \"sample\" (4), \"get_next_batch\" (1), \"step[DECODE bs=29]\" (1), \"step[DECODE \
         bs=30]\" (1), \"step[DECODE bs=31]\" (1) and 1 other"
    );
}

/// Kernels of makers whose categories are not known, beside what a call on the host says.
#[test]
fn what_was_launched_ran_on_a_device() {
    let event = |category: &str, name: &str, pid: u32, tid: u32, start: u32, arguments: &str| {
        format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{pid},"tid":{tid},"ts":{start},"dur":50,"args":{{{arguments}}}}}"#
        )
    };
    let correlation = r#""correlation":1"#;
    let device_of = |call: &str, kernel: &str, pid: u32, linked: &str| {
        let events = [
            event("cpu_op", "aten::mm", 9, 9, 0, ""),
            event(call, "launch", 9, 9, 10, linked),
            event(kernel, "gemm", pid, 7, 500, linked),
        ];
        let launch = read_with(&format!("{{\"traceEvents\":[{}]}}", events.join(",")), None);
        let found = launch.operators.iter().find(|operator| operator.device);
        found.map(|operator| operator.name.clone())
    };
    let by_mm = Some("gemm (aten::mm)".to_string());
    for (call, kernel) in [
        ("cuda_runtime", "kernel"),
        ("mtia_runtime", "mtia_ccp_events"),
        ("privateuse1_runtime", "privateuse1_kernel"),
        ("privateuse1_driver", "gpu_memcpy"),
        ("hpu_op", "kernel"),
        ("hpu_op", "hpu_kernel"),
        ("vendor_call", "vendor_kernel"),
    ] {
        assert_eq!(device_of(call, kernel, 0, correlation), by_mm, "{kernel}");
        // Its process says so, too; who launched it, nothing does.
        assert_eq!(device_of(call, kernel, 0, "").as_deref(), Some("gemm"), "{kernel}");
    }
    // A stream in the process of the host.
    assert_eq!(device_of("mtia_runtime", "mtia_ccp_events", 9, correlation), by_mm);
    assert_eq!(device_of("mtia_runtime", "vendor_check", 9, ""), None);
}

#[test]
fn an_old_version() {
    let launch = of("pytorch/1.8.1/old.json");
    let expected = [
        ("aten::conv2d", "aten::conv2d", 3, 60_000),
        ("aten::convolution", "aten::convolution", 3, 720_000),
        ("cudaLaunchKernel", "cuda_runtime", 3, 120_000),
        ("my \"own\" operator", "my \"own\" operator", 1, 50_000),
        (
            "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
            "enumerate(DataLoader)",
            1,
            70_000,
        ),
        // Without a correlation nobody is known to have launched them.
        ("implicit_convolve_sgemm", "kernel", 3, 453_000),
        ("Memcpy DtoH (Device -> Pageable)", "gpu_memcpy", 3, 15_000),
    ];
    let expected =
        expected.map(|(name, kind, count, own)| (name.to_string(), kind.to_string(), count, own));
    assert_eq!(operators(&launch), expected);
    let steps = [(0, 0, 900_000), (1, 1_000_000, 900_000), (2, 2_000_000, 900_000)];
    assert_eq!(iterations(&launch), steps);
}

/// Whole events before a cut are read, wherever it is.
#[test]
fn a_trace_cut_anywhere_keeps_its_whole_events() {
    let bytes = std::fs::read(fixture("pytorch/2.5.1/steps.json")).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let ends: Vec<usize> = text
        .match_indices("\n  }")
        .map(|(at, _)| at + 4)
        .filter(|&end| {
            let begin = text[..end].rfind("\n  {").unwrap();
            text[begin..end].contains("\"cat\": \"cpu_op\"")
        })
        .collect();
    assert_eq!(ends.len(), 66);
    let begin = text.find("\"traceEvents\": [").unwrap() + "\"traceEvents\": [".len();
    for cut in (0..bytes.len()).step_by(61) {
        let Some(launch) = read_bytes(&IMPORTER, &bytes[..cut]) else {
            assert!(cut < begin, "{cut}");
            continue;
        };
        assert_eq!(launch.events.len(), ends.iter().filter(|&&end| end <= cut).count(), "{cut}");
        assert_eq!(losses(&launch).len(), 1, "{cut}");
    }
}

/// No damage makes the reader panic.
#[test]
fn damaged_anywhere() {
    for name in ["pytorch/2.5.1/cuda.json", "pytorch/1.8.1/old.json"] {
        let bytes = std::fs::read(fixture(name)).unwrap();
        executions::damage(&bytes, |damaged| {
            read_bytes(&IMPORTER, damaged);
        });
    }
}
