//! Problems of a file, and notes about what was accepted.

use super::error::{MOST_SHOWN, SettingsError};
use crate::quantity::Remark;
use std::collections::HashMap;
use std::path::Path;

/// Problems in reading order, and remarks, of which those of one kind are one.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    problems: Vec<String>,
    more: usize,
    notes: Vec<Note>,
    /// Index of the note of a kind.
    kinds: HashMap<Kind, usize>,
}

#[derive(Debug)]
struct Note {
    text: String,
    others: usize,
}

/// Notes of one kind are shown once, with their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Each is shown.
    Single,
    Taken(Remark),
    /// Content without effect.
    LeftOut,
    LeftOutColumn,
    LeftOutTable,
    /// An operator whose target was emptied.
    Emptied,
}

impl Findings {
    pub(crate) fn problem(&mut self, place: &str, what: &str) {
        match self.problems.len() < MOST_SHOWN {
            true => self.problems.push(format!("{place}: {what}")),
            false => self.more += 1,
        }
    }

    pub(crate) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    pub(crate) fn note(&mut self, kind: Kind, text: impl FnOnce() -> String) {
        let earlier = self.kinds.get(&kind).and_then(|place| self.notes.get_mut(*place));
        match earlier.filter(|_| kind != Kind::Single) {
            Some(note) => note.others += 1,
            None => {
                self.kinds.insert(kind, self.notes.len());
                self.notes.push(Note { text: text(), others: 0 });
            }
        }
    }

    /// Says how a number was understood.
    pub(crate) fn taken(&mut self, remark: Option<Remark>, place: &str, written: &str, value: f64) {
        let Some(remark) = remark else { return };
        let taken = match remark {
            // As many digits as anybody writes.
            Remark::Percent => format!("{}%", (value * 1e10).round() / 1e8),
            Remark::Comma | Remark::RatioInPercent => value.to_string(),
        };
        self.note(Kind::Taken(remark), || format!("{place}: {written} is taken as {taken}"));
    }

    /// The notes; an error if there are problems.
    pub(crate) fn finish(self, path: &Path) -> Result<Vec<String>, SettingsError> {
        if self.has_problems() {
            let Findings { problems, more, .. } = self;
            return Err(SettingsError::Problems { path: path.to_path_buf(), problems, more });
        }
        let text = |note: Note| match note.others {
            0 => note.text,
            others => format!("{}, and {others} more like it", note.text),
        };
        Ok(self.notes.into_iter().map(text).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_of_one_kind_are_one() {
        let mut findings = Findings::default();
        findings.taken(Some(Remark::Percent), "'S'!A1", "90", 0.9);
        findings.note(Kind::Single, || "no sheet \"Plan\"".to_string());
        findings.taken(None, "'S'!A2", "0.8", 0.8);
        findings.taken(Some(Remark::Percent), "'S'!A3", "70", 0.7);
        findings.taken(Some(Remark::Comma), "'S'!A4", "\"4,5\"", 4.5);
        assert_eq!(
            findings.finish(Path::new("x")).unwrap(),
            [
                "'S'!A1: 90 is taken as 90%, and 1 more like it",
                "no sheet \"Plan\"",
                "'S'!A4: \"4,5\" is taken as 4.5"
            ]
        );
    }
}
