//! Which ONNX nodes an executed node computes.
//!
//! The engine folds constants, drops what changes nothing, splits one node into
//! several kernels and fuses several nodes into one, and keeps no record of it.
//! What it leaves are names (`/query/MatMul.pack_b` was made for
//! `/query/MatMul`), labels of tensors that still exist, and the kernels
//! themselves, which tell how many operations they fused. From these every node
//! that depends on an input gets one owner among the executed nodes:
//!
//! ```text
//!   ONNX        MatMul ─▶ Add ─▶ Reshape ─▶ Transpose ─▶ Div ─▶ Erf ─▶ …
//!                 │        │        │           │          │      │
//!   executed   [ OptMatMul + 1 ][ IntoShape      ]      [ GeluExact       ]
//! ```
//!
//! 1. A product or convolution belongs to the contraction kernel that bears its
//!    name, or else the name of the next node downstream that has one.
//! 2. Any other node belongs to the kernel that bears its name.
//! 3. A chain of binary operations owns as many nameless nodes before it as it
//!    has further steps; a contraction as many after it as it fused.
//! 4. What remains goes with a neighbour: its producer, unless that is a
//!    contraction with nothing more fused and a consumer can take it.

use super::kernels::{self, Fused, KernelKind};
use super::origin::{Origin, origin_by_name};
use crate::model::cost::flops::{is_contraction, moves_data};
use crate::model::describe::naming_node;
use crate::model::graph::Graph;
use std::collections::{HashMap, HashSet};
use tract_onnx::prelude::*;

/// Finds the origin of every node in `executed`. `elsewhere` are nodes of the
/// graph that run outside of it.
pub(super) fn origins(
    graph: &Graph,
    model: &TypedModel,
    executed: &[usize],
    elsewhere: &HashSet<usize>,
) -> Vec<Origin> {
    let mut origins: Vec<Origin> =
        executed.iter().map(|&id| origin_by_name(graph, &model.node(id).name)).collect();
    let owners = Matcher::new(graph, model, executed, &origins, elsewhere).run();
    for (node, owner) in owners.iter().enumerate() {
        if let Some(position) = owner {
            origins[*position].nodes.push(node);
        }
    }
    for origin in origins.iter_mut().filter(|origin| !origin.nodes.is_empty()) {
        origin.named_after = Some(naming_node(graph, &origin.nodes, origin.named_after));
    }
    own_hoisted(graph, model, executed, &mut origins);
    origins
}

/// Gives each node that was moved out of a loop to one of the kernels that bear
/// its name: the one that multiplies, or else the last.
fn own_hoisted(graph: &Graph, model: &TypedModel, executed: &[usize], origins: &mut [Origin]) {
    let mut owners: HashMap<(usize, usize, usize), usize> = HashMap::new();
    for (position, origin) in origins.iter().enumerate() {
        let (Some((scan, body)), Some(node)) = (origin.hoisted_from, origin.named_after) else {
            continue;
        };
        let operator_type = &graph.nodes[scan].bodies[body].1.nodes[node].operator_type;
        let multiplies = |position: usize| {
            kernels::kernel_kind(model.node(executed[position])) == KernelKind::Contraction
        };
        let owner = owners.entry((scan, body, node)).or_insert(position);
        if !(is_contraction(operator_type) && multiplies(*owner)) || multiplies(position) {
            *owner = position;
        }
    }
    for ((_, _, node), position) in owners {
        origins[position].nodes.push(node);
    }
}

struct Matcher<'a> {
    graph: &'a Graph,
    /// Kernels by position, and what they can still own beyond what names say.
    kinds: Vec<KernelKind>,
    fused: Vec<Fused>,
    multiply_adds: Vec<u64>,
    /// Executed positions whose name extends a node's, by node.
    candidates: Vec<Vec<usize>>,
    exact: Vec<bool>,
    /// Whether a position's name extends a node's.
    is_named: Vec<bool>,
    /// Executed position that still holds a node's first output, by node.
    labelled: Vec<Option<usize>>,
    wanted: Vec<bool>,
    owners: Vec<Option<usize>>,
}

