//! Single executions and histograms: nothing is lost in them, whatever the trace.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_analyzer::statistics::{BINS, Details, NotShown, Reason, Spans, Stretch, Summary};
use onnxray_analyzer::{Needs, Trace, examine, exclusive_times};
use onnxray_format::{Iteration, IterationKind, Nanoseconds, Operator};
use onnxray_import::{EventChunk, Events, Launch, NO_ITERATION, Reading, Thread, import};
use onnxray_report::{Block, Document, RecordingReport, Report, write_json};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Traces among the fixtures that read on their own and have a summary.
fn fixtures() -> Vec<(PathBuf, Trace, Summary, Details)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut folders = vec![root];
    let mut read = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(launches) = import(std::slice::from_ref(&path), &Reading::default()) {
                let trace = Trace::new(launches);
                let Ok(examined) = examine(&trace, Needs::Measured) else { continue };
                let (details, summary) = (examined.details(), examined.summary);
                read.push((path, trace, summary, details));
            }
        }
    }
    assert!(read.len() > 20);
    read
}

fn sum(times: &[Nanoseconds]) -> Nanoseconds {
    times.iter().copied().sum()
}

#[test]
fn executions_of_an_iteration_and_its_overhead_are_its_latency() {
    let mut serial = 0;
    for (path, _, summary, details) in fixtures() {
        // What runs on a device is on a clock of its own.
        if summary.model.device.is_some() {
            continue;
        }
        for Stretch { iteration, spans, .. } in &details.stretches {
            let Some(row) = *iteration else { continue };
            let iteration = &summary.iterations[row];
            let (Some(operators), Some(concurrent)) = (iteration.operators, iteration.concurrent)
            else {
                panic!("{}: an iteration without operators is shown", path.display())
            };
            assert_eq!(sum(&spans.exclusive), operators, "{}", path.display());
            if let Some(overhead) = iteration.overhead
                && concurrent == Nanoseconds(0)
            {
                serial += 1;
                // Unknown of other runtimes.
                let profiling = iteration.profiling.unwrap_or(Nanoseconds(0));
                let parts = sum(&spans.exclusive) + profiling + overhead;
                assert_eq!(parts, iteration.latency, "{}", path.display());
            }
        }
    }
    assert!(serial > 20);
}

/// Rows of one thread and depth, from left to right.
fn rows(spans: &Spans) -> BTreeMap<(u32, u32), Vec<(u64, u64)>> {
    let mut rows: BTreeMap<(u32, u32), Vec<(u64, u64)>> = BTreeMap::new();
    for span in 0..spans.start.len() {
        let (start, duration) = (spans.start[span].0, spans.duration[span].0);
        let row = rows.entry((spans.thread[span], spans.depth[span])).or_default();
        row.push((start, start + duration));
    }
    rows.values_mut().for_each(|row| row.sort_unstable());
    rows
}

#[test]
fn executions_of_a_thread_lie_in_those_above_them() {
    let mut inside = 0;
    for (path, _, summary, details) in fixtures() {
        // Of clocks that step back, a caveat tells.
        let overlaps = summary.caveats.iter().any(|caveat| caveat.contains("without lying inside"));
        for stretch in &details.stretches {
            let rows = rows(&stretch.spans);
            for (&(thread, depth), row) in &rows {
                let apart = row.windows(2).all(|pair| pair[0].1 <= pair[1].0);
                assert!(apart, "{}: thread {thread}, depth {depth}", path.display());
                let Some(above) = depth.checked_sub(1) else { continue };
                for &(start, end) in row.iter().filter(|_| !overlaps) {
                    inside += 1;
                    let holds = rows[&(thread, above)].iter().any(|&(s, e)| s <= start && end <= e);
                    assert!(holds, "{}: thread {thread}, {start} to {end}", path.display());
                }
            }
        }
    }
    assert!(inside > 0);
}

