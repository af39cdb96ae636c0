//! The parallel reader gives event for event what a plain JSON reader gives.
//!
//! Traces are generated with everything that JSON allows and that could mislead
//! a reader that cuts its input where events seem to meet; they are read in
//! slices smaller than an event and compared with what serde_json makes of them.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

#[path = "differential/plain.rs"]
mod plain;
#[path = "differential/traces.rs"]
mod traces;

use onnxray_import::chrome::{
    Argument, EventFormat, EventTrace, Fault, Label, Member, Options, Role, figure, read_events,
};
use onnxray_import::json::{Broken, Cursor};
use onnxray_import::{DamageKind, Figure, Over, Source};
use plain::of_serde;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;
use std::collections::BTreeMap;
use traces::{Style, json, members, options, spec, specs, style, write, write_with_ends};

// ---- The format that is read ----

struct Plain;

static FIGURES: [Figure; 2] = [
    Figure {
        key: "n0",
        heading: "N0",
        meaning: "a number",
        over_executions: Over::Mean,
        of_first_run: false,
    },
    Figure {
        key: "n1",
        heading: "N1",
        meaning: "a nested number",
        over_executions: Over::Max,
        of_first_run: false,
    },
];

impl EventFormat for Plain {
    const FACTS: usize = 2;
    const FIGURES: &'static [Figure] = &FIGURES;
    const EVEN_FIGURES: bool = false;

    fn argument(key: &[u8]) -> Argument {
        match key {
            b"f0" => Argument::Fact(0),
            b"f1" => Argument::Fact(1),
            b"n0" => Argument::Figure(0),
            b"deep" => Argument::Nested,
            _ => Argument::Skip,
        }
    }

    fn nested<'a>(
        _: &[u8],
        cursor: &mut Cursor<'a>,
        figures: &mut [i64],
        fault: &mut Option<Fault>,
    ) -> Result<(), Broken> {
        if cursor.peek() != Some(b'{') {
            return cursor.skip().map(|_| ());
        }
        cursor.object(|key, cursor| match key.raw {
            b"n1" => {
                figures[1] = figure(cursor, fault)?;
                Ok(())
            }
            _ => cursor.skip().map(|_| ()),
        })
    }

    fn role(label: &Label) -> Role {
        match label.raw_category() {
            b"mark" => Role::Mark,
            b"ignored" => Role::Ignored("ignored"),
            _ => Role::Operator,
        }
    }
}

// ---- What is compared ----

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    name: String,
    category: String,
    facts: [Option<String>; 2],
    process: String,
    thread: String,
    start: i64,
    duration: u64,
    figures: [Option<i64>; 2],
}

#[derive(Debug, Default, PartialEq)]
struct Trace {
    /// Complete events in order of the file.
    complete: Vec<Event>,
    /// Events of begins and ends, sorted.
    paired: Vec<Event>,
    /// Sorted.
    marks: Vec<Event>,
    ignored: u64,
    phases: BTreeMap<u8, u64>,
    members: BTreeMap<String, Value>,
}

fn of_reader(trace: &EventTrace, complete: usize) -> Trace {
    let event = |label: u32, thread: u32, start: i64, duration: u64| {
        let label = &trace.labels[label as usize];
        let fact =
            |number| label.raw_fact(number).map(|raw| String::from_utf8(raw.to_vec()).unwrap());
        let thread = &trace.threads[thread as usize];
        Event {
            name: label.name().into_owned(),
            category: label.category().into_owned(),
            facts: [fact(0), fact(1)],
            process: thread.process.clone(),
            thread: thread.thread.clone(),
            start,
            duration,
            figures: [None; 2],
        }
    };
    let mut events = Vec::new();
    for rows in &trace.chunks {
        for row in 0..rows.label.len() {
            let figures = [rows.figures[0].get(row), rows.figures[1].get(row)];
            let (label, thread) = (rows.label[row], rows.thread[row]);
            let plain = event(label, thread, rows.start[row], rows.duration[row]);
            events.push(Event { figures, ..plain });
        }
    }
    let mut paired = events.split_off(complete.min(events.len()));
    paired.sort();
    let mut marks: Vec<Event> = trace
        .marks
        .iter()
        .map(|mark| event(mark.label, mark.thread, mark.start, mark.duration))
        .collect();
    marks.sort();
    let member = |member: &Member| {
        (member.key.clone(), serde_json::from_slice(&member.value).expect("members are JSON"))
    };
    Trace {
        complete: events,
        paired,
        marks,
        ignored: trace.ignored.values().sum(),
        phases: trace.phases.clone(),
        members: trace.members.iter().map(member).collect(),
    }
}

fn read(text: impl Into<Vec<u8>>, options: &Options) -> EventTrace {
    let source = Source::from_bytes("trace.json", text.into()).unwrap();
    read_events::<Plain>(source, options).unwrap()
}

// ---- Properties ----

