//! Under which conditions a launch ran, as far as a recording tells.

use super::tables::{Tables, members};
use crate::chrome::EventTrace;
use onnxray_format::{Conditions, Counts, Slices};

pub(super) const MEMBER: &str = "conditions";
/// The most bytes that they may have: nine columns of a million iterations.
const MOST: usize = 128 << 20;

/// `None` if the recording does not tell, or if nothing of it can be understood. Damage
/// costs its member.
pub(super) fn conditions(trace: &EventTrace, tables: &mut Tables) -> Option<Conditions> {
    let member = trace.member(MEMBER)?;
    if member.value.trim_ascii() == b"null" {
        return None;
    }
    let position = Some(member.position);
    let read = (member.value.len() <= MOST).then(|| members::<Conditions>(&member.value));
    let Some((mut conditions, mut unreadable)) = read.flatten() else {
        tables.fields("launches", position, &[MEMBER.to_string()]);
        return None;
    };
    unreadable.extend(refuse(&mut conditions).into_iter().map(str::to_string));
    tables.fields(MEMBER, position, &unreadable);
    Some(conditions)
}

/// Takes out what contradicts itself, and names it.
pub(super) fn refuse(conditions: &mut Conditions) -> Vec<&'static str> {
    let mut refused = Vec::new();
    if let Some(slices) = &mut conditions.slices {
        let length = slices.ends.len();
        let Slices { others_ms, elsewhere_ms, steal_ms, throttled_us, frequency_khz, .. } = slices;
        let columns = [others_ms, elsewhere_ms, steal_ms, frequency_khz];
        let odd = columns.into_iter().flatten().any(|column| column.len() != length)
            || throttled_us.as_ref().is_some_and(|column| column.len() != length)
            || slices.spans().any(|(from, to)| from > to);
        if odd {
            conditions.slices = None;
            refused.push("slices");
        }
    }
    let Conditions {
        minor_faults,
        major_faults,
        voluntary_switches,
        involuntary_switches,
        migrations,
        waits_us,
        ..
    } = conditions;
    let columns: [(&'static str, &mut Option<Counts>); 6] = [
        ("minor_faults", minor_faults),
        ("major_faults", major_faults),
        ("voluntary_switches", voluntary_switches),
        ("involuntary_switches", involuntary_switches),
        ("migrations", migrations),
        ("waits_us", waits_us),
    ];
    for (name, column) in columns {
        let odd = |counts: &mut Counts| {
            let Counts { iterations, counts } = counts;
            iterations.len() != counts.len() || !iterations.is_sorted_by(|a, b| a < b)
        };
        if column.as_mut().is_some_and(odd) {
            *column = None;
            refused.push(name);
        }
    }
    let limit = conditions.limit.as_ref().and_then(|limit| limit.cores);
    if limit.is_some_and(|cores| !cores.is_finite() || cores <= 0.0) {
        conditions.limit = None;
        refused.push("limit");
    }
    refused
}
