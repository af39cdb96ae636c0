//! Works off the steps of formulas, those of the cells that they refer to first.
//!
//! Formulas that wait for others stand on a stack of their own, so that no chain
//! of them is too long, and steps are counted, so that no file takes forever.

use super::book::{At, Book, cell_name};
use super::cells::{Cell, Formula, Value};
use super::formula::{Source, Step, parse};
use super::operation::{Scalar, apply, call, number};
use super::reference::Shift;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Steps of all formulas of a file together.
const MOST_STEPS: u64 = 20_000_000;

/// Why a formula is not evaluated.
#[derive(Debug, PartialEq)]
pub(crate) struct Fault {
    /// The cell whose formula it is: the one that was asked for, or one that it
    /// refers to.
    pub(crate) at: At,
    /// Completes the sentence "its formula …".
    pub(crate) reason: String,
}

pub(crate) struct Evaluator<'a> {
    book: &'a Book,
    results: HashMap<At, Result<Scalar, Rc<Fault>>>,
    steps: u64,
}

const TOO_LONG: &str = "takes too long, together with the others of this file";

/// What a step takes and leaves.
#[derive(Clone, Debug)]
enum Operand {
    Scalar(Scalar),
    Range(At, At),
}

/// A formula that is being worked off.
struct Frame {
    at: At,
    steps: Vec<Step>,
    next: usize,
    operands: Vec<Operand>,
    /// Cells whose values it needs before it goes on.
    wanted: Vec<At>,
}

