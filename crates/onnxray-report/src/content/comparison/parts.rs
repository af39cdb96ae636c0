//! What the time of each side is made of: operator types, and what is aligned or not.

use super::end_to_end::per_iteration;
use super::layers::titled;
use super::rows::{NOT_EXECUTED, Pair, Row, or, share_of, sheet, table};
use super::verdict::has_one_unit;
use crate::document::Unit::{Count, Milliseconds, Share, Text};
use crate::document::{
    Cell, CellStyle, Entry, Table, TableColumn, UNKNOWN, columns, others, shown_of,
};
use onnxray_analyzer::comparison::{
    ComparedType, Comparison, Conservation, LayerTimes, Side, TypeSide,
};
use onnxray_analyzer::units;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Operator types of both sides, and what they add up to.
pub(super) fn types(pairs: &[Pair], most: Option<usize>, totals: bool) -> Table {
    let rows = |pair: Pair| {
        let types = &pair.comparison.types;
        let most = shown_of(types.len(), most, totals);
        let mut rows: Vec<TypeRow> = types[..most].iter().map(TypeRow::of).collect();
        if totals {
            rows.extend(TypeRow::others(&types[most..]));
            rows.extend(TypeRow::beyond_layers(pair.comparison));
            rows.push(TypeRow::whole(pair.comparison));
        }
        rows
    };
    let mut table = table("compared_types", title(pairs), type_columns(), pairs, rows)
        .essential(&["version", "type", "a_ms", "b_ms", "difference_ms"]);
    if let Some(most) = most.filter(|_| !totals) {
        // With totals, the row of the others says how many are left out.
        let left_out = pairs.iter().map(|pair| pair.comparison.types.len().saturating_sub(most));
        table.left_out = left_out.sum();
    }
    table
}

/// An operator type, or what several come to.
pub(super) struct TypeRow {
    name: String,
    /// `None` where a side has none of it.
    sides: [Option<TypeSide>; 2],
    /// Whether it is of layers, of which a side has a number.
    of_layers: bool,
}

impl TypeRow {
    fn of(known: &ComparedType) -> TypeRow {
        let sides = known.sides.clone();
        TypeRow { name: known.operator_type.clone(), sides, of_layers: true }
    }

    /// Types that have no row of their own.
    fn others(types: &[ComparedType]) -> Option<TypeRow> {
        let sides = [0, 1].map(|side| TypeSide::sum(types.iter().flat_map(|t| &t.sides[side])));
        let name = others(types.len());
        (!types.is_empty()).then_some(TypeRow { name, sides, of_layers: true })
    }

    /// What of the latency no layer has.
    fn beyond_layers(comparison: &Comparison) -> impl Iterator<Item = TypeRow> {
        let rows = comparison.outside.iter();
        rows.map(|(name, times)| TypeRow::beside(name, *times, comparison.types_whole))
    }

    fn whole(comparison: &Comparison) -> TypeRow {
        let whole = comparison.types_whole;
        TypeRow::beside(comparison.whole_name(), whole, whole)
    }

    /// A row that is of no layers.
    fn beside(
        name: &str,
        times: [units::Milliseconds; 2],
        wholes: [units::Milliseconds; 2],
    ) -> TypeRow {
        let [a, b] = [0, 1].map(|side| {
            let (time, whole) = (times[side], wholes[side]);
            let share = (whole.0 > 0.0).then(|| units::Share(time.0 / whole.0));
            Some(TypeSide::of_time(time, share))
        });
        TypeRow { name: name.to_string(), sides: [a, b], of_layers: false }
    }
}

columns! {
    pub(super) fn type_columns<'a>: Row<'a, TypeRow>;

    /// operator type
    "type" "Type" Text = |row| Cell::text(&row.subject.name), style(CellStyle::Text), width(28.0);
    /// layers of the baseline
    "a_layers" "A layers" Count = |row| row.layers(Side::A),
        style(CellStyle::QUANTITY), value(|row| row.counted(Side::A));
    /// layers per element type
    "a_precisions" "A precisions" Text = |row| row.precisions(Side::A);
    /// time per iteration, of the kind of the layers' times
    "a_ms" "A ms" Milliseconds = |row| row.time(Side::A),
        value(|row| or(row.time(Side::A), NOT_EXECUTED));
    /// share of the baseline's latency
    "a_share" "A share" Share = |row| row.share(Side::A),
        value(|row| or(row.share(Side::A), NOT_EXECUTED)),
        formula(|row| share_of("[a_ms]", &row.pair.types_whole("a")));
    /// layers of the version
    "b_layers" "B layers" Count = |row| row.layers(Side::B),
        after("a_layers"), style(CellStyle::QUANTITY), value(|row| row.counted(Side::B));
    /// layers per element type
    "b_precisions" "B precisions" Text = |row| row.precisions(Side::B);
    /// time per iteration, of the kind of the layers' times
    "b_ms" "B ms" Milliseconds = |row| row.time(Side::B),
        value(|row| or(row.time(Side::B), NOT_EXECUTED));
    /// share of the version's latency
    "b_share" "B share" Share = |row| row.share(Side::B),
        value(|row| or(row.share(Side::B), NOT_EXECUTED)),
        formula(|row| share_of("[b_ms]", &row.pair.types_whole("b")));
    /// difference of the times
    "difference_ms" "B - A ms" Milliseconds = |row| row.difference(),
        live(|row| row.pair.has_one_unit()), formula(|_| difference());
}

