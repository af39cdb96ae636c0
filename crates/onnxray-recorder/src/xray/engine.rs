//! An engine that times blocks in place of operators.

use super::blocks::Blocks;
use super::runner::BlockRunner;
use crate::clock::Clock;
use crate::engine::{
    Capabilities, Engine, EngineSpec, Engines, Instrumentation, LoadedModel, Runner, infer,
};
use crate::error::RecordError;
use crate::memory;
use crate::model::cut::{Cut, Prefixes, blocks, places};
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::{BoundDimensions, GivenDimensions};
use crate::model::tensor_table::TensorTable;
use crate::tensor::Tensor;
use onnxray_format::{Operator, Roofs, VectorRegisters};
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
        let prefixes = Prefixes::of(file);
        let Blocks { most, measured } = &self.blocks;
        let mut room = memory::limit().unwrap_or(u64::MAX) / COPIES;
        let (mut parts, mut kept, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for cut in places(&file.graph, &tensors, *most as usize, measured) {
            match self.before(&cut, file, prefixes.as_ref(), (bound, threads), &mut room) {
                Ok(before) => {
                    parts.push(before);
                    kept.push(cut);
                }
                Err(reason) => refused.push((cut, reason)),
            }
        }
        let mut rows = blocks(file, &tensors, &kept);
        for (cut, reason) in refused {
            // The blocks on both sides are one.
            let at = kept.iter().take_while(|other| other.end < cut.end).count();
            if let Some(row) = rows.get_mut(at) {
                row.attributes.insert(format!("no cut at {}", cut.tensors.join(", ")), reason);
            }
        }
        parts.push(whole);
        Ok(Box::new(BlockModel { engine: Rc::clone(&self.engine), parts, rows }))
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
        prefixes: Option<&Prefixes>,
        (bound, threads): (&BoundDimensions, u32),
        room: &mut u64,
    ) -> Result<Box<dyn LoadedModel>, String> {
        let prefixes = prefixes.ok_or("the file cannot be read in parts")?;
        let made = prefixes.before(cut).ok_or("they are inside a function")?;
        // Weights beside the file may be read by each.
        let beside = file.stored_bytes().saturating_sub(prefixes.bytes());
        let needed = made.len() as u64 + beside;
        if needed > *room {
            return Err("no memory for one more model beside the others".to_string());
        }
        *room -= needed;
        let loaded =
            file.with(made).and_then(|file| self.engine.load(&Rc::new(file), bound, threads));
        loaded.map_err(|error| error.to_string().lines().next().unwrap_or_default().to_string())
    }
}

/// A model and the parts of it that are before its cuts, each loaded by itself.
struct BlockModel {
    engine: Rc<dyn Engine>,
    /// In the order of the cuts; the whole is the last one.
    parts: Vec<Box<dyn LoadedModel>>,
    rows: Vec<Operator>,
}

impl BlockModel {
    fn whole(&self) -> &dyn LoadedModel {
        match self.parts.last() {
            Some(whole) => &**whole,
            None => unreachable!("it is loaded last"),
        }
    }
}

impl LoadedModel for BlockModel {
    fn tensors(&self) -> &TensorTable {
        self.whole().tensors()
    }

    fn operators(&self, _inputs: &[Tensor]) -> Result<Vec<Operator>, RecordError> {
        Ok(self.rows.clone())
    }

    fn runner(
        &self,
        registers: VectorRegisters,
        instrumentation: Instrumentation,
    ) -> Result<Box<dyn Runner>, RecordError> {
        let unprofiled = |model: &dyn LoadedModel| model.runner(registers, Instrumentation::None);
        match instrumentation {
            Instrumentation::None => unprofiled(self.whole()),
            Instrumentation::Spans => {
                let parts = self.parts.iter().map(|part| unprofiled(&**part));
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

    fn rows(refused: u32) -> Vec<Operator> {
        let tract = InstalledEngines.start(&EngineSpec::Tract, 1).unwrap();
        let engine = Rc::new(Refusing { engine: tract, loads: Cell::default(), refused });
        let blocks = Blocks { most: 6, measured: Vec::new() };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models/cnn.onnx");
        let file = Rc::new(OnnxFile::read(&path).unwrap());
        let bound = dimensions::bind(&file.graph, &GivenDimensions::default()).unwrap();
        let loaded = BlockEngine { engine, blocks }.load(&file, &bound, 1).unwrap();
        loaded.operators(&[]).unwrap()
    }

    #[test]
    fn blocks_on_both_sides_of_a_refused_cut_are_one_that_says_so() {
        let (all, fewer) = (rows(0), rows(3));
        assert_eq!(fewer.len(), all.len() - 1);
        // The whole is loaded first, then what is before each cut.
        let joined = [&all[1].nodes[..], &all[2].nodes].concat();
        assert_eq!(fewer[1].nodes, joined);
        let said = fewer[1].attributes.values().next().unwrap();
        assert!(said.contains("not this one"), "{said}");
        assert!(fewer.iter().enumerate().all(|(at, row)| at == 1 || row.attributes.is_empty()));
    }
}
