//! The parts of a model on both sides of a cut, as models of their own.

use super::free_dimensions::FreeDimensions;
use super::places::Cut;
use crate::model::bytes::field_numbers::{
    GRAPH_INITIALIZER, GRAPH_INPUT, GRAPH_NODE, GRAPH_OUTPUT, GRAPH_SPARSE_INITIALIZER,
    GRAPH_VALUE, MODEL_FUNCTION, MODEL_GRAPH, MODEL_IR_VERSION, MODEL_OPERATOR_SET,
    OPERATOR_SET_DOMAIN, OPERATOR_SET_VERSION, SHAPE_DIMENSION, SHAPE_DIMENSION_NAME,
    SHAPE_DIMENSION_VALUE, TYPE_ELEMENT, TYPE_SHAPE, TYPE_TENSOR, VALUE_NAME, VALUE_TYPE,
};
use crate::model::bytes::wire::{put, put_integer};
use crate::model::constants::element_types::element_type;
use crate::model::file::OnnxFile;
use crate::model::parts::{Parts, Source};
use crate::model::sizes::dimensions::BoundDimensions;
use crate::model::tensor_table::TensorTable;
use crate::tensor::Tensor;
use std::cell::{Cell, LazyCell};
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

/// A model of which both sides of a cut are made.
pub(crate) struct Halves {
    parts: Parts,
    /// Found when they are asked for: what is before cuts needs none.
    free: LazyCell<FreeDimensions, Box<dyn FnOnce() -> FreeDimensions>>,
    /// None: not decided yet.
    names_free: Cell<Option<bool>>,
}

impl Halves {
    /// `infer` finds the shapes of a file's tensors. `None` if it cannot be read as parts.
    pub(crate) fn of<E>(
        file: &Rc<OnnxFile>,
        bound: &BoundDimensions,
        infer: impl Fn(&OnnxFile, &BoundDimensions) -> Result<TensorTable, E> + 'static,
    ) -> Option<Halves> {
        let parts = Parts::read(file.bytes().ok()?.into_owned())?;
        let (file, bound) = (Rc::clone(file), bound.clone());
        let free =
            move || FreeDimensions::of(&file.graph, &bound, |bound| infer(&file, bound).ok());
        Some(Halves { parts, free: LazyCell::new(Box::new(free)), names_free: Cell::default() })
    }

    /// Whether it is still to be decided if free dimensions of tensors across cuts have names.
    pub(crate) fn has_undecided_dimensions(&self) -> bool {
        self.names_free.get().is_none() && !self.free.is_empty()
    }

    /// Decides whether free dimensions of tensors across cuts have names, as they have as long as it is not
    /// decided, or are of an unknown size each.
    pub(crate) fn name_free_dimensions(&self, are_named: Option<bool>) {
        self.names_free.set(are_named);
    }

