//! The sides of the cuts of a model, as models of their own: which ones the engine takes, and how many of
//! them are in memory at once.

use super::like_whole::name_dimensions_as_in_whole;
use super::side::{Ready, Side, Sides, Whole};
use super::timing::has_no_provider;
use crate::engine::{Engine, Instrumentation, LoadedModel, Runner};
use crate::error::RecordError;
use crate::memory;
use crate::model::cut::{Cut, Halves, Weights, blocks};
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::BoundDimensions;
use crate::model::tensor_table::TensorTable;
use crate::tensor::Tensor;
use onnxray_format::{BY_BOTH_SIDES, Operator, VectorRegisters};
use std::ops::Range;
use std::rc::Rc;

/// Models beside each other take at most half of the memory, and an engine about three times the
/// bytes of a file: these, its own, and packed weights.
const COPIES: u64 = 6;

/// How many bytes of files may be loaded at once beside the whole.
pub(super) fn room() -> u64 {
    memory::limit().unwrap_or(u64::MAX) / COPIES
}

/// How many cuts of a model fit into memory at once, with all blocks in a row where these are timed.
pub(crate) fn at_once(engine: &dyn Engine, file: &OnnxFile) -> u64 {
    let row = u64::from(has_no_provider(engine));
    fit(engine, file, room()).saturating_sub(row)
}

/// How many cuts fit into this room, with what is timed of them: both sides of a cut are about as large as
/// the whole; what is before it is half of that in the mean.
fn fit(engine: &dyn Engine, file: &OnnxFile, room: u64) -> u64 {
    let sides = if has_no_provider(engine) { 1 } else { 2 };
    room.saturating_mul(sides) / file.stored_bytes().max(1)
}

/// Where parts come from.
pub(super) struct Source {
    pub(super) engine: Rc<dyn Engine>,
    pub(super) file: Rc<OnnxFile>,
    pub(super) bound: BoundDimensions,
    pub(super) threads: u32,
    /// None of a file that cannot be read in parts.
    pub(super) halves: Option<Halves>,
    /// Whether what is before cuts is all that is timed.
    pub(super) is_one_sided: bool,
}

impl Source {
    /// What is before a cut, as bytes of a file; or why there is no such model.
    fn before(&self, cut: &Cut) -> Result<Vec<u8>, String> {
        let halves = self.halves.as_ref().ok_or("the file cannot be read in parts")?;
        Ok(halves.before(cut).ok_or("they are inside a function")?)
    }

    /// Bytes that it takes of the room: weights beside the file may be read by each part.
    fn needed(&self, made: &[u8]) -> u64 {
        let own = self.halves.as_ref().map_or(0, Halves::bytes);
        made.len() as u64 + self.file.stored_bytes().saturating_sub(own)
    }

    fn load(&self, made: Vec<u8>) -> Result<Box<dyn LoadedModel>, String> {
        let file = self.file.with(made).map_err(|error| error.to_string())?;
        let loaded = self.engine.load(&Rc::new(file), &self.bound, self.threads);
        loaded.map_err(|error| error.to_string())
    }
}

/// Inputs of the model and tensors across a cut, by name.
type Values = Vec<(String, Tensor)>;

struct Part {
    cut: Cut,
    /// Bytes of the room.
    needed: u64,
    /// None where not all parts fit into memory: it is loaded when its turn comes.
    loaded: Option<Box<dyn LoadedModel>>,
    /// What is behind the cut, where it is timed as well.
    behind: Option<Side>,
}

/// Blocks that are timed one after the other, as well.
enum Row {
    /// Where sides are not timed, or memory does not suffice.
    Untimed,
    /// The engine refuses the block behind this many cuts, for this reason.
    Refused(usize, String),
    /// What is between each cut and the next one.
    Between(Vec<Side>),
}

/// What is before the cuts of a model, in their order.
pub(super) struct Parts {
    source: Source,
    room: u64,
    kept: Vec<Part>,
    row: Row,
    /// Cuts that the engine does not take, and why.
    refused: Vec<(Cut, String)>,
}

impl Parts {
    /// Loads what is before each of these cuts; all of it stays loaded if it fits into this room.
    pub(super) fn load(source: Source, cuts: Vec<Cut>, room: u64) -> Parts {
        let (kept, refused) = (Vec::new(), Vec::new());
        let mut parts = Parts { source, room, kept, row: Row::Untimed, refused };
        for cut in cuts {
            match parts.part(&cut) {
                Ok((needed, loaded)) => {
                    parts.kept.push(Part { cut, needed, loaded, behind: None });
                }
                Err(reason) => parts.refused.push((cut, reason)),
            }
            if parts.groups().len() > 1 {
                parts.kept.iter_mut().for_each(|part| part.loaded = None);
            }
        }
        parts
    }

