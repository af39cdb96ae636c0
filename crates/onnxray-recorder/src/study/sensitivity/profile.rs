//! The study behind a loss profile: each pruning is a variant, compared once with the
//! model as it is.

use super::foretold::Foretold;
use super::in_turns::Times;
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
use std::time::{Duration, Instant};

/// A loss profile that is being measured.
pub struct LossStudy<'a> {
    request: &'a LossRequest,
    workers: Workers<'a>,
    run: LossRun,
    dense: DenseLoss,
    prunings: Vec<Pruning>,
    /// By pruning; `None` if not measured yet.
    results: Vec<Option<Measured>>,
    /// `None` if none are asked for.
    times: Option<Times>,
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
        let known = |pruning| match journal.as_ref()?.known(&key(pruning))? {
            LossEntry::Loss { measured, .. } => Some(measured.clone()),
            LossEntry::Times { .. } => None,
        };
        let times = Times::of(request, journal.as_ref());
        let why = times.as_ref().and_then(Times::left_out);
        if let Some(reason) = why.filter(|_| !request.asked.losses) {
            return Err(StudyError::Refused(reason.to_string()));
        }
        let results = prunings.iter().map(known).collect();
        let dense = dense.dense;
        Ok(Some(LossStudy {
            request,
            workers,
            run,
            dense,
            prunings,
            results,
            times,
            held_out: Vec::new(),
            journal,
        }))
    }

    /// The journal, if there is a result that it belongs to.
    pub fn journal(&self) -> Option<&LossJournal> {
        self.journal.as_ref()
    }

    /// Results that are known.
    pub fn known(&self) -> usize {
        let losses = self.results.iter().flatten().filter(|_| self.request.asked.losses).count();
        losses + self.times.as_ref().map_or(0, Times::known)
    }

    /// Results that are to be known in the end.
    pub fn all(&self) -> usize {
        let losses = if self.request.asked.losses { self.results.len() } else { 0 };
        losses + self.times.as_ref().map_or(0, Times::all)
    }

    /// Measures what is not known yet, `jobs` models side by side (by default one per core), then
    /// times one after the other, until `stop`. `progress` is told the layer and level of which a
    /// result came, the share of all that are known, and about how long the others take, without
    /// inputs held out. Whether `stop` ended it.
    ///
    /// # Errors
    ///
    /// If no process can be started any more, or a result not be kept.
    pub fn run(
        &mut self,
        jobs: Option<u32>,
        stop: &AtomicBool,
        mut progress: impl FnMut(&str, f64, Option<Duration>),
    ) -> Result<bool, StudyError> {
        let cores = available_parallelism().map_or(1, |cores| cores.get());
        let jobs = jobs.map_or(cores, |jobs| jobs as usize);
        let (mut known, all) = (self.known(), self.all());
        let LossStudy { request, workers, prunings, results, times, journal, .. } = self;
        let mut open = request.order();
        open.retain(|&at| results[at].is_none());
        let left: Vec<Pruning> = open.iter().map(|&at| prunings[at].clone()).collect();
        let losses = if request.asked.losses { left.len() } else { 0 };
        let mut foretold =
            Foretold::new(jobs.min(losses), losses, all.saturating_sub(known + losses));
        let begun = Instant::now();
        // Before it counts as known: a result that cannot be kept ends the run.
        let mut keep = |entry: LossEntry, says: &str| -> Result<(), StudyError> {
            match entry {
                LossEntry::Loss { .. } => foretold.loss(begun.elapsed()),
                LossEntry::Times { .. } => foretold.launch(begun.elapsed()),
            }
            if let Some(journal) = journal {
                journal.keep(entry)?;
            }
            known += 1;
            progress(says, known as f64 / all as f64, foretold.left());
            Ok(())
        };
        let ended = measure_all(workers, &left, jobs, stop, |number, measured| {
            let pruned = left[number].clone();
            let says = request.says(&pruned);
            keep(LossEntry::Loss { pruned, measured: measured.clone() }, &says)?;
            results[open[number]] = Some(measured);
            Ok(())
        });
        match ended {
            Ok(()) => {}
            Err(NotMeasured::Interrupted) => return Ok(true),
            Err(NotMeasured::Failed(error)) => return Err(error),
        }
        // Alone on the machine, unlike losses: other processes would be timed as well.
        self.workers.end();
        if let Some(times) = times
            && times.run(request, self.workers.command(), stop, keep)?
        {
            return Ok(true);
        }
        match self.hold_out(stop) {
            Ok(()) => Ok(false),
            Err(NotMeasured::Interrupted) => Ok(true),
            Err(NotMeasured::Failed(error)) => Err(error),
        }
    }

    /// Measures the plan on inputs that it was not chosen by, where there are any.
    fn hold_out(&mut self, stop: &AtomicBool) -> Result<(), NotMeasured> {
        let is_asked = self.run.data.random && self.request.asked.losses;
        let Some(plan) = self.request.plan.as_ref().filter(|_| is_asked) else {
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
        let timed = self.times.map(|times| times.fill(&mut layers));
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
            timed,
            times_only: !self.request.asked.losses,
            plan,
            notes: Vec::new(),
        };
        (profile, self.journal)
    }
}
