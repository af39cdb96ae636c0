//! What to do about a recording, in words of the tool that made it: options of
//! `onnxray record` say nothing to someone whose profile another runtime wrote.

use crate::trace::Trace;

/// Advice for whoever made a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// Made by `onnxray record`, whose options advice may name.
    recorded: bool,
    /// Of blocks, as `onnxray xray` makes it.
    blocks: bool,
    /// Interleaved with another recording.
    in_turns: bool,
    /// Iterations per unit of `--warmup`: 1, or those of the phase in one generation.
    steps: u32,
    /// Launches that something in the recording asks for; 0 if nothing does.
    fewest: usize,
}

impl Advice {
    pub(super) fn of(trace: &Trace) -> Advice {
        // A session in one's own program has no options, and does not say what its
        // inputs are.
        let by_command =
            |run: &onnxray_format::Run| run.converted_from.is_none() && run.inputs.is_some();
        Advice {
            blocks: trace.runs.iter().any(|run| run.blocks),
            recorded: trace.format.is_recording() && trace.runs.iter().all(by_command),
            in_turns: trace.runs.iter().any(|run| run.interleaved.is_some()),
            steps: steps(trace).unwrap_or(1).max(1),
            fewest: 0,
        }
    }

    /// True if `onnxray record` made the recording.
    pub fn is_recorded(self) -> bool {
        self.recorded
    }

    /// True if launches were interleaved with those of another recording.
    pub fn is_in_turns(self) -> bool {
        self.in_turns
    }

    /// The same where one finding asks for this many launches, so that none asks for fewer.
    pub(crate) fn asking_for(self, fewest: usize) -> Advice {
        Advice { fewest, ..self }
    }

    /// Advice where there are too few launches.
    pub fn launches(self, enough: usize) -> String {
        let enough = enough.max(self.fewest);
        match self.recorded {
            true => format!("use --launches {enough}"),
            false => {
                format!("profile the model in {enough} processes, and name all of their files")
            }
        }
    }

    /// Advice where there are too few iterations.
    pub fn iterations(self) -> &'static str {
        match (self.recorded, self.blocks) {
            // Each of them runs every part several times, within the limit.
            (true, true) => "use --iterations 40 and a longer --time-limit",
            (true, false) => "use --iterations 100",
            (false, _) => "profile 100 iterations",
        }
    }

    /// Advice where the latency settled only after this many iterations.
    pub fn warmup(self, iterations: u64) -> String {
        // `--warmup` counts generations (docs/statistics.md#phases-of-a-generation).
        let counted = iterations.div_ceil(u64::from(self.steps.max(1)));
        match (self.recorded, self.blocks) {
            (true, true) => format!("xray with --warmup {counted}"),
            (true, false) => format!("record with --warmup {counted}"),
            (false, _) => match iterations {
                1 => "--warmup 1 leaves it out".to_string(),
                several => format!("--warmup {several} leaves them out"),
            },
        }
    }

    /// Advice where drift of the machine may explain a difference.
    pub fn turns(self) -> &'static str {
        match (self.recorded, self.in_turns) {
            (_, true) => "compare it only with the recording that it took turns with",
            (true, false) if self.blocks => "take both in turns (xray A --against B)",
            (true, false) => "record both versions interleaved (record A --against B)",
            (false, false) => "profile both versions interleaved, one process of each at a time",
        }
    }

    /// Advice where the profiling overhead is unknown.
    pub fn unprofiled_iterations(self) -> &'static str {
        match self.recorded {
            true => "record with unprofiled iterations (--unprofiled-iterations)",
            false => "also measure the latency without the profiler, and compare",
        }
    }
}

/// Iterations of one generation in their phase; `None` for whole inferences.
fn steps(trace: &Trace) -> Option<u32> {
    let step = trace.iterations.rows().iter().find_map(|iteration| iteration.step)?;
    let generation = trace.runs.first()?.generation.as_ref()?;
    Some(generation.iterations(step.phase))
}
