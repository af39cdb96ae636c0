//! A column of optional whole numbers that takes as few bytes as its range needs.
//!
//! Figures of a trace are many and mostly small: a column of one slice is stored
//! as distances from its smallest value in 1, 2, 4 or 8 bytes each, and a column
//! without a value in none.

/// Values of one column of one chunk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packed {
    length: usize,
    base: i64,
    codes: Codes,
}

/// `0` is not a value; `code` stands for `base + code - 1`.
#[derive(Clone, Debug, Default, PartialEq)]
enum Codes {
    #[default]
    None,
    One(Box<[u8]>),
    Two(Box<[u16]>),
    Four(Box<[u32]>),
    Eight(Box<[u64]>),
}

/// Stands for no value in the slices that [`Packed::new`] takes.
pub const NO_VALUE: i64 = i64::MIN;

impl Packed {
    /// Packs values of which [`NO_VALUE`] are none.
    pub fn new(values: &[i64]) -> Packed {
        let present = || values.iter().copied().filter(|&value| value != NO_VALUE);
        let Some((least, most)) = present().fold(None, |range: Option<(i64, i64)>, value| {
            let (least, most) = range.unwrap_or((value, value));
            Some((least.min(value), most.max(value)))
        }) else {
            return Packed { length: values.len(), ..Packed::default() };
        };
        // The distance of two numbers of 64 bits needs up to 64 bits, plus the
        // one code for no value; the far end of that range saturates.
        let code = |value: i64| match value {
            NO_VALUE => 0,
            value => (value.wrapping_sub(least) as u64).saturating_add(1),
        };
        let codes = match code(most) {
            0..=0xff => Codes::One(values.iter().map(|&v| code(v) as u8).collect()),
            0x100..=0xffff => Codes::Two(values.iter().map(|&v| code(v) as u16).collect()),
            0x1_0000..=0xffff_ffff => Codes::Four(values.iter().map(|&v| code(v) as u32).collect()),
            _ => Codes::Eight(values.iter().map(|&v| code(v)).collect()),
        };
        Packed { length: values.len(), base: least, codes }
    }

    /// Values, unknown ones included.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = Option<i64>> + '_ {
        (0..self.length).map(|row| self.get(row))
    }

    /// Calls `take` with the position and value of each that is there.
    #[inline]
    pub fn for_each(&self, mut take: impl FnMut(usize, i64)) {
        // The width is looked at once, not for every value.
        fn each<T: Copy + Into<u64>>(codes: &[T], base: i64, take: &mut impl FnMut(usize, i64)) {
            for (row, &code) in codes.iter().enumerate() {
                let code: u64 = code.into();
                if code > 0 {
                    take(row, base.wrapping_add((code - 1) as i64));
                }
            }
        }
        match &self.codes {
            Codes::None => {}
            Codes::One(codes) => each(codes, self.base, &mut take),
            Codes::Two(codes) => each(codes, self.base, &mut take),
            Codes::Four(codes) => each(codes, self.base, &mut take),
            Codes::Eight(codes) => each(codes, self.base, &mut take),
        }
    }

    /// The value of a row, from 0; `None` if it is unknown.
    pub fn get(&self, row: usize) -> Option<i64> {
        let code = match &self.codes {
            Codes::None => 0,
            Codes::One(codes) => u64::from(*codes.get(row)?),
            Codes::Two(codes) => u64::from(*codes.get(row)?),
            Codes::Four(codes) => u64::from(*codes.get(row)?),
            Codes::Eight(codes) => *codes.get(row)?,
        };
        (code > 0).then(|| self.base.wrapping_add((code - 1) as i64))
    }

    /// The values at these positions.
    pub fn select(&self, positions: &[usize]) -> Packed {
        let values = positions.iter().map(|&row| self.get(row).unwrap_or(NO_VALUE));
        Packed::new(&values.collect::<Vec<_>>())
    }

    /// Whether no value is there at all.
    pub fn is_unknown(&self) -> bool {
        matches!(self.codes, Codes::None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(values: Vec<Option<i32>>, scale in prop::sample::select(vec![1i64, 1 << 20, 1 << 31])) {
            let values: Vec<Option<i64>> = values.into_iter().map(|v| v.map(|v| i64::from(v) * scale)).collect();
            let packed = Packed::new(&values.iter().map(|v| v.unwrap_or(NO_VALUE)).collect::<Vec<_>>());
            let mut present = Vec::new();
            packed.for_each(|row, value| present.push((row, value)));
            let expected = values.iter().enumerate().filter_map(|(row, value)| Some((row, (*value)?)));
            prop_assert_eq!(present, expected.collect::<Vec<_>>());
            prop_assert_eq!(packed.iter().collect::<Vec<_>>(), values);
        }
    }

    #[test]
    fn small_ranges_take_one_byte_and_the_whole_range_fits() {
        let packed = Packed::new(&[1_000_000_000_000, NO_VALUE, 1_000_000_000_254]);
        assert!(matches!(packed.codes, Codes::One(_)));
        assert_eq!(packed.get(2), Some(1_000_000_000_254));
        let packed = Packed::new(&[i64::MIN + 1, 0, i64::MAX - 1]);
        assert_eq!(
            packed.iter().collect::<Vec<_>>(),
            [Some(i64::MIN + 1), Some(0), Some(i64::MAX - 1)]
        );
        assert!(Packed::new(&[NO_VALUE; 3]).is_unknown());
    }
}
