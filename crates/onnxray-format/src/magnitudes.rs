//! How large a weight's elements are, and how a recording holds it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Parts of equal size that a weight's elements are divided into, smallest
/// first: each is five percent of them.
pub const MAGNITUDE_PARTS: usize = 20;

/// Position of the first element of a part among `elements` sorted ones; that of
/// part [`MAGNITUDE_PARTS`] is the end.
pub fn part_start(part: usize, elements: usize) -> usize {
    // Rounded to the nearest, halves up; wide, because the product is.
    let doubled = 2 * part as u128 * elements as u128 + MAGNITUDE_PARTS as u128;
    (doubled / (2 * MAGNITUDE_PARTS as u128)) as usize
}

/// Writes the decimals that tell a number of 32 bits from its neighbours, not
/// those of the same number in 64 bits, which are twice as many.
pub(crate) fn serialize<S: Serializer>(
    magnitudes: &[f32],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let shortest = |&magnitude: &f32| match magnitude.to_string().parse::<f64>() {
        Ok(short) if short as f32 == magnitude => short,
        _ => f64::from(magnitude),
    };
    magnitudes.iter().map(shortest).collect::<Vec<f64>>().serialize(serializer)
}

/// Reads what can be magnitudes; any other list of numbers is unknown.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<f32>, D::Error> {
    // As they are written; a number that 32 bits do not hold becomes infinite.
    let magnitudes = Vec::<f64>::deserialize(deserializer)?;
    let magnitudes: Vec<f32> = magnitudes.into_iter().map(|magnitude| magnitude as f32).collect();
    let known = magnitudes.len() == MAGNITUDE_PARTS
        // The file may be edited: a projection must not compute with what cannot be.
        && magnitudes.iter().all(|magnitude| magnitude.is_finite() && *magnitude >= 0.0)
        && magnitudes.is_sorted();
    Ok(if known { magnitudes } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use crate::{Block, DataType, SparseRatio, Weight};
    use proptest::prelude::*;

    fn weight(magnitudes: Vec<f32>) -> Weight {
        Weight {
            name: "w".to_string(),
            data_type: DataType::Fp32,
            stored_shape: vec![8, 8],
            outputs: 8,
            inputs: 8,
            sparse_ratios: vec![SparseRatio { block: Block::new(4, 1), ratio: None }],
            magnitudes,
        }
    }

    fn again(weight: &Weight) -> Weight {
        serde_json::from_str(&serde_json::to_string(weight).unwrap()).unwrap()
    }

    #[test]
    fn parts_are_rounded_to_whole_elements() {
        let starts = |elements| (0..=20).map(move |part| super::part_start(part, elements));
        assert!(starts(20).eq(0..=20));
        // 1.05, 2.1, … 9.45, 10.5, 11.55, … 19.95, 21.
        assert!(starts(21).eq((0..=9).chain(11..=21)));
        // 950 000 006.65; the product is beyond 32 bits.
        assert_eq!(super::part_start(19, 1_000_000_007), 950_000_007);
    }

    #[test]
    fn numbers_are_written_as_short_as_they_are() {
        let text = serde_json::to_string(&weight(vec![0.1; 20])).unwrap();
        assert!(text.contains("[0.1,0.1,"), "{text}");
        assert!(!serde_json::to_string(&weight(Vec::new())).unwrap().contains("magnitudes"));
    }

    #[test]
    fn a_list_that_cannot_be_magnitudes_is_unknown() {
        let ascending: Vec<f32> = (0..20).map(|part| part as f32).collect();
        assert_eq!(again(&weight(ascending.clone())).magnitudes, ascending);
        let with = |place: usize, value: f32| {
            let mut broken = ascending.clone();
            broken[place] = value;
            broken
        };
        for broken in [ascending[1..].to_vec(), with(0, -1.0), with(3, 9.0)] {
            assert!(again(&weight(broken.clone())).magnitudes.is_empty(), "{broken:?}");
        }
        let text = serde_json::to_string(&weight(ascending)).unwrap();
        let huge = text.replace("19.0]", "1e300]");
        assert_ne!(huge, text);
        assert!(serde_json::from_str::<Weight>(&huge).unwrap().magnitudes.is_empty());
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            mut magnitudes in prop::collection::vec(0.0f32..=f32::MAX, 20),
            exponent in -45i32..0,
        ) {
            magnitudes.iter_mut().for_each(|magnitude| *magnitude *= 10f32.powi(exponent));
            magnitudes.sort_by(f32::total_cmp);
            let weight = weight(magnitudes);
            prop_assert_eq!(again(&weight), weight);
        }
    }
}