/// A side that has none of a type takes no time for it.
fn difference() -> String {
    let [a, b] = ["[a_ms]", "[b_ms]"];
    format!("=IF(OR({a}=\"{UNKNOWN}\",{b}=\"{UNKNOWN}\"),\"{UNKNOWN}\",N({b})-N({a}))")
}

columns! {
    /// What the chart shows of a type: times or shares, unless it is switched off.
    fn bars<'a>: Row<'a, TypeRow>;

    own "include" "Include in chart" Switch = |_| Cell::label("yes", "yes");
    own "a_bar" "A bar" Bar = |row| row.bar(Side::A), formula(|_| bar("a"));
    own "b_bar" "B bar" Bar = |row| row.bar(Side::B), formula(|_| bar("b"));
}

fn bar(side: &str) -> String {
    format!(
        "=IF(AND([include]=\"yes\",ISNUMBER([{side}_ms])),\
         IF([:choice]=\"share\",[{side}_share],[{side}_ms]),\"\")"
    )
}

/// Element types that layers of a side compute in, those that occur most often first.
fn precisions(comparison: &Comparison, side: Side) -> Vec<&'static str> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let sides = comparison.types.iter().filter_map(|known| known.sides[side as usize].as_ref());
    for (&name, count) in sides.flat_map(|side| &side.precisions) {
        *counts.entry(name).or_default() += count;
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    // Stable: element types that occur equally often stay in the order of their names.
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts.into_iter().map(|(name, _)| name).collect()
}

/// All types of one version on a sheet, with a column for each element type, and what a chart
/// shows of which any bars can be switched off.
pub(super) fn types_sheet(pair: Pair) -> Table {
    let types = &pair.comparison.types;
    let mut columns = type_columns();
    columns.retain(|column| !["a_precisions", "b_precisions"].contains(&column.key));
    columns.extend(bars());
    let rows = types.iter().map(TypeRow::of).collect();
    let mut table =
        sheet(("compared_types", title(&[pair])), columns, pair, rows, CellStyle::reported);
    let counted = [(Side::A, "a_precisions", "A"), (Side::B, "b_precisions", "B")];
    let counted = counted.into_iter().flat_map(|(side, key, letter)| {
        precisions(pair.comparison, side).into_iter().map(move |name| {
            let heading = pair.named(&format!("{letter} {name}"));
            let counts = types.iter().map(|of_type| {
                let counts = of_type.sides[side as usize].as_ref();
                let count = counts.and_then(|side| side.precisions.get(name));
                // 0 instead of a blank: people sort and add up this column.
                Entry::from(Cell::Whole(count.copied().unwrap_or(0)))
            });
            TableColumn::live(key, heading, CellStyle::QUANTITY, counts)
        })
    });
    // After the numbers of layers.
    table.columns.splice(3..3, counted);
    table.with_width(12.0)
}

/// Which times are shown.
fn title(pairs: &[Pair]) -> &'static str {
    titled(pairs, |times| match times {
        Some(LayerTimes::Typical) => "By type, typical times",
        Some(LayerTimes::Mean) => "By type, mean times",
        Some(LayerTimes::Total) => "By type, total times",
        None => TYPES,
    })
}

const TYPES: &str = "By type";
const PARTS: &str = "What the time is made of, mean times";

