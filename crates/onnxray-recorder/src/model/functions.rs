//! Model-local functions: each call becomes the nodes of the function, as engines run them.
//!
//! ```text
//!   blk0: Block(x, w0) → h          blk0/inner_mm:   MatMul(x, w0)  → blk0/t
//!                                   blk0/inner_relu: Relu(blk0/t)   → h
//! ```

use super::bytes::field_numbers::{
    ATTRIBUTE_GRAPH, FUNCTION_ATTRIBUTE, FUNCTION_NAME, FUNCTION_NODE, FUNCTION_OVERLOAD,
    GRAPH_NODE, MODEL_FUNCTION, MODEL_GRAPH, NODE_ATTRIBUTE, NODE_OPERATOR_TYPE, NODE_OVERLOAD,
};
use super::bytes::wire::{put, rewritten, values};
use std::borrow::Cow;
use std::collections::HashMap;
use tract_onnx::pb;
use tract_onnx::prelude::Framework;

/// Functions that call functions, at most: a few in practice.
const DEEPEST: usize = 64;
/// Nodes and bytes of tensors that functions may unfold to: each call copies them.
const MOST_NODES: usize = 200_000;
const MOST_BYTES: usize = 1 << 31;

/// Separates a function's name from its overload in the type of a call.
const OVERLOAD: &str = ":";

/// Replaces all calls in the model that `bytes` hold. The function of each, by the name of its
/// node: in other functions, the names of all calls with `/` between them.
///
/// # Errors
///
/// Why they cannot be unfolded.
pub(super) fn unfold(
    model: &mut pb::ModelProto,
    bytes: &[u8],
) -> Result<HashMap<String, String>, String> {
    let functions = std::mem::take(&mut model.functions);
    if functions.is_empty() {
        return Ok(HashMap::new());
    }
    let mut defaults = defaults(bytes).into_iter();
    let mut known = HashMap::new();
    for function in &functions {
        for set in &function.opset_import {
            if !model.opset_import.iter().any(|own| is_same_domain(&own.domain, &set.domain)) {
                model.opset_import.push(set.clone());
            }
        }
        let defaults = defaults.next().unwrap_or_default();
        let name = function.name.as_deref().unwrap_or_default();
        let key = (domain(function.domain.as_deref().unwrap_or_default()), name);
        known.insert(key, Function { function, defaults });
    }
    let mut unfolding = Unfolding { known, calls: HashMap::new(), nodes: 0, bytes: 0 };
    if let Some(graph) = &mut model.graph {
        graph.node = unfolding.nodes(std::mem::take(&mut graph.node), &mut Vec::new())?;
    }
    Ok(unfolding.calls)
}

/// ONNX's own domain has two names.
fn domain(domain: &str) -> &str {
    if domain == "ai.onnx" { "" } else { domain }
}

fn is_same_domain(one: &str, other: &str) -> bool {
    domain(one) == domain(other)
}

struct Function<'a> {
    function: &'a pb::FunctionProto,
    /// Attributes that a call may leave out.
    defaults: Vec<pb::AttributeProto>,
}

struct Unfolding<'a> {
    known: HashMap<(&'a str, &'a str), Function<'a>>,
    calls: HashMap<String, String>,
    nodes: usize,
    bytes: usize,
}

impl Unfolding<'_> {
    /// The nodes with calls unfolded. `within` are the functions that they are in.
    fn nodes(
        &mut self,
        nodes: Vec<pb::NodeProto>,
        within: &mut Vec<String>,
    ) -> Result<Vec<pb::NodeProto>, String> {
        let mut unfolded = Vec::with_capacity(nodes.len());
        for mut node in nodes {
            let key = (domain(&node.domain), node.op_type.as_str());
            if let Some(function) = self.known.get(&key) {
                let name = function.function.name.clone().unwrap_or_default();
                let shown = name.replace(OVERLOAD, " overload ");
                // With its domain: two domains may have functions of one name that call each other.
                let own = format!("{}.{name}", domain(&node.domain));
                if within.contains(&own) {
                    return Err(format!("its function `{shown}` calls itself"));
                }
                // Each level is a call of this function, too: a file must not decide how deep the
                // stack gets.
                if within.len() >= DEEPEST {
                    return Err(format!("its functions call each other more than {DEEPEST} deep"));
                }
                let body = function.body(&node);
                let plain = name.split(OVERLOAD).next().unwrap_or_default().to_string();
                self.calls.insert(node.name, plain);
                within.push(own);
                unfolded.extend(self.nodes(body, within)?);
                within.pop();
                continue;
            }
            self.nodes += 1;
            for attribute in &mut node.attribute {
                self.bytes += attribute.t.as_ref().map_or(0, |tensor| tensor.raw_data.len());
                if let Some(body) = &mut attribute.g {
                    body.node = self.nodes(std::mem::take(&mut body.node), within)?;
                }
            }
            if self.nodes > MOST_NODES || self.bytes > MOST_BYTES {
                return Err(format!(
                    "its functions unfold to more than {MOST_NODES} nodes or {MOST_BYTES} bytes"
                ));
            }
            unfolded.push(node);
        }
        Ok(unfolded)
    }
}

