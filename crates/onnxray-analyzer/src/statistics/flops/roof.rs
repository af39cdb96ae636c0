//! Operators under the roofs of the machine: how long they would take at its largest rates.

use super::under_roof::{NoRoof, UnderRoof};
use crate::statistics::OperatorSummary;
use crate::units::{Milliseconds, Share};
use onnxray_format::{DataType, Nanoseconds, Operator, Roofs, Tensor, ZeroBlocks};
use std::collections::HashSet;

/// What operators are held against.
pub(crate) struct Machine<'a> {
    pub roofs: &'a Roofs,
    /// Of times of one execution.
    pub resolution: Option<Nanoseconds>,
    /// What undisturbed times are multiplied by to be of the model's latency; at most 1.
    pub scale: f64,
}

impl Machine<'_> {
    /// # Errors
    ///
    /// If the time, the FLOPs or the bytes of the operator, or the roofs of its element types are
    /// unknown. One that is faster than its roof has it all the same, without a share.
    pub(crate) fn over(&self, summary: &OperatorSummary) -> Result<UnderRoof, NoRoof> {
        let OperatorSummary { operator, .. } = summary;
        let roofs = self.roofs;
        let is_timed = |mean: &Milliseconds| mean.0 > 0.0 && summary.below.is_none();
        let mean = summary.mean.filter(is_timed).ok_or(NoRoof::Time)?;
        // Engines often move nothing where nothing is computed.
        let flops = summary.flops.filter(|&flops| flops > 0.0).ok_or(NoRoof::Flops)?;
        if summary.device.is_some() {
            return Err(NoRoof::Device);
        }
        if matches!(operator.zero_blocks, Some(ZeroBlocks::Skipped(_))) {
            return Err(NoRoof::SkipsZeros);
        }
        if let Some(node) = reads_a_part(operator) {
            return Err(NoRoof::ReadsPart(node.to_string()));
        }
        let arithmetic = arithmetic_type(operator).and_then(|of_type| roofs.gflops(of_type));
        let gflops = arithmetic.ok_or(NoRoof::Types)?;
        let executions = summary.executions.ok_or(NoRoof::Time)?;
        let (moving, level) = moving(operator, roofs).ok_or(NoRoof::Bytes)?;
        // Per nanosecond, as GFLOP/s and GB/s are.
        let (computing, moving) = (flops / gflops, moving * executions);
        let time = Milliseconds::from_nanoseconds(computing.max(moving));
        let resolution = self.resolution.map_or(0.0, |step| step.milliseconds() * executions);
        let undisturbed = summary.undisturbed().unwrap_or(mean).0;
        let (time, takes) = match time.0 <= mean.0 + resolution {
            // No faster, as far as the clock can tell.
            true => (time.0.min(mean.0), (undisturbed * self.scale).max(time.0.min(mean.0))),
            false => (time.0, mean.0),
        };
        let (time, takes) = (Milliseconds(time), Milliseconds(takes));
        let level = (moving > computing).then(|| level.to_string());
        Ok(UnderRoof { time, level, takes })
    }
}

/// Nanoseconds to move the tensors of one execution, and the level that the largest of them is in.
/// Of each, what a level holds goes at its rate, and the rest at those of the next ones: an operator
/// may find all but a little of a tensor in a cache.
fn moving<'a>(operator: &Operator, roofs: &'a Roofs) -> Option<(f64, &'a str)> {
    let all = operator.bytes? as f64;
    let mut seen = HashSet::new();
    let inputs = operator.inputs.iter().filter(|tensor| seen.insert(tensor.name.as_str()));
    let size_of = |tensor: &Tensor| Some(tensor.bytes()? as f64);
    let read: Option<Vec<f64>> = inputs.map(size_of).collect();
    let written: Option<Vec<f64>> = operator.outputs.iter().map(size_of).collect();
    // What is beyond its own tensors was packed for it; or they are not known one by one.
    let known = read.zip(written).and_then(|(read, written)| {
        let beyond = all - read.iter().chain(&written).sum::<f64>();
        (beyond >= 0.0).then_some((read, written, beyond))
    });
    let sizes = match known {
        // The parts of a Split may be views of the whole.
        Some((read, written, beyond)) if writes_parts(operator) => {
            let whole = written.into_iter().reduce(f64::max);
            read.into_iter().chain(whole).chain([beyond]).collect()
        }
        Some((read, written, beyond)) => [read, written, vec![beyond]].concat(),
        None if writes_parts(operator) => return None,
        None => vec![all],
    };
    let largest = sizes.iter().fold(0.0, |largest: f64, &size| largest.max(size));
    let time: Option<f64> = sizes.into_iter().map(|size| time_of(size, roofs)).sum();
    Some((time?, &roofs.level(largest)?.level))
}

