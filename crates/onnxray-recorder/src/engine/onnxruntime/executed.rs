//! What a session executes: the graph that it saves, seen in a profile of one run.

use super::executed_node::ExecutedNode;
use super::made_up::{is_made_up, renumber};
use super::options::Optimization;
use super::profile::ProfileFile;
use super::sessions::{Sessions, load_error};
use super::tensors::{guarded, into_values, run};
use crate::error::RecordError;
use crate::model::graph::{Graph, Node};
use crate::model::protobuf::Protobuf;
use crate::tensor::Tensor as Values;
use onnxray_failsafe::private_folder;
use onnxray_format::Operator;
use onnxray_import::Launch;
use onnxray_native::onnxruntime::{Assigned, assignment};
use ort::session::Session;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::rc::Rc;

/// Key of the figure of memory in use.
const IN_USE: &str = "memory_in_use_bytes";

/// The nodes that a session executes, by their numbers: in the order in which they ran, those
/// of a body after the one that holds it.
pub(super) struct Executed {
    /// The graph as the session saved it; its bodies are reached from there.
    pub(super) graph: Rc<Graph>,
    pub(super) nodes: Vec<ExecutedNode>,
    /// Numbers of the nodes of each graph: the model's (`None`), or a body's by holder and
    /// attribute.
    by_home: HashMap<Option<(usize, String)>, Vec<usize>>,
    numbers: Numbers,
    names_of_model: HashSet<String>,
    /// What the library gave to each provider, where it tells.
    pub(super) assigned: Option<Vec<Assigned>>,
}

/// Numbers of nodes by holder, name and type, as a profile states them; several where branches call
/// one function, whose nodes share a name.
type Numbers = HashMap<(Option<usize>, String, String), Vec<usize>>;

/// Position of the first operator of a profile with a name and type.
type Order<'a> = HashMap<(&'a str, &'a str), usize>;

/// A session that profiles its runs, and its graph as it saved it.
fn saving(
    sessions: &Sessions,
    optimization: Optimization,
) -> Result<(Session, ProfileFile, Rc<Graph>), RecordError> {
    let folder = private_folder().map_err(|error| load_error(error.to_string()))?;
    let path = folder.path().join("optimized.onnx");
    let (session, profile) = sessions.saving(optimization, &path)?;
    let saved = fs::read(&path).map_err(|error| error.to_string());
    // With its weights it is as large as the model: do not keep both on disk during the run.
    drop(folder);
    let graph = saved.and_then(|bytes| Ok(Protobuf::decode(&bytes)?.graph()));
    let graph = graph.map_err(|reason| {
        load_error(format!("the graph that it optimized cannot be read: {reason}"))
    })?;
    Ok((session, profile, Rc::new(graph)))
}

impl Executed {
    /// Runs the model once, with its graph optimized so far.
    ///
    /// # Errors
    ///
    /// If it cannot be loaded so, or fails.
    pub(super) fn observe(
        sessions: &Sessions,
        optimization: Optimization,
        inputs: &[Values],
    ) -> Result<Executed, RecordError> {
        let (mut session, profile, graph) = match saving(sessions, optimization) {
            // What a provider compiled cannot be saved: then the profile is all there is.
            Err(_) if !sessions.settings.provider.is_processor() => {
                let (session, profile) = sessions.profiled_at(optimization)?;
                (session, profile, Rc::default())
            }
            saved => saved?,
        };
        let assigned = sessions.settings.tells_assignment().then(|| assignment(&session).ok());
        let ran = guarded(|| run(&mut session, &into_values(inputs)?).map(drop));
        ran.map_err(|reason| RecordError::Run { reason })?;
        let launch = profile.read(session, None).map_err(|reason| {
            load_error(format!("its profile of a run cannot be read: {reason}"))
        })?;
        if launch.iterations.is_empty() {
            let loss = launch.warnings.into_iter().find(|warning| warning.loss);
            let reason = loss.map_or("its profile of a run is empty".to_string(), |w| w.message);
            return Err(load_error(reason));
        }
        let mut names_of_model = HashSet::new();
        sessions.file.graph.walk(&mut |node| _ = names_of_model.insert(node.name.clone()));
        let mut executed = Executed::of(graph, &launch, names_of_model);
        let provider = &sessions.settings.provider;
        if provider.is_processor() {
            // What did not run in this run would be its, too.
            let nodes = executed.nodes.iter_mut();
            nodes.for_each(|node| node.provider = Some(provider.name.clone()));
        }
        Ok(Executed { assigned: assigned.flatten(), ..executed })
    }

