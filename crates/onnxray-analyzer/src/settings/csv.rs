//! Settings as a table, to be saved and reused: one setting per line, and what it is
//! in the column `setting`. A CSV that was saved, or a sheet that a spreadsheet made of it.
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
use super::gather::Named;
use super::given::{GivenPlan, folded};
use super::header::Part;
use super::inputs::{Bad, Inputs};
use super::point;
use super::shape;
use crate::printable::quoted;
use crate::projection::{DEFAULT_BLOCK, RatioKey, RatioRow, Sensitivity};
use crate::quantity::Quantity;
use crate::spreadsheet::{At, Book};
use crate::workbook::is;
use onnxray_format::Block;
use std::collections::HashMap;

struct Reader<'i, 'a> {
    inputs: &'i mut Inputs<'a>,
    /// Where each of what a line may say stands.
    columns: [Option<u32>; HEADER.len()],
    /// Of rows that do not state theirs.
    block: Block,
    rows: Vec<(At, RatioRow)>,
    places: HashMap<RatioKey, usize>,
    others: HashMap<usize, f64>,
    layers: Vec<(At, Sensitivity)>,
    layer_places: HashMap<String, usize>,
}

/// Where `setting` stands above such a table: in the first row that holds anything, but for
/// one that tells a spreadsheet what separates the fields.
pub(crate) fn header(book: &Book) -> Option<At> {
    let [sheet] = book.sheets.as_slice() else { return None };
    let (row, column) = sheet.find(HEADER[SETTING]).next()?;
    let says_more = |above: u32| {
        sheet.row(above).any(|(_, cell)| !cell.text().is_some_and(|text| text.starts_with("sep=")))
    };
    let mut above = sheet.rows(0).take_while(|above| *above < row);
    (!above.any(says_more)).then_some(At { sheet: 0, row, column })
}

/// Reads the lines below a header.
pub(crate) fn read(inputs: &mut Inputs, header: At) {
    let book = inputs.book;
    let Some(sheet) = book.sheet(header) else { return };
    let mut reader = Reader {
        columns: columns(inputs, header),
        inputs,
        block: DEFAULT_BLOCK,
        rows: Vec::new(),
        places: HashMap::new(),
        others: HashMap::new(),
        layers: Vec::new(),
        layer_places: HashMap::new(),
    };
    let last = sheet.row(header.row).last().map_or(header.column, |(column, _)| column);
    let filled = |row: &u32| sheet.row(*row).next().is_some();
    let lines =
        || sheet.rows(header.row.saturating_add(1)).filter(filled).map(|row| header.row(row));
    let setting = |line| Setting::of(book.text(line).unwrap_or_default());
    // First, because rows of ratios go by it.
    for line in lines().filter(|line| setting(*line) == Some(Setting::Block)) {
        let _ = reader.line(Setting::Block, line);
    }
    for line in lines() {
        match setting(line) {
            Some(Setting::Block) => {}
            // A line with a problem is left out; the others are still looked at.
            Some(setting) => drop(reader.line(setting, line)),
            None => {
                let names: Vec<&str> = Setting::ALL.iter().map(|(name, _)| *name).collect();
                let found = reader.inputs.peek(line);
                let what = format!("expected one of {}, found {found}", names.join(", "));
                reader.inputs.problem(line, &what);
            }
        }
        if let Some((column, _)) = sheet.row(line.row).find(|(column, _)| *column > last) {
            let at = line.column(column);
            let what = format!("a field behind the last column, {}", reader.inputs.peek(at));
            reader.inputs.problem(at, &what);
        }
    }
    reader.finish();
}

/// Which columns are those that are known.
fn columns(inputs: &mut Inputs, header: At) -> [Option<u32>; HEADER.len()] {
    let mut columns = [None; HEADER.len()];
    let book = inputs.book;
    let headings = book.sheet(header).into_iter().flat_map(|sheet| sheet.row(header.row));
    for (column, cell) in headings {
        let at = header.column(column);
        let name = cell.text().unwrap_or_default();
        match HEADER
            .iter()
            .position(|known| is(name, known))
            .and_then(|known| columns.get_mut(known))
        {
            Some(place @ None) => *place = Some(column),
            Some(Some(_)) => {
                inputs.problem(at, &format!("a second column {}", quoted(name.trim())));
            }
            None => inputs.gather.findings.note(Kind::LeftOutColumn, || {
                format!("{}: the column {} is left out", book.place(at), quoted(name.trim()))
            }),
        }
    }
    columns
}

