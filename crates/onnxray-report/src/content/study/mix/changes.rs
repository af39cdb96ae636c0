//! What each change does: alone, in B, and in the best mix.

use crate::document::{Cell, End, Table, Tone, Unit, columns};
use Unit::{Number, Ratio, Scientific, Text};
use onnxray_analyzer::study::{Mixing, Taken, Tried, TriedChange};
use onnxray_format::MixChange;

/// A change, and what it is a part of.
pub(super) struct Row<'a> {
    mixing: &'a Mixing,
    change: &'a MixChange,
    tried: &'a TriedChange,
}

impl<'a> Row<'a> {
    columns! {
        pub(super) fn columns: Row<'a>;

        /// the tensor that B computes differently
        "change" "Change" Text = |row| Cell::text(row.change.text());
        /// type of its operator
        "operator_type" "Type" Text = |row| Cell::some_text(&row.change.operator_type);
        /// whether the best mix takes it from B
        "taken" "Taken" Text = |row| match row.tried.is_taken {
            true => Cell::verdict("yes", Tone::Good),
            false => Cell::verdict("no", Tone::Plain),
        };
        /// why, or why not
        "why" "Why" Text = |row| why(&row.tried.taken);
        /// time it adds to the best mix
        "in_mix_us" "in mix µs" Number =
            |row| Cell::number(row.in_mix_ns().map(|added| added / 1e3));
        /// latency of the best mix with / without it
        "in_mix_ratio" "in mix" Ratio = |row| Cell::number(row.in_mix());
        /// time it adds to A
        "alone_us" "alone µs" Number = |row| Cell::number(row.alone_ns().map(|added| added / 1e3));
        /// latency of A with / without it
        "alone_ratio" "alone" Ratio = |row| Cell::number(row.alone().and_then(|mix| mix.ratio));
        /// the 95 % CI of that ratio
        ends END: End in ["alone_low" "alone, low", "alone_high" "alone, high"] Ratio =
            |row| END.cell(row.alone().and_then(|mix| Some(mix.effect?.interval)));
        /// loss of A with it
        "alone_loss" "Loss alone" Scientific =
            |row| Cell::number(row.alone().and_then(|mix| mix.loss));
        /// time it adds to B
        "in_b_us" "in B µs" Number = |row| Cell::number(row.in_b_ns().map(|added| added / 1e3));
        /// latency of B with / without it
        "in_b_ratio" "in B" Ratio = |row| Cell::number(row.tried.in_b.map(|effect| effect.ratio));
        /// the 95 % CI of that ratio
        ends END: End in ["in_b_low" "in B, low", "in_b_high" "in B, high"] Ratio =
            |row| END.cell(row.tried.in_b.map(|effect| effect.interval));
        /// L2 norm of the difference of both tensors / of A's
        "difference" "Difference" Scientific = |row| Cell::number(row.change.difference);
        /// changes that must come along
        "needs" "Needs" Text = |row| {
            let changes = &row.mixing.run.changes;
            let needs = row.change.needs.iter();
            let names = needs.filter_map(|&need| Some(changes.get(need as usize)?.text()));
            Cell::some_text(names.collect::<Vec<_>>().join(", "))
        };
        /// nodes that compute it
        "nodes_a" "Nodes of A" Text = |row| Cell::some_text(row.change.nodes_a.join(", "));
        /// nodes that compute it
        "nodes_b" "Nodes of B" Text = |row| Cell::some_text(row.change.nodes_b.join(", "));
    }

    fn alone(&self) -> Option<&'a Tried> {
        self.tried.alone.as_ref()
    }

    fn alone_ns(&self) -> Option<f64> {
        Some(self.mixing.base_ns? * (self.alone()?.ratio? - 1.0))
    }

    fn in_b_ns(&self) -> Option<f64> {
        // `in_b` compares B to B without the change: what it adds is a share of the latter.
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
        // The best mix has the change already if it takes it.
        let without = if self.tried.is_taken { best / self.in_mix()? } else { best };
        Some(without * (self.in_mix()? - 1.0))
    }

    /// Those that are taken first, and those of either kind that gain most.
    fn place(&self) -> (bool, f64) {
        let known = self.in_mix().or(self.alone().and_then(|mix| mix.ratio));
        // What was not measured comes last.
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
    Table::new("mix_changes", "Changes", &Row::columns(), rows)
        .hiding(&["alone_low", "alone_high", "in_b_low", "in_b_high", "nodes_a", "nodes_b"])
        .essential(&["change", "taken", "why", "in_mix_us", "alone_us"])
        .shortened(most)
}
