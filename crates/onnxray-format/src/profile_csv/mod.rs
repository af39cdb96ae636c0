//! Writes the profile of a launch as CSV with live formulas.
//!
//! Three parts follow each other, as the Neural Engine's users know them:
//! the perf ratios per weight shape, which are theirs to set; the operators,
//! whose projected latency follows from part 1; and the totals. The columns
//! and their letters are part of the format (`docs/format.md`).
//!
//! Formulas hold neither list separators nor decimal points: a spreadsheet that
//! reads `;` between arguments or `,` in numbers evaluates them the same.
//!
//! `columns` finds the fields of such a line again.

mod columns;

pub use columns::{OperatorColumns, TensorColumns, ends_tensor, joined, type_named};

use crate::{Block, DataType, Operator, Tensor};
use onnxray_text::csv_text::{marked, write_record};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Header of part 1. The ratios under the first three are settable.
pub const RATIO_HEADER: [&str; 5] =
    ["weight shape", "90% 4x1 perf ratio", "80% 4x1 perf ratio", "70% 4x1 perf ratio", "others"];

/// Ratios in part 1 until the user sets others. Placeholders of a plausible size, not measurements.
pub const DEFAULT_RATIOS: [f64; 4] = [4.0, 2.5, 2.0, 1.0];

/// Header of part 2.
pub const OPERATOR_HEADER: [&str; 16] = [
    "operator type",
    "post op",
    "operator name",
    "input tensor name",
    "input shape",
    "input dtype",
    "output tensor name",
    "output shape",
    "output dtype",
    "weight shape",
    "weight sparse ratio",
    "sparse support",
    "operator latency (ms)",
    "aim to weight sparse ratio",
    "sparse kernel perf ratio",
    "aim to sparse latency(ms)",
];

/// Weights with at least this share of zero 4x1 blocks are not projected any
/// further: their measured latency is that of a pruned model already.
pub const ALREADY_SPARSE: f64 = 0.5;

/// A row of part 2.
#[derive(Clone, Copy, Debug)]
pub struct OperatorLatency<'a> {
    /// The operator of the row.
    pub operator: &'a Operator,
    /// Mean exclusive time per iteration; `None` if it never ran, which leaves
    /// the cell empty.
    pub milliseconds: Option<f64>,
}

/// Writes the three parts.
///
/// # Errors
///
/// If `out` cannot be written.
pub fn write_profile(mut out: impl Write, rows: &[OperatorLatency]) -> io::Result<()> {
    let shapes: BTreeSet<(u64, u64)> = rows
        .iter()
        .filter(|row| row.operator.sparse_support)
        .filter_map(|row| row.operator.weight.as_ref())
        .map(|weight| (weight.outputs, weight.inputs))
        .collect();

    write_record(&mut out, RATIO_HEADER)?;
    for (outputs, inputs) in &shapes {
        let ratios = DEFAULT_RATIOS.iter().map(f64::to_string);
        let row = std::iter::once(format!("{outputs}x{inputs}")).chain(ratios);
        write_record(&mut out, row)?;
    }

    write_record(&mut out, OPERATOR_HEADER)?;
    // Lines count from 1, and both parts have a header.
    let first = shapes.len() + 3;
    for (index, row) in rows.iter().enumerate() {
        let ratio_row = row
            .operator
            .weight
            .as_ref()
            .and_then(|weight| shapes.iter().position(|s| *s == (weight.outputs, weight.inputs)))
            // Line 1 is the header of part 1.
            .map(|position| position + 2);
        write_record(&mut out, operator_row(row, first + index, ratio_row))?;
    }
    for record in totals(first, first + rows.len()) {
        write_record(&mut out, record)?;
    }
    out.flush()
}

