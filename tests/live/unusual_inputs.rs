//! Inputs that choose what a model computes, texts, and inputs of an open shape.

use crate::onnx_file::{
    self, FLOAT, INT64, Message, STRING, graph, graph_attribute, node, open_value, value,
    whole_numbers,
};
use crate::onnxruntime::{LEVELS, engine, summary};
use crate::onnxruntime_package::library;
use crate::program::{Finished, Place};
use std::io::Write;

/// A model of which one branch takes the shape of `x` only: where `sr` is 16000, or where it
/// is not.
fn switch(place: &Place, runs_if_equal: bool) -> String {
    let (fits, fails) = ([1, 2, 256], [1, 3, 256]);
    let (then, otherwise) = if runs_if_equal { (fits, fails) } else { (fails, fits) };
    let branch = |sizes: &str, to: &str| {
        let reshape = node("Reshape", &format!("reshape {to}"), &["x", sizes], &[to]);
        graph(vec![reshape], vec![open_value(to, FLOAT, None)])
    };
    let choose = node("If", "choose", &["equal"], &["y"])
        .message(5, graph_attribute("then_branch", branch("then", "a")))
        .message(5, graph_attribute("else_branch", branch("otherwise", "b")));
    let nodes = vec![node("Equal", "compare", &["sr", "rate"], &["equal"]), choose];
    let constants = vec![
        whole_numbers("rate", &[], &[16000]),
        whole_numbers("then", &[3], &then),
        whole_numbers("otherwise", &[3], &otherwise),
    ];
    let inputs = vec![value("x", FLOAT, &[1, 512]), value("sr", INT64, &[])];
    write(place, &format!("switch-{runs_if_equal}.onnx"), nodes, constants, inputs)
}

fn write(
    place: &Place,
    name: &str,
    nodes: Vec<Message>,
    constants: Vec<Message>,
    inputs: Vec<Message>,
) -> String {
    let sets = [("", 17), ("ai.onnx.ml", 2)];
    let outputs = vec![open_value("y", FLOAT, None)];
    let model = onnx_file::model_of(&sets, nodes, constants, inputs, outputs);
    place.write(name, &model).to_str().unwrap().to_string()
}

fn record(place: &Place, model: &str, more: &[&str]) -> Finished {
    let library = library();
    let short = ["--iterations", "2", "--warmup", "0", "--out", "out"];
    place.run(&[&["record", model][..], &short, &engine(&library), more].concat())
}

#[test]
fn an_input_that_chooses_is_what_the_model_compares_it_with() {
    for (runs_if_equal, chosen) in [(true, "16000"), (false, "16001")] {
        let place = Place::new();
        let starts = ["--starts", "3"];
        let recorded = record(&place, &switch(&place, runs_if_equal), &starts);
        assert_eq!(recorded.code, Some(0), "{recorded:?}");
        let model = &summary(&place, "out", LEVELS)["model"];
        let inputs = model["inputs"].to_string();
        assert!(inputs.contains(&format!("sr={chosen}")), "{inputs}");
        // Processes that measure starts run on the same.
        assert_eq!(model["starts"], 3, "{model}");
    }
}

#[test]
fn a_model_that_fails_on_inputs_that_are_made_up_says_so() {
    let place = Place::new();
    let nodes = vec![node("Reshape", "reshape", &["x", "sizes"], &["y"])];
    let constants = vec![whole_numbers("sizes", &[2], &[5, 5])];
    let model = write(&place, "model.onnx", nodes, constants, vec![value("x", FLOAT, &[4, 4])]);
    let failed = record(&place, &model, &[]);
    let expected = "hint: input `x` was made up, and may not suit the model; give values with \
                    --input x=FILE.npy\n";
    assert!(failed.code == Some(1) && failed.err.contains(expected), "{failed:?}");
    let library = library();
    let tuned = place.run(&["tune", &model, "--out", "tuned", "--engine-library", &library]);
    assert!(tuned.code == Some(1) && tuned.err.contains(expected), "{tuned:?}");
    let counted = place.run(&[&["flops", &model][..], &engine(&library)].concat());
    let elsewhere = "hint: input `x` was made up, and may not suit the model; onnxray record takes \
                     values: --input x=FILE.npy\n";
    assert!(counted.code == Some(1) && counted.err.contains(elsewhere), "{counted:?}");
}

