//! A model whose outputs are known as it is, and which is pruned, run and compared.

use super::compared::{loss_inputs, seeds_held_out, seeds_of_search};
use super::divergence::{Output, cross_entropy};
use super::reference::{Reference, numbers};
use super::spec::{DenseRun, SensitivitySpec};
use crate::engine::{Engines, Instrumentation, LoadedModel, Model, setup};
use crate::error::{RecordError, Takes};
use crate::model::file::OnnxFile;
use crate::model::input_values::inputs::InputFiles;
use crate::model::input_values::made_up::of_made_up;
use crate::model::pruning::{Layers, Pruning};
use crate::tensor::Tensor;
use onnxray_format::{
    DenseLoss, LossData, LossMeasure, LossOutput, LossRun, LossScatter, Measured, VectorRegisters,
};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A model, its data, and its outputs as it is.
pub struct Bench {
    spec: SensitivitySpec,
    model: Model,
    layers: Layers,
    batches: Vec<Vec<Tensor>>,
    reference: Reference,
    labels: Option<Labels>,
    run: LossRun,
}

/// Labels of the data, and the output that they are compared with.
struct Labels {
    /// Position of the output of classes, and how it is compared.
    output: usize,
    measure: LossMeasure,
    /// Labels of all batches, concatenated.
    classes: Vec<i64>,
    dense: Loss,
}

/// Cross-entropies and share of labels that have the largest value.
struct Loss {
    /// Of each label, in nats.
    each: Vec<f64>,
    /// Their mean.
    mean: f64,
    accuracy: f64,
}

impl Bench {
    /// Loads the model and runs it as it is.
    ///
    /// # Errors
    ///
    /// If the model, its data or its labels cannot be read or do not fit, if the engine cannot
    /// run it, or if its outputs cannot be compared.
    pub fn open(engines: &dyn Engines, spec: SensitivitySpec) -> Result<Bench, RecordError> {
        let path = Path::new(&spec.model);
        let file = OnnxFile::read(path)?;
        let sizes = spec.data.sizes(&file.graph, &spec.dimensions)?;
        let (sha256, labels_sha256) = spec.data.hashes()?;
        // A thread each: as many run side by side as there are cores.
        let model = Model::load_in(engines, &spec.engine, path, &sizes, 1)?;
        let batches = batches(&model, &spec)?;
        let none = InputFiles::new();
        let is_random = spec.data.batches.is_empty();
        let ran = run(&*model.loaded, &batches).map_err(|error| match is_random {
            true => of_made_up(error, &model.file.graph, &none, Takes::Data),
            false => error,
        })?;
        let reference = Reference::of(&model.file, &ran, spec.measure)?;
        // After the dense run: only its outputs tell how many labels there should be.
        let labels = Labels::read(&spec, &reference)?;
        let items = model.bound.batch_size.map(|size| size * batches.len() as u64);
        let run = LossRun {
            file: model.file.identity(),
            setup: setup(&*model.engine, &model.bound),
            data: LossData {
                random: is_random,
                seed: is_random.then_some(spec.seed),
                batches: batches.len() as u64,
                items,
                sha256,
                labels_sha256,
            },
            block: spec.block,
            levels: Vec::new(),
            outputs: reference.outputs.clone(),
        };
        let layers = Layers::of(&model.file);
        Ok(Bench { spec, model, layers, batches, reference, labels, run })
    }

    /// Facts about the dense model.
    pub fn dense_run(&self) -> DenseRun {
        let dense = self.labels.as_ref().map(|labels| &labels.dense);
        let dense = DenseLoss {
            loss: dense.map(|dense| dense.mean),
            accuracy: dense.map(|dense| dense.accuracy),
        };
        DenseRun { run: self.run.clone(), dense }
    }

    /// Prunes these weights, runs the model, and compares.
    pub fn measure(&self, pruning: &Pruning) -> Measured {
        self.try_measure(pruning).unwrap_or_else(Measured::failed)
    }

    /// Prunes these weights, and compares the model with itself as it is on each of the inputs
    /// that no layer is measured on. There are none where inputs are files.
    ///
    /// # Errors
    ///
    /// Why there are no figures.
    pub fn hold_out(&self, pruning: &Pruning) -> Result<Vec<f64>, String> {
        let Bench { spec, model, .. } = self;
        // Files are all the inputs there are: docs/statistics.md#held-out.
        if !spec.data.batches.is_empty() || self.labels.is_some() {
            return Ok(Vec::new());
        }
        let inputs = seeds_held_out(loss_inputs(true), spec.seed);
        let inputs = inputs.map(|seed| model.inputs(&InputFiles::new(), seed));
        let inputs: Vec<_> = inputs.collect::<Result<_, _>>().map_err(text)?;
        let dense = run(&*model.loaded, &inputs).map_err(text)?;
        let pruned = run(&*self.pruned(pruning)?, &inputs).map_err(text)?;
        let each = dense.into_iter().zip(pruned).map(|(dense, pruned)| {
            let reference = Reference::of(&model.file, &[dense], spec.measure).map_err(text)?;
            let distance = reference.distance(&[pruned])?;
            distance.map(|(value, _)| value).ok_or("nothing can be compared".to_string())
        });
        each.collect()
    }

    fn try_measure(&self, pruning: &Pruning) -> Result<Measured, String> {
        let loaded = self.pruned(pruning)?;
        self.compare(&run(&*loaded, &self.batches).map_err(text)?)
    }

    fn pruned(&self, pruning: &Pruning) -> Result<Box<dyn LoadedModel>, String> {
        let Model { engine, file, bound, .. } = &self.model;
        let pruned = self.layers.pruned(file, self.spec.block, pruning)?;
        engine.load(&Rc::new(pruned), bound, 1).map_err(text)
    }

