//! A bundle that was written before: shown again, or repeated.
//!
//! It is somebody else's: it names no file to write and no library to load, and is unpacked under
//! names of our own.

use super::bundle::{MANIFEST, MODELS, MOST_BYTES, MOST_IN_ALL, traces};
use super::measured::measured;
use super::told::{ended, repeated, result};
use crate::args::{Arguments, JudgeArguments};
use crate::destination::Destination;
use crate::engine_process::without_telemetry;
use crate::exit::Ended;
use crate::study_host::Terminal;
use anyhow::{anyhow, bail, ensure};
use onnxray_failsafe::{PrivateFolder, open_regular, private_folder, read_regular};
use onnxray_format::{JudgeBundle, JudgeRun};
use onnxray_recorder::engine::{EngineSpec, Engines};
use onnxray_recorder::sha256;
use onnxray_recorder::study::SearchPlan;
use onnxray_recorder::study::judge::JudgeJournal;
use onnxray_report::JudgeResult;
use onnxray_study::judge::{FIELDS, FOLDERS};
use onnxray_study::verification::compared;
use onnxray_text::shown;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;
use zip::{CompressionMethod, ZipArchive};

/// Shows a bundle again, or measures it anew.
pub(super) fn run(
    path: &Path,
    arguments: JudgeArguments,
    engines: &dyn Engines,
) -> anyhow::Result<Ended> {
    if arguments.repeat {
        // It may begin this program anew: before a folder is made that would be left behind.
        without_telemetry(&[&EngineSpec::OnnxRuntime(Default::default())])?;
    }
    let bundle = Bundle::open(path)?;
    let (judged, first) = bundle.result()?;
    if arguments.repeat {
        let mut judged =
            arguments.repeating(judged).map_err(|message| anyhow!("{}: {message}", shown(path)))?;
        bundle.find_files(&mut judged)?;
        judged.out = bundle.folder.path().join("judge");
        return measured(&judged, engines, Some(first));
    }
    let (to, shown) = (&arguments.report, &arguments.shown);
    let output = Destination::of([path.to_path_buf()], to.force, &to.output, shown)?;
    output.check_several("-o")?;
    output.check_columns("judge")?;
    output.deliver(&first, &arguments.rows.most(shown.format))?;
    Ok(ended(&first))
}

/// A bundle whose files are as its manifest says.
struct Bundle<'a> {
    path: &'a Path,
    manifest: JudgeBundle,
    /// Where its files are unpacked.
    folder: PrivateFolder,
}

