//! Decides what a report says of many comparisons: which differences hold together.

use crate::document::{Cell, Column, Document, Figures, Note, Notes, Table, Tone, Unit, column};
use Unit::{Count, Milliseconds, Probability, Ratio, Share, Text};
use onnxray_analyzer::comparison::{Discovery, Family, Fleet, Way};
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::statistics::Interval;
use onnxray_text::counted;

/// What holds at a false discovery rate.
pub(super) struct Found<'a> {
    fleet: &'a Fleet,
    alpha: f64,
    wholes: Vec<Discovery<'a>>,
    layers: Vec<Discovery<'a>>,
}

/// A difference that holds, and what its comparison is called.
pub(super) struct Row<'a> {
    comparison: &'a str,
    discovery: &'a Discovery<'a>,
}

/// Losses that are named one by one.
const NAMED: usize = 10;

/// What differs in many comparisons, at a false discovery rate of `alpha` over all of them.
pub fn regressions_report(fleet: &Fleet, alpha: f64) -> Document {
    let wholes = fleet.wholes.discoveries(alpha);
    let layers = fleet.layers.discoveries(alpha);
    let found = Found { fleet, alpha, wholes, layers };
    let mut document =
        Document { headline: vec![headline(&found)], ..Document::new("regressions") };
    document.push(Figures::new("regressions", "Comparisons", &figures(), &found));
    document.push(found.table("wholes", "End to end", &whole_columns(), &found.wholes));
    let layers = found.table("layers", "Layers", &layer_columns(), &found.layers);
    document.push(layers.hiding(&["difference_low_ms", "difference_high_ms"]));
    let notes = notes(&found);
    if !notes.is_empty() {
        document.push(Notes { notes });
    }
    document
}

fn headline(found: &Found) -> String {
    let Found { fleet, alpha, wholes, layers } = found;
    let said = format!(
        "{}: {}; {}.",
        counted(fleet.comparisons.len() as u64, "comparison", "comparisons"),
        sentence(&fleet.wholes, wholes, ["latency", "latencies"]),
        sentence(&fleet.layers, layers, ["layer", "layers"]),
    );
    if wholes.is_empty() && layers.is_empty() {
        return said;
    }
    format!("{said} Of those listed, at most {} % are expected to be false.", percent(*alpha))
}

/// `of 40 layers, 3 are slower and 1 faster`
fn sentence(family: &Family, found: &[Discovery], [one, several]: [&str; 2]) -> String {
    let differ = match [Way::Slower, Way::Faster].map(|way| count(found, way)) {
        _ if family.tested == 0 => return format!("no {one} was tested"),
        [0, 0] => "none differs".to_string(),
        [slower, 0] => counted(slower, "is slower", "are slower"),
        [0, faster] => counted(faster, "is faster", "are faster"),
        [slower, faster] => {
            format!("{} and {faster} faster", counted(slower, "is slower", "are slower"))
        }
    };
    format!("of {}, {differ}", counted(family.tested, one, several))
}

fn count(found: &[Discovery], way: Way) -> u64 {
    found.iter().filter(|found| found.differing.way == way).count() as u64
}

fn notes(found: &Found) -> Vec<Note> {
    let Found { fleet, wholes, layers, .. } = found;
    let mut notes = Vec::new();
    let alone = |family: &Family, found: &[Discovery]| family.differing() - found.len() as u64;
    let alone = [alone(&fleet.wholes, wholes), alone(&fleet.layers, layers)];
    if alone != [0, 0] {
        notes.push(Note::note(format!(
            "{} and {} differ by their own comparisons, but not among all",
            counted(alone[0], "latency", "latencies"),
            counted(alone[1], "layer", "layers")
        )));
    }
    let losses = &fleet.losses;
    notes.extend(losses.iter().take(NAMED).map(Note::warning));
    if let Some(more @ 1..) = losses.len().checked_sub(NAMED) {
        notes.push(Note::warning(format!("{more} more documents cannot be read")));
    }
    notes
}

impl<'a> Found<'a> {
    fn table(
        &'a self,
        key: &'static str,
        title: &'static str,
        columns: &[Column<Row<'a>>],
        found: &'a [Discovery<'a>],
    ) -> Table {
        let names = &self.fleet.comparisons;
        let rows = found.iter().map(|discovery| Row {
            comparison: names.get(discovery.differing.comparison).map_or("", String::as_str),
            discovery,
        });
        Table::new(key, title, columns, rows.collect::<Vec<_>>())
            .hiding(&["comparison_number"])
            .essential(&["comparison", "figure", "layer", "ratio", "verdict"])
    }
}

