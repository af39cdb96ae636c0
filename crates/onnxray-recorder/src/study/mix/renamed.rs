//! B with A's names, where a tool gave its tensors other ones.

use crate::error::RecordError;
use crate::model::file::OnnxFile;
use crate::model::graph::Graph;
use crate::model::mix::{inlined, names, renamed};
use crate::study::written::is_same_folder;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A model with the names of another one.
pub struct Renamed {
    /// The ONNX file.
    pub bytes: Vec<u8>,
    /// Names of A that only a guess gave to tensors of B.
    pub guessed: Vec<String>,
}

/// Whether A and B share too few names to be mixed by these alone: other inputs or outputs, or
/// less than half of what A's nodes compute.
///
/// # Errors
///
/// If a model cannot be read.
pub fn is_renamed(a: &Path, b: &Path) -> Result<bool, RecordError> {
    let [a, b] = [OnnxFile::read(a)?, OnnxFile::read(b)?];
    let of_b: HashSet<&str> = computed(&b.graph).collect();
    let count = computed(&a.graph).count();
    let shared = computed(&a.graph).filter(|name| of_b.contains(name)).count();
    let [inputs_a, inputs_b] = [inputs(&a.graph), inputs(&b.graph)];
    let others = |a: &[String], b: &[String]| b.iter().any(|name| !a.contains(name));
    // Half: a tool that renames leaves hardly any, one that quantizes leaves most.
    Ok(2 * shared < count
        || others(&inputs_a, &inputs_b)
        || others(&a.graph.outputs, &b.graph.outputs))
}

/// B, as a file for `folder`, with A's names: those of inputs and outputs by their places, others
/// by `guesses`, each a name of B with one of A. Names that both have stay, and so do those whose
/// other name B uses for something else.
///
/// # Errors
///
/// If a model or its external data cannot be read.
pub fn with_names_of(
    a: &Path,
    b: &Path,
    guesses: &[[String; 2]],
    folder: &Path,
) -> Result<Renamed, RecordError> {
    let refused = |reason: &str| RecordError::NoMix {
        a: a.to_path_buf(),
        b: b.to_path_buf(),
        reason: reason.to_string(),
    };
    let (of_a, of_b) = (OnnxFile::read(a)?, OnnxFile::read(b)?);
    let [taken_a, taken_b] = [of_a.bytes()?, of_b.bytes()?].map(|bytes| names(&bytes));
    let damaged = || refused("the graph is damaged");
    let (known, taken) = (taken_a.ok_or_else(damaged)?, taken_b.ok_or_else(damaged)?);
    let mut new: HashMap<String, String> = HashMap::new();
    let mut given: HashSet<String> = HashSet::new();
    let mut rename = |from: &String, to: &String| {
        // A name that A has may stay, and one that B has already would be there twice.
        let is_free = !known.contains(from) && !taken.contains(to) && !new.contains_key(from);
        // Two tensors of B must not get one name of A.
        let is_renamed = is_free && given.insert(to.clone());
        if is_renamed {
            new.insert(from.clone(), to.clone());
        }
        is_renamed
    };
    let [inputs_a, inputs_b] = [inputs(&of_a.graph), inputs(&of_b.graph)];
    // With another number of inputs, places do not correspond.
    if inputs_a.len() == inputs_b.len() {
        inputs_b.iter().zip(&inputs_a).for_each(|(from, to)| _ = rename(from, to));
    }
    let [outputs_a, outputs_b] = [&of_a.graph.outputs, &of_b.graph.outputs];
    let outputs = outputs_b.iter().zip(outputs_a).filter(|_| outputs_a.len() == outputs_b.len());
    let all = outputs.chain(guesses.iter().map(|[from, to]| (from, to)));
    let guessed = all.filter(|(from, to)| rename(from, to)).map(|(_, to)| to.clone()).collect();
    let mut bytes = of_b.bytes()?.into_owned();
    let own = b.parent().unwrap_or(Path::new(""));
    if !of_b.protobuf.external_data().is_empty() && !is_same_folder(own, folder) {
        bytes = inlined(&bytes, own).ok_or_else(|| refused("external data of B cannot be read"))?;
    }
    Ok(Renamed { bytes: renamed(&bytes, &new).ok_or_else(damaged)?, guessed })
}

/// Outputs of the graph's own nodes, without those in bodies.
fn computed(graph: &Graph) -> impl Iterator<Item = &str> {
    let outputs = graph.nodes.iter().flat_map(|node| &node.outputs);
    outputs.map(String::as_str).filter(|name| !name.is_empty())
}

fn inputs(graph: &Graph) -> Vec<String> {
    graph.inputs.iter().map(|input| input.name.clone()).collect()
}
