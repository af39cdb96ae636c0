//! The sheet *Layer types*: operator types of both sides, and a chart of which
//! any bars can be switched off.

use super::inference;
use super::summary::whole;
use super::version::{INFERENCE, SIDE_COLOURS, TYPES, Version, share, sum, time, unknown};
use crate::comparison::ComparedType;
use crate::report::table::Cell;
use crate::report::xlsx::page::{Numbers, Page, Value, Written, cell, fixed};
use crate::report::xlsx::sheet::Styles;
use crate::schema::COMPARED_TYPES;
use rust_xlsxwriter::{
    Chart, ChartSolidFill, ChartType, DataValidation, Format, FormatAlign, ObjectMovement, Workbook,
};

/// Where the reader chooses what the chart shows.
const CHOICE: (u32, u16) = (1, 1);
const TIME: &str = "time (ms)";
const SHARE: &str = "share";
const TOTALS: u32 = 3;
const HEADER: u32 = 4;
const FIRST: u32 = 5;
const NAME: u16 = 0;
/// By side.
const LAYERS: [u16; 2] = [1, 2];
const PRECISIONS: u16 = 3;
/// Types in the chart; the others are too small to see.
const MOST_BARS: u32 = 25;

/// Columns behind those of the precisions, of which there are so many.
struct Columns {
    /// By side and by how often they occur.
    precisions: [Vec<&'static str>; 2],
}

impl Columns {
    fn of(types: &[ComparedType]) -> Columns {
        let precisions = [0, 1].map(|side| {
            let known = types.iter().filter_map(|known| known.sides[side].as_ref());
            let counts = known.flat_map(|known| &known.precisions);
            let mut all = std::collections::BTreeMap::new();
            for (&name, count) in counts {
                *all.entry(name).or_insert(0) += count;
            }
            let mut names: Vec<(&str, u64)> = all.into_iter().collect();
            names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            names.into_iter().map(|(name, _)| name).collect()
        });
        Columns { precisions }
    }

    fn precision(&self, side: usize, number: usize) -> u16 {
        let before = if side == 0 { 0 } else { self.precisions[0].len() };
        PRECISIONS + (before + number) as u16
    }

    fn behind(&self, number: u16) -> u16 {
        self.precision(1, self.precisions[1].len()) + number
    }

    fn time(&self, side: usize) -> u16 {
        self.behind(2 * side as u16)
    }

    fn share(&self, side: usize) -> u16 {
        self.behind(2 * side as u16 + 1)
    }

    fn difference(&self) -> u16 {
        self.behind(4)
    }

    fn include(&self) -> u16 {
        self.behind(5)
    }

    /// What the chart shows.
    fn bar(&self, side: usize) -> u16 {
        self.behind(6 + side as u16)
    }
}

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    version: &Version,
) -> Written {
    let types = &version.comparison.types;
    let columns = Columns::of(types);
    let name = version.sheet(TYPES);
    let mut page = Page::new(workbook, &name, styles, numbers)?;
    page.text((0, NAME), COMPARED_TYPES.title, &styles.title)?;
    page.text((CHOICE.0, NAME), "the chart shows", &styles.label)?;
    page.text(CHOICE, if version.has_one_unit() { TIME } else { SHARE }, &styles.input)?;
    let choice = DataValidation::new().allow_list_strings(&[TIME, SHARE])?;
    page.sheet.add_data_validation(CHOICE.0, CHOICE.1, CHOICE.0, CHOICE.1, &choice)?;
    header(&mut page, &columns, version)?;
    let rows = version.rows(&COMPARED_TYPES);
    for (line, (known, row)) in (FIRST..).zip(types.iter().zip(rows)) {
        counts(&mut page, &columns, line, known)?;
        times(&mut page, &columns, line, version, row)?;
    }
    if types.is_empty() {
        return Ok(());
    }
    let last = FIRST + types.len() as u32 - 1;
    totals(&mut page, &columns, version, last)?;
    let include = columns.include();
    let choice = DataValidation::new().allow_list_strings(&["yes", "no"])?;
    page.sheet.add_data_validation(FIRST, include, last, include, &choice)?;
    page.sheet.autofilter(HEADER, NAME, last, columns.bar(1))?;
    page.sheet.set_freeze_panes(FIRST, 1)?;
    page.sheet.set_column_width(NAME, 28)?;
    page.sheet.set_column_range_width(LAYERS[0], columns.bar(1), 12)?;
    page.sheet.insert_chart(last + 2, NAME, &chart(&name, &columns, last, version))?;
    Ok(())
}

fn header(page: &mut Page, columns: &Columns, version: &Version) -> Written {
    page.header(HEADER, NAME, &["Type"])?;
    let mut headings = vec!["A layers".to_string(), version.named("B layers")];
    for (side, name) in ["A", "B"].into_iter().enumerate() {
        let precisions = columns.precisions[side].iter();
        headings.extend(precisions.map(|precision| format!("{} {precision}", version.named(name))));
    }
    let others = ["A ms", "A share", "B ms", "B share", "B - A ms", "Include in chart"];
    headings.extend(others.map(|heading| version.named(heading)));
    headings.extend(["A bar", "B bar"].map(|heading| version.named(heading)));
    page.number_header(HEADER, LAYERS[0], &headings.iter().map(String::as_str).collect::<Vec<_>>())
}

