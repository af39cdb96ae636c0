//! Small models that say that they are huge, or that name files which are not theirs: nothing
//! outside is opened, no memory is taken for what is only claimed, and files of the user stay.

use crate::onnx_file::{FLOAT, INT64, Message, floats, model, node, value};
use crate::program::{Place, fixture_file};
use std::fs::{self, File};
use std::process::Command;

fn integers(name: &str, values: &[i64]) -> Message {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    Message::default().number(1, values.len() as u64).number(2, INT64).text(8, name).bytes(9, &raw)
}

/// A model of a few bytes whose constant `big` is what the node makes of `one` and `sizes`.
fn folding(operator_type: &str, sizes: &[i64]) -> Vec<u8> {
    let nodes = vec![
        node(operator_type, "big", &["one", "sizes"], &["big"]),
        node("ReduceSum", "sum", &["big"], &["total"]),
        node("Add", "add", &["x", "total"], &["y"]),
    ];
    let constants = vec![floats("one", &[1], &[1.0]), integers("sizes", sizes)];
    model(nodes, constants, vec![value("x", FLOAT, &[1])], vec![value("y", FLOAT, &[1])])
}

#[test]
fn what_an_engine_folds_has_a_bound() {
    let place = Place::new();
    // The process ends, or the engine says of a tensor that there is no room for it.
    let says_why = |text: &str| {
        text.contains("its constants take more memory to fold than a model of its size needs")
            || text.contains("there is no memory for a tensor of ")
    };
    let trace = fixture_file("onnxruntime/1.31.1/cnn.json").display().to_string();
    let huge = 1_000_000_000_000;
    for (operator_type, sizes) in
        [("Pad", &[0, huge][..]), ("Expand", &[500_000_000]), ("Tile", &[500_000_000])]
    {
        place.write("model.onnx", &folding(operator_type, sizes));
        let counted = place.run(&["flops", "model.onnx"]);
        assert_eq!(counted.code, Some(1), "{operator_type}: {counted:?}");
        assert!(says_why(&counted.err), "{operator_type}: {}", counted.err);
        let read = place.run(&["summary", &trace, "--model", "model.onnx"]);
        assert_eq!(read.code, Some(0), "{operator_type}: {read:?}");
        assert!(says_why(&read.err), "{operator_type}: {}", read.err);
    }
    // What runs a model takes what the model asks for, and outlives its end.
    place.write("model.onnx", &folding("Pad", &[0, huge]));
    let swept = place.run(&["sweep", "model.onnx", "--profiles", "swept", "--iterations", "1"]);
    assert_eq!(swept.code, Some(1), "{swept:?}");
    assert!(swept.err.contains("no configuration can be measured; model-t1-i1: "), "{swept:?}");
    // What a model of this size may need is there.
    place.write("model.onnx", &folding("Expand", &[1_000_000]));
    place.succeed(&["flops", "model.onnx"]);
}

/// A constant of one number, stored elsewhere.
fn stored_in(place: &str, more: &[(&str, &str)]) -> Message {
    let entry = |key: &str, value: &str| Message::default().text(1, key).text(2, value);
    let entries = more.iter().map(|(key, value)| entry(key, value));
    let message = Message::default().number(1, 1).number(2, FLOAT).text(8, "one");
    message.message(13, entry("location", place)).messages(13, entries).number(14, 1)
}

fn adding(constant: Message) -> Vec<u8> {
    let nodes = vec![node("Add", "add", &["x", "one"], &["y"])];
    model(nodes, vec![constant], vec![value("x", FLOAT, &[1])], vec![value("y", FLOAT, &[1])])
}

#[test]
fn external_data_has_the_size_that_its_tensor_has() {
    let place = Place::new();
    // A hole, which takes no room on the disk.
    File::create(place.path("hole.bin")).unwrap().set_len(200 << 30).unwrap();
    place.write("short.bin", &[0; 3]);
    // Of a tensor that states no length, its type and shape do.
    place.write("model.onnx", &adding(stored_in("hole.bin", &[])));
    place.succeed(&["flops", "model.onnx"]);
    let other = "has another length than the type and the shape of the tensor come to";
    let number = "has an offset or a length that is not a number";
    for (file, more, reason) in [
        ("hole.bin", &[("length", "214748364800")][..], other),
        ("hole.bin", &[("length", "0")], other),
        ("hole.bin", &[("offset", "214748364800")], "ends before the tensor does"),
        ("hole.bin", &[("offset", "18446744073709551615")], "ends before the tensor does"),
        ("hole.bin", &[("offset", "-4")], number),
        ("hole.bin", &[("length", "four")], number),
        ("short.bin", &[], "ends before the tensor does"),
    ] {
        place.write("model.onnx", &adding(stored_in(file, more)));
        for command in [&["flops", "model.onnx"][..], &["record", "model.onnx"]] {
            let error = format!("error: model.onnx: the data of `one`, `{file}`, {reason}\n");
            place.run(command).failed(&error);
        }
    }
}

#[test]
fn sparse_constants_are_no_way_out_of_the_folder() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("pipe")).status().unwrap();
    assert!(made.success());
    for (file, reason) in [
        ("pipe", "is not a file"),
        ("/etc/passwd", "is not in the folder of the model"),
        ("../outside", "is not in the folder of the model"),
    ] {
        let values = stored_in(file, &[]);
        let sparse = Message::default().message(1, values).message(2, integers("at", &[0]));
        let sparse = sparse.number(3, 1);
        let graph = Message::default()
            .message(1, node("Add", "add", &["x", "one"], &["y"]))
            .text(2, "graph")
            .message(11, value("x", FLOAT, &[1]))
            .message(12, value("y", FLOAT, &[1]))
            .message(15, sparse);
        let set = Message::default().text(1, "").number(2, 17);
        let bytes = Message::default().number(1, 8).message(7, graph).message(8, set).into_bytes();
        place.write("a.onnx", &bytes);
        place.write("b.onnx", &adding(floats("one", &[1], &[1.0])));
        let error = format!("error: a.onnx: the data of `one`, `{file}`, {reason}\n");
        place.run(&["mix", "a.onnx", "b.onnx", "--write", "m.onnx"]).failed(&error);
        place.run(&["flops", "a.onnx"]).failed(&error);
    }
}

#[test]
fn a_mix_replaces_no_file_of_the_user() {
    let place = Place::new();
    let bytes = adding(floats("one", &[1], &[1.0]));
    fs::create_dir_all(place.path("mix/renamed")).unwrap();
    for name in ["a.onnx", "b.onnx", "mix/mixed.onnx"] {
        place.write(name, &bytes);
    }
    let error = "error: mix/mixed.onnx: is an input of this command; choose another name\n";
    place.run(&["mix", "mix/mixed.onnx", "b.onnx", "--write", "m.onnx"]).failed(error);
    fs::remove_file(place.path("mix/mixed.onnx")).unwrap();
    for name in ["mix/mixed.onnx", "mix/nodes_to_exclude.json", "mix/renamed/b.onnx"] {
        let own = place.write(name, b"mine");
        let error = format!("error: {name}: already exists; use --force to replace it\n");
        place.run(&["mix", "a.onnx", "b.onnx", "--write", "m.onnx"]).failed(&error);
        assert_eq!(fs::read(&own).unwrap(), b"mine");
        fs::remove_file(own).unwrap();
    }
}
