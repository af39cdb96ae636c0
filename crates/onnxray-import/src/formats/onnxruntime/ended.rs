//! Finds the runs that ended before all nodes had run, because one of them failed.
//!
//! A run that fails is marked as any other is. It is found by what it lacks: the nodes of the
//! graph run in one order, so that it has the first of those of a whole run and none else. The
//! bodies of Loop, If and Scan vary from run to run and do not count.

use crate::{Launch, NO_ITERATION};
use foldhash::fast::RandomState;
use onnxray_format::{Operator, Phase, Warning};
use onnxray_text::counted;
use std::collections::{BTreeSet, HashMap};

const MOST_NAMED: usize = 3;

/// What runs are alike in: the nodes that they ran, in their order.
struct Alike {
    runs: Vec<usize>,
    nodes: Vec<u32>,
    /// Whether a node ran on another thread than its run, so that the order is not fixed.
    parallel: bool,
}

/// Takes runs that ended early out of the launch, with a warning that counts them.
pub(crate) fn set_aside(launch: &mut Launch) {
    if ran_the_same(launch) {
        return;
    }
    let alike = alike(launch);
    let mut ended: BTreeSet<usize> = BTreeSet::new();
    let mut lacking: BTreeSet<u32> = BTreeSet::new();
    let mut partial = 0;
    // The phases of a generation have nodes of their own.
    let phase = |alike: &Alike| {
        let first = alike.runs.first().and_then(|&run| launch.iterations.get(run));
        first.and_then(|iteration| iteration.step).map(|step| step.phase)
    };
    for some in &alike {
        let is_whole =
            |other: &&Alike| phase(other) == phase(some) && other.nodes.len() > some.nodes.len();
        let wholes = alike.iter().filter(is_whole).max_by_key(|other| other.nodes.len());
        let Some(whole) = wholes else { continue };
        let parallel = whole.parallel || some.parallel;
        match lack(&some.nodes, &whole.nodes) {
            Some(Lack { nodes, is_end }) if is_end || parallel => {
                ended.extend(some.runs.iter().copied());
                lacking.extend(nodes);
            }
            Some(_) => partial += some.runs.len(),
            None => {}
        }
    }
    let all = launch.iterations.len();
    let file = launch.files.first().cloned().unwrap_or_default();
    if !ended.is_empty() {
        let message = format!(
            "{} of {all} runs ended before all nodes had run, as runs do that fail: without {}; \
             the figures are of the other {}",
            ended.len(),
            names(launch, &lacking),
            all - ended.len(),
        );
        launch.warnings.push(Warning::note(&file, message));
        let left: Vec<bool> = (0..all).map(|run| !ended.contains(&run)).collect();
        launch.keep_iterations(&left);
    }
    if partial > 0 {
        let message = format!(
            "{} of {all} without nodes that others ran, as if other outputs were asked for; the \
             figures are of all of them",
            counted(partial as u64, "run is", "runs are")
        );
        launch.warnings.push(Warning::note(&file, message));
    }
}

/// What runs of some nodes lack of others.
struct Lack {
    nodes: Vec<u32>,
    /// Whether it is all that comes behind those that ran.
    is_end: bool,
}

/// What these nodes lack of a whole run; `None` if they are not a part of it.
fn lack(some: &[u32], whole: &[u32]) -> Option<Lack> {
    if whole.starts_with(some) {
        return Some(Lack { nodes: whole[some.len()..].to_vec(), is_end: true });
    }
    let mut left: HashMap<u32, usize, RandomState> = HashMap::default();
    for &node in some {
        *left.entry(node).or_default() += 1;
    }
    let mut nodes = Vec::new();
    for &node in whole {
        match left.get_mut(&node).filter(|left| **left > 0) {
            Some(left) => *left -= 1,
            None => nodes.push(node),
        }
    }
    left.values().all(|&left| left == 0).then_some(Lack { nodes, is_end: false })
}

/// Whether all runs, or all of a phase, are known to have run the same nodes of the graph: as
/// mostly, and then nothing has to be put in order.
fn ran_the_same(launch: &Launch) -> bool {
    let mut sums = vec![0u64; launch.iterations.len()];
    for chunk in &launch.events.chunks {
        for (&operator, &iteration) in chunk.operator.iter().zip(&chunk.iteration) {
            let in_graph = is_in_graph(&launch.operators[operator as usize]);
            if let Some(sum) = sums.get_mut(iteration as usize).filter(|_| in_graph) {
                let mixed = (u64::from(operator) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                *sum = sum.wrapping_add(mixed ^ mixed >> 29);
            }
        }
    }
    let mut of_phases: Vec<(Option<Phase>, u64)> = Vec::new();
    for (iteration, sum) in launch.iterations.iter().zip(sums) {
        let phase = iteration.step.map(|step| step.phase);
        match of_phases.iter().find(|&&(known, _)| known == phase) {
            Some(&(_, known)) if known != sum => return false,
            Some(_) => {}
            None => of_phases.push((phase, sum)),
        }
    }
    true
}

/// Whether it is a node of the graph, and neither of a body nor what a device did.
fn is_in_graph(operator: &Operator) -> bool {
    operator.parent.is_none() && !operator.device
}

/// The runs by the nodes of the graph that they ran.
fn alike(launch: &Launch) -> Vec<Alike> {
    let mut ran: Vec<Vec<(u64, u32)>> = vec![Vec::new(); launch.iterations.len()];
    let mut parallel = vec![false; launch.iterations.len()];
    for chunk in &launch.events.chunks {
        for row in 0..chunk.len() {
            let (operator, iteration) = (chunk.operator[row], chunk.iteration[row]);
            let in_graph = is_in_graph(&launch.operators[operator as usize]);
            if iteration == NO_ITERATION || !in_graph {
                continue;
            }
            let run = iteration as usize;
            ran[run].push((chunk.start[row], operator));
            parallel[run] |= launch.iteration_threads.get(run) != Some(&chunk.thread[row]);
        }
    }
    let mut positions: HashMap<Vec<u32>, usize, RandomState> = HashMap::default();
    let mut alike: Vec<Alike> = Vec::new();
    for (run, mut nodes) in ran.into_iter().enumerate() {
        // Nodes that take no time begin together; the file has them in their order.
        nodes.sort_by_key(|&(start, _)| start);
        let nodes: Vec<u32> = nodes.into_iter().map(|(_, operator)| operator).collect();
        let next = alike.len();
        let position = *positions.entry(nodes.clone()).or_insert(next);
        if position == next {
            alike.push(Alike { runs: Vec::new(), nodes, parallel: parallel[run] });
        }
        alike[position].runs.push(run);
    }
    alike
}

fn names(launch: &Launch, nodes: &BTreeSet<u32>) -> String {
    let name = |&node: &u32| launch.operators.get(node as usize).map(|node| node.name.as_str());
    let named: Vec<&str> = nodes.iter().filter_map(name).take(MOST_NAMED).collect();
    match nodes.len().saturating_sub(named.len()) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_lacks_of_another() {
        let lack = |some: &[u32], whole: &[u32]| lack(some, whole).map(|l| (l.nodes, l.is_end));
        assert_eq!(lack(&[1, 2], &[1, 2, 3, 4]), Some((vec![3, 4], true)));
        assert_eq!(lack(&[], &[1]), Some((vec![1], true)));
        assert_eq!(lack(&[1, 3], &[1, 2, 3]), Some((vec![2], false)));
        assert_eq!(lack(&[1, 1], &[1, 2, 3]), None);
        assert_eq!(lack(&[1, 5], &[1, 2, 3]), None);
    }
}
