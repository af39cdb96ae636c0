//! Operations of an Einsum of any number of operands, as engines compute it: two at a time, from
//! left to right.

use crate::model::graph::{Attribute, Node};
use crate::model::tensor_table::TensorTable;
use std::collections::BTreeMap;

/// An axis: a letter, or one that an ellipsis stands for, counted from the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Index {
    Letter(char),
    Ellipsis(usize),
}

/// An operand: its indices with their sizes.
type Term = BTreeMap<Index, u64>;

/// Of two operands, a multiply-add for every combination of their indices, or a product where
/// nothing is summed; of one, an addition for each element that is summed. `None` if a shape
/// is unknown or does not fit the equation.
pub(in crate::model) fn flops(node: &Node, tensors: &TensorTable) -> Option<u64> {
    let Some(Attribute::Text(equation)) = node.attributes.get("equation") else { return None };
    let equation: String = equation.chars().filter(|letter| !letter.is_whitespace()).collect();
    let (operands, stated) = match equation.split_once("->") {
        Some((operands, result)) => (operands, Some(result)),
        None => (equation.as_str(), None),
    };
    let texts: Vec<&str> = operands.split(',').collect();
    if texts.len() != node.inputs.len() {
        return None;
    }
    let mut terms = Vec::new();
    for (position, text) in texts.iter().enumerate() {
        terms.push(term(text, tensors.shape(node.input(position)?)?)?);
    }
    let remains = |index: &Index| match (index, stated) {
        (Index::Ellipsis(_), None) => true,
        (Index::Ellipsis(_), Some(stated)) => stated.contains("..."),
        (Index::Letter(letter), Some(stated)) => stated.contains(*letter),
        // Without a result, it has what occurs once.
        (Index::Letter(letter), None) => operands.matches(*letter).count() == 1,
    };
    let mut rest = terms.into_iter();
    let mut last = rest.next()?;
    let mut total = 0u64;
    if rest.len() == 0 {
        return if last.keys().all(remains) { Some(0) } else { combinations(&last) };
    }
    while let Some(next) = rest.next() {
        for (index, size) in next {
            match last.get_mut(&index) {
                // One of them is repeated.
                Some(own) if *own == 1 => *own = size,
                Some(own) if size != 1 && *own != size => return None,
                Some(_) => {}
                None => {
                    last.insert(index, size);
                }
            }
        }
        let all = combinations(&last)?;
        let before = last.len();
        last.retain(|index, _| {
            // An index is summed as soon as neither the result nor a later operand has it.
            remains(index) || rest.as_slice().iter().any(|t| t.contains_key(index))
        });
        let each = if last.len() < before { 2 } else { 1 };
        total = total.checked_add(all.checked_mul(each)?)?;
    }
    Some(total)
}

fn combinations(term: &Term) -> Option<u64> {
    term.values().try_fold(1u64, |product, size| product.checked_mul(*size))
}

fn term(text: &str, shape: &[u64]) -> Option<Term> {
    let letters = text.replace("...", "");
    // Axes that have no letter of their own; without an ellipsis there may be none.
    let hidden = shape.len().checked_sub(letters.chars().count())?;
    let (front, is_whole) = match text.split_once("...") {
        Some((front, _)) => (front.chars().count(), true),
        None => (letters.chars().count(), hidden == 0),
    };
    let ellipsis = (0..hidden).map(|axis| Index::Ellipsis(hidden - axis));
    let mut names = letters.chars().map(Index::Letter);
    let mut indices: Vec<Index> = names.by_ref().take(front).collect();
    indices.extend(ellipsis);
    indices.extend(names);
    let mut term = Term::new();
    for (index, &size) in indices.into_iter().zip(shape) {
        // A diagonal has one index twice.
        let own = *term.entry(index).or_insert(size);
        if own != size {
            return None;
        }
    }
    is_whole.then_some(term)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(equation: &str, shapes: &[&[u64]], expected: Option<u64>) {
        let names: Vec<String> = (0..shapes.len()).map(|number| format!("x{number}")).collect();
        let tensors: Vec<(&str, &[u64])> =
            names.iter().map(String::as_str).zip(shapes.iter().copied()).collect();
        let node = Node {
            name: "n".to_string(),
            is_named: true,
            operator_type: "Einsum".to_string(),
            inputs: names.clone(),
            outputs: vec!["y".to_string()],
            attributes: [("equation".to_string(), Attribute::Text(equation.to_string()))].into(),
            bodies: Vec::new(),
        };
        let counted = flops(&node, &TensorTable::of_shapes(&tensors));
        assert_eq!(counted, expected, "{equation}");
    }

    #[test]
    fn two_operands() {
        check("bij,bjk->bik", &[&[2, 3, 4], &[2, 4, 5]], Some(2 * 2 * 3 * 4 * 5));
        check("bij, bjk -> bik", &[&[2, 3, 4], &[2, 4, 5]], Some(2 * 2 * 3 * 4 * 5));
        check("ij,jk", &[&[3, 4], &[4, 5]], Some(2 * 3 * 4 * 5));
        check("i,j->ij", &[&[3], &[4]], Some(3 * 4));
        check("ij,ij->ij", &[&[3, 4], &[3, 4]], Some(3 * 4));
        check("ij,ij", &[&[3, 4], &[3, 4]], Some(2 * 3 * 4));
        check("...ij,...jk->...ik", &[&[7, 2, 3, 4], &[2, 4, 5]], Some(2 * 7 * 2 * 3 * 4 * 5));
        check("b...i,ij->b...j", &[&[2, 9, 9, 3], &[3, 5]], Some(2 * 2 * 81 * 3 * 5));
        check("...ij,...jk", &[&[1, 3, 4], &[6, 4, 5]], Some(2 * 6 * 3 * 4 * 5));
    }

    #[test]
    fn one_operand_and_three() {
        check("ij->ji", &[&[3, 4]], Some(0));
        check("ij->i", &[&[3, 4]], Some(3 * 4));
        check("ii->", &[&[5, 5]], Some(5));
        // First i,j,k without j, then i,k,l without k.
        check("ij,jk,kl->il", &[&[3, 4], &[4, 5], &[5, 6]], Some(2 * 3 * 4 * 5 + 2 * 3 * 5 * 6));
    }

    #[test]
    fn what_does_not_fit_is_unknown() {
        check("ij,jk->ik", &[&[3, 4], &[3, 5]], None);
        check("ij->i", &[&[3, 4, 5]], None);
        check("ij,jk->ik", &[&[3, 4]], None);
        check("ijk->i", &[&[3, 4]], None);
    }
}
