//! What a change of the runtime does to the options that an engine is started with.

use crate::engine::EngineSpec;
use crate::engine::onnxruntime::Optimization;
use crate::launches::LaunchSpec;
use onnxray_format::RuntimeChange;

/// The base with these changes. What its engine has no option for changes nothing.
pub fn changed(base: &LaunchSpec, changes: &[RuntimeChange]) -> LaunchSpec {
    let mut spec = base.clone();
    for change in changes {
        if let RuntimeChange::Threads(threads) = change {
            spec.options.threads = *threads;
        }
        let EngineSpec::OnnxRuntime(options) = &mut spec.engine else { continue };
        match change {
            RuntimeChange::WithoutOptimizer(name) => {
                options.disabled_optimizers.insert(name.clone());
            }
            RuntimeChange::Optimization(level) => {
                let named = Optimization::ALL.into_iter().find(|known| known.name() == level);
                // A journal may name a level of another version: it changes nothing then.
                options.optimization = named.unwrap_or(options.optimization);
            }
            RuntimeChange::MemoryPattern(chosen) => options.memory_pattern = *chosen,
            RuntimeChange::Arena(chosen) => options.arena = *chosen,
            RuntimeChange::Spinning(chosen) => options.spinning = *chosen,
            RuntimeChange::InterOpThreads(threads) => options.inter_op_threads = Some(*threads),
            RuntimeChange::Config { key, value } => {
                options.config.insert(key.clone(), value.clone());
            }
            // Of the model's file, not of the engine.
            RuntimeChange::Threads(_) | RuntimeChange::AccuracyLevel(_) => {}
        }
    }
    spec
}
