//! An engine that times blocks in place of operators.

use super::runner::BlockRunner;
use crate::clock::Clock;
use crate::engine::{
    Capabilities, Engine, EngineSpec, Engines, Instrumentation, LoadedModel, Runner, infer,
};
use crate::error::RecordError;
use crate::memory;
use crate::model::cut::{Blocks, Cut, CutEffect, Halves, blocks, places};
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::{BoundDimensions, GivenDimensions};
use crate::model::tensor_table::TensorTable;
use crate::tensor::Tensor;
use onnxray_format::{Operator, Roofs, VectorRegisters};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// Engines that time blocks.
pub(crate) struct InBlocks<'a> {
    pub(crate) engines: &'a dyn Engines,
    pub(crate) blocks: &'a Blocks,
}

impl Engines for InBlocks<'_> {
    fn start(&self, spec: &EngineSpec, threads: u32) -> Result<Rc<dyn Engine>, RecordError> {
        let engine = self.engines.start(spec, threads)?;
        Ok(Rc::new(BlockEngine { engine, blocks: self.blocks.clone() }))
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

/// Models beside each other take at most half of the memory, and an engine about three times the
/// bytes of a file: these, its own, and packed weights.
const COPIES: u64 = 6;

struct BlockEngine {
    engine: Rc<dyn Engine>,
    blocks: Blocks,
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
        let halves = Halves::of(file);
        let mut room = memory::limit().unwrap_or(u64::MAX) / COPIES;
        let mut parts = Parts::default();
        for cut in places(&file.graph, &tensors, &self.blocks) {
            match self.before(&cut, file, halves.as_ref(), (bound, threads), &mut room) {
                Ok(before) => parts.kept.push((cut, before)),
                Err(reason) => parts.refused.push((cut, reason)),
            }
        }
        let (engine, file) = (Rc::clone(&self.engine), Rc::clone(file));
        let effects = self.blocks.effects.clone();
        let parts = RefCell::new(parts);
        Ok(Box::new(BlockModel { engine, file, tensors, whole, parts, effects }))
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

impl BlockEngine {
    /// What is before a cut, or why the engine does not take it.
    fn before(
        &self,
        cut: &Cut,
        file: &OnnxFile,
        halves: Option<&Halves>,
        (bound, threads): (&BoundDimensions, u32),
        room: &mut u64,
    ) -> Result<Box<dyn LoadedModel>, String> {
        let halves = halves.ok_or("the file cannot be read in parts")?;
        let made = halves.before(cut).ok_or("they are inside a function")?;
        // Weights beside the file may be read by each.
        let beside = file.stored_bytes().saturating_sub(halves.bytes());
        let needed = made.len() as u64 + beside;
        if needed > *room {
            return Err("no memory for one more model beside the others".to_string());
        }
        *room -= needed;
        let loaded =
            file.with(made).and_then(|file| self.engine.load(&Rc::new(file), bound, threads));
        loaded.map_err(|error| error.to_string())
    }
}

/// A model and the parts of it that are before its cuts, each loaded by itself.
struct BlockModel {
    engine: Rc<dyn Engine>,
    file: Rc<OnnxFile>,
    /// Of the model's tensors, what can be inferred.
    tensors: TensorTable,
    whole: Box<dyn LoadedModel>,
    /// Fewer once they have been run.
    parts: RefCell<Parts>,
    effects: Vec<CutEffect>,
}

/// What is before the cuts of a model, in their order.
#[derive(Default)]
struct Parts {
    kept: Vec<(Cut, Box<dyn LoadedModel>)>,
    /// Cuts that the engine does not take, and why.
    refused: Vec<(Cut, String)>,
}

impl Parts {
    /// Refuses those that load and do not run.
    fn try_out(&mut self, inputs: &[Tensor]) {
        let tried = std::mem::take(&mut self.kept).into_iter().map(|(cut, part)| {
            let failed = tried_out(&*part, inputs).err();
            (cut, part, failed)
        });
        for (cut, part, failed) in tried {
            match failed {
                None => self.kept.push((cut, part)),
                Some(reason) => self.refused.push((cut, reason)),
            }
        }
    }

    fn rows(&self, file: &OnnxFile, tensors: &TensorTable) -> Vec<Operator> {
        let cuts: Vec<Cut> = self.kept.iter().map(|(cut, _)| cut.clone()).collect();
        let mut rows = blocks(file, tensors, &cuts);
        for (cut, reason) in &self.refused {
            // The blocks on both sides are one.
            let at = cuts.iter().take_while(|other| other.end < cut.end).count();
            if let Some(row) = rows.get_mut(at) {
                let place = format!("no cut at {}", cut.tensors.join(", "));
                let reason = reason.lines().next().unwrap_or_default();
                row.attributes.insert(place, reason.to_string());
            }
        }
        rows
    }
}

fn tried_out(part: &dyn LoadedModel, inputs: &[Tensor]) -> Result<(), String> {
    let runner = part.runner(VectorRegisters::AsIs, Instrumentation::None);
    let mut runner = runner.map_err(|error| error.to_string())?;
    runner.prepare(inputs)?;
    runner.run().map_err(|failure| failure.reason)
}

impl LoadedModel for BlockModel {
    fn tensors(&self) -> &TensorTable {
        self.whole.tensors()
    }

    fn operators(&self, inputs: &[Tensor]) -> Result<Vec<Operator>, RecordError> {
        let mut parts = self.parts.borrow_mut();
        parts.try_out(inputs);
        let mut rows = parts.rows(&self.file, &self.tensors);
        for row in &mut rows {
            let effect = self.effects.iter().find(|effect| row.nodes.last() == Some(&effect.last));
            if let Some(effect) = effect {
                row.attributes.insert("cut behind it adds".to_string(), effect.to_string());
            }
        }
        Ok(rows)
    }

    fn runner(
        &self,
        registers: VectorRegisters,
        instrumentation: Instrumentation,
    ) -> Result<Box<dyn Runner>, RecordError> {
        let unprofiled = |model: &dyn LoadedModel| model.runner(registers, Instrumentation::None);
        match instrumentation {
            Instrumentation::None => unprofiled(&*self.whole),
            Instrumentation::Spans => {
                let parts = self.parts.borrow();
                let before = parts.kept.iter().map(|(_, part)| &**part);
                let parts = before.chain([&*self.whole]).map(unprofiled);
                let parts = parts.collect::<Result<_, _>>()?;
                Ok(Box::new(BlockRunner::new(Rc::clone(&self.engine), parts)))
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
    use std::cell::Cell;

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

    fn rows(refused: u32, side: usize) -> Vec<Operator> {
        let tract = InstalledEngines.start(&EngineSpec::Tract, 1).unwrap();
        let engine = Rc::new(Refusing { engine: tract, loads: Cell::default(), refused });
        let blocks = Blocks { most: 6, ..Blocks::default() };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models/cnn.onnx");
        let file = Rc::new(OnnxFile::read(&path).unwrap());
        let bound = dimensions::bind(&file.graph, &GivenDimensions::default()).unwrap();
        let loaded = BlockEngine { engine, blocks }.load(&file, &bound, 1).unwrap();
        let image = Tensor::F32(ArrayD::zeros(IxDyn(&[1, 3, side, side])));
        loaded.operators(&[image]).unwrap()
    }

    #[test]
    fn blocks_on_both_sides_of_a_refused_cut_are_one_that_says_so() {
        let (all, fewer) = (rows(0, 96), rows(3, 96));
        assert_eq!(fewer.len(), all.len() - 1);
        // The whole is loaded first, then what is before each cut.
        let joined = [&all[1].nodes[..], &all[2].nodes].concat();
        assert_eq!(fewer[1].nodes, joined);
        let said = fewer[1].attributes.values().next().unwrap();
        assert!(said.contains("not this one"), "{said}");
        assert!(fewer.iter().enumerate().all(|(at, row)| at == 1 || row.attributes.is_empty()));
    }

    #[test]
    fn what_loads_and_does_not_run_is_refused_as_well() {
        // An image that the model does not take.
        let rows = rows(0, 7);
        assert_eq!(rows.len(), 1);
        let cuts = rows[0].attributes.keys().filter(|name| name.starts_with("no cut at "));
        assert!(cuts.count() >= 3, "{:?}", rows[0].attributes);
    }
}
