//! Decides what a report says of many comparisons: which differences hold together.

use crate::document::{
    Cell, Column, Document, End, Figures, Note, Notes, Table, Tone, Unit, columns,
};
use Unit::{Count, Milliseconds, Probability, Ratio, Share, Text};
use onnxray_analyzer::comparison::keys::{COUNT, LAYER};
use onnxray_analyzer::comparison::tables::PATTERNS;
use onnxray_analyzer::comparison::{Discovery, Family, Fleet, Way};
use onnxray_analyzer::quantity::percent;
use onnxray_text::counted;

/// What holds at a false discovery rate.
pub(super) struct Found<'a> {
    fleet: &'a Fleet,
    alpha: f64,
    wholes: Vec<Discovery<'a>>,
    costs: Vec<Discovery<'a>>,
    layers: Vec<Discovery<'a>>,
    patterns: Vec<Discovery<'a>>,
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
    let costs = fleet.costs.discoveries(alpha);
    let layers = fleet.layers.discoveries(alpha);
    let patterns = fleet.patterns.discoveries(alpha);
    let found = Found { fleet, alpha, wholes, costs, layers, patterns };
    let mut document =
        Document { headline: vec![headline(&found)], ..Document::new("regressions") };
    let has_patterns = fleet.patterns.tested + fleet.patterns.not_tested > 0;
    let has_costs = fleet.costs.tested + fleet.costs.not_tested > 0;
    let mut of_all = figures();
    if has_costs {
        of_all.extend(cost_figures());
    }
    if has_patterns {
        of_all.extend(pattern_figures());
    }
    document.push(Figures::new("regressions", "Comparisons", &of_all, &found));
    document.push(found.table("wholes", "End to end", &whole_columns(), &found.wholes));
    if has_costs {
        document.push(found.table("costs", "Costs", &cost_columns(), &found.costs));
    }
    let ends = ["difference_low_ms", "difference_high_ms"];
    if has_patterns {
        let columns = pattern_columns();
        let patterns = found.table(PATTERNS, "Patterns of layers", &columns, &found.patterns);
        document.push(patterns.hiding(&ends));
    }
    let layers = found.table("layers", "Layers", &layer_columns(), &found.layers);
    document.push(layers.hiding(&ends));
    let notes = notes(&found);
    if !notes.is_empty() {
        document.push(Notes { notes });
    }
    document
}

fn headline(found: &Found) -> String {
    let Found { fleet, alpha, wholes, costs, layers, patterns } = found;
    let of_costs = match fleet.costs.tested {
        0 => String::new(),
        _ => sentence(&fleet.costs, costs, ["cost", "costs"], HIGHER) + "; ",
    };
    let of_patterns = match fleet.patterns.tested {
        0 => String::new(),
        _ => {
            let names = ["pattern of layers", "patterns of layers"];
            sentence(&fleet.patterns, patterns, names, SLOWER) + "; "
        }
    };
    let said = format!(
        "{}: {}; {of_costs}{of_patterns}{}.",
        counted(fleet.comparisons.len() as u64, "comparison", "comparisons"),
        sentence(&fleet.wholes, wholes, ["latency", "latencies"], SLOWER),
        sentence(&fleet.layers, layers, ["layer", "layers"], SLOWER),
    );
    // An empty list has no false discoveries to expect.
    if [wholes, costs, layers, patterns].iter().all(|found| found.is_empty()) {
        return said;
    }
    format!("{said} Of those listed, at most {} % are expected to be false.", percent(*alpha))
}

/// What a version is that takes more, and one that takes less.
const SLOWER: [&str; 2] = ["slower", "faster"];
/// The same of costs.
const HIGHER: [&str; 2] = ["higher", "lower"];

/// `of 40 layers, 3 are slower and 1 faster`
fn sentence(
    family: &Family,
    found: &[Discovery],
    [one, several]: [&str; 2],
    [more, less]: [&str; 2],
) -> String {
    let are = |number: u64, way: &str| match number {
        1 => format!("1 is {way}"),
        _ => format!("{number} are {way}"),
    };
    let differ = match [Way::Slower, Way::Faster].map(|way| count(found, way)) {
        _ if family.tested == 0 => return format!("no {one} was tested"),
        [0, 0] => "none differs".to_string(),
        [of_more, 0] => are(of_more, more),
        [0, of_less] => are(of_less, less),
        [of_more, of_less] => format!("{} and {of_less} {less}", are(of_more, more)),
    };
    format!("of {}, {differ}", counted(family.tested, one, several))
}

