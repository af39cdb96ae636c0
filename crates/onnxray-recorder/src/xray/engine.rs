//! An engine that times blocks in place of operators.

use super::blocks::Blocks;
use super::runner::BlockRunner;
use crate::clock::Clock;
use crate::engine::{
    Capabilities, Engine, EngineSpec, Engines, Instrumentation, LoadedModel, Runner, infer,
};
use crate::error::RecordError;
use crate::model::cut::{Prefixes, blocks, places};
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
        let mut cuts = places(&file.graph, &tensors, *most as usize, measured);
        let mut parts = Vec::new();
        // A cut that the engine refuses is none: its neighbours are one block.
        cuts.retain(|cut| {
            let made = prefixes.as_ref().and_then(|prefixes| prefixes.before(cut));
            let file = made.and_then(|bytes| file.with(bytes).ok());
            let loaded =
                file.and_then(|file| self.engine.load(&Rc::new(file), bound, threads).ok());
            match loaded {
                Some(loaded) => {
                    parts.push(loaded);
                    true
                }
                None => false,
            }
        });
        let rows = blocks(file, &tensors, &cuts);
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
