//! What a line of the settings CSV is made of: columns, settings, and names that
//! no spreadsheet evaluates.

use crate::workbook::is;
use onnxray_text::csv_text;

/// What the columns are called.
pub(crate) const HEADER: [&str; 10] = [
    "setting",
    "name",
    "weight shape",
    "data type",
    "block",
    "sparse ratio",
    "value",
    "low",
    "high",
    "origin",
];
pub(crate) const SETTING: usize = 0;
pub(crate) const NAME: usize = 1;
pub(crate) const SHAPE: usize = 2;
pub(crate) const DATA_TYPE: usize = 3;
pub(crate) const BLOCK: usize = 4;
pub(crate) const LEVEL: usize = 5;
pub(crate) const VALUE: usize = 6;
pub(crate) const LOW: usize = 7;
pub(crate) const HIGH: usize = 8;
pub(crate) const ORIGIN: usize = 9;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Block,
    Level,
    Target,
    TargetType,
    TargetOperator,
    DefaultRatios,
    Others,
    Ratio,
    Plan,
    PlanOverride,
    Sensitivity,
}

impl Setting {
    pub(crate) const ALL: [(&'static str, Setting); 11] = [
        ("block", Setting::Block),
        ("level", Setting::Level),
        ("target", Setting::Target),
        ("target type", Setting::TargetType),
        ("target operator", Setting::TargetOperator),
        ("default ratios", Setting::DefaultRatios),
        ("others", Setting::Others),
        ("ratio", Setting::Ratio),
        ("plan", Setting::Plan),
        ("plan override", Setting::PlanOverride),
        ("sensitivity", Setting::Sensitivity),
    ];

    /// The setting of this name.
    pub(crate) fn of(text: &str) -> Option<Setting> {
        Setting::ALL.iter().find(|(name, _)| is(text, name)).map(|(_, setting)| *setting)
    }

    pub(crate) fn name(self) -> &'static str {
        Setting::ALL.iter().find(|(_, setting)| *setting == self).map_or("", |(name, _)| name)
    }

    /// Columns that a line may fill.
    pub(crate) fn columns(self) -> &'static [usize] {
        match self {
            Setting::Block => &[BLOCK],
            Setting::Level | Setting::Target => &[LEVEL],
            Setting::TargetType | Setting::TargetOperator | Setting::PlanOverride => &[NAME, LEVEL],
            Setting::DefaultRatios => &[VALUE],
            Setting::Others => &[NAME, SHAPE, DATA_TYPE, BLOCK, VALUE],
            Setting::Ratio => &[NAME, SHAPE, DATA_TYPE, BLOCK, LEVEL, VALUE, LOW, HIGH, ORIGIN],
            Setting::Plan => &[NAME, VALUE],
            Setting::Sensitivity => &[NAME, LEVEL, VALUE],
        }
    }
}

/// A name as a field that no spreadsheet evaluates, and that is not empty.
pub(crate) fn marked(name: &str) -> String {
    match is_blank(name) {
        true => format!("'{name}"),
        false => csv_text::marked(name).into_owned(),
    }
}

/// The name in a field.
pub(crate) fn text(field: &str) -> String {
    match field.strip_prefix('\'') {
        Some(name) if is_blank(name) => name.to_string(),
        _ => csv_text::unmarked(field).into_owned(),
    }
}

/// Whether nothing is to be seen of a name; apostrophes are among its marks.
fn is_blank(name: &str) -> bool {
    name.trim_start_matches('\'').trim().is_empty()
}
