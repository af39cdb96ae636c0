//! Execution providers: what runs the nodes. A library has some of them.

use super::options::PROVIDER_SUFFIX;
use onnxray_text::did_you_mean;
use ort::ep::{self, ExecutionProvider, ExecutionProviderDispatch};

/// A provider, if the library has it.
type Make = fn() -> Option<ExecutionProviderDispatch>;

macro_rules! providers {
    ($($provider:ident),*) => {
        [$((ep::$provider::NAME, || {
            let is_there = ep::$provider::is_available().unwrap_or(false);
            is_there.then(|| ep::$provider::default().build())
        })),*]
    };
}

/// Providers besides the processor, by their full names.
const OTHERS: [(&str, Make); 8] =
    providers!(CUDA, TensorRT, OpenVINO, XNNPACK, OneDNN, CoreML, DirectML, MIGraphX);

/// The name as the library writes it.
pub(super) fn full_name(name: &str) -> String {
    let mut known = [ep::CPU::NAME].into_iter().chain(OTHERS.map(|(known, _)| known));
    let found = known.find(|known| known.eq_ignore_ascii_case(name));
    found.unwrap_or(name).to_string()
}

/// Whether it is the one that runs everything on the processor.
pub(super) fn is_processor(name: &str) -> bool {
    name.eq_ignore_ascii_case(ep::CPU::NAME)
}

/// Providers for a session, in order of preference: the processor runs what the named one cannot.
///
/// # Errors
///
/// If the library does not have it.
pub(super) fn providers(name: &str, arena: bool) -> Result<Vec<ExecutionProviderDispatch>, String> {
    let processor = || ep::CPU::default().with_arena_allocator(arena).build();
    if is_processor(name) {
        return Ok(vec![processor()]);
    }
    let other = OTHERS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    match other.and_then(|(_, make)| make()) {
        // By default, one that cannot be registered is skipped, and the processor runs everything.
        Some(provider) => Ok(vec![provider.error_on_failure(), processor()]),
        None => {
            let there = OTHERS.iter().filter(|(_, make)| make().is_some());
            let there = [ep::CPU::NAME].into_iter().chain(there.map(|(known, _)| *known));
            Err(absent(name, &there.collect::<Vec<_>>()))
        }
    }
}

/// Message for a provider that the library lacks.
fn absent(name: &str, there: &[&str]) -> String {
    let short = |name: &str| name.trim_end_matches(PROVIDER_SUFFIX).to_string();
    let is_known = |(known, _): &&(&str, _)| short(known).eq_ignore_ascii_case(&short(name));
    let next = match OTHERS.iter().find(is_known).map(|(known, _)| *known) {
        Some(known) => format!("{}; only CPU is tested", install(known)),
        None => did_you_mean(name, "known providers", OTHERS.map(|(known, _)| short(known))),
    };
    let there: Vec<String> = there.iter().copied().map(short).collect();
    format!(
        "this library has no execution provider `{}`; it has {}; {next}",
        short(name),
        there.join(", ")
    )
}

/// How to get a library with a provider.
fn install(name: &str) -> String {
    let package = match name {
        ep::CUDA::NAME | ep::TensorRT::NAME => "onnxruntime-gpu",
        ep::OpenVINO::NAME => "onnxruntime-openvino",
        ep::DirectML::NAME => "onnxruntime-directml",
        _ => return "name a build that has it with --engine-library".to_string(),
    };
    format!("`pip install {package}` brings it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_that_is_not_there_is_found_elsewhere_or_was_mistyped() {
        let there = [ep::CPU::NAME];
        assert_eq!(
            absent("cuda", &there),
            "this library has no execution provider `cuda`; it has CPU; `pip install \
             onnxruntime-gpu` brings it; only CPU is tested"
        );
        assert!(absent("XNNPACKExecutionProvider", &there).contains("--engine-library"));
        assert!(absent("cudaa", &there).ends_with("did you mean `CUDA`?"));
    }
}
