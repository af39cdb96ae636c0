//! The sheet *Sparse ratio setting*: perf ratios to set, one row per weight shape
//! and type, one column per level; and, hidden behind them, the same points in
//! order, in which the operators look up theirs.

use super::page::{
    Numbers, Page, RATIOS, Value, Written, cell, cell_in_column, cell_in_row, column, fixed, range,
};
use crate::projection::{
    AppliedRow, DEFAULT_POINTS, Estimate, Origin, Projection, RatioRow, SAME_LEVEL,
};
use crate::schema::workbook::heading;
use rust_xlsxwriter::{
    DataValidation, DataValidationErrorStyle, DataValidationRule, Format, Workbook, XlsxError,
};

/// Rows and columns of the sheet.
#[derive(Clone, Copy, Debug)]
pub struct RatioLayout {
    /// Columns for levels, those to be filled included.
    pub levels: u16,
    pub rows: u32,
}

/// Where the target of all operators stands.
pub const MODEL_TARGET: (u32, u16) = (1, 1);
const BLOCK: (u32, u16) = (2, 1);
pub const KINDS: u32 = 4;
pub const HEADER: u32 = 5;
pub const FIRST: u32 = 6;
const SPARE_ROWS: u32 = 10;
const SHAPE: u16 = 0;
const TYPE: u16 = 1;
const DATA_TYPE: u16 = 2;
const ROW_BLOCK: u16 = 3;
const COUNT: u16 = 4;
const ORIGIN: u16 = 5;
const FIRST_LEVEL: u16 = 6;
/// Stands for a level where there are no more; above all levels.
pub const NO_LEVEL: f64 = 9.0;

/// What a level's column holds.
pub const KIND: &str = "perf ratio";
pub const KIND_LOW: &str = "perf ratio, low";
pub const KIND_HIGH: &str = "perf ratio, high";
pub const KIND_COMPUTED: &str = "computed";

impl RatioLayout {
    pub fn of(projection: &Projection) -> RatioLayout {
        RatioLayout {
            levels: (projection.levels.len() as u16 + 3).max(8),
            rows: projection.rows.len() as u32 + SPARE_ROWS,
        }
    }

    pub fn level(&self, number: u16) -> u16 {
        FIRST_LEVEL + number
    }

    fn others(&self) -> u16 {
        self.level(self.levels)
    }

    fn low(&self, number: u16) -> u16 {
        self.others() + 1 + number
    }

    fn high(&self, number: u16) -> u16 {
        self.low(self.levels) + number
    }

    fn key(&self) -> u16 {
        self.high(self.levels)
    }

    /// The ratio below the lowest level, always a number.
    fn below(&self) -> u16 {
        self.key() + 1
    }

    /// Columns of the points in order, one more than there are levels: levels,
    /// ratios, low ends, high ends.
    fn points(&self, block: u16, number: u16) -> u16 {
        self.below() + 1 + block * (self.levels + 1) + number
    }

    fn last(&self) -> u32 {
        FIRST + self.rows - 1
    }

    /// The names that formulas use, and what they stand for: columns from their
    /// headings on, so that a row that is moved to the top stays inside.
    pub fn define_names(&self, workbook: &mut Workbook) -> Written {
        let last = self.last();
        let one = |column| range(RATIOS, (HEADER, column), (last, column));
        let block = |block| {
            let (from, to) = (self.points(block, 0), self.points(block, self.levels));
            range(RATIOS, (HEADER, from), (last, to))
        };
        for (name, place) in [
            ("model_target", range_of_one(MODEL_TARGET)),
            ("ratio_block", range_of_one(BLOCK)),
            ("ratio_keys", one(self.key())),
            ("ratio_below", one(self.below())),
            ("ratio_levels", block(0)),
            ("ratio_values", block(1)),
            ("ratio_lows", block(2)),
            ("ratio_highs", block(3)),
        ] {
            workbook.define_name(name, &format!("={place}"))?;
        }
        Ok(())
    }
}