impl Reader<'_, '_> {
    /// Where a field of a line stands, if there is such a column.
    fn at(&self, line: At, column: usize) -> Option<At> {
        self.columns.get(column).copied().flatten().map(|column| line.column(column))
    }

    fn problem(&mut self, line: At, column: usize, what: &str) -> Bad {
        match self.at(line, column) {
            Some(at) => self.inputs.problem(at, what),
            None => {
                let name = HEADER.get(column).copied().unwrap_or_default();
                self.inputs.problem(line, &format!("no column \"{name}\": {what}"))
            }
        }
    }

    /// Notes a problem if something else was said before.
    fn agrees<T: PartialEq>(
        &mut self,
        (line, column): (At, usize),
        (earlier, now): (Option<T>, &T),
        what: &str,
    ) -> Result<(), Bad> {
        match earlier {
            Some(earlier) if earlier != *now => Err(self.problem(line, column, what)),
            _ => Ok(()),
        }
    }

    fn line(&mut self, setting: Setting, line: At) -> Result<(), Bad> {
        for column in (1..HEADER.len()).filter(|column| !setting.columns().contains(column)) {
            let filled = |at: &At| !self.inputs.book.is_blank(*at);
            if let Some(at) = self.at(line, column).filter(filled) {
                let found = self.inputs.peek(at);
                let what = format!("{found}, which \"{}\" does not take", setting.name());
                return Err(self.inputs.problem(at, &what));
            }
        }
        match setting {
            Setting::Block => {
                let Some(block) = self.parsed(line, BLOCK, shape::block)? else { return Ok(()) };
                let earlier = self.inputs.gather.given.block.replace(block);
                self.block = block;
                self.agrees((line, BLOCK), (earlier, &block), "another block shape than above")
            }
            Setting::Level => {
                let level = self.quantity(line, LEVEL, Quantity::SparseRatio)?;
                self.inputs.gather.given.levels.get_or_insert_default().extend(level);
                Ok(())
            }
            Setting::Target => {
                let target = self.needed(line, LEVEL, Quantity::SparseRatio)?;
                let earlier = self.inputs.gather.given.targets.model.replace(target);
                self.agrees((line, LEVEL), (earlier, &target), "another target than above")
            }
            Setting::TargetType => self.level(line, Named::Type),
            Setting::TargetOperator => self.level(line, Named::Operator),
            Setting::PlanOverride => self.level(line, Named::Override),
            Setting::DefaultRatios => {
                let truth = self.parsed(line, VALUE, shape::truth)?;
                self.inputs.gather.given.default_ratios = truth;
                Ok(())
            }
            Setting::Others => {
                let row = self.row(line)?;
                let value = self.needed(line, VALUE, Quantity::PerfRatio)?;
                let earlier = self.others.insert(row, value);
                if let Some((_, row)) = self.rows.get_mut(row) {
                    row.others = value;
                }
                self.agrees((line, VALUE), (earlier, &value), "another perf ratio than above")
            }
            Setting::Ratio => self.ratio(line),
            Setting::Plan => self.bound(line),
            Setting::Sensitivity => self.sensitivity(line),
        }
    }

    fn level(&mut self, line: At, named: Named) -> Result<(), Bad> {
        let level = self.needed(line, LEVEL, Quantity::SparseRatio)?;
        let name = self.name(line)?;
        let place = self.inputs.book.place(self.at(line, LEVEL).unwrap_or(line));
        self.inputs.gather.level(named, &name, Some(level), place);
        Ok(())
    }

