//! What is constant about an operator: names, shapes, weight, cost.

use crate::{DataType, Phase, magnitudes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Attribute of a block of an x-ray: by how many nanoseconds the model takes longer where it is cut behind the
/// block, if that is more than chance and more than a small share of the latency.
pub const CUT_CHANGES: &str = "cut behind it changes";

/// Attribute of a block of an x-ray: how much longer both sides of the cut behind it take than the model, with
/// a range.
pub const CUT_ADDS: &str = "cut behind it adds";

/// Attribute of a block of an x-ray: by how many nanoseconds the cut behind it adds more to both sides than
/// is usual, at least.
pub const CUT_ADDS_AT_LEAST: &str = "cut behind it adds at least";

/// Attribute of a block of an x-ray, timed without what its thread waited for a core.
pub const WITHOUT_WAITS: &str = "without waits for a core";

/// Attribute of a block of an x-ray: where it ends is told by both sides of the cut behind it.
pub const BY_BOTH_SIDES: &str = "ends by both sides of the cut";

/// Attribute of a block of an x-ray, all blocks of which were timed one after the other as well, each as a model
/// of its own.
pub const IN_A_ROW: &str = "timed in a row with all blocks";

/// Attribute of a block of an x-ray: how much is taken off what is before each cut, half of what cuts usually add.
pub const TAKEN_OFF: &str = "taken off before each cut";

/// Attribute of a block of an x-ray, of models in huge pages of memory.
pub const IN_HUGE_PAGES: &str = "in huge pages of memory";

/// Attributes of a block of an x-ray that say how it was timed.
pub const CONDITIONS: [&str; 5] =
    [WITHOUT_WAITS, BY_BOTH_SIDES, IN_A_ROW, TAKEN_OFF, IN_HUGE_PAGES];

/// One executed node, named after the ONNX nodes it came from.
///
/// Everything here is known without running the model, so the same struct is a
/// row of the FLOPS profile. `None` means unknown, never zero.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Operator {
    /// Position in the launch's table of operators.
    pub number: u32,
    /// Unique within the launch. The ONNX node's name, with a suffix after `#`
    /// where the engine runs several nodes for one ONNX node.
    pub name: String,
    /// Type of what ran: the engine's kernel where it fuses nodes to one of another type
    /// (`SkipLayerNormalization`), otherwise the ONNX op type of the node that gives the operator
    /// its name.
    #[serde(rename = "type")]
    pub operator_type: String,
    /// Names of all ONNX nodes this operator computes, in graph order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<String>,
    /// ONNX op types of these, in the same order; empty if that is unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub node_types: Vec<String>,
    /// ONNX op types of nodes that were fused after the naming node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub post_ops: Vec<String>,
    /// The steps of a generation that it runs in, with other shapes than in others; `None` if
    /// iterations are whole inferences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// The engine's name for the implementation that ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// The execution provider that ran it, as the engine writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The operator whose body (Scan, Loop, If) this one runs in, or that launched it on a device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Whether it runs on a device, beside the host that launches it, and on its clock.
    #[serde(default, skip_serializing_if = "is_false")]
    pub device: bool,
    /// Whether it is a block of nodes between two cuts, timed from outside.
    #[serde(default, skip_serializing_if = "is_false")]
    pub block: bool,
    /// Tensors that it reads, in order.
    #[serde(default)]
    pub inputs: Vec<Tensor>,
    /// Tensors that it writes, in order.
    #[serde(default)]
    pub outputs: Vec<Tensor>,
    /// The constant that it multiplies by, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<Weight>,
    /// Whether block-sparse kernels apply: a constant 2-D weight, or a
    /// convolution's seen as a matrix, with a number of outputs divisible by 4.
    #[serde(default)]
    pub sparse_support: bool,
    /// Whether it skips the zero blocks of its weight; `None` unless that was asked for, and for
    /// operators without a product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zero_blocks: Option<ZeroBlocks>,
    /// Elements of the constants this operator reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<u64>,
    /// Floating point (or integer) operations of one execution; a multiply-add
    /// is two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flops: Option<u64>,
    /// Bytes of inputs, constants and outputs, each counted once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Bytes that the engine's allocator had handed out when it ended, in a first run, for which no
    /// memory was planned yet: tensors and workspace, without the model's constants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocated_bytes: Option<u64>,
    /// Executions of this operator per iteration; more than one in the body of a Scan or Loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executions: Option<u64>,
    /// Attributes of the naming ONNX node, as text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Operator {
    /// Whether its type is none of its nodes' types: the engine fused them to something else.
    pub fn is_renamed(&self) -> bool {
        !self.node_types.is_empty() && !self.node_types.contains(&self.operator_type)
    }

    /// Whether its name is not that of a node of the model: the engine made it up.
    pub fn is_named_anew(&self) -> bool {
        !self.block && !self.node_types.is_empty() && !self.nodes.contains(&self.name)
    }

    /// Name of its first node, where its own is made up.
    pub fn node_name(&self) -> &str {
        let first = self.nodes.first().filter(|_| self.is_named_anew());
        first.unwrap_or(&self.name)
    }

    /// ONNX op type of the node that gives the operator its name; what ran, if that is unknown.
    pub fn naming_type(&self) -> &str {
        let naming = self.nodes.iter().position(|node| *node == self.name);
        let naming = naming.and_then(|naming| self.node_types.get(naming));
        naming.unwrap_or(&self.operator_type)
    }
}

