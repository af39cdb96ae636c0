//! The sheet *Summary*: the threshold and the percentile, and what is best by them.

use super::shared::{FIRST, HELPER, PERCENTILE, SUMMARY, THRESHOLD, insert_charts};
use crate::content::sweep::Goal;
use crate::document::{CellStyle, Document};
use crate::xlsx::places::address::on;
use crate::xlsx::sheet::{SheetWriter, Written};
use crate::xlsx::table::{set_columns, write_headings, write_rows};
use onnxray_analyzer::sweep::{Percentile, Sweep};
use onnxray_analyzer::workbook_words::title;
use rust_xlsxwriter::{DataValidation, DataValidationRule, FormatAlign};

pub(super) fn write(writer: &mut SheetWriter, sweep: &Sweep, document: &Document) -> Written {
    writer.text((0, 0), title::SWEEP, &writer.styles.title)?;
    inputs(writer, sweep)?;
    set_columns(writer, writer.places.get("sweet_spot")?)?;
    // Without points, the headline says why there is nothing to choose.
    if sweep.points.is_empty() {
        for (row, line) in (FIRST..).zip(&document.headline) {
            writer.text((row, 0), line, &writer.styles.label)?;
        }
        return Ok(());
    }
    let mut last = FIRST;
    for goal in Goal::ALL {
        let (table, layout) = writer.places.get(goal.key())?;
        writer.text((layout.header() - 1, 0), goal.title(), &writer.styles.title)?;
        writer.header(layout.header(), 0, &[])?;
        write_headings(writer, (table, layout))?;
        write_rows(writer, (table, layout))?;
        last = layout.last_row();
    }
    insert_charts(writer, document, last + 2)?;
    writer.sheet.set_print_fit_to_pages(1, 1);
    Ok(())
}

fn inputs(writer: &mut SheetWriter, sweep: &Sweep) -> Written {
    let (styles, options) = (writer.styles, &sweep.options);
    writer.text(
        (THRESHOLD - 1, 0),
        "Set the yellow cells; what is best, the front and the chart follow.",
        &styles.unknown,
    )?;
    writer.text((THRESHOLD, 0), "latency threshold (ms)", &styles.label)?;
    let input = styles.input.clone().set_num_format("0.####").set_align(FormatAlign::Left);
    match options.latency_threshold {
        Some(most) => writer.number((THRESHOLD, 1), most.0, &input)?,
        None => writer.blank((THRESHOLD, 1), &input)?,
    }
    writer.text((THRESHOLD, 2), "blank for none", &styles.unknown)?;
    writer.text((PERCENTILE, 0), "percentile of the latency", &styles.label)?;
    writer.text((PERCENTILE, 1), options.percentile.name(), &styles.input)?;
    let least = DataValidationRule::GreaterThanOrEqualTo(0.0);
    let positive = DataValidation::new().allow_decimal_number(least);
    writer.sheet.add_data_validation(THRESHOLD, 1, THRESHOLD, 1, &positive)?;
    let names = Percentile::ALL.map(Percentile::name);
    let choice = DataValidation::new().allow_list_strings(&names)?;
    writer.sheet.add_data_validation(PERCENTILE, 1, PERCENTILE, 1, &choice)?;
    // Formulas of the points read these: blank means unlimited, an unknown word p50.
    let format = &CellStyle::Helper.format(styles);
    let [most, chosen] = [THRESHOLD, PERCENTILE].map(|row| on(SUMMARY, row, 1));
    let value = options.latency_threshold.map_or(NO_LIMIT, |most| most.0);
    writer.formula(
        (THRESHOLD, HELPER),
        format!("=IF(ISNUMBER({most}),{most},{NO_LIMIT:E})"),
        value,
        format,
    )?;
    // `MATCH` counts from 1.
    let position = Percentile::ALL.iter().position(|known| *known == options.percentile);
    let [p50, p90, p99] = names;
    writer.formula(
        (PERCENTILE, HELPER),
        format!("=IFERROR(MATCH({chosen},{{\"{p50}\",\"{p90}\",\"{p99}\"}},0),1)"),
        position.unwrap_or(0) as f64 + 1.0,
        format,
    )
}

/// Above every latency.
const NO_LIMIT: f64 = 1e300;
