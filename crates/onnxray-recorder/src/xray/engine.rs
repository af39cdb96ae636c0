//! An engine that times blocks in place of operators.

use super::other_weights::OtherWeights;
use super::parts::{Parts, Source, room};
use super::runner::{BlockRunner, SidesOf};
use super::timing::{Timing, has_no_provider};
use crate::clock::Clock;
use crate::engine::{
    Capabilities, Engine, EngineSpec, Engines, Instrumentation, LoadedModel, Runner, infer,
};
use crate::error::RecordError;
use crate::memory;
use crate::model::cut::{Blocks, CutEffect, Halves, places};
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::{BoundDimensions, GivenDimensions};
use crate::model::tensor_table::TensorTable;
use crate::tensor::Tensor;
use onnxray_format::{
    CUT_ADDS, CUT_ADDS_AT_LEAST, CUT_CHANGES, IN_A_ROW, IN_HUGE_PAGES, Operator, Placement, Roofs,
    TAKEN_OFF, VectorRegisters, WITHOUT_WAITS,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// Why there is no cut that an engine does not survive.
const ENDED: &str = "an engine ended its process on what is before it";

/// Engines that time blocks.
pub(crate) struct InBlocks<'a> {
    pub(crate) engines: &'a dyn Engines,
    pub(crate) blocks: &'a Blocks,
}

impl Engines for InBlocks<'_> {
    fn start(&self, spec: &EngineSpec, threads: u32) -> Result<Rc<dyn Engine>, RecordError> {
        let engine = self.engines.start(spec, threads)?;
        Ok(Rc::new(BlockEngine { engine, blocks: self.blocks.clone(), room: room() }))
    }

    fn tensors(
        &self,
        spec: &EngineSpec,
        file: &OnnxFile,
        bound: &BoundDimensions,
    ) -> Option<TensorTable> {
        self.engines.tensors(spec, file, bound)
    }

    fn clock(&self) -> &dyn Clock {
        self.engines.clock()
    }
}

struct BlockEngine {
    engine: Rc<dyn Engine>,
    blocks: Blocks,
    /// Bytes of files that may be loaded at once beside the whole.
    room: u64,
}

impl Engine for BlockEngine {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn version(&self) -> &str {
        self.engine.version()
    }

    fn options(&self) -> BTreeMap<String, String> {
        self.engine.options()
    }

    fn clock(&self) -> &dyn Clock {
        self.engine.clock()
    }

    fn capabilities(&self) -> Capabilities {
        // Shapes of a generation would ask for cuts of each step.
        Capabilities {
            is_late: false,
            describes_by_running: false,
            runs_any_shape: false,
            times_blocks: true,
            ..self.engine.capabilities()
        }
    }

    fn roofs(&self, threads: u32, limit: Option<f64>) -> Roofs {
        self.engine.roofs(threads, limit)
    }

    fn load(
        &self,
        file: &Rc<OnnxFile>,
        bound: &BoundDimensions,
        threads: u32,
    ) -> Result<Box<dyn LoadedModel>, RecordError> {
        let whole = self.engine.load(file, bound, threads)?;
        // Shapes that nobody can infer are unknown, and cuts are where bytes do not tell.
        let tensors = infer(file, bound).unwrap_or_default();
        let cuts = places(&file.graph, &tensors, &self.blocks);
        let source = Source {
            engine: Rc::clone(&self.engine),
            file: Rc::clone(file),
            bound: bound.clone(),
            threads,
            halves: Halves::of(file, bound, infer),
            // A provider may end the process on what is behind a cut.
            is_one_sided: self.blocks.as_with_provider || !has_no_provider(&*self.engine),
        };
        let parts = Rc::new(RefCell::new(Parts::load(source, cuts, self.room)));
        let (engine, blocks) = (Rc::clone(&self.engine), self.blocks.clone());
        Ok(Box::new(BlockModel { engine, tensors, whole, parts, blocks }))
    }

    fn bare(
        &self,
        path: &Path,
        given: &GivenDimensions,
        registers: VectorRegisters,
        threads: u32,
    ) -> Result<Box<dyn Runner>, RecordError> {
        self.engine.bare(path, given, registers, threads)
    }
}

/// A model and the parts of it that are before its cuts.
struct BlockModel {
    engine: Rc<dyn Engine>,
    /// Of the model's tensors, what can be inferred.
    tensors: TensorTable,
    whole: Box<dyn LoadedModel>,
    /// Fewer once they have been run.
    parts: Rc<RefCell<Parts>>,
    blocks: Blocks,
}

impl LoadedModel for BlockModel {
    fn tensors(&self) -> &TensorTable {
        self.whole.tensors()
    }