    /// What is before a cut, behind those that are kept; or why the engine does not take it.
    fn part(&self, cut: &Cut) -> Result<(u64, Option<Box<dyn LoadedModel>>), String> {
        let made = self.source.before(cut)?;
        let needed = self.source.needed(&made);
        // A block is between neighbours that run in turns.
        let neighbour = self.kept.last().map_or(0, |part| part.needed);
        if needed.saturating_add(neighbour) > self.room {
            return Err("no memory for it and its neighbour beside the whole".to_string());
        }
        Ok((needed, Some(self.source.load(made)?)))
    }

    /// Those that are in memory at once, one group after the other.
    pub(super) fn groups(&self) -> Vec<Range<usize>> {
        let needed: Vec<u64> = self.kept.iter().map(|part| part.needed).collect();
        groups(&needed, self.room)
    }

    /// By cut, bytes of the weights that only what is behind it reads, where that is not timed.
    pub(super) fn others(&self, tensors: &TensorTable) -> Vec<u64> {
        let weights = Weights::of(&self.source.file.graph, tensors);
        let others = |part: &Part| match part.behind {
            Some(_) => 0,
            None => weights.behind(part.cut.end),
        };
        self.kept.iter().map(others).collect()
    }

    pub(super) fn threads(&self) -> u32 {
        self.source.threads
    }

    /// Whether only what is before cuts is timed.
    pub(super) fn is_one_sided(&self) -> bool {
        self.kept.iter().all(|part| part.behind.is_none())
    }

    /// Whether all blocks are timed in a row as well.
    pub(super) fn has_row(&self) -> bool {
        matches!(&self.row, Row::Between(blocks) if !blocks.is_empty())
    }

    /// Refuses those that load and do not run, and loads what is behind the others and between them, if that is
    /// timed, of a whole with these operators.
    pub(super) fn try_out(&mut self, inputs: &[Tensor], operators: &[Operator]) {
        let has_sides = self.has_room_for(self.kept.len());
        // All blocks together take about as much as both sides of one more cut.
        if has_sides && self.has_room_for(self.kept.len() + 1) && self.groups().len() == 1 {
            self.row = Row::Between(Vec::new());
        }
        // Values across the cut before.
        let mut across = None;
        for mut part in std::mem::take(&mut self.kept) {
            match self.tried_out(&part, inputs) {
                Ok(outputs) => {
                    self.add_to_row(&part.cut, across.as_ref());
                    across = outputs.filter(|_| has_sides).map(|outputs| {
                        let mut values = self.whole().values(inputs);
                        values.extend(part.cut.tensors.iter().cloned().zip(outputs));
                        values
                    });
                    let behind = |values: &Values| self.behind(&part.cut, values, operators);
                    part.behind = across.as_ref().and_then(behind);
                    if part.behind.is_none() {
                        self.row = Row::Untimed;
                    }
                    self.kept.push(part);
                }
                Err(reason) => self.refused.push((part.cut, reason)),
            }
        }
        if self.kept.iter().all(|part| part.loaded.is_some()) {
            // Nothing is loaded any more.
            self.source.halves = None;
        }
    }

    /// Adds what is between the last cut, with these values across it, and the next one to the row, if there is
    /// one.
    fn add_to_row(&mut self, next: &Cut, across: Option<&Values>) {
        let Row::Between(_) = &self.row else { return };
        let between = self.kept.last().zip(across).map(|(part, values)| {
            let halves = self.source.halves.as_ref();
            let made = halves.and_then(|halves| halves.between([&part.cut, next], values));
            self.tried_side(made.ok_or("it computes nothing that a model can hand out")?, values)
        });
        match (between, &mut self.row) {
            (Some(Ok(block)), Row::Between(blocks)) => blocks.push(block),
            (Some(Err(reason)), row) => *row = Row::Refused(self.kept.len(), reason),
            _ => {}
        }
    }

    /// Whether both sides of cuts are to be timed, and those of this many fit into memory.
    fn has_room_for(&self, cuts: usize) -> bool {
        let Source { engine, file, is_one_sided, .. } = &self.source;
        !is_one_sided && cuts as u64 <= fit(&**engine, file, self.room)
    }

