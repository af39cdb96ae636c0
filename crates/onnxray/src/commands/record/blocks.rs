//! Where a model is cut, by what its blocks take in a first look.

use crate::args::{InputArguments, Xray};
use crate::commands::signals::Stop;
use crate::commands::sources::input::Input;
use crate::engine_process::worker;
use crate::message;
use crate::progress::Progress;
use anyhow::bail;
use onnxray_recorder::study::{self, StudyError};
use onnxray_recorder::{Blocks, LaunchSpec, Length, Look, Schedule, XrayAim};
use onnxray_text::{counted, printable, shown};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Gives launches of blocks what a first look at the first of them says: those that take most time
/// are cut further, in all launches alike, as far as the time suffices. Where the look fails, cuts
/// are where estimates put them.
pub(super) fn refine(
    specs: &mut [LaunchSpec],
    schedule: &mut Schedule,
    asked: Option<&Xray>,
    stop: &Stop,
) -> anyhow::Result<()> {
    let (Some(asked), Some(first)) = (asked, specs.first()) else { return Ok(()) };
    let begun = Instant::now();
    let mut blocks = first.options.blocks.clone().unwrap_or_default();
    if let Some(recording) = &asked.cuts {
        blocks.cuts = cuts_of(recording)?;
    }
    let progress = Progress::working("looking for the blocks that take most time".to_string());
    let (Look { blocks: measured, fused }, looked) = first_look(first, &mut blocks, stop)?;
    progress.clear();
    if let [_] = measured[..] {
        message::note(match &asked.cuts {
            Some(recording) => format!(
                "the model takes none of the cuts of {}: its one block is the whole",
                shown(recording)
            ),
            None => "the model cannot be cut: one node computes, or each place lies inside a \
                     function or is refused by the engine; its one block is the whole"
                .to_string(),
        });
    }
    if !measured.is_empty() {
        let is_settled = !blocks.cuts.is_empty();
        let settled = is_settled.then_some(measured.len() as u32);
        let own = XrayAim { blocks: settled.or(asked.aim.blocks), ..asked.aim };
        let launches = specs.iter().map(|spec| spec.options.launches.unwrap_or(USUAL)).sum();
        let left = asked.aim.time_limit.saturating_sub(begun.elapsed());
        let plan = own.plan(&measured, looked, launches, left);
        if asked.chooses_iterations {
            schedule.length = Length::Iterations(plan.iterations);
        }
        blocks.most = plan.blocks;
    }
    blocks = Blocks { measured, fused, ..blocks };
    for own in specs.iter_mut().filter_map(|spec| spec.options.blocks.as_mut()) {
        own.clone_from(&blocks);
    }
    Ok(())
}

/// Launches of each recording, where as many are added as it takes.
const USUAL: u32 = 10;

/// The blocks of a launch and how long the look at them took; none if it failed. Where a model before
/// a cut ends the engine's process, cuts are settled: those that it survives.
fn first_look(
    spec: &LaunchSpec,
    blocks: &mut Blocks,
    stop: &Stop,
) -> anyhow::Result<(Look, Duration)> {
    loop {
        let begun = Instant::now();
        match look(spec, blocks, stop)? {
            Ok(found) => return Ok((found, begun.elapsed())),
            Err(StudyError::Ended(status)) => {
                let (mut cuts, all) = survived(spec, blocks, stop)?;
                if cuts.len() == all {
                    // It survives each of them, and not all together.
                    cuts = cuts.into_iter().step_by(2).collect();
                }
                message::note(format_args!(
                    "the engine ended its process ({}) on what is before {}: blocks on both sides \
                     of a cut that is left out are one",
                    printable(&status.to_string()),
                    format_args!("{} of {}", all - cuts.len(), counted(all as u64, "cut", "cuts"))
                ));
                blocks.cuts = cuts;
                if blocks.cuts.is_empty() {
                    return Ok((Look::default(), Duration::ZERO));
                }
            }
            // The launch says so itself.
            Err(_) => return Ok((Look::default(), Duration::ZERO)),
        }
    }
}

/// The cuts with each of which alone the engine's process does not end, and how many there are.
fn survived(
    spec: &LaunchSpec,
    blocks: &Blocks,
    stop: &Stop,
) -> anyhow::Result<(Vec<String>, usize)> {
    let mut spec = spec.clone();
    spec.options.blocks = Some(blocks.clone());
    let found = study::cuts(&spec, worker()?(), stop.asked());
    let mut all = found.ok().flatten().unwrap_or_default().blocks;
    // Behind the last block is the end of the model.
    all.pop();
    let mut survived = Vec::new();
    for block in &all {
        let one = Blocks { cuts: vec![block.last.clone()], ..Blocks::default() };
        if look(&spec, &one, stop)?.is_ok() {
            survived.push(block.last.clone());
        }
    }
    Ok((survived, all.len()))
}

/// What a process finds; nothing if it was stopped.
fn look(
    spec: &LaunchSpec,
    blocks: &Blocks,
    stop: &Stop,
) -> anyhow::Result<Result<Look, StudyError>> {
    let mut spec = spec.clone();
    spec.options.blocks = Some(blocks.clone());
    Ok(study::look(&spec, worker()?(), stop.asked()).map(Option::unwrap_or_default))
}

/// Names of the nodes behind which an x-ray is cut.
fn cuts_of(recording: &PathBuf) -> anyhow::Result<Vec<String>> {
    let arguments = InputArguments::files(std::slice::from_ref(recording));
    let launches = Input::find(&arguments)?.read()?;
    let blocks = launches.iter().find(|launch| launch.run.blocks);
    let Some(launch) = blocks else {
        bail!(
            "{} is not an x-ray: its operators are not blocks\nhint: `onnxray xray` makes one, and \
             `--blocks 12` needs none",
            shown(recording)
        );
    };
    let last = launch.operators.iter().filter_map(|block| block.nodes.last().cloned());
    Ok(last.collect())
}
