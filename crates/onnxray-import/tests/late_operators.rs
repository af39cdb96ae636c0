//! Recordings whose engine gives operators up some iterations late.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_format::{
    FORMAT_VERSION, Iteration, IterationKind, Nanoseconds, Operator, OperatorArguments, Run, Span,
    TraceWriter,
};
use onnxray_import::formats::onnxray::IMPORTER;
use onnxray_import::{Options, Source};

#[test]
fn iterations_whose_operators_never_came_are_left_out() {
    let span = |start| Span {
        operator: 0,
        worker: 0,
        start: Nanoseconds(start),
        duration: Nanoseconds(10),
    };
    let operators = [Operator { name: "n".to_string(), ..Operator::default() }];
    let written = |operators_late| {
        let run = Run { format_version: FORMAT_VERSION, operators_late, ..Run::default() };
        let arguments = OperatorArguments::WhenChanged;
        let mut writer = TraceWriter::new(Vec::new(), &run, &operators, arguments);
        for index in 0..4 {
            let (start, kind) = match index {
                0 => (10, IterationKind::Measured),
                1 => (110, IterationKind::Unprofiled),
                _ => (u64::from(index) * 100 + 10, IterationKind::Measured),
            };
            let (start, duration) = (Nanoseconds(start), Nanoseconds(50));
            let iteration = Iteration { index, kind, start, duration, step: None };
            writer.write_iteration(&iteration, &[]).unwrap();
        }
        // Late, and of the first and the last one only.
        writer.write_spans(&[span(20), Span { worker: 1, ..span(320) }]).unwrap();
        let bytes = writer.finish().unwrap();
        let source = Source::from_bytes("trace.json", bytes).unwrap();
        IMPORTER.read(vec![source], &Options::default()).unwrap().remove(0)
    };
    let late = written(true);
    let indices: Vec<u32> = late.iterations.iter().map(|iteration| iteration.index).collect();
    assert_eq!(indices, [0, 1, 3]);
    let spans: Vec<(u32, u64)> = late.events.chunks[0]
        .iteration
        .iter()
        .copied()
        .zip(late.events.chunks[0].start.iter().copied())
        .collect();
    assert_eq!(spans, [(0, 20), (2, 320)], "each in its own iteration");
    let threads: Vec<&str> =
        late.events.threads.iter().map(|thread| thread.thread_name.as_str()).collect();
    assert!(threads.contains(&"worker 1"), "{threads:?}");
    assert_eq!(late.warnings.len(), 1, "{:?}", late.warnings);
    assert!(late.warnings[0].loss && late.warnings[0].message.contains("operators are missing"));
    // An engine that has them at once has run none.
    let at_once = written(false);
    assert_eq!((at_once.iterations.len(), at_once.warnings.len()), (4, 0));
}