/// How many layers compute in which precision.
fn counts(page: &mut Page, columns: &Columns, line: u32, known: &ComparedType) -> Written {
    let numbers = page.numbers;
    page.plain((line, NAME), &known.operator_type)?;
    for (side, known) in known.sides.iter().enumerate() {
        let layers = known.as_ref().map_or(0, |known| known.layers);
        page.number((line, LAYERS[side]), layers as f64, &numbers.quantity)?;
        for (number, name) in columns.precisions[side].iter().enumerate() {
            let count = known.as_ref().and_then(|known| known.precisions.get(name)).copied();
            let at = (line, columns.precision(side, number));
            page.number(at, count.unwrap_or(0) as f64, &numbers.quantity)?;
        }
    }
    Ok(())
}

fn times(
    page: &mut Page,
    columns: &Columns,
    line: u32,
    version: &Version,
    row: &[Cell],
) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let [_, _, _, _, a_time, a_share, _, _, b_time, b_share, minus] = row else { return Ok(()) };
    let here = |column: u16| cell(line, column);
    let bar_format = numbers.helper.clone().set_num_format("0.0000");
    let include = columns.include();
    let input = styles.input.clone().set_align(FormatAlign::Center);
    page.text((line, include), "yes", &input)?;
    for (side, [known, part]) in [[a_time, a_share], [b_time, b_share]].into_iter().enumerate() {
        let (at, share_at) = (columns.time(side), columns.share(side));
        time(page, (line, at), known, &numbers.milliseconds)?;
        let whole = whole(version, side);
        share(page, (line, share_at), (&here(at), &whole), part)?;
        let chosen = format!(
            "IF({}=\"{SHARE}\",{},{})",
            fixed(CHOICE.0, CHOICE.1),
            here(share_at),
            here(at)
        );
        let (time, include) = (here(at), here(include));
        let formula = format!("=IF(AND({include}=\"yes\",ISNUMBER({time})),{chosen},\"\")");
        let value = match known {
            Cell::Number(_) if version.has_one_unit() => Value::from(known),
            Cell::Number(_) => Value::from(part),
            _ => Value::Text(""),
        };
        page.formula((line, columns.bar(side)), formula, value, &bar_format)?;
    }
    let at = (line, columns.difference());
    if !version.has_one_unit() {
        return page.known(at, None, &numbers.milliseconds);
    }
    // A side that has none of a type takes no time for it.
    let (a, b, unknown) = (here(columns.time(0)), here(columns.time(1)), unknown());
    let formula = format!("=IF(OR({a}={unknown},{b}={unknown}),{unknown},N({b})-N({a}))");
    page.formula(at, formula, minus, &numbers.milliseconds)
}

/// Sums of the rows that a filter leaves.
fn totals(page: &mut Page, columns: &Columns, version: &Version, last: u32) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    page.text((TOTALS, NAME), "Total of the rows shown", &styles.total)?;
    let types = &version.comparison.types;
    let rows = version.rows(&COMPARED_TYPES);
    let mut total = |column: u16, value: f64, format: &Format| {
        let format = format.merge(&styles.total);
        let formula = format!("=SUBTOTAL(109,{}:{})", cell(FIRST, column), cell(last, column));
        page.formula((TOTALS, column), formula, value, &format)
    };
    for side in [0, 1] {
        let sides = || types.iter().filter_map(|known| known.sides[side].as_ref());
        let layers: u64 = sides().map(|known| known.layers).sum();
        total(LAYERS[side], layers as f64, &numbers.quantity)?;
        for (number, name) in columns.precisions[side].iter().enumerate() {
            let count: u64 = sides().filter_map(|known| known.precisions.get(name)).sum();
            total(columns.precision(side, number), count as f64, &numbers.quantity)?;
        }
        let key = |name: &str| super::version::place(&COMPARED_TYPES, name);
        let [time, share] = [["a_ms", "a_share"], ["b_ms", "b_share"]][side].map(key);
        total(columns.time(side), sum(rows, time), &numbers.milliseconds)?;
        total(columns.share(side), sum(rows, share), &numbers.share)?;
    }
    if !version.has_one_unit() {
        return Ok(());
    }
    let difference = super::version::place(&COMPARED_TYPES, "difference_ms");
    total(columns.difference(), sum(rows, difference), &numbers.milliseconds)
}

fn chart(sheet: &str, columns: &Columns, last: u32, version: &Version) -> Chart {
    let last = last.min(FIRST + MOST_BARS - 1);
    let labels = version.sheet(INFERENCE);
    let mut chart = Chart::new(ChartType::Bar);
    for (side, colour) in SIDE_COLOURS.into_iter().enumerate() {
        let bar = columns.bar(side);
        chart
            .add_series()
            .set_name(inference::label(&labels, side))
            .set_categories((sheet, FIRST, NAME, last, NAME))
            .set_values((sheet, FIRST, bar, last, bar))
            .set_format(ChartSolidFill::new().set_color(colour))
            .set_gap(40);
    }
    chart.title().set_name("Time by layer type: ms, or share if chosen above");
    // The first row, which takes most time, belongs on top.
    chart.y_axis().set_reverse();
    chart.x_axis().set_min(0.0);
    chart.legend().set_position(rust_xlsxwriter::ChartLegendPosition::Top);
    chart.set_width(900).set_height(150 + 36 * (last - FIRST + 1));
    chart.set_object_movement(ObjectMovement::MoveButDontSizeWithCells);
    chart
}
