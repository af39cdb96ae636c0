//! Which tensors of two models correspond, where they have other names.

use crate::comparison::{Member, align};
use onnxray_format::Operator;
use std::collections::HashSet;

/// Tensors of B with the tensors of A that they may be, by the nodes that the alignment of a
/// comparison matches. Each is one that leaves its group of nodes, or one of as many of a single
/// node on either side.
pub fn corresponding(a: &[Operator], b: &[Operator]) -> Vec<[String; 2]> {
    let mut found = Vec::new();
    for group in align(a, b).groups {
        let [of_a, of_b] = [(&group.a, a), (&group.b, b)].map(|(own, all)| leaving(own, all));
        if of_a.len() == of_b.len()
            && (of_a.len() == 1 || is_single(&group.a) && is_single(&group.b))
        {
            let pairs = of_b.into_iter().zip(of_a).filter(|(from, to)| from != to);
            found.extend(pairs.map(|(from, to)| [from, to].map(str::to_string)));
        }
    }
    found
}

/// Outputs of a group's members that no member reads, without those of conversions.
fn leaving<'a>(members: &[Member], operators: &'a [Operator]) -> Vec<&'a str> {
    let own = || members.iter().map(|member| (&operators[member.operator as usize], member));
    let read: HashSet<&str> =
        own().flat_map(|(own, _)| &own.inputs).map(|tensor| tensor.name.as_str()).collect();
    let computing = own().filter(|(_, member)| !member.conversion);
    let outputs = computing.flat_map(|(own, _)| &own.outputs).map(|tensor| tensor.name.as_str());
    outputs.filter(|name| !name.is_empty() && !read.contains(name)).collect()
}

fn is_single(members: &[Member]) -> bool {
    members.iter().filter(|member| !member.conversion).count() == 1
}
