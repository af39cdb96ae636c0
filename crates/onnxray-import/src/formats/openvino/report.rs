//! The report of configuration and results: `benchmark_report`.

use crate::ImportError;
use crate::damage::DamageKind;
use crate::formats::together::Document;
use crate::json::Cursor;
use crate::text::number::number;
use onnxray_format::Nanoseconds;

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
    let Document { bytes, damage, .. } = document;
    let mut report = Report::default();
    let mut offset = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        if let Some((key, value)) = text.trim().split_once(';')
            && !report.set(key, value.trim_end_matches(';'))
        {
            damage.add_at(DamageKind::Member, bytes, offset, format!("{key:?}"));
        }
        offset += line.len();
    }
    Ok(report)
}

/// Objects of keys and values.
pub(crate) fn read_json(document: &mut Document) -> Result<Report, ImportError> {
    let Document { bytes, damage, .. } = document;
    let mut report = Report::default();
    let mut cursor = Cursor::new(bytes);
    let ended = cursor.object(|_, cursor| match cursor.peek() {
        Some(b'{') => cursor.object(|key, cursor| {
            let offset = cursor.offset;
            let value = cursor.value()?.as_text().unwrap_or_default();
            if !report.set(&key.decode(), &value) {
                damage.add_at(DamageKind::Member, bytes, offset, format!("{:?}", key.decode()));
            }
            Ok(())
        }),
        _ => cursor.skip().map(|_| ()),
    });
    let offset = cursor.offset;
    document.count_rest(ended, offset, 1);
    Ok(report)
}

impl Report {
    /// Takes one value. CSV and JSON, and C++ and Python, spell the keys
    /// differently. `false` if it should be a number and is none.
    fn set(&mut self, key: &str, value: &str) -> bool {
        let key = key.trim_start_matches('-').replace('_', " ");
        let value = value.trim();
        match key.strip_suffix(" (ms)").unwrap_or(&key) {
            "m" | "path to model" => {
                self.model = value.rsplit(['/', '\\']).next().unwrap_or_default().to_string();
            }
            "target device" => self.device = value.to_string(),
            "batch size" => {
                let batch: Option<u64> = number(value);
                self.batch_size = batch.filter(|&batch| batch > 0);
                return batch.is_some() || !has_digits(value);
            }
            // 0 leaves the number to the runtime.
            "nthreads" => {
                let threads: Option<u32> = number(value);
                self.threads = threads.filter(|&threads| threads > 0);
                return threads.is_some() || !has_digits(value);
            }
            "read model time"
            | "read network time"
            | "reshape model time"
            | "reshape network time"
            | "compile model time"
            | "load model time"
            | "load network time"
            | "import model time" => {
                let Some(time) = super::counters::milliseconds(value) else {
                    return !has_digits(value);
                };
                let earlier = self.load_time.map_or(0, |time| time.0);
                let time = (time * 1e6).round() as u64;
                self.load_time = Some(Nanoseconds(earlier.saturating_add(time)));
            }
            _ => {}
        }
        true
    }
}

/// A word in the place of a number, such as that for an open size, is not damage.
fn has_digits(value: &str) -> bool {
    value.contains(|character: char| character.is_ascii_digit())
}