#[test]
fn places_to_cut_at_leave_something_and_nothing_left_is_a_warning() {
    let place = Place::new();
    let nodes = vec![node("Slice", "slice", &["x", "from", "to"], &["y"])];
    let list = |name| value(name, INT64, &[1]);
    let inputs = vec![value("x", FLOAT, &[30]), list("from"), list("to")];
    let model = write(&place, "model.onnx", nodes, vec![], inputs);
    let recorded = record(&place, &model, &[]);
    assert!(recorded.code == Some(0) && !recorded.err.contains("without elements"), "{recorded:?}");
    let operators = summary(&place, "out", LEVELS)["operators"].to_string();
    assert!(operators.contains("30"), "{operators}");
    let nothing = place.write("nothing.npy", &list_of(&[0]));
    let nothing = format!("to={}", nothing.display());
    let recorded = record(&place, &model, &["--input", &nothing]);
    let expected = "warning: 1 operator has results without elements, so that little is computed: \
                    `slice`";
    assert!(recorded.err.contains(expected), "{recorded:?}");
    let refused = place.run(&["record", &model, "--iterations", "2"]);
    let expected = "the size of a result follows from values, which tract does not plan for \
                    (--engine onnxruntime runs it)";
    assert!(refused.code == Some(1) && refused.err.contains(expected), "{refused:?}");
}

/// A NumPy file of elements of a type.
fn array(descriptor: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
    let header =
        format!("{{'descr': '{descriptor}', 'fortran_order': False, 'shape': ({shape}), }}");
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(header.as_bytes());
    file.resize(127, b' ');
    file.push(b'\n');
    file.extend(elements);
    file
}

fn list_of(numbers: &[i64]) -> Vec<u8> {
    let elements: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    array("<i8", &format!("{},", numbers.len()), &elements)
}