impl Function<'_> {
    /// The function's nodes in place of a call.
    fn body(&self, call: &pb::NodeProto) -> Vec<pb::NodeProto> {
        let Function { function, .. } = self;
        let nothing = String::new();
        let operands = call.input.iter().chain(std::iter::repeat(&nothing));
        let mut tensors: HashMap<&str, &str> = HashMap::new();
        let computed = |name: &String| function.node.iter().any(|node| node.output.contains(name));
        let mut passed_on = Vec::new();
        for (formal, result) in function.output.iter().zip(&call.output) {
            match computed(formal) {
                // The caller leaves this output out: its name stays the function's own.
                _ if result.is_empty() => {}
                true => _ = tensors.entry(formal.as_str()).or_insert(result),
                false => passed_on.push((formal, result)),
            }
        }
        for (formal, operand) in function.input.iter().zip(operands) {
            tensors.entry(formal.as_str()).or_insert(operand);
        }
        let place = Place { call, tensors, defaults: &self.defaults };
        let mut nodes: Vec<pb::NodeProto> =
            function.node.iter().map(|node| place.node(node)).collect();
        // What the function hands on as it is.
        nodes.extend(passed_on.into_iter().map(|(formal, result)| pb::NodeProto {
            name: format!("{}/{formal}", call.name),
            op_type: "Identity".to_string(),
            input: vec![place.tensor(formal)],
            output: vec![result.clone()],
            ..pb::NodeProto::default()
        }));
        nodes
    }
}

/// A call, with what its names stand for.
struct Place<'a> {
    call: &'a pb::NodeProto,
    /// The function's inputs and outputs as the caller names them.
    tensors: HashMap<&'a str, &'a str>,
    defaults: &'a [pb::AttributeProto],
}

impl Place<'_> {
    fn tensor(&self, name: &str) -> String {
        match self.tensors.get(name) {
            Some(outside) => outside.to_string(),
            None if name.is_empty() => String::new(),
            None => format!("{}/{name}", self.call.name),
        }
    }

    fn node(&self, node: &pb::NodeProto) -> pb::NodeProto {
        let tensors = |names: &[String]| names.iter().map(|name| self.tensor(name)).collect();
        pb::NodeProto {
            name: format!("{}/{}", self.call.name, node.name),
            input: tensors(&node.input),
            output: tensors(&node.output),
            attribute: node.attribute.iter().filter_map(|own| self.attribute(own)).collect(),
            ..node.clone()
        }
    }

    /// `None` if it refers to an attribute that the call leaves out and that has no default.
    fn attribute(&self, own: &pb::AttributeProto) -> Option<pb::AttributeProto> {
        let of_caller = own.ref_attr_name.as_str();
        if !of_caller.is_empty() {
            let mut stated = self.call.attribute.iter().chain(self.defaults);
            let stated = stated.find(|attribute| attribute.name == of_caller)?;
            return Some(pb::AttributeProto { name: own.name.clone(), ..stated.clone() });
        }
        let g = own.g.as_ref().map(|body| self.graph(body));
        Some(pb::AttributeProto { g, ..own.clone() })
    }

    fn graph(&self, body: &pb::GraphProto) -> pb::GraphProto {
        let mut body = body.clone();
        body.node = body.node.iter().map(|node| self.node(node)).collect();
        let tensors = body.initializer.iter_mut().map(|tensor| &mut tensor.name);
        let values = body.input.iter_mut().chain(&mut body.output).map(|value| &mut value.name);
        tensors.chain(values).for_each(|name| *name = self.tensor(name));
        // It has names of before, and shapes that need not hold at this call.
        body.value_info.clear();
        body
    }
}

/// The default attributes of each function in a model's bytes, which tract's types do not have.
fn defaults(bytes: &[u8]) -> Vec<Vec<pb::AttributeProto>> {
    let of_function = |function: &[u8]| {
        let mut node = Vec::new();
        for attribute in values(function, FUNCTION_ATTRIBUTE) {
            put(&mut node, NODE_ATTRIBUTE, attribute);
        }
        // Decoded as the attributes of a node.
        let (mut graph, mut model) = (Vec::new(), Vec::new());
        put(&mut graph, GRAPH_NODE, &node);
        put(&mut model, MODEL_GRAPH, &graph);
        let decoded = tract_onnx::onnx().proto_model_for_read(&mut model.as_slice());
        let mut nodes = decoded.ok().and_then(|model| model.graph).unwrap_or_default().node;
        nodes.pop().unwrap_or_default().attribute
    };
    values(bytes, MODEL_FUNCTION).map(of_function).collect()
}

/// The model in `bytes` with overloads in the names of functions and in the types of their
/// calls, because tract's types have none; itself where there are none.
pub(super) fn with_overloads(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let is_overloaded =
        |function: &[u8]| values(function, FUNCTION_OVERLOAD).any(|name| !name.is_empty());
    if !values(bytes, MODEL_FUNCTION).any(is_overloaded) {
        return Some(Cow::Borrowed(bytes));
    }
    let bytes = rewritten(bytes, MODEL_GRAPH, |graph| rewritten(graph, GRAPH_NODE, node))?;
    let model = rewritten(&bytes, MODEL_FUNCTION, |function| {
        let named = joined(function, FUNCTION_NAME, FUNCTION_OVERLOAD)?;
        rewritten(&named, FUNCTION_NODE, node)
    })?;
    Some(Cow::Owned(model))
}

fn node(bytes: &[u8]) -> Option<Vec<u8>> {
    let typed = joined(bytes, NODE_OPERATOR_TYPE, NODE_OVERLOAD)?;
    rewritten(&typed, NODE_ATTRIBUTE, |attribute| {
        rewritten(attribute, ATTRIBUTE_GRAPH, |graph| rewritten(graph, GRAPH_NODE, node))
    })
}

/// The message with the text `overload` appended to the text `name`.
fn joined(bytes: &[u8], name: u64, overload: u64) -> Option<Vec<u8>> {
    let overload = values(bytes, overload).last().unwrap_or_default();
    if overload.is_empty() {
        return Some(bytes.to_vec());
    }
    rewritten(bytes, name, |own| Some([own, OVERLOAD.as_bytes(), overload].concat()))
}

#[cfg(test)]
mod tests;
