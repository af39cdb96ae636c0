//! A mix as an ONNX file: of each change the nodes of A or B, and what these need.

use super::names::attribute;
use super::ways::{Pair, Side};
use crate::model::bytes::field_numbers::{
    ATTRIBUTE_INTEGER, ATTRIBUTE_NAME, ATTRIBUTE_TYPE, GRAPH_INITIALIZER, GRAPH_INPUT, GRAPH_NODE,
    GRAPH_OUTPUT, GRAPH_SPARSE_INITIALIZER, GRAPH_VALUE, MODEL_FUNCTION, MODEL_GRAPH,
    MODEL_IR_VERSION, MODEL_OPERATOR_SET, NODE_ATTRIBUTE, NODE_INPUT, NODE_NAME,
    NODE_OPERATOR_TYPE, NODE_OUTPUT, OPERATOR_SET_DOMAIN, OPERATOR_SET_VERSION, SPARSE_VALUES,
    TENSOR_NAME, VALUE_NAME,
};
use crate::model::bytes::wire::{Field, Fields, put, put_integer, rewritten};
use crate::model::parts::{Node, Source, text};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Initializers may be other than inputs from this version of the format on.
const INITIALIZERS_ALONE: u64 = 4;
/// ONNX's number for an attribute that is an integer.
const INTEGER: u64 = 2;

/// A model with further outputs.
pub(crate) struct Observed {
    pub(crate) bytes: Vec<u8>,
    /// Names of the further outputs, in their order.
    pub(crate) tensors: Vec<String>,
}

impl Pair {
    /// The mix that takes these changes from B, by their numbers, and the others from A.
    ///
    /// # Errors
    ///
    /// Why there is none, in words.
    pub(crate) fn mixed(&self, from_b: &[u32]) -> Result<Vec<u8>, String> {
        let mut assembly = Assembly::of(self, |number| match from_b.contains(&(number as u32)) {
            true => Side::B,
            false => Side::A,
        });
        assembly.model(&[])
    }

    /// A model as it is, and all tensors that both compute as outputs.
    ///
    /// # Errors
    ///
    /// As [`Pair::mixed`].
    pub(crate) fn observed(&self, side: Side) -> Result<Observed, String> {
        let mut assembly = Assembly::of(self, |_| side);
        let outputs: HashSet<&str> =
            self.parts(Side::A).outputs.iter().map(|(name, _)| name.as_str()).collect();
        let computed = self.computed().into_iter();
        let tensors: Vec<String> =
            computed.filter(|name| !outputs.contains(name)).map(str::to_string).collect();
        let further: Vec<(Side, String)> =
            tensors.iter().map(|name| (side, name.clone())).collect();
        Ok(Observed { bytes: assembly.model(&further)?, tensors })
    }

    /// A as it is, and the tensor of each change computed by B's way from A's tensors.
    ///
    /// # Errors
    ///
    /// As [`Pair::mixed`].
    pub(crate) fn by_b(&self) -> Result<Observed, String> {
        let mut assembly = Assembly::of(self, |_| Side::A);
        let tensors: Vec<String> =
            self.changes.iter().filter_map(|change| change.tensor.clone()).collect();
        let further: Vec<(Side, String)> =
            tensors.iter().map(|name| (Side::B, name.clone())).collect();
        Ok(Observed { bytes: assembly.model(&further)?, tensors })
    }
}

/// A node of the mix.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place(Side, usize);

/// State of a mix being assembled.
struct Assembly<'a> {
    pair: &'a Pair,
    /// The side of each change, by its number.
    sides: Vec<Side>,
    /// Side whose statements of shapes hold.
    stated: Side,
    /// Names in the mix, of tensors as one of both models knows them.
    names: HashMap<(Side, String), String>,
    /// Names of tensors that are in both, or in the mix.
    taken: HashSet<String>,
    /// Tensors as other types than they are computed in: by name in the mix and type.
    casts: BTreeMap<(String, i32), String>,
    /// Constants of each model that are needed.
    constants: [BTreeSet<usize>; 2],
}

