//! The sheet *By sparsity*: the whole model and its operator types dense, and with every
//! weight at each level.

use crate::content::projection::Model;
use crate::document::Cell;
use crate::xlsx::charts::pale_grid;
use crate::xlsx::places::Layout;
use crate::xlsx::places::address::cell_in_row;
use crate::xlsx::sheet::{SheetWriter, Written};
use crate::xlsx::table::{set_columns, write_rows};
use onnxray_analyzer::projection::{Plan, Projection};
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::workbook_words::{heading, sheet};
use rust_xlsxwriter::{Chart, ChartType};

const MOST_IN_CHART: usize = 12;

pub(super) fn write(writer: &mut SheetWriter, model: &Model, _: &Plan) -> Written {
    let styles = writer.styles;
    writer.text((0, 0), "The whole model at each sparsity, whatever the targets", &styles.title)?;
    let names = [
        ("level_model", "whole model"),
        ("level_types", heading::OPERATOR_TYPE),
        ("level_groups", heading::WEIGHT_SHAPE),
    ];
    for (key, name) in names {
        let placed = writer.places.get(key)?;
        headings(writer, model.projection, placed.1, name)?;
        write_rows(writer, placed)?;
    }
    // They have all columns of the sheet.
    set_columns(writer, writer.places.get("level_groups")?)?;
    writer.sheet.set_freeze_panes(writer.places.of("level_model")?.row(0), 1)?;
    charts(writer, model.projection)
}

fn headings(
    writer: &mut SheetWriter,
    projection: &Projection,
    layout: &Layout,
    name: &str,
) -> Written {
    let header = layout.header();
    writer.header(header, layout.left(), &[name])?;
    writer.number_header(header, layout.place_of("baseline")?, &["Baseline ms"])?;
    let styles = writer.styles;
    let pruned = styles.number_header.clone().set_num_format("\"Pruned \"0.0##%\" ms\"");
    let even = styles.number_header.clone().set_num_format("\"Pruned \"0%\" ms\"");
    let ratios = writer.places.of("ratios")?;
    let (first, last) = layout.columns("level")?;
    for (position, column) in (first..=last).enumerate() {
        let heading = cell_in_row(ratios.header(), ratios.place_of("origin_at")? + position as u16);
        let heading = format!("'{}'!{heading}", sheet::RATIOS);
        let level = projection.at_levels.get(position).map(|level| level.level);
        let is_even = level.is_none_or(|level| percent(level).fract() == 0.0);
        // Without `IF`, a blank heading of the ratios would become 0.
        let formula = format!("=IF(ISNUMBER({heading}),{heading},\"\")");
        let value = level.map_or(Cell::None, Cell::Number);
        writer.formula((header, column), formula, &value, if is_even { &even } else { &pruned })?;
    }
    Ok(())
}

fn charts(writer: &mut SheetWriter, projection: &Projection) -> Written {
    let (model, types) = (writer.places.of("level_model")?, writer.places.of("level_types")?);
    let first = model.place_of("baseline")?;
    let last = first + projection.levels.len() as u16;
    let across = |row| (sheet::LEVELS, row, first, row, last);
    let mut total = Chart::new(ChartType::Column);
    let series = total.add_series().set_name("total latency (ms)").set_gap(60);
    series.set_categories(across(model.header())).set_values(across(model.row(0)));
    total.title().set_name("Latency of the whole model (ms)");
    total.legend().set_hidden();
    total.y_axis().set_min(0.0).set_name("ms");
    pale_grid(total.y_axis());
    total.set_width(560).set_height(340);
    let mut stacked = Chart::new(ChartType::ColumnStacked);
    // Types are in the order of their time: those left out take least.
    let shown = projection.types.len().min(MOST_IN_CHART);
    let types_left_out = projection.types.len() - shown;
    for row in (0..shown).map(|number| types.row(number)) {
        let series = stacked.add_series().set_name((sheet::LEVELS, row, types.left()));
        series.set_categories(across(model.header())).set_values(across(row)).set_gap(60);
    }
    stacked.title().set_name(
        match types_left_out {
            0 => "Latency by operator type (ms)".to_string(),
            more => format!("Latency by operator type (ms), without {more} that take least"),
        }
        .as_str(),
    );
    stacked.y_axis().set_min(0.0).set_name("ms");
    pale_grid(stacked.y_axis());
    stacked.set_width(640).set_height(340);
    let below = writer.places.of("level_groups")?.last_row() + 2;
    writer.sheet.insert_chart(below, 0, &total)?;
    if shown > 0 {
        writer.sheet.insert_chart(below, 5, &stacked)?;
    }
    Ok(())
}