    fn whole(&self) -> Whole<'_> {
        let Source { engine, file, bound, threads, .. } = &self.source;
        Whole { engine: &**engine, file, bound, threads: *threads }
    }

    /// Runs a part once: the tensors across its cut, if the engine hands them out.
    fn tried_out(&self, part: &Part, inputs: &[Tensor]) -> Result<Option<Vec<Tensor>>, String> {
        let runner = self.runner_of(part, VectorRegisters::AsIs);
        let mut runner = runner.map_err(|error| error.to_string())?;
        runner.prepare(inputs)?;
        runner.run().map_err(|failure| failure.reason)?;
        Ok(runner.outputs().ok())
    }

    /// What is behind a cut, of which these are the values; `None` if the engine refuses it.
    fn behind(&self, cut: &Cut, values: &Values, operators: &[Operator]) -> Option<Side> {
        let halves = self.source.halves.as_ref()?;
        name_dimensions_as_in_whole(halves, self.whole(), operators, cut, values);
        self.tried_side(halves.behind(cut, values)?, values).ok()
    }

    /// A side of these bytes; or why the engine does not run it on these values.
    fn tried_side(&self, made: Vec<u8>, values: &Values) -> Result<Side, String> {
        let side = Side::load(self.whole(), made, values)?;
        side.try_out().map(|()| side)
    }

    /// Both sides of a cut, or what is before it, ready to run.
    ///
    /// # Errors
    ///
    /// If the engine does not take it, or not any more.
    pub(super) fn sides(
        &self,
        part: usize,
        registers: VectorRegisters,
    ) -> Result<Sides, RecordError> {
        let part = &self.kept[part];
        let before = self.runner_of(part, registers)?;
        let behind = part.behind.as_ref().map(|side| side.ready(registers)).transpose()?;
        Ok(Sides { before, behind })
    }

    /// What is between each cut and the next one, ready to run; empty where blocks are not timed in a row.
    ///
    /// # Errors
    ///
    /// If the engine does not take one any more.
    pub(super) fn between(&self, registers: VectorRegisters) -> Result<Vec<Ready>, RecordError> {
        let Row::Between(blocks) = &self.row else { return Ok(Vec::new()) };
        blocks.iter().map(|side| side.ready(registers)).collect()
    }

    fn runner_of(
        &self,
        part: &Part,
        registers: VectorRegisters,
    ) -> Result<Box<dyn Runner>, RecordError> {
        if let Some(loaded) = &part.loaded {
            return loaded.runner(registers, Instrumentation::None);
        }
        let loaded = self.source.before(&part.cut).and_then(|made| self.source.load(made));
        let loaded = loaded.map_err(|reason| RecordError::Run { reason })?;
        loaded.runner(registers, Instrumentation::None)
    }

    /// A row for each block.
    pub(super) fn rows(&self, tensors: &TensorTable) -> Vec<Operator> {
        let cuts: Vec<Cut> = self.kept.iter().map(|part| part.cut.clone()).collect();
        let mut rows = blocks(&self.source.file, tensors, &cuts);
        for (row, _) in rows.iter_mut().zip(&self.kept).filter(|(_, part)| part.behind.is_some()) {
            row.attributes.insert(BY_BOTH_SIDES.to_string(), "yes".to_string());
        }
        for (cut, reason) in &self.refused {
            // The blocks on both sides are one.
            let at = cuts.iter().take_while(|other| other.end < cut.end).count();
            if let Some(row) = rows.get_mut(at) {
                let place = format!("no cut at {}", cut.tensors.join(", "));
                row.attributes.insert(place, said(reason));
            }
        }
        if let Row::Refused(block, reason) = &self.row {
            let text = format!("not timed in a row: {}", said(reason));
            rows[*block].attributes.insert("as a model of its own".to_string(), text);
        }
        rows
    }
}

/// What an engine says of a part that it refuses, in a line. ONNX Runtime names the node first, which is the
/// provider's own number for the part.
fn said(reason: &str) -> String {
    let first = reason.lines().next().unwrap_or_default();
    first.rsplit_once("Status Message: ").map_or(first, |(_, said)| said).to_string()
}

/// Parts that fit into a room together, as many as there are in order; each group begins with the last
/// part of the one before, so that neighbours are together in one. Any two of them fit.
fn groups(needed: &[u64], room: u64) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut begin = 0;
    loop {
        let mut sum = 0u64;
        let fits = needed[begin..].iter().take_while(|&&own| {
            sum = sum.saturating_add(own);
            sum <= room
        });
        let end = begin + fits.count();
        groups.push(begin..end);
        if end == needed.len() || end < begin + 2 {
            return groups;
        }
        begin = end - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_in_one_group_and_each_group_fits() {
        assert_eq!(groups(&[], 5), vec![0..0; 1]);
        assert_eq!(groups(&[1, 2, 3], 6), vec![0..3; 1]);
        assert_eq!(groups(&[1, 2, 3], 5), [0..2, 1..3]);
        assert_eq!(groups(&[1, 1, 1, 2, 3, 4], 7), [0..4, 3..5, 4..6]);
        for room in 19..100 {
            let needed: Vec<u64> = (1..=10).collect();
            let all = groups(&needed, room);
            assert!(all.iter().all(|group| needed[group.clone()].iter().sum::<u64>() <= room));
            let is_together = |at: usize| all.iter().any(|own| own.start <= at && at + 1 < own.end);
            assert!((0..9).all(is_together), "{room}: {all:?}");
            assert!(all.windows(2).all(|pair| pair[0].end == pair[1].start + 1));
        }
    }
}