#[test]
fn histograms_equal_counting_in_the_frame() {
    let mut counted = 0;
    for (path, trace, summary, details) in fixtures() {
        assert_eq!(details.histograms.len(), summary.operators.len());
        // The frame has what runs on a device as well.
        if summary.model.device.is_some() {
            continue;
        }
        let times = times_by_operator(&trace);
        for (operator, histogram) in summary.operators.iter().zip(&details.histograms) {
            let name = format!("{}: {}", path.display(), operator.operator.name);
            let times = times.get(&operator.operator.number);
            let Some(histogram) = histogram else {
                assert!(operator.time.is_none(), "{name}");
                continue;
            };
            let times = times.unwrap_or_else(|| panic!("{name}"));
            let (low, longest) = (*times.iter().min().unwrap(), *times.iter().max().unwrap());
            // None of the 40 bins is finer than the clock.
            let step = if times.iter().all(|time| (time - low) % 1000 == 0) { 1000 } else { 1 };
            let high = if longest == low { low } else { longest.max(low + 40 * step) };
            assert_eq!((histogram.low.0, histogram.high.0), (low, high), "{name}");
            let known = operator.time.unwrap();
            let total: u64 = histogram.counts.iter().map(|&count| u64::from(count)).sum();
            assert_eq!((total, times.len() as u64), (known.count, known.count), "{name}");
            for (bin, &count) in histogram.counts.iter().enumerate() {
                let is_inside = |time: u64| {
                    let place = u128::from(time - low) * 40;
                    let (bin, width) = (bin as u128, u128::from(high - low));
                    let last = bin == 39 && time == high && width > 0;
                    last || match width {
                        0 => bin == 0,
                        _ => bin * width <= place && place < (bin + 1) * width,
                    }
                };
                let expected = times.iter().filter(|&&time| is_inside(time)).count();
                assert_eq!(count as usize, expected, "{name}, bin {bin}");
                counted += expected;
            }
        }
    }
    assert!(counted > 1000);
}

/// Exclusive times in each measured iteration, by operator: from the events alone.
fn times_by_operator(trace: &Trace) -> BTreeMap<u32, Vec<u64>> {
    let (events, times) = (&trace.events, exclusive_times(trace));
    let is_measured = |iteration: &Iteration| iteration.kind == IterationKind::Measured;
    let iterations = trace.iterations.iter().filter(|(_, iteration)| is_measured(iteration));
    let measured: Vec<(u32, u32)> = iterations.map(|(place, _)| place).collect();
    let mut sums: BTreeMap<(u32, u32, u32), u64> = BTreeMap::new();
    for (event, time) in times.into_iter().enumerate() {
        let (launch, iteration) = (events.launch[event], events.iteration[event]);
        if measured.binary_search(&(launch, iteration)).is_ok() {
            let operator = trace.operator_of(events.kernel[event]);
            *sums.entry((operator, launch, iteration)).or_default() += time;
        }
    }
    let mut by_operator: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    sums.iter().for_each(|(key, &time)| by_operator.entry(key.0).or_default().push(time));
    by_operator
}

/// A launch with one execution in each of its iterations, of these latencies.
fn launch(kinds: &[(IterationKind, u64)]) -> Launch {
    let mut launch = without_iterations(kinds.len());
    let chunk = &mut launch.events.chunks[0];
    let mut now = 0;
    for (index, &(kind, latency)) in (0..).zip(kinds) {
        let row = index as usize;
        (chunk.iteration[row], chunk.start[row], chunk.duration[row]) = (index, now, latency);
        let (start, duration) = (Nanoseconds(now), Nanoseconds(latency));
        launch.iterations.push(Iteration { index, kind, start, duration, step: None });
        now += latency;
    }
    launch
}

/// This many executions of one operator.
fn without_iterations(executions: usize) -> Launch {
    let chunk = EventChunk {
        operator: vec![0; executions],
        iteration: vec![NO_ITERATION; executions],
        thread: vec![0; executions],
        start: (0..executions as u64).map(|number| 100 + 10 * number).collect(),
        duration: vec![10; executions],
        figures: Vec::new(),
    };
    let threads = vec![Thread { thread: "7".to_string(), ..Thread::default() }];
    let name = "</script>__proto__".to_string();
    let operator = Operator { name, operator_type: "Add".to_string(), ..Operator::default() };
    let mut launch = Launch { operators: vec![operator], ..Launch::default() };
    launch.run.converted_from = Some("a test".to_string());
    launch.events = Events { chunks: vec![chunk], threads, figures: Vec::new() };
    launch
}

