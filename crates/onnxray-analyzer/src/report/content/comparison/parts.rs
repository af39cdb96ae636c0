//! What time and difference are made of: causes, operator types, and what is aligned
//! or not.

use super::rows::{Pair, Row, table};
use super::verdict::has_one_unit;
use super::whole::per_iteration;
use crate::comparison::{Cause, ComparedType, Conservation, Side, TypeSide};
use crate::report::document::Unit::{Count, Milliseconds, Share, Text};
use crate::report::document::{Cell, Column, Table, column};

/// What the difference is made of.
pub(super) fn causes(pairs: &[Pair]) -> Table {
    table("causes", "Where the difference comes from", cause_columns(), pairs, |pair| {
        pair.comparison.causes.iter().collect()
    })
    .showing(&["version", "cause", "a_ms", "b_ms", "difference_ms", "share_of_difference"])
}

fn cause_columns<'a>() -> Vec<Column<Row<'a, &'a Cause>>> {
    vec![
        column(
            "cause",
            "Cause",
            Text,
            "operator types that do the same work on both sides",
            |row| Cell::text(&row.subject.name),
        ),
        column("groups", "Groups", Count, "groups of layers in which it is", |row| {
            Cell::Whole(row.subject.groups)
        }),
        column("a_ms", "A ms", Milliseconds, "mean per iteration of the baseline", |row| {
            Cell::milliseconds(row.subject.means[0])
        }),
        column("b_ms", "B ms", Milliseconds, "mean per iteration of the version", |row| {
            Cell::milliseconds(row.subject.means[1])
        }),
        column(
            "difference_ms",
            "B - A ms",
            Milliseconds,
            "these add up to that of the whole",
            |row| Cell::milliseconds(row.subject.difference),
        ),
        column(
            "share_of_difference",
            "Share of difference",
            Share,
            "of the difference of the whole",
            |row| Cell::number(row.subject.contribution),
        ),
    ]
}

/// Operator types of both sides.
pub(super) fn types(pairs: &[Pair]) -> Table {
    table("compared_types", "Layer types", type_columns(), pairs, |pair| {
        pair.comparison.types.iter().collect()
    })
}

fn type_columns<'a>() -> Vec<Column<Row<'a, &'a ComparedType>>> {
    let computed_in = "how many compute in which element type";
    vec![
        column("type", "Type", Text, "operator type", |row| Cell::text(&row.subject.operator_type)),
        column("a_layers", "A layers", Count, "layers of the baseline", |row| row.layers(Side::A)),
        column("a_precisions", "A precisions", Text, computed_in, |row| row.precisions(Side::A)),
        column("a_ms", "A ms", Milliseconds, "mean per iteration", |row| row.mean(Side::A)),
        column("a_share", "A share", Share, "of the baseline's latency", |row| row.share(Side::A)),
        column("b_layers", "B layers", Count, "layers of the version", |row| row.layers(Side::B)),
        column("b_precisions", "B precisions", Text, computed_in, |row| row.precisions(Side::B)),
        column("b_ms", "B ms", Milliseconds, "mean per iteration", |row| row.mean(Side::B)),
        column("b_share", "B share", Share, "of the version's latency", |row| row.share(Side::B)),
        column("difference_ms", "B - A ms", Milliseconds, "difference of the means", |row| {
            row.difference()
        }),
    ]
}

impl Row<'_, &ComparedType> {
    /// Of a type that a side does not have there is nothing to know.
    fn of(&self, side: Side, cell: impl FnOnce(&TypeSide) -> Cell) -> Cell {
        self.subject.sides[side as usize].as_ref().map_or(Cell::None, cell)
    }

    fn layers(&self, side: Side) -> Cell {
        self.of(side, |side| Cell::Whole(side.layers))
    }

    /// `fp32 12, s8 3`
    fn precisions(&self, side: Side) -> Cell {
        self.of(side, |side| {
            let counts = side.precisions.iter().map(|(name, count)| format!("{name} {count}"));
            Cell::text(counts.collect::<Vec<_>>().join(", "))
        })
    }

    fn mean(&self, side: Side) -> Cell {
        self.of(side, |side| Cell::milliseconds(side.mean))
    }

    fn share(&self, side: Side) -> Cell {
        self.of(side, |side| Cell::share(side.share))
    }

    fn difference(&self) -> Cell {
        // A side that has none of a type takes no time for it.
        let time = |side: &Option<TypeSide>| match side {
            None => Some(0.0),
            Some(side) => side.mean.map(|mean| mean.0),
        };
        let [a, b] = self.subject.sides.each_ref().map(time);
        let both = a.zip(b).filter(|_| has_one_unit(self.pair.comparison));
        Cell::number(both.map(|(a, b)| b - a))
    }
}

/// What the time of each side is made of.
pub(super) fn conservation(pairs: &[Pair]) -> Table {
    let title = "What the time is made of";
    table("conservation", title, conservation_columns(), pairs, |_| vec![Side::A, Side::B])
}

fn conservation_columns<'a>() -> Vec<Column<Row<'a, Side>>> {
    vec![
        column("side", "Side", Text, "A or B", |row| {
            Cell::text(match row.subject {
                Side::A => "A",
                Side::B => "B",
            })
        }),
        column("aligned_ms", "Aligned ms", Milliseconds, "operators that both sides have", |row| {
            row.part(|parts| Some(parts.aligned))
        }),
        column(
            "only_ms",
            "Only here ms",
            Milliseconds,
            "operators that only this side has",
            |row| row.part(|parts| Some(parts.only)),
        ),
        column("overhead_ms", "Overhead ms", Milliseconds, "time that no operator covers", |row| {
            row.part(|parts| parts.overhead)
        }),
        column(
            "concurrent_ms",
            "Concurrent ms",
            Milliseconds,
            "time that operators ran side by side; it is in the parts and not in the whole",
            |row| row.part(|parts| Some(parts.concurrent)),
        ),
        column("whole_ms", "Whole ms", Milliseconds, "parts less the concurrent time", |row| {
            row.part(|parts| Some(parts.whole))
        }),
        column(
            "aligned_by_more_than_place",
            "Surely aligned",
            Share,
            "of the operators' time",
            |row| Cell::share(row.pair.comparison.aligned[row.subject as usize]),
        ),
    ]
}

impl Row<'_, Side> {
    fn part(&self, part: fn(&Conservation) -> Option<f64>) -> Cell {
        let parts = &self.pair.comparison.conservation[self.subject as usize];
        part(parts).map_or(Cell::Unknown, |sum| Cell::Number(per_iteration(parts, sum)))
    }
}
