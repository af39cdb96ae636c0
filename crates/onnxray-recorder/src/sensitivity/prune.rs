//! The blocks of a weight in the order in which they are pruned, and the weight without them.

use crate::model::values::Values;
use half::{bf16, f16};
use onnxray_format::{Block, DataType};

/// A weight whose blocks are in the order in which they go.
pub(super) struct Blocks {
    values: Values,
    /// Size of a block.
    rows: usize,
    columns: usize,
    /// Whole blocks side by side.
    across: usize,
    /// Numbers of blocks, the smallest first. Blocks are numbered as they lie: along the
    /// inputs of the first outputs, then along those of the next.
    order: Vec<usize>,
    /// Sum of the absolute elements, and of their squares.
    l1: f64,
    squares: f64,
}

/// What goes when a weight is pruned to a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Removed {
    /// Elements of the blocks that go.
    pub(super) elements: u64,
    /// Their share of the weight's L1 norm; `None` if that is zero.
    pub(super) l1: Option<f64>,
    /// Their L2 norm by that of the weight; `None` if that is zero.
    pub(super) l2: Option<f64>,
}

impl Blocks {
    /// The blocks of a weight.
    ///
    /// # Errors
    ///
    /// Why it cannot be pruned.
    pub(super) fn new(values: Values, block: Block) -> Result<Blocks, String> {
        let (rows, columns) = (block.outputs as usize, block.inputs as usize);
        let (down, across) = (values.outputs / rows.max(1), values.inputs / columns.max(1));
        if rows * columns == 0 || down * across == 0 {
            return Err(format!("it has no whole block of {block}"));
        }
        let (mut l1, mut squares) = (0.0, 0.0);
        for output in 0..values.outputs {
            for input in 0..values.inputs {
                let magnitude = magnitude(&values, output, input);
                l1 += magnitude;
                squares += magnitude * magnitude;
            }
        }
        if !squares.is_finite() {
            return Err("it has elements that are not finite".to_string());
        }
        let sum = |block: usize| -> f64 {
            let (top, left) = (block / across * rows, block % across * columns);
            let cells = (top..top + rows)
                .flat_map(|output| (left..left + columns).map(move |input| (output, input)));
            cells.map(|(output, input)| magnitude(&values, output, input)).sum()
        };
        let sums: Vec<f64> = (0..down * across).map(sum).collect();
        let mut order: Vec<usize> = (0..sums.len()).collect();
        // It keeps the order of those that are equal.
        order.sort_by(|&a, &b| sums[a].total_cmp(&sums[b]));
        Ok(Blocks { values, rows, columns, across, order, l1, squares })
    }

    /// Sum of the absolute real values and root of the sum of their squares; `None` if they
    /// are unknown.
    pub(super) fn norms(&self) -> Option<(f64, f64)> {
        self.values.are_real().then_some((self.l1, self.squares.sqrt()))
    }

    /// The blocks that go at a level: its share of all, rounded, halves up.
    fn gone(&self, level: f64) -> &[usize] {
        let count = (level * self.order.len() as f64).round() as usize;
        &self.order[..count.min(self.order.len())]
    }

    /// Output and input of the elements of a block.
    fn cells(&self, block: usize) -> impl Iterator<Item = (usize, usize)> {
        let (rows, columns) = (self.rows, self.columns);
        let (top, left) = (block / self.across * rows, block % self.across * columns);
        (top..top + rows)
            .flat_map(move |output| (left..left + columns).map(move |input| (output, input)))
    }

    /// What goes at a level.
    pub(super) fn removed(&self, level: f64) -> Removed {
        let gone = self.gone(level);
        let (mut l1, mut squares) = (0.0, 0.0);
        for (output, input) in gone.iter().flat_map(|&block| self.cells(block)) {
            let magnitude = magnitude(&self.values, output, input);
            l1 += magnitude;
            squares += magnitude * magnitude;
        }
        let elements = (gone.len() * self.rows * self.columns) as u64;
        let is_zero = self.l1 == 0.0;
        Removed {
            elements,
            l1: (!is_zero).then(|| l1 / self.l1),
            l2: (!is_zero).then(|| (squares / self.squares).sqrt()),
        }
    }

    /// The weight at a level as it is stored: elements that go are as zero is stored.
    /// `None` if elements of that type cannot be written.
    pub(super) fn pruned(&self, level: f64, data_type: DataType) -> Option<Vec<u8>> {
        let mut numbers = self.values.numbers.clone();
        for (output, input) in self.gone(level).iter().flat_map(|&block| self.cells(block)) {
            numbers[self.values.position(output, input)] = self.values.zero(output);
        }
        encoded(&numbers, data_type)
    }
}

/// How far an element is from zero: absolute, in real values or, where their scale is unknown,
/// in steps.
fn magnitude(values: &Values, output: usize, input: usize) -> f64 {
    let number = values.numbers[values.position(output, input)];
    ((number - values.zero(output)) * values.scale(output)).abs()
}

/// Whether [`Blocks::pruned`] writes elements of a type.
pub(super) fn is_encoded(data_type: DataType) -> bool {
    encoded(&[], data_type).is_some()
}

/// Numbers that came from elements of that type, as these again.
fn encoded(numbers: &[f64], data_type: DataType) -> Option<Vec<u8>> {
    let bytes = numbers.iter();
    Some(match data_type {
        DataType::Fp64 => bytes.flat_map(|number| number.to_le_bytes()).collect(),
        DataType::Fp32 => bytes.flat_map(|&number| (number as f32).to_le_bytes()).collect(),
        DataType::Fp16 => bytes.flat_map(|&number| f16::from_f64(number).to_le_bytes()).collect(),
        DataType::Bf16 => bytes.flat_map(|&number| bf16::from_f64(number).to_le_bytes()).collect(),
        DataType::S8 => bytes.flat_map(|&number| (number as i8).to_le_bytes()).collect(),
        DataType::U8 => bytes.flat_map(|&number| (number as u8).to_le_bytes()).collect(),
        _ => return None,
    })
}
