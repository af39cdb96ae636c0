//! Searches that are killed and run again: what their journals have, and what was run for it.

use crate::program::{Place, json};
use crate::script::Script;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A point that is never reached; those before it are counted.
const NEVER: u64 = u64::MAX;

/// A point that a script has.
type Point<'a> = (&'a str, &'a str, u64, &'a str);

/// Before a model is loaded, or runs, for the so manieth time: `("load", "a.onnx", 3)`.
pub(crate) type Moment<'a> = (&'a str, &'a str, u64);

/// What is searched, by a process per launch.
pub(crate) struct Search {
    pub journal: &'static str,
    /// The file whose name the sessions have that are counted.
    pub model: &'static str,
    /// Sessions that are loaded before anything is measured.
    pub survey: u64,
}

impl Search {
    /// The whole lines of the journal, behind the first.
    pub(crate) fn kept(&self, place: &Place) -> Vec<String> {
        let text = fs::read_to_string(place.path(self.journal)).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().skip(1).map(str::to_string).collect()
    }

    /// Sessions that the processes of the last script loaded.
    pub(crate) fn loaded(&self, place: &Place) -> u64 {
        let count = fs::read(place.path("script").join(format!("load-{}", self.model))).unwrap();
        u64::from_le_bytes(count.try_into().unwrap())
    }

    /// Sessions that are loaded up to the end of these launches.
    pub(crate) fn searched(&self, launches: &[Value]) -> u64 {
        self.survey + sessions(launches)
    }

    /// Kills a search over and over; what it knows then.
    pub(crate) fn killed_at(
        &self,
        place: &Place,
        moments: &[(&str, u64)],
        kill: impl Fn(&str, u64),
    ) -> Vec<String> {
        let mut known = Vec::new();
        for &(at, number) in moments {
            kill(at, number);
            let now = self.kept(place);
            assert!(now.starts_with(&known), "{at} {number}: what was known is not any more");
            launches(&now);
            known = now;
        }
        assert!(!known.is_empty(), "no launch was whole before it was killed");
        known
    }

    /// What knew this much, and was run to its end, measured nothing of it again.
    pub(crate) fn went_on(&self, place: &Place, known: &[String]) {
        let now = self.kept(place);
        assert!(now.starts_with(known), "what was known is not any more");
        assert!(now.len() > known.len(), "the last one was killed when all was measured");
        let measured = sessions(&launches(&now)) - sessions(&launches(known));
        assert_eq!(self.loaded(place), self.survey + measured, "a launch was measured twice");
    }

    /// Counts sessions, and stops nowhere.
    pub(crate) fn counting(&self) -> [Point<'_>; 1] {
        [("load", self.model, NEVER, "wait")]
    }

    /// Counts sessions, and stops at a point of a model.
    pub(crate) fn stopping<'a>(&'a self, (at, model, number): Moment<'a>) -> Vec<Point<'a>> {
        let stop = (at, model, number, "wait");
        match (at, model == self.model) {
            ("load", true) => vec![stop],
            _ => [&self.counting()[..], &[stop]].concat(),
        }
    }
}

/// Runs the program until a process is at the point at which the script stops, and kills all of
/// them.
pub(crate) fn killed(script: &Script, arguments: &[&str], (at, model, number): Moment) {
    let mut program = script.start(arguments);
    let _waiting = script.reached(&mut program, &format!("{at} {model} {number}"));
    program.signal_all("-KILL");
    program.ended(); // no launch is left, either
}

/// The launches of these lines, each of which is there once.
pub(crate) fn launches(lines: &[String]) -> Vec<Value> {
    let all = lines.iter().map(|line| json(line));
    let launches: Vec<Value> = all.filter(|line| line["variants"].is_array()).collect();
    let key = |launch: &Value| format!("{} {}", launch["stage"], launch["number"]);
    let distinct: BTreeSet<String> = launches.iter().map(key).collect();
    assert_eq!(distinct.len(), launches.len(), "a launch was measured twice: {distinct:?}");
    launches
}

/// Sessions that measuring them loads: the model, then the base and each variant.
pub(crate) fn sessions(launches: &[Value]) -> u64 {
    let of = |launch: &Value| 2 + launch["variants"].as_array().unwrap().len() as u64;
    launches.iter().map(of).sum()
}

/// Cuts the journal in its last line, at each of a few places, and lets `check` see to it that it
/// is taken up: it is told what was kept, and how many bytes of the line are left.
pub(crate) fn cut_anywhere(search: &Search, place: &Place, check: impl Fn(&[String], usize)) {
    let bytes = fs::read(place.path(search.journal)).unwrap();
    let lines = search.kept(place);
    let last = lines.last().unwrap().len() + 1;
    for left in [0, 1, 2, last / 2, last - 2, last - 1] {
        fs::write(place.path(search.journal), &bytes[..bytes.len() - last + left]).unwrap();
        check(&lines[..lines.len() - 1], left);
        assert!(search.kept(place).starts_with(&lines[..lines.len() - 1]), "{left} bytes left");
    }
}
