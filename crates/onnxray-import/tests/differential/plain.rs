//! A plain reader on serde_json, which shares nothing with the one it checks.

use super::{Event, Trace};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap};

type Members<'a> = HashMap<String, &'a RawValue>;

pub(crate) fn of_serde(text: &str) -> Trace {
    let text = text.trim_start_matches('\u{feff}');
    let mut trace = Trace::default();
    let events: Vec<&RawValue> = if text.starts_with('[') {
        serde_json::from_str(text).unwrap()
    } else {
        let mut members: Members<'_> = serde_json::from_str(text).unwrap();
        let events = members.remove("traceEvents").unwrap();
        let parsed = |raw: &RawValue| serde_json::from_str(raw.get()).unwrap();
        trace.members = members.into_iter().map(|(key, raw)| (key, parsed(raw))).collect();
        serde_json::from_str(events.get()).unwrap()
    };
    let mut edges: BTreeMap<(String, String), Vec<(bool, Event)>> = BTreeMap::new();
    for raw in events {
        let (phase, event) = plain_event(raw);
        match phase {
            b'X' => match event.category.as_str() {
                "mark" => trace.marks.push(Event { figures: [None; 2], ..event }),
                "ignored" => trace.ignored += 1,
                _ => trace.complete.push(event),
            },
            b'B' | b'E' => {
                let key = (event.process.clone(), event.thread.clone());
                edges.entry(key).or_default().push((phase == b'B', event));
            }
            other => *trace.phases.entry(other).or_default() += 1,
        }
    }
    for mut edges in edges.into_values() {
        edges.sort_by_key(|(_, event)| event.start);
        let mut open = Vec::new();
        for (begins, event) in edges {
            if begins {
                open.push(event);
                continue;
            }
            let of_name = open.iter().rposition(|begin: &Event| begin.name == event.name);
            let begin: Event = open.remove(of_name.unwrap());
            let duration = (event.start - begin.start) as u64;
            let event = Event { duration, figures: [None; 2], ..begin };
            match event.category.as_str() {
                "mark" => trace.marks.push(event),
                "ignored" => trace.ignored += 1,
                _ => trace.paired.push(event),
            }
        }
    }
    trace.paired.sort();
    trace.marks.sort();
    trace
}

fn plain_event(raw: &RawValue) -> (u8, Event) {
    let members: Members<'_> = serde_json::from_str(raw.get()).unwrap();
    let get = |key: &str| members.get(key).copied();
    let text = |key: &str| get(key).map(word).unwrap_or_default();
    let arguments: Members<'_> =
        get("args").and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    let deep: Members<'_> = arguments
        .get("deep")
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    let fact = |key: &str| arguments.get(key).map(|raw| raw.get().to_string());
    let number = |raw: Option<&&RawValue>| {
        let word = word(raw?);
        let rounded = || {
            let number: f64 = word.trim().parse().ok()?;
            (number.abs() < 9e15).then(|| number.round() as i64)
        };
        // Not a number that the reader would take for none.
        word.parse::<i64>().ok().filter(|&number| number != i64::MIN).or_else(rounded)
    };
    let event = Event {
        name: text("name"),
        category: text("cat"),
        facts: [fact("f0"), fact("f1")],
        process: text("pid"),
        thread: text("tid"),
        start: get("ts").map(exact).unwrap_or_default(),
        duration: get("dur").map(exact).unwrap_or_default() as u64,
        figures: [number(arguments.get("n0")), number(deep.get("n1"))],
    };
    (text("ph").bytes().next().unwrap(), event)
}

/// A string, or a number as it is written.
fn word(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_string())
}

/// Microseconds, in any spelling, as nanoseconds.
fn exact(raw: &RawValue) -> i64 {
    let text = word(raw);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().unwrap();
    let scale = exponent.parse::<i32>().unwrap() - fraction.len() as i32 + 3;
    let power = 10i128.pow(scale.unsigned_abs());
    let nanoseconds = match scale >= 0 {
        true => digits * power,
        false => (digits.abs() + power / 2) / power * digits.signum(),
    };
    nanoseconds as i64
}
