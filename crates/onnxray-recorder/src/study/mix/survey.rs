//! What is known of two models before anything is measured: both run once with all tensors that
//! both compute as outputs, and A once more with each change computed beside it.

use super::opened::Mixes;
use super::spec::{ElementTypes, MixSpec, MixSurvey};
use crate::engine::{Engines, Model, setup};
use crate::error::RecordError;
use crate::launch::cpu;
use crate::memory;
use crate::model::constants::element_types::element_type;
use crate::model::graph::Graph;
use crate::model::mix::{Change, Observed, SAME, Seen, Side, needs};
use crate::model::sizes::dimensions::BoundDimensions;
use crate::study::opened::Purpose;
use crate::study::sensitivity::{Reference, relative_distance};
use crate::study::turns::Here;
use crate::tensor::{Tensor, is_same};
use crate::workload::Workload;
use onnxray_format::{MixChange, MixRun, MixSource, Nanoseconds, SearchSetup};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

/// Runs of each model; the first one finds cold caches.
const RUNS: usize = 3;

/// # Errors
///
/// If a model cannot be loaded or run, or if they cannot be mixed.
pub(super) fn survey(engines: &dyn Engines, spec: &MixSpec) -> Result<MixSurvey, RecordError> {
    let before = memory::used();
    let (mut opened, loaded) = Mixes::read(engines, spec, Purpose::Search)?;
    let memory = memory::used().zip(before).map(|(now, before)| now.saturating_sub(before));
    let (path, options) = (Path::new(&spec.b), &spec.a.options);
    let b = Model::load_in(engines, &spec.a.engine, path, &spec.a.dimensions, options.threads)?;
    check_shapes(&opened, &b)?;
    let names = [opened.a.file.graph.outputs.clone(), b.file.graph.outputs.clone()];
    let inputs_of_b = inputs_of(&opened, &b);
    let (engine, files) = (Rc::clone(&opened.a.engine), [&opened.a.file, &b.file]);
    let sources = files.map(|file| MixSource::from(file.identity()));
    let (outputs_a, latency_a) = ran(&mut Here::new(Rc::clone(&engine), loaded)?, &opened.a.inputs)
        .map_err(|error| spec.a.explained(&opened.a.file, error))?;
    let mut side_b = Here::new(b.engine, b.loaded)?;
    let (outputs_b, latency_b) =
        ran(&mut side_b, &inputs_of_b).map_err(|error| spec.a.explained(&b.file, error))?;
    // Its memory is free again before models with all tensors as outputs are loaded.
    drop(side_b);
    let reference = Reference::of(&opened.a.file, std::slice::from_ref(&outputs_a), spec.measure)?;

    let types_of_outputs =
        [(&names[0], &outputs_a), (&names[1], &outputs_b)].map(|(names, outputs)| -> Values {
            names.iter().cloned().zip(outputs.iter().cloned()).collect()
        });
    // Outputs alone would not do: changes are mostly of tensors in between.
    let values = [observed(&opened, Side::A)?, observed(&opened, Side::B)?];
    let types = differing_types(&values, &types_of_outputs);
    opened.pair.learn_types(types.clone());
    let between = between(&values);
    let [outputs_of_a, outputs_of_b] = &types_of_outputs;
    let of_output =
        |name: &String| relative_distance(outputs_of_a.get(name)?, outputs_of_b.get(name)?);
    let is_apart = |name: &&String| {
        let apart = between.get(*name).copied().or_else(|| of_output(name));
        // A guess has to be confirmed: what cannot be compared counts as apart.
        !apart.is_some_and(|apart| apart <= SAME)
    };
    let apart: Vec<String> = spec.guessed.iter().filter(is_apart).cloned().collect();
    let seen = Seen { by_b: by_b(&opened, &values[0], &types_of_outputs[0]), between };
    let needs = needs(&opened.pair, &seen);
    if opened.pair.changes.is_empty() && apart.is_empty() {
        return Err(opened.refused("both compute everything in the same way".to_string()));
    }
    let changes: Vec<MixChange> = opened
        .pair
        .changes
        .iter()
        .zip(needs)
        .map(|(change, needs)| stated(change, needs, &seen))
        .collect();
    let all: Vec<u32> = (0..changes.len() as u32).collect();
    let equal = [
        // Neither change nor all changes: what differs then comes from writing, not from mixing.
        equals(&opened, &[], &names[0], &types_of_outputs[0]),
        equals(&opened, &all, &names[0], &types_of_outputs[1]),
    ];
    let [a, b] = sources;
    let run = MixRun {
        a,
        b,
        setup: setup(&*engine, &opened.a.bound),
        search: SearchSetup {
            threads: options.threads,
            inputs: spec.a.describe_inputs(),
            loss_inputs: opened.a.loss_inputs,
            cpu: cpu(),
        },
        outputs: reference.outputs,
        aligned: spec.guessed.len() as u64,
        changes,
    };
    let latencies = [latency_a, latency_b];
    Ok(MixSurvey { run, types, latencies, memory, apart, equal })
}

/// Tensors by name.
type Values = HashMap<String, Tensor>;

