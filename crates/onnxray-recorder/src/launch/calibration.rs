//! What profiling costs, measured beside the model: chains of nodes that compute next to
//! nothing run plain and instrumented, in the same engine with the same options and threads.

use crate::clock::Clock;
use crate::engine::{Engine, EngineSpec, Engines, InstalledEngines, Instrumentation, Runner};
use crate::error::RecordError;
use crate::model::bytes::chain::Chain;
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::BoundDimensions;
use crate::tensor::Tensor;
use ndarray::ArrayD;
use onnxray_format::{Calibration, CalibrationChain, Nanoseconds, Operator, Span, VectorRegisters};
use std::collections::VecDeque;
use std::rc::Rc;

/// Nodes of a chain: enough that what a run costs by itself does not count.
const NODES: u32 = 100;
/// The cost of an event may depend on a node's number of tensors and on their dimensions.
const CHAINS: [Chain; 3] = [
    Chain { nodes: NODES, inputs: 1, rank: 0 },
    Chain { nodes: NODES, inputs: 1, rank: 6 },
    Chain { nodes: NODES, inputs: 6, rank: 0 },
];
/// Pairs of runs of each chain in one go.
const PAIRS: u32 = 3;
/// Calls of [`Calibrator::measure`] where only the chains are measured.
const GOES: u32 = 20;

/// Measures what profiling costs in an engine, for a trace that was made without it.
///
/// # Errors
///
/// If the engine cannot be started.
pub fn calibrate(spec: &EngineSpec, threads: u32) -> Result<Calibration, RecordError> {
    let engine = InstalledEngines.start(spec, threads)?;
    let mut calibrator = Calibrator::begin(&*engine, threads, VectorRegisters::AsIs);
    (0..GOES).for_each(|_| calibrator.measure(engine.clock()));
    let afterwards = Some(format!("{} {}", engine.name(), engine.version()));
    Ok(Calibration { afterwards, ..calibrator.finish() })
}

/// The chains, ready to run; the reason where there are none.
pub(super) struct Calibrator(Result<Vec<ChainInEngine>, String>);

struct ChainInEngine {
    measured: CalibrationChain,
    inputs: Vec<Tensor>,
    unprofiled: Box<dyn Runner>,
    instrumented: Box<dyn Runner>,
    /// Instrumented runs whose spans were not taken yet: whether they count.
    pending: VecDeque<bool>,
    runs: u32,
}

impl Calibrator {
    /// Loads the chains and lets each run once.
    pub(super) fn begin(engine: &dyn Engine, threads: u32, registers: VectorRegisters) -> Self {
        let ready = |chain| -> Result<ChainInEngine, String> {
            let mut ready = ChainInEngine::load(chain, engine, threads, registers)?;
            // The first pair allocates memory and is not counted.
            ready.run_pair(engine.clock(), false)?;
            Ok(ready)
        };
        Calibrator(CHAINS.into_iter().map(ready).collect())
    }

    /// Without a profiler, there is nothing to measure.
    pub(super) fn none() -> Self {
        Calibrator(Ok(Vec::new()))
    }

    /// Runs each chain some times, plain and instrumented in turns.
    pub(super) fn measure(&mut self, clock: &dyn Clock) {
        let Ok(chains) = &mut self.0 else { return };
        let run = chains.iter_mut().try_for_each(|chain| {
            // What ran in between has taken the caches.
            chain.run_pair(clock, false)?;
            (0..PAIRS).try_for_each(|_| chain.run_pair(clock, true))
        });
        if let Err(reason) = run {
            self.0 = Err(reason);
        }
    }

    pub(super) fn finish(self) -> Calibration {
        let finish = |mut chain: ChainInEngine| -> Result<CalibrationChain, String> {
            chain.instrumented.release_spans()?;
            chain.take_spans();
            // Otherwise `node_ns` would be shorter than the lists of pairs beside it.
            match chain.pending.is_empty() {
                true => Ok(chain.measured),
                false => Err("the engine keeps what it recorded of a chain".to_string()),
            }
        };
        match self.0.and_then(|chains| chains.into_iter().map(finish).collect()) {
            Ok(chains) => Calibration { chains, ..Calibration::default() },
            Err(reason) => Calibration { unknown: Some(reason), ..Calibration::default() },
        }
    }
}

