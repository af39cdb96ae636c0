//! Perf ratios: the tables whose headers say "weight shape".

use super::findings;
use super::header::{Part, header, part};
use super::inputs::{Bad, Inputs, Kind, beside, column, columns};
use super::point;
use super::shape::{self, data_type, weight_shape};
use crate::printable::quoted;
use crate::projection::{DEFAULT_BLOCK, Estimate, Origin, RatioKey, RatioRow, SAME_LEVEL};
use crate::quantity::Quantity;
use crate::spreadsheet::{At, Value};
use crate::workbook_words::{from_cell, heading, is, sheet};
use onnxray_format::Block;
use std::collections::{BTreeMap, BTreeSet};

/// Headings of columns that hold no ratios, or those for all sparsities.
const KNOWN: [&str; 7] = [
    heading::WEIGHT_SHAPE,
    heading::OPERATOR_TYPE,
    heading::DATA_TYPE,
    heading::BLOCK,
    heading::OPERATORS,
    heading::ORIGIN,
    heading::OTHERS,
];
/// Rows above a header among which the one may be that says what its columns are.
const PART_ROWS: u32 = 10;

/// Columns of ratios in a table: sparsities, block shapes and ends of ranges.
const MOST_RATIOS: usize = 1000;

/// The columns of a table.
#[derive(Default)]
struct Columns {
    operator_type: Option<u32>,
    data_type: Option<u32>,
    block: Option<u32>,
    others: Vec<u32>,
    ratios: Vec<Ratios>,
    /// Columns that should hold ratios, but do not say at which sparsity.
    nameless: Vec<u32>,
}

/// Columns of one sparsity; several should say the same.
struct Ratios {
    level: f64,
    block: Option<Block>,
    part: Part,
    columns: Vec<u32>,
}

/// Reads all tables; false if the file has none.
pub(crate) fn read(inputs: &mut Inputs) -> bool {
    let tables = match tables(inputs) {
        Ok(tables) => tables,
        Err(what) => {
            inputs.gather.problem("perf ratios", &what);
            return true;
        }
    };
    for table in &tables {
        let columns = read_columns(inputs, *table);
        let Ok(stated) = stated_block(inputs, *table) else { continue };
        let named = columns.ratios.iter().map(|ratios| ratios.block);
        let block = stated.or(named.reduce(|a, b| a.filter(|_| a == b)).flatten());
        let given = &mut inputs.gather.given;
        given.block = given.block.or(block);
        given.default_ratios = Some(false);
        let levels = given.levels.get_or_insert_default();
        for ratios in columns.ratios.iter().filter(|ratios| ratios.part == Part::Value) {
            if !levels.iter().any(|known| (known - ratios.level).abs() < SAME_LEVEL) {
                levels.push(ratios.level);
            }
        }
        read_rows(inputs, *table, &columns, block.unwrap_or(DEFAULT_BLOCK));
    }
    !tables.is_empty()
}

/// Headers of tables of ratios: "weight shape" with sparsities in the same row, which the
/// table of operators lacks. Those of the table of levels are formulas.
fn tables(inputs: &mut Inputs) -> Result<Vec<At>, String> {
    let book = inputs.book;
    let is_header = |at: At| {
        let mut row = book.sheet(at).into_iter().flat_map(|sheet| sheet.row(at.row));
        column(book, at, heading::OPERATOR_NAME).is_none()
            && row.any(|(_, cell)| cell.formula.is_none() && header(&cell.value).is_some())
    };
    let kind = Kind { sheet: sheet::RATIOS, words: heading::WEIGHT_SHAPE, other: "sparsities" };
    kind.tables(inputs, is_header)
}

/// Block shape stated above a table.
fn stated_block(inputs: &mut Inputs, table: At) -> Result<Option<Block>, Bad> {
    let Some(sheet) = inputs.book.sheet(table) else { return Ok(None) };
    let labels = sheet.find(heading::BLOCK_SHAPE).filter(|(row, _)| *row < table.row);
    let Some((row, column)) = labels.last() else { return Ok(None) };
    inputs.parsed(beside(inputs.book, At { row, column, ..table }), shape::block)
}

