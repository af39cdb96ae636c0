//! What is done with the elements of a product, one step after the other.

/// One step: an operation with an operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// What is done.
    pub arithmetic: Arithmetic,
    /// With what.
    pub operand: Operand<'a>,
}

/// An operation on an element of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Element + operand.
    Add,
    /// Element - operand.
    Subtract,
    /// Operand - element.
    SubtractFrom,
    /// Element * operand.
    Multiply,
    /// The larger one; of a number and one that is none, the number.
    Max,
    /// The smaller one; of a number and one that is none, the number.
    Min,
    /// Element if it is above 0, else element * operand.
    LeakyRelu,
}

/// What an element is combined with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand<'a> {
    /// One value for all.
    Scalar(f32),
    /// One value for each output.
    PerOutput(&'a [f32]),
    /// One value for each column.
    PerColumn(&'a [f32]),
    /// One value for each element, as the product lies.
    PerElement(&'a [f32]),
}
