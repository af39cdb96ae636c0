//! The trace: the executions of every iteration, as a Chrome trace.
//!
//! Its times are running sums of durations with six digits, so that events of
//! long runs seem to overlap. The events stand in the order in which they ran,
//! and each iteration runs the same operators: where that holds, the iteration
//! of an event follows from its place, and times are added up anew.

use super::profile::engine;
use super::tensors::TRACE;
use crate::chrome::{
    Argument, Assembled, EventFormat, EventTrace, Fault, IterationMark, Label, Options, Role,
    assemble, read_events,
};
use crate::damage::DamageKind;
use crate::figure::{self, Figure};
use crate::formats::together::number_and_name;
use crate::json::{Broken, Cursor};
use crate::source::Source;
use crate::text::number::number;
use crate::{ImportError, Launch};
use onnxray_format::{Nanoseconds, Operator, Tensor, Warning};
use onnxray_text::counted;
use std::collections::{BTreeMap, HashMap, HashSet};

mod fact {
    pub(super) const POST_OP: usize = 0;
    pub(super) const INPUT_NAMES: usize = 1;
    pub(super) const INPUT_TYPES: usize = 2;
    pub(super) const INPUT_SHAPES: usize = 3;
    pub(super) const OUTPUT_NAMES: usize = 4;
    pub(super) const OUTPUT_TYPES: usize = 5;
    pub(super) const OUTPUT_SHAPES: usize = 6;
    pub(super) const ATTRIBUTES: usize = 7;
    pub(super) const COUNT: usize = 8;
}

/// What the event around all iterations is counted as.
const MODEL: &str = "models";

/// What the engine tells of every operator.
const OF_OPERATORS: [(Argument, &str); 8] = [
    (Argument::Fact(fact::INPUT_NAMES), "input_tensor_name"),
    (Argument::Fact(fact::INPUT_TYPES), "input_type"),
    (Argument::Fact(fact::INPUT_SHAPES), "input_shape"),
    (Argument::Fact(fact::OUTPUT_NAMES), "output_tensor_name"),
    (Argument::Fact(fact::OUTPUT_TYPES), "output_type"),
    (Argument::Fact(fact::OUTPUT_SHAPES), "output_shape"),
    (Argument::Fact(fact::ATTRIBUTES), "attributes"),
    (Argument::Nested, "reshape_time"),
];

struct Trace;

impl EventFormat for Trace {
    const FACTS: usize = fact::COUNT;
    const FIGURES: &'static [Figure] = figure::NEURAL_ENGINE;

    #[inline]
    fn argument(key: &[u8]) -> Argument {
        match key {
            b"post_op" => Argument::Fact(fact::POST_OP),
            b"input_tensor_name" => Argument::Fact(fact::INPUT_NAMES),
            b"input_type" => Argument::Fact(fact::INPUT_TYPES),
            b"input_shape" => Argument::Fact(fact::INPUT_SHAPES),
            b"output_tensor_name" => Argument::Fact(fact::OUTPUT_NAMES),
            b"output_type" => Argument::Fact(fact::OUTPUT_TYPES),
            b"output_shape" => Argument::Fact(fact::OUTPUT_SHAPES),
            b"attributes" => Argument::Fact(fact::ATTRIBUTES),
            b"reshape_time" => Argument::Nested,
            _ => Argument::Skip,
        }
    }

    /// A time such as `"0.004ms"`.
    #[inline]
    fn nested<'a>(
        _key: &[u8],
        cursor: &mut Cursor<'a>,
        figures: &mut [i64],
        fault: &mut Option<Fault>,
    ) -> Result<(), Broken> {
        let time = cursor.value()?.as_text();
        let time = time.as_deref().and_then(|time| time.strip_suffix("ms"));
        let time = time.and_then(|time| number::<f64>(time.trim()));
        // A year and more is not a time to reshape.
        match time.filter(|time| (0.0..=3e10).contains(time)) {
            Some(milliseconds) => figures[0] = (milliseconds * 1e6).round() as i64,
            None => _ = fault.get_or_insert((DamageKind::Member, "`reshape_time` is not a time")),
        }
        Ok(())
    }

    fn role(label: &Label) -> Role {
        match label.raw_category() {
            b"iteration" => Role::Mark,
            b"inference" => Role::Ignored(MODEL),
            _ => Role::Operator,
        }
    }
}