/// Position of a row of ratios in the ranges that have names.
pub fn row_number(row: usize) -> f64 {
    f64::from(FIRST - HEADER) + row as f64 + 1.0
}

fn range_of_one((row, column): (u32, u16)) -> String {
    format!("'{RATIOS}'!{}", fixed(row, column))
}

/// A drop-down of levels that takes others as well.
pub fn level_choice(levels: &[f64]) -> Result<DataValidation, XlsxError> {
    let mut sorted: Vec<f64> = levels.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut choices: Vec<String> =
        sorted.iter().map(|level| format!("{}%", percent(*level))).collect();
    choices.push("0%".to_string());
    choices.dedup();
    // A list holds 255 characters.
    while choices.iter().map(|choice| choice.len() + 1).sum::<usize>() > 250 {
        choices.pop();
    }
    DataValidation::new()
        .allow_list_strings(&choices)?
        .set_error_style(DataValidationErrorStyle::Information)
        .set_input_title("Target")?
        .set_input_message("Sparse ratio from 0% to 100%; 0% leaves it dense")
}

/// Gives the cells of a column, from a row on, a drop-down of levels where
/// `settable` says so.
pub fn choices(
    page: &mut Page,
    first: u32,
    number: u16,
    settable: impl Iterator<Item = bool>,
    levels: &[f64],
) -> Written {
    /// Ranges that one rule names; a sheet has room for 65,534 rules.
    const MOST: usize = 500;
    let lines: Vec<u32> =
        (first..).zip(settable).filter_map(|(line, settable)| settable.then_some(line)).collect();
    let runs: Vec<&[u32]> = lines.chunk_by(|a, b| b - a == 1).collect();
    for runs in runs.chunks(MOST) {
        let (Some(from), Some(to)) = (runs[0].first(), runs[runs.len() - 1].last()) else {
            continue;
        };
        let names = runs.iter().filter_map(|run| {
            Some(format!("{}:{}", cell(*run.first()?, number), cell(*run.last()?, number)))
        });
        let choice = level_choice(levels)?.set_multi_range(names.collect::<Vec<_>>().join(" "));
        page.sheet.add_data_validation(*from, number, *to, number, &choice)?;
    }
    Ok(())
}

/// A level in percent, without the dust of binary fractions.
pub fn percent(level: f64) -> f64 {
    (level * 1e8).round() / 1e6
}

/// Shows a level as the heading of its column.
fn heading(styles: &Format, level: f64, words: &str) -> Format {
    let decimals = if percent(level).fract() == 0.0 { "0%" } else { "0.0##%" };
    styles.clone().set_num_format(format!("{decimals}\"{words}\""))
}

pub fn write(
    workbook: &mut Workbook,
    styles: &crate::report::xlsx::sheet::Styles,
    numbers: &Numbers,
    projection: &Projection,
) -> Written {
    let layout = RatioLayout::of(projection);
    let mut page = Page::new(workbook, RATIOS, styles, numbers)?;
    top(&mut page, projection)?;
    header(&mut page, &layout, &projection.levels)?;
    for number in 0..layout.rows {
        row(&mut page, &layout, projection, number)?;
    }
    let last = layout.last();
    let above_zero = DataValidation::new()
        .allow_decimal_number(DataValidationRule::GreaterThan(0.0))
        .set_error_title("Perf ratio")?
        .set_error_message("Dense latency by sparse latency: a number above 0")?;
    let sheet = &mut page.sheet;
    sheet.add_data_validation(FIRST, FIRST_LEVEL, last, layout.key() - 1, &above_zero)?;
    let level = DataValidation::new()
        .allow_decimal_number(DataValidationRule::Between(0.0, 1.0))
        .set_error_title("Sparse ratio")?
        .set_error_message("A level from 0% to 100%")?;
    sheet.add_data_validation(HEADER, FIRST_LEVEL, HEADER, layout.others() - 1, &level)?;
    sheet.set_freeze_panes(FIRST, FIRST_LEVEL)?;
    for (at, width) in [(SHAPE, 36.0), (TYPE, 16.0), (DATA_TYPE, 10.0), (ROW_BLOCK, 8.0)] {
        sheet.set_column_width(at, width)?;
    }
    sheet.set_column_width(COUNT, 10.0)?.set_column_width(ORIGIN, 22.0)?;
    // Headings are numbers, which do not wrap.
    for column in FIRST_LEVEL..layout.key() {
        sheet.set_column_width(column, 15.0)?;
    }
    let (from, to) = (layout.key(), layout.points(3, layout.levels));
    sheet.set_column_range_hidden(from, to)?;
    let used = projection.levels.len() as u16;
    let ranges = projection.spread.ratios;
    if !ranges {
        // Folded away until somebody wants to give a range.
        sheet.group_columns_collapsed(layout.low(0), layout.high(layout.levels) - 1)?;
    }
    sheet.set_print_area(0, 0, FIRST + projection.rows.len() as u32, layout.level(used))?;
    Ok(())
}