    fn ratio(&mut self, line: At) -> Result<(), Bad> {
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
    fn row(&mut self, line: At) -> Result<usize, Bad> {
        let Some(shape) = self.parsed(line, SHAPE, shape::weight_shape)? else {
            return Err(self.problem(line, SHAPE, "expected a weight shape, found nothing"));
        };
        let key = RatioKey {
            operator_type: self.field(line, NAME)?.map(|name| text(&name)),
            shape,
            data_type: self.parsed(line, DATA_TYPE, shape::data_type)?,
            block: self.parsed(line, BLOCK, shape::block)?.unwrap_or(self.block),
        };
        let end = self.rows.len();
        let place = *self.places.entry(folded(&key)).or_insert(end);
        if place == end {
            self.rows.push((line, RatioRow::new(key)));
        }
        Ok(place)
    }

    fn bound(&mut self, line: At) -> Result<(), Bad> {
        let name = self.name(line)?;
        let truth: Option<fn(&mut GivenPlan) -> &mut Option<bool>> = match () {
            () if is(&name, "first") => Some(|plan| &mut plan.first),
            () if is(&name, "grouped") => Some(|plan| &mut plan.grouped),
            () => None,
        };
        if let Some(place) = truth {
            let Some(truth) = self.parsed(line, VALUE, shape::truth)? else { return Ok(()) };
            let earlier = place(&mut self.inputs.gather.given.plan).replace(truth);
            return self.agrees((line, VALUE), (earlier, &truth), "something else than above");
        }
        let number: fn(&mut GivenPlan) -> &mut Option<f64> = match () {
            () if is(&name, "budget") => |plan| &mut plan.budget,
            () if is(&name, "minimum") => |plan| &mut plan.minimum,
            () if is(&name, "maximum") => |plan| &mut plan.maximum,
            () if is(&name, "balance") => |plan| &mut plan.balance,
            () => {
                let what = format!(
                    "expected one of budget, minimum, maximum, balance, first, grouped, found {}",
                    quoted(&name)
                );
                return Err(self.problem(line, NAME, &what));
            }
        };
        let is_share = is(&name, "balance");
        let quantity = if is_share { Quantity::Share } else { Quantity::SparseRatio };
        let value = self.needed(line, VALUE, quantity)?;
        let plan = &mut self.inputs.gather.given.plan;
        let earlier = number(plan).replace(value);
        let bounds = point::check_bounds(plan);
        self.agrees((line, VALUE), (earlier, &value), "another number than above")?;
        bounds.map_err(|what| self.problem(line, VALUE, &what))
    }

    fn sensitivity(&mut self, line: At) -> Result<(), Bad> {
        let layer = self.name(line)?;
        let end = self.layers.len();
        let place = *self.layer_places.entry(layer.clone()).or_insert(end);
        if place == end {
            self.layers.push((line, Sensitivity { layer, points: Vec::new() }));
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

    fn field(&mut self, line: At, column: usize) -> Result<Option<String>, Bad> {
        self.at(line, column).map_or(Ok(None), |at| self.inputs.text(at))
    }

    fn name(&mut self, line: At) -> Result<String, Bad> {
        match self.field(line, NAME)? {
            Some(field) => Ok(text(&field)),
            None => Err(self.problem(line, NAME, "expected a name, found nothing")),
        }
    }

    fn quantity(&mut self, line: At, column: usize, of: Quantity) -> Result<Option<f64>, Bad> {
        self.at(line, column).map_or(Ok(None), |at| self.inputs.quantity(at, of))
    }

    fn needed(&mut self, line: At, column: usize, quantity: Quantity) -> Result<f64, Bad> {
        let value = self.quantity(line, column, quantity)?;
        value.ok_or_else(|| self.problem(line, column, NOTHING))
    }

    fn parsed<T>(
        &mut self,
        line: At,
        column: usize,
        parse: fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Bad> {
        self.at(line, column).map_or(Ok(None), |at| self.inputs.parsed(at, parse))
    }

    fn finish(self) {
        let (book, gather) = (self.inputs.book, &mut self.inputs.gather);
        for (line, row) in self.rows {
            gather.row(book.place(line), row);
        }
        for (line, sensitivity) in self.layers {
            gather.sensitivity(sensitivity, book.place(line));
        }
    }
}

const NOTHING: &str = "expected a number, found nothing";
