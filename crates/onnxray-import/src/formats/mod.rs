//! The formats that can be read: one module each, and one line in
//! [`Format::importer`].

pub mod chrome_trace;
pub mod kineto;
pub mod neural_engine;
pub mod onnxray;
pub mod onnxruntime;
pub mod openvino;
mod records;
pub mod tensorrt;
pub mod tflite;
mod together;
pub mod tract;

use crate::chrome::Options;
use crate::detect::{Head, Verdict};
use crate::source::Source;
use crate::{ImportError, Launch};

/// A producer's format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    #[default]
    Onnxray,
    OnnxRuntime,
    Kineto,
    TensorRt,
    OpenVino,
    TfLite,
    Tract,
    NeuralEngine,
    ChromeTrace,
}

/// What is known about a format, and how it is read.
pub struct Importer {
    /// What `--from` and `import --list` call it.
    pub name: &'static str,
    pub title: &'static str,
    /// The files that are read, and what makes them.
    pub files: &'static str,
    /// What the format can tell.
    pub tells: &'static str,
    detect: fn(Head<'_>) -> Verdict,
    read: fn(Vec<Source>, &Options) -> Result<Vec<Launch>, ImportError>,
}

impl Importer {
    pub fn detect(&self, head: Head<'_>) -> Verdict {
        (self.detect)(head)
    }

    /// Reads all inputs, which are of this format. Those that say different
    /// things about one launch become one launch.
    pub fn read(
        &self,
        sources: Vec<Source>,
        options: &Options,
    ) -> Result<Vec<Launch>, ImportError> {
        (self.read)(sources, options)
    }
}

impl Format {
    /// All formats, special ones before general ones: the first that recognizes
    /// an input reads it.
    pub const ALL: [Format; 9] = [
        Format::Onnxray,
        Format::NeuralEngine,
        Format::OnnxRuntime,
        Format::Kineto,
        Format::TensorRt,
        Format::OpenVino,
        Format::TfLite,
        Format::Tract,
        Format::ChromeTrace,
    ];

    pub fn importer(self) -> &'static Importer {
        match self {
            Format::Onnxray => &onnxray::IMPORTER,
            Format::OnnxRuntime => &onnxruntime::IMPORTER,
            Format::TensorRt => &tensorrt::IMPORTER,
            Format::OpenVino => &openvino::IMPORTER,
            Format::TfLite => &tflite::IMPORTER,
            Format::Tract => &tract::IMPORTER,
            Format::NeuralEngine => &neural_engine::IMPORTER,
            Format::Kineto => &kineto::IMPORTER,
            Format::ChromeTrace => &chrome_trace::IMPORTER,
        }
    }
}

/// Reads inputs each of which is a launch by itself.
fn each(
    sources: Vec<Source>,
    options: &Options,
    read: impl Fn(Source, &Options) -> Result<Launch, ImportError>,
) -> Result<Vec<Launch>, ImportError> {
    let launches: Result<Vec<Launch>, ImportError> =
        sources.into_iter().map(|source| read(source, options)).collect();
    let mut launches = launches?;
    for (number, launch) in launches.iter_mut().enumerate() {
        launch.run.launch = number as u32;
    }
    Ok(launches)
}