/// Arrays under the names that NumPy gives them.
fn archive(arrays: &[Vec<u8>]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (number, array) in arrays.iter().enumerate() {
        archive.start_file(format!("arr_{number}.npy"), stored).unwrap();
        archive.write_all(array).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn a_sequence_is_the_arrays_of_a_file() {
    let place = Place::new();
    let tensor = Message::default().message(1, Message::default().number(1, FLOAT));
    let of_tensors = Message::default().message(4, Message::default().message(1, tensor));
    let sequence = Message::default().text(1, "xs").message(2, of_tensors);
    let axis = Message::default().text(1, "axis").number(3, 0).number(20, 2);
    let joined = node("ConcatFromSequence", "join", &["xs"], &["y"]).message(5, axis);
    let model = write(&place, "model.onnx", vec![joined], vec![], vec![sequence]);
    let asked = record(&place, &model, &[]);
    let hint = "hint: give them with --input xs=FILE.npz: its arrays, in their order\n";
    assert!(asked.code == Some(1) && asked.err.contains(hint), "{asked:?}");
    let floats = |count: usize| array("<f4", &format!("{count},"), &vec![0; 4 * count]);
    let given = |name: &str, arrays: &[Vec<u8>]| {
        let path = place.write(name, &archive(arrays));
        record(&place, &model, &["--input", &format!("xs={}", path.display())])
    };
    let recorded = given("two.npz", &[floats(2), floats(5)]);
    assert_eq!(recorded.code, Some(0), "{recorded:?}");
    let operators = summary(&place, "out", LEVELS)["operators"].to_string();
    assert!(operators.contains('7'), "as many elements as both have: {operators}");
    let other = given("whole.npz", &[list_of(&[1, 2])]);
    let reason = "whole.npz: holds an array of NumPy type '<i8', and `xs` is a sequence of fp32";
    assert!(other.code == Some(1) && other.err.contains(reason), "{other:?}");
    let nothing = given("nothing.npz", &[]);
    assert!(nothing.code == Some(1) && nothing.err.contains("no tensors"), "{nothing:?}");
}

#[test]
fn texts_are_made_up_or_come_from_files() {
    let place = Place::new();
    let texts = |name: &str, texts: &[&str]| {
        const STRINGS: u64 = 8;
        let list =
            texts.iter().fold(Message::default().text(1, name), |list, text| list.text(9, text));
        list.number(20, STRINGS)
    };
    const INTS: u64 = 7;
    let values = Message::default().text(1, "values_int64s").number(8, 1).number(8, 2);
    let encoder = node("LabelEncoder", "encode", &["x"], &["y"])
        .text(7, "ai.onnx.ml")
        .message(5, texts("keys_strings", &["a", "bé"]))
        .message(5, values.number(20, INTS));
    let outputs = vec![open_value("y", INT64, None)];
    let sets = [("", 17), ("ai.onnx.ml", 2)];
    let inputs = vec![value("x", STRING, &[3])];
    let model = onnx_file::model_of(&sets, vec![encoder], vec![], inputs, outputs);
    let model = place.write("model.onnx", &model).to_str().unwrap().to_string();
    assert_eq!(record(&place, &model, &[]).code, Some(0));
    let wide: Vec<u8> = ["a\0", "bé", "\0\0"]
        .iter()
        .flat_map(|text| text.chars())
        .flat_map(|letter| u32::from(letter).to_le_bytes())
        .collect();
    for (name, file) in [
        ("wide.npy", array("<U2", "3,", &wide)),
        ("bytes.npy", array("|S3", "3,", b"a\0\0b\xc3\xa9\0\0\0")),
    ] {
        let path = place.write(name, &file);
        let recorded = record(&place, &model, &["--input", &format!("x={}", path.display())]);
        assert_eq!(recorded.code, Some(0), "{recorded:?}");
    }
    let cut = place.write("cut.npy", &array("<U2", "3,", &wide[..20]));
    let refused = record(&place, &model, &["--input", &format!("x={}", cut.display())]);
    assert!(refused.code == Some(1) && refused.err.contains("cut.npy"), "{refused:?}");
}

#[test]
fn an_input_of_an_open_shape_has_that_of_its_file() {
    let place = Place::new();
    let nodes = vec![node("Abs", "abs", &["x"], &["y"])];
    let model = write(&place, "open.onnx", nodes, vec![], vec![open_value("x", FLOAT, None)]);
    record(&place, &model, &[]).failed(
        "error: input `x` has no declared shape\n\
         hint: give its values with --input x=FILE.npy: it takes the shape of the file\n",
    );
    let file = place.write("x.npy", &array("<f4", "2, 3", &[0; 24]));
    let recorded = record(&place, &model, &["--input", &format!("x={}", file.display())]);
    assert_eq!(recorded.code, Some(0), "{recorded:?}");
    // Free dimensions are as in the file as well.
    let nodes = vec![node("Abs", "abs", &["x"], &["y"])];
    let inputs = vec![open_value("x", FLOAT, Some(&["batch", "length"]))];
    let named = write(&place, "named.onnx", nodes, vec![], inputs);
    let recorded = record(&place, &named, &["--input", &format!("x={}", file.display())]);
    assert_eq!(recorded.code, Some(0), "{recorded:?}");
    assert_eq!(place.figures("out")["model"]["batch_size"], 2);
}

#[test]
fn data_that_is_not_there_is_named() {
    let place = Place::new();
    let entry = |key: &str, value: &str| Message::default().text(1, key).text(2, value);
    let weight = Message::default()
        .number(1, 16)
        .number(1, 8)
        .number(2, FLOAT)
        .text(8, "w")
        .messages(13, [entry("location", "nothere.bin"), entry("length", "512")])
        .number(14, 1);
    let nodes = vec![node("MatMul", "fc", &["x", "w"], &["y"])];
    let model = write(&place, "model.onnx", nodes, vec![weight], vec![value("x", FLOAT, &[3, 16])]);
    let expected = format!(
        "error: {model}: the data of `w`, `nothere.bin`, is missing: it belongs beside the model\n"
    );
    place.run(&["record", &model]).failed(&expected);
    assert!(record(&place, &model, &[]).err.contains(&expected));
}