enum Progress {
    Went,
    Waits(Vec<At>),
    Done(Scalar),
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(book: &'a Book) -> Evaluator<'a> {
        Evaluator { book, results: HashMap::new(), steps: 0 }
    }

    /// What a cell comes to. Results that the file holds are not used.
    pub(crate) fn value(&mut self, at: At) -> Result<Scalar, Rc<Fault>> {
        if !self.has_formula(at) {
            return self.plain(at).map_err(|reason| Rc::new(Fault { at, reason }));
        }
        if let Some(result) = self.results.get(&at) {
            return result.clone();
        }
        let mut frames: Vec<Frame> = Vec::new();
        let mut open = HashSet::new();
        self.enter(at, &mut frames, &mut open);
        while let Some(mut frame) = frames.pop() {
            let wanted = frame.wanted.pop();
            let went = match wanted {
                Some(wanted) if self.results.contains_key(&wanted) => Ok(Progress::Went),
                Some(wanted) if open.contains(&wanted) => Err(circle(wanted, &frame, &frames)),
                Some(wanted) => {
                    frames.push(frame);
                    self.enter(wanted, &mut frames, &mut open);
                    continue;
                }
                None => self.step(&mut frame),
            };
            let result = match went {
                Ok(Progress::Went) => {
                    frames.push(frame);
                    continue;
                }
                Ok(Progress::Waits(cells)) => {
                    frames.push(Frame { wanted: cells, ..frame });
                    continue;
                }
                Ok(Progress::Done(scalar)) => Ok(scalar),
                Err(fault) => Err(fault),
            };
            open.remove(&frame.at);
            self.results.insert(frame.at, result);
        }
        self.results.get(&at).cloned().unwrap_or(Ok(Scalar::Blank))
    }

    /// The formula of a cell, translated; `None` if it has none.
    pub(crate) fn steps(&self, at: At) -> Option<Result<Vec<Step>, String>> {
        let sheet = self.book.sheet(at)?;
        let (text, shift) = match self.book.cell(at)?.formula.as_ref()? {
            Formula::Own(text) => (text, Shift::default()),
            Formula::Shared(number) => {
                let Some(((row, column), text)) = sheet.shared.get(number) else {
                    return Some(Err("shares one that is not there".to_string()));
                };
                let shift = Shift {
                    rows: i64::from(at.row) - i64::from(*row),
                    columns: i64::from(at.column) - i64::from(*column),
                };
                (text, shift)
            }
        };
        Some(parse(&Source { text, at, shift }, self.book))
    }

    /// Characters of a cell's formula.
    pub(crate) fn length(&self, at: At) -> usize {
        match self.book.cell(at).and_then(|cell| cell.formula.as_ref()) {
            None => 0,
            Some(Formula::Own(text)) => text.len(),
            Some(Formula::Shared(number)) => {
                let shared = self.book.sheet(at).and_then(|sheet| sheet.shared.get(number));
                shared.map_or(0, |(_, text)| text.len())
            }
        }
    }

    fn has_formula(&self, at: At) -> bool {
        self.book.cell(at).is_some_and(|cell| cell.formula.is_some())
    }

    fn plain(&self, at: At) -> Result<Scalar, String> {
        self.book.cell(at).map_or(Ok(Scalar::Blank), |cell| plain(at, &cell.value))
    }

    fn enter(&mut self, at: At, frames: &mut Vec<Frame>, open: &mut HashSet<At>) {
        self.steps += self.length(at) as u64;
        let steps = match self.steps <= MOST_STEPS {
            true => self.steps(at).unwrap_or(Ok(Vec::new())),
            false => Err(TOO_LONG.to_string()),
        };
        match steps {
            Ok(steps) => {
                open.insert(at);
                let (operands, wanted) = (Vec::new(), Vec::new());
                frames.push(Frame { at, steps, next: 0, operands, wanted });
            }
            Err(reason) => {
                self.results.insert(at, Err(Rc::new(Fault { at, reason })));
            }
        }
    }

    /// One step of a formula.
    fn step(&mut self, frame: &mut Frame) -> Result<Progress, Rc<Fault>> {
        let at = frame.at;
        let fault = |reason: String| Rc::new(Fault { at, reason });
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(fault(TOO_LONG.to_string()));
        }
        let Some(step) = frame.steps.get(frame.next) else {
            return Ok(Progress::Done(frame.scalar().map_err(fault)?));
        };
        let left = match step.clone() {
            Step::Number(number) => Operand::Scalar(Scalar::Number(number)),
            Step::Text(text) => Operand::Scalar(Scalar::Text(text)),
            Step::Truth(truth) => Operand::Scalar(Scalar::Truth(truth)),
            Step::Error(error) => Operand::Scalar(Scalar::Error(error)),
            Step::Range(first, last) => Operand::Range(first, last),
            Step::Cell(cell) => match self.results.get(&cell) {
                Some(result) => Operand::Scalar(result.clone()?),
                None if self.has_formula(cell) => return Ok(Progress::Waits(vec![cell])),
                None => Operand::Scalar(self.plain(cell).map_err(fault)?),
            },
            Step::Negate => frame.number(|number| -number).map_err(fault)?,
            Step::Percent => frame.number(|number| number / 100.0).map_err(fault)?,
            Step::Binary(binary) => {
                let (second, first) =
                    (frame.scalar().map_err(fault)?, frame.scalar().map_err(fault)?);
                self.steps += first.length() + second.length();
                Operand::Scalar(apply(binary, first, second).map_err(fault)?)
            }
            Step::Call(function, count) => {
                let taken = frame.operands.len().saturating_sub(count);
                let result = match self.arguments(&frame.operands[taken..], at)? {
                    Arguments::Unknown(cells) => return Ok(Progress::Waits(cells)),
                    Arguments::Error(error) => Scalar::Error(error),
                    Arguments::Numbers(numbers) => call(function, &numbers),
                };
                frame.operands.truncate(taken);
                Operand::Scalar(result)
            }
            Step::Jump(to) => {
                frame.next = to;
                return Ok(Progress::Went);
            }
            Step::Unless(to) => {
                let condition = frame.scalar().map_err(fault)?;
                match number(condition).map_err(fault)? {
                    Err(error) => return Ok(Progress::Done(Scalar::Error(error))),
                    Ok(0.0) => frame.next = to,
                    Ok(_) => frame.next += 1,
                }
                return Ok(Progress::Went);
            }
        };
        frame.operands.push(left);
        frame.next += 1;
        Ok(Progress::Went)
    }

