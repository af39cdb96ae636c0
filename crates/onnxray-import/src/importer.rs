//! What a format gives to be read: how it is recognized, and its reader.

use crate::chrome::{Options, Outline};
use crate::error::ImportError;
use crate::format::Format;
use crate::launch::Launch;
use crate::source::Source;

/// How files of a format are recognized and read.
pub struct Importer {
    /// What is known of the format itself.
    pub format: Format,
    pub(crate) detect: fn(Head<'_>) -> Verdict,
    pub(crate) read: fn(Vec<Source>, &Options) -> Result<Vec<Launch>, ImportError>,
}

/// What a format makes of the first bytes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is of this format.
    Yes,
    /// It is not.
    No,
    /// It could be; more of the input would tell.
    NeedMore,
}

/// The first bytes of an input, decompressed.
#[derive(Clone, Copy)]
pub struct Head<'a> {
    /// What was looked at until now.
    pub bytes: &'a [u8],
    /// Whether they are all there are, or all that are looked at.
    pub is_all: bool,
    /// What they show of a Chrome trace, if they are the beginning of one.
    pub(crate) outline: Option<&'a Outline>,
}

impl Importer {
    /// Whether the input is of this format, by its content.
    pub fn detect(&self, head: Head<'_>) -> Verdict {
        (self.detect)(head)
    }

    /// Reads all inputs, which are of this format. Those that say different
    /// things about one launch become one launch.
    ///
    /// # Errors
    ///
    /// If an input cannot be read or understood at all, or if they do not belong
    /// together. What is merely damaged is left out, with a warning in its launch.
    pub fn read(
        &self,
        sources: Vec<Source>,
        options: &Options,
    ) -> Result<Vec<Launch>, ImportError> {
        let mut launches = (self.read)(sources, options)?;
        launches.iter_mut().for_each(|launch| launch.format = self.format);
        Ok(launches)
    }
}

impl<'a> Head<'a> {
    /// The first bytes of an input of which no structure is known.
    pub fn new(bytes: &'a [u8], is_all: bool) -> Head<'a> {
        Head { bytes, is_all, outline: None }
    }

    /// The same with what is known of their structure.
    pub fn with_outline(self, outline: Option<&'a Outline>) -> Head<'a> {
        Head { outline, ..self }
    }

    /// The bytes without a byte order mark and white space in front.
    pub(crate) fn text(&self) -> &'a [u8] {
        self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self.bytes).trim_ascii_start()
    }

    pub(crate) fn contains(&self, pattern: &str) -> bool {
        memchr::memmem::find(self.bytes, pattern.as_bytes()).is_some()
    }

    /// For a format that was not recognized yet.
    pub(crate) fn otherwise(&self) -> Verdict {
        if self.is_all { Verdict::No } else { Verdict::NeedMore }
    }

    /// The verdict on a Chrome trace, if it is one: whether its structure `is` that of the
    /// format.
    pub(crate) fn is_trace(&self, is: impl Fn(&Outline) -> bool) -> Verdict {
        match self.outline {
            _ if !matches!(self.text().first(), Some(b'{' | b'[')) => Verdict::No,
            Some(outline) if is(outline) => Verdict::Yes,
            Some(outline) if outline.is_enough() => Verdict::No,
            _ => self.otherwise(),
        }
    }
}

/// Reads inputs each of which is a launch by itself.
pub(crate) fn each(
    sources: Vec<Source>,
    options: &Options,
    read: impl Fn(Source, &Options) -> Result<Launch, ImportError>,
) -> Result<Vec<Launch>, ImportError> {
    several(sources, options, |source, options| Ok(vec![read(source, options)?]))
}

/// Reads inputs each of which is a launch by itself, or several.
pub(crate) fn several(
    sources: Vec<Source>,
    options: &Options,
    read: impl Fn(Source, &Options) -> Result<Vec<Launch>, ImportError>,
) -> Result<Vec<Launch>, ImportError> {
    let mut launches = Vec::with_capacity(sources.len());
    for source in sources {
        launches.extend(read(source, options)?);
    }
    (0..).zip(&mut launches).for_each(|(number, launch)| launch.run.launch = number);
    Ok(launches)
}
