//! The blocks of a weight in the order in which they are pruned, and the weight without them.

use crate::model::constants::values::Values;
use half::{bf16, f16};
use onnxray_format::{Block, DataType};

/// A weight whose blocks are in the order in which they go.
pub(crate) struct Blocks {
    values: Values,
    /// Rows and columns of a block.
    rows: usize,
    columns: usize,
    /// Whole blocks per row of blocks.
    across: usize,
    /// Numbers of blocks by ascending magnitude. Blocks are numbered row by row.
    order: Vec<usize>,
    /// Sum of the absolute elements, and of their squares.
    l1: f64,
    squares: f64,
}

/// Size of what is pruned at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Removed {
    /// Elements of the blocks that go.
    pub(crate) elements: u64,
    /// Their share of the weight's L1 norm; `None` if that is zero.
    pub(crate) l1: Option<f64>,
    /// Their L2 norm by that of the weight; `None` if that is zero.
    pub(crate) l2: Option<f64>,
}

impl Blocks {
    /// The blocks of a weight.
    ///
    /// # Errors
    ///
    /// Why it cannot be pruned.
    pub(crate) fn new(values: Values, block: Block) -> Result<Blocks, String> {
        let (rows, columns) = (block.outputs as usize, block.inputs as usize);
        let (down, across) = (values.outputs / rows.max(1), values.inputs / columns.max(1));
        // Rows and columns beyond whole blocks are never pruned.
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
        // One infinite or NaN element makes all shares meaningless.
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
    pub(crate) fn norms(&self) -> Option<(f64, f64)> {
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

    pub(crate) fn removed(&self, level: f64) -> Removed {
        let gone = self.gone(level);
        let (mut l1, mut squares) = (0.0, 0.0);
        for (output, input) in gone.iter().flat_map(|&block| self.cells(block)) {
            let magnitude = magnitude(&self.values, output, input);
            l1 += magnitude;
            squares += magnitude * magnitude;
        }
        let elements = (gone.len() * self.rows * self.columns) as u64;
        // A share of nothing is unknown, not 0.
        let is_zero = self.l1 == 0.0;
        Removed {
            elements,
            l1: (!is_zero).then(|| l1 / self.l1),
            l2: (!is_zero).then(|| (squares / self.squares).sqrt()),
        }
    }

    /// The weight at a level as it is stored: elements that go are as zero is stored.
    /// `None` if elements of that type cannot be written.
    pub(crate) fn pruned(&self, level: f64, data_type: DataType) -> Option<Vec<u8>> {
        let mut numbers = self.values.numbers.clone();
        for (output, input) in self.gone(level).iter().flat_map(|&block| self.cells(block)) {
            // A quantized zero is the zero point, not the number 0.
            numbers[self.values.position(output, input)] = self.values.zero(output, input);
        }
        encoded(&numbers, data_type)
    }

    /// Positions, among the elements as they are stored, of those that go at a level.
    pub(crate) fn positions(&self, level: f64) -> impl Iterator<Item = usize> {
        let cells = self.gone(level).iter().flat_map(|&block| self.cells(block));
        cells.map(|(output, input)| self.values.position(output, input))
    }

    /// Share of zero blocks as it is, and once a level is pruned.
    pub(crate) fn sparse_ratios(&self, level: f64) -> [f64; 2] {
        // Those of zeros alone are the first in order.
        let is_zero = |&block: &usize| {
            self.cells(block).all(|(output, input)| magnitude(&self.values, output, input) == 0.0)
        };
        let zero = self.order.partition_point(is_zero);
        let all = self.order.len() as f64;
        [zero, self.gone(level).len().max(zero)].map(|blocks| blocks as f64 / all)
    }
}

/// Distance of an element from zero, in real values or, if their scale is unknown, in steps.
fn magnitude(values: &Values, output: usize, input: usize) -> f64 {
    let number = values.numbers[values.position(output, input)];
    ((number - values.zero(output, input)) * values.scale(output, input)).abs()
}

/// Whether elements of this type can be written by [`Blocks::pruned`].
pub(crate) fn is_encoded(data_type: DataType) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::constants::values::{Elements, Spread, Stored};
    use proptest::prelude::*;

    /// A weight of such elements, of which each output has its own zero point and scale.
    #[derive(Clone, Debug)]
    struct Made {
        stored: Stored,
        numbers: Vec<f64>,
        zero_points: Vec<f64>,
        scales: Vec<f64>,
    }

    impl Made {
        fn blocks(&self, block: Block) -> Result<Blocks, String> {
            let elements = Elements::new(|name| match name {
                "w" => Some(self.numbers.clone()),
                "zero" => Some(self.zero_points.clone()),
                _ => Some(self.scales.clone()),
            });
            Blocks::new(elements.values(&self.stored).unwrap(), block)
        }

        fn position(&self, output: usize, input: usize) -> usize {
            match self.stored.rows_are_outputs {
                true => output * self.stored.inputs + input,
                false => input * self.stored.outputs + output,
            }
        }

        fn real(&self, output: usize, input: usize) -> f64 {
            let number = self.numbers[self.position(output, input)];
            (number - self.zero_points[output]) * self.scales[output]
        }
    }

    prop_compose! {
        fn made()(
            outputs in 1usize..14,
            inputs in 1usize..40,
            rows_are_outputs in any::<bool>(),
        )(
            numbers in prop::collection::vec(-20i32..20, outputs * inputs),
            zero_points in prop::collection::vec(-3i32..3, outputs),
            scales in prop::collection::vec(1i32..4, outputs),
            (outputs, inputs, rows_are_outputs) in Just((outputs, inputs, rows_are_outputs)),
        ) -> Made {
            let stored = Stored {
                name: "w".to_string(),
                data_type: DataType::S8,
                zero_point: Some("zero".to_string()),
                scale: Some("scale".to_string()),
                spread: Some(Spread { outputs: 1, inputs }),
                outputs,
                inputs,
                rows_are_outputs,
                packed: None,
            };
            let floats = |numbers: Vec<i32>| numbers.into_iter().map(f64::from).collect();
            Made {
                stored,
                numbers: floats(numbers),
                zero_points: floats(zero_points),
                scales: floats(scales),
            }
        }
    }

    proptest! {
        #[test]
        fn the_smallest_blocks_go_and_nothing_else(
            made in made(),
            block in prop::sample::select(Block::ALL.to_vec()),
            level in 0.01f64..0.99,
        ) {
            let (rows, columns) = (block.outputs as usize, block.inputs as usize);
            let (down, across) = (made.stored.outputs / rows, made.stored.inputs / columns);
            let blocks = match made.blocks(block) {
                Err(_) => {
                    prop_assert_eq!(down * across, 0);
                    return Ok(());
                }
                Ok(blocks) => blocks,
            };
            let bytes = blocks.pruned(level, DataType::S8).unwrap();
            let after: Vec<f64> = bytes.iter().map(|&byte| f64::from(byte as i8)).collect();
            // Block by block, with sums and whether all of it became zero.
            let count = (level * (down * across) as f64).round() as usize;
            let (mut gone, mut kept) = (Vec::new(), Vec::new());
            let (mut l1, mut squares) = (0.0, 0.0);
            let chosen: Vec<usize> = blocks.gone(level).to_vec();
            prop_assert_eq!(chosen.len(), count);
            for number in 0..down * across {
                let (top, left) = (number / across * rows, number % across * columns);
                let mut sum = 0.0;
                for output in top..top + rows {
                    for input in left..left + columns {
                        let at = made.position(output, input);
                        let real = made.real(output, input);
                        sum += real.abs();
                        if chosen.contains(&number) {
                            prop_assert_eq!(after[at], made.zero_points[output]);
                            l1 += real.abs();
                            squares += real * real;
                        } else {
                            prop_assert_eq!(after[at], made.numbers[at]);
                        }
                    }
                }
                (if chosen.contains(&number) { &mut gone } else { &mut kept }).push((sum, number));
            }
            // Of equal ones the first go.
            let before = |a: &(f64, usize), b: &(f64, usize)| {
                a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).is_lt()
            };
            prop_assert!(gone.iter().all(|gone| kept.iter().all(|kept| before(gone, kept))));
            // The remainder stays.
            for output in 0..made.stored.outputs {
                for input in 0..made.stored.inputs {
                    if output >= down * rows || input >= across * columns {
                        let at = made.position(output, input);
                        prop_assert_eq!(after[at], made.numbers[at]);
                    }
                }
            }
            let removed = blocks.removed(level);
            prop_assert_eq!(removed.elements as usize, count * rows * columns);
            let all = (0..made.stored.outputs).flat_map(|output| {
                let made = &made;
                (0..made.stored.inputs).map(move |input| made.real(output, input))
            });
            let all: Vec<f64> = all.collect();
            let sum: f64 = all.iter().map(|real| real.abs()).sum();
            match removed.l1.zip(removed.l2) {
                None => prop_assert_eq!(sum, 0.0),
                Some((share, norm)) => {
                    prop_assert!((share - l1 / sum).abs() < 1e-12);
                    let whole: f64 = all.iter().map(|real| real * real).sum();
                    prop_assert!((norm - (squares / whole).sqrt()).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn numbers_are_stored_as_they_were() {
        let numbers = [1.5, -0.0, 65504.0, -2.0f64.powi(-14)];
        for data_type in [DataType::Fp64, DataType::Fp32, DataType::Fp16] {
            let bytes = encoded(&numbers, data_type).unwrap();
            let read: Vec<f64> = match data_type {
                DataType::Fp64 => {
                    bytes.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
                }
                DataType::Fp32 => bytes
                    .chunks(4)
                    .map(|b| f32::from_le_bytes(b.try_into().unwrap()).into())
                    .collect(),
                _ => bytes
                    .chunks(2)
                    .map(|b| f16::from_le_bytes(b.try_into().unwrap()).into())
                    .collect(),
            };
            assert!(read.iter().zip(&numbers).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
        assert_eq!(encoded(&[-1.0, 1.0], DataType::Bf16).unwrap(), [0x80, 0xbf, 0x80, 0x3f]);
        assert_eq!(encoded(&[255.0], DataType::U8).unwrap(), [255]);
        assert_eq!(encoded(&[-128.0], DataType::S8).unwrap(), [128]);
        assert!(encoded(&[], DataType::S32).is_none());
    }
}
