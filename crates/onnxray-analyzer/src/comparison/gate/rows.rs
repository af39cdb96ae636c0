//! Layers and patterns of layers that a gate judges.

use crate::comparison::{Change, Compared, Comparison};
use onnxray_text::difference::signed_difference;
use std::collections::HashSet;

/// A layer or a pattern.
pub(super) struct Row<'a> {
    name: &'a str,
    /// Layers that it stands for.
    members: usize,
    pub(super) change: &'a Change,
}

impl Row<'_> {
    pub(super) fn is_pattern(&self) -> bool {
        self.members > 1
    }

    /// `blocks.*/mlp/fc1 (x40): +0.120 ms, +4.1 % (95 % CI +3.2 to +5.0 %)`
    pub(super) fn text(&self) -> String {
        let Change { difference, ratio, ratio_interval, .. } = self.change;
        let difference = difference.map(|difference| format!("{:+.3} ms", difference.0));
        // Beside a pattern no other table of the command's output has its interval.
        let interval = ratio_interval.filter(|_| self.is_pattern());
        let interval = interval.map(|interval| (interval.low, interval.high));
        let ratio = ratio.map(|ratio| signed_difference(ratio, interval));
        let figures: Vec<String> = difference.into_iter().chain(ratio).collect();
        let count = match self.is_pattern() {
            true => format!(" (x{})", self.members),
            false => String::new(),
        };
        format!("{}{count}: {}", self.name, figures.join(", "))
    }
}

/// What takes enough of a side's time to be judged.
pub(super) struct Counted<'a> {
    /// Patterns, and layers that are in none.
    pub(super) rows: Vec<Row<'a>>,
    /// Layers that are in patterns, and the position of the pattern among the folded rows.
    members: Vec<(usize, Row<'a>)>,
    /// Positions of `rows` among the folded rows.
    places: Vec<usize>,
}

impl<'a> Counted<'a> {
    pub(super) fn of(comparison: &'a Comparison, share: f64) -> Counted<'a> {
        let counts = |compared: &Compared| {
            let mut shares = compared.sides.iter().filter_map(|side| side.share);
            shares.any(|own| own.0 >= share)
        };
        let layer = |at: usize| {
            let group = comparison.groups.get(at).filter(|group| counts(&group.compared))?;
            Some(Row { name: &group.name, members: 1, change: &group.compared.change })
        };
        let mut counted = Counted { rows: Vec::new(), members: Vec::new(), places: Vec::new() };
        if comparison.folded.is_empty() {
            counted.rows = (0..comparison.groups.len()).filter_map(layer).collect();
            counted.places = (0..counted.rows.len()).collect();
        }
        for (place, folded) in comparison.folded.iter().enumerate() {
            if counts(&folded.compared) {
                counted.rows.push(Row {
                    name: &folded.name,
                    members: folded.members.len(),
                    change: &folded.compared.change,
                });
                counted.places.push(place);
            }
            if folded.is_pattern() {
                let members = folded.members.iter().filter_map(|&at| layer(at));
                counted.members.extend(members.map(|member| (place, member)));
            }
        }
        counted
    }

    /// Those whose ratio is known.
    pub(super) fn compared(&self) -> impl Iterator<Item = &Row<'a>> {
        self.rows.iter().filter(|row| row.change.ratio.is_some())
    }

    /// Rows that fail, and of the patterns that do not, the members that do.
    pub(super) fn failing(&self, fails: impl Fn(&Change) -> bool) -> Vec<Row<'a>> {
        let rows = self.rows.iter().zip(&self.places).filter(|(row, _)| fails(row.change));
        let (mut failing, places): (Vec<Row>, HashSet<usize>) =
            rows.map(|(row, &place)| (row.copied(), place)).unzip();
        let alone = self.members.iter().filter(|(place, member)| {
            // Named with the pattern already.
            !places.contains(place) && fails(member.change)
        });
        failing.extend(alone.map(|(_, member)| member.copied()));
        failing
    }
}

impl<'a> Row<'a> {
    fn copied(&self) -> Row<'a> {
        Row { ..*self }
    }
}