fn operator_row(row: &OperatorLatency, line: usize, ratio_line: Option<usize>) -> [String; 16] {
    let operator = row.operator;
    let sparse_ratio = operator.weight.as_ref().and_then(|w| w.sparse_ratio(Block::new(4, 1)));
    let projected = operator.sparse_support && sparse_ratio.is_none_or(|r| r < ALREADY_SPARSE);
    // An unknown latency is an empty cell: a word would break the sums.
    let latency = row.milliseconds.map_or(String::new(), |latency| format!("{latency:.6}"));
    let (target, ratio, result) = match (row.milliseconds, ratio_line.filter(|_| projected)) {
        (None, _) => (String::new(), String::new(), String::new()),
        (Some(_), None) => (String::new(), String::new(), format!("=M{line}")),
        (Some(_), Some(part1)) => {
            let [a, b, c] = [90, 80, 70].map(|percent| target(line, percent));
            (
                "90%".to_string(),
                format!("={a}*B{part1}+{b}*C{part1}+{c}*D{part1}+(1-{a}-{b}-{c})*E{part1}"),
                // A ratio of zero or an emptied cell leaves the latency as it is.
                format!("=M{line}/(O{line}+(O{line}=0))"),
            )
        }
    };
    [
        text(&operator.operator_type),
        text(&operator.post_ops.join(",")),
        text(&operator.name),
        join(&operator.inputs, |tensor| tensor.name.clone()),
        join(&operator.inputs, shape),
        join(&operator.inputs, data_type),
        join(&operator.outputs, |tensor| tensor.name.clone()),
        join(&operator.outputs, shape),
        join(&operator.outputs, data_type),
        operator.weight.as_ref().map_or(String::new(), |weight| weight.matrix_shape()),
        match (&operator.weight, sparse_ratio) {
            (None, _) => String::new(),
            (Some(_), Some(ratio)) => format!("{:.2}%", ratio * 100.0),
            (Some(_), None) => "unknown".to_string(),
        },
        if operator.sparse_support { "TRUE" } else { "FALSE" }.to_string(),
        latency,
        target,
        ratio,
        result,
    ]
}

/// A formula for "the target in `line` is this many percent". Some spreadsheets take a CSV's `90%`
/// for a number, others for text.
fn target(line: usize, percent: u32) -> String {
    format!("((N{line}={percent}%)+(N{line}=\"{percent}%\"))")
}

/// Part 3: three rows of label and formula in the columns L to R.
///
/// `first` is the line of the first operator, `end` the line after the last.
fn totals(first: usize, end: usize) -> Vec<Vec<String>> {
    let last = end - 1;
    let sum = |column: char| match end > first {
        true => format!("=SUM({column}{first}:{column}{last})"),
        false => "0".to_string(),
    };
    // `TRUE` is a truth value to one spreadsheet and text to another; it is
    // never both.
    let supported = |column: char| match end > first {
        true => format!(
            "=SUMPRODUCT(((L{first}:L{last}=TRUE)+(L{first}:L{last}=\"TRUE\"))\
             *{column}{first}:{column}{last})"
        ),
        false => "0".to_string(),
    };
    let (total, sparse) = (end, end + 1);
    // Adding 1 to a whole of 0 shows 0 and not an error; `IF` would need a list separator.
    let share = |part: String, whole: String| format!("={part}/({whole}+({whole}=0))");
    let row = |cells: &[String]| {
        // Part 3 begins in column L, the twelfth.
        let mut record = vec![String::new(); 11];
        record.extend_from_slice(cells);
        record
    };
    vec![
        row(&[
            "total latency(ms)".to_string(),
            sum('M'),
            String::new(),
            "total aim to sparse latency(ms)".to_string(),
            sum('P'),
            "sparse improve".to_string(),
            share(format!("M{total}"), format!("P{total}")),
        ]),
        row(&[
            "sparse support latency(ms)".to_string(),
            supported('M'),
            String::new(),
            "aim to sparse support latency(ms)".to_string(),
            supported('P'),
        ]),
        row(&[
            "sparse support latency ratio".to_string(),
            share(format!("M{sparse}"), format!("M{total}")),
            String::new(),
            "aim to sparse support latency ratio".to_string(),
            share(format!("P{sparse}"), format!("P{total}")),
        ]),
    ]
}

fn join(tensors: &[Tensor], part: impl Fn(&Tensor) -> String) -> String {
    text(&tensors.iter().map(part).collect::<Vec<_>>().join(";"))
}

