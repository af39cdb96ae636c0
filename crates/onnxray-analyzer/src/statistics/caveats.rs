//! Caveats of a recording, and what its format cannot tell.

use super::launches::ranks::are_ranks;
use super::spread::bounds::cut_change;
use super::{
    Advice, CostSummary, Interference, IterationSummary, LaunchSummary, ModelSummary, NoiseSource,
    OperatorSummary, ProfilingBound, SteadyState,
};
use crate::trace::Trace;
use onnxray_format::{BY_BOTH_SIDES, IN_HUGE_PAGES, Run, TAKEN_OFF, WITHOUT_WAITS};
use onnxray_text::{counted, first_of, printable};
use std::iter;

/// Caveats about ranks, warm-up and too few iterations.
pub(super) fn caveats(
    launches: &[LaunchSummary],
    measured: &[&IterationSummary],
    advice: Advice,
) -> Vec<String> {
    let mut caveats = Vec::new();
    if are_ranks(launches) {
        caveats.push(format!(
            "the {} launches are ranks of one run, which wait for each other: together they count \
             as one launch",
            launches.len()
        ));
    }
    let steady_state = SteadyState::of(launches);
    if steady_state.late > 0 {
        caveats.push(steady_state.late(advice));
    }
    if steady_state.never > 0 {
        caveats
            .push(format!("{}the latency never settles", steady_state.among(steady_state.never)));
    }
    match measured.len() {
        0 | 10.. => {}
        1 => caveats.push(
            "only 1 iteration was measured: how much the latency varies is unknown".to_string(),
        ),
        few => caveats.push(format!("only {few} iterations were measured: percentiles say little")),
    }
    caveats
}

/// Interference that moves the typical latency by less is not mentioned.
pub(super) const MOVED: f64 = 0.02;

/// Fewer threads that wait for a core, on average, are not mentioned where nobody knows what they
/// cost.
const WAITING: f64 = 0.1;

/// Interference that made the typical latency longer.
pub(super) fn interference_caveats(interferences: &[Interference]) -> Vec<String> {
    let moves = |found: &Interference| found.cost().is_some_and(|cost| cost >= MOVED);
    // Load takes cores away: one caveat is enough for both.
    let loaded =
        interferences.iter().any(|found| found.source == NoiseSource::Load && moves(found));
    let is_switches = |found: &&Interference| found.source == NoiseSource::Switches;
    let known = interferences.iter().filter(is_switches).any(moves);
    let text = |found: &Interference| match moves(found) {
        true if found.source == NoiseSource::Switches && loaded => None,
        true => Some(format!("{}: {}", found.text(), found.cost_text(0)?)),
        // A known cost is too small for a word.
        false if found.cost().is_some() && !found.is_at_least() => None,
        // Another sign of the same load tells what it costs.
        false if known => None,
        // The time is lost all the same.
        false => found.threads_waiting.filter(|&threads| threads >= WAITING).map(|_| {
            format!("{}; what that costs is unknown: {}", found.text(), found.why_unknown())
        }),
    };
    interferences.iter().filter_map(text).collect()
}

/// Whether blocks were timed without what their thread waited for a core.
pub(super) fn is_without_waits(operators: &[OperatorSummary]) -> bool {
    has_condition(operators, WITHOUT_WAITS)
}

/// Whether blocks were timed under this condition.
pub(crate) fn has_condition(blocks: &[OperatorSummary], condition: &str) -> bool {
    blocks.iter().any(|block| block.operator.attributes.contains_key(condition))
}

/// What times of blocks are.
pub(super) fn of_blocks(blocks: &[OperatorSummary]) -> String {
    let waits = match is_without_waits(blocks) {
        true => ", without the time for which they waited for a core",
        false => "",
    };
    let pages = match has_condition(blocks, IN_HUGE_PAGES) {
        true => "; models are in huge pages of memory, in which they can be faster",
        false => "",
    };
    // Half of what two models in place of one cost is taken off, where both say it or where it was measured.
    let call = match has_condition(blocks, BY_BOTH_SIDES) || has_condition(blocks, TAKEN_OFF) {
        true => "the first and the last block include about half each of",
        false => "the first block includes",
    };
    format!(
        "each iteration is a median of several runs{waits}: percentiles are of these medians{pages}; \
         {call} the engine's fixed cost per call"
    )
}

