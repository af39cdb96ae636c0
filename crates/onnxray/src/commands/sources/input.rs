//! What a command reads: the files that the user's words stand for, and their launches.

use super::label::short_label;
use crate::args::InputArguments;
use crate::commands::nodes::nodes;
use crate::message;
use crate::progress::Progress;
use anyhow::bail;
use onnxray_analyzer::profiles::Named;
use onnxray_analyzer::{Examined, Needs, Trace, examine};
use onnxray_format::{Phase, Warning};
use onnxray_import::{Launch, Reading, Sources, import_each, join};
use onnxray_recorder::{GivenDimensions, OnnxNodes};
use onnxray_text::{first_of, printable};
use std::path::PathBuf;

/// Finds the files of a recording, or of profiles of a project, and says what was passed over
/// to choose them.
pub(in crate::commands) fn find(words: &[PathBuf]) -> anyhow::Result<Sources> {
    let mut paths = Vec::new();
    for word in words {
        match Named::of(word) {
            Some(named) => paths.extend(named?.files()?),
            None => paths.push(word.clone()),
        }
    }
    let sources = Sources::find(&paths)?;
    sources.notes.iter().for_each(message::note);
    Ok(sources)
}

/// The profile of a project that the only word names.
pub(in crate::commands) fn named(words: &[PathBuf]) -> anyhow::Result<Option<Named>> {
    match words {
        [word] => Ok(Named::of(word).transpose()?),
        _ => Ok(None),
    }
}

/// The input of a command that reads one recording.
pub(in crate::commands) struct Input<'a> {
    arguments: &'a InputArguments,
    sources: Sources,
    /// The profile's name by now, if the words name one of a project.
    profile: Option<String>,
}

