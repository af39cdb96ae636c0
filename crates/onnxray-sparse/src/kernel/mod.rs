//! Products with the instructions of one set.

// The closure of an iterator may be compiled without these instructions; a loop is not.
#![allow(clippy::needless_range_loop)]

mod few;
mod finish;
mod pack;
mod pixels;
mod product;
mod set;
mod tile;
mod tokens;
mod transpose;

pub use set::InstructionSet;

use crate::{BLOCK_OUTPUTS, Step, Weight};
use fearless_simd::{Level, dispatch};
use onnxray_native::rows::{Division, Rows};
use product::Product;

/// Multiplies with the instructions of one set.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    set: InstructionSet,
    level: Level,
}

impl Kernel {
    /// With the widest vectors of this processor.
    pub fn best() -> Self {
        let level = Level::new();
        Self { set: InstructionSet::of(level), level }
    }

    /// With the instructions of `set`, if this processor has them.
    pub fn with(set: InstructionSet) -> Option<Self> {
        set.level().map(|level| Self { set, level })
    }

    /// Whose instructions they are.
    pub fn instruction_set(self) -> InstructionSet {
        self.set
    }

    /// Columns of a panel. Products of tokens are computed panel by panel.
    pub fn panel_columns(self) -> usize {
        dispatch!(self.level, simd => pack::panel_columns(simd))
    }

    /// Elements that [`Self::pack`] writes for `columns` x `inputs`.
    pub fn packed_len(self, columns: usize, inputs: usize) -> usize {
        match columns {
            0..=few::MOST => columns * inputs,
            _ => columns.next_multiple_of(self.panel_columns()) * inputs,
        }
    }

    /// Puts `data`, columns x inputs, into panels, in which the columns of an input lie together.
    ///
    /// # Panics
    ///
    /// If `panels` has another length than [`Self::packed_len`].
    pub fn pack(self, data: &[f32], inputs: usize, panels: &mut [f32]) {
        let columns = data.len().checked_div(inputs).unwrap_or(0);
        assert_eq!(panels.len(), self.packed_len(columns, inputs), "panels");
        if columns <= few::MOST {
            panels.copy_from_slice(data);
        } else {
            dispatch!(self.level, simd => pack::panels(simd, data, inputs, panels));
        }
    }

    /// How [`Self::tokens`] writes: a row for each column, as many together as a vector has lanes.
    pub fn token_rows(self, weight: &Weight, columns: usize) -> Division {
        let together = self.panel_columns() / pack::VECTORS;
        Division { length: weight.outputs(), rows: columns, together }
    }

    /// How [`Self::pixels`] writes: a row for each output, those of a block together.
    pub fn pixel_rows(self, weight: &Weight, columns: usize) -> Division {
        Division { length: columns, rows: weight.outputs(), together: BLOCK_OUTPUTS }
    }

    /// Columns x outputs from `data`, columns x inputs: writes `rows`, those of the columns from
    /// `first` on, which is 0 or a multiple of [`Self::panel_columns`]. Each panel is packed when its
    /// turn comes, so that it is still in the cache.
    ///
    /// # Panics
    ///
    /// If a length is not what these sizes make it, or if `rows` are others.
    pub fn tokens(
        self,
        weight: &Weight,
        data: &[f32],
        columns: usize,
        steps: &[Step],
        first: usize,
        rows: &mut [Rows],
    ) {
        assert_eq!(data.len(), columns * weight.inputs(), "columns x inputs");
        let product = Product { weight, data, columns, steps };
        let division = self.token_rows(weight, columns);
        product.check(rows, division, first, self.panel_columns());
        if columns <= few::MOST {
            dispatch!(self.level, simd => few::tokens(simd, &product, first, rows));
        } else {
            dispatch!(self.level, simd => tokens::product(simd, &product, first, rows));
        }
    }

    /// The same from `panels`, all that [`Self::pack`] wrote for `columns`.
    ///
    /// # Panics
    ///
    /// If a length is not what these sizes make it, or if `rows` are others.
    pub fn packed_tokens(
        self,
        weight: &Weight,
        panels: &[f32],
        columns: usize,
        steps: &[Step],
        first: usize,
        rows: &mut [Rows],
    ) {
        if columns <= few::MOST {
            return self.tokens(weight, panels, columns, steps, first, rows);
        }
        assert_eq!(panels.len(), self.packed_len(columns, weight.inputs()), "panels");
        let product = Product { weight, data: panels, columns, steps };
        let division = self.token_rows(weight, columns);
        product.check(rows, division, first, self.panel_columns());
        dispatch!(self.level, simd => tokens::packed_product(simd, &product, first, rows));
    }

    /// Outputs x columns from `data`, inputs x columns: writes `rows`, those of the outputs from
    /// `first` on, which is a multiple of [`BLOCK_OUTPUTS`].
    ///
    /// # Panics
    ///
    /// If a length is not what these sizes make it, or if `rows` are others.
    pub fn pixels(
        self,
        weight: &Weight,
        data: &[f32],
        columns: usize,
        steps: &[Step],
        first: usize,
        rows: &mut [Rows],
    ) {
        assert_eq!(data.len(), weight.inputs() * columns, "inputs x columns");
        let product = Product { weight, data, columns, steps };
        product.check(rows, self.pixel_rows(weight, columns), first, BLOCK_OUTPUTS);
        let first = first / BLOCK_OUTPUTS;
        if columns <= few::MOST {
            dispatch!(self.level, simd => few::pixels(simd, &product, first, rows));
        } else {
            dispatch!(self.level, simd => pixels::product(simd, &product, first, rows));
        }
    }
}
