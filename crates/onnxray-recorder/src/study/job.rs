//! What a process is asked to do that this one does not risk: an engine may end it. It reads a job
//! as a line of JSON from standard input, and answers with a line.

use super::costs::Prepare;
use super::error::StudyError;
use super::search::SearchPlan;
use super::sensitivity::{SensitivitySpec, TimedPruning};
use super::service::ask_one;
use super::turns::ToServe;
use crate::launches::{self, LaunchSpec};
use crate::model::cut::{CutEffect, Look};
use crate::model::sizes::dimensions::GivenDimensions;
use crate::xray::ask_for_huge_pages;
use onnxray_format::{HeldOut, Stage, Trial};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsString;
use std::io;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The work of such a process.
#[derive(Debug, Serialize, Deserialize)]
pub enum Job {
    /// What a model says of its nodes.
    Nodes(OsString, GivenDimensions),
    /// Whether a launch runs, and how long.
    TryOut(Box<LaunchSpec>),
    /// How long the blocks of a launch take.
    Look(Box<LaunchSpec>),
    /// Where a launch would be cut.
    Cuts(Box<LaunchSpec>),
    /// What the cuts of a launch change, as far as this much time suffices.
    Effects(Box<LaunchSpec>, Duration),
    /// Inputs for processes that load and run a model.
    Prepare(Box<Prepare>),
    /// To be up, and to load a model and run it once a further line tells which.
    Begin,
    /// Of the study of this kind: what is [`Asked`] about its variants.
    Study(String, Value),
    /// A model, which runs when asked to on further lines.
    Serve(Box<ToServe>),
    /// Prunings: they are asked one by one on further lines.
    Prune(Box<SensitivitySpec>),
    /// How long layers take, dense and pruned.
    Times(Box<TimedPruning>),
}

/// What is asked about the variants of a base.
#[derive(Debug, Serialize, Deserialize)]
pub enum Asked<Spec, Change> {
    /// What is known before anything is measured.
    Survey(Spec),
    /// A trial.
    Trial(Spec, TrialRequest<Change>),
    /// How outputs of variants differ from the base's on inputs that no trial saw.
    HeldOut(Spec, Vec<Vec<Change>>),
}

/// A trial to be measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialRequest<Change> {
    /// Its stage.
    pub stage: Stage,
    /// Its number within the stage.
    pub number: u32,
    /// Variants to compare with the base, each with its changes.
    pub variants: Vec<Vec<Change>>,
    /// No round is begun after this long.
    pub time: Duration,
}

/// A search whose variants this crate makes, runs and compares with their base.
pub trait Study: SearchPlan {
    /// The base, and what variants are made of.
    type Spec: Clone + Serialize + DeserializeOwned;
    /// Facts before anything is measured.
    type Survey: Serialize + DeserializeOwned + Send + 'static;
}

/// Has jobs of a study done in processes that `command` makes, until `stop`.
pub struct Worker<'a, S: Study> {
    /// The base, and what variants are made of.
    pub spec: &'a S::Spec,
    /// Makes a process that calls [`work`](super::work).
    pub command: &'a dyn Fn() -> Command,
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

impl<S: Study> Worker<'_, S> {
    /// Facts before anything is measured; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the base does not run, if nothing can be varied, or if a process cannot be started.
    pub fn survey(&self) -> Result<Option<S::Survey>, StudyError> {
        self.ask(Asked::Survey(self.spec.clone()))
    }

    /// Measures a trial; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the base does not run, if its process ended, or if none can be started.
    #[allow(clippy::type_complexity)] // it is a trial of this study
    pub fn trial(
        &self,
        request: TrialRequest<S::Change>,
    ) -> Result<Option<Trial<S::Change, S::Quality>>, StudyError> {
        self.ask(Asked::Trial(self.spec.clone(), request))
    }

    /// Distances of variants from the base on inputs that no trial saw; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// As [`Worker::trial`].
    #[allow(clippy::type_complexity)] // as above
    pub fn held_out(
        &self,
        variants: Vec<Vec<S::Change>>,
    ) -> Result<Option<Vec<HeldOut<S::Change, S::Distance>>>, StudyError> {
        self.ask(Asked::HeldOut(self.spec.clone(), variants))
    }

    fn ask<T>(&self, asked: Asked<S::Spec, S::Change>) -> Result<Option<T>, StudyError>
    where
        T: DeserializeOwned + Send + 'static,
    {
        let asked = serde_json::to_value(&asked).map_err(io::Error::from)?;
        ask_one((self.command)(), &Job::Study(S::KIND.to_string(), asked), self.stop)
    }
}

/// How long the blocks of a launch take, in a process that `command` makes and that calls
/// [`work`](super::work); `None` if it was stopped.
///
/// # Errors
///
/// If the launch is refused, if its process ended, or if none can be started.
pub fn look(
    spec: &LaunchSpec,
    mut command: Command,
    stop: &AtomicBool,
) -> Result<Option<Look>, StudyError> {
    ask_for_huge_pages(&mut command, spec.options.blocks.as_ref());
    ask_one(command, &Job::Look(Box::new(spec.clone())), stop)
}

/// Where a launch would be cut, as blocks that take no time; nothing before a cut is loaded.
///
/// # Errors
///
/// As [`look`].
pub fn cuts(
    spec: &LaunchSpec,
    command: Command,
    stop: &AtomicBool,
) -> Result<Option<Look>, StudyError> {
    ask_one(command, &Job::Cuts(Box::new(spec.clone())), stop)
}

/// What the cuts of a launch change, as far as they are measured within the limit, or one more.
///
/// # Errors
///
/// As [`look`].
pub fn effects(
    spec: &LaunchSpec,
    limit: Duration,
    mut command: Command,
    stop: &AtomicBool,
) -> Result<Option<Vec<CutEffect>>, StudyError> {
    ask_for_huge_pages(&mut command, spec.options.blocks.as_ref());
    ask_one(command, &Job::Effects(Box::new(spec.clone()), limit), stop)
}

/// Tries a launch out in a process that `command` makes and that calls [`work`](super::work).
///
/// # Errors
///
/// If the launch is refused, if its process ended, or if none can be started.
pub fn try_out(spec: &LaunchSpec, command: Command) -> Result<launches::Trial, StudyError> {
    let job = Job::TryOut(Box::new(spec.clone()));
    // Never stopped: who waits decides afterwards.
    let tried = ask_one(command, &job, &AtomicBool::new(false))?;
    tried.ok_or_else(|| unreachable!("nobody stops it"))
}