    fn operators(&self, inputs: &[Tensor]) -> Result<Vec<Operator>, RecordError> {
        // What is wrong with the options is found where the whole is described, and which provider runs
        // what. One that cannot be described can run all the same.
        let operators = match self.whole.operators(inputs) {
            Err(error @ RecordError::NoOptimizer { .. }) => return Err(error),
            described => described.unwrap_or_default(),
        };
        let mut parts = self.parts.borrow_mut();
        parts.try_out(inputs, &operators);
        let mut rows = parts.rows(&self.tensors);
        let placement = self.whole.placement().unwrap_or_default();
        let providers = placement.by_node();
        let timing = Timing::of(&*self.engine, parts.threads(), self.blocks.as_with_provider);
        let share = CutEffect::usual_share(&self.blocks.effects);
        let taken_off = share.filter(|_| parts.is_one_sided());
        let yes = || "yes".to_string();
        let conditions = [
            timing.takes_out_waits().then(|| (WITHOUT_WAITS, yes())),
            parts.has_row().then(|| (IN_A_ROW, yes())),
            taken_off.map(|share| (TAKEN_OFF, format!("{:.1} % of the latency", share * 50.0))),
            memory::has_huge_pages().then(|| (IN_HUGE_PAGES, yes())),
        ];
        let usual = CutEffect::usual(&self.blocks.effects);
        for row in &mut rows {
            for (condition, value) in conditions.iter().flatten() {
                row.attributes.insert(condition.to_string(), value.clone());
            }
            row.provider = Placement::of(&providers, &row.nodes).map(str::to_string);
            let inner = row.nodes.split_last().map_or(&[][..], |(_, inner)| inner);
            let ended = self.blocks.ended.iter().filter(|node| inner.contains(node));
            let ended = ended.map(|node| (format!("no cut behind {node}"), ENDED.to_string()));
            row.attributes.extend(ended.collect::<Vec<_>>());
            let is_before = |effect: &&CutEffect| row.nodes.last() == Some(&effect.last);
            let effect = self.blocks.effects.iter().find(is_before);
            if let Some(effect) = effect {
                row.attributes.insert(CUT_ADDS.to_string(), effect.to_string());
                let lost = effect.lost().map(|lost| ("cut behind it unfuses".to_string(), lost));
                row.attributes.extend(lost);
                if let Some(least) = effect.at_least(usual) {
                    row.attributes.insert(CUT_ADDS_AT_LEAST.to_string(), least.to_string());
                }
                if effect.is_large() {
                    row.attributes.insert(CUT_CHANGES.to_string(), effect.median.to_string());
                }
            }
        }
        Ok(rows)
    }

    fn placement(&self) -> Option<Placement> {
        self.whole.placement()
    }

