//! Simple formulas, translated into steps that are worked off without recursion.
//!
//! What a spreadsheet can and this cannot is refused by its name.

use super::book::{At, Book};
use super::reference::{Shift, cell, range};
use crate::printable::quoted;
use std::sync::Arc;

/// The longest formula that spreadsheets take.
const LONGEST: usize = 8192;
/// Parentheses in parentheses.
const DEEPEST: usize = 64;

/// A step of a formula. Steps take their operands from a stack and leave their
/// result there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Number(f64),
    Text(Arc<str>),
    Truth(bool),
    Error(&'static str),
    Cell(At),
    /// From the upper left to the lower right cell.
    Range(At, At),
    Negate,
    Percent,
    Binary(Binary),
    Call(Function, usize),
    /// Goes on at another step if what it takes is false.
    Unless(usize),
    Jump(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Minimum,
    Maximum,
    Sum,
    Average,
    Round,
    Absolute,
}

/// A formula, and where it stands.
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: At,
    /// How far that is from the cell that it was written for.
    pub(crate) shift: Shift,
}

/// Translates a formula. The error completes the sentence "its formula …".
pub(crate) fn parse(source: &Source, book: &Book) -> Result<Vec<Step>, String> {
    if source.text.len() > LONGEST {
        return Err(format!("is longer than {LONGEST} characters"));
    }
    // Spreadsheets that have a decimal comma write `;` between arguments.
    let semicolons = source.text.contains(';');
    if semicolons && source.text.contains(',') {
        return Err("has both , and ; between its arguments".to_string());
    }
    let separator = if semicolons { ';' } else { ',' };
    let rest = source.text.trim_start();
    let rest = rest.strip_prefix('=').unwrap_or(rest);
    let mut parser = Parser { source, book, rest, steps: Vec::new(), depth: 0, separator };
    parser.expression(0)?;
    parser.blanks();
    match parser.rest.is_empty() {
        true => Ok(parser.steps),
        false => Err(parser.not_understood()),
    }
}

struct Parser<'a> {
    source: &'a Source<'a>,
    book: &'a Book,
    rest: &'a str,
    steps: Vec<Step>,
    depth: usize,
    separator: char,
}

