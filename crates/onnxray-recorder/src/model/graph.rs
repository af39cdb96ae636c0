//! A model's graph: nodes, constants, inputs, as its author wrote them.
//!
//! An engine renames, folds and fuses; this is the original, so that what ran can
//! be named after it.

use onnxray_format::DataType;
use onnxray_import::Call;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::rc::Rc;

/// A graph: the model's, or the body of a Scan, Loop or If.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// In file order, which ONNX requires to be a topological one.
    pub(crate) nodes: Vec<Node>,
    pub(crate) inputs: Vec<GraphInput>,
    pub(crate) outputs: Vec<String>,
    /// As the file declares them; `None` where it does not say how many there are.
    pub(crate) output_dimensions: Vec<Option<Vec<InputDimension>>>,
    pub(crate) constants: Rc<Constants>,
    /// Positions of nodes, by name.
    pub(crate) names: HashMap<String, usize>,
    /// The node that computes a tensor.
    pub(crate) producers: HashMap<String, usize>,
    /// The nodes that read a tensor, themselves or in their bodies.
    pub(crate) consumers: HashMap<String, Vec<usize>>,
    /// By node: its result is the same for all inputs of these shapes, so that engines compute it
    /// once, when they load the model.
    pub(crate) folded: Vec<bool>,
    /// Calls of functions that were unfolded to nodes of this graph.
    pub(crate) calls: Vec<Call>,
    /// Tensors of the graphs around a body that it reads, other than constants; each once.
    pub(crate) captured: Vec<String>,
    /// Nodes take an axis of one element for the batch that no input has.
    pub(crate) adds_batch: bool,
    pub(super) is_output: HashSet<String>,
    pub(super) is_input: HashSet<String>,
}

/// The constants that a graph may read: its own, which are initializers and outputs of
/// Constant nodes, and those of the graphs around it. Bodies share the latter: copies
/// would grow with bodies times constants.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    pub(crate) own: HashMap<String, Constant>,
    pub(crate) outer: Option<Rc<Constants>>,
}

impl Constants {
    fn get(&self, name: &str) -> Option<&Constant> {
        let mut scopes = std::iter::successors(Some(self), |scope| scope.outer.as_deref());
        scopes.find_map(|scope| scope.own.get(name))
    }
}

#[derive(Debug)]
pub(crate) struct Node {
    /// Unique in the model; an unnamed node is named after its first output.
    pub(crate) name: String,
    /// The name is the file's own.
    pub(crate) is_named: bool,
    pub(crate) operator_type: String,
    /// Empty names stand for inputs left out.
    pub(crate) inputs: Vec<String>,
    pub(crate) outputs: Vec<String>,
    pub(crate) attributes: BTreeMap<String, Attribute>,
    /// Bodies by attribute name.
    pub(crate) bodies: Vec<(String, Rc<Graph>)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Attribute {
    Float(f32),
    Int(i64),
    Text(String),
    Floats(Vec<f32>),
    Ints(Vec<i64>),
    Texts(Vec<String>),
    /// A tensor, a graph or something newer; shown by kind only.
    Other(&'static str),
}

/// A tensor that does not change from run to run.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    pub(crate) shape: Vec<u64>,
    pub(crate) data_type: DataType,
    /// An initializer; otherwise a Constant node holds it.
    pub(crate) initializer: bool,
    /// Its elements, if they are a few numbers, such as sizes and axes; `None` if they are
    /// many or lie elsewhere.
    pub(crate) numbers: Option<Rc<[f64]>>,
    /// The file states only elements that are not zero.
    pub(crate) is_sparse: bool,
}

/// Kind of a model's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// Also where the file states no type.
    Tensor,
    /// A sequence of tensors.
    Sequence,
    /// A map, an optional, or a sequence of such.
    Other,
}

