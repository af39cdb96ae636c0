//! `onnxray record`: run a model, instrumented, and write a recording.

use crate::args::{InputArguments, RecordArguments};
use crate::exit::Ended;
use crate::output;
use crate::progress::Progress;
use anyhow::{anyhow, bail};
use onnxray_analyzer::report::write_workbook;
use onnxray_format::layout::Numbering;
use onnxray_format::{OperatorArguments, layout};
use onnxray_recorder::{
    InputFiles, LaunchOptions, Length, Model, Outcome, Schedule, file_time, inputs, record,
};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub fn run(arguments: RecordArguments) -> anyhow::Result<Ended> {
    let folders = Folders::prepare(&arguments.out)?;
    if let Some(path) = &arguments.report {
        output::check_workbook(path).inspect_err(|_| folders.remove_empty())?;
    }
    let stop = stop_on_signals()?;
    let result = match arguments.launches {
        1 => one_launch(&arguments, &stop),
        _ if arguments.launch.is_some() => one_launch(&arguments, &stop),
        _ => all_launches(&arguments, &stop),
    };
    let (files, ended) = result.inspect_err(|_| folders.remove_empty())?;
    if arguments.launch.is_some() {
        return Ok(ended); // the process that started this one reports
    }
    for file in &files {
        output::say(file.display())?;
    }
    if matches!(ended, Ended::Interrupted) {
        eprintln!("interrupted; what was recorded until then is kept");
    }
    if files.is_empty() {
        return Ok(ended);
    }
    let summary = match super::analyze(&InputArguments::files(&files)) {
        Ok(summary) => summary,
        // Nothing to tell yet is no failure of an interrupted run.
        Err(error) if matches!(ended, Ended::Interrupted) => {
            eprintln!("note: {error}");
            return Ok(ended);
        }
        Err(error) => return Err(error),
    };
    let overhead = summary
        .model
        .recording_overhead
        .map_or("unknown".to_string(), |overhead| format!("{:+.1} %", overhead * 100.0));
    if let Some(latency) = summary.model.latency {
        let launches = match files.len() {
            1 => "1 launch".to_string(),
            several => format!("{several} launches"),
        };
        eprintln!(
            "{} iterations in {launches}, median {:.3} ms, p90 {:.3} ms; overhead of recording {overhead}",
            latency.count, latency.median.0, latency.p90.0,
        );
    }
    super::note(&summary);
    match &arguments.report {
        Some(path) => {
            write_workbook(&summary, path)?;
            output::say(path.display())?;
        }
        None => eprintln!("hint: onnxray summary {}", arguments.out.display()),
    }
    Ok(ended)
}

/// The trace of the launch, and how it ended.
fn one_launch(
    arguments: &RecordArguments,
    stop: &AtomicBool,
) -> anyhow::Result<(Vec<PathBuf>, Ended)> {
    let progress = Progress::new();
    let label = match arguments.launch {
        Some(launch) => format!("launch {} of {}: ", launch + 1, arguments.launches),
        None => String::new(),
    };
    progress.show(format!("{label}loading"), 0.0);
    let model = Model::load(&arguments.model.model, &super::sizes(&arguments.model))?;
    let files: InputFiles = arguments.inputs.iter().cloned().collect();
    let values = inputs(&model, &files, arguments.seed)?;
    let schedule = Schedule {
        warmup: arguments.warmup,
        length: match arguments.duration {
            Some(seconds) => Length::Duration(Duration::from_secs_f64(seconds)),
            None => Length::Iterations(arguments.iterations),
        },
        plain: arguments.plain_iterations,
    };
    let options = LaunchOptions {
        folder: arguments.out.clone(),
        profile: arguments.name.clone(),
        threads: arguments.threads,
        numbering: numbering(arguments),
        launches: arguments.launches,
        warmup: arguments.warmup,
        inputs: Some(describe_inputs(&files, arguments.seed)),
        arguments: match arguments.full_args {
            true => OperatorArguments::Always,
            false => OperatorArguments::WhenChanged,
        },
    };
    let outcome = record(&model, &values, &options, &schedule, stop, |at| {
        let what = if at.warming_up { "warming up" } else { "measuring" };
        progress.show(format!("{label}{what}"), at.share);
    });
    progress.clear();
    let Outcome { recorded, interrupted } = outcome?;
    let ended = if interrupted { Ended::Interrupted } else { Ended::Done };
    Ok((vec![recorded.trace], ended))
}

