//! What nodes launched on devices: events of the categories `Kernel` and `Api`, in no process.
//!
//! | provider | category | what says which node launched it |
//! | --- | --- | --- |
//! | CUDA, ROCm, … | `Kernel` | its place: it follows the event of the node, whose name (`parent_name`) or type (`op_name`) it has |
//! | WebGPU | `Api` | its name begins with the node's: `/conv1/Conv&Conv2DMatMul`. They follow everything else, and their clock may be another: the n-th belongs to the n-th execution |
//! | QNN | `Api` | its time: the call lasts as long as the device works, and lies inside the node |
//!
//! Calls in the process of the nodes are of the host, and lie inside the nodes.

use super::profile::{fact, is_node};
use crate::chrome::{DeviceWork, EventTrace, Label, Launched, add_operators, relabel};
use crate::launch::Thread;
use crate::spans::Ends;
use onnxray_format::Operator;
use std::collections::{HashMap, HashSet};

/// How the node that launched an execution is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sought {
    /// A device does nothing for it.
    Nothing,
    /// The last one of this name before it in the file.
    Named(u32),
    /// The one of this type that stands next to it in the file.
    OfType(u32),
    /// The execution of this name whose turn it is.
    InTurn(u32),
    /// The one at work when it begins.
    AtWork,
    /// Nothing says so.
    Unknown,
}

/// Finds the work of devices, which gets labels of its own.
pub(super) fn find(trace: &mut EventTrace) {
    let is_of_devices = |label: &Label| matches!(label.raw_category(), b"Kernel" | b"Api");
    if !trace.labels.iter().any(is_of_devices) {
        return;
    }
    let nodes = Nodes::of(trace);
    let sought: Vec<Sought> = trace.labels.iter().map(|label| nodes.sought(label)).collect();
    let work = work(trace, &nodes, &sought);
    move_to_streams(trace, &work);
    relabel(trace, work);
}

/// Adds operators of devices to those of nodes, for the labels that are used.
pub(super) fn add(
    trace: &EventTrace,
    operators: &mut Vec<Operator>,
    of_label: &mut Vec<Option<u32>>,
    used: impl Fn(usize) -> bool,
) {
    for (at, one) in (trace.labels.len()..).zip(&trace.launched) {
        let label = one.label as usize;
        if used(at) && of_label[label].is_none() {
            let number = operators.len() as u32;
            of_label[label] = Some(number);
            operators.push(Operator { number, ..operator(&trace.labels[label]) });
        }
    }
    add_operators(trace, operators, of_label, used);
}

/// A kernel without the node that launched it.
fn operator(label: &Label) -> Operator {
    let name = label.name();
    let kernel = match name.rsplit_once('&') {
        Some((_, program)) if !program.is_empty() => program,
        _ => &name,
    };
    Operator {
        kernel: Some(kernel.to_string()),
        operator_type: label.category().into_owned(),
        name: name.into_owned(),
        ..Operator::default()
    }
}

/// Names and types of nodes, by which they are found.
struct Nodes {
    names: HashMap<Vec<u8>, u32>,
    types: HashMap<Vec<u8>, u32>,
    /// Name and type of each label of a node.
    of_label: Vec<Option<(u32, u32)>>,
}

impl Nodes {
    fn of(trace: &EventTrace) -> Nodes {
        fn number(numbers: &mut HashMap<Vec<u8>, u32>, text: &[u8]) -> u32 {
            let next = numbers.len() as u32;
            *numbers.entry(text.to_vec()).or_insert(next)
        }
        let (mut names, mut types) = (HashMap::new(), HashMap::new());
        let of_label = trace.labels.iter().map(|label| {
            is_node(label).then(|| {
                let operator_type = label.raw_fact(fact::OPERATOR_TYPE).unwrap_or_default();
                (number(&mut names, bare(label.raw_name())), number(&mut types, operator_type))
            })
        });
        let of_label = of_label.collect();
        Nodes { names, types, of_label }
    }

