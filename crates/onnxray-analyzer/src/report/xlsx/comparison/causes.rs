//! The sheet *Causes*: what the difference of the whole is made of.

use super::summary::{whole, whole_difference};
use super::version::{CAUSES as SHEET, FASTER, SLOWER, Version, part, place};
use crate::report::table::Cell;
use crate::report::xlsx::page::{Numbers, Page, Written, cell};
use crate::report::xlsx::sheet::{MOST_ROWS, Styles};
use crate::schema::CAUSES;
use rust_xlsxwriter::{Chart, ChartAxisLabelPosition, ChartSolidFill, ChartType, Workbook};

const HEADER: u32 = 2;
const FIRST: u32 = 3;
const NAME: u16 = 0;
/// Causes in the chart.
const MOST_BARS: u32 = 15;
/// Rows for the totals and the chart.
const SPARE: usize = 100;

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    version: &Version,
) -> Written {
    let name = version.sheet(SHEET);
    let mut page = Page::new(workbook, &name, styles, numbers)?;
    page.text((0, NAME), CAUSES.title, &styles.title)?;
    version.header(&mut page, HEADER, &CAUSES)?;
    let at = |key: &str| place(&CAUSES, key);
    let [groups, a, b, difference, contribution] =
        ["groups", "a_ms", "b_ms", "difference_ms", "contribution"].map(at);
    // Bars to the right and to the left, so that each has its colour everywhere.
    let (slower, faster) = (contribution + 1, contribution + 2);
    page.number_header(HEADER, slower, &["bar, slower", "bar, faster"])?;
    page.sheet.set_column_width(NAME, 44)?.set_column_range_width(groups, faster, 13)?;
    page.sheet.set_freeze_panes(FIRST, 1)?;
    let rows = version.rows(&CAUSES);
    if rows.is_empty() {
        let text = "times of the two are of different things, so that there is no difference";
        return page.text((FIRST, NAME), text, &styles.unknown);
    }
    let rows = &rows[..rows.len().min(MOST_ROWS - SPARE)];
    let whole_difference = whole_difference(version);
    for (line, row) in (FIRST..).zip(rows) {
        let [_, cause, count, mean_a, mean_b, minus, share] = &row[..] else { continue };
        let here = |column: u16| cell(line, column);
        if let Cell::Text(cause) = cause {
            page.plain((line, NAME), &named(version, cause))?;
        }
        page.cell((line, groups), count, &numbers.quantity)?;
        page.cell((line, a), mean_a, &numbers.milliseconds)?;
        page.cell((line, b), mean_b, &numbers.milliseconds)?;
        let formula = format!("={}-{}", here(b), here(a));
        page.formula((line, difference), formula, minus, &numbers.milliseconds)?;
        let formula = format!("={}", part(&here(difference), &whole_difference));
        page.formula((line, contribution), formula, share, &numbers.share)?;
        let Cell::Number(minus) = minus else { continue };
        let bars = [(slower, "MAX", minus.max(0.0)), (faster, "MIN", minus.min(0.0))];
        for (column, function, value) in bars {
            let formula = format!("={function}(0,{})", here(difference));
            let format = numbers.helper.clone().set_num_format("0.0000");
            page.formula((line, column), formula, value, &format)?;
        }
    }
    let last = FIRST + rows.len() as u32 - 1;
    totals(&mut page, version, last, [a, b, difference, contribution])?;
    page.sheet.insert_chart(last + 5, NAME, &chart(&name, last, [slower, faster]))?;
    Ok(())
}

/// The causes end in which side alone has them, behind names from a trace.
fn named(version: &Version, cause: &str) -> String {
    const ONLY: &str = "only in B";
    match cause.strip_suffix(ONLY) {
        Some(rest) => format!("{rest}{}", version.named(ONLY)),
        None => cause.to_string(),
    }
}

/// What the causes come to, and what it has to be.
fn totals(page: &mut Page, version: &Version, last: u32, columns: [u16; 4]) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let [a, b, difference, contribution] = columns;
    let (sums, measured) = (last + 1, last + 2);
    page.text((sums, NAME), "sum of the causes", &styles.total)?;
    page.text((measured, NAME), "the whole, as measured", &styles.total)?;
    let milliseconds = numbers.milliseconds.merge(&styles.total);
    let shares = numbers.share.merge(&styles.total);
    let total = &version.comparison.total;
    let [mean_a, mean_b] = total.sides.each_ref().map(|side| side.mean.map(|mean| mean.0));
    let minus = total.change.mean_difference.map(|difference| difference.0);
    for (column, value, whole) in [
        (a, mean_a, whole(version, 0)),
        (b, mean_b, whole(version, 1)),
        (difference, minus, whole_difference(version)),
    ] {
        let formula = format!("=SUM({}:{})", cell(FIRST, column), cell(last, column));
        page.formula((sums, column), formula, value, &milliseconds)?;
        page.formula((measured, column), format!("={whole}"), value, &milliseconds)?;
    }
    let share = minus.filter(|minus| *minus != 0.0).map(|_| 1.0);
    let formula = format!("={}", part(&cell(sums, difference), &whole_difference(version)));
    page.formula((sums, contribution), formula, share, &shares)
}

/// The largest causes: faster to the left, slower to the right.
fn chart(sheet: &str, last: u32, columns: [u16; 2]) -> Chart {
    let last = last.min(FIRST + MOST_BARS - 1);
    let mut chart = Chart::new(ChartType::Bar);
    let looks = [("slower", SLOWER), ("faster", FASTER)];
    for (column, (name, colour)) in columns.into_iter().zip(looks) {
        chart
            .add_series()
            .set_name(name)
            .set_categories((sheet, FIRST, NAME, last, NAME))
            .set_values((sheet, FIRST, column, last, column))
            .set_format(ChartSolidFill::new().set_color(colour))
            .set_gap(40)
            .set_overlap(100);
    }
    chart.title().set_name("The largest causes: what each adds or saves (ms)");
    chart.y_axis().set_reverse().set_label_position(ChartAxisLabelPosition::Low);
    chart.legend().set_position(rust_xlsxwriter::ChartLegendPosition::Top);
    chart.set_width(900).set_height(150 + 26 * (last - FIRST + 1));
    chart
}