impl Row<'_, TypeRow> {
    /// Of a type that a side does not have there is nothing to know.
    fn of(&self, side: Side, cell: impl FnOnce(&TypeSide) -> Cell) -> Cell {
        self.subject.sides[side as usize].as_ref().map_or(Cell::None, cell)
    }

    fn layers(&self, side: Side) -> Cell {
        let of_layers = self.subject.of_layers;
        self.of(side, |side| if of_layers { Cell::Whole(side.layers) } else { Cell::None })
    }

    /// `fp32 12, s8 3`
    fn precisions(&self, side: Side) -> Cell {
        self.of(side, |side| {
            let counts = side.precisions.iter().map(|(name, count)| format!("{name} {count}"));
            Cell::some_text(counts.collect::<Vec<_>>().join(", "))
        })
    }

    /// How many layers there are, 0 for none.
    fn counted(&self, side: Side) -> Cell {
        let layers = self.layers(side).as_number();
        Cell::Number(layers.unwrap_or(0.0))
    }

    /// What the chart shows at first.
    fn bar(&self, side: Side) -> Cell {
        match (self.time(side).as_number(), self.pair.has_one_unit()) {
            (None, _) => Cell::None,
            (Some(time), true) => Cell::Number(time),
            (Some(_), false) => self.share(side),
        }
    }

    fn time(&self, side: Side) -> Cell {
        self.of(side, |side| Cell::milliseconds(side.time))
    }

    fn share(&self, side: Side) -> Cell {
        self.of(side, |side| Cell::share(side.share))
    }

    fn difference(&self) -> Cell {
        // A side that has none of a type takes no time for it.
        let time = |side: &Option<TypeSide>| match side {
            None => Some(0.0),
            Some(side) => side.time.map(|time| time.0),
        };
        let [a, b] = self.subject.sides.each_ref().map(time);
        let both = a.zip(b).filter(|_| has_one_unit(self.pair.comparison));
        Cell::number(both.map(|(a, b)| b - a))
    }
}

/// What the time of each side is made of.
pub(super) fn conservation(pairs: &[Pair]) -> Table {
    let sides = |_| vec![Side::A, Side::B];
    let table = table("conservation", PARTS, conservation_columns(), pairs, sides);
    table.hiding_empty(&["timed_apart_ms", "longer_profiled_ms"])
}

/// The same of one version on a sheet.
pub(super) fn conservation_sheet(pair: Pair) -> Table {
    let rows = vec![Side::A, Side::B];
    sheet(("conservation", PARTS), conservation_columns(), pair, rows, CellStyle::reported)
}

columns! {
    pub(super) fn conservation_columns<'a>: Row<'a, Side>;

    /// A or B
    "side" "Side" Text = |row| {
        Cell::text(match row.subject {
            Side::A => "A",
            Side::B => "B",
        })
    }, style(CellStyle::Label),
        value(|row| Cell::text(row.pair.named(["A", "B"][row.subject as usize])));
    /// operators that both sides have
    "aligned_ms" "Aligned ms" Milliseconds = |row| row.part(|parts| Some(parts.aligned));
    /// operators that only this side has
    "only_ms" "Only here ms" Milliseconds = |row| row.part(|parts| Some(parts.only));
    /// time that no operator covers; of a latency without the profiling cost, what operators leave
    "overhead_ms" "Outside operators ms" Milliseconds = |row| row.part(|parts| parts.overhead);
    /// overlap of operators; in the parts, not in the end-to-end time
    "concurrent_ms" "Concurrent ms" Milliseconds = |row| row.part(|parts| parts.concurrent);
    /// parts - concurrent - longer while profiled
    "whole_ms" "Whole ms" Milliseconds = |row| row.part(|parts| Some(parts.whole)),
        formula(|_| {
            "=[aligned_ms]+[only_ms]+N([overhead_ms])-N([concurrent_ms])-N([longer_profiled_ms])\
             -N([timed_apart_ms])"
                .into()
        });
    /// share of operator time aligned by more than place
    "aligned_by_more_than_place" "Surely aligned" Share =
        |row| Cell::share(row.pair.comparison.aligned[row.subject as usize]);
    /// layers timed one by one, in another run, beyond the end-to-end time
    "timed_apart_ms" "Layers - end-to-end ms" Milliseconds =
        |row| match row.part(|parts| parts.apart) {
            Cell::Unknown => Cell::None,
            known => known,
        };
    /// operators of profiled iterations beyond the unprofiled latency
    "longer_profiled_ms" "Longer while profiled ms" Milliseconds =
        |row| match row.part(|parts| parts.beyond.filter(|&time| time > 0.0)) {
            Cell::Unknown => Cell::None,
            known => known,
        };
}

impl Row<'_, Side> {
    fn part(&self, part: fn(&Conservation) -> Option<f64>) -> Cell {
        let parts = &self.pair.comparison.conservation[self.subject as usize];
        part(parts).map_or(Cell::Unknown, |sum| Cell::Number(per_iteration(parts, sum)))
    }
}