impl ChainInEngine {
    fn load(
        chain: Chain,
        engine: &dyn Engine,
        threads: u32,
        registers: VectorRegisters,
    ) -> Result<ChainInEngine, String> {
        // One element, however many dimensions: a node computes next to nothing.
        let shape = vec![1; chain.rank as usize];
        let inputs = vec![Tensor::from(ArrayD::from_elem(shape, 0.5_f32))];
        let load = || -> Result<_, RecordError> {
            let file = Rc::new(OnnxFile::made(&chain.name(), chain.bytes())?);
            let bound = BoundDimensions {
                shapes: vec![vec![1; chain.rank as usize]],
                ..BoundDimensions::default()
            };
            let loaded = engine.load_chain(&file, &bound, threads)?;
            let operators = loaded.operators(&inputs)?;
            let runner = |kind| loaded.runner(registers, kind);
            let runners = [runner(Instrumentation::None)?, runner(Instrumentation::Spans)?];
            Ok((operators, runners))
        };
        let (operators, [unprofiled, instrumented]) = load().map_err(|error| error.to_string())?;
        let measured = executed(chain, &operators)?;
        Ok(ChainInEngine {
            measured,
            inputs,
            unprofiled,
            instrumented,
            pending: VecDeque::new(),
            runs: 0,
        })
    }

    /// Runs it plain and instrumented, every other time the other way round.
    fn run_pair(&mut self, clock: &dyn Clock, is_counted: bool) -> Result<(), String> {
        self.runs += 1;
        let mut times = [Nanoseconds(0); 2];
        // Whatever runs second finds warmer caches: neither is always the second.
        for place in [self.runs % 2, (self.runs + 1) % 2] {
            let runner = if place == 0 { &mut self.unprofiled } else { &mut self.instrumented };
            runner.prepare(&self.inputs)?;
            let start = clock.now();
            runner.run().map_err(|failure| failure.reason)?;
            times[place as usize] = clock.now() - start;
        }
        if is_counted {
            self.measured.plain_ns.push(times[0].0);
            self.measured.profiled_ns.push(times[1].0);
        }
        self.pending.push_back(is_counted);
        self.take_spans();
        Ok(())
    }

    fn take_spans(&mut self) {
        let mut spans: Vec<Span> = Vec::new();
        while let Some(&is_counted) = self.pending.front() {
            if !self.instrumented.take_spans(&mut spans) {
                break;
            }
            self.pending.pop_front();
            if is_counted {
                // Engines count whole microseconds: only a mean tells parts of them.
                let sum: Nanoseconds = spans.iter().map(|span| span.duration).sum();
                self.measured.node_ns.push(sum.0 as f64 / spans.len() as f64);
            }
        }
    }
}

/// Describes a chain as the engine executes it: it may run more nodes than the model has.
fn executed(chain: Chain, operators: &[Operator]) -> Result<CalibrationChain, String> {
    let nodes = operators.len() as u32;
    let mean = |sum: usize| sum as f64 / f64::from(nodes);
    // The engine fused some: how long they are together tells nothing of an event's cost.
    let (tensors, dimensions) = if nodes < chain.nodes {
        return Err(format!("the engine makes {nodes} of a {}", chain.name()));
    } else if nodes == chain.nodes {
        // The table names a tensor once, however often a node takes it.
        let tensors = f64::from(chain.inputs + 1);
        (tensors, tensors * f64::from(chain.rank))
    } else {
        let all = || operators.iter().flat_map(|o| o.inputs.iter().chain(&o.outputs));
        let ranks = all().filter_map(|tensor| tensor.shape.as_ref().map(Vec::len));
        (mean(all().count()), mean(ranks.sum()))
    };
    Ok(CalibrationChain { nodes, tensors, dimensions, ..CalibrationChain::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::Tensor as Fact;

    #[test]
    fn chains_run_unprofiled_and_instrumented_as_often() {
        let engine = EngineSpec::default().start(1).unwrap();
        let mut calibrator = Calibrator::begin(&*engine, 1, VectorRegisters::Cleared);
        for _ in 0..3 {
            calibrator.measure(engine.clock());
        }
        let Calibration { unknown, chains, .. } = calibrator.finish();
        assert_eq!((unknown, chains.len()), (None, CHAINS.len()));
        for chain in chains {
            let runs = [&chain.plain_ns, &chain.profiled_ns].map(Vec::len);
            assert_eq!((runs, chain.node_ns.len()), ([9, 9], 9));
            assert!(chain.nodes >= NODES && chain.tensors >= 2.0, "{chain:?}");
            assert!(chain.node_ns.iter().all(|&time| time > 0.0), "{chain:?}");
        }
    }

    #[test]
    fn a_chain_that_is_fused_tells_nothing() {
        let fact = Fact { name: String::new(), data_type: None, shape: Some(vec![1; 2]) };
        let operator =
            Operator { inputs: vec![fact.clone(); 2], outputs: vec![fact], ..Operator::default() };
        let executed = |count| executed(CHAINS[2], &vec![operator.clone(); count]);
        let reason = executed(1).unwrap_err();
        assert_eq!(reason, "the engine makes 1 of a chain of 100, 6 inputs, rank 0");
        let whole = executed(100).unwrap();
        assert_eq!((whole.tensors, whole.dimensions), (7.0, 0.0));
        let parted = executed(500).unwrap();
        assert_eq!((parted.nodes, parted.tensors, parted.dimensions), (500, 3.0, 6.0));
    }
}