    fn compare(&self, ran: &[Vec<Tensor>]) -> Result<Measured, String> {
        let numbers: Vec<Vec<Option<Output>>> =
            ran.iter().map(|batch| batch.iter().map(numbers).collect()).collect();
        let farthest = self.reference.farthest(&numbers)?;
        let loss = self.labels.as_ref().map(|labels| labels.loss(&numbers)).transpose()?;
        let both = self.labels.as_ref().map(|labels| &labels.dense).zip(loss.as_ref());
        let scatter = match both {
            // Of each label's own change: how hard labels are differs far more.
            Some((dense, now)) => {
                let each = dense.each.iter().zip(&now.each).map(|(dense, now)| now - dense);
                LossScatter::of(&each.collect::<Vec<_>>())
            }
            None => farthest.as_ref().and_then(|farthest| LossScatter::of(&farthest.each)),
        };
        Ok(Measured {
            divergence: farthest.as_ref().map(|farthest| farthest.mean),
            output: farthest.map(|farthest| farthest.output.to_string()),
            loss_change: both.map(|(dense, now)| now.mean - dense.mean),
            accuracy_change: both.map(|(dense, now)| now.accuracy - dense.accuracy),
            scatter,
            failed: None,
            not_measured: false,
        })
    }
}

impl Labels {
    fn read(spec: &SensitivitySpec, reference: &Reference) -> Result<Option<Labels>, RecordError> {
        let Reference { outputs, batches: dense } = reference;
        let Some(path) = &spec.data.labels else { return Ok(None) };
        let is_of_classes = |output: &LossOutput| {
            output.measure.filter(|&measure| measure != LossMeasure::RelativeL2)
        };
        let found = outputs.iter().enumerate();
        let mut found = found.filter_map(|(at, output)| Some((at, is_of_classes(output)?)));
        let (output, measure) = found.next().ok_or(RecordError::NoClasses)?;
        let rows = dense.iter().filter_map(|batch| batch.get(output)?.as_ref());
        let count = rows.map(Output::row_count).sum();
        let classes = spec.data.labels(count)?.unwrap_or_default();
        let nothing = Loss { each: Vec::new(), mean: 0.0, accuracy: 0.0 };
        let mut labels = Labels { output, measure, classes, dense: nothing };
        let path = PathBuf::from(path);
        labels.dense = labels.loss(dense).map_err(|reason| RecordError::Labels { path, reason })?;
        Ok(Some(labels))
    }

    /// Mean over all labels.
    fn loss(&self, batches: &[Vec<Option<Output>>]) -> Result<Loss, String> {
        let (mut each, mut right) = (Vec::with_capacity(self.classes.len()), 0);
        let mut rest = self.classes.as_slice();
        for batch in batches {
            let output = batch.get(self.output).and_then(Option::as_ref);
            let output = output.ok_or("an output is missing")?;
            // Labels of all batches are one list: each output takes as many as it has rows.
            let (labels, behind) = rest
                .split_at_checked(output.row_count())
                .ok_or("its shape differs from the original model's")?;
            rest = behind;
            let (entropies, correct) = cross_entropy(self.measure, output, labels)?;
            each.extend(entropies);
            right += correct;
        }
        // Over labels, not batches: batches may have different numbers of rows.
        let count = self.classes.len().max(1) as f64;
        let mean = each.iter().sum::<f64>() / count;
        Ok(Loss { each, mean, accuracy: right as f64 / count })
    }
}

fn text(error: RecordError) -> String {
    error.to_string()
}

/// Inputs per batch. Where there are no files, made-up batches of several seeds: of one alone,
/// nothing tells how far its loss is from others'.
pub(super) fn batches(
    model: &Model,
    spec: &SensitivitySpec,
) -> Result<Vec<Vec<Tensor>>, RecordError> {
    if spec.data.batches.is_empty() {
        let mut batches: Vec<Vec<Tensor>> = Vec::new();
        for seed in seeds_of_search(loss_inputs(true), spec.seed) {
            let inputs = model.inputs(&InputFiles::new(), seed)?;
            // Some inputs are the same whatever the seed: to run them again tells nothing.
            if !batches.contains(&inputs) {
                batches.push(inputs);
            }
        }
        return Ok(batches);
    }
    spec.data.batches.iter().map(|file| of_file(model, file, spec.seed)).collect()
}

/// The inputs that layers are timed on.
pub(super) fn first_batch(
    model: &Model,
    spec: &SensitivitySpec,
) -> Result<Vec<Tensor>, RecordError> {
    match spec.data.batches.first() {
        Some(file) => of_file(model, file, spec.seed),
        None => model.inputs(&InputFiles::new(), spec.seed),
    }
}

fn of_file(model: &Model, file: &OsString, seed: u64) -> Result<Vec<Tensor>, RecordError> {
    let names = model.input_names();
    let files = names.iter().map(|name| (name.to_string(), file.clone())).collect();
    model.inputs(&files, seed)
}

/// Outputs per batch.
fn run(loaded: &dyn LoadedModel, batches: &[Vec<Tensor>]) -> Result<Vec<Vec<Tensor>>, RecordError> {
    let failed = |reason| RecordError::Run { reason };
    let mut runner = loaded.runner(VectorRegisters::AsIs, Instrumentation::None)?;
    let mut outputs = Vec::new();
    for inputs in batches {
        runner.clear();
        runner.prepare(inputs).map_err(failed)?;
        runner.run().map_err(|failure| failed(failure.reason))?;
        outputs.push(runner.outputs().map_err(failed)?);
    }
    Ok(outputs)
}
