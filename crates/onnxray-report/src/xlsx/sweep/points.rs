//! The sheet *Points*: all that were measured. What depends on the percentile or the
//! threshold is live.

use super::context::Context;
use super::places::{Goal, MARKS, POINT_HELPERS, mark, percentile_number, shown, threshold};
use crate::document::{Cell, TableColumn, Unit};
use crate::xlsx::page::{Page, UNKNOWN, Value, Written};
use crate::xlsx::scatter;
use crate::xlsx::sheet::{MOST_ROWS, number_format};
use onnxray_analyzer::statistics::Measured;
use onnxray_analyzer::sweep::{Percentile, Point};
use rust_xlsxwriter::{Format, FormatAlign, XlsxError};

pub(super) fn write(page: &mut Page, context: &Context) -> Written {
    let layout = &context.points;
    if context.sweep.points.len() >= MOST_ROWS {
        return Err(XlsxError::RowColumnLimitError);
    }
    for column in shown(context.table()) {
        heading(page, context, column)?;
        let format = format(page, column.heading.unit, layout.column(column.heading.key));
        for row in 0..context.sweep.points.len() {
            write_cell(page, context, (column.heading.key, row), &format)?;
        }
    }
    for key in MARKS {
        let named = context.table().column(key).map_or("", |column| column.heading.heading);
        let place = layout.column(&mark(key));
        let text = format!("{named}, for the chart");
        page.text((layout.header(), place), &text, &page.styles.number_header)?;
        page.sheet.set_column_width(place, 13)?;
    }
    for (row, point) in context.sweep.points.iter().enumerate() {
        write_marks(page, context, row)?;
        write_helpers(page, context, row, point)?;
    }
    page.header(layout.header(), 0, &[])?;
    let (first, last) = (layout.column(POINT_HELPERS[0]), layout.last_column());
    page.sheet.set_column_range_hidden(first, last)?;
    page.sheet.set_freeze_panes(layout.header() + 1, layout.column("name") + 1)?;
    page.sheet.set_repeat_rows(layout.header(), layout.header())?;
    if !context.sweep.points.is_empty() {
        page.sheet.autofilter(layout.header(), 0, layout.last_row(), first - 1)?;
        context.insert_charts(page, layout.last_row() + 2)?;
    }
    Ok(())
}

fn heading(page: &mut Page, context: &Context, column: &TableColumn) -> Written {
    let layout = &context.points;
    let place = (layout.header(), layout.column(column.heading.key));
    let (format, width) = match (column.heading.unit, column.heading.key) {
        (Unit::Text, "name" | "model") => (&page.numbers.heading, 36.0),
        (Unit::Text, _) => (&page.numbers.heading, 14.0),
        (_, "number") => (&page.styles.number_header, 6.0),
        _ => (&page.styles.number_header, 12.0),
    };
    page.text(place, column.heading.heading, format)?;
    page.sheet.set_column_width(place.1, width)?;
    Ok(())
}

fn format(page: &Page, unit: Unit, place: u16) -> Format {
    match unit {
        Unit::Text if place == 0 => Format::new(),
        Unit::Text => page.numbers.plain.clone(),
        unit => Format::new().set_num_format(number_format(unit)).set_align(FormatAlign::Right),
    }
}

fn write_cell(
    page: &mut Page,
    context: &Context,
    (key, row): (&str, usize),
    format: &Format,
) -> Written {
    let (layout, cell) = (&context.points, context.cell(key, row));
    let place = layout.place(key, row);
    match (formula(context, key, row), cell) {
        (Some(formula), cell) => page.formula(place, format!("={formula}"), cell, format),
        (None, Cell::Unknown) if matches!(key, "name" | "model" | "engine") => {
            page.text(place, UNKNOWN, &page.styles.dash)
        }
        (None, cell) => page.cell(place, cell, format),
    }
}

