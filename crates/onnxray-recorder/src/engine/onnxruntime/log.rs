//! What the runtime says by itself. It would write that to the terminal as it is, with the names
//! of a model's nodes and whatever they hold.

use ort::logging::{LogLevel, LoggerFunction};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock};

/// Receives the runtime's messages; until it is set, they are dropped.
static SINK: OnceLock<fn(&str)> = OnceLock::new();
/// Different messages that are handed on: the set that finds repeats must not grow for ever.
const MOST: usize = 100;

/// The least severe level that is handed on: less would cost time to make its text.
pub(super) const LEAST: LogLevel = LogLevel::Error;
/// How a message begins that the error of a run has as well: of the node that failed, and of each
/// that holds it (`ExecuteKernel` logs its status and returns it).
const OF_FAILED_RUNS: &str = "Non-zero status code returned while running ";

/// Hands what the runtime says, each message once, to `sink`, which may print it only when it
/// has made it harmless. Without one, messages are dropped. A second call changes nothing.
pub fn log_to(sink: fn(&str)) {
    let _ = SINK.set(sink);
}

pub(super) fn logger() -> LoggerFunction {
    let said = Mutex::new(HashSet::new());
    Arc::new(move |level, _, _, _, message: &str| {
        let Some(sink) = SINK.get().filter(|_| level >= LEAST) else { return };
        if message.starts_with(OF_FAILED_RUNS) {
            return;
        }
        let mut said = said.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // Sessions of one model say the same.
        if said.len() < MOST && said.insert(message.to_string()) {
            sink(message);
        }
    })
}
