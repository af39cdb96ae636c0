//! The sheet *Layer types*: operator types of both sides, and a chart of which
//! any bars can be switched off.

use super::formulas::{NOT_EXECUTED, live, share, time, unknown};
use super::inference;
use super::placed::Placed;
use super::version::{SIDE_COLOURS, TYPES as SHEET, Version};
use super::wholes::Wholes;
use crate::document::Cell;
use crate::xlsx::address::fixed;
use crate::xlsx::bars;
use crate::xlsx::chart::MOST_BARS;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, Written};
use rust_xlsxwriter::{
    Chart, ChartLegendPosition, ChartSolidFill, ChartType, DataValidation, Format, FormatAlign,
    ObjectMovement,
};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Where the reader chooses what the chart shows.
const CHOICE: (u32, u16) = (1, 1);
const TIME: &str = "time (ms)";
const SHARE: &str = "share";
const TOTALS: u32 = 3;
const HEADER: u32 = 4;

/// Columns of the report, by side. Of the precisions, the sheet has a column for each
/// element type.
const LAYERS: [&str; 2] = ["a_layers", "b_layers"];
const PRECISIONS: [&str; 2] = ["a_precisions", "b_precisions"];
const TIMES: [&str; 2] = ["a_ms", "b_ms"];
const SHARES: [&str; 2] = ["a_share", "b_share"];
/// Columns that only the sheet has.
const INCLUDE: &str = "include";
const BARS: [&str; 2] = ["a_bar", "b_bar"];

/// The sheet's columns: those of the report, and those of the chart.
struct Types<'a> {
    version: &'a Version<'a>,
    table: Placed<'a>,
    /// By side, those that occur most often first.
    precisions: [Vec<&'static str>; 2],
    layout: Layout,
}

impl<'a> Types<'a> {
    fn of(version: &'a Version<'a>) -> Types<'a> {
        let table = Placed::new(version, "compared_types", (SHEET, HEADER), &[]);
        let precisions = [0, 1].map(|side| precisions(version, side));
        let times = [TIMES[0], SHARES[0], TIMES[1], SHARES[1], "difference_ms"];
        let keys = ["type", LAYERS[0], LAYERS[1], PRECISIONS[0], PRECISIONS[1]].into_iter();
        let keys = keys.chain(times).chain([INCLUDE, BARS[0], BARS[1]]);
        let width = |key| match PRECISIONS.iter().position(|precisions| *precisions == key) {
            Some(side) => precisions[side].len() as u16,
            None => 1,
        };
        let spans = keys.map(|key| (key, width(key)));
        let layout = Layout::spanning(version.sheet(SHEET), spans, HEADER, table.rows);
        Types { version, table, precisions, layout }
    }

    fn header(&self, page: &mut Page) -> Written {
        page.header(HEADER, 0, &[&self.table.heading("type")])?;
        let mut heading = |column: u16, text: &str| {
            page.number_header(HEADER, column, &[&self.version.named(text)])
        };
        for key in LAYERS.into_iter().chain(TIMES).chain(SHARES).chain(["difference_ms"]) {
            heading(self.layout.column(key), &self.table.heading(key))?;
        }
        for (side, letter) in ["A", "B"].into_iter().enumerate() {
            heading(self.layout.column(BARS[side]), &format!("{letter} bar"))?;
            for (column, name) in self.precision_columns(side) {
                heading(column, &format!("{letter} {name}"))?;
            }
        }
        heading(self.layout.column(INCLUDE), "Include in chart")
    }

    /// Columns and names of the element types that layers of a side compute in.
    fn precision_columns(&self, side: usize) -> impl Iterator<Item = (u16, &'static str)> {
        (self.layout.column(PRECISIONS[side])..).zip(self.precisions[side].iter().copied())
    }

    /// What the chart shows of a type at first.
    fn bar(&self, side: usize, row: usize) -> Cell {
        let time = self.table.cell(TIMES[side], row);
        match (time.as_number(), self.version.has_one_unit()) {
            (None, _) => Cell::None,
            (Some(time), true) => Cell::Number(time),
            (Some(_), false) => self.table.cell(SHARES[side], row).clone(),
        }
    }

    /// How many layers of a type compute in an element type.
    fn count(&self, side: usize, name: &str, row: usize) -> u64 {
        let counts = self.version.comparison.types[row].sides[side].as_ref();
        counts.and_then(|side| side.precisions.get(name)).copied().unwrap_or(0)
    }
}

