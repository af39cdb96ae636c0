//! Says which events of a trace are not executions of operators.

use super::trace::EventTrace;
use onnxray_format::Warning;
use std::collections::BTreeMap;

impl EventTrace {
    /// One note on all events that are not executions of operators, and with which nothing is wrong:
    /// `ignored 60 metadata events, 45 flows, 12 annotations`. Not of those that are `expected`, and
    /// need no word.
    pub fn left_out(&self, expected: &[&str]) -> Option<Warning> {
        let mut counts: BTreeMap<&str, u64> = self.ignored.clone();
        counts.retain(|kind, _| !expected.contains(kind));
        for (&phase, count) in &self.phases {
            *counts.entry(kind(phase)).or_default() += count;
        }
        let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let counts: Vec<String> =
            counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        (!counts.is_empty()).then(|| Warning {
            file: self.file.clone(),
            position: None,
            message: format!("ignored {}", counts.join(", ")),
            loss: false,
        })
    }
}

fn kind(phase: u8) -> &'static str {
    match phase {
        b'M' => "metadata events",
        b's' | b't' | b'f' => "flows",
        b'i' | b'I' | b'R' => "instants",
        b'C' => "counters",
        b'b' | b'n' | b'e' | b'S' | b'T' | b'p' | b'F' => "asynchronous events",
        b'N' | b'O' | b'D' => "objects",
        b'P' => "samples",
        _ => "events of other phases",
    }
}
