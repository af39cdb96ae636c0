//! Execution providers: what runs the nodes. A library has some of them, and takes others from
//! libraries that are plugins of it.
//!
//! ```text
//! names ◀ package ◀ plugin ◀ the provider of a session ◀ listed
//! ```

mod listed;
mod names;
mod package;
mod plugin;

pub use listed::{EngineLibrary, libraries};

use super::library::Library;
use super::options::{OnnxRuntimeOptions, same_provider, short};
use crate::error::RecordError;
use names::{absent, of_version};
use onnxray_native::onnxruntime::{available, prefer};
use onnxray_text::printable;
use ort::device::Device;
use ort::ep::{
    self, ArbitrarilyConfigurableExecutionProvider, ExecutionProvider, ExecutionProviderDispatch,
};
use ort::session::builder::SessionBuilder;
use plugin::Plugin;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What runs the nodes of a session that it can run; the processor runs the others.
#[derive(Clone)]
pub(super) struct Provider {
    /// As the library writes it: `CPUExecutionProvider`, `ggml`.
    pub(super) name: String,
    /// The plugin that brings it; `None` if it is part of ONNX Runtime's library.
    pub(super) library: Option<PathBuf>,
    way: Way,
}

/// How a session comes to prefer a provider.
#[derive(Clone, Copy)]
enum Way {
    /// It need not.
    Processor,
    /// By a function for this provider.
    Own(Make),
    /// By its name.
    Name,
    /// By its devices.
    Devices,
}

type Make = fn(&BTreeMap<String, String>) -> ExecutionProviderDispatch;

macro_rules! own {
    ($($provider:ident),*) => {
        [$((ep::$provider::NAME, |options| {
            let provider = ep::$provider::default();
            let set = |provider: ep::$provider, (key, value)| provider.with_arbitrary_config(key, value);
            options.iter().fold(provider, set).build()
        })),*]
    };
}

/// Providers that have a function of their own, which takes options as texts.
const WITH_OPTIONS: [(&str, Make); 3] = own!(CUDA, TensorRT, OneDNN);
/// Those whose function takes none.
const WITHOUT_OPTIONS: [(&str, Make); 2] = [
    (ep::DirectML::NAME, |_| ep::DirectML::default().build()),
    (ep::MIGraphX::NAME, |_| ep::MIGraphX::default().build()),
];

impl Provider {
    /// The provider that the options choose.
    ///
    /// # Errors
    ///
    /// If there is none of its name; if its library cannot be used.
    pub(super) fn find(
        library: &Library,
        options: &OnnxRuntimeOptions,
    ) -> Result<Provider, RecordError> {
        let given = options.provider_library();
        let plugin = given.map(|given| Plugin::load(given, library)).transpose()?;
        let brought = plugin.as_ref().map(|plugin| plugin.providers.as_slice()).unwrap_or_default();
        let name = match (options.provider.as_deref(), brought) {
            (Some(name), _) => name,
            (None, [only]) => only,
            (None, []) if plugin.is_some() => {
                return Err(refused(
                    "the providers of the provider library have no device on this machine"
                        .to_string(),
                ));
            }
            (None, []) => ep::CPU::NAME,
            (None, several) => {
                let several: Vec<String> =
                    several.iter().map(|name| printable(short(name))).collect();
                return Err(refused(format!(
                    "the provider library has several providers ({}): choose one with --provider",
                    several.join(", ")
                )));
            }
        };
        let is_meant = |known: &&String| same_provider(known, name);
        let built_in = available().map_err(|error| refused(printable(&error.to_string())))?;
        let (name, library, way) = match (brought.iter().find(is_meant), plugin.as_ref()) {
            (Some(name), Some(plugin)) => (name, Some(plugin.file.clone()), Way::Devices),
            _ => match built_in.iter().find(is_meant) {
                Some(name) => (name, None, way(name, options)),
                None => {
                    let there = built_in.iter().chain(brought).map(String::as_str);
                    return Err(refused(absent(name, there, &library.version)));
                }
            },
        };
        if matches!(way, Way::Processor) && !options.provider_options.is_empty() {
            return Err(refused(
                "the CPU provider has no options of its own: --ort sets those of a session"
                    .to_string(),
            ));
        }
        Ok(Provider { name: name.clone(), library, way })
    }

    /// The one that runs everything on the processor.
    pub(super) fn processor() -> Provider {
        Provider { name: ep::CPU::NAME.to_string(), library: None, way: Way::Processor }
    }

    /// Whether it is the one that runs everything on the processor.
    pub(super) fn is_processor(&self) -> bool {
        matches!(self.way, Way::Processor)
    }

    /// Makes a session prefer it.
    pub(super) fn of_session(
        &self,
        mut builder: SessionBuilder,
        library: &Library,
        options: &OnnxRuntimeOptions,
    ) -> Result<SessionBuilder, String> {
        let own = &options.provider_options;
        let builder = match self.way {
            Way::Processor => builder,
            // By default, one that cannot be registered is skipped, and the processor runs
            // everything.
            Way::Own(make) => {
                let provider = make(own).error_on_failure();
                builder.with_execution_providers([provider]).map_err(text)?
            }
            Way::Name => {
                let name = of_version(&self.name, library.interface);
                prefer(&mut builder, name, own).map_err(text)?;
                builder
            }
            Way::Devices => {
                let devices = library.environment.devices();
                let is_own = |device: &Device| device.ep().is_ok_and(|name| name == self.name);
                let key = |key: &String| format!("{}.{key}", self.name);
                let own: Vec<_> =
                    own.iter().map(|(name, value)| (key(name), value.clone())).collect();
                builder.with_devices(devices.filter(is_own), Some(&own)).map_err(text)?
            }
        };
        let processor = ep::CPU::default().with_arena_allocator(options.arena).build();
        builder.with_execution_providers([processor]).map_err(text)
    }
}

/// How a session takes a provider of the library.
fn way(name: &str, options: &OnnxRuntimeOptions) -> Way {
    if same_provider(name, ep::CPU::NAME) {
        return Way::Processor;
    }
    let without = WITHOUT_OPTIONS.iter().filter(|_| options.provider_options.is_empty());
    let own = WITH_OPTIONS.iter().chain(without).find(|(known, _)| *known == name);
    own.map_or(Way::Name, |(_, make)| Way::Own(*make))
}

fn refused(reason: String) -> RecordError {
    RecordError::Provider { reason }
}

fn text<T>(error: ort::Error<T>) -> String {
    error.to_string()
}
