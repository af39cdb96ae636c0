//! The sheet *Total profiling*: what the operators add up to, before and after.

use super::Context;
use super::operators::{all, at, chart_ranges, end_columns};
use super::page::{End, Numbers, Page, TOTALS, UNKNOWN, Value, Written, quotient};
use crate::projection::{Basis, Estimate, Outcome, Totals};
use crate::report::xlsx::sheet::Styles;
use rust_xlsxwriter::{Chart, ChartType, Workbook};

/// Rows, from 0 on; formulas of other sheets refer to them.
pub mod row {
    pub const HEADER: u32 = 2;
    pub const TOTAL: u32 = 3;
    pub const PROJECTED: u32 = 4;
    pub const SUPPORT: u32 = 5;
    pub const PROJECTED_SUPPORT: u32 = 6;
    pub const SUPPORT_RATIO: u32 = 7;
    pub const PROJECTED_SUPPORT_RATIO: u32 = 8;
    pub const IMPROVEMENT: u32 = 9;
    pub const ITEMS: u32 = 10;
    pub const PROJECTED_ITEMS: u32 = 11;
    pub const PARTS: u32 = 13;
    pub const OPERATORS: u32 = 14;
    pub const PROJECTED_OPERATORS: u32 = 15;
    pub const CONCURRENT: u32 = 16;
    pub const PROJECTED_CONCURRENT: u32 = 17;
    pub const OVERHEAD: u32 = 18;
    pub const BATCH: u32 = 19;
    pub const COUNT: u32 = 20;
    pub const UNKNOWN: u32 = 21;
    /// Sparse support at the low ratios and at the high ones.
    pub const AT_LOW: u32 = 22;
    pub const AT_HIGH: u32 = 23;
    pub const COVERED: u32 = 24;
}

const LABEL: u16 = 0;
const VALUE: u16 = 1;
const MEANING: u16 = 4;

/// `B4` for the value, `C4` and `D4` for its ends.
fn place(row: u32, end: End) -> String {
    let column = match end {
        End::Value => "B",
        End::Low => "C",
        End::High => "D",
    };
    format!("{column}{}", row + 1)
}

/// The same, for formulas of other sheets.
pub fn reference(row: u32, end: End) -> String {
    let place = place(row, end);
    let (column, line) = place.split_at(1);
    format!("'{TOTALS}'!${column}${line}")
}

/// The part of the operators' time that is not concurrent.
fn covered() -> String {
    place(row::COVERED, End::Value)
}

/// Rows of the first table: label and meaning.
const LABELS: [(u32, &str, &str); 21] = [
    (row::TOTAL, "total latency(ms)", "one inference before: operators - concurrent + overhead"),
    (row::PROJECTED, "total aim to sparse latency(ms)", "one inference with the sparse operators"),
    (row::SUPPORT, "sparse support latency(ms)", "all operators with sparse support, before"),
    (row::PROJECTED_SUPPORT, "aim to sparse support latency(ms)", "the same operators, after"),
    (row::SUPPORT_RATIO, "sparse support latency ratio", "their share of the total, before"),
    (
        row::PROJECTED_SUPPORT_RATIO,
        "aim to sparse support latency ratio",
        "their share of the total, after",
    ),
    (row::IMPROVEMENT, "sparse improve", "total latency / total aim to sparse latency"),
    (row::ITEMS, "items per second", "batch size / total latency"),
    (row::PROJECTED_ITEMS, "aim to sparse items per second", "batch size / latency after"),
    (row::PARTS, "What it is made of", ""),
    (row::OPERATORS, "operators (ms)", "exclusive time of all operators"),
    (row::PROJECTED_OPERATORS, "aim to sparse operators (ms)", "the same, after"),
    (row::CONCURRENT, "concurrent (ms)", "time of operators that ran beside others; taken off"),
    (
        row::PROJECTED_CONCURRENT,
        "aim to sparse concurrent (ms)",
        "as large a part of the operators' time as before",
    ),
    (row::OVERHEAD, "overhead (ms)", "wall time that no operator covers; stays as it is"),
    (row::BATCH, "batch size", "items of one inference"),
    (row::COUNT, "operators projected", "their latency is divided by a perf ratio"),
    (row::UNKNOWN, "operators of unknown latency", "they are in no total"),
    (row::AT_LOW, "sparse support at low ratios (ms)", "for the low end of `sparse improve`"),
    (row::AT_HIGH, "sparse support at high ratios (ms)", "for its high end"),
    (
        row::COVERED,
        "part that is not concurrent",
        "1 - concurrent / operators; the same everywhere",
    ),
];

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    context: &Context,
) -> Written {
    let mut page = Page::new(workbook, TOTALS, styles, numbers)?;
    let basis = match context.projection.basis {
        Basis::Iteration => "Total profiling, per iteration",
        Basis::Trace => "Total profiling, over the whole trace, which tells of no iterations",
    };
    page.text((0, 0), basis, &styles.title)?;
    page.header(row::HEADER, 0, &["Arguments", "Value", "Low", "High", "Description"])?;
    // Apart from the numbers, which end where it begins.
    let indented = rust_xlsxwriter::Format::new().set_indent(1);
    for (row, label, meaning) in LABELS {
        page.text((row, LABEL), label, &styles.label)?;
        page.text((row, MEANING), meaning, &indented)?;
    }
    measured(&mut page, context)?;
    sums(&mut page, context)?;
    derived(&mut page, &context.projection.totals)?;
    let sheet = &mut page.sheet;
    sheet.set_column_width(LABEL, 36)?.set_column_width(MEANING, 60)?;
    sheet.set_column_range_width(VALUE, 3, 13)?;
    chart(&mut page, context)
}

