//! How ONNX Runtime is to run models.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

/// Optional end of an execution provider's name.
pub(super) const PROVIDER_SUFFIX: &str = "ExecutionProvider";

/// Options of ONNX Runtime. The default is its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnnxRuntimeOptions {
    /// The library, or a folder that holds it; default: what `ORT_DYLIB_PATH` names, or
    /// what the Python package `onnxruntime` brings. An `OsString`, because JSON has no
    /// text for names that are not UTF-8.
    pub library: Option<OsString>,
    /// Execution provider, such as `CUDA`; default: the processor.
    pub provider: Option<String>,
    /// Level of graph optimization when it loads a model; default all.
    pub optimization: Optimization,
    /// Threads that run operators side by side; default: operators run one by one.
    pub inter_op_threads: Option<u32>,
    /// Whether idle threads wait in a busy loop; default yes.
    pub spinning: bool,
    /// Whether it keeps memory between runs in an arena; default yes.
    pub arena: bool,
    /// Whether it plans the memory of a run by the run before; default yes.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub memory_pattern: bool,
    /// Graph optimizers that it leaves out, by the names that it has for them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub disabled_optimizers: BTreeSet<String>,
    /// Other entries of a session's configuration, by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub config: BTreeMap<String, String>,
    /// A folder for the profiles that the runtime writes; default: they are not kept.
    pub profiles: Option<OsString>,
}

impl Default for OnnxRuntimeOptions {
    fn default() -> OnnxRuntimeOptions {
        OnnxRuntimeOptions {
            library: None,
            provider: None,
            optimization: Optimization::All,
            inter_op_threads: None,
            spinning: true,
            arena: true,
            memory_pattern: true,
            disabled_optimizers: BTreeSet::new(),
            config: BTreeMap::new(),
            profiles: None,
        }
    }
}

/// Journals of sweeps hold descriptions from before there was a choice.
fn yes() -> bool {
    true
}

fn is_yes(chosen: &bool) -> bool {
    *chosen
}

/// Levels of graph optimization, each with what the one before does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Optimization {
    /// The graph runs as it is.
    Disabled,
    /// Constants are folded, and redundant nodes removed.
    Basic,
    /// Nodes are fused.
    Extended,
    /// Layouts of tensors are changed as well.
    All,
}

impl Optimization {
    /// All of them, in their order.
    pub const ALL: [Optimization; 4] =
        [Optimization::Disabled, Optimization::Basic, Optimization::Extended, Optimization::All];

    /// Its name in recordings and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Optimization::Disabled => "disabled",
            Optimization::Basic => "basic",
            Optimization::Extended => "extended",
            Optimization::All => "all",
        }
    }
}

impl OnnxRuntimeOptions {
    /// The provider's full name, such as `CPUExecutionProvider`.
    pub(super) fn provider(&self) -> String {
        let name = self.provider.as_deref().unwrap_or("CPU");
        format!("{}{PROVIDER_SUFFIX}", name.strip_suffix(PROVIDER_SUFFIX).unwrap_or(name))
    }

    /// Texts for the recording's `engine_options`, by name.
    pub(super) fn stated(&self) -> BTreeMap<String, String> {
        let choice = |chosen: bool| if chosen { "on" } else { "off" }.to_string();
        let inter_op = match self.inter_op_threads {
            Some(threads) => format!("parallel, {threads} threads"),
            None => "sequential".to_string(),
        };
        let stated = [
            ("execution provider", self.provider()),
            ("graph optimization", self.optimization.name().to_string()),
            ("execution mode", inter_op),
            ("spinning", choice(self.spinning)),
            ("arena", choice(self.arena)),
        ];
        let mut stated: BTreeMap<String, String> =
            stated.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        // Defaults are not stated: older recordings lack them and have the same configuration.
        if !self.memory_pattern {
            stated.insert("memory pattern".to_string(), choice(false));
        }
        if !self.disabled_optimizers.is_empty() {
            stated.insert("disabled optimizers".to_string(), self.disabled().replace(';', ", "));
        }
        stated.extend(self.config.clone());
        stated
    }

    /// The optimizers that are left out, as the runtime takes them.
    pub(super) fn disabled(&self) -> String {
        self.disabled_optimizers.iter().map(String::as_str).collect::<Vec<_>>().join(";")
    }

    pub(super) fn library(&self) -> Option<&Path> {
        self.library.as_deref().map(Path::new)
    }
}