    /// The numbers that a function is given.
    fn arguments(&mut self, arguments: &[Operand], at: At) -> Result<Arguments, Rc<Fault>> {
        let fault = |reason: String| Rc::new(Fault { at, reason });
        let (mut numbers, mut unknown) = (Vec::new(), Vec::new());
        for argument in arguments {
            let (first, last) = match argument {
                Operand::Range(first, last) => (*first, *last),
                Operand::Scalar(scalar) => match number(scalar.clone()).map_err(fault)? {
                    Ok(number) => {
                        numbers.push(number);
                        continue;
                    }
                    Err(error) => return Ok(Arguments::Error(error)),
                },
            };
            for cell in cells(self.book, first, last) {
                self.steps += 1;
                if self.steps > MOST_STEPS {
                    return Err(fault(TOO_LONG.to_string()));
                }
                let Some((place, cell)) = cell else { continue };
                let scalar = match &cell.formula {
                    None => plain(place, &cell.value).map_err(fault)?,
                    Some(_) => match self.results.get(&place) {
                        Some(result) => result.clone()?,
                        None => {
                            unknown.push(place);
                            continue;
                        }
                    },
                };
                match scalar {
                    Scalar::Number(number) => numbers.push(number),
                    Scalar::Error(error) => return Ok(Arguments::Error(error)),
                    // Functions leave out what is no number in a range.
                    Scalar::Blank | Scalar::Text(_) | Scalar::Truth(_) => {}
                }
            }
        }
        match unknown.is_empty() {
            true => Ok(Arguments::Numbers(numbers)),
            false => Ok(Arguments::Unknown(unknown)),
        }
    }
}

enum Arguments {
    Numbers(Vec<f64>),
    Error(&'static str),
    /// Cells with formulas that must be evaluated first.
    Unknown(Vec<At>),
}

impl Frame {
    fn scalar(&mut self) -> Result<Scalar, String> {
        match self.operands.pop() {
            Some(Operand::Scalar(scalar)) => Ok(scalar),
            Some(Operand::Range(..)) => Err("uses a range where one value belongs".to_string()),
            None => Err("is empty".to_string()),
        }
    }

    fn number(&mut self, change: impl Fn(f64) -> f64) -> Result<Operand, String> {
        Ok(Operand::Scalar(match number(self.scalar()?)? {
            Ok(number) => Scalar::Number(change(number)),
            Err(error) => Scalar::Error(error),
        }))
    }
}

/// Names the formulas that wait for each other.
fn circle(wanted: At, last: &Frame, frames: &[Frame]) -> Rc<Fault> {
    const MOST: usize = 4;
    let first = frames.iter().position(|frame| frame.at == wanted).unwrap_or(frames.len());
    let chain: Vec<At> = frames[first..].iter().chain([last]).map(|frame| frame.at).collect();
    let name = |at: &At| cell_name(at.row, at.column);
    let mut names: Vec<String> = chain.iter().take(MOST).map(name).collect();
    if chain.len() > MOST {
        names.push("…".to_string());
    }
    names.push(name(&wanted));
    Rc::new(Fault { at: wanted, reason: format!("is circular ({})", names.join(" → ")) })
}

/// The cells of a range that hold something; `None` for each place that was looked
/// at in vain.
fn cells(book: &Book, first: At, last: At) -> impl Iterator<Item = Option<(At, &Cell)>> {
    let sheet = book.sheet(first).map(|sheet| &sheet.cells);
    let end = (last.row, last.column);
    let from = move |start| sheet.map(|cells| cells.starting_at(start).iter());
    let mut rest = from((first.row, first.column));
    std::iter::from_fn(move || {
        let ((row, column), cell) = rest.as_mut()?.next()?;
        let (row, column) = (*row, *column);
        if (row, column) > end {
            return None;
        } else if column < first.column {
            rest = from((row, first.column));
        } else if column > last.column {
            rest = from((row.checked_add(1)?, first.column));
        } else {
            return Some(Some((At { row, column, ..first }, cell)));
        }
        Some(None)
    })
}

/// The value of a cell without a formula.
fn plain(at: At, value: &Value) -> Result<Scalar, String> {
    match value {
        Value::Blank => Ok(Scalar::Blank),
        Value::Number(number) => Ok(Scalar::Number(*number)),
        Value::Text(text) => Ok(Scalar::Text(text.clone())),
        Value::Truth(truth) => Ok(Scalar::Truth(*truth)),
        Value::Error(error) => Ok(Scalar::Error(error)),
        Value::Date => Err(format!("refers to a date, {}", cell_name(at.row, at.column))),
    }
}
