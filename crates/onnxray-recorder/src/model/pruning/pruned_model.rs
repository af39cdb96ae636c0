//! A model with zeros in the weights of its layers, as files: nothing changes but the bytes of what
//! becomes zero, and the names of files beside the model.

use super::blocks::Blocks;
use super::error::PruneError;
use super::layers::Layers;
use super::wanted::{self, WantedLayer};
use crate::error::RecordError;
use crate::model::bytes::places::{element_places, tensor_place, with_files};
use crate::model::constants::stored_tensors::External;
use crate::model::constants::values::Stored;
use crate::model::file::OnnxFile;
use onnxray_failsafe::open_regular;
use onnxray_format::{Block, DataType, PrunedLayer};
use std::collections::BTreeSet;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{mem, slice};

/// A file beside the model that holds elements, and its copy.
#[derive(Clone, Debug, PartialEq)]
pub struct DataFile {
    /// The file as it is.
    pub source: PathBuf,
    /// Name of the copy in the folder of the pruned model.
    pub name: String,
}

/// A model that is pruned while it is written.
pub struct PrunedModel {
    bytes: Vec<u8>,
    block: Block,
    file: OnnxFile,
    data: Vec<DataFile>,
    layers: Vec<PrunedLayer>,
    beside: Vec<Beside>,
}

/// A layer whose weight lies in another file.
struct Beside {
    layer: usize,
    stored: Stored,
    file: usize,
    start: u64,
    length: u64,
}

/// Where the elements of a weight lie.
enum Place {
    /// In the model's own file.
    Own(Vec<Range<usize>>),
    /// In a file of that number: the first byte, and how many.
    Beside { file: usize, start: u64, length: u64 },
}

impl PrunedModel {
    /// Reads the model at `path`, to prune blocks of this shape in the layers that are wanted, for a
    /// file of the name `output`.
    ///
    /// # Errors
    ///
    /// If it is not a model, lacks a layer, has one of another shape or at two levels, if elements
    /// cannot be read or are not finite.
    pub fn read(
        path: &Path,
        output: &str,
        block: Block,
        wanted: &[WantedLayer],
    ) -> Result<PrunedModel, PruneError> {
        let file = OnnxFile::read(path)?;
        file.check_data()?;
        let found = Layers::of(&file);
        let wanted = wanted::find(path, &found, wanted)?;
        let bytes = file.bytes()?.into_owned();
        let data = data_files(&file, output);
        let mut model =
            PrunedModel { bytes, block, file, data, layers: Vec::new(), beside: Vec::new() };
        for wanted in &wanted {
            let layer = &found.layers[wanted.layer];
            model.layers.push(PrunedLayer {
                operator: wanted.wanted.operator.clone(),
                weight: layer.weight.clone(),
                outputs: layer.outputs,
                inputs: layer.inputs,
                level: Some(wanted.wanted.level),
                sparse_ratios: None,
                pruned: 0,
                left_out: wanted::left_out(layer),
            });
            model.begin(found.of_layer(wanted.layer))?;
        }
        Ok(model)
    }

    /// Prunes the last layer, or notes the other file that it lies in.
    fn begin(&mut self, stored: &Stored) -> Result<(), PruneError> {
        let at = self.layers.len() - 1;
        if self.layers[at].left_out.is_some() {
            return Ok(());
        }
        let place = self.place(stored)?;
        let blocks = match self.blocks(at, stored)? {
            Ok(blocks) => blocks,
            Err(reason) => {
                self.layers[at].left_out = Some(reason);
                return Ok(());
            }
        };
        match place {
            Place::Own(places) => {
                let mut bytes = mem::take(&mut self.bytes);
                let zeroed = self.zero(at, stored, &blocks, &mut bytes, &places);
                self.bytes = bytes;
                zeroed
            }
            Place::Beside { file, start, length } => {
                self.beside.push(Beside { layer: at, stored: stored.clone(), file, start, length });
                Ok(())
            }
        }
    }

    /// The files beside the model, each of which [`PrunedModel::copy`] copies.
    pub fn data_files(&self) -> &[DataFile] {
        &self.data
    }

    /// Copies the data file of that number, with zeros.
    ///
    /// # Errors
    ///
    /// If it cannot be read any more, or the copy not be written.
    pub fn copy(&mut self, number: usize, mut to: impl Write + Seek) -> Result<(), PruneError> {
        let path = &self.data[number].source;
        let unreadable = |source| RecordError::ReadFile { path: path.clone(), source };
        let failed = |source| PruneError::Copy { source };
        let mut from = open_regular(path).map_err(unreadable)?;
        io::copy(&mut from, &mut to).map_err(failed)?;
        let beside = mem::take(&mut self.beside);
        for Beside { layer, stored, start, length, .. } in
            beside.iter().filter(|own| own.file == number)
        {
            let mut elements = Vec::new();
            from.seek(SeekFrom::Start(*start)).map_err(failed)?;
            (&from).take(*length).read_to_end(&mut elements).map_err(failed)?;
            let blocks = self.blocks(*layer, stored)?.map_err(|_| self.damaged())?;
            let whole = 0..elements.len();
            self.zero(*layer, stored, &blocks, &mut elements, slice::from_ref(&whole))?;
            to.seek(SeekFrom::Start(*start)).map_err(failed)?;
            to.write_all(&elements).map_err(failed)?;
        }
        self.beside = beside;
        Ok(())
    }

