//! What of a recording is wanted: levels of detail, their order, and how much.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Facts and figures of the whole.
    Model,
    Launch,
    Iteration,
    /// A row per execution provider.
    Provider,
    /// A row per operator type.
    Type,
    Operator,
    /// A row per kernel that the engine executed; an operator may take several.
    Kernel,
    /// A row per operator, with what the trace states beyond times.
    Resource,
}

/// Order of types and operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// From most to least time, or FLOPs where there is no time.
    #[default]
    Time,
    /// As the engine executes them.
    Execution,
    /// By the alphabet.
    Name,
    /// From most to least operations.
    Flops,
    /// From most to least bytes.
    Bytes,
    /// From most to least time above what the machine's peak rates would take.
    Gain,
    /// From most to least time on devices.
    Device,
}

/// What becomes of operators that repeat under one name but for numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeats {
    /// They are one row, with their sums.
    #[default]
    Folded,
    /// Each is a row.
    Apart,
    /// Each is a row, and their sums are a table beside.
    Both,
}

/// What of a summary is wanted.
#[derive(Clone, Debug)]
pub struct Selection {
    /// In the order in which they are shown.
    pub levels: Vec<Level>,
    /// Of types and operators.
    pub order: Order,
    /// At most this many rows of types and operators; `None` for all.
    pub rows: Option<usize>,
    /// Parts of paths, such as `layer.*`: operators whose names have them are added up
    /// to modules, in place of the operators.
    pub modules: Vec<String>,
    /// Of the table of operators.
    pub repeats: Repeats,
}

impl Selection {
    /// True for the default levels.
    pub(crate) fn is_default(&self) -> bool {
        self.levels == Selection::default().levels
    }
}

impl Default for Selection {
    /// Model, and the ten operator types and operators that take most time.
    fn default() -> Selection {
        Selection {
            levels: vec![Level::Model, Level::Type, Level::Operator],
            order: Order::Time,
            rows: Some(10),
            modules: Vec::new(),
            repeats: Repeats::Folded,
        }
    }
}
