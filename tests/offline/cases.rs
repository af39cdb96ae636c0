//! Whole outputs of the program: `cases/<command>/<name>.args` has what is run, and the files
//! `.stdout` and `.stderr` beside it what that prints. A stream that stays empty needs no file.
//!
//! ```text
//! # a comment
//! with recordings/cnn as a                  copies what is in fixtures [as its own name]
//! with launches 26 1000 1010 as b           makes launches whose 26 layers take 1000 µs, and 1010
//! run summary a --format json > a.json      prepares an input
//! 3 COLUMNS=60 compare a b                  is shown; it must end with this exit code
//! ```
//!
//! Where a case shows several commands, each heads what it prints.

use crate::made_launches::launches;
use crate::program::{Place, files, finished, fixture_file};
use crate::recordings::copied;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// `ONNXRAY_UPDATE=1` writes the expectations anew; then, their diff is what is read.
#[test]
fn outputs_are_as_they_were_read() {
    let commands = files(&fixture_file("../tests/offline/cases"));
    let all = commands.iter().flat_map(|command| files(command));
    let (cases, mut unused): (Vec<PathBuf>, Vec<PathBuf>) =
        all.partition(|file| file.extension().is_some_and(|ending| ending == "args"));
    let mut wrong = String::new();
    for case in cases {
        for (stream, printed) in ["stdout", "stderr"].iter().zip(printed(&case)) {
            let file = case.with_extension(stream);
            unused.retain(|other| *other != file);
            if fs::read_to_string(&file).unwrap_or_default() == printed {
                continue;
            }
            if std::env::var_os("ONNXRAY_UPDATE").is_none() {
                wrong += &difference(&file, &printed);
            } else if printed.is_empty() {
                fs::remove_file(&file).unwrap();
            } else {
                fs::write(&file, &printed).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}\nIf that is meant: ONNXRAY_UPDATE=1, and read the diff.");
    assert!(unused.is_empty(), "no case prints {unused:#?}");
}

/// Standard output and standard error of a case.
fn printed(case: &Path) -> [String; 2] {
    let (place, text) = (Place::new(), fs::read_to_string(case).unwrap());
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let lines: Vec<Vec<&str>> = lines.collect();
    let is_shown = |line: &&Vec<&str>| line.first().is_some_and(|word| word.parse::<i32>().is_ok());
    let shown = lines.iter().filter(is_shown).count();
    let mut streams = [String::new(), String::new()];
    for line in lines {
        match line[..] {
            [] | ["#", ..] => {}
            ["with", "launches", layers, ref times @ .., "as", name] => {
                launches(&place, name, layers.parse().unwrap(), times);
            }
            ["with", from, ref name @ ..] => {
                let name = name.last().or(from.rsplit('/').next().as_ref()).copied().unwrap();
                copied(&fixture_file(from), &place.path(name));
            }
            [code, ref words @ ..] => {
                let (words, file) = match words {
                    [words @ .., ">", file] => (words, Some(file)),
                    words => (words, None),
                };
                let first = words.iter().position(|word| !word.contains('=')).unwrap();
                let (variables, arguments) = words.split_at(first);
                let mut command = place.command(arguments);
                command.envs([("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("COLUMNS", "100")]);
                command.envs(variables.iter().map(|word| word.split_once('=').unwrap()));
                let mut done = finished(command.output().unwrap());
                let expected = if code == "run" { 0 } else { code.parse().unwrap() };
                assert_eq!(done.code, Some(expected), "{case:?}: {line:?}\n{}", done.err);
                if let Some(file) = file {
                    place.write(file, std::mem::take(&mut done.out).as_bytes());
                }
                let printed = [done.out, done.err].into_iter().filter(|_| code != "run");
                for (stream, text) in streams.iter_mut().zip(printed) {
                    if shown > 1 && !text.is_empty() {
                        let words = [&["$"][..], variables, &["onnxray"], arguments].concat();
                        *stream += &(words.join(" ") + "\n");
                    }
                    *stream += &text.replace(place.path("").to_str().unwrap(), "[FOLDER]/");
                }
            }
        }
    }
    streams
}

/// What `diff` says about an expectation, which may be missing.
fn difference(file: &Path, printed: &str) -> String {
    let name = file.strip_prefix(fixture_file("..")).unwrap().to_str().unwrap();
    let mut diff = Command::new("diff");
    diff.args(["-uN", "--label", name, "--label", "printed"]).arg(file).arg("-");
    let mut diff = diff.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    diff.stdin.take().unwrap().write_all(printed.as_bytes()).unwrap();
    finished(diff.wait_with_output().unwrap()).out
}
