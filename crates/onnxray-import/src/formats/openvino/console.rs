//! Counters as benchmark_app prints them with `-pc`, among the lines of its log.
//!
//! A title, a line for each layer, a line with the total, for each infer request:
//!
//! ```text
//! [ INFO ] Performance counts for 0-th infer request:
//! conv1     EXECUTED       layerType: Convolution   execType: jit_avx2   realTime (ms): 0.706   cpuTime (ms): 0.706
//! Total time:     0.706 milliseconds
//! ```
//!
//! Versions differ in the order of the fields and in what times are: `realTime (ms)`, a whole
//! number of microseconds, or hours, minutes and seconds. Long names are cut.

use super::counters::{
    Block, Counters, Layer, ROUNDING, Total, UNKNOWN_STATUS, milliseconds, status,
};
use crate::ImportError;
use crate::damage::{DamageKind, MOST_RECORDS};
use crate::formats::together::Document;
use crate::text::line_prefix::LinePrefix;

/// The title, in C++ of old versions without a number.
const TITLES: [&str; 2] = ["Performance counts for ", "performance counts:"];
/// What a log has in front of the title alone.
const LEVEL: &str = "[ INFO ]";
const TYPE: &str = "layerType:";
const KERNEL: &str = "execType:";
const TIMES: [&str; 2] = ["realTime (ms):", "realTime:"];
const OTHERS: [&str; 4] = ["cpuTime (ms):", "cpuTime:", "cpu:", "proportion:"];
const TOTAL: &str = "Total time:";

pub(super) fn is_console(text: &[u8]) -> bool {
    [TYPE, "realTime", "execType:"]
        .iter()
        .all(|word| memchr::memmem::find(text, word.as_bytes()).is_some())
}

pub(crate) fn read(document: &mut Document) -> Result<Counters, ImportError> {
    let Document { bytes, damage, .. } = document;
    let mut counters = Counters::default();
    let mut prefix = LinePrefix::new("");
    let (mut open, mut offset, mut layers) = (false, 0, 0usize);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let (start, ended) = (offset, line.ends_with(b"\n"));
        offset += line.len();
        let text = String::from_utf8_lossy(line);
        if let Some(at) = TITLES.iter().find_map(|title| text.find(title)) {
            prefix = LinePrefix::new(text[..at].trim_end().trim_end_matches(LEVEL));
            counters.blocks.push(Block::default());
            open = true;
            continue;
        }
        let text = prefix.strip(&text);
        if let (Some((_, total)), Some(block)) =
            (text.split_once(TOTAL), counters.blocks.last_mut())
        {
            let total = total.trim();
            let (time, unit) = total.split_once(char::is_whitespace).unwrap_or((total, ""));
            let of_unit = |milliseconds| Total { milliseconds, rounding: ROUNDING, offset: start };
            block.total = in_milliseconds(time, unit.trim() != "microseconds").map(of_unit);
            open = false;
            continue;
        }
        if !text.contains(TYPE) {
            let is_of_layer = open && text.split_whitespace().any(|word| status(word).is_some());
            if is_of_layer {
                damage.add_at(DamageKind::Unreadable, bytes, start, "a layer without `layerType`");
            }
            continue;
        }
        if !open {
            counters.blocks.push(Block::default());
            open = true;
        }
        counters.sorted |= text.contains("proportion:");
        let Some(block) = counters.blocks.last_mut() else { continue };
        match layer(text) {
            // It may be cut in a number.
            _ if !ended => damage.add_at(DamageKind::EndsEarly, bytes, start, "within a line"),
            _ if layers >= MOST_RECORDS => damage.add_at(DamageKind::TooMany, bytes, start, ""),
            Ok(layer) => {
                layers += 1;
                counters.cut_names += usize::from(layer.name.ends_with("..."));
                block.layers.push(layer);
            }
            Err((kind, reason)) => damage.add_at(kind, bytes, start, reason),
        }
    }
    if counters.blocks.last().is_some_and(|block| block.total.is_none()) {
        damage.add_at(DamageKind::EndsEarly, bytes, offset, "there is no total after the layers");
    }
    counters.blocks.retain(|block| !block.layers.is_empty());
    match counters.layers() {
        0 => Err(document.unexpected(0, "the counters of a layer (`layerType:`, `realTime`)")),
        _ => Ok(counters.check(&document.bytes)),
    }
}

