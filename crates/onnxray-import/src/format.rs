//! What is known of a format before any file of it is read.

/// A producer's format. What it is called in the program is what tells it from
/// others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// What `--from` and `inspect --list` call it.
    pub name: &'static str,
    /// What reports call it.
    pub title: &'static str,
    /// The files that are read, and what makes them.
    pub files: &'static str,
    /// What its files have.
    pub contains: &'static str,
}

impl Format {
    /// Recordings of our own.
    pub const ONNXRAY: Format = Format {
        name: "onnxray",
        title: "onnxray",
        files: "recordings (JSON) that `onnxray record` and `onnxray convert` write",
        contains: "everything that onnxray knows",
    };

    /// Whether it is our own, whose launches have measured iterations.
    pub fn is_recording(self) -> bool {
        self == Format::ONNXRAY
    }
}

/// Our own: whatever is made in memory is told completely.
impl Default for Format {
    fn default() -> Format {
        Format::ONNXRAY
    }
}
