//! Values that a space took apart, and negative numbers, which look like options.

use super::meant::{advise, command};
use crate::message::quoted;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use std::ffi::OsString;
use std::path::Path;

/// What follows a number, and belongs to it.
const UNITS: [&str; 9] = ["%", "ms", "s", "sec", "m", "min", "h", "x", "us"];
/// Words of a path with spaces.
const MOST_OF_PATH: usize = 5;

/// The words of this process's command line, with a negative number as the value of the option
/// before it, so that what is wrong with it is said.
pub(in crate::args) fn joined() -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    for word in std::env::args_os() {
        let text = word.to_string_lossy();
        let digits = text.strip_prefix('-').unwrap_or_default();
        let is_negative = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        let takes = |before: &OsString| {
            let before = before.to_string_lossy();
            before.len() > 2 && before.starts_with("--") && !before.contains('=')
        };
        match words.last_mut().filter(|before| is_negative && takes(before)) {
            Some(option) => {
                option.push("=");
                option.push(word);
            }
            None => words.push(word),
        }
    }
    words
}

/// The error that a value in two words is, or a path that has a space.
pub(in crate::args) fn torn(all: Command, words: &[OsString]) -> Option<Error> {
    let words: Vec<_> = words.iter().skip(1).map(|word| word.to_string_lossy()).collect();
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let words: Vec<&str> = words[..end].iter().map(AsRef::as_ref).collect();
    let own = command(all.clone());
    let found = (1..words.len()).find_map(|at| {
        let word = words[at];
        if word.starts_with('-') || Path::new(word).exists() {
            return None;
        }
        let step = path(&words[..=at]).or_else(|| value(&all, &own, &words[..=at]))?;
        Some((word.to_string(), step))
    });
    let (word, step) = found?;
    let mut error = Error::new(ErrorKind::UnknownArgument).with_cmd(&own);
    error.insert(ContextKind::InvalidArg, ContextValue::String(word));
    let usage = own.clone().render_usage();
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    advise(&mut error, step);
    Some(error)
}

/// Whether the last words are one path.
fn path(words: &[&str]) -> Option<String> {
    let most = MOST_OF_PATH.min(words.len());
    let mut parts = (2..=most).map(|count| &words[words.len() - count..]);
    parts.find_map(|parts| {
        let whole = parts.join(" ");
        let is_path = !parts[0].starts_with('-') && Path::new(&whole).exists();
        is_path.then(|| format!("quote it: {}", quoted(Path::new(&whole))))
    })
}

/// How to write an option whose value is the last two words.
fn value(all: &Command, own: &Command, words: &[&str]) -> Option<String> {
    let &[.., option, first, second] = words else { return None };
    let name = option.strip_prefix("--")?;
    let of_name = |argument: &&Arg| {
        argument.get_long() == Some(name)
            || argument.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
    };
    let find = |command: &Command| command.get_arguments().find(of_name).cloned();
    let argument = find(own).filter(|argument| argument.get_action().takes_values())?;
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    let is_list = |argument: &Arg| argument.get_value_delimiter() == Some(',');
    let names = argument.get_value_names().unwrap_or_default();
    let has_name = names.iter().any(|name| name.contains("NAME="));
    if argument.is_allow_hyphen_values_set() && first.starts_with("--") {
        let is_whole = first.contains(' ')
            || own
                .get_arguments()
                .any(|own| own.get_long() == Some(&first[2..]) && !own.get_action().takes_values());
        return (!is_whole).then(|| format!("quote it: {option} '{first} {second}'"));
    }
    if has_name && !first.contains('=') && !first.starts_with('-') {
        return Some(format!("write {option} {first}={second}"));
    }
    if !is_number(first) {
        return None;
    }
    if UNITS.contains(&second) {
        return Some(format!("write {option} {first}{second}"));
    }
    if !second.split(',').all(is_number) {
        return None;
    }
    if is_list(&argument) {
        return Some(format!("write {option} {first},{second}"));
    }
    let several = all.find_subcommand("sweep").and_then(find).filter(is_list)?;
    let several = several.get_long()?;
    Some(format!("one at a time; onnxray sweep --{several} {first},{second} takes several"))
}
