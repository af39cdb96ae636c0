//! Options that are given twice, and say two things.

use super::meant::error;
use clap::{ArgMatches, Error};
use std::path::PathBuf;

/// The error that a dimension of two sizes is, or an input of two files.
pub(in crate::args) fn repeated(all: clap::Command, matches: &ArgMatches) -> Option<Error> {
    let (_, own) = matches.subcommand()?;
    let sizes = twice(own, "dimensions", |size: &u64| size.to_string());
    let files = twice(own, "inputs", |file: &PathBuf| file.display().to_string());
    let message = match (sizes, files) {
        (Some((name, [one, other])), _) => format!(
            "--dim {name} has two sizes, {one} and {other}: name one; onnxray sweep --dim \
             {name}={one},{other} takes several"
        ),
        (None, Some((name, [one, other]))) => {
            format!("--input {name} has two files, {one} and {other}: name one")
        }
        (None, None) => return None,
    };
    Some(error(all, &message))
}

/// The first name of an option NAME=VALUE that has two values, and these.
fn twice<T: Clone + PartialEq + Send + Sync + 'static>(
    matches: &ArgMatches,
    id: &str,
    text: impl Fn(&T) -> String,
) -> Option<(String, [String; 2])> {
    let given = matches.try_get_many::<(String, T)>(id).ok().flatten()?;
    let given: Vec<&(String, T)> = given.collect();
    given.iter().enumerate().find_map(|(position, (name, value))| {
        let mut before = given[..position].iter();
        let (_, other) = before.find(|(earlier, other)| earlier == name && other != value)?;
        Some((name.clone(), [text(other), text(value)]))
    })
}
