//! Two recordings, judged as they are: the verdict of their comparison is the word.

use super::told::{ended, repeated};
use crate::args::JudgeArguments;
use crate::commands::compare::{apart, doubt, of_other_models};
use crate::commands::sources::sides;
use crate::destination::Destination;
use crate::exit::Ended;
use anyhow::anyhow;
use onnxray_analyzer::Share;
use onnxray_analyzer::comparison::{Options, Recording, compare};
use onnxray_analyzer::study::{Verified, Word};
use onnxray_import::Reading;
use onnxray_report::{Evidence, JudgeResult};
use std::env;
use std::path::PathBuf;
use std::time::Duration;

pub(super) fn run(arguments: &JudgeArguments, words: [&PathBuf; 2]) -> anyhow::Result<Ended> {
    let sides = sides::sides(&words, &[])?;
    let files = sides.iter().flat_map(|side| side.sources.all_files()).cloned();
    let (to, shown) = (&arguments.report, &arguments.shown);
    let output = Destination::of(files, to.force, &to.output, shown)?;
    output.check_several("-o")?;
    output.check_columns("judge")?;
    let recordings = sides::read(sides, &Reading::default())?;
    output.check_rows(&recordings.iter().map(|known| &known.summary).collect::<Vec<_>>())?;
    let [base, found] =
        <[Recording; 2]>::try_from(recordings).map_err(|_| anyhow!("nothing to compare"))?;
    let threshold = Share(arguments.options().threshold);
    let options = Options { noise_threshold: threshold, ..Options::default() };
    let comparison = compare(&base, &found, &options)?;
    let apart = match comparison.is_one_model() {
        true => apart(&comparison),
        false => Some(of_other_models(&comparison)),
    };
    let result = JudgeResult {
        names: comparison.labels.clone(),
        judgement: match apart {
            Some(apart) => Err(apart),
            None => Ok(Evidence::Recorded(Box::new(Verified { base, found, comparison }))),
        },
        held_out: None,
        verified: None,
        known_cause: None,
        expected: arguments.expect,
        spent: Duration::ZERO,
        launches: 0,
        command: repeated(env::args_os().skip(1)),
        first: None,
    };
    output.deliver(&result, &arguments.rows.most(shown.format))?;
    if let (Ok(Evidence::Recorded(own)), Some(Word::Faster | Word::Slower)) =
        (&result.judgement, result.word())
    {
        doubt(&own.comparison, [&own.base, &own.found].into_iter());
    }
    Ok(ended(&result))
}
