//! The tables of a version in the workbook.

use super::rows::Pair;
use super::{causes, layers, parts, whole};
use crate::document::SheetTable;
use onnxray_analyzer::comparison::{Comparison, Recording};

pub(crate) struct ComparisonSheets<'a> {
    pair: Pair<'a>,
    pub(crate) inference: SheetTable<'a>,
    pub(crate) configuration: SheetTable<'a>,
    pub(crate) conservation: SheetTable<'a>,
    pub(crate) types: SheetTable<'a>,
    pub(crate) layers: SheetTable<'a>,
    pub(crate) causes: SheetTable<'a>,
    pub(crate) details: SheetTable<'a>,
}

impl<'a> ComparisonSheets<'a> {
    /// `letter` is what stands for B.
    pub(crate) fn new(
        recordings: [&'a Recording; 2],
        comparison: &'a Comparison,
        letter: &'a str,
    ) -> ComparisonSheets<'a> {
        let pair = Pair { comparison, recordings, letter };
        ComparisonSheets {
            pair,
            inference: whole::inference_sheet(pair),
            configuration: whole::configuration_sheet(pair),
            conservation: parts::conservation_sheet(pair),
            types: parts::types_sheet(pair),
            layers: layers::layers_sheet(pair),
            causes: causes::causes_sheet(pair),
            details: layers::details_sheet(pair),
        }
    }

    /// A text of ours, not of a trace, with this version's letter for B.
    pub(crate) fn named(&self, text: &str) -> String {
        self.pair.named(text)
    }

    /// The cell with the mean of a side of the whole, or with their difference, for formulas.
    pub(crate) fn whole(&self, key: &str) -> String {
        self.pair.whole(key)
    }

    /// What stands there.
    pub(crate) fn whole_value(&self, key: &str) -> Option<f64> {
        self.inference.value(key, self.pair.whole_row()).as_number()
    }
}
