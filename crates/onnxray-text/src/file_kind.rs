//! What files are that are not model and no trace, by their first bytes: for messages to those who
//! give them as one.

use std::fmt::{self, Display};

/// A file that may be given in the place of a model, a trace or settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// An HTML page that onnxray wrote.
    Page,
    /// An HTML page of another program.
    Html,
    /// One that a spreadsheet program opens, whoever wrote it.
    Workbook,
    /// Any other archive.
    Zip,
    /// What `torch.save` writes: a model or its weights.
    PyTorch,
    /// Weights without a graph.
    Safetensors,
    /// A FlatBuffer of TensorFlow Lite.
    TensorFlowLite,
    /// HDF5 or an archive, as Keras saves models.
    Keras,
    /// A report of that name, as `--format json` prints it.
    Report(String),
    /// Settings, or a loss profile: what onnxray writes to be read again, by the name in it.
    Saved(String),
    /// A file of its own for each table is what `convert` writes.
    Parquet,
    /// The other format of `convert`.
    Arrow,
    /// An array or several.
    Numpy,
    /// What Git has of a large file before it is fetched.
    LfsPointer,
    /// Any other one.
    Json,
    /// Compressed data.
    Gzip,
}

impl FileKind {
    /// The kind of a file that begins with these bytes; `None` if unknown.
    pub fn of(bytes: &[u8]) -> Option<FileKind> {
        // Editors put a byte order mark in front of texts.
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        let begins = |with: &str| {
            text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
        };
        Some(match bytes {
            [b'P', b'K', 3, 4, ..] => zip(bytes),
            [b'P', b'A', b'R', b'1', ..] => FileKind::Parquet,
            // Its identifier follows the place of its root.
            [_, _, _, _, b'T', b'F', b'L', b'3', ..] => FileKind::TensorFlowLite,
            // A pickle of protocol 2, which holds the magic number of `torch.save`.
            [0x80, 2, 0x8a, 0x0a, b'l', 0xfc, 0x9c, b'F', ..] => FileKind::PyTorch,
            // The length of the JSON that follows.
            [_, _, _, _, 0, 0, 0, 0, b'{', b'"', ..] => FileKind::Safetensors,
            _ if bytes.starts_with(b"\x89HDF\r\n\x1a\n") => FileKind::Keras,
            [0x1f, 0x8b, ..] => FileKind::Gzip,
            _ if bytes.starts_with(b"ARROW1") => FileKind::Arrow,
            _ if bytes.starts_with(b"\x93NUMPY") => FileKind::Numpy,
            _ if begins("version https://git-lfs") => FileKind::LfsPointer,
            _ if begins("<!doctype html") || begins("<html") => html(bytes),
            _ if begins("{") || begins("[") => json(bytes),
            _ => return None,
        })
    }
}

impl FileKind {
    /// What to do with such a file where an ONNX model is needed.
    pub fn instead_of_a_model(&self) -> &'static str {
        match self {
            FileKind::Json => "`onnxray summary FILE` reads traces",
            FileKind::Zip => "unpack it, and name the .onnx file",
            FileKind::PyTorch => {
                "load it in Python, and export the model with torch.onnx.export(model, inputs, \
                 \"model.onnx\")"
            }
            FileKind::Safetensors => {
                "export the model that they belong to, such as with optimum-cli export onnx \
                 --model FOLDER OUTPUT"
            }
            FileKind::TensorFlowLite => {
                "convert it with python -m tf2onnx.convert --tflite FILE --output model.onnx"
            }
            FileKind::Keras => {
                "load it in Python, and export the model with model.export(\"model.onnx\", \
                 format=\"onnx\")"
            }
            FileKind::Gzip => {
                "decompress it first if it is one; `onnxray summary FILE` reads compressed traces"
            }
            FileKind::LfsPointer => "fetch it, and record it then",
            _ => "give the model's .onnx file",
        }
    }
}