fn precisions(version: &Version, side: usize) -> Vec<&'static str> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let sides = version.comparison.types.iter().filter_map(|known| known.sides[side].as_ref());
    for (&name, count) in sides.flat_map(|side| &side.precisions) {
        *counts.entry(name).or_default() += count;
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts.into_iter().map(|(name, _)| name).collect()
}

pub(super) fn write(page: &mut Page, version: &Version) -> Written {
    let types = Types::of(version);
    let (table, layout) = (&types.table, &types.layout);
    page.text((0, 0), table.title, &page.styles.title)?;
    page.text((CHOICE.0, 0), "the chart shows", &page.styles.label)?;
    page.text(CHOICE, if version.has_one_unit() { TIME } else { SHARE }, &page.styles.input)?;
    let choice = DataValidation::new().allow_list_strings(&[TIME, SHARE])?;
    page.sheet.add_data_validation(CHOICE.0, CHOICE.1, CHOICE.0, CHOICE.1, &choice)?;
    types.header(page)?;
    let wholes = Wholes::of(version);
    for row in 0..table.rows {
        counts(page, &types, row)?;
        times(page, &types, row, &wholes)?;
        bars(page, &types, row)?;
    }
    if table.rows == 0 {
        return Ok(());
    }
    totals(page, &types)?;
    let (first, last, right) = (layout.row(0), layout.last_row(), layout.last_column());
    let include = layout.column(INCLUDE);
    let choice = DataValidation::new().allow_list_strings(&["yes", "no"])?;
    page.sheet.add_data_validation(first, include, last, include, &choice)?;
    page.sheet
        .autofilter(HEADER, 0, last, right)?
        .set_freeze_panes(first, 1)?
        .set_repeat_rows(HEADER, HEADER)?;
    page.sheet.set_column_width(0, 28)?.set_column_range_width(1, right, 12)?;
    let keys = ["type", BARS[0], BARS[1]];
    let shortened = bars::shortened(page, layout, &keys, table.rows, |key, row| {
        match BARS.iter().position(|bars| *bars == key) {
            Some(side) => types.bar(side, row),
            None => table.cell("type", row).clone(),
        }
    })?;
    let chart = chart(&types, shortened.as_ref().unwrap_or(layout));
    page.sheet.insert_chart(last + 2, 0, &chart)?;
    Ok(())
}

/// How many layers there are, and how many compute in which precision.
fn counts(page: &mut Page, types: &Types, row: usize) -> Written {
    let quantity = &page.numbers.quantity;
    if let Cell::Text(name) = types.table.cell("type", row) {
        page.plain(types.layout.place("type", row), name)?;
    }
    for (side, key) in LAYERS.into_iter().enumerate() {
        let layers = types.table.cell(key, row).as_number().unwrap_or(0.0);
        page.number(types.layout.place(key, row), layers, quantity)?;
        for (column, name) in types.precision_columns(side) {
            let place = (types.layout.row(row), column);
            page.number(place, types.count(side, name, row) as f64, quantity)?;
        }
    }
    Ok(())
}

