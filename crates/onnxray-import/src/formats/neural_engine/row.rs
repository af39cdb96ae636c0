//! What a line of the operator table says, wherever its fields stand.

use super::tensors::CSV;
use crate::text::number::decimal;
use onnxray_format::Tensor;
use onnxray_format::profile_csv::{OperatorColumns, TensorColumns, joined};
use onnxray_text::csv_text::unmarked;

/// Columns from the weight's shape on.
const BEHIND_WEIGHT: usize = 7;
pub(crate) const COLUMNS: usize = 16;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) kind: String,
    pub(crate) post_op: String,
    pub(crate) name: String,
    pub(crate) inputs: Vec<Tensor>,
    pub(crate) outputs: Vec<Tensor>,
    pub(crate) weight_shape: Option<Vec<u64>>,
    /// Share of zero blocks, from 0 to 1.
    pub(crate) sparse_ratio: Option<f64>,
    /// `None` if the field is empty.
    pub(crate) sparse_support: Option<bool>,
    /// A field that could not be understood.
    pub(crate) unreadable: Option<&'static str>,
    /// As it is written.
    pub(crate) latency: String,
    /// Whether something follows the latency, so that it is not cut.
    pub(crate) whole: bool,
    /// Whether fields stood in other columns than their own.
    pub(crate) slid: bool,
}

/// Reads a line; `None` if it is not a row of the table.
pub(crate) fn row(fields: &[String]) -> Option<Row> {
    let field = |column: usize| fields.get(column).map_or("", String::as_str);
    let places = OperatorColumns::of(fields)?;
    let name = places.name(fields);
    let tensors = |list: Option<TensorColumns>, kind: &str| match list {
        Some(TensorColumns { names, shapes, types }) => {
            let shapes: Vec<&str> = shapes.iter().map(String::as_str).collect();
            let tensors = CSV.tensors(&joined(fields, names), &types, &shapes, kind);
            // Fewer is usual: scalars are left out.
            let is_clear =
                shapes.len() <= tensors.len() || tensors.iter().any(|t| t.shape.is_some());
            (tensors, is_clear)
        }
        None => (Vec::new(), true),
    };
    let (inputs, inputs_are_clear) = tensors(places.inputs, "input");
    let (outputs, outputs_are_clear) = tensors(places.outputs, "output");
    let weight = places.weight;
    let weight_shape = CSV.shape(field(weight)).filter(|shape| !shape.is_empty());
    let sparse_ratio = share(field(weight + 1));
    // onnxray says `unknown`. Some systems swallow the sign of a percentage, see there.
    let unsure = |text: &str| {
        matches!(text, "" | "unknown") || number(text).is_some_and(|n| n > 0.0 && n <= 1.0)
    };
    let behind = fields.get(weight + BEHIND_WEIGHT..).unwrap_or_default();
    let latency = field(weight + 3);
    // The result in the place of the ratio, and no target: a separator before it is lost.
    let is_short = fields.len() == weight + BEHIND_WEIGHT - 1
        && field(weight + 4).is_empty()
        && !field(weight + 5).is_empty();
    let unreadable = if behind.iter().any(|field| !field.is_empty()) {
        Some("more fields than columns")
    } else if is_short {
        Some("fewer fields than columns")
    } else if !(inputs_are_clear && outputs_are_clear) {
        Some("more shapes than tensors")
    } else if weight_shape.is_none() && !field(weight).is_empty() {
        Some("the shape of the weight")
    } else if sparse_ratio.is_none() && !unsure(field(weight + 1)) {
        Some("the ratio of the weight")
    } else if !latency.is_empty() && number(latency).is_none_or(|latency| latency < 0.0) {
        Some("the latency")
    } else if !is_word(field(weight + 2)) {
        Some("whether sparse kernels apply")
    } else {
        None
    };
    Some(Row {
        kind: unmarked(field(0)).into_owned(),
        post_op: unmarked(field(1)).into_owned(),
        name,
        inputs,
        outputs,
        weight_shape,
        sparse_ratio,
        unreadable,
        sparse_support: truth(field(weight + 2)),
        latency: latency.to_string(),
        whole: fields.len() > weight + 4,
        slid: places.slid,
    })
}

/// A number as the spreadsheet that the CSV was saved by writes it.
pub(crate) fn number(text: &str) -> Option<f64> {
    decimal(text).filter(|number| number.is_finite())
}

/// `65.60%`. Without the sign, which some systems swallow, numbers up to 1 may
/// be shares as well as percents, and only 0 is sure.
fn share(text: &str) -> Option<f64> {
    let share = match text.strip_suffix('%') {
        Some(percent) => number(percent)?,
        None => number(text).filter(|&percent| percent == 0.0 || percent > 1.0)?,
    };
    (0.0..=100.0).contains(&share).then_some(share / 100.0)
}

