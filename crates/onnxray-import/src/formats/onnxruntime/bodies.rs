//! Finds the operators that run inside others: the bodies of Loop, If and Scan.
//!
//! A body's nodes lie inside the event of the node that holds it, on the same
//! thread, and stand before it in the file, which is in the order of ends. The
//! numbers of nodes begin again in each body, so nodes without names of their
//! own have the same one in several graphs; they are told apart here, by what
//! they lie in.

use crate::{Events, NO_ITERATION};
use foldhash::fast::RandomState;
use onnxray_format::Operator;
use std::collections::HashMap;

/// Types of operators that run bodies.
pub(super) const HOLDERS: [&str; 7] =
    ["Loop", "If", "Scan", "BeamSearch", "GreedySearch", "Sampling", "WhisperBeamSearch"];

/// Bodies within bodies, at most; deeper ones count as this deep.
const MOST_DEPTH: u32 = 16;

/// This many events of a thread are placed at once, or all of an iteration.
const AT_ONCE: usize = 1 << 10;

/// If every operator was seen, and each in one place, after this many events, the
/// rest is not looked at.
const ENOUGH: usize = 1 << 14;

const NOTHING: u32 = u32::MAX;

/// Sets [`Operator::parent`]. An operator that runs in several bodies becomes
/// several, and its events are renumbered.
///
/// Returns the numbers of the operators in order of their first event.
pub(crate) fn place(operators: &mut Vec<Operator>, events: &mut Events) -> Vec<u32> {
    let holds: Vec<bool> = operators
        .iter()
        .map(|operator| HOLDERS.contains(&operator.operator_type.as_str()))
        .collect();
    if !holds.contains(&true) {
        // Operators are numbered by their first appearance.
        return (0..operators.len() as u32).collect();
    }
    let on_device: Vec<bool> = operators.iter().map(|operator| operator.device).collect();
    let mut places = Places::new(operators);
    let mut threads: Vec<Open> = events.threads.iter().map(|_| Open::default()).collect();
    for chunk in 0..events.chunks.len() {
        for row in 0..events.chunks[chunk].len() {
            let columns = &events.chunks[chunk];
            let (operator, start) = (columns.operator[row], columns.start[row]);
            if on_device[operator as usize] {
                continue;
            }
            let end = start.saturating_add(columns.duration[row]);
            let iteration = columns.iteration[row];
            let open = &mut threads[columns.thread[row] as usize];
            if open.iteration != iteration && open.nodes.len() >= AT_ONCE {
                places.settle(open, events);
                if places.settled >= ENOUGH && places.is_unprofiled() {
                    return places.order();
                }
            }
            open.iteration = iteration;
            let number = open.nodes.len() as u32;
            if holds[operator as usize] {
                while let Some(inner) = open.outermost.last().map(|&inner| inner as usize) {
                    if open.nodes[inner].start < start || open.nodes[inner].start > end {
                        break;
                    }
                    open.nodes[inner].holder = number;
                    open.outermost.pop();
                }
            }
            open.outermost.push(number);
            let place = (chunk as u32, row as u32);
            let doubt = match (iteration, holds[operator as usize]) {
                (NO_ITERATION, true) => Doubt::Cut,
                (NO_ITERATION, false) => Doubt::CutAndAlone,
                _ => Doubt::None,
            };
            open.nodes.push(Node { place, operator, start, doubt, holder: NOTHING, depth: 0 });
        }
    }
    threads.iter_mut().for_each(|open| places.settle(open, events));
    places.order()
}

/// Events of a thread that are not placed yet, in order of their ends.
#[derive(Default)]
struct Open {
    iteration: u32,
    nodes: Vec<Node>,
    /// Positions of those that lie in no other so far.
    outermost: Vec<u32>,
}

struct Node {
    /// Chunk and row.
    place: (u32, u32),
    /// As its label says; when it is placed, as its place says.
    operator: u32,
    start: u64,
    /// That of the outermost event around it.
    doubt: Doubt,
    /// Position of the event that it lies in directly.
    holder: u32,
    depth: u32,
}

/// Whether the node that holds an event may be missing: where a profile was cut,
/// the nodes of a body are there, and the Loop is not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// Its run is whole.
    None,
    Cut,
    /// And it can hold nothing itself.
    CutAndAlone,
}