    fn sought(&self, label: &Label) -> Sought {
        let text = |number| {
            let raw = label.raw_fact(number)?;
            raw.strip_prefix(b"\"")?.strip_suffix(b"\"")
        };
        match label.raw_category() {
            b"Kernel" => {
                let parent = text(fact::PARENT_NAME).and_then(|name| self.names.get(bare(name)));
                let of_type = label.raw_fact(fact::OPERATOR_TYPE);
                let of_type = of_type.and_then(|of_type| self.types.get(of_type));
                match (parent, of_type) {
                    (Some(&name), _) => Sought::Named(name),
                    (None, Some(&of_type)) => Sought::OfType(of_type),
                    (None, None) => Sought::Unknown,
                }
            }
            b"Api" => {
                let name = label.raw_name();
                let ends = memchr::memrchr_iter(b'&', name);
                let node = ends.filter_map(|end| self.names.get(&name[..end])).next();
                node.map_or(Sought::AtWork, |&name| Sought::InTurn(name))
            }
            _ => Sought::Nothing,
        }
    }
}

/// The name of a node, of that of its event.
fn bare(name: &[u8]) -> &[u8] {
    name.strip_suffix(b"_kernel_time").unwrap_or(name)
}

/// The executions on devices, with what launched each.
fn work(trace: &EventTrace, nodes: &Nodes, sought: &[Sought]) -> Vec<DeviceWork> {
    let host = processes_of_nodes(trace, nodes);
    let mut work: Vec<DeviceWork> = Vec::new();
    let mut turns: HashMap<u32, Turns> = HashMap::new();
    for sought in sought {
        if let Sought::InTurn(name) = sought {
            turns.entry(*name).or_default();
        }
    }
    let mut at_work: Vec<(Launched, i64)> = Vec::new();
    let seeks_by_time = sought.contains(&Sought::AtWork);
    let mut last: Option<(Launched, u32)> = None;
    let (mut of_name, mut of_type) = (HashMap::new(), HashMap::new());
    // Those whose node may follow them.
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (chunk, rows) in (0..).zip(&trace.chunks) {
        for (row, &label) in rows.label.iter().enumerate() {
            let (thread, start) = (rows.thread[row], rows.start[row]);
            if let Some((name, its_type)) = nodes.of_label[label as usize] {
                let node = Launched { label, thread, start };
                // They come before their node: it is the next one, if that has the type, or else
                // the last one that had it.
                for (position, wanted) in open.drain(..) {
                    let launch =
                        if wanted == its_type { Some(node) } else { of_type.get(&wanted).copied() };
                    work[position].launch = launch;
                }
                last = Some((node, its_type));
                of_name.insert(name, node);
                of_type.insert(its_type, node);
                turns.entry(name).and_modify(|turns| turns.executions.push(node));
                if seeks_by_time {
                    at_work.push((node, start.saturating_add_unsigned(rows.duration[row])));
                }
                continue;
            }
            let is_call =
                || host[thread as usize] && trace.labels[label as usize].raw_category() == b"Api";
            let sought = sought[label as usize];
            if sought == Sought::Nothing || is_call() {
                continue;
            }
            let launch = match sought {
                Sought::Named(name) => of_name.get(&name).copied(),
                Sought::OfType(wanted) => match last {
                    Some((node, of_last)) if of_last == wanted => Some(node),
                    _ => {
                        open.push((work.len(), wanted));
                        of_type.get(&wanted).copied()
                    }
                },
                // Assigned below, once the executions of both are counted.
                Sought::InTurn(name) => {
                    turns.entry(name).or_default().work.push(work.len());
                    None
                }
                Sought::AtWork | Sought::Unknown | Sought::Nothing => None,
            };
            work.push(DeviceWork { chunk, row: row as u32, launch, call: None });
        }
    }
    turns.into_values().for_each(|turns| turns.take(trace, &mut work));
    if seeks_by_time {
        find_by_time(trace, at_work, sought, &mut work);
    }
    // Kernels of a node may run beside each other, those of others may not.
    let mut numbers: HashMap<(u32, i64), i64> = HashMap::new();
    for (position, one) in (0..).zip(&mut work) {
        let label = trace.chunks[one.chunk as usize].label[one.row as usize];
        let is_kernel = matches!(sought[label as usize], Sought::Named(_) | Sought::OfType(_));
        if let Some(launch) = one.launch.filter(|_| is_kernel) {
            let node = (launch.thread, launch.start);
            one.call = Some(*numbers.entry(node).or_insert(position));
        }
    }
    work
}

