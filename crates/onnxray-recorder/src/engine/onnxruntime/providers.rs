//! Execution providers: what runs the nodes. A library has some of them.

use super::options::PROVIDER_SUFFIX;
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

/// Those that are known beside the processor, by the name that the library gives them.
const OTHERS: [(&str, Make); 8] =
    providers!(CUDA, TensorRT, OpenVINO, XNNPACK, OneDNN, CoreML, DirectML, MIGraphX);

/// The name as the library writes it.
pub(super) fn full_name(name: &str) -> String {
    let mut known = [ep::CPU::NAME].into_iter().chain(OTHERS.map(|(known, _)| known));
    let found = known.find(|known| known.eq_ignore_ascii_case(name));
    found.unwrap_or(name).to_string()
}

/// Those that sessions ask for, in order: what the one of that name cannot run is the
/// processor's.
///
/// # Errors
///
/// If the library does not have it.
pub(super) fn providers(name: &str, arena: bool) -> Result<Vec<ExecutionProviderDispatch>, String> {
    let processor = || ep::CPU::default().with_arena_allocator(arena).build();
    if name.eq_ignore_ascii_case(ep::CPU::NAME) {
        return Ok(vec![processor()]);
    }
    let other = OTHERS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    match other.and_then(|(_, make)| make()) {
        Some(provider) => Ok(vec![provider.error_on_failure(), processor()]),
        None => {
            let short = |name: &str| name.trim_end_matches(PROVIDER_SUFFIX).to_string();
            let there = OTHERS.iter().filter(|(_, make)| make().is_some());
            let there: Vec<String> = [ep::CPU::NAME]
                .into_iter()
                .chain(there.map(|(known, _)| *known))
                .map(short)
                .collect();
            Err(format!(
                "this library has no execution provider `{}`; it has {}",
                short(name),
                there.join(", ")
            ))
        }
    }
}
