//! How much of the first screen is wanted, and what for.

use crate::content::selection::Order;

/// How much of it is wanted, and what for.
#[derive(Clone, Debug)]
pub struct FirstScreenSelection {
    /// Of types and operators.
    pub order: Order,
    /// How many of them.
    pub rows: Rows,
    /// Operators that repeat are one row.
    pub fold: bool,
    /// Parts of paths: operators are added up to modules, which are shown in their place.
    pub modules: Vec<String>,
    /// How the recording is named on a command line, in words of a shell; `None` where nobody
    /// types commands.
    pub words: Option<String>,
    /// Ends with the next command, for the recording that is named.
    pub next: bool,
}

impl Default for FirstScreenSelection {
    /// A screen in the order of time, which no command follows.
    fn default() -> FirstScreenSelection {
        FirstScreenSelection {
            order: Order::Time,
            rows: Rows::SCREEN,
            fold: true,
            modules: Vec::new(),
            words: None,
            next: false,
        }
    }
}

/// How many rows tables have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// As many as leave the screen with this many lines.
    Lines(usize),
    /// At most this many of each table; `None` for all.
    Most(Option<usize>),
}

impl Rows {
    /// A screen that is read without scrolling.
    pub const SCREEN: Rows = Rows::above(0);

    /// As many as leave room on it for other lines.
    pub const fn above(lines: usize) -> Rows {
        Rows::Lines(26usize.saturating_sub(lines))
    }
}