#[derive(Debug)]
pub(crate) struct GraphInput {
    pub(crate) name: String,
    pub(crate) kind: InputKind,
    /// `None` if the file does not say how many there are.
    pub(crate) dimensions: Option<Vec<InputDimension>>,
    /// Element type as a number of ONNX' `TensorProto.DataType`; for a sequence, of its tensors.
    pub(crate) element_type: i32,
    pub(crate) data_type: DataType,
    /// Roles of its axes; empty until `axes::with_roles` fills them in.
    pub(crate) roles: Vec<AxisRole>,
}

/// Role of an axis of an input, by what nodes do along it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AxisRole {
    /// Nothing tells.
    #[default]
    Unknown,
    /// A node takes it for the batch.
    Batch,
    /// Each element along it is computed by itself, with the same weights.
    Rows,
    /// Something else: time, channels, features.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InputDimension {
    Fixed(u64),
    Named(String),
    Unnamed,
}

impl Graph {
    /// The graph with everything that follows from its nodes and constants.
    pub(super) fn linked(mut self) -> Graph {
        for (index, node) in self.nodes.iter().enumerate() {
            self.names.insert(node.name.clone(), index);
            for output in node.outputs.iter().filter(|name| !name.is_empty()) {
                self.producers.insert(output.clone(), index);
            }
            for input in node.reads() {
                self.consumers.entry(input.clone()).or_default().push(index);
            }
        }
        self.is_input = self.inputs.iter().map(|input| input.name.clone()).collect();
        self.is_output = self.outputs.iter().cloned().collect();
        // After producers and inputs, which tell what the graph provides itself.
        self.captured = self.find_captured();
        self.folded = self.find_folded();
        self
    }

    fn find_captured(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let read = self.nodes.iter().flat_map(Node::reads).chain(&self.outputs);
        let outer = read.filter(|name| !name.is_empty() && !self.provides(name));
        outer.filter(|name| seen.insert(name.as_str())).cloned().collect()
    }

    /// A node that depends on its own result, here or in a body. ONNX forbids that, and whatever
    /// follows tensors from node to node relies on it.
    pub(super) fn circle(&self) -> Option<&Node> {
        // Whatever can be computed is, until nothing more can.
        let producers = |node: &Node| -> Vec<usize> {
            node.reads().filter_map(|name| self.producers.get(name)).copied().collect()
        };
        let mut missing: Vec<usize> = self.nodes.iter().map(|node| producers(node).len()).collect();
        let mut ready: Vec<usize> = (0..missing.len()).filter(|&node| missing[node] == 0).collect();
        while let Some(node) = ready.pop() {
            let computed = self.nodes[node].outputs.iter().filter(|name| !name.is_empty());
            // A name that several nodes compute is the last one's.
            let own = computed.filter(|name| self.producers.get(*name) == Some(&node));
            let own: HashSet<&String> = own.collect();
            for &consumer in own.into_iter().filter_map(|name| self.consumers.get(name)).flatten() {
                missing[consumer] -= 1;
                if missing[consumer] == 0 {
                    ready.push(consumer);
                }
            }
        }
        let stuck = |node: &usize| missing[*node] > 0;
        let Some(mut node) = (0..missing.len()).find(stuck) else {
            let mut bodies = self.nodes.iter().flat_map(|node| &node.bodies);
            return bodies.find_map(|(_, body)| body.circle());
        };
        // What follows a circle is stuck as well; backwards, all ends in one.
        let mut seen = vec![false; missing.len()];
        while !seen[node] {
            seen[node] = true;
            node = producers(&self.nodes[node]).into_iter().find(stuck).unwrap_or(node);
        }
        Some(&self.nodes[node])
    }

