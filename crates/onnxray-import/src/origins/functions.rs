//! What stood in a function of the model, under the names that its nodes have here.
//!
//! ONNX Runtime unfolds functions, too, and puts a prefix of its own before the names of nodes
//! and tensors: `_inlfunc_Block_token_2_mm` is node `mm` of one call of the function `Block`.

use super::graph::{Call, ExecutedNode, ModelGraph};
use super::index::Index;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Before the names of all that stood in a function.
const INLINED: &str = "_inlfunc_";
/// Before the number of a name that there is already.
pub(super) const TOKEN: &str = "_token_";

/// Whether a tensor or a node stood in a function that is not one of the model's: one by which
/// ONNX defines an operator.
pub(super) fn is_inlined(name: &str) -> bool {
    name.starts_with(INLINED)
}

/// Names of an executed node and its tensors, as the model has them.
#[derive(Clone, Debug)]
pub struct OwnNames<'a> {
    /// Of the node.
    pub name: Cow<'a, str>,
    /// Of what it reads, empty for what is left out.
    pub inputs: Vec<Cow<'a, str>>,
    /// Of what it writes, likewise.
    pub outputs: Vec<Cow<'a, str>>,
}

impl OwnNames<'_> {
    pub(super) fn as_executed<'s>(&'s self, node: &ExecutedNode<'s>) -> ExecutedNode<'s> {
        let texts = |names: &'s [Cow<str>]| names.iter().map(|name| &**name).collect();
        let (inputs, outputs) = (texts(&self.inputs), texts(&self.outputs));
        ExecutedNode { name: &self.name, inputs, outputs, ..*node }
    }
}

/// The calls of functions behind the prefixes that the runtime puts before their names.
pub(super) struct Places<'a> {
    /// By prefix: `_inlfunc_Block_token_2_`.
    calls: HashMap<&'a str, &'a Call>,
    functions: Vec<&'a str>,
}

impl<'a> Places<'a> {
    pub(super) fn new(
        graph: &ModelGraph<'a>,
        index: &Index,
        executed: &[ExecutedNode<'a>],
    ) -> Places<'a> {
        let mut functions: Vec<&str> = graph.calls.iter().map(|call| &*call.function).collect();
        functions.sort_by_key(|name| (Reverse(name.len()), *name));
        functions.dedup();
        let mut places = Places { calls: HashMap::new(), functions };
        if graph.calls.is_empty() {
            return places;
        }
        // In the order in which they appear, which is that of the calls.
        let mut prefixes: Vec<(&str, &str)> = Vec::new();
        for node in executed {
            let names = [&node.name].into_iter().chain(&node.inputs).chain(&node.outputs);
            for (function, prefix) in names.filter_map(|name| places.prefix(name)) {
                if !prefixes.iter().any(|(_, known)| *known == prefix) {
                    prefixes.push((function, prefix));
                }
            }
        }
        for node in executed {
            let Some((function, prefix)) = places.prefix(node.name) else { continue };
            // What leaves the function has a name outside.
            let mut results = node.outputs.iter().filter_map(|name| index.producers.get(name));
            let path = results.next().and_then(|&producer| {
                let inner = &node.name[prefix.len()..];
                graph.nodes[producer].name.strip_suffix(inner)?.strip_suffix('/')
            });
            let is_own = |call: &&Call| Some(&*call.path) == path && call.function == function;
            if let Some(call) = graph.calls.iter().find(is_own) {
                places.calls.entry(prefix).or_insert(call);
            }
        }
        for function in places.functions.clone() {
            let is_known = |call: &Call| places.calls.values().any(|known| known.path == call.path);
            let of_function = |call: &&Call| call.function == function && !is_known(call);
            let calls: Vec<&Call> = graph.calls.iter().filter(of_function).collect();
            let left = prefixes
                .iter()
                .filter(|(own, prefix)| *own == function && !places.calls.contains_key(prefix));
            let left: Vec<&str> = left.map(|(_, prefix)| *prefix).collect();
            // Otherwise some are gone, and nobody knows which.
            if left.len() == calls.len() {
                places.calls.extend(left.into_iter().zip(calls));
            }
        }
        places
    }

    /// The position of a graph's node of that number, in which a call is one node; `None` if it
    /// is a call.
    pub(super) fn of_file(&self, number: usize, graph: &ModelGraph) -> Option<usize> {
        if graph.calls.is_empty() {
            return Some(number);
        }
        let paths: HashSet<&str> = graph.calls.iter().map(|call| call.path.as_str()).collect();
        let call = |position: usize| {
            let name: &str = graph.nodes[position].name;
            let mut cuts = name.match_indices('/').map(|(at, _)| &name[..at]);
            cuts.find(|cut| paths.contains(cut))
        };
        let (mut next, mut last) = (0, None);
        for position in 0..graph.nodes.len() {
            let call = call(position);
            if call.is_some() && call == last {
                continue;
            }
            if next == number {
                return call.is_none().then_some(position);
            }
            (next, last) = (next + 1, call);
        }
        None
    }

    /// The function that a name stood in, and what the runtime put before it.
    fn prefix<'n>(&self, name: &'n str) -> Option<(&'a str, &'n str)> {
        let rest = name.strip_prefix(INLINED)?;
        self.functions.iter().find_map(|function| {
            let behind = rest.strip_prefix(function)?;
            let numbered = behind.strip_prefix(TOKEN).and_then(|behind| {
                let number = behind.bytes().take_while(u8::is_ascii_digit).count();
                behind[number..].strip_prefix('_').filter(|_| number > 0)
            });
            let inner = numbered.or_else(|| behind.strip_prefix('_'))?;
            Some((*function, &name[..name.len() - inner.len()]))
        })
    }

    pub(super) fn own_names(&self, node: &ExecutedNode<'a>) -> OwnNames<'a> {
        let own = |names: &[&'a str]| names.iter().map(|name| self.own(name)).collect();
        OwnNames {
            name: self.own(node.name),
            inputs: own(&node.inputs),
            outputs: own(&node.outputs),
        }
    }

    fn own<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let call =
            self.prefix(name).and_then(|(_, prefix)| Some((self.calls.get(prefix)?, prefix)));
        match call {
            Some((call, prefix)) => format!("{}/{}", call.path, &name[prefix.len()..]).into(),
            None => name.into(),
        }
    }
}
