//! Which changes of the runtime are worth a try for a model on this machine.

use super::survey::Survey;
use crate::engine::EngineSpec;
use crate::engine::onnxruntime::{OnnxRuntimeOptions, Optimization};
use crate::launches::LaunchSpec;
use onnxray_format::RuntimeChange;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangeKind {
    /// A graph optimizer that changes the model is left out.
    Optimizers,
    /// The level of graph optimization.
    Levels,
    /// How memory is kept and planned.
    Memory,
    /// How many threads, and what they do without work.
    Threads,
    /// The numbers that products with weights of a few bits compute in.
    Accuracy,
    /// Entries of the session's configuration.
    Config,
}

impl ChangeKind {
    /// All of them, in their order.
    pub const ALL: [ChangeKind; 6] = [
        ChangeKind::Optimizers,
        ChangeKind::Levels,
        ChangeKind::Memory,
        ChangeKind::Threads,
        ChangeKind::Accuracy,
        ChangeKind::Config,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Optimizers => "optimizers",
            ChangeKind::Levels => "levels",
            ChangeKind::Memory => "memory",
            ChangeKind::Threads => "threads",
            ChangeKind::Accuracy => "accuracy",
            ChangeKind::Config => "config",
        }
    }
}

/// Entries of the configuration that may pay for any model.
const ENTRIES: [(&str, &str); 4] = [
    ("session.set_denormal_as_zero", "1"),
    ("session.disable_prepacking", "1"),
    ("session.use_device_allocator_for_initializers", "1"),
    ("optimization.enable_gelu_approximation", "1"),
];
/// Entries that may pay where the graph quantizes and dequantizes.
const ENTRIES_OF_QUANTIZATION: [(&str, &str); 2] =
    [("session.disable_quant_qdq", "1"), ("session.enable_quant_qdq_cleanup", "1")];
/// Entries that may pay where threads share the work of a kernel.
const ENTRIES_OF_THREADS: [(&str, &str); 1] = [("session.dynamic_block_base", "4")];
/// Entries of what idle threads do: how long they wait in a busy loop, and whether they go on with
/// it between two runs; each with the first version, 1 of this number, that takes it.
const ENTRIES_OF_SPINNING: [(&str, &str, u32); 2] =
    [("session.force_spinning_stop", "1", 0), ("session.intra_op.spin_duration_us", "1000", 26)];
/// Up to here each number of threads is tried, and then powers of two.
const FEW_THREADS: u32 = 4;

/// The changes of these kinds that differ from the base, and what the user adds.
pub fn candidates(
    survey: &Survey,
    base: &LaunchSpec,
    kinds: &[ChangeKind],
    added: &[(String, String)],
) -> Vec<RuntimeChange> {
    let EngineSpec::OnnxRuntime(options) = &base.engine else { return Vec::new() };
    let mut changes = Vec::new();
    for kind in ChangeKind::ALL.into_iter().filter(|kind| kinds.contains(kind)) {
        match kind {
            ChangeKind::Optimizers => {
                let effective = survey.optimizers.iter().filter(|optimizer| optimizer.is_effective);
                changes
                    .extend(effective.map(|one| RuntimeChange::WithoutOptimizer(one.name.clone())));
            }
            ChangeKind::Levels => {
                let others = Optimization::ALL.into_iter();
                let others = others.filter(|level| *level != options.optimization);
                changes
                    .extend(others.map(|level| RuntimeChange::Optimization(level.name().into())));
            }
            ChangeKind::Memory => changes.extend([
                RuntimeChange::MemoryPattern(!options.memory_pattern),
                RuntimeChange::Arena(!options.arena),
            ]),
            ChangeKind::Threads => changes.extend(of_threads(survey, base, options)),
            ChangeKind::Accuracy => changes.extend(of_accuracy(survey, options)),
            ChangeKind::Config => {
                let mut entries = ENTRIES.to_vec();
                if survey.has_quantization {
                    entries.extend(ENTRIES_OF_QUANTIZATION);
                }
                if base.options.threads > 1 {
                    entries.extend(ENTRIES_OF_THREADS);
                }
                changes.extend(entries.into_iter().map(|(key, value)| config(key, value)));
            }
        }
    }
    changes.extend(added.iter().map(|(key, value)| config(key, value)));
    let mut kept: Vec<RuntimeChange> = Vec::new();
    for change in changes {
        // A user may add one that is here already: it would be measured and tested twice.
        if !kept.contains(&change) {
            kept.push(change);
        }
    }
    kept
}

