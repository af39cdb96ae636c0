//! Random edits of a projection's workbook, such as its users make.

use super::{Cell, Rows, Sheets, address, letters};
use crate::sequence::Sequence;
use serde_json::{Value, json};

pub(crate) const RATIOS: &str = "Sparse ratio setting";
pub(crate) const OPERATORS: &str = "Projected operators";
pub(crate) const TYPES: &str = "By type";
pub(crate) const PLAN: &str = "Plan";
/// Sheets that a user gave other names.
pub(crate) const RENAMED: [(&str, &str); 3] =
    [(RATIOS, "What we measured"), (OPERATORS, "Layers & co."), (PLAN, "It's a plan")];
pub(crate) const TARGET: &str = "target sparsity";

/// Edits to come, with the cells as they will be.
pub(crate) struct Edits {
    sheets: Sheets,
    random: Sequence,
    /// Whether the program that saves them computes formulas.
    pub computed: bool,
    /// Whether numbers are typed as text, each in another of the ways that people have.
    pub as_text: bool,
    pub list: Vec<Value>,
}

/// Columns of a level in the table of ratios.
#[derive(Clone, Copy)]
struct Level {
    value: usize,
    low: usize,
    high: usize,
}

impl Edits {
    pub(crate) fn new(sheets: &Sheets, seed: u64) -> Edits {
        Edits {
            sheets: sheets.clone(),
            random: Sequence::new(seed),
            computed: true,
            as_text: false,
            list: Vec::new(),
        }
    }

    /// A bit of everything that only sets cells; the larger, the more.
    pub(crate) fn cells(&mut self, count: usize) {
        self.new_level();
        for _ in 0..count {
            self.ratio();
            self.range();
            self.target_of_operator();
        }
        for _ in 0..1 + count / 8 {
            self.others();
            self.target_of_type();
        }
        self.row_for_all();
        self.target_of_model();
        self.plan();
    }

    pub(crate) fn set(&mut self, sheet: &str, (row, column): (usize, usize), value: Value) {
        let rows = self.sheets.get_mut(sheet).unwrap_or_else(|| panic!("no sheet {sheet}"));
        *place(rows, row, column) = match &value {
            Value::Number(number) => Cell::Number(number.as_f64().unwrap()),
            Value::String(text) => Cell::Text(text.clone()),
            _ => Cell::Empty,
        };
        let value = match value.as_f64().filter(|_| self.as_text) {
            Some(number) => json!(self.typed(number)),
            None => value,
        };
        let cell = address(row, column);
        self.list.push(json!({"do": "set", "sheet": sheet, "cell": cell, "value": value}));
    }

    /// A sparsity or a perf ratio as text.
    fn typed(&mut self, number: f64) -> String {
        let percent = number * 100.0;
        let comma = number.to_string().replace('.', ",");
        // Three digits after a comma may be thousands.
        let is_clear = number < 1.0 || comma.split_once(',').is_none_or(|(_, f)| f.len() != 3);
        match self.below(6) {
            0 => format!("{percent} %"),
            1 => format!("{percent}%"),
            2 => format!(" {number} "),
            3 if is_clear => comma,
            4 => format!("{number} (settable)"),
            _ => number.to_string(),
        }
    }

    fn cell(&self, sheet: &str, row: usize, column: usize) -> Cell {
        self.sheets[sheet].get(row).and_then(|row| row.get(column)).cloned().unwrap_or_default()
    }

    fn below(&mut self, most: usize) -> usize {
        self.random.below(most.max(1) as u64) as usize
    }