fn times(page: &mut Page, types: &Types, row: usize, wholes: &Wholes) -> Written {
    let (numbers, layout) = (page.numbers, &types.layout);
    for side in [0, 1] {
        let (key, share_key) = (TIMES[side], SHARES[side]);
        time(page, layout.place(key, row), types.table.cell(key, row), &numbers.milliseconds)?;
        let formula = share(&layout.at(key, row), &wholes.means[side].cell);
        let cell = (types.table.cell(share_key, row), NOT_EXECUTED);
        live(page, layout.place(share_key, row), formula, cell, &numbers.share)?;
    }
    let place = layout.place("difference_ms", row);
    if !types.version.has_one_unit() {
        return page.known(place, None, &numbers.milliseconds);
    }
    // A side that has none of a type takes no time for it.
    let ([a, b], unknown) = (TIMES.map(|key| layout.at(key, row)), unknown());
    let formula = format!("=IF(OR({a}={unknown},{b}={unknown}),{unknown},N({b})-N({a}))");
    page.formula(place, formula, types.table.cell("difference_ms", row), &numbers.milliseconds)
}

/// What the chart shows of a type: times or shares, unless it is switched off.
fn bars(page: &mut Page, types: &Types, row: usize) -> Written {
    let (styles, numbers, layout) = (page.styles, page.numbers, &types.layout);
    let input = styles.input.clone().set_align(FormatAlign::Center);
    page.text(layout.place(INCLUDE, row), "yes", &input)?;
    let include = layout.at(INCLUDE, row);
    let choice = fixed(CHOICE.0, CHOICE.1);
    let format = numbers.helper.clone().set_num_format("0.0000");
    for side in [0, 1] {
        let [time, share] = [TIMES, SHARES].map(|keys| layout.at(keys[side], row));
        let chosen = format!("IF({choice}=\"{SHARE}\",{share},{time})");
        let formula = format!("=IF(AND({include}=\"yes\",ISNUMBER({time})),{chosen},\"\")");
        page.formula(layout.place(BARS[side], row), formula, &types.bar(side, row), &format)?;
    }
    Ok(())
}

/// Sums of the rows that a filter leaves.
fn totals(page: &mut Page, types: &Types) -> Written {
    let (styles, numbers, table) = (page.styles, page.numbers, &types.table);
    page.text((TOTALS, 0), "Total of the rows shown", &styles.total)?;
    let layout = &types.layout;
    let mut total = |(key, position): (&str, u16), value: f64, format: &Format| {
        let formula = format!("=SUBTOTAL(109,{})", layout.nth_span(key, position));
        let place = (TOTALS, layout.column(key) + position);
        page.formula(place, formula, value, &format.merge(&styles.total))
    };
    for side in [0, 1] {
        for (position, name) in (0..).zip(&types.precisions[side]) {
            let count: u64 = (0..table.rows).map(|row| types.count(side, name, row)).sum();
            total((PRECISIONS[side], position), count as f64, &numbers.quantity)?;
        }
        for (key, format) in [
            (LAYERS[side], &numbers.quantity),
            (TIMES[side], &numbers.milliseconds),
            (SHARES[side], &numbers.share),
        ] {
            total((key, 0), table.sum(key), format)?;
        }
    }
    // Times of different things have no differences to add up.
    match types.version.has_one_unit() {
        true => total(("difference_ms", 0), table.sum("difference_ms"), &numbers.milliseconds),
        false => Ok(()),
    }
}

fn chart(types: &Types, layout: &Layout) -> Chart {
    let bars = types.table.rows.min(MOST_BARS + 1);
    let labels = inference::layout(types.version);
    let mut chart = Chart::new(ChartType::Bar);
    for (side, colour) in SIDE_COLOURS.into_iter().enumerate() {
        chart
            .add_series()
            .set_name(&labels.heading(["a", "b"][side]))
            .set_categories(&layout.range_of("type", 0..bars))
            .set_values(&layout.range_of(BARS[side], 0..bars))
            .set_format(ChartSolidFill::new().set_color(colour))
            .set_gap(40);
    }
    chart.title().set_name("Time by layer type: ms, or share if chosen above");
    // The first row, which takes most time, belongs on top.
    chart.y_axis().set_reverse();
    chart.x_axis().set_min(0.0).set_name("ms, or share");
    chart.legend().set_position(ChartLegendPosition::Top);
    chart.set_width(900).set_height(150 + 36 * bars as u32);
    chart.show_hidden_data();
    chart.set_object_movement(ObjectMovement::MoveButDontSizeWithCells);
    chart
}
