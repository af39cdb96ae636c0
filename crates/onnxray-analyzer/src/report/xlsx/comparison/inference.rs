//! The sheet *Inference time*: latency and throughput of both sides as charts.

use super::summary::{self, Layout};
use super::version::{INFERENCE, SIDE_COLOURS, SUMMARY, Version};
use crate::report::table::Cell;
use crate::report::xlsx::page::{Numbers, Page, Written, on};
use crate::report::xlsx::sheet::Styles;
use crate::schema;
use rust_xlsxwriter::{Chart, ChartDataLabel, ChartType, Workbook};

const HEADER: u32 = 2;
const NAME: u16 = 0;
const A: u16 = 1;
const B: u16 = 2;
const RATIO: u16 = 3;
const WIDTH: u32 = 430;

/// Where a side's label stands, which charts name their bars by: a text would be
/// looked at.
pub fn label(sheet: &str, side: usize) -> (&str, u32, u16) {
    (sheet, HEADER, [A, B][side])
}

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    version: &Version,
) -> Written {
    let name = version.sheet(INFERENCE);
    let mut page = Page::new(workbook, &name, styles, numbers)?;
    page.text((0, NAME), schema::INFERENCE.title, &styles.title)?;
    let [a, b] = version.labels();
    page.header(HEADER, NAME, &["Figure"])?;
    page.number_header(HEADER, A, &[&a, &b, &version.named("B / A")])?;
    let layout = Layout::of(version);
    // What a chart can show, and how it calls it.
    let mut latency = None;
    let mut rates = [None, None];
    let mut line = HEADER;
    for (number, row) in version.rows(&schema::INFERENCE).iter().enumerate() {
        let [_, Cell::Text(figure), values @ ..] = &row[..] else { continue };
        let rate = figure.starts_with("throughput");
        if !rate && number > 1 {
            continue;
        }
        line += 1;
        page.text((line, NAME), figure, &styles.label)?;
        let format = if rate { &numbers.rate } else { &numbers.milliseconds };
        let from = |column: u16| {
            let cell = on(&version.sheet(SUMMARY), layout.figure(number), column);
            format!("={cell}")
        };
        for (column, place, value, format) in [
            (A, summary::A, &values[0], format),
            (B, summary::B, &values[1], format),
            (RATIO, summary::RATIO, &values[3], &numbers.ratio),
        ] {
            page.formula((line, column), from(place), value, format)?;
        }
        let known = values[..2].iter().any(|value| matches!(value, Cell::Number(_)));
        match figure.as_str() {
            _ if !known => {}
            _ if !rate => latency = latency.or(Some(line)),
            "throughput (items/s)" => rates[0] = Some(line),
            _ => rates[1] = Some(line),
        }
    }
    if !version.has_one_unit() {
        page.plain((line + 2, NAME), &version.comparison.basis.text())?;
    } else {
        let top = line + 2;
        if let Some(row) = latency {
            let label = if rates == [None, None] { "Time" } else { "Latency" };
            let chart = chart(&name, row, &format!("{label} (ms, typical)"), "ms", "0.000");
            page.sheet.insert_chart(top, NAME, &chart)?;
        }
        let [items, iterations] = rates;
        let rate = items.map(|row| (row, "items/s"));
        if let Some((row, unit)) = rate.or(iterations.map(|row| (row, "iterations/s"))) {
            let chart = chart(&name, row, &format!("Throughput ({unit})"), unit, "#,##0.0");
            page.sheet.insert_chart_with_offset(top, NAME, &chart, WIDTH + 20, 0)?;
        }
    }
    page.sheet.set_column_width(NAME, 30)?.set_column_range_width(A, RATIO, 24)?;
    Ok(())
}

/// Two bars from 0.
fn chart(sheet: &str, row: u32, title: &str, unit: &str, format: &str) -> Chart {
    let mut chart = Chart::new(ChartType::Column);
    for (side, colour) in SIDE_COLOURS.into_iter().enumerate() {
        let column = [A, B][side];
        chart
            .add_series()
            .set_name(label(sheet, side))
            .set_categories((sheet, row, NAME, row, NAME))
            .set_values((sheet, row, column, row, column))
            .set_format(rust_xlsxwriter::ChartSolidFill::new().set_color(colour))
            .set_data_label(ChartDataLabel::new().show_value().set_num_format(format))
            .set_gap(60)
            .set_overlap(-20);
    }
    chart.title().set_name(title);
    chart.x_axis().set_label_position(rust_xlsxwriter::ChartAxisLabelPosition::None);
    chart.y_axis().set_min(0.0).set_name(unit);
    chart.legend().set_position(rust_xlsxwriter::ChartLegendPosition::Bottom);
    chart.set_width(WIDTH).set_height(360);
    chart
}
