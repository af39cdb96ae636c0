//! What is said of wrong arguments: besides what is wrong, what to do next, and the usage of the
//! command that was meant, in one line.

mod meant;
mod repeated;
mod torn;
mod words;

use crate::message::quoted;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use meant::{advise, command};
use onnxray_text::nearest;
use std::path::Path;

pub(super) use meant::error;
pub(super) use repeated::repeated;
pub(super) use torn::{joined, torn};

/// The same error with a next step, and the usage of the command instead of all that might follow.
pub(super) fn explained(all: Command, mut error: Error) -> Error {
    let own = words::of_other_tools(&all, &error).or_else(|| elsewhere(&all, &error));
    keep_likely(&all, &mut error);
    let mut command = command(all);
    if error.kind() == ErrorKind::UnknownArgument {
        // That it can be passed as a value, behind `--`: nobody means that of an option.
        error.remove(ContextKind::Suggested);
    }
    if error.get(ContextKind::Usage).is_some() {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    }
    if let Some(step) = next_step(&error, command.get_name()).or(own) {
        advise(&mut error, step);
    }
    error
}

/// Leaves those of the names that are written alike that may have been meant.
fn keep_likely(all: &Command, error: &mut Error) {
    let visible = || all.get_subcommands().filter(|command| !command.is_hide_set());
    let suggested = [
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ];
    for (wrong, kind) in suggested {
        let Some(ContextValue::String(wrong)) = error.get(wrong).cloned() else { continue };
        // Slips of the pen spare the first letter: `tcsh` is not a mistyped `zsh`.
        let is_likely = |name: &String| {
            let letter = |word: &str| word.trim_start_matches('-').to_lowercase().chars().next();
            letter(name) == letter(&wrong)
        };
        let names = match error.remove(kind) {
            Some(ContextValue::String(name)) => vec![name],
            Some(ContextValue::Strings(names)) => names,
            _ => Vec::new(),
        };
        let mut names: Vec<String> = names.into_iter().filter(is_likely).collect();
        if kind == ContextKind::SuggestedSubcommand {
            names.retain(|name| visible().any(|command| command.get_name() == name));
            // By letters that are missing, too many or swapped: the parser measures otherwise, and
            // offers `report` beside `record` for `reocrd`.
            let near = nearest(&wrong, visible().map(Command::get_name));
            let near: Vec<String> =
                near.into_iter().map(str::to_string).filter(is_likely).collect();
            if !near.is_empty() {
                names = near;
            }
        }
        match &names[..] {
            [] => {}
            [one] => _ = error.insert(kind, ContextValue::String(one.clone())),
            _ => _ = error.insert(kind, ContextValue::Strings(names)),
        }
    }
}

/// Options that do the same, and are called otherwise in different commands.
const SAME: [&[&str]; 4] = [
    &["launches", "rounds"],
    &["time-limit", "duration"],
    &["precision", "until"],
    &["out", "profiles"],
];

/// What the command calls an option that it does not have and others do, and which these are.
fn elsewhere(all: &Command, error: &Error) -> Option<String> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let name = word.strip_prefix("--")?;
    let own = command(all.clone());
    if has(&own, name) {
        let option = format!("--{name}");
        let words = std::env::args().skip_while(|word| *word != option).skip(1);
        let value = words.take(1).find(|word| all.find_subcommand(word).is_none());
        let value = value.map_or(String::new(), |value| format!(" {}", quoted(Path::new(&value))));
        let own = own.get_name();
        return Some(format!("write it after the command: onnxray {own} … {option}{value}"));
    }
    let same = SAME.iter().filter(|names| names.contains(&name)).copied().flatten();
    let same = same.copied().find(|other| *other != name && has(&own, other));
    let others = all.get_subcommands().filter(|other| !other.is_hide_set() && has(other, name));
    let mut others: Vec<&str> = others.map(Command::get_name).collect();
    if others.contains(&"record") {
        // It has options of `record`.
        others.retain(|other| *other != "xray");
    }
    let (own, others) = (own.get_name(), others.join(", "));
    match (same, others.is_empty()) {
        (Some(same), true) => Some(format!("{own} calls it --{same}")),
        (Some(same), false) => Some(format!("--{name} is of {others}; {own} calls it --{same}")),
        (None, false) => Some(format!("--{name} is an option of {others}, not of {own}")),
        (None, true) => None,
    }
}

