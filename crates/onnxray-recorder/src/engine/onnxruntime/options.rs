//! How ONNX Runtime is to run models.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

/// Optional end of an execution provider's name.
pub(super) const PROVIDER_SUFFIX: &str = "ExecutionProvider";

/// A provider's name without the optional end.
pub(super) fn short(name: &str) -> &str {
    let start = name.len().saturating_sub(PROVIDER_SUFFIX.len());
    match name.get(start..) {
        Some(end) if start > 0 && end.eq_ignore_ascii_case(PROVIDER_SUFFIX) => &name[..start],
        _ => name,
    }
}

/// Whether both names mean one provider.
pub(super) fn same_provider(a: &str, b: &str) -> bool {
    short(a).eq_ignore_ascii_case(short(b))
}

/// Options of ONNX Runtime. The default is its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnnxRuntimeOptions {
    /// The library, or a folder that holds it; default: what `ORT_DYLIB_PATH` names, or
    /// what the Python package `onnxruntime` brings. An `OsString`, because JSON has no
    /// text for names that are not UTF-8.
    pub library: Option<OsString>,
    /// Execution provider, such as `CUDA`; default: what the provider library brings, or the
    /// processor.
    pub provider: Option<String>,
    /// A library that brings execution providers: its file, a folder that holds it, or the name of
    /// a Python package that is installed beside ONNX Runtime's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_library: Option<OsString>,
    /// Options of the provider, by its keys.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub provider_options: BTreeMap<String, String>,
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
            provider_library: None,
            provider_options: BTreeMap::new(),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// Whether the processor's own provider runs all nodes.
    pub(crate) fn is_of_processor(&self) -> bool {
        let cpu = |name: &str| same_provider(name, "CPU");
        self.provider.as_deref().map_or(self.provider_library.is_none(), cpu)
    }

    /// Texts for the recording's `engine_options`, by name.
    /// The provider, and the file that brings it, are what was found.
    pub(super) fn stated(
        &self,
        provider: &str,
        provider_library: Option<&Path>,
    ) -> BTreeMap<String, String> {
        let choice = |chosen: bool| if chosen { "on" } else { "off" }.to_string();
        let inter_op = match self.inter_op_threads {
            Some(threads) => format!("parallel, {threads} threads"),
            None => "sequential".to_string(),
        };
        let stated = [
            ("execution provider", provider.to_string()),
            ("graph optimization", self.optimization.name().to_string()),
            ("execution mode", inter_op),
            ("spinning", choice(self.spinning)),
            ("arena", choice(self.arena)),
        ];
        let mut stated: BTreeMap<String, String> =
            stated.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        // Defaults are not stated: older recordings lack them and have the same configuration.
        if let Some(library) = provider_library.and_then(Path::file_name) {
            let library = library.to_string_lossy().into_owned();
            stated.insert("provider library".to_string(), library);
        }
        if !self.provider_options.is_empty() {
            let options = self.provider_options.iter().map(|(key, value)| format!("{key}={value}"));
            let options = options.collect::<Vec<_>>().join(", ");
            stated.insert("provider options".to_string(), options);
        }
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

    pub(super) fn provider_library(&self) -> Option<&Path> {
        self.provider_library.as_deref().map(Path::new)
    }
}