impl<'a> Parser<'a> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blanks();
        let behind = self.rest.strip_prefix(token);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    fn not_understood(&self) -> String {
        match self.rest.chars().next() {
            Some('&') => "joins texts with &, which is not evaluated here".to_string(),
            Some(_) => format!("cannot be read at {}", quoted(self.rest)),
            None => "ends too early".to_string(),
        }
    }

    /// An operand and the operators behind it that bind at least as strongly.
    fn expression(&mut self, least: u8) -> Result<(), String> {
        self.operand()?;
        loop {
            self.blanks();
            let Some((sign, binary, strength)) =
                BINARIES.iter().find(|(sign, ..)| self.rest.starts_with(sign))
            else {
                return Ok(());
            };
            if *strength < least {
                return Ok(());
            }
            self.rest = &self.rest[sign.len()..];
            self.expression(strength + 1)?;
            self.steps.push(Step::Binary(*binary));
        }
    }

    /// A value with its signs: `-2%`. Signs bind more strongly than powers.
    fn operand(&mut self) -> Result<(), String> {
        let mut negative = false;
        loop {
            if self.take("-") {
                negative = !negative;
            } else if !self.take("+") {
                break;
            }
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("is nested more than {DEEPEST} deep"));
        }
        self.value()?;
        self.depth -= 1;
        while self.take("%") {
            self.steps.push(Step::Percent);
        }
        if negative {
            self.steps.push(Step::Negate);
        }
        Ok(())
    }

    fn value(&mut self) -> Result<(), String> {
        self.blanks();
        match self.rest.chars().next() {
            Some('(') => {
                self.take("(");
                self.expression(0)?;
                match self.take(")") {
                    true => Ok(()),
                    false => Err(self.not_understood()),
                }
            }
            Some('"') => {
                let text = self.literal('"').ok_or("has a text without an end")?;
                self.steps.push(Step::Text(text.into()));
                Ok(())
            }
            Some('0'..='9' | '.') => self.number(),
            Some('#') => {
                let errors = ["#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"];
                let error = errors.into_iter().find(|error| self.take(error));
                match error.ok_or_else(|| self.not_understood())? {
                    "#REF!" => Err("refers to a cell that is gone (#REF!)".to_string()),
                    error => {
                        self.steps.push(Step::Error(error));
                        Ok(())
                    }
                }
            }
            Some('[') => Err(format!("refers to another file, {}", quoted(self.rest))),
            Some('{') => Err("holds a list in braces, which is not evaluated here".to_string()),
            Some('\'') => self.quoted_sheet(),
            Some(c) if c.is_alphabetic() || matches!(c, '$' | '_' | '\\') => self.named(),
            _ => Err(self.not_understood()),
        }
    }

    /// What stands between two signs; doubled signs are single ones of the text.
    fn literal(&mut self, sign: char) -> Option<String> {
        let mut text = String::new();
        let mut rest = self.rest.strip_prefix(sign)?;
        loop {
            let (before, behind) = rest.split_once(sign)?;
            text.push_str(before);
            rest = behind;
            let Some(behind) = rest.strip_prefix(sign) else { break };
            text.push(sign);
            rest = behind;
        }
        self.rest = rest;
        Some(text)
    }

    fn number(&mut self) -> Result<(), String> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let mut length = digits(self.rest);
        if self.rest[length..].starts_with('.') {
            length += 1 + digits(&self.rest[length + 1..]);
        }
        if let Some(exponent) = self.rest[length..].strip_prefix(['e', 'E']) {
            let sign = usize::from(exponent.starts_with(['+', '-']));
            let power = digits(&exponent[sign..]);
            length += if power > 0 { 1 + sign + power } else { 0 };
        }
        let (number, behind) = self.rest.split_at(length);
        let number = number.parse().map_err(|_| self.not_understood())?;
        self.rest = behind;
        if self.rest.starts_with(':') {
            return Err("refers to whole rows, which is not evaluated here".to_string());
        }
        self.steps.push(Step::Number(number));
        Ok(())
    }

    /// `'A sheet'!A1`; another file where there are brackets or a `#`.
    fn quoted_sheet(&mut self) -> Result<(), String> {
        let whole = self.rest;
        let name = self.literal('\'').ok_or("has a name of a sheet without an end")?;
        if name.contains('[') || self.rest.starts_with('#') {
            return Err(format!("refers to another file, {}", quoted(whole)));
        }
        match self.take("!") {
            true => self.reference_in(&name),
            false => Err(self.not_understood()),
        }
    }

    fn word(&mut self) -> &'a str {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '$' | '_' | '.' | '\\');
        let end = self.rest.find(|c| !inside(c)).unwrap_or(self.rest.len());
        let (word, behind) = self.rest.split_at(end);
        self.rest = behind;
        word
    }

    /// A function, a cell, a cell of a sheet, TRUE or FALSE.
    fn named(&mut self) -> Result<(), String> {
        let whole = self.rest;
        let word = self.word();
        match self.rest.chars().next() {
            Some('(') => return self.call(word),
            Some('!') => {
                self.rest = &self.rest[1..];
                return self.reference_in(word);
            }
            Some('[') => {
                return Err(format!("refers to {}, which is not evaluated here", quoted(whole)));
            }
            _ => {}
        }
        if word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false") {
            self.steps.push(Step::Truth(word.eq_ignore_ascii_case("true")));
            return Ok(());
        }
        self.reference(word, self.source.at.sheet)
    }

    fn reference_in(&mut self, sheet: &str) -> Result<(), String> {
        let sheet_index = self.book.named(sheet);
        let sheet_index = sheet_index
            .ok_or_else(|| format!("refers to the sheet {}, which is not there", quoted(sheet)))?;
        if self.rest.starts_with("#REF!") {
            return Err("refers to a cell that is gone (#REF!)".to_string());
        }
        let word = self.word();
        self.reference(word, sheet_index)
    }

    /// A cell, or a range whose first corner was read.
    fn reference(&mut self, word: &str, sheet: usize) -> Result<(), String> {
        let unknown = || format!("uses the name {}, which is not evaluated here", quoted(word));
        let shift = self.source.shift;
        if !self.rest.starts_with(':') {
            let (row, column) = cell(word).ok_or_else(unknown)?.moved(shift)?;
            self.steps.push(Step::Cell(At { sheet, row, column }));
            return Ok(());
        }
        self.rest = &self.rest[1..];
        let second = self.word();
        let ((top, left), (bottom, right)) = range(word, second, shift).ok_or_else(unknown)??;
        let first = At { sheet, row: top, column: left };
        self.steps.push(Step::Range(first, At { sheet, row: bottom, column: right }));
        Ok(())
    }

    fn call(&mut self, name: &str) -> Result<(), String> {
        let name = name.strip_prefix("_xlfn.").unwrap_or(name).to_uppercase();
        self.take("(");
        if name == "IF" {
            return self.choice();
        }
        if name == "TRUE" || name == "FALSE" {
            // LibreOffice saves truth values so.
            self.steps.push(Step::Truth(name == "TRUE"));
            return match self.take(")") {
                true => Ok(()),
                false => Err(self.not_understood()),
            };
        }
        let (function, arguments) = match name.as_str() {
            "MIN" => (Function::Minimum, 1..=255),
            "MAX" => (Function::Maximum, 1..=255),
            "SUM" => (Function::Sum, 1..=255),
            "AVERAGE" => (Function::Average, 1..=255),
            "ROUND" => (Function::Round, 2..=2),
            "ABS" => (Function::Absolute, 1..=1),
            _ => return Err(format!("uses {}, which is not evaluated here", quoted(&name))),
        };
        let mut count = 0;
        loop {
            let first = self.steps.len();
            self.expression(0)?;
            // Of a cell, these functions count numbers only, as of a range.
            if let [Step::Cell(at)] = self.steps[first..]
                && !matches!(function, Function::Round | Function::Absolute)
            {
                self.steps[first] = Step::Range(at, at);
            }
            count += 1;
            if !self.take_separator() {
                break;
            }
        }
        if !self.take(")") {
            return Err(self.not_understood());
        }
        if !arguments.contains(&count) {
            return Err(format!("gives {name} {count} arguments"));
        }
        self.steps.push(Step::Call(function, count));
        Ok(())
    }

    fn take_separator(&mut self) -> bool {
        let mut buffer = [0; 4];
        self.take(self.separator.encode_utf8(&mut buffer))
    }

    /// The arguments of IF, of which one is skipped.
    fn choice(&mut self) -> Result<(), String> {
        self.expression(0)?;
        if !self.take_separator() {
            return Err(self.not_understood());
        }
        let unless = self.steps.len();
        self.steps.push(Step::Unless(0));
        self.expression(0)?;
        let jump = self.steps.len();
        self.steps.push(Step::Jump(0));
        match self.take_separator() {
            true => self.expression(0)?,
            false => self.steps.push(Step::Truth(false)),
        }
        self.steps[unless] = Step::Unless(jump + 1);
        self.steps[jump] = Step::Jump(self.steps.len());
        match self.take(")") {
            true => Ok(()),
            false => Err(self.not_understood()),
        }
    }
}

/// Signs, longer ones first, and how strongly they bind.
const BINARIES: [(&str, Binary, u8); 11] = [
    ("<=", Binary::LessOrEqual, 1),
    (">=", Binary::GreaterOrEqual, 1),
    ("<>", Binary::Unequal, 1),
    ("<", Binary::Less, 1),
    (">", Binary::Greater, 1),
    ("=", Binary::Equal, 1),
    ("+", Binary::Add, 2),
    ("-", Binary::Subtract, 2),
    ("*", Binary::Multiply, 3),
    ("/", Binary::Divide, 3),
    ("^", Binary::Power, 4),
];
