//! Which graph optimizers there are, and which of them change a model: the runtime says so in its
//! log, and nowhere else.

use crate::engine::Optimizer;

/// Begins a line of the log, before the optimizer's name.
const BEGINNING: &str = "GraphTransformer ";
/// Separates the name from 0 or 1: whether it changed the graph.
const CHANGED: &str = " modified: ";

/// The optimizers that a log names, in the order in which they ran first.
pub(super) fn optimizers<'a>(log: impl IntoIterator<Item = &'a str>) -> Vec<Optimizer> {
    let mut found: Vec<Optimizer> = Vec::new();
    for line in log {
        let Some((name, rest)) =
            line.strip_prefix(BEGINNING).and_then(|line| line.split_once(CHANGED))
        else {
            continue;
        };
        let is_effective = rest.starts_with('1');
        // They run once per level and loop.
        match found.iter_mut().find(|known| known.name == name) {
            Some(known) => known.is_effective |= is_effective,
            None => found.push(Optimizer { name: name.to_string(), is_effective }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optimizer_is_effective_if_it_ever_changed_the_graph() {
        let log = [
            "Initializing session.",
            "GraphTransformer ConstantFolding modified: 0 with status: OK",
            "GraphTransformer GeluFusionL2 modified: 1 with status: OK",
            "Fused reshape node: GraphTransformer Fake modified: 1",
            "GraphTransformer ConstantFolding modified: 1 with status: OK",
            "GraphTransformer GeluFusionL2 modified: 0 with status: OK",
            "GraphTransformer Rest modified: 0 with status: OK",
            "GraphTransformer",
        ];
        let of = |name: &str, is_effective| Optimizer { name: name.to_string(), is_effective };
        assert_eq!(
            optimizers(log),
            [of("ConstantFolding", true), of("GeluFusionL2", true), of("Rest", false)]
        );
    }
}
