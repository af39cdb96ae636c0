//! A model in a process of its own: two builds of a library do not fit into one.
//!
//! It has all inputs before it begins, and then answers a question at a time.

use super::here::Here;
use super::spec::ToServe;
use super::timed::Timed;
use crate::engine::{Engines, Model, setup};
use crate::error::RecordError;
use crate::launches::{Displacement, LaunchSpec};
use crate::study::job::Job;
use crate::study::service::{NoAnswer, Service, answer};
use crate::tensor::Tensor;
use crate::workload::{Workload, stored};
use onnxray_failsafe::{PrivateFolder, private_folder};
use onnxray_format::{JudgeSide, Nanoseconds};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

/// What such a process knows of its model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Described {
    pub(crate) side: JudgeSide,
    /// Names of inputs, with their types and shapes.
    pub(crate) inputs: Vec<(String, String)>,
}

impl Described {
    pub(crate) fn of(model: &Model, launch: &LaunchSpec) -> Described {
        let shape = |shape: &Vec<u64>| {
            let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
            if sizes.is_empty() { "scalar".to_string() } else { sizes.join("x") }
        };
        let inputs = model.file.graph.inputs.iter().zip(&model.bound.shapes);
        let inputs = inputs.map(|(input, own)| {
            (input.name.clone(), format!("{} {}", input.data_type, shape(own)))
        });
        let side = JudgeSide {
            file: model.file.identity(),
            setup: setup(&*model.engine, &model.bound),
            threads: launch.options.threads,
            library_sha256: None,
        };
        Described { side, inputs: inputs.collect() }
    }
}

#[derive(Debug, Serialize, Deserialize)]
enum Question {
    Next,
    Turn(u64),
    /// Outputs for each set of inputs, into folders in this one.
    Outputs(OsString),
}

#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    Ready(Box<Described>),
    Ran(Nanoseconds),
    Turned(f64),
    /// This many sets of outputs.
    Written(usize),
    Failed(String),
}

/// Answers questions until the input ends.
///
/// # Errors
///
/// If the input is not of this form, or an answer cannot be written.
pub(crate) fn serve(
    engines: &dyn Engines,
    spec: &ToServe,
    from: impl BufRead,
    mut to: impl Write,
) -> io::Result<()> {
    let mut say =
        |reply: Result<Reply, String>| answer(&mut to, &reply.unwrap_or_else(Reply::Failed));
    let (described, mut here, sets) = match opened(engines, spec) {
        Ok(opened) => opened,
        // A model that does not load is an answer, not a failure of the process.
        Err(error) => return say(Err(error.to_string())),
    };
    say(Ok(Reply::Ready(Box::new(described))))?;
    let mut timed = Timed::of(sets.clone(), spec.are_made_up);
    let text = |error: RecordError| error.to_string();
    for line in from.lines() {
        say(match serde_json::from_str(&line?)? {
            Question::Next => here.run(timed.next()).map(Reply::Ran).map_err(text),
            Question::Turn(runs) => here.turn(&mut timed, runs).map(Reply::Turned).map_err(text),
            Question::Outputs(folder) => {
                here.outputs_of_each(&sets).map_err(text).and_then(|outputs| {
                    write(outputs, Path::new(&folder))
                        .map(Reply::Written)
                        .map_err(|error| error.to_string())
                })
            }
        })?;
    }
    Ok(())
}

fn opened(
    engines: &dyn Engines,
    spec: &ToServe,
) -> Result<(Described, Here, Vec<Workload>), RecordError> {
    let read = |folder: &OsString| {
        let path = Path::new(folder);
        stored::read(path)
            .map_err(|source| RecordError::ReadFile { path: path.to_path_buf(), source })
    };
    let sets = spec.inputs.iter().map(read).collect::<Result<_, _>>()?;
    // Elsewhere in memory than in the process of the launch before.
    let displacement = Displacement::random();
    let model = spec.launch.load_model(engines)?;
    drop(displacement);
    let described = Described::of(&model, &spec.launch);
    let Model { engine, loaded, .. } = model;
    Ok((described, Here::new(engine, loaded)?, sets))
}

fn write(outputs: Vec<Vec<Tensor>>, folder: &Path) -> io::Result<usize> {
    let count = outputs.len();
    for (number, outputs) in outputs.into_iter().enumerate() {
        write_one(&outputs.into(), folder, number)?;
    }
    Ok(count)
}

fn write_one(work: &Workload, folder: &Path, number: usize) -> io::Result<PathBuf> {
    let own = folder.join(number.to_string());
    fs::create_dir(&own)?;
    stored::write(work, &own)?;
    Ok(own)
}