const CASES: u32 = 200;

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_reader_gives_what_a_plain_reader_gives(
        specs in vec(specs(), 0..25),
        members in members(json()),
        style in style(),
        options in options(),
    ) {
        let text = write(&style, &specs.concat(), &members);
        let expected = of_serde(&text);
        let trace = read(text.as_str(), &options);
        // Values of figures are anything, numbers or not.
        let other = trace.damage.iter().find(|&(kind, _)| kind != DamageKind::Member);
        prop_assert!(other.is_none(), "{:?}\n{text}", other);
        let found = of_reader(&trace, expected.complete.len());
        prop_assert_eq!(found, expected, "{}", text);
    }

    /// Events before a cut are read. Where nothing inside the cut event looks like
    /// an event, nothing else is read, and one message says so.
    #[test]
    fn whole_events_before_a_cut_are_read(
        mut specs in vec(spec(Just('X'), true), 1..12),
        flat in any::<bool>(),
        style in style(),
        options in options(),
        cut in any::<Index>(),
    ) {
        if flat {
            specs.iter_mut().for_each(|spec| (spec.arguments, spec.extra) = (None, Vec::new()));
        }
        let style = Style { mark: false, ..style };
        let (text, ends) = write_with_ends(&style, &specs, &[]);
        let cut = cut.index(text.trim_end().len());
        if cut <= text.find('[').unwrap() {
            return Ok(());
        }
        let whole = ends.iter().take_while(|&&end| end <= cut).last();
        let begun = text[..whole.map_or(text.find('[').unwrap() + 1, |&end| end)].to_string();
        let expected = of_serde(&(begun + if style.array_form { "]" } else { "]}" })).complete;
        let trace = read(&text.as_bytes()[..cut], &options);
        prop_assert!(trace.damage.iter().any(|(kind, _)| kind.is_loss()), "{}", &text[..cut]);
        let found = of_reader(&trace, usize::MAX).complete;
        prop_assert_eq!(&found[..expected.len()], &expected[..]);
        if flat {
            prop_assert_eq!(found.len(), expected.len());
            let losses = trace.damage.iter().filter(|&(kind, _)| kind != DamageKind::Member);
            let losses: Vec<_> = losses.map(|(kind, loss)| (kind, loss.count)).collect();
            prop_assert_eq!(losses, [(DamageKind::EndsEarly, 1)]);
        }
    }

    /// An event that is not well-formed costs at most itself.
    #[test]
    fn events_around_a_damaged_one_are_read(
        mut specs in vec(spec(Just('X'), true), 1..12),
        place in any::<Index>(),
        damage in select(vec![
            "{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"a \"quoted\" name\"}",
            "{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"C:\\\",,\"args\":{\"f1\":[{},{}]},}",
            "{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"two\nlines\"}",
            "{\"ph\":\"X\" \"dur\":3,\"ts\":1,\"name\":\"\"}",
            "{\"ph\":\"X\",ts:1,\"name\":\"a\"}",
            "{\"ph\":\"X\",\"ts\":1,\"name\":\"a\",\"args\":{\"x\":[}}",
            "{\"ph\":\"X\",\"ts\":1,\"name\":\"a}",
            "{nonsense}",
            "nonsense",
        ]),
        style in style(),
        options in options(),
    ) {
        let (text, ends) = write_with_ends(&style, &specs, &[]);
        let expected = of_serde(&text).complete;
        let place = place.index(ends.len());
        let (front, behind) = text.split_at(ends[place]);
        let text = format!("{front},{}{damage}{behind}", style.between);
        let trace = read(text.as_str(), &options);
        let mut found = of_reader(&trace, usize::MAX).complete;
        let repaired = trace.damage.count(DamageKind::Repaired);
        let unreadable = trace.damage.count(DamageKind::Unreadable)
            + trace.damage.count(DamageKind::EndsEarly);
        prop_assert_eq!(repaired + unreadable, 1, "{:?}\n{}", trace.damage, text);
        prop_assert_eq!(repaired == 1, damage.contains("dur"), "{:?}\n{}", trace.damage, text);
        specs.truncate(place + 1);
        if repaired == 1 {
            let text = write(&style, &specs, &[]);
            found.remove(of_serde(&text).complete.len());
        }
        prop_assert_eq!(found, expected, "{}", text);
    }

    /// How the work is shared changes nothing, whatever the input.
    #[test]
    fn workers_change_nothing(
        specs in vec(specs(), 1..12),
        style in style(),
        slice_bytes in 64..400usize,
        damage in vec((any::<Index>(), prop_oneof![Just(b'"'), Just(b'}'), Just(b'{'), Just(b','), Just(b']'), any::<u8>()]), 1..6),
    ) {
        let mut bytes = write(&style, &specs.concat(), &[]).into_bytes();
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let result = |workers| {
            let source = Source::from_bytes("trace.json", bytes.clone()).unwrap();
            let trace = read_events::<Plain>(source, &Options { slice_bytes, workers, ..Options::default() });
            trace.map_err(|error| error.to_string()).map(|trace| {
                (trace.chunks, trace.labels, trace.threads, trace.marks, trace.damage, trace.members)
            })
        };
        prop_assert_eq!(result(1), result(3));
    }
}