fn top(page: &mut Page, projection: &Projection) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    page.text((0, 0), "Sparse ratio setting", &styles.title)?;
    page.text((1, 0), heading::MODEL_TARGET, &styles.label)?;
    page.number(MODEL_TARGET, projection.model_target.level, &numbers.input_percent)?;
    page.sheet.add_data_validation(1, 1, 1, 1, &level_choice(&projection.levels)?)?;
    page.text((2, 0), heading::BLOCK_SHAPE, &styles.label)?;
    page.plain(BLOCK, &projection.block.to_string())?;
    page.text(
        (3, 0),
        "Yellow cells are yours to set. A level typed into an empty heading adds a column; an \
         empty cell has no ratio. Perf ratio = dense latency / sparse latency.",
        &styles.unknown,
    )
}

fn header(page: &mut Page, layout: &RatioLayout, levels: &[f64]) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let facts = [
        heading::WEIGHT_SHAPE,
        heading::OPERATOR_TYPE,
        heading::DATA_TYPE,
        heading::BLOCK,
        heading::OPERATORS,
        heading::ORIGIN,
    ];
    page.header(HEADER, 0, &facts)?;
    let input = styles.header.clone().set_font_color(rust_xlsxwriter::Color::RGB(0xFFF7D6));
    let blocks = [
        (KIND, layout.level(0), " perf ratio"),
        (KIND_LOW, layout.low(0), " low"),
        (KIND_HIGH, layout.high(0), " high"),
    ];
    for (kind, first, words) in blocks {
        for number in 0..layout.levels {
            let column = first + number;
            page.text((KINDS, column), kind, &numbers.helper)?;
            match levels.get(number as usize) {
                Some(&level) => {
                    page.number((HEADER, column), level, &heading(&input, level, words))?;
                }
                None => page.blank((HEADER, column), &heading(&input, 0.0, words))?,
            }
        }
    }
    page.text((KINDS, layout.others()), KIND, &numbers.helper)?;
    page.text((HEADER, layout.others()), heading::OTHERS, &styles.header)?;
    page.text((KINDS, layout.key()), KIND_COMPUTED, &numbers.helper)?;
    page.text((HEADER, layout.key()), "key", &styles.header)?;
    page.text((KINDS, layout.below()), KIND_COMPUTED, &numbers.helper)?;
    page.text((HEADER, layout.below()), "below", &styles.header)?;
    for (block, name) in ["level", "ratio", "low", "high"].into_iter().enumerate() {
        for number in 0..=layout.levels {
            let column = layout.points(block as u16, number);
            page.text((KINDS, column), KIND_COMPUTED, &numbers.helper)?;
            page.text((HEADER, column), &format!("{name} {}", number + 1), &styles.header)?;
        }
    }
    Ok(())
}

