//! The sheet *Layers*: every group of operators as one row, with the time that it
//! takes on both sides.

use super::summary::{whole, whole_difference};
use super::version::{
    LAYERS as SHEET, PALE_FASTER, PALE_SLOWER, Version, difference, part, place, ratio, share, sum,
    text_format, time, unknown,
};
use crate::report::table::Cell;
use crate::report::xlsx::page::{Numbers, Page, Written, cell};
use crate::report::xlsx::sheet::{MOST_ROWS, Styles, number_format};
use crate::schema::{Column, LAYERS, Shown};
use rust_xlsxwriter::{
    ConditionalFormatCell, ConditionalFormatCellRule, ConditionalFormatDataBar, Format, Workbook,
};

const TOTALS: u32 = 0;
const WHOLE: u32 = 1;
const HEADER: u32 = 2;
const FIRST: u32 = 3;
/// Rows that a sheet has room for.
const ROOM: usize = MOST_ROWS - FIRST as usize;

/// How a column is written.
#[derive(Clone, Copy)]
enum Kind {
    /// As the report has it.
    Plain,
    Time,
    Difference,
    Ratio,
    MeanDifference,
    Contribution,
    /// By side.
    Share(usize),
    Verdict,
}

fn kind(column: &Column) -> Kind {
    match column.key {
        "a_ms" | "b_ms" | "a_mean_ms" | "b_mean_ms" => Kind::Time,
        "difference_ms" => Kind::Difference,
        "ratio" => Kind::Ratio,
        "mean_difference_ms" => Kind::MeanDifference,
        "contribution" => Kind::Contribution,
        "a_share" => Kind::Share(0),
        "b_share" => Kind::Share(1),
        "verdict" => Kind::Verdict,
        _ => Kind::Plain,
    }
}

/// What formulas refer to, the same in all rows.
struct Places {
    typical: [u16; 2],
    mean: [u16; 2],
    mean_difference: u16,
    verdict: u16,
    wholes: [String; 2],
    whole_difference: String,
}

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    version: &Version,
) -> Written {
    let mut page = Page::new(workbook, &version.sheet(SHEET), styles, numbers)?;
    page.sheet.set_print_fit_to_pages(0, 0).set_repeat_rows(HEADER, HEADER)?;
    let at = |key: &str| place(&LAYERS, key);
    let places = Places {
        typical: ["a_ms", "b_ms"].map(at),
        mean: ["a_mean_ms", "b_mean_ms"].map(at),
        mean_difference: at("mean_difference_ms"),
        verdict: at("verdict"),
        wholes: [0, 1].map(|side| whole(version, side)),
        whole_difference: whole_difference(version),
    };
    version.header(&mut page, HEADER, &LAYERS)?;
    let columns: Vec<(Kind, Format)> =
        LAYERS.columns.iter().skip(1).map(|column| (kind(column), format(column))).collect();
    for (index, column) in LAYERS.columns.iter().skip(1).enumerate() {
        page.sheet.set_column_width(index as u16, width(column))?;
    }
    let rows = version.rows(&LAYERS);
    let written = rows.len().min(ROOM);
    for (line, row) in (FIRST..).zip(&rows[..written]) {
        for (index, ((kind, format), value)) in columns.iter().zip(&row[1..]).enumerate() {
            let at = (line, index as u16);
            layer(&mut page, at, (*kind, value), row, format, &places, version)?;
        }
    }
    page.sheet.set_freeze_panes(FIRST, at("layer") + 1)?;
    if written == 0 {
        return Ok(());
    }
    let last = FIRST + written as u32 - 1;
    totals(&mut page, &rows[..written], last, &places, version)?;
    let right = columns.len() as u16 - 1;
    page.sheet.autofilter(HEADER, 0, last, right)?.set_print_area(0, 0, last, right)?;
    colours(&mut page, last, &places)
}

fn format(column: &Column) -> Format {
    match column.key {
        "p" | "p_adjusted" => Format::new().set_num_format("0.0000"),
        _ => {
            let format = Format::new().set_num_format(number_format(column.shown));
            if column.shown == Shown::Text { text_format(&format) } else { format }
        }
    }
}

fn width(column: &Column) -> f64 {
    match (column.shown, column.key) {
        (_, "layer") => 56.0,
        (_, "a_operators" | "b_operators") => 44.0,
        (Shown::Text, "matched_by") => 20.0,
        (Shown::Text, "verdict") => 17.0,
        (Shown::Text, "a_type" | "b_type") => 18.0,
        (_, "number") => 7.0,
        (_, "mean_difference_ms") => 15.0,
        _ => 12.0,
    }
}

