//! Which execution provider ran which operators and nodes: ONNX Runtime's profiles name those of
//! operators, and recordings state what the library itself says of nodes.

use super::{OperatorSummary, PartialSum};
use crate::units::{Milliseconds, Share};
use onnxray_format::{Nanoseconds, ONNX_RUNTIME, Placement, Run};
use onnxray_text::printable;
use std::collections::{BTreeMap, HashMap};

/// End of every provider's name, which tables leave out.
const SUFFIX: &str = "ExecutionProvider";
/// Operators that ONNX Runtime inserts to copy between providers.
const COPIES: [&str; 2] = ["MemcpyFromHost", "MemcpyToHost"];
const COPIES_NAME: &str = "copies";
/// Name of the option of the engine that chose the provider.
const CHOSEN: &str = "execution provider";
/// The one that every library has.
const CPU: &str = "CPU";

/// Name of ONNX Runtime's execution provider that was asked for; `None` of the processor's own.
pub fn chosen_provider(run: &Run) -> Option<&str> {
    let chosen = run.engine_options.get(CHOSEN).filter(|_| run.engine == ONNX_RUNTIME)?;
    Some(short(chosen)).filter(|name| *name != CPU)
}

/// What one execution provider ran, or all copies between providers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProviderSummary {
    /// Without `ExecutionProvider`: `CUDA`; `unknown` of operators that name none.
    pub name: String,
    /// True for the row of copies between providers.
    pub is_copies: bool,
    /// Number of operators.
    pub operators: u64,
    /// Number of nodes; `None` unless the recording states what was given to whom.
    pub nodes: Option<u64>,
    /// Number of partitions that these are; `None` if nothing tells which of them are connected.
    pub partitions: Option<u64>,
    /// Tensors that other partitions compute, and its own read.
    pub received: Option<Crossed>,
    /// Tensors that its partitions compute, and others read.
    pub sent: Option<Crossed>,
    /// Types of the nodes, each once, from most to fewest; of operators, from most to least time,
    /// where nodes are unknown.
    pub types: Vec<String>,
    /// Exclusive time per iteration; `None` without iterations.
    pub mean: Option<Milliseconds>,
    /// Exclusive time of all of them.
    pub total: Option<Nanoseconds>,
    /// Share of the time of all operators.
    pub share: Option<Share>,
}

/// Tensors that go from one partition to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Crossed {
    /// Their number: a tensor counts once for each partition that reads it.
    pub tensors: u64,
    /// Their size, once an inference.
    pub bytes: PartialSum,
}

impl Crossed {
    fn add(&mut self, bytes: Option<u64>) {
        self.tensors += 1;
        self.bytes.add(bytes.map(|bytes| bytes as f64));
    }
}

impl ProviderSummary {
    /// Providers from most to least time, copies last; empty if nothing names a provider.
    pub(super) fn all(operators: &[OperatorSummary], run: &Run) -> Vec<ProviderSummary> {
        let mut providers = of_operators(operators);
        if let Some(placement) = &run.placement {
            add_nodes(&mut providers, placement);
        }
        // One that was asked for and was given nothing is what people have to know.
        let chosen = run.engine_options.get(CHOSEN).filter(|_| run.engine == ONNX_RUNTIME);
        if let Some(name) = chosen.map(|name| short(name)).filter(|_| !providers.is_empty())
            && !providers.iter().any(|provider| provider.name == name)
        {
            providers.push(without_nodes(name, run.placement.as_ref(), &providers));
        }
        let all: Nanoseconds = providers.iter().filter_map(|provider| provider.total).sum();
        for provider in &mut providers {
            provider.share = provider.total.and_then(|total| Share::of(total, all));
        }
        providers.sort_by_key(|provider| (provider.is_copies, std::cmp::Reverse(provider.total)));
        providers
    }
}