/// Sets of inputs that wait for such processes, in a folder that goes with this.
pub(crate) struct Handed<'e> {
    folder: Rc<PrivateFolder>,
    inputs: Vec<OsString>,
    are_made_up: bool,
    command: &'e dyn Fn() -> Command,
}

impl<'e> Handed<'e> {
    /// # Errors
    ///
    /// If they cannot be written, or are of a type that has no file format.
    pub(crate) fn new(
        sets: &[Workload],
        are_made_up: bool,
        command: &'e dyn Fn() -> Command,
    ) -> Result<Handed<'e>, RecordError> {
        let written = || -> io::Result<(Rc<PrivateFolder>, Vec<OsString>)> {
            let folder = private_folder()?;
            let inputs = sets.iter().enumerate();
            let inputs = inputs.map(|(number, set)| write_one(set, folder.path(), number));
            let inputs = inputs.map(|path| path.map(PathBuf::into_os_string));
            let inputs = inputs.collect::<io::Result<_>>()?;
            Ok((Rc::new(folder), inputs))
        };
        let (folder, inputs) = written()
            .map_err(|source| RecordError::WriteFolder { path: std::env::temp_dir(), source })?;
        Ok(Handed { folder, inputs, are_made_up, command })
    }

    /// A process that has loaded a model, and what it says of it.
    ///
    /// # Errors
    ///
    /// If it does not load, or if no process can be started.
    pub(crate) fn load(&self, launch: &LaunchSpec) -> Result<(Apart, Described), RecordError> {
        let Handed { folder, inputs, are_made_up, command } = self;
        let job = Job::Serve(Box::new(ToServe {
            launch: launch.clone(),
            inputs: inputs.clone(),
            are_made_up: *are_made_up,
        }));
        let service = Service::start(command()).map_err(|error| refused(error.into()))?;
        let mut apart = Apart { service, folder: Rc::clone(folder) };
        match apart.ask(&job)? {
            Reply::Ready(described) => Ok((apart, *described)),
            other => Err(unexpected(&other)),
        }
    }
}

/// The other end of such a process, which ends with this.
pub(crate) struct Apart {
    service: Service<Reply>,
    /// For its outputs; its inputs are in it.
    folder: Rc<PrivateFolder>,
}

impl Apart {
    pub(super) fn next(&mut self) -> Result<Nanoseconds, RecordError> {
        match self.ask(&Question::Next)? {
            Reply::Ran(took) => Ok(took),
            other => Err(unexpected(&other)),
        }
    }

    pub(super) fn turn(&mut self, runs: u64) -> Result<f64, RecordError> {
        match self.ask(&Question::Turn(runs))? {
            Reply::Turned(latency) => Ok(latency),
            other => Err(unexpected(&other)),
        }
    }

    /// Outputs for each set of inputs, and of each step of a generation.
    pub(crate) fn outputs(&mut self) -> Result<Vec<Vec<Tensor>>, RecordError> {
        let unread = |path: PathBuf| move |source| RecordError::ReadFile { path, source };
        let folder = tempfile::tempdir_in(self.folder.path()).map_err(|source| {
            RecordError::WriteFolder { path: self.folder.path().to_path_buf(), source }
        })?;
        let count = match self.ask(&Question::Outputs(folder.path().into()))? {
            Reply::Written(count) => count,
            other => return Err(unexpected(&other)),
        };
        let read = |number: usize| {
            let path = folder.path().join(number.to_string());
            match stored::read(&path).map_err(unread(path))? {
                Workload::Inference(outputs) => Ok(outputs),
                Workload::Generation(_) => Ok(Vec::new()),
            }
        };
        (0..count).map(read).collect()
    }

    fn ask(&mut self, what: &impl Serialize) -> Result<Reply, RecordError> {
        // Who asks is itself a process that its parent ends.
        match self.service.ask(what, &|| false).map_err(refused)? {
            Reply::Failed(reason) => Err(RecordError::Apart { reason }),
            reply => Ok(reply),
        }
    }
}

fn refused(error: NoAnswer) -> RecordError {
    let reason = match error {
        NoAnswer::Ended(status) => format!("the engine ended its process: {status}"),
        NoAnswer::Refused(reason) => reason,
        NoAnswer::Io(error) => format!("no process can be started: {error}"),
        NoAnswer::Halted => "it was stopped".to_string(),
    };
    RecordError::Apart { reason }
}

fn unexpected(reply: &Reply) -> RecordError {
    RecordError::Apart { reason: format!("its process answers something else: {reply:?}") }
}
