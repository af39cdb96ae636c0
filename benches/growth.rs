//! What an event costs in traces of 10⁴, 10⁵ and 10⁶ of them, in every format and in shapes
//! that punish a reader which walks a list inside a walk: a cost that stays the same is one
//! that grows with the file, and no faster.
//!
//! `cargo bench --bench growth` reads each trace several times; the median counts. The last
//! column is the cost at the largest size over that at the smallest.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

use onnxray_import::{Options, Source, detect};
use std::fmt::Write;
use std::time::{Duration, Instant};

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
const ROUNDS: usize = 3;

type Shape = (&'static str, fn(usize) -> String);

const SHAPES: &[Shape] = &[
    ("Chrome trace", |n| events(n, "[", |i| event("op", i, i, 1, 1), "]")),
    ("Chrome trace, every name another", |n| {
        events(n, "[", |i| event(&format!("op{i}"), i, i, 1, 1), "]")
    }),
    ("Chrome trace, one long step around short ones", |n| {
        let step = |i: usize| match i % 2 {
            0 => step(i / 2, i, 1),
            _ => event("op", i, i, 1, 2),
        };
        let long = step_of(0, 0, 10 * n);
        events(n, &format!("[{long},"), step, "]")
    }),
    ("Chrome trace, damaged everywhere", |n| {
        events(n, "[", |i| event("op", i, i, 1, 1).replace(":1,", ":1 "), "]")
    }),
    ("Chrome trace, braces only", |n| {
        let head = format!("[{},", event("op", 0, 0, 1, 1));
        events(n, &head, |_| "{x}".to_string(), "]")
    }),
    ("Chrome trace, one event of commas and blanks", |n| {
        let head = format!("[{},{{\"name\":[", event("op", 0, 0, 1, 1));
        events(n, &head, |_| " ".repeat(4), "}]")
    }),
    ("ONNX Runtime", |n| {
        let node = |i: usize| {
            format!(
                "{{\"cat\" : \"Node\",\"pid\" :1,\"tid\" :1,\"dur\" :1,\"ts\" :{i},\"ph\" : \"X\",\
                 \"name\" :\"n{}_kernel_time\",\"args\" : {{\"op_name\" : \"Add\"}}}}",
                i % 100
            )
        };
        events(n, "[", node, "]")
    }),
    ("PyTorch", |n| {
        let call = |i: usize| event("aten::add", i, i, 1, 1).replace("\"c\"", "\"cpu_op\"");
        events(n, "{\"schemaVersion\":1,\"traceEvents\":[", call, "]}")
    }),
    ("TensorRT, profile", |n| {
        let layer =
            |i: usize| format!("{{ \"name\" : \"l{i}\", \"timeMs\" : 1, \"averageMs\" : 0.1 }}");
        events(n, "[{ \"count\" : 10 },", layer, "]")
    }),
    ("TensorRT, profile, one name", |n| {
        let layer = |_| "{ \"name\" : \"l\", \"timeMs\" : 1, \"averageMs\" : 0.1 }".to_string();
        events(n, "[{ \"count\" : 10 },", layer, "]")
    }),
    ("TensorRT, layers, braces only", |n| {
        events(n, "{\"Layers\":[\"a\",", |_| "{x}".to_string(), "]}")
    }),
    ("OpenVINO, counters", |n| {
        let line = |i: usize| format!("l{i};EXECUTED;Add;jit;0.1;0.1");
        let head = "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)\n";
        lines(n, head, line, &format!("Total;;;;{};1\n", n as f64 * 0.1))
    }),
    ("OpenVINO, graph", |n| {
        let layer = |i: usize| {
            format!(
                "<layer id=\"{i}\" name=\"l{i}\" type=\"Add\"><data execTimeMcs=\"1\"/></layer>"
            )
        };
        lines(n, "<net name=\"n\">\n<layers>\n", layer, "</layers>\n</net>\n")
    }),
    ("TensorFlow Lite", |n| {
        lines(n, TFLITE, |i| format!("ADD, 1, 1, 1%, 1%, 0, 1, [n{i}]:{i}"), "\n")
    }),
    ("TensorFlow Lite, delegates and what ran inside", |n| {
        let row = |i: usize| match i % 2 {
            0 => format!("TfLiteDelegate, 1, 1, 1%, 1%, 0, 1, [n{i}]:{i}"),
            _ => format!("DelegateOpInvoke, 1, 1, 1%, 1%, 0, 1, Delegate/Add:{i}"),
        };
        lines(n, TFLITE, row, "\n")
    }),
    ("Neural Engine", |n| {
        lines(
            n / 2,
            NEURAL_ENGINE,
            |i| format!("Abs,,n{i},x,1,fp32,y,1,fp32,,,,0.003,,,0.003"),
            ",,,,,,,,,,,total latency(ms),1,,\n",
        )
    }),
    ("tract", |n| {
        let node = |i: usize| {
            format!(
                "{{\"qualified_id\":[[],{i}],\"op_name\":\"Add\",\"node_name\":\"n{i}\",\
                 \"secs_per_iter\":1e-6}}"
            )
        };
        events(n, "{\"nodes\":[", node, "],\"profiling_info\":{\"iterations\":1}}")
    }),
];

const TFLITE: &str = "Operator-wise Profiling Info for Regular Benchmark Runs:\n\
    ============================== Run Order ==============================\n\
    node type, first, avg_ms, %, cdf%, mem KB, times called, name\n";

const NEURAL_ENGINE: &str = "operator type,post op,operator name,input tensor name,input shape,\
    input dtype,output tensor name,output shape,output dtype,weight shape,weight sparse ratio,\
    sparse support,operator latency (ms),aim to weight sparse ratio,sparse kernel pref ratio,\
    aim to sparse latency(ms)\n";

fn events(count: usize, head: &str, event: impl Fn(usize) -> String, tail: &str) -> String {
    joined(count, head, event, ",\n", tail)
}

fn lines(count: usize, head: &str, line: impl Fn(usize) -> String, tail: &str) -> String {
    joined(count, head, line, "\n", &format!("\n{tail}"))
}

fn joined(
    count: usize,
    head: &str,
    record: impl Fn(usize) -> String,
    between: &str,
    tail: &str,
) -> String {
    let mut text = head.to_string();
    for number in 0..count {
        let between = if number == 0 { "" } else { between };
        write!(text, "{between}{}", record(number)).unwrap();
    }
    text + tail
}

fn event(name: &str, number: usize, start: usize, duration: usize, thread: u32) -> String {
    format!(
        "{{\"ph\":\"X\",\"cat\":\"c\",\"name\":\"{name}\",\"ts\":{start},\"dur\":{duration},\
         \"pid\":1,\"tid\":{thread},\"args\":{{\"n\":{number}}}}}"
    )
}

fn step(number: usize, start: usize, thread: u32) -> String {
    event(&format!("step {number}"), number, start, 1, thread).replace("\"c\"", "\"s\"")
}

fn step_of(number: usize, start: usize, duration: usize) -> String {
    event(&format!("step {number}"), number, start, duration, 3).replace("\"c\"", "\"s\"")
}

fn read(text: &str) -> Duration {
    let begun = Instant::now();
    let mut source = Source::from_bytes("trace", text.as_bytes().to_vec()).unwrap();
    let importer = detect(&mut source).unwrap();
    // What is damaged everywhere may hold nothing: an error is an answer.
    drop(importer.read(vec![source], &Options::default()));
    begun.elapsed()
}

fn main() {
    println!("{:50} {:>9} {:>9} {:>9}  growth", "nanoseconds per event", "10⁴", "10⁵", "10⁶");
    for (name, text) in SHAPES {
        let costs: Vec<f64> = SIZES
            .iter()
            .map(|&size| {
                let text = text(size);
                let mut times: Vec<Duration> = (0..ROUNDS).map(|_| read(&text)).collect();
                times.sort_unstable();
                times[ROUNDS / 2].as_nanos() as f64 / size as f64
            })
            .collect();
        let [small, middle, large] = costs[..] else { continue };
        println!("{name:50} {small:9.0} {middle:9.0} {large:9.0}  {:.1} x", large / small);
    }
}
