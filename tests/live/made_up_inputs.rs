//! Inputs that are made up, for operators that take few values.

use crate::onnx_file::{self, FLOAT, INT64, node, value};
use crate::onnxruntime::{LEVELS, engine, summary};
use crate::onnxruntime_package::library;
use crate::program::Place;

/// An input: its name, its type and its shape.
type Input = (&'static str, u64, &'static [u64]);

#[test]
fn inputs_that_are_made_up_are_valid_for_the_operators_that_read_them() {
    let (place, library) = (Place::new(), library());
    // Each reads an input of its own that takes few values: a size, a step, an axis, a place.
    let cases: [(&str, &[Input]); 12] = [
        ("OneHot", &[("places", INT64, &[4]), ("depth", INT64, &[]), ("levels", FLOAT, &[2])]),
        ("Expand", &[("small", FLOAT, &[3, 1]), ("shape", INT64, &[2])]),
        ("Tile", &[("tile", FLOAT, &[3, 2]), ("repeats", INT64, &[2])]),
        ("TopK", &[("scores", FLOAT, &[1, 5]), ("k", INT64, &[1])]),
        ("Reshape", &[("long", FLOAT, &[2, 3, 4]), ("sizes", INT64, &[2])]),
        ("Unsqueeze", &[("flat", FLOAT, &[7]), ("new", INT64, &[3])]),
        ("Squeeze", &[("thin", FLOAT, &[5, 1, 2]), ("old", INT64, &[1])]),
        ("Div", &[("dividend", INT64, &[9]), ("divisor", INT64, &[9])]),
        ("Range", &[("first", INT64, &[]), ("end", INT64, &[]), ("step", INT64, &[])]),
        ("ReduceSum", &[("summed", FLOAT, &[2, 2, 2]), ("axes", INT64, &[2])]),
        ("ScatterND", &[("old", FLOAT, &[1, 3]), ("at", INT64, &[1, 2]), ("by", FLOAT, &[1])]),
        ("Split", &[("whole", FLOAT, &[7]), ("parts", INT64, &[2])]),
    ];
    let (mut nodes, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    for (operator_type, read) in cases {
        let names = read.iter().map(|(name, ..)| format!("{operator_type} {name}"));
        let names: Vec<String> = names.collect();
        let made = names.iter().zip(read);
        inputs.extend(made.map(|(name, (_, element, shape))| value(name, *element, shape)));
        let written = [format!("{operator_type} y"), format!("{operator_type} z")];
        let written = &written[..if ["TopK", "Split"].contains(&operator_type) { 2 } else { 1 }];
        let [names, written] = [&names[..], written]
            .map(|names| -> Vec<&str> { names.iter().map(String::as_str).collect() });
        nodes.push(node(operator_type, operator_type, &names, &written));
        let element = if ["Div", "Range"].contains(&operator_type) { INT64 } else { FLOAT };
        outputs.push(value(written[0], element, &[]));
    }
    let path = place.write("model.onnx", &onnx_file::model(nodes, vec![], inputs, outputs));
    for seed in ["1", "2", "3"] {
        let length = ["--iterations", "2", "--warmup", "0", "--unprofiled-iterations", "0"];
        let model = ["record", path.to_str().unwrap(), "--out", "out", "--seed", seed];
        place.succeed(&[&model[..], &length, &engine(&library)].concat());
        let report = summary(&place, "out", LEVELS);
        let operators = report["operators"].as_array().unwrap();
        for (operator_type, _) in cases {
            assert!(operators.iter().any(|row| row["type"] == operator_type), "{operator_type}");
        }
    }
}