/// A word of any language, or a number that stands for one.
fn is_word(text: &str) -> bool {
    text.chars().all(char::is_alphabetic) || matches!(text, "0" | "1")
}

/// `true` in the spreadsheet's language; the Neural Engine never writes `false`.
fn truth(text: &str) -> Option<bool> {
    let no = ["false", "falsch", "faux", "falso", "onwaar", "0"];
    match text.to_lowercase().as_str() {
        "" => None,
        text => Some(!no.contains(&text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Row {
        let fields: Vec<String> = line.split(',').map(|field| field.trim().to_string()).collect();
        row(&fields).unwrap_or_else(|| panic!("no row: {line}"))
    }

    fn names(tensors: &[Tensor]) -> String {
        tensors.iter().map(|tensor| tensor.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(line: &str, name: &str, inputs: &str, outputs: &str, latency: &str) {
        let row = read(line);
        assert_eq!(row.name, name);
        assert_eq!(names(&row.inputs), inputs);
        assert_eq!(names(&row.outputs), outputs);
        assert_eq!(row.latency, latency);
    }

    #[test]
    fn slid_rows_find_their_columns() {
        check(
            "Reshape,,R,x:0;s:0,1024x256;fp32;s32,r:0,8x128,fp32,,,,0.002, ,,0.002",
            "R",
            "x:0 s:0",
            "r:0",
            "0.002",
        );
        check("Abs,,A,x:0,fp32,y:0,fp32,,,,0.003, ,,0.003", "A", "x:0", "y:0", "0.003");
        check("Range,,G,y:0,4x4,s32,,,,0.004, ,,0.004", "G", "", "y:0", "0.004");
        check(
            "Add,sum,A,x:0;b:0,4x4;4,fp32;fp32,y:0,4x4,fp32,,,,0.005, ,,0.005",
            "A",
            "x:0 b:0",
            "y:0",
            "0.005",
        );
    }

    #[test]
    fn names_with_commas_are_put_together() {
        check(
            "Add,,a,b,x,1:0;y:0,4;4,fp32;fp32,a,b:0,4,fp32,,,,0.005, ,,0.005",
            "a,b",
            "x,1:0 y:0",
            "a,b:0",
            "0.005",
        );
        check("Add,,a,b,x:0,4,fp32,o,p:0,4,fp32,,,,0.005, ,,0.005", "a,b", "x:0", "o,p:0", "0.005");
    }

    /// A digit in the place of the comma behind the latency would make it longer.
    #[test]
    fn a_lost_separator_is_said() {
        let whole = "Abs,,A,x:0,,fp32,y:0,,fp32,,,FALSE,0.000250,,,=M4";
        assert_eq!(read(whole).unreadable, None);
        let lost = whole.replace("0.000250,,,", "0.0002503,,");
        assert_eq!(read(&lost).unreadable, Some("fewer fields than columns"));
        // Results of a spreadsheet, and rows that end earlier.
        let lost = lost.replace("=M4", "0.00025");
        assert_eq!(read(&lost).unreadable, Some("fewer fields than columns"));
        assert_eq!(read(whole.trim_end_matches(",,,=M4")).unreadable, None);
    }

    #[test]
    fn scalars_are_scalars() {
        let row = read("Reshape,,R,x:0;s:0,1024x256;fp32;s32,r:0,8x128,fp32,,,,0.002, ,,0.002");
        assert!(row.slid && row.whole);
        assert_eq!(row.inputs[0].shape, Some(vec![1024, 256]));
        assert_eq!(row.inputs[1].shape, Some(vec![]));
        let row = read("Abs,,A,x:0,,fp32,y:0,,fp32,,,FALSE,0.003000,,,=M4");
        assert!(!row.slid);
        assert_eq!((row.inputs[0].shape.clone(), row.sparse_support), (Some(vec![]), Some(false)));
    }

    #[test]
    fn numbers_of_spreadsheets() {
        assert_eq!(number("0,075"), Some(0.075));
        assert_eq!(number("1.234,5"), Some(1234.5));
        assert_eq!(number("1,234.5"), Some(1234.5));
        assert_eq!(number("=SUM(M5:M8)"), None);
        assert_eq!(share("12,50%"), Some(0.125));
        assert_eq!((share("60.00"), share("0.90"), share("0.00")), (Some(0.6), None, Some(0.0)));
        assert_eq!((truth("WAHR"), truth("TRUE"), truth("")), (Some(true), Some(true), None));
    }
}