impl Bundle<'_> {
    /// Unpacks a bundle, and checks all hashes.
    fn open(path: &Path) -> anyhow::Result<Bundle<'_>> {
        let refused =
            |name: &str, why: &str| anyhow!("{}: {}: {why}", shown(path), shown(Path::new(name)));
        let unread = |error| anyhow!("{}: not a bundle of onnxray judge ({error})", shown(path));
        let mut file = open_regular(path).map_err(|error| anyhow!("{}: {error}", shown(path)))?;
        let mut archive = ZipArchive::new(file.try_clone()?).map_err(unread)?;
        let hash = String::from_utf8_lossy(archive.comment()).into_owned();
        // Of two files of one name, the reader knows one.
        file.seek(SeekFrom::End(-(COUNT_AT + archive.comment().len() as i64)))?;
        let mut count = [0; 2];
        file.read_exact(&mut count)?;
        ensure!(
            usize::from(u16::from_le_bytes(count)) == archive.len(),
            "{}: two of its files have one name",
            shown(path)
        );
        let folder = private_folder()?;
        let (mut hashes, mut left) = (BTreeMap::new(), MOST_IN_ALL);
        for number in 0..archive.len() {
            let mut member = archive.by_index(number).map_err(unread)?;
            let name = String::from_utf8_lossy(member.name_raw()).into_owned();
            let known = [MANIFEST, JudgeRun::FILE, MODELS[0], MODELS[1]].map(str::to_string);
            let mut known = known.into_iter().chain(traces().into_iter().flatten());
            let Some(known) = known.find(|known| *known == name) else {
                return Err(refused(&name, "not a file of a bundle"));
            };
            let known = known.as_str();
            if !member.is_file() || member.is_symlink() {
                return Err(refused(known, "not a file"));
            }
            // What is stored is at most as large as the archive.
            let most = match member.compression() {
                CompressionMethod::Stored => u64::MAX - 1,
                _ => MOST_BYTES.min(left),
            };
            let place = folder.path().join(known);
            let copied =
                io::copy(&mut member.by_ref().take(most + 1), &mut File::create_new(&place)?);
            match copied {
                Ok(bytes) if bytes <= most => left = left.saturating_sub(bytes),
                Ok(_) => {
                    return Err(refused(known, &format!("it unpacks to more than {most} bytes")));
                }
                Err(error) => return Err(refused(known, &error.to_string())),
            }
            // A trace that is compressed itself would unpack to more when it is read.
            if known.ends_with(".json") && !begins_as_json(&place)? {
                return Err(refused(known, "not JSON"));
            }
            hashes.insert(known.to_string(), sha256(&place)?);
        }
        if hashes.remove(MANIFEST) != Some(hash) {
            return Err(refused(MANIFEST, "missing, or edited since it was written"));
        }
        let manifest: JudgeBundle =
            serde_json::from_slice(&read_regular(&folder.path().join(MANIFEST), MOST_BYTES)?)
                .map_err(|error| refused(MANIFEST, &error.to_string()))?;
        if manifest.format != JudgeBundle::FORMAT {
            return Err(refused(MANIFEST, "of another version of onnxray"));
        }
        let names = hashes.keys().chain(manifest.files.keys());
        match names.into_iter().find(|&name| hashes.get(name) != manifest.files.get(name)) {
            Some(name) => Err(refused(name, "missing, or edited since it was written")),
            None => Ok(Bundle { path, manifest, folder }),
        }
    }

    /// What was asked for, and what came of it.
    fn result(&self) -> anyhow::Result<(JudgeArguments, JudgeResult)> {
        let Bundle { path, manifest, folder } = self;
        let refused = |why: &str| anyhow!("{}: {why}", shown(path));
        let arguments = Arguments::of_judgement(&manifest.command)
            .filter(|own| own.is_of_models())
            .ok_or_else(|| refused("its command is not a judgement of models"))?;
        let journal = JudgeJournal::look(folder.path())?;
        let found = match (&manifest.apart, &journal) {
            (Some(why), _) => Err(why.clone()),
            (None, Some(journal)) => {
                let run = journal.plan().ok_or_else(|| refused("its journal is empty"))?;
                Ok((run, journal))
            }
            (None, None) => return Err(refused("it has no journal")),
        };
        let spent = Duration::from_nanos(manifest.spent_ns);
        let result = result(&arguments, found, spent, manifest.launches);
        let command = repeated(manifest.command.iter().map(Into::into));
        let known_cause = manifest.cause.clone();
        let recorded = traces().map(|names| {
            let paths = names.map(|name| folder.path().join(name));
            paths.filter(|path| path.is_file()).collect::<Vec<PathBuf>>()
        });
        let has_both = recorded.iter().all(|own| !own.is_empty());
        let verified =
            has_both.then(|| compared(&recorded, FOLDERS, FIELDS.to_vec(), &Terminal::default()));
        let verified = verified.transpose()?;
        Ok((arguments, JudgeResult { command, known_cause, verified, ..result }))
    }

    /// Puts files in the place of those that were judged, with the same content.
    fn find_files(&self, arguments: &mut JudgeArguments) -> anyhow::Result<()> {
        let models = [Some(&mut arguments.baseline), arguments.candidate.as_mut()];
        let models =
            models.into_iter().zip(MODELS).filter_map(|(path, name)| Some((path?, Some(name))));
        for (path, member) in models.chain(arguments.values.files_mut().map(|path| (path, None))) {
            *path = self.find(path, member)?;
        }
        Ok(())
    }

    fn find(&self, path: &Path, member: Option<&str>) -> anyhow::Result<PathBuf> {
        let known = self.manifest.given.get(&*path.to_string_lossy());
        let known =
            known.ok_or_else(|| anyhow!("{}: its hash is not in the bundle", shown(path)))?;
        let beside = path.file_name().map(|name| self.path.with_file_name(name));
        let unpacked = member.map(|name| self.folder.path().join(name));
        let places = [unpacked, Some(path.to_path_buf()), beside].into_iter().flatten();
        let places: Vec<PathBuf> = places.filter(|place| place.is_file()).collect();
        let same = places.iter().find(|place| sha256(place).is_ok_and(|own| own == *known));
        match (same, places.first()) {
            (Some(same), _) => Ok(same.clone()),
            (None, Some(other)) => {
                bail!("{}: not the file that was judged (its SHA-256 is another)", shown(other))
            }
            (None, None) => bail!(
                "{}: not here, and not in the bundle
hint: put it into the folder of the bundle",
                shown(path)
            ),
        }
    }
}

fn begins_as_json(path: &Path) -> io::Result<bool> {
    let mut first = [0];
    let read = open_regular(path)?.read(&mut first)?;
    Ok(read == 1 && matches!(first, [b'{' | b'[']))
}

/// From the end of an archive without a comment to the number of its files.
const COUNT_AT: i64 = 12;
