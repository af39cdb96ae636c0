//! The element type that an operator computes in.

use crate::comparison::alignment::{Kind, kind};
use onnxray_format::{DataType, Operator};

/// Name of the element type, or `unknown`.
///
/// A product or convolution computes in the type of its weight; of those without
/// a constant one, a narrow second input tells. Other operators compute in the
/// type of their first input, or of their first output if they have none.
pub(crate) fn precision(operator: &Operator) -> &'static str {
    if let Some(weight) = &operator.weight {
        return weight.data_type.name();
    }
    let narrow = |data_type: DataType| data_type.bytes().is_some_and(|bytes| bytes <= 1);
    let types = || operator.inputs.iter().filter_map(|tensor| tensor.data_type);
    let contraction = matches!(kind(&operator.operator_type), Kind::Product | Kind::Convolution);
    // Dynamically quantized products have no constant weight, and their first input may still be
    // float: a second input of one byte or less tells.
    let of_weight = || types().nth(1).filter(|&found| contraction && narrow(found));
    let of_output = || operator.outputs.iter().find_map(|tensor| tensor.data_type);
    let found = of_weight().or_else(|| types().next()).or_else(of_output);
    found.map_or("unknown", |data_type| data_type.name())
}
