//! The sheet *Summary*: the threshold and the percentile, and what is best by them.

use super::context::Context;
use super::places::{
    FIRST, Goal, HELPERS, INPUTS, KEYS, PERCENTILE, SUMMARY, THRESHOLD, helper, limit, threshold,
};
use crate::document::Cell;
use crate::xlsx::address::on;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, Value, Written};
use onnxray_analyzer::sweep::{Candidates, Percentile};
use rust_xlsxwriter::{DataValidation, DataValidationRule, FormatAlign};

pub(super) fn write(page: &mut Page, context: &Context) -> Written {
    page.text((0, 0), "onnxray: sweep", &page.styles.title)?;
    inputs(page, context)?;
    if context.sweep.points.is_empty() {
        for (row, line) in (FIRST..).zip(&context.document.headline) {
            page.text((row, 0), line, &page.styles.label)?;
        }
    } else {
        for (goal, layout) in Goal::ALL.iter().zip(&context.best) {
            table(page, context, *goal, layout)?;
        }
        let last = context.best.iter().map(Layout::last_row).max().unwrap_or(FIRST);
        context.insert_charts(page, last + 2)?;
    }
    let sheet = &mut page.sheet;
    sheet.set_column_width(0, 32)?.set_column_width(1, 40)?;
    sheet.set_column_range_width(2, helper() - 2, 12)?;
    sheet.set_column_width(helper() - 1, 64)?;
    sheet.set_column_range_hidden(helper(), KEYS.len() as u16 - 1)?;
    Ok(())
}

fn inputs(page: &mut Page, context: &Context) -> Written {
    let (styles, options) = (page.styles, &context.sweep.options);
    page.text(
        (INPUTS, 0),
        "Set the yellow cells; what is best, the front and the chart follow.",
        &styles.unknown,
    )?;
    page.text((THRESHOLD, 0), "latency threshold (ms)", &styles.label)?;
    let input = styles.input.clone().set_num_format("0.####").set_align(FormatAlign::Left);
    match options.latency_threshold {
        Some(most) => page.number((THRESHOLD, 1), most.0, &input)?,
        None => page.blank((THRESHOLD, 1), &input)?,
    }
    page.text((THRESHOLD, 2), "blank for none", &styles.unknown)?;
    page.text((PERCENTILE, 0), "percentile of the latency", &styles.label)?;
    page.text((PERCENTILE, 1), options.percentile.name(), &styles.input)?;
    let least = DataValidationRule::GreaterThanOrEqualTo(0.0);
    let positive = DataValidation::new().allow_decimal_number(least);
    page.sheet.add_data_validation(THRESHOLD, 1, THRESHOLD, 1, &positive)?;
    let names = Percentile::ALL.map(Percentile::name);
    let choice = DataValidation::new().allow_list_strings(&names)?;
    page.sheet.add_data_validation(PERCENTILE, 1, PERCENTILE, 1, &choice)?;
    let format = &page.numbers.helper;
    let most = threshold();
    let value = options.latency_threshold.map_or(NO_LIMIT, |most| most.0);
    page.formula(
        (THRESHOLD, helper()),
        format!("=IF(ISNUMBER({most}),{most},{NO_LIMIT:E})"),
        value,
        format,
    )?;
    let position = Percentile::ALL.iter().position(|known| *known == options.percentile);
    let [p50, p90, p99] = names;
    page.formula(
        (PERCENTILE, helper()),
        format!(
            "=IFERROR(MATCH({},{{\"{p50}\",\"{p90}\",\"{p99}\"}},0),1)",
            on(SUMMARY, PERCENTILE, 1)
        ),
        position.unwrap_or(0) as f64 + 1.0,
        format,
    )
}

/// Above every latency.
const NO_LIMIT: f64 = 1e300;

fn table(page: &mut Page, context: &Context, goal: Goal, layout: &Layout) -> Written {
    let styles = page.styles;
    page.text((layout.header() - 1, 0), goal.title(), &styles.title)?;
    page.header(layout.header(), 0, &[])?;
    for key in KEYS.iter().filter(|key| !HELPERS.contains(key)) {
        let heading = match *key {
            "candidates" => "Model",
            "remark" => "Remark",
            key => context.table().column(key).map_or("", |column| column.heading.heading),
        };
        let place = (layout.header(), layout.column(key));
        let format = match *key {
            "candidates" => &styles.header,
            key if is_text(key) => &page.numbers.heading,
            _ => &styles.number_header,
        };
        page.text(place, heading, format)?;
    }
    for (row, candidates) in context.candidates().into_iter().enumerate() {
        find(page, context, (goal, layout, row), candidates)?;
        show(page, context, (goal, layout, row), candidates)?;
    }
    Ok(())
}

fn is_text(key: &str) -> bool {
    matches!(key, "candidates" | "name" | "engine" | "dimensions" | "counted" | "remark")
}

