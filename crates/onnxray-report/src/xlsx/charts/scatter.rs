//! Scatter charts of a table: a series for some of its rows each, and on top of them the
//! points that are marked.

use crate::document::{Cell, Chart, Scatter, Series, Table, TableColumn};
use crate::xlsx::places::Layout;
use crate::xlsx::sheet::shorten;
use rust_xlsxwriter::{
    Chart as Drawing, ChartDataLabel, ChartDataLabelPosition, ChartFont, ChartFormat,
    ChartLegendPosition, ChartLine, ChartMarker, ChartMarkerType, ChartSolidFill, ChartType, Color,
    XlsxError,
};
use std::ops::Range;

/// Labels that can be read beside each other.
const MOST_LABELS: usize = 120;
/// Letters of a name in the legend.
const MOST_LETTERS: usize = 48;
/// Colours of series, from the first on.
const COLOURS: [Color; 8] = [
    Color::RGB(0x5B7FA6),
    Color::RGB(0x5AAE61),
    Color::RGB(0x9970AB),
    Color::RGB(0xB8860B),
    Color::RGB(0x35978F),
    Color::RGB(0xBF812D),
    Color::RGB(0x7F7F7F),
    Color::RGB(0xC2A5CF),
];
/// Looks of marks, which surround what they mark: form, size and border. Each is larger than what it marks, since
/// not every spreadsheet draws later series on top.
const MARKS: [(ChartMarkerType, u8, Color); 2] = [
    (ChartMarkerType::Circle, 10, Color::RGB(0x1F3B57)),
    (ChartMarkerType::Diamond, 18, Color::RGB(0xE0563C)),
];

/// The rows of a table that the series of a chart span.
fn rows(chart: &Chart, table: &Table) -> Range<usize> {
    let rows = |series: &Series| series.rows.clone().unwrap_or(0..table.len());
    let first = chart.series.iter().map(|series| rows(series).start).min();
    let end = chart.series.iter().map(|series| rows(series).end).max();
    first.unwrap_or(0)..end.unwrap_or(0)
}

/// Values of a series where the column of the mark says yes; `None` elsewhere.
pub(super) fn marked<'a>(
    mark: &'a TableColumn,
    values: &'a TableColumn,
) -> impl Iterator<Item = Option<f64>> + 'a {
    let is_yes = |cell: &Cell| matches!(cell, Cell::Label { key: "yes", .. });
    let both = mark.cells.iter().zip(&values.cells);
    both.map(move |(mark, value)| if is_yes(mark) { value.as_number() } else { None })
}

/// Draws a chart. `marks` says where the values of the mark with a key are, of some rows.
pub(crate) fn draw(
    chart: &Chart,
    scatter: &Scatter,
    table: &Table,
    layout: &Layout,
    marks: impl Fn(&str, Range<usize>) -> Result<String, XlsxError>,
) -> Result<Drawing, XlsxError> {
    let column = |key: &str| {
        let no_column = || XlsxError::ParameterError(format!("{}: no column {key}", table.key));
        table.column(key).ok_or_else(no_column)
    };
    let across = column(chart.categories)?.heading.key;
    let mut drawing = Drawing::new(ChartType::Scatter);
    let all = rows(chart, table);
    for (series, colour) in chart.series.iter().zip(COLOURS.iter().cycle()) {
        let Series { name, column: up, rows } = series;
        let values = &column(up)?.heading;
        let rows = rows.clone().unwrap_or(all.clone());
        // A step of its own leaves out what is unknown, which would be drawn as 0.
        let step = layout.rows_on(&format!("chart_{}", values.key), rows.clone());
        let up = step.or_else(|_| layout.rows_on(values.key, rows.clone()))?;
        let drawn = drawing.add_series();
        drawn
            .set_categories(&layout.rows_on(across, rows)?)
            .set_values(&up)
            .set_name(&plain(name.as_deref().unwrap_or(&values.heading)))
            .set_marker(&marker(ChartMarkerType::Circle, 6, Some(*colour), *colour));
    }
    // Marks are drawn over the points, as series of their own with gaps elsewhere.
    for (position, (key, style)) in scatter.marks.iter().zip(MARKS).enumerate() {
        let (form, size, border) = style;
        let heading = &column(key)?.heading;
        let drawn = drawing.add_series();
        drawn
            .set_categories(&layout.rows_on(across, all.clone())?)
            .set_values(&marks(key, all.clone())?)
            .set_name(heading.heading.as_ref())
            .set_marker(&marker(form, size, None, border));
        // Labels of more points would cover each other.
        if position == 0 && all.len() <= MOST_LABELS {
            let font = ChartFont::new().set_size(8).clone();
            let labels = column(scatter.labels)?.cells.iter();
            let labels = labels.skip(all.start).take(all.len()).map(|cell| match cell {
                Cell::Text(text) if !text.is_empty() => {
                    ChartDataLabel::new().set_value(&plain(text)).set_font(&font).to_custom()
                }
                _ => ChartDataLabel::new().set_hidden().to_custom(),
            });
            let above = ChartDataLabelPosition::Above;
            drawn.set_data_label(ChartDataLabel::new().show_value().set_position(above));
            drawn.set_custom_data_labels(&labels.collect::<Vec<_>>());
        }
    }
    drawing.title().set_name(&chart.title);
    drawing.legend().set_position(ChartLegendPosition::Bottom);
    drawing.set_alt_text(chart.shows);
    let line = ChartLine::new().set_color(Color::RGB(0xE4E4E4)).clone();
    drawing.x_axis().set_name(scatter.across).set_major_gridlines(true);
    drawing.y_axis().set_name(scatter.up);
    if scatter.from_zero {
        drawing.x_axis().set_min(0.0);
        drawing.y_axis().set_min(0.0);
    }
    drawing.x_axis().set_major_gridlines_line(&line);
    drawing.y_axis().set_major_gridlines_line(&line);
    Ok(drawing)
}

/// The look of the dots of a series at a place: colour and form.
pub(super) fn dot(place: usize) -> ChartMarker {
    const FORMS: [ChartMarkerType; 4] = [
        ChartMarkerType::Circle,
        ChartMarkerType::Square,
        ChartMarkerType::Triangle,
        ChartMarkerType::Diamond,
    ];
    let colour = COLOURS[place % COLOURS.len()];
    marker(FORMS[place % FORMS.len()], 6, Some(colour), colour)
}

fn marker(form: ChartMarkerType, size: u8, inside: Option<Color>, border: Color) -> ChartMarker {
    let mut format = ChartFormat::new();
    format.set_border(ChartLine::new().set_color(border).set_width(1.25));
    match inside {
        Some(colour) => format.set_solid_fill(ChartSolidFill::new().set_color(colour)),
        None => format.set_no_fill(),
    };
    ChartMarker::new().set_type(form).set_size(size).set_format(&mut format).clone()
}

/// A text of a chart that is not taken for a place of the workbook, whatever it looks like.
fn plain(text: &str) -> String {
    let text = shorten(text);
    let short = match text.chars().nth(MOST_LETTERS) {
        Some(_) => text.chars().take(MOST_LETTERS).chain(['…']).collect(),
        None => text,
    };
    if short.starts_with('=') || short.contains('!') { format!(" {short} ") } else { short }
}
