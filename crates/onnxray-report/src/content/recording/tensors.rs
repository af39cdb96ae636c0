//! Tensors in a cell: their names, types and shapes.

use crate::document::Cell;
use onnxray_format::Tensor;

/// A part of each of them.
pub(super) fn tensors(tensors: &[Tensor], part: fn(&Tensor) -> String) -> Cell {
    Cell::some_text(tensors.iter().map(part).collect::<Vec<_>>().join("; "))
}

/// A shape for people; a scalar, whose shape is empty, would be a gap in a list.
pub(super) fn shape(tensor: &Tensor) -> String {
    match tensor.shape.as_deref() {
        Some([]) => "scalar".to_string(),
        _ => tensor.shape_text("x"),
    }
}

/// `1x128x256 +2`
pub(super) fn first_shape(tensors: &[Tensor]) -> Cell {
    match tensors {
        [] => Cell::None,
        [only] if only.shape.is_none() => Cell::Unknown,
        [only] => Cell::Text(shape(only)),
        [first, others @ ..] => Cell::Text(format!("{} +{}", shape(first), others.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_outputs_the_first_shape_is_shown() {
        let tensor = |shape: Option<&[u64]>| Tensor {
            name: "output".to_string(),
            data_type: None,
            shape: shape.map(<[u64]>::to_vec),
        };
        let matrix = || tensor(Some(&[1, 128, 256]));
        let (scalar, unknown) = (|| tensor(Some(&[])), || tensor(None));
        for (tensors, shown) in [
            (vec![], Cell::None),
            (vec![matrix()], Cell::text("1x128x256")),
            (vec![matrix(), scalar(), unknown()], Cell::text("1x128x256 +2")),
            (vec![scalar()], Cell::text("scalar")),
            (vec![unknown()], Cell::Unknown),
            (vec![unknown(), matrix()], Cell::text("unknown +1")),
        ] {
            assert_eq!(first_shape(&tensors), shown);
        }
    }
}
