//! One launch: a model that runs instrumented, and the files that it leaves.

use crate::engine::{ENGINE, ENGINE_VERSION};
use crate::error::{RecordError, causes};
use crate::instrument::{self, instrument, now};
use crate::machine;
use crate::model::Model;
use crate::runner::Runner;
use jiff::Zoned;
use onnxray_failsafe::WholeFile;
use onnxray_format::layout::{self, Claim, Numbering};
use onnxray_format::profile_csv::{self, OperatorLatency};
use onnxray_format::{
    FORMAT_VERSION, Interleaved, Iteration, IterationKind, Nanoseconds, Operator,
    OperatorArguments, Run, Span, TraceWriter,
};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tract_onnx::prelude::*;

/// How a launch is recorded.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// The folder that holds the recording; default `engine_profiling`.
    pub folder: PathBuf,
    /// The profile's name; default `baseline`.
    pub profile: String,
    /// Threads that a kernel may use; default 1, which is the engine's own.
    pub threads: u32,
    /// Place of the launch among others; default: the next free number.
    pub numbering: Numbering,
    /// Launches planned for the recording; default 1.
    pub launches: u32,
    /// Place of the launch among those of two recordings that take turns; default:
    /// there is no other one.
    pub interleaved: Option<Interleaved>,
    /// Iterations that will be declared warm-up; default 0.
    pub warmup: u32,
    /// What the inputs are, for the metadata.
    pub inputs: Option<String>,
    pub arguments: OperatorArguments,
}

impl Default for LaunchOptions {
    fn default() -> LaunchOptions {
        LaunchOptions {
            folder: PathBuf::from("engine_profiling"),
            profile: "baseline".to_string(),
            threads: 1,
            numbering: Numbering::Free { now: file_time, instances: 1 },
            launches: 1,
            interleaved: None,
            warmup: 0,
            inputs: None,
            arguments: OperatorArguments::WhenChanged,
        }
    }
}

/// The local time as it stands in file names: `2026-11-20_14-05-09`.
pub fn file_time() -> String {
    Zoned::now().strftime("%Y-%m-%d_%H-%M-%S").to_string()
}

/// The files of a finished launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub trace: PathBuf,
    pub csv: PathBuf,
    /// Instrumented iterations, warm-up included.
    pub iterations: u32,
}

/// A model ready to run, plainly or recorded, and the recording in progress.
pub struct Launch {
    plain: Runner,
    timed: Runner,
    operators: Vec<Operator>,
    writer: TraceWriter<File>,
    trace: PathBuf,
    csv: PathBuf,
    spans: Vec<Span>,
    exclusive: ExclusiveTimes,
    iterations: u32,
    plain_iterations: u32,
}

impl Launch {
    /// Builds the plans and claims the files. The folder must be writable.
    pub fn begin(model: &Model, options: &LaunchOptions) -> Result<Launch, RecordError> {
        let operators = model.operators()?;
        let load = |error: TractError| RecordError::Load { reason: causes(&error) };
        let plain = Runner::new(model.optimized.clone(), options.threads).map_err(load)?;
        let timed = instrument(&model.optimized).map_err(load)?;
        let timed = Runner::new(timed, options.threads).map_err(load)?;
        let write = |source| RecordError::Write { trace: None, iterations: 0, source };
        let claim = layout::claim(&options.folder, &options.numbering).map_err(write)?;
        let run = describe_run(model, options, &claim);
        let writer = TraceWriter::new(claim.trace, &run, &operators, options.arguments)
            .inspect_err(|_| {
                let _ = fs::remove_file(&claim.trace_path); // it holds nothing yet
            })
            .map_err(write)?;
        Ok(Launch {
            plain,
            timed,
            exclusive: ExclusiveTimes::new(operators.len()),
            operators,
            writer,
            trace: claim.trace_path,
            csv: claim.csv_path,
            spans: Vec::new(),
            iterations: 0,
            plain_iterations: 0,
        })
    }

    /// Runs one instrumented iteration and writes it down.
    pub fn run_recorded(
        &mut self,
        inputs: TVec<TValue>,
        kind: IterationKind,
    ) -> Result<TVec<TValue>, RecordError> {
        let run = timed(&mut self.timed, inputs);
        let (outputs, start, duration) = run.map_err(|reason| self.failure(reason))?;
        instrument::take_spans(&mut self.spans);
        let iteration = Iteration { index: self.iterations, kind, start, duration };
        self.iterations += 1;
        self.writer
            .write_iteration(&iteration, &self.spans)
            .map_err(|source| write_error(&self.trace, iteration.index, source))?;
        if kind == IterationKind::Measured {
            self.exclusive.add(&self.spans);
        }
        Ok(outputs)
    }

    /// Names the operator in which the instrumented run failed.
    fn failure(&mut self, reason: String) -> RecordError {
        instrument::take_spans(&mut self.spans);
        let operator =
            instrument::failed_operator().and_then(|number| self.operators.get(number as usize));
        match operator {
            Some(operator) => RecordError::Operator {
                operator: operator.name.clone(),
                operator_type: operator.operator_type.clone(),
                reason,
            },
            None => RecordError::Run { reason },
        }
    }

    /// Runs one iteration without instrumentation, and records its duration.
    pub fn run_plain(&mut self, inputs: TVec<TValue>) -> Result<TVec<TValue>, RecordError> {
        let run = timed(&mut self.plain, inputs);
        let (outputs, start, duration) = run.map_err(|reason| RecordError::Run { reason })?;
        let (index, kind) = (self.plain_iterations, IterationKind::Plain);
        self.plain_iterations += 1;
        self.writer
            .write_iteration(&Iteration { index, kind, start, duration }, &[])
            .map_err(|source| write_error(&self.trace, self.iterations, source))?;
        Ok(outputs)
    }

