//! Who makes each tensor of a side, and who reads it.

use super::Side;
use super::names::{is_name, weight};
use onnxray_format::Operator;
use std::collections::HashMap;

/// Readers of a tensor that are kept, in the order of execution.
const MOST_READERS: usize = 8;

/// The operator that makes each tensor, and the first that read it.
pub(crate) struct Tensors<'a> {
    pub maker: HashMap<&'a str, usize>,
    pub readers: HashMap<&'a str, Vec<usize>>,
    pub weight_reader: HashMap<&'a str, usize>,
}

fn tensors(operators: &[Operator]) -> Tensors<'_> {
    let mut tensors =
        Tensors { maker: HashMap::new(), readers: HashMap::new(), weight_reader: HashMap::new() };
    for (number, operator) in operators.iter().enumerate() {
        for tensor in operator.outputs.iter().filter(|tensor| is_name(&tensor.name)) {
            tensors.maker.entry(&tensor.name).or_insert(number);
        }
        for tensor in operator.inputs.iter().filter(|tensor| is_name(&tensor.name)) {
            let readers = tensors.readers.entry(&tensor.name).or_default();
            // One tensor may feed every layer (a mask, a rotary table): all pairs would be
            // quadratic.
            if readers.len() < MOST_READERS {
                readers.push(number);
            }
        }
        if let Some(found) = &operator.weight {
            tensors.weight_reader.entry(weight(&found.name)).or_insert(number);
        }
    }
    tensors
}

/// The operators of a side, and the tensors between them.
pub(crate) struct Table<'a> {
    pub side: Side,
    pub operators: &'a [Operator],
    pub tensors: Tensors<'a>,
}

impl Table<'_> {
    pub(crate) fn of(side: Side, operators: &[Operator]) -> Table<'_> {
        Table { side, operators, tensors: tensors(operators) }
    }
}

impl Tensors<'_> {
    pub(crate) fn reader(&self, tensor: &str) -> Option<usize> {
        self.readers.get(tensor)?.first().copied()
    }

    /// The last of the operators before this one that make what it reads.
    pub(crate) fn feeder(&self, operators: &[Operator], number: usize) -> Option<usize> {
        let makers = operators[number].inputs.iter().filter_map(|t| self.maker.get(&*t.name));
        // A feeder runs before its reader: a later maker is of another tensor of that name.
        makers.copied().filter(|&maker| maker < number).max()
    }
}