fn details(launches: Vec<Launch>) -> (Summary, Details) {
    let trace = Trace::new(launches);
    let examined = examine(&trace, Needs::Measured).unwrap();
    (examined.summary.clone(), examined.details())
}

fn chosen(launches: Vec<Launch>) -> Vec<(usize, Vec<Reason>)> {
    let (_, details) = details(launches);
    let stretches = details.stretches.into_iter();
    stretches.map(|stretch| (stretch.iteration.unwrap(), stretch.reasons)).collect()
}

#[test]
fn three_iterations_are_chosen_each_once() {
    use IterationKind::{Measured, WarmUp};
    use Reason::{FirstMeasured, NearestToMedian, Slowest};
    let kinds = [(WarmUp, 900), (Measured, 20), (Measured, 90), (Measured, 50), (Measured, 40)];
    // The median is 45; of 50 and 40, which are equally near, the first.
    let expected = [(3, NearestToMedian), (2, Slowest), (1, FirstMeasured)];
    let expected = expected.map(|(row, reason)| (row, vec![reason]));
    assert_eq!(chosen(vec![launch(&kinds)]), expected);
    let two = chosen(vec![launch(&[(Measured, 7), (Measured, 7)]), launch(&[(Measured, 9)])]);
    assert_eq!(two, [(0, vec![NearestToMedian, FirstMeasured]), (2, vec![Slowest])]);
    let one = chosen(vec![launch(&[(Measured, 7)])]);
    assert_eq!(one, [(0, vec![NearestToMedian, Slowest, FirstMeasured])]);
}

#[test]
fn a_trace_without_iterations_is_shown_if_it_is_short() {
    let (_, short) = details(vec![without_iterations(3), without_iterations(49_997)]);
    assert_eq!(short.not_shown, None);
    let spans: Vec<usize> =
        short.stretches.iter().map(|stretch| stretch.spans.start.len()).collect();
    assert_eq!(spans, [3, 49_997]);
    assert_eq!(short.stretches[0].begin, Nanoseconds(100));
    assert_eq!(short.histograms, [None]);
    let (summary, long) = details(vec![without_iterations(50_001)]);
    let most = 50_000;
    assert_eq!(long.not_shown, Some(NotShown::TooMany { executions: 50_001, most }));
    assert!(long.stretches.is_empty());
    let note = page(&summary, &long);
    let note = note.notes().find(|note| note.text.contains("50001")).unwrap();
    assert!(note.text.starts_with("no timeline"), "{}", note.text);
}

/// What a page of it says.
fn page(summary: &Summary, details: &Details) -> Document {
    RecordingReport {
        name: "recording",
        summary,
        details,
        planned: None,
        profile: None,
        check: None,
        sensitivity: None,
    }
    .page()
    .report
}

