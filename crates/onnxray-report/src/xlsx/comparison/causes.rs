//! The sheet *Causes*: what the difference of the whole is made of.

use super::formulas::part;
use super::placed::Placed;
use super::version::{CAUSES as SHEET, FASTER, SLOWER, Version};
use super::wholes::Wholes;
use crate::document::Cell;
use crate::xlsx::address::cell;
use crate::xlsx::bars;
use crate::xlsx::chart::MOST_BARS;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, Written};
use rust_xlsxwriter::{Chart, ChartAxisLabelPosition, ChartSolidFill, ChartType};

const HEADER: u32 = 2;
/// Bars to the right and to the left, so that each has its colour everywhere.
const SLOWER_BAR: (&str, &str) = ("slower", "bar, slower");
const FASTER_BAR: (&str, &str) = ("faster", "bar, faster");

pub(super) fn write(page: &mut Page, version: &Version) -> Written {
    let table = Placed::new(version, "causes", (SHEET, HEADER), &[SLOWER_BAR, FASTER_BAR]);
    let layout = &table.layout;
    page.text((0, 0), table.title, &page.styles.title)?;
    table.header(page)?;
    page.sheet
        .set_column_width(0, 44)?
        .set_column_range_width(1, layout.last_column(), 13)?
        .set_freeze_panes(HEADER + 1, 1)?
        .set_repeat_rows(HEADER, HEADER)?;
    if table.rows == 0 {
        let text = match version.comparison.hidden_by() {
            Some(_) => "profiling adds so much more to one side that none can be told",
            None => "times of the two are of different things, so that there is no difference",
        };
        return page.text(layout.place("cause", 0), text, &page.styles.unknown);
    }
    let wholes = Wholes::of(version);
    for row in 0..table.rows {
        cause(page, &table, row, version, &wholes)?;
    }
    totals(page, &table, &wholes)?;
    if table.rows < 40 {
        // So that the chart is not cut in two.
        page.sheet.set_print_fit_to_pages(1, 1);
    }
    let keys = ["cause", SLOWER_BAR.0, FASTER_BAR.0];
    let shortened = bars::shortened(page, layout, &keys, table.rows, |key, row| match key {
        "cause" => match table.cell("cause", row) {
            Cell::Text(cause) => Cell::text(named(version, cause)),
            cell => cell.clone(),
        },
        key => {
            let difference = table.cell("difference_ms", row).as_number();
            Cell::number(difference.map(|minus| match key == SLOWER_BAR.0 {
                true => minus.max(0.0),
                false => minus.min(0.0),
            }))
        }
    })?;
    let chart = chart(shortened.as_ref().unwrap_or(layout), table.rows.min(MOST_BARS + 1));
    page.sheet.insert_chart(layout.last_row() + 5, 0, &chart)?;
    Ok(())
}

fn cause(
    page: &mut Page,
    table: &Placed,
    row: usize,
    version: &Version,
    wholes: &Wholes,
) -> Written {
    let (layout, numbers) = (&table.layout, page.numbers);
    let [a, b, difference] = ["a_ms", "b_ms", "difference_ms"].map(|key| layout.at(key, row));
    if let Cell::Text(cause) = table.cell("cause", row) {
        page.plain(layout.place("cause", row), &named(version, cause))?;
    }
    table.put(page, "groups", row, &numbers.quantity)?;
    table.put(page, "a_ms", row, &numbers.milliseconds)?;
    table.put(page, "b_ms", row, &numbers.milliseconds)?;
    table.formula(page, ("difference_ms", row), format!("={b}-{a}"), &numbers.milliseconds)?;
    let formula = format!("={}", part(&difference, &wholes.difference.cell));
    table.formula(page, ("share_of_difference", row), formula, &numbers.share)?;
    table.put(page, "explained_by", row, &page.styles.label)?;
    let Some(minus) = table.cell("difference_ms", row).as_number() else { return Ok(()) };
    let format = numbers.helper.clone().set_num_format("0.0000");
    let bars = [(SLOWER_BAR.0, "MAX", minus.max(0.0)), (FASTER_BAR.0, "MIN", minus.min(0.0))];
    for (key, function, value) in bars {
        let formula = format!("={function}(0,{difference})");
        page.formula(layout.place(key, row), formula, value, &format)?;
    }
    Ok(())
}

/// The causes end in which side alone has them, behind names from a trace.
fn named(version: &Version, cause: &str) -> String {
    const ONLY: &str = "only in B";
    match cause.strip_suffix(ONLY) {
        Some(rest) => format!("{rest}{}", version.named(ONLY)),
        None => cause.to_string(),
    }
}

/// What the causes come to, and what it has to be.
fn totals(page: &mut Page, table: &Placed, wholes: &Wholes) -> Written {
    let (styles, numbers, layout) = (page.styles, page.numbers, &table.layout);
    let (sums, measured) = (layout.last_row() + 1, layout.last_row() + 2);
    page.text((sums, 0), "sum of the causes", &styles.total)?;
    page.text((measured, 0), "the whole, as measured", &styles.total)?;
    let milliseconds = numbers.milliseconds.merge(&styles.total);
    for (key, whole) in [
        ("a_ms", &wholes.means[0]),
        ("b_ms", &wholes.means[1]),
        ("difference_ms", &wholes.difference),
    ] {
        let (column, sum) = (layout.column(key), format!("=SUM({})", layout.nth_span(key, 0)));
        page.formula((sums, column), sum, whole.value, &milliseconds)?;
        page.formula((measured, column), format!("={}", whole.cell), whole.value, &milliseconds)?;
    }
    let share = wholes.difference.value.filter(|difference| *difference != 0.0).map(|_| 1.0);
    let sum = cell(sums, layout.column("difference_ms"));
    let formula = format!("={}", part(&sum, &wholes.difference.cell));
    let place = (sums, layout.column("share_of_difference"));
    page.formula(place, formula, share, &numbers.share.merge(&styles.total))
}

/// The largest causes, and the others as one: faster to the left, slower to the right.
fn chart(layout: &Layout, bars: usize) -> Chart {
    let mut chart = Chart::new(ChartType::Bar);
    for (key, colour) in [(SLOWER_BAR.0, SLOWER), (FASTER_BAR.0, FASTER)] {
        chart
            .add_series()
            .set_name(key)
            .set_categories(&layout.range_of("cause", 0..bars))
            .set_values(&layout.range_of(key, 0..bars))
            .set_format(ChartSolidFill::new().set_color(colour))
            .set_gap(40)
            .set_overlap(100);
    }
    chart.title().set_name("The largest causes: what each adds or saves (ms)");
    chart.x_axis().set_name("ms");
    chart.y_axis().set_reverse().set_label_position(ChartAxisLabelPosition::Low);
    chart.legend().set_position(rust_xlsxwriter::ChartLegendPosition::Top);
    chart.set_width(900).set_height(150 + 26 * bars as u32);
    chart.show_hidden_data();
    chart
}