pub(crate) fn read(source: Source, options: &Options) -> Result<Launch, ImportError> {
    let mut trace = read_events::<Trace>(source, options)?;
    trace.count_lacking(&OF_OPERATORS, |label| {
        (Trace::role(label) == Role::Operator).then(String::new)
    });
    let file = trace.file.clone();
    let mut warnings = trace.damage.warnings(&file, "events");
    let ignored = trace.left_out(&[MODEL, "metadata"]).into_iter().collect();
    let mut note = |message: String, loss: bool| {
        warnings.push(Warning { file: file.clone(), position: None, message, loss });
    };
    let marks = trace.marks.iter().map(|mark| {
        let name = trace.labels[mark.label as usize].name();
        let index = name.strip_prefix("Iteration").and_then(|index| index.parse().ok());
        IterationMark::measured(mark, index)
    });
    let marks: Vec<IterationMark> = marks.collect();
    let (operators, of_label, changed) = operators(&trace);
    let mut assembled = assemble(&mut trace, &of_label, marks.clone(), 0);
    // Starts are running sums that leave their iterations: the order of operators, which
    // repeats, says where one begins.
    let ordered = match period(&assembled) {
        Some(period) => {
            add_up(&mut assembled, &marks, period);
            true
        }
        None => false,
    };
    note(
        "the engine writes running sums in place of times: gaps between operators, and the \
         overhead of an iteration, are unknown"
            .to_string(),
        false,
    );
    if !ordered && assembled.outside > 0 {
        note(
            counted(
                assembled.outside,
                "event is in no complete iteration",
                "events are in no complete iteration",
            ),
            false,
        );
    }
    if changed > 0 {
        note(
            counted(
                changed as u64,
                "operator ran with several shapes; the first one is shown",
                "operators ran with several shapes; the first ones are shown",
            ),
            false,
        );
    }
    Ok(Launch {
        files: vec![file],
        run: engine(),
        operators,
        warnings,
        ignored,
        ..assembled.into()
    })
}

/// How many events an iteration has, if the events are the same operators again
/// and again, once per iteration. The last iteration may be cut.
fn period(assembled: &Assembled) -> Option<usize> {
    /// Lengths that are tried: that of a whole trace is the first one.
    const MOST_TRIED: usize = 64;
    let iterations = assembled.iterations.len();
    let events: Vec<u32> =
        assembled.events.chunks.iter().flat_map(|chunk| chunk.operator.iter().copied()).collect();
    if iterations == 0 || events.is_empty() {
        return None;
    }
    let least = events.len().div_ceil(iterations);
    (least..=events.len())
        // The last iteration may have no events at all.
        .take_while(|&period| events.len().div_ceil(period) + 1 >= iterations)
        .filter(|&period| events.get(period).is_none_or(|operator| *operator == events[0]))
        .take(MOST_TRIED)
        .find(|&period| events.iter().zip(&events[period..]).all(|(before, after)| before == after))
}

/// Gives each event the iteration of its place, and adds up durations.
fn add_up(assembled: &mut Assembled, marks: &[IterationMark], period: usize) {
    // Iterations are sorted by start, which rounding may have made the same.
    let mut order: Vec<usize> = (0..marks.len()).collect();
    order.sort_by_key(|&offset| (marks[offset].start, marks[offset].duration));
    let mut position = vec![0; marks.len()];
    order.iter().enumerate().for_each(|(sorted, &offset)| position[offset] = sorted);
    let mut place = 0;
    let mut now = 0u64;
    let mut begun = 0u64;
    for chunk in &mut assembled.events.chunks {
        for row in 0..chunk.operator.len() {
            let iteration = position[place / period];
            if place % period == 0 {
                begun = now;
            }
            chunk.iteration[row] = iteration as u32;
            chunk.start[row] = now;
            now = now.saturating_add(chunk.duration[row]);
            place += 1;
            let iteration = &mut assembled.iterations[iteration];
            iteration.start = Nanoseconds(begun);
            // Of an iteration that was cut, the file knows more than its events.
            let whole = place % period == 0;
            let sum = Nanoseconds(now - begun);
            iteration.duration = if whole { sum } else { iteration.duration.max(sum) };
        }
    }
}

