//! Layers as a tree of modules, each judged as one.

use crate::made::{compared, launches, operator, recording};
use crate::sequence::Sequence;
use onnxray_analyzer::comparison::{Comparison, Recording, Verdict};
use onnxray_analyzer::modules::Content;
use onnxray_format::Operator;

const BLOCKS: usize = 5;
const LAUNCHES: u32 = 8;

/// Blocks of two layers, then a head.
fn transformer() -> Vec<Operator> {
    let names = (0..BLOCKS)
        .flat_map(|block| ["fc1", "fc2"].map(|role| format!("/blocks.{block}/mlp/{role}")))
        .chain(["/head/logits".to_string(), "/head/probabilities".to_string()]);
    let numbered = (0..).zip(names);
    numbered.map(|(number, name)| Operator { number, ..operator(&name, "MatMul") }).collect()
}

/// The head's logits take `head` times as long.
fn recorded(seed: u64, head: f64) -> Recording {
    let mut random = Sequence::new(seed);
    let time = move |_, _, at: usize| {
        let factor = if at == 2 * BLOCKS { head } else { 1.0 };
        (20_000.0 * (1 + at % 3) as f64 * factor) as u64 + random.below(300)
    };
    recording("transformer", launches(&transformer(), LAUNCHES, 40, time))
}

/// Position of the node with such a name.
fn find(comparison: &Comparison, name: &str) -> usize {
    let nodes = &comparison.modules.nodes;
    nodes.iter().position(|node| node.name.contains(name)).unwrap_or_else(|| panic!("{nodes:#?}"))
}

#[test]
fn parts_of_a_module_are_its_whole() {
    let comparison = compared(&recorded(1, 1.0), &recorded(2, 1.5));
    let modules = &comparison.modules;
    assert_eq!(modules.nodes.len(), modules.compared.len());
    let mut layers: Vec<usize> = Vec::new();
    for (at, node) in modules.nodes.iter().enumerate() {
        if let Content::Operator(layer) = node.content {
            layers.push(layer);
            assert_eq!(modules.compared[at].sides, comparison.groups[layer].compared.sides);
            continue;
        }
        let own = modules.nodes.iter().zip(&modules.compared);
        let children: Vec<_> = own.filter(|(child, _)| child.parent == Some(at)).collect();
        assert!(!children.is_empty());
        for side in [0, 1] {
            let whole = &modules.compared[at].sides[side];
            let parts = children.iter().map(|(_, one)| one.sides[side].sum_ns.unwrap());
            assert_eq!(whole.sum_ns.unwrap(), parts.sum::<f64>(), "{}", node.name);
            let parts = children.iter().map(|(_, one)| one.sides[side].operators);
            assert_eq!(whole.operators, parts.sum::<usize>(), "{}", node.name);
        }
    }
    layers.sort_unstable();
    assert_eq!(layers, Vec::from_iter(0..comparison.groups.len()));
}

#[test]
fn a_module_has_one_verdict_with_its_figures() {
    let comparison = compared(&recorded(3, 1.0), &recorded(4, 1.5));
    for (node, verdict) in [("head", Verdict::Slower), ("blocks.*", Verdict::Same)] {
        let at = find(&comparison, node);
        assert_ne!(comparison.modules.nodes[at].content, Content::Pattern);
        let one = &comparison.modules.compared[at];
        assert_eq!(one.change.verdict, Some(verdict), "{node}");
        let [a, b] = one.sides.each_ref().map(|side| side.typical.unwrap().0);
        let (difference, ratio) = (one.change.difference.unwrap().0, one.change.ratio.unwrap());
        assert_eq!(b > a, difference > 0.0, "{node}");
        assert_eq!(b > a, ratio > 1.0, "{node}");
    }
    // Rows that repeat have the figures of the table of patterns.
    let patterns = comparison.folded.iter().filter(|row| row.is_pattern());
    assert_eq!(patterns.clone().count(), 2);
    for row in patterns {
        let at = find(&comparison, row.name.rsplit('/').next().unwrap());
        assert_eq!(comparison.modules.compared[at].change.ratio, row.compared.change.ratio);
        assert_eq!(comparison.modules.compared[at].sides, row.compared.sides);
    }
}
