//! Where the events of a converted trace ran, in its producer's words, and the numbers
//! that stand for that: viewers take numbers only.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// A thread of a process, or a stream of a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Track {
    /// Number of the process in the recording; the producer's, if it is one.
    pub pid: i64,
    /// Number of the thread in the recording; the producer's, if it is one.
    pub tid: i64,
    /// The producer's name or number of the process; empty if unknown.
    #[serde(default)]
    pub process: String,
    /// The producer's name or number of the thread; empty if unknown.
    #[serde(default)]
    pub thread: String,
    /// Display name of the process, if the trace has one; otherwise empty.
    #[serde(default)]
    pub process_name: String,
    /// Display name of the thread, if the trace has one; otherwise empty.
    #[serde(default)]
    pub thread_name: String,
}

/// The numbers of a [`Track`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// Number of the process.
    pub process: i64,
    /// Number of the thread.
    pub thread: i64,
}

impl Track {
    /// Gives tracks their numbers: those that the producer gave, and free ones to
    /// what it names otherwise.
    pub fn number(tracks: &mut [Track]) {
        let mut processes = Numbers::new(tracks.iter().map(|track| &track.process));
        let mut threads = Numbers::new(tracks.iter().map(|track| &track.thread));
        for track in tracks {
            track.pid = processes.of(&track.process, "");
            track.tid = threads.of(&track.thread, &track.process);
        }
    }

    /// The two numbers of this track.
    pub fn lane(&self) -> Lane {
        Lane { process: self.pid, thread: self.tid }
    }

    /// The events that name the tracks in viewers; `title` is for processes without a
    /// name.
    pub(crate) fn names(tracks: &[Track], title: &str) -> Vec<Value> {
        let named = |kind: &str, pid: i64, tid: i64, name: &str| json!({"name": kind, "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}});
        let mut names = Vec::new();
        let mut processes = HashSet::new();
        for track in tracks {
            if processes.insert(track.pid) {
                let name = [&track.process_name, words(&track.process), title];
                let name = name.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
                names.push(named("process_name", track.pid, track.tid, name));
            }
            let name = [&track.thread_name, words(&track.thread)];
            if let Some(name) = name.into_iter().find(|name| !name.is_empty()) {
                names.push(named("thread_name", track.pid, track.tid, name));
            }
        }
        names
    }
}

/// A number, if it is written as numbers are.
fn number(text: &str) -> Option<i64> {
    // `007` and `+7` are names: as numbers they would be one with `7`.
    text.parse().ok().filter(|number: &i64| number.to_string() == text)
}

/// The text, or nothing if it is a number.
fn words(text: &str) -> &str {
    if number(text).is_some() { "" } else { text }
}

/// Gives a number to each name that is not one.
struct Numbers {
    used: HashSet<i64>,
    given: HashMap<(String, String), i64>,
    next: i64,
}

impl Numbers {
    fn new<'a>(names: impl Iterator<Item = &'a String>) -> Numbers {
        let used = names.filter_map(|name| number(name)).collect();
        Numbers { used, given: HashMap::new(), next: 1 }
    }

    fn of(&mut self, name: &str, inside: &str) -> i64 {
        if let Some(number) = number(name) {
            return number;
        }
        let key = (inside.to_string(), name.to_string());
        if let Some(&given) = self.given.get(&key) {
            return given;
        }
        // A name must not get the number of another track that the producer numbered itself.
        while self.used.contains(&self.next) {
            self.next += 1;
        }
        self.next += 1;
        self.given.insert(key, self.next - 1);
        self.next - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_and_names_get_free_ones() {
        let names = [("7", "1"), ("7", "stream 3"), ("Spans", "stream 3"), ("", ""), ("07", "2")];
        let mut tracks = names.map(|(process, thread)| Track {
            process: process.to_string(),
            thread: thread.to_string(),
            ..Track::default()
        });
        Track::number(&mut tracks);
        let lanes = tracks.each_ref().map(|track| (track.pid, track.tid));
        assert_eq!(lanes, [(7, 1), (7, 3), (1, 4), (2, 5), (3, 2)]);
        let names = Track::names(&tracks, "title");
        let text = |event: &Value| {
            format!("{} {} {}", event["name"], event["pid"], event["args"]["name"]).replace('"', "")
        };
        assert_eq!(
            names.iter().map(text).collect::<Vec<_>>(),
            [
                "process_name 7 title",
                "thread_name 7 stream 3",
                "process_name 1 Spans",
                "thread_name 1 stream 3",
                "process_name 2 title",
                "process_name 3 07"
            ]
        );
    }
}
