//! Which provider runs which nodes, in how many partitions, and what crosses between them.

use super::executed_node::ExecutedNode;
use crate::model::graph::{Graph, Node};
use crate::model::tensor_table::TensorTable;
use onnxray_format::{Crossing, NodePartition, Placement, Tensor};
use onnxray_native::onnxruntime::Assigned;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// Nodes that the runtime inserts to copy between providers: what they copy is a crossing.
const COPIES: [&str; 2] = ["MemcpyFromHost", "MemcpyToHost"];

/// The nodes of a profile, as if the library had given each to its provider by itself, and whether these
/// are all: a profile does not say who would run what did not run.
pub(super) fn of_profile(nodes: &[ExecutedNode]) -> (Vec<Assigned>, bool) {
    let own = nodes.iter().filter(|node| !COPIES.contains(&node.operator_type.as_str()));
    let own: Vec<&ExecutedNode> = own.collect();
    let assigned = own.iter().filter_map(|node| {
        let nodes = vec![(node.name.clone(), node.operator_type.clone())];
        Some(Assigned { provider: node.provider.clone()?, nodes })
    });
    (assigned.collect(), own.iter().all(|node| node.provider.is_some()))
}

/// The placement of nodes that were `assigned`, as far as the graph that they are of tells what they
/// read from each other. Several nodes that were assigned as one were compiled to one: they are a
/// partition. Of others, those that are connected within their provider are one.
pub(super) fn placement(assigned: &[Assigned], graph: Option<(&Graph, &TensorTable)>) -> Placement {
    if let [only] = assigned {
        return Placement { partitions: vec![whole([only])], crossings: Some(Vec::new()) };
    }
    let mut reading = Reading::of(assigned);
    if let Some((graph, tensors)) = graph {
        reading.graph(graph, tensors, None, &[]);
    }
    match reading.waiting.values().all(VecDeque::is_empty) {
        true => reading.placement(assigned),
        false => Placement { partitions: by_provider(assigned), crossings: None },
    }
}

/// A tensor, and the position of what computes it among the assigned.
type Written = (usize, Tensor);

/// What is known of the names in a graph, and in those around it.
struct Scope<'a> {
    own: HashMap<&'a str, Vec<Written>>,
    outer: Option<&'a Scope<'a>>,
}

impl Scope<'_> {
    fn get(&self, name: &str) -> &[Written] {
        let mut scopes = std::iter::successors(Some(self), |scope| scope.outer);
        scopes.find_map(|scope| scope.own.get(name)).map_or(&[], Vec::as_slice)
    }
}

/// The assigned as they are found in the graph.
struct Reading<'a> {
    /// Positions of nodes that were not found yet, by name and type, which bodies may share.
    waiting: HashMap<(&'a str, &'a str), VecDeque<usize>>,
    /// Positions in the order of their first nodes.
    order: Vec<usize>,
    is_found: Vec<bool>,
    /// Who computes a tensor, and who reads it, which may be the same.
    edges: Vec<(Written, usize)>,
    is_known: HashSet<(usize, String, usize)>,
}