fn row(page: &mut Page, layout: &RatioLayout, projection: &Projection, number: u32) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let at = |column: u16| (FIRST + number, column);
    let line = FIRST + number;
    let applied: Option<&AppliedRow> = projection.rows.get(number as usize);
    let ratios = applied.map(|row| &row.ratios);
    let input = &styles.input;
    let key = ratios.map(|row| &row.key);
    let words = [
        (SHAPE, key.map(|key| key.shape.to_string())),
        (TYPE, key.and_then(|key| key.operator_type.clone())),
        (DATA_TYPE, key.and_then(|key| Some(key.data_type?.to_string()))),
        (ROW_BLOCK, key.map(|key| key.block.to_string())),
    ];
    let known = |column: u16| words[column as usize].1.as_deref().unwrap_or_default();
    for (column, word) in &words {
        match word {
            Some(word) => page.text(at(*column), word, input)?,
            None => page.blank(at(*column), input)?,
        }
    }
    if let Some(row) = applied {
        page.number(at(COUNT), row.operators as f64, &numbers.quantity)?;
        page.formula(
            at(ORIGIN),
            origin_formula(layout, line, projection),
            origin(&row.ratios),
            &styles.unknown,
        )?;
    }
    let same = |a: f64, b: f64| (a - b).abs() < SAME_LEVEL;
    for column in 0..layout.levels {
        let level = projection.levels.get(column as usize);
        let point = level.and_then(|&level| {
            ratios?.points.iter().find(|point| same(point.level, level)).map(|point| point.ratio)
        });
        let ends = point.filter(|ratio| ratio.low < ratio.high);
        let cells = [
            (layout.level(column), point.map(|ratio| ratio.value)),
            (layout.low(column), ends.map(|ratio| ratio.low)),
            (layout.high(column), ends.map(|ratio| ratio.high)),
        ];
        for (column, value) in cells {
            match value {
                Some(value) => page.number(at(column), value, &numbers.input_ratio)?,
                None => page.blank(at(column), &numbers.input_ratio)?,
            }
        }
    }
    match ratios {
        Some(row) => page.number(at(layout.others()), row.others, &numbers.input_ratio)?,
        None => page.blank(at(layout.others()), &numbers.input_ratio)?,
    }
    let shape = cell_in_column(line, SHAPE);
    let block = format!("IF({0}=\"\",ratio_block,{0})", cell_in_column(line, ROW_BLOCK));
    let (of_type, of_data) = (cell_in_column(line, TYPE), cell_in_column(line, DATA_TYPE));
    let formula =
        format!("=IF({shape}=\"\",\"\",{of_type}&\"|\"&{shape}&\"|\"&{of_data}&\"|\"&{block})");
    let parts = [TYPE, SHAPE, DATA_TYPE, ROW_BLOCK].map(known);
    let value = if ratios.is_some() { parts.join("|") } else { String::new() };
    page.formula(at(layout.key()), formula, value.as_str(), &numbers.helper)?;
    let others = cell_in_column(line, layout.others());
    let formula = format!("=IF(ISNUMBER({others}),IF({others}>0,{others},1),1)");
    let below = ratios.map_or(1.0, |row| row.others);
    page.formula(at(layout.below()), formula, below, &numbers.helper)?;
    points(page, layout, line, ratios)
}

/// Stands where an origin would, in a row without ratios.
const NO_RATIO: &str = "no ratio given";

fn origin(row: &RatioRow) -> Value<'static> {
    Value::Text(match () {
        _ if row.points.is_empty() => NO_RATIO,
        _ if is_default(row) => Origin::Default.text(),
        _ => Origin::Given.text(),
    })
}

/// Whether a row says what the default ratios say.
fn is_default(row: &RatioRow) -> bool {
    let same = |(level, ratio): &(f64, f64)| {
        let point = row.points.iter().find(|point| (point.level - level).abs() < SAME_LEVEL);
        point.is_some_and(|point| point.ratio.value == *ratio)
    };
    row.points.len() == DEFAULT_POINTS.len() && DEFAULT_POINTS.iter().all(same)
}

