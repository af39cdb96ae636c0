//! What is kept of a weight.

use thiserror::Error;

/// Outputs of a block.
pub const BLOCK_OUTPUTS: usize = 4;

/// A weight of outputs x inputs whose zero blocks are left out: any sparsity of blocks of 4 outputs
/// x 1 input, and of larger blocks that are made of these.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    inputs: usize,
    /// For each group of 4 outputs, where its blocks begin; then where the last one ends.
    starts: Vec<usize>,
    blocks: Vec<Block>,
}

/// Values of 4 outputs for one input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) input: u32,
    pub(crate) values: [f32; BLOCK_OUTPUTS],
}

/// Why a weight is not kept in blocks.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WeightError {
    /// Outputs do not come in fours.
    #[error("{0} outputs are not a multiple of {BLOCK_OUTPUTS}")]
    Outputs(usize),
    /// More inputs than are counted.
    #[error("{0} inputs are more than 4,294,967,295")]
    Inputs(usize),
    /// An element is infinite or not a number.
    #[error("the weight of output {output} and input {input} is {value}")]
    NotFinite {
        /// Row.
        output: usize,
        /// Column.
        input: usize,
        /// What it is.
        value: f32,
    },
}

impl Weight {
    /// From `rows`: outputs x inputs, one output after the other.
    ///
    /// # Errors
    ///
    /// If outputs do not come in fours, or an element is not finite.
    ///
    /// # Panics
    ///
    /// If there are not `outputs * inputs` elements.
    pub fn new(rows: &[f32], outputs: usize, inputs: usize) -> Result<Self, WeightError> {
        assert_eq!(rows.len(), outputs * inputs, "outputs x inputs");
        if !outputs.is_multiple_of(BLOCK_OUTPUTS) {
            return Err(WeightError::Outputs(outputs));
        }
        if u32::try_from(inputs).is_err() {
            return Err(WeightError::Inputs(inputs));
        }
        if let Some(at) = rows.iter().position(|value| !value.is_finite()) {
            let (output, input) = (at / inputs, at % inputs);
            return Err(WeightError::NotFinite { output, input, value: rows[at] });
        }
        let mut weight = Self { inputs, starts: vec![0], blocks: Vec::new() };
        for group in rows.chunks_exact((BLOCK_OUTPUTS * inputs).max(1)) {
            weight.blocks.extend(
                (0..inputs as u32).map(|input| block(group, inputs, input)).filter(Block::is_kept),
            );
            weight.starts.push(weight.blocks.len());
        }
        weight.starts.resize(outputs / BLOCK_OUTPUTS + 1, 0);
        Ok(weight)
    }

    /// Rows.
    pub fn outputs(&self) -> usize {
        self.groups() * BLOCK_OUTPUTS
    }

    /// Columns.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Share of blocks that are zero, from 0 to 1; 0 of a weight without elements.
    pub fn zero_share(&self) -> f64 {
        share(self.blocks.len(), self.groups() * self.inputs)
    }

    pub(crate) fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// Blocks of 4 outputs, from the first input to the last.
    pub(crate) fn group(&self, group: usize) -> &[Block] {
        &self.blocks[self.starts[group]..self.starts[group + 1]]
    }
}

/// Share of the blocks of 4 outputs x 1 input that are zero in `rows`, outputs x inputs; of the
/// whole fours, if outputs do not come in fours; 0 without any.
pub fn zero_share(rows: &[f32], inputs: usize) -> f64 {
    let groups = rows.chunks_exact((BLOCK_OUTPUTS * inputs).max(1));
    let all = groups.len() * inputs;
    let kept = groups.map(|group| {
        (0..inputs as u32).filter(|&input| block(group, inputs, input).is_kept()).count()
    });
    share(kept.sum(), all)
}

fn share(kept: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { (all - kept) as f64 / all as f64 }
}

fn block(group: &[f32], inputs: usize, input: u32) -> Block {
    Block { input, values: std::array::from_fn(|row| group[row * inputs + input as usize]) }
}

impl Block {
    fn is_kept(&self) -> bool {
        self.values.iter().any(|&value| value != 0.0)
    }
}
