//! What an event costs at the least, from chains of nodes that compute next to nothing.
//!
//! A node of a chain takes as long in an unprofiled run as its dispatch and its kernel, and its event
//! holds the kernel and what profiling adds to it. The kernel's part of the plain time is not
//! known: half of it is taken, and the rest is how far the result may be off.

use crate::statistics::overhead::profiling_overhead::rank_of_median;
use crate::statistics::spread::distribution::median;
use onnxray_format::{Calibration, CalibrationChain, Operator};

/// Profiling cost by the chains, in nanoseconds: a lower bound, since their caches are warm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChainCost {
    /// Inside an event, without what tensors and dimensions add.
    base: f64,
    per_tensor: f64,
    per_dimension: f64,
    /// Possible error of the cost inside an event.
    pub reach: f64,
    /// Between two events.
    pub between: f64,
}

/// Chains of one kind in all launches. Values are per node, one for each pair of runs.
struct Chain {
    tensors: f64,
    dimensions: f64,
    unprofiled: Vec<f64>,
    between: Vec<f64>,
    /// Event of a node minus its unprofiled time.
    beyond: Vec<f64>,
}

impl ChainCost {
    /// From the launches that have a calibration.
    ///
    /// # Errors
    ///
    /// Why nothing is known, in words.
    pub(super) fn of(calibrations: &[Option<Calibration>]) -> Result<ChainCost, String> {
        let known = || calibrations.iter().flatten();
        let mut chains: Vec<Chain> = Vec::new();
        for chain in known().flat_map(|calibration| &calibration.chains) {
            let is_same =
                |c: &&mut Chain| (c.tensors, c.dimensions) == (chain.tensors, chain.dimensions);
            match chains.iter_mut().find(is_same) {
                Some(same) => same.add(chain),
                None => chains.push(Chain::of(chain)),
            }
        }
        let size = |chain: &Chain| (chain.tensors, chain.dimensions);
        let simplest = chains.iter().min_by(|a, b| {
            let (a, b) = (size(a), size(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let Some(simplest) = simplest else {
            let reason = known().find_map(|calibration| calibration.unknown.clone());
            return Err(reason.unwrap_or_else(|| "it was not measured".to_string()));
        };
        let unprofiled = simplest.median_of(&simplest.unprofiled)?;
        let beyond = simplest.median_of(&simplest.beyond)?;
        if unprofiled.value <= 0.0 {
            return Err("the clock does not tell how long its chains ran".to_string());
        }
        // The cost of a dimension first, from chains that differ in nothing else: that of a tensor
        // needs it. Neither is below 0, as docs/statistics.md#profiling-cost has it: that would be
        // noise.
        let (mut per_dimension, mut per_tensor) = (0.0_f64, 0.0_f64);
        for chain in &chains {
            let (tensors, more) =
                (chain.tensors - simplest.tensors, chain.dimensions - simplest.dimensions);
            if tensors == 0.0 && more > 0.0 {
                let slope = (chain.median_of(&chain.beyond)?.value - beyond.value) / more;
                per_dimension = per_dimension.max(slope);
            }
        }
        for chain in &chains {
            let (tensors, more) =
                (chain.tensors - simplest.tensors, chain.dimensions - simplest.dimensions);
            if tensors > 0.0 {
                let rest = chain.median_of(&chain.beyond)?.value - per_dimension * more;
                per_tensor = per_tensor.max((rest - beyond.value) / tensors);
            }
        }
        // An event holds an unknown part of the plain time: half of it is taken, and half is the
        // error.
        let inside = (beyond.value + unprofiled.value / 2.0).max(0.0);
        // Subtracted from the base, so that an operator of the simplest chain's size costs
        // `inside`.
        let of_size = per_tensor * simplest.tensors + per_dimension * simplest.dimensions;
        let reach = beyond.reach + unprofiled.value / 2.0;
        if beyond.reach > inside + unprofiled.value {
            return Err("its chains varied too much, as beside other programs".to_string());
        }
        let between = simplest.median_of(&simplest.between)?.value.max(0.0);
        Ok(ChainCost { base: inside - of_size, per_tensor, per_dimension, reach, between })
    }

    /// Mean of two estimates of the same cost.
    pub(super) fn middle([a, b]: [&ChainCost; 2]) -> ChainCost {
        ChainCost {
            base: f64::midpoint(a.base, b.base),
            per_tensor: f64::midpoint(a.per_tensor, b.per_tensor),
            per_dimension: f64::midpoint(a.per_dimension, b.per_dimension),
            reach: a.reach.min(b.reach),
            between: f64::midpoint(a.between, b.between),
        }
    }

    /// Cost inside an event of this operator, by its inputs and outputs.
    pub(super) fn inside(&self, operator: &Operator) -> f64 {
        let tensors = || operator.inputs.iter().chain(&operator.outputs);
        // A tensor of unknown shape counts, without dimensions.
        let ranks = tensors().filter_map(|tensor| tensor.shape.as_ref().map(Vec::len));
        let of_size = self.per_tensor * tensors().count() as f64
            + self.per_dimension * ranks.sum::<usize>() as f64;
        (self.base + of_size).max(0.0)
    }
}

/// A median, and how far it may be off.
struct Median {
    value: f64,
    reach: f64,
}

impl Chain {
    fn of(chain: &CalibrationChain) -> Chain {
        let mut of_kind = Chain {
            tensors: chain.tensors,
            dimensions: chain.dimensions,
            unprofiled: Vec::new(),
            between: Vec::new(),
            beyond: Vec::new(),
        };
        of_kind.add(chain);
        of_kind
    }

    fn add(&mut self, chain: &CalibrationChain) {
        let nodes = f64::from(chain.nodes);
        let runs = chain.plain_ns.iter().zip(&chain.profiled_ns).zip(&chain.node_ns);
        for ((&unprofiled, &profiled), &node) in runs {
            let (unprofiled, profiled) = (unprofiled as f64 / nodes, profiled as f64 / nodes);
            self.unprofiled.push(unprofiled);
            self.between.push(profiled - node);
            self.beyond.push(node - unprofiled);
        }
    }

    /// The median of values of this chain, with the reach of its 95 % interval.
    fn median_of(&self, values: &[f64]) -> Result<Median, String> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (Some(value), Some(rank)) = (median(values), rank_of_median(values.len())) else {
            return Err("its chains ran too few times".to_string());
        };
        // The farther end: a median need not be in the middle of its interval.
        let reach = (sorted[values.len() - 1 - rank] - value).max(value - sorted[rank]);
        Ok(Median { value, reach })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::Tensor;

    /// Nodes that take `unprofiled` nanoseconds, of which `kernel` in the event, and a profiler that
    /// adds `inside` to it and `between` behind it.
    fn chain(size: (f64, f64), unprofiled: f64, kernel: f64, inside: f64) -> CalibrationChain {
        let per_run = |time: f64| vec![(time * 100.0) as u64; 9];
        CalibrationChain {
            nodes: 100,
            tensors: size.0,
            dimensions: size.1,
            plain_ns: per_run(unprofiled),
            profiled_ns: per_run(unprofiled + inside + 2500.0),
            node_ns: vec![kernel + inside; 9],
        }
    }

    fn calibration(chains: Vec<CalibrationChain>) -> Vec<Option<Calibration>> {
        vec![None, Some(Calibration { chains, ..Calibration::default() })]
    }

    fn operator(tensors: usize, rank: usize) -> Operator {
        let shape = Some(vec![7; rank]);
        let tensor = Tensor { name: String::new(), data_type: None, shape };
        Operator { inputs: vec![tensor; tensors], ..Operator::default() }
    }

    #[test]
    fn a_planted_cost_is_found_to_half_an_unprofiled_node() {
        // 600 ns, 150 more for each tensor and 20 for each dimension.
        let of = |tensors: f64, dimensions: f64| 600.0 + 150.0 * tensors + 20.0 * dimensions;
        let planted = calibration(vec![
            chain((7.0, 0.0), 900.0, 850.0, of(7.0, 0.0)),
            chain((2.0, 0.0), 150.0, 100.0, of(2.0, 0.0)),
            chain((2.0, 12.0), 150.0, 100.0, of(2.0, 12.0)),
        ]);
        let found = ChainCost::of(&planted).unwrap();
        for (tensors, rank) in [(2, 0), (3, 4), (9, 2)] {
            let size = (f64::from(tensors), f64::from(tensors * rank));
            let (planted, found_inside) =
                (of(size.0, size.1), found.inside(&operator(tensors as usize, rank as usize)));
            // The kernel takes 100 of 150 ns, and 75 are taken.
            assert!((found_inside - planted - 25.0).abs() < 1e-6, "{found_inside} {planted}");
        }
        assert!((found.reach - 75.0).abs() < 1e-6, "{found:?}");
        assert!((found.between - 2550.0).abs() < 1.0, "dispatch counts as between: {found:?}");
    }

    #[test]
    fn what_does_not_settle_is_unknown() {
        let unknown = |calibrations: &[Option<Calibration>]| ChainCost::of(calibrations).err();
        assert_eq!(unknown(&[]).as_deref(), Some("it was not measured"));
        let refused = Calibration { unknown: Some("no".to_string()), ..Calibration::default() };
        assert_eq!(unknown(&[Some(refused)]).as_deref(), Some("no"));
        let few = CalibrationChain {
            plain_ns: vec![15_000; 3],
            profiled_ns: vec![300_000; 3],
            node_ns: vec![900.0; 3],
            ..chain((2.0, 0.0), 150.0, 100.0, 900.0)
        };
        assert_eq!(
            unknown(&calibration(vec![few])).as_deref(),
            Some("its chains ran too few times")
        );
        let mut noisy = chain((2.0, 0.0), 150.0, 100.0, 900.0);
        noisy.node_ns = (0..9).map(|run| f64::from(run * run * 500)).collect();
        assert_eq!(
            unknown(&calibration(vec![noisy])).as_deref(),
            Some("its chains varied too much, as beside other programs")
        );
        let coarse = chain((2.0, 0.0), 0.0, 0.0, 0.0);
        let coarse = CalibrationChain { profiled_ns: vec![0; 9], ..coarse };
        assert!(unknown(&calibration(vec![coarse])).unwrap().starts_with("the clock"));
    }
}
