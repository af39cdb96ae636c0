//! The sheets *Projected operators*, *Projected total* and *By type*.

use super::headline;
use super::inputs::{choices, level_choice};
use crate::content::projection::{Model, operators_chart, types_chart};
use crate::xlsx::charts::{bars, first_on_top, of_rows, pale_grid};
use crate::xlsx::places::Layout;
use crate::xlsx::sheet::{SheetWriter, Written};
use crate::xlsx::table::{write_once, write_rows, write_table};
use onnxray_analyzer::projection::{Basis, Plan};
use rust_xlsxwriter::{Chart, ChartAxisLabelPosition, ChartLegendPosition, ChartType, XlsxError};

pub(super) fn operators(writer: &mut SheetWriter, model: &Model, _: &Plan) -> Written {
    let projection = model.projection;
    let (table, layout) = writer.places.get("operators")?;
    write_table(writer, (table, layout))?;
    let settable = projection.operators.iter().map(|operator| operator.outcome.is_settable());
    choices(writer, layout.row(0), layout.place_of("target")?, settable, &projection.levels)?;
    let (header, name) = (layout.header(), layout.place_of("name")?);
    let last = (layout.last_row(), layout.place_of("projected_high_ms")?);
    writer
        .sheet
        .set_freeze_panes(header + 1, name + 1)?
        .autofilter(header, 0, last.0, last.1)?
        // With the totals above the headings.
        .set_print_area(header - 1, 0, last.0, last.1)?;
    // Without intervals of times, these columns have nothing to show.
    if projection.spread.parts.is_none() {
        let first = layout.place_of("latency_low_ms")?;
        let last = if projection.spread.ratios { first + 1 } else { last.1 };
        writer.sheet.set_column_range_hidden(first, last)?;
    }
    headline::above(writer, layout, "name", ["latency_ms", "projected_ms", "perf_ratio"])
}

pub(super) fn totals(writer: &mut SheetWriter, model: &Model, _: &Plan) -> Written {
    let title = match model.projection.basis {
        Basis::Iteration => "Projected total, per iteration",
        Basis::Trace => "Projected total, over the whole trace, which has no iterations",
    };
    let (table, layout) = writer.places.get("totals")?;
    writer.text((0, 0), title, &writer.styles.title)?;
    write_once(writer, (table, layout))?;
    let (operators, at) = writer.places.get("operators")?;
    // A chart needs a cell, even of no rows.
    let mut chart = of_rows(&operators_chart(), at, operators.len().max(1), ChartType::Column)?;
    chart.x_axis().set_label_position(ChartAxisLabelPosition::None);
    chart.x_axis().set_name("operators");
    chart.y_axis().set_min(0.0).set_name("ms");
    pale_grid(chart.y_axis());
    chart.set_width(900).set_height(320);
    writer.sheet.insert_chart(layout.last_row() + 2, 0, &chart)?;
    Ok(())
}

pub(super) fn types(writer: &mut SheetWriter, model: &Model, _: &Plan) -> Written {
    let (table, layout) = writer.places.get("types")?;
    writer.text((0, 0), "By type, before and after", &writer.styles.title)?;
    let above = ["latency_ms", "projected_ms", "speedup"];
    headline::above(writer, layout, "type", above)?;
    write_table(writer, (table, layout))?;
    if !table.is_empty() {
        let (first, last, column) = (layout.row(0), layout.last_row(), layout.place_of("target")?);
        let choice = level_choice(&model.projection.levels)?;
        writer.sheet.add_data_validation(first, column, last, column, &choice)?;
    }
    write_rows(writer, writer.places.get("types_rest")?)?;
    let bars = bars::shortened(writer, (table, layout), &["type", "latency_ms", "projected_ms"])?;
    let chart = by_type(&bars, bars.rows().max(1))?;
    writer
        .sheet
        .insert_chart(layout.row(table.len() + 5), 0, &chart)?
        .set_freeze_panes(layout.row(0), 1)?;
    Ok(())
}

/// The first types before and after, as bars.
pub(super) fn by_type(layout: &Layout, shown: usize) -> Result<Chart, XlsxError> {
    let mut chart = of_rows(&types_chart(), layout, shown, ChartType::Bar)?;
    first_on_top(&mut chart);
    chart.x_axis().set_name("ms");
    // Beside bars from top to bottom, some spreadsheets list series from bottom to top.
    chart.legend().set_position(ChartLegendPosition::Top);
    chart.show_hidden_data();
    chart.set_width(860).set_height(height_by_type(shown));
    Ok(chart)
}

/// Height of that chart, in pixels.
pub(super) fn height_by_type(shown: usize) -> u32 {
    160 + 34 * shown as u32
}