pub(super) fn figures<'a>() -> [Column<Found<'a>>; 10] {
    [
        column(
            "comparisons",
            "comparisons",
            Count,
            "versions next to their baselines",
            |found: &Found| Cell::Whole(found.fleet.comparisons.len() as u64),
        ),
        column(
            "wholes_tested",
            "latencies tested",
            Count,
            "comparisons with a test",
            |found: &Found| Cell::Whole(found.fleet.wholes.tested),
        ),
        column(
            "wholes_not_tested",
            "latencies not tested",
            Count,
            "those without",
            |found: &Found| Cell::Whole(found.fleet.wholes.not_tested),
        ),
        column("wholes_slower", "latencies slower", Count, "those listed", |found: &Found| {
            Cell::Whole(count(&found.wholes, Way::Slower))
        }),
        column("wholes_faster", "latencies faster", Count, "those listed", |found: &Found| {
            Cell::Whole(count(&found.wholes, Way::Faster))
        }),
        column(
            "layers_tested",
            "layers tested",
            Count,
            "layers with a test, of all",
            |found: &Found| Cell::Whole(found.fleet.layers.tested),
        ),
        column(
            "layers_not_tested",
            "layers not tested",
            Count,
            "those without",
            |found: &Found| Cell::Whole(found.fleet.layers.not_tested),
        ),
        column("layers_slower", "layers slower", Count, "those listed", |found: &Found| {
            Cell::Whole(count(&found.layers, Way::Slower))
        }),
        column("layers_faster", "layers faster", Count, "those listed", |found: &Found| {
            Cell::Whole(count(&found.layers, Way::Faster))
        }),
        column(
            "alpha",
            "false discovery rate",
            Share,
            "share of what each table lists that is expected to be false, at most",
            |found: &Found| Cell::Number(found.alpha),
        ),
    ]
}

pub(super) fn whole_columns<'a>() -> Vec<Column<Row<'a>>> {
    let mut columns = comparison_columns();
    columns.extend([
        column("figure", "Figure", Text, "what was compared end to end", |row: &Row| row.name()),
        column("a_ms", "A ms", Milliseconds, "typical time, of the baseline", |row: &Row| {
            Cell::milliseconds(row.discovery.differing.times[0])
        }),
        column("b_ms", "B ms", Milliseconds, "typical time, of the version", |row: &Row| {
            Cell::milliseconds(row.discovery.differing.times[1])
        }),
        difference_column(),
    ]);
    columns.extend(evidence_columns());
    columns
}

pub(super) fn layer_columns<'a>() -> Vec<Column<Row<'a>>> {
    let mut columns = comparison_columns();
    columns.extend([
        column("layer", "Layer", Text, "its name", |row: &Row| row.name()),
        column("type", "Type", Text, "operator types, of both where they differ", |row: &Row| {
            let [a, b] = &row.discovery.differing.types;
            if a == b { Cell::stated(a) } else { Cell::text(format!("{a} → {b}")) }
        }),
        difference_column(),
        column(
            "difference_low_ms",
            "Low ms",
            Milliseconds,
            "low end of a 95 % interval",
            |row: &Row| low(row.discovery.differing.difference_interval),
        ),
        column("difference_high_ms", "High ms", Milliseconds, "high end", |row: &Row| {
            high(row.discovery.differing.difference_interval)
        }),
    ]);
    columns.extend(evidence_columns());
    columns
}

fn comparison_columns<'a>() -> Vec<Column<Row<'a>>> {
    vec![
        column(
            "comparison_number",
            "#",
            Count,
            "its place in the input, from 0 on",
            |row: &Row| Cell::Whole(row.discovery.differing.comparison as u64),
        ),
        column(
            "comparison",
            "Comparison",
            Text,
            "what its document calls it, or baseline → version",
            |row: &Row| Cell::text(row.comparison),
        ),
    ]
}

fn difference_column<'a>() -> Column<Row<'a>> {
    column(
        "difference_ms",
        "B - A ms",
        Milliseconds,
        "difference of the typical times",
        |row: &Row| Cell::milliseconds(row.discovery.differing.difference),
    )
}

fn evidence_columns<'a>() -> Vec<Column<Row<'a>>> {
    vec![
        column("ratio", "B / A", Ratio, "ratio of the typical times", |row: &Row| {
            Cell::number(row.discovery.differing.ratio)
        }),
        column(
            "ratio_low",
            "Low",
            Ratio,
            "low end of a 95 % interval of the ratio",
            |row: &Row| low(row.discovery.differing.ratio_interval),
        ),
        column("ratio_high", "High", Ratio, "high end of it", |row: &Row| {
            high(row.discovery.differing.ratio_interval)
        }),
        column("p", "p", Probability, "of the test, alone", |row: &Row| {
            Cell::number(row.discovery.differing.p)
        }),
        column(
            "p_adjusted",
            "p adjusted",
            Probability,
            "after Benjamini and Hochberg over all comparisons",
            |row: &Row| Cell::number(row.discovery.p_adjusted),
        ),
        column("verdict", "Verdict", Text, "slower or faster", |row: &Row| {
            match row.discovery.differing.way {
                Way::Slower => Cell::verdict("slower", Tone::Bad),
                Way::Faster => Cell::verdict("faster", Tone::Good),
            }
        }),
    ]
}

impl Row<'_> {
    fn name(&self) -> Cell {
        Cell::text(&self.discovery.differing.name)
    }
}

fn low(interval: Option<Interval>) -> Cell {
    Cell::number(interval.map(|interval| interval.low))
}

fn high(interval: Option<Interval>) -> Cell {
    Cell::number(interval.map(|interval| interval.high))
}

/// The tables, for their documentation and for schemas.
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    vec![
        Declared::of("Regressions: comparisons", &figures()),
        Declared::of("Regressions: end to end", &whole_columns()),
        Declared::of("Regressions: layers", &layer_columns()),
    ]
}
