//! The report of configuration and results: `benchmark_report`.

use crate::ImportError;
use crate::formats::together::Document;
use crate::json::{Broken, Cursor};
use crate::loss::LossKind;
use onnxray_format::Nanoseconds;

/// What of it says how the model ran.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Report {
    /// File name, without its folder.
    pub(crate) model: String,
    pub(crate) device: String,
    pub(crate) batch_size: Option<u64>,
    pub(crate) threads: Option<u32>,
    /// Time to read, reshape and compile the model, or to import it.
    pub(crate) load_time: Option<Nanoseconds>,
}

/// Sections of `key;value`.
pub(crate) fn read_csv(document: &mut Document) -> Result<Report, ImportError> {
    let mut report = Report::default();
    for line in document.bytes.split(|&byte| byte == b'\n') {
        let line = String::from_utf8_lossy(line);
        if let Some((key, value)) = line.trim().split_once(';') {
            report.set(key, value.trim_end_matches(';'));
        }
    }
    Ok(report)
}

/// Objects of keys and values.
pub(crate) fn read_json(document: &mut Document) -> Result<Report, ImportError> {
    let Document { bytes, losses, .. } = document;
    let mut report = Report::default();
    let mut cursor = Cursor::new(bytes);
    let ended = cursor.object(|_, cursor| match cursor.peek() {
        Some(b'{') => cursor.object(|key, cursor| {
            let value = cursor.value()?.as_text().unwrap_or_default();
            report.set(&key.decode(), &value);
            Ok(())
        }),
        _ => cursor.skip().map(|_| ()),
    });
    match ended {
        Ok(()) => {}
        Err(Broken::Cut) => losses.add_at(LossKind::EndsEarly, bytes, cursor.offset, ""),
        Err(Broken::Expected(what)) => {
            let reason = format!("expected {what}");
            losses.add_at(LossKind::EndsEarly, bytes, cursor.offset, &reason);
        }
    }
    document.check_json();
    Ok(report)
}

impl Report {
    /// Takes one value. CSV and JSON, and C++ and Python, spell the keys
    /// differently.
    fn set(&mut self, key: &str, value: &str) {
        let key = key.trim_start_matches('-').replace('_', " ");
        let value = value.trim();
        match key.strip_suffix(" (ms)").unwrap_or(&key) {
            "m" | "path to model" => {
                self.model = value.rsplit(['/', '\\']).next().unwrap_or_default().to_string();
            }
            "target device" => self.device = value.to_string(),
            "batch size" => self.batch_size = value.parse().ok().filter(|&batch| batch > 0),
            // 0 leaves the number to the runtime.
            "nthreads" => self.threads = value.parse().ok().filter(|&threads| threads > 0),
            "read model time"
            | "read network time"
            | "reshape model time"
            | "reshape network time"
            | "compile model time"
            | "load model time"
            | "load network time"
            | "import model time" => {
                if let Some(time) = super::counters::milliseconds(value) {
                    let earlier = self.load_time.map_or(0, |time| time.0);
                    let time = (time * 1e6).round() as u64;
                    self.load_time = Some(Nanoseconds(earlier.saturating_add(time)));
                }
            }
            _ => {}
        }
    }
}
