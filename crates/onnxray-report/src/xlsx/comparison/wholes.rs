//! Where the figures of the whole stand on the sheet *Summary*, to which the formulas
//! of other sheets refer.

use super::placed::Placed;
use super::version::{SUMMARY, Version};
use crate::content::comparison::WholeFigure;

/// Rows of the sheet's parts: of the headers of its tables.
pub(super) struct Headers {
    pub(super) facts: u32,
    pub(super) figures: u32,
    pub(super) configuration: u32,
    pub(super) conservation: u32,
}

impl Headers {
    pub(super) fn of(version: &Version) -> Headers {
        let rows = |key: &str| version.table(key).len() as u32;
        let facts = version.document.headline.len() as u32 + 2;
        let figures = facts + 6;
        let configuration = figures + rows("inference") + 3;
        let conservation = configuration + rows("configuration_differences").max(1) + 3;
        Headers { facts, figures, configuration, conservation }
    }
}

/// The figures of the whole model on the sheet.
pub(super) fn figures<'a>(version: &'a Version<'a>) -> Placed<'a> {
    Placed::new(version, "inference", (SUMMARY, Headers::of(version).figures), &[])
}

/// A figure of the whole in formulas of other sheets, and what it comes to.
pub(super) struct Whole {
    pub(super) cell: String,
    pub(super) value: Option<f64>,
}

/// The means of the whole, and their difference.
pub(super) struct Wholes {
    /// By side.
    pub(super) means: [Whole; 2],
    pub(super) difference: Whole,
}

impl Wholes {
    pub(super) fn of(version: &Version) -> Wholes {
        let figures = figures(version);
        let kinds = WholeFigure::of(version.comparison);
        let mean = WholeFigure::of_parts(version.comparison);
        let row = kinds.iter().position(|kind| *kind == mean).unwrap_or(0);
        let whole = |key: &str| Whole {
            cell: figures.layout.on(key, row),
            value: figures.cell(key, row).as_number(),
        };
        Wholes { means: ["a", "b"].map(whole), difference: whole("difference") }
    }
}
