//! The elements of a weight: which are zero, and how large they are.

use super::packed::Packing;
use onnxray_format::{Block, DataType, MAGNITUDE_PARTS, SparseRatio, part_start};
use std::cell::RefCell;
use std::collections::HashMap;

type Read<'a> = Box<dyn Fn(&str) -> Option<Vec<f64>> + 'a>;

/// The elements of the constants, and what is known of the weights that they make.
pub(crate) struct Elements<'a> {
    read: Read<'a>,
    /// A model may use one weight in many nodes: it is read for the first.
    known: RefCell<HashMap<Stored, Contents>>,
}

/// Statistics of a weight's elements.
#[derive(Clone)]
pub(in crate::model) struct Contents {
    pub(in crate::model) sparse_ratios: Vec<SparseRatio>,
    pub(in crate::model) magnitudes: Vec<f32>,
}

impl<'a> Elements<'a> {
    /// `read` takes a constant's name and gives its elements in the order in which they
    /// are stored; `None` if they cannot be read.
    pub(crate) fn new(read: impl Fn(&str) -> Option<Vec<f64>> + 'a) -> Elements<'a> {
        Elements { read: Box::new(read), known: RefCell::default() }
    }

    pub(crate) fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        (self.read)(name)
    }

    /// The elements of a weight; `None` if they or their zero points cannot be read.
    pub(crate) fn values(&self, stored: &Stored) -> Option<Values> {
        Values::read(stored, &self.read)
    }

    /// Sparsities and magnitudes of a weight, computed once per weight.
    pub(in crate::model) fn contents(&self, stored: Stored) -> Contents {
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
    /// Blocks of zero points and scales; `None` if there is at most one of each.
    pub(crate) spread: Option<Spread>,
    pub(crate) outputs: usize,
    pub(crate) inputs: usize,
    /// Stored as outputs x inputs; otherwise inputs x outputs.
    pub(crate) rows_are_outputs: bool,
    /// Several elements in a byte, as the operator that reads them knows.
    pub(crate) packed: Option<Packed>,
}

/// A zero point and a scale for each block of a weight: `outputs` x `inputs` elements. They lie
/// as the weight's elements do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Spread {
    pub(crate) outputs: usize,
    pub(crate) inputs: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Packed {
    pub(crate) weight: Packing,
    /// Packing of the zero points, if they are packed as well.
    pub(crate) zero_points: Option<Packing>,
    pub(crate) code: Code,
}

/// Meaning of a packed number, before it is scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Code {
    /// Its distance to the zero point, which is the middle of all numbers if none is given.
    Distance,
    /// An entry of bitsandbytes' table of floats of 4 bits.
    Float4,
    /// An entry of its table of quantiles of a normal distribution.
    NormalFloat4,
}

impl Code {
    fn number(self, code: f64) -> f64 {
        let of = |table: &[f64; 16]| table[code as usize & 15];
        match self {
            Code::Distance => code,
            Code::Float4 => of(&FLOAT4),
            Code::NormalFloat4 => of(&NORMAL_FLOAT4),
        }
    }
}

/// Table of bitsandbytes: eight magnitudes from 0 to 1, then the same with a sign.
const FLOAT4: [f64; 16] = [
    0.0,
    0.0052083335,
    0.6666667,
    1.0,
    0.33333334,
    0.5,
    0.16666667,
    0.25,
    0.0,
    -0.0052083335,
    -0.6666667,
    -1.0,
    -0.33333334,
    -0.5,
    -0.16666667,
    -0.25,
];

const NORMAL_FLOAT4: [f64; 16] = [
    -1.0,
    -0.6961928,
    -0.52507305,
    -0.3949175,
    -0.28444138,
    -0.18477343,
    -0.091050036,
    0.0,
    0.0795803,
    0.1609302,
    0.2461123,
    0.33791524,
    0.44070983,
    0.562617,
    0.72295684,
    1.0,
];

/// The elements of a weight in the order in which they are stored.
pub(crate) struct Values {
    pub(crate) numbers: Vec<f64>,
    zero_points: Factors,
    /// `None` if unknown.
    scales: Option<Factors>,
    pub(crate) outputs: usize,
    pub(crate) inputs: usize,
    rows_are_outputs: bool,
}

/// A number for the whole weight, or one for each block of it.
struct Factors {
    numbers: Vec<f64>,
    /// Elements of a block, and distance between the numbers of neighbouring blocks: along the
    /// outputs, and along the inputs.
    size: [usize; 2],
    step: [usize; 2],
}

impl Factors {
    fn one(number: f64) -> Factors {
        Factors { numbers: vec![number], size: [1; 2], step: [0; 2] }
    }

    /// `None` if there are not as many as the weight has blocks.
    fn of(numbers: Vec<f64>, stored: &Stored) -> Option<Factors> {
        if let [number] = numbers[..] {
            return Some(Factors::one(number));
        }
        let Spread { outputs, inputs } = stored.spread?;
        let size = [outputs.max(1), inputs.max(1)];
        let blocks = [stored.outputs.div_ceil(size[0]), stored.inputs.div_ceil(size[1])];
        // Factors lie as the weight does: in rows of blocks along its last axis.
        let step = if stored.rows_are_outputs { [blocks[1], 1] } else { [1, blocks[0]] };
        let are_all = numbers.len() == blocks[0].checked_mul(blocks[1])?;
        are_all.then_some(Factors { numbers, size, step })
    }

