//! Settings as CSV, to be saved and reused: one setting per line, and what it is
//! in the first column.
//!
//! ```text
//! setting,name,weight shape,data type,block,sparse ratio,value,low,high,origin
//! block,,,,4x1,,,,,
//! level,,,,,0.9,,,,
//! target,,,,,0.9,,,,
//! target type,MatMul,,,,0.8,,,,
//! target operator,/head/MatMul,,,,0,,,,
//! default ratios,,,,,,FALSE,,,
//! others,MatMul,256x256,fp32,4x1,,1,,,
//! ratio,MatMul,256x256,fp32,4x1,0.9,4,3.5,4.5,given
//! plan,budget,,,,,0.85,,,
//! plan override,/head/MatMul,,,,0.5,,,,
//! sensitivity,/head/MatMul,,,,0.5,0.01,,,
//! ```
//!
//! A `level` or `sensitivity` without numbers says that there are none.

use super::csv_line::{
    BLOCK, DATA_TYPE, HEADER, HIGH, LEVEL, LOW, NAME, ORIGIN, SETTING, SHAPE, Setting, VALUE, text,
};
use super::findings::Kind;
use super::gather::{Gather, Named};
use super::given::folded;
use super::header::Part;
use super::point;
use super::shape;
use crate::printable::quoted;
use crate::projection::{DEFAULT_BLOCK, RatioKey, RatioRow, Sensitivity};
use crate::quantity::{Decimals, Quantity};
use crate::spreadsheet::is;
use ::csv::StringRecord;
use onnxray_format::Block;
use std::collections::HashMap;

/// A line with a problem, which was noted down.
struct Bad;

/// A line: its number, and the fields of the columns that are known.
struct Line<'a> {
    number: u64,
    fields: [&'a str; HEADER.len()],
}

struct Reader {
    gather: Gather,
    decimals: Decimals,
    /// Of rows that do not state theirs.
    block: Block,
    rows: Vec<(u64, RatioRow)>,
    places: HashMap<RatioKey, usize>,
    others: HashMap<usize, f64>,
    layers: Vec<(u64, Sensitivity)>,
    layer_places: HashMap<String, usize>,
}

/// Reads a file whose fields are parted by `separator`.
pub(crate) fn read(text: &str, separator: char) -> Gather {
    let mut reader = Reader {
        gather: Gather::default(),
        decimals: if separator == ';' { Decimals::Comma } else { Decimals::Point },
        block: DEFAULT_BLOCK,
        rows: Vec::new(),
        places: HashMap::new(),
        others: HashMap::new(),
        layers: Vec::new(),
        layer_places: HashMap::new(),
    };
    let is_header = |record: &StringRecord| record.iter().any(|field| is(field, HEADER[SETTING]));
    let mut lines = records(text, separator).skip_while(|(_, record)| !is_header(record));
    let Some((number, header)) = lines.next() else { return reader.gather };
    let columns = reader.columns(number, &header);
    // First, because rows of ratios go by it.
    let lines: Vec<(u64, StringRecord)> = lines.collect();
    let setting = |line: &Line| Setting::of(line.fields[SETTING]);
    for (number, record) in &lines {
        let line = reader.fields(*number, record, &columns);
        if setting(&line) == Some(Setting::Block) {
            let _ = reader.line(Setting::Block, &line);
        }
    }
    for (number, record) in &lines {
        let line = reader.fields(*number, record, &columns);
        match setting(&line) {
            Some(Setting::Block) => {}
            // A line with a problem is left out; the others are still looked at.
            Some(setting) => drop(reader.line(setting, &line)),
            None => {
                let names: Vec<&str> = Setting::ALL.iter().map(|(name, _)| *name).collect();
                let found = quoted(line.fields[SETTING]);
                let what = format!("expected one of {}, found {found}", names.join(", "));
                reader.problem(&line, SETTING, &what);
            }
        }
        if let Some(extra) =
            record.iter().skip(columns.len()).find(|field| !field.trim().is_empty())
        {
            let what = format!("a field behind the last column, {}", quoted(extra));
            reader.gather.problem(&format!("line {number}"), &what);
        }
    }
    reader.finish()
}

