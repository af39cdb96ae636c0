//! `onnxray schema`, `onnxray completions` and `onnxray manual`: what other programs need of this
//! one.

use crate::args::{ForceArguments, commands};
use crate::exit::Ended;
use crate::output_files::OutputFiles;
use crate::print;
use anyhow::anyhow;
use clap_complete::{Shell, generate};
use onnxray_report::json_schema;
use onnxray_text::shown;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn schema(command: &str) -> anyhow::Result<Ended> {
    let schema = json_schema(command).ok_or_else(|| anyhow!("{command} prints no JSON"))?;
    print::say(serde_json::to_string_pretty(&schema)?)?;
    Ok(Ended::Done)
}

pub(crate) fn completions(shell: Shell) -> anyhow::Result<Ended> {
    let mut script = Vec::new();
    generate(shell, &mut commands(), "onnxray", &mut script);
    print::say(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Ended::Done)
}

/// A page for the program, and one for each command.
pub(crate) fn manual(folder: &Path, force: ForceArguments) -> anyhow::Result<Ended> {
    let failed = |path: &Path, error: io::Error| anyhow!("{}: {error}", shown(path));
    let outputs = OutputFiles::new([], force);
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    // clap's own `help` has nothing to say in a page.
    let mut program = commands().disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        // Hidden ones are for other processes of the program, and for packagers.
        if command.is_hide_set() {
            continue;
        }
        // The display name of a command begins with the program's, as in `onnxray-record`.
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = folder.join(format!("{name}.1"));
        let mut page = Vec::new();
        let page_of = clap_mangen::Man::new(command.clone());
        page_of.render(&mut page).map_err(|error| failed(&path, error))?;
        // All are checked before the first is written: a refusal leaves no half of a manual.
        outputs.check_file(&path)?;
        pages.push((path, page));
    }
    for (path, page) in &pages {
        outputs.write(path, |file| file.write_all(page))?;
    }
    // Not before all is written: nothing is to be lost because nobody listens.
    pages.iter().try_for_each(|(path, _)| print::say(path.display()))?;
    Ok(Ended::Done)
}
