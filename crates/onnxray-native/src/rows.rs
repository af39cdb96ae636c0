//! Results that are written into memory as it comes, instead of over zeros.
//!
//! # Soundness
//!
//! [`Rows`] lend memory that may hold nothing yet, and let no element of it be read. They count how
//! many elements from the begin of each row on hold a value, which a write may lengthen but leave no
//! gap in. [`tensor`] hands memory out as a tensor only after it has seen that its rows are those
//! that it made, in their order, and that all are written to their end: whatever else a caller puts
//! into their places, other rows or some of memory of its own ([`over`]), has another begin.

use std::mem::MaybeUninit;
use tract_data::prelude::{Tensor, TractResult};

/// Rows of a result that lie one after the other, and are written together from their begin on.
#[derive(Debug)]
pub struct Rows<'a> {
    /// Elements of all rows, `count * length`.
    memory: &'a mut [MaybeUninit<f32>],
    count: usize,
    length: usize,
    /// Elements of each row, from its begin on, that hold a value.
    written: usize,
}

/// How a result is divided into rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// Elements of a row.
    pub length: usize,
    /// Rows of a matrix; a result has one or more.
    pub rows: usize,
    /// Rows that are written together; the last ones of a matrix may be fewer.
    pub together: usize,
}

impl Rows<'_> {
    /// How many they are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Elements of each.
    #[inline(always)]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Writes `width` elements of each row, from the element `first` on: the first ones of the vector
    /// of that row. Elements may be written again.
    ///
    /// # Panics
    ///
    /// If elements before `first` were never written, if rows or vectors are not that long, or if
    /// there is not a vector for each row.
    #[inline(always)]
    pub fn write<V>(
        &mut self,
        first: usize,
        width: usize,
        vectors: &[V],
        elements: impl Fn(&V) -> &[f32],
    ) {
        assert!(first <= self.written && width <= self.length - first, "from their begin on");
        assert_eq!(vectors.len(), self.count, "a vector for each row");
        for (row, vector) in self.memory.chunks_exact_mut(self.length).zip(vectors) {
            let (row, vector) = (&mut row[first..first + width], &elements(vector)[..width]);
            // A call that copies a vector would take longer than the copy.
            match width {
                16 => copy::<16>(row, vector),
                8 => copy::<8>(row, vector),
                4 => copy::<4>(row, vector),
                _ => {
                    row.write_copy_of_slice(vector);
                }
            }
        }
        self.written = self.written.max(first + width);
    }
}

#[inline(always)]
fn copy<const WIDTH: usize>(row: &mut [MaybeUninit<f32>], vector: &[f32]) {
    row[..WIDTH].write_copy_of_slice(&vector[..WIDTH]);
}

/// A tensor of this shape, of which `write` gets all rows.
///
/// # Errors
///
/// If there is no such tensor.
///
/// # Panics
///
/// If it is not made of whole matrices of rows, or if `write` leaves something unwritten.
pub fn tensor(
    shape: &[usize],
    division: Division,
    write: impl FnOnce(&mut [Rows]),
) -> TractResult<Tensor> {
    // SAFETY: no element is read before the end of this function, where each holds a value.
    #[expect(unsafe_code, reason = "memory as it comes")]
    let mut tensor = unsafe { Tensor::uninitialized::<f32>(shape)? };
    let elements = tensor.len();
    if elements == 0 {
        return Ok(tensor);
    }
    // SAFETY: the tensor was made for this many elements of this type, and is used by nobody else
    // until the last use of this slice. Any bytes are a `MaybeUninit`.
    #[expect(unsafe_code, reason = "memory as it comes")]
    let memory = unsafe {
        let first = tensor.as_ptr_mut_unchecked::<f32>().cast::<MaybeUninit<f32>>();
        std::slice::from_raw_parts_mut(first, elements)
    };
    let first = memory.as_ptr();
    let mut rows = divided(memory, division);
    write(&mut rows);
    let mut end = first;
    for rows in &rows {
        assert!(rows.written == rows.length && rows.memory.as_ptr() == end, "all is written");
        end = end.wrapping_add(rows.memory.len());
    }
    assert_eq!(end, first.wrapping_add(elements), "all is written");
    Ok(tensor)
}

/// Rows over memory that holds values already.
///
/// # Panics
///
/// If it is not made of whole matrices of rows.
pub fn over(memory: &mut [f32], division: Division) -> Vec<Rows<'_>> {
    // SAFETY: the same elements, of the same size. Nothing but values is written, so that the memory
    // holds values when it is a slice of numbers again.
    #[expect(unsafe_code, reason = "memory that holds values holds what may be written over")]
    let memory = unsafe { &mut *(std::ptr::from_mut(memory) as *mut [MaybeUninit<f32>]) };
    divided(memory, division)
}

