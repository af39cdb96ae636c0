//! Descent on models whose latencies are known, with the noise of a machine.

use crate::probability::Generator;
use crate::study::{Mixing, Step, StudyOptions, descend};
use onnxray_format::{
    LossMeasure, LossOutput, MixChange, MixQuality, MixRun, MixSource, MixTrial, MixVariant,
    SearchSetup, Setup, Stage,
};

/// A run of changes, each of which needs these.
pub(in crate::study) fn run(needs: &[&[u32]]) -> MixRun {
    let source =
        |name: &str| MixSource { model: name.to_string(), sha256: None, external_sha256: None };
    let change = |(number, needs): (usize, &&[u32])| MixChange {
        tensor: Some(format!("t{number}")),
        operator_type: "MatMul".to_string(),
        nodes_a: vec![format!("a{number}")],
        nodes_b: vec![format!("b{number}")],
        difference: Some(0.01),
        needs: needs.to_vec(),
    };
    MixRun {
        a: source("a.onnx"),
        b: source("b.onnx"),
        setup: Setup { engine: "ONNX Runtime".to_string(), ..Setup::default() },
        search: SearchSetup::default(),
        outputs: vec![LossOutput {
            name: "y".to_string(),
            measure: Some(LossMeasure::RelativeL2),
            reason: "nothing says that it is of classes".to_string(),
        }],
        aligned: 0,
        changes: needs.iter().enumerate().map(change).collect(),
    }
}

/// What mixes take and lose.
struct World {
    /// What each change adds to the logarithm of the latency.
    own: Vec<f64>,
    /// What two of them add if exactly one of both is taken: a boundary between them.
    boundaries: Vec<f64>,
    /// What each adds to the loss.
    losses: Vec<f64>,
    /// Standard deviation of the logarithm of a ratio in a launch.
    noise: f64,
}

impl World {
    fn random(random: &mut Generator, changes: usize, noise: f64) -> World {
        let mut between = |low: f64, high: f64| low + (high - low) * random.uniform();
        World {
            own: (0..changes).map(|_| between(-0.06, 0.03)).collect(),
            boundaries: (1..changes).map(|_| between(0.0, 0.04)).collect(),
            losses: (0..changes).map(|_| between(0.0, 0.01)).collect(),
            noise,
        }
    }

    fn latency(&self, set: &[u32]) -> f64 {
        let has = |change: usize| set.contains(&(change as u32));
        let own: f64 = set.iter().map(|&change| self.own[change as usize]).sum();
        let boundaries = self.boundaries.iter().enumerate();
        let crossed = boundaries.filter(|(at, _)| has(*at) != has(at + 1));
        own + crossed.map(|(_, cost)| cost).sum::<f64>()
    }

    fn loss(&self, set: &[u32]) -> f64 {
        set.iter().map(|&change| self.losses[change as usize]).sum()
    }

    fn launch(&self, random: &mut Generator, number: u32, sets: &[Vec<u32>]) -> MixTrial {
        let variant = |set: &Vec<u32>| MixVariant {
            costs: None,
            changes: set.clone(),
            ratio: Some((self.latency(set) + self.noise * random.normal()).exp()),
            quality: MixQuality {
                loss: Some(self.loss(set)),
                output: Some("y".to_string()),
                ..MixQuality::default()
            },
            failed: None,
        };
        let variants = sets.iter().map(variant).collect();
        MixTrial {
            stage: Stage::Single,
            number,
            base_ns: Some(1e6),
            rounds: 10,
            other_cores: None,
            variants,
        }
    }

    /// Searches to the end; how many launches it took.
    fn search(&self, random: &mut Generator, options: StudyOptions) -> (Mixing, u32) {
        let none: &[u32] = &[];
        let run = run(&vec![none; self.own.len()]);
        let mut launches: Vec<MixTrial> = Vec::new();
        loop {
            let found = descend(&run, &launches.iter().collect::<Vec<_>>(), options);
            let number = launches.len() as u32;
            match &found.next {
                Step::Nothing => return (found, number),
                Step::Measure { number: next, variants, .. } => {
                    assert_eq!(*next, number, "launches are numbered in their order");
                    launches.push(self.launch(random, number, variants));
                }
            }
            assert!(number < 1000, "it does not end");
        }
    }

    /// The best of all mixes, by trying all of them.
    fn best(&self, limit: f64) -> f64 {
        let count = self.own.len();
        let all = (0u32..1 << count).map(|bits| -> Vec<u32> {
            (0..count as u32).filter(|change| bits >> change & 1 == 1).collect()
        });
        let admissible = all.filter(|set| self.loss(set) <= limit + 1e-12);
        admissible.map(|set| self.latency(&set)).fold(f64::INFINITY, f64::min)
    }
}

#[test]
fn the_search_comes_near_the_best_of_all_mixes() {
    let mut random = Generator::new(7);
    let (mut worse, worlds) = (0, 200);
    for _ in 0..worlds {
        let world = World::random(&mut random, 8, 0.001);
        let (found, _) = world.search(&mut random, StudyOptions::default());
        let best = found.best.unwrap();
        let all: Vec<u32> = (0..8).collect();
        assert!(world.loss(&best.changes) <= world.loss(&all) + 1e-12);
        let lost = world.latency(&best.changes) - world.best(world.loss(&all));
        if lost > 0.01 {
            worse += 1;
        }
    }
    assert!(worse * 20 <= worlds, "{worse} of {worlds} are more than 1 % slower than the best");
}

#[test]
fn a_limit_of_loss_is_kept() {
    let mut random = Generator::new(8);
    for _ in 0..50 {
        let world = World::random(&mut random, 8, 0.001);
        let options = StudyOptions { max_loss: Some(0.02), ..StudyOptions::default() };
        let best = world.search(&mut random, options).0.best.unwrap();
        assert!(world.loss(&best.changes) <= 0.02);
    }
}

#[test]
fn changes_that_do_nothing_are_not_recommended() {
    let mut random = Generator::new(9);
    let mut mixed = 0;
    for _ in 0..100 {
        let world = World {
            own: vec![0.0; 20],
            boundaries: vec![0.0; 19],
            losses: vec![0.0; 20],
            noise: 0.003,
        };
        let best = world.search(&mut random, StudyOptions::default()).0.best.unwrap();
        // All of B takes as long as A.
        mixed += u32::from(!best.changes.is_empty() && best.changes.len() < 20);
    }
    assert!(mixed <= 5, "{mixed} of 100");
}

/// Groups of changes are tried before their members.
#[test]
fn many_changes_are_searched_in_groups() {
    let mut random = Generator::new(10);
    let mut own = vec![0.001; 200];
    own[40..60].fill(-0.01);
    let world = World { own, boundaries: vec![0.0; 199], losses: vec![0.0; 200], noise: 0.0005 };
    let (found, launches) = world.search(&mut random, StudyOptions::default());
    let best = world.latency(&found.best.unwrap().changes);
    assert!(best < -0.19, "{best} after {launches} launches");
    assert!(found.mixes.len() < 400, "{} mixes", found.mixes.len());
}
