//! Iterations of models that take as long as a test says.

use super::*;
use crate::clock::{Clock, SetClock};
use crate::engine::{Capabilities, LoadedModel};
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::BoundDimensions;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// An engine whose clock goes on where a model runs.
#[derive(Default)]
struct Told {
    clock: SetClock,
    /// Models in the order in which they ran.
    ran: RefCell<Vec<&'static str>>,
}

impl Engine for Told {
    fn name(&self) -> &'static str {
        "told"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn options(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    fn clock(&self) -> &dyn Clock {
        &self.clock
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn load(
        &self,
        _file: &Rc<OnnxFile>,
        _bound: &BoundDimensions,
        _threads: u32,
    ) -> Result<Box<dyn LoadedModel>, RecordError> {
        Err(RecordError::Run { reason: "it loads nothing".to_string() })
    }
}

/// A model that takes this long.
struct Part {
    engine: Rc<Told>,
    name: &'static str,
    time: Rc<RefCell<u64>>,
    stops: Option<Rc<AtomicBool>>,
}

impl Runner for Part {
    fn clear(&mut self) {}

    fn prepare(&mut self, _inputs: &[Tensor]) -> Result<(), String> {
        Ok(())
    }

    fn run(&mut self) -> Result<(), RunFailure> {
        let clock = &self.engine.clock.0;
        clock.set(clock.get() + *self.time.borrow());
        self.engine.ran.borrow_mut().push(self.name);
        if let Some(stops) = &self.stops {
            stops.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn take_spans(&mut self, _spans: &mut Vec<Span>) -> bool {
        false
    }

    fn release_spans(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn outputs(&mut self) -> Result<Vec<Tensor>, String> {
        Ok(Vec::new())
    }
}

const BEFORE: [&str; 3] = ["before 0", "before 1", "before 2"];
const BEHIND: [&str; 3] = ["behind 0", "behind 1", "behind 2"];
const BETWEEN: [&str; 2] = ["between 0 and 1", "between 1 and 2"];

/// A model of such blocks, and the times of its parts by their names.
struct Cut {
    engine: Rc<Told>,
    times: BTreeMap<&'static str, Rc<RefCell<u64>>>,
    cuts: usize,
}

impl Cut {
    fn into(blocks: &[u64]) -> Cut {
        let cuts = blocks.len() - 1;
        let mut times = BTreeMap::from([("whole", blocks.iter().sum())]);
        for cut in 0..cuts {
            times.insert(BEFORE[cut], blocks[..=cut].iter().sum());
            times.insert(BEHIND[cut], blocks[cut + 1..].iter().sum());
        }
        times.extend(BETWEEN.into_iter().zip(blocks[1..cuts].iter().copied()));
        let times = times.into_iter().map(|(name, time)| (name, Rc::new(RefCell::new(time))));
        Cut { engine: Rc::default(), times: times.collect(), cuts }
    }

    fn part(&self, name: &'static str, stops: Option<Rc<AtomicBool>>) -> Box<dyn Runner> {
        let (engine, time) = (Rc::clone(&self.engine), Rc::clone(&self.times[name]));
        Box::new(Part { engine, name, time, stops })
    }

    /// Its blocks are timed in a row as well; what is between two cuts sets this when it runs.
    fn in_a_row(&self, stops: Option<Rc<AtomicBool>>) -> BlockRunner {
        let ready = |name| Ready { runner: self.part(name, stops.clone()), inputs: Rc::from([]) };
        self.runner(BETWEEN[..self.cuts - 1].iter().copied().map(ready).collect())
    }

    fn runner(&self, between: Vec<Ready>) -> BlockRunner {
        let sides = |cut: usize| Sides {
            before: self.part(BEFORE[cut], None),
            behind: Some(Ready { runner: self.part(BEHIND[cut], None), inputs: Rc::from([]) }),
        };
        let sides = RefCell::new((0..self.cuts).map(|cut| Some(sides(cut))).collect::<Vec<_>>());
        let sides_of = move |cut: usize| Ok(sides.borrow_mut()[cut].take().unwrap());
        let models = (self.part("whole", None), between, Box::new(sides_of) as SidesOf);
        let weights = (OtherWeights::new(0, 1), vec![0; self.cuts]);
        let engine = (Rc::clone(&self.engine) as Rc<dyn Engine>, 1, false);
        BlockRunner::new(engine, models, std::iter::once(0..self.cuts).collect(), weights, 0.0)
            .unwrap()
    }
}

/// Times of blocks in an iteration that is not stopped.
fn blocks(runner: &mut BlockRunner) -> Vec<u64> {
    assert!(runner.run_until(&AtomicBool::new(false)).unwrap());
    let mut spans = Vec::new();
    assert!(runner.take_spans(&mut spans));
    spans.iter().map(|span| span.duration.0).collect()
}

#[test]
fn parts_run_in_turns_and_all_blocks_of_more_than_one_cut_in_a_row() {
    let rows: [(&[u64], &[&[&str]]); 3] = [
        (&[300, 700], &[&["before 0", "behind 0"], &["whole"]]),
        (
            &[300, 400, 300],
            &[
                &["before 0", "behind 0"],
                &["before 1", "behind 1"],
                &["before 0", "between 0 and 1", "behind 1"],
                &["whole"],
            ],
        ),
        (
            &[100, 200, 300, 400],
            &[
                &["before 0", "behind 0"],
                &["before 1", "behind 1"],
                &["before 2", "behind 2"],
                &["before 0", "between 0 and 1", "between 1 and 2", "behind 2"],
                &["whole"],
            ],
        ),
    ];
    for (expected, turns) in rows {
        let cut = Cut::into(expected);
        let mut runner = cut.in_a_row(None);
        assert_eq!(blocks(&mut runner), expected);
        // Of a row, as many runs are timed as there are cuts.
        let runs = |turn: &[&str]| {
            WARM + TIMED.max(if turn.len() > 2 { turn.len() as u64 - 1 } else { 0 })
        };
        let repeated = |turn: &&[&'static str]| turn.repeat(runs(turn) as usize);
        let forth: Vec<&str> = turns.iter().flat_map(repeated).collect();
        assert_eq!(cut.engine.ran.take(), forth);
        assert_eq!(blocks(&mut runner), expected);
        let back: Vec<&str> = turns.iter().rev().flat_map(repeated).collect();
        let ran = cut.engine.ran.take();
        assert_eq!(ran.len(), ROUNDS as usize * back.len());
        assert_eq!(ran[..back.len()], back);
    }
}

#[test]
fn the_row_says_where_a_cut_is_of_which_sides_are_uncertain() {
    let cut = Cut::into(&[3_000, 4_000, 3_000]);
    let [by_both, by_sides] = [true, false].map(|is_in_a_row| {
        let mut runner = if is_in_a_row { cut.in_a_row(None) } else { cut.runner(Vec::new()) };
        *cut.times["behind 0"].borrow_mut() = 7_000;
        assert_eq!(blocks(&mut runner), [3_000, 4_000, 3_000]);
        // A burst in all runs of what is behind a cut.
        *cut.times["behind 0"].borrow_mut() = 9_000;
        blocks(&mut runner)
    });
    assert_eq!(by_both, [3_000, 4_000, 3_000]);
    assert!(by_sides[0] < 2_900 && by_sides.iter().sum::<u64>() == 10_000, "{by_sides:?}");
}

#[test]
fn what_is_stopped_in_the_row_leaves_no_time() {
    let cut = Cut::into(&[300, 400, 300]);
    let stop = Rc::new(AtomicBool::new(false));
    let mut runner = cut.in_a_row(Some(Rc::clone(&stop)));
    assert!(!runner.run_until(&stop).unwrap());
    assert_eq!(cut.engine.ran.take().last(), Some(&"behind 1"), "the turn of the row ends");
    assert!(!runner.take_spans(&mut Vec::new()));
    assert_eq!(blocks(&mut runner), [300, 400, 300]);
}
