//! What nodes launched on devices: events of the categories `Kernel` and `Api`.
//!
//! | provider | category | what says which node launched it |
//! | --- | --- | --- |
//! | CUDA, ROCm, … | `Kernel` | its place: it follows the event of the node, whose name (`parent_name`) or type (`op_name`) it has |
//! | plugins, from 1.25 on | `Kernel` | the name (`parent_name`, `parent_ort_node`, `ort_event_name`) and number of the node. They follow everything else: the execution is that in whose time they begin, or the n-th |
//! | WebGPU | `Api` | its name begins with the node's: `/conv1/Conv&Conv2DMatMul`. They follow everything else, and their clock may be another: the n-th belongs to the n-th execution |
//! | QNN | `Api` | its time: the call lasts as long as the device works, and lies inside the node |
//!
//! Calls in the process of the nodes are of the host, and lie inside the nodes.

use super::launchers::{Launchers, Sought, node_number};
use super::profile::{fact, is_launched};
use crate::chrome::{DeviceWork, EventTrace, Label, Launched, add_operators};
use crate::damage::DamageKind;
use crate::launch::Thread;
use crate::spans::Ends;
use onnxray_format::{Operator, Warning};
use onnxray_text::counted;
use std::collections::{HashMap, HashSet};

/// Finds the work of devices, with what launched it, and says what is doubtful.
pub(super) fn find(trace: &mut EventTrace) -> Vec<Warning> {
    count_numbers(trace);
    if !trace.labels.iter().any(is_launched) {
        return Vec::new();
    }
    let launchers = Launchers::of(trace);
    let sought: Vec<Sought> = trace.labels.iter().map(|label| launchers.sought(label)).collect();
    let work = work(trace, &launchers, &sought);
    move_to_streams(trace, &work);
    trace.work = work;
    let doubts = [
        (
            Sought::Lost,
            "names what launched it, which is not in the profile: it belongs to no node",
            "name what launched them, which is not in the profile: they belong to no node",
        ),
        (
            Sought::Circle,
            "names what launched it in a circle: it belongs to no node",
            "name each other as what launched them: they belong to no node",
        ),
    ];
    doubts
        .into_iter()
        .filter_map(|(kind, one, several)| doubt(trace, &sought, kind, one, several))
        .collect()
}

/// Counts the executions whose label is sought like this, and names the first.
fn doubt(
    trace: &EventTrace,
    sought: &[Sought],
    kind: Sought,
    one: &str,
    several: &str,
) -> Option<Warning> {
    let labels = trace.chunks.iter().flat_map(|rows| &rows.label);
    let mut of_kind = labels.filter(|&&label| sought[label as usize] == kind);
    let first = &trace.labels[*of_kind.next()? as usize];
    let count = 1 + of_kind.count() as u64;
    let parent = first.fact_text(fact::PARENT_NAME).unwrap_or_default();
    let what = counted(
        count,
        &format!("event of a device {one}"),
        &format!("events of devices {several}"),
    );
    let message = format!("{what}; the first: {:?} of {parent:?}", first.name());
    Some(Warning::note(&trace.file, message))
}

