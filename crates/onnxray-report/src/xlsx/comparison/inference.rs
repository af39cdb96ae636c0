//! The sheet *Inference time*: latency and throughput of both sides as charts.

use super::version::{INFERENCE, SIDE_COLOURS, Version};
use super::wholes::figures;
use crate::content::comparison::WholeFigure;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, Written};
use rust_xlsxwriter::{
    Chart, ChartAxisLabelPosition, ChartDataLabel, ChartLegendPosition, ChartSolidFill, ChartType,
};

const HEADER: u32 = 2;
const WIDTH: u32 = 430;
/// Columns of both sides.
const SIDES: [&str; 2] = ["a", "b"];

/// The sheet's table, whose headings are the labels that charts name their bars by: a
/// text in a chart would be looked at.
pub(super) fn layout(version: &Version) -> Layout {
    let rows = shown(version).len();
    Layout::new(version.sheet(INFERENCE), ["figure", "a", "b", "ratio"], HEADER, rows)
}

/// Figures of the whole; those of its parts, which stand behind them, are no charts.
fn shown(version: &Version) -> &'static [WholeFigure] {
    let figures = WholeFigure::of(version.comparison);
    let parts = [
        WholeFigure::ProfiledTypical,
        WholeFigure::ProfiledMean,
        WholeFigure::OperatorsMean,
        WholeFigure::OverheadMean,
    ];
    let part = figures.iter().position(|kind| parts.contains(kind));
    &figures[..part.unwrap_or(figures.len())]
}

pub(super) fn write(page: &mut Page, version: &Version) -> Written {
    let (figures, layout, numbers) = (figures(version), layout(version), page.numbers);
    page.text((0, 0), figures.title, &page.styles.title)?;
    page.header(HEADER, 0, &[&figures.heading("figure")])?;
    let [a, b] = version.labels();
    page.number_header(HEADER, layout.column("a"), &[&a, &b, &figures.heading("ratio")])?;
    for (row, kind) in shown(version).iter().enumerate() {
        page.cell(layout.place("figure", row), figures.cell("figure", row), &page.styles.label)?;
        let format = if kind.is_rate() { &numbers.rate } else { &numbers.milliseconds };
        for (key, format) in [("a", format), ("b", format), ("ratio", &numbers.ratio)] {
            let formula = format!("={}", figures.layout.on(key, row));
            page.formula(layout.place(key, row), formula, figures.cell(key, row), format)?;
        }
    }
    let top = layout.last_row() + 2;
    match version.has_one_unit() {
        true => charts(page, &layout, top, version)?,
        false => page.plain((top, 0), &version.comparison.basis.text())?,
    }
    page.sheet.set_column_width(0, 30)?.set_column_range_width(1, layout.last_column(), 24)?;
    Ok(())
}

/// Of the latency, and of the throughput, in items if their number is known.
fn charts(page: &mut Page, layout: &Layout, top: u32, version: &Version) -> Written {
    let figures = figures(version);
    let row = |wanted: WholeFigure| {
        let row = shown(version).iter().position(|kind| *kind == wanted)?;
        SIDES.iter().any(|side| figures.cell(side, row).as_number().is_some()).then_some(row)
    };
    let items = row(WholeFigure::ItemRate).map(|row| (row, "items/s"));
    let rate = items.or(row(WholeFigure::IterationRate).map(|row| (row, "iterations/s")));
    if let Some(row) = row(WholeFigure::Typical).or(row(WholeFigure::Mean)) {
        let label = if rate.is_some() { "Latency" } else { "Time" };
        let chart = chart(layout, row, &format!("{label} (ms, typical)"), ("ms", "0.000"));
        page.sheet.insert_chart(top, 0, &chart)?;
    }
    if let Some((row, unit)) = rate {
        let chart = chart(layout, row, &format!("Throughput ({unit})"), (unit, "#,##0.0"));
        page.sheet.insert_chart_with_offset(top, 0, &chart, WIDTH + 20, 0)?;
    }
    Ok(())
}

/// Two bars from 0.
fn chart(layout: &Layout, row: usize, title: &str, (unit, format): (&str, &str)) -> Chart {
    let mut chart = Chart::new(ChartType::Column);
    for (side, colour) in SIDES.into_iter().zip(SIDE_COLOURS) {
        chart
            .add_series()
            .set_name(&layout.heading(side))
            .set_categories(&layout.on("figure", row))
            .set_values(&layout.on(side, row))
            .set_format(ChartSolidFill::new().set_color(colour))
            .set_data_label(ChartDataLabel::new().show_value().set_num_format(format))
            .set_gap(60)
            .set_overlap(-20);
    }
    chart.title().set_name(title);
    chart.x_axis().set_label_position(ChartAxisLabelPosition::None);
    chart.y_axis().set_min(0.0).set_name(unit);
    chart.legend().set_position(ChartLegendPosition::Bottom);
    chart.set_width(WIDTH).set_height(360);
    chart
}
