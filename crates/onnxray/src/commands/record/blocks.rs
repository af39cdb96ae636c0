//! Where a model is cut, by what its blocks take in a first look.

use crate::args::{InputArguments, Xray};
use crate::commands::signals::Stop;
use crate::commands::sources::input::Input;
use crate::engine_process::worker;
use crate::message;
use crate::progress::{Progress, about};
use anyhow::bail;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::study::{self, StudyError};
use onnxray_recorder::{
    Blocks, CutEffect, FIRST_LOOK, LaunchSpec, Length, Look, Schedule, XrayAim,
};
use onnxray_text::{counted, printable, shown};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
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
        let cuts = cuts_of(recording)?;
        blocks.most = cuts.len() as u32;
        blocks.cuts = Some(cuts);
    }
    let progress = Progress::working("looking for the blocks that take most time".to_string());
    let looked = settle(first, &mut blocks, stop)?;
    progress.clear();
    if let Some((look, took)) = looked {
        tell_fewer(asked, blocks.most, look.blocks.len())?;
        let settled = blocks.cuts.is_some().then_some(look.blocks.len() as u32);
        let own = XrayAim { blocks: settled.or(asked.aim.blocks), ..asked.aim };
        let launches = specs.iter().map(|spec| spec.options.launches.unwrap_or(USUAL)).sum();
        let left = asked.aim.time_limit.saturating_sub(begun.elapsed() + limit_of_effects(asked));
        let plan = own.plan(&look, took, launches, left);
        if asked.chooses_iterations {
            schedule.length = Length::Iterations(plan.iterations);
        }
        let is_chosen = asked.cuts.is_none() && asked.aim.blocks.is_none();
        let is_fewer = (plan.blocks as usize) < look.blocks.len() && plan.blocks < FIRST_LOOK;
        if is_chosen && is_fewer && plan.time <= left {
            message::note(format_args!(
                "--time-limit has room for {} blocks; a longer one cuts further",
                plan.blocks
            ));
        }
        if plan.time > left && asked.chooses_iterations {
            message::note(format_args!(
                "about {} of measuring, longer than --time-limit: fewer --blocks or --launches take less",
                about(plan.time)
            ));
        }
        let Look { blocks: measured, fused, .. } = look;
        blocks = Blocks { most: plan.blocks, measured, fused, ..blocks };
        let progress = Progress::working("trying the cuts".to_string());
        match &*specs {
            [one, others @ ..] if others.iter().any(|other| differ([one, other])) => {
                keep_common(specs, &mut blocks, stop)?;
            }
            // The first look was at others.
            [one, ..] if blocks.cuts.is_none() && has_provider(&one.engine) => {
                settle(one, &mut blocks, stop)?;
            }
            _ => {}
        }
        progress.clear();
    }
    // Another engine changes other things where it is cut.
    let limit = limit_of_effects(asked) / specs.len() as u32;
    for spec in specs.iter_mut().filter(|spec| spec.options.blocks.is_some()) {
        let effects = effects(spec, &blocks, limit, stop)?;
        spec.options.blocks = Some(Blocks { effects, ..blocks.clone() });
    }
    Ok(())
}

/// Leaves the cuts that all launches have and whose parts all of their engines run, so that each side is
/// cut where the others are; all, where none is common, as in models whose nodes have other names.
fn keep_common(specs: &[LaunchSpec], blocks: &mut Blocks, stop: &Stop) -> anyhow::Result<()> {
    let mut all: Vec<Vec<String>> = Vec::new();
    for spec in specs {
        let Some((look, _)) = settle(spec, blocks, stop)? else { return Ok(()) };
        // Behind the last block is the end of the model.
        let cuts = look.blocks.split_last().map_or(&[][..], |(_, cuts)| cuts);
        all.push(cuts.iter().map(|block| block.last.clone()).collect());
    }
    let most = all.iter().map(Vec::len).max().unwrap_or(0);
    let Some(common) = common(&all) else { return Ok(()) };
    if common.is_empty() {
        message::note("no cut is on both sides: each is cut where its own engine allows it");
        return Ok(());
    }
    message::note(format_args!(
        "both sides are cut at {} of {most} places: where each engine runs what is before",
        common.len()
    ));
    blocks.cuts = Some(common);
    Ok(())
}

/// Cuts that all have, in the order of the first; `None` if these are all cuts of each.
fn common(all: &[Vec<String>]) -> Option<Vec<String>> {
    let is_common = |cut: &&String| all.iter().all(|own| own.contains(cut));
    let common: Vec<String> = all.first()?.iter().filter(is_common).cloned().collect();
    all.iter().any(|own| own.len() > common.len()).then_some(common)
}

/// Says that a model has fewer blocks than it was to have.
///
/// # Errors
///
/// If it has none of the cuts of a recording.
fn tell_fewer(asked: &Xray, most: u32, found: usize) -> anyhow::Result<()> {
    match &asked.cuts {
        Some(recording) if found == 1 => bail!(
            "no cut of {} is one of this model, or its engine refuses what is before each ({})\n\
             hint: `--blocks 12` chooses cuts",
            shown(recording),
            counted(u64::from(most) - 1, "cut", "cuts")
        ),
        Some(recording) if found < most as usize => message::note(format_args!(
            "the model has or takes {} of the {} of {}: blocks between others are one",
            found - 1,
            counted(u64::from(most) - 1, "cut", "cuts"),
            shown(recording)
        )),
        None if found == 1 => message::note(
            "the model cannot be cut: it has one node that computes, each place lies inside a function, or \
             the engine refuses what is before it",
        ),
        _ => {}
    }
    Ok(())
}

