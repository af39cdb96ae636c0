//! What of a report is shown, and how.

use super::choice::choice;
use super::heading;
use super::numbers::rows;
use clap::builder::TypedValueParser;
use clap::{Args, Command};
use onnxray_report::{FirstScreenSelection, Level, Order, Repeats, Rows, Selection};

/// How a report is written to standard output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Table,
    Json,
    Csv,
    Markdown,
    /// Of a benchmark tracker: Bencher's metric format.
    Bencher,
    /// Of another one: custom results of github-action-benchmark.
    BenchmarkAction,
}

impl Format {
    /// Whether programs read it: it has everything, in units that do not change.
    pub(crate) fn is_for_programs(self) -> bool {
        !matches!(self, Format::Table | Format::Markdown)
    }

    /// Whether a benchmark tracker reads it.
    pub(crate) fn is_for_trackers(self) -> bool {
        matches!(self, Format::Bencher | Format::BenchmarkAction)
    }

    /// Whether notes stand beside it: there is no place for them in it.
    pub(crate) fn has_no_notes(self) -> bool {
        self.is_for_programs() && self != Format::Json
    }
}

/// What of a recording is shown.
#[derive(Args)]
pub(crate) struct ViewArguments {
    /// Show only these levels; resource has the tensors alive at the peak of memory, and what a trace
    /// states beside times
    #[arg(long, value_delimiter = ',', value_parser = level(), help_heading = heading::DISPLAY)]
    pub level: Vec<Level>,

    /// Order of operators and operator types
    #[arg(long, default_value = "time", value_parser = order(), help_heading = heading::DISPLAY)]
    pub sort: Order,

    #[command(flatten)]
    pub rows: RowArguments,

    #[command(flatten)]
    pub shown: FormatArguments,
}

/// How many rows of a table are shown.
#[derive(Args)]
pub(crate) struct RowArguments {
    /// Rows of long tables [default: 10; in JSON and CSV: all]
    #[arg(long, value_name = "N", conflicts_with = "all", value_parser = rows,
          help_heading = heading::DISPLAY)]
    top: Option<usize>,

    /// Show all rows
    #[arg(long, help_heading = heading::DISPLAY)]
    pub all: bool,
}

/// Whether operators that repeat are one row.
#[derive(Args, Clone, Copy)]
pub(crate) struct FoldArguments {
    /// Sum up operators that repeat at least four times under one name but for numbers
    /// (`layer.*/MatMul`) in one row [default: in tables; not in CSV]
    #[arg(long, overrides_with = "no_fold", help_heading = heading::DISPLAY)]
    fold: bool,

    /// Show each operator in a row of its own
    #[arg(long, overrides_with = "fold", help_heading = heading::DISPLAY, hide_short_help = true)]
    no_fold: bool,
}

impl FoldArguments {
    /// What was asked for; `None` leaves it to the format.
    pub(crate) fn wanted(&self) -> Option<bool> {
        (self.fold || self.no_fold).then_some(self.fold)
    }

    /// Whether a first screen folds them.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.no_fold
    }

    /// What becomes of them in a format: programs get all operators, unless told otherwise.
    pub(crate) fn repeats(&self, format: Format) -> Repeats {
        match format {
            _ if self.no_fold => Repeats::Apart,
            Format::Json => Repeats::Both,
            _ if self.fold || !format.is_for_programs() => Repeats::Folded,
            _ => Repeats::Apart,
        }
    }
}

/// How tables are shown.
#[derive(Args)]
pub(crate) struct FormatArguments {
    /// Show these columns, named as in JSON
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', help_heading = heading::DISPLAY,
          hide_short_help = true)]
    pub columns: Vec<String>,

    /// Do not shorten names, nor leave out columns to fit the terminal
    #[arg(long, help_heading = heading::DISPLAY, hide_short_help = true)]
    pub wide: bool,

    /// Format of the tables
    #[arg(long, default_value = "table", value_parser = format(), help_heading = heading::DISPLAY)]
    pub format: Format,
}

impl RowArguments {
    const TOP: usize = 10;

    /// At most this many rows; `None` for all. Programs get all unless told otherwise.
    pub(crate) fn most(&self, format: Format) -> Option<usize> {
        let default = (!format.is_for_programs()).then_some(Self::TOP);
        if self.all { None } else { self.top.or(default) }
    }
}

impl ViewArguments {
    /// Of the first screen: as many rows as it has room for, unless others were asked for.
    pub(crate) fn first_screen(&self, words: Option<String>) -> FirstScreenSelection {
        let rows = match (self.rows.all, self.rows.top) {
            (false, None) => Rows::SCREEN,
            (all, top) => Rows::Most(top.filter(|_| !all)),
        };
        let others = FirstScreenSelection::default();
        FirstScreenSelection { order: self.sort, rows, words, next: true, ..others }
    }

    /// What the view shows; without levels, those of the default.
    pub(crate) fn selection(&self) -> Selection {
        let rows = self.rows.most(self.shown.format);
        let mut selection = Selection { order: self.sort, rows, ..Selection::default() };
        if !self.level.is_empty() {
            selection.levels.clone_from(&self.level);
        }
        selection
    }
}

fn level() -> impl TypedValueParser<Value = Level> {
    choice([
        ("model".into(), Level::Model),
        ("launch".into(), Level::Launch),
        ("iteration".into(), Level::Iteration),
        ("provider".into(), Level::Provider),
        ("type".into(), Level::Type),
        ("operator".into(), Level::Operator),
        ("kernel".into(), Level::Kernel),
        ("resource".into(), Level::Resource),
    ])
}

fn order() -> impl TypedValueParser<Value = Order> {
    choice([
        ("time".into(), Order::Time),
        ("execution".into(), Order::Execution),
        ("name".into(), Order::Name),
        ("flops".into(), Order::Flops),
        ("bytes".into(), Order::Bytes),
        ("gain".into(), Order::Gain),
        ("device".into(), Order::Device),
    ])
}

const FORMATS: [(&str, Format); 6] = [
    ("table", Format::Table),
    ("json", Format::Json),
    ("csv", Format::Csv),
    ("markdown", Format::Markdown),
    ("bmf", Format::Bencher),
    ("benchmark-action", Format::BenchmarkAction),
];

fn format() -> impl TypedValueParser<Value = Format> {
    // The last two are for trackers, which take comparisons only: see `with_trackers`.
    choice(FORMATS.into_iter().take(4).map(|(name, format)| (name.into(), format)))
}

/// Adds the formats of benchmark trackers to those of a command.
pub(super) fn with_trackers(command: Command) -> Command {
    let formats = || choice(FORMATS.map(|(name, format)| (name.into(), format)));
    command.mut_arg("format", |format| {
        format.value_parser(formats()).help(
            "Format of the tables; bmf (Bencher) and benchmark-action (github-action-benchmark) \
             have latencies of B and its layers, and their ratios to A",
        )
    })
}
