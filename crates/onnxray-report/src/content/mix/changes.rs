//! What each change does: alone, in B, and in the best mix.

use crate::document::{Cell, Column, Table, Tone, Unit, column};
use Unit::{Number, Ratio, Scientific, Text};
use onnxray_analyzer::mix::{Mix, Mixing, Taken, TriedChange};
use onnxray_format::MixChange;

/// A change, and what it is a part of.
pub(super) struct Row<'a> {
    mixing: &'a Mixing,
    change: &'a MixChange,
    tried: &'a TriedChange,
}

impl<'a> Row<'a> {
    pub(super) const COLUMNS: [Column<Row<'a>>; 19] = [
        column("change", "Change", Text, "the tensor", |row| Cell::text(row.change.text())),
        column("operator_type", "Type", Text, "its operator", |row| {
            Cell::some_text(&row.change.operator_type)
        }),
        column("taken", "Taken", Text, "from B", |row| match row.tried.is_taken {
            true => Cell::verdict("yes", Tone::Good),
            false => Cell::verdict("no", Tone::Plain),
        }),
        column("why", "Why", Text, "and why", |row| why(&row.tried.taken)),
        column("in_mix_us", "in mix µs", Number, "added to the mix", |row| {
            Cell::number(row.in_mix_ns().map(|added| added / 1e3))
        }),
        column("in_mix_ratio", "in mix", Ratio, "with it / without", |row| {
            Cell::number(row.in_mix())
        }),
        column("alone_us", "alone µs", Number, "added to A", |row| {
            Cell::number(row.alone_ns().map(|added| added / 1e3))
        }),
        column("alone_ratio", "alone", Ratio, "A with it / A", |row| {
            Cell::number(row.alone().and_then(|mix| mix.ratio))
        }),
        column("alone_low", "from", Ratio, "95 % CI", |row| Cell::number(row.alone_end(false))),
        column("alone_high", "to", Ratio, "95 % CI", |row| Cell::number(row.alone_end(true))),
        column("alone_loss", "Loss alone", Scientific, "of A with it", |row| {
            Cell::number(row.alone().and_then(|mix| mix.loss))
        }),
        column("in_b_us", "in B µs", Number, "added to B", |row| {
            Cell::number(row.in_b_ns().map(|added| added / 1e3))
        }),
        column("in_b_ratio", "in B", Ratio, "B / B without it", |row| {
            Cell::number(row.tried.in_b.map(|effect| effect.ratio))
        }),
        column("in_b_low", "from", Ratio, "95 % CI", |row| {
            Cell::number(row.tried.in_b.map(|effect| effect.interval.0))
        }),
        column("in_b_high", "to", Ratio, "95 % CI", |row| {
            Cell::number(row.tried.in_b.map(|effect| effect.interval.1))
        }),
        column("difference", "Difference", Scientific, "relative L2 from A's", |row| {
            Cell::number(row.change.difference)
        }),
        column("needs", "Needs", Text, "that come along", |row| {
            let changes = &row.mixing.run.changes;
            let needs = row.change.needs.iter();
            let names = needs.filter_map(|&need| Some(changes.get(need as usize)?.text()));
            Cell::some_text(names.collect::<Vec<_>>().join(", "))
        }),
        column("nodes_a", "Nodes of A", Text, "that compute it", |row| {
            Cell::some_text(row.change.nodes_a.join(", "))
        }),
        column("nodes_b", "Nodes of B", Text, "that compute it", |row| {
            Cell::some_text(row.change.nodes_b.join(", "))
        }),
    ];

    fn alone(&self) -> Option<&'a Mix> {
        self.tried.alone.as_ref()
    }

    fn alone_end(&self, high: bool) -> Option<f64> {
        let (from, to) = self.alone()?.effect?.interval;
        Some(if high { to } else { from })
    }

    fn alone_ns(&self) -> Option<f64> {
        Some(self.mixing.base_ns? * (self.alone()?.ratio? - 1.0))
    }

    fn in_b_ns(&self) -> Option<f64> {
        let without = self.mixing.base_ns? * self.tried.without.as_ref()?.ratio?;
        Some(without * (self.tried.in_b?.ratio - 1.0))
    }

    /// The best mix with the change / that without it, whichever of both is the best one.
    fn in_mix(&self) -> Option<f64> {
        let ratio = self.tried.in_best?;
        Some(if self.tried.is_taken { ratio } else { 1.0 / ratio })
    }

    fn in_mix_ns(&self) -> Option<f64> {
        let best = self.mixing.base_ns? * self.mixing.best.as_ref()?.ratio?;
        let without = if self.tried.is_taken { best / self.in_mix()? } else { best };
        Some(without * (self.in_mix()? - 1.0))
    }

    /// Those that are taken first, and those of either kind that gain most.
    fn place(&self) -> (bool, f64) {
        let known = self.in_mix().or(self.alone().and_then(|mix| mix.ratio));
        (!self.tried.is_taken, known.unwrap_or(f64::INFINITY))
    }
}

fn why(taken: &Taken) -> Cell {
    match taken {
        Taken::Gains => Cell::label("gains", "gains"),
        Taken::Needed => Cell::label("needed", "needed"),
        Taken::Kept | Taken::NoGain => Cell::label("no_effect", "no effect"),
        Taken::Costs => Cell::label("costs", "costs"),
        Taken::Loses => Cell::label("too_lossy", "too lossy"),
        Taken::NeedsTooMuch => Cell::label("needs_costly", "needs costly"),
        Taken::Failed(reason) => Cell::text(format!("failed: {reason}")),
        Taken::Unknown => Cell::label("unknown", "not measured"),
    }
}

pub(super) fn table(mixing: &Mixing, most: Option<usize>) -> Table {
    let both = mixing.run.changes.iter().zip(&mixing.changes);
    let mut rows: Vec<Row> = both.map(|(change, tried)| Row { mixing, change, tried }).collect();
    rows.sort_by(|a, b| {
        let ((left_a, ratio_a), (left_b, ratio_b)) = (a.place(), b.place());
        left_a.cmp(&left_b).then(ratio_a.total_cmp(&ratio_b))
    });
    Table::new("mix_changes", "Changes", &Row::COLUMNS, rows)
        .hiding(&["alone_low", "alone_high", "in_b_low", "in_b_high", "nodes_a", "nodes_b"])
        .essential(&["change", "taken", "why", "in_mix_us", "alone_us"])
        .shortened(most)
}
