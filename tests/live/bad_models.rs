//! What `record` says to models that it cannot run, word by word, and what becomes of odd ones.

use crate::numpy_file::two_numbers;
use crate::onnx_file::{
    BOOL, FLOAT, INT64, Message, floats, graph as onnx_graph, graph_attribute, model as onnx, node,
    value,
};
use crate::program::{Place, json, model};
use std::fs;

#[test]
fn models_that_are_missing_or_no_models() {
    let place = Place::new();
    place.write("notes.onnx", b"just some text, not a model at all");
    place.write("empty.onnx", b"");
    fs::create_dir(place.path("folder.onnx")).unwrap();
    let record = |path: &str| place.run(&["record", path]);
    record("gone.onnx").failed(
        "error: gone.onnx: No such file or directory (os error 2); the .onnx files there are \
         empty.onnx, notes.onnx\n",
    );
    record("folder.onnx").failed("error: folder.onnx: is a folder, not an ONNX file\nhint: name the .onnx file; `onnxray summary FOLDER` shows a recording\n");
    record("empty.onnx").failed(
        "error: empty.onnx: not a whole ONNX model: it holds no graph\n\
         hint: the file has 0 bytes; is it an .onnx file, and was it copied completely?\n",
    );
    let text = record("notes.onnx");
    assert!(text.err.starts_with("error: notes.onnx: not a whole ONNX model: "), "{}", text.err);
    assert_eq!(text.code, Some(1));
    assert!(!place.path("engine_profiling").exists(), "a failed run leaves nothing behind");
}

#[test]
fn a_model_cut_anywhere_is_an_error_and_no_crash() {
    let place = Place::new();
    let whole = fs::read(model("scan")).unwrap();
    for part in [1, 2, 10, 100, 1000, 20_000, whole.len() - 1] {
        place.write("cut.onnx", &whole[..part]);
        let finished = place.run(&["record", "cut.onnx", "--dim", "frames=4"]);
        assert_eq!(finished.code, Some(1), "{part}: {finished:?}");
        assert!(
            finished.err.starts_with("error: cut.onnx: not a whole ONNX model: "),
            "{part}: {}",
            finished.err
        );
        assert!(finished.err.contains(&format!("the file has {part} bytes")));
    }
}

#[test]
fn operators_that_the_engine_does_not_know_are_named_with_their_node() {
    let place = Place::new();
    let square = &[2, 2];
    let bytes = onnx(
        vec![
            node("Loop", "/decoder/Loop", &["x"], &["y"]),
            node("FancyOp", "/fancy", &["y"], &["z"]),
        ],
        vec![],
        vec![value("x", FLOAT, square)],
        vec![value("z", FLOAT, square)],
    );
    place.write("model.onnx", &bytes);
    place.run(&["record", "model.onnx"]).failed(
        "error: tract 0.23.9 cannot run operator type Loop (node `/decoder/Loop`), operator type FancyOp \
         (node `/fancy`)\nhint: ONNX Runtime has more operator types: --engine onnxruntime\n",
    );
}

#[test]
fn an_operator_that_fails_is_named() {
    let place = Place::new();
    let bytes = onnx(
        vec![node("Gather", "/embedding/Gather", &["table", "ids"], &["y"])],
        vec![floats("table", &[4, 2], &[0.0; 8])],
        vec![value("ids", INT64, &[2])],
        vec![value("y", FLOAT, &[2, 2])],
    );
    place.write("model.onnx", &bytes);
    place.write("ids.npy", &two_numbers(1, 99));
    let finished = place.run(&["record", "model.onnx", "--input", "ids=ids.npy"]);
    assert!(
        finished
            .err
            .starts_with("error: the model fails in operator `/embedding/Gather` (Gather): "),
        "{}",
        finished.err
    );
    assert_eq!(finished.code, Some(1));
    assert!(!place.path("engine_profiling").exists(), "nothing was recorded, nothing stays");
    // Random ids stay inside the table.
    place.succeed(&["record", "model.onnx", "--iterations", "3"]);
}