    /// Runs one iteration that is not recorded at all, so that the plain plan is
    /// as warm as the instrumented one when they are compared.
    pub fn warm_up_plain(&mut self, inputs: TVec<TValue>) -> Result<(), RecordError> {
        let run = timed(&mut self.plain, inputs);
        run.map(|_| ()).map_err(|reason| RecordError::Run { reason })
    }

    /// Closes the trace and writes the CSV.
    pub fn finish(self) -> Result<Recorded, RecordError> {
        let write = |source| write_error(&self.trace, self.iterations, source);
        self.writer.finish().map_err(write)?;
        let rows: Vec<OperatorLatency> = self
            .operators
            .iter()
            .map(|operator| OperatorLatency {
                operator,
                milliseconds: self.exclusive.mean_milliseconds(operator.number),
            })
            .collect();
        WholeFile::create(&self.csv)
            .and_then(|mut csv| {
                profile_csv::write_profile(&mut csv, &rows)?;
                csv.finish()
            })
            .map_err(write)?;
        Ok(Recorded { trace: self.trace, csv: self.csv, iterations: self.iterations })
    }

    /// Gives up: removes the trace if it holds no iteration yet.
    pub fn abandon(self) {
        if self.iterations == 0 {
            // Nothing was recorded, so nothing is lost if this fails.
            let _ = fs::remove_file(&self.trace);
        }
    }
}

/// Runs once, and tells when it began and how long it took.
fn timed(
    runner: &mut Runner,
    inputs: TVec<TValue>,
) -> Result<(TVec<TValue>, Nanoseconds, Nanoseconds), String> {
    runner.reset()?;
    let start = now();
    let outputs = runner.run(inputs);
    let duration = now() - start;
    Ok((outputs?, start, duration))
}

fn write_error(trace: &Path, iterations: u32, source: io::Error) -> RecordError {
    RecordError::Write { trace: Some(trace.to_path_buf()), iterations, source }
}

fn describe_run(model: &Model, options: &LaunchOptions, claim: &Claim) -> Run {
    Run {
        format_version: FORMAT_VERSION,
        producer: format!("onnxray {}", env!("CARGO_PKG_VERSION")),
        profile: options.profile.clone(),
        model: model.file_name(),
        model_sha256: model.sha256(),
        parameters: model.graph.parameters(),
        batch_size: model.bound.batch_size,
        dimensions: model.bound.dimensions.clone(),
        threads: Some(options.threads),
        isa: machine::isa(),
        cpu: machine::cpu(),
        host: machine::host(),
        engine: ENGINE.to_string(),
        engine_version: ENGINE_VERSION.to_string(),
        operating_system: Some(machine::operating_system()),
        inputs: options.inputs.clone(),
        started_at: Some(Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()),
        recording: claim.time.clone(),
        launch: claim.number,
        launches_planned: Some(options.launches),
        folded_nodes: model.folded_nodes(),
        warmup_iterations: options.warmup,
        clock: Some("monotonic".to_string()),
        clock_resolution: Some(clock_resolution()),
        load_time: Some(model.load_time),
        iterations_are_sums: false,
        converted_from: None,
        interleaved: options.interleaved.clone(),
        process: std::process::id(),
    }
}

/// The smallest step that the clock makes when it is read over and over.
fn clock_resolution() -> Nanoseconds {
    let mut smallest = u64::MAX;
    let mut last = now();
    for _ in 0..1000 {
        let next = now();
        if next > last {
            smallest = smallest.min((next - last).0);
        }
        last = next;
    }
    Nanoseconds(smallest)
}

/// Time that operators spent themselves, without what their bodies spent.
struct ExclusiveTimes {
    /// `None` for an operator that never ran.
    nanoseconds: Vec<Option<u64>>,
    iterations: u64,
    /// Start and duration of the spans that no parent has claimed yet.
    open: Vec<(Nanoseconds, Nanoseconds)>,
}

impl ExclusiveTimes {
    fn new(operators: usize) -> ExclusiveTimes {
        ExclusiveTimes { nanoseconds: vec![None; operators], iterations: 0, open: Vec::new() }
    }

    /// Adds one iteration. Spans come in order of their ends, so the children of
    /// a span are those before it that began after it did.
    fn add(&mut self, spans: &[Span]) {
        self.iterations += 1;
        self.open.clear();
        for span in spans {
            let mut inner = Nanoseconds(0);
            while let Some((_, duration)) = self.open.pop_if(|(start, _)| *start >= span.start) {
                inner += duration;
            }
            *self.nanoseconds[span.operator as usize].get_or_insert(0) += (span.duration - inner).0;
            self.open.push((span.start, span.duration));
        }
    }

    /// Mean per iteration; `None` for an operator that never ran.
    fn mean_milliseconds(&self, operator: u32) -> Option<f64> {
        let total = self.nanoseconds[operator as usize]?;
        Some(total as f64 / self.iterations as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exclusive_times_leave_out_children() {
        let span = |operator, start, duration| Span {
            operator,
            start: Nanoseconds(start),
            duration: Nanoseconds(duration),
        };
        let mut times = ExclusiveTimes::new(4);
        // 0 runs 10..110 and holds 1 at 20..50 and at 60..80; 2 follows.
        times.add(&[span(1, 20, 30), span(1, 60, 20), span(0, 10, 100), span(2, 120, 5)]);
        assert_eq!(times.nanoseconds, [Some(50), Some(50), Some(5), None]);
        assert_eq!(times.mean_milliseconds(0), Some(50e-6));
    }
}
