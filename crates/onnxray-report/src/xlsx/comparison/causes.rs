//! The sheet *Causes*: what the difference of the whole is made of.

use super::version::{FASTER, SLOWER, Version, whole_value};
use crate::content::comparison::part;
use crate::document::CellStyle;
use crate::xlsx::charts::{bars, first_on_top};
use crate::xlsx::places::Layout;
use crate::xlsx::sheet::{SheetWriter, Written};
use crate::xlsx::table::write_table;
use rust_xlsxwriter::{Chart, ChartAxisLabelPosition, ChartSolidFill, ChartType, XlsxError};

pub(super) fn write(writer: &mut SheetWriter, version: &Version) -> Written {
    let (table, layout) = writer.places.get("causes")?;
    writer.text((0, 0), table.title, &writer.styles.title)?;
    write_table(writer, (table, layout))?;
    writer.sheet.set_freeze_panes(layout.row(0), 1)?;
    if table.is_empty() {
        let text = match version.comparison.hidden_by() {
            Some(_) => "profiling adds so much more to one side that none can be told",
            None => "times of the two are of different things, so that there is no difference",
        };
        return writer.text((layout.row(0), 0), text, &writer.styles.unknown);
    }
    totals(writer, layout, version)?;
    if table.len() < 40 {
        // So that the chart is not cut in two.
        writer.sheet.set_print_fit_to_pages(1, 1);
    }
    let bars = bars::shortened(writer, (table, layout), &["cause", "slower", "faster"])?;
    let chart = chart(&bars, bars.rows(), WIDTH)?;
    let top = layout.last_row() + 5;
    // Cells that only feed the chart.
    let printed = layout.place_of("slower")? - 1;
    writer.sheet.insert_chart(top, 0, &chart)?.set_print_area(
        0,
        0,
        top + 1 + height(bars.rows()) / 20,
        printed,
    )?;
    Ok(())
}

/// Width of the chart in pixels: it is below the table, and no wider than its printed part.
const WIDTH: u32 = 640;
/// On another sheet.
const WIDTH_OF_FIRST: u32 = 900;

/// Height of the chart, in pixels.
fn height(bars: usize) -> u32 {
    150 + 26 * bars as u32
}

/// Draws the first causes on another sheet, from a row on.
pub(super) fn insert_first(writer: &mut SheetWriter, row: u32) -> Written {
    const FIRST: usize = 10;
    let (table, layout) = writer.places.get("causes")?;
    if !table.is_empty() {
        let chart = chart(layout, table.len().min(FIRST), WIDTH_OF_FIRST)?;
        writer.sheet.insert_chart(row, 0, &chart)?;
    }
    Ok(())
}

/// Sum of the causes, above the measured difference that it has to equal.
fn totals(writer: &mut SheetWriter, layout: &Layout, version: &Version) -> Written {
    let styles = writer.styles;
    let (sums, measured) = (layout.last_row() + 1, layout.last_row() + 2);
    writer.text((sums, 0), "sum of the causes", &styles.total)?;
    writer.text((measured, 0), "end to end, as measured", &styles.total)?;
    let milliseconds = CellStyle::MILLISECONDS.format(styles).merge(&styles.total);
    for (key, whole) in [("a_ms", "a"), ("b_ms", "b"), ("difference_ms", "difference")] {
        let (column, value) =
            (layout.place_of(key)?, whole_value(writer, whole, version.pair.parted_row())?);
        let sum = format!("=SUM([causes.{key}*])");
        writer.formula((sums, column), sum, value, &milliseconds)?;
        let whole = format!("={}", version.pair.parted(whole));
        writer.formula((measured, column), whole, value, &milliseconds)?;
    }
    if version.pair.comparison.has_no_shares() {
        return Ok(());
    }
    // There is no share of a difference of 0.
    let share =
        whole_value(writer, "difference", version.pair.parted_row())?.filter(|all| *all != 0.0);
    let sum = format!("[causes.difference_ms:{}]", sums - layout.row(0));
    let formula = format!("={}", part(&sum, &version.pair.parted("difference")));
    let place = (sums, layout.place_of("share_of_difference")?);
    let format = CellStyle::SHARE.format(styles).merge(&styles.total);
    // The parts add up to the whole, so that their shares add up to 1.
    writer.formula(place, formula, share.map(|_| 1.0), &format)
}

/// The largest causes, and the others as one: faster to the left, slower to the right.
fn chart(layout: &Layout, bars: usize, width: u32) -> Result<Chart, XlsxError> {
    let mut chart = Chart::new(ChartType::Bar);
    for (key, colour) in [("slower", SLOWER), ("faster", FASTER)] {
        chart
            .add_series()
            .set_name(key)
            .set_categories(&layout.rows_on("cause", 0..bars)?)
            .set_values(&layout.rows_on(key, 0..bars)?)
            .set_format(ChartSolidFill::new().set_color(colour))
            .set_gap(40)
            // A cause is either slower or faster: both bars share a line.
            .set_overlap(100);
    }
    chart.title().set_name("The largest causes: what each adds or saves (ms)");
    chart.x_axis().set_name("ms");
    first_on_top(&mut chart);
    // At the edge of the chart: bars to the left of 0 would cover them.
    chart.y_axis().set_label_position(ChartAxisLabelPosition::Low);
    chart.legend().set_position(rust_xlsxwriter::ChartLegendPosition::Top);
    chart.set_width(width).set_height(height(bars));
    chart.show_hidden_data();
    Ok(chart)
}
