//! `--exportTimes`: when each iteration computed, and for how long.

use crate::ImportError;
use crate::damage::DamageKind;
use crate::formats::records::{self, Record};
use crate::formats::together::{Document, nanoseconds};
use crate::json::Cursor;
use onnxray_format::{Iteration, IterationKind, Nanoseconds};

pub(crate) struct Times {
    /// In order of start.
    pub(crate) iterations: Vec<Iteration>,
    /// Whether the warm-up is among them: versions that still tell end-to-end
    /// times write it as well, and do not tell it apart.
    pub(crate) with_warmup: bool,
}

pub(crate) fn read(document: &mut Document) -> Result<Times, ImportError> {
    let mut iterations = Vec::new();
    let Document { bytes, damage, .. } = document;
    let mut cursor = Cursor::new(bytes);
    let mut arrays = 1;
    let ended = loop {
        let mut keep = |_, one| iterations.push(one);
        let ended = records::read(&mut cursor, damage, iteration, &mut keep);
        if ended.is_err() || cursor.peek() != Some(b'[') {
            break ended;
        }
        arrays += 1;
        damage.add_at(DamageKind::SecondArray, bytes, cursor.offset, "");
    };
    let offset = cursor.offset;
    document.count_rest(ended, offset, arrays);
    let with_warmup = iterations.iter().any(|&(_, end_to_end)| end_to_end);
    let mut iterations: Vec<Iteration> =
        iterations.into_iter().map(|(iteration, _)| iteration).collect();
    if iterations.is_empty() {
        return Err(
            document.unexpected(offset, "an iteration with `startComputeMs` and `computeMs`")
        );
    }
    iterations.sort_by_key(|iteration| iteration.start);
    for (index, iteration) in iterations.iter_mut().enumerate() {
        iteration.index = index as u32;
    }
    Ok(Times { iterations, with_warmup })
}

/// What rounding makes of a time between two, in nanoseconds and as a share of the later one:
/// trtexec prints six significant digits.
const SAME: f64 = 2_000.0;
const DIGITS: f64 = 2e-5;

/// An iteration, and whether its end-to-end time is told.
fn iteration(cursor: &mut Cursor<'_>) -> Record<(Iteration, bool)> {
    let (mut start, mut end, mut duration) = (None, None, None);
    let mut end_to_end = false;
    let read = records::object(cursor, |key, cursor| {
        let value = cursor.value()?;
        match key.raw {
            b"startComputeMs" => start = nanoseconds(value),
            b"endComputeMs" => end = nanoseconds(value),
            b"computeMs" => duration = nanoseconds(value),
            b"endToEndMs" => end_to_end = true,
            _ => {}
        }
        Ok(())
    })?;
    if let Err(refused) = read {
        return Ok(Err(refused));
    }
    let Some(start) = start else {
        return Ok(Err((DamageKind::NoTime, "no usable `startComputeMs`")));
    };
    let between = end.map(|end| end - start);
    let rounded = end.map_or(0.0, |end| SAME + end.abs() * DIGITS);
    if duration.zip(between).is_some_and(|(own, between)| (own - between).abs() > rounded) {
        return Ok(Err((
            DamageKind::NoTime,
            "`computeMs` is not from `startComputeMs` to `endComputeMs`",
        )));
    }
    let duration = duration.or(between).filter(|&duration| duration >= 0.0);
    Ok(match duration {
        Some(duration) => {
            let (start, duration) =
                (Nanoseconds(start.round() as u64), Nanoseconds(duration.round() as u64));
            let kind = IterationKind::Measured;
            Ok((Iteration { index: 0, kind, start, duration, step: None }, end_to_end))
        }
        None => Err((DamageKind::NoTime, "no usable `computeMs`")),
    })
}
