//! What of a report is shown, and how.

use super::choice::choice;
use crate::output::Format;
use clap::Args;
use clap::builder::TypedValueParser;
use onnxray_analyzer::report::{Level, Order, Selection};

#[derive(Args)]
pub(crate) struct ViewArguments {
    /// Show these levels only
    #[arg(long, value_delimiter = ',', value_parser = level())]
    pub level: Vec<Level>,

    /// Order of operators and operator types
    #[arg(long, default_value = "time", value_parser = order())]
    pub sort: Order,

    /// Show so many operators, or kernels
    #[arg(long, value_name = "N", default_value_t = 10, conflicts_with = "all")]
    pub top: usize,

    /// Show all operators, or kernels
    #[arg(long)]
    pub all: bool,

    #[arg(long, default_value = "table", value_parser = format())]
    pub format: Format,
}

impl ViewArguments {
    /// What the view shows; without levels, those of the default.
    pub(crate) fn selection(&self) -> Selection {
        let mut selection = Selection {
            order: self.sort,
            operators: (!self.all).then_some(self.top),
            ..Selection::default()
        };
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
    ])
}

pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    choice([
        ("table".into(), Format::Table),
        ("json".into(), Format::Json),
        ("csv".into(), Format::Csv),
        ("markdown".into(), Format::Markdown),
    ])
}