    /// Between two ends, in steps that a user would type.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let way = self.random.below(1001) as f64 / 1000.0;
        ((low + way * (high - low)) * 1e4).round() / 1e4
    }

    /// Rows of the table of ratios that say something.
    fn ratio_rows(&self) -> Vec<usize> {
        let (header, _) = find(&self.sheets[RATIOS], "weight shape");
        let filled = |&row: &usize| self.cell(RATIOS, row, 0) != Cell::Empty;
        (header + 1..self.sheets[RATIOS].len()).filter(filled).collect()
    }

    /// Columns of levels, and those left for more levels.
    fn levels(&self) -> (Vec<Level>, Vec<Level>) {
        let (header, _) = find(&self.sheets[RATIOS], "weight shape");
        let kinds = &self.sheets[RATIOS][header - 1];
        let of_kind = |kind: &str| -> Vec<usize> {
            let is = |&column: &usize| {
                kinds[column].text() == kind && self.cell(RATIOS, header, column).text().is_empty()
            };
            (0..kinds.len()).filter(is).collect()
        };
        let columns = ["perf ratio", "perf ratio, low", "perf ratio, high"].map(of_kind);
        let [values, lows, highs] = columns;
        assert_eq!((values.len(), values.len()), (lows.len(), highs.len()));
        let levels = values.into_iter().zip(lows).zip(highs);
        let levels = levels.map(|((value, low), high)| Level { value, low, high });
        levels.partition(|level| self.cell(RATIOS, header, level.value) != Cell::Empty)
    }

    /// A ratio in place of another: above 1 or below it, a formula, or none.
    pub(crate) fn ratio(&mut self) {
        let (rows, (levels, _)) = (self.ratio_rows(), self.levels());
        let (row, level) = (rows[self.below(rows.len())], levels[self.below(levels.len())]);
        match self.below(8) {
            0 | 1 => {
                self.set(RATIOS, (row, level.value), Value::Null);
                self.set(RATIOS, (row, level.low), Value::Null);
                self.set(RATIOS, (row, level.high), Value::Null);
            }
            2 => {
                let ratio = self.between(0.2, 1.0);
                self.set_ratio(row, level, ratio);
            }
            3 if self.computed => {
                let ratio = self.between(1.0, 10.0);
                self.set_ratio(row, level, ratio);
                let cell = address(row, level.value);
                self.list.push(json!({"do": "set", "sheet": RATIOS, "cell": cell,
                    "formula": format!("=1/(1/{ratio})")}));
            }
            _ => {
                let ratio = self.between(1.0, 10.0);
                self.set_ratio(row, level, ratio);
            }
        }
    }

    /// The ends of a range may not lie on the wrong side of the ratio.
    fn set_ratio(&mut self, row: usize, level: Level, ratio: f64) {
        self.set(RATIOS, (row, level.value), json!(ratio));
        for (end, factor) in [(level.low, 0.75), (level.high, 1.5)] {
            if self.cell(RATIOS, row, end) != Cell::Empty {
                self.set(RATIOS, (row, end), json!(ratio * factor));
            }
        }
    }

    /// How far a ratio may be off.
    pub(crate) fn range(&mut self) {
        let (rows, (levels, _)) = (self.ratio_rows(), self.levels());
        let (row, level) = (rows[self.below(rows.len())], levels[self.below(levels.len())]);
        let Some(ratio) = self.cell(RATIOS, row, level.value).number() else { return };
        let (down, up) = (self.between(0.5, 1.0), self.between(1.0, 2.0));
        // One end may be left open.
        let open = self.below(6);
        if open != 0 {
            self.set(RATIOS, (row, level.low), json!(ratio * down));
        }
        if open != 1 {
            self.set(RATIOS, (row, level.high), json!(ratio * up));
        }
    }

    /// The perf ratio below the lowest level.
    pub(crate) fn others(&mut self) {
        let (_, column) = find(&self.sheets[RATIOS], "others");
        let rows = self.ratio_rows();
        let row = rows[self.below(rows.len())];
        let ratio = match self.below(4) {
            0 => Value::Null,
            _ => json!(self.between(0.5, 2.0)),
        };
        self.set(RATIOS, (row, column), ratio);
    }

    /// A row for all types, in place of one for a single type, which then is for
    /// a type that there is not; and one whose type is spelled otherwise.
    pub(crate) fn row_for_all(&mut self) {
        let rows = self.ratio_rows();
        let (row, spare) = (rows[self.below(rows.len())], rows[rows.len() - 1] + 1);
        let (levels, _) = self.levels();
        let shape = self.cell(RATIOS, row, 0);
        self.set(RATIOS, (spare, 0), json!(shape.text()));
        let level = levels[self.below(levels.len())];
        let ratio = self.between(1.0, 6.0);
        self.set_ratio(spare, level, ratio);
        self.set(RATIOS, (row, 1), json!("Elsewhere"));

        let row = rows[self.below(rows.len())];
        let shouted = self.cell(RATIOS, row, 1).text().to_ascii_uppercase();
        self.set(RATIOS, (row, 1), json!(shouted));
    }

    /// A level in one of the columns that are left for it, with some ratios.
    pub(crate) fn new_level(&mut self) {
        let (known, free) = self.levels();
        let Some(&level) = free.first() else { return };
        let (header, _) = find(&self.sheets[RATIOS], "weight shape");
        let known = known.iter().map(|level| self.cell(RATIOS, header, level.value));
        let known: Vec<f64> = known.filter_map(|cell| cell.number()).collect();
        let value = loop {
            let value = self.between(0.02, 0.99);
            if known.iter().all(|known| (known - value).abs() > 1e-3) {
                break value;
            }
        };
        for column in [level.value, level.low, level.high] {
            self.set(RATIOS, (header, column), json!(value));
        }
        for row in self.ratio_rows() {
            if self.below(3) > 0 {
                let ratio = self.between(0.5, 8.0);
                self.set(RATIOS, (row, level.value), json!(ratio));
            }
        }
    }

    /// Something to aim at: often a level, often one between levels, or dense.
    fn target(&mut self) -> Value {
        let choices = [0.0, 0.3, 0.45, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0];
        match self.below(4) {
            0 => Value::Null,
            1 => json!(self.between(0.0, 1.0)),
            _ => json!(choices[self.below(choices.len())]),
        }
    }

    /// Rows in which something stands in a column, below its header.
    fn filled(&self, sheet: &str, heading: &str) -> (Vec<usize>, usize) {
        let (header, column) = find(&self.sheets[sheet], heading);
        let filled = |&row: &usize| self.cell(sheet, row, column) != Cell::Empty;
        ((header + 1..self.sheets[sheet].len()).filter(filled).collect(), column)
    }

    pub(crate) fn target_of_operator(&mut self) {
        let (rows, column) = self.filled(OPERATORS, TARGET);
        if rows.is_empty() {
            return;
        }
        let (row, target) = (rows[self.below(rows.len())], self.target());
        self.set(OPERATORS, (row, column), target);
    }

    pub(crate) fn target_of_type(&mut self) {
        let (rows, settable) = self.filled(TYPES, "of them settable");
        let rows: Vec<usize> = rows
            .into_iter()
            .filter(|&row| self.cell(TYPES, row, settable).number().is_some_and(|n| n > 0.0))
            .collect();
        if rows.is_empty() {
            return;
        }
        let (_, column) = find(&self.sheets[TYPES], TARGET);
        let (row, target) = (rows[self.below(rows.len())], self.target());
        self.set(TYPES, (row, column), target);
    }

    pub(crate) fn target_of_model(&mut self) {
        let (row, column) = find(&self.sheets[RATIOS], "target sparsity, all operators");
        let target = self.target();
        self.set(RATIOS, (row, column + 1), target);
    }

    /// Bounds of the plan, and a level for each layer: those that the analyzer
    /// chose stay in an edited workbook, while it would choose others.
    pub(crate) fn plan(&mut self) {
        let values = [
            ("budget (share of prunable parameters)", json!(self.between(0.2, 0.9))),
            ("minimum sparsity", json!(self.between(0.1, 0.5))),
            ("maximum sparsity", json!(self.between(0.6, 0.99))),
            ("balance (1: loss only, 0: latency only)", json!(self.between(0.0, 1.0))),
            ("prune the first layer", json!(self.below(2) == 0)),
        ];
        for (label, value) in values {
            let (row, column) = find(&self.sheets[PLAN], label);
            self.set(PLAN, (row, column + 1), value);
        }
        // Layers that cannot be pruned belong to no group.
        let (rows, _) = self.filled(PLAN, "group");
        let (_, column) = find(&self.sheets[PLAN], "override");
        for row in rows {
            let level = self.between(0.05, 0.95);
            self.set(PLAN, (row, column), json!(level));
        }
    }

    /// Rows moved about, rows and columns of the user's own, and sheets with names
    /// of the user's own. Comes last: the cells are no longer where they were.
    pub(crate) fn structure(&mut self) {
        for sheet in [RATIOS, OPERATORS, TYPES] {
            self.list.push(json!({"do": "unprotect", "sheet": sheet}));
        }
        let (header, column) = find(&self.sheets[OPERATORS], "operator latency (ms)");
        let rows = self.sheets[OPERATORS].len();
        let width = self.sheets[OPERATORS][header].len();
        self.list.push(json!({"do": "sort_rows", "sheet": OPERATORS, "descending": true,
            "range": format!("A{}:{}", header + 2, address(rows - 1, width - 1)),
            "column": letters(column)}));
        let at = header + 2 + self.below(rows - header - 2);
        self.list.push(json!({"do": "insert_rows", "sheet": OPERATORS, "at": at, "count": 1}));
        self.list.push(json!({"do": "insert_columns", "sheet": OPERATORS, "at": "D", "count": 1}));
        self.list
            .push(json!({"do": "set", "sheet": OPERATORS, "cell": "D1", "value": "my remarks"}));

        // To the top: below the header, above what was first.
        for (sheet, key) in [(OPERATORS, "operator name"), (TYPES, "operators")] {
            let (rows, _) = self.filled(sheet, key);
            let (first, at) = (rows[0] + 1, rows[rows.len() / 2] + 1);
            self.list.push(json!({"do": "move_rows", "sheet": sheet, "at": at, "count": 1,
                "before": first}));
        }

        let rows = self.ratio_rows();
        let (first, last) = (rows[0], rows[rows.len() - 1]);
        let row = first + self.below(last - first + 1);
        self.list.push(json!({"do": "insert_rows", "sheet": RATIOS, "at": row + 1, "count": 2}));
        self.list.push(json!({"do": "move_rows", "sheet": RATIOS, "at": last + 3, "count": 1,
            "before": first + 1}));
        self.list.push(json!({"do": "delete_rows", "sheet": RATIOS, "at": first + 2, "count": 1}));
        for (sheet, name) in RENAMED {
            self.list.push(json!({"do": "rename_sheet", "sheet": sheet, "to": name}));
        }
    }
}

fn place(rows: &mut Rows, row: usize, column: usize) -> &mut Cell {
    if rows.len() <= row {
        rows.resize(row + 1, Vec::new());
    }
    if rows[row].len() <= column {
        rows[row].resize(column + 1, Cell::Empty);
    }
    &mut rows[row][column]
}

/// The first cell with a text, row by row.
pub(crate) fn find(rows: &Rows, text: &str) -> (usize, usize) {
    let cells = rows.iter().enumerate().flat_map(|(number, row)| {
        let found = row.iter().position(|cell| cell.text() == text);
        found.map(|column| (number, column))
    });
    let mut cells = cells.into_iter();
    cells.next().unwrap_or_else(|| panic!("no cell says {text}"))
}