impl<'a> Reading<'a> {
    fn of(assigned: &'a [Assigned]) -> Reading<'a> {
        let mut waiting: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (position, Assigned { nodes, .. }) in assigned.iter().enumerate() {
            for (name, operator_type) in nodes {
                waiting.entry((&**name, &**operator_type)).or_default().push_back(position);
            }
        }
        let is_found = vec![false; assigned.len()];
        let (order, edges, is_known) = (Vec::new(), Vec::new(), HashSet::new());
        Reading { waiting, order, is_found, edges, is_known }
    }

    /// Reads a graph, and returns who computes its outputs. `inputs` are whoever hands a body its
    /// inputs.
    fn graph(
        &mut self,
        graph: &'a Graph,
        tensors: &TensorTable,
        outer: Option<&Scope>,
        inputs: &[Written],
    ) -> Vec<Written> {
        let handed = graph.inputs.iter().map(|input| {
            let of = |(by, _): &Written| (*by, tensors.tensor(&input.name));
            (input.name.as_str(), inputs.iter().map(of).collect())
        });
        let mut scope = Scope { own: handed.collect(), outer };
        for node in &graph.nodes {
            let read = node.inputs.iter().flat_map(|name| scope.get(name).to_vec()).collect();
            let (by, read) = self.node(node, read, tensors, &scope);
            for name in &node.outputs {
                let written = match by {
                    Some(position) => vec![(position, tensors.tensor(name))],
                    // What nobody was given is not run by itself: its readers read what it reads.
                    None => read.clone(),
                };
                scope.own.insert(name, written);
            }
        }
        graph.outputs.iter().flat_map(|name| scope.get(name).to_vec()).collect()
    }

    /// Who was given a node, and what it and its bodies hand on.
    fn node(
        &mut self,
        node: &'a Node,
        mut read: Vec<Written>,
        tensors: &TensorTable,
        scope: &Scope,
    ) -> (Option<usize>, Vec<Written>) {
        let key = (node.name.as_str(), node.operator_type.as_str());
        let by = self.waiting.get_mut(&key).and_then(VecDeque::pop_front);
        if let Some(by) = by.filter(|&by| !std::mem::replace(&mut self.is_found[by], true)) {
            self.order.push(by);
        }
        let nothing = TensorTable::default();
        let handed = match by {
            Some(by) => vec![(by, tensors.tensor(""))],
            None => read.clone(),
        };
        for (attribute, body) in &node.bodies {
            let of_body = tensors.body(&node.name, attribute).unwrap_or(&nothing);
            read.extend(self.graph(body, of_body, Some(scope), &handed));
        }
        let mut is_new = HashSet::new();
        read.retain(|(from, tensor)| is_new.insert((*from, tensor.name.clone())));
        if let Some(by) = by {
            for written in &read {
                if self.is_known.insert((written.0, written.1.name.clone(), by)) {
                    self.edges.push((written.clone(), by));
                }
            }
        }
        (by, read)
    }

    fn placement(self, assigned: &[Assigned]) -> Placement {
        let mut roots: Vec<usize> = (0..assigned.len()).collect();
        for &((from, _), to) in &self.edges {
            let [a, b] = [&assigned[from], &assigned[to]];
            if a.provider == b.provider && a.nodes.len() == 1 && b.nodes.len() == 1 {
                let (from, to) = (root(&mut roots, from), root(&mut roots, to));
                roots[from] = to;
            }
        }
        let mut members: Vec<Vec<&Assigned>> = Vec::new();
        let mut of_root: HashMap<usize, u32> = HashMap::new();
        for &position in &self.order {
            let root = root(&mut roots, position);
            let partition = *of_root.entry(root).or_insert_with(|| {
                members.push(Vec::new());
                members.len() as u32 - 1
            });
            members[partition as usize].push(&assigned[position]);
        }
        let mut crossings: Vec<Crossing> = Vec::new();
        let mut is_new = HashSet::new();
        for ((from, tensor), to) in self.edges {
            let [from, to] = [from, to].map(|position| of_root[&root(&mut roots, position)]);
            if from != to && is_new.insert((from, tensor.name.clone(), to)) {
                crossings.push(Crossing { tensor, from, to });
            }
        }
        Placement {
            partitions: members.into_iter().map(whole).collect(),
            crossings: Some(crossings),
        }
    }
}

/// Who stands for all that are connected with one of them.
fn root(roots: &mut [usize], mut position: usize) -> usize {
    while roots[position] != position {
        roots[position] = roots[roots[position]];
        position = roots[position];
    }
    position
}

fn by_provider(assigned: &[Assigned]) -> Vec<NodePartition> {
    let mut providers: BTreeMap<&str, Vec<&Assigned>> = BTreeMap::new();
    for one in assigned {
        providers.entry(&one.provider).or_default().push(one);
    }
    providers.into_values().map(whole).collect()
}

fn whole<'a>(assigned: impl IntoIterator<Item = &'a Assigned>) -> NodePartition {
    let mut partition = NodePartition::default();
    for Assigned { provider, nodes } in assigned {
        partition.provider.clone_from(provider);
        for (name, operator_type) in nodes {
            partition.nodes.push(name.clone());
            partition.types.push(operator_type.clone());
        }
    }
    partition
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::graph::{GraphInput, InputKind};
    use crate::model::tensor_table::TensorType;
    use onnxray_format::DataType;
    use std::rc::Rc;

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_string).collect()
    }

    /// `name: inputs > outputs` by node, all of one type.
    fn graph(nodes: &[&str], outputs: &str) -> Graph {
        let node = |text: &&str| {
            let (name, rest) = text.split_once(": ").unwrap();
            let (inputs, outputs) = rest.split_once('>').unwrap();
            Node {
                name: name.to_string(),
                is_named: true,
                operator_type: "Op".to_string(),
                inputs: names(inputs),
                outputs: names(outputs),
                attributes: BTreeMap::new(),
                bodies: Vec::new(),
            }
        };
        let mut graph = Graph::default();
        graph.nodes = nodes.iter().map(node).collect();
        graph.outputs = names(outputs);
        graph
    }

    /// Every tensor but `unknown` has 10 elements.
    fn tensors(graph: &Graph) -> TensorTable {
        let names = graph.nodes.iter().flat_map(|node| &node.outputs);
        let known = names.filter(|name| *name != "unknown").map(|name| {
            (name.clone(), TensorType { data_type: Some(DataType::Fp32), shape: Some(vec![10]) })
        });
        TensorTable::new(graph, known, None)
    }

    /// `provider: nodes`, each as it was assigned.
    fn assigned(all: &[&str]) -> Vec<Assigned> {
        let one = |text: &&str| {
            let (provider, nodes) = text.split_once(": ").unwrap();
            let nodes = names(nodes).into_iter().map(|name| (name, "Op".to_string())).collect();
            Assigned { provider: provider.to_string(), nodes }
        };
        all.iter().map(one).collect()
    }

    fn partitions(placement: &Placement) -> Vec<String> {
        let text = |one: &NodePartition| format!("{}: {}", one.provider, one.nodes.join(" "));
        placement.partitions.iter().map(text).collect()
    }

    fn crossings(placement: &Placement) -> Vec<(u32, &str, u32, Option<u64>)> {
        let all = placement.crossings.as_ref().unwrap().iter();
        all.map(|one| (one.from, &*one.tensor.name, one.to, one.tensor.bytes())).collect()
    }

    #[test]
    fn connected_nodes_of_a_provider_are_a_partition() {
        // a and b are connected, and d is behind what another provider runs.
        let graph = graph(
            &["a: x > p", "b: p w > q", "c: q p > r", "d: r > unknown", "e: unknown r > s"],
            "s",
        );
        let own = assigned(&["cpu: a", "cpu: b", "cpu: d", "npu: c", "npu: e"]);
        let placement = placement(&own, Some((&graph, &tensors(&graph))));
        assert_eq!(partitions(&placement), ["cpu: a b", "npu: c e", "cpu: d"]);
        let bytes = Some(40);
        assert_eq!(
            crossings(&placement),
            [(0, "q", 1, bytes), (0, "p", 1, bytes), (1, "r", 2, bytes), (2, "unknown", 1, None)]
        );
    }

    #[test]
    fn what_was_compiled_to_one_is_a_partition() {
        let graph = graph(&["a: x > p", "b: p > q", "c: q > r", "d: r q > s"], "s");
        let own = assigned(&["npu: a b", "npu: c d"]);
        let placed = placement(&own, Some((&graph, &tensors(&graph))));
        assert_eq!(partitions(&placed), ["npu: a b", "npu: c d"]);
        assert_eq!(crossings(&placed), [(0, "q", 1, Some(40))], "read by two nodes");
        let alone = placement(&own[..1], None);
        assert_eq!(alone.crossings, Some(Vec::new()), "it needs no graph");
    }

    #[test]
    fn nodes_that_nobody_was_given_hand_on_what_they_read() {
        let graph = graph(&["a: x > p", "cast: p > q", "b: q > r", "c: q > s"], "r s");
        let own = assigned(&["cpu: a", "npu: b", "cpu: c"]);
        let placement = placement(&own, Some((&graph, &tensors(&graph))));
        assert_eq!(partitions(&placement), ["cpu: a c", "npu: b"]);
        assert_eq!(crossings(&placement), [(0, "p", 1, Some(40))]);
    }

    #[test]
    fn bodies_read_from_their_holder_and_from_around_it() {
        let mut outer = graph(&["a: x > p", "loop: p > r", "b: r > s"], "s");
        let mut body = graph(&["a: given > t", "inner: t p > u"], "u");
        body.inputs.push(GraphInput {
            name: "given".to_string(),
            kind: InputKind::Tensor,
            dimensions: None,
            element_type: 1,
            data_type: DataType::Fp32,
            roles: Vec::new(),
        });
        outer.nodes[1].bodies.push(("body".to_string(), Rc::new(body)));
        // Two nodes have one name: the one around the body comes first.
        let own = assigned(&["cpu: a", "cpu: a", "cpu: loop", "npu: inner", "cpu: b"]);
        let placement = placement(&own, Some((&outer, &tensors(&outer))));
        assert_eq!(partitions(&placement), ["cpu: a loop a b", "npu: inner"]);
        assert_eq!(
            crossings(&placement),
            [(0, "t", 1, None), (0, "p", 1, Some(40)), (1, "u", 0, None)]
        );
    }

    #[test]
    fn of_a_graph_that_lacks_a_node_nothing_is_known() {
        let graph = graph(&["a: x > p"], "p");
        let own = assigned(&["cpu: a", "npu: b", "cpu: c"]);
        for known in [Some((&graph, &tensors(&graph))), None] {
            let placement = placement(&own, known);
            assert_eq!(partitions(&placement), ["cpu: a c", "npu: b"]);
            assert_eq!(placement.crossings, None);
        }
    }
}
