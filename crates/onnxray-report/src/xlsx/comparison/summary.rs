//! The sheet *Summary*: what can be said in a sentence, the figures of the whole
//! model, configuration differences, and what the time is made of.

use super::formulas::{difference, ratio, unknown};
use super::placed::Placed;
use super::version::{SUMMARY as SHEET, Version};
use super::wholes::{Headers, figures};
use crate::content::comparison::WholeFigure;
use crate::document::Cell;
use crate::xlsx::page::{Page, UNKNOWN, Written};
use onnxray_analyzer::comparison::Verdict;
use rust_xlsxwriter::{Format, FormatAlign};

/// Characters that fit a line of the headline, and of a configuration difference.
const HEADLINE_WIDTH: f64 = 125.0;
const VALUE_WIDTH: f64 = 38.0;

pub(super) fn write(page: &mut Page, version: &Version) -> Written {
    let headers = Headers::of(version);
    let figure_table = figures(version);
    let last = figure_table.layout.column("verdict");
    page.text((0, 0), "onnxray: comparison with a baseline", &page.styles.title)?;
    let sentence = page.styles.label.clone().set_text_wrap().set_align(FormatAlign::VerticalCenter);
    for (row, line) in (1..).zip(&version.document.headline) {
        page.across(row, (0, last), line, &sentence)?;
        page.high(row, [(line.as_str(), HEADLINE_WIDTH)])?;
    }
    facts(page, headers.facts, version)?;
    write_figures(page, &figure_table, version)?;
    configuration(page, headers.configuration, &figure_table, version)?;
    conservation(page, headers.conservation, version)?;
    page.sheet.set_column_width(0, 28)?.set_column_range_width(1, last - 1, 12.5)?;
    page.sheet.set_column_width(last, 17)?;
    Ok(())
}

fn facts(page: &mut Page, first: u32, version: &Version) -> Written {
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
        ("A, the baseline".to_string(), a.clone()),
        (format!("{}, the version", version.named("B")), b.clone()),
        ("compared by".to_string(), comparison.decisive().basis.text()),
        ("comparable".to_string(), comparable),
    ];
    for (row, (name, value)) in (first..).zip(facts) {
        page.text((row, 0), &name, &styles.label)?;
        page.plain((row, 1), &value)?;
    }
    Ok(())
}

fn title(page: &mut Page, table: &Placed) -> Written {
    let styles = page.styles;
    page.text((table.layout.header() - 1, 0), table.title, &styles.title)
}

fn write_figures(page: &mut Page, table: &Placed, version: &Version) -> Written {
    let (styles, numbers, layout) = (page.styles, page.numbers, &table.layout);
    title(page, table)?;
    table.header(page)?;
    let kinds = WholeFigure::of(version.comparison);
    for (row, kind) in kinds.iter().enumerate() {
        let format = if kind.is_rate() { &numbers.rate } else { &numbers.milliseconds };
        for (key, format) in [
            ("figure", &styles.label),
            ("a", format),
            ("b", format),
            ("ratio_low", &numbers.ratio),
            ("ratio_high", &numbers.ratio),
            ("p", &numbers.probability),
            ("minimum_detectable_effect_share", &numbers.share),
            ("reason", &styles.label),
        ] {
            table.put(page, key, row, format)?;
        }
        let (a, b) = (layout.at("a", row), layout.at("b", row));
        let are_known = ["a", "b"].iter().all(|key| table.cell(key, row).as_number().is_some());
        for (key, formula, format) in [
            ("difference", difference(&a, &b, &unknown()), format),
            ("ratio", ratio(&a, &b, &unknown()), &numbers.ratio),
        ] {
            // Times that are known and are of different things have no difference.
            match are_known && *table.cell("difference", row) == Cell::Unknown {
                true => page.known(layout.place(key, row), None, format)?,
                false => table.formula(page, (key, row), formula, format)?,
            }
        }
        if let Cell::Label { text: verdict, .. } = table.cell("verdict", row) {
            let format = match version.comparison.decisive().change.verdict {
                Some(Verdict::Faster) => &styles.better,
                Some(Verdict::Slower) => &styles.worse,
                _ => &styles.label,
            };
            // Apart from the number before it.
            let format = format.clone().set_indent(1);
            page.text(layout.place("verdict", row), &version.named(verdict), &format)?;
        }
    }
    Ok(())
}

/// Values may be long, so that each takes several columns of the figures above.
fn configuration(page: &mut Page, header: u32, figures: &Placed, version: &Version) -> Written {
    let styles = page.styles;
    let table = Placed::new(version, "configuration_differences", (SHEET, header), &[]);
    title(page, &table)?;
    if table.rows == 0 {
        return page.plain((header, 0), "nothing that is known");
    }
    let spans = [
        ("field", "figure", "figure"),
        ("a", "a", "difference"),
        ("b", "ratio", "ratio_high"),
        ("meaning", "p", "verdict"),
    ];
    let across =
        |page: &mut Page, row: u32, (first, last): (&str, &str), text: &str, format: &Format| {
            let (first, last) = (figures.layout.column(first), figures.layout.column(last));
            match first == last {
                true => page.text((row, first), text, format),
                false => page.across(row, (first, last), text, format),
            }
        };
    for (key, first, last) in spans {
        across(page, header, (first, last), &table.heading(key), &styles.header)?;
    }
    for row in 0..table.rows {
        let line = table.layout.row(row);
        let mut texts = Vec::new();
        for (key, first, last) in spans {
            let (text, format) = match table.cell(key, row) {
                Cell::Text(text) => (text.as_str(), &styles.wrapped),
                _ => (UNKNOWN, &styles.dash),
            };
            across(page, line, (first, last), text, format)?;
            texts.push((text, if key == "field" { 28.0 } else { VALUE_WIDTH }));
        }
        page.high(line, texts)?;
    }
    Ok(())
}

fn conservation(page: &mut Page, header: u32, version: &Version) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let table = Placed::new(version, "conservation", (SHEET, header), &[]);
    let layout = &table.layout;
    title(page, &table)?;
    table.header(page)?;
    let parts = ["aligned_ms", "only_ms", "overhead_ms", "concurrent_ms", "timed_apart_ms"];
    for row in 0..table.rows {
        if let Cell::Text(side) = table.cell("side", row) {
            page.text(layout.place("side", row), &version.named(side), &styles.label)?;
        }
        for key in parts {
            table.put(page, key, row, &numbers.milliseconds)?;
        }
        // What is unknown is text, which N takes for nothing.
        let [aligned, only, overhead, concurrent, apart] = parts.map(|key| layout.at(key, row));
        let formula = format!("={aligned}+{only}+N({overhead})-N({concurrent})-N({apart})");
        table.formula(page, ("whole_ms", row), formula, &numbers.milliseconds)?;
        table.put(page, "aligned_by_more_than_place", row, &numbers.share)?;
    }
    if !version.has_one_unit() {
        return Ok(());
    }
    let below = layout.row(table.rows);
    page.text((below, 0), &version.named("B - A"), &styles.total)?;
    for key in parts.into_iter().chain(["whole_ms"]) {
        if (0..table.rows).all(|row| *table.cell(key, row) == Cell::None) {
            continue;
        }
        let [a, b] = [0, 1].map(|row| table.cell(key, row).as_number());
        let value = a.zip(b).map(|(a, b)| b - a);
        let formula = difference(&layout.at(key, 0), &layout.at(key, 1), &unknown());
        let place = (below, layout.column(key));
        page.formula(place, formula, value, &numbers.milliseconds)?;
    }
    Ok(())
}