/// Outputs and the shortest latency of [`RUNS`] runs.
fn ran(side: &mut Here, inputs: &Workload) -> Result<(Vec<Tensor>, Nanoseconds), RecordError> {
    let outputs = side.outputs(inputs)?;
    let mut latency = Nanoseconds(u64::MAX);
    for _ in 0..RUNS {
        latency = latency.min(side.run(inputs)?);
    }
    Ok((outputs, latency))
}

/// Refuses inputs of other shapes.
fn check_shapes(opened: &Mixes, b: &Model) -> Result<(), RecordError> {
    let shapes = |graph: &Graph, bound: &BoundDimensions| -> HashMap<String, Vec<u64>> {
        let inputs = graph.inputs.iter().map(|input| input.name.clone());
        inputs.zip(bound.shapes.iter().cloned()).collect()
    };
    let (a, b) = (shapes(&opened.a.file.graph, &opened.a.bound), shapes(&b.file.graph, &b.bound));
    match b.iter().find(|(name, shape)| a.get(*name).is_some_and(|own| own != *shape)) {
        Some((name, shape)) => {
            let own = &a[name];
            Err(opened.refused(format!("input `{name}` is {own:?} in A and {shape:?} in B")))
        }
        None => Ok(()),
    }
}

/// B's inputs are some of A's, in another order perhaps.
fn inputs_of(opened: &Mixes, b: &Model) -> Workload {
    let names = &opened.a.file.graph.inputs;
    let own = b.file.graph.inputs.iter();
    let place = |name: &str| names.iter().position(|own| own.name == name);
    let Workload::Inference(of_a) = &opened.a.inputs else { return opened.a.inputs.clone() };
    let of_b: Vec<Tensor> =
        own.filter_map(|input| Some(of_a[place(&input.name)?].clone())).collect();
    of_b.into()
}

/// Runs a model made of both; tensors after A's outputs, by name.
fn values(opened: &Mixes, observed: Observed) -> Result<Values, RecordError> {
    let outputs = opened.load_bytes(observed.bytes)?.outputs(&opened.a.inputs)?;
    // Observed tensors are added as outputs after A's own.
    let beyond = outputs.into_iter().skip(opened.a.file.graph.outputs.len());
    Ok(observed.tensors.into_iter().zip(beyond).collect())
}

fn observed(opened: &Mixes, side: Side) -> Result<Values, RecordError> {
    values(opened, opened.pair.observed(side).map_err(|reason| opened.refused(reason))?)
}

/// Types that both models compute a tensor in, where they differ.
fn differing_types(values: &[Values; 2], outputs: &[Values; 2]) -> ElementTypes {
    let mut types = [HashMap::new(), HashMap::new()];
    for [a, b] in [values, outputs].map(|of| of.each_ref()) {
        for (name, of_a) in a {
            let both = [Some(of_a), b.get(name)].map(|own| element_type(own?.data_type()));
            if let [Some(of_a), Some(of_b)] = both
                && of_a != of_b
            {
                types[0].insert(name.clone(), of_a);
                types[1].insert(name.clone(), of_b);
            }
        }
    }
    types
}

/// Distance of each change's tensor from A's if B's nodes compute it from A's tensors. Empty if the
/// engine cannot run all of them at once.
fn by_b(opened: &Mixes, values_a: &Values, outputs_a: &Values) -> HashMap<String, f64> {
    let Ok(observed) = opened.pair.by_b() else { return HashMap::new() };
    let Ok(own) = values(opened, observed) else { return HashMap::new() };
    let apart = own.into_iter().filter_map(|(name, of_b)| {
        let of_a = values_a.get(&name).or_else(|| outputs_a.get(&name))?;
        Some((name, relative_distance(of_a, &of_b)?))
    });
    apart.collect()
}

fn between([a, b]: &[Values; 2]) -> HashMap<String, f64> {
    let apart = a
        .iter()
        .filter_map(|(name, of_a)| Some((name.clone(), relative_distance(of_a, b.get(name)?)?)));
    apart.collect()
}

fn stated(change: &Change, needs: Vec<u32>, seen: &Seen) -> MixChange {
    let [nodes_a, nodes_b] = change.nodes.clone();
    let difference = change.tensor.as_ref().and_then(|name| seen.by_b.get(name).copied());
    MixChange {
        tensor: change.tensor.clone(),
        operator_type: change.operator_type.clone(),
        nodes_a,
        nodes_b,
        // Other shapes are infinitely far apart, which JSON cannot hold.
        difference: difference.filter(|own| own.is_finite()),
        needs,
    }
}

/// Whether a mix computes a model's outputs to the last bit; `None` if it does not run.
fn equals(opened: &Mixes, from_b: &[u32], names: &[String], outputs: &Values) -> Option<bool> {
    let mut side = opened.load(from_b).ok()?;
    let own = side.outputs(&opened.a.inputs).ok()?;
    let mut pairs = names.iter().zip(&own);
    Some(pairs.all(|(name, own)| outputs.get(name).is_some_and(|known| is_same(known, own))))
}
