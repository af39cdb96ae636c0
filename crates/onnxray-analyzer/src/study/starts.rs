//! What fresh processes say of the variants of a launch, next to that of the base.

use crate::comparison::Cost;
use crate::statistics::CostSummary;
use onnxray_format::{CostRatios, Costs, Objective, Start, Trial, TuneRun};

/// Processes of the base in a launch of this many variants, all of which are compared with it: as
/// many as their square root make all ratios most precise (Dunnett 1955, "A multiple comparison
/// procedure for comparing several treatments with a control").
pub fn base_starts(variants: usize) -> usize {
    ((variants as f64).sqrt().round() as usize).max(1)
}

/// What a tuning needs of each process: the latency decides as well, since it may be worse by no
/// more than a limit.
pub fn needed(run: &TuneRun) -> Vec<Cost> {
    let objectives = [run.objective(), Objective::Latency].into_iter();
    objectives.filter_map(|objective| cost(run, objective)).collect()
}

/// Adds to a launch what came of the processes of its base, and of that of each variant that did not
/// fail, in their order. A variant whose process failed, or does not tell what is `needed`, fails; if
/// nothing is, it has no costs.
///
/// # Errors
///
/// What the base's processes do not tell, though it is needed: no variant could be compared.
pub fn with_starts<C, Q>(
    needed: &[Cost],
    mut trial: Trial<C, Q>,
    base: Vec<Start>,
    variants: Vec<Result<Start, String>>,
) -> Result<Trial<C, Q>, &'static str> {
    let base = Figures(base.into_iter().map(summary).collect());
    let lacks = |own: &Figures| {
        needed.iter().find(|cost| own.figure(**cost).is_none()).map(|cost| cost.name())
    };
    if let Some(unknown) = lacks(&base) {
        return Err(unknown);
    }
    let ran = trial.variants.iter_mut().filter(|variant| variant.failed.is_none());
    for (variant, started) in ran.zip(variants) {
        let own = started.map(|start| Figures(vec![summary(start)]));
        let own = own.and_then(|own| match lacks(&own) {
            Some(unknown) => Err(format!("{unknown} is unknown")),
            None => Ok(own),
        });
        match own {
            Ok(own) => variant.costs = Some(own.next_to(&base)),
            Err(_) if needed.is_empty() => {}
            Err(reason) => variant.failed = Some(reason),
        }
    }
    Ok(trial)
}

/// The cost by which it is measured; `None` of the latency of inferences that follow each other.
pub fn cost(run: &TuneRun, objective: Objective) -> Option<Cost> {
    match (objective, run.rate) {
        (Objective::Latency, Some(_)) => Some(Cost::PacedLatency),
        (Objective::Cpu, Some(_)) => Some(Cost::PacedCpuTime),
        _ => cost_of(objective),
    }
}

/// The same where inferences follow each other.
pub fn cost_of(objective: Objective) -> Option<Cost> {
    match objective {
        Objective::Latency => None,
        Objective::Cpu => Some(Cost::CpuTime),
        Objective::Memory => Some(Cost::MemoryPeak),
        Objective::Start => Some(Cost::Start),
    }
}

fn summary(start: Start) -> CostSummary {
    CostSummary::of(&Costs { starts: vec![start], unknown: None })
}

/// What each of some processes says.
struct Figures(Vec<CostSummary>);

impl Figures {
    /// Its geometric mean; `None` if it is unknown of one of them, or nothing, of which there is no
    /// ratio.
    fn figure(&self, cost: Cost) -> Option<f64> {
        let of = |own: &CostSummary| Some(cost.of(own, own.paces.first())?.mean);
        let logarithm = |own| of(own).filter(|mean| *mean > 0.0).map(f64::ln);
        let sum = self.0.iter().map(logarithm).sum::<Option<f64>>()?;
        (!self.0.is_empty()).then(|| (sum / self.0.len() as f64).exp())
    }