fn read_columns(inputs: &mut Inputs, table: At) -> Columns {
    let book = inputs.book;
    only_column(inputs, table, heading::WEIGHT_SHAPE);
    let mut named_columns = Columns {
        operator_type: only_column(inputs, table, heading::OPERATOR_TYPE),
        data_type: only_column(inputs, table, heading::DATA_TYPE),
        block: only_column(inputs, table, heading::BLOCK),
        others: columns(book, table, heading::OTHERS).collect(),
        ..Columns::default()
    };
    // The row above says what kind of column each is: value, low, high, origin or computed.
    let parts = parts(inputs, table);
    let levels = levels_of_origins(&parts, &named_columns.others);
    let Some(sheet) = book.sheet(table) else { return named_columns };
    let named: BTreeSet<u32> = sheet.row(table.row).map(|(column, _)| column).collect();
    // Free columns of our workbook have a kind and no level: a ratio typed there is a mistake.
    let holds_ratios = |part: Part| !matches!(part, Part::Computed | Part::Origin);
    let nameless =
        parts.iter().filter(|(column, part)| holds_ratios(**part) && !named.contains(column));
    named_columns.nameless = nameless.map(|(column, _)| *column).collect();
    for column in named {
        let at = table.column(column);
        let above = parts.get(&column).copied();
        // openpyxl stores no results: take an origin's level from the ratio's own column.
        let heading = match levels.get(&column).filter(|_| book.is_unknown(at)) {
            Some(level) => inputs.peek(table.column(*level)),
            None => inputs.peek(at),
        };
        let header = match header(&heading) {
            _ if above == Some(Part::Computed) => continue,
            // Beside a column of ratios that is left for a level.
            None if above == Some(Part::Origin) => continue,
            None => {
                unknown_column(inputs, at, above, &mut named_columns);
                continue;
            }
            Some(Ok(header)) => header,
            Some(Err(what)) => {
                inputs.problem(at, &what);
                continue;
            }
        };
        let part = above.or(header.part).unwrap_or(Part::Value);
        let (level, block) = (header.level.value, header.block);
        if header.level.remark.is_some() && part != Part::Origin {
            let place = book.place(at);
            inputs.gather.findings.taken(header.level.remark, &place, &heading.to_string(), level);
        }
        // Columns of one level, block and part should agree; `agreed` compares their cells.
        let same = |ratios: &&mut Ratios| {
            (ratios.level - level).abs() < SAME_LEVEL
                && ratios.block == block
                && ratios.part == part
        };
        let all = named_columns.ratios.len() >= MOST_RATIOS;
        match named_columns.ratios.iter_mut().find(same) {
            _ if part == Part::Computed => {}
            Some(ratios) => ratios.columns.push(column),
            None if all => {
                let what = format!("more than {MOST_RATIOS} columns of ratios");
                inputs.problem(at, &what);
                break;
            }
            None => named_columns.ratios.push(Ratios { level, block, part, columns: vec![column] }),
        }
    }
    named_columns
}

/// For each column of origins the column of its ratios, in the order of the table: a writer that
/// computes nothing, such as openpyxl, stores no level above an origin.
fn levels_of_origins(parts: &BTreeMap<u32, Part>, others: &[u32]) -> BTreeMap<u32, u32> {
    let of = |wanted| {
        let parts = parts.iter().filter(move |(_, part)| **part == wanted);
        parts.map(|(column, _)| *column)
    };
    of(Part::Origin).zip(of(Part::Value).filter(|column| !others.contains(column))).collect()
}

/// A column whose heading is not a sparsity.
fn unknown_column(inputs: &mut Inputs, at: At, above: Option<Part>, named_columns: &mut Columns) {
    let text = inputs.peek(at).to_string();
    if KNOWN.iter().any(|known| is(text.trim_matches('"'), known)) {
        return;
    }
    if above.is_some() {
        if inputs.book.has_formula(at) {
            // Says what is wrong with it.
            let _ = inputs.quantity(at, Quantity::SparseRatio);
        } else {
            named_columns.nameless.push(at.column);
        }
        return;
    }
    let place = inputs.book.place(at);
    inputs.gather.findings.note(findings::Kind::LeftOutColumn, || {
        format!("{place}: {text} is not a known heading; the column is left out")
    });
}

/// The column with these words; a second one is a problem.
fn only_column(inputs: &mut Inputs, table: At, words: &str) -> Option<u32> {
    let mut columns_of_words = columns(inputs.book, table, words);
    let first = columns_of_words.next();
    if let Some(second) = columns_of_words.next() {
        let what = format!("a second column {}", quoted(words));
        drop(columns_of_words);
        inputs.problem(table.column(second), &what);
    }
    first
}

