//! What such processes do.

use super::super::service::reply;
use super::cold;
use super::made::{Unloaded, unloaded};
use super::pace::{alone, at_paces};
use super::spec::{Prepare, Prepared, Said, ToBegin};
use crate::clock::Clock;
use crate::cores;
use crate::engine::{Engines, Runner};
use crate::error::RecordError;
use crate::launch::run_once;
use crate::memory;
use crate::workload::{Workload, stored};
use onnxray_format::{InferenceBlocks, Nanoseconds, Start, StartMemory};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Inferences follow each other for this long.
const LOOP: Nanoseconds = Nanoseconds(20_000_000);
/// And there are at least this many, after the first one.
const FEWEST: u32 = 7;
/// A block takes at least this long: what a reading takes is a small part of it.
const BLOCK: Nanoseconds = Nanoseconds(5_000_000);

/// Makes the inputs of a model.
pub(crate) fn prepare(engines: &dyn Engines, asked: &Prepare) -> Result<Prepared, RecordError> {
    let Prepare { spec, folder, may_guess } = asked;
    let (file, workload, is_certain) = match unloaded(engines, spec, *may_guess) {
        Some(Unloaded { file, workload, is_certain }) => (Rc::new(file), workload, is_certain),
        None => {
            let (model, workload) = spec.load_without_operators(engines)?;
            (model.file, workload, true)
        }
    };
    let path = Path::new(folder);
    stored::write(&workload, path)
        .map_err(|source| RecordError::WriteFolder { path: path.to_path_buf(), source })?;
    let files = file.files().into_iter().map(PathBuf::into_os_string).collect();
    let dimensions = spec.dimensions_of_files();
    Ok(Prepared { dimensions, file_bytes: file.stored_bytes(), files, is_certain })
}

/// Loads the model and runs it, and tells `to` what it took: the start, then each pace, so that what
/// was measured is known if the process is ended in the next one.
///
/// # Errors
///
/// If nobody hears it.
pub(super) fn begin(engines: &dyn Engines, spec: &ToBegin, to: &mut dyn Write) -> io::Result<()> {
    let mut told = Ok(());
    let done = begun(engines, spec, &mut |said| {
        told = reply(&mut *to, Ok::<Said, RecordError>(said));
        told.is_ok()
    });
    told?;
    done.or_else(|error| reply(to, Err::<Said, RecordError>(error)))
}

/// As [`begin`], for as long as `tell` is heard.
///
/// # Errors
///
/// If the inputs cannot be read, or the engine cannot run the model.
fn begun(
    engines: &dyn Engines,
    spec: &ToBegin,
    tell: &mut dyn FnMut(Said) -> bool,
) -> Result<(), RecordError> {
    cores::bind(&spec.options.pin)?;
    let folder = Path::new(&spec.inputs);
    let source = |source| RecordError::ReadFile { path: folder.to_path_buf(), source };
    let workload = stored::read(folder).map_err(source)?;
    cold::drop_from_memory(&spec.dropped)?;
    let clock = engines.clock();
    let mut memory = StartMemory { before: memory::used(), ..StartMemory::default() };
    let begun = clock.now();
    let engine = engines.start(&spec.engine, spec.options.threads)?;
    let library = clock.now() - begun;
    // Of the engine, by whose clock everything else goes.
    let clock = engine.clock();
    memory.library = memory::used();
    let registers = spec.options.registers(&*engine);
    let threads = spec.options.threads;
    let read = cold::read_bytes();
    let (runner, session, peak) =
        timed(clock, || engine.bare(Path::new(&spec.model), &spec.dimensions, registers, threads));
    let mut runner = runner?;
    (memory.session, memory.session_peak) = (memory::used(), peak);
    let (run, first, peak) = timed(clock, || run_once(&mut *runner, &workload, &[]));
    run?;
    cold::check(&spec.dropped, read)?;
    (memory.first, memory.first_peak) = (memory::used(), peak);
    let idle = spec.pace.as_ref().filter(|pace| pace.rests).map(|_| alone(clock));
    let (blocks, _, peak) = timed(clock, || run_on(&mut *runner, &workload, clock));
    let blocks = blocks?;
    (memory.end, memory.loop_peak) = (memory::used(), peak);
    let file_bytes = spec.file_bytes;
    let is_cold = !spec.dropped.is_empty();
    let paces = Vec::new();
    let start = Start { library, session, first, is_cold, file_bytes, memory, blocks, idle, paces };
    // Calls at a pace are last: memory and CPU time of the loop are as without.
    let is_heard = tell(Said::Started(Box::new(start)));
    if let Some(pace) = spec.pace.as_ref().filter(|_| is_heard) {
        for pace in at_paces(&mut *runner, &workload, clock, pace, spec.number) {
            if !tell(Said::Paced(pace?)) {
                break;
            }
        }
    }
    // They go with the process, which has nothing else to do. To drop a session takes ONNX Runtime
    // 16 ms for a model of 2 MB, and the next process would wait for it.
    std::mem::forget((runner, engine));
    Ok(())
}

/// Does some work: the outcome, its duration, and the largest resident memory meanwhile.
fn timed<T>(clock: &dyn Clock, work: impl FnOnce() -> T) -> (T, Nanoseconds, Option<u64>) {
    let is_fresh = memory::forget_peak();
    let begun = clock.now();
    let done = work();
    let duration = clock.now() - begun;
    // A peak from before would be taken for this one's.
    (done, duration, is_fresh.then(memory::peak).flatten())
}

/// Runs on and on, in blocks of twice as many inferences until one is long enough.
fn run_on(
    runner: &mut dyn Runner,
    workload: &Workload,
    clock: &dyn Clock,
) -> Result<InferenceBlocks, RecordError> {
    let mut blocks = InferenceBlocks::default();
    let (mut cpu_times, mut resident) = (Some(Vec::new()), Some(Vec::new()));
    let begun = clock.now();
    let (mut inferences, mut done) = (1, 0);
    while done < FEWEST || clock.now() - begun < LOOP {
        let (start, cpu_start) = (clock.now(), clock.cpu_time());
        for _ in 0..inferences {
            run_once(runner, workload, &[])?;
        }
        let (cpu_time, duration) = (clock.cpu_time_since(cpu_start), clock.now() - start);
        done += inferences;
        blocks.inferences.push(inferences);
        blocks.durations.push(duration);
        add(&mut cpu_times, cpu_time);
        add(&mut resident, memory::used());
        if duration < BLOCK {
            inferences *= 2;
        }
    }
    Ok(InferenceBlocks { cpu_times, resident, ..blocks })
}

/// Adds to a column, which is unknown from the first unknown value on.
fn add<T>(column: &mut Option<Vec<T>>, value: Option<T>) {
    match value {
        Some(value) => {
            if let Some(values) = column {
                values.push(value);
            }
        }
        None => *column = None,
    }
}