/// Nanoseconds to move a tensor; `None` if the rates of the levels that it is in are unknown.
fn time_of(size: f64, roofs: &Roofs) -> Option<f64> {
    let (mut left, mut time) = (size, 0.0);
    for level in &roofs.bandwidth {
        let here = level.bytes.map_or(left, |holds| left.min(holds as f64));
        time += here / level.gb_per_second;
        left -= here;
    }
    (left <= 0.0).then_some(time)
}

/// The type of a node that need not read all of its inputs: bytes count whole tensors.
fn reads_a_part(operator: &Operator) -> Option<&str> {
    let types = operator.node_types.iter().chain([&operator.operator_type]);
    let mut types = types.map(String::as_str);
    types.find(|&of_node| {
        of_node.starts_with("Gather")
            || of_node.contains("Embed")
            || matches!(of_node, "Slice" | "If" | "Loop" | "Scan")
            // One that is fused after another node reads what that computed.
            || of_node == "Split" && !writes_parts(operator)
    })
}

/// Whether a Split of its result is fused into it.
fn writes_parts(operator: &Operator) -> bool {
    operator.operator_type != "Split"
        && operator.node_types.iter().skip(1).any(|of_node| of_node == "Split")
        && operator.node_types.first().is_some_and(|of_node| of_node != "Split")
}

/// The type whose peak no kernel for such tensors exceeds: an operand of 8 bits may be multiplied as
/// integers. `None` if that is of none that is measured.
fn arithmetic_type(operator: &Operator) -> Option<DataType> {
    let tensors = operator.inputs.iter().chain(&operator.outputs);
    let weight = operator.weight.iter().map(|weight| Some(weight.data_type));
    let types: Option<Vec<DataType>> =
        tensors.map(|tensor| tensor.data_type).chain(weight).collect();
    let types = types?;
    let has = |wanted: &[DataType]| types.iter().any(|known| wanted.contains(known));
    use DataType::{Bf16, Bool, Fp16, Fp32, Fp64, S8, S32, S64, U8};
    let all_known = types.iter().all(|known| [Bool, Fp32, S8, S32, S64, U8].contains(known));
    if !all_known || has(&[Fp16, Bf16, Fp64]) {
        None
    } else if has(&[S8, U8]) {
        Some(S8)
    } else {
        has(&[Fp32]).then_some(Fp32)
    }
}

/// All operators whose roof is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoofSummary {
    /// What was measured, or why nothing was.
    pub roofs: Roofs,
    /// Their times at the largest rates, added up.
    pub time: Milliseconds,
    /// What they take where nothing disturbs them, added up: at most the model's latency, or
    /// `time`.
    pub takes: Milliseconds,
    /// Operators that are faster than their roof, which was measured too low; in no sum.
    pub exceeded: Vec<String>,
}

impl RoofSummary {
    pub(crate) fn of(roofs: &Roofs, operators: &[OperatorSummary]) -> RoofSummary {
        let mut summary = RoofSummary { roofs: roofs.clone(), ..RoofSummary::default() };
        for operator in operators {
            let Some(roof) = &operator.roof else { continue };
            if roof.share().is_none() {
                summary.exceeded.push(operator.operator.name.clone());
                continue;
            }
            summary.time.0 += roof.time.0;
            summary.takes.0 += roof.takes.0;
        }
        summary
    }

    /// Share of the roofs that these operators reach together.
    pub fn share(&self) -> Option<Share> {
        (self.takes.0 > 0.0).then(|| Share(self.time.0 / self.takes.0))
    }

