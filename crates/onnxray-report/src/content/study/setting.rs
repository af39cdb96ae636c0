//! On what models ran.

use crate::content::shares::sizes;
use crate::document::{Cell, Note, Unit, columns};
use Unit::{Count, Milliseconds, Text};
use onnxray_format::{ModelFile, SearchSetup, Setup};

columns! {
    pub(super) const MODEL: ModelFile;

    /// model file
    "model" "model" Text = |file| Cell::text(&file.model);
    /// hash of the file
    "model_sha256" "model SHA-256" Text =
        |file| Cell::stated(file.model_sha256.clone().unwrap_or_default());
}

/// How models ran, and the latency of the base.
pub(in crate::content) struct Setting<'a> {
    pub setup: &'a Setup,
    /// `None` where no latency was measured.
    pub search: Option<&'a SearchSetup>,
    pub base_ns: Option<f64>,
}

columns! {
    pub(in crate::content) fn columns<'a>: Setting<'a>;

    /// name and version
    "engine" "engine" Text = |setting| {
        let Setup { engine, engine_version, .. } = setting.setup;
        Cell::stated(format!("{engine} {engine_version}").trim())
    };
    /// intra-op threads of the base
    "threads" "threads" Count =
        |setting| Cell::whole(setting.search.map(|search| search.threads.into()));
    /// processor
    "cpu" "CPU" Text = |setting| {
        let cpu = setting.search.and_then(|search| search.cpu.clone());
        Cell::stated(cpu.unwrap_or_default())
    };
    /// items of a batch
    "batch_size" "batch size" Count = |setting| Cell::whole(setting.setup.batch_size);
    /// sizes of the free dimensions
    "dimensions" "dimensions" Text =
        |setting| Cell::some_text(sizes(&setting.setup.dimensions));
    /// input data
    "inputs" "inputs" Text =
        |setting| Cell::text(setting.search.map_or("", |search| &search.inputs));
    /// unchanged model: median over launches of the median over turns of their first quartile
    "base_ms" "base latency (ms)" Milliseconds =
        |setting| Cell::number(setting.base_ns.map(|base| base / 1e6));
}

/// What a careful reader should know of any search: inputs, and other programs that used this many
/// cores.
pub(super) fn notes(search: &SearchSetup, other_cores: Option<f64>) -> Vec<Note> {
    let random = search.inputs.contains("random").then(|| RANDOM.to_string());
    let load = other_cores.filter(|&cores| cores >= NOTABLE_LOAD).map(|cores| {
        format!(
            "other programs used up to {cores:.1} cores: turns cancel what they cost both sides, \
             but a quieter machine decides more in the same time"
        )
    });
    random.into_iter().chain(load).map(Note::note).collect()
}

/// In cores: less is what any system does by itself.
pub(super) const NOTABLE_LOAD: f64 = 0.2;

/// What is said of inputs that were made up.
const RANDOM: &str = "outputs were compared on random inputs, which say little \
    about accuracy; --input takes real ones";