    /// Bytes of the file.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts.bytes.len() as u64
    }

    /// A model that has the tensors across the cut as outputs, and the inputs of the whole one: both
    /// run on the same tensors. `None` if the file has no such tensors: they may be inside a
    /// function.
    pub(crate) fn before(&self, cut: &Cut) -> Option<Vec<u8>> {
        let Halves { parts, .. } = self;
        let (nodes, tensors) = parts.behind(cut.tensors.iter().map(String::as_str));
        let constants = self.constants(&tensors)?;
        let is_input = |name: &String| {
            let constant = || constants.iter().any(|&place| parts.constants[place].name == *name);
            parts.inputs.contains(name) || constant()
        };
        let inputs = parts.stated_inputs.iter().filter(|(name, _)| is_input(name));
        let inputs = inputs.map(|(_, stated)| stated.clone()).collect();
        let outputs = cut.tensors.iter().map(|tensor| self.stated(tensor)).collect();
        let outputs = Ends { inputs, outputs };
        Some(self.model(nodes, &constants, &outputs, |name| !cut.tensors.contains(name)))
    }

    /// A model that computes the outputs of the whole one from the tensors across the cut, and from
    /// inputs of the whole one that are still read: of all these, the values are given. Dimensions of
    /// tensors that are free stay so. `None` if the file has no such tensors, or one that is a sequence.
    pub(crate) fn behind(&self, cut: &Cut, values: &[(String, Tensor)]) -> Option<Vec<u8>> {
        self.computing(cut, &self.parts.outputs, values)
    }

    /// The same of what is between a cut and the next one: it computes the tensors across that one, but for
    /// those that go across both.
    pub(crate) fn between(
        &self,
        [cut, next]: [&Cut; 2],
        values: &[(String, Tensor)],
    ) -> Option<Vec<u8>> {
        let stated = next.tensors.iter().map(|tensor| (tensor.clone(), self.stated(tensor)));
        self.computing(cut, &stated.collect::<Vec<_>>(), values)
    }

    /// A model that computes these tensors from those across the cut.
    fn computing(
        &self,
        cut: &Cut,
        outputs: &[(String, Vec<u8>)],
        values: &[(String, Tensor)],
    ) -> Option<Vec<u8>> {
        let Halves { parts, .. } = self;
        let given: HashSet<&str> = cut.tensors.iter().map(String::as_str).collect();
        let outputs = outputs.iter().filter(|(name, _)| !given.contains(name.as_str()));
        let (names, outputs): (Vec<&str>, Vec<Vec<u8>>) =
            outputs.map(|(name, stated)| (name.as_str(), stated.clone())).unzip();
        if outputs.is_empty() {
            return None;
        }
        let (nodes, tensors) = parts.between(&given, names.iter().copied());
        let computed: HashSet<&str> =
            tensors.iter().copied().filter(|name| !given.contains(name)).collect();
        let constants = self.constants(&computed)?;
        let is_read = |name: &str| {
            let is_input = || matches!(parts.source(name), Some(Source::Input));
            tensors.contains(name) && (given.contains(name) || is_input())
        };
        let read = values.iter().filter(|(name, _)| is_read(name));
        let input = |(name, value): &(String, Tensor)| match given.contains(name.as_str()) {
            true => self.typed(name, value),
            false => {
                let stated = parts.stated_inputs.iter().find(|(stated, _)| stated == name);
                stated.map(|(_, stated)| stated.clone())
            }
        };
        let inputs = read.map(input).collect::<Option<_>>()?;
        let ends = Ends { inputs, outputs };
        let is_inner =
            |name: &String| !given.contains(name.as_str()) && !names.contains(&name.as_str());
        Some(self.model(nodes, &constants, &ends, is_inner))
    }

    /// Constants among these tensors; `None` if one of them comes from nowhere.
    fn constants(&self, tensors: &HashSet<&str>) -> Option<BTreeSet<usize>> {
        let Halves { parts, .. } = self;
        let mut constants = BTreeSet::new();
        for name in tensors {
            if let Source::Constant(place) = parts.source(name)? {
                constants.insert(place);
            }
        }
        Some(constants)
    }

    /// What the file says of a tensor: engines infer the type of one that it says nothing of.
    fn stated(&self, tensor: &str) -> Vec<u8> {
        let Halves { parts, .. } = self;
        let of_output = parts.outputs.iter().find(|(name, _)| name == tensor);
        let stated = of_output.map(|(_, stated)| stated).or_else(|| parts.values.get(tensor));
        stated.cloned().unwrap_or_else(|| {
            let mut named = Vec::new();
            put(&mut named, VALUE_NAME, tensor.as_bytes());
            named
        })
    }

    /// The type of a tensor, as ONNX' `ValueInfoProto`; `None` of a sequence.
    fn typed(&self, name: &str, value: &Tensor) -> Option<Vec<u8>> {
        let number = match value {
            Tensor::Sequence(_) => return None,
            Tensor::Zeros(zeros) => zeros.element_type,
            array => element_type(array.data_type())?,
        };
        let (mut shape, mut tensor, mut of_value, mut stated) =
            <(Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>)>::default();
        for (axis, &size) in value.shape().iter().enumerate() {
            let mut dimension = Vec::new();
            match self.free.name(name, axis, size as u64) {
                Some(_) if self.names_free.get() == Some(false) => {}
                Some(name) => put(&mut dimension, SHAPE_DIMENSION_NAME, name.as_bytes()),
                None => put_integer(&mut dimension, SHAPE_DIMENSION_VALUE, size as u64),
            }
            put(&mut shape, SHAPE_DIMENSION, &dimension);
        }
        put_integer(&mut tensor, TYPE_ELEMENT, u64::try_from(number).ok()?);
        put(&mut tensor, TYPE_SHAPE, &shape);
        put(&mut of_value, TYPE_TENSOR, &tensor);
        put(&mut stated, VALUE_NAME, name.as_bytes());
        put(&mut stated, VALUE_TYPE, &of_value);
        Some(stated)
    }

    /// A model of these nodes and constants; it keeps what the file says of tensors that are
    /// computed and `inner`.
    fn model(
        &self,
        nodes: HashSet<usize>,
        constants: &BTreeSet<usize>,
        ends: &Ends,
        inner: impl Fn(&String) -> bool,
    ) -> Vec<u8> {
        let Halves { parts, .. } = self;
        let mut graph = Vec::new();
        let mut computed: HashSet<&str> = HashSet::new();
        for number in nodes.into_iter().collect::<BTreeSet<_>>() {
            let node = &parts.nodes[number];
            computed.extend(node.outputs.iter().map(String::as_str));
            put(&mut graph, GRAPH_NODE, &node.bytes);
        }
        graph.extend_from_slice(&parts.graph_rest);
        for &place in constants {
            let constant = &parts.constants[place];
            let number = match constant.is_sparse {
                true => GRAPH_SPARSE_INITIALIZER,
                false => GRAPH_INITIALIZER,
            };
            put(&mut graph, number, parts.stored(constant));
        }
        for stated in &ends.inputs {
            put(&mut graph, GRAPH_INPUT, stated);
        }
        for stated in &ends.outputs {
            put(&mut graph, GRAPH_OUTPUT, stated);
        }
        for (name, stated) in &parts.values {
            if computed.contains(name.as_str()) && inner(name) {
                put(&mut graph, GRAPH_VALUE, stated);
            }
        }
        let mut model = Vec::new();
        put_integer(&mut model, MODEL_IR_VERSION, parts.ir_version);
        model.extend_from_slice(&parts.model_rest);
        for (domain, version) in &parts.operator_sets {
            let mut set = Vec::new();
            put(&mut set, OPERATOR_SET_DOMAIN, domain.as_bytes());
            put_integer(&mut set, OPERATOR_SET_VERSION, *version);
            put(&mut model, MODEL_OPERATOR_SET, &set);
        }
        put(&mut model, MODEL_GRAPH, &graph);
        for function in parts.functions.values() {
            put(&mut model, MODEL_FUNCTION, function);
        }
        model
    }
}

/// What a file says of the inputs and outputs of a model.
struct Ends {
    inputs: Vec<Vec<u8>>,
    outputs: Vec<Vec<u8>>,
}
