//! Shapes, element types and truth values as people write them.

use crate::printable::quoted;
use crate::projection::{Origin, WeightShape};
use crate::quantity::bare;
use crate::workbook_words::is;
use onnxray_format::{Block, DataType};

/// A block shape: `4x1`.
pub(crate) fn block(text: &str) -> Result<Block, String> {
    let expected = || format!("expected a block shape such as 4x1, found {}", quoted(text));
    let shape: WeightShape = text.parse().map_err(|_| expected())?;
    match (u32::try_from(shape.outputs), u32::try_from(shape.inputs)) {
        (Ok(outputs @ 1..), Ok(inputs @ 1..)) => Ok(Block::new(outputs, inputs)),
        _ => Err(expected()),
    }
}

/// A weight shape: `256x1024`.
pub(crate) fn weight_shape(text: &str) -> Result<WeightShape, String> {
    bare(text)
        .parse()
        .map_err(|_| format!("expected a weight shape such as 256x1024, found {}", quoted(text)))
}

/// An element type by its name: `fp32`.
pub(crate) fn data_type(text: &str) -> Result<DataType, String> {
    let name = text.trim().to_lowercase();
    let data_type =
        serde_json::from_value::<DataType>(serde_json::Value::String(name.clone())).ok();
    data_type
        .filter(|data_type| data_type.name() == name)
        .ok_or_else(|| format!("expected an element type such as fp32, found {}", quoted(text)))
}

/// Origin of a perf ratio, by its key or as tables show it.
pub(crate) fn origin(text: &str) -> Result<Origin, String> {
    let text_of = |origin: &Origin| is(text, origin.key()) || is(text, origin.text());
    let expected = || format!("expected measured, given or default, found {}", quoted(text));
    Origin::ALL.into_iter().find(text_of).ok_or_else(expected)
}

/// A truth value as spreadsheets and people write it.
pub(crate) fn truth(text: &str) -> Result<bool, String> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "1" => Ok(true),
        "false" | "no" | "0" => Ok(false),
        _ => Err(format!("expected TRUE or FALSE, found {}", quoted(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_types_and_truth() {
        assert_eq!(block("1 X 16"), Ok(Block::new(1, 16)));
        assert!(block("0x1").is_err() && block("4").is_err());
        assert_eq!(data_type(" FP32 "), Ok(DataType::Fp32));
        let unknown = "expected an element type such as fp32, found \"float\"".to_string();
        assert_eq!(data_type("float"), Err(unknown));
        assert_eq!(origin(" Given"), Ok(Origin::Given));
        assert_eq!(origin("default, not measured"), Ok(Origin::Default));
        assert_eq!(origin("measured"), Ok(Origin::Measured));
        assert!(origin("mine").is_err());
        assert_eq!((truth("TRUE"), truth("no")), (Ok(true), Ok(false)));
        assert!(truth("maybe").is_err());
    }
}