#[test]
fn dimensions_that_are_missing_unknown_or_fixed() {
    let place = Place::new();
    let (encoder, scan) = (model("encoder"), model("scan"));
    place.run(&["record", &encoder]).failed(
        "error: dimension `sequence` of inputs `input_ids`, `attention_mask` and `token_type_ids` needs a size\n\
         hint: give it with --dim sequence=SIZE\n",
    );
    place.run(&["record", &encoder, "--dim", "seq=4"]).failed(&format!(
        "error: {encoder} has no free dimension `seq`\nhint: did you mean `sequence`?\n"
    ));
    place.run(&["record", &scan, "--dim", "frames=4", "--batch-size", "8"]).failed(
        "error: the model has no free dimension that could be its batch, and a batch of 8 was asked for\n\
         hint: leave --batch-size out, and give free dimensions a size with --dim\n",
    );
    let usage = place.run(&["record", &encoder, "--dim", "sequence"]);
    assert_eq!(usage.code, Some(2));
    assert!(usage.err.contains("expected NAME=SIZE, such as sequence=128"), "{}", usage.err);
}

#[test]
fn a_batch_size_is_given_once() {
    let place = Place::new();
    let cnn = model("cnn");
    place.run(&["record", &cnn, "--batch-size", "4", "--dim", "batch=8"]).failed(
        "error: the batch size is given twice: --batch-size 4 and --dim batch=8\n\
         hint: leave one of them out\n",
    );
}

#[test]
fn folders_that_cannot_be_written_fail_before_the_run() {
    let place = Place::new();
    place.write("file", b"");
    let finished = place.run(&["record", &model("cnn"), "--out", "file/out"]);
    finished.failed(
        "error: file: cannot create the folder: it is a file, and a folder is needed here\n",
    );
    place
        .run(&["record", &model("cnn"), "--report", "nowhere/report.xlsx"])
        .failed("error: nowhere: cannot write there: No such file or directory (os error 2)\n");
}

/// Names that would be a formula, markup, a path or a command somewhere.
const HOSTILE: [&str; 7] = [
    "=HYPERLINK(\"http://x\",\"y\")",
    "a,b;c\"d'e",
    "line\nbreak\r\ttab",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "\u{1b}[31mred\u{7}",
    "@SUM(1+1)*cmd|' /C calc'!A0",
];

#[test]
fn names_are_data_everywhere() {
    let place = Place::new();
    let mut nodes = Vec::new();
    for (index, name) in HOSTILE.iter().enumerate() {
        let input = if index == 0 { "+x" } else { HOSTILE[index - 1] };
        // Tensors bear the names too.
        nodes.push(node("MatMul", name, &[input, "-w"], &[name]));
    }
    let last = HOSTILE[HOSTILE.len() - 1];
    let bytes = onnx(
        nodes,
        vec![floats("-w", &[2, 2], &[1.0, 0.0, 0.0, 1.0])],
        vec![value("+x", FLOAT, &[2, 2])],
        vec![value(last, FLOAT, &[2, 2])],
    );
    place.write("model.onnx", &bytes);
    place.succeed(&[
        "record",
        "model.onnx",
        "--iterations",
        "3",
        "--name",
        "=1+1",
        "--report",
        "report.xlsx",
    ]);

    let all = |format: &str| {
        place.succeed(&[
            "summary",
            "engine_profiling",
            "--all",
            "--level",
            "operator,type",
            "--format",
            format,
        ])
    };
    let names: Vec<String> = json(&all("json"))["operators"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap().to_string())
        .collect();
    for name in HOSTILE {
        assert!(names.iter().any(|found| found == name), "{name:?} in {names:?}");
    }
    let terminal = all("table");
    assert!(!terminal.chars().any(|letter| letter.is_control() && letter != '\n'), "{terminal:?}");
    assert!(terminal.contains("\\u{1b}[31mred"));
    let markdown = all("markdown");
    assert!(!markdown.contains("<script>") && markdown.contains("&lt;script&gt;"));

    let csv = place.succeed(&[
        "summary",
        "engine_profiling",
        "--all",
        "--level",
        "operator",
        "--format",
        "csv",
    ]);
    let profile = fs::read_to_string(&place.tables("engine_profiling")[0]).unwrap();
    for (table, own_formulas) in [(csv, false), (profile, true)] {
        let mut rows = csv::ReaderBuilder::new()
            .flexible(true)
            .has_headers(false)
            .from_reader(table.as_bytes());
        for cell in rows
            .records()
            .flat_map(|row| row.unwrap().iter().map(str::to_string).collect::<Vec<_>>())
        {
            let formula = cell.starts_with(['=', '+', '@']);
            let ours = own_formulas
                && ["=(N", "=M", "=P", "=SUM(", "=SUMPRODUCT("].iter().any(|f| cell.starts_with(f));
            assert!(!formula || ours, "{cell:?}");
        }
    }
    assert!(!place.path("etc").exists() && place.traces("engine_profiling").len() == 1);
    crate::formulas::no_formula_but_ours(&place.path("report.xlsx"));
}