fn json(document: &Document) -> Value {
    let mut text = Vec::new();
    write_json(document, &mut text).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn blocks_refer_to_the_rows_of_the_operators() {
    for (path, _, summary, details) in fixtures() {
        let report = page(&summary, &details);
        let json = json(&report);
        let name = path.display();
        let operators = json["operators"].as_array().map(Vec::as_slice).unwrap_or_default();
        let timeline = &json["timeline"];
        assert_eq!(timeline.is_null(), details.stretches.is_empty(), "{name}");
        assert_eq!(timeline.is_null(), details.not_shown.is_some(), "{name}");
        for iteration in timeline["iterations"].as_array().into_iter().flatten() {
            let spans = &iteration["spans"];
            let columns = spans.as_object().unwrap();
            assert_eq!(columns.len(), 8);
            let length = spans["name"].as_array().unwrap().len();
            assert!(columns.values().all(|column| column.as_array().unwrap().len() == length));
            let threads = iteration["threads"].as_array().unwrap().len();
            let used: BTreeSet<usize> =
                numbers(&spans["thread"]).into_iter().map(|thread| thread as usize).collect();
            assert_eq!(used, (0..threads).collect(), "{name}");
            for span in 0..length {
                let of = |key: &str| spans[key][span].as_u64().unwrap() as usize;
                let operator = &operators[of("operator")];
                assert!(timeline["types"][of("type")].is_string(), "{name}");
                if summary.kernels.is_none() {
                    assert_eq!(timeline["names"][of("name")], operator["name"], "{name}");
                    assert_eq!(timeline["types"][of("type")], operator["type"], "{name}");
                }
            }
        }
        let histograms = &json["latency_histograms"];
        if histograms.is_null() {
            continue;
        }
        assert_eq!(histograms["counts"].as_array().unwrap().len(), operators.len() * BINS);
        for (row, operator) in operators.iter().enumerate() {
            for (own, key) in [("low_ms", "time_min_ms"), ("high_ms", "time_max_ms")] {
                let (drawn, listed) = (&histograms[own][row], &operator[key]);
                // What cannot be told from the profiler is not listed; bins as wide as the clock's
                // step reach further than the longest time.
                let is_below = drawn.as_f64() < operator["time_below_ms"].as_f64();
                let reaches = own == "high_ms" && drawn.as_f64() > listed.as_f64();
                let is_listed = drawn == listed || reaches || is_below && listed.is_null();
                assert!(is_listed, "{name}: {operator}");
            }
        }
    }
}

#[test]
fn names_stay_what_they_are_and_threads_have_names() {
    let (summary, details) = details(vec![launch(&[(IterationKind::Measured, 7)])]);
    let report = page(&summary, &details);
    let timeline = report.blocks.iter().find_map(|block| match block {
        Block::Timeline(timeline) => Some(timeline),
        _ => None,
    });
    let timeline = timeline.unwrap();
    assert_eq!(timeline.names, ["</script>__proto__"]);
    let [iteration] = &timeline.iterations[..] else { panic!("one iteration") };
    assert_eq!(iteration.threads, ["thread 7"]);
    assert_eq!(iteration.why, "nearest to the median, slowest, first measured");
    assert_eq!(iteration.latency_ms, Some(7e-6));
    assert_eq!(
        (&iteration.spans.start_ms[..], &iteration.spans.duration_ms[..]),
        (&[0.0][..], &[7e-6][..])
    );
}

#[test]
fn of_very_many_iterations_some_stand_for_all() {
    let mut kinds = vec![(IterationKind::Measured, 1000); 100_000];
    kinds[77_777].1 = 5000;
    kinds[5].1 = 20;
    let (summary, of_all) = details(vec![launch(&kinds)]);
    let document = page(&summary, &of_all);
    let table = document.table("iterations").unwrap();
    assert_eq!((table.len(), table.left_out), (100_000, 0));
    kinds.push((IterationKind::Measured, 1000));
    let (summary, details) = details(vec![launch(&kinds)]);
    let document = page(&summary, &details);
    let table = document.table("iterations").unwrap();
    assert!(table.len() <= 100_000 && table.len() > 50_000, "{}", table.len());
    assert_eq!(table.len() + table.left_out, 100_001);
    let latencies = &table.column("latency_ms").unwrap().cells;
    let has = |time: f64| latencies.iter().any(|cell| cell.as_number() == Some(time));
    assert!(has(0.005) && has(0.00002));
    let drawn = document.blocks.iter().find_map(|block| match block {
        Block::Chart(chart) if chart.table == "iterations" => Some(chart),
        _ => None,
    });
    assert_eq!(drawn.unwrap().series[0].rows, Some(0..table.len()));
    let note = document.notes().find(|note| note.text.contains("of 100001 iterations")).unwrap();
    assert!(note.text.contains("of every 4 neighbours"), "{}", note.text);
}
