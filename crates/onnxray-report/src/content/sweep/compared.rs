//! Points of the fronts next to each other, for a page where A and B are picked.

use crate::content::comparison::{Pair, layers_by_pair, verdict};
use crate::document::Unit::{Count, Milliseconds, Ratio, Text};
use crate::document::{Cell, End, Table, columns};
use onnxray_analyzer::comparison::{Comparison, LayerTimes, Recording};
use onnxray_analyzer::statistics::Interval;
use onnxray_analyzer::sweep::{ComparedPoints, Sweep};

/// A pair of points, and its number.
pub(super) struct Row<'a> {
    number: usize,
    names: [&'a str; 2],
    comparison: &'a Comparison,
}

impl Row<'_> {
    fn interval(&self) -> Option<Interval> {
        self.comparison.decisive().change.ratio_interval
    }

    fn time(&self, side: usize) -> Cell {
        self.comparison
            .decisive()
            .sides
            .get(side)
            .map_or(Cell::Unknown, |timing| Cell::milliseconds(timing.typical))
    }
}

columns! {
    fn columns<'a>: Row<'a>;

    /// number of the comparison
    "pair" "Pair" Count = |row| Cell::Whole(row.number as u64);
    /// profile of the baseline
    "a" "A" Text = |row| Cell::text(row.names[0]);
    /// profile that is compared to it
    "b" "B" Text = |row| Cell::text(row.names[1]);
    /// typical latency of the baseline
    "a_ms" "A ms" Milliseconds = |row| row.time(0);
    /// typical latency of what is compared to it
    "b_ms" "B ms" Milliseconds = |row| row.time(1);
    /// B / A
    "ratio" "B / A" Ratio = |row| Cell::number(row.comparison.decisive().change.ratio);
    /// a 95 % interval of the ratio
    ends END: End in ["ratio_low" "Low", "ratio_high" "High"] Ratio =
        |row| row.interval().map_or(Cell::None, |interval| Cell::Number(END.of(interval)));
    /// verdict end to end
    "verdict" "Verdict" Text =
        |row| verdict(row.comparison.decisive(), row.comparison.noise_threshold);
    /// which times of layers are compared
    "layer_times" "Times of layers" Text = |row| Cell::text(match row.comparison.layer_times {
        LayerTimes::Typical => "typical",
        LayerTimes::Mean => "mean",
        LayerTimes::Total => "total",
    });
    /// what `compare` notes, a line each
    "notes" "Notes" Text = |row| Cell::some_text(row.comparison.notes.join("\n"));
}

/// The pairs, and the layers of each.
pub(super) fn tables(
    sweep: &Sweep,
    recordings: &[(usize, Recording)],
    compared: &[ComparedPoints],
) -> [Table; 2] {
    let recording = |point: usize| {
        recordings.iter().find(|(number, _)| *number == point).map(|(_, recording)| recording)
    };
    let known: Vec<(Row, Pair)> = compared
        .iter()
        .filter_map(|ComparedPoints { points, comparison }| {
            let [a, b] = points.map(|point| Some((sweep.points.get(point)?, recording(point)?)));
            let ([a, b], recordings) = ([a?.0, b?.0], [a?.1, b?.1]);
            let names = [a, b].map(|point| point.profile.name.as_str());
            let pair = Pair { comparison, recordings, letter: "B" };
            Some((Row { number: 0, names, comparison }, pair))
        })
        .collect();
    let (rows, pairs): (Vec<Row>, Vec<Pair>) = known.into_iter().unzip();
    let rows = rows.into_iter().enumerate().map(|(number, row)| Row { number, ..row });
    [
        Table::new("compared_points", "Points of the front, compared", &columns(), rows),
        layers_by_pair("compared_layers", "Layers of A and B", &pairs),
    ]
}