/// The operators that there are, by what they are and what they lie in.
struct Places<'a> {
    operators: &'a mut Vec<Operator>,
    /// By operator of the label and parent.
    numbers: HashMap<(u32, u32), u32, RandomState>,
    /// For each operator of a label the parent that was last asked for, and the
    /// answer: mostly the only one.
    last: Vec<(u32, u32)>,
    /// Of each operator.
    first_event: Vec<(u32, u32)>,
    /// Events that have their place.
    settled: usize,
}

impl Places<'_> {
    fn new(operators: &mut Vec<Operator>) -> Places<'_> {
        // What runs on a device stays with the node that launched it.
        let place = |operator: &Operator| match operator.device {
            true => (NOTHING, operator.number),
            false => (NOTHING, NOTHING),
        };
        let last = operators.iter().map(place).collect();
        let first_event = vec![(NOTHING, NOTHING); operators.len()];
        Places { operators, numbers: HashMap::default(), last, first_event, settled: 0 }
    }

    /// Gives all open events their operators: outer ones first, and those of a run
    /// that was cut last, because what holds them may be missing.
    fn settle(&mut self, open: &mut Open, events: &mut Events) {
        self.settled += open.nodes.len();
        let mut later = [Vec::new(), Vec::new()];
        for number in (0..open.nodes.len()).rev() {
            let holder = open.nodes.get(open.nodes[number].holder as usize);
            let doubt = holder.map_or(open.nodes[number].doubt, |holder| holder.doubt);
            open.nodes[number].doubt = doubt;
            match doubt {
                Doubt::None => self.settle_one(&mut open.nodes, number, events),
                Doubt::Cut => later[0].push(number),
                Doubt::CutAndAlone => later[1].push(number),
            }
        }
        for number in later.into_iter().flatten() {
            self.settle_one(&mut open.nodes, number, events);
        }
        open.nodes.clear();
        open.outermost.clear();
    }

    fn settle_one(&mut self, nodes: &mut [Node], number: usize, events: &mut Events) {
        let node = &nodes[number];
        let (parent, depth) = match nodes.get(node.holder as usize) {
            Some(holder) if holder.depth < MOST_DEPTH => (holder.operator, holder.depth + 1),
            Some(holder) => {
                let parent = self.operators[holder.operator as usize].parent;
                (parent.unwrap_or(NOTHING), MOST_DEPTH)
            }
            None => (NOTHING, 0),
        };
        let operator = self.find(node.operator, parent, node.doubt);
        let (chunk, row) = node.place;
        let first = &mut self.first_event[operator as usize];
        *first = (*first).min(node.place);
        events.chunks[chunk as usize].operator[row as usize] = operator;
        let node = &mut nodes[number];
        (node.operator, node.depth) = (operator, depth);
    }

    /// The number of what a label's operator is in a parent. In doubt it is one
    /// that is known.
    fn find(&mut self, operator: u32, parent: u32, doubt: Doubt) -> u32 {
        let (known_parent, known) = self.last[operator as usize];
        if known != NOTHING && known_parent == parent {
            return known;
        }
        let number = match self.numbers.get(&(operator, parent)) {
            Some(&number) => number,
            None if known != NOTHING && doubt != Doubt::None => return known,
            None => self.insert(operator, parent, known == NOTHING),
        };
        self.last[operator as usize] = (parent, number);
        number
    }

    /// Adds a place. The first that is found is the one of the operator itself.
    fn insert(&mut self, operator: u32, parent: u32, is_first: bool) -> u32 {
        let holder = (parent != NOTHING).then_some(parent);
        let mut number = operator;
        if is_first {
            self.operators[operator as usize].parent = holder;
        } else {
            number = self.operators.len() as u32;
            let copy = self.operators[operator as usize].clone();
            self.operators.push(Operator { number, parent: holder, ..copy });
            self.first_event.push((NOTHING, NOTHING));
        }
        self.numbers.insert((operator, parent), number);
        number
    }

    /// Whether every operator was seen, and each in one place.
    fn is_unprofiled(&self) -> bool {
        let labels = self.last.len();
        self.operators.len() == labels && self.last.iter().all(|&(_, found)| found != NOTHING)
    }

    fn order(self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.operators.len() as u32).collect();
        order.sort_by_key(|&number| self.first_event[number as usize]);
        order
    }
}