fn numbering(arguments: &RecordArguments) -> Numbering {
    match (arguments.launch, &arguments.launch_time) {
        (Some(number), Some(time)) => Numbering::Planned { time: time.clone(), number },
        _ => LaunchOptions::default().numbering,
    }
}

fn describe_inputs(files: &InputFiles, seed: u64) -> String {
    let given = files.iter().map(|(name, path)| format!("{name}={}", path.display()));
    let given: Vec<String> = given.collect();
    match given.is_empty() {
        true => format!("random, seed {seed}"),
        false => format!("{}; others random, seed {seed}", given.join(", ")),
    }
}

/// Starts this program once per launch, one after the other: a process of its
/// own is what makes a launch independent of the others.
fn all_launches(
    arguments: &RecordArguments,
    stop: &AtomicBool,
) -> anyhow::Result<(Vec<PathBuf>, Ended)> {
    let program = std::env::current_exe()
        .map_err(|error| anyhow!("cannot find the program itself: {error}"))?;
    // No recording has it, so all numbers are free.
    let time = layout::unused_time(&arguments.out.join(layout::TRACE_FOLDER), file_time)?;
    let mut files = Vec::new();
    for launch in 0..arguments.launches {
        let status = Command::new(&program)
            .args(std::env::args_os().skip(1).take(1)) // the subcommand
            .args(["--launch", &launch.to_string(), "--launch-time", &time])
            .args(std::env::args_os().skip(2))
            .spawn()
            .and_then(|child| wait(child, stop))
            .map_err(|error| anyhow!("cannot run a launch: {error}"))?;
        let trace = layout::trace_path(&arguments.out, &time, launch);
        if trace.exists() {
            files.push(trace);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok((files, Ended::Interrupted));
        }
        if !status.success() {
            bail!("launch {} of {} failed: {status}", launch + 1, arguments.launches);
        }
    }
    Ok((files, Ended::Done))
}

/// Waits for a launch, and hands a signal to stop on to it: Ctrl-C reaches it by
/// itself, SIGTERM does not.
fn wait(mut launch: Child, stop: &AtomicBool) -> io::Result<ExitStatus> {
    let mut told = false;
    loop {
        if let Some(status) = launch.try_wait()? {
            return Ok(status);
        }
        if stop.load(Ordering::Relaxed) && !told {
            told = true;
            let _ = Command::new("kill").arg(launch.id().to_string()).status(); // it may be gone
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Set by Ctrl-C and SIGTERM; a second one ends the program at once.
fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)))
            .map_err(|error| anyhow!("cannot listen for signals: {error}"))?;
    }
    Ok(stop)
}

/// The recording's folders, made and tried before the model is loaded.
struct Folders {
    /// Those that were not there before, inner ones first.
    made: Vec<PathBuf>,
}

impl Folders {
    fn prepare(out: &Path) -> anyhow::Result<Folders> {
        let folders = [out.join(layout::TRACE_FOLDER), out.join(layout::CSV_FOLDER)];
        let wanted = [&folders[0], &folders[1], &out.to_path_buf()];
        let made = wanted.into_iter().filter(|folder| !folder.exists()).cloned().collect();
        for folder in &folders {
            std::fs::create_dir_all(folder).map_err(|error| {
                anyhow!("{}: cannot create the folder: {error}", folder.display())
            })?;
            output::check_folder(folder)?;
        }
        Ok(Folders { made })
    }

    /// Removes what holds nothing, so that a failed run leaves nothing behind.
    fn remove_empty(&self) {
        for folder in &self.made {
            let _ = std::fs::remove_dir(folder); // fails if it holds something
        }
    }
}
