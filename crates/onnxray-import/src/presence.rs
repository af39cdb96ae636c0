//! Finds the records that lack a member which others of their kind have.
//!
//! One damaged byte in a key takes a member away and leaves a record that looks whole. What
//! more records lack than have, its producer does not always write.

use crate::damage::{Damage, DamageKind};
use onnxray_format::Position;
use std::collections::{BTreeMap, BTreeSet};

/// Which records have which members. `P` is the place of a record.
pub(crate) struct Presence<P> {
    /// By kind of record, and by member.
    seen: BTreeMap<(String, &'static str), Seen<P>>,
}

struct Seen<P> {
    having: usize,
    lacking: Vec<P>,
    /// What the first that lacks it is called.
    name: String,
}

impl<P: Copy + Ord> Presence<P> {
    pub(crate) fn new() -> Presence<P> {
        Presence { seen: BTreeMap::new() }
    }

    /// Takes note of a record: its kind, its name, its place, and which members it has.
    pub(crate) fn see(
        &mut self,
        kind: &str,
        name: &str,
        place: P,
        members: impl IntoIterator<Item = (&'static str, bool)>,
    ) {
        for (member, is_there) in members {
            let blank = || Seen { having: 0, lacking: Vec::new(), name: String::new() };
            let seen = self.seen.entry((kind.to_string(), member)).or_insert_with(blank);
            if is_there {
                seen.having += 1;
                continue;
            }
            if seen.lacking.is_empty() {
                seen.name = name.to_string();
            }
            seen.lacking.push(place);
        }
    }

    /// Counts the records that lack what at least as many of their kind have. `position` says
    /// where a place is.
    pub(crate) fn count(self, damage: &mut Damage, position: impl Fn(P) -> Position) {
        let lacking: Vec<_> = self
            .seen
            .into_iter()
            .filter(|(_, seen)| !seen.lacking.is_empty() && seen.having >= seen.lacking.len())
            .collect();
        let places: BTreeSet<P> =
            lacking.iter().flat_map(|(_, seen)| seen.lacking.iter().copied()).collect();
        let first = lacking.iter().min_by_key(|(_, seen)| seen.lacking.first().copied());
        let Some(((_, member), Seen { lacking, name, .. })) = first else { return };
        let position = lacking.first().map(|&place| position(place));
        let reason = format!("`{member}` of {name:?}");
        damage.add_times(DamageKind::Missing, places.len() as u64, position, reason);
    }
}

impl Presence<usize> {
    /// Counts as above, of records whose places are those of bytes.
    pub(crate) fn count_in(self, bytes: &[u8], damage: &mut Damage) {
        self.count(damage, |offset| Position::of(bytes, offset));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of records in a row, each with its kind and whether it has `m`.
    fn said(records: &[(&str, bool)]) -> Option<(u64, u64, String)> {
        let mut presence = Presence::new();
        for (place, (kind, is_there)) in records.iter().enumerate() {
            presence.see(kind, &format!("r{place}"), place, [("m", *is_there), ("other", true)]);
        }
        let mut damage = Damage::default();
        presence.count(&mut damage, |place| Position { line: 1, byte: place as u64 });
        let (kind, loss) = damage.iter().next()?;
        assert_eq!(kind, DamageKind::Missing);
        Some((loss.count, loss.position?.byte, loss.reason.clone()))
    }

    #[test]
    fn what_others_of_a_kind_have_is_missed() {
        let expected = Some((1, 1, "`m` of \"r1\"".to_string()));
        assert_eq!(said(&[("a", true), ("a", false), ("a", true)]), expected);
        assert_eq!(said(&[("a", true), ("a", false)]), expected);
        assert_eq!(said(&[("a", true), ("a", false), ("b", false), ("b", false)]), expected);
        let several = [("a", true), ("a", true), ("b", false), ("a", false), ("b", true)];
        assert_eq!(said(&several), Some((2, 2, "`m` of \"r2\"".to_string())));
    }

    #[test]
    fn what_is_usually_missing_is_not() {
        assert_eq!(said(&[]), None);
        assert_eq!(said(&[("a", true), ("a", true), ("b", false)]), None);
        assert_eq!(said(&[("a", false), ("a", false), ("a", true)]), None);
    }
}