#[test]
fn nodes_may_share_a_name_or_have_none() {
    let place = Place::new();
    let bytes = onnx(
        vec![
            node("Relu", "same", &["x"], &["a"]),
            node("Tanh", "same", &["a"], &["b"]),
            node("Sigmoid", "", &["b"], &["same"]),
        ],
        vec![],
        vec![value("x", FLOAT, &[2, 2])],
        vec![value("same", FLOAT, &[2, 2])],
    );
    place.write("model.onnx", &bytes);
    place.succeed(&["record", "model.onnx", "--iterations", "3"]);
    let text = place.succeed(&[
        "summary",
        "engine_profiling",
        "--level",
        "operator",
        "--sort",
        "execution",
        "--format",
        "json",
    ]);
    let operators = json(&text)["operators"].as_array().unwrap().clone();
    let types: Vec<&str> = operators.iter().map(|row| row["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["Relu", "Tanh", "Sigmoid"]);
    let flops: Vec<f64> = operators.iter().map(|row| row["flops"].as_f64().unwrap()).collect();
    assert_eq!(flops, [4.0, 4.0, 4.0]);
}

#[test]
fn sizes_that_fit_no_memory_are_refused() {
    let place = Place::new();
    place.run(&["record", &model("scan"), "--dim", "frames=9223372036854775807"]).failed(
        "error: input `signal` of shape 9223372036854775807x1x64 is too large: an input has at most \
         8589934592 elements\n",
    );
    let zero = place.run(&["record", &model("scan"), "--dim", "frames=0"]);
    assert_eq!(zero.code, Some(2));
    assert!(zero.err.contains("a dimension of size 0 holds nothing to run"), "{}", zero.err);
}

#[test]
fn a_branch_that_is_not_taken_is_known_but_never_runs() {
    let place = Place::new();
    let branch = |operator_type: &str, name: &str, output: &str| {
        onnx_graph(
            vec![node(operator_type, name, &["x"], &[output])],
            vec![value(output, FLOAT, &[2, 2])],
        )
    };
    let axis = Message::default().text(1, "axis").number(3, 0).number(20, 2);
    let choice = |name: &str, output: &str| {
        let then = format!("{name}/then/Relu");
        let otherwise = format!("{name}/else/Tanh");
        node("If", name, &["flag"], &[output])
            .message(5, graph_attribute("then_branch", branch("Relu", &then, "t")))
            .message(5, graph_attribute("else_branch", branch("Tanh", &otherwise, "e")))
    };
    let bytes = onnx(
        vec![
            choice("/choose", "a"),
            choice("/choose_again", "b"),
            node("Concat", "/join", &["a", "b"], &["y"]).message(5, axis),
        ],
        vec![],
        vec![value("flag", BOOL, &[1]), value("x", FLOAT, &[2, 2])],
        vec![value("y", FLOAT, &[4, 2])],
    );
    place.write("model.onnx", &bytes);
    place.succeed(&["record", "model.onnx", "--iterations", "3"]);
    let text = place.succeed(&["summary", "engine_profiling", "--all", "--format", "json"]);
    let summary = json(&text);
    let row = |name: &str| {
        let rows = summary["operators"].as_array().unwrap();
        rows.iter()
            .find(|row| row["name"] == name)
            .unwrap_or_else(|| panic!("{name} in {rows:?}"))
            .clone()
    };
    // Random inputs hold true for every truth value.
    assert_eq!(row("/choose/then/Relu")["executions"], 1.0);
    assert_eq!(row("/choose/else/Tanh")["executions"], 0.0);
    assert_eq!(
        row("/choose/else/Tanh")["output_shapes"],
        "2x2",
        "its facts are known all the same"
    );
    assert_eq!(row("/choose")["type"], "If");
    assert_eq!(summary["model"]["flops_unknown"], 0);
    assert_eq!(summary["model"]["flops"], 8.0, "of two branches");
}
