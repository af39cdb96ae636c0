//! The elements of a weight: which are zero, and how large they are.

use onnxray_format::{Block, DataType, MAGNITUDE_PARTS, SparseRatio, part_start};
use std::cell::RefCell;
use std::collections::HashMap;

/// Gives the elements of a constant by its name.
type Read<'a> = Box<dyn Fn(&str) -> Option<Vec<f64>> + 'a>;

/// The elements of the constants, and what is known of the weights that they make.
pub(crate) struct Elements<'a> {
    read: Read<'a>,
    /// A model may use one weight in many nodes: it is read for the first.
    known: RefCell<HashMap<Stored, Contents>>,
}

/// What the elements of a weight tell.
#[derive(Clone)]
pub(super) struct Contents {
    pub(super) sparse_ratios: Vec<SparseRatio>,
    pub(super) magnitudes: Vec<f32>,
}

impl<'a> Elements<'a> {
    /// `read` takes a constant's name and gives its elements in the order in which they
    /// are stored; `None` if they cannot be read.
    pub(crate) fn new(read: impl Fn(&str) -> Option<Vec<f64>> + 'a) -> Elements<'a> {
        Elements { read: Box::new(read), known: RefCell::default() }
    }

    /// The elements of a constant.
    pub(crate) fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        (self.read)(name)
    }

    /// The elements of a weight; `None` if they or their zero points cannot be read.
    pub(crate) fn values(&self, stored: &Stored) -> Option<Values> {
        Values::read(stored, &self.read)
    }

    /// Sparse ratios and magnitudes of a weight.
    pub(super) fn contents(&self, stored: Stored) -> Contents {
        if let Some(contents) = self.known.borrow().get(&stored) {
            return contents.clone();
        }
        let values = Values::read(&stored, &self.read);
        let zeros = values.as_ref().map(Values::zeros);
        let ratio = |block| sparse_ratio(zeros.as_ref()?, stored.outputs, stored.inputs, block);
        let contents = Contents {
            sparse_ratios: Block::ALL
                .iter()
                .map(|&block| SparseRatio { block, ratio: ratio(block) })
                .collect(),
            magnitudes: values.map_or_else(Vec::new, |values| values.magnitudes()),
        };
        self.known.borrow_mut().insert(stored, contents.clone());
        contents
    }
}

/// The constant that holds a weight, and what makes its real values of it:
/// (element - zero point) * scale.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stored {
    pub(crate) name: String,
    pub(crate) data_type: DataType,
    pub(crate) zero_point: Option<String>,
    pub(crate) scale: Option<String>,
    /// Whether there may be a zero point and a scale for each output.
    pub(crate) per_output: bool,
    pub(crate) outputs: usize,
    pub(crate) inputs: usize,
    /// Whether it is stored as outputs x inputs; otherwise inputs x outputs.
    pub(crate) rows_are_outputs: bool,
}

/// The elements of a weight in the order in which they are stored.
pub(crate) struct Values {
    pub(crate) numbers: Vec<f64>,
    /// One, or one per output.
    zero_points: Vec<f64>,
    /// The same; `None` if unknown.
    scales: Option<Vec<f64>>,
    pub(crate) outputs: usize,
    pub(crate) inputs: usize,
    rows_are_outputs: bool,
}

impl Values {
    /// Position of an element among those that are stored.
    pub(crate) fn position(&self, output: usize, input: usize) -> usize {
        match self.rows_are_outputs {
            true => output * self.inputs + input,
            false => input * self.outputs + output,
        }
    }

    /// What an element of that output is stored as if it is zero.
    pub(crate) fn zero(&self, output: usize) -> f64 {
        of_output(&self.zero_points, output)
    }

    /// What a step of an element of that output is worth; 1 if it is unknown.
    pub(crate) fn scale(&self, output: usize) -> f64 {
        self.scales.as_ref().map_or(1.0, |scales| of_output(scales, output))
    }

    /// Whether it is known what the elements stand for.
    pub(crate) fn are_real(&self) -> bool {
        self.scales.is_some()
    }

