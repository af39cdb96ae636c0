//! The study behind a loss profile: each pruning is a variant, compared once with the
//! model as it is.

use super::journal::{LossEntry, LossJournal, key};
use super::request::LossRequest;
use super::side_by_side::{NotMeasured, Workers, hold_out, measure_all};
use crate::model::pruning::Pruning;
use crate::study::StudyError;
use onnxray_format::{
    DenseLoss, LOSS_FORMAT, LOSS_VERSION, LossPlan, LossProfile, LossRun, Measured,
};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;

/// A loss profile that is being measured.
pub struct LossStudy<'a> {
    request: &'a LossRequest,
    workers: Workers<'a>,
    run: LossRun,
    dense: DenseLoss,
    prunings: Vec<Pruning>,
    /// By pruning; `None` if not measured yet.
    results: Vec<Option<Measured>>,
    /// Divergences of the plan on each input held out; empty without a plan or with files.
    held_out: Vec<f64>,
    journal: Option<LossJournal>,
}

impl<'a> LossStudy<'a> {
    /// Runs the model as it is, in a process that `command` makes and in which
    /// [`work`](fn@crate::study::work) does so, and takes up what the journal beside `result` knows. One
    /// of another run is refused unless it may be replaced. `None` if `stop` ended it.
    ///
    /// # Errors
    ///
    /// If the model does not run, or the journal cannot be opened.
    pub fn begin(
        request: &'a LossRequest,
        command: &'a (dyn Fn() -> Command + Sync),
        result: Option<&Path>,
        replaces: bool,
        stop: &AtomicBool,
    ) -> Result<Option<LossStudy<'a>>, StudyError> {
        let (workers, dense) = match Workers::start(&request.spec, command, stop) {
            Err(NotMeasured::Interrupted) => return Ok(None),
            Err(NotMeasured::Failed(error)) => return Err(error),
            Ok(started) => started,
        };
        let run = LossRun { levels: request.levels.clone(), ..dense.run };
        let journal = result.map(|result| LossJournal::resume(result, &run, replaces));
        let journal = journal.transpose()?;
        let prunings = request.prunings();
        let known = |pruning| Some(journal.as_ref()?.known(&key(pruning))?.measured.clone());
        let results = prunings.iter().map(known).collect();
        let dense = dense.dense;
        let held_out = Vec::new();
        Ok(Some(LossStudy { request, workers, run, dense, prunings, results, held_out, journal }))
    }

    /// The journal, if there is a result that it belongs to.
    pub fn journal(&self) -> Option<&LossJournal> {
        self.journal.as_ref()
    }

    /// Results that are known.
    pub fn known(&self) -> usize {
        self.results.iter().flatten().count()
    }

    /// Results that are to be known in the end.
    pub fn all(&self) -> usize {
        self.results.len()
    }

    /// Measures what is not known yet, `jobs` models side by side (by default one per core), until
    /// `stop`. `progress` is told the layer and level of which a result came, and the
    /// share of all that are known. Whether `stop` ended it.
    ///
    /// # Errors
    ///
    /// If no process can be started any more, or a result not be kept.
    pub fn run(
        &mut self,
        jobs: Option<u32>,
        stop: &AtomicBool,
        mut progress: impl FnMut(&str, f64),
    ) -> Result<bool, StudyError> {
        let cores = available_parallelism().map_or(1, |cores| cores.get());
        let jobs = jobs.map_or(cores, |jobs| jobs as usize);
        let (mut known, all) = (self.known(), self.all());
        let LossStudy { request, workers, prunings, results, journal, .. } = self;
        let mut open = request.order();
        open.retain(|&at| results[at].is_none());
        let left: Vec<Pruning> = open.iter().map(|&at| prunings[at].clone()).collect();
        let ended = measure_all(workers, &left, jobs, stop, |number, measured| {
            let pruned = &left[number];
            if let Some(journal) = journal {
                // Before it counts as known: a result that cannot be kept ends the run.
                journal.keep(LossEntry { pruned: pruned.clone(), measured: measured.clone() })?;
            }
            known += 1;
            progress(&request.says(pruned), known as f64 / all as f64);
            results[open[number]] = Some(measured);
            Ok(())
        });
        match ended.and_then(|()| self.hold_out(stop)) {
            Ok(()) => Ok(false),
            Err(NotMeasured::Interrupted) => Ok(true),
            Err(NotMeasured::Failed(error)) => Err(error),
        }
    }

    /// Measures the plan on inputs that it was not chosen by, where there are any.
    fn hold_out(&mut self, stop: &AtomicBool) -> Result<(), NotMeasured> {
        let Some(plan) = self.request.plan.as_ref().filter(|_| self.run.data.random) else {
            return Ok(());
        };
        self.held_out = hold_out(&self.workers, &plan.pruning, stop)?.unwrap_or_default();
        Ok(())
    }

    /// The profile, without a plan's prediction and without notes; and the journal, to be removed
    /// once the profile is written whole.
    pub fn profile(self) -> (LossProfile, Option<LossJournal>) {
        // In the order of `LossRequest::prunings`: points of layers, then the plan.
        let not_yet = |result: Option<Measured>| result.unwrap_or_else(Measured::not_yet);
        let mut results = self.results.into_iter().map(not_yet);
        let mut layers = self.request.layers.clone();
        for point in layers.iter_mut().flat_map(|layer| &mut layer.points) {
            point.measured = results.next().unwrap_or_default();
        }
        let plan = self.request.plan.as_ref().zip(results.next());
        let held_out = self.held_out;
        let plan = plan.map(|(plan, measured)| LossPlan {
            levels: plan.levels.clone(),
            predicted: None,
            measured,
            held_out,
        });
        let profile = LossProfile {
            format: LOSS_FORMAT.to_string(),
            version: LOSS_VERSION,
            producer: format!("onnxray {}", env!("CARGO_PKG_VERSION")),
            run: self.run,
            dense: self.dense,
            layers,
            plan,
            notes: Vec::new(),
        };
        (profile, self.journal)
    }
}