/// The lines that hold something, with their numbers.
fn records(text: &str, separator: char) -> impl Iterator<Item = (u64, StringRecord)> + '_ {
    let mut reader = ::csv::ReaderBuilder::new();
    reader.delimiter(separator as u8).has_headers(false).flexible(true);
    // Text is UTF-8 already, and lines may be of any length: nothing can fail.
    let records = reader.from_reader(text.as_bytes()).into_records().flatten();
    let filled = records.filter(|record| record.iter().any(|field| !field.trim().is_empty()));
    let (mut line, mut counted) = (1, 0);
    filled.map(move |record| {
        // The reader's position stands before empty lines, which it skips.
        let start = record.position().map_or(counted, |position| position.byte() as usize);
        let blank = |byte: &&u8| matches!(byte, b'\n' | b'\r');
        let start = start + text.as_bytes().iter().skip(start).take_while(blank).count();
        let between = text.as_bytes().get(counted..start).unwrap_or_default();
        line += between.iter().filter(|&&byte| byte == b'\n').count() as u64;
        counted = start.max(counted);
        (line, record)
    })
}

impl Reader {
    fn problem(&mut self, line: &Line, column: usize, what: &str) -> Bad {
        let column = HEADER.get(column).copied().unwrap_or_default();
        self.gather.problem(&format!("line {}, column \"{column}\"", line.number), what);
        Bad
    }

    /// Which of the columns that are known each one is.
    fn columns(&mut self, number: u64, header: &StringRecord) -> Vec<Option<usize>> {
        let mut columns: Vec<Option<usize>> = Vec::new();
        for field in header {
            let column = HEADER.iter().position(|name| is(field, name));
            if column.is_some() && columns.contains(&column) {
                let what = format!("a second column {}", quoted(field.trim()));
                self.gather.problem(&format!("line {number}"), &what);
            }
            if column.is_none() && !field.trim().is_empty() {
                self.gather.findings.note(Kind::LeftOutColumn, || {
                    format!("line {number}: the column {} is left out", quoted(field.trim()))
                });
            }
            columns.push(column);
        }
        columns
    }