/// What no setting changes.
fn measured(page: &mut Page, context: &Context) -> Written {
    let (totals, numbers) = (&context.projection.totals, page.numbers);
    page.known((row::CONCURRENT, VALUE), Some(totals.concurrent.value), &numbers.milliseconds)?;
    for (end, column) in End::ALL.into_iter().zip(VALUE..) {
        let overhead = totals.overhead.map(|overhead| end.of(overhead));
        page.known((row::OVERHEAD, column), overhead, &numbers.milliseconds)?;
    }
    let batch_size = match context.projection.basis {
        Basis::Iteration => context.summary.run.batch_size,
        Basis::Trace => None,
    };
    page.known((row::BATCH, VALUE), batch_size.map(|size| size as f64), &numbers.quantity)
}

/// Sums over operators.
fn sums(page: &mut Page, context: &Context) -> Written {
    let (projection, numbers) = (context.projection, page.numbers);
    let totals = &projection.totals;
    let (low, high) = end_columns(context);
    let sum = |column: u16| format!("=SUM({})", all(context, column));
    let supported = |column: u16| {
        format!("=SUMIF({},TRUE,{})", all(context, at::SUPPORT), all(context, column))
    };
    let dense = [at::LATENCY, low, high];
    let sparse = [at::PROJECTED, at::PROJECTED_LOW, at::PROJECTED_HIGH];
    for ((end, column), (dense, sparse)) in
        End::ALL.into_iter().zip(VALUE..).zip(dense.into_iter().zip(sparse))
    {
        let cells = [
            (row::OPERATORS, sum(dense), totals.operators),
            (row::PROJECTED_OPERATORS, sum(sparse), totals.projected_operators),
            (row::SUPPORT, supported(dense), totals.support),
            (row::PROJECTED_SUPPORT, supported(sparse), totals.projected_support),
        ];
        for (row, formula, value) in cells {
            page.formula((row, column), formula, end.of(value), &numbers.milliseconds)?;
        }
    }
    let corners = totals.corners;
    for (row, column, range, value) in [
        (row::AT_LOW, VALUE + 1, at::LOW_AT_LOW, corners[0]),
        (row::AT_LOW, VALUE + 2, at::PROJECTED_HIGH, corners[1]),
        (row::AT_HIGH, VALUE + 1, at::PROJECTED_LOW, corners[2]),
        (row::AT_HIGH, VALUE + 2, at::HIGH_AT_HIGH, corners[3]),
    ] {
        page.formula((row, column), supported(range), value, &numbers.milliseconds)?;
    }
    let outcome = |outcome: Outcome| {
        projection.operators.iter().filter(|operator| operator.outcome == outcome).count() as f64
    };
    let count = |text: &str| format!("=COUNTIF({},\"{text}\")", all(context, at::OUTCOME));
    let projected = Outcome::Projected;
    let formula = count(projected.text());
    page.formula((row::COUNT, VALUE), formula, outcome(projected), &numbers.quantity)?;
    let unknown = projection.operators.iter().filter(|operator| operator.dense.is_none()).count();
    let formula = format!("=COUNTIF({},\"{UNKNOWN}\")", all(context, at::LATENCY));
    page.formula((row::UNKNOWN, VALUE), formula, unknown as f64, &numbers.quantity)
}