    fn next_to(&self, base: &Figures) -> CostRatios {
        let ratio = |cost| Some(self.figure(cost)? / base.figure(cost)?);
        CostRatios {
            cpu: ratio(Cost::CpuTime),
            memory: ratio(Cost::MemoryPeak),
            start: ratio(Cost::Start),
            paced_latency: ratio(Cost::PacedLatency),
            paced_cpu: ratio(Cost::PacedCpuTime),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::references::assert_close;
    use crate::study::simulations::screen;
    use onnxray_format::{
        InferenceBlocks, Nanoseconds, Pace, RuntimeChange, Stage, StartMemory, TuneTrial,
        TuneVariant,
    };

    /// A process of inferences and calls that take this much CPU time, and of this much memory.
    fn start(cpu: u64, paced: u64, peak: u64) -> Start {
        let times = |times: [u64; 2]| times.map(|time| Nanoseconds(time * 1_000_000)).to_vec();
        let pace = Pace {
            rate: Some(20.0),
            duration: Nanoseconds(100_000_000),
            cpu_time: Some(Nanoseconds(2 * paced)),
            due: times([0, 50]),
            begun: times([0, 50]),
            ended: times([1, 51]),
            ..Pace::default()
        };
        Start {
            session: Nanoseconds(3_000_000),
            memory: StartMemory {
                before: Some(1000),
                session_peak: Some(1000 + peak),
                first_peak: Some(1000),
                loop_peak: Some(1000),
                ..StartMemory::default()
            },
            blocks: InferenceBlocks {
                inferences: vec![1, 1],
                durations: vec![Nanoseconds(5); 2],
                cpu_times: Some(vec![Nanoseconds(cpu); 2]),
                resident: None,
            },
            paces: vec![pace],
            ..Start::default()
        }
    }

    /// A launch in which the first variant does not load.
    fn trial(variants: u32) -> TuneTrial {
        let variant = |threads| TuneVariant {
            changes: vec![RuntimeChange::Threads(threads)],
            ratio: Some(0.5),
            costs: None,
            quality: Default::default(),
            failed: (threads == 0).then(|| "it does not load".to_string()),
        };
        let variants = (0..variants).map(variant).collect();
        TuneTrial {
            stage: Stage::Single,
            number: 0,
            base_ns: Some(1e6),
            rounds: 5,
            other_cores: None,
            variants,
        }
    }

    fn run(objective: Objective, rate: Option<f64>) -> TuneRun {
        TuneRun { objectives: vec![objective], rate, ..screen::run(Vec::new()) }
    }

    #[test]
    fn each_variant_that_ran_is_next_to_the_base() {
        let run = run(Objective::Cpu, Some(20.0));
        let variants = vec![Ok(start(100, 5, 300)), Err("it ended".to_string())];
        // The geometric means of both are 200, 50 and 100.
        let base = vec![start(100, 25, 50), start(400, 100, 200)];
        let found = with_starts(&needed(&run), trial(3), base, variants).unwrap();
        assert_eq!(found.variants[0].costs, None);
        let costs = found.variants[1].costs.unwrap();
        for (ratio, expected) in [
            (costs.cpu, 0.5),
            (costs.paced_cpu, 0.1),
            (costs.memory, 3.0),
            (costs.start, 1.0),
            (costs.paced_latency, 1.0),
        ] {
            assert_close(ratio.unwrap(), expected, 1e-12, "ratio");
        }
        assert_eq!(found.variants[2].failed.as_deref(), Some("it ended"));
    }

    #[test]
    fn what_decides_has_to_be_known() {
        let of_base = |objective, rate, base: &Start| {
            with_starts(
                &needed(&run(objective, rate)),
                trial(1),
                vec![start(1, 1, 1), base.clone()],
                Vec::new(),
            )
            .err()
        };
        let mut unknown = start(1, 1, 1);
        unknown.memory.before = None;
        assert_eq!(of_base(Objective::Memory, None, &unknown), Some("memory at peak"));
        assert_eq!(of_base(Objective::Cpu, Some(20.0), &unknown), None);
        unknown.paces.clear();
        assert_eq!(of_base(Objective::Start, Some(20.0), &unknown), Some("latency at pace"));
        assert_eq!(of_base(Objective::Start, None, &unknown), None);
        let run = run(Objective::Memory, None);
        let found =
            with_starts(&needed(&run), trial(2), vec![start(1, 1, 1)], vec![Ok(unknown)]).unwrap();
        assert_eq!(found.variants[1].failed.as_deref(), Some("memory at peak is unknown"));
    }

    #[test]
    fn a_base_of_many_variants_has_more_processes() {
        assert_eq!([0, 1, 2, 3, 6, 7, 12].map(base_starts), [1, 1, 1, 2, 2, 3, 3]);
    }
}
