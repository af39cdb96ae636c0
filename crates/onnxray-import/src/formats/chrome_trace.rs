//! Any other Chrome trace: the format of about:tracing and Perfetto.
//!
//! An array of events, or an object with `traceEvents`; the closing bracket of
//! an array may be missing. Complete events and begins with their ends become
//! executions. Times are microseconds, whatever `displayTimeUnit` says: it is
//! about the display. The first event is the launch's zero.
//!
//! An operator is a category and a name, see [`operators`]; its type is the
//! category, or the name where there is none.
//!
//! The format knows no iterations. Events are taken for them if they are called
//! `Iteration3`, `iteration 3`, `step 3`, `ProfilerStep#3` or the like, share
//! one category that nothing else has, and do not overlap on their threads.

use crate::chrome::{
    Argument, EventFormat, EventTrace, IterationMark, Label, Mark, MarkPattern, Options, Role,
    Rows, assemble, operators, read_events,
};
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict, each};
use crate::source::Source;
use crate::{Figure, ImportError, Launch};
use memchr::memmem;
use onnxray_format::Operator;

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer {
    format: Format {
        name: "chrome-trace",
        title: "Chrome trace",
        files: "any other trace (JSON) in the format of about:tracing and Perfetto",
        contains: "executions, threads, iterations if events are named so",
    },
    detect,
    read: |sources, options| each(sources, options, read),
};

fn detect(head: Head<'_>) -> Verdict {
    match head.text().first() {
        Some(b'[') => {}
        Some(b'{') if head.contains("\"traceEvents\"") => {}
        Some(b'{') => return head.otherwise(),
        _ => return Verdict::No,
    }
    let has_phase = memmem::find_iter(head.bytes, "\"ph\"").any(|offset| {
        let behind = head.bytes[offset + 4..].trim_ascii_start().strip_prefix(b":");
        behind.is_some_and(|behind| behind.trim_ascii_start().first() == Some(&b'"'))
    });
    if has_phase { Verdict::Yes } else { head.otherwise() }
}

struct ChromeTrace;

impl EventFormat for ChromeTrace {
    const FACTS: usize = 0;
    const FIGURES: &'static [Figure] = &[];
    const MAY_STAY_OPEN: bool = true;

    #[inline]
    fn argument(_: &[u8]) -> Argument {
        Argument::Skip
    }

    fn role(label: &Label) -> Role {
        match iteration(label.raw_name()) {
            Some(_) => Role::Mark,
            None => Role::Operator,
        }
    }
}

/// The index of an iteration, if it is called like one.
fn iteration(name: &[u8]) -> Option<u32> {
    let name = std::str::from_utf8(name).ok()?;
    let word = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let index = name[word.len()..].parse().ok()?;
    let word = word.trim_end_matches([' ', '#', '_', '-']).to_ascii_lowercase();
    matches!(word.as_str(), "iteration" | "step" | "profilerstep").then_some(index)
}

fn read(source: Source, options: &Options) -> Result<Launch, ImportError> {
    let mut trace = read_events::<ChromeTrace>(source, options)?;
    let file = trace.file.clone();
    let mut warnings = trace.damage.warnings(&file, "events");
    let ignored = trace.left_out(&[]).into_iter().collect();
    let iterations = match &options.iteration_marks {
        Some(pattern) => named(&mut trace, pattern),
        None => iterations(&mut trace),
    };
    let origin = trace.first_start().unwrap_or_default();
    let (operators, of_label) = operators(&trace, |name, category| {
        let operator_type = if category.is_empty() { name } else { category };
        Operator { operator_type: operator_type.to_string(), ..Operator::default() }
    });
    let assembled = assemble(&mut trace, &of_label, iterations, origin);
    warnings.extend(assembled.notes(&file, "iteration", "iterations"));
    Ok(Launch { files: vec![file], operators, warnings, ignored, ..assembled.into() })
}

/// The events that are called as they are to be.
fn named(trace: &mut EventTrace, pattern: &MarkPattern) -> Vec<IterationMark> {
    trace.mark_rows(|label| pattern.matches(&label.name()));
    let others = trace.keep_marks(|label| pattern.matches(&label.name()));
    trace.chunks.push(rows(&others));
    measured(trace)
}

/// Marks as executions.
fn rows(marks: &[Mark]) -> Rows {
    Rows {
        label: marks.iter().map(|mark| mark.label).collect(),
        thread: marks.iter().map(|mark| mark.thread).collect(),
        start: marks.iter().map(|mark| mark.start).collect(),
        duration: marks.iter().map(|mark| mark.duration).collect(),
        figures: Vec::new(),
    }
}

fn measured(trace: &EventTrace) -> Vec<IterationMark> {
    let mark = |mark: &Mark| {
        IterationMark::measured(mark, iteration(trace.labels[mark.label as usize].raw_name()))
    };
    trace.marks.iter().map(mark).collect()
}

/// The events that are iterations. The others that are only called so become
/// executions like any other.
fn iterations(trace: &mut EventTrace) -> Vec<IterationMark> {
    let mut marks = std::mem::take(&mut trace.marks);
    marks.sort_by_key(|mark| (mark.thread, mark.start));
    if !are_iterations(trace, &marks) {
        trace.chunks.push(rows(&marks));
        return Vec::new();
    }
    trace.marks = marks;
    measured(trace)
}

/// Whether events that are called so, in order of thread and start, are
/// iterations.
fn are_iterations(trace: &EventTrace, marks: &[Mark]) -> bool {
    let category = |label: u32| trace.labels[label as usize].raw_category();
    let Some(own) = marks.first().map(|mark| category(mark.label)) else { return false };
    let alone = marks.iter().all(|mark| category(mark.label) == own)
        && trace.chunks.iter().flat_map(|rows| &rows.label).all(|&label| category(label) != own);
    let apart = marks.windows(2).all(|pair| match pair {
        [one, next] => {
            one.thread != next.thread
                || one.start.saturating_add_unsigned(one.duration) <= next.start
        }
        _ => true,
    });
    alone && apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_called_so() {
        for (name, expected) in [
            ("Iteration0", Some(0)),
            ("iteration 12", Some(12)),
            ("step 3", Some(3)),
            ("Step_3", Some(3)),
            ("ProfilerStep#7", Some(7)),
            ("step", None),
            ("3", None),
            ("Footstep 3", None),
            ("step 99999999999", None),
        ] {
            assert_eq!(iteration(name.as_bytes()), expected, "{name}");
        }
    }
}