fn of_operators(operators: &[OperatorSummary]) -> Vec<ProviderSummary> {
    if !operators.iter().any(|operator| provider(operator).is_some()) {
        return Vec::new();
    }
    // So that each provider lists its types from most to least time.
    let mut by_time: Vec<&OperatorSummary> = operators.iter().collect();
    by_time.sort_by(|a, b| b.sort_key().total_cmp(&a.sort_key()));
    let mut providers: Vec<ProviderSummary> = Vec::new();
    for operator in by_time {
        let operator_type = &operator.operator.operator_type;
        let is_copies = COPIES.contains(&operator_type.as_str());
        let name = match is_copies {
            true => COPIES_NAME,
            false => provider(operator).unwrap_or("unknown"),
        };
        let provider = row(&mut providers, name, is_copies);
        provider.operators += 1;
        if !provider.types.contains(operator_type) {
            provider.types.push(operator_type.clone());
        }
        provider.total = sum(provider.total, operator.total);
        provider.mean = sum(provider.mean, operator.mean);
    }
    providers
}

fn add_nodes(providers: &mut Vec<ProviderSummary>, placement: &Placement) {
    let Placement { partitions, crossings } = placement;
    let mut types: HashMap<&str, BTreeMap<&str, u64>> = HashMap::new();
    for partition in partitions {
        let name = short(&partition.provider);
        let provider = row(providers, name, false);
        *provider.nodes.get_or_insert(0) += partition.nodes.len() as u64;
        if crossings.is_some() {
            *provider.partitions.get_or_insert(0) += 1;
            provider.received.get_or_insert_default();
            provider.sent.get_or_insert_default();
        }
        for operator_type in &partition.types {
            *types.entry(name).or_default().entry(operator_type).or_default() += 1;
        }
    }
    for (name, counts) in types {
        let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let names = counts.into_iter().map(|(name, _)| name.to_string());
        row(providers, name, false).types = names.collect();
    }
    for crossing in crossings.iter().flatten() {
        let bytes = crossing.tensor.bytes();
        // Whatever a file claims.
        let of = |position: u32| partitions.get(position as usize);
        let Some((from, to)) = of(crossing.from).zip(of(crossing.to)) else { continue };
        let sent = &mut row(providers, short(&from.provider), false).sent;
        sent.get_or_insert_default().add(bytes);
        let received = &mut row(providers, short(&to.provider), false).received;
        received.get_or_insert_default().add(bytes);
    }
}

/// Of nothing, everything is known that is known of others.
fn without_nodes(
    name: &str,
    placement: Option<&Placement>,
    others: &[ProviderSummary],
) -> ProviderSummary {
    let is_connected = placement.is_some_and(|placement| placement.crossings.is_some());
    let crossed = is_connected.then(Crossed::default);
    ProviderSummary {
        name: name.to_string(),
        nodes: placement.map(|_| 0),
        partitions: is_connected.then_some(0),
        received: crossed,
        sent: crossed,
        mean: others.iter().any(|one| one.mean.is_some()).then_some(Milliseconds(0.0)),
        total: others.iter().any(|one| one.total.is_some()).then_some(Nanoseconds(0)),
        ..ProviderSummary::default()
    }
}

/// That a provider was asked for and runs nothing: what was measured is another one's.
pub(super) fn unused(run: &Run, providers: &[ProviderSummary]) -> Option<String> {
    let others = in_place_of_chosen(run, providers)?;
    let (name, others) = (printable(chosen_provider(run)?), printable(&others.join(", ")));
    Some(format!("{name} runs no node of this model: {others} ran all of them"))
}

/// The providers that run all of a model in place of the one that was asked for; `None` if that runs
/// some of it, or nobody knows.
pub fn in_place_of_chosen<'a>(run: &Run, providers: &'a [ProviderSummary]) -> Option<Vec<&'a str>> {
    // What the library says of nodes is of all of them; profiles name providers of some operators.
    let tells_nodes = providers.iter().any(|provider| provider.nodes.is_some());
    let ran = |provider: &&ProviderSummary| match tells_nodes {
        true => provider.nodes.is_some_and(|nodes| nodes > 0),
        false => !provider.is_copies && provider.operators > 0,
    };
    let name = chosen_provider(run)?;
    let others: Vec<&str> = providers.iter().filter(ran).map(|own| own.name.as_str()).collect();
    let is_known = !others.is_empty() && !others.contains(&"unknown");
    (is_known && !others.contains(&name)).then_some(others)
}

