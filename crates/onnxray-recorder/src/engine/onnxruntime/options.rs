//! How ONNX Runtime is to run models.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// What the name of an execution provider may be left out of.
pub(super) const PROVIDER_SUFFIX: &str = "ExecutionProvider";

/// How ONNX Runtime is to run models. The default is what its own default is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnnxRuntimeOptions {
    /// The library, or a folder that holds it; default: what `ORT_DYLIB_PATH` names, or
    /// what the Python package `onnxruntime` brings. An `OsString`, because JSON has no
    /// text for names that are not UTF-8.
    pub library: Option<OsString>,
    /// Execution provider, such as `CUDA`; default: the processor.
    pub provider: Option<String>,
    /// How far it rewrites the graph when it loads a model; default all the way.
    pub optimization: Optimization,
    /// Threads that run operators side by side; default: operators run one by one.
    pub inter_op_threads: Option<u32>,
    /// Whether threads without work wait for it in a busy loop; default yes.
    pub spinning: bool,
    /// Whether it keeps memory between runs in an arena; default yes.
    pub arena: bool,
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
            profiles: None,
        }
    }
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
    /// What recordings and the command line call it.
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

    /// As recordings state them.
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
        stated.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// The library as a path.
    pub(super) fn library(&self) -> Option<&Path> {
        self.library.as_deref().map(Path::new)
    }
}
