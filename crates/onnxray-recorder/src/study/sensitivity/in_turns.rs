//! Times of pruned layers, launch after launch, each level in each of them.

use super::journal::{LossEntry, LossJournal, key_of_times};
use super::request::LossRequest;
use super::spec::TimedPruning;
use super::times::skipping;
use crate::clock::local_time;
use crate::launch::cpu;
use crate::model::pruning::Pruning;
use crate::study::error::StudyError;
use crate::study::job::Job;
use crate::study::service::ask_one;
use onnxray_format::{LossLayer, NotPrunedTimes, TimedLayer, TimedLevel, TimedRun};
use std::collections::{BTreeMap, HashSet};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// Launches of each level. An interval over fewer of them is wide.
const LAUNCHES: u32 = 5;

/// What is timed, and what is known of it.
pub(super) struct Times {
    threads: u32,
    /// All layers at a level, the highest level first, in each of the launches.
    prunings: Vec<Pruning>,
    known: BTreeMap<String, TimedLevel>,
    /// Whether no layer stays dense: beside one that does, what is in no layer is not as in a sparse
    /// model.
    is_whole: bool,
    left_out: Option<String>,
    failed: Option<String>,
}

impl Times {
    /// What a request asks for; `None` if it asks for no times.
    pub(super) fn of(request: &LossRequest, journal: Option<&LossJournal>) -> Option<Times> {
        let threads = request.asked.times?;
        let left_out = why_not(request);
        let prunings: Vec<Pruning> = match left_out {
            Some(_) => Vec::new(),
            None => request.levels.iter().rev().map(|&level| request.all_at(level)).collect(),
        };
        let mut times = Times {
            threads,
            prunings,
            known: BTreeMap::new(),
            is_whole: request.is_whole,
            left_out,
            failed: None,
        };
        for (launch, pruning) in times.turns() {
            let key = key_of_times(&pruning, launch, threads);
            if let Some(LossEntry::Times { timed, .. }) = journal.and_then(|own| own.known(&key)) {
                times.known.insert(key, timed.clone());
            }
        }
        Some(times)
    }

    /// Why nothing is timed.
    pub(super) fn left_out(&self) -> Option<&str> {
        self.left_out.as_deref()
    }

    pub(super) fn known(&self) -> usize {
        self.known.len()
    }

    pub(super) fn all(&self) -> usize {
        self.prunings.len() * LAUNCHES as usize
    }

    /// All launches of all levels: one that ends early has each level equally often.
    fn turns(&self) -> Vec<(u32, Pruning)> {
        let of = |launch| self.prunings.iter().map(move |pruning| (launch, pruning.clone()));
        (0..LAUNCHES).flat_map(of).collect()
    }

    /// Measures what is not known yet, one process at a time, until `stop`; `finished` takes each
    /// result with words for it. Whether `stop` ended it.
    ///
    /// # Errors
    ///
    /// If no process can be started any more, or a result not be kept.
    pub(super) fn run(
        &mut self,
        request: &LossRequest,
        command: &dyn Fn() -> Command,
        stop: &AtomicBool,
        mut finished: impl FnMut(LossEntry, &str) -> Result<(), StudyError>,
    ) -> Result<bool, StudyError> {
        let threads = self.threads;
        for (launch, pruned) in self.turns() {
            let key = key_of_times(&pruned, launch, threads);
            if self.failed.is_some() || self.known.contains_key(&key) {
                continue;
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(true);
            }
            let (spec, pruning) = (request.spec.clone(), pruned.clone());
            let job = Job::Times(Box::new(TimedPruning { spec, threads, pruning }));
            let timed: TimedLevel = match ask_one(command(), &job, stop) {
                Ok(Some(timed)) => timed,
                Ok(None) => return Ok(true),
                // What is known stays; that there is no more is told.
                Err(error @ (StudyError::Refused(_) | StudyError::Ended(_))) => {
                    self.failed = Some(error.to_string());
                    continue;
                }
                Err(error) => return Err(error),
            };
            let level = pruned.first().map_or(0.0, |(_, level)| *level);
            // To hundredths: 0.95 * 100 is not 95.
            let (percent, number) = ((level * 1e4).round() / 1e2, launch + 1);
            let says = format!("times at {percent} %, launch {number} of {LAUNCHES}");
            let entry = LossEntry::Times { pruned, launch, threads, timed: timed.clone() };
            finished(entry, &says)?;
            self.known.insert(key, timed);
        }
        Ok(false)
    }

    /// Puts times into the points of layers, and says how they were measured.
    pub(super) fn fill(self, layers: &mut [LossLayer]) -> TimedRun {
        let mut launches = 0;
        let mut not_pruned: Vec<NotPrunedTimes> = Vec::new();
        // At some level, which is enough for a gain.
        let mut skipping = HashSet::new();
        for launch in 0..LAUNCHES {
            let keys =
                self.prunings.iter().map(|own| (own, key_of_times(own, launch, self.threads)));
            let known: Vec<_> =
                keys.filter_map(|(own, key)| Some((own, self.known.get(&key)?))).collect();
            launches += u32::from(!known.is_empty() && known.len() == self.prunings.len());
            for (pruning, timed) in known {
                let level = pruning.first().map(|(_, level)| *level);
                let others = timed.not_pruned.filter(|_| self.is_whole);
                if let Some((level, times)) = level.zip(others) {
                    match not_pruned.iter_mut().find(|known| known.level == level) {
                        Some(known) => known.times.push(times),
                        None => not_pruned.push(NotPrunedTimes { level, times: vec![times] }),
                    }
                }
                timed.layers.iter().for_each(|timed| put(timed, level, layers));
                let skip = timed.layers.iter().filter(|timed| timed.multiplies_zeros.is_none());
                skipping.extend(skip.map(|timed| timed.weight.clone()));
            }
        }
        for layer in layers.iter_mut().filter(|layer| skipping.contains(&layer.weight)) {
            layer.multiplies_zeros = None;
        }
        TimedRun {
            launches,
            planned_launches: if self.left_out.is_some() { launches } else { LAUNCHES },
            threads: self.threads,
            cpu: cpu(),
            at: Some(local_time()),
            not_pruned,
            left_out: self.left_out,
            failed: self.failed,
        }
    }
}

fn put(timed: &TimedLayer, level: Option<f64>, layers: &mut [LossLayer]) {
    let Some(layer) = layers.iter_mut().find(|layer| layer.weight == timed.weight) else { return };
    layer.multiplies_zeros.clone_from(&timed.multiplies_zeros);
    if let Some(point) = layer.points.iter_mut().find(|point| Some(point.level) == level) {
        point.times.extend(timed.times);
    }
}

/// Why pruned layers cannot be timed: nothing skips their zeros.
fn why_not(request: &LossRequest) -> Option<String> {
    let spec = &request.spec;
    if skipping(&spec.engine, 1.0).is_none() {
        return Some(format!("{} has no kernels that skip zero blocks", spec.engine.name()));
    }
    if !spec.block.outputs.is_multiple_of(4) {
        return Some(format!(
            "kernels skip blocks of 4 outputs, or of a multiple, and these are of {}",
            spec.block
        ));
    }
    request.all_at(1.0).is_empty().then(|| "no layer can be pruned".to_string())
}
