//! The table of resources: what a trace states about operators beyond times.

use super::operators::{NAME, NUMBER, sorted};
use crate::content::selection::Selection;
use crate::document::{Cell, Heading, Table, Unit, columns};
use Unit::{Number, Text};
use onnxray_analyzer::figure;
use onnxray_analyzer::statistics::{OperatorSummary, Summary};

columns! {
    /// What tells operators from each other.
    pub(super) const NAMES: OperatorSummary;

    NUMBER;
    /// name of its ONNX node
    NAME "Operator" Text = |summary| Cell::text(&summary.operator.name);
}

/// What the trace states about operators beyond times; `None` if it does not.
pub(crate) fn resources(summary: &Summary, selection: &Selection) -> Option<Table> {
    let stated = &summary.figures;
    if stated.figures.is_empty() {
        return None;
    }
    let values = |summary: &OperatorSummary| {
        stated.values.get(summary.operator.number as usize).map_or(&[][..], Vec::as_slice)
    };
    let operators = summary.operators.iter();
    let operators = operators.filter(|summary| values(summary).iter().any(Option::is_some));
    let operators = sorted(operators, selection.order);
    let mut table = Table::new("resources", "Resources", NAMES, operators.iter().copied());
    let mut absent = Vec::new();
    for figure in figure::ALL {
        let position = stated.figures.iter().position(|stated| stated.key == figure.key);
        let cells = operators.iter().map(|summary| {
            Cell::number(position.and_then(|position| *values(summary).get(position)?))
        });
        let heading = Heading::new(figure.key, figure.heading, Number, figure.meaning);
        table.push_column(heading, cells);
        absent.extend(position.is_none().then_some(figure.key));
    }
    // Figures of other formats than this trace's.
    Some(table.hiding(&absent).essential(&[NAME]).shortened(selection.rows))
}