fn layer(line: &str) -> Result<Layer, (DamageKind, &'static str)> {
    let unreadable = |reason| (DamageKind::Unreadable, reason);
    let (front, _) = line.split_once(TYPE).ok_or(unreadable("no `layerType`"))?;
    let front = front.trim_end();
    let cut =
        ["OPTIMIZED_OUT", "EXECUTED", "NOT_RUN"].iter().find_map(|word| front.strip_suffix(word));
    let name = cut.ok_or((DamageKind::UnknownKind, UNKNOWN_STATUS))?;
    let told = status(&front[name.len()..]).unwrap_or_default();
    let name = name.strip_suffix("Status.").unwrap_or(name).trim();
    if name.is_empty() {
        return Err((DamageKind::NotARecord, "no layer's name"));
    }
    let text = |key| field(line, key).unwrap_or_default().to_string();
    let [in_ms, plain] = TIMES.map(|key| field(line, key));
    let time = match (in_ms, plain) {
        (Some(time), _) => milliseconds(time),
        (None, Some(time)) => in_milliseconds(time, false),
        (None, None) => None,
    };
    let milliseconds = time.ok_or((DamageKind::NoTime, "`realTime` is not a time"))?;
    Ok(Layer {
        name: name.to_string(),
        status: told,
        layer_type: text(TYPE),
        kernel: text(KERNEL),
        precision: String::new(),
        milliseconds,
    })
}

/// What stands between a key and the next one.
fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (_, value) = line.split_once(key)?;
    let keys = [TYPE, KERNEL].into_iter().chain(TIMES).chain(OTHERS);
    let end = keys.filter_map(|next| value.find(next)).min().unwrap_or(value.len());
    Some(value[..end].trim())
}

/// A time in milliseconds, or in microseconds, or `0:00:00.000226`.
fn in_milliseconds(time: &str, are_milliseconds: bool) -> Option<f64> {
    let mut parts = time.rsplit(':');
    let (Some(seconds), Some(minutes)) = (parts.next(), parts.next()) else {
        return milliseconds(time).map(|time| if are_milliseconds { time } else { time / 1e3 });
    };
    let hours = parts.next().unwrap_or("0");
    // Two digits each: a number in front of them is of a damaged one.
    if parts.next().is_some() || minutes.len() > 2 {
        return None;
    }
    let seconds =
        milliseconds(seconds)? + 60.0 * (milliseconds(minutes)? + 60.0 * milliseconds(hours)?);
    milliseconds(&(seconds * 1e3).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: (&str, &str, &str, &str, f64)) {
        let layer = layer(line).unwrap();
        let Layer { name, status, layer_type, kernel, milliseconds, .. } = &layer;
        let rounded = (milliseconds * 1e6).round() / 1e6;
        assert_eq!((&**name, &**status, &**layer_type, &**kernel, rounded), expected);
    }

    #[test]
    fn lines_of_all_versions() {
        check(
            "conv1      EXECUTED       layerType: Convolution        realTime: 706        cpu: 706            execType: jit_avx2",
            ("conv1", "EXECUTED", "Convolution", "jit_avx2", 0.706),
        );
        check(
            "subgraph1: conv2/Add...       OPTIMIZED_OUT  layerType: ReLU   realTime: 0   cpu: 0   execType: undef",
            ("subgraph1: conv2/Add...", "OPTIMIZED_OUT", "ReLU", "undef", 0.0),
        );
        check(
            "Convert_654   Status.EXECUTEDlayerType: Convert            realTime: 0:00:00.000226cpu: 0:00:00.000226 execType: unknown_I8",
            ("Convert_654", "EXECUTED", "Convert", "unknown_I8", 0.226),
        );
        check(
            "fc   EXECUTED   layerType: FullyConnected   execType: gemm_FP32   realTime (ms): 0.250   cpuTime (ms): 0.250   proportion: 12.5%",
            ("fc", "EXECUTED", "FullyConnected", "gemm_FP32", 0.25),
        );
    }

    #[test]
    fn what_cannot_be_a_layer() {
        let kind = |line| layer(line).unwrap_err().0;
        assert_eq!(
            kind("a  RAN  layerType: X execType: y realTime (ms): 1"),
            DamageKind::UnknownKind
        );
        assert_eq!(
            kind("a  EXECUTED  layerType: X execType: y realTime (ms): x"),
            DamageKind::NoTime
        );
        assert_eq!(
            kind("  EXECUTED  layerType: X execType: y realTime (ms): 1"),
            DamageKind::NotARecord
        );
    }

    #[test]
    fn times_in_all_units() {
        assert_eq!(in_milliseconds("0:00:00.000226", true).map(|t| (t * 1e6).round()), Some(226e3));
        assert_eq!(in_milliseconds("1:02:03", false), Some(3_723_000.0));
        assert_eq!(
            (in_milliseconds("706", false), in_milliseconds("7.5", true)),
            (Some(0.706), Some(7.5))
        );
        assert_eq!((in_milliseconds("1:2:3:4", true), in_milliseconds("x", true)), (None, None));
    }
}
