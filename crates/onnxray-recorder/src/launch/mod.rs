//! One launch: a model that runs instrumented, and the files that it leaves.

mod calibration;
pub(crate) mod conditions;
mod exclusive;
mod machine;
mod options;
mod run_once;
mod table;

use crate::clock::{self, Clock};
use crate::cores;
use crate::engine::{Engine, Instrumentation, Model, Runner};
use crate::error::RecordError;
use crate::tensor::Tensor;
use crate::workload::{GenerationInputs, StepInputs, Workload};
use calibration::Calibrator;
pub use calibration::calibrate;
use conditions::{Before, Observer};
use exclusive::ExclusiveTimes;
pub(crate) use machine::cpu;
use onnxray_format::layout::Claim;
use onnxray_format::{
    Costs, FORMAT_VERSION, Iteration, IterationKind, Operator, Phase, Roofs, Run, Span, Step,
    TraceWriter,
};
pub use options::{LaunchOptions, Place};
pub(crate) use run_once::run_once;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The files of a finished launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The trace with every iteration.
    pub trace: PathBuf,
    /// The table of operators with their mean latencies.
    pub csv: PathBuf,
    /// Instrumented iterations, warm-up included.
    pub iterations: u32,
    /// Why the operators of some iterations are lost, if any are.
    pub lost: Option<String>,
}

/// A model ready to run, plainly or instrumented, and the recording in progress.
pub struct Launch {
    /// Its clock times all iterations.
    engine: Rc<dyn Engine>,
    unprofiled: Box<dyn Runner>,
    instrumented: Box<dyn Runner>,
    operators: Vec<Operator>,
    writer: TraceWriter<File>,
    trace: PathBuf,
    csv: PathBuf,
    csv_draft: PathBuf,
    /// Instrumented iterations whose spans the engine keeps still.
    pending: VecDeque<(IterationKind, Option<Step>)>,
    spans: Vec<Span>,
    exclusive: ExclusiveTimes,
    observer: Observer,
    calibrator: Calibrator,
    roofs: Option<Roofs>,
    costs: Option<Costs>,
    iterations: u32,
    unprofiled_iterations: u32,
}

impl Launch {
    /// Makes the model ready and claims the files. The folder must be writable. The
    /// engine may run on `inputs` to find out what it executes.
    ///
    /// # Errors
    ///
    /// If the engine fails at planning the run, if this thread cannot be bound to the cores,
    /// or if the trace cannot be created.
    pub fn begin(
        model: &Model,
        inputs: &[Tensor],
        options: &LaunchOptions,
    ) -> Result<Launch, RecordError> {
        Launch::begin_with(model, options, || model.operators(inputs))
    }

    /// [`Launch::begin`] for a workload.
    ///
    /// # Errors
    ///
    /// As [`Launch::begin`].
    pub fn begin_workload(
        model: &Model,
        workload: &Workload,
        options: &LaunchOptions,
    ) -> Result<Launch, RecordError> {
        Launch::begin_with(model, options, || model.operators_of(workload))
    }

    fn begin_with(
        model: &Model,
        options: &LaunchOptions,
        operators: impl FnOnce() -> Result<Vec<Operator>, RecordError>,
    ) -> Result<Launch, RecordError> {
        // Before the runners: threads that they start inherit the cores.
        cores::bind(&options.pin)?;
        // Threads that are there now are not the launch's: see `Threads::since`.
        let before = Before::launch();
        let operators = operators()?;
        let registers = options.registers(&*model.engine);
        let runner = |kind| model.loaded.runner(registers, kind);
        let unprofiled = runner(Instrumentation::None)?;
        let instrumented = runner(Instrumentation::Spans)?;
        let write = |source| RecordError::Write { trace: None, iterations: 0, source };
        let claim = options.claim(&stem(&model.file.name())).map_err(write)?;
        let run = describe_run(model, &operators, options, &claim);
        let writer = TraceWriter::new(claim.trace, &run, &operators, options.arguments());
        // Once for a recording, and before anything of it is timed.
        let roofs = (options.roofs && claim.number == 0).then(|| roofs(&*model.engine, options));
        let mut calibrator = match model.engine.capabilities().times_blocks {
            true => Calibrator::none(),
            false => Calibrator::begin(&*model.engine, model.threads, registers),
        };
        // The first of several, the last in `finish`: the machine changes while a launch runs.
        calibrator.measure(model.engine.clock());
        Ok(Launch {
            engine: Rc::clone(&model.engine),
            unprofiled,
            instrumented,
            exclusive: ExclusiveTimes::new(&operators),
            observer: Observer::begin(&options.pin, &before),
            calibrator,
            roofs,
            costs: options.costs.clone(),
            operators,
            writer,
            trace: claim.trace_path,
            csv: claim.csv_path,
            csv_draft: claim.csv_draft,
            pending: VecDeque::new(),
            spans: Vec::new(),
            iterations: 0,
            unprofiled_iterations: 0,
        })
    }