/// Cuts of an x-ray that change what runs.
pub(super) fn cuts(blocks: &[OperatorSummary]) -> Option<String> {
    let told = blocks.iter().filter_map(|block| {
        let changes = cut_change(&block.operator)?;
        let last = block.operator.nodes.last()?;
        Some(format!("{} by {:+.3} ms", printable(last), changes.0))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| {
        format!(
            "cuts change what the model takes: behind {}; times of blocks next to these are off",
            first_of(&told, "; ")
        )
    })
}

/// Busy cores of a session that is left alone, from which on its threads spin.
const SPINS: f64 = 0.1;

/// A call at a pace takes up to 6 times the CPU time of an inference of the loop, whose caches are warm;
/// where threads spin between calls, a hundred times (silero-vad at 20 calls a second).
const TIMES: f64 = 20.0;

/// CPU time of threads that look for work between calls.
pub(super) fn spinning(run: &Run, costs: &CostSummary) -> Option<String> {
    let idle = costs.idle_cores.as_ref().map(|cores| cores.mean)?;
    let spinning = run.engine_options.get("spinning")?;
    let of_call = costs.paces.iter().filter(|pace| pace.rate.is_some());
    let of_call = of_call.filter_map(|pace| Some(pace.cpu_time.as_ref()?.mean)).fold(0.0, f64::max);
    let of_loop = costs.cpu_time.as_ref().map(|own| own.mean).filter(|mean| *mean > 0.0);
    let times = of_loop.map(|mean| of_call / mean);
    let is_large = times.is_some_and(|times| times >= TIMES && run.threads.unwrap_or(1) > 1);
    // Where two sides take turns in one process, launches switch it off, and these processes do not.
    let can_end = spinning == "on" && idle >= SPINS || is_large;
    (can_end && !costs.paces.is_empty()).then(|| {
        let times = times.filter(|_| is_large);
        let times = times.map_or(String::new(), |times| {
            format!(": a call takes {times:.0} times the CPU time of an inference of the loop")
        });
        let idle = match idle >= SPINS {
            true => format!(" ({idle:.2} cores), as far as other programs leave them cores"),
            false => String::new(),
        };
        format!("idle threads spin between calls{idle}{times}; --ort spinning=no ends it")
    })
}

/// The profiling overhead, if all of its interval is above 5 % and nothing takes it out.
pub(super) fn costly(model: &ModelSummary) -> Option<String> {
    let overhead = model.recording_overhead?;
    if model.is_calibrated || !overhead.is_costly() {
        return None;
    }
    Some(format!(
        "profiling slows each iteration by {:.0} %; small operators are affected most",
        overhead.share * 100.0
    ))
}

/// Caveat of a profiling cost that is unknown, bounded, or measured later.
pub(super) fn uncalibrated(model: &ModelSummary) -> Option<String> {
    if let Some(ProfilingBound { most, doubtful }) = &model.profiling_bound {
        if *doubtful == 0 {
            return None;
        }
        return Some(format!(
            "operator times include the profiler's cost, up to {:.1} µs per call; for {} that may be \
             over half of the time; `onnxray record --engine onnxruntime` measures it and takes \
             it out; `onnxray convert --calibrate-with` does so for a profile of a version that is \
             installed here",
            most / 1e3,
            counted(*doubtful as u64, "small operator", "small operators"),
        ));
    }
    if model.is_calibrated && model.unprofiled.is_none() {
        let known = "without unprofiled iterations, the latency is the profiled one";
        let afterwards = model.calibrated_afterwards.iter().map(|engine| {
            format!(
                "; that was measured with {} when the trace was converted, and holds if the same \
                 version made the trace, on a machine that is as fast",
                printable(engine)
            )
        });
        return Some(iter::once(known.to_string()).chain(afterwards).collect());
    }
    let reason = model.profiling.as_ref()?.as_ref().err()?;
    Some(format!(
        "the profiling cost is unknown: {reason}; times of operators hold it, and add up to the \
         profiled latency"
    ))
}

/// Figures that the trace cannot provide, a sentence each.
pub(super) fn unknowns(trace: &Trace, model: &ModelSummary) -> Vec<String> {
    let mut unknowns = Vec::new();
    let run = trace.runs.first();
    let converted_from = run.and_then(|run| run.converted_from.as_deref());
    let format = converted_from.unwrap_or(trace.format.title);
    let averaged = !trace.averages.is_empty();
    let latency = model.profiled.map(|profiled| profiled.times.mean.0);
    let timed = averaged || !trace.events.is_empty();
    if let (None, Some(unprofiled)) = (model.profiled, model.unprofiled) {
        unknowns.push(format!(
            "no operator is known: of {} nothing but the latency was recorded",
            counted(unprofiled.times.count, "unprofiled iteration", "unprofiled iterations")
        ));
    } else if !timed && trace.operators.is_empty() {
        let latency = latency.map_or("", |_| "; of it nothing but the latency is known");
        unknowns.push(format!("no layers or operators are in this {format} input{latency}"));
    } else if !timed {
        unknowns.push(format!("this {format} input lists operators without their times"));
    } else if trace.compact.is_some() {
        unknowns.push(
            "a compact recording: percentiles of operators, and what they take in single iterations, \
             are unknown"
                .to_string(),
        );
    } else if averaged {
        unknowns.push(format!(
            "this {format} input has averages only: percentiles, minima and maxima of operators are \
             unknown where it does not state them"
        ));
    }
    let together = model.operators_mean.filter(|_| averaged && trace.compact.is_none());
    if let (Some(latency), Some(together)) = (latency.filter(|&mean| mean > 0.0), together) {
        unknowns.push(format!(
            "{format} timed operators one by one, apart from the iterations: their times add up to \
             {:.1} % of the latency, and the overhead is unknown",
            together.0 / latency * 100.0
        ));
    }
    if trace.runs.iter().any(|run| run.iterations_are_sums) && latency.is_some() {
        unknowns.push(format!(
            "iterations of this {format} input are sums of their operators: the overhead is unknown"
        ));
    }
    if timed && latency.is_none() {
        unknowns.push(format!(
            "this {format} input marks no iterations: latency, throughput and overhead are \
             unknown, shares are of the operators' time"
        ));
    }
    // The cost of ONNX Runtime's profiler has a bound, which `uncalibrated` states.
    let is_foreign = converted_from.is_some() || !trace.format.is_recording();
    if timed && is_foreign && !run.is_some_and(Run::is_of_onnx_runtime) {
        unknowns.push(format!(
            "this {format} input does not state its profiler's cost, which is part of the times \
             of operators"
        ));
    }
    unknowns
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{CUT_CHANGES, Operator};

    #[test]
    fn cuts_that_change_what_runs_are_named() {
        let block = |last: &str, changes: Option<&str>| {
            let attributes = changes.map(|changes| (CUT_CHANGES.to_string(), changes.to_string()));
            let nodes = vec!["/first".to_string(), last.to_string()];
            let attributes = attributes.into_iter().collect();
            OperatorSummary::unmeasured(Operator { nodes, attributes, ..Operator::default() })
        };
        let told = cuts(&[
            block("/a", Some("1000000")),
            block("/b", Some("x")),
            block("/c", Some("-2000000")),
        ]);
        let told = told.unwrap();
        assert!(told.contains(": behind /a by +1.000 ms; /c by -2.000 ms; times"), "{told}");
        assert_eq!(cuts(&[block("/b", None)]), None);
    }

    #[test]
    fn the_call_of_the_engine_is_in_the_last_block_where_half_of_it_was_taken_off_the_first() {
        let said = |attribute: Option<&str>| {
            let attributes = attribute.map(|name| (name.to_string(), "yes".to_string()));
            let attributes = attributes.into_iter().collect();
            of_blocks(&[OperatorSummary::unmeasured(Operator {
                attributes,
                ..Operator::default()
            })])
        };
        for condition in [BY_BOTH_SIDES, TAKEN_OFF] {
            assert!(said(Some(condition)).contains("include about half each of the engine's"));
        }
        for other in [None, Some(WITHOUT_WAITS)] {
            assert!(said(other).contains("the first block includes the engine's fixed cost"));
        }
    }

    /// The same load beside two recordings: one has iterations without it, and so a cost.
    #[test]
    fn an_unknown_cost_says_why_another_recording_may_know_it() {
        let load = |affected, ratio, moved| Interference {
            source: NoiseSource::Load,
            affected,
            all: 50,
            amount: 0.5,
            cores: Some(1),
            ratio,
            interval: None,
            moved,
            everywhere: false,
            stolen_slowdown: None,
            threads_waiting: Some(0.5),
        };
        let told = |found: Interference| interference_caveats(&[found]).pop();
        let ends = |found: Interference, end: &str| {
            let text = told(found).unwrap();
            assert!(text.ends_with(end), "{text}");
        };
        ends(load(50, None, None), "; what that costs is unknown: all iterations had it");
        ends(load(48, None, None), ": too few iterations had it, or had it not");
        ends(load(20, Some(1.1), None), ": iterations that had it were not longer beyond chance");
        ends(
            load(20, Some(1.6), Some(0.58)),
            ": the typical latency is 58 % longer because of this",
        );
        assert_eq!(told(load(20, Some(1.01), Some(0.01))), None, "known, and too small for a word");
    }
}