fn of_threads(
    survey: &Survey,
    base: &LaunchSpec,
    options: &OnnxRuntimeOptions,
) -> Vec<RuntimeChange> {
    let (own, cores) = (base.options.threads, survey.run.cores);
    let is_tried = |&threads: &u32| {
        // Not every number: 64 cores would make 64 variants.
        let is_round = threads <= FEW_THREADS || threads.is_power_of_two() || threads == cores;
        is_round && threads != own
    };
    let mut changes: Vec<RuntimeChange> =
        (1..=cores).filter(is_tried).map(RuntimeChange::Threads).collect();
    // A single thread never waits for others.
    if own > 1 || options.inter_op_threads.is_some() {
        changes.push(RuntimeChange::Spinning(!options.spinning));
    }
    if own > 1 && options.spinning {
        let minor = minor(&survey.run.setup.engine_version);
        let known = ENTRIES_OF_SPINNING.into_iter();
        let known = known.filter(|(_, _, first)| minor.is_some_and(|minor| minor >= *first));
        changes.extend(known.map(|(key, value, _)| config(key, value)));
    }
    // On one core, operators side by side only take turns.
    if options.inter_op_threads.is_none() && cores > 1 {
        changes.push(RuntimeChange::InterOpThreads(cores));
    }
    changes
}

fn of_accuracy(survey: &Survey, options: &OnnxRuntimeOptions) -> Vec<RuntimeChange> {
    let of = &survey.quantized;
    let minor = minor(&survey.run.setup.engine_version);
    let has = |first: u32| minor.is_some_and(|minor| minor >= first);
    // The processor computes in 32-bit floats at all levels but the last.
    let is_cpu = options.is_of_processor();
    let level_of = |own: u32| if is_cpu && own < INTEGERS { FLOATS } else { own };
    let own: BTreeSet<u32> = of.levels.iter().map(|&own| level_of(own)).collect();
    let tried: &[u32] = if is_cpu { &[FLOATS, INTEGERS] } else { &[1, 2, 3, 4] };
    let others = tried.iter().filter(|level| !own.is_empty() && own != BTreeSet::from([**level]));
    let mut changes: Vec<RuntimeChange> =
        others.map(|&level| RuntimeChange::AccuracyLevel(level)).collect();
    // What the attribute says, as an option: the model stays as it is.
    if is_cpu && own.contains(&INTEGERS) && has(31) {
        changes.push(config("mlas.qnbit.force_fp32", "1"));
    }
    if is_cpu && of.has_two_bits && has(27) {
        changes.push(config("mlas.use_lut_gemm", "1"));
    }
    // ONNX Runtime's own choice for what it fuses is 4.
    if of.has_blocks && has(19) {
        changes.push(config("session.qdq_matmulnbits_accuracy_level", "1"));
    }
    changes
}

/// Levels of accuracy that differ on the processor.
const FLOATS: u32 = 1;
const INTEGERS: u32 = 4;

/// The second number of a version.
fn minor(version: &str) -> Option<u32> {
    version.split('.').nth(1)?.parse().ok()
}

