//! Which axis is the batch, and which is not: throughput, and what `--batch-size` does.

use crate::onnx_file::{self, FLOAT, Message, floats, node, open_value, value, whole_numbers};
use crate::program::Place;

/// A convolution of an image, or of frames, to which the model adds the batch.
fn image(place: &Place) -> String {
    let nodes = vec![
        node("Unsqueeze", "add", &["x", "first"], &["u"]),
        node("Conv", "conv", &["u", "w"], &["y"]),
    ];
    let constants =
        vec![floats("w", &[4, 3, 3, 3], &[0.5; 108]), whole_numbers("first", &[1], &[0])];
    let inputs = vec![value("x", FLOAT, &[3, 8, 8])];
    write(place, "image.onnx", nodes, constants, inputs)
}

fn frames(place: &Place) -> String {
    let transpose = |name: &str, from: &str, to: &str| {
        let order = Message::default().text(1, "perm").number(8, 0).number(8, 2).number(8, 1);
        node("Transpose", name, &[from], &[to]).message(5, order.number(20, 7))
    };
    let nodes = vec![
        node("Unsqueeze", "add", &["x", "first"], &["u"]),
        transpose("to", "u", "t"),
        node("Conv", "conv", &["t", "w"], &["c"]),
        transpose("back", "c", "y"),
    ];
    let constants = vec![floats("w", &[5, 10, 3], &[0.5; 150]), whole_numbers("first", &[1], &[0])];
    let inputs = vec![open_value("x", FLOAT, Some(&["?", "10"]))];
    write(place, "frames.onnx", nodes, constants, inputs)
}

fn write(
    place: &Place,
    name: &str,
    nodes: Vec<Message>,
    constants: Vec<Message>,
    inputs: Vec<Message>,
) -> String {
    let outputs = vec![open_value("y", FLOAT, None)];
    let path = place.write(name, &onnx_file::model(nodes, constants, inputs, outputs));
    path.to_str().unwrap().to_string()
}

const SHORT: [&str; 6] = ["--iterations", "3", "--warmup", "0", "--out", "out"];

/// Batch, and items per iteration, of a model that is recorded.
fn recorded(place: &Place, model: &str, more: &[&str]) -> (Option<u64>, Option<f64>) {
    place.succeed(&[&["record", model], &SHORT[..], more].concat());
    let figures = &place.figures("out")["model"];
    std::fs::remove_dir_all(place.path("out")).unwrap();
    let rate = figures["throughput_iterations_per_second"].as_f64().unwrap();
    let items = figures["throughput_items_per_second"].as_f64().map(|items| (items / rate).round());
    (figures["batch_size"].as_u64(), items)
}

#[test]
fn channels_and_time_are_no_batch() {
    let place = Place::new();
    assert_eq!(recorded(&place, &image(&place), &[]), (Some(1), Some(1.0)));
    let lstm = vec![node("LSTM", "lstm", &["x", "w", "r"], &["y"])];
    let constants =
        vec![floats("w", &[1, 16, 8], &[0.1; 128]), floats("r", &[1, 16, 4], &[0.1; 64])];
    let hidden = onnx_file::whole_attribute("hidden_size", 4);
    let lstm = lstm.into_iter().map(|node| node.message(5, hidden.clone())).collect();
    let sequence = vec![value("x", FLOAT, &[20, 2, 8])];
    let sequence = write(&place, "sequence.onnx", lstm, constants, sequence);
    assert_eq!(recorded(&place, &sequence, &[]), (Some(2), Some(2.0)));
    // Nothing tells what it is.
    let plain = vec![node("Abs", "abs", &["x"], &["y"])];
    let unknown = write(&place, "unknown.onnx", plain, vec![], vec![value("x", FLOAT, &[6, 4])]);
    assert_eq!(recorded(&place, &unknown, &[]), (None, None));
    assert_eq!(recorded(&place, &unknown, &["--batch-size", "6"]), (Some(6), Some(6.0)));
}

#[test]
fn a_free_first_axis_that_is_no_batch_is_asked_for() {
    let place = Place::new();
    let frames = frames(&place);
    place.run(&["record", &frames]).failed(
        "error: dimension `x.0` of input `x` needs a size\nhint: give it with --dim x.0=SIZE\n",
    );
    assert_eq!(recorded(&place, &frames, &["--dim", "x.0=12"]), (Some(1), Some(1.0)));
    let refused = place.run(&["record", &frames, "--dim", "x.0=12", "--batch-size", "4"]);
    assert!(refused.err.starts_with("error: the model's batch size is fixed to 1"), "{refused:?}");
}

#[test]
fn a_free_first_axis_of_which_nothing_is_known_is_the_batch_if_the_user_says_so() {
    let place = Place::new();
    let plain = vec![node("Abs", "abs", &["x"], &["y"])];
    let inputs = vec![open_value("x", FLOAT, Some(&["?", "4"]))];
    let open = write(&place, "open.onnx", plain, vec![], inputs);
    assert_eq!(recorded(&place, &open, &[]), (None, None));
    assert_eq!(recorded(&place, &open, &["--dim", "x.0=8"]), (None, None));
    assert_eq!(recorded(&place, &open, &["--batch-size", "8"]), (Some(8), Some(8.0)));
}

#[test]
fn dimensions_that_are_formulas_are_computed() {
    let place = Place::new();
    let nodes = vec![
        node("Concat", "all", &["past", "x"], &["c"])
            .message(5, onnx_file::whole_attribute("axis", 1)),
        node("Mul", "mul", &["c", "mask"], &["y"]),
    ];
    let inputs = vec![
        open_value("x", FLOAT, Some(&["batch", "seq", "8"])),
        open_value("past", FLOAT, Some(&["batch", "past_seq", "8"])),
        open_value("mask", FLOAT, Some(&["batch", "past_seq + seq", "1"])),
    ];
    let model = write(&place, "sum.onnx", nodes, vec![], inputs);
    let sizes = ["--dim", "seq=4", "--dim", "past_seq=5"];
    assert_eq!(recorded(&place, &model, &sizes), (Some(1), Some(1.0)));
    let error = place.run(&["record", &model]).err;
    assert!(error.contains("--dim seq=SIZE --dim past_seq=SIZE\n"), "{error}");
    let contradicted = [&["record", &model], &sizes[..], &["--dim", "past_seq + seq=8"]].concat();
    place.run(&contradicted).failed(
        "error: dimension `past_seq + seq` is 9 with past_seq=5 and seq=4, and --dim gives it 8\n\
         hint: leave one of them out\n",
    );
    let half = vec![node("Mul", "mul", &["x", "h"], &["y"])];
    let inputs = vec![
        open_value("x", FLOAT, Some(&["1", "seq / 2"])),
        open_value("h", FLOAT, Some(&["1", "seq / 2"])),
    ];
    let half = write(&place, "half.onnx", half, vec![], inputs);
    recorded(&place, &half, &["--dim", "seq=6"]);
    recorded(&place, &half, &["--dim", "seq / 2=3"]);
    let odd = place.run(&["record", &half, "--dim", "seq=7"]).err;
    assert!(
        odd.starts_with("error: dimension `seq / 2` is not a whole number with seq=7"),
        "{odd}"
    );
}
