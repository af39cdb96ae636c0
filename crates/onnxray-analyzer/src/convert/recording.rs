//! Any launch as our own recording, which reads back as the same launch.

use onnxray_format::{
    FORMAT_VERSION, Lane, Nanoseconds, OperatorArguments, Run, Span, TraceWriter,
};
use onnxray_import::{Launch, Thread};
use std::io::{self, Write};

/// Writes a launch as a recording.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_recording(out: impl Write, launch: &Launch) -> io::Result<()> {
    let ours = launch.format.is_recording() && launch.run.converted_from.is_none();
    let converted_from = match launch.run.converted_from.clone() {
        None if !ours => Some(launch.format.title.to_string()),
        known => known,
    };
    let run = Run { format_version: FORMAT_VERSION, converted_from, ..launch.run.clone() };
    let arguments = OperatorArguments::WhenChanged;
    let mut writer = TraceWriter::new(out, &run, &launch.operators, arguments)?;
    let unknown = Thread::default();
    let lane = |thread: Option<&u32>| {
        let thread = thread.and_then(|&thread| launch.events.threads.get(thread as usize));
        let Thread { process, thread } = thread.unwrap_or(&unknown);
        Lane { process, thread }
    };
    for (position, iteration) in launch.iterations.iter().enumerate() {
        writer.write_mark(iteration, lane(launch.iteration_threads.get(position)))?;
    }
    let mut figures = Vec::new();
    for chunk in &launch.events.chunks {
        for row in 0..chunk.len() {
            figures.clear();
            let values = launch.events.figures.iter().zip(&chunk.figures);
            figures
                .extend(values.filter_map(|(figure, values)| Some((figure.key, values.get(row)?))));
            let span = Span {
                operator: chunk.operator[row],
                start: Nanoseconds(chunk.start[row]),
                duration: Nanoseconds(chunk.duration[row]),
            };
            writer.write_execution(&span, lane(Some(&chunk.thread[row])), &figures)?;
        }
    }
    if !launch.averages.is_empty() {
        writer.add_member("averages", &launch.averages)?;
    }
    writer.finish()?;
    Ok(())
}
