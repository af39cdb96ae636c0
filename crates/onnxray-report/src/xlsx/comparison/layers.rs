//! The sheets *Layers* and *Layer patterns*: every group of operators as one row, or those that
//! repeat, with the time that it takes on both sides.

use super::version::{PALE_FASTER, PALE_SLOWER, Version, whole_value};
use crate::document::{CellStyle, TableColumn};
use crate::xlsx::places::{LaidOutTable, Layout};
use crate::xlsx::sheet::{SheetWriter, Written};
use crate::xlsx::table::write_table;
use rust_xlsxwriter::{
    ConditionalFormatCell, ConditionalFormatCellRule, ConditionalFormatDataBar, FormatAlign,
};

const TOTALS: u32 = 0;
const WHOLE: u32 = 1;

pub(super) fn write(writer: &mut SheetWriter, version: &Version) -> Written {
    write_rows(writer, version, "layers")
}

/// The sheet of layers by pattern.
pub(super) fn write_patterns(writer: &mut SheetWriter, version: &Version) -> Written {
    write_rows(writer, version, "patterns")
}

fn write_rows(writer: &mut SheetWriter, version: &Version, key: &str) -> Written {
    let (table, layout) = writer.places.get(key)?;
    write_table(writer, (table, layout))?;
    writer.sheet.set_freeze_panes(layout.row(0), layout.place_of("layer")? + 1)?;
    // Totals and filters need rows.
    if table.is_empty() {
        return Ok(());
    }
    totals(writer, (table, layout), version)?;
    let (last, right) = (layout.last_row(), layout.last_column());
    // Down to what tells who is who on either side, which would not be readable.
    let printed = layout.place_of("verdict")?;
    let header = layout.header();
    writer.sheet.autofilter(header, 0, last, right)?.set_print_area(0, 0, last, printed)?;
    colours(writer, layout)
}

/// Sums of the rows that a filter leaves, above the figures of the whole.
fn totals(writer: &mut SheetWriter, (table, layout): LaidOutTable, version: &Version) -> Written {
    let styles = writer.styles;
    // Beside what they name: the columns in between have no sums.
    let label = layout.place_of("a_mean_ms")? - 1;
    let format = styles.total.clone().set_align(FormatAlign::Right);
    writer.text((TOTALS, label), "Total of the rows shown", &format)?;
    writer.text((WHOLE, label), "End to end, with what no layer covers", &format)?;
    let milliseconds = CellStyle::MILLISECONDS.format(styles).merge(&styles.total);
    let shares = CellStyle::SHARE.format(styles).merge(&styles.total);
    let sums = [
        ("a_mean_ms", &milliseconds),
        ("b_mean_ms", &milliseconds),
        ("a_share", &shares),
        ("b_share", &shares),
        ("mean_difference_ms", &milliseconds),
        ("share_of_difference", &shares),
    ];
    // Times of different things have no differences to add up.
    let sums = if version.pair.has_one_unit() { &sums[..] } else { &sums[..4] };
    for (key, format) in sums {
        // 109: rows that a filter or a user hides do not count.
        let formula = format!("=SUBTOTAL(109,[{}.{key}*])", table.key);
        let sum = table.column(key).map_or(0.0, TableColumn::sum);
        writer.formula((TOTALS, layout.place_of(key)?), formula, sum, format)?;
    }
    for (key, whole) in
        [("a_mean_ms", "a"), ("b_mean_ms", "b"), ("mean_difference_ms", "difference")]
    {
        let place = (WHOLE, layout.place_of(key)?);
        let formula = format!("={}", version.pair.whole(whole));
        let value = whole_value(writer, whole, version.pair.whole_row())?;
        writer.formula(place, formula, value, &milliseconds)?;
    }
    Ok(())
}

fn colours(writer: &mut SheetWriter, layout: &Layout) -> Written {
    let styles = writer.styles;
    let (first, last) = (layout.row(0), layout.last_row());
    for (text, format) in [("faster", &styles.better), ("slower", &styles.worse)] {
        let rule = ConditionalFormatCell::new()
            .set_rule(ConditionalFormatCellRule::EqualTo(text))
            .set_format(format);
        let column = layout.place_of("verdict")?;
        writer.sheet.add_conditional_format(first, column, last, column, &rule)?;
    }
    let bar = ConditionalFormatDataBar::new()
        .set_fill_color(PALE_SLOWER)
        .set_negative_fill_color(PALE_FASTER)
        .set_solid_fill(true);
    let column = layout.place_of("mean_difference_ms")?;
    writer.sheet.add_conditional_format(first, column, last, column, &bar)?;
    Ok(())
}
