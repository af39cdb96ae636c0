//! The sheet *Total profiling*: what the operators add up to, before and after.

use super::columns::chart;
use super::context::{Context, End};
use super::look::Look;
use super::lookup;
use crate::content::projection::{TOTAL_FIGURES, operators_chart};
use crate::document::Cell;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, UNKNOWN, Written, items_per_second, quotient};
use onnxray_analyzer::projection::{Basis, Outcome};
use onnxray_analyzer::schema::workbook::sheet;
use rust_xlsxwriter::{ChartAxisLabelPosition, ChartType, Format, FormatAlign};

/// Key, label and meaning of what stands on this sheet alone.
const STEPS: [(&str, &str, &str); 7] = [
    ("batch_size", "batch size", "items of one inference"),
    ("origin", "perf ratios", "where those come from that the projected figures rest on"),
    ("projected", "operators projected", "their latency is divided by a perf ratio"),
    ("unknown", "operators of unknown latency", "they are in no total"),
    ("at_low_ms", "sparse support at low ratios (ms)", "for the low end of the speedup"),
    ("at_high_ms", "sparse support at high ratios (ms)", "for its high end"),
    ("covered", "part that is not concurrent", "1 - concurrent / operators; the same everywhere"),
];

/// A row of the sheet.
struct Figure {
    /// Empty in a row without figures.
    key: &'static str,
    label: &'static str,
    meaning: String,
}

/// The figures of the document under the names of the profile, with ours beside
/// them, and what this sheet needs beyond them.
fn figures() -> Vec<Figure> {
    let mut figures = Vec::new();
    for figure in &TOTAL_FIGURES {
        if figure.key == "operators_ms" {
            let row = |label| Figure { key: "", label, meaning: String::new() };
            figures.extend([row(""), row("What it is made of")]);
        }
        let is_same = figure.name.replace(' ', "") == figure.seed_name.replace(' ', "");
        let meaning = match is_same {
            true => figure.meaning.to_string(),
            false => format!("{}: {}", figure.name, figure.meaning),
        };
        figures.push(Figure { key: figure.key, label: figure.seed_name, meaning });
    }
    let steps = STEPS.into_iter();
    figures.extend(steps.map(|(key, label, meaning)| Figure {
        key,
        label,
        meaning: meaning.into(),
    }));
    figures
}

pub(super) fn layout() -> Layout {
    let columns = ["label", "value", "low", "high", "description"];
    Layout::new(sheet::TOTALS, columns, 2, 0).with_rows(figures().iter().map(|figure| figure.key))
}

pub(super) fn write(page: &mut Page, context: &Context) -> Written {
    let (styles, layout) = (page.styles, &context.sheets.totals);
    let title = match context.projection.basis {
        Basis::Iteration => "Total profiling, per iteration",
        Basis::Trace => "Total profiling, over the whole trace, which has no iterations",
    };
    page.text((0, 0), title, &styles.title)?;
    page.header(layout.header(), 0, &["Arguments", "", "", "", "Description"])?;
    page.number_header(layout.header(), layout.column("value"), &["Value", "Low", "High"])?;
    // Apart from the numbers, which end where it begins.
    let indented = Format::new().set_indent(1);
    for (row, figure) in figures().iter().enumerate().filter(|(_, figure)| !figure.label.is_empty())
    {
        page.text(layout.place("label", row), figure.label, &styles.label)?;
        page.text(layout.place("description", row), &figure.meaning, &indented)?;
        for end in End::ALL.into_iter().filter(|_| !figure.key.is_empty()) {
            write_figure(page, context, layout.place(end.key(), row), figure.key, end)?;
        }
    }
    let sheet = &mut page.sheet;
    sheet.set_column_width(layout.column("label"), 36)?;
    sheet.set_column_width(layout.column("description"), 60)?;
    sheet.set_column_range_width(layout.column("value"), layout.column("high"), 13)?;
    // Wide enough for where perf ratios come from.
    sheet.set_column_width(layout.column("value"), 22)?;
    let operators = context.summary.operators.len().max(1);
    let mut chart =
        chart(&operators_chart(), &context.sheets.operators, operators, ChartType::Line);
    chart.x_axis().set_label_position(ChartAxisLabelPosition::None);
    chart.x_axis().set_name("operators");
    chart.y_axis().set_min(0.0).set_name("ms");
    chart.set_width(900).set_height(320);
    sheet.insert_chart(layout.last_row() + 2, 0, &chart)?;
    Ok(())
}

