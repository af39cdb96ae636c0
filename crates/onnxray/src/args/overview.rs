//! The program's help: its commands by what people do with them.

use clap::Command;
use std::fmt::Write;

/// Commands by what they are for; those that few need are in no group, and listed last.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Measure", &["record", "sweep", "tune", "mix", "sensitivity"]),
    ("Look", &["summary", "report", "compare", "check"]),
    ("Decide", &["judge", "project"]),
    ("Traces and data", &["inspect", "convert"]),
];

/// Bold and underlined, as the parser's own headings are; it leaves them out where it has no colours.
const HEADING: [&str; 2] = ["\u{1b}[1m\u{1b}[4m", "\u{1b}[0m"];
const LITERAL: [&str; 2] = ["\u{1b}[1m", "\u{1b}[0m"];

/// The same command with a help that lists its subcommands in groups.
pub(super) fn grouped(command: Command) -> Command {
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    let more = in_no_group(&command);
    for (title, names) in GROUPS.into_iter().chain([("More", &more[..])]) {
        // A string takes everything.
        let _ = writeln!(text, "\n{}", marked(HEADING, &format!("{title}:")));
        for name in names {
            let about = command.find_subcommand(name).and_then(|own| own.get_about());
            let about = about.map(|about| about.to_string()).unwrap_or_default();
            let _ = writeln!(text, "  {}  {about}", marked(LITERAL, &format!("{name:<WIDTH$}")));
        }
    }
    let _ = write!(text, "\n{}\n{{options}}{{after-help}}", marked(HEADING, "Options:"));
    command.help_template(text)
}

fn in_no_group(command: &Command) -> Vec<&str> {
    let is_listed = |name: &&str| GROUPS.iter().any(|(_, names)| names.contains(name));
    let shown = command.get_subcommands().filter(|own| !own.is_hide_set());
    shown.map(Command::get_name).filter(|name| !is_listed(name)).collect()
}

/// Of the longest name.
const WIDTH: usize = 11;

fn marked([begin, end]: [&str; 2], text: &str) -> String {
    format!("{begin}{text}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::commands;
    use std::collections::BTreeSet;

    /// As many as fit a screen, with those that take an argument.
    const MOST_OPTIONS: usize = 25;

    #[test]
    fn every_command_is_in_one_group() {
        let commands = commands();
        let listed = GROUPS.iter().flat_map(|(_, names)| *names).copied();
        let listed: Vec<&str> = listed.chain(in_no_group(&commands)).collect();
        let shown = commands.get_subcommands().filter(|own| !own.is_hide_set());
        let shown: BTreeSet<&str> = shown.map(Command::get_name).collect();
        assert_eq!(listed.len(), shown.len());
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), shown);
        assert_eq!(listed.iter().map(|name| name.len()).max(), Some(WIDTH));
        let help = commands.clone().render_help().to_string();
        for (title, names) in GROUPS {
            assert!(help.contains(&format!("{title}:\n  {}", names[0])), "{help}");
        }
        assert!(GROUPS.iter().map(|(_, names)| names.len()).sum::<usize>() <= 13);
    }

    #[test]
    fn short_help_fits_a_screen() {
        let mut all = commands();
        all.build();
        for command in all.get_subcommands().filter(|own| !own.is_hide_set()) {
            let is_shown = |own: &&clap::Arg| {
                !own.is_positional() && !own.is_hide_set() && !own.is_hide_short_help_set()
            };
            let shown: Vec<&str> =
                command.get_arguments().filter(is_shown).filter_map(|own| own.get_long()).collect();
            assert!(
                shown.len() <= MOST_OPTIONS,
                "{}: {}: {shown:?}",
                command.get_name(),
                shown.len()
            );
        }
    }
}
