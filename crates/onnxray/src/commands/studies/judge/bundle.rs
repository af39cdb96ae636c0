//! A judgement in one file: what was measured, with hashes of all that it rests on.

use crate::args::JudgeArguments;
use crate::destination::Destination;
use crate::output_files::OutputFiles;
use anyhow::{bail, ensure};
use onnxray_failsafe::{open_regular, private_folder};
use onnxray_format::{JudgeBundle, JudgeRun, Judged};
use onnxray_recorder::sha256;
use onnxray_recorder::study::SearchPlan;
use onnxray_recorder::study::judge::JudgeJournal;
use onnxray_report::JudgeResult;
use onnxray_study::judge::FOLDERS;
use onnxray_study::verification::known as known_of;
use onnxray_text::shown;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::{env, thread};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const MODELS: [&str; 2] = ["a.onnx", "b.onnx"];
/// Traces of a side, at most.
const MOST_TRACES: usize = 10;
/// Bytes of a file that is compressed. A trace of a quarter of a second of operators has less.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// The same of all of them; journal and manifest are two.
pub(super) const MOST_IN_ALL: u64 = 512 << 20;

/// Names of the traces of both sides.
pub(super) fn traces() -> [impl Iterator<Item = String>; 2] {
    ["a", "b"].map(|side| (0..MOST_TRACES).map(move |number| format!("{side}.{number}.json")))
}

/// Recordings of both, by the names that they have in a bundle; none where one is too long for it.
fn recordings(
    arguments: &JudgeArguments,
    result: &JudgeResult,
    journal: Option<&JudgeJournal>,
) -> Vec<(String, PathBuf)> {
    let chosen = [Judged::Candidate];
    let known = result.verified.as_ref().and(journal);
    let known = known.and_then(|own| known_of(own, (false, &chosen), (&arguments.out, FOLDERS)));
    let named = known.into_iter().flat_map(|own| traces().into_iter().zip(own));
    let named: Vec<_> = named.flat_map(|(names, paths)| names.zip(paths)).collect();
    let sizes = named.iter().map(|(_, path)| path.metadata().map_or(u64::MAX, |own| own.len()));
    let all = sizes.clone().fold(0, u64::saturating_add);
    let are_short = sizes.max() <= Some(MOST_BYTES) && all <= MOST_IN_ALL - 2 * MOST_BYTES;
    if are_short { named } else { Vec::new() }
}

/// Refuses a bundle that cannot be written, before anything is measured.
pub(super) fn check(arguments: &JudgeArguments, output: &Destination) -> anyhow::Result<()> {
    let Some(path) = &arguments.bundle else { return Ok(()) };
    if path.extension().is_none_or(|end| !end.eq_ignore_ascii_case("zip")) {
        bail!("{}: expected a file name that ends in .zip", shown(path));
    }
    output.files.check(path)
}

/// Refuses models whose external data are others than those that were judged.
pub(super) fn check_models(before: &JudgeRun, now: &JudgeRun) -> anyhow::Result<()> {
    let sides = [(&before.baseline, &now.baseline), (&before.candidate, &now.candidate)];
    for (before, now) in sides.map(|(before, now)| (&before.file, &now.file)) {
        let is_same = before.external_sha256 == now.external_sha256;
        ensure!(is_same, "{}: its external data are not those that were judged", before.model);
    }
    Ok(())
}

pub(super) fn write(
    path: &Path,
    arguments: &JudgeArguments,
    result: &JudgeResult,
    journal: Option<&JudgeJournal>,
    outputs: &OutputFiles,
) -> anyhow::Result<()> {
    let sides = [Some(&arguments.baseline), arguments.candidate.as_ref()];
    let run = result.measured().map(|own| &own.run);
    let mut members: Vec<(String, PathBuf)> =
        journal.map(|journal| (JudgeRun::FILE.to_string(), journal.path())).into_iter().collect();
    members.extend(recordings(arguments, result, journal));
    if arguments.with_models {
        let has_more = run.is_some_and(|run| {
            [&run.baseline, &run.candidate].iter().any(|side| side.file.external_sha256.is_some())
        });
        ensure!(!has_more, "--with-models takes models in one file, and these have external data");
        let models = MODELS.into_iter().zip(sides).filter_map(|(name, path)| Some((name, path?)));
        members.extend(models.map(|(name, path)| (name.to_string(), path.clone())));
    }
    let engines = arguments.spec().map(|spec| [spec.a.engine, spec.b.engine]);
    let libraries = engines.into_iter().flatten().filter_map(|engine| engine.library());
    let given = sides.into_iter().flatten().chain(arguments.values.files()).cloned();
    let hashed = |path: PathBuf| Ok((path.to_string_lossy().into_owned(), sha256(&path)?));
    let versions = run.map(|run| [&run.baseline.setup, &run.candidate.setup]);
    let manifest = JudgeBundle {
        format: JudgeBundle::FORMAT.to_string(),
        producer: concat!("onnxray ", env!("CARGO_PKG_VERSION")).to_string(),
        engines: versions
            .into_iter()
            .flatten()
            .map(|setup| format!("{} {}", setup.engine, setup.engine_version))
            .collect(),
        cpu: run.and_then(|run| run.search.cpu.clone()),
        cores: thread::available_parallelism().ok().map(usize::from),
        system: format!("{} {}", env::consts::OS, env::consts::ARCH),
        command: env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect(),
        files: members
            .iter()
            .map(|(name, path)| Ok((name.clone(), sha256(path)?)))
            .collect::<io::Result<_>>()?,
        given: given.chain(libraries).map(hashed).collect::<io::Result<BTreeMap<_, _>>>()?,
        spent_ns: result.spent.as_nanos() as u64,
        launches: result.launches,
        cause: result.cause(),
        apart: result.judgement.as_ref().err().cloned(),
    };
    let text = serde_json::to_vec_pretty(&manifest)?;
    // What it says is hashed as well, so that an edited one is known.
    let folder = private_folder()?;
    let place = folder.path().join(MANIFEST);
    outputs.write_own(&place, &text)?;
    let hash = sha256(&place)?;
    members.push((MANIFEST.to_string(), place));
    outputs.write(path, |file| -> anyhow::Result<()> {
        let mut archive = ZipWriter::new_stream(file);
        for (name, path) in &members {
            let is_model = MODELS.contains(&name.as_str());
            let method =
                if is_model { CompressionMethod::Stored } else { CompressionMethod::Deflated };
            let options = SimpleFileOptions::default().compression_method(method);
            archive.start_file(name.as_str(), options.large_file(is_model))?;
            io::copy(&mut open_regular(path)?, &mut archive)?;
        }
        archive.set_comment(hash.as_str())?;
        archive.finish()?;
        Ok(())
    })?;
    outputs.written(path);
    Ok(())
}