fn write_figure(
    page: &mut Page,
    context: &Context,
    place: (u32, u16),
    key: &str,
    end: End,
) -> Written {
    let look = match key {
        "batch_size" | "projected" | "unknown" => Look::Quantity,
        "origin" => return origin(page, context, place, end),
        _ if key.ends_with("_ms") => Look::Milliseconds,
        _ => Look::Ratio,
    };
    let format = look.format(page);
    match (value(context, key, end), formula(context, key, end)) {
        (Cell::None, _) => Ok(()),
        // What nothing tells follows from no setting.
        (Cell::Unknown, _) => page.known(place, None, format),
        (Cell::Text(text), None) => page.text(place, &text, format),
        (value, Some(formula)) => page.formula(place, format!("={formula}"), &value, format),
        (value, None) => page.known(place, value.as_number(), format),
    }
}

/// Where the perf ratios of the projected figures come from.
fn origin(page: &mut Page, context: &Context, place: (u32, u16), end: End) -> Written {
    let projection = context.projection;
    if end != End::Value {
        return Ok(());
    }
    let format = page.numbers.plain.clone().set_align(FormatAlign::Right);
    if projection.totals.projected_total.is_none() {
        return page.known(place, None, &format);
    }
    let formula = format!("={}", lookup::origins(&context.operators("origin")));
    page.formula(place, formula, projection.origins().text(), &format)
}

/// What stands in a cell.
fn value(context: &Context, key: &str, end: End) -> Cell {
    let projection = context.projection;
    if let Some(figure) = TOTAL_FIGURES.iter().find(|figure| figure.key == key) {
        let estimate = (figure.estimate)(&projection.totals);
        return Cell::number(estimate.map(|estimate| end.of(estimate)));
    }
    let count = |is: &dyn Fn(Outcome, bool) -> bool| {
        let operators = projection.operators.iter();
        Cell::Whole(operators.filter(|o| is(o.outcome, o.dense.is_some())).count() as u64)
    };
    let corners = projection.totals.corners;
    match (key, end) {
        ("batch_size", End::Value) if projection.basis == Basis::Trace => Cell::Unknown,
        ("batch_size", End::Value) => Cell::whole(context.summary.run.batch_size),
        ("projected", End::Value) => count(&|outcome, _| outcome == Outcome::Projected),
        ("unknown", End::Value) => count(&|_, has_latency| !has_latency),
        ("at_low_ms", End::Low) => Cell::Number(corners[0]),
        ("at_low_ms", End::High) => Cell::Number(corners[1]),
        ("at_high_ms", End::Low) => Cell::Number(corners[2]),
        ("at_high_ms", End::High) => Cell::Number(corners[3]),
        ("covered", End::Value) => {
            let known = projection.totals.operators.map(|_| projection.totals.covered);
            Cell::number(known)
        }
        _ => Cell::None,
    }
}

/// By the definitions of `projection::total`; `None` for what no setting changes.
fn formula(context: &Context, key: &str, end: End) -> Option<String> {
    let at = |key: &str| context.total(key, end);
    let covered = context.total("covered", End::Value);
    let concurrent = |operators: &str| format!("{}*(1-{covered})", at(operators));
    // What is unknown is text, which N takes for nothing.
    let total = |operators, concurrent| {
        format!("{}-{}+N({})", at(operators), at(concurrent), at("overhead_ms"))
    };
    let guarded = |formula| Some(guarded(context, key, end, formula));
    match key {
        "total_latency_ms" => Some(total("operators_ms", "concurrent_ms")),
        "projected_total_latency_ms" => {
            Some(total("projected_operators_ms", "projected_concurrent_ms"))
        }
        "sparse_support_share" => {
            guarded(share(context, end, "sparse_support_latency_ms", "total_latency_ms"))
        }
        "projected_sparse_support_share" => guarded(share(
            context,
            end,
            "projected_sparse_support_latency_ms",
            "projected_total_latency_ms",
        )),
        "speedup" => guarded(speedup(context, end)),
        "items_per_second" => guarded(items(context, end, "total_latency_ms")),
        "projected_items_per_second" => guarded(items(context, end, "projected_total_latency_ms")),
        "concurrent_ms" if end == End::Value => None,
        "concurrent_ms" => Some(concurrent("operators_ms")),
        "projected_concurrent_ms" => Some(concurrent("projected_operators_ms")),
        "covered" => {
            let (operators, concurrent) = (at("operators_ms"), at("concurrent_ms"));
            Some(format!("IF({operators}>0,1-{concurrent}/{operators},1)"))
        }
        _ => of_operators(context, key, end),
    }
}