/// Kinds of columns, from the nearest row above the header that names any.
fn parts(inputs: &Inputs, table: At) -> BTreeMap<u32, Part> {
    let Some(sheet) = inputs.book.sheet(table) else { return BTreeMap::new() };
    let rows = (table.row.saturating_sub(PART_ROWS)..table.row).rev();
    let said = rows.map(|row| {
        let parts = sheet.row(row).filter_map(|(column, cell)| Some((column, part(cell.text()?)?)));
        parts.collect::<BTreeMap<u32, Part>>()
    });
    said.into_iter().find(|said| !said.is_empty()).unwrap_or_default()
}

fn read_rows(inputs: &mut Inputs, table: At, columns: &Columns, block: Block) {
    let book = inputs.book;
    let Some(sheet) = book.sheet(table) else { return };
    for row in sheet.rows(table.row.saturating_add(1)) {
        let mut cells = sheet.row(row).filter_map(|(_, cell)| cell.text());
        // The next table begins.
        if cells.any(|text| is(text, heading::WEIGHT_SHAPE) || is(text, heading::OPERATOR_NAME)) {
            break;
        }
        // A row with a problem is left out; the others are still looked at.
        let _ = read_row(inputs, table.row(row), columns, block);
    }
}

fn read_row(inputs: &mut Inputs, row: At, columns: &Columns, block: Block) -> Result<(), Bad> {
    let book = inputs.book;
    let shape = row;
    let blank = |columns: &[u32]| columns.iter().all(|column| book.is_blank(row.column(*column)));
    let mut of_ratios = columns.ratios.iter().filter(|ratios| ratios.part != Part::Origin);
    let no_ratios = of_ratios.all(|ratios| blank(&ratios.columns))
        && blank(&columns.others)
        && blank(&columns.nameless);
    // A row without ratios is empty, a note of the user, or a shape that has no ratios yet.
    if no_ratios {
        let keys = [columns.operator_type, columns.data_type, columns.block];
        let text = inputs.peek(shape);
        if book.is_blank(shape) && blank(&keys.into_iter().flatten().collect::<Vec<_>>()) {
            return Ok(());
        }
        if !matches!(&text, Value::Text(text) if weight_shape(text).is_ok()) {
            let place = book.place(shape);
            inputs.gather.findings.note(findings::Kind::LeftOut, || {
                format!("{place}: neither a weight shape nor perf ratios; the row is left out")
            });
            return Ok(());
        }
    }
    let Some(shape_of) = inputs.parsed(shape, weight_shape)? else {
        let what = "expected the weight shape that these perf ratios are for, found nothing";
        return Err(inputs.problem(shape, what));
    };
    let place = |column: Option<u32>| column.map(|column| row.column(column));
    let operator_type =
        place(columns.operator_type).map(|at| inputs.text(at)).transpose()?.flatten();
    let data_type = place(columns.data_type).map(|at| inputs.parsed(at, data_type)).transpose()?;
    let own_block = place(columns.block).map(|at| inputs.parsed(at, shape::block)).transpose()?;
    let key = RatioKey {
        operator_type: operator_type.map(|name| from_cell(&name)),
        shape: shape_of,
        data_type: data_type.flatten(),
        block: own_block.flatten().unwrap_or(block),
    };
    // A ratio is about to be lost: refuse it, as a column with a misspelled heading is.
    for column in &columns.nameless {
        if !book.is_blank(row.column(*column)) {
            let what = "a perf ratio in a column without a sparsity in its heading";
            inputs.problem(row.column(*column), what);
        }
    }
    let rows = points(inputs, row, columns, &key, own_block.flatten())?;
    for found in rows {
        inputs.gather.row(book.place(shape), found);
    }
    Ok(())
}

/// Low end, ratio and high end with their cells.
type Ends = [Option<(f64, At)>; 3];

