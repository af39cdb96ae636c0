//! Journals of searches of which something was changed: what no launch can have said is counted,
//! and measured again.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

#[path = "journals/lines.rs"]
mod lines;
#[path = "journals/resumed.rs"]
mod resumed;

use lines::{Lines, MIX, TUNING};
use onnxray_format::{MixRun, RuntimeChange, TuneRun};
use onnxray_recorder::study::{Journal, Plan};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use resumed::{check, head};
use serde_json::{Value, json};
use std::fmt::Debug;
use std::fs;
use std::path::Path;

/// Journals of each kind; more by `ONNXRAY_MUTATIONS`.
fn mutations() -> u64 {
    std::env::var("ONNXRAY_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(500)
}

fn below(random: &mut SplitMix64, end: usize) -> usize {
    (random.next_u64() % end as u64) as usize
}

/// Changes something in it, at any depth.
fn change(value: &mut Value, random: &mut SplitMix64) {
    let others = [
        json!(-1),
        json!(0),
        json!(1e-308),
        json!(1e308),
        json!(u64::MAX),
        json!(null),
        json!("../up"),
        json!(""),
        json!([]),
        json!({}),
        json!(true),
        json!(0.5),
    ];
    match value {
        Value::Object(members) if !members.is_empty() && below(random, 8) > 0 => {
            let key = members.keys().nth(below(random, members.len())).unwrap().clone();
            match below(random, 8) {
                0 => drop(members.remove(&key)),
                1 => drop(members.insert("other".to_string(), json!(1))),
                _ => change(&mut members[&key], random),
            }
        }
        Value::Array(items) if !items.is_empty() && below(random, 8) > 0 => {
            let at = below(random, items.len());
            match below(random, 8) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => change(&mut items[at], random),
            }
        }
        _ => *value = others[below(random, others.len())].clone(),
    }
}

fn changed<P: Plan>(lines: &Lines)
where
    P::Entry: Clone + PartialEq + Debug,
{
    let run: P = serde_json::from_str(lines.run).unwrap();
    let mut random = SplitMix64::seed_from_u64(7);
    let folder = tempfile::tempdir().unwrap();
    let path = P::journal(folder.path());
    let (mut warned, mut taken) = (0, 0);
    for _ in 0..mutations() {
        let mut text = head::<P>(lines.run);
        let mut expected = 0;
        for _ in 0..below(&mut random, 6) {
            let mut line: Value =
                serde_json::from_str(lines.entries[below(&mut random, 6)]).unwrap();
            for _ in 0..below(&mut random, 3) {
                change(&mut line, &mut random);
            }
            let entry = serde_json::from_value::<P::Entry>(line.clone());
            expected += u64::from(!entry.is_ok_and(|entry| run.has(&entry)));
            text.push_str(&format!("{line}\n"));
        }
        fs::write(&path, &text).unwrap();
        let journal = Journal::<P>::resume(folder.path(), &run, false).unwrap();
        assert_eq!(journal.damaged(), expected, "{text}");
        warned += u64::from(expected > 0);
        taken += u64::from(journal.entries().count() > 0);
        drop(journal);
        check::<P>(folder.path(), lines);
        // Cut anywhere, and one byte of it changed.
        let mut bytes = text.into_bytes();
        bytes.truncate(below(&mut random, bytes.len() + 1));
        if !bytes.is_empty() {
            let at = below(&mut random, bytes.len());
            bytes[at] = random.next_u64() as u8;
        }
        fs::write(&path, &bytes).unwrap();
        check::<P>(folder.path(), lines);
    }
    assert!(warned > mutations() / 4 && taken > mutations() / 4, "{warned} {taken}");
}

fn lines_are_what_they_are_said_to_be<P: Plan>(lines: &Lines) {
    let run: P = serde_json::from_str(lines.run).unwrap();
    let is_of_run =
        |line: &&str| serde_json::from_str(line).is_ok_and(|entry: P::Entry| run.has(&entry));
    let known: Vec<bool> = lines.entries.iter().map(is_of_run).collect();
    assert_eq!(known, [true, true, true, false, false, false]);
}

#[test]
fn a_changed_journal_of_a_tuning_has_what_a_launch_can_have_said() {
    lines_are_what_they_are_said_to_be::<TuneRun>(&TUNING);
    changed::<TuneRun>(&TUNING);
}

#[test]
fn a_changed_journal_of_a_mix_has_what_a_launch_can_have_said() {
    lines_are_what_they_are_said_to_be::<MixRun>(&MIX);
    changed::<MixRun>(&MIX);
}

/// Takes up a journal with the entries that may be there.
fn resumed<P: Plan>(folder: &Path, lines: &Lines) -> Journal<P> {
    let run: P = serde_json::from_str(lines.run).unwrap();
    let entries = lines.entries[..3].iter().map(|line| format!("{line}\n"));
    let text: String = [head::<P>(lines.run)].into_iter().chain(entries).collect();
    fs::write(P::journal(folder), text).unwrap();
    let journal = Journal::resume(folder, &run, false).unwrap();
    assert_eq!((journal.damaged(), journal.replaced()), (0, false));
    journal
}

#[test]
fn journals_of_version_0_1_are_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let tuning = resumed::<TuneRun>(folder.path(), &TUNING);
    let run = tuning.plan().unwrap();
    assert_eq!((&*run.file.model, &*run.setup.engine_version), ("cnn.onnx", "1.31.1"));
    assert_eq!((run.setup.batch_size, run.search.threads), (Some(1), 1));
    assert_eq!((run.search.loss_inputs.held_out, run.search.cpu.as_deref()), (20, Some("cpu")));
    let chosen = vec![RuntimeChange::WithoutOptimizer("ConstantSharing".to_string())];
    let trials = tuning.trials();
    assert_eq!((trials.len(), trials[0].rounds), (1, 5));
    assert_eq!(trials[0].variants[0].changes, chosen);
    assert_eq!(trials[0].variants[1].ratio, Some(1.177260629462055));
    assert_eq!(trials[0].variants[1].quality.outputs.as_ref().unwrap().relative, 0.0);
    let held_out = tuning.held_out(std::slice::from_ref(&chosen)).unwrap();
    assert_eq!((held_out[0].distances.len(), held_out[0].distances[1].relative), (2, 0.5));
    assert!(tuning.held_out(&[]).is_none());
    assert_eq!(tuning.recordings(false, &chosen).unwrap()[1], "2026-11-26_10-00-01");

    let mix = resumed::<MixRun>(folder.path(), &MIX);
    let run = mix.plan().unwrap();
    assert_eq!((&*run.b.model, &*run.setup.engine), ("cnn-int8.onnx", "tract"));
    assert_eq!((&*run.search.inputs, run.search.loss_inputs.search), ("random, seed 1", 4));
    let trials = mix.trials();
    assert_eq!((trials.len(), &trials[0].variants[0].changes[..]), (1, &[0, 1][..]));
    let quality = &trials[0].variants[0].quality;
    assert_eq!(quality.loss, Some(1.2455558927132507e-07));
    assert_eq!(quality.output.as_deref(), Some("logits"));
    assert_eq!(mix.held_out(&[vec![0]]).unwrap()[0].distances, [0.5, 0.25]);
    assert_eq!(mix.recordings(true, &[0]).unwrap()[0], "2026-11-26_10-00-00");
    assert!(mix.recordings(false, &[0]).is_none() && mix.recordings(true, &[]).is_none());
}