    /// Runs one iteration and writes it; an unprofiled one without instrumentation, and its
    /// duration only. Inputs are in the order of the graph's inputs.
    ///
    /// # Errors
    ///
    /// If the model fails, or the recording cannot be written.
    pub fn run(&mut self, inputs: &[Tensor], kind: IterationKind) -> Result<(), RecordError> {
        self.run_until(inputs, kind, &AtomicBool::new(false))
    }

    fn run_until(
        &mut self,
        inputs: &[Tensor],
        kind: IterationKind,
        stop: &AtomicBool,
    ) -> Result<(), RecordError> {
        self.clear();
        self.run_prepared((kind, None), stop, |runner| runner.prepare(inputs))
    }

    /// Runs what is run over and over once and writes it down: one iteration, or one for
    /// each step of a generation until `stop`. Of an iteration that `stop` ended, nothing is written.
    ///
    /// # Errors
    ///
    /// As [`Launch::run`].
    pub fn run_workload(
        &mut self,
        workload: &Workload,
        kind: IterationKind,
        stop: &AtomicBool,
    ) -> Result<(), RecordError> {
        let GenerationInputs { feeds, steps, .. } = match workload {
            Workload::Inference(inputs) => return self.run_until(inputs, kind, stop),
            Workload::Generation(generation) => generation,
        };
        self.clear();
        for StepInputs { step, inputs } in steps {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let prepare = |runner: &mut dyn Runner| runner.prepare_step(inputs, feeds);
            self.run_prepared((kind, Some(*step)), stop, prepare)?;
        }
        Ok(())
    }

    /// Drops the outputs of both runners: neither runs while the other one's are in memory.
    fn clear(&mut self) {
        self.unprofiled.clear();
        self.instrumented.clear();
    }

    fn run_prepared(
        &mut self,
        (kind, step): (IterationKind, Option<Step>),
        stop: &AtomicBool,
        prepare: impl FnOnce(&mut dyn Runner) -> Result<(), String>,
    ) -> Result<(), RecordError> {
        let complete = self.iterations;
        let (runner, index) = match kind {
            IterationKind::Unprofiled => (&mut self.unprofiled, self.unprofiled_iterations),
            IterationKind::Measured | IterationKind::WarmUp => {
                (&mut self.instrumented, self.iterations)
            }
        };
        prepare(&mut **runner).map_err(|reason| RecordError::Run { reason })?;
        let clock = self.engine.clock();
        self.observer.before(clock);
        let start = clock.now();
        let run = runner.run_until(stop);
        // Nothing but the run is between the two readings.
        let duration = clock.now() - start;
        let timed = runner.timed();
        let is_stopped = matches!(run, Ok(false));
        match (kind, timed) {
            (IterationKind::Unprofiled, _) => {}
            (_, None) if !is_stopped => self.observer.after(index),
            _ => self.observer.uncounted(),
        }
        run.map_err(|failure| failure.describe(&self.operators))?;
        if is_stopped {
            return Ok(());
        }
        let (start, duration) = timed.unwrap_or((start, duration));
        self.spans.clear();
        let is_instrumented = kind != IterationKind::Unprofiled;
        let has_spans =
            is_instrumented && self.pending.is_empty() && runner.take_spans(&mut self.spans);
        self.number_spans(step);
        let iteration = Iteration { index, kind, start, duration, step };
        self.writer
            .write_iteration(&iteration, &self.spans)
            .map_err(|source| write_error(&self.trace, complete, source))?;
        match kind {
            IterationKind::Unprofiled => self.unprofiled_iterations += 1,
            IterationKind::Measured | IterationKind::WarmUp => self.iterations += 1,
        }
        if timed.is_some() && kind == IterationKind::Measured {
            // No profiler was at work: the same run is the one that has none.
            let index = self.unprofiled_iterations;
            let iteration = Iteration { index, kind: IterationKind::Unprofiled, ..iteration };
            self.writer
                .write_iteration(&iteration, &[])
                .map_err(|source| write_error(&self.trace, complete, source))?;
            self.unprofiled_iterations += 1;
        }
        if is_instrumented && !has_spans {
            // Behind older ones, since an engine gives spans up in the order of runs.
            self.pending.push_back((kind, step));
            return self.write_pending();
        }
        if kind == IterationKind::Measured {
            self.exclusive.add(&self.spans, step);
        }
        Ok(())
    }

    /// Renumbers spans to the rows of their phase: the table has one phase after the other.
    fn number_spans(&mut self, step: Option<Step>) {
        let Some(Step { phase, .. }) = step else { return };
        let each = self.operators.len() as u32 / Phase::ALL.len() as u32;
        // Rows beyond the shorter phase's table are not listed: these would be the other phase's.
        self.spans.retain(|span| span.operator < each);
        self.spans.iter_mut().for_each(|span| span.operator += phase as u32 * each);
    }

    /// Writes spans that the engine has given up since, after their iterations.
    fn write_pending(&mut self) -> Result<(), RecordError> {
        while let Some(&(kind, step)) = self.pending.front() {
            if !self.instrumented.take_spans(&mut self.spans) {
                break;
            }
            self.pending.pop_front();
            self.number_spans(step);
            self.writer
                .write_spans(&self.spans)
                .map_err(|source| write_error(&self.trace, self.iterations, source))?;
            if kind == IterationKind::Measured {
                self.exclusive.add(&self.spans, step);
            }
        }
        Ok(())
    }