fn divided(memory: &mut [MaybeUninit<f32>], division: Division) -> Vec<Rows<'_>> {
    let Division { length, rows, together } = division;
    if memory.is_empty() {
        return Vec::new();
    }
    let matrix = rows.saturating_mul(length);
    assert!(matrix > 0 && memory.len().is_multiple_of(matrix), "whole matrices");
    assert!(together > 0, "rows are written together");
    let matrices = memory.chunks_exact_mut(matrix);
    let parts = matrices.flat_map(|matrix| matrix.chunks_mut(together.saturating_mul(length)));
    parts.map(|memory| Rows { count: memory.len() / length, memory, length, written: 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    const PAIRS: Division = Division { length: 3, rows: 3, together: 2 };

    /// Two matrices of 3 x 3.
    fn fails(write: impl FnOnce(&mut [Rows])) -> bool {
        catch_unwind(AssertUnwindSafe(|| tensor(&[2, 3, 3], PAIRS, write))).is_err()
    }

    fn write_all(rows: &mut Rows) {
        write(rows, 0, &vec![[5.0; 3]; rows.count()]);
    }

    fn write<const WIDTH: usize>(rows: &mut Rows, first: usize, values: &[[f32; WIDTH]]) {
        rows.write(first, WIDTH, values, |row| row);
    }

    #[test]
    fn a_tensor_has_what_its_rows_were_given() {
        let tensor = tensor(&[2, 3, 3], PAIRS, |rows| {
            assert_eq!(rows.iter().map(Rows::count).collect::<Vec<_>>(), [2, 1, 2, 1]);
            write(&mut rows[0], 0, &[[1.0, 2.0], [4.0, 5.0]]);
            write(&mut rows[0], 1, &[[7.0, 3.0], [8.0, 6.0]]);
            rows[1..].iter_mut().for_each(write_all);
        });
        let tensor = tensor.unwrap();
        assert_eq!(tensor.shape(), [2, 3, 3]);
        let view = tensor.try_as_plain_ram().unwrap();
        let values = view.as_slice::<f32>().unwrap();
        assert_eq!(values[..6], [1.0, 7.0, 3.0, 4.0, 8.0, 6.0]);
        assert_eq!(values[6..], [5.0; 12]);
        assert_eq!(super::tensor(&[0, 3], PAIRS, |_| {}).unwrap().len(), 0);
    }

    #[test]
    fn what_is_not_written_is_no_tensor() {
        assert!(!fails(|rows| rows.iter_mut().for_each(write_all)));
        assert!(fails(|_| {}));
        assert!(fails(|rows| rows[1..].iter_mut().for_each(write_all)));
        assert!(fails(|rows| write(&mut rows[1], 1, &[[1.0]])), "a gap");
        assert!(fails(|rows| write(&mut rows[1], 0, &[[1.0; 4]])), "no room");
        assert!(fails(|rows| write(&mut rows[1], usize::MAX, &[[1.0; 2]])), "far behind");
        assert!(fails(|rows| write(&mut rows[0], 0, &[[1.0; 3]])), "one row of two");
        assert!(
            fails(|rows| {
                rows.iter_mut().for_each(write_all);
                rows.swap(0, 2);
            }),
            "other rows"
        );
        let own: &'static mut [f32] = Box::leak(Box::new([0.0; 6]));
        assert!(
            fails(|rows| {
                let [mut other] = <[Rows; 1]>::try_from(over(own, PAIRS)).unwrap();
                rows.iter_mut().for_each(write_all);
                write_all(&mut other);
                rows[0] = other;
            }),
            "memory of its own"
        );
    }

    #[test]
    fn what_is_no_division_divides_nothing() {
        let division = |length, rows, together| Division { length, rows, together };
        for wrong in [
            division(3, 3, 0),
            division(0, 3, 1),
            division(3, 0, 1),
            division(2, 3, 1),
            division(3, usize::MAX, 1),
            division(usize::MAX, 2, 1),
        ] {
            // Rows that have no place take no values.
            let write = |rows: &mut [Rows]| {
                rows.iter_mut().for_each(|rows| rows.write(0, 0, &[] as &[[f32; 3]], |row| row));
            };
            let made = catch_unwind(AssertUnwindSafe(|| tensor(&[3, 3], wrong, write)));
            assert!(made.is_err(), "{wrong:?}");
            assert!(catch_unwind(|| over(&mut [0.0; 9], wrong).len()).is_err(), "{wrong:?}");
        }
        assert_eq!(over(&mut [0.0; 9], division(3, 3, usize::MAX)).len(), 1);
    }

    #[test]
    fn rows_of_any_width_go_where_they_belong() {
        for width in 1..=70 {
            let mut memory = vec![0.0; 3 * 80];
            let division = Division { length: 80, rows: 3, together: 3 };
            let mut rows = over(&mut memory, division);
            let value = |row: usize, at: usize| (100 * row + at + 1) as f32;
            let vectors: [Vec<f32>; 3] =
                std::array::from_fn(|row| (0..80).map(|at| value(row, at)).collect());
            rows[0].write(0, 5, &vectors, |row| row);
            rows[0].write(5, width, &vectors, |row| &row[5..]);
            let should = |at: usize| match at % 80 < 5 + width {
                true => value(at / 80, at % 80),
                false => 0.0,
            };
            assert!(memory.iter().enumerate().all(|(at, is)| *is == should(at)), "{width}");
        }
        assert!(over(&mut [], PAIRS).is_empty());
    }
}
