//! Messages on standard error. They never decide how a command ends: what cannot be
//! written there is dropped.

use crate::progress;
use anstream::{AutoStream, ColorChoice};
use console::Term;
use onnxray_text::{printable, shell_word};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

/// Verbosity of messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors and warnings.
    Quiet,
    /// Notes and hints as well.
    Usual,
    /// Also what was read, and how.
    Verbose,
}

static VERBOSITY: AtomicU8 = AtomicU8::new(Verbosity::Usual as u8);

/// Sets how much is said from now on.
pub(crate) fn set(verbosity: Verbosity) {
    VERBOSITY.store(verbosity as u8, Ordering::Relaxed);
    if verbosity == Verbosity::Quiet {
        progress::hide();
    }
}

/// True if notes and hints are left out.
pub(crate) fn is_quiet() -> bool {
    VERBOSITY.load(Ordering::Relaxed) == Verbosity::Quiet as u8
}

/// Characters of what an engine says.
const MOST_OF_ENGINE: usize = 1000;

const STRONG: &str = "1";
const RED: &str = "1;31";
const GREEN: &str = "1;32";
const YELLOW: &str = "33";
const CYAN: &str = "36";

pub(crate) fn error(text: impl Display) {
    write("error", RED, &text);
}

/// A result that was asked to be an error.
pub(crate) fn failed(text: impl Display) {
    write("failed", RED, &text);
}

/// A result that was asked not to be an error.
pub(crate) fn passed(text: impl Display) {
    if !is_quiet() {
        write("passed", GREEN, &text);
    }
}

/// A result that passes although it is not certain: the exit code does not tell it from one that
/// is, so that it is written even with `--quiet`.
pub(crate) fn undecided(text: impl Display) {
    write("undecided, passes", YELLOW, &text);
}

pub(crate) fn warning(text: impl Display) {
    write("warning", YELLOW, &text);
}

pub(crate) fn note(text: impl Display) {
    if !is_quiet() {
        write("note", STRONG, &text);
    }
}

/// A message of the engine, which may be long and have several lines.
pub(crate) fn engine(text: &str) {
    let shown: String = printable(text.trim()).chars().take(MOST_OF_ENGINE).collect();
    warning(format_args!("the engine says: {shown}"));
}

/// A suggestion for what to do next.
pub(crate) fn hint(text: impl Display) {
    if !is_quiet() {
        write("hint", CYAN, &text);
    }
}

/// A line without a kind, such as what was recorded.
pub(crate) fn line(text: impl Display) {
    if !is_quiet() {
        write("", "", &text);
    }
}

/// Lines that are laid out for a terminal, and hold nothing that would command it.
pub(crate) fn laid_out(text: &[u8]) {
    if !is_quiet() {
        progress::aside(|| {
            let _ = io::stderr().write_all(text);
        });
    }
}

/// True if somebody reads all messages, notes and hints included.
pub(crate) fn is_watched() -> bool {
    !is_quiet() && io::stderr().is_terminal()
}

/// A message for --verbose.
pub(crate) fn detail(text: impl Display) {
    if is_verbose() {
        write("", "", &text);
    }
}

/// A note for --verbose.
pub(crate) fn remark(text: impl Display) {
    if is_verbose() {
        note(text);
    }
}

fn is_verbose() -> bool {
    VERBOSITY.load(Ordering::Relaxed) >= Verbosity::Verbose as u8
}

fn write(kind: &str, code: &str, text: &impl Display) {
    // Names of models and traces stand in messages: what would command the terminal
    // is shown instead of sent.
    let text = text.to_string();
    let lines = text.lines().map(printable);
    let width = terminal_width(&Term::stderr()).filter(|_| io::stderr().is_terminal());
    let plain = if kind.is_empty() { String::new() } else { format!("{kind}: ") };
    let lines = lines.enumerate().flat_map(|(place, line)| {
        let line = if place == 0 { format!("{plain}{line}") } else { line };
        wrapped(&line, width)
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    // Decided for standard error: standard output may be a file while this is a terminal.
    let colored = AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    let text = match text.strip_prefix(plain.trim_end()) {
        Some(rest) if colored && !kind.is_empty() => {
            format!("\u{1b}[{code}m{kind}:\u{1b}[0m{rest}")
        }
        _ => text,
    };
    progress::aside(|| {
        let _ = writeln!(io::stderr(), "{text}");
    });
}

/// The lines of a message of one line: all but the first are indented. A word stays whole, as a path
/// that is to be copied. Without a width it is one line, as programs search for it.
fn wrapped(line: &str, width: Option<usize>) -> Vec<String> {
    let Some(width) = width else { return vec![line.to_string()] };
    let options = textwrap::Options::new(width)
        .subsequent_indent("  ")
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(line, options).into_iter().map(|line| line.into_owned()).collect()
}

/// A terminal's width; COLUMNS overrides it.
pub(crate) fn terminal_width(terminal: &Term) -> Option<usize> {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || terminal.size_checked().map(|(_, columns)| usize::from(columns));
    // A width of 0 is what some terminals say that do not know theirs.
    given.or_else(seen).filter(|&columns| columns > 0)
}

/// A path as one word of a shell's command line, which is not an option.
pub(crate) fn quoted(path: &Path) -> String {
    // A file called `--force` would be taken for the option.
    let is_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    let path = if is_option { Path::new(".").join(path) } else { path.to_path_buf() };
    shell_word(path.as_os_str().as_encoded_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_wrap_between_words_of_a_terminal() {
        let message = "note: profiling costs 3.1 µs: compare /some/path/that/is/longer/than/a/line";
        let lines = wrapped(message, Some(24));
        assert_eq!(
            lines,
            [
                "note: profiling costs",
                "  3.1 µs: compare",
                "  /some/path/that/is/longer/than/a/line"
            ]
        );
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        assert_eq!(words(&lines.join(" ")), words(message));
        assert_eq!(wrapped(message, None), [message]);
        assert_eq!(wrapped("", Some(24)), [""]);
    }

    #[test]
    fn paths_are_one_word() {
        let check = |path: &str, word: &str| assert_eq!(quoted(Path::new(path)), word);
        check("my traces/a.json", "'my traces/a.json'");
        check("--force", "./--force");
        #[cfg(unix)]
        {
            let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"a\xff");
            assert_eq!(quoted(Path::new(path)), "$'a\\xff'");
        }
    }
}