    fn of(graph: Rc<Graph>, launch: &Launch, names_of_model: HashSet<String>) -> Executed {
        let mut executed = Executed {
            graph: Rc::clone(&graph),
            nodes: Vec::new(),
            by_home: HashMap::new(),
            numbers: Numbers::new(),
            assigned: None,
            names_of_model,
        };
        let mut order: Order = HashMap::new();
        for (position, operator) in launch.operators.iter().enumerate() {
            // Of nodes that share name and type, the first one to run places all of them.
            order.entry((&operator.name, &operator.operator_type)).or_insert(position);
        }
        executed.add_graph(&graph, None, &order);
        let mut executions = vec![0u64; launch.operators.len()];
        let mut allocated = vec![None; launch.operators.len()];
        let in_use = launch.events.figures.iter().position(|figure| figure.key == IN_USE);
        for chunk in &launch.events.chunks {
            if let Some(bytes) = in_use.and_then(|position| chunk.figures.get(position)) {
                bytes.for_each(|event, bytes| {
                    let known = &mut allocated[chunk.operator[event] as usize];
                    *known = (*known).max(u64::try_from(bytes).ok());
                });
            }
            for (&operator, &iteration) in chunk.operator.iter().zip(&chunk.iteration) {
                // Not `NO_ITERATION`: those events came before the run.
                executions[operator as usize] += u64::from(iteration == 0);
            }
        }
        // First those that are found by name: an unnamed node must not take the place of one.
        let known = executed.resolve(&launch.operators, |_, _, _| None);
        let mut is_taken = vec![false; executed.nodes.len()];
        known.iter().flatten().for_each(|&number| is_taken[number] = true);
        let numbers = executed.resolve(&launch.operators, |executed, operator, parent| {
            let (name, operator_type) = (operator.name.clone(), operator.operator_type.clone());
            // Nodes without a name follow each other as they were saved.
            let is_unnamed = |(number, node): (usize, &ExecutedNode)| {
                let holder = node.home.as_ref().map(|(holder, _)| *holder);
                (!is_taken[number] && holder == parent && node.operator_type == operator_type)
                    .then_some(number)
            };
            let mut candidates = executed.nodes.iter().take(is_taken.len()).enumerate();
            if let Some(number) = candidates.find_map(is_unnamed) {
                is_taken[number] = true;
                executed.numbers.insert((parent, name, operator_type), vec![number]);
                return Some(number);
            }
            let home = parent.map(|parent| (parent, String::new()));
            Some(executed.add(name, operator_type, None, home))
        });
        let counted = executions.into_iter().zip(allocated);
        for ((operator, number), (executions, allocated)) in
            launch.operators.iter().zip(numbers).zip(counted)
        {
            let Some(node) = number.and_then(|number| executed.nodes.get_mut(number)) else {
                continue;
            };
            // Several operators may resolve to one node: executions add up, the last has shapes.
            node.executions += executions;
            node.allocated_bytes = node.allocated_bytes.max(allocated);
            node.provider.clone_from(&operator.provider);
            (node.inputs, node.outputs) = (operator.inputs.clone(), operator.outputs.clone());
        }
        executed
    }

    /// Adds the nodes of a graph in the order in which they ran, which need not be the file's; one
    /// that did not run follows the one before it.
    fn add_graph(&mut self, graph: &Graph, home: Option<(usize, &str)>, order: &Order) {
        let mut last = 0;
        let mut nodes: Vec<(usize, usize)> = Vec::with_capacity(graph.nodes.len());
        for (position, node) in graph.nodes.iter().enumerate() {
            last = *order.get(&(&*node.name, &*node.operator_type)).unwrap_or(&last);
            nodes.push((last, position));
        }
        nodes.sort();
        for (_, position) in nodes {
            let Node { name, operator_type, bodies, .. } = &graph.nodes[position];
            let owned_home = home.map(|(holder, attribute)| (holder, attribute.to_string()));
            let number = self.add(name.clone(), operator_type.clone(), Some(position), owned_home);
            for (attribute, body) in bodies {
                self.add_graph(body, Some((number, attribute)), order);
            }
        }
    }

    fn add(
        &mut self,
        name: String,
        operator_type: String,
        position: Option<usize>,
        home: Option<(usize, String)>,
    ) -> usize {
        let number = self.nodes.len();
        let holder = home.as_ref().map(|(holder, _)| *holder);
        let key = (holder, name.clone(), operator_type.clone());
        self.numbers.entry(key).or_default().push(number);
        self.by_home.entry(home.clone()).or_default().push(number);
        let (inputs, outputs) = (Vec::new(), Vec::new());
        self.nodes.push(ExecutedNode {
            name,
            operator_type,
            provider: None,
            position,
            home,
            executions: 0,
            allocated_bytes: None,
            inputs,
            outputs,
        });
        number
    }