    fn get(&self, output: usize, input: usize) -> f64 {
        let place = |axis: usize, position: usize| position / self.size[axis] * self.step[axis];
        self.numbers[place(0, output) + place(1, input)]
    }
}

impl Values {
    /// Position of an element among those that are stored.
    pub(crate) fn position(&self, output: usize, input: usize) -> usize {
        match self.rows_are_outputs {
            true => output * self.inputs + input,
            false => input * self.outputs + output,
        }
    }

    /// Stored value of a real zero.
    pub(crate) fn zero(&self, output: usize, input: usize) -> f64 {
        self.zero_points.get(output, input)
    }

    /// Real value of one step; 1 if unknown.
    pub(crate) fn scale(&self, output: usize, input: usize) -> f64 {
        self.scales.as_ref().map_or(1.0, |scales| scales.get(output, input))
    }

    /// Scales are known, so that elements have real values.
    pub(crate) fn are_real(&self) -> bool {
        self.scales.is_some()
    }

    /// `None` if the elements or their zero points cannot be read.
    fn read(stored: &Stored, elements: &dyn Fn(&str) -> Option<Vec<f64>>) -> Option<Values> {
        let &Stored { outputs, inputs, rows_are_outputs, .. } = stored;
        let packed = stored.packed.as_ref();
        let numbers = match packed {
            None => elements(&stored.name)?,
            Some(Packed { weight, code, .. }) => {
                let codes = weight.unpacked(&elements(&stored.name)?)?;
                codes.into_iter().map(|number| code.number(number)).collect()
            }
        };
        let zero_points = match &stored.zero_point {
            Some(name) => {
                let own = elements(name)?;
                let packing = packed.and_then(|packed| packed.zero_points);
                let own = packing.map_or(Some(own.clone()), |packing| packing.unpacked(&own))?;
                Factors::of(own, stored)?
            }
            None => Factors::one(packed.map_or(0.0, Packed::middle)),
        };
        let scales = match &stored.scale {
            Some(name) => elements(name).and_then(|own| Factors::of(own, stored)),
            // What integers without a scale stand for is unknown.
            None => is_real(stored.data_type).then(|| Factors::one(1.0)),
        };
        // Anything else would index beyond the numbers below.
        let whole = numbers.len() == outputs.checked_mul(inputs)?;
        whole.then_some(Values { numbers, zero_points, scales, outputs, inputs, rows_are_outputs })
    }

    /// Which elements are zero, row-major in outputs x inputs. An element of a
    /// quantized weight is zero where it equals its zero point, which may differ
    /// from block to block.
    fn zeros(&self) -> Vec<bool> {
        let &Values { outputs, inputs, .. } = self;
        let zero = |output: usize, input: usize| {
            self.numbers[self.position(output, input)] == self.zero(output, input)
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
    fn absolute(&self, scales: &Factors) -> Option<Vec<u32>> {
        let &Values { outputs, inputs, rows_are_outputs, .. } = self;
        let absolute = |(index, number): (usize, &f64)| {
            // In the order of storage, so that the elements are read once from front to back.
            let (output, input) = match rows_are_outputs {
                true => (index / inputs, index % inputs),
                false => (index % outputs, index / outputs),
            };
            let steps = number - self.zero(output, input);
            let value = (steps * scales.get(output, input)).abs() as f32;
            value.is_finite().then_some(value.to_bits())
        };
        self.numbers.iter().enumerate().map(absolute).collect()
    }
}

impl Packed {
    /// Default zero point.
    fn middle(&self) -> f64 {
        match self.code {
            Code::Distance => f64::from(1u32 << (self.weight.bits.max(1) - 1)),
            Code::Float4 | Code::NormalFloat4 => 0.0,
        }
    }
}

fn is_real(data_type: DataType) -> bool {
    use DataType::*;
    matches!(
        data_type,
        Fp64 | Fp32
            | Fp16
            | Bf16
            | Fp8E4M3Fn
            | Fp8E4M3FnUz
            | Fp8E5M2
            | Fp8E5M2FnUz
            | Fp8E8M0
            | Fp4E2M1
    )
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
            spread: None,
            outputs: 2,
            inputs: 2,
            rows_are_outputs,
            packed: None,
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
        let size = [1, 7];
        let step = if factors == 1 { [0, 0] } else { [1, 0] };
        let mut factors = |scale: f64| {
            let numbers = (0..factors).map(|_| next() * scale).collect();
            Factors { numbers, size, step }
        };
        let (zero_points, scales) = (factors(1.0), Some(factors(1.0 / 1024.0)));
        let numbers = (0..63).map(|_| next()).collect();
        Values { numbers, zero_points, scales, outputs: 9, inputs: 7, rows_are_outputs }
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
                    let factor = if scales.numbers.len() == 1 { 0 } else { output };
                    let number = values.numbers[index] - values.zero_points.numbers[factor];
                    real.push(f64::abs(number * scales.numbers[factor]));
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