    /// `None` if the elements or their zero points cannot be read.
    fn read(stored: &Stored, elements: &dyn Fn(&str) -> Option<Vec<f64>>) -> Option<Values> {
        let &Stored { outputs, inputs, rows_are_outputs, .. } = stored;
        let usable = |numbers: &Vec<f64>| {
            numbers.len() == 1 || (numbers.len() == outputs && stored.per_output)
        };
        let factors = |name: &String| elements(name).filter(usable);
        let numbers = elements(&stored.name)?;
        let zero_points = stored.zero_point.as_ref().map_or(Some(vec![0.0]), factors)?;
        let scales = match &stored.scale {
            Some(name) => factors(name),
            // What integers without a scale stand for is unknown.
            None => is_real(stored.data_type).then(|| vec![1.0]),
        };
        let whole = numbers.len() == outputs.checked_mul(inputs)?;
        whole.then_some(Values { numbers, zero_points, scales, outputs, inputs, rows_are_outputs })
    }

    /// Which elements are zero, row-major in outputs x inputs. An element of a
    /// quantized weight is zero where it equals its zero point, which may differ
    /// per output.
    fn zeros(&self) -> Vec<bool> {
        let &Values { outputs, inputs, .. } = self;
        let zero = |output: usize, input: usize| {
            self.numbers[self.position(output, input)] == self.zero(output)
        };
        (0..outputs * inputs).map(|index| zero(index / inputs, index % inputs)).collect()
    }

    /// Mean absolute value of each part of the elements, smallest first. Empty
    /// if it is unknown: without a scale, if an element is not finite, or if
    /// there are fewer elements than parts.
    fn magnitudes(&self) -> Vec<f32> {
        let Some(mut sorted) = self.scales.as_ref().and_then(|scales| self.absolute(scales)) else {
            return Vec::new();
        };
        let count = sorted.len();
        if count < MAGNITUDE_PARTS {
            return Vec::new();
        }
        sorted.sort_unstable();
        let part = |part| &sorted[part_start(part, count)..part_start(part + 1, count)];
        (0..MAGNITUDE_PARTS).map(|number| mean(part(number))).collect()
    }

    /// Absolute values as bits, which have the same order and sort faster;
    /// `None` if one is not finite.
    fn absolute(&self, scales: &[f64]) -> Option<Vec<u32>> {
        let &Values { outputs, inputs, rows_are_outputs, .. } = self;
        let absolute = |(index, number): (usize, &f64)| {
            let output = if rows_are_outputs { index / inputs } else { index % outputs };
            let zero_point = of_output(&self.zero_points, output);
            let value = ((number - zero_point) * of_output(scales, output)).abs() as f32;
            value.is_finite().then_some(value.to_bits())
        };
        self.numbers.iter().enumerate().map(absolute).collect()
    }
}

/// The only one there is, or that of the output.
fn of_output(values: &[f64], output: usize) -> f64 {
    values[if values.len() == 1 { 0 } else { output }]
}

fn is_real(data_type: DataType) -> bool {
    matches!(data_type, DataType::Fp64 | DataType::Fp32 | DataType::Fp16 | DataType::Bf16)
}

/// Rounded to seven digits: more would only make the recording longer.
fn mean(bits: &[u32]) -> f32 {
    let sum: f64 = bits.iter().map(|&bits| f64::from(f32::from_bits(bits))).sum();
    let mean = sum / bits.len() as f64;
    format!("{mean:.6e}").parse().unwrap_or(mean as f32)
}