/// Finds the number of the point: the best, then the best of these in the other respect,
/// then the first of these.
fn find(
    page: &mut Page,
    context: &Context,
    (goal, layout, row): (Goal, &Layout, usize),
    candidates: &Candidates,
) -> Written {
    let format = &page.numbers.helper;
    let (latencies, rates) = (context.all("latency_ms"), context.all("throughput_per_second"));
    let numbers = context.all("number");
    let mut meant = match model_number(context, candidates) {
        Some(number) => format!("({}={number})", context.all("model_number")),
        None => format!("({}>0)", context.all("model_number")),
    };
    if goal == Goal::SweetSpot {
        meant += &format!("*({latencies}<={})", limit());
    }
    let [(best, first), (next, second)] = match goal {
        Goal::Latency => [("MIN", &latencies), ("MAX", &rates)],
        _ => [("MAX", &rates), ("MIN", &latencies)],
    };
    let [first_cell, second_cell, number_cell] =
        ["first", "second", "number"].map(|key| layout.at(key, row));
    let point = goal.of(candidates).and_then(|number| context.sweep.points.get(number));
    let latency = point.map_or(0.0, |point| point.latency.value);
    let rate = point.map_or(0.0, |point| point.throughput.value);
    let values = if goal == Goal::Latency { [latency, rate] } else { [rate, latency] };
    let number = goal.of(candidates).map_or(0.0, |number| number as f64 + 1.0);
    // A text counts for nothing, where FALSE may count as 0.
    let formula = format!("=IF(SUM({meant})=0,0,{best}(IF({meant},{first},\"\")))");
    page.array_formula(layout.place("first", row), formula, values[0], format)?;
    let meant = format!("{meant}*({first}={first_cell})");
    let formula = format!("={next}(IF({meant},{second},\"\"))");
    page.array_formula(layout.place("second", row), formula, values[1], format)?;
    let meant = format!("{meant}*({second}={second_cell})");
    let formula = format!("=MIN(IF({meant},{numbers},\"\"))");
    page.array_formula(layout.place("number", row), formula, number, format)?;
    // Points may have been sorted.
    let formula = format!("=IF({number_cell}=0,0,MATCH({number_cell},{numbers},0))");
    page.formula(layout.place("position", row), formula, number, format)
}

fn model_number(context: &Context, candidates: &Candidates) -> Option<usize> {
    candidates.model.as_ref()?;
    let point = candidates.points.first().and_then(|&number| context.sweep.points.get(number));
    point.map(|point| point.model + 1)
}

/// Shows what the report says of the point.
fn show(
    page: &mut Page,
    context: &Context,
    (goal, layout, row): (Goal, &Layout, usize),
    candidates: &Candidates,
) -> Written {
    let label = candidates.model.as_deref().unwrap_or("all models");
    page.text(layout.place("candidates", row), label, &page.styles.label)?;
    let (position, point) = (layout.at("position", row), goal.of(candidates));
    let shown = KEYS.iter().filter(|key| !HELPERS.contains(key));
    for key in shown.filter(|key| !matches!(**key, "candidates" | "remark")) {
        let text = if is_text(key) { "&\"\"" } else { "" };
        let formula =
            format!("=IF({position}=0,\"\",INDEX({},{position}){text})", context.all(key));
        let value = point.map_or(&Cell::None, |point| context.cell(key, point));
        let format = match *key {
            "latency_ms" => &page.numbers.milliseconds,
            "throughput_per_second" => &page.numbers.rate,
            key if is_text(key) => &page.numbers.plain,
            _ => &page.numbers.quantity,
        };
        page.formula(layout.place(key, row), formula, value, format)?;
    }
    remark(page, context, (goal, layout, row), candidates)
}

/// What is to be said of the point, or of there being none.
fn remark(
    page: &mut Page,
    context: &Context,
    (goal, layout, row): (Goal, &Layout, usize),
    candidates: &Candidates,
) -> Written {
    const ABOVE: &str = "may lie above the threshold: its interval reaches beyond";
    const NO_THRESHOLD: &str = "no threshold: the best throughput";
    const NONE: &str = "no point is within the threshold; the lowest latency is ";
    if goal != Goal::SweetSpot {
        return equals(page, context, (goal, layout, row), candidates);
    }
    let position = layout.at("position", row);
    let best = &context.best[Goal::Latency as usize];
    let lowest = best.at("latency_ms", row);
    let formula = format!(
        "=IF({position}=0,\"{NONE}\"&ROUND({lowest},4)&\" ms\",IF(ISNUMBER({}),\
         IF(INDEX({},{position})=\"probably\",\"{ABOVE}\",\"\"),\"{NO_THRESHOLD}\"))",
        threshold(),
        context.all("within_threshold"),
    );
    let is_likely = |point| {
        matches!(context.cell("within_threshold", point), Cell::Label { key: "probably", .. })
    };
    let text = match (candidates.sweet_spot, context.sweep.options.latency_threshold) {
        (None, _) => {
            let lowest = context.cell("latency_ms", candidates.best_latency).as_number();
            let rounded = (lowest.unwrap_or(f64::NAN) * 1e4).round() / 1e4;
            format!("{NONE}{rounded} ms")
        }
        (Some(_), None) => NO_THRESHOLD.to_string(),
        (Some(point), Some(_)) if is_likely(point) => ABOVE.to_string(),
        (Some(_), Some(_)) => String::new(),
    };
    let format = &page.numbers.aside;
    page.formula(layout.place("remark", row), formula, Value::Text(&text), format)
}

/// How many others may be as good, among those of the model.
fn equals(
    page: &mut Page,
    context: &Context,
    (goal, layout, row): (Goal, &Layout, usize),
    candidates: &Candidates,
) -> Written {
    const EQUALS: &str = " more on the front that the intervals do not part from it";
    let (Some(_), Some(point)) = (&candidates.model, goal.of(candidates)) else { return Ok(()) };
    let counts = context.all("equals_count");
    let count = format!("N(INDEX({counts},{}))", layout.at("position", row));
    let formula = format!("=IF({count}>0,{count}&\"{EQUALS}\",\"\")");
    let text = match context.cell("equals_count", point) {
        Cell::Whole(count) if *count > 0 => format!("{count}{EQUALS}"),
        _ => String::new(),
    };
    page.formula(layout.place("remark", row), formula, Value::Text(&text), &page.numbers.aside)
}
