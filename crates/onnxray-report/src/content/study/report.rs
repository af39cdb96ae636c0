//! A study as tables, as a page and as a workbook.

use super::verified::Told;
use crate::content::report::{Arrangement, Report, TableSheet, Workbook};
use crate::document::{Answer, Block, Document, Note, Notes, Page, View, view};
use onnxray_analyzer::study::Verified;

/// What a report says of one kind of study; all of them are put together in the same way.
pub(crate) trait StudyReport {
    /// Identifier of the report, and of its first view.
    const NAME: &'static str;
    const TITLE: &'static str;
    /// Views of its page.
    const VIEWS: &'static [View] = &[view(Self::NAME, Self::TITLE), view("notes", "Notes")];
    /// With what the recordings say that verify it.
    const VERIFIED: &'static [View] = &[
        view(Self::NAME, Self::TITLE),
        view("causes", "Where the difference comes from"),
        view("layers", "Layers"),
        view("notes", "Notes"),
    ];
    /// Layout of its workbook.
    const ARRANGEMENT: &'static Arrangement;

    /// What it is about, such as the name of a model.
    fn about(&self) -> String;

    /// The answer, in a few sentences.
    fn headline(&self) -> Vec<String>;

    /// Figures, tables and charts, with at most this many rows of long tables; `None` for all.
    fn blocks(&self, most: Option<usize>) -> Vec<Block>;

    /// The answer in a word, for programs.
    fn answer(&self) -> Option<Answer> {
        None
    }

    /// What a careful reader should know.
    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }

    /// What the launches say that the search did not see.
    fn verified(&self) -> Option<&Verified> {
        None
    }

    /// What A and B are in these launches, where the report calls others so.
    fn sides(&self) -> Option<String> {
        None
    }
}

/// The sheets of what verifies.
pub(super) const CAUSES: TableSheet =
    TableSheet { filter: false, ..TableSheet::new("causes", "Causes") };
pub(super) const LAYERS: TableSheet = TableSheet::new("layers", "Layers");

/// Rows where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

impl<S: StudyReport> Report for S {
    /// Rows of long tables, at most; `None` for all.
    type Selection = Option<usize>;

    fn document(&self, most: &Option<usize>) -> Document {
        let mut blocks = self.blocks(*most);
        let mut notes = self.notes();
        if let Some(verified) = self.verified() {
            let mut compared = verified.document(*most);
            let sides = self.sides();
            // All notes stand together, below the tables of the comparison.
            notes.extend(compared.take_notes());
            blocks.extend(compared.blocks.into_iter().map(|block| of_sides(block, &sides)));
        }
        if !notes.is_empty() {
            blocks.push(Notes { notes }.into());
        }
        Document {
            name: S::NAME,
            headline: self.headline(),
            answer: self.answer(),
            blocks,
            ..Document::default()
        }
    }

    fn page(&self) -> Page {
        let views = if self.verified().is_some() { S::VERIFIED } else { S::VIEWS };
        let noscript = self.document(&Some(NOSCRIPT_ROWS));
        Page::new(self.about(), views, self.document(&None), noscript)
    }

    fn workbook(&self) -> Workbook<'_> {
        Workbook::arranged(self.document(&None), S::ARRANGEMENT)
    }
}

fn of_sides(block: Block, sides: &Option<String>) -> Block {
    match (block, sides) {
        (Block::Table(table), Some(sides)) => {
            let known = table.caveat.iter().map(String::as_str);
            let caveat =
                std::iter::once(sides.as_str()).chain(known).collect::<Vec<_>>().join("; ");
            table.with_caveat(Some(caveat)).into()
        }
        (other, _) => other,
    }
}
