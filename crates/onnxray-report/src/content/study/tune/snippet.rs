//! The lines that set what is recommended, in one's own program.

use super::result::TuneResult;
use crate::document::Unit::Text;
use crate::document::{Cell, Figures, columns};
use onnxray_analyzer::study::{Study, Tried};
use onnxray_format::{RuntimeChange, TuneRun};
use onnxray_text::{printable, shell_word};

/// The lines of a language each, joined: they can be pasted as they are.
pub(super) struct Lines {
    python: String,
    cpp: String,
    record: String,
    model: String,
}

columns! {
    pub(super) const LINES: Lines;

    /// lines for a SessionOptions called options
    "python" "Python" Text = |lines| Cell::text(&lines.python);
    /// lines for an Ort::SessionOptions called options
    "cpp" "C++" Text = |lines| Cell::text(&lines.cpp);
    /// options of the command
    "record" "onnxray record" Text = |lines| Cell::some_text(&lines.record);
    /// what to run in place of the model, where it changes
    "model" "Model" Text = |lines| Cell::some_text(&lines.model);
}

/// Entry of the configuration that lists disabled optimizers.
const DISABLED: &str = "optimization.disable_specified_optimizers";

/// What is recommended, as lines to paste.
pub(super) fn lines(result: &TuneResult, best: &Tried) -> Figures {
    let tuning = &result.tuning;
    let (mut python, mut cpp, mut record) = (Vec::new(), Vec::new(), Vec::new());
    for setting in settings(&tuning.run, &tuning.run.named(&best.changes)) {
        python.push(setting.python);
        cpp.push(setting.cpp);
        record.extend(setting.record);
    }
    let changed = tuning.run.named(&best.changes);
    let changed = changed.iter().filter(|change| change.accuracy_level().is_some());
    let changed: Vec<String> = changed.map(RuntimeChange::text).collect();
    let model = match (changed.is_empty(), &result.written) {
        (true, _) => String::new(),
        (false, Some(file)) => format!("{}, with {}", printable(file), changed.join(", ")),
        (false, None) => {
            format!("--write TUNED.onnx writes it with {}", changed.join(", "))
        }
    };
    let (python, cpp, record) = (python.join("; "), cpp.join(" "), record.join(" "));
    let lines = Lines { python, cpp, record, model };
    Figures::new("tune_code", "Lines to paste", LINES, &lines).applying(&["model"])
}

struct Setting {
    python: String,
    cpp: String,
    record: Option<String>,
}

fn settings(run: &TuneRun, changes: &[RuntimeChange]) -> Vec<Setting> {
    let threads = changes.iter().find_map(|change| match change {
        RuntimeChange::Threads(threads) => Some(*threads),
        _ => None,
    });
    let threads = threads.unwrap_or(run.search.threads);
    // Always set: ONNX Runtime takes all cores by default.
    let mut settings = vec![Setting {
        python: format!("options.intra_op_num_threads = {threads}"),
        cpp: format!("options.SetIntraOpNumThreads({threads});"),
        record: Some(format!("--threads {threads}")),
    }];
    let disabled: Vec<&str> = changes
        .iter()
        .filter_map(|change| match change {
            RuntimeChange::WithoutOptimizer(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    if !disabled.is_empty() {
        let options = disabled
            .iter()
            .map(|name| format!("--ort {}", shell_word(format!("disable_optimizer={name}"))));
        settings.push(Setting {
            record: Some(options.collect::<Vec<_>>().join(" ")),
            ..entry(DISABLED, &disabled.join(";"))
        });
    }
    for change in changes {
        match change {
            // These are set above.
            RuntimeChange::WithoutOptimizer(_) | RuntimeChange::Threads(_) => {}
            // Of the model's file, not of the session.
            RuntimeChange::AccuracyLevel(_) => {}
            RuntimeChange::Optimization(level) => {
                let name = match level.as_str() {
                    "disabled" => "ORT_DISABLE_ALL",
                    "basic" => "ORT_ENABLE_BASIC",
                    "extended" => "ORT_ENABLE_EXTENDED",
                    _ => "ORT_ENABLE_ALL",
                };
                settings.push(Setting {
                    python: format!(
                        "options.graph_optimization_level = \
                         onnxruntime.GraphOptimizationLevel.{name}"
                    ),
                    cpp: format!("options.SetGraphOptimizationLevel({name});"),
                    record: Some(format!("--optimization {level}")),
                });
            }
            RuntimeChange::MemoryPattern(on) => settings.push(Setting {
                python: format!("options.enable_mem_pattern = {}", python_truth(*on)),
                cpp: format!("options.{}MemPattern();", if *on { "Enable" } else { "Disable" }),
                record: Some(format!("--ort memory_pattern={}", yes_or_no(*on))),
            }),
            RuntimeChange::Arena(on) => settings.push(Setting {
                python: format!("options.enable_cpu_mem_arena = {}", python_truth(*on)),
                cpp: format!("options.{}CpuMemArena();", if *on { "Enable" } else { "Disable" }),
                record: Some(format!("--ort arena={}", yes_or_no(*on))),
            }),
            RuntimeChange::Spinning(on) => settings.push(Setting {
                record: Some(format!("--ort spinning={}", yes_or_no(*on))),
                ..entry("session.intra_op.allow_spinning", if *on { "1" } else { "0" })
            }),
            RuntimeChange::InterOpThreads(threads) => settings.push(Setting {
                python: format!(
                    "options.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL; \
                     options.inter_op_num_threads = {threads}"
                ),
                cpp: format!(
                    "options.SetExecutionMode(ORT_PARALLEL); \
                     options.SetInterOpNumThreads({threads});"
                ),
                record: Some(format!("--ort inter_op_threads={threads}")),
            }),
            RuntimeChange::Config { key, value } => settings.push(Setting {
                record: Some(format!("--ort {}", shell_word(format!("{key}={value}")))),
                ..entry(key, value)
            }),
        }
    }
    settings
}

/// Keys and values are data, in both languages.
fn entry(key: &str, value: &str) -> Setting {
    // A string of JSON is a literal of both languages.
    let [key, value] = [key, value].map(|text| serde_json::Value::from(text).to_string());
    Setting {
        python: format!("options.add_session_config_entry({key}, {value})"),
        cpp: format!("options.AddConfigEntry({key}, {value});"),
        record: None,
    }
}

fn python_truth(on: bool) -> &'static str {
    if on { "True" } else { "False" }
}

fn yes_or_no(on: bool) -> &'static str {
    if on { "yes" } else { "no" }
}
