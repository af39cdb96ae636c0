//! Constants that hold several numbers in one element, as only the operator that reads them
//! tells: weights quantized to a few bits in blocks.

use super::decoded::codes;
use crate::model::graph::{Constant, Graph, Node};
use onnxray_format::{DataType, elements};
use std::collections::HashMap;

/// Layout of packed numbers: each row begins at a byte and may end within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Packing {
    pub(in crate::model) bits: u32,
    pub(in crate::model) rows: u64,
    pub(in crate::model) columns: u64,
}

impl Packing {
    /// Packing of input `index` of a node; `None` if it is not packed, or if its size contradicts
    /// the node.
    pub(in crate::model) fn of(node: &Node, index: usize, constant: &Constant) -> Option<Packing> {
        let stored = elements(&constant.shape)?;
        let positive = |name: &str| node.int(name).and_then(|size| u64::try_from(size).ok());
        let by_row =
            |bits: u64, rows: u64, columns: u64| Some(Packing { bits: bits as u32, rows, columns });
        // Several in each byte of the last axis.
        let by_byte = |bits: u64| {
            let is_packed = matches!(bits, 2 | 4);
            is_packed.then(|| by_row(bits, 1, stored.checked_mul(8 / bits)?))?
        };
        let packing = match (node.operator_type.as_str(), index) {
            _ if constant.data_type != DataType::U8 => None,
            ("MatMulNBits", 1) => {
                by_row(positive("bits").unwrap_or(4), positive("N")?, positive("K")?)
            }
            ("MatMulNBits", 3) => {
                let blocks = positive("K")?.div_ceil(positive("block_size").filter(|&b| b > 0)?);
                by_row(positive("bits").unwrap_or(4), positive("N")?, blocks)
            }
            // bitsandbytes packs the whole matrix in one run, not row by row.
            ("MatMulBnb4", 1) => by_row(4, 1, positive("N")?.checked_mul(positive("K")?)?),
            ("GatherBlockQuantized", 0 | 3) => by_byte(positive("bits").unwrap_or(4)),
            ("QMoE", 2 | 5 | 8) => by_byte(positive("expert_weight_bits").unwrap_or(4)),
            _ => None,
        }?;
        // Rows are whole bytes, and hold what they have to.
        let fits = packing.rows > 0
            && stored.is_multiple_of(packing.rows)
            && matches!(packing.bits, 1 | 2 | 4 | 8)
            && packing.columns.checked_mul(u64::from(packing.bits))?.div_ceil(8)
                <= stored / packing.rows;
        fits.then_some(packing)
    }

    /// Number of packed numbers.
    pub(in crate::model) fn elements(&self) -> Option<u64> {
        self.rows.checked_mul(self.columns)
    }

    /// Numbers, row by row; `None` if there are too few bytes.
    pub(in crate::model) fn unpacked(&self, bytes: &[f64]) -> Option<Vec<f64>> {
        // Elements of a u8 constant: exact as f64, and bytes again.
        let bytes: Vec<u8> = bytes.iter().map(|&byte| byte as u8).collect();
        let (rows, columns) =
            (usize::try_from(self.rows).ok()?, usize::try_from(self.columns).ok()?);
        let mut numbers = Vec::new();
        for row in bytes.chunks_exact((bytes.len() / rows.max(1)).max(1)) {
            numbers.extend(codes(row, self.bits, columns)?.map(f64::from));
        }
        (numbers.len() == rows.checked_mul(columns)?).then_some(numbers)
    }
}

/// Elements of input `index` of a node, which is that constant, each number counted; `None` if
/// they are too many to count.
pub(in crate::model) fn elements_read(
    node: &Node,
    index: usize,
    constant: &Constant,
) -> Option<u64> {
    match Packing::of(node, index, constant) {
        Some(packing) => packing.elements(),
        None => elements(&constant.shape),
    }
}

/// Elements of all constants that are parameters, those of bodies included, each number counted.
pub(in crate::model) fn parameters(graph: &Graph) -> Option<u64> {
    let mut packed = HashMap::new();
    find_packed(graph, &mut packed);
    count(graph, &packed)
}

/// Elements of packed constants by address: branches may have different constants of one name.
type Packed = HashMap<*const Constant, Option<u64>>;

fn find_packed(graph: &Graph, packed: &mut Packed) {
    for node in &graph.nodes {
        for (index, name) in node.inputs.iter().enumerate() {
            if let Some(constant) = graph.constant(name)
                && let Some(packing) = Packing::of(node, index, constant)
            {
                // The packing is known to the reader alone, which may be in a body far from the
                // constant.
                packed.insert(std::ptr::from_ref(constant), packing.elements());
            }
        }
        node.bodies.iter().for_each(|(_, body)| find_packed(body, packed));
    }
}

fn count(graph: &Graph, packed: &Packed) -> Option<u64> {
    let own = graph.constants.own.values().filter(|constant| constant.is_parameter());
    let own: Option<u64> = own
        .map(|constant| match packed.get(&std::ptr::from_ref(constant)) {
            Some(elements) => *elements,
            None => elements(&constant.shape),
        })
        .try_fold(0u64, |sum, elements| sum.checked_add(elements?));
    let bodies = graph.nodes.iter().flat_map(|node| &node.bodies);
    bodies.map(|(_, body)| count(body, packed)).try_fold(own?, |sum, body| sum.checked_add(body?))
}
