//! Any launch as our own recording, which reads back as the same launch.

use onnxray_format::{FORMAT_VERSION, FurtherLaunch, Nanoseconds, Run, Span, TraceWriter, Track};
use onnxray_import::figure::LAUNCHED_IN;
use onnxray_import::{Launch, NO_ITERATION, Thread};
use std::io::{self, Write};

/// Writes a launch as a recording.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_recording(out: impl Write, launch: &Launch) -> io::Result<()> {
    write(out, launch, &[])
}

/// As [`write_recording`], with the iterations of launches that have nothing else.
pub(super) fn write(out: impl Write, launch: &Launch, further: &[Launch]) -> io::Result<()> {
    let run = run(launch);
    let tracks = tracks(launch);
    let title = title(launch);
    // Viewers show the model on the first track: it is the one that it ran on.
    let first = launch.iteration_threads.first().map_or(0, |&thread| thread as usize);
    let mut ordered = tracks.clone();
    // `tracks` is never empty: it adds one where threads are unknown.
    ordered.swap(0, first.min(tracks.len() - 1));
    let mut writer = TraceWriter::converted(out, &run, &launch.operators, &ordered, &title)?;
    let lane = |thread: Option<&u32>| {
        let track = thread.and_then(|&thread| tracks.get(thread as usize));
        // An unknown thread has the last track, which `tracks` adds for this.
        track.or(tracks.last()).map(Track::lane).unwrap_or_default()
    };
    for (position, iteration) in launch.iterations.iter().enumerate() {
        writer.write_mark(iteration, lane(launch.iteration_threads.get(position)))?;
    }
    // A device may run late: its time does not tell which iteration launched the work.
    let is_launched: Vec<bool> = launch
        .operators
        .iter()
        .map(|operator| operator.device && !launch.iterations.is_empty())
        .collect();
    let mut figures = Vec::new();
    for chunk in &launch.events.chunks {
        for row in 0..chunk.len() {
            figures.clear();
            let values = launch.events.figures.iter().zip(&chunk.figures);
            figures
                .extend(values.filter_map(|(figure, values)| Some((figure.key, values.get(row)?))));
            if is_launched[chunk.operator[row] as usize] {
                let iteration = chunk.iteration[row];
                let in_none = iteration == NO_ITERATION;
                // A figure is a number: -1 stands for no iteration.
                figures.push((LAUNCHED_IN.key, if in_none { -1 } else { i64::from(iteration) }));
            }
            let span = Span {
                operator: chunk.operator[row],
                worker: 0,
                start: Nanoseconds(chunk.start[row]),
                duration: Nanoseconds(chunk.duration[row]),
            };
            writer.write_execution(&span, lane(Some(&chunk.thread[row])), &figures)?;
        }
    }
    if !launch.averages.is_empty() {
        writer.add_member("averages", &launch.averages)?;
    }
    if !launch.compact.is_empty() {
        writer.add_member("compact", &launch.compact)?;
    }
    if !further.is_empty() {
        let packed = |launch: &Launch| FurtherLaunch {
            run: self::run(launch),
            conditions: launch.conditions.clone(),
            iterations: launch.iterations.iter().map(Into::into).collect(),
        };
        writer.add_member("launches", &further.iter().map(packed).collect::<Vec<_>>())?;
    }
    if let Some(conditions) = &launch.conditions {
        writer.add_member("conditions", conditions)?;
    }
    if let Some(calibration) = &launch.calibration {
        writer.add_member("calibration", calibration)?;
    }
    if let Some(roofs) = &launch.roofs {
        writer.add_member("roofs", roofs)?;
    }
    let all = [launch].into_iter().chain(further).filter_map(|launch| launch.costs.clone());
    let costs = all.reduce(|mut costs, more| {
        costs.add(more);
        costs
    });
    if let Some(costs) = &costs {
        writer.add_member("costs", costs)?;
    }
    writer.finish()?;
    Ok(())
}

fn run(launch: &Launch) -> Run {
    let ours = launch.format.is_recording() && launch.run.converted_from.is_none();
    // Keeps the first format's name through further conversions.
    let converted_from = match launch.run.converted_from.clone() {
        None if !ours => Some(launch.format.title.to_string()),
        known => known,
    };
    Run { format_version: FORMAT_VERSION, converted_from, ..launch.run.clone() }
}

/// Tracks of the launch's threads in order, then one for spans of unknown threads.
fn tracks(launch: &Launch) -> Vec<Track> {
    let unknown = Thread::default();
    let known = &launch.events.threads;
    let is_known = !known.is_empty() && launch.iteration_threads.len() >= launch.iterations.len();
    let threads = known.iter().chain((!is_known).then_some(&unknown));
    let track = |thread: &Thread| Track {
        process: thread.process.clone(),
        thread: thread.thread.clone(),
        process_name: thread.process_name.clone(),
        thread_name: thread.thread_name.clone(),
        ..Track::default()
    };
    let mut tracks: Vec<Track> = threads.map(track).collect();
    Track::number(&mut tracks);
    tracks
}

/// Title that viewers show for a process without a name.
fn title(launch: &Launch) -> String {
    let file = launch.files.first().and_then(|file| file.file_name());
    let file = file.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let engine = match launch.run.engine.as_str() {
        "" => launch.format.title,
        engine => engine,
    };
    let model = if launch.run.model.is_empty() { file } else { launch.run.model.clone() };
    format!("{engine} {model}").trim().to_string()
}
