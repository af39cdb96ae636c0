//! The sheet *Summary*: what can be said in a sentence, the figures of the whole
//! model, what else differs, and what the time is made of.

use super::version::{SUMMARY, Version, difference, place, ratio, unknown};
use crate::comparison::Verdict;
use crate::report::table::Cell;
use crate::report::xlsx::page::{Numbers, Page, UNKNOWN, Written, cell, on};
use crate::report::xlsx::sheet::Styles;
use crate::schema::{self, CIRCUMSTANCES, CONSERVATION};
use rust_xlsxwriter::{Format, FormatAlign, Workbook};

const LABEL: u16 = 0;
pub const A: u16 = 1;
pub const B: u16 = 2;
const DIFFERENCE: u16 = 3;
pub const RATIO: u16 = 4;
const LOW: u16 = 5;
const P: u16 = 7;
pub const VERDICT: u16 = 8;
/// Characters that fit a line of the headline, and of a circumstance.
const HEADLINE_WIDTH: usize = 125;
const VALUE_WIDTH: usize = 38;

/// Rows of the sheet's parts: of the headers of its tables.
pub struct Layout {
    facts: u32,
    figures: u32,
    circumstances: u32,
    conservation: u32,
}

impl Layout {
    pub fn of(version: &Version) -> Layout {
        let facts = version.report.headline.len() as u32 + 2;
        let figures = facts + 6;
        let circumstances = figures + version.rows(&schema::INFERENCE).len() as u32 + 3;
        let conservation = circumstances + version.rows(&CIRCUMSTANCES).len().max(1) as u32 + 3;
        Layout { facts, figures, circumstances, conservation }
    }

    pub fn figure(&self, number: usize) -> u32 {
        self.figures + 1 + number as u32
    }
}

/// What stands in a column of the row with the means of the whole.
fn mean(version: &Version, column: u16) -> String {
    // Behind that of the typical times.
    on(&version.sheet(SUMMARY), Layout::of(version).figure(1), column)
}

/// The mean of the whole on a side, for formulas of other sheets.
pub fn whole(version: &Version, side: usize) -> String {
    mean(version, A + side as u16)
}

/// The difference of the means of the whole.
pub fn whole_difference(version: &Version) -> String {
    mean(version, DIFFERENCE)
}

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    version: &Version,
) -> Written {
    let layout = Layout::of(version);
    let mut page = Page::new(workbook, &version.sheet(SUMMARY), styles, numbers)?;
    page.text((0, LABEL), "onnxray: comparison with a baseline", &styles.title)?;
    let sentence = styles.label.clone().set_text_wrap().set_align(FormatAlign::VerticalCenter);
    for (row, line) in (1..).zip(&version.report.headline) {
        page.across(row, (LABEL, VERDICT), line, &sentence)?;
        page.high(row, line.chars().count(), HEADLINE_WIDTH)?;
    }
    facts(&mut page, &layout, version)?;
    figures(&mut page, &layout, version)?;
    circumstances(&mut page, &layout, version)?;
    conservation(&mut page, &layout, version)?;
    page.sheet.set_column_width(LABEL, 28)?.set_column_range_width(A, P, 12.5)?;
    page.sheet.set_column_width(VERDICT, 17)?;
    Ok(())
}

fn facts(page: &mut Page, layout: &Layout, version: &Version) -> Written {
    let styles = page.styles;
    let comparison = version.comparison;
    let disturbing: Vec<&str> =
        comparison.guard.disturbing().map(|difference| difference.field.name()).collect();
    let comparable = match disturbing.is_empty() {
        true => "yes".to_string(),
        false => format!("no: {} differ", disturbing.join(", ")),
    };
    let [a, b] = &comparison.labels;
    let facts = [
        ("A, the baseline", a.clone()),
        ("B, the version", b.clone()),
        ("compared by", comparison.basis.text()),
        ("comparable", comparable),
    ];
    for (row, (name, value)) in (layout.facts..).zip(facts) {
        let name = match name.strip_prefix("B,") {
            Some(rest) => format!("{},{rest}", version.named("B")),
            None => name.to_string(),
        };
        page.text((row, LABEL), &name, &styles.label)?;
        page.plain((row, A), &value)?;
    }
    Ok(())
}

fn title(page: &mut Page, header: u32, title: &str) -> Written {
    let styles = page.styles;
    page.text((header - 1, LABEL), title, &styles.title)
}

