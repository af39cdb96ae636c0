//! What a model runs on: the same inputs each time, or the steps of a generation.

pub(crate) mod stored;

use crate::tensor::Tensor;
use onnxray_format::Step;

/// The work of an iteration.
#[derive(Clone, Debug)]
pub enum Workload {
    /// One run, on these inputs in the order of the graph's.
    Inference(Vec<Tensor>),
    /// A run for each step, in their order.
    Generation(GenerationInputs),
}

/// Inputs of the steps of a generation.
#[derive(Clone, Debug)]
pub struct GenerationInputs {
    /// Positions of the outputs that become inputs of the next step, and of these inputs.
    pub(crate) feeds: Vec<(usize, usize)>,
    pub(crate) steps: Vec<StepInputs>,
    /// Inputs of a typical step of each phase, for engines that describe a model by running it.
    pub(crate) typical: [Vec<Tensor>; 2],
}

#[derive(Clone, Debug)]
pub(crate) struct StepInputs {
    pub(crate) step: Step,
    /// In the order of the graph's inputs; `None` if the step before computes it.
    pub(crate) inputs: Vec<Option<Tensor>>,
}

impl Workload {
    /// Has two neighbours of each input change places, others for each `step`.
    pub(crate) fn swap_neighbours(&mut self, step: usize) {
        let swap = |input: &mut Tensor| input.swap_neighbours(step);
        match self {
            Workload::Inference(inputs) => inputs.iter_mut().for_each(swap),
            Workload::Generation(GenerationInputs { steps, .. }) => {
                steps.iter_mut().flat_map(|step| &mut step.inputs).flatten().for_each(swap);
            }
        }
    }

    /// Positions of outputs that the next step takes, which nobody else sees.
    pub(crate) fn handed_on(&self) -> impl Iterator<Item = usize> {
        let feeds = match self {
            Workload::Inference(_) => &[][..],
            Workload::Generation(generation) => &generation.feeds,
        };
        feeds.iter().map(|(output, _)| *output)
    }
}

impl From<Vec<Tensor>> for Workload {
    fn from(inputs: Vec<Tensor>) -> Workload {
        Workload::Inference(inputs)
    }
}
