//! What a workbook with formulas needs of a column, declared with it.

use super::cell::Cell;
use super::unit::Unit;

/// Shown in a workbook in place of an unknown value.
pub(crate) const UNKNOWN: &str = "–";

/// The formula of part / whole, without `=`; unknown where the whole is not above 0.
pub(crate) fn quotient(part: &str, whole: &str) -> String {
    format!("IF({whole}>0,{part}/{whole},\"{UNKNOWN}\")")
}

/// The formula of items per second by a latency in milliseconds, without `=`.
pub(crate) fn items_per_second(batch: &str, latency: &str) -> String {
    format!("IF(AND(ISNUMBER({batch}),{latency}>0),{batch}*1000/{latency},\"{UNKNOWN}\")")
}

/// The style of the cells of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellStyle {
    Text,
    /// A name from a trace, which may be empty.
    Name,
    /// Text in the background.
    Aside,
    /// `yes` and `no`, as truth values.
    Truth,
    /// A share to two decimals.
    Percent,
    /// A number in the format of its unit.
    Unit(Unit),
    /// A number in the format of its unit, aligned as the spreadsheet does it.
    Bare(Unit),
    /// A number or a text in the format of its unit, wrapped.
    Wrapped(Unit),
    /// Length of a bar.
    Bar,
    /// A step of a formula.
    Helper,
    /// A number that only serves formulas and charts, which leave out what is unknown.
    Step,
    /// Label of a row, and of a row of totals.
    Label,
    Total,
    /// A text beside numbers, and one among them.
    Remark,
    Word,
    /// A verdict: none, that it is better, that it is worse.
    Verdict,
    Better,
    Worse,
    /// Inputs: words, a share, a ratio, one of a few words.
    Input,
    InputPercent,
    InputRatio,
    Switch,
}

impl CellStyle {
    pub(crate) const MILLISECONDS: CellStyle = CellStyle::Unit(Unit::Milliseconds);
    pub(crate) const SHARE: CellStyle = CellStyle::Unit(Unit::Share);
    pub(crate) const RATIO: CellStyle = CellStyle::Unit(Unit::Ratio);
    pub(crate) const QUANTITY: CellStyle = CellStyle::Unit(Unit::Quantity);

    /// The style of values of a unit in reports.
    pub(crate) const fn reported(unit: Unit) -> CellStyle {
        if matches!(unit, Unit::Text) { CellStyle::Text } else { CellStyle::Unit(unit) }
    }

    /// The style of values of a unit.
    pub(crate) const fn of(unit: Unit) -> CellStyle {
        match unit {
            Unit::Text => CellStyle::Text,
            Unit::Count | Unit::Quantity => CellStyle::QUANTITY,
            Unit::Ratio | Unit::Number | Unit::Probability | Unit::Scientific => CellStyle::RATIO,
            Unit::Milliseconds | Unit::Share => CellStyle::Unit(unit),
        }
    }

    /// The unit that reports show its numbers in, where it has one.
    pub(crate) fn unit(self) -> Option<Unit> {
        match self {
            CellStyle::Unit(unit) | CellStyle::Bare(unit) | CellStyle::Wrapped(unit) => Some(unit),
            _ => None,
        }
    }

    /// True for numbers, which are aligned to the right.
    pub(crate) fn is_number(self) -> bool {
        match self {
            CellStyle::Bare(unit) | CellStyle::Wrapped(unit) => unit != Unit::Text,
            CellStyle::Text
            | CellStyle::Name
            | CellStyle::Truth
            | CellStyle::Aside
            | CellStyle::Helper
            | CellStyle::Label => false,
            CellStyle::Remark | CellStyle::Total | CellStyle::Input => false,
            CellStyle::Verdict | CellStyle::Better | CellStyle::Worse => false,
            _ => true,
        }
    }

    /// True for cells that the reader may set: empty ones are shown as well.
    pub(crate) fn is_input(self) -> bool {
        matches!(
            self,
            CellStyle::Input | CellStyle::InputPercent | CellStyle::InputRatio | CellStyle::Switch
        )
    }
}

/// Visibility of a column of a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// To everybody.
    #[default]
    Shown,
    /// Once unfolded.
    Folded,
    /// To formulas only.
    Hidden,
}

/// Part of a column's declaration that only workbooks with formulas need.
pub(crate) struct SheetPart<Row: ?Sized> {
    /// Heading; `None` if it is not in the workbook.
    pub(crate) heading: Option<&'static str>,
    /// Only the workbook has it.
    pub(crate) alone: bool,
    pub(crate) visibility: Visibility,
    /// Key of the column that it follows, if not the one declared before it.
    pub(crate) after: Option<&'static str>,
    /// Style of its cells, if not its unit's.
    pub(crate) style: Option<CellStyle>,
    /// Style by row, if rows differ.
    pub(crate) style_of: Option<fn(&Row) -> CellStyle>,
    /// Width in characters, if declared.
    pub(crate) width: Option<f64>,
    /// Value in the workbook, if it is not the one in reports.
    pub(crate) value: Option<fn(&Row) -> Cell>,
    /// Rows that have a cell.
    pub(crate) only: Option<fn(&Row) -> bool>,
    /// Rows whose cell is a formula, if it has one.
    pub(crate) live: Option<fn(&Row) -> bool>,
    /// Formula of the value; names cells by keys, see `xlsx::places`.
    pub(crate) formula: Option<fn(&Row) -> String>,
}

impl<Row: ?Sized> SheetPart<Row> {
    /// A column that is not in the workbook.
    pub(crate) const NONE: SheetPart<Row> = SheetPart {
        heading: None,
        alone: false,
        visibility: Visibility::Shown,
        style_of: None,
        after: None,
        style: None,
        width: None,
        value: None,
        only: None,
        live: None,
        formula: None,
    };
}
