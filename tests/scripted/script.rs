//! What a test writes down.

use onnxray_format::Roofs;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Names the file of the script.
const VARIABLE: &str = "ONNXRAY_SCRIPT";
/// How many seconds of the script pass in a second of the machine; they pass at once unless set.
const SPEED: &str = "ONNXRAY_SCRIPT_SPEED";

/// What the names of chains begin with, which the recorder makes up.
const CHAIN: &str = "chain of ";
/// Runs in a row after which caches are as warm as they get.
pub(crate) const WARM: u64 = 40;
/// Nanoseconds of a node of a chain.
const NODE_NS: u64 = 100;

/// A script, which all processes of a run read.
#[derive(Debug, Deserialize)]
pub(crate) struct Script {
    /// A folder for what the processes share: the clock, and how often a point was passed.
    pub folder: PathBuf,
    /// The abstract socket at which a test waits for processes.
    pub socket: String,
    /// Times of models by the names of their files. A model that is not here really runs, by the
    /// clock of the machine.
    #[serde(default)]
    pub times: BTreeMap<String, Times>,
    /// How many times as long runs take with an option of the engine, `arena=off`, or with so many
    /// threads, `threads=2`.
    #[serde(default)]
    pub factors: BTreeMap<String, f64>,
    /// Options with which a process that waits takes no CPU time, `spinning=off`; with others it is
    /// busy all the time.
    #[serde(default)]
    pub sleeping: Vec<String>,
    /// Options with which inputs that were seen before take a tenth of the time.
    #[serde(default)]
    pub remembering: Vec<String>,
    /// Nanoseconds that loading takes with an option of the engine.
    #[serde(default)]
    pub loading: BTreeMap<String, u64>,
    /// Ranges of numbers of nodes: the engine ends the process when it loads a model that computes more
    /// than the first of one, and no more than the second.
    #[serde(default)]
    pub ending: Vec<(usize, usize)>,
    #[serde(default)]
    pub points: Vec<Point>,
    /// What the machine can do at most; nothing is measured.
    #[serde(default)]
    pub roofs: Roofs,
    #[serde(skip)]
    pub speed: Option<f64>,
}

/// How long the runs of a model take.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Times {
    /// Nanoseconds of each operator that `operators` does not name.
    pub operator_ns: u64,
    #[serde(default)]
    pub operators: BTreeMap<String, u64>,
    /// Nanoseconds of a run that no operator covers.
    #[serde(default)]
    pub overhead_ns: u64,
    /// Factors of the first runs of a process; later ones take the time itself.
    #[serde(default)]
    pub first: Vec<f64>,
    /// Half the width of a noise around each run, as a share.
    #[serde(default)]
    pub noise: f64,
    /// Share by which a run is shorter once many others of its session, and of no other one, came
    /// right before it.
    #[serde(default)]
    pub warming: f64,
    /// Nanoseconds that a profiler adds to each event of an operator.
    #[serde(default)]
    pub inside_ns: u64,
    /// Nanoseconds that it adds behind each event.
    #[serde(default)]
    pub between_ns: u64,
    /// Bytes that a session holds as long as it is there.
    #[serde(default)]
    pub session_bytes: usize,
    /// Bytes that a run holds until it ends.
    #[serde(default)]
    pub run_bytes: usize,
    /// Bytes that each run leaves behind.
    #[serde(default)]
    pub lost_bytes: usize,
}

/// Where something happens.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Point {
    pub at: Place,
    /// The file of the model.
    pub model: String,
    /// Which time, from 1, over all processes of the script unless the place says otherwise.
    pub number: u64,
    #[serde(rename = "do")]
    pub action: Action,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Place {
    /// Before an engine loads the model.
    Load,
    /// Before a run of the model.
    Run,
    /// The same, counted by each process for itself: all processes that get there stop.
    OwnRun,
}

impl Place {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Place::Load => "load",
            Place::Run => "run",
            Place::OwnRun => "own-run",
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Action {
    /// Waits until the test lets the process go on.
    Wait,
    /// The model fails in its last operator.
    Fail,
    /// The engine ends the process.
    Abort,
}

impl Script {
    pub(crate) fn of_environment() -> Script {
        let file = std::env::var_os(VARIABLE).unwrap_or_else(|| panic!("{VARIABLE} is not set"));
        let mut script: Script = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        script.speed = std::env::var(SPEED).ok().map(|speed| speed.parse().unwrap());
        script
    }

    /// Times of a model; the nodes of the chains that calibrate a profiler compute nothing, and it
    /// costs what it costs any model.
    pub(crate) fn times_of(&self, model: &str) -> Option<Times> {
        if let Some(times) = self.times.get(model) {
            return Some(times.clone());
        }
        let any = self.times.values().next().filter(|_| model.starts_with(CHAIN))?;
        let (operators, first) = (BTreeMap::new(), Vec::new());
        Some(Times {
            operator_ns: NODE_NS,
            overhead_ns: 0,
            noise: 0.0,
            warming: 0.0,
            session_bytes: 0,
            run_bytes: 0,
            lost_bytes: 0,
            operators,
            first,
            ..*any
        })
    }

    /// How many times as long runs take with all these options and threads. Of a value that lists
    /// several, each counts.
    pub(crate) fn factor(&self, options: &BTreeMap<String, String>, threads: u32) -> f64 {
        set(options, threads).filter_map(|set| self.factors.get(&set)).product()
    }

    /// Whether a process with these options takes no CPU time while it waits.
    pub(crate) fn sleeps(&self, options: &BTreeMap<String, String>, threads: u32) -> bool {
        set(options, threads).any(|set| self.sleeping.contains(&set))
    }

    /// Whether runs with these options remember what they computed.
    pub(crate) fn remembers(&self, options: &BTreeMap<String, String>, threads: u32) -> bool {
        set(options, threads).any(|set| self.remembering.contains(&set))
    }

    /// How long loading takes with these options, in nanoseconds.
    pub(crate) fn loads(&self, options: &BTreeMap<String, String>, threads: u32) -> u64 {
        set(options, threads).filter_map(|set| self.loading.get(&set)).sum()
    }

    /// Whether a model is to fail anywhere.
    pub(crate) fn fails(&self, model: &str) -> bool {
        let mut points = self.points.iter();
        points.any(|point| point.model == model && point.action == Action::Fail)
    }
}

/// Each option with each of its values.
fn set(options: &BTreeMap<String, String>, threads: u32) -> impl Iterator<Item = String> {
    let each = options
        .iter()
        .flat_map(|(key, value)| value.split(", ").map(move |value| format!("{key}={value}")));
    each.chain([format!("threads={threads}")])
}
