//! Puts sparse products into an optimized model.

use super::candidate::{Candidate, candidate};
use super::product::Layout;
use onnxray_sparse::Kernel;
use std::collections::BTreeMap;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::ops::matmul::optimized::OptMatMul;

/// Why products stay as they are, by the number of their node.
pub(in crate::engine::tract) type Dense = BTreeMap<usize, String>;

/// Replaces the products of which at least this share of the weight's blocks is zero. Nodes keep
/// names, numbers and inputs; of several products that share a packing, all have to skip zeros for it
/// to become ours. Otherwise each packs for itself, panel by panel.
///
/// # Errors
///
/// If the engine fails at describing its own work.
pub(in crate::engine::tract) fn replace(model: &mut TypedModel, least: f64) -> TractResult<Dense> {
    let kernel = Kernel::best();
    let mut dense = Dense::new();
    let mut packings: BTreeMap<usize, Vec<(usize, Candidate)>> = BTreeMap::new();
    for id in model.eval_order()? {
        let node = model.node(id);
        if !node.op_is::<OptMatMul>() {
            continue;
        }
        match candidate(model, node, kernel, least) {
            Ok(candidate) => packings.entry(candidate.packing).or_default().push((id, candidate)),
            Err(reason) => _ = dense.insert(id, reason.to_string()),
        }
    }
    for (packing, products) in packings {
        let readers = model.node(packing).outputs[0].successors.len();
        let same = |(_, product): &(usize, Candidate)| {
            product.product.layout == Layout::Panels
                && product.product.packing() == products[0].1.product.packing()
        };
        if readers > 1 && readers == products.len() && products.iter().all(same) {
            let op = products[0].1.product.packing();
            let fact = op.output_facts(&[])?.remove(0);
            let node = model.node_mut(packing);
            node.op = Box::new(op);
            node.outputs[0].fact = fact;
            for (id, Candidate { product, .. }) in products {
                model.node_mut(id).op = Box::new(product);
            }
        } else {
            for (id, Candidate { mut product, source, .. }) in products {
                if product.layout == Layout::Panels {
                    product.layout = Layout::Tokens;
                }
                read_from(model, id, product.data, source);
                model.node_mut(id).op = Box::new(product);
            }
        }
    }
    Ok(dense)
}

/// Makes an input of a node another outlet.
fn read_from(model: &mut TypedModel, id: usize, slot: usize, source: OutletId) {
    let inlet = InletId::new(id, slot);
    let old = std::mem::replace(&mut model.node_mut(id).inputs[slot], source);
    model.node_mut(old.node).outputs[old.slot].successors.retain(|reader| *reader != inlet);
    model.node_mut(source.node).outputs[source.slot].successors.push(inlet);
}
