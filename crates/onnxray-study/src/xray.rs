//! Where a model is cut, by what its blocks take in a first look.

use crate::host::{Host, Said};
use anyhow::bail;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::study::{self, StudyError};
use onnxray_recorder::{
    Blocks, CutEffect, FIRST_LOOK, LaunchSpec, Length, Look, Schedule, XrayAim,
};
use onnxray_text::{about, counted, printable};
use std::fmt::Display;
use std::time::Duration;

/// Blocks that are to be timed in place of operators.
#[derive(Clone)]
pub struct Asked {
    /// How many, how small, and in what time.
    pub aim: XrayAim,
    /// Cuts that are given.
    pub cuts: Option<GivenCuts>,
    /// Whether the number of iterations is the plan's.
    pub chooses_iterations: bool,
}

/// The cuts of another x-ray.
#[derive(Clone)]
pub struct GivenCuts {
    /// Its name, for messages.
    pub recording: String,
    /// The nodes behind which it is cut.
    pub nodes: Vec<String>,
    /// Whether it was timed as [with a provider](Blocks::as_with_provider).
    pub as_with_provider: bool,
}

/// Gives launches of blocks what a first look at the first of them says: those that take most time
/// are cut further, in all launches alike, as far as the time suffices. Where the look fails, cuts
/// are where estimates put them.
///
/// # Errors
///
/// If the model has none of the cuts that are given.
pub fn refine(
    specs: &mut [LaunchSpec],
    schedule: &mut Schedule,
    asked: &Asked,
    host: &Host,
) -> anyhow::Result<()> {
    let Some(first) = specs.first() else { return Ok(()) };
    let begun = host.clock.now();
    let mut blocks = first.options.blocks.clone().unwrap_or_default();
    blocks.as_with_provider = specs.iter().any(|spec| has_provider(&spec.engine));
    if let Some(given) = &asked.cuts {
        blocks.most = given.nodes.len() as u32;
        blocks.cuts = Some(given.nodes.clone());
        blocks.as_with_provider |= given.as_with_provider;
    }
    host.teller.working("looking for the blocks that take most time".to_string());
    let looked = settle(first, &mut blocks, host);
    host.teller.clear();
    if let Some((look, took)) = looked {
        tell_fewer(asked, blocks.most, look.blocks.len(), host)?;
        let settled = blocks.cuts.is_some().then_some(look.blocks.len() as u32);
        let own = XrayAim { blocks: settled.or(asked.aim.blocks), ..asked.aim };
        let launches = specs.iter().map(|spec| spec.options.launches.unwrap_or(USUAL)).sum();
        let left =
            asked.aim.time_limit.saturating_sub(host.clock.since(begun) + limit_of_effects(asked));
        let plan = own.plan(&look, took, launches, left);
        if asked.chooses_iterations {
            schedule.length = Length::Iterations(plan.iterations);
        }
        let is_chosen = asked.cuts.is_none() && asked.aim.blocks.is_none();
        let is_fewer = (plan.blocks as usize) < look.blocks.len() && plan.blocks < FIRST_LOOK;
        if is_chosen && is_fewer && plan.time <= left {
            note(
                host,
                format_args!(
                    "--time-limit has room for {} blocks; a longer one cuts further",
                    plan.blocks
                ),
            );
        }
        if plan.time > left && asked.chooses_iterations {
            note(
                host,
                format_args!(
                    "about {} of measuring, for which --time-limit leaves {}: fewer --blocks or --launches take \
                     less",
                    about(plan.time),
                    about(left)
                ),
            );
        }
        let Look { blocks: measured, fused, .. } = look;
        blocks = Blocks { most: plan.blocks, measured, fused, ..blocks };
        host.teller.working("trying the cuts".to_string());
        match &*specs {
            [one, others @ ..] if others.iter().any(|other| differ([one, other])) => {
                keep_common(specs, &mut blocks, host);
            }
            // The first look was at others.
            [one, ..] if blocks.cuts.is_none() && has_provider(&one.engine) => {
                settle(one, &mut blocks, host);
            }
            _ => {}
        }
        host.teller.clear();
    }
    // Another engine changes other things where it is cut.
    let limit = limit_of_effects(asked) / specs.len() as u32;
    for spec in specs.iter_mut().filter(|spec| spec.options.blocks.is_some()) {
        let effects = effects(spec, &blocks, limit, host);
        spec.options.blocks = Some(Blocks { effects, ..blocks.clone() });
    }
    Ok(())
}

/// Leaves the cuts that all launches have and whose parts all of their engines run, so that each side is
/// cut where the others are; all, where none is common, as in models whose nodes have other names.
fn keep_common(specs: &[LaunchSpec], blocks: &mut Blocks, host: &Host) {
    let mut all: Vec<Vec<String>> = Vec::new();
    for spec in specs {
        let Some((look, _)) = settle(spec, blocks, host) else { return };
        // Behind the last block is the end of the model.
        let cuts = look.blocks.split_last().map_or(&[][..], |(_, cuts)| cuts);
        all.push(cuts.iter().map(|block| block.last.clone()).collect());
    }
    let most = all.iter().map(Vec::len).max().unwrap_or(0);
    let Some(common) = common(&all) else { return };
    if common.is_empty() {
        let none = "no cut is on both sides: each is cut where its own engine allows it";
        return note(host, none);
    }
    let cuts = common.len();
    note(
        host,
        format_args!(
            "both sides are cut at {cuts} of {most} places: where each engine runs what is before"
        ),
    );
    blocks.cuts = Some(common);
}