impl Display for FileKind {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            FileKind::Page => "a page that onnxray wrote",
            FileKind::Html => "an HTML page",
            FileKind::Workbook => "an Excel workbook",
            FileKind::Zip => "a ZIP archive",
            FileKind::PyTorch => "a PyTorch model, or its weights",
            FileKind::Safetensors => "weights without a graph (safetensors)",
            FileKind::TensorFlowLite => "a TensorFlow Lite model",
            FileKind::Keras => "a file of Keras, or other HDF5",
            FileKind::Report(name) => return write!(out, "the JSON of onnxray's {name} report"),
            FileKind::Saved(name) => return write!(out, "a file of {name}"),
            FileKind::Parquet => "a Parquet file",
            FileKind::Arrow => "an Arrow file",
            FileKind::Numpy => "a NumPy array",
            FileKind::LfsPointer => "a Git LFS pointer; `git lfs pull` fetches the file",
            FileKind::Json => "JSON",
            FileKind::Gzip => "gzip-compressed",
        })
    }
}

/// Names of entries are not compressed; office programs write that one first, or soon.
fn zip(bytes: &[u8]) -> FileKind {
    let holds = |entry: &[u8]| bytes.windows(entry.len()).any(|window| window == entry);
    if holds(b"[Content_Types].xml") {
        FileKind::Workbook
    } else if holds(b"/data.pkl") {
        FileKind::PyTorch
    } else if holds(b"model.weights.h5") {
        FileKind::Keras
    } else {
        FileKind::Zip
    }
}

fn html(bytes: &[u8]) -> FileKind {
    match String::from_utf8_lossy(bytes).contains("name=\"generator\" content=\"onnxray ") {
        true => FileKind::Page,
        false => FileKind::Html,
    }
}

/// Our documents say what they are: reports before the version of their form, others in front.
fn json(bytes: &[u8]) -> FileKind {
    let text = String::from_utf8_lossy(bytes);
    let is_name = |text: &&str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ');
    let member = |key: &str| {
        let (_, behind) = text.split_once(&format!("\n  \"{key}\": \""))?;
        behind.split_once("\",\n").filter(|(name, _)| is_name(name))
    };
    match (member("report"), member("format")) {
        (Some((name, behind)), _) if format!("\n{behind}").contains("\n  \"schema_version\":") => {
            FileKind::Report(name.to_string())
        }
        (_, Some((name, _))) if name.starts_with("onnxray ") => FileKind::Saved(name.to_string()),
        _ => FileKind::Json,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_the_first_bytes() {
        let of = |text: &str| FileKind::of(text.as_bytes());
        assert_eq!(of(" <!DOCTYPE HTML><title>"), Some(FileKind::Html));
        let generator = "<meta name=\"generator\" content=\"onnxray 1.0\">";
        assert_eq!(of(&format!("<!DOCTYPE html>{generator}")), Some(FileKind::Page));
        assert_eq!(of("PK\u{3}\u{4}…[Content_Types].xml"), Some(FileKind::Workbook));
        assert_eq!(of("PK\u{3}\u{4}…trace.json"), Some(FileKind::Zip));
        assert_eq!(of("PK\u{3}\u{4}…archive/data.pkl"), Some(FileKind::PyTorch));
        assert_eq!(of("PK\u{3}\u{4}…model.weights.h5"), Some(FileKind::Keras));
        assert_eq!(FileKind::of(b"\x80\x02\x8a\x0al\xfc\x9cF"), Some(FileKind::PyTorch));
        assert_eq!(FileKind::of(b"\x89HDF\r\n\x1a\n"), Some(FileKind::Keras));
        assert_eq!(of("\u{40}\0\0\0\0\0\0\0{\"a\":"), Some(FileKind::Safetensors));
        assert_eq!(of("\u{1c}\0\0\0TFL3"), Some(FileKind::TensorFlowLite));
        assert_eq!(of("[1]"), Some(FileKind::Json));
        let report = "{\n  \"model\": {},\n  \"report\": \"summary\",\n  \"schema_version\": 1\n}";
        assert_eq!(of(report), Some(FileKind::Report("summary".to_string())));
        let between = report.replace("  \"schema", "  \"roofs\": {},\n  \"schema");
        assert_eq!(of(&between), Some(FileKind::Report("summary".to_string())));
        let saved = "{\n  \"format\": \"onnxray loss profile\",\n";
        assert_eq!(of(saved), Some(FileKind::Saved("onnxray loss profile".to_string())));
        assert_eq!(of("version https://git-lfs.github.com/spec/v1"), Some(FileKind::LfsPointer));
        assert_eq!(of("\u{8}\u{8}model"), None);
        assert_eq!(of(""), None);
    }
}