/// What a cell follows from, without `=`; `None` for what was measured.
fn formula(context: &Context, key: &str, row: usize) -> Option<String> {
    let at = |key: &str| context.points.at(key, row);
    let chosen = |keys: [&str; 3]| {
        let [p50, p90, p99] = keys.map(at);
        format!("CHOOSE({},{p50},{p90},{p99})", percentile_number())
    };
    let of_model = format!("({}={})", context.all("model_number"), at("model_number"));
    let number = at("number");
    Some(match key {
        "latency_ms" => chosen(["latency_p50_ms", "latency_p90_ms", "latency_p99_ms"]),
        "latency_low_ms" => chosen(["latency_p50_low", "latency_p90_low", "latency_p99_low"]),
        "latency_high_ms" => chosen(["latency_p50_high", "latency_p90_high", "latency_p99_high"]),
        "precision" => {
            let [low, high, latency] = ["latency_low_ms", "latency_high_ms", "latency_ms"].map(at);
            let [from, to] = ["throughput_low_per_second", "throughput_high_per_second"].map(at);
            let rate = at("throughput_per_second");
            format!(
                "IF(AND(COUNT({low},{high},{from},{to})=4,{latency}>0,{rate}>0),\
                 MAX(({high}-{latency})/{latency},({to}-{rate})/{rate}),\"{UNKNOWN}\")"
            )
        }
        "within_threshold" => {
            let most = threshold();
            let [latency, from, to] = ["latency_ms", "latency_from", "latency_to"].map(at);
            format!(
                "IF(ISNUMBER({most}),IF({latency}<={most},IF({to}<={most},\"yes\",\"probably\"),\
                 IF({from}>{most},\"no\",\"probably not\")),\"\")"
            )
        }
        "on_front" => on_front(context, row, &format!("{of_model}*")),
        "on_front_of_all" => on_front(context, row, ""),
        "equals_count" => {
            let met = |of: &str, from: &str, to: &str| {
                let [all_from, all_to] = [from, to].map(|end| context.all(&format!("{of}_{end}")));
                let [own_from, own_to] = [from, to].map(|end| at(&format!("{of}_{end}")));
                format!("({all_from}<={own_to})*({all_to}>={own_from})")
            };
            let [latency, rate] = ["latency", "throughput"].map(|of| met(of, "from", "to"));
            let fronts = context.all("on_front");
            format!(
                "IF({}=\"yes\",SUMPRODUCT({of_model}*({fronts}=\"yes\")*{latency}*{rate})-1,\"\")",
                at("on_front")
            )
        }
        "sweet_spot" => {
            let best = &context.best[Goal::SweetSpot as usize];
            let before = usize::from(context.sweep.overall.is_some());
            let numbers = best.range_of("number", before..before + context.sweep.models.len());
            format!("IF(INDEX({numbers},{})={number},\"yes\",\"no\")", at("model_number"))
        }
        "sweet_spot_of_all" => {
            let best = context.best[Goal::SweetSpot as usize].on("number", 0);
            format!("IF({best}={number},\"yes\",\"no\")")
        }
        _ => return None,
    })
}

/// Whether none is better beyond the intervals; `of` is what others have to be, times.
fn on_front(context: &Context, row: usize, of: &str) -> String {
    let [from, most] = ["latency_from", "throughput_to"].map(|key| context.points.at(key, row));
    let [to, least] = ["latency_to", "throughput_from"].map(|key| context.all(key));
    format!("IF(SUMPRODUCT({of}({to}<{from})*({least}>{most}))=0,\"yes\",\"no\")")
}

/// What the chart draws on top: nothing where the point is not meant.
fn write_marks(page: &mut Page, context: &Context, row: usize) -> Written {
    let (layout, table) = (&context.points, context.table());
    let format = &page.numbers.helper;
    for key in MARKS {
        let value = match (table.column(key), table.column("throughput_per_second")) {
            (Some(meant), Some(values)) => scatter::marked(meant, values).nth(row).flatten(),
            _ => None,
        };
        let (is_meant, rate) = (layout.at(key, row), layout.at("throughput_per_second", row));
        let formula = format!("=IF({is_meant}=\"yes\",{rate},NA())");
        let value = value.map_or(Value::NotAvailable, Value::Number);
        page.formula(layout.place(&mark(key), row), formula, value, format)?;
    }
    Ok(())
}

fn write_helpers(page: &mut Page, context: &Context, row: usize, point: &Point) -> Written {
    let layout = &context.points;
    let format = &page.numbers.helper;
    page.number(layout.place("model_number", row), point.model as f64 + 1.0, format)?;
    for percentile in Percentile::ALL {
        let Measured { interval, .. } = percentile.of(&point.profile.latency_ms);
        for (end, value) in
            [("low", interval.map(|known| known.low)), ("high", interval.map(|known| known.high))]
        {
            page.known(layout.place(&format!("latency_{percentile}_{end}"), row), value, format)?;
        }
    }
    let (latency, rate) = (point.latency.ends(), point.throughput.ends());
    for (key, shown, value) in [
        ("latency_from", "latency_low_ms", latency.low),
        ("latency_to", "latency_high_ms", latency.high),
    ] {
        let [shown, otherwise] = [shown, "latency_ms"].map(|key| layout.at(key, row));
        let formula = format!("=IF(ISNUMBER({shown}),{shown},{otherwise})");
        page.formula(layout.place(key, row), formula, value, format)?;
    }
    page.number(layout.place("throughput_from", row), rate.low, format)?;
    page.number(layout.place("throughput_to", row), rate.high, format)
}
