//! What kind of work an operator type is, whatever runtime names it.
//!
//! Only as much as alignment needs: which types are the same work under another
//! name, and which only change how a tensor is stored.

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind<'a> {
    /// Any convolution: depthwise, transposed, quantized, fused with what follows.
    Convolution,
    /// A matrix product: MatMul, Gemm, a fully connected layer.
    Product,
    /// Over a batch, a layer or a group of channels.
    Normalization,
    /// Maximum and average, local and global.
    Pooling,
    /// Quantizes, dequantizes or casts.
    Precision,
    /// Moves elements without computing: transposes, reorders, reshapes.
    Layout,
    /// Computes each element by itself, so that engines fuse it into its producer. Holds the type,
    /// because an Add is not a Mul.
    Elementwise(&'a str),
    /// None of these. Holds the type, without its namespace.
    Other(&'a str),
}

impl Kind<'_> {
    /// It serves other operators rather than computing something itself.
    pub fn is_conversion(self) -> bool {
        matches!(self, Kind::Precision | Kind::Layout)
    }
}

const PRECISION: &[&str] = &[
    "QuantizeLinear",
    "DequantizeLinear",
    "DynamicQuantizeLinear",
    "FakeQuantize",
    "Quantize",
    "Dequantize",
    "QUANTIZE",
    "DEQUANTIZE",
    "Cast",
    "CastLike",
    "Convert",
    "CAST",
    "to",
    "_to_copy",
];

/// Types that move elements without computing any.
const LAYOUT: &[&str] = &[
    "Transpose",
    "TRANSPOSE",
    "Reshape",
    "RESHAPE",
    "Flatten",
    "Squeeze",
    "Unsqueeze",
    "Reorder",
    "ReorderInput",
    "ReorderOutput",
    "Reformat",
    "NoOp",
    "Shuffle",
    "MemcpyFromHost",
    "MemcpyToHost",
    "Identity",
];

/// Types that engines fuse into the operator that feeds them.
const ELEMENTWISE: &[&str] = &[
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Relu",
    "Relu6",
    "Clip",
    "LeakyRelu",
    "PRelu",
    "Sigmoid",
    "Tanh",
    "HardSwish",
    "HardSigmoid",
    "Erf",
    "Gelu",
    "FastGelu",
    "BiasGelu",
    "QuickGelu",
    "Silu",
    "Swish",
    "Elu",
    "Exp",
    "Sqrt",
    "Pow",
    "Neg",
    "Abs",
    "PointWise",
    "PWN",
    "Eltwise",
    "Multiply",
    "Sum",
    "ADD",
    "MUL",
    "SUB",
    "RELU",
    "RELU6",
    "LOGISTIC",
    "TANH",
];

/// Kind of work of an operator type.
pub fn kind(operator_type: &str) -> Kind<'_> {
    // PyTorch writes `aten::add`, OpenVINO and TensorRT their own names.
    let name = operator_type.rsplit("::").next().unwrap_or(operator_type);
    let has = |part: &str| contains_ignoring_case(name, part);
    // Whole names before parts of names, and the work before what is fused to it: a convolution
    // with a normalization is a convolution.
    if PRECISION.contains(&name) {
        Kind::Precision
    } else if LAYOUT.contains(&name) {
        Kind::Layout
    } else if has("conv") && !has("convert") {
        Kind::Convolution
    } else if has("matmul")
        || has("gemm")
        || has("fullyconnected")
        || has("fully_connected")
        || ["linear", "addmm", "mm", "bmm", "MatrixMultiply"].contains(&name)
    {
        Kind::Product
    } else if has("norm") {
        Kind::Normalization
    } else if has("pool") {
        Kind::Pooling
    } else if ELEMENTWISE.contains(&name) {
        Kind::Elementwise(name)
    } else {
        Kind::Other(name)
    }
}

/// Key under which times are compared: an addition before the work is ignored, and each type of
/// conversion is on its own.
pub(crate) fn work(operator_type: &str) -> Kind<'_> {
    let kind = kind(without_addition(operator_type).unwrap_or(operator_type));
    if kind.is_conversion() { Kind::Other(operator_type) } else { kind }
}

/// The type adds a bias or a residual before the work that it is named after, as BiasGelu and
/// SkipLayerNormalization do.
pub(crate) fn adds_first(operator_type: &str) -> bool {
    without_addition(operator_type).is_some()
}

/// Name of the type without the addition: `Gelu` of BiasGelu.
fn without_addition(operator_type: &str) -> Option<&str> {
    let rest = operator_type.strip_prefix("Bias").or_else(|| operator_type.strip_prefix("Skip"));
    rest.filter(|rest| rest.starts_with(char::is_uppercase))
}

fn contains_ignoring_case(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_work_are_one_kind() {
        for name in ["Conv", "FusedConv", "QLinearConv", "ConvInteger", "Convolution"] {
            assert_eq!(kind(name), Kind::Convolution, "{name}");
        }
        for name in ["CaskConvolution", "DEPTHWISE_CONV_2D", "aten::conv2d"] {
            assert_eq!(kind(name), Kind::Convolution, "{name}");
        }
        for name in ["MatMul", "MatMulIntegerToFloat", "DynamicQuantizeMatMul", "QGemm", "aten::mm"]
        {
            assert_eq!(kind(name), Kind::Product, "{name}");
        }
        for name in ["DynamicQuantizeLinear", "Cast", "FakeQuantize", "Convert"] {
            assert_eq!(kind(name), Kind::Precision, "{name}");
        }
        assert_eq!(kind("Add"), Kind::Elementwise("Add"));
        assert_ne!(kind("Add"), kind("Mul"));
        assert_eq!(kind("Attention"), Kind::Other("Attention"));
        assert!(adds_first("BiasGelu") && adds_first("SkipLayerNormalization"));
        assert!(!adds_first("Gelu") && !adds_first("Skip") && !adds_first("Biased"));
        assert!(kind("Reorder").is_conversion() && !kind("Relu").is_conversion());
        assert_eq!(work("BiasGelu"), work("Gelu"));
        assert_eq!(work("SkipLayerNormalization"), work("LayerNormalization"));
        assert_ne!(work("QuantizeLinear"), work("DequantizeLinear"));
    }
}