    /// What they would gain at the largest rates.
    pub fn to_gain(&self) -> Option<Milliseconds> {
        (self.takes.0 > 0.0).then_some(Milliseconds(self.takes.0 - self.time.0))
    }

    /// That some operators are above their roofs.
    pub(crate) fn caveat(&self) -> Option<String> {
        let first = self.exceeded.first()?;
        let others = match self.exceeded.len() - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        Some(format!(
            "roof exceeded by {}{others}: measured too low, as on a busy machine; record again",
            onnxray_text::printable(first)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{ArithmeticRoof, BandwidthRoof};

    fn roofs() -> Roofs {
        let arithmetic = |data_type, gflops| ArithmeticRoof { data_type, gflops, unknown: None };
        let level = |level: &str, bytes, gb_per_second| BandwidthRoof {
            level: level.to_string(),
            bytes,
            gb_per_second,
        };
        Roofs {
            arithmetic: vec![
                arithmetic(DataType::Fp32, Some(100.0)),
                arithmetic(DataType::S8, Some(400.0)),
            ],
            bandwidth: vec![level("L2", Some(1_000_000), 50.0), level("memory", None, 10.0)],
            ..Roofs::default()
        }
    }

    fn operator(types: &[DataType], flops: u64, bytes: u64, mean: f64) -> OperatorSummary {
        let tensor = |&data_type: &DataType| Tensor {
            name: String::new(),
            data_type: Some(data_type),
            shape: None,
        };
        OperatorSummary {
            mean: Some(Milliseconds(mean)),
            ..OperatorSummary::unmeasured(Operator {
                name: "fc".to_string(),
                operator_type: "MatMul".to_string(),
                inputs: types.iter().map(tensor).collect(),
                flops: Some(flops),
                bytes: Some(bytes),
                executions: Some(2),
                ..Operator::default()
            })
        }
    }

    fn under_roof(
        summary: &OperatorSummary,
        roofs: &Roofs,
        resolution: Option<Nanoseconds>,
    ) -> Option<UnderRoof> {
        Machine { roofs, resolution, scale: 1.0 }.over(summary).ok()
    }

    #[test]
    fn the_slower_of_arithmetic_and_reading_is_the_roof() {
        use DataType::{Fp16, Fp32, S8, S64};
        let of = |types: &[DataType], flops, bytes, mean| {
            let roof = under_roof(&operator(types, flops, bytes, mean), &roofs(), None)?;
            Some((
                roof.time.0,
                roof.level.clone(),
                roof.share().map(|s| s.0),
                roof.to_gain().map(|g| g.0),
            ))
        };
        // Twice 50 MFLOP at 100 GFLOP/s.
        let computing = of(&[Fp32, Fp32], 50_000_000, 100_000, 4.0).unwrap();
        assert_eq!(computing, (1.0, None, Some(0.25), Some(3.0)));
        // Twice 10 MB, of which 1 MB is in the cache: 20 + 900 µs.
        let reading = of(&[Fp32], 50_000_000, 10_000_000, 3.68).unwrap();
        assert_eq!(reading, (1.84, Some("memory".to_string()), Some(0.5), Some(1.84)));
        let integers = of(&[Fp32, S8], 50_000_000, 100_000, 4.0).unwrap();
        assert_eq!(integers.0, 0.25);
        assert_eq!(of(&[Fp32], 50_000_000, 100_000, 0.5).unwrap(), (1.0, None, None, None));
        assert_eq!(of(&[Fp16], 50_000_000, 100_000, 4.0), None);
        assert_eq!(of(&[S64], 50_000_000, 100_000, 4.0), None);
        assert_eq!(of(&[Fp32], 0, 100_000, 4.0), None);
        // A clock of 0.3 ms cannot tell 0.8 from 1.
        let coarse = under_roof(
            &operator(&[Fp32], 50_000_000, 100_000, 0.8),
            &roofs(),
            Some(Nanoseconds(300_000)),
        );
        let coarse = coarse.unwrap();
        assert_eq!((coarse.share(), coarse.to_gain()), (Some(Share(1.0)), Some(Milliseconds(0.0))));
        let mut unknown = operator(&[Fp32], 1000, 1000, 1.0);
        unknown.operator.bytes = None;
        assert_eq!(under_roof(&unknown, &roofs(), None), None);
        let mut table = operator(&[Fp32], 1000, 1000, 1.0);
        table.operator.node_types = vec!["Gather".to_string(), "Add".to_string()];
        let machine = Machine { roofs: &roofs(), resolution: None, scale: 1.0 };
        assert_eq!(machine.over(&table), Err(NoRoof::ReadsPart("Gather".to_string())));
    }

    /// The parts of a Split may be views: they are not counted beside the whole.
    #[test]
    fn a_split_of_the_result_moves_nothing() {
        let tensor = |name: &str, elements: u64| Tensor {
            name: name.to_string(),
            data_type: Some(DataType::Fp32),
            shape: Some(vec![elements]),
        };
        // 400 kB, 400 kB and twice 200 kB.
        let mut conv = operator(&[], 1000, 1_200_000, 4.0);
        conv.operator.inputs = vec![tensor("x", 100_000)];
        conv.operator.outputs =
            vec![tensor("y", 100_000), tensor("y0", 50_000), tensor("y1", 50_000)];
        let whole = under_roof(&conv, &roofs(), None).unwrap();
        conv.operator.node_types = vec!["Conv".to_string(), "Split".to_string()];
        let split = under_roof(&conv, &roofs(), None).unwrap();
        // Twice 1,200 kB and 800 kB at 50 GB/s.
        assert!((whole.time.0 - 0.048).abs() < 1e-12, "{whole:?}");
        assert!((split.time.0 - 0.032).abs() < 1e-12, "{split:?}");
        conv.operator.node_types.reverse();
        let machine = Machine { roofs: &roofs(), resolution: None, scale: 1.0 };
        assert_eq!(machine.over(&conv), Err(NoRoof::ReadsPart("Split".to_string())));
    }

    /// Load lengthens means; a latency that is shorter than the sum of operators shortens them.
    #[test]
    fn load_is_no_gain() {
        let mut operator = operator(&[DataType::Fp32], 50_000_000, 100_000, 4.0);
        operator.median = Some(Milliseconds(3.0));
        let gain = |operator: &OperatorSummary, scale: f64| {
            let machine = Machine { roofs: &roofs(), resolution: None, scale };
            let roof = machine.over(operator).unwrap();
            (roof.to_gain().unwrap().0, roof.share().unwrap().0)
        };
        assert_eq!(gain(&operator, 1.0), (2.0, 1.0 / 3.0));
        assert_eq!(gain(&operator, 0.5), (0.5, 1.0 / 1.5));
        // At its roof: not above it, since its mean is not.
        assert_eq!(gain(&operator, 0.25), (0.0, 1.0));
        // In a branch of an If it runs in few iterations, each of which takes longer.
        operator.median = Some(Milliseconds(8.0));
        assert_eq!(gain(&operator, 1.0), (3.0, 0.25));
    }

    #[test]
    fn what_is_above_its_roof_is_in_no_sum() {
        let operators: Vec<OperatorSummary> = [4.0, 2.0, 0.5]
            .into_iter()
            .map(|mean| {
                let mut operator = operator(&[DataType::Fp32], 50_000_000, 100_000, mean);
                operator.roof = under_roof(&operator, &roofs(), None);
                operator
            })
            .collect();
        let summary = RoofSummary::of(&roofs(), &operators);
        assert_eq!((summary.time.0, summary.takes.0), (2.0, 6.0));
        assert_eq!(summary.to_gain(), Some(Milliseconds(4.0)));
        let gains = operators.iter().filter_map(|o| o.roof.as_ref()?.to_gain());
        assert_eq!(gains.map(|gain| gain.0).sum::<f64>(), 4.0, "parts add up");
        assert!(summary.caveat().unwrap().starts_with("roof exceeded by fc: "));
        assert_eq!(RoofSummary::of(&roofs(), &operators[..2]).caveat(), None);
    }
}