/// By thread: whether its process executes nodes.
fn processes_of_nodes(trace: &EventTrace, nodes: &Nodes) -> Vec<bool> {
    let mut threads: HashSet<u32> = HashSet::new();
    for rows in &trace.chunks {
        let of_nodes = rows.label.iter().zip(&rows.thread);
        threads.extend(
            of_nodes
                .filter(|&(&label, _)| nodes.of_label[label as usize].is_some())
                .map(|(_, &thread)| thread),
        );
    }
    let process = |thread: u32| trace.threads[thread as usize].process.as_str();
    let hosts: HashSet<&str> = threads.into_iter().map(process).collect();
    trace.threads.iter().map(|thread| hosts.contains(thread.process.as_str())).collect()
}

/// The executions of the nodes of a name, and what they launched, each in the order of the file.
#[derive(Default)]
struct Turns {
    executions: Vec<Launched>,
    /// Positions among the work of devices.
    work: Vec<usize>,
}

impl Turns {
    /// Every execution launches as much as any other. Where it does not add up, time tells.
    fn take(mut self, trace: &EventTrace, work: &mut [DeviceWork]) {
        self.executions.sort_by_key(|node| node.start);
        let count = self.executions.len();
        if count == 0 {
            return;
        }
        let each = self.work.len() / count;
        let adds_up = each * count == self.work.len();
        for (turn, &position) in self.work.iter().enumerate() {
            let one = &mut work[position];
            let start = trace.chunks[one.chunk as usize].start[one.row as usize];
            let node = match adds_up {
                true => turn / each,
                false => self.executions.partition_point(|node| node.start <= start).max(1) - 1,
            };
            one.launch = self.executions.get(node).copied();
        }
    }
}

/// Finds the innermost node that is at work when the device begins.
fn find_by_time(
    trace: &EventTrace,
    mut nodes: Vec<(Launched, i64)>,
    sought: &[Sought],
    work: &mut [DeviceWork],
) {
    nodes.sort_by_key(|&(node, end)| (node.start, std::cmp::Reverse(end)));
    let ends = Ends::new(nodes.iter().map(|&(_, end)| end));
    for one in work {
        let rows = &trace.chunks[one.chunk as usize];
        let (label, start) = (rows.label[one.row as usize], rows.start[one.row as usize]);
        if sought[label as usize] == Sought::AtWork {
            let begun = nodes.partition_point(|(node, _)| node.start <= start);
            let found = ends.last(begun, |end| end > start);
            one.launch = found.map(|position| nodes[position].0);
        }
    }
}

/// Gives each stream a thread of its own: the runtime states it in the arguments.
fn move_to_streams(trace: &mut EventTrace, work: &[DeviceWork]) {
    let mut streams: HashMap<(u32, String), u32> = HashMap::new();
    for one in work {
        let rows = &mut trace.chunks[one.chunk as usize];
        let label = &trace.labels[rows.label[one.row as usize] as usize];
        let Some(stream) = label.fact_text(fact::STREAM) else { continue };
        let thread = &mut rows.thread[one.row as usize];
        *thread = *streams.entry((*thread, stream)).or_insert_with_key(|(of, stream)| {
            let process = trace.threads[*of as usize].process.clone();
            let name = format!("stream {stream}");
            trace.threads.push(Thread { process, thread: name, ..Thread::default() });
            trace.threads.len() as u32 - 1
        });
    }
}