fn figures(page: &mut Page, layout: &Layout, version: &Version) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    title(page, layout.figures, schema::INFERENCE.title)?;
    version.header(page, layout.figures, &schema::INFERENCE)?;
    for (number, row) in version.rows(&schema::INFERENCE).iter().enumerate() {
        let line = layout.figure(number);
        let [_, name, a, b, minus, by, low, high, p, verdict] = &row[..] else { continue };
        let milliseconds = matches!(name, Cell::Text(name) if name.ends_with("(ms)"));
        let format = if milliseconds { &numbers.milliseconds } else { &numbers.rate };
        page.cell((line, LABEL), name, &styles.label)?;
        page.cell((line, A), a, format)?;
        page.cell((line, B), b, format)?;
        let (at_a, at_b) = (cell(line, A), cell(line, B));
        if matches!((a, b, minus), (Cell::Number(_), Cell::Number(_), Cell::Unknown)) {
            // They are known, and are of different things.
            page.known((line, DIFFERENCE), None, format)?;
            page.known((line, RATIO), None, format)?;
        } else {
            let formula = difference(&at_a, &at_b, &unknown());
            page.formula((line, DIFFERENCE), formula, minus, format)?;
            let formula = ratio(&at_a, &at_b, &unknown());
            page.formula((line, RATIO), formula, by, &numbers.ratio)?;
        }
        page.cell((line, LOW), low, &numbers.ratio)?;
        page.cell((line, LOW + 1), high, &numbers.ratio)?;
        page.cell((line, P), p, &numbers.probability)?;
        if let Cell::Text(verdict) = verdict {
            let format = match version.comparison.total.change.verdict {
                Some(Verdict::Faster) => &styles.better,
                Some(Verdict::Slower) => &styles.worse,
                _ => &styles.label,
            };
            // Apart from the number before it.
            let format = format.clone().set_indent(1);
            page.text((line, VERDICT), &version.named(verdict), &format)?;
        }
    }
    Ok(())
}

fn circumstances(page: &mut Page, layout: &Layout, version: &Version) -> Written {
    let styles = page.styles;
    title(page, layout.circumstances, CIRCUMSTANCES.title)?;
    let header = layout.circumstances;
    let rows = version.rows(&CIRCUMSTANCES);
    if rows.is_empty() {
        return page.plain((header, LABEL), "nothing that is known");
    }
    const PLACES: [(u16, u16); 4] =
        [(LABEL, LABEL), (A, DIFFERENCE), (RATIO, LOW + 1), (P, VERDICT)];
    let across = |page: &mut Page, row: u32, number: usize, text: &str, format: &Format| {
        let (first, last) = PLACES[number];
        match first == last {
            true => page.text((row, first), text, format),
            false => page.across(row, (first, last), text, format),
        }
    };
    for (number, heading) in version.headings(&CIRCUMSTANCES).iter().enumerate() {
        across(page, header, number, heading, &styles.header)?;
    }
    for (line, row) in (header + 1..).zip(rows) {
        let mut longest = 0;
        for (number, value) in row.iter().skip(1).enumerate() {
            let (text, format) = match value {
                Cell::Text(text) => (text.as_str(), &styles.wrapped),
                _ => (UNKNOWN, &styles.unknown),
            };
            across(page, line, number, text, format)?;
            longest = longest.max(text.chars().count());
        }
        page.high(line, longest, VALUE_WIDTH)?;
    }
    Ok(())
}

fn conservation(page: &mut Page, layout: &Layout, version: &Version) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    title(page, layout.conservation, CONSERVATION.title)?;
    version.header(page, layout.conservation, &CONSERVATION)?;
    let [aligned, only, overhead, concurrent, whole, surely] = [
        "aligned_ms",
        "only_ms",
        "overhead_ms",
        "concurrent_ms",
        "whole_ms",
        "aligned_by_more_than_place",
    ]
    .map(|key| place(&CONSERVATION, key));
    let rows = version.rows(&CONSERVATION);
    let mut line = layout.conservation + 1;
    for row in rows {
        let here = |column: u16| cell(line, column);
        if let Some(Cell::Text(side)) = row.get(1) {
            page.text((line, LABEL), &version.named(side), &styles.label)?;
        }
        for column in [aligned, only, overhead, concurrent] {
            let part = match row[column as usize + 1] {
                Cell::Number(part) => Some(part),
                _ => None,
            };
            page.known((line, column), part, &numbers.milliseconds)?;
        }
        // What is unknown is text, which N takes for nothing.
        let parts = [here(aligned), here(only), here(overhead), here(concurrent)];
        let [aligned, only, overhead, concurrent] = parts;
        let formula = format!("={aligned}+{only}+N({overhead})-{concurrent}");
        let value = &row[whole as usize + 1];
        page.formula((line, whole), formula, value, &numbers.milliseconds)?;
        page.cell((line, surely), &row[surely as usize + 1], &numbers.share)?;
        line += 1;
    }
    let ([a, b], true) = (rows, version.has_one_unit()) else { return Ok(()) };
    page.text((line, LABEL), &version.named("B - A"), &styles.total)?;
    for column in [aligned, only, overhead, concurrent, whole] {
        let of = |row: &Vec<Cell>| match row[column as usize + 1] {
            Cell::Number(number) => Some(number),
            _ => None,
        };
        let value = of(a).zip(of(b)).map(|(a, b)| b - a);
        let formula = difference(&cell(line - 2, column), &cell(line - 1, column), &unknown());
        page.formula((line, column), formula, value, &numbers.milliseconds)?;
    }
    Ok(())
}
