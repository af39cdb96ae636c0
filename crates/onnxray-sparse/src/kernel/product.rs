//! A product and what follows it.

use crate::{Operand, Step, Weight};
use onnxray_native::rows::{Division, Rows};

/// A product of a weight and columns.
pub(super) struct Product<'a> {
    pub(super) weight: &'a Weight,
    /// Panels, or inputs x columns.
    pub(super) data: &'a [f32],
    pub(super) columns: usize,
    pub(super) steps: &'a [Step<'a>],
}

impl Product<'_> {
    /// # Panics
    ///
    /// If `rows` are not the ones from `first` on of a matrix that is divided so, `first` is not a
    /// multiple of `unit`, or operands do not have the sizes of the product.
    pub(super) fn check(&self, rows: &[Rows], division: Division, first: usize, unit: usize) {
        let Division { length, rows: all, together } = division;
        let outputs = self.weight.outputs();
        assert!(first.is_multiple_of(unit), "from a multiple of {unit} on");
        let mut next = first;
        for rows in rows {
            assert!(
                rows.length() == length && rows.count() == together.min(all.saturating_sub(next)),
                "rows"
            );
            next += rows.count();
        }
        for step in self.steps {
            match step.operand {
                Operand::Scalar(_) => {}
                Operand::PerOutput(values) => assert_eq!(values.len(), outputs, "outputs"),
                Operand::PerColumn(values) => assert_eq!(values.len(), self.columns, "columns"),
                Operand::PerElement(values) => {
                    assert_eq!(values.len(), outputs * self.columns, "elements");
                }
            }
        }
    }
}
