//! The sheet *Layers*: every group of operators as one row, with the time that it
//! takes on both sides.

use super::formulas::{NOT_EXECUTED, difference, live, part, ratio, share, time, unknown};
use super::placed::{Placed, text_format};
use super::version::{LAYERS as SHEET, PALE_FASTER, PALE_SLOWER, Version};
use super::wholes::Wholes;
use crate::document::{Cell, Heading, Unit};
use crate::xlsx::page::{Page, Written};
use crate::xlsx::sheet::number_format;
use rust_xlsxwriter::{
    ConditionalFormatCell, ConditionalFormatCellRule, ConditionalFormatDataBar, Format,
};

const TOTALS: u32 = 0;
const WHOLE: u32 = 1;
const HEADER: u32 = 2;

pub(super) fn write(page: &mut Page, version: &Version) -> Written {
    let table = Placed::new(version, "layers", (SHEET, HEADER), &[]);
    let (layout, wholes) = (&table.layout, Wholes::of(version));
    page.sheet.set_repeat_rows(HEADER, HEADER)?;
    table.header(page)?;
    let formats: Vec<Format> = table.columns.iter().map(|c| format(&c.heading)).collect();
    for (number, column) in (0..).zip(&table.columns) {
        page.sheet.set_column_width(number, width(&column.heading))?;
    }
    for row in 0..table.rows {
        let layer = Layer { table: &table, row, wholes: &wholes, version };
        for (column, format) in table.columns.iter().zip(&formats) {
            layer.write(page, column.heading.key, format)?;
        }
    }
    page.sheet.set_freeze_panes(HEADER + 1, layout.column("layer") + 1)?;
    if table.rows == 0 {
        return Ok(());
    }
    totals(page, &table, &wholes, version)?;
    let (last, right) = (layout.last_row(), layout.last_column());
    // Down to what tells who is who on either side, which would not be readable.
    let printed = layout.column("verdict");
    page.sheet.autofilter(HEADER, 0, last, right)?.set_print_area(0, 0, last, printed)?;
    colours(page, &table)
}

fn format(heading: &Heading) -> Format {
    let format = Format::new().set_num_format(number_format(heading.unit));
    if heading.unit == Unit::Text { text_format(&format) } else { format }
}

fn width(heading: &Heading) -> f64 {
    match heading.key {
        "layer" => 56.0,
        "a_operators" | "b_operators" => 44.0,
        "matched_by" => 20.0,
        "verdict" => 17.0,
        "reason" => 34.0,
        "a_type" | "b_type" => 18.0,
        "number" => 7.0,
        "mean_difference_ms" => 15.0,
        _ => 12.0,
    }
}

/// A row of the sheet.
struct Layer<'a> {
    table: &'a Placed<'a>,
    row: usize,
    wholes: &'a Wholes,
    version: &'a Version<'a>,
}

impl Layer<'_> {
    fn at(&self, key: &str) -> String {
        self.table.layout.at(key, self.row)
    }

    fn verdict(&self) -> String {
        match self.table.cell("verdict", self.row) {
            Cell::Label { text, .. } => self.version.named(text),
            _ => String::new(),
        }
    }

    fn write(&self, page: &mut Page, key: &str, format: &Format) -> Written {
        let place = self.table.layout.place(key, self.row);
        let cell = self.table.cell(key, self.row);
        match key {
            "a_ms" | "b_ms" | "a_mean_ms" | "b_mean_ms" => time(page, place, cell, format),
            "verdict" => page.text(place, &self.verdict(), format),
            "a_share" | "b_share" => {
                let side = usize::from(key == "b_share");
                let mean = self.at(["a_mean_ms", "b_mean_ms"][side]);
                let formula = share(&mean, &self.wholes.means[side].cell);
                live(page, place, formula, (cell, NOT_EXECUTED), format)
            }
            _ => match self.difference(key) {
                None => page.cell(place, cell, format),
                // Times of different things have no difference.
                Some(_) if !self.version.has_one_unit() => page.known(place, None, format),
                Some(formula) => live(page, place, formula, (cell, &self.verdict()), format),
            },
        }
    }

    /// The formula of a column that says how the sides differ.
    fn difference(&self, key: &str) -> Option<String> {
        let typical = || (self.at("a_ms"), self.at("b_ms"), self.at("verdict"));
        match key {
            "difference_ms" => {
                let (a, b, verdict) = typical();
                Some(difference(&a, &b, &verdict))
            }
            "ratio" => {
                let (a, b, verdict) = typical();
                Some(ratio(&a, &b, &verdict))
            }
            "mean_difference_ms" => {
                // A side that does not execute it takes no time for it.
                let (a, b, unknown) = (self.at("a_mean_ms"), self.at("b_mean_ms"), unknown());
                Some(format!("=IF(COUNT({a},{b})>0,N({b})-N({a}),{unknown})"))
            }
            "share_of_difference" => {
                let difference = self.at("mean_difference_ms");
                let part = part(&difference, &self.wholes.difference.cell);
                Some(format!("=IF(ISNUMBER({difference}),{part},{difference})"))
            }
            _ => None,
        }
    }
}

/// Sums of the rows that a filter leaves, above those of the whole.
fn totals(page: &mut Page, table: &Placed, wholes: &Wholes, version: &Version) -> Written {
    let (styles, numbers, layout) = (page.styles, page.numbers, &table.layout);
    let name = layout.column("layer");
    page.text((TOTALS, name), "Total of the rows shown", &styles.total)?;
    page.text((WHOLE, name), "The whole, with what no layer covers", &styles.total)?;
    let milliseconds = numbers.milliseconds.merge(&styles.total);
    let shares = numbers.share.merge(&styles.total);
    let sums = [
        ("a_mean_ms", &milliseconds),
        ("b_mean_ms", &milliseconds),
        ("a_share", &shares),
        ("b_share", &shares),
        ("mean_difference_ms", &milliseconds),
        ("share_of_difference", &shares),
    ];
    // Times of different things have no differences to add up.
    let sums = if version.has_one_unit() { &sums[..] } else { &sums[..4] };
    for (key, format) in sums {
        let formula = format!("=SUBTOTAL(109,{})", layout.nth_span(key, 0));
        page.formula((TOTALS, layout.column(key)), formula, table.sum(key), format)?;
    }
    for (key, whole) in [
        ("a_mean_ms", &wholes.means[0]),
        ("b_mean_ms", &wholes.means[1]),
        ("mean_difference_ms", &wholes.difference),
    ] {
        let place = (WHOLE, layout.column(key));
        page.formula(place, format!("={}", whole.cell), whole.value, &milliseconds)?;
    }
    Ok(())
}

fn colours(page: &mut Page, table: &Placed) -> Written {
    let (styles, layout) = (page.styles, &table.layout);
    let (first, last) = (layout.row(0), layout.last_row());
    for (text, format) in [("faster", &styles.better), ("slower", &styles.worse)] {
        let rule = ConditionalFormatCell::new()
            .set_rule(ConditionalFormatCellRule::EqualTo(text))
            .set_format(format);
        let column = layout.column("verdict");
        page.sheet.add_conditional_format(first, column, last, column, &rule)?;
    }
    let bar = ConditionalFormatDataBar::new()
        .set_fill_color(PALE_SLOWER)
        .set_negative_fill_color(PALE_FASTER)
        .set_solid_fill(true);
    let column = layout.column("mean_difference_ms");
    page.sheet.add_conditional_format(first, column, last, column, &bar)?;
    Ok(())
}
