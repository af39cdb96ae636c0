//! Signatures of C++ functions, as compilers write them, made readable.
//!
//! ```text
//! void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>,
//!     at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>)
//! vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, …>
//! ```

use crate::document::{Block, Cell, Document, TableColumn};
use std::collections::{HashMap, HashSet};
use unicode_width::UnicodeWidthStr;

const ELLIPSIS: char = '…';
/// Names that are not wider are left alone.
const READABLE: usize = 60;

/// Shortens the signatures in the tables of a report. Names that differ still do.
pub fn shorten_signatures(document: &mut Document) {
    for block in &mut document.blocks {
        if let Block::Table(table) = block {
            table.columns.iter_mut().filter(|column| !column.wraps).for_each(shorten_column);
        }
    }
}

fn shorten_column(column: &mut TableColumn) {
    let texts = column.cells.iter().filter_map(|cell| match cell {
        Cell::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let names: HashSet<&str> = texts.collect();
    let short = shortened(&names);
    for cell in &mut column.cells {
        if let Cell::Text(text) = cell
            && let Some(short) = short.get(text.as_str())
        {
            text.clone_from(short);
        }
    }
}

/// The names that can be shorter, each with the shortest form that is no other name's.
fn shortened(names: &HashSet<&str>) -> HashMap<String, String> {
    let mut forms: HashMap<&str, [String; 2]> = HashMap::new();
    for &name in names {
        if name.width() > READABLE && is_signature(name) {
            let (head, tail) = apart(name);
            let plain = without_scopes(head);
            let collapsed = collapsed(&plain) + tail;
            forms.insert(name, [collapsed, plain + tail]);
        }
    }
    let mut uses: HashMap<&str, usize> = HashMap::new();
    names.iter().for_each(|&name| *uses.entry(name).or_default() += 1);
    forms
        .values()
        .flat_map(|[collapsed, plain]| {
            // One that is both is one form of its name.
            std::iter::once(collapsed).chain(Some(plain).filter(|&plain| plain != collapsed))
        })
        .for_each(|form| *uses.entry(form).or_default() += 1);
    // Unique among forms and full names, so that names that differ still do.
    let only = |form: &&String| uses.get(form.as_str()) == Some(&1);
    let chosen = forms.iter().filter_map(|(&name, of_name)| {
        Some((name.to_string(), of_name.iter().find(only)?.clone()))
    });
    chosen.collect()
}

/// A name with templates, or with parameters of types in namespaces.
fn is_signature(name: &str) -> bool {
    name.contains('<') && name.contains('>') || name.contains("::") && name.contains('(')
}

/// Splits off what a blank and parentheses append to a name: the launcher of a kernel.
fn apart(name: &str) -> (&str, &str) {
    match last_parentheses(name) {
        Some(at) if name[..at].ends_with(' ') => name.split_at(at - 1),
        _ => (name, ""),
    }
}

/// Without return type, parameters and namespaces, where it looks like C++.
pub(super) fn without_scopes(name: &str) -> String {
    if !name.contains("::") {
        return name.to_string();
    }
    // First, as its parentheses would be taken for parameters.
    let name = name.strip_prefix("void ").unwrap_or(name).replace("(anonymous namespace)::", "");
    let mut plain = String::with_capacity(name.len());
    let mut rest = without_parameters(&name);
    while let Some(scope) = rest.find("::") {
        plain.push_str(&rest[..scope]);
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        // Back to what cannot be in a name: the namespace goes, a `<` before it stays.
        plain.truncate(plain.trim_end_matches(is_name).len());
        rest = &rest[scope + 2..];
    }
    plain.push_str(rest);
    plain
}

/// Up to the parentheses at the end, if there is something in front of them.
fn without_parameters(name: &str) -> &str {
    match last_parentheses(name) {
        // `operator()` is a name, not parameters.
        Some(at) if at > 0 && !name[..at].ends_with("operator") => &name[..at],
        _ => name,
    }
}

/// Start of the parentheses that end the name.
fn last_parentheses(name: &str) -> Option<usize> {
    if !name.ends_with(')') {
        return None;
    }
    let mut depth = 0usize;
    for (place, letter) in name.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(place);
        }
    }
    None
}

/// The first template arguments that there is room for, and `…` for the others.
fn collapsed(name: &str) -> String {
    let Some((begin, end)) = name.find('<').zip(name.rfind('>')).filter(|(begin, end)| begin < end)
    else {
        return name.to_string();
    };
    // Short enough with all its arguments.
    if name.width() <= READABLE {
        return name.to_string();
    }
    let mut short = name[..=begin].to_string();
    for (place, argument) in arguments(&name[begin + 1..end]).into_iter().enumerate() {
        let separator = if place > 0 { ", " } else { "" };
        // 3 for `, …`, which follows unless this is the last one.
        if short.width() + separator.width() + argument.width() + 3 > READABLE {
            short = short + separator + &ELLIPSIS.to_string();
            break;
        }
        short = short + separator + argument;
    }
    short + &name[end..]
}

/// Splits at commas outside of brackets.
fn arguments(list: &str) -> Vec<&str> {
    let (mut depth, mut begin) = (0usize, 0);
    let mut arguments = Vec::new();
    for (place, letter) in list.char_indices() {
        match letter {
            '<' | '(' | '{' | '[' => depth += 1,
            // The end of `->` closes nothing.
            '>' | ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                arguments.push(list[begin..place].trim());
                begin = place + 1;
            }
            _ => {}
        }
    }
    arguments.push(list[begin..].trim());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn short(names: &[&str]) -> Vec<String> {
        let shortened = shortened(&names.iter().copied().collect());
        let shown = |name: &&str| shortened.get(*name).cloned().unwrap_or(name.to_string());
        names.iter().map(shown).collect()
    }

    const FILL: &str = "void at::native::vectorized_elementwise_kernel<4, \
        at::native::FillFunctor<float>, at::detail::Array<char*, 1> >(int, \
        at::native::FillFunctor<float>)";

    #[test]
    fn arguments_and_parameters_collapse() {
        assert_eq!(
            short(&[FILL, &format!("{FILL} (aten::fill_)"), "aten::conv2d", "/a/MatMul"]),
            [
                "vectorized_elementwise_kernel<4, FillFunctor<float>, …>",
                "vectorized_elementwise_kernel<4, FillFunctor<float>, …> (aten::fill_)",
                "aten::conv2d",
                "/a/MatMul",
            ]
        );
        let lambda = "void at::native::unrolled_elementwise_kernel<at::native::copy(at::Tensor&)::\
                      {lambda()#1}, at::detail::Array<char*, 2> >(int, at::Tensor)";
        assert_eq!(short(&[lambda]), ["unrolled_elementwise_kernel<copy(Tensor&){lambda()#1}, …>"]);
    }

    #[test]
    fn what_would_be_alike_keeps_its_arguments() {
        let other = FILL.replace("char*, 1", "char*, 2");
        let plain = "vectorized_elementwise_kernel<4, FillFunctor<float>, Array<char*, ";
        assert_eq!(short(&[FILL, &other]), [format!("{plain}1> >"), format!("{plain}2> >")]);
        // Only parameters differ.
        let third = FILL.replace("(int", "(long");
        assert_eq!(short(&[FILL, &third]), [FILL, &third]);
    }

    proptest! {
        #[test]
        fn names_that_differ_still_do(
            names in prop::collection::hash_set("(void )?a::[a-b:<>, ()]{50,70}", 1..12),
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let after: HashSet<String> = short(&names).into_iter().collect();
            prop_assert_eq!(after.len(), names.len());
        }
    }
}
