//! What is measured of changes of a runtime, one at a time.

use crate::study::objective::Objective;
use crate::study::setup::{ModelFile, SearchSetup, Setup};
use crate::study::trial::{HeldOut, Trial, Variant};
use serde::{Deserialize, Serialize};

/// A change of how ONNX Runtime runs a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuntimeChange {
    /// A graph optimizer is left out; its name in the runtime.
    WithoutOptimizer(String),
    /// The graph is optimized up to this level only: `disabled`, `basic`, `extended` or `all`.
    Optimization(String),
    /// Whether it plans the memory of a run by that of the run before.
    MemoryPattern(bool),
    /// Whether it keeps memory between runs.
    Arena(bool),
    /// Whether idle threads wait in a busy loop.
    Spinning(bool),
    /// Operators run side by side, on this many threads.
    InterOpThreads(u32),
    /// Threads that share the work of a kernel.
    Threads(u32),
    /// `accuracy_level` of all `MatMulNBits` nodes of the model: the least precise numbers that they
    /// may compute in, from 1 (32-bit floats) to 4 (8-bit integers).
    AccuracyLevel(u32),
    /// An entry of the session's configuration.
    Config {
        /// Its key.
        key: String,
        /// Its value.
        value: String,
    },
}

/// Entries of the configuration that say what idle threads do, and for how long.
const OF_SPINNING: [&str; 3] = [
    "session.intra_op.allow_spinning",
    "session.intra_op.spin_duration_us",
    "session.force_spinning_stop",
];

/// Entries that choose the numbers that `MatMulNBits` computes in, each with the setting that it is
/// another way to choose.
const OF_PRECISION: [(&str, &str); 3] = [
    ("mlas.qnbit.force_fp32", ACCURACY_LEVEL),
    ("mlas.use_lut_gemm", "mlas.use_lut_gemm"),
    ("session.qdq_matmulnbits_accuracy_level", "session.qdq_matmulnbits_accuracy_level"),
];
const ACCURACY_LEVEL: &str = "accuracy_level";

impl RuntimeChange {
    /// Name of the setting: of two changes with the same one, only one can hold. Each optimizer is
    /// a setting.
    pub fn setting(&self) -> &str {
        match self {
            RuntimeChange::WithoutOptimizer(name) => name,
            RuntimeChange::Optimization(_) => "optimization level",
            RuntimeChange::MemoryPattern(_) => "memory pattern",
            RuntimeChange::Arena(_) => "arena",
            RuntimeChange::Spinning(_) => "spinning",
            RuntimeChange::InterOpThreads(_) => "inter-op threads",
            RuntimeChange::Threads(_) => "threads",
            RuntimeChange::Config { key, .. } if OF_SPINNING.contains(&key.as_str()) => "spinning",
            RuntimeChange::AccuracyLevel(_) => ACCURACY_LEVEL,
            RuntimeChange::Config { key, .. } => {
                let known = OF_PRECISION.iter().find(|(own, _)| own == key);
                known.map_or(key, |(_, setting)| setting)
            }
        }
    }

    /// The `accuracy_level` that it writes into the model; `None` if it leaves the model as it is.
    pub fn accuracy_level(&self) -> Option<u32> {
        match self {
            RuntimeChange::AccuracyLevel(level) => Some(*level),
            _ => None,
        }
    }

    /// True if it is to compute in other numbers, so that outputs differ by more than rounding.
    pub fn is_of_precision(&self) -> bool {
        match self {
            RuntimeChange::AccuracyLevel(_) => true,
            RuntimeChange::Config { key, .. } => OF_PRECISION.iter().any(|(own, _)| own == key),
            _ => false,
        }
    }

    /// Text for people: `without GeluFusionL2`, `2 threads`.
    pub fn text(&self) -> String {
        let on = |chosen: bool| if chosen { "on" } else { "off" };
        match self {
            RuntimeChange::WithoutOptimizer(name) => format!("without {name}"),
            RuntimeChange::Optimization(level) => format!("optimization {level}"),
            RuntimeChange::MemoryPattern(chosen) => format!("memory pattern {}", on(*chosen)),
            RuntimeChange::Arena(chosen) => format!("arena {}", on(*chosen)),
            RuntimeChange::Spinning(chosen) => format!("spinning {}", on(*chosen)),
            RuntimeChange::InterOpThreads(1) => "parallel execution, 1 inter-op thread".to_string(),
            RuntimeChange::InterOpThreads(threads) => {
                format!("parallel execution, {threads} inter-op threads")
            }
            RuntimeChange::Threads(1) => "1 thread".to_string(),
            RuntimeChange::Threads(threads) => format!("{threads} threads"),
            RuntimeChange::AccuracyLevel(level) => format!("{ACCURACY_LEVEL}={level}"),
            RuntimeChange::Config { key, value } => format!("{key}={value}"),
        }
    }
}

