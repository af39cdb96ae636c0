//! Outputs of a model as it is, which those of others are compared with.

use super::divergence::{Output, divergence};
use super::measure::measure;
use super::spec::MeasureChoice;
use crate::error::RecordError;
use crate::model::file::OnnxFile;
use crate::tensor::{Element, Tensor, dispatch};
use onnxray_format::{LossMeasure, LossOutput, MixQuality};

/// Outputs of a model as it is, of each batch.
pub(crate) struct Reference {
    /// How each output is compared.
    pub(crate) outputs: Vec<LossOutput>,
    /// By batch and output; `None` for outputs that are not compared.
    pub(super) batches: Vec<Vec<Option<Output>>>,
}

/// An output, and how far it is from the reference.
pub(super) struct Farthest<'a> {
    /// Over batches.
    pub(super) mean: f64,
    /// Of each batch.
    pub(super) each: Vec<f64>,
    pub(super) output: &'a str,
}

impl Reference {
    /// Keeps the outputs of each batch that can be compared.
    ///
    /// # Errors
    ///
    /// If no output can be compared, or one holds what is not a number.
    pub(crate) fn of(
        file: &OnnxFile,
        ran: &[Vec<Tensor>],
        choice: MeasureChoice,
    ) -> Result<Reference, RecordError> {
        let first = ran.first().map_or(&[][..], Vec::as_slice);
        let outputs = outputs(file, choice, first);
        if outputs.iter().all(|output| output.measure.is_none()) {
            return Err(RecordError::NothingToCompare);
        }
        let compared = |tensors: &Vec<Tensor>| -> Vec<Option<Output>> {
            let tensors = outputs.iter().zip(tensors);
            tensors.map(|(output, tensor)| output.measure.and_then(|_| numbers(tensor))).collect()
        };
        let batches: Vec<Vec<Option<Output>>> = ran.iter().map(compared).collect();
        for (output, values) in batches.iter().flat_map(|batch| outputs.iter().zip(batch)) {
            // Any distance to NaN is NaN: all prunings would look alike.
            if values.as_ref().is_some_and(Output::has_nan) {
                return Err(RecordError::NotANumber { output: output.name.clone() });
            }
        }
        Ok(Reference { outputs, batches })
    }

    /// Distance of the farthest output, a mean over batches, and its name.
    ///
    /// # Errors
    ///
    /// Why they cannot be compared.
    pub(crate) fn distance(&self, ran: &[Vec<Tensor>]) -> Result<Option<(f64, &str)>, String> {
        let farthest = self.farthest(&numbers_of(ran))?;
        Ok(farthest.map(|farthest| (farthest.mean, farthest.output)))
    }

    /// The same as a trial keeps it.
    ///
    /// # Errors
    ///
    /// As [`Reference::distance`].
    pub(crate) fn quality(&self, ran: &[Vec<Tensor>]) -> Result<MixQuality, String> {
        let batches = numbers_of(ran);
        let farthest = self.farthest(&batches)?;
        let output = farthest.as_ref().map(|farthest| farthest.output.to_string());
        let changed_tokens = self.changed_tokens(&batches);
        Ok(MixQuality { loss: farthest.map(|farthest| farthest.mean), output, changed_tokens })
    }

    /// Share of rows of logits or probabilities whose largest element is another one; `None` without
    /// such an output.
    fn changed_tokens(&self, batches: &[Vec<Option<Output>>]) -> Option<f64> {
        let (mut rows, mut changed) = (0, 0);
        for (position, output) in self.outputs.iter().enumerate() {
            if !matches!(output.measure, Some(LossMeasure::KlLogits | LossMeasure::KlProbabilities))
            {
                continue;
            }
            for (reference, other) in self.batches.iter().zip(batches) {
                let [own, other] = [reference, other].map(|all| all.get(position)?.as_ref());
                let [own, other] = [own?.largest(), other?.largest()];
                rows += own.len();
                changed += own.iter().zip(&other).filter(|(own, other)| own != other).count();
            }
        }
        (rows > 0).then(|| changed as f64 / rows as f64)
    }

    /// The output that is farthest from the reference.
    ///
    /// # Errors
    ///
    /// Why they cannot be compared.
    pub(super) fn farthest(
        &self,
        batches: &[Vec<Option<Output>>],
    ) -> Result<Option<Farthest<'_>>, String> {
        let mut largest: Option<Farthest<'_>> = None;
        for (position, output) in self.outputs.iter().enumerate() {
            let Some(measure) = output.measure else { continue };
            let mut each = Vec::with_capacity(batches.len());
            for (reference, other) in self.batches.iter().zip(batches) {
                let both = reference.get(position).and_then(Option::as_ref);
                let both = both.zip(other.get(position).and_then(Option::as_ref));
                let (reference, other) = both.ok_or("an output is missing")?;
                if other.has_nan() {
                    return Err(format!("output `{}` holds NaN", output.name));
                }
                let diverged = divergence(measure, reference, other);
                each.push(diverged.map_err(|why| format!("output `{}`: {why}", output.name))?);
            }
            // A step of a generation counts as much as its prompt does.
            let mean = each.iter().sum::<f64>() / self.batches.len().max(1) as f64;
            // The farthest output counts: a mean over outputs would hide one that broke.
            if largest.as_ref().is_none_or(|known| mean > known.mean) {
                largest = Some(Farthest { mean, each, output: &output.name });
            }
        }
        Ok(largest)
    }
}

fn outputs(file: &OnnxFile, choice: MeasureChoice, tensors: &[Tensor]) -> Vec<LossOutput> {
    let named = file.graph.outputs.iter().zip(tensors);
    let output = |(name, tensor): (&String, &Tensor)| match tensor {
        Tensor::Text(_) | Tensor::Zeros(_) | Tensor::Sequence(_) => LossOutput {
            name: name.clone(),
            measure: None,
            reason: "it holds no numbers".to_string(),
        },
        tensor => measure(file, name, tensor.shape(), choice),
    };
    named.map(output).collect()
}

/// All outputs, by batch.
fn numbers_of(ran: &[Vec<Tensor>]) -> Vec<Vec<Option<Output>>> {
    ran.iter().map(|batch| batch.iter().map(numbers).collect()).collect()
}

/// The elements of an output; `None` if they are not numbers.
pub(super) fn numbers(tensor: &Tensor) -> Option<Output> {
    let last = tensor.shape().last().copied().unwrap_or(1);
    dispatch!(T => if let Some(array) = T::array(tensor) {
        let values = array.iter().map(|value| value.to_double()).collect();
        return Some(Output { values, last });
    });
    None
}

/// Relative L2 distance of two tensors; `None` if they are not numbers, infinite if shapes differ.
pub(crate) fn relative_distance(reference: &Tensor, other: &Tensor) -> Option<f64> {
    let (reference_numbers, other_numbers) = (numbers(reference)?, numbers(other)?);
    if reference.shape() != other.shape() {
        return Some(f64::INFINITY);
    }
    Some(super::divergence::relative_l2(&reference_numbers.values, &other_numbers.values))
}