fn layer(
    page: &mut Page,
    at: (u32, u16),
    (kind, value): (Kind, &Cell),
    row: &[Cell],
    format: &Format,
    places: &Places,
    version: &Version,
) -> Written {
    let here = |column: u16| cell(at.0, column);
    let one_unit = version.has_one_unit();
    let verdict = || match row.get(places.verdict as usize + 1) {
        Some(Cell::Text(text)) => version.named(text),
        _ => String::new(),
    };
    // What is not a number says why.
    let formula = |page: &mut Page, formula: String| match value {
        Cell::None => page.formula(at, formula, verdict().as_str(), &page.styles.absent),
        value => page.formula(at, formula, value, format),
    };
    let [a, b] = places.typical.map(here);
    match kind {
        Kind::Plain => page.cell(at, value, format),
        Kind::Time => time(page, at, value, format),
        Kind::Verdict => page.text(at, &verdict(), format),
        Kind::Share(side) => {
            let mean = here(places.mean[side]);
            share(page, at, (&mean, &places.wholes[side]), value)
        }
        // Times of different things have no difference.
        _ if !one_unit => page.known(at, None, format),
        Kind::Difference => formula(page, difference(&a, &b, &here(places.verdict))),
        Kind::Ratio => formula(page, ratio(&a, &b, &here(places.verdict))),
        Kind::MeanDifference => {
            // A side that does not execute it takes no time for it.
            let ([a, b], unknown) = (places.mean.map(here), unknown());
            formula(page, format!("=IF(COUNT({a},{b})>0,N({b})-N({a}),{unknown})"))
        }
        Kind::Contribution => {
            let difference = here(places.mean_difference);
            let part = part(&difference, &places.whole_difference);
            formula(page, format!("=IF(ISNUMBER({difference}),{part},{difference})"))
        }
    }
}

/// Sums of the rows that a filter leaves, above those of the whole.
fn totals(
    page: &mut Page,
    rows: &[Vec<Cell>],
    last: u32,
    places: &Places,
    version: &Version,
) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let name = place(&LAYERS, "layer");
    page.text((TOTALS, name), "Total of the rows shown", &styles.total)?;
    page.text((WHOLE, name), "The whole, with what no layer covers", &styles.total)?;
    let milliseconds = numbers.milliseconds.merge(&styles.total);
    let shares = numbers.share.merge(&styles.total);
    let at = |key: &str| place(&LAYERS, key);
    let sums = [
        ("a_mean_ms", &milliseconds),
        ("b_mean_ms", &milliseconds),
        ("a_share", &shares),
        ("b_share", &shares),
        ("mean_difference_ms", &milliseconds),
        ("contribution", &shares),
    ];
    // Times of different things have no differences to add up.
    let sums = if version.has_one_unit() { &sums[..] } else { &sums[..4] };
    for (column, format) in sums.iter().map(|(key, format)| (at(key), *format)) {
        let formula = format!("=SUBTOTAL(109,{}:{})", cell(FIRST, column), cell(last, column));
        page.formula((TOTALS, column), formula, sum(rows, column), format)?;
    }
    let total = &version.comparison.total;
    let [a, b] = total.sides.each_ref().map(|side| side.mean.map(|mean| mean.0));
    let difference = total.change.mean_difference.map(|difference| difference.0);
    for (column, whole, value) in [
        (places.mean[0], &places.wholes[0], a),
        (places.mean[1], &places.wholes[1], b),
        (places.mean_difference, &places.whole_difference, difference),
    ] {
        page.formula((WHOLE, column), format!("={whole}"), value, &milliseconds)?;
    }
    Ok(())
}

fn colours(page: &mut Page, last: u32, places: &Places) -> Written {
    let styles = page.styles;
    for (text, format) in [("faster", &styles.better), ("slower", &styles.worse)] {
        let rule = ConditionalFormatCell::new()
            .set_rule(ConditionalFormatCellRule::EqualTo(text))
            .set_format(format);
        let column = places.verdict;
        page.sheet.add_conditional_format(FIRST, column, last, column, &rule)?;
    }
    let bar = ConditionalFormatDataBar::new()
        .set_fill_color(PALE_SLOWER)
        .set_negative_fill_color(PALE_FASTER)
        .set_solid_fill(true);
    let column = places.mean_difference;
    page.sheet.add_conditional_format(FIRST, column, last, column, &bar)?;
    Ok(())
}