/// Everything that the figures of a tuning depend on: two runs that agree in it may be joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneRun {
    /// The model.
    #[serde(flatten)]
    pub file: ModelFile,
    /// How it runs.
    #[serde(flatten)]
    pub setup: Setup,
    /// What latencies depend on beside.
    #[serde(flatten)]
    pub search: SearchSetup,
    /// Cores that the process may use.
    pub cores: u32,
    /// The changes that are tried, each by itself, in their order.
    pub changes: Vec<RuntimeChange>,
    /// What is made lower: the first decides, the others are measured beside it.
    #[serde(default = "latency", skip_serializing_if = "is_latency")]
    pub objectives: Vec<Objective>,
    /// Calls per second at which latency and CPU time are measured; `None` for inferences that
    /// follow each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Graph optimizers of this version that did not change this model.
    pub idle_optimizers: u64,
}

/// Journals from before there was a choice are of the latency.
fn latency() -> Vec<Objective> {
    vec![Objective::Latency]
}

fn is_latency(objectives: &[Objective]) -> bool {
    *objectives == [Objective::Latency]
}

impl TuneRun {
    /// What decides.
    pub fn objective(&self) -> Objective {
        self.objectives.first().copied().unwrap_or_default()
    }

    /// Whether it takes processes in which nothing else runs.
    pub fn has_costs(&self) -> bool {
        self.rate.is_some() || !is_latency(&self.objectives)
    }
}

/// A launch: the model as it is and changed, in turns.
pub type TuneTrial = Trial<RuntimeChange, TuneQuality>;
/// Outcome of changes in a launch.
pub type TuneVariant = Variant<RuntimeChange, TuneQuality>;
/// Differences of outputs on inputs that no launch saw.
pub type TuneHeldOut = HeldOut<RuntimeChange, OutputDifference>;

/// Outputs with changes of a runtime.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TuneQuality {
    /// Difference of outputs from the base's, on the input of the search where it is largest;
    /// `None` if the variant failed.
    pub outputs: Option<OutputDifference>,
}

/// Difference between the outputs of two runs, in the output where it is largest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutputDifference {
    /// The output; `None` if all are equal to the last bit.
    pub output: Option<String>,
    /// Largest absolute difference of two elements, in the output's unit; infinite where one of
    /// two elements is finite and the other is not, and where shapes or texts differ.
    #[serde(with = "infinite")]
    pub absolute: f64,
    /// That difference / the largest absolute value of the base's output; infinite where that is
    /// 0.
    #[serde(with = "infinite")]
    pub relative: f64,
    /// Relative L2 distance of the output where that is largest, the mean over inputs; `None` if it
    /// is unknown or was not computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
}

/// JSON has no infinity: it is null there.
mod infinite {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        value.is_finite().then_some(*value).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f64::INFINITY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_differences_survive_json() {
        let infinite = OutputDifference {
            output: Some("y".to_string()),
            absolute: f64::INFINITY,
            relative: f64::INFINITY,
            loss: None,
        };
        for difference in [infinite, OutputDifference::default()] {
            let text = serde_json::to_string(&difference).unwrap();
            assert_eq!(serde_json::from_str::<OutputDifference>(&text).unwrap(), difference);
        }
    }

    #[test]
    fn changes_of_one_setting_exclude_each_other() {
        let [two, four] = [2, 4].map(RuntimeChange::Threads);
        assert_eq!(two.setting(), four.setting());
        let optimizer = |name: &str| RuntimeChange::WithoutOptimizer(name.to_string());
        assert_ne!(optimizer("A").setting(), optimizer("B").setting());
        let entry = |key: &str| RuntimeChange::Config { key: key.into(), value: "1".into() };
        let stopped = entry("session.force_spinning_stop");
        assert_eq!(stopped.setting(), RuntimeChange::Spinning(false).setting());
        assert_ne!(stopped.setting(), entry("session.disable_prepacking").setting());
        let level = RuntimeChange::AccuracyLevel(4);
        assert_eq!(level.setting(), entry("mlas.qnbit.force_fp32").setting());
        assert_ne!(level.setting(), entry("mlas.use_lut_gemm").setting());
    }

    #[test]
    fn journals_from_before_there_was_a_choice_are_of_the_latency() {
        let text = r#"{"model":"m","model_sha256":null,"engine":"e","engine_version":"1",
            "engine_options":{},"batch_size":null,"dimensions":[],"threads":1,"inputs":"i",
            "cpu":null,"cores":2,"changes":[],"idle_optimizers":0}"#;
        let earlier: TuneRun = serde_json::from_str(text).unwrap();
        assert_eq!((earlier.objective(), earlier.has_costs()), (Objective::Latency, false));
        let text = serde_json::to_string(&earlier).unwrap();
        assert!(!text.contains("objectives") && !text.contains("rate"), "{text}");
        assert!(TuneRun { rate: Some(20.0), ..earlier.clone() }.has_costs());
        let objectives = vec![Objective::Memory, Objective::Latency];
        let other = TuneRun { objectives, ..earlier };
        assert_eq!((other.objective(), other.has_costs()), (Objective::Memory, true));
        let again = serde_json::from_str(&serde_json::to_string(&other).unwrap());
        assert_eq!(again.ok(), Some(other));
        let variant = r#"{"changes":[{"threads":2}],"ratio":0.9,"outputs":null}"#;
        assert_eq!(serde_json::from_str::<TuneVariant>(variant).unwrap().costs, None);
    }
}