    /// A node is folded if it reads constants, folded results and shapes only.
    fn find_folded(&self) -> Vec<bool> {
        let mut computed: HashSet<&str> = HashSet::new();
        let mut folded = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let mut inputs = node.inputs.iter().filter(|name| !name.is_empty());
            let is_constant =
                |name: &String| self.constant(name).is_some() || computed.contains(name.as_str());
            let fold =
                node.bodies.is_empty() && (inputs.all(is_constant) || node.reads_shape_only());
            if fold {
                computed.extend(node.outputs.iter().map(String::as_str));
            }
            folded.push(fold);
        }
        folded
    }

    /// The constant of that name, here or in a graph around this one.
    pub(crate) fn constant(&self, name: &str) -> Option<&Constant> {
        self.constants.get(name)
    }

    /// The elements of the constant of that name, or of one that nodes hand on as it is, if they
    /// are a few numbers.
    pub(crate) fn numbers(&self, name: &str) -> Option<&[f64]> {
        const HAND_ON: [&str; 5] = ["Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze"];
        let before = |name: &&str| {
            let node = &self.nodes[*self.producers.get(*name)?];
            let hands_on = HAND_ON.contains(&node.operator_type.as_str());
            node.input(0).filter(|_| hands_on)
        };
        // Ends: a graph has no circles (`circle`).
        let mut names = std::iter::successors(Some(name), before);
        names.find_map(|name| self.constant(name))?.numbers.as_deref()
    }

    pub(crate) fn provides(&self, name: &str) -> bool {
        self.producers.contains_key(name)
            || self.constant(name).is_some()
            || self.is_input.contains(name)
    }

    pub(crate) fn is_output(&self, name: &str) -> bool {
        self.is_output.contains(name)
    }

    /// The tensor is computed once, when the model is loaded.
    pub(crate) fn is_folded(&self, name: &str) -> bool {
        self.producers.get(name).is_some_and(|&node| self.folded[node])
    }

    /// All nodes, those of bodies included.
    pub(crate) fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Node)) {
        for node in &self.nodes {
            visit(node);
            for (_, body) in &node.bodies {
                body.walk(visit);
            }
        }
    }
}

impl Node {
    /// The tensors that it reads, itself or in its bodies.
    fn reads(&self) -> impl Iterator<Item = &String> {
        let captured = self.bodies.iter().flat_map(|(_, body)| &body.captured);
        self.inputs.iter().chain(captured).filter(|name| !name.is_empty())
    }

    /// It reads only the shape of its input.
    pub(crate) fn reads_shape_only(&self) -> bool {
        matches!(self.operator_type.as_str(), "Shape" | "Size")
    }

    /// Attributes as texts, for tables.
    pub(crate) fn attribute_texts(&self) -> BTreeMap<String, String> {
        self.attributes.iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
    }

    pub(crate) fn int(&self, name: &str) -> Option<i64> {
        match self.attributes.get(name) {
            Some(Attribute::Int(value)) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.attributes.get(name) {
            Some(Attribute::Ints(values)) => Some(values),
            _ => None,
        }
    }

    /// The name of input `index`, unless it was left out.
    pub(crate) fn input(&self, index: usize) -> Option<&str> {
        self.inputs.get(index).map(String::as_str).filter(|name| !name.is_empty())
    }

    pub(crate) fn output(&self, index: usize) -> Option<&str> {
        self.outputs.get(index).map(String::as_str).filter(|name| !name.is_empty())
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: fmt::Display>(values: &[T]) -> String {
            values.iter().map(T::to_string).collect::<Vec<_>>().join(",")
        }
        match self {
            Attribute::Float(value) => write!(out, "{value}"),
            Attribute::Int(value) => write!(out, "{value}"),
            Attribute::Text(value) => out.write_str(value),
            Attribute::Floats(values) => out.write_str(&list(values)),
            Attribute::Ints(values) => out.write_str(&list(values)),
            Attribute::Texts(values) => out.write_str(&list(values)),
            Attribute::Other(kind) => out.write_str(kind),
        }
    }
}

impl Constant {
    pub(super) fn unknown() -> Constant {
        Constant {
            shape: Vec::new(),
            data_type: DataType::Other,
            initializer: false,
            numbers: None,
            is_sparse: false,
        }
    }

    /// Its elements count as parameters. Integers that hold shapes, axes and indices do not, nor do
    /// lone numbers of Constant nodes.
    pub(crate) fn is_parameter(&self) -> bool {
        use DataType::*;
        (self.initializer || !self.shape.is_empty())
            && !matches!(self.data_type, S64 | Bool | String | Other)
    }
}