/// Share of blocks in which every element is zero. Remainders beyond a multiple
/// of the block are left out; `None` if there is no whole block.
fn sparse_ratio(zeros: &[bool], outputs: usize, inputs: usize, block: Block) -> Option<f64> {
    let (rows, columns) = (block.outputs as usize, block.inputs as usize);
    let (down, across) = (outputs / rows, inputs / columns);
    if down * across == 0 {
        return None;
    }
    let mut empty = 0usize;
    for top in (0..down).map(|index| index * rows) {
        for left in (0..across).map(|index| index * columns) {
            let all_zero = (top..top + rows)
                .all(|row| zeros[row * inputs + left..][..columns].iter().all(|&zero| zero));
            empty += usize::from(all_zero);
        }
    }
    Some(empty as f64 / (down * across) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lie_in_outputs_by_inputs() {
        // Four outputs by four inputs; input 1 is zero for all outputs.
        let zeros: Vec<bool> = (0..16).map(|index| index % 4 == 1).collect();
        let ratio = |outputs, inputs| sparse_ratio(&zeros, 4, 4, Block::new(outputs, inputs));
        assert_eq!(ratio(1, 1), Some(0.25));
        assert_eq!(ratio(4, 1), Some(0.25), "a column of four outputs");
        assert_eq!(ratio(1, 4), Some(0.0));
        assert_eq!(ratio(1, 16), None, "no whole block");
    }

    #[test]
    fn a_weight_of_many_nodes_is_read_once() {
        let reads = std::cell::Cell::new(0);
        let elements = Elements::new(|_| {
            reads.set(reads.get() + 1);
            Some(vec![0.0; 4])
        });
        let stored = |rows_are_outputs| Stored {
            name: "w".to_string(),
            data_type: DataType::Fp32,
            zero_point: None,
            scale: None,
            per_output: false,
            outputs: 2,
            inputs: 2,
            rows_are_outputs,
        };
        for rows_are_outputs in [true, false, true, false] {
            let contents = elements.contents(stored(rows_are_outputs));
            assert_eq!(contents.sparse_ratios[0].ratio, Some(1.0));
        }
        assert_eq!(reads.get(), 2, "once each way");
    }

    #[test]
    fn remainders_are_left_out() {
        let zeros = vec![true; 5 * 3];
        assert_eq!(sparse_ratio(&zeros, 5, 3, Block::new(4, 1)), Some(1.0));
        let mut zeros = vec![true; 5 * 3];
        zeros[4 * 3] = false; // in the remainder
        assert_eq!(sparse_ratio(&zeros, 5, 3, Block::new(4, 1)), Some(1.0));
    }

    /// A weight of 9 outputs and 7 inputs; `factors` is how many zero points and
    /// scales there are.
    fn values(seed: u64, rows_are_outputs: bool, factors: usize) -> Values {
        let mut state = seed * 2 + 1;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 56) as f64 - 128.0
        };
        Values {
            numbers: (0..63).map(|_| next()).collect(),
            zero_points: (0..factors).map(|_| next()).collect(),
            scales: Some((0..factors).map(|_| next() / 1024.0).collect()),
            outputs: 9,
            inputs: 7,
            rows_are_outputs,
        }
    }

    #[test]
    fn magnitudes_are_those_of_the_real_values() {
        for seed in 0..100 {
            let values = values(seed, seed % 2 == 0, if seed % 3 == 0 { 1 } else { 9 });
            let scales = values.scales.as_ref().unwrap();
            let mut real = Vec::new();
            for output in 0..9 {
                for input in 0..7 {
                    let index = if values.rows_are_outputs {
                        output * 7 + input
                    } else {
                        input * 9 + output
                    };
                    let factor = if scales.len() == 1 { 0 } else { output };
                    let number = values.numbers[index] - values.zero_points[factor];
                    real.push(f64::abs(number * scales[factor]));
                }
            }
            real.sort_by(f64::total_cmp);
            // 63 elements in 20 parts: 3.15 each.
            let ends =
                [3, 6, 9, 13, 16, 19, 22, 25, 28, 32, 35, 38, 41, 44, 47, 50, 54, 57, 60, 63];
            let mut start = 0;
            let magnitudes = values.magnitudes();
            assert_eq!(magnitudes.len(), ends.len());
            for (end, magnitude) in ends.into_iter().zip(magnitudes) {
                let expected = real[start..end].iter().sum::<f64>() / (end - start) as f64;
                let difference = (f64::from(magnitude) - expected).abs();
                assert!(difference <= expected * 1e-6, "{magnitude} is not {expected}");
                start = end;
            }
        }
    }

    #[test]
    fn magnitudes_may_be_unknown() {
        let check = |change: fn(&mut Values)| {
            let mut values = values(1, true, 1);
            assert_eq!(values.magnitudes().len(), MAGNITUDE_PARTS);
            change(&mut values);
            assert!(values.magnitudes().is_empty());
        };
        check(|values| values.scales = None);
        check(|values| values.numbers[5] = f64::NAN);
        check(|values| values.numbers[62] = f64::NEG_INFINITY);
        check(|values| values.numbers[0] = 1e300); // not in 32 bits
        check(|values| (values.numbers, values.outputs, values.inputs) = (vec![1.0; 19], 1, 19));
    }
}