/// The row of a name, which may be new.
fn row<'a>(
    providers: &'a mut Vec<ProviderSummary>,
    name: &str,
    is_copies: bool,
) -> &'a mut ProviderSummary {
    let same = |known: &ProviderSummary| known.name == name && known.is_copies == is_copies;
    let position = providers.iter().position(same).unwrap_or_else(|| {
        let name = name.to_string();
        providers.push(ProviderSummary { name, is_copies, ..Default::default() });
        providers.len() - 1
    });
    &mut providers[position]
}

/// The provider of each node, in the order in which a recording tells of them; empty if it does
/// not.
pub(crate) fn node_providers<'a>(
    run: &'a Run,
    operators: &'a [OperatorSummary],
) -> Vec<(&'a str, &'a str)> {
    if let Some(placement) = &run.placement {
        let partitions = placement.partitions.iter();
        let nodes = partitions.flat_map(|partition| {
            partition.nodes.iter().map(|node| (node.as_str(), short(&partition.provider)))
        });
        return nodes.collect();
    }
    let nodes = operators.iter().flat_map(|operator| {
        let nodes = operator.operator.nodes.iter();
        nodes.filter_map(|node| Some((node.as_str(), provider(operator)?)))
    });
    nodes.collect()
}

fn short(name: &str) -> &str {
    name.strip_suffix(SUFFIX).filter(|short| !short.is_empty()).unwrap_or(name)
}

fn provider(operator: &OperatorSummary) -> Option<&str> {
    operator.operator.provider.as_deref().map(short)
}

