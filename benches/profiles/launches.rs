//! Launches of a recording that was never made: operators with the times that one
//! wants them to have.

use onnxray_format::{Iteration, IterationKind, Nanoseconds, Operator, Run};
use onnxray_import::{EventChunk, Events, Launch, Thread};

/// What a recording is to be like.
pub(crate) struct Plan<'a> {
    pub run: Run,
    pub operators: &'a [Operator],
    pub launches: u32,
    pub iterations: u32,
}

impl Plan<'_> {
    /// Operators run one after the other; `time` gives the nanoseconds of one in an
    /// iteration of a launch, and `overhead` what an iteration spends beside them.
    pub(crate) fn launches(
        &self,
        overhead: u64,
        mut time: impl FnMut(u32, u32, usize) -> u64,
    ) -> Vec<Launch> {
        let launch = |launch: u32| {
            let mut chunk = EventChunk::default();
            let mut iterations = Vec::new();
            let mut clock = 0;
            for iteration in 0..self.iterations {
                let begin = clock;
                for operator in 0..self.operators.len() {
                    let duration = time(launch, iteration, operator);
                    chunk.operator.push(operator as u32);
                    chunk.iteration.push(iteration);
                    chunk.thread.push(0);
                    chunk.start.push(clock);
                    chunk.duration.push(duration);
                    clock += duration;
                }
                clock += overhead;
                iterations.push(Iteration {
                    index: iteration,
                    kind: IterationKind::Measured,
                    start: Nanoseconds(begin),
                    duration: Nanoseconds(clock - begin),
                    step: None,
                });
            }
            Launch {
                run: Run { launch, ..self.run.clone() },
                operators: self.operators.to_vec(),
                iterations,
                events: Events {
                    chunks: vec![chunk],
                    threads: vec![Thread::default()],
                    figures: Vec::new(),
                },
                ..Launch::default()
            }
        };
        (0..self.launches).map(launch).collect()
    }
}