fn text(value: &str) -> String {
    marked(value).into_owned()
}

fn shape(tensor: &Tensor) -> String {
    match &tensor.shape {
        Some(shape) => shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x"),
        None => "unknown".to_string(),
    }
}

fn data_type(tensor: &Tensor) -> String {
    tensor.data_type.map_or("unknown", DataType::name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SparseRatio, Weight};

    fn matmul(name: &str, outputs: u64, inputs: u64, sparse: f64) -> Operator {
        Operator {
            name: name.to_string(),
            operator_type: "MatMul".to_string(),
            sparse_support: outputs.is_multiple_of(4),
            weight: Some(Weight {
                name: "w".to_string(),
                data_type: DataType::Fp32,
                stored_shape: vec![inputs, outputs],
                outputs,
                inputs,
                sparse_ratios: vec![SparseRatio { block: Block::new(4, 1), ratio: Some(sparse) }],
                magnitudes: Vec::new(),
            }),
            ..Operator::default()
        }
    }

    fn profile(rows: &[(&Operator, Option<f64>)]) -> Vec<Vec<String>> {
        let rows: Vec<OperatorLatency> = rows
            .iter()
            .map(|&(operator, milliseconds)| OperatorLatency { operator, milliseconds })
            .collect();
        let mut out = Vec::new();
        write_profile(&mut out, &rows).unwrap();
        csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(out.as_slice())
            .records()
            .map(|record| record.unwrap().iter().map(str::to_string).collect())
            .collect()
    }

    #[test]
    fn formulas_point_at_their_rows() {
        let (a, b) = (matmul("a", 256, 256, 0.0), matmul("b", 1024, 256, 0.0));
        let sheet = profile(&[(&b, Some(0.2)), (&a, Some(0.075))]);
        assert_eq!(sheet[0], RATIO_HEADER);
        assert_eq!(sheet[1], ["256x256", "4", "2.5", "2", "1"]);
        assert_eq!(sheet[2][0], "1024x256");
        assert_eq!(sheet[3], OPERATOR_HEADER);
        assert_eq!(sheet[5][12..14], ["0.075000", "90%"]);
        assert_eq!(
            sheet[5][14],
            "=((N6=90%)+(N6=\"90%\"))*B2+((N6=80%)+(N6=\"80%\"))*C2+((N6=70%)+(N6=\"70%\"))*D2\
             +(1-((N6=90%)+(N6=\"90%\"))-((N6=80%)+(N6=\"80%\"))-((N6=70%)+(N6=\"70%\")))*E2"
        );
        assert_eq!(sheet[5][15], "=M6/(O6+(O6=0))");
        assert_eq!(sheet[6][11..13], ["total latency(ms)", "=SUM(M5:M6)"]);
        assert_eq!(sheet[6][17], "=M7/(P7+(P7=0))");
    }

    #[test]
    fn what_is_sparse_or_unsupported_keeps_its_latency() {
        let (pruned, odd) = (matmul("pruned", 256, 256, 0.9), matmul("odd", 2, 256, 0.0));
        let sheet = profile(&[(&pruned, Some(1.0)), (&odd, Some(2.0))]);
        assert_eq!(sheet[3][10..], ["90.00%", "TRUE", "1.000000", "", "", "=M4"]);
        assert_eq!(sheet[4][10..], ["0.00%", "FALSE", "2.000000", "", "", "=M5"]);
    }

    #[test]
    fn names_are_data_and_every_row_has_its_columns() {
        let mut hostile = matmul("=cmd|'/c calc'!A1,\"\n", 256, 256, 0.0);
        let tensor = |name: &str| Tensor { name: name.into(), data_type: None, shape: None };
        hostile.inputs = vec![tensor("@x;y"), tensor("=1+1")];
        let sheet = profile(&[(&hostile, None)]);
        assert_eq!(sheet[3].len(), 16);
        assert_eq!(sheet[3][2], "'=cmd|'/c calc'!A1,\"\n");
        assert_eq!(sheet[3][3], "'@x;y;'=1+1");
        assert_eq!(sheet[3][12..], ["", "", "", ""]);
    }
}
