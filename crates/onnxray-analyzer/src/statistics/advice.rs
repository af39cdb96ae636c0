//! What to do about a recording, in words of the tool that made it: options of
//! `onnxray record` say nothing to someone whose profile another runtime wrote.

use crate::trace::Trace;

/// Advice for whoever made a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// `onnxray record` made it, and so its options are known.
    recorded: bool,
    /// It took turns with another one.
    in_turns: bool,
    /// Iterations of what its options count: 1, or those of a phase in a generation.
    steps: u32,
}

impl Advice {
    pub(super) fn of(trace: &Trace) -> Advice {
        // A session in one's own program has no options, and does not say what its
        // inputs are.
        let by_command =
            |run: &onnxray_format::Run| run.converted_from.is_none() && run.inputs.is_some();
        Advice {
            recorded: trace.format.is_recording() && trace.runs.iter().all(by_command),
            in_turns: trace.runs.iter().any(|run| run.interleaved.is_some()),
            steps: steps(trace).unwrap_or(1).max(1),
        }
    }

    /// Whether `onnxray record` made the recording.
    pub fn is_recorded(self) -> bool {
        self.recorded
    }

    /// Whether launches took turns with those of another recording.
    pub fn is_in_turns(self) -> bool {
        self.in_turns
    }

    /// For a recording of too few launches.
    pub fn launches(self, enough: usize) -> String {
        match self.recorded {
            true => format!("use --launches {enough}"),
            false => {
                format!("profile the model in {enough} processes, and name all of their files")
            }
        }
    }

    /// For one of too few iterations.
    pub fn iterations(self) -> &'static str {
        match self.recorded {
            true => "use --iterations 100",
            false => "profile 100 iterations",
        }
    }

    /// For one of which this many iterations were needed before the latency settled.
    pub fn warmup(self, iterations: u64) -> String {
        let counted = iterations.div_ceil(u64::from(self.steps.max(1)));
        match self.recorded {
            true => format!("record with --warmup {counted}"),
            false => match iterations {
                1 => "--warmup 1 leaves it out".to_string(),
                several => format!("--warmup {several} leaves them out"),
            },
        }
    }

    /// For one that differs from recordings made before or after it.
    pub fn turns(self) -> &'static str {
        match (self.recorded, self.in_turns) {
            (_, true) => "compare it only with the recording that it took turns with",
            (true, false) => "record both versions interleaved (record A --against B)",
            (false, false) => "profile both versions interleaved, one process of each at a time",
        }
    }

    /// For one that does not tell what recording costs.
    pub fn plain_iterations(self) -> &'static str {
        match self.recorded {
            true => "record with unprofiled iterations (--unprofiled-iterations)",
            false => "also measure the latency without the profiler, and compare",
        }
    }
}

/// Steps of a generation that the iterations are of; `None` if they are whole inferences.
fn steps(trace: &Trace) -> Option<u32> {
    let step = trace.iterations.rows().iter().find_map(|iteration| iteration.step)?;
    let generation = trace.runs.first()?.generation.as_ref()?;
    Some(generation.iterations(step.phase))
}