    fn fields<'a>(
        &self,
        number: u64,
        record: &'a StringRecord,
        columns: &[Option<usize>],
    ) -> Line<'a> {
        let mut fields = [""; HEADER.len()];
        for (field, column) in record.iter().zip(columns) {
            if let Some(place) = column.and_then(|column| fields.get_mut(column)) {
                *place = field;
            }
        }
        Line { number, fields }
    }

    fn line(&mut self, setting: Setting, line: &Line) -> Result<(), Bad> {
        let unused = (1..HEADER.len()).filter(|column| !setting.columns().contains(column));
        for column in unused {
            let field = line.fields.get(column).copied().unwrap_or_default();
            if !field.trim().is_empty() {
                let what = format!("{}, which \"{}\" does not take", quoted(field), setting.name());
                return Err(self.problem(line, column, &what));
            }
        }
        let place = format!("line {}", line.number);
        match setting {
            Setting::Block => {
                let block = self.parsed(line, BLOCK, shape::block)?;
                let other = self.gather.given.block.filter(|earlier| Some(*earlier) != block);
                if other.is_some() {
                    return Err(self.problem(line, BLOCK, "another block shape than above"));
                }
                self.block = block.unwrap_or(self.block);
                self.gather.given.block = block;
            }
            Setting::Level => {
                let level = self.quantity(line, LEVEL, Quantity::SparseRatio)?;
                self.gather.given.levels.get_or_insert_default().extend(level);
            }
            Setting::Target => {
                let target = self.needed(line, LEVEL, Quantity::SparseRatio)?;
                let earlier = self.gather.given.targets.model.replace(target);
                if earlier.is_some_and(|earlier| earlier != target) {
                    return Err(self.problem(line, LEVEL, "another target than above"));
                }
            }
            Setting::TargetType | Setting::TargetOperator | Setting::PlanOverride => {
                let named = match setting {
                    Setting::TargetType => Named::Type,
                    Setting::TargetOperator => Named::Operator,
                    _ => Named::Override,
                };
                let level = self.needed(line, LEVEL, Quantity::SparseRatio)?;
                let name = self.name(line)?;
                self.gather.level(named, &name, Some(level), place);
            }
            Setting::DefaultRatios => {
                self.gather.given.default_ratios = self.parsed(line, VALUE, shape::truth)?;
            }
            Setting::Others => {
                let row = self.row(line)?;
                let value = self.needed(line, VALUE, Quantity::PerfRatio)?;
                if self.others.insert(row, value).is_some_and(|earlier| earlier != value) {
                    return Err(self.problem(line, VALUE, "another perf ratio than above"));
                }
                if let Some((_, row)) = self.rows.get_mut(row) {
                    row.others = value;
                }
            }
            Setting::Ratio => self.ratio(line)?,
            Setting::Plan => self.bound(line)?,
            Setting::Sensitivity => self.sensitivity(line)?,
        }
        Ok(())
    }

    fn ratio(&mut self, line: &Line) -> Result<(), Bad> {
        let row = self.row(line)?;
        let level = self.needed(line, LEVEL, Quantity::SparseRatio)?;
        let value = self.needed(line, VALUE, Quantity::PerfRatio)?;
        let low = self.quantity(line, LOW, Quantity::PerfRatio)?;
        let high = self.quantity(line, HIGH, Quantity::PerfRatio)?;
        let ratio = point::range(value, low, high).map_err(|(part, what)| {
            let column = if part == Part::Low { LOW } else { HIGH };
            self.problem(line, column, &what)
        })?;
        let origin = self.parsed(line, ORIGIN, shape::origin)?;
        let Some((_, row)) = self.rows.get_mut(row) else { return Ok(()) };
        point::add(row, point::of(level, ratio, origin))
            .map_err(|what| self.problem(line, VALUE, &what))
    }

    /// The row of ratios that a line belongs to.
    fn row(&mut self, line: &Line) -> Result<usize, Bad> {
        let Some(shape) = self.parsed(line, SHAPE, shape::weight_shape)? else {
            return Err(self.problem(line, SHAPE, "expected a weight shape, found nothing"));
        };
        let name = Some(line.fields[NAME]).filter(|field| !field.trim().is_empty());
        let key = RatioKey {
            operator_type: name.map(text),
            shape,
            data_type: self.parsed(line, DATA_TYPE, shape::data_type)?,
            block: self.parsed(line, BLOCK, shape::block)?.unwrap_or(self.block),
        };
        let end = self.rows.len();
        let place = *self.places.entry(folded(&key)).or_insert(end);
        if place == end {
            self.rows.push((line.number, RatioRow::new(key)));
        }
        Ok(place)
    }

    fn bound(&mut self, line: &Line) -> Result<(), Bad> {
        let name = line.fields[NAME];
        let plan = &self.gather.given.plan;
        let (known, quantity) = match () {
            () if is(name, "budget") => (plan.budget, Quantity::SparseRatio),
            () if is(name, "minimum") => (plan.minimum, Quantity::SparseRatio),
            () if is(name, "maximum") => (plan.maximum, Quantity::SparseRatio),
            () if is(name, "balance") => (plan.balance, Quantity::Share),
            () if is(name, "first") || is(name, "grouped") => {
                let truth = self.parsed(line, VALUE, shape::truth)?;
                let plan = &mut self.gather.given.plan;
                let place = if is(name, "first") { &mut plan.first } else { &mut plan.grouped };
                let twice = place.is_some() && *place != truth;
                *place = truth;
                return match twice {
                    true => Err(self.problem(line, VALUE, "something else than above")),
                    false => Ok(()),
                };
            }
            () => {
                let what = format!(
                    "expected one of budget, minimum, maximum, balance, first, grouped, found {}",
                    quoted(name)
                );
                return Err(self.problem(line, NAME, &what));
            }
        };
        let value = self.needed(line, VALUE, quantity)?;
        if known.is_some_and(|known| known != value) {
            return Err(self.problem(line, VALUE, "another number than above"));
        }
        let plan = &mut self.gather.given.plan;
        let place = match () {
            () if is(name, "budget") => &mut plan.budget,
            () if is(name, "minimum") => &mut plan.minimum,
            () if is(name, "maximum") => &mut plan.maximum,
            () => &mut plan.balance,
        };
        *place = Some(value);
        point::check_bounds(plan).map_err(|what| self.problem(line, VALUE, &what))
    }

    fn sensitivity(&mut self, line: &Line) -> Result<(), Bad> {
        let layer = self.name(line)?;
        let end = self.layers.len();
        let place = *self.layer_places.entry(layer.clone()).or_insert(end);
        if place == end {
            self.layers.push((line.number, Sensitivity { layer, points: Vec::new() }));
        }
        let level = self.quantity(line, LEVEL, Quantity::SparseRatio)?;
        let loss = self.quantity(line, VALUE, Quantity::Loss)?;
        let (level, loss) = match (level, loss) {
            (Some(level), Some(loss)) => (level, loss),
            (None, None) => return Ok(()),
            (None, Some(_)) => return Err(self.problem(line, LEVEL, NOTHING)),
            (Some(_), None) => return Err(self.problem(line, VALUE, NOTHING)),
        };
        let Some((_, known)) = self.layers.get_mut(place) else { return Ok(()) };
        point::add_loss(&mut known.points, level, loss)
            .map_err(|what| self.problem(line, VALUE, &what))
    }

    fn name(&mut self, line: &Line) -> Result<String, Bad> {
        match line.fields[NAME] {
            field if field.trim().is_empty() => {
                Err(self.problem(line, NAME, "expected a name, found nothing"))
            }
            field => Ok(text(field)),
        }
    }

    fn quantity(
        &mut self,
        line: &Line,
        column: usize,
        quantity: Quantity,
    ) -> Result<Option<f64>, Bad> {
        let field = line.fields.get(column).copied().unwrap_or_default();
        let reading = match quantity.of_text(field, self.decimals) {
            Ok(Some(reading)) => reading,
            Ok(None) => return Ok(None),
            Err(what) => return Err(self.problem(line, column, &what)),
        };
        let place = format!("line {}", line.number);
        self.gather.findings.taken(reading.remark, &place, &quoted(field), reading.value);
        Ok(Some(reading.value))
    }

    fn needed(&mut self, line: &Line, column: usize, quantity: Quantity) -> Result<f64, Bad> {
        match self.quantity(line, column, quantity)? {
            Some(value) => Ok(value),
            None => Err(self.problem(line, column, NOTHING)),
        }
    }

    fn parsed<T>(
        &mut self,
        line: &Line,
        column: usize,
        parse: fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Bad> {
        let field = line.fields.get(column).copied().unwrap_or_default();
        if field.trim().is_empty() {
            return Ok(None);
        }
        parse(field).map(Some).map_err(|what| self.problem(line, column, &what))
    }

    fn finish(mut self) -> Gather {
        for (number, row) in self.rows {
            self.gather.row(format!("line {number}"), row);
        }
        for (number, sensitivity) in self.layers {
            self.gather.sensitivity(sensitivity, format!("line {number}"));
        }
        self.gather
    }
}

const NOTHING: &str = "expected a number, found nothing";