/// Whether a command shows an option of this name.
fn has(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|own| own.get_long() == Some(name) && !own.is_hide_set())
}

/// Whether the unknown option is this one.
fn is_named(error: &Error, name: &str) -> bool {
    let unknown = error.get(ContextKind::InvalidArg);
    matches!(unknown, Some(ContextValue::String(word)) if word == name)
}

/// Whether an unknown option is one of what makes a comparison fail.
fn is_of_gate(error: &Error) -> bool {
    let unknown = error.get(ContextKind::InvalidArg);
    matches!(unknown, Some(ContextValue::String(word)) if word.starts_with("--fail-"))
}

fn next_step(error: &Error, command: &str) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word),
        _ => None,
    };
    let word = |kind| text(kind).filter(|word| !word.starts_with('-'));
    let file = |word: &str| quoted(Path::new(word));
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let path = Path::new(word(ContextKind::InvalidSubcommand)?);
            match path.exists() {
                // A mistyped model was still meant to be recorded: `record` tells that it is
                // missing.
                _ if is_model(path) => {
                    Some(format!("to profile it: onnxray record {}", quoted(path)))
                }
                true => {
                    Some(format!("to see where its time goes: onnxray summary {}", quoted(path)))
                }
                false => None,
            }
        }
        ErrorKind::UnknownArgument if command == "compare" && is_named(error, "--level") => Some(
            "compare shows layers (--view layers), not their kernels: onnxray summary RECORDING \
             --level kernel"
                .to_string(),
        ),
        ErrorKind::UnknownArgument if command == "record" && is_of_gate(error) => {
            Some("onnxray compare A B --fail-above 3% gates recordings".to_string())
        }
        ErrorKind::UnknownArgument if command == "record" => {
            let other = Path::new(word(ContextKind::InvalidArg)?);
            let models = std::env::args_os().filter(|word| is_model(Path::new(word))).count();
            match is_model(other) || other.is_file() {
                true if models > 2 => Some(
                    "record takes one model, and one more with --against; onnxray sweep \
                          takes any number"
                        .to_string(),
                ),
                true => Some(format!("to record two models: --against {}", quoted(other))),
                false => None,
            }
        }
        // An option whose value may be left out has taken the next word.
        ErrorKind::ValueValidation => {
            let (option, _) = text(ContextKind::InvalidArg)?.split_once(" [<")?;
            let value = word(ContextKind::InvalidValue).filter(|word| Path::new(word).exists())?;
            let value = file(value);
            Some(format!("{option} takes the next word: onnxray {command} {value} {option}"))
        }
        ErrorKind::ArgumentConflict => {
            let option = text(ContextKind::InvalidArg)?;
            (text(ContextKind::PriorArg) == Some(option)).then(|| {
                "a run writes one file; the same command again, or `onnxray report RECORDING -o \
                 FILE`, writes another"
                    .to_string()
            })
        }
        ErrorKind::MissingRequiredArgument => {
            let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
                return None;
            };
            let last = std::env::args().skip(3).last().filter(|word| !word.starts_with('-'))?;
            let is_output = missing.iter().any(|option| option.starts_with("--output "))
                && Path::new(&last).extension().is_some()
                && !Path::new(&last).exists();
            is_output.then(|| format!("to write it: -o {}", file(&last)))
        }
        _ => None,
    }
}

/// Whether a name is that of a model.
fn is_model(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|end| ["onnx", "ort"].iter().any(|model| end.eq_ignore_ascii_case(model)))
}