/// What a product does with blocks of its weight that are zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZeroBlocks {
    /// It skips them, with the vector instructions of this name.
    Skipped(String),
    /// It multiplies by them, for this reason.
    Multiplied(String),
}

/// A tensor at the edge of an operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tensor {
    /// Its name in the model.
    pub name: String,
    /// Element type, if it is known.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub data_type: Option<DataType>,
    /// Dimensions, outermost first; empty for a scalar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Vec<u64>>,
}

impl Tensor {
    /// Size in bytes; `None` if the type or the shape is unknown.
    pub fn bytes(&self) -> Option<u64> {
        self.data_type?.bytes_of(elements(self.shape.as_ref()?)?)
    }

    /// Name of the element type, or `unknown`.
    pub fn type_text(&self) -> &'static str {
        self.data_type.map_or("unknown", |data_type| data_type.name())
    }

    /// Dimensions with `separator` between them, or `unknown`.
    pub fn shape_text(&self, separator: &str) -> String {
        match &self.shape {
            Some(shape) => shape.iter().map(u64::to_string).collect::<Vec<_>>().join(separator),
            None => "unknown".to_string(),
        }
    }
}

/// Number of elements of a shape; `None` if it does not fit 64 bits.
pub fn elements(shape: &[u64]) -> Option<u64> {
    shape.iter().try_fold(1u64, |product, &dimension| product.checked_mul(dimension))
}

/// The constant matrix that a MatMul, Gemm or convolution multiplies with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weight {
    /// Its name in the model.
    pub name: String,
    /// Element type as it is stored.
    #[serde(rename = "type")]
    pub data_type: DataType,
    /// Shape as it is stored in the model.
    pub stored_shape: Vec<u64>,
    /// Shape as a matrix of outputs x inputs, which is the orientation of the
    /// blocks below. For a convolution: output channels x (input channels of a
    /// group x kernel size).
    pub outputs: u64,
    /// Columns of the weight as a matrix.
    pub inputs: u64,
    /// Share of zero blocks, by block shape.
    pub sparse_ratios: Vec<SparseRatio>,
    /// Mean absolute value of the elements in each twentieth of them, in
    /// ascending order of absolute value: what pruning from 5 %·k to 5 %·(k+1)
    /// removes. Of a quantized weight the real values count. Empty if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "magnitudes")]
    pub magnitudes: Vec<f32>,
}

impl Weight {
    /// Share of zero blocks of a shape, from 0 to 1; `None` if it is not known.
    pub fn sparse_ratio(&self, block: Block) -> Option<f64> {
        self.sparse_ratios.iter().find(|ratio| ratio.block == block)?.ratio
    }

    /// Number of its elements, for shares of them.
    pub fn elements(&self) -> f64 {
        self.outputs as f64 * self.inputs as f64
    }

    /// `outputs x inputs` as the profiles write it: `256x1024`.
    pub fn matrix_shape(&self) -> String {
        format!("{}x{}", self.outputs, self.inputs)
    }
}

/// Share of a weight's blocks in which every element is zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SparseRatio {
    /// Shape of the blocks.
    pub block: Block,
    /// From 0 to 1. `None` if the matrix has no whole block of this shape.
    /// Rows and columns beyond a multiple of the block are left out.
    pub ratio: Option<f64>,
}

/// A block of a weight matrix: `outputs` rows by `inputs` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Block {
    /// Rows of the block.
    pub outputs: u32,
    /// Columns of the block.
    pub inputs: u32,
}

impl Block {
    /// A block of `outputs` rows and `inputs` columns.
    pub const fn new(outputs: u32, inputs: u32) -> Block {
        Block { outputs, inputs }
    }

    /// Block shapes that sparse kernels of CPUs work on.
    pub const ALL: [Block; 5] = [
        Block::new(1, 1),
        Block::new(4, 1),
        Block::new(1, 4),
        Block::new(1, 16),
        Block::new(4, 16),
    ];
}

impl std::fmt::Display for Block {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}x{}", self.outputs, self.inputs)
    }
}

impl From<Block> for String {
    fn from(block: Block) -> String {
        block.to_string()
    }
}

impl TryFrom<String> for Block {
    type Error = String;
    fn try_from(text: String) -> Result<Block, String> {
        text.split_once('x')
            .and_then(|(outputs, inputs)| {
                Some(Block::new(outputs.parse().ok()?, inputs.parse().ok()?))
            })
            .ok_or_else(|| format!("expected a block shape such as 4x1, found {text:?}"))
    }
}
