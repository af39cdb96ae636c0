//! Operators that multiply with no matrix of constants: by their types, whatever the model, or
//! because their producer tells every weight.

use crate::statistics::Summary;
use onnxray_format::Operator;

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

/// The types of the Neural Engine that may multiply with a matrix of constants.
const WEIGHTED_OF_NEURAL_ENGINE: [&str; 3] = ["Convolution", "InnerProduct", "Matmul"];

/// True for types of ONNX and ONNX Runtime without a weight that could be pruned.
fn is_weightless(operator_type: &str) -> bool {
    WEIGHTLESS.binary_search(&operator_type).is_ok()
}

/// Weights that the producer of a recording states.
#[derive(Clone, Copy)]
pub(super) struct ToldWeights {
    of_neural_engine: bool,
    /// "No weight stated" means "no weight", as in profiles (CSV) of the Neural Engine and ours.
    all: bool,
}

impl ToldWeights {
    pub(super) fn of(summary: &Summary) -> ToldWeights {
        let of_neural_engine = summary.run.engine == "Neural Engine";
        // As the reader of CSV profiles names their producer; that of a recording has a version.
        let in_profile = of_neural_engine || summary.run.producer == "onnxray";
        let any = summary.operators.iter().any(|summary| summary.operator.weight.is_some());
        ToldWeights { of_neural_engine, all: in_profile && any }
    }

    /// True if an operator without a stated weight is known to have none.
    pub(super) fn has_none(self, operator: &Operator) -> bool {
        // A producer that states parameters knows the weights.
        operator.parameters.is_some()
            || self.all
            || is_weightless(&operator.operator_type)
            || self.of_neural_engine
                && !WEIGHTED_OF_NEURAL_ENGINE.contains(&operator.operator_type.as_str())
    }
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