    /// The number of each operator of a profile; `None` for one that was not seen before.
    pub(super) fn numbers(&mut self, operators: &[Operator]) -> Vec<Option<usize>> {
        let mut numbers = self.resolve(operators, |_, _, _| None);
        let is_made_up = |name: &str, operator_type: &str| {
            is_made_up(name, operator_type) && !self.names_of_model.contains(name)
        };
        let of_profile = operators.iter().enumerate();
        let made_up: Vec<usize> = of_profile
            .filter(|(_, operator)| is_made_up(&operator.name, &operator.operator_type))
            .map(|(position, _)| position)
            .collect();
        let nodes = self.nodes.iter().enumerate().filter(|(_, node)| {
            let is_unnamed = self.saved(node).is_some_and(|saved| !saved.is_named);
            node.executions > 0 && (is_unnamed || is_made_up(&node.name, &node.operator_type))
        });
        renumber(operators, &made_up, &nodes.collect::<Vec<_>>(), &mut numbers);
        numbers
    }

    /// The number of each operator of a profile, from `unknown` for those that have none.
    fn resolve(
        &mut self,
        operators: &[Operator],
        mut unknown: impl FnMut(&mut Executed, &Operator, Option<usize>) -> Option<usize>,
    ) -> Vec<Option<usize>> {
        let mut numbers: Vec<Option<usize>> = vec![None; operators.len()];
        // Holders have to be known first, and follow the nodes that they hold in a profile.
        let depth = |operator: &Operator| {
            let outer = |operator: &&Operator| operators.get(operator.parent? as usize);
            // Bounded: parents that form a circle would have no end.
            std::iter::successors(Some(operator), outer).take(operators.len()).count()
        };
        let mut order: Vec<usize> = (0..operators.len()).collect();
        order.sort_by_cached_key(|&operator| depth(&operators[operator]));
        let mut shared = Vec::new();
        for position in order {
            let operator = &operators[position];
            let parent = operator.parent.and_then(|parent| numbers[parent as usize]);
            let key = (parent, operator.name.clone(), operator.operator_type.clone());
            numbers[position] = match self.numbers.get(&key) {
                Some(known) => {
                    shared.extend((known.len() > 1).then(|| (position, known.clone())));
                    known.first().copied()
                }
                None => unknown(self, operator, parent),
            };
        }
        let is_shared: HashSet<usize> = shared.iter().map(|(position, _)| *position).collect();
        let mut ran: HashMap<&Option<(usize, String)>, usize> = HashMap::new();
        for (position, number) in numbers.iter().enumerate() {
            if let Some(number) = number.filter(|_| !is_shared.contains(&position)) {
                *ran.entry(&self.nodes[number].home).or_default() += 1;
            }
        }
        // The branch of which other nodes ran, too; the first one where nothing tells.
        for (position, known) in shared {
            // `max_by_key` takes the last of equals, which in reverse order is the first one.
            let others = |number: &&usize| ran.get(&self.nodes[**number].home).copied();
            numbers[position] = known.iter().rev().max_by_key(others).copied();
        }
        numbers
    }

    /// The node that a reason for a failure names: `… while running Conv node. Name:'/stem'`.
    pub(super) fn named_in(&self, reason: &str) -> Option<u32> {
        let (_, rest) = reason.split_once("Name:'")?;
        // Names may hold apostrophes: one before a blank is the end.
        let (name, _) = rest.split_once("' ")?;
        let number = self.nodes.iter().position(|node| node.name == name);
        number.map(|number| number as u32)
    }

    /// Whether the session saved its graph: one that holds compiled nodes it does not.
    pub(super) fn is_saved(&self) -> bool {
        !self.graph.nodes.is_empty()
    }

    /// The graph that a node is in.
    pub(super) fn graph_of(&self, node: &ExecutedNode) -> Option<&Graph> {
        match &node.home {
            None => Some(&self.graph),
            Some((holder, attribute)) => {
                let holder = self.nodes.get(*holder)?;
                let node = &self.graph_of(holder)?.nodes[holder.position?];
                let mut bodies = node.bodies.iter();
                bodies.find(|(name, _)| name == attribute).map(|(_, body)| &**body)
            }
        }
    }

    pub(super) fn saved(&self, node: &ExecutedNode) -> Option<&Node> {
        self.graph_of(node)?.nodes.get(node.position?)
    }

    /// Numbers of the nodes of one graph: the model's, or that in an attribute of a node.
    pub(super) fn of_graph(&self, home: Option<(usize, &str)>) -> &[usize] {
        let home = home.map(|(holder, attribute)| (holder, attribute.to_string()));
        self.by_home.get(&home).map_or(&[], Vec::as_slice)
    }
}
