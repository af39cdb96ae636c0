//! Conversions that only one side has go with the operator that they serve.

use super::Method;
use super::kind::kind;
use super::names::{converted_tensor, producer, weight};
use super::sets::Sets;
use super::tensors::{Table, Tensors};
use onnxray_format::{Operator, Tensor};
use std::collections::{HashMap, HashSet};

/// Puts conversions that only one side has to the operators that they serve.
/// Says of each operator whether it is one.
pub(crate) fn conversions(both: &[Table; 2], sets: &mut Sets) -> Vec<bool> {
    let count = both.iter().map(|table| table.operators.len()).sum();
    let mut is_conversion = vec![false; count];
    for Table { side, operators, tensors: own } in both {
        let side = *side;
        let lone: Vec<bool> = (0..operators.len())
            .map(|number| {
                let place = sets.place(side, number);
                !sets.is_matched(place) && kind(&operators[number].operator_type).is_conversion()
            })
            .collect();
        // The next operator that is none, and the one before.
        let mut next = vec![None; operators.len()];
        let mut behind = None;
        for number in (0..operators.len()).rev() {
            next[number] = behind;
            if !lone[number] {
                behind = Some(number);
            }
        }
        let mut before = None;
        let other = &both[side.other() as usize].tensors;
        let readers = readers(operators, own, &lone);
        let undone = undone(operators, &lone);
        for number in 0..operators.len() {
            if !lone[number] {
                before = Some(number);
                continue;
            }
            let place = sets.place(side, number);
            is_conversion[place] = true;
            // A reader on this side, or the maker whose quantization it undoes; then readers on the
            // other side; then the neighbour in the order of execution.
            let served = readers[number].or(undone[number]);
            if let Some(served) = served {
                sets.join(sets.place(side, served), place);
                continue;
            }
            let next = next[number];
            let across = across(&operators[number], other);
            let across = across.iter().map(|&reader| sets.place(side.other(), reader));
            let across: Vec<usize> = across.collect();
            // Of several readers, the one that comes first on this side.
            let is_next = |place: &&usize| {
                next.is_some_and(|next| sets.root(**place) == sets.root(sets.place(side, next)))
            };
            if let Some(&found) = across.iter().find(is_next).or(across.first()) {
                sets.link(found, place, Method::Tensor);
            } else if let Some(served) = next.or(before) {
                sets.join(sets.place(side, served), place);
            }
        }
    }
    is_conversion
}

/// For each lone conversion, the operator of its side that reads its result, through other lone
/// conversions.
fn readers(operators: &[Operator], tensors: &Tensors, lone: &[bool]) -> Vec<Option<usize>> {
    let mut served = vec![None; operators.len()];
    let mut seen = vec![false; operators.len()];
    for number in (0..operators.len()).filter(|&number| lone[number]) {
        let mut chain = Vec::new();
        let mut at = number;
        let found = loop {
            if !lone[at] {
                break Some(at);
            // Walked before: take its answer. Within this walk it is a cycle, and has none yet.
            } else if seen[at] {
                break served[at];
            }
            seen[at] = true;
            chain.push(at);
            let read = |tensor: &Tensor| tensors.reader(&tensor.name);
            match operators[at].outputs.iter().filter_map(read).find(|&reader| reader != at) {
                Some(reader) => at = reader,
                None => break None,
            }
        };
        chain.into_iter().for_each(|conversion| served[conversion] = found);
    }
    served
}

/// For each lone conversion, the operator whose quantized result it dequantizes:
/// nothing quantizes the tensor that it is named after, so its maker does.
fn undone(operators: &[Operator], lone: &[bool]) -> Vec<Option<usize>> {
    let is_dequantizing = |operator: &Operator| operator.operator_type == "DequantizeLinear";
    let quantized: HashSet<&str> = operators
        .iter()
        .filter(|operator| !is_dequantizing(operator))
        .filter_map(|operator| converted_tensor(&operator.name))
        .collect();
    let named: HashMap<&str, usize> =
        operators.iter().enumerate().map(|(number, o)| (o.name.as_str(), number)).collect();
    let maker = |number: usize| {
        let tensor = converted_tensor(&operators[number].name)?;
        let maker = *named.get(producer(tensor)?)?;
        let is_undone = lone[number] && is_dequantizing(&operators[number]);
        (is_undone && !lone[maker] && !quantized.contains(tensor)).then_some(maker)
    };
    (0..operators.len()).map(maker).collect()
}

/// The operators of the other side that read the tensor, or the weight, that a
/// conversion is named after.
fn across(conversion: &Operator, other: &Tensors) -> Vec<usize> {
    let names = conversion.nodes.iter().map(String::as_str).chain([conversion.name.as_str()]);
    let found = names.filter_map(converted_tensor).find_map(|tensor| {
        let readers = || other.readers.get(tensor).cloned();
        readers().or_else(|| other.weight_reader.get(weight(tensor)).map(|&reader| vec![reader]))
    });
    found.unwrap_or_default()
}