    /// Runs what is run over and over once, plainly, without recording it.
    ///
    /// # Errors
    ///
    /// If the model fails.
    pub fn run_unrecorded(&mut self, workload: &Workload) -> Result<(), RecordError> {
        run_once(&mut *self.unprofiled, workload, &self.operators)
    }

    /// Runs the calibration chains once more.
    pub(crate) fn calibrate(&mut self) {
        self.calibrator.measure(self.engine.clock());
    }

    /// The outputs of the last instrumented iteration, in the order of the graph's
    /// outputs.
    ///
    /// # Errors
    ///
    /// If they are of a type that [`Tensor`] does not hold.
    pub fn outputs(&mut self) -> Result<Vec<Tensor>, RecordError> {
        self.instrumented.outputs().map_err(|reason| RecordError::Run { reason })
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        self.engine.clock()
    }

    /// Instrumented iterations so far, warm-up included.
    pub(crate) fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Closes the trace and writes the CSV.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn finish(mut self) -> Result<Recorded, RecordError> {
        self.calibrate();
        // Lost spans do not fail a launch: its latencies are whole.
        let lost = self.instrumented.release_spans().err();
        self.write_pending()?;
        let write = |source| write_error(&self.trace, self.iterations, source);
        let conditions = self.observer.finish(self.engine.clock());
        self.writer.add_member("conditions", &conditions).map_err(write)?;
        self.writer.add_member("calibration", &self.calibrator.finish()).map_err(write)?;
        if let Some(roofs) = &self.roofs {
            self.writer.add_member("roofs", roofs).map_err(write)?;
        }
        if let Some(costs) = &self.costs {
            self.writer.add_member("costs", costs).map_err(write)?;
        }
        // Its lock tells others that the draft of the CSV is in use.
        let _trace = self.writer.finish().map_err(write)?;
        table::write(&self.operators, &self.exclusive, &self.csv_draft, &self.csv)
            .map_err(write)?;
        Ok(Recorded { trace: self.trace, csv: self.csv, iterations: self.iterations, lost })
    }

    /// Gives up: removes the trace if it holds no iteration yet.
    pub fn abandon(self) {
        if self.iterations == 0 {
            // Nothing was recorded, so nothing is lost if this fails.
            let _ = fs::remove_file(&self.trace);
        }
    }
}

fn roofs(engine: &dyn Engine, options: &LaunchOptions) -> Roofs {
    match options.instances {
        0 | 1 => engine.roofs(options.threads, conditions::limit()),
        _ => Roofs {
            unknown: Some("instances run side by side, and would measure each other".to_string()),
            ..Roofs::default()
        },
    }
}

fn write_error(trace: &Path, iterations: u32, source: io::Error) -> RecordError {
    RecordError::Write { trace: Some(trace.to_path_buf()), iterations, source }
}

/// A file's name without its ending.
fn stem(name: &str) -> String {
    Path::new(name).file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned())
}

fn describe_run(
    model: &Model,
    operators: &[Operator],
    options: &LaunchOptions,
    claim: &Claim,
) -> Run {
    Run {
        format_version: FORMAT_VERSION,
        producer: format!("onnxray {}", env!("CARGO_PKG_VERSION")),
        profile: options.profile.clone(),
        model: model.file.name(),
        model_sha256: model.file.sha256(),
        parameters: model.file.parameters(),
        batch_size: model.bound.batch_size,
        dimensions: model.bound.dimensions.clone(),
        threads: Some(model.threads),
        generation: model.generation.as_ref().map(|plan| plan.generation.clone()),
        instances: Some(options.instances).filter(|&instances| instances > 1),
        isa: machine::isa(),
        vector_registers: Some(options.registers(&*model.engine)),
        cpu: cpu(),
        host: machine::host(),
        engine: model.engine.name().to_string(),
        engine_version: model.engine.version().to_string(),
        engine_options: model.engine.options(),
        operating_system: Some(machine::operating_system()),
        inputs: options.inputs.clone(),
        started_at: Some(clock::local_time()),
        recording: claim.time.clone(),
        launch: claim.number,
        launches_planned: options.launches,
        folded_nodes: model.folded_nodes(operators),
        placement: model.placement(),
        warmup_iterations: options.warmup,
        clock: Some("monotonic".to_string()),
        clock_resolution: Some(model.engine.clock().resolution()),
        clock_origin: model.engine.clock().origin(),
        // With blocks, it is that of many models.
        load_time: Some(model.load_time).filter(|_| !model.engine.capabilities().times_blocks),
        rank: None,
        world_size: None,
        iterations_are_sums: false,
        blocks: model.engine.capabilities().times_blocks,
        operators_late: model.engine.capabilities().is_late,
        converted_from: None,
        interleaved: options.place.as_ref().and_then(|place| place.interleaved.clone()),
        process: std::process::id(),
    }
}