/// Whether one of them may refuse what the other one takes: another engine, or a provider.
fn differ(sides: [&LaunchSpec; 2]) -> bool {
    let [a, b] = sides.map(|spec| &spec.engine);
    a.name() != b.name() || has_provider(a) || has_provider(b)
}

/// Whether it may run parts of the model elsewhere than on the processor, which is a reason to expect
/// that it ends its process.
fn has_provider(engine: &EngineSpec) -> bool {
    match engine {
        EngineSpec::OnnxRuntime(options) => {
            options.provider.is_some() || options.provider_library.is_some()
        }
        EngineSpec::Tract(_) => false,
    }
}

fn limit_of_effects(asked: &Xray) -> Duration {
    asked.aim.time_limit / 5
}

/// What cuts change; the recording says it.
fn effects(
    spec: &LaunchSpec,
    blocks: &Blocks,
    limit: Duration,
    stop: &Stop,
) -> anyhow::Result<Vec<CutEffect>> {
    let spec = with(spec, blocks);
    let progress = Progress::working("measuring what cuts change".to_string());
    let found = study::effects(&spec, limit, worker()?(), stop.asked());
    progress.clear();
    // A process that ends on a side of a cut says nothing of the others: they are unknown.
    Ok(found.ok().flatten().unwrap_or_default())
}

/// Launches of each recording, where as many are added as it takes.
const USUAL: u32 = 10;

/// The blocks of a launch and how long the look at them took; `None` if it failed. Where a model
/// before a cut ends the engine's process, cuts are settled: those that it survives.
fn settle(
    spec: &LaunchSpec,
    blocks: &mut Blocks,
    stop: &Stop,
) -> anyhow::Result<Option<(Look, Duration)>> {
    loop {
        let begun = Instant::now();
        let status = match look(spec, blocks, stop)? {
            Ok(found) => return Ok((!found.blocks.is_empty()).then(|| (found, begun.elapsed()))),
            Err(StudyError::Ended(status)) => status,
            // The launch says so itself.
            Err(_) => return Ok(None),
        };
        let Some((mut survived, all)) = survived(spec, blocks, stop)? else { return Ok(None) };
        if survived.len() == all {
            // It survives each of them, and not all together.
            survived = survived.into_iter().skip(1).step_by(2).collect();
        }
        message::note(format_args!(
            "the engine ended its process ({}) on what is before {} of {}: blocks on both sides of a \
             cut that is left out are one",
            printable(&status.to_string()),
            all - survived.len(),
            counted(all as u64, "cut", "cuts")
        ));
        let is_over = survived.is_empty();
        blocks.cuts = Some(survived);
        if is_over {
            return Ok(None);
        }
    }
}

/// The cuts with each of which alone the engine's process does not end, and how many there are; `None`
/// if the whole ends it, or if it was stopped.
fn survived(
    spec: &LaunchSpec,
    blocks: &Blocks,
    stop: &Stop,
) -> anyhow::Result<Option<(Vec<String>, usize)>> {
    let found = study::cuts(&with(spec, blocks), worker()?(), stop.asked());
    let mut all = found.ok().flatten().unwrap_or_default().blocks;
    // Behind the last block is the end of the model.
    all.pop();
    let mut survived = Vec::new();
    for block in &all {
        let one = Blocks { cuts: Some(vec![block.last.clone()]), ..Blocks::default() };
        if look(spec, &one, stop)?.is_ok() {
            survived.push(block.last.clone());
        }
        if stop.asked().load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    Ok((!all.is_empty()).then_some((survived, all.len())))
}

/// What a process finds; nothing if it was stopped.
fn look(
    spec: &LaunchSpec,
    blocks: &Blocks,
    stop: &Stop,
) -> anyhow::Result<Result<Look, StudyError>> {
    let found = study::look(&with(spec, blocks), worker()?(), stop.asked());
    Ok(found.map(Option::unwrap_or_default))
}

fn with(spec: &LaunchSpec, blocks: &Blocks) -> LaunchSpec {
    let mut spec = spec.clone();
    spec.options.blocks = Some(blocks.clone());
    spec
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
    let last: Vec<String> = last.collect();
    if last.len() < 2 {
        bail!("{} has a single block: there is nothing to cut by", shown(recording));
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_that_all_have_are_in_the_order_of_the_first() {
        let cuts = |names: &str| names.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        assert_eq!(common(&[cuts("a b c d"), cuts("d b x")]), Some(cuts("b d")));
        assert_eq!(common(&[cuts("a b"), cuts("")]), Some(cuts("")));
        assert_eq!(common(&[cuts("a b"), cuts("a b")]), None);
        assert_eq!(common(&[]), None);
    }
}