/// Counts the events whose node has a number that is none.
fn count_numbers(trace: &mut EventTrace) {
    let is_bad =
        |label: &Label| label.raw_fact(fact::NODE_INDEX).is_some() && node_number(label).is_none();
    let bad: Vec<bool> = trace.labels.iter().map(is_bad).collect();
    let Some(first) = bad.iter().position(|&is_bad| is_bad) else { return };
    let labels = trace.chunks.iter().flat_map(|rows| &rows.label);
    let count = labels.filter(|&&label| bad[label as usize]).count() as u64;
    let reason = "`node_index` is not a number";
    trace.damage.add_times(DamageKind::Member, count, Some(trace.first[first].position), reason);
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

/// The executions on devices, with what launched each.
fn work(trace: &EventTrace, launchers: &Launchers, sought: &[Sought]) -> Vec<DeviceWork> {
    let host = processes_of_nodes(trace, launchers);
    let last_node = last_node(trace, launchers);
    let mut work: Vec<DeviceWork> = Vec::new();
    let mut turns: HashMap<Sought, Turns> = HashMap::new();
    for &sought in sought {
        if matches!(sought, Sought::Named(_) | Sought::OfType(_) | Sought::InTurn(_)) {
            turns.entry(sought).or_default();
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
            if let Some(known) = launchers.of_label[label as usize] {
                let node = Launched { label, thread, start };
                // They come before their node: it is the next one, if that has the type, or else
                // the last one that had it.
                for (position, wanted) in open.drain(..) {
                    let launch = match wanted == known.of_type {
                        true => Some(node),
                        false => of_type.get(&wanted).copied(),
                    };
                    work[position].launch = launch;
                }
                last = Some((node, known.of_type));
                let execution = (node, start.saturating_add_unsigned(rows.duration[row]));
                of_type.insert(known.of_type, node);
                for name in [Some(known.name), known.numbered].into_iter().flatten() {
                    of_name.insert(name, node);
                    for sought in [Sought::Named(name), Sought::InTurn(name)] {
                        turns.entry(sought).and_modify(|own| own.executions.push(execution));
                    }
                }
                let sought = Sought::OfType(known.of_type);
                turns.entry(sought).and_modify(|own| own.executions.push(execution));
                if seeks_by_time {
                    at_work.push(execution);
                }
                continue;
            }
            let is_call =
                || host[thread as usize] && trace.labels[label as usize].raw_category() == b"Api";
            let sought = sought[label as usize];
            if sought == Sought::Nothing || is_call() {
                continue;
            }
            let is_behind = last_node.is_none_or(|last| last < (chunk, row));
            turns.entry(sought).and_modify(|own| {
                own.work.push(work.len());
                own.stands_in_place |= !is_behind;
            });
            let launch = match sought {
                Sought::Named(name) => of_name.get(&name).copied(),
                Sought::OfType(wanted) => match last {
                    Some((node, of_last)) if of_last == wanted => Some(node),
                    _ => {
                        open.push((work.len(), wanted));
                        of_type.get(&wanted).copied()
                    }
                },
                // Below, once the executions of both are counted, or by time.
                _ => None,
            };
            work.push(DeviceWork { chunk, row: row as u32, launch, call: None });
        }
    }
    let mut behind: HashSet<usize> = HashSet::new();
    for (sought, own) in turns {
        match sought {
            Sought::InTurn(_) => own.take(trace, &mut work, false),
            _ if own.stands_in_place => {}
            _ => {
                behind.extend(&own.work);
                match sought {
                    // Nodes of one type need not launch alike.
                    Sought::OfType(_) => own.take_by_time(trace, &mut work),
                    _ => own.take(trace, &mut work, true),
                }
            }
        }
    }
    if seeks_by_time {
        find_by_time(trace, at_work, sought, &mut work);
    }
    // Kernels of a node may run beside each other, those of others may not, on streams: what a
    // provider added behind everything else need not be of one.
    let mut numbers: HashMap<(u32, i64), i64> = HashMap::new();
    for (position, one) in work.iter_mut().enumerate() {
        let label = trace.chunks[one.chunk as usize].label[one.row as usize] as usize;
        let is_kernel = matches!(sought[label], Sought::Named(_) | Sought::OfType(_));
        let has_stream = trace.labels[label].raw_fact(fact::STREAM).is_some();
        let is_on_stream = is_kernel && (has_stream || !behind.contains(&position));
        if let Some(launch) = one.launch.filter(|_| is_on_stream) {
            let node = (launch.thread, launch.start);
            one.call = Some(*numbers.entry(node).or_insert(position as i64));
        }
    }
    work
}

/// Where the last execution of a node stands: its chunk and its row.
fn last_node(trace: &EventTrace, launchers: &Launchers) -> Option<(u32, usize)> {
    let is_node = |label: &u32| launchers.of_label[*label as usize].is_some();
    let chunks = (0..).zip(&trace.chunks).collect::<Vec<(u32, _)>>();
    let mut behind = chunks.into_iter().rev();
    behind.find_map(|(chunk, rows)| Some((chunk, rows.label.iter().rposition(is_node)?)))
}

/// By thread: whether its process executes nodes.
fn processes_of_nodes(trace: &EventTrace, launchers: &Launchers) -> Vec<bool> {
    let mut threads: HashSet<u32> = HashSet::new();
    for rows in &trace.chunks {
        let of_nodes = rows.label.iter().zip(&rows.thread);
        threads.extend(
            of_nodes
                .filter(|&(&label, _)| launchers.of_label[label as usize].is_some())
                .map(|(_, &thread)| thread),
        );
    }
    let process = |thread: u32| trace.threads[thread as usize].process.as_str();
    let hosts: HashSet<&str> = threads.into_iter().map(process).collect();
    trace.threads.iter().map(|thread| hosts.contains(thread.process.as_str())).collect()
}

/// The executions of nodes of a name or a type, and what they launched, each in the order of the
/// file.
#[derive(Default)]
struct Turns {
    /// Each with its end.
    executions: Vec<(Launched, i64)>,
    /// Positions among the work of devices.
    work: Vec<usize>,
    /// Whether some of it stands before the last node of the file, as what is written in its place
    /// does.
    stands_in_place: bool,
}

impl Turns {
    /// Every execution launches as much as any other, unless time tells: of one clock, where all
    /// of it begins while one is at work. Where it does not add up, time tells as well.
    fn take(mut self, trace: &EventTrace, work: &mut [DeviceWork], is_one_clock: bool) {
        self.executions.sort_by_key(|(node, _)| node.start);
        let count = self.executions.len();
        if count == 0 {
            return;
        }
        let each = self.work.len() / count;
        let adds_up = each * count == self.work.len();
        let is_inside = |&position: &usize| {
            let start = start(trace, &work[position]);
            self.executions
                .get(self.begun(start))
                .is_some_and(|&(node, end)| (node.start..=end).contains(&start))
        };
        if !adds_up || is_one_clock && self.work.iter().all(is_inside) {
            return self.take_by_time(trace, work);
        }
        for (turn, &position) in self.work.iter().enumerate() {
            work[position].launch = self.executions.get(turn / each).map(|&(node, _)| node);
        }
    }

    /// The last one to begin before it launched it.
    fn take_by_time(mut self, trace: &EventTrace, work: &mut [DeviceWork]) {
        self.executions.sort_by_key(|(node, _)| node.start);
        for &position in &self.work {
            let node = self.begun(start(trace, &work[position]));
            work[position].launch = self.executions.get(node).map(|&(node, _)| node);
        }
    }

    /// Position of the last execution that began until then, or the first.
    fn begun(&self, time: i64) -> usize {
        self.executions.partition_point(|(node, _)| node.start <= time).max(1) - 1
    }
}

fn start(trace: &EventTrace, work: &DeviceWork) -> i64 {
    trace.chunks[work.chunk as usize].start[work.row as usize]
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
