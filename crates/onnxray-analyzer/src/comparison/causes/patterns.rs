//! Patterns of layers that a cause is named after.

use crate::comparison::{ComparedGroup, Folded, Verdict};
use std::collections::HashMap;

/// From this share of a cause's time on, what differs alike is all of the cause.
const ALL: f64 = 0.9;

/// A pattern, or the layers of a cause that are in none.
struct Part<'a> {
    folded: &'a Folded,
    verdict: Option<Verdict>,
    /// Of both sides, in milliseconds.
    time: f64,
}

/// Names of causes by group, where these are named after a pattern: `MatMul blocks.*/mlp/fc1 (x40)`.
///
/// Each pattern that is faster or slower stands out, unless several of one verdict are all of the
/// cause: a quantization makes all products faster, and its cause is one. `only` are the causes of
/// groups that are of one cause.
pub(super) fn names_of_patterns(
    only: &[Option<&str>],
    groups: &[ComparedGroup],
    folded: &[Folded],
) -> HashMap<usize, String> {
    let time = |at: usize| {
        let sides = groups.get(at).map_or(&[][..], |group| &group.compared.sides[..]);
        sides.iter().filter_map(|side| side.typical).map(|time| time.0).sum::<f64>()
    };
    let mut causes: HashMap<&str, (f64, Vec<Part>)> = HashMap::new();
    for row in folded {
        let cause = row.members.first().and_then(|&first| *only.get(first)?);
        let Some(cause) = cause else { continue };
        // Members with conversions of their own may be of other causes.
        if row.members.iter().any(|&member| only.get(member) != Some(&Some(cause))) {
            continue;
        }
        let of_row: f64 = row.members.iter().map(|&member| time(member)).sum();
        let (all, parts) = causes.entry(cause).or_default();
        *all += of_row;
        let verdict = row.compared.change.verdict;
        let verdict = verdict.filter(|own| matches!(own, Verdict::Faster | Verdict::Slower));
        parts.push(Part { folded: row, verdict, time: of_row });
    }
    let mut names = HashMap::new();
    for (cause, (all, parts)) in causes {
        let is_all = |verdict: Verdict| {
            let alike = parts.iter().filter(|part| part.verdict == Some(verdict));
            let (count, time) =
                alike.fold((0, 0.0), |(count, time), part| (count + 1, time + part.time));
            count > 1 && time >= ALL * all
        };
        if is_all(Verdict::Faster) || is_all(Verdict::Slower) {
            continue;
        }
        for part in parts.iter().filter(|part| part.verdict.is_some()) {
            let Folded { name, members, .. } = part.folded;
            if part.folded.is_pattern() {
                let named = format!("{cause} {name} (x{})", members.len());
                names.extend(members.iter().map(|&member| (member, named.clone())));
            }
        }
    }
    names
}
