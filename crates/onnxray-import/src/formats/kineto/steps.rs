//! Which annotations are the iterations.
//!
//! `torch.profiler` writes `ProfilerStep#3` where a program has a schedule. Servers of language
//! models have none, and annotate what they do for a batch by themselves. Which others mark
//! iterations only the user knows.

use crate::chrome::{Assembled, EventTrace, IterationMark, Label, MarkPattern};
use onnxray_format::Warning;
use onnxray_text::counted;
use std::collections::BTreeMap;
use std::path::Path;

/// What the annotations of a kind begin with, and who writes them, outer ones before those that
/// lie in them.
const OF_SERVERS: [(&str, &str); 5] = [
    ("step[", "SGLang"),
    ("[Executor] _forward_step ", "TensorRT-LLM"),
    ("execute_model", "vLLM"),
    ("execute_context_", "vLLM"),
    ("execute_new_", "vLLM"),
];

/// What annotations are counted as that are not iterations.
const ANNOTATIONS: &str = "annotations";

/// The steps, which no other events are then. Marks that are none are counted as annotations.
pub(super) fn steps(
    trace: &mut EventTrace,
    pattern: Option<&MarkPattern>,
) -> (Vec<IterationMark>, Option<Warning>) {
    let file = trace.file.clone();
    let (others, note) = match pattern {
        // What the user names wins, even where steps are marked.
        Some(pattern) => {
            trace.mark_rows(|label| is_of_host(label) && pattern.matches(&label.name()));
            let names = listed(&counts(trace));
            let others = trace.keep_marks(|label| pattern.matches(&label.name()));
            let note = trace.marks.is_empty().then(|| {
                let message = format!(
                    "no annotation is called {:?}, which is to mark iterations; there are {names}",
                    pattern.text()
                );
                Warning::note(&file, message)
            });
            (others, note)
        }
        // `ProfilerStep#N`: torch.profiler's own steps.
        None if any(trace, |name| number(name).is_some()) => {
            (trace.keep_marks(|label| number(label.raw_name()).is_some()), None)
        }
        None => {
            let is_there =
                |(begin, _): &&(&str, &str)| any(trace, |name| name.starts_with(begin.as_bytes()));
            match OF_SERVERS.iter().find(is_there) {
                Some((begin, server)) => {
                    let others =
                        trace.keep_marks(|label| label.raw_name().starts_with(begin.as_bytes()));
                    let message = format!(
                        "the {} of {server} that begin with {begin:?} are read as iterations; \
                         `--iteration-marks PATTERN` names others",
                        counted(trace.marks.len() as u64, "annotation", "annotations")
                    );
                    (others, Some(Warning::note(&file, message)))
                }
                None => {
                    let counts = counts(trace);
                    // Something that occurs once is not what one would want as iterations.
                    let is_repeated = counts.first().is_some_and(|&(_, count)| count > 1);
                    let message = format!(
                        "no steps are marked; `--iteration-marks PATTERN` takes annotations for \
                         iterations: {}",
                        listed(&counts)
                    );
                    let note = is_repeated.then(|| Warning::note(&file, message));
                    (trace.keep_marks(|_| false), note)
                }
            }
        }
    };
    if !others.is_empty() {
        *trace.ignored.entry(ANNOTATIONS).or_default() += others.len() as u64;
    }
    let index = |label: u32| number(trace.labels[label as usize].raw_name());
    let steps = trace.marks.iter().map(|mark| IterationMark::measured(mark, index(mark.label)));
    (steps.collect(), note)
}

/// Leaves out steps in which nothing ran, if something did in others: a profiler that ends where a
/// step begins marks it all the same, and means would be over it.
pub(super) fn without_empty(assembled: &mut Assembled, file: &Path) -> Option<Warning> {
    let has_run = assembled.has_events();
    let empty = has_run.iter().filter(|has_run| !**has_run).count();
    if empty == 0 || empty == has_run.len() {
        return None;
    }
    assembled.keep(&has_run);
    let (is, them) = if empty == 1 { ("is", "it") } else { ("are", "them") };
    let all = has_run.len();
    let message = format!("{empty} of {all} steps {is} left out, since nothing ran in {them}");
    Some(Warning::note(file, message))
}

/// Whether executions of a label may be marks: work of devices and calls of their runtimes are
/// none.
fn is_of_host(label: &Label) -> bool {
    let category = label.category();
    !super::launched::OF_DEVICES.contains(&&*category) && !super::launched::is_call(&category)
}

fn any(trace: &EventTrace, is: impl Fn(&[u8]) -> bool) -> bool {
    trace.marks.iter().any(|mark| is(trace.labels[mark.label as usize].raw_name()))
}

/// The names that marks have, with their counts, the most frequent first.
fn counts(trace: &EventTrace) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for mark in &trace.marks {
        *counts.entry(trace.labels[mark.label as usize].name().into_owned()).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts
}

fn listed(counts: &[(String, usize)]) -> String {
    const MOST: usize = 5;
    if counts.is_empty() {
        return "no annotations".to_string();
    }
    let first = counts.iter().take(MOST).map(|(name, count)| format!("{name:?} ({count})"));
    let first = first.collect::<Vec<_>>().join(", ");
    match counts.len().checked_sub(MOST).filter(|&left| left > 0) {
        Some(left) => format!("{first} and {}", counted(left as u64, "other", "others")),
        None => first,
    }
}

/// The index of a step of `torch.profiler`.
pub(super) fn number(name: &[u8]) -> Option<u32> {
    std::str::from_utf8(name.strip_prefix(b"ProfilerStep#")?).ok()?.parse().ok()
}