/// Sums and counts over operators.
fn of_operators(context: &Context, key: &str, end: End) -> Option<String> {
    let sum = |key| format!("SUM({})", context.operators(key));
    let supported = |key| {
        let support = context.operators("sparse_support");
        format!("SUMIF({support},TRUE,{})", context.operators(key))
    };
    let count = |key, text: &str| format!("COUNTIF({},\"{text}\")", context.operators(key));
    let projected = match end {
        End::Value => "projected_ms",
        End::Low => "projected_low_ms",
        End::High => "projected_high_ms",
    };
    Some(match key {
        "operators_ms" => sum(context.latency(end)),
        // Where nobody knows of a weight, the latency stays.
        "projected_operators_ms" => {
            let (outcomes, latency) =
                (context.operators("projection"), context.operators(context.latency(end)));
            let unknown = Outcome::WeightUnknown.text();
            format!("{}+SUMIF({outcomes},\"{unknown}\",{latency})", sum(projected))
        }
        "sparse_support_latency_ms" => supported(context.latency(end)),
        "projected_sparse_support_latency_ms" => supported(projected),
        "at_low_ms" if end == End::Low => supported("low_at_low_ms"),
        "at_high_ms" if end == End::High => supported("high_at_high_ms"),
        "at_low_ms" | "at_high_ms" => supported(projected),
        "projected" => count("projection", Outcome::Projected.text()),
        "unknown" => count("latency_ms", UNKNOWN),
        _ => return None,
    })
}

/// An end that cannot be computed is the value.
fn guarded(context: &Context, key: &str, end: End, formula: String) -> String {
    if end == End::Value {
        return formula;
    }
    let value = context.total(key, End::Value);
    format!("IF(ISNUMBER({value}),IFERROR({formula},{value}),\"{UNKNOWN}\")")
}

/// Part by whole; the rest of the whole is at its other end.
fn share(context: &Context, end: End, part: &str, whole: &str) -> String {
    let (own, rest) = (context.total(part, end), context.total(part, end.opposite()));
    let whole = context.total(whole, end.opposite());
    if end == End::Value {
        return quotient(&own, &whole);
    }
    let covered = context.total("covered", End::Value);
    format!("{own}/({own}*{covered}+({whole}-{rest}*{covered}))")
}

/// Most time, fewest items.
fn items(context: &Context, end: End, latency: &str) -> String {
    let batch = context.total("batch_size", End::Value);
    let latency = context.total(latency, end.opposite());
    match end {
        End::Value => items_per_second(&batch, &latency),
        _ => format!("{batch}*1000/{latency}"),
    }
}

/// The least or most of the value and four cases; see `projection::total`.
fn speedup(context: &Context, end: End) -> String {
    let (total, projected) = ("total_latency_ms", "projected_total_latency_ms");
    let (pick, corner) = match end {
        End::Value => return quotient(&context.total(total, end), &context.total(projected, end)),
        End::Low => ("MIN", "at_low_ms"),
        End::High => ("MAX", "at_high_ms"),
    };
    let (support, projected_support) =
        ("sparse_support_latency_ms", "projected_sparse_support_latency_ms");
    let case = |of_support: End, of_rest: End| {
        let covered = |key, end| {
            format!("{}*{}", context.total(key, end), context.total("covered", End::Value))
        };
        let rest =
            |whole, part| format!("({}-{})", context.total(whole, of_rest), covered(part, of_rest));
        let (before, after) = (rest(total, support), rest(projected, projected_support));
        let (dense, sparse) = (covered(support, of_support), covered(corner, of_support));
        format!("({dense}+{before})/({sparse}+{after})")
    };
    let (low, high) = (End::Low, End::High);
    let cases = [case(low, low), case(low, high), case(high, low), case(high, high)];
    format!("{pick}({},{})", context.total("speedup", End::Value), cases.join(","))
}