fn count(found: &[Discovery], way: Way) -> u64 {
    found.iter().filter(|found| found.differing.way == way).count() as u64
}

fn notes(found: &Found) -> Vec<Note> {
    let Found { fleet, wholes, layers, .. } = found;
    let mut notes = Vec::new();
    // Never negative: what holds among all differs by itself, too.
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

columns! {
    pub(super) fn figures<'a>: Found<'a>;

    /// versions with their baselines
    "comparisons" "comparisons" Count = |found| Cell::Whole(found.fleet.comparisons.len() as u64);
    /// comparisons with a test
    "wholes_tested" "latencies tested" Count = |found| Cell::Whole(found.fleet.wholes.tested);
    /// comparisons without a test
    "wholes_not_tested" "latencies not tested" Count =
        |found| Cell::Whole(found.fleet.wholes.not_tested);
    /// listed comparisons
    "wholes_slower" "latencies slower" Count =
        |found| Cell::Whole(count(&found.wholes, Way::Slower));
    /// listed comparisons
    "wholes_faster" "latencies faster" Count =
        |found| Cell::Whole(count(&found.wholes, Way::Faster));
    /// layers with a test, of all
    "layers_tested" "layers tested" Count = |found| Cell::Whole(found.fleet.layers.tested);
    /// layers without a test
    "layers_not_tested" "layers not tested" Count =
        |found| Cell::Whole(found.fleet.layers.not_tested);
    /// listed layers
    "layers_slower" "layers slower" Count = |found| Cell::Whole(count(&found.layers, Way::Slower));
    /// listed layers
    "layers_faster" "layers faster" Count = |found| Cell::Whole(count(&found.layers, Way::Faster));
    /// largest expected share of false rows in a table
    "alpha" "false discovery rate" Share = |found| Cell::Number(found.alpha);
}

columns! {
    fn pattern_figures<'a>: Found<'a>;

    /// patterns of layers with a test, of all
    "patterns_tested" "patterns tested" Count = |found| Cell::Whole(found.fleet.patterns.tested);
    /// patterns of layers without a test
    "patterns_not_tested" "patterns not tested" Count =
        |found| Cell::Whole(found.fleet.patterns.not_tested);
    /// patterns of layers that the table lists
    "patterns_slower" "patterns slower" Count =
        |found| Cell::Whole(count(&found.patterns, Way::Slower));
    /// patterns of layers that the table lists
    "patterns_faster" "patterns faster" Count =
        |found| Cell::Whole(count(&found.patterns, Way::Faster));
}

columns! {
    fn cost_figures<'a>: Found<'a>;

    /// costs with a test
    "costs_tested" "costs tested" Count = |found| Cell::Whole(found.fleet.costs.tested);
    /// costs without a test
    "costs_not_tested" "costs not tested" Count = |found| Cell::Whole(found.fleet.costs.not_tested);
    /// listed costs
    "costs_higher" "costs higher" Count = |found| Cell::Whole(count(&found.costs, Way::Slower));
    /// listed costs
    "costs_lower" "costs lower" Count = |found| Cell::Whole(count(&found.costs, Way::Faster));
}

pub(super) fn cost_columns<'a>() -> Vec<Column<Row<'a>>> {
    let lists = [comparison_columns(), cost_names(), evidence_columns(), cost_verdicts()];
    lists.into_iter().flatten().collect()
}

columns! {
    fn cost_names<'a>: Row<'a>;

    /// what an inference costs beside its latency
    "figure" "Figure" Text = |row| row.name();
}

columns! {
    fn cost_verdicts<'a>: Row<'a>;

    /// higher or lower
    "verdict" "Verdict" Text = |row| match row.discovery.differing.way {
        Way::Slower => Cell::verdict("higher", Tone::Bad),
        Way::Faster => Cell::verdict("lower", Tone::Good),
    };
}

pub(super) fn whole_columns<'a>() -> Vec<Column<Row<'a>>> {
    let lists = [comparison_columns(), whole_times(), evidence_columns(), verdicts()];
    lists.into_iter().flatten().collect()
}

pub(super) fn layer_columns<'a>() -> Vec<Column<Row<'a>>> {
    let lists = [comparison_columns(), layer_times(), evidence_columns(), verdicts()];
    lists.into_iter().flatten().collect()
}

pub(super) fn pattern_columns<'a>() -> Vec<Column<Row<'a>>> {
    let lists =
        [comparison_columns(), pattern_names(), layer_times(), evidence_columns(), verdicts()];
    // The name of a pattern takes the place of a layer's.
    let mut columns: Vec<_> = lists.into_iter().flatten().collect();
    let mut is_first = true;
    columns.retain(|column| column.key != LAYER || std::mem::take(&mut is_first));
    columns
}

columns! {
    fn pattern_names<'a>: Row<'a>;

    /// name that its layers share, with * for numbers that differ
    LAYER "Layers" Text = |row| row.name();
    /// layers of the pattern
    COUNT "Count" Count = |row| Cell::Whole(row.discovery.differing.layers);
}

columns! {
    fn comparison_columns<'a>: Row<'a>;

    /// place in the input, from 0
    "comparison_number" "#" Count = |row| Cell::Whole(row.discovery.differing.comparison as u64);
    /// its name in the document, or baseline → version
    "comparison" "Comparison" Text = |row| Cell::text(row.comparison);
}

columns! {
    fn whole_times<'a>: Row<'a>;

    /// end-to-end figure
    "figure" "Figure" Text = |row| row.name();
    /// typical time, of the baseline
    "a_ms" "A ms" Milliseconds = |row| Cell::milliseconds(row.discovery.differing.times[0]);
    /// typical time, of the version
    "b_ms" "B ms" Milliseconds = |row| Cell::milliseconds(row.discovery.differing.times[1]);
    /// difference of the typical times
    "difference_ms" "B - A ms" Milliseconds =
        |row| Cell::milliseconds(row.discovery.differing.difference);
}

columns! {
    fn layer_times<'a>: Row<'a>;

    /// its name
    "layer" "Layer" Text = |row| row.name();
    /// operator types, of both where they differ
    "type" "Type" Text = |row| {
        let [a, b] = &row.discovery.differing.types;
        if a == b { Cell::stated(a) } else { Cell::text(format!("{a} → {b}")) }
    };
    /// difference of the typical times
    "difference_ms" "B - A ms" Milliseconds =
        |row| Cell::milliseconds(row.discovery.differing.difference);
    /// a 95 % interval
    ends END: End in ["difference_low_ms" "Low ms", "difference_high_ms" "High ms"] Milliseconds =
        |row| END.cell(row.discovery.differing.difference_interval);
}

columns! {
    fn evidence_columns<'a>: Row<'a>;

    /// ratio of the typical times
    "ratio" "B / A" Ratio = |row| Cell::number(row.discovery.differing.ratio);
    /// a 95 % interval of the ratio
    ends END: End in ["ratio_low" "Low", "ratio_high" "High"] Ratio =
        |row| END.cell(row.discovery.differing.ratio_interval);
    /// p-value of its own test
    "p" "p" Probability = |row| Cell::number(row.discovery.differing.p);
    /// p-value after Benjamini and Hochberg over all comparisons
    "p_adjusted" "p adjusted" Probability = |row| Cell::number(row.discovery.p_adjusted);
}

columns! {
    fn verdicts<'a>: Row<'a>;

    /// slower or faster
    "verdict" "Verdict" Text = |row| match row.discovery.differing.way {
        Way::Slower => Cell::verdict("slower", Tone::Bad),
        Way::Faster => Cell::verdict("faster", Tone::Good),
    };
}

impl Row<'_> {
    fn name(&self) -> Cell {
        Cell::text(&self.discovery.differing.name)
    }
}

/// The tables, for their documentation and for schemas.
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    vec![
        Declared::of("Regressions: comparisons", &figures()),
        Declared::of("Regressions: costs of all", &cost_figures()),
        Declared::of("Regressions: patterns of layers", &pattern_figures()),
        Declared::of("Regressions: end to end", &whole_columns()),
        Declared::of("Regressions: costs", &cost_columns()),
        Declared::of("Regressions: layers", &layer_columns()),
    ]
}