/// Says whether the ratios in a row are still the default ones.
fn origin_formula(layout: &RatioLayout, line: u32, projection: &Projection) -> String {
    let levels = layout.levels - 1;
    let row = format!(
        "{}:{}",
        cell_in_column(line, layout.level(0)),
        cell_in_column(line, layout.level(levels))
    );
    let default = DEFAULT_POINTS.iter().map(|(level, ratio)| {
        let place = projection.levels.iter().position(|l| (l - level).abs() < SAME_LEVEL);
        // Without a column the level has no ratio.
        place.map_or("FALSE".to_string(), |place| {
            format!("{}={ratio}", cell(line, layout.level(place as u16)))
        })
    });
    let default: Vec<String> = default.collect();
    format!(
        "=IF(COUNT({row})=0,\"{NO_RATIO}\",IF(AND(COUNT({row})={},{}),\"{}\",\"{}\"))",
        DEFAULT_POINTS.len(),
        default.join(","),
        Origin::Default.text(),
        Origin::Given.text()
    )
}

/// The points of a row in ascending order of their levels; behind the last one
/// its ratios go on, which holds them above the highest level.
fn points(page: &mut Page, layout: &RatioLayout, line: u32, row: Option<&RatioRow>) -> Written {
    let helper = &page.numbers.helper;
    let across = |from: u16, to: u16, line: u32, fixed_row: bool| {
        let dollar = if fixed_row { "$" } else { "" };
        format!("${}{dollar}{2}:${1}{dollar}{2}", column(from), column(to), line + 1)
    };
    let last = layout.levels - 1;
    let levels = across(layout.level(0), layout.level(last), HEADER, true);
    let values = across(layout.level(0), layout.level(last), line, false);
    let low_levels = across(layout.low(0), layout.low(last), HEADER, true);
    let lows = across(layout.low(0), layout.low(last), line, false);
    let high_levels = across(layout.high(0), layout.high(last), HEADER, true);
    let highs = across(layout.high(0), layout.high(last), line, false);
    let found = row.map_or(&[][..], |row| &row.points);
    let mut ratio = Estimate::exact(row.map_or(1.0, |row| row.others));
    for number in 0..=layout.levels {
        let place = |block: u16| layout.points(block, number);
        let level = cell(line, place(0));
        let point = found.get(number as usize);
        ratio = point.map_or(ratio, |point| point.ratio);
        let formula = format!(
            "=IFERROR(SMALL(IF(ISNUMBER({levels})*ISNUMBER({values})*({values}>0),{levels}),{}),{NO_LEVEL})",
            number + 1
        );
        let value = point.map_or(NO_LEVEL, |point| point.level);
        page.array_formula((line, place(0)), formula, value, helper)?;
        let before = |block: u16| match number {
            0 => cell(line, layout.below()),
            _ => cell(line, layout.points(block, number - 1)),
        };
        let formula = format!(
            "=IF({level}<{NO_LEVEL},INDEX({values},MATCH({level},{levels},0)),{})",
            before(1)
        );
        page.formula((line, place(1)), formula, ratio.value, helper)?;
        let ends = [(2, &low_levels, &lows, ratio.low), (3, &high_levels, &highs, ratio.high)];
        for (block, end_levels, ends, value) in ends {
            let end = format!("INDEX({ends},MATCH({level},{end_levels},0))");
            let middle = cell(line, place(1));
            let formula = format!(
                "=IF({level}<{NO_LEVEL},IFERROR(IF(ISNUMBER({end}),{end},{middle}),{middle}),{})",
                before(block)
            );
            page.formula((line, place(block)), formula, value, helper)?;
        }
    }
    Ok(())
}

/// The heading of a level's column, for formulas on other sheets.
pub fn level_heading(layout: &RatioLayout, number: u16) -> String {
    format!("'{RATIOS}'!{}", cell_in_row(HEADER, layout.level(number)))
}
