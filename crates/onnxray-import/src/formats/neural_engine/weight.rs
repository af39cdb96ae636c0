//! What the weight columns of the CSV mean, which depends on who wrote them and
//! on the types of the operands.
//!
//! The Neural Engine writes shapes as they are stored and the share of the zero
//! blocks that its kernel would use, in rows and columns of the stored matrix:
//!
//! ```text
//! fp32 x fp32   1x16 of the second operand
//! any x s8      4x16 of the second operand
//! s8 x u8       4x1 of the first operand, which is the weight
//! ```
//!
//! For other types, and for Matmul, it writes 0 and means nothing. onnxray
//! writes outputs x inputs and 4x1 blocks of them, always.

use super::row::Row;
use onnxray_format::{Block, DataType, SparseRatio, Tensor, Weight};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    NeuralEngine,
    Onnxray,
}

/// The weight of a row, if it has one of two dimensions. `permutation` is the
/// attribute `src1_perm`, which only the trace has.
pub(crate) fn weight(row: &Row, writer: Writer, permutation: Option<&str>) -> Option<Weight> {
    let &[rows, columns] = row.weight_shape.as_deref()? else { return None };
    match writer {
        Writer::Onnxray => Some(of_onnxray(row, rows, columns)),
        Writer::NeuralEngine => Some(of_engine(row, rows, columns, permutation)),
    }
}

fn of_onnxray(row: &Row, outputs: u64, inputs: u64) -> Weight {
    let stored = |tensor: &&Tensor| {
        let shape = tensor.shape.as_deref().unwrap_or_default();
        shape == [outputs, inputs] || shape == [inputs, outputs]
    };
    let mut stored = row.inputs.iter().filter(stored);
    let tensor = stored.next().filter(|_| stored.next().is_none());
    Weight {
        name: tensor.map(|tensor| tensor.name.clone()).unwrap_or_default(),
        data_type: tensor.and_then(|tensor| tensor.data_type).unwrap_or(DataType::Other),
        stored_shape: tensor.and_then(|tensor| tensor.shape.clone()).unwrap_or_default(),
        outputs,
        inputs,
        sparse_ratios: ratios(row, Block::new(4, 1)),
        magnitudes: Vec::new(),
    }
}

fn of_engine(row: &Row, rows: u64, columns: u64, permutation: Option<&str>) -> Weight {
    let data_type = |operand: usize| row.inputs.get(operand)?.data_type;
    let first = (data_type(0), data_type(1)) == (Some(DataType::S8), Some(DataType::U8));
    let operand = if first { 0 } else { 1 };
    let rows_are_outputs = first || rows_are_outputs(row, rows, columns, permutation);
    let oriented = |rows, columns| if rows_are_outputs { (rows, columns) } else { (columns, rows) };
    let (outputs, inputs) = oriented(rows, columns);
    let block = match (row.kind.as_str(), data_type(0), data_type(1)) {
        ("InnerProduct", ..) if first => Some((4, 1)),
        ("InnerProduct", Some(DataType::Fp32), Some(DataType::Fp32)) => Some((1, 16)),
        ("InnerProduct", _, Some(DataType::S8)) => Some((4, 16)),
        _ => None,
    };
    let block = block.map(|(rows, columns)| match rows_are_outputs {
        true => Block::new(rows, columns),
        false => Block::new(columns, rows),
    });
    Weight {
        name: row.inputs.get(operand).map(|tensor| tensor.name.clone()).unwrap_or_default(),
        data_type: data_type(operand).unwrap_or(DataType::Other),
        stored_shape: vec![rows, columns],
        outputs,
        inputs,
        sparse_ratios: block.map(|block| ratios(row, block)).unwrap_or_default(),
        magnitudes: Vec::new(),
    }
}

/// The shapes of the operands tell, or whether the weight is transposed. Else
/// rows are taken for outputs, as the engine's own rule for sparse kernels does.
fn rows_are_outputs(row: &Row, rows: u64, columns: u64, permutation: Option<&str>) -> bool {
    let last = |tensor: Option<&Tensor>| tensor?.shape.as_ref()?.last().copied();
    let product = (last(row.inputs.first()), last(row.outputs.first()));
    if rows != columns && product == (Some(columns), Some(rows)) {
        return true;
    }
    if rows != columns && product == (Some(rows), Some(columns)) {
        return false;
    }
    permutation.is_none_or(|permutation| permutation != "0,1")
}

fn ratios(row: &Row, block: Block) -> Vec<SparseRatio> {
    row.sparse_ratio.map(|ratio| SparseRatio { block, ratio: Some(ratio) }).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, permutation: Option<&str>, matrix: &str, block: Option<&str>) {
        let fields: Vec<String> = line.split(',').map(str::to_string).collect();
        let row = crate::formats::neural_engine::row::row(&fields).unwrap();
        let weight = weight(&row, Writer::NeuralEngine, permutation).unwrap();
        assert_eq!(weight.matrix_shape(), matrix);
        let found = weight.sparse_ratios.first().map(|ratio| ratio.block.to_string());
        assert_eq!(found.as_deref(), block);
    }

    #[test]
    fn orientation_and_blocks_of_the_engine() {
        let line = "InnerProduct,,n,x:0;w:0,64x1024;256x1024,fp32;fp32,n:0,64x256,fp32,256x1024,10.00%,true,0.1, ,,";
        check(line, None, "256x1024", Some("1x16"));
        let line = "InnerProduct,,n,x:0;w:0,64x256;256x1024,u8;s8,n:0,64x1024,fp32,256x1024,10.00%,true,0.1, ,,";
        check(line, None, "1024x256", Some("16x4"));
        let line = "InnerProduct,,n,w:0;x:0,256x1024;1024x64,s8;u8,n:0,256x64,fp32,256x1024,10.00%,true,0.1, ,,";
        check(line, None, "256x1024", Some("4x1"));
        let line = "InnerProduct,,n,x:0;w:0,64x256;256x256,fp32;fp32,n:0,64x256,fp32,256x256,10.00%,true,0.1, ,,";
        check(line, Some("0,1"), "256x256", Some("16x1"));
        check(line, Some("1,0"), "256x256", Some("1x16"));
        let line =
            "Matmul,,n,x:0;w:0,64x256;256x256,bf16;bf16,n:0,64x256,fp32,256x256,0.00%,true,0.1, ,,";
        check(line, None, "256x256", None);
    }
}
