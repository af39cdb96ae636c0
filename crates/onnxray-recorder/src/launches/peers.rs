//! How launches that run side by side begin together, and end together: what each of them
//! and the process that started it say to each other.
//!
//! ```text
//! launch ──ready──▶  ◀──go──  ──0.25──▶ ──0.5──▶ … ──done──▶  ◀──go──
//! ```
//!
//! A launch speaks on its standard output, a line each, with a mark in front: an engine may
//! write there as well, and leave a line unfinished. `go` is a byte on its standard input.

use crate::clock::Clock;
use crate::record::{LaunchHooks, Progress};
use onnxray_format::Nanoseconds;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// A line that a launch writes for its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Word {
    /// The model is loaded; the launch waits for `go`.
    Ready,
    /// The share of its schedule that is done, from 0 to 1.
    Share(f64),
    /// It has measured, and goes on running unrecorded until `go`.
    Done,
}

impl Word {
    /// `None` for other lines, such as an engine's.
    pub(super) fn of_line(line: &str) -> Option<Word> {
        match line.strip_prefix(MARK)? {
            "ready" => Some(Word::Ready),
            "done" => Some(Word::Done),
            share => {
                // Whatever an engine writes after the mark, progress stays between 0 and 1.
                share.parse().ok().filter(|share| (0.0..=1.0).contains(share)).map(Word::Share)
            }
        }
    }
}

/// Begins each line of ours, and none of an engine's.
const MARK: &str = "onnxray launch: ";
/// Time between two lines about how far a launch is.
const PAUSE: Duration = Duration::from_millis(100);
/// Longest time until a request to stop is seen.
const SOON: Duration = Duration::from_millis(20);

/// The other launches, as one of them sees them.
pub struct Peers<'a, W> {
    /// Set when the launch was asked to stop.
    stop: &'a AtomicBool,
    clock: &'a dyn Clock,
    go: Receiver<()>,
    out: W,
    /// When it said last how far it is.
    said: Option<Nanoseconds>,
    is_done: bool,
}

impl<'a, W: Write> Peers<'a, W> {
    /// For a launch that speaks on `out`. `go` has an element for each byte of input. When it ends,
    /// because the parent did, nobody waits any longer.
    pub fn new(
        stop: &'a AtomicBool,
        clock: &'a dyn Clock,
        go: Receiver<()>,
        out: W,
    ) -> Peers<'a, W> {
        Peers { stop, clock, go, out, said: None, is_done: false }
    }

    fn say(&mut self, line: std::fmt::Arguments) {
        // Nobody listens if this fails, and then the input ends as well.
        let _ = writeln!(self.out, "\n{MARK}{line}").and_then(|()| self.out.flush());
    }
}

impl<W: Write> LaunchHooks for Peers<'_, W> {
    fn progress(&mut self, progress: Progress) {
        if !progress.warming_up && self.said.is_none_or(|said| self.clock.since(said) >= PAUSE) {
            self.said = Some(self.clock.now());
            self.say(format_args!("{}", progress.share));
        }
    }

    fn wait_for_start(&mut self) {
        self.say(format_args!("ready"));
        while self.go.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout)
            && !self.stop.load(Ordering::Relaxed)
        {}
    }

    fn peers_running(&mut self) -> bool {
        if !self.is_done {
            self.is_done = true;
            self.say(format_args!("done"));
        }
        // A byte or the end of the input: in both cases there is nobody to keep the load up for.
        self.go.try_recv() == Err(TryRecvError::Empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SetClock;
    use std::sync::mpsc::channel;

    #[test]
    fn what_a_launch_says_is_understood() {
        let stop = AtomicBool::new(false);
        let (go, told) = channel();
        let mut out = Vec::new();
        let clock = SetClock::default();
        let mut peers = Peers::new(&stop, &clock, told, &mut out);
        let progress = |warming_up, share| Progress { warming_up, measured: 0, share };
        go.send(()).unwrap();
        peers.wait_for_start();
        peers.progress(progress(true, 0.5));
        peers.progress(progress(false, 0.25));
        clock.0.set(99_999_999);
        peers.progress(progress(false, 0.26)); // too soon
        clock.0.set(100_000_000);
        peers.progress(progress(false, 0.5));
        assert!(peers.peers_running() && peers.peers_running());
        go.send(()).unwrap();
        assert!(!peers.peers_running());
        let said = String::from_utf8(out).unwrap();
        let words: Vec<Word> = said.lines().filter_map(Word::of_line).collect();
        assert_eq!(words, [Word::Ready, Word::Share(0.25), Word::Share(0.5), Word::Done], "{said}");
        assert_eq!(Word::of_line("ready"), None, "an engine's");
        for other in ["", "loading", "NaN", "2", "-0.1"] {
            assert_eq!(Word::of_line(&format!("{MARK}{other}")), None, "{other:?}");
        }
    }

    #[test]
    fn nobody_waits_for_a_process_that_is_gone() {
        let stop = AtomicBool::new(false);
        let (go, told) = channel();
        drop(go);
        let clock = SetClock::default();
        let mut peers = Peers::new(&stop, &clock, told, Vec::new());
        peers.wait_for_start();
        assert!(!peers.peers_running());
        let (_go, told) = channel();
        stop.store(true, Ordering::Relaxed);
        Peers::new(&stop, &clock, told, Vec::new()).wait_for_start();
    }
}
