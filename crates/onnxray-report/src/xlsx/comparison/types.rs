//! The sheet *By type*: operator types of both sides, and a chart of which
//! any bars can be switched off.

use super::version::{CHOICE, SIDE_COLOURS, Version};
use crate::document::CellStyle;
use crate::xlsx::charts::{bars, first_on_top};
use crate::xlsx::places::{LaidOutTable, Layout};
use crate::xlsx::sheet::{SheetWriter, Written};
use crate::xlsx::table::{style, write_table};
use rust_xlsxwriter::{
    Chart, ChartLegendPosition, ChartSolidFill, ChartType, DataValidation, ObjectMovement,
    XlsxError,
};

const TIME: &str = "time (ms)";
const SHARE: &str = "share";

pub(super) fn write(writer: &mut SheetWriter, version: &Version) -> Written {
    let (table, layout) = writer.places.get("compared_types")?;
    writer.text((0, 0), table.title, &writer.styles.title)?;
    writer.text((CHOICE.0, 0), "the chart shows", &writer.styles.label)?;
    writer.text(
        CHOICE,
        // Times of different things cannot be compared; their shares can.
        if version.pair.has_one_unit() { TIME } else { SHARE },
        &writer.styles.input,
    )?;
    let choice = DataValidation::new().allow_list_strings(&[TIME, SHARE])?;
    writer.sheet.add_data_validation(CHOICE.0, CHOICE.1, CHOICE.0, CHOICE.1, &choice)?;
    write_table(writer, (table, layout))?;
    if table.is_empty() {
        return Ok(());
    }
    totals(writer, (table, layout), version)?;
    let (first, last, right) = (layout.row(0), layout.last_row(), layout.last_column());
    let include = layout.place_of("include")?;
    let choice = DataValidation::new().allow_list_strings(&["yes", "no"])?;
    writer.sheet.add_data_validation(first, include, last, include, &choice)?;
    writer.sheet.autofilter(layout.header(), 0, last, right)?.set_freeze_panes(first, 1)?;
    let bars = bars::shortened(writer, (table, layout), &["type", "a_bar", "b_bar"])?;
    let chart = chart(writer, &bars)?;
    // Cells that only feed the chart.
    let bottom = last + 3 + height(bars.rows()) / 20;
    writer.sheet.insert_chart(last + 2, 0, &chart)?.set_print_area(0, 0, bottom, include)?;
    Ok(())
}

/// Height of the chart, in pixels.
fn height(bars: usize) -> u32 {
    150 + 36 * bars as u32
}

/// Sums of the rows that a filter leaves.
fn totals(writer: &mut SheetWriter, (table, layout): LaidOutTable, version: &Version) -> Written {
    let styles = writer.styles;
    let row = layout.header() - 1;
    writer.text((row, 0), "Total of the rows shown", &styles.total)?;
    for (place, column) in (layout.left()..).zip(&table.columns) {
        let style = style(column);
        let is_summed = style.is_number() && !style.is_input();
        // Times of different things have no differences to add up.
        let is_difference = column.heading.key == "difference_ms" && !version.pair.has_one_unit();
        if is_summed && style != CellStyle::Bar && !is_difference {
            // 109: rows that a filter or a user hides do not count.
            let formula = format!("=SUBTOTAL(109,{})", layout.span(place));
            let format = style.format(styles).merge(&styles.total);
            writer.formula((row, place), formula, column.sum(), &format)?;
        }
    }
    Ok(())
}

fn chart(writer: &SheetWriter, layout: &Layout) -> Result<Chart, XlsxError> {
    let bars = layout.rows();
    let mut chart = Chart::new(ChartType::Bar);
    for (side, colour) in ["a", "b"].into_iter().zip(SIDE_COLOURS) {
        chart
            .add_series()
            .set_name(&writer.places.formula(&format!("[!labels.{side}^]"), None)?)
            .set_categories(&layout.rows_on("type", 0..bars)?)
            .set_values(&layout.rows_on(&format!("{side}_bar"), 0..bars)?)
            .set_format(ChartSolidFill::new().set_color(colour))
            .set_gap(40);
    }
    chart.title().set_name("Time by layer type: ms, or share if chosen above");
    // The first row, which takes most time, belongs on top.
    first_on_top(&mut chart);
    chart.x_axis().set_min(0.0).set_name("ms, or share");
    chart.legend().set_position(ChartLegendPosition::Top);
    chart.set_width(900).set_height(height(bars));
    chart.show_hidden_data();
    // Rows that a filter hides must not squeeze the chart below them.
    chart.set_object_movement(ObjectMovement::MoveButDontSizeWithCells);
    Ok(chart)
}
