//! A line of what belongs together, which gives up what matters least where it is too long.

/// Between parts that do not continue each other.
const APART: &str = "   ";

/// Short texts side by side, under a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What they are of; empty where they tell themselves.
    pub name: &'static str,
    /// From left to right.
    pub parts: Vec<Part>,
}

/// A text of a line; names in it may hold anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What people read.
    pub text: String,
    /// Parts of the highest rank go first where there is not room for all; 0 stays.
    pub rank: u8,
    /// What stands between it and the part before it.
    pub between: &'static str,
}

impl Line {
    /// A line without any part.
    pub fn new(name: &'static str) -> Line {
        Line { name, parts: Vec::new() }
    }

    /// Adds a part, if there is one.
    pub(crate) fn part(self, rank: u8, text: impl Into<Option<String>>) -> Line {
        self.behind(APART, rank, text)
    }

    /// Adds a part that continues the one before it, after `between`.
    pub(crate) fn behind(
        mut self,
        between: &'static str,
        rank: u8,
        text: impl Into<Option<String>>,
    ) -> Line {
        self.parts.extend(text.into().map(|text| Part { text, rank, between }));
        self
    }

    /// All it says: its parts, each with what continues it.
    pub(crate) fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for Part { text, between, .. } in &self.parts {
            match texts.last_mut().filter(|_| *between != APART) {
                Some(continued) => continued.extend([between, text.as_str()]),
                None => texts.push(text.clone()),
            }
        }
        texts
    }
}
