//! A product and what follows it.

use crate::{Operand, Step, Weight};

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
    /// If the last element that is written is none of the product, or operands do not have its
    /// sizes.
    pub(super) fn check(&self, end: usize) {
        let outputs = self.weight.outputs();
        assert!(end <= outputs * self.columns, "outputs x columns");
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