    /// The model's own file, which refers to the copies.
    ///
    /// # Errors
    ///
    /// If the model's bytes are damaged.
    pub fn bytes(&self) -> Result<Vec<u8>, PruneError> {
        if self.data.is_empty() {
            return Ok(self.bytes.clone());
        }
        let places = self.file.places();
        let names: Vec<(&str, &str)> =
            places.into_iter().zip(self.data.iter().map(|file| file.name.as_str())).collect();
        let renamed = with_files(&self.bytes, &|place| {
            let known = names.iter().find(|(known, _)| known.as_bytes() == place);
            known.map(|(_, name)| name.as_bytes().to_vec())
        });
        renamed.ok_or_else(|| self.damaged())
    }

    /// What became of each layer, in the order of the model; complete once all files are copied.
    pub fn layers(&self) -> &[PrunedLayer] {
        &self.layers
    }

    /// SHA-256 of the file that is pruned, in hexadecimal.
    pub fn sha256(&self) -> Option<String> {
        self.file.sha256()
    }

    /// Makes elements zero that lie in these places, one after the other.
    fn zero(
        &mut self,
        at: usize,
        stored: &Stored,
        blocks: &Blocks,
        bytes: &mut [u8],
        places: &[Range<usize>],
    ) -> Result<(), PruneError> {
        let size = if stored.data_type == DataType::Fp64 { 8 } else { 4 };
        // The first element of each place.
        let (mut all, mut first) = (0, Vec::with_capacity(places.len()));
        for place in places {
            first.push(all);
            all += place.len() / size;
        }
        if all != stored.outputs * stored.inputs {
            return Err(self.damaged());
        }
        let layer = &mut self.layers[at];
        let level = layer.level.unwrap_or_default();
        for position in blocks.positions(level) {
            let place = first.partition_point(|&first| first <= position) - 1;
            let start = places[place].start + (position - first[place]) * size;
            bytes[start..start + size].fill(0);
        }
        layer.sparse_ratios = Some(blocks.sparse_ratios(level));
        layer.pruned = blocks.removed(level).elements;
        Ok(())
    }

    /// The blocks of a layer's weight, or why it is left as it is.
    fn blocks(&self, at: usize, stored: &Stored) -> Result<Result<Blocks, String>, PruneError> {
        let (model, operator) = (self.file.path.clone(), self.layers[at].operator.clone());
        let weight = stored.name.clone();
        match self.file.elements().values(stored) {
            None => Err(PruneError::NoElements { model, operator, weight }),
            Some(values) if !values.numbers.iter().all(|number| number.is_finite()) => {
                Err(PruneError::NotFinite { model, operator, weight })
            }
            Some(values) => Ok(Blocks::new(values, self.block)),
        }
    }

    fn place(&self, stored: &Stored) -> Result<Place, PruneError> {
        let tensor = tensor_place(&self.bytes, &stored.name).ok_or_else(|| self.damaged())?;
        let Some(external) = External::of_bytes(&self.bytes[tensor.clone()]) else {
            return Ok(Place::Own(element_places(&self.bytes, &tensor)));
        };
        let source = self.folder().join(&external.place);
        let file = self.data.iter().position(|file| file.source == source);
        let extent = external.extent();
        let (file, (start, length)) = file.zip(extent).ok_or_else(|| self.damaged())?;
        Ok(Place::Beside { file, start, length })
    }

    fn folder(&self) -> &Path {
        self.file.path.parent().unwrap_or(Path::new(""))
    }

    fn damaged(&self) -> PruneError {
        PruneError::Model(RecordError::NotOnnx {
            path: self.file.path.clone(),
            bytes: self.bytes.len() as u64,
            reason: "it changed while it was read".to_string(),
        })
    }
}

/// The files beside a model, and names for their copies.
fn data_files(file: &OnnxFile, output: &str) -> Vec<DataFile> {
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let places: BTreeSet<&str> = file.places();
    let number =
        |number: usize| if places.len() == 1 { String::new() } else { format!(".{number}") };
    let copy = |(at, place): (usize, &&str)| DataFile {
        source: folder.join(place),
        name: format!("{output}{}.data", number(at + 1)),
    };
    places.iter().enumerate().map(copy).collect()
}
