//! Names of providers, and what is said of one that is not there.

use super::super::options::{same_provider, short};
use onnxray_text::{did_you_mean, printable};
use ort::ep::{self, ExecutionProvider};
use std::collections::BTreeSet;

/// Providers besides the processor that builds of the library have, and the Python package of such
/// a build.
const BUILT_IN: [(&str, Option<&str>); 9] = [
    (ep::CUDA::NAME, Some("onnxruntime-gpu")),
    (ep::TensorRT::NAME, Some("onnxruntime-gpu")),
    (ep::DirectML::NAME, Some("onnxruntime-directml")),
    (ep::MIGraphX::NAME, Some("onnxruntime-migraphx")),
    ("OpenVINOExecutionProvider", Some("onnxruntime-openvino")),
    ("QNNExecutionProvider", Some("onnxruntime-qnn")),
    ("XnnpackExecutionProvider", None),
    ("CoreMLExecutionProvider", None),
    (ep::OneDNN::NAME, None),
];
/// Providers of plugins, and the Python package that brings them.
const PLUGINS: [(&str, &str); 2] = [("ggml", "onnxruntime-ggml"), ("cpu_ep", "nxrt-ep-cpu")];

/// Older libraries take a provider by a shorter name than they list it by.
pub(super) fn of_version(name: &str, interface: u32) -> &str {
    match short(name) {
        _ if interface >= 22 => name,
        "Xnnpack" => "XNNPACK",
        "Azure" => "AZURE",
        short => short,
    }
}

/// Message for a provider that is neither the library's nor a plugin's.
pub(super) fn absent<'a>(
    name: &str,
    there: impl Iterator<Item = &'a str>,
    version: &str,
) -> String {
    let there: BTreeSet<&str> = there.map(short).collect();
    let built_in = BUILT_IN.iter().find(|(known, _)| same_provider(known, name));
    let plugin = PLUGINS.iter().find(|(known, _)| same_provider(known, name));
    let next = match (built_in, plugin) {
        (_, Some((_, package))) => {
            format!("`pip install {package}` and --provider-library {package} bring it")
        }
        (Some((_, Some(package))), _) => {
            format!("`pip install {package}` brings it; it is not tested")
        }
        (Some((_, None)), _) => {
            "name a build that has it with --engine-library; it is not tested".to_string()
        }
        (None, None) => {
            let known = BUILT_IN.iter().map(|(known, _)| short(known));
            let known = known.chain(PLUGINS.iter().map(|(known, _)| *known));
            let known: BTreeSet<&str> = there.iter().copied().chain(known).collect();
            did_you_mean(name, "known providers", known)
        }
    };
    let name = built_in.map_or(name, |(known, _)| known);
    // The processor, which is always there, first.
    let others = there.iter().filter(|name| **name != "CPU");
    let there: Vec<String> = ["CPU"].iter().chain(others).map(|name| printable(name)).collect();
    format!(
        "ONNX Runtime {version} has no execution provider `{}`; it has {}\nhint: {next}",
        printable(short(name)),
        there.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> String {
        absent(name, ["AzureExecutionProvider", "CPUExecutionProvider"].into_iter(), "1.31.1")
    }

    #[test]
    fn a_provider_that_is_not_there_is_found_elsewhere_or_was_mistyped() {
        assert_eq!(
            of("cuda"),
            "ONNX Runtime 1.31.1 has no execution provider `CUDA`; it has CPU, Azure\n\
             hint: `pip install onnxruntime-gpu` brings it; it is not tested"
        );
        assert!(of("XNNPACKExecutionProvider").contains("--engine-library"));
        assert!(of("cudaa").ends_with("did you mean `CUDA`?"));
        assert!(of("Azur").ends_with("did you mean `Azure`?"));
        assert!(of("GGML").ends_with("--provider-library onnxruntime-ggml bring it"));
        assert!(of("quantum").contains("CoreML"), "{}", of("quantum"));
    }

    #[test]
    fn names_are_those_that_a_version_takes() {
        assert_eq!(of_version("XnnpackExecutionProvider", 21), "XNNPACK");
        assert_eq!(of_version("OpenVINOExecutionProvider", 19), "OpenVINO");
        assert_eq!(of_version("OpenVINOExecutionProvider", 22), "OpenVINOExecutionProvider");
    }
}