    fn runner(
        &self,
        registers: VectorRegisters,
        instrumentation: Instrumentation,
    ) -> Result<Box<dyn Runner>, RecordError> {
        let whole = self.whole.runner(registers, Instrumentation::None)?;
        match instrumentation {
            Instrumentation::None => Ok(whole),
            Instrumentation::Spans => {
                let parts = Rc::clone(&self.parts);
                let groups = self.parts.borrow().groups();
                let ready = move |cut| parts.borrow().sides(cut, registers);
                let engine = Rc::clone(&self.engine);
                let others = self.parts.borrow().others(&self.tensors);
                let most = others.iter().copied().max().unwrap_or(0);
                let weights = OtherWeights::new(most, self.parts.borrow().threads());
                let others = (weights, others);
                let keeps_waits = self.blocks.as_with_provider;
                let engine = (engine, self.parts.borrow().threads(), keeps_waits);
                let between = self.parts.borrow().between(registers)?;
                let usual = CutEffect::usual_share(&self.blocks.effects).unwrap_or(0.0);
                let models = (whole, between, Box::new(ready) as SidesOf);
                Ok(Box::new(BlockRunner::new(engine, models, groups, others, usual)?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::InstalledEngines;
    use crate::model::sizes::dimensions;
    use ndarray::{ArrayD, IxDyn};
    use onnxray_format::{BY_BOTH_SIDES, CONDITIONS};
    use std::cell::Cell;
    use std::path::PathBuf;
    use std::sync::atomic::AtomicBool;

    /// What is said of a block's cuts.
    fn said(block: &Operator) -> impl Iterator<Item = &String> {
        let is_condition = |name: &str| CONDITIONS.contains(&name);
        let said = block.attributes.iter().filter(move |(name, _)| !is_condition(name));
        said.map(|(_, text)| text)
    }

    /// tract, which refuses one of the models that it is to load.
    struct Refusing {
        engine: Rc<dyn Engine>,
        loads: Cell<u32>,
        refused: u32,
    }

    impl Engine for Refusing {
        fn name(&self) -> &'static str {
            self.engine.name()
        }

        fn version(&self) -> &str {
            self.engine.version()
        }

        fn options(&self) -> BTreeMap<String, String> {
            self.engine.options()
        }

        fn capabilities(&self) -> Capabilities {
            self.engine.capabilities()
        }

        fn load(
            &self,
            file: &Rc<OnnxFile>,
            bound: &BoundDimensions,
            threads: u32,
        ) -> Result<Box<dyn LoadedModel>, RecordError> {
            self.loads.set(self.loads.get() + 1);
            match self.loads.get() == self.refused {
                true => Err(RecordError::Run { reason: "not this one".to_string() }),
                false => self.engine.load(file, bound, threads),
            }
        }
    }

    fn cnn() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models/cnn.onnx")
    }

    fn engine(refused: u32) -> Rc<Refusing> {
        let tract = InstalledEngines.start(&EngineSpec::default(), 1).unwrap();
        Rc::new(Refusing { engine: tract, loads: Cell::default(), refused })
    }

    fn loaded(engine: Rc<Refusing>, room: u64) -> Box<dyn LoadedModel> {
        let blocks = Blocks { most: 6, ..Blocks::default() };
        let file = Rc::new(OnnxFile::read(&cnn()).unwrap());
        let bound = dimensions::bind(&file.graph, &GivenDimensions::default()).unwrap();
        BlockEngine { engine, blocks, room }.load(&file, &bound, 1).unwrap()
    }

    fn image(side: usize) -> Tensor {
        Tensor::F32(ArrayD::zeros(IxDyn(&[1, 3, side, side])))
    }

    fn rows(refused: u32, side: usize) -> Vec<Operator> {
        loaded(engine(refused), u64::MAX).operators(&[image(side)]).unwrap()
    }

    #[test]
    fn blocks_on_both_sides_of_a_refused_cut_are_one_that_says_so() {
        let (all, fewer) = (rows(0, 96), rows(3, 96));
        assert_eq!(fewer.len(), all.len() - 1);
        // The whole is loaded first, then what is before each cut.
        let joined = [&all[1].nodes[..], &all[2].nodes].concat();
        assert_eq!(fewer[1].nodes, joined);
        let reason = said(&fewer[1]).next().unwrap();
        assert!(reason.contains("not this one"), "{reason}");
        assert!(fewer.iter().enumerate().all(|(at, row)| at == 1 || said(row).next().is_none()));
    }

    #[test]
    fn a_block_says_which_cut_within_it_ended_the_engine() {
        let all = rows(0, 96);
        let cuts: Vec<String> = all.iter().filter_map(|row| row.nodes.last().cloned()).collect();
        let (first, rest) = cuts[..cuts.len() - 1].split_first().unwrap();
        let (cuts, ended) = (Some(rest.to_vec()), vec![first.clone(), rest[0].clone()]);
        let blocks = Blocks { most: 6, cuts, ended, ..Blocks::default() };
        let file = Rc::new(OnnxFile::read(&cnn()).unwrap());
        let bound = dimensions::bind(&file.graph, &GivenDimensions::default()).unwrap();
        let own = BlockEngine { engine: engine(0), blocks, room: u64::MAX };
        let rows = own.load(&file, &bound, 1).unwrap().operators(&[image(96)]).unwrap();
        assert_eq!(rows.len(), all.len() - 1);
        let reasons: Vec<&str> = said(&rows[0]).map(String::as_str).collect();
        assert_eq!(reasons, [ENDED], "a cut that is there did not end it");
        assert!(rows[0].attributes.contains_key(&format!("no cut behind {first}")));
        assert!(rows[1..].iter().all(|row| said(row).next().is_none()));
    }

    #[test]
    fn what_loads_and_does_not_run_is_refused_as_well() {
        // An image that the model does not take.
        let rows = rows(0, 7);
        assert_eq!(rows.len(), 1);
        let cuts = rows[0].attributes.keys().filter(|name| name.starts_with("no cut at "));
        assert!(cuts.count() >= 3, "{:?}", rows[0].attributes);
    }

    #[test]
    fn what_is_behind_a_cut_is_timed_as_well_unless_the_engine_refuses_it() {
        let all = rows(0, 96);
        let cuts = all.len() as u32 - 1;
        // The whole, what is before each cut, and what is behind each.
        for (refused, blocks) in [(0, all.len()), (1 + cuts + 1, all.len())] {
            let engine = engine(refused);
            let loaded = loaded(Rc::clone(&engine), u64::MAX);
            let rows = loaded.operators(&[image(96)]).unwrap();
            // Where all have both sides, also what is between each cut and the next one.
            let between = if refused == 0 { cuts - 1 } else { 0 };
            assert_eq!((rows.len(), engine.loads.get()), (blocks, 1 + 2 * cuts + between));
            let is_by_both = |row: &Operator| row.attributes.contains_key(BY_BOTH_SIDES);
            let by_both: Vec<bool> = rows.iter().map(is_by_both).collect();
            // The last block ends the model.
            let expected = (0..=cuts).map(|cut| cut < cuts && (refused == 0 || cut > 0));
            assert_eq!(by_both, expected.collect::<Vec<_>>());
            let mut runner = loaded.runner(VectorRegisters::AsIs, Instrumentation::Spans).unwrap();
            runner.prepare(&[image(96)]).unwrap();
            runner.run().unwrap();
            let mut spans = Vec::new();
            assert!(runner.take_spans(&mut spans));
            assert_eq!(spans.len(), blocks);
        }
    }

    #[test]
    fn blocks_are_timed_in_a_row_unless_the_engine_refuses_one_which_says_so() {
        let all = rows(0, 96);
        let has = |row: &Operator, name: &str| row.attributes.contains_key(name);
        assert!(all.iter().all(|row| has(row, IN_A_ROW) && !has(row, TAKEN_OFF)));
        // The whole, what is before each cut, behind the first one, and between it and the second.
        let cuts = all.len() as u32 - 1;
        let refused = rows(1 + cuts + 2, 96);
        assert_eq!(refused.len(), all.len(), "sides of all cuts are timed");
        assert!(refused.iter().all(|row| !has(row, IN_A_ROW)));
        let reasons: Vec<Vec<&String>> = refused.iter().map(|row| said(row).collect()).collect();
        let (own, others): (Vec<_>, Vec<_>) =
            reasons.iter().enumerate().partition(|(block, _)| *block == 1);
        let text = own[0].1[0];
        assert!(
            text.starts_with("not timed in a row: ") && text.ends_with("not this one"),
            "{text}"
        );
        assert!(others.iter().all(|(_, reasons)| reasons.is_empty()), "{others:?}");
    }

    #[test]
    fn parts_that_do_not_fit_together_take_turns_in_groups_and_add_up() {
        let bytes = std::fs::metadata(cnn()).unwrap().len();
        let nodes = |rows: Vec<Operator>| -> Vec<Vec<String>> {
            rows.into_iter().map(|block| block.nodes).collect()
        };
        let all = nodes(rows(0, 96));
        let described = |room| nodes(loaded(engine(0), room).operators(&[image(96)]).unwrap());
        let narrow = (1..).map(|share| bytes * share / 32).find(|&room| described(room) == all);
        for (room, is_one) in [(u64::MAX, true), (narrow.unwrap(), false)] {
            let engine = engine(0);
            let loaded = loaded(Rc::clone(&engine), room);
            let blocks = nodes(loaded.operators(&[image(96)]).unwrap());
            assert_eq!(blocks, all, "the same blocks");
            let mut runner = loaded.runner(VectorRegisters::AsIs, Instrumentation::Spans).unwrap();
            let before = engine.loads.get();
            for _ in 0..3 {
                runner.prepare(&[image(96)]).unwrap();
                runner.run().unwrap();
                let mut spans = Vec::new();
                assert!(runner.take_spans(&mut spans));
                assert_eq!(spans.len(), all.len());
                let sum: u64 = spans.iter().map(|span| span.duration.0).sum();
                assert_eq!(sum, runner.timed().unwrap().1.0);
            }
            assert_eq!(engine.loads.get() == before, is_one);
        }
        let none = loaded(engine(0), 0).operators(&[image(96)]).unwrap();
        assert_eq!(none.len(), 1);
        assert!(said(&none[0]).all(|reason| reason.starts_with("no memory for")));
    }

    #[test]
    fn an_iteration_ends_between_two_turns_if_it_is_stopped() {
        let loaded = loaded(engine(0), u64::MAX);
        loaded.operators(&[image(96)]).unwrap();
        let mut runner = loaded.runner(VectorRegisters::AsIs, Instrumentation::Spans).unwrap();
        runner.prepare(&[image(96)]).unwrap();
        assert!(!runner.run_until(&AtomicBool::new(true)).unwrap());
        assert!(!runner.take_spans(&mut Vec::new()), "nothing is known of it");
        assert!(runner.run_until(&AtomicBool::new(false)).unwrap());
        assert!(runner.take_spans(&mut Vec::new()));
    }
}