/// A row of ratios for each block shape that columns are for.
fn points(
    inputs: &mut Inputs,
    row: At,
    columns: &Columns,
    key: &RatioKey,
    own_block: Option<Block>,
) -> Result<Vec<RatioRow>, Bad> {
    let mut bad = Ok(());
    let mut blocks: BTreeMap<Block, BTreeMap<usize, Ends>> = BTreeMap::new();
    let of_ratios = |(_, ratios): &(usize, &Ratios)| ratios.part != Part::Origin;
    for (number, ratios) in columns.ratios.iter().enumerate().filter(of_ratios) {
        let (value, at) = match agreed(inputs, row, &ratios.columns) {
            Ok(Some(agreed)) => agreed,
            Ok(None) => continue,
            Err(problem) => {
                bad = Err(problem);
                continue;
            }
        };
        // The block of the row, of the heading, of the table, in this order; they may not differ.
        let block = match (own_block, ratios.block) {
            (Some(own), Some(other)) if own != other => {
                let what =
                    format!("a perf ratio for blocks of {other} in a row for blocks of {own}");
                bad = Err(inputs.problem(at, &what));
                continue;
            }
            (own, other) => own.or(other).unwrap_or(key.block),
        };
        let same = |other: &Ratios| {
            (other.level - ratios.level).abs() < SAME_LEVEL && other.block == ratios.block
        };
        // The first column of the level and block stands for all of its point.
        let point = columns.ratios.iter().position(same).unwrap_or(number);
        let part = match ratios.part {
            Part::Low => 0,
            Part::High => 2,
            Part::Value | Part::Origin | Part::Computed => 1,
        };
        blocks.entry(block).or_default().entry(point).or_default()[part] = Some((value, at));
    }
    // Below the lowest level nothing is gained, unless the row says otherwise.
    let others = agreed(inputs, row, &columns.others)?.map_or(1.0, |(others, _)| others);
    bad?;
    // Keep a row without ratios: its shape has none.
    if blocks.is_empty() {
        blocks.insert(key.block, BTreeMap::new());
    }
    let mut rows = Vec::new();
    for (block, points) in blocks {
        let key = RatioKey { block, ..key.clone() };
        let mut ratios = RatioRow { others, ..RatioRow::new(key) };
        for (point, parts) in points {
            let Some(level) = columns.ratios.get(point).map(|ratios| ratios.level) else {
                continue;
            };
            match estimate(inputs, parts) {
                Ok(ratio) => {
                    let origin = origin(inputs, row, columns, point, ratio);
                    ratios.insert(point::of(level, ratio, origin));
                }
                Err(problem) => bad = Err(problem),
            }
        }
        rows.push(ratios);
    }
    bad.map(|()| rows)
}

/// Origin of a ratio as the file states it.
fn origin(
    inputs: &Inputs,
    row: At,
    columns: &Columns,
    point: usize,
    ratio: Estimate,
) -> Option<Origin> {
    let of = columns.ratios.get(point)?;
    let same = |other: &&Ratios| {
        other.part == Part::Origin
            && (other.level - of.level).abs() < SAME_LEVEL
            && other.block == of.block
    };
    let column = columns.ratios.iter().find(same)?.columns.first()?;
    let at = row.column(*column);
    match inputs.peek(at) {
        Value::Text(text) => shape::origin(&text).ok(),
        _ => of_formula(inputs.book.formula(at)?, ratio),
    }
}

/// Origin of a ratio by the formula that states it, where nobody stored what it computes: that of a
/// measured ratio compares it and its ends with what was written. Those of defaults do so too, which
/// is asked of ratios without an origin as well.
fn of_formula(formula: &str, ratio: Estimate) -> Option<Origin> {
    let says = |origin: Origin| formula.contains(&format!("\"{}\"", origin.key()));
    if says(Origin::Default) {
        return None;
    }
    let written = formula.split('=').filter_map(|part| {
        let end = part.find([',', ')']).unwrap_or(part.len());
        part[..end].trim().parse::<f64>().ok()
    });
    let is_written = says(Origin::Measured) && written.eq([ratio.value, ratio.low, ratio.high]);
    Some(if is_written { Origin::Measured } else { Origin::Given })
}

/// Value that all columns agree on, and the first cell with it.
fn agreed(inputs: &mut Inputs, row: At, columns: &[u32]) -> Result<Option<(f64, At)>, Bad> {
    let mut agreed: Option<(Option<f64>, At)> = None;
    for column in columns {
        let at = row.column(*column);
        let value = inputs.quantity(at, Quantity::PerfRatio)?;
        match agreed {
            Some((first, place)) if first != value => {
                let what = format!("another perf ratio than in {}", inputs.book.place(place));
                return Err(inputs.problem(at, &what));
            }
            Some(_) => {}
            None => agreed = Some((value, at)),
        }
    }
    Ok(agreed.and_then(|(value, at)| Some((value?, at))))
}

/// A ratio and the ends of its range.
fn estimate(inputs: &mut Inputs, parts: Ends) -> Result<Estimate, Bad> {
    let [low, value, high] = parts;
    let Some((value, _)) = value else {
        let at = low.or(high).map(|(_, at)| at);
        let what = "one end of a range whose perf ratio is missing";
        return Err(at.map_or(Bad, |at| inputs.problem(at, what)));
    };
    let value_of = |end: Option<(f64, At)>| end.map(|(end, _)| end);
    point::range(value, value_of(low), value_of(high)).map_err(|(part, what)| {
        let at = if part == Part::Low { low } else { high };
        at.map_or(Bad, |(_, at)| inputs.problem(at, &what))
    })
}
