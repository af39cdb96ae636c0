//! Operator types that multiply with no matrix of constants, whatever the model.

/// Types of ONNX and of ONNX Runtime: elementwise operators, normalizations,
/// reductions, pooling, and what moves or makes data. In order.
#[rustfmt::skip]
const WEIGHTLESS: [&str; 160] = [
    "Abs", "Acos", "Acosh", "Add", "And", "ArgMax", "ArgMin", "Asin", "Asinh", "Atan", "Atanh",
    "AveragePool", "BatchNormalization", "BiasDropout", "BiasGelu", "BiasSoftmax", "BitShift",
    "Cast", "CastLike", "Ceil", "Celu", "Clip", "Compress", "Concat", "Constant",
    "ConstantOfShape", "Cos", "Cosh", "CumSum", "DepthToSpace", "DequantizeLinear", "Div",
    "Dropout", "DynamicQuantizeLinear", "Elu", "EmbedLayerNormalization", "Equal", "Erf", "Exp",
    "Expand", "EyeLike", "FastGelu", "Flatten", "Floor", "Gather", "GatherElements", "GatherND",
    "Gelu", "GlobalAveragePool", "GlobalMaxPool", "Greater", "GreaterOrEqual",
    "GroupNormalization", "HardSigmoid", "HardSwish", "Hardmax", "Identity",
    "InstanceNormalization", "IsInf", "IsNaN", "LRN", "LayerNormalization", "LeakyRelu", "Less",
    "LessOrEqual", "Log", "LogSoftmax", "LpNormalization", "LpPool", "Max", "MaxPool",
    "MaxUnpool", "Mean", "MeanVarianceNormalization", "MemcpyFromHost", "MemcpyToHost", "Min",
    "Mish", "Mod", "Mul", "Neg", "NhwcMaxPool", "NonMaxSuppression", "NonZero", "Not", "OneHot",
    "Or", "PRelu", "Pad", "Pow", "QLinearAdd", "QLinearAveragePool", "QLinearConcat",
    "QLinearGlobalAveragePool", "QLinearLeakyRelu", "QLinearMul", "QLinearSigmoid",
    "QuantizeLinear", "QuickGelu", "RMSNormalization", "RandomNormal", "RandomUniform", "Range",
    "Reciprocal", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
    "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Relu",
    "ReorderInput", "ReorderOutput", "Reshape", "Resize", "ReverseSequence", "RoiAlign",
    "RotaryEmbedding", "Round", "Scatter", "ScatterElements", "ScatterND", "Selu", "Shape",
    "Shrink", "Sigmoid", "Sign", "SimplifiedLayerNormalization", "Sin", "Sinh", "Size",
    "SkipLayerNormalization", "SkipSimplifiedLayerNormalization", "Slice", "Softmax", "Softplus",
    "Softsign", "SpaceToDepth", "Split", "Sqrt", "Squeeze", "Sub", "Sum", "Swish", "Tan", "Tanh",
    "ThresholdedRelu", "Tile", "TopK", "Transpose", "Trilu", "Unique", "Unsqueeze", "Upsample",
    "Where", "Xor",
];

/// Whether operators of a type have no weight that could be pruned. Types of
/// other engines are not known.
pub(super) fn is_weightless(operator_type: &str) -> bool {
    WEIGHTLESS.binary_search(&operator_type).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_found_in_their_order() {
        assert!(WEIGHTLESS.is_sorted());
        assert!(WEIGHTLESS.into_iter().all(is_weightless));
        for weighted in ["MatMul", "FusedMatMul", "Gemm", "Conv", "LSTM", "Attention", "Einsum", ""]
        {
            assert!(!is_weightless(weighted), "{weighted}");
        }
    }
}