impl<'a> Input<'a> {
    pub(in crate::commands) fn find(arguments: &'a InputArguments) -> anyhow::Result<Input<'a>> {
        let profile = named(&arguments.recordings)?.map(|named| named.profile.name);
        Ok(Input { arguments, sources: find(&arguments.recordings)?, profile })
    }

    /// Every file that may be read.
    pub(in crate::commands) fn files(&self) -> Vec<PathBuf> {
        self.sources.all_files().chain(&self.arguments.onnx).cloned().collect()
    }

    /// Name of the recording on a page, from the first word.
    pub(in crate::commands) fn name(&self) -> String {
        let words = &self.arguments.recordings;
        words.first().map_or(String::new(), |word| short_label(word, &self.sources))
    }

    /// True if there is at most one launch.
    pub(in crate::commands) fn is_one_file(&self) -> bool {
        self.sources.files.len() == 1
    }

    /// Reads the launches of the recording, with all phases of a generation.
    pub(in crate::commands) fn read(self) -> anyhow::Result<Vec<Launch>> {
        let progress = self.progress();
        let reading = self.arguments.reading.reading_all();
        let launches = self.load(&reading);
        progress.clear();
        launches
    }

    fn load(self, reading: &Reading) -> anyhow::Result<Vec<Launch>> {
        let Input { arguments, sources, profile } = self;
        let mut launches = sources.read(reading)?;
        check_phase(&launches, arguments.reading.phase)?;
        crate::commands::say_read(&launches);
        // The profile may have been renamed since it was recorded.
        if let Some(name) = profile {
            launches.iter_mut().for_each(|launch| launch.run.profile.clone_from(&name));
        }
        join_model(&mut launches, arguments)?;
        Ok(launches)
    }

    /// Reads the launches of each recording among the files, or in the folders.
    pub(in crate::commands) fn read_each(self) -> anyhow::Result<Vec<Vec<Launch>>> {
        let progress = self.progress();
        let Input { arguments, sources, .. } = self;
        let read = || -> anyhow::Result<Vec<Vec<Launch>>> {
            let reading = arguments.reading.reading();
            let mut recordings = Vec::new();
            for files in sources.recordings() {
                recordings.extend(import_each(files, &reading)?);
            }
            for launches in &mut recordings {
                crate::commands::say_read(launches);
                join_model(launches, arguments)?;
            }
            Ok(recordings)
        };
        let recordings = read();
        // Before an error is printed: it would run into the line of progress.
        progress.clear();
        recordings
    }

    /// Reads the recording, computes its figures, and hands back what of them is to be kept.
    pub(in crate::commands) fn examined<Figures>(
        self,
        needs: Needs,
        keep: impl FnOnce(Examined) -> Figures,
    ) -> anyhow::Result<Figures> {
        let progress = self.progress();
        let reading = self.arguments.reading.reading();
        let launches = self.load(&reading);
        let figures = launches.and_then(|launches| examined(launches, needs, keep));
        progress.clear();
        figures
    }

    fn progress(&self) -> Progress {
        let files = match self.sources.files.len() {
            1 => "1 file".to_string(),
            several => format!("{several} files"),
        };
        Progress::working(format!("reading {files}"))
    }
}

/// Computes the figures of a recording, and hands back what of them is to be kept.
pub(in crate::commands) fn examined<Figures>(
    launches: Vec<Launch>,
    needs: Needs,
    keep: impl FnOnce(Examined) -> Figures,
) -> anyhow::Result<Figures> {
    let trace = Trace::new(launches);
    // What was lost may be why there is nothing to tell.
    let lost = |_: &_| trace.warnings.iter().for_each(message::warning);
    Ok(keep(examine(&trace, needs).inspect_err(lost)?))
}

/// Refuses a phase of recordings that have none.
fn check_phase(launches: &[Launch], phase: Option<Phase>) -> anyhow::Result<()> {
    let mut iterations = launches.iter().flat_map(|launch| &launch.iterations).peekable();
    // Without iterations, those of another phase were left out.
    let has_none =
        iterations.peek().is_some() && iterations.all(|iteration| iteration.step.is_none());
    match phase.filter(|_| has_none) {
        Some(phase) => bail!(
            "--phase {} has no effect: the recording has no phases\n\
             hint: onnxray record --generate records those of a decoder",
            phase.name()
        ),
        None => Ok(()),
    }
}

/// Joins operators with the nodes of a given ONNX model, and warns of what did not match.
fn join_model(launches: &mut [Launch], input: &InputArguments) -> anyhow::Result<()> {
    let Some(model) = &input.onnx else { return Ok(()) };
    let given = GivenDimensions {
        batch_size: launches.first().and_then(|launch| launch.run.batch_size),
        sizes: input.dimensions.iter().cloned().collect(),
        for_several: false,
        shapes: Default::default(),
    };
    let nodes = nodes(model, &given)?;
    // Of launches that are alike, one warning is enough.
    let mut warnings: Vec<Warning> = Vec::new();
    for launch in launches {
        let known = warnings.len();
        let mut warn = |message: String| {
            let warning = Warning::note(model, message);
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        };
        let joined = join(launch, &nodes.model);
        let counts = [joined.matched, joined.operators_without_node.len()];
        let other = other_model(launch, &nodes, counts);
        let is_alien = other.is_some() && are_few(counts);
        other.into_iter().for_each(&mut warn);
        if is_alien && launch.run.model_sha256.is_some() {
            launch.warnings.extend_from_slice(&warnings[known..]);
            continue;
        }
        let run = &mut launch.run;
        if run.model.is_empty() {
            run.model.clone_from(&nodes.file_name);
        }
        // What the trace says wins: the file may have changed since it was recorded.
        run.model_sha256 = run.model_sha256.take().or_else(|| nodes.sha256.clone());
        run.parameters = run.parameters.or(nodes.parameters);
        run.batch_size = run.batch_size.or(nodes.batch_size);
        if run.dimensions.is_empty() {
            run.dimensions.clone_from(&nodes.dimensions);
        }
        let lists = [
            ("operators of the trace have no node in the model", &joined.operators_without_node),
            ("nodes of the model have no operator in the trace", &joined.nodes_without_operator),
        ];
        for (what, names) in lists {
            // Of another model, nearly all of it is missing.
            if !names.is_empty() && !is_alien {
                warn(format!("{} {what}: {}", names.len(), first_of(names, ", ")));
            }
        }
        if let Some(reason) = &nodes.shapes_unknown {
            warn(format!("FLOPs of the model are unknown: {reason}"));
        }
        launch.warnings.extend_from_slice(&warnings[known..]);
    }
    Ok(())
}

/// Says that a model is not the one that was recorded: by its hash, or, where that is unknown, by
/// the operators with and without a node in it.
fn other_model(launch: &Launch, nodes: &OnnxNodes, counts: [usize; 2]) -> Option<String> {
    let short = |hash: &str| hash.chars().take(8).collect::<String>();
    let [matched, all] = [counts[0], counts[0] + counts[1]];
    let found = format!("{matched} of {all} operators of the trace have a node in it");
    let what_to_do = "name the file that was recorded, or leave --model out";
    match (&launch.run.model_sha256, &nodes.sha256) {
        (Some(recorded), Some(given)) if recorded != given => Some(format!(
            "not the model that was recorded, {} (SHA-256 {}, and this one {}); {found}: \
             {what_to_do}",
            printable(&launch.run.model),
            short(recorded),
            short(given)
        )),
        (Some(_), Some(_)) => None,
        _ if are_few(counts) => Some(format!("seems to be another model: {found}; {what_to_do}")),
        _ => None,
    }
}

/// Of operators with and without a node, those with one are so few that their names may be alike
/// by chance.
fn are_few([matched, unmatched]: [usize; 2]) -> bool {
    matched * 10 < matched + unmatched
}