fn config(key: &str, value: &str) -> RuntimeChange {
    RuntimeChange::Config { key: key.to_string(), value: value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Optimizer;
    use crate::launch::LaunchOptions;
    use onnxray_format::{Nanoseconds, Objective, Setup, TuneRun};

    fn survey(cores: u32, version: &str) -> Survey {
        let optimizer =
            |name: &str, is_effective| Optimizer { name: name.to_string(), is_effective };
        let run = TuneRun {
            file: Default::default(),
            setup: Setup { engine_version: version.to_string(), ..Setup::default() },
            search: Default::default(),
            cores,
            changes: Vec::new(),
            objectives: vec![Objective::Latency],
            rate: None,
            idle_optimizers: 1,
        };
        Survey {
            run,
            optimizers: vec![optimizer("Idle", false), optimizer("Gelu", true)],
            latency: Nanoseconds(1),
            memory: None,
            has_quantization: false,
            quantized: Default::default(),
        }
    }

    fn base(threads: u32) -> LaunchSpec {
        LaunchSpec {
            engine: EngineSpec::OnnxRuntime(OnnxRuntimeOptions::default()),
            model: "m.onnx".into(),
            dimensions: Default::default(),
            inputs: Default::default(),
            seed: 1,
            generation: None,
            options: LaunchOptions { threads, ..LaunchOptions::default() },
        }
    }

    fn names(cores: u32, threads: u32, kind: ChangeKind) -> Vec<String> {
        let changes = candidates(&survey(cores, "1.22.1"), &base(threads), &[kind], &[]);
        changes.iter().map(RuntimeChange::text).collect()
    }

    #[test]
    fn only_what_differs_from_the_base_is_tried() {
        assert_eq!(names(1, 1, ChangeKind::Optimizers), ["without Gelu"]);
        let levels = ["optimization disabled", "optimization basic", "optimization extended"];
        assert_eq!(names(1, 1, ChangeKind::Levels), levels);
        assert_eq!(names(1, 1, ChangeKind::Threads), [""; 0]);
        let parallel = |threads| format!("parallel execution, {threads} inter-op threads");
        assert_eq!(names(2, 1, ChangeKind::Threads), ["2 threads", &parallel(2)]);
        let stopped = "session.force_spinning_stop=1";
        let of_two = ["1 thread", "spinning off", stopped, &parallel(2)];
        assert_eq!(names(2, 2, ChangeKind::Threads), of_two);
        let many = names(12, 1, ChangeKind::Threads);
        assert_eq!(many[..5], ["2 threads", "3 threads", "4 threads", "8 threads", "12 threads"]);
    }

    #[test]
    fn entries_are_tried_in_versions_that_take_them() {
        let of = |version| {
            let changes = candidates(&survey(2, version), &base(2), &[ChangeKind::Threads], &[]);
            let named = changes.iter().filter(|change| change.setting() == "spinning");
            named.map(RuntimeChange::text).collect::<Vec<_>>()
        };
        let [stopped, duration] =
            ["session.force_spinning_stop=1", "session.intra_op.spin_duration_us=1000"];
        assert_eq!(of("1.31.1"), ["spinning off", stopped, duration]);
        assert_eq!(of("1.25.0"), ["spinning off", stopped]);
        assert_eq!(of("unknown"), ["spinning off"]);
    }

    #[test]
    fn levels_of_accuracy_are_those_that_differ_from_the_nodes() {
        let of = |levels: &[u32], provider: Option<&str>| {
            let mut survey = survey(1, "1.31.1");
            survey.quantized.levels = levels.iter().copied().collect();
            let mut base = base(1);
            let provider = provider.map(str::to_string);
            base.engine =
                EngineSpec::OnnxRuntime(OnnxRuntimeOptions { provider, ..Default::default() });
            let changes = candidates(&survey, &base, &[ChangeKind::Accuracy], &[]);
            changes.iter().map(RuntimeChange::text).collect::<Vec<_>>()
        };
        let [floats, integers] = ["accuracy_level=1", "accuracy_level=4"];
        assert_eq!(of(&[], None), [""; 0]);
        assert_eq!(of(&[0], None), [integers]);
        assert_eq!(of(&[1, 2], None), [integers]);
        assert_eq!(of(&[4], None), [floats, "mlas.qnbit.force_fp32=1"]);
        assert_eq!(of(&[0, 4], None), [floats, integers, "mlas.qnbit.force_fp32=1"]);
        assert_eq!(of(&[0], Some("cuda")).len(), 4);
        assert_eq!(of(&[4], Some("cuda")), [floats, "accuracy_level=2", "accuracy_level=3"]);
    }

    #[test]
    fn entries_of_products_are_tried_in_versions_and_models_that_take_them() {
        let of = |version: &str| {
            let mut survey = survey(1, version);
            survey.quantized.has_two_bits = true;
            survey.quantized.has_blocks = true;
            candidates(&survey, &base(1), &[ChangeKind::Accuracy], &[])
        };
        let lut = config("mlas.use_lut_gemm", "1");
        let fused = config("session.qdq_matmulnbits_accuracy_level", "1");
        assert_eq!(of("1.31.1"), [lut, fused.clone()]);
        assert_eq!(of("1.19.2"), [fused]);
        assert_eq!(of("1.18.1"), []);
    }

    #[test]
    fn what_the_user_adds_is_tried_once() {
        let entry = |key: &str| (key.to_string(), "1".to_string());
        let added = [entry("session.disable_prepacking"), entry("own.key")];
        let of = |kinds: &[ChangeKind]| candidates(&survey(1, ""), &base(1), kinds, &added);
        assert_eq!(of(&[ChangeKind::Config]).len(), ENTRIES.len() + 1);
        assert_eq!(of(&[]).len(), 2);
    }
}
