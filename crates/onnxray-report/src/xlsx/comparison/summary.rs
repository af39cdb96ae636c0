//! The sheet *Summary*: what can be said in a sentence, the figures of the whole
//! model, configuration differences, and what the time is made of.

use super::causes;
use super::version::Version;
use crate::document::{Cell, CellStyle};
use crate::xlsx::places::LaidOutTable;
use crate::xlsx::sheet::{SheetWriter, UNKNOWN, Written};
use crate::xlsx::table::{write_headings, write_rows};
use onnxray_analyzer::workbook_words;
use rust_xlsxwriter::{Format, FormatAlign};

/// Characters that fit a line of the headline, and of a configuration difference.
const HEADLINE_WIDTH: f64 = 125.0;
const VALUE_WIDTH: f64 = 38.0;

pub(super) fn write(writer: &mut SheetWriter, version: &Version) -> Written {
    let last = writer.places.of("inference")?.place_of("verdict")?;
    writer.text((0, 0), workbook_words::title::COMPARISON, &writer.styles.title)?;
    let sentence =
        writer.styles.label.clone().set_text_wrap().set_align(FormatAlign::VerticalCenter);
    for (row, line) in (1..).zip(&version.document.headline) {
        writer.across(row, (0, last), line, &sentence)?;
        writer.high(row, [(line.as_str(), HEADLINE_WIDTH)])?;
    }
    facts(writer, version)?;
    titled(writer, "inference")?;
    configuration(writer)?;
    titled(writer, "conservation")?;
    if version.pair.has_one_unit() {
        difference(writer, version)?;
    }
    let below = writer.places.of("conservation")?.last_row() + 3;
    causes::insert_first(writer, below)?;
    writer.sheet.set_print_fit_to_pages(1, 1);
    writer.sheet.set_column_width(0, 32)?.set_column_range_width(1, last - 1, 12.5)?;
    writer.sheet.set_column_width(last, 17)?;
    Ok(())
}

fn facts(writer: &mut SheetWriter, version: &Version) -> Written {
    let styles = writer.styles;
    let comparison = version.comparison;
    let not_comparable: Vec<&str> = comparison
        .comparability
        .not_comparable()
        .map(|difference| difference.field.name())
        .collect();
    let comparable = match not_comparable.is_empty() {
        true => "yes".to_string(),
        false => format!("no: {} differ", not_comparable.join(", ")),
    };
    let [a, b] = &comparison.labels;
    let facts = [
        ("A, the baseline".to_string(), a.clone()),
        (format!("{}, the version", version.pair.named("B")), b.clone()),
        ("compared by".to_string(), comparison.decisive().basis.text()),
        ("comparable".to_string(), comparable),
    ];
    for (row, (name, value)) in (version.facts()..).zip(facts) {
        writer.text((row, 0), &name, &styles.label)?;
        writer.plain((row, 1), &value)?;
    }
    Ok(())
}

fn title(writer: &mut SheetWriter, (table, layout): LaidOutTable) -> Written {
    writer.text((layout.header() - 1, 0), table.title, &writer.styles.title)
}

fn titled(writer: &mut SheetWriter, key: &str) -> Written {
    let placed = writer.places.get(key)?;
    title(writer, placed)?;
    writer.header(placed.1.header(), 0, &[])?;
    write_headings(writer, placed)?;
    write_rows(writer, placed)
}

/// Values may be long, so that each takes several columns of the figures above.
fn configuration(writer: &mut SheetWriter) -> Written {
    let (styles, figures) = (writer.styles, writer.places.of("inference")?);
    let (table, layout) = writer.places.get("configuration_differences")?;
    let header = layout.header();
    title(writer, (table, layout))?;
    if table.is_empty() {
        return writer.plain((header, 0), "nothing that is known");
    }
    let spans = [
        ("field", "figure", "figure"),
        ("a", "a", "difference"),
        ("b", "ratio", "ratio_high"),
        ("meaning", "p", "verdict"),
    ];
    let across = |writer: &mut SheetWriter,
                  row: u32,
                  (first, last): (&str, &str),
                  text: &str,
                  format: &Format| {
        let (first, last) = (figures.place_of(first)?, figures.place_of(last)?);
        // A merged range takes two cells at least.
        match first == last {
            true => writer.text((row, first), text, format),
            false => writer.across(row, (first, last), text, format),
        }
    };
    for (key, first, last) in spans {
        across(writer, header, (first, last), table.heading(key), &styles.header)?;
    }
    for row in 0..table.len() {
        let line = layout.row(row);
        let mut texts = Vec::new();
        for (key, first, last) in spans {
            let (text, format) = match table.value(key, row) {
                Cell::Text(text) => (text.as_str(), &styles.wrapped),
                _ => (UNKNOWN, &styles.dash),
            };
            across(writer, line, (first, last), text, format)?;
            texts.push((text, if key == "field" { 28.0 } else { VALUE_WIDTH }));
        }
        writer.high(line, texts)?;
    }
    Ok(())
}

/// B minus A, below what the time of both is made of.
fn difference(writer: &mut SheetWriter, version: &Version) -> Written {
    let styles = writer.styles;
    let format = CellStyle::MILLISECONDS.format(styles);
    let (table, layout) = writer.places.get("conservation")?;
    let below = layout.row(table.len());
    writer.text((below, 0), &version.pair.named("B - A"), &styles.total)?;
    let parts = ["aligned_ms", "only_ms", "overhead_ms", "concurrent_ms"];
    for key in parts.into_iter().chain(["longer_profiled_ms", "timed_apart_ms", "whole_ms"]) {
        let [a, b] = [0, 1].map(|side| table.value(key, side));
        // A part that applies to neither side stays blank.
        if *a == Cell::None && *b == Cell::None {
            continue;
        }
        let value = a.as_number().zip(b.as_number()).map(|(a, b)| b - a);
        let [a, b] = [0, 1].map(|side| format!("[conservation.{key}:{side}]"));
        // `COUNT` skips words such as `unknown`: a difference takes two numbers.
        let formula = format!("=IF(COUNT({a},{b})=2,{b}-{a},\"{UNKNOWN}\")");
        let place = (below, layout.place_of(key)?);
        writer.formula(place, formula, value, &format)?;
    }
    Ok(())
}
