//! Flags the first iterations of a launch as warm-up where the reader asks for it: other
//! runtimes flag none.

use crate::{ImportError, Launch};
use onnxray_format::{Iteration, IterationKind, Nanoseconds, Warning};
use onnxray_text::counted;

/// Flags the first `count` profiled iterations, of which the producer may have flagged some.
/// Plain ones that begin before these end are taken out: they have no other kind.
///
/// # Errors
///
/// If no measured iteration would be left.
pub(crate) fn flag(launch: &mut Launch, count: u32) -> Result<(), ImportError> {
    let profiled = |iteration: &Iteration| iteration.kind != IterationKind::Unprofiled;
    let file = launch.files.first().cloned().unwrap_or_default();
    let iterations = launch.iterations.iter().filter(|iteration| profiled(iteration)).count();
    if count as usize >= iterations {
        return Err(ImportError::AllWarmUp { file, warmup: count, iterations });
    }
    let first = launch.iterations.iter_mut().filter(|iteration| profiled(iteration));
    let mut end = Nanoseconds(0);
    for iteration in first.take(count as usize) {
        iteration.kind = IterationKind::WarmUp;
        end = end.max(Nanoseconds(iteration.start.0 + iteration.duration.0));
    }
    let is_left = |iteration: &Iteration| profiled(iteration) || iteration.start >= end;
    let left: Vec<bool> = launch.iterations.iter().map(is_left).collect();
    if left.contains(&false) {
        launch.keep_iterations(&left);
    }
    if count > 0 && !launch.averages.is_empty() {
        let first = counted(u64::from(count), "iteration is", "iterations are");
        let message = format!(
            "the first {first} left out of the latency, not of the operators' times, \
                               of which the trace has averages only"
        );
        launch.warnings.push(Warning::note(&file, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventChunk, Events, NO_ITERATION};
    use IterationKind::{Measured, Unprofiled, WarmUp};

    fn launch(kinds: &[IterationKind]) -> Launch {
        let iterations = kinds.iter().zip(0..).map(|(&kind, index)| Iteration {
            index,
            kind,
            start: Nanoseconds(10 * u64::from(index)),
            duration: Nanoseconds(8),
            step: None,
        });
        let iterations: Vec<Iteration> = iterations.collect();
        let profiled = (0..).zip(kinds).filter(|&(_, &kind)| kind != Unprofiled);
        let positions: Vec<u32> =
            profiled.map(|(position, _)| position).chain([NO_ITERATION]).collect();
        let chunk = EventChunk {
            operator: vec![0; positions.len()],
            thread: vec![0; positions.len()],
            start: vec![0; positions.len()],
            duration: vec![1; positions.len()],
            iteration: positions,
            figures: Vec::new(),
        };
        Launch {
            iteration_threads: (0..iterations.len() as u32).collect(),
            iterations,
            events: Events { chunks: vec![chunk], ..Events::default() },
            ..Launch::default()
        }
    }

    fn kinds(launch: &Launch) -> Vec<IterationKind> {
        launch.iterations.iter().map(|iteration| iteration.kind).collect()
    }

    #[test]
    fn the_first_iterations_are_flagged_those_already_flagged_included() {
        let mut foreign = launch(&[Measured, Measured, Measured]);
        flag(&mut foreign, 2).unwrap();
        assert_eq!(kinds(&foreign), [WarmUp, WarmUp, Measured]);
        let mut ours = launch(&[WarmUp, WarmUp, Measured, Measured]);
        flag(&mut ours, 1).unwrap();
        assert_eq!(kinds(&ours), [WarmUp, WarmUp, Measured, Measured]);
        flag(&mut ours, 3).unwrap();
        assert_eq!(kinds(&ours), [WarmUp, WarmUp, WarmUp, Measured]);
    }

    #[test]
    fn unprofiled_iterations_among_the_first_are_taken_out() {
        let mut launch = launch(&[WarmUp, Unprofiled, Measured, Unprofiled, Measured]);
        flag(&mut launch, 2).unwrap();
        assert_eq!(kinds(&launch), [WarmUp, WarmUp, Unprofiled, Measured]);
        assert_eq!(launch.iteration_threads, [0, 2, 3, 4]);
        assert_eq!(launch.events.chunks[0].iteration, [0, 1, 3, NO_ITERATION]);
    }

    #[test]
    fn an_iteration_has_to_be_left() {
        let message = |kinds: &[IterationKind], count| {
            flag(&mut launch(kinds), count).unwrap_err().to_string()
        };
        let three = message(&[Unprofiled, Measured, Measured, Measured], 3);
        assert!(three.contains("has 3 iterations"), "{three}");
        assert!(three.contains("--warmup 2 "), "{three}");
        assert!(message(&[Measured], 1).contains("has 1 iteration,"));
        assert!(message(&[], 1).contains("no iterations"));
    }
}