/// What follows from the sums, by the definitions of `projection::total`.
fn derived(page: &mut Page, totals: &Totals) -> Written {
    let numbers = page.numbers;
    let (ms, ratio, share) = (&numbers.milliseconds, &numbers.ratio, &numbers.ratio);
    let formula = format!(
        "=IF({operators}>0,1-{concurrent}/{operators},1)",
        operators = place(row::OPERATORS, End::Value),
        concurrent = place(row::CONCURRENT, End::Value)
    );
    page.formula((row::COVERED, VALUE), formula, totals.covered, ratio)?;
    for (end, column) in End::ALL.into_iter().zip(VALUE..) {
        let at = |row: u32| place(row, end);
        let concurrent = |operators: u32| format!("={}*(1-{})", at(operators), covered());
        if end != End::Value {
            let (formula, value) = (concurrent(row::OPERATORS), end.of(totals.concurrent));
            page.formula((row::CONCURRENT, column), formula, value, ms)?;
        }
        let formula = concurrent(row::PROJECTED_OPERATORS);
        let value = end.of(totals.projected_concurrent);
        page.formula((row::PROJECTED_CONCURRENT, column), formula, value, ms)?;
        // What is unknown is text, which N takes for nothing.
        let total = |operators: u32, concurrent: u32| {
            format!("={}-{}+N({})", at(operators), at(concurrent), at(row::OVERHEAD))
        };
        let formula = total(row::OPERATORS, row::CONCURRENT);
        page.formula((row::TOTAL, column), formula, end.of(totals.total), ms)?;
        let formula = total(row::PROJECTED_OPERATORS, row::PROJECTED_CONCURRENT);
        page.formula((row::PROJECTED, column), formula, end.of(totals.projected_total), ms)?;
        let rows = [
            (
                row::SUPPORT_RATIO,
                share_formula(end, row::SUPPORT, row::TOTAL),
                totals.support_ratio,
            ),
            (
                row::PROJECTED_SUPPORT_RATIO,
                share_formula(end, row::PROJECTED_SUPPORT, row::PROJECTED),
                totals.projected_support_ratio,
            ),
        ];
        for (row, formula, value) in rows {
            page.formula((row, column), guarded(row, end, formula), of(value, end), share)?;
        }
        let formula = guarded(row::IMPROVEMENT, end, improvement_formula(end));
        page.formula((row::IMPROVEMENT, column), formula, of(totals.improvement, end), ratio)?;
        for (row, total, value) in [
            (row::ITEMS, row::TOTAL, totals.items_per_second),
            (row::PROJECTED_ITEMS, row::PROJECTED, totals.projected_items_per_second),
        ] {
            // Most time, fewest items.
            let opposite = match end {
                End::Value => End::Value,
                End::Low => End::High,
                End::High => End::Low,
            };
            let batch = place(row::BATCH, End::Value);
            let latency = place(total, opposite);
            let formula = match end {
                End::Value => items_per_second(&batch, &latency),
                _ => format!("{batch}*1000/{latency}"),
            };
            page.formula((row, column), guarded(row, end, formula), of(value, end), ratio)?;
        }
    }
    Ok(())
}

/// Items per second by a latency in milliseconds, without `=`.
pub fn items_per_second(batch: &str, latency: &str) -> String {
    format!("IF(AND(ISNUMBER({batch}),{latency}>0),{batch}*1000/{latency},\"{UNKNOWN}\")")
}

fn of(estimate: Option<Estimate>, end: End) -> Value<'static> {
    Value::from(estimate.map(|estimate| end.of(estimate)))
}

/// An end that cannot be computed is the value.
fn guarded(row: u32, end: End, formula: String) -> String {
    match end {
        End::Value => format!("={formula}"),
        _ => {
            let value = place(row, End::Value);
            format!("=IF(ISNUMBER({value}),IFERROR({formula},{value}),\"{UNKNOWN}\")")
        }
    }
}

/// Part by whole; the rest of the whole is at its other end.
fn share_formula(end: End, part: u32, whole: u32) -> String {
    let at = |row, end| place(row, end);
    match end {
        End::Value => quotient(&at(part, end), &at(whole, end)),
        _ => {
            let other = if end == End::Low { End::High } else { End::Low };
            let (own, whole, rest) = (at(part, end), at(whole, other), at(part, other));
            let covered = covered();
            format!("{own}/({own}*{covered}+({whole}-{rest}*{covered}))")
        }
    }
}

/// The least or most of the value and four cases; see `projection::total`.
fn improvement_formula(end: End) -> String {
    if end == End::Value {
        let (before, after) = (place(row::TOTAL, end), place(row::PROJECTED, end));
        return quotient(&before, &after);
    }
    let (pick, corner) = match end {
        End::Low => ("MIN", row::AT_LOW),
        _ => ("MAX", row::AT_HIGH),
    };
    let case = |support: End, rest: End| {
        let covered = |row, end| format!("{}*{}", place(row, end), covered());
        let before = format!("({}-{})", place(row::TOTAL, rest), covered(row::SUPPORT, rest));
        let after =
            format!("({}-{})", place(row::PROJECTED, rest), covered(row::PROJECTED_SUPPORT, rest));
        let (dense, sparse) = (covered(row::SUPPORT, support), covered(corner, support));
        format!("({dense}+{before})/({sparse}+{after})")
    };
    let (low, high) = (End::Low, End::High);
    let cases = [case(low, low), case(low, high), case(high, low), case(high, high)];
    format!("{pick}({},{})", place(row::IMPROVEMENT, End::Value), cases.join(","))
}

/// Every layer before and after, in order of execution.
fn chart(page: &mut Page, context: &Context) -> Written {
    let [names, dense, sparse] = chart_ranges(context);
    let mut chart = Chart::new(ChartType::Line);
    for (name, values) in [("before", &dense), ("aim to sparse", &sparse)] {
        chart
            .add_series()
            .set_name(name)
            .set_categories(names.as_str())
            .set_values(values.as_str());
    }
    chart.title().set_name("Latency of each operator (ms), in order of execution");
    chart.x_axis().set_label_position(rust_xlsxwriter::ChartAxisLabelPosition::None);
    chart.y_axis().set_min(0.0);
    chart.set_width(900).set_height(320);
    page.sheet.insert_chart(row::COVERED + 2, 0, &chart)?;
    Ok(())
}
