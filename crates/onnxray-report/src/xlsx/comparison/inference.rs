//! The sheet *Inference time*: latency and throughput of both sides as charts.

use super::version::{SIDE_COLOURS, Version, charted};
use crate::content::comparison::EndToEndFigure;
use crate::xlsx::charts::pale_grid;
use crate::xlsx::sheet::{SheetWriter, Written};
use crate::xlsx::table::{write_headings, write_rows};
use rust_xlsxwriter::{
    Chart, ChartAxisLabelPosition, ChartDataLabel, ChartLegendPosition, ChartSolidFill, ChartType,
    XlsxError,
};

const WIDTH: u32 = 430;
/// Columns of both sides.
const SIDES: [&str; 2] = ["a", "b"];

pub(super) fn write(writer: &mut SheetWriter, version: &Version) -> Written {
    let (table, layout) = writer.places.get("labels")?;
    writer.text((0, 0), writer.places.get("inference")?.0.title, &writer.styles.title)?;
    writer.header(layout.header(), 0, &[])?;
    write_headings(writer, (table, layout))?;
    write_rows(writer, (table, layout))?;
    let top = layout.last_row() + 2;
    // Times of different things must not be drawn side by side.
    match version.pair.has_one_unit() {
        true => charts(writer, top, version)?,
        false => writer.plain((top, 0), &version.comparison.basis.text())?,
    }
    writer.sheet.set_column_width(0, 30)?.set_column_range_width(1, layout.last_column(), 24)?;
    Ok(())
}

/// Charts of the latency and of the throughput, in items if their number is known.
fn charts(writer: &mut SheetWriter, top: u32, version: &Version) -> Written {
    let (figures, _) = writer.places.get("inference")?;
    let row = |wanted: EndToEndFigure| {
        let row = charted(version.comparison).iter().position(|kind| *kind == wanted)?;
        // A figure that neither side has makes no chart.
        SIDES.iter().any(|side| figures.value(side, row).as_number().is_some()).then_some(row)
    };
    let items = row(EndToEndFigure::ItemRate).map(|row| (row, "items/s"));
    let rate = items.or(row(EndToEndFigure::IterationRate).map(|row| (row, "iterations/s")));
    if let Some(row) = row(EndToEndFigure::Typical).or(row(EndToEndFigure::Mean)) {
        let label = if rate.is_some() { "Latency" } else { "Time" };
        let chart = chart(writer, row, &format!("{label} (ms, typical)"), ("ms", "0.000"))?;
        writer.sheet.insert_chart(top, 0, &chart)?;
    }
    if let Some((row, unit)) = rate {
        let chart = chart(writer, row, &format!("Throughput ({unit})"), (unit, "#,##0.0"))?;
        writer.sheet.insert_chart_with_offset(top, 0, &chart, WIDTH + 20, 0)?;
    }
    Ok(())
}

/// Two bars from 0.
fn chart(
    writer: &SheetWriter,
    row: usize,
    title: &str,
    (unit, format): (&str, &str),
) -> Result<Chart, XlsxError> {
    let at = |place: String| writer.places.formula(&format!("[!labels.{place}]"), None);
    let mut chart = Chart::new(ChartType::Column);
    for (side, colour) in SIDES.into_iter().zip(SIDE_COLOURS) {
        chart
            .add_series()
            .set_name(&at(format!("{side}^"))?)
            .set_categories(&at(format!("figure:{row}"))?)
            .set_values(&at(format!("{side}:{row}"))?)
            .set_format(ChartSolidFill::new().set_color(colour))
            .set_data_label(ChartDataLabel::new().show_value().set_num_format(format))
            .set_gap(60)
            .set_overlap(-20);
    }
    chart.title().set_name(title);
    // The legend names the sides.
    chart.x_axis().set_label_position(ChartAxisLabelPosition::None);
    chart.y_axis().set_min(0.0).set_name(unit);
    pale_grid(chart.y_axis());
    chart.legend().set_position(ChartLegendPosition::Bottom);
    chart.set_width(WIDTH).set_height(360);
    Ok(chart)
}
