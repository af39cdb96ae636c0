//! What the threads of a converted trace are called.

use super::tables::Tables;
use crate::chrome::EventTrace;
use crate::{Events, Thread};
use onnxray_format::Track;
use std::collections::{BTreeMap, BTreeSet};

/// Gives the threads of a converted trace back what its producer called them.
pub(super) fn name(events: &mut Events, trace: &EventTrace, tables: &mut Tables) {
    let threads = events.threads.iter().enumerate();
    let threads: BTreeMap<(String, String), usize> = threads
        .map(|(number, thread)| ((thread.process.clone(), thread.thread.clone()), number))
        .collect();
    let mut named = BTreeSet::new();
    let take = |track: Track| {
        let key = (track.pid.to_string(), track.tid.to_string());
        named.insert(key.clone());
        if let Some(thread) = threads.get(&key).and_then(|&number| events.threads.get_mut(number)) {
            let Track { process, thread: name, process_name, thread_name, .. } = track;
            *thread = Thread { process, thread: name, process_name, thread_name };
        }
    };
    const TABLE: &str = "threads";
    tables.each(trace, TABLE, TABLE, |_| Ok(()), take);
    let Some(table) = trace.member(TABLE) else { return };
    let nameless = threads.keys().filter(|key| !named.contains(key));
    let nameless =
        nameless.map(|(process, thread)| format!("thread {thread} of process {process}"));
    tables.fields(TABLE, Some(table.position), &nameless.collect::<Vec<_>>());
}
