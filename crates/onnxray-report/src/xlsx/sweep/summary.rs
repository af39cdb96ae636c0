//! The sheet *Summary*: the threshold and the percentile, and what is best by them.

use super::shared::{FIRST, HELPER, PERCENTILE, SUMMARY, THRESHOLD, insert_charts};
use crate::content::sweep::Goal;
use crate::document::{CellStyle, Document};
use crate::xlsx::address::on;
use crate::xlsx::page::{Page, Written};
use crate::xlsx::table::{set_columns, write_headings, write_rows};
use onnxray_analyzer::sweep::{Percentile, Sweep};
use onnxray_analyzer::workbook::title;
use rust_xlsxwriter::{DataValidation, DataValidationRule, FormatAlign};

pub(super) fn write(page: &mut Page, sweep: &Sweep, document: &Document) -> Written {
    page.text((0, 0), title::SWEEP, &page.styles.title)?;
    inputs(page, sweep)?;
    set_columns(page, page.places.get("sweet_spot")?)?;
    if sweep.points.is_empty() {
        for (row, line) in (FIRST..).zip(&document.headline) {
            page.text((row, 0), line, &page.styles.label)?;
        }
        return Ok(());
    }
    let mut last = FIRST;
    for goal in Goal::ALL {
        let (table, layout) = page.places.get(goal.key())?;
        page.text((layout.header() - 1, 0), goal.title(), &page.styles.title)?;
        page.header(layout.header(), 0, &[])?;
        write_headings(page, (table, layout))?;
        write_rows(page, (table, layout))?;
        last = layout.last_row();
    }
    insert_charts(page, document, last + 2)?;
    page.sheet.set_print_fit_to_pages(1, 1);
    Ok(())
}

fn inputs(page: &mut Page, sweep: &Sweep) -> Written {
    let (styles, options) = (page.styles, &sweep.options);
    page.text(
        (THRESHOLD - 1, 0),
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
    let format = &CellStyle::Helper.format(styles);
    let [most, chosen] = [THRESHOLD, PERCENTILE].map(|row| on(SUMMARY, row, 1));
    let value = options.latency_threshold.map_or(NO_LIMIT, |most| most.0);
    page.formula(
        (THRESHOLD, HELPER),
        format!("=IF(ISNUMBER({most}),{most},{NO_LIMIT:E})"),
        value,
        format,
    )?;
    let position = Percentile::ALL.iter().position(|known| *known == options.percentile);
    let [p50, p90, p99] = names;
    page.formula(
        (PERCENTILE, HELPER),
        format!("=IFERROR(MATCH({chosen},{{\"{p50}\",\"{p90}\",\"{p99}\"}},0),1)"),
        position.unwrap_or(0) as f64 + 1.0,
        format,
    )
}

/// Above every latency.
const NO_LIMIT: f64 = 1e300;