fn note(host: &Host, text: impl Display) {
    host.teller.say(Said::Note, format_args!("{text}"));
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
fn tell_fewer(asked: &Asked, most: u32, found: usize, host: &Host) -> anyhow::Result<()> {
    match &asked.cuts {
        Some(GivenCuts { recording, .. }) if found == 1 => bail!(
            "no cut of {} is one of this model, or its engine refuses what is before each ({})\n\
             hint: `--blocks 12` chooses cuts",
            recording,
            counted(u64::from(most) - 1, "cut", "cuts")
        ),
        Some(GivenCuts { recording, .. }) if found < most as usize => note(
            host,
            format_args!(
                "the model has or takes {} of the {} of {}: blocks between others are one",
                found - 1,
                counted(u64::from(most) - 1, "cut", "cuts"),
                recording
            ),
        ),
        None if found == 1 => note(
            host,
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
            let provider = options.provider.as_deref();
            let is_other = provider.is_some_and(|name| !name.starts_with("CPU"));
            is_other || options.provider_library.is_some()
        }
        EngineSpec::Tract(_) => false,
    }
}

fn limit_of_effects(asked: &Asked) -> Duration {
    asked.aim.time_limit / 5
}

/// What cuts change; the recording says it.
fn effects(spec: &LaunchSpec, blocks: &Blocks, limit: Duration, host: &Host) -> Vec<CutEffect> {
    let spec = with(spec, blocks);
    host.teller.working("measuring what cuts change".to_string());
    let found = study::effects(&spec, limit, (host.worker)(), host.stop);
    host.teller.clear();
    // A process that ends on a side of a cut says nothing of the others: they are unknown.
    found.ok().flatten().unwrap_or_default()
}

/// Launches of each recording, where as many are added as it takes.
const USUAL: u32 = 10;

/// The blocks of a launch and how long the look at them took; `None` if it failed. Where a side of a cut
/// ends the engine's process, what is before cuts is timed alone; where that ends it as well, cuts are
/// settled: those that it survives.
fn settle(spec: &LaunchSpec, blocks: &mut Blocks, host: &Host) -> Option<(Look, Duration)> {
    loop {
        let begun = host.clock.now();
        let status = match look(spec, blocks, host) {
            Ok(found) => {
                return (!found.blocks.is_empty()).then(|| (found, host.clock.since(begun)));
            }
            Err(StudyError::Ended(status)) => status,
            // The launch says so itself.
            Err(_) => return None,
        };
        if !blocks.as_with_provider {
            // It may survive what is before cuts.
            blocks.as_with_provider = true;
            continue;
        }
        let (mut survived, tried) = survived(spec, blocks, host)?;
        let all = tried.len();
        if survived.len() == all {
            // It survives each of them, and not all together.
            survived = survived.into_iter().skip(1).step_by(2).collect();
        } else {
            blocks.ended.extend(tried.into_iter().filter(|node| !survived.contains(node)));
        }
        note(
            host,
            format_args!(
                "the engine ended its process ({}) on what is before {} of {}: blocks on both sides of a \
             cut that is left out are one",
                printable(&status.to_string()),
                all - survived.len(),
                counted(all as u64, "cut", "cuts")
            ),
        );
        let is_over = survived.is_empty();
        blocks.cuts = Some(survived);
        if is_over {
            return None;
        }
    }
}

/// The cuts with each of which alone the engine's process does not end, and all that were tried; `None` if
/// the whole ends it, or if it was stopped.
fn survived(spec: &LaunchSpec, blocks: &Blocks, host: &Host) -> Option<(Vec<String>, Vec<String>)> {
    let found = study::cuts(&with(spec, blocks), (host.worker)(), host.stop);
    let mut all = found.ok().flatten().unwrap_or_default().blocks;
    // Behind the last block is the end of the model.
    all.pop();
    let mut survived = Vec::new();
    for block in &all {
        let cuts = Some(vec![block.last.clone()]);
        let as_with_provider = blocks.as_with_provider;
        let one = Blocks { cuts, as_with_provider, ..Blocks::default() };
        if look(spec, &one, host).is_ok() {
            survived.push(block.last.clone());
        }
        if host.is_stopped() {
            return None;
        }
    }
    let tried: Vec<String> = all.into_iter().map(|block| block.last).collect();
    (!tried.is_empty()).then_some((survived, tried))
}

/// What a process finds; nothing if it was stopped.
fn look(spec: &LaunchSpec, blocks: &Blocks, host: &Host) -> Result<Look, StudyError> {
    let found = study::look(&with(spec, blocks), (host.worker)(), host.stop);
    found.map(Option::unwrap_or_default)
}

fn with(spec: &LaunchSpec, blocks: &Blocks) -> LaunchSpec {
    let mut spec = spec.clone();
    spec.options.blocks = Some(blocks.clone());
    spec
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