/// The operators, the operator of each label, and how many operators ran with
/// several shapes. Operators of one name are told apart by their tensors.
fn operators(trace: &EventTrace) -> (Vec<Operator>, Vec<Option<u32>>, usize) {
    let mut operators: Vec<Operator> = Vec::new();
    let mut numbers: HashMap<[Vec<u8>; 4], u32> = HashMap::new();
    let mut changed = HashSet::new();
    let mut of_label = Vec::with_capacity(trace.labels.len());
    for label in &trace.labels {
        if Trace::role(label) != Role::Operator {
            of_label.push(None);
            continue;
        }
        let fact = |number| label.raw_fact(number).unwrap_or_default().to_vec();
        let identity = [
            label.raw_name().to_vec(),
            label.raw_category().to_vec(),
            fact(fact::INPUT_NAMES),
            fact(fact::OUTPUT_NAMES),
        ];
        let next = operators.len() as u32;
        let number = *numbers.entry(identity).or_insert(next);
        if number == next {
            operators.push(Operator { number, ..operator(label) });
        } else {
            changed.insert(number);
        }
        of_label.push(Some(number));
    }
    number_and_name(&mut operators);
    (operators, of_label, changed.len())
}

fn operator(label: &Label) -> Operator {
    let text = |number| label.fact_text(number).unwrap_or_default();
    let attributes = attributes(&text(fact::ATTRIBUTES));
    // The first version has the post-op by itself.
    let post_ops = match text(fact::POST_OP) {
        post_op if post_op.is_empty() => attributes.get("append_op").cloned().unwrap_or_default(),
        post_op => post_op,
    };
    let post_ops = post_ops.split(',').map(str::trim).filter(|post_op| !post_op.is_empty());
    let name = label.name().into_owned();
    Operator {
        nodes: vec![name.clone()],
        name,
        operator_type: label.category().into_owned(),
        post_ops: post_ops.map(str::to_string).collect(),
        inputs: inputs(
            &text(fact::INPUT_NAMES),
            &text(fact::INPUT_TYPES),
            &text(fact::INPUT_SHAPES),
        ),
        outputs: outputs(
            &text(fact::OUTPUT_NAMES),
            &text(fact::OUTPUT_TYPES),
            &text(fact::OUTPUT_SHAPES),
        ),
        attributes,
        ..Operator::default()
    }
}

fn inputs(names: &str, types: &str, shapes: &str) -> Vec<Tensor> {
    TRACE.tensors(names, types, &TRACE.parts(shapes), "input")
}

/// The shape is that of the first output, whichever there are.
fn outputs(names: &str, types: &str, shape: &str) -> Vec<Tensor> {
    let mut outputs = TRACE.tensors(names, types, &[shape], "output");
    if let Some(first) = outputs.first_mut() {
        first.shape = TRACE.shape(shape.trim());
    }
    outputs
}

/// `append_op:sum;src1_perm:1,0`. What has no colon belongs to the value before.
fn attributes(text: &str) -> BTreeMap<String, String> {
    let mut attributes: Vec<(String, String)> = Vec::new();
    for part in text.split(';').filter(|part| !part.is_empty()) {
        match (part.split_once(':'), attributes.last_mut()) {
            (Some((name, value)), _) => attributes.push((name.to_string(), value.to_string())),
            (None, Some((_, value))) => {
                value.push(';');
                value.push_str(part);
            }
            (None, None) => {}
        }
    }
    attributes.into_iter().collect()
}