impl<'a> Matcher<'a> {
    fn new(
        graph: &'a Graph,
        model: &TypedModel,
        executed: &[usize],
        origins: &[Origin],
        elsewhere: &HashSet<usize>,
    ) -> Matcher<'a> {
        let count = graph.nodes.len();
        let mut candidates = vec![Vec::new(); count];
        let mut is_named = vec![false; origins.len()];
        for (position, origin) in origins.iter().enumerate() {
            if let (Some(node), None) = (origin.named_after, origin.hoisted_from) {
                candidates[node].push(position);
                is_named[position] = true;
            }
        }
        let mut labelled = vec![None; count];
        for (position, &id) in executed.iter().enumerate() {
            for slot in 0..model.node(id).outputs.len() {
                let label = model.outlet_label(OutletId::new(id, slot));
                if let Some(&node) = label.and_then(|label| graph.producers.get(label)) {
                    labelled[node] = Some(position);
                }
            }
        }
        let mut wanted: Vec<bool> = graph.folded.iter().map(|folded| !folded).collect();
        for &node in elsewhere {
            wanted[node] = false;
        }
        let node = |&id: &usize| model.node(id);
        Matcher {
            graph,
            kinds: executed.iter().map(node).map(kernels::kernel_kind).collect(),
            fused: executed.iter().map(node).map(kernels::fused).collect(),
            multiply_adds: executed
                .iter()
                .map(node)
                .map(|node| kernels::multiply_adds(model, node))
                .collect(),
            exact: origins.iter().map(|origin| origin.role.is_empty()).collect(),
            candidates,
            is_named,
            labelled,
            wanted,
            owners: vec![None; count],
        }
    }

    fn run(mut self) -> Vec<Option<usize>> {
        let nodes: Vec<usize> = (0..self.graph.nodes.len()).filter(|&n| self.wanted[n]).collect();
        // Rule by rule over all nodes: later ones look at the owners that earlier ones found.
        for &node in &nodes {
            self.own_by_name(node);
        }
        for &node in &nodes {
            self.own_contraction_downstream(node);
        }
        for &node in &nodes {
            self.own_before_chain(node);
        }
        for &node in &nodes {
            self.own_by_neighbour(node);
        }
        // Left are nodes before all kernels: backwards, a chain of them gets its consumer's owner.
        for &node in nodes.iter().rev() {
            if self.owners[node].is_none() {
                self.owners[node] = self.consumer_owner(node, |_| true);
            }
        }
        self.owners
    }

    fn operator_type(&self, node: usize) -> &'a str {
        &self.graph.nodes[node].operator_type
    }

    fn own_by_name(&mut self, node: usize) {
        let contraction = is_contraction(self.operator_type(node));
        let layout = moves_data(self.operator_type(node));
        let suitable = |position: &usize| match self.kinds[*position] {
            KernelKind::Contraction => true,
            KernelKind::Layout => layout,
            KernelKind::Other => !contraction,
        };
        // A fused kernel may bear the name of the last node in it.
        let heavy = |position: &usize| self.kinds[*position] == KernelKind::Contraction;
        let best = self.candidates[node].iter().copied().filter(suitable).max_by_key(|position| {
            // Helpers such as `.pack_b` extend its name, too: what does the most work owns it.
            (contraction && heavy(position), self.exact[*position], self.multiply_adds[*position])
        });
        let by_label = || {
            self.labelled[node].filter(|&position| !self.is_named[position] && suitable(&position))
        };
        self.owners[node] = best.or_else(by_label);
    }

    /// A contraction without a kernel of its name was fused with nodes after it: the kernel has the
    /// name of one of those.
    fn own_contraction_downstream(&mut self, node: usize) {
        if !is_contraction(self.operator_type(node)) || self.owners[node].is_some() {
            return;
        }
        const FARTHEST: usize = 8;
        let mut path = vec![node];
        while path.len() <= FARTHEST {
            let Some(next) = path.last().and_then(|&last| self.single_consumer(last)) else {
                return;
            };
            // The kernel further down is then that contraction's.
            if is_contraction(self.operator_type(next)) {
                return;
            }
            path.push(next);
            if let Some(position) = self.owners[next]
                && self.kinds[position] == KernelKind::Contraction
            {
                for &between in &path {
                    self.owners[between] = Some(position);
                }
                // Taken off, so that rule 3 does not give the kernel other nodes in their place.
                let arithmetic =
                    path[1..].iter().filter(|&&n| !moves_data(self.operator_type(n))).count();
                let left = &mut self.fused[position].after;
                *left = left.saturating_sub(arithmetic);
                return;
            }
        }
    }

    fn single_consumer(&self, node: usize) -> Option<usize> {
        let mut consumers = self.consumers_of(node);
        let only = consumers.next()?;
        consumers.all(|consumer| consumer == only).then_some(only)
    }

    fn consumers_of(&self, node: usize) -> impl Iterator<Item = usize> + 'a {
        let graph = self.graph;
        let outputs = graph.nodes[node].outputs.iter();
        outputs.filter_map(|output| graph.consumers.get(output)).flatten().copied()
    }

    fn producers_of(&self, node: usize) -> impl Iterator<Item = usize> + 'a {
        let graph = self.graph;
        graph.nodes[node]
            .inputs
            .iter()
            .filter_map(|name| graph.producers.get(name.as_str()))
            .copied()
    }

    fn own_before_chain(&mut self, node: usize) {
        let Some(position) = self.owners[node] else { return };
        // These are two steps of the chain themselves.
        let own = matches!(self.operator_type(node), "BatchNormalization" | "Clip");
        let before = &mut self.fused[position].before;
        *before = before.saturating_sub(usize::from(own));
        let mut front = vec![node];
        while let Some(next) = front.pop() {
            for producer in self.producers_of(next) {
                let free = self.wanted[producer]
                    && self.owners[producer].is_none()
                    && !moves_data(self.operator_type(producer));
                if free && self.fused[position].before > 0 {
                    self.fused[position].before -= 1;
                    self.owners[producer] = Some(position);
                    front.push(producer);
                }
            }
        }
    }

    fn own_by_neighbour(&mut self, node: usize) {
        if self.owners[node].is_some() {
            return;
        }
        // The producer that the graph computes last is the one that an engine
        // walking along would fuse with.
        let mut producers: Vec<usize> = self.producers_of(node).collect();
        producers.sort_unstable_by(|a, b| b.cmp(a));
        let owned = producers.iter().filter_map(|&producer| self.owners[producer]);
        let owned: Vec<usize> = owned.collect();
        let arithmetic = !moves_data(self.operator_type(node));
        if arithmetic {
            if let Some(&position) = owned.iter().find(|&&position| self.fused[position].after > 0)
            {
                self.fused[position].after -= 1;
                self.owners[node] = Some(position);
                return;
            }
            let behind_contraction =
                owned.iter().all(|&position| self.kinds[position] == KernelKind::Contraction);
            if behind_contraction {
                let takes = |kind| kind == KernelKind::Other;
                self.owners[node] = self.consumer_owner(node, takes);
            }
        }
        self.owners[node] = self.owners[node].or(owned.first().copied());
    }

    fn consumer_owner(&self, node: usize, takes: impl Fn(KernelKind) -> bool) -> Option<usize> {
        self.consumers_of(node)
            .filter_map(|consumer| self.owners[consumer])
            .find(|&position| takes(self.kinds[position]))
    }
}