impl<'a> Assembly<'a> {
    fn of(pair: &'a Pair, side: impl Fn(usize) -> Side) -> Assembly<'a> {
        let sides: Vec<Side> = (0..pair.changes.len()).map(side).collect();
        let mut changes = pair.changes.iter().zip(&sides);
        let stated = changes.find(|(change, _)| change.tensor.is_none());
        let mut taken = HashSet::new();
        for parts in &pair.parts {
            taken.extend(parts.nodes.iter().flat_map(|node| node.outputs.iter().cloned()));
            taken.extend(parts.constants.iter().map(|constant| constant.name.clone()));
            taken.extend(parts.stated_inputs.iter().map(|(name, _)| name.clone()));
        }
        Assembly {
            pair,
            stated: stated.map_or(Side::A, |(_, side)| *side),
            sides,
            names: HashMap::new(),
            taken,
            casts: BTreeMap::new(),
            constants: [BTreeSet::new(), BTreeSet::new()],
        }
    }

    /// Side whose way to a shared tensor is taken.
    fn side(&self, name: &str) -> Side {
        let number = self.pair.numbers.get(name);
        match number.map(|&number| self.sides[number]) {
            Some(side) => side,
            // Both have the same way, or it is an input.
            None => match self.pair.parts(Side::A).source(name) {
                None => Side::B,
                Some(_) => Side::A,
            },
        }
    }

    /// Source in the mix of a tensor that a node of `reader` reads.
    fn source(&self, reader: Side, name: &str) -> Option<(Side, Source)> {
        let side = match self.pair.shared.contains(name) {
            true => self.side(name),
            false => reader,
        };
        Some((side, self.pair.parts(side).source(name)?))
    }

    /// The model, with these tensors, as those models compute them, as outputs beyond A's.
    fn model(&mut self, further: &[(Side, String)]) -> Result<Vec<u8>, String> {
        let pair = self.pair;
        let a = pair.parts(Side::A);
        let mut roots: Vec<(Side, Source)> = Vec::new();
        for (name, _) in &a.outputs {
            let found = self.source(Side::A, name);
            roots.push(found.ok_or_else(|| format!("nothing computes output `{name}`"))?);
        }
        for (side, name) in further {
            roots.extend(pair.parts(*side).source(name).map(|source| (*side, source)));
        }
        let places = self.in_order(&roots)?;
        let mut body = Vec::new();
        let mut node_names = HashSet::new();
        for Place(side, number) in places {
            let node = &pair.parts(side).nodes[number];
            let own = self.node(side, node, &mut node_names, &mut body)?;
            put(&mut body, GRAPH_NODE, &own);
        }
        let mut outputs = Vec::new();
        for (name, stated) in &a.outputs {
            outputs.push(self.output(name, stated, &mut body));
        }
        for (side, name) in further {
            let mut stated = Vec::new();
            put(&mut stated, VALUE_NAME, self.name_of(*side, name).as_bytes());
            outputs.push(stated);
        }
        let graph = self.graph(body, &outputs)?;
        let mut model = Vec::new();
        // Versions of the format are backward compatible: the newer one holds for both.
        let versions = pair.parts.each_ref().map(|parts| parts.ir_version);
        let version = versions[0].max(versions[1]).max(INITIALIZERS_ALONE);
        put_integer(&mut model, MODEL_IR_VERSION, version);
        model.extend_from_slice(&a.model_rest);
        // `check` has refused models whose versions of one domain differ: which one holds does not
        // matter.
        let sets = pair.parts.iter().flat_map(|parts| &parts.operator_sets);
        for (domain, version) in sets.collect::<BTreeMap<_, _>>() {
            let mut set = Vec::new();
            put(&mut set, OPERATOR_SET_DOMAIN, domain.as_bytes());
            put_integer(&mut set, OPERATOR_SET_VERSION, *version);
            put(&mut model, MODEL_OPERATOR_SET, &set);
        }
        put(&mut model, MODEL_GRAPH, &graph);
        let functions = pair.parts.iter().flat_map(|parts| &parts.functions);
        for function in functions.collect::<BTreeMap<_, _>>().into_values() {
            put(&mut model, MODEL_FUNCTION, function);
        }
        Ok(model)
    }

    /// All needed nodes, each after what it reads, otherwise in the order of A, then of B. Notes
    /// the needed constants.
    fn in_order(&mut self, roots: &[(Side, Source)]) -> Result<Vec<Place>, String> {
        let mut needed: HashMap<Place, Vec<Place>> = HashMap::new();
        let mut open: Vec<(Side, Source)> = roots.to_vec();
        while let Some((side, source)) = open.pop() {
            match source {
                Source::Input => {}
                Source::Constant(place) => {
                    self.constants[side as usize].insert(place);
                }
                Source::Node(number) => {
                    let place = Place(side, number);
                    if needed.contains_key(&place) {
                        continue;
                    }
                    let node = &self.pair.parts(side).nodes[number];
                    let mut before = Vec::new();
                    for read in node.reads() {
                        let found = self.source(side, read);
                        let found = found.ok_or_else(|| format!("nothing computes `{read}`"))?;
                        open.push(found);
                        if let (side, Source::Node(number)) = found {
                            before.push(Place(side, number));
                        }
                    }
                    needed.insert(place, before);
                }
            }
        }
        let mut order = Vec::new();
        let (mut begun, mut done) = (HashSet::new(), HashSet::new());
        let mut all: Vec<Place> = needed.keys().copied().collect();
        // A HashMap has another order in each run, and the file must not.
        all.sort_by_key(|Place(side, number)| (*side, *number));
        for first in all {
            let mut open = vec![first];
            while let Some(&place) = open.last() {
                if done.contains(&place) {
                    open.pop();
                    continue;
                }
                let before = needed.get(&place).map_or(&[][..], Vec::as_slice);
                let missing: Vec<Place> =
                    before.iter().copied().filter(|other| !done.contains(other)).collect();
                if missing.is_empty() {
                    open.pop();
                    done.insert(place);
                    order.push(place);
                // Visited before and still waiting: what it waits for needs it.
                } else if !begun.insert(place) {
                    let node = &self.pair.parts(place.0).nodes[place.1];
                    return Err(format!(
                        "node `{}` would need its own result: both models compute tensors in \
                         another order",
                        node.shown_name()
                    ));
                }
                open.extend(missing);
            }
        }
        Ok(order)
    }

    /// The name in the mix of a tensor as a model knows it.
    fn name_of(&mut self, side: Side, name: &str) -> String {
        if let Some(known) = self.names.get(&(side, name.to_string())) {
            return known.clone();
        }
        let pair = self.pair;
        let is_other = match pair.shared.contains(name) {
            // What is computed beside the way that is taken, or in another type than the output.
            true => side != self.side(name) || self.is_cast_output(name),
            false => side == Side::B && pair.parts(Side::A).source(name).is_some(),
        };
        // Constants that are the same are one.
        let contents = [0, 1].map(|side| pair.contents[side].get(name).map(|own| own.whole));
        let is_same = matches!(contents, [Some(a), Some(b)] if a == b)
            && !pair.shared.contains(name)
            && matches!(self.source(Side::A, name), Some((_, Source::Constant(_))));
        let own = match is_other && !is_same {
            true => self.fresh(&format!("{name}_{}", if side == Side::A { "a" } else { "b" })),
            false => name.to_string(),
        };
        self.names.insert((side, name.to_string()), own.clone());
        own
    }

    /// The tensor is an output that B computes in another type than A.
    fn is_cast_output(&self, name: &str) -> bool {
        self.side(name) == Side::B
            && self.pair.differs_in_type(name)
            && self.pair.parts(Side::A).outputs.iter().any(|(output, _)| output == name)
    }

    /// A name that no tensor has yet; takes it.
    fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}{number}");
        }
        name
    }

    /// Name in the mix of a tensor that a node of `reader` reads. Adds a cast where the mix has it
    /// in another type.
    fn read(&mut self, reader: Side, name: &str, body: &mut Vec<u8>) -> String {
        let pair = self.pair;
        if name.is_empty() || !pair.shared.contains(name) {
            return if name.is_empty() { String::new() } else { self.name_of(reader, name) };
        }
        let side = self.side(name);
        let own = self.name_of(side, name);
        let (Some(from), Some(to)) =
            (pair.element_type(side, name), pair.element_type(reader, name))
        else {
            return own;
        };
        if from == to {
            return own;
        }
        // One cast for all readers of that type.
        if let Some(known) = self.casts.get(&(own.clone(), to)) {
            return known.clone();
        }
        let result = self.fresh(&format!("{name}_cast"));
        put(body, GRAPH_NODE, &cast(&own, &result, to));
        self.casts.insert((own, to), result.clone());
        result
    }

    /// A node with the names of the mix.
    fn node(
        &mut self,
        side: Side,
        node: &Node,
        node_names: &mut HashSet<String>,
        body: &mut Vec<u8>,
    ) -> Result<Vec<u8>, String> {
        let mut reads: HashMap<String, String> = HashMap::new();
        for read in node.reads() {
            reads.insert(read.to_string(), self.read(side, read, body));
        }
        let mut name = node.name.clone();
        // Engines may refuse two nodes of one name, and take nodes without one.
        while !name.is_empty() && !node_names.insert(name.clone()) {
            name.push_str(if side == Side::A { "_a" } else { "_b" });
        }
        let mut outputs = node.outputs.iter();
        let mut own = Vec::with_capacity(node.bytes.len());
        let renamed = |name: &str| reads.get(name).map_or(name, String::as_str).to_string();
        for field in Fields(&node.bytes) {
            let Field { number, value, whole, .. } = field.ok_or("a node is damaged")?;
            match (number, value) {
                (NODE_INPUT, Some(value)) => {
                    let read = text(value).ok_or("a node is damaged")?;
                    put(&mut own, NODE_INPUT, renamed(&read).as_bytes());
                }
                (NODE_OUTPUT, Some(_)) => {
                    let output = outputs.next().map_or("", String::as_str);
                    let output = match output.is_empty() {
                        true => String::new(),
                        false => self.name_of(side, output),
                    };
                    put(&mut own, NODE_OUTPUT, output.as_bytes());
                }
                (NODE_NAME, Some(_)) => put(&mut own, NODE_NAME, name.as_bytes()),
                (NODE_ATTRIBUTE, Some(value)) if !node.captured.is_empty() => {
                    let attribute = attribute(value, &reads).ok_or("a body is damaged")?;
                    put(&mut own, NODE_ATTRIBUTE, &attribute);
                }
                _ => own.extend_from_slice(whole),
            }
        }
        Ok(own)
    }

    /// Statement of the mix about an output of A.
    fn output(&mut self, name: &str, stated: &[u8], body: &mut Vec<u8>) -> Vec<u8> {
        let pair = self.pair;
        if self.is_cast_output(name) {
            let own = self.name_of(Side::B, name);
            let to = pair.element_type(Side::A, name).unwrap_or_default();
            put(body, GRAPH_NODE, &cast(&own, name, to));
            return stated.to_vec();
        }
        let other = pair.parts(Side::B).outputs.iter().find(|(output, _)| output == name);
        match other.filter(|_| self.stated == Side::B && !pair.differs_in_type(name)) {
            Some((_, other)) => other.clone(),
            None => stated.to_vec(),
        }
    }

    fn graph(&mut self, body: Vec<u8>, outputs: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let pair = self.pair;
        let mut graph = body;
        graph.extend_from_slice(&pair.parts(Side::A).graph_rest);
        let mut written = HashSet::new();
        for side in [Side::A, Side::B] {
            let parts = pair.parts(side);
            for place in self.constants[side as usize].clone() {
                let constant = &parts.constants[place];
                let name = self.name_of(side, &constant.name);
                if !written.insert(name.clone()) {
                    continue;
                }
                let bytes = parts.stored(constant);
                let (number, bytes) = match constant.is_sparse {
                    false => (GRAPH_INITIALIZER, named(bytes, &name)),
                    true => {
                        let values = rewritten(bytes, SPARSE_VALUES, |values| named(values, &name));
                        (GRAPH_SPARSE_INITIALIZER, values)
                    }
                };
                put(&mut graph, number, &bytes.ok_or("a constant is damaged")?);
            }
        }
        let a = pair.parts(Side::A);
        for (name, stated) in &a.stated_inputs {
            if a.inputs.contains(name) || written.contains(name) {
                put(&mut graph, GRAPH_INPUT, stated);
            }
        }
        for output in outputs {
            put(&mut graph, GRAPH_OUTPUT, output);
        }
        for (name, stated) in &pair.parts(self.stated).values {
            // A statement that does not hold in the mix would have engines refuse it.
            if self.is_stated(name) {
                put(&mut graph, GRAPH_VALUE, stated);
            }
        }
        Ok(graph)
    }

    /// What `stated` says of a tensor holds in the mix.
    fn is_stated(&self, name: &str) -> bool {
        let own = self.names.get(&(self.stated, name.to_string()));
        match self.pair.shared.contains(name) {
            true => self.side(name) == self.stated || !self.pair.differs_in_type(name),
            false => own.is_some_and(|own| own == name),
        }
    }
}

fn cast(from: &str, to: &str, element_type: i32) -> Vec<u8> {
    let mut attribute = Vec::new();
    put(&mut attribute, ATTRIBUTE_NAME, b"to");
    put_integer(&mut attribute, ATTRIBUTE_INTEGER, element_type as u64);
    put_integer(&mut attribute, ATTRIBUTE_TYPE, INTEGER);
    let mut node = Vec::new();
    put(&mut node, NODE_INPUT, from.as_bytes());
    put(&mut node, NODE_OUTPUT, to.as_bytes());
    put(&mut node, NODE_NAME, format!("{to}_node").as_bytes());
    put(&mut node, NODE_OPERATOR_TYPE, b"Cast");
    put(&mut node, NODE_ATTRIBUTE, &attribute);
    node
}

fn named(tensor: &[u8], name: &str) -> Option<Vec<u8>> {
    rewritten(tensor, TENSOR_NAME, |_| Some(name.as_bytes().to_vec()))
}