fn sum<T: std::ops::Add<Output = T>>(sum: Option<T>, term: Option<T>) -> Option<T> {
    match (sum, term) {
        (Some(sum), Some(term)) => Some(sum + term),
        (sum, term) => sum.or(term),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Crossing, DataType, NodePartition, Operator, Tensor};

    fn operator(operator_type: &str, provider: Option<&str>, total: u64) -> OperatorSummary {
        let operator = Operator {
            operator_type: operator_type.to_string(),
            provider: provider.map(str::to_string),
            ..Operator::default()
        };
        let total = Some(Nanoseconds(total));
        OperatorSummary { total, ..OperatorSummary::unmeasured(operator) }
    }

    #[test]
    fn providers_and_copies_add_up() {
        let (cuda, cpu) = (Some("CUDAExecutionProvider"), Some("CPUExecutionProvider"));
        let operators = [
            operator("Loop", cpu, 5),
            operator("Conv", cuda, 60),
            operator("MemcpyToHost", cuda, 15),
            operator("Gather", cpu, 9),
            operator("Loop", cpu, 1),
            operator("Conv", cuda, 10),
        ];
        let providers = ProviderSummary::all(&operators, &Run::default());
        let row = |row: &ProviderSummary| {
            let share = (row.share.unwrap().0 * 100.0).round();
            (row.name.clone(), row.operators, row.types.join(" "), share)
        };
        let rows: Vec<_> = providers.iter().map(row).collect();
        assert_eq!(rows[0], ("CUDA".to_string(), 2, "Conv".to_string(), 70.0));
        assert_eq!(rows[1], ("CPU".to_string(), 3, "Gather Loop".to_string(), 15.0));
        assert_eq!(rows[2], ("copies".to_string(), 1, "MemcpyToHost".to_string(), 15.0));
        // A profile does not tell what nodes read from each other.
        let is_unknown = |one: &ProviderSummary| one.partitions.is_none() && one.sent.is_none();
        assert!(providers.iter().all(is_unknown), "{providers:#?}");
        assert!(ProviderSummary::all(&[operator("Conv", None, 1)], &Run::default()).is_empty());
    }

    fn partition(provider: &str, nodes: &[&str]) -> NodePartition {
        NodePartition {
            provider: provider.to_string(),
            nodes: nodes.iter().map(|node| node.to_string()).collect(),
            types: nodes
                .iter()
                .map(|node| node.trim_end_matches(char::is_numeric).to_string())
                .collect(),
        }
    }

    fn crossing(from: u32, to: u32, shape: Option<Vec<u64>>) -> Crossing {
        let tensor = Tensor { name: "t".to_string(), data_type: Some(DataType::Fp32), shape };
        Crossing { tensor, from, to }
    }

    #[test]
    fn a_provider_that_was_asked_for_and_runs_nothing_is_named() {
        let run = |chosen: &str, partitions: Vec<NodePartition>| Run {
            engine: ONNX_RUNTIME.to_string(),
            engine_options: [(CHOSEN.to_string(), chosen.to_string())].into(),
            placement: Some(Placement { partitions, crossings: None }),
            ..Run::default()
        };
        let told = |run: &Run| unused(run, &ProviderSummary::all(&[], run));
        let cpu = || partition("CPUExecutionProvider", &["Conv", "Add"]);
        assert_eq!(
            told(&run("ggml", vec![cpu()])).as_deref(),
            Some("ggml runs no node of this model: CPU ran all of them")
        );
        assert_eq!(told(&run("ggml", vec![cpu(), partition("ggml", &["MatMul"])])), None);
        assert_eq!(told(&run("CPUExecutionProvider", vec![cpu()])), None);
        assert_eq!(told(&run("ggml", Vec::new())), None, "nothing is known");
    }

    #[test]
    fn nodes_and_what_crosses_are_counted_by_provider() {
        let operators = [
            operator("ggml", Some("ggml"), 60),
            operator("Gather", Some("CPUExecutionProvider"), 40),
        ];
        let cpu = "CPUExecutionProvider";
        let partitions = vec![
            partition("ggml", &["Add", "MatMul", "MatMul2"]),
            partition(cpu, &["Gather"]),
            partition("ggml", &["Add2"]),
            partition(cpu, &["Cast", "Cast2"]),
        ];
        let crossings = vec![
            crossing(0, 1, Some(vec![10])),
            crossing(1, 2, Some(vec![2, 3])),
            crossing(0, 3, None),
            // Of a damaged file.
            crossing(0, 9, None),
        ];
        let placement = Placement { partitions, crossings: Some(crossings) };
        let run = Run { placement: Some(placement.clone()), ..Run::default() };
        let providers = ProviderSummary::all(&operators, &run);
        let [ggml, cpu] = &providers[..] else { panic!("{providers:#?}") };
        let counts = |one: &ProviderSummary| (one.operators, one.nodes, one.partitions);
        assert_eq!(counts(ggml), (1, Some(4), Some(2)));
        assert_eq!(counts(cpu), (1, Some(3), Some(2)));
        let crossed = |tensors, known, unknown| {
            Some(Crossed { tensors, bytes: PartialSum { known, unknown } })
        };
        assert_eq!((ggml.received, ggml.sent), (crossed(1, 24.0, 0), crossed(2, 40.0, 1)));
        assert_eq!((cpu.received, cpu.sent), (crossed(2, 40.0, 1), crossed(1, 24.0, 0)));
        assert_eq!(cpu.types, ["Cast", "Gather"]);
        // Without edges, nodes are known, and nothing else.
        let unknown =
            Run { placement: Some(Placement { crossings: None, ..placement }), ..Run::default() };
        let providers = ProviderSummary::all(&operators, &unknown);
        assert_eq!(counts(&providers[0]), (1, Some(4), None));
        assert_eq!((providers[0].received, providers[1].sent), (None, None));
    }

    #[test]
    fn a_provider_that_was_given_nothing_is_among_them() {
        let operators = [operator("Gather", Some("CPUExecutionProvider"), 40)];
        let chosen = |name: &str| Run {
            engine: ONNX_RUNTIME.to_string(),
            engine_options: [(CHOSEN.to_string(), name.to_string())].into(),
            ..Run::default()
        };
        let providers = ProviderSummary::all(&operators, &chosen("AzureExecutionProvider"));
        assert_eq!((providers[1].name.as_str(), providers[1].operators), ("Azure", 0));
        assert_eq!((providers[1].total, providers[1].nodes), (Some(Nanoseconds(0)), None));
        assert_eq!(ProviderSummary::all(&operators, &chosen("CPUExecutionProvider")).len(), 1);
        assert!(ProviderSummary::all(&[], &chosen("ggml")).is_empty(), "nothing is known");
    }
}
