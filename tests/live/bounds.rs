//! What is bounded, whatever a model or an input file claims: time, memory, what is read.

use crate::onnx_file::{
    BOOL, FLOAT, INT64, Message, floats, graph, graph_attribute, model as onnx, node, value,
};
use crate::program::{
    Finished, Place, finished, fixture_file, json, model, program, without_terminal,
};
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the program with this many megabytes of address space.
fn limited(place: &Place, megabytes: u32, arguments: &[&str]) -> Finished {
    let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes * 1000);
    let mut command = Command::new("bash");
    command.args(["-c", &script, program()]).args(arguments).current_dir(place.path(""));
    command.env("LC_ALL", "C").env_remove("RUST_BACKTRACE").stdin(Stdio::null());
    without_terminal(&mut command);
    finished(command.output().unwrap())
}

fn square(name: &str) -> Message {
    value(name, FLOAT, &[2, 2])
}

/// What a trace of another engine and this model give.
fn summary(place: &Place, model: &str) -> Finished {
    let trace = fixture_file("onnxruntime/1.31.1/chain.json").display().to_string();
    place.run(&["summary", &trace, "--model", model, "--level", "model"])
}

#[test]
fn a_node_that_needs_its_own_result_is_refused() {
    let place = Place::new();
    let product = || node("MatMul", "product", &["x", "a"], &["y"]);
    let inputs = || vec![square("x"), value("flag", BOOL, &[])];
    let body = |reads: &str| {
        let inner = node("Identity", "inner", &[reads], &["b"]);
        graph_attribute("then_branch", graph(vec![inner], vec![square("b")]))
    };
    let branch = |reads: &str| node("If", "if", &["flag"], &["a"]).message(5, body(reads));
    let inside =
        vec![node("Identity", "first", &["d"], &["c"]), node("Identity", "second", &["c"], &["d"])];
    let circle = graph_attribute("then_branch", graph(inside, vec![square("c")]));
    for (name, nodes, at) in [
        ("itself", vec![node("Identity", "self", &["a"], &["a"]), product()], "self"),
        (
            "two",
            vec![
                node("Identity", "i", &["b"], &["a"]),
                node("Transpose", "t", &["a"], &["b"]),
                product(),
            ],
            "i",
        ),
        ("through-a-body", vec![branch("a"), product()], "if"),
        (
            "in-a-body",
            vec![node("If", "if", &["flag"], &["a"]).message(5, circle), product()],
            "first",
        ),
    ] {
        let file = format!("{name}.onnx");
        place.write(&file, &onnx(nodes, vec![], inputs(), vec![square("y")]));
        let expected = format!(
            "error: {file}: not a whole ONNX model: node `{at}` needs its own result to compute it\n"
        );
        for finished in [
            summary(&place, &file),
            place.run(&["flops", &file]),
            place.run(&["record", &file]),
            place.run(&["record", &file, "--against", &file]),
        ] {
            assert!(finished.err.contains(&expected), "{name}: {}", finished.err);
            assert_eq!(finished.code, Some(1));
        }
    }
    // Nodes may stand in any order, and a branch may read what is around it.
    let sorted = vec![product(), branch("x")];
    place.write("sorted.onnx", &onnx(sorted, vec![], inputs(), vec![square("y")]));
    assert_eq!(summary(&place, "sorted.onnx").code, Some(0));
}

/// A model whose weight lies in another file.
fn with_external_data(location: &str) -> Vec<u8> {
    let entry = |key: &str, value: &str| Message::default().text(1, key).text(2, value);
    let weight = Message::default()
        .number(1, 2)
        .number(1, 2)
        .number(2, FLOAT)
        .text(8, "w")
        .message(13, entry("location", location))
        .number(14, 1);
    let product = node("MatMul", "product", &["x", "w"], &["y"]);
    onnx(vec![product], vec![weight], vec![square("x")], vec![square("y")])
}

#[test]
fn external_data_is_a_file_in_the_models_folder() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("model/folder")).unwrap();
    let pipe = Command::new("mkfifo").arg(place.path("model/pipe")).status();
    assert!(pipe.unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", place.path("model/device")).unwrap();
    place.write("outside", &[0; 16]);
    place.write("model/inside", &[0; 16]);
    let outside = place.path("outside").display().to_string();
    for (location, reason) in [
        ("pipe", "is not a file"),
        ("device", "is not a file"),
        ("folder", "is not a file"),
        ("", "is not a file"),
        ("../outside", "is not in the folder of the model"),
        (&outside, "is not in the folder of the model"),
    ] {
        place.write("model/m.onnx", &with_external_data(location));
        let expected = format!("error: model/m.onnx: the data of `w`, `{location}`, {reason}\n");
        for finished in [
            summary(&place, "model/m.onnx"),
            place.run(&["flops", "model/m.onnx"]),
            place.run(&["record", "model/m.onnx"]),
        ] {
            assert_eq!((finished.code, finished.err.as_str()), (Some(1), expected.as_str()));
        }
    }
    place.write("model/m.onnx", &with_external_data("inside"));
    place.succeed(&["record", "model/m.onnx", "--iterations", "2"]);
    let operators = place.succeed(&[
        "flops",
        "model/m.onnx",
        "--level",
        "operator",
        "--all",
        "--format",
        "json",
    ]);
    assert_eq!(json(&operators)["operators"][0]["sparse_ratio_1x1"], 1.0, "{operators}");
}

#[test]
fn a_model_is_a_regular_file() {
    let place = Place::new();
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    for path in ["pipe", "/dev/zero"] {
        for finished in
            [summary(&place, path), place.run(&["flops", path]), place.run(&["record", path])]
        {
            let expected = format!(
                "error: {path}: not a regular file\n\
                 hint: a model is read several times; write it to a file first\n"
            );
            assert_eq!((finished.code, finished.err), (Some(1), expected));
        }
    }
    let sparse = std::fs::File::create(place.path("large.onnx")).unwrap();
    sparse.set_len(3 << 30).unwrap();
    let finished = limited(&place, 1000, &["flops", "large.onnx"]);
    assert!(finished.err.contains("an ONNX file has at most 2.15 GB"), "{}", finished.err);
    assert!(finished.err.contains("this one has 3.22 GB"), "{}", finished.err);
}

#[test]
fn constants_are_not_copied_for_each_body() {
    let place = Place::new();
    const BRANCHES: usize = 800;
    const CONSTANTS: usize = 3000;
    let constant = |number: usize| format!("constant {number} with a name of usual length");
    let body = |number: usize, part: &str| {
        let output = format!("{part}{number}");
        let inner = node("Identity", &format!("n{output}"), &["x"], &[&output]);
        graph(vec![inner], vec![square(&output)])
    };
    let branch = |number: usize| {
        node("If", &format!("if{number}"), &["flag"], &[&format!("y{number}")])
            .message(5, graph_attribute("then_branch", body(number, "then")))
            .message(5, graph_attribute("else_branch", body(number, "else")))
    };
    let bytes = onnx(
        (0..BRANCHES).map(branch).collect(),
        (0..CONSTANTS).map(|number| floats(&constant(number), &[1], &[1.0])).collect(),
        vec![square("x"), value("flag", BOOL, &[])],
        vec![square("y0")],
    );
    place.write("model.onnx", &bytes);
    // A copy each would take more than a gigabyte.
    let trace = fixture_file("onnxruntime/1.31.1/chain.json").display().to_string();
    for arguments in [
        &["flops", "model.onnx"][..],
        &["summary", &trace, "--model", "model.onnx"],
        &["record", "model.onnx", "--iterations", "1"],
    ] {
        let finished = limited(&place, 600, arguments);
        assert_eq!(finished.code, Some(0), "{}", finished.err);
    }
}

#[test]
fn inputs_beyond_the_memory_are_refused() {
    let place = Place::new();
    let relu = || node("Relu", "r", &["x"], &["y"]);
    for (size, bytes) in [(1u64 << 33, "34.4 GB"), (400_000_000, "1.60 GB")] {
        let shape = [size];
        let ends = |name| vec![value(name, FLOAT, &shape)];
        place.write("model.onnx", &onnx(vec![relu()], vec![], ends("x"), ends("y")));
        let finished = limited(&place, 3000, &["record", "model.onnx"]);
        let expected = format!(
            "error: the inputs take {bytes}, and as much again in the engine, but there are 3.07 GB of memory\n\
             hint: the largest is `x` of shape {size}\n"
        );
        assert_eq!((finished.code, finished.err), (Some(1), expected));
        assert!(!place.path("engine_profiling").exists());
        // Nothing is allocated for what is only counted.
        assert_eq!(limited(&place, 3000, &["flops", "model.onnx"]).code, Some(0));
    }
    let scan = model("scan");
    let finished = limited(&place, 3000, &["record", &scan, "--dim", "frames=99999999"]);
    assert!(finished.err.starts_with("error: the inputs take 25.6 GB, "), "{}", finished.err);
    assert!(finished.err.contains("hint: the largest is `signal` of shape 99999999x1x64\n"));
}

/// A NumPy file of this many 32-bit floats, of which `data` are there.
fn array(shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
}

/// A compressed archive of one array of zeros behind `header`.
fn archive(place: &Place, name: &str, header: &[u8], megabytes: u32) {
    let file = std::fs::File::create(place.path(name)).unwrap();
    let mut archive = zip::ZipWriter::new(file);
    archive.start_file("x.npy", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(header).unwrap();
    for _ in 0..megabytes {
        archive.write_all(&[0; 1_000_000]).unwrap();
    }
    archive.finish().unwrap();
}

#[test]
fn arrays_are_read_as_far_as_the_model_goes() {
    let place = Place::new();
    let relu = node("Relu", "r", &["x"], &["y"]);
    place.write("m.onnx", &onnx(vec![relu], vec![], vec![square("x")], vec![square("y")]));
    place.write("claims.npy", &array("(1099511627776,)", &[0; 100]));
    place.write("fits.npy", &array("(2, 2)", &[0; 16]));
    place.write("more.npy", &array("(2, 2)", &[0; 17]));
    place.write("less.npy", &array("(2, 2)", &[0; 15]));
    // A header that says it is as long as the address space.
    place.write("header.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'");
    archive(&place, "claims.npz", &array("(500000000,)", &[]), 1);
    archive(&place, "expands.npz", &array("(2, 2)", &[]), 900);
    let mismatch = |actual: &str| format!("input `x` should be fp32 of shape 2x2, but {actual}");
    for (file, expected) in [
        ("claims.npy", mismatch("claims.npy holds shape 1099511627776")),
        ("claims.npz", mismatch("claims.npz holds shape 500000000")),
        ("more.npy", "more.npy: there is more after the array".to_string()),
        ("expands.npz", "expands.npz: there is more after the array".to_string()),
        ("less.npy", "less.npy: reached EOF before reading all data".to_string()),
        (
            "header.npy",
            "header.npy: its header has 4294967295 bytes; at most 10000 are read".to_string(),
        ),
    ] {
        let input = format!("x={file}");
        let finished = limited(&place, 600, &["record", "m.onnx", "--input", &input]);
        let expected = format!("error: {expected}\n");
        assert_eq!((finished.code, finished.err.as_str()), (Some(1), expected.as_str()));
    }
    let good = limited(&place, 600, &["record", "m.onnx", "--input", "x=fits.npy"]);
    assert_eq!(good.code, Some(0), "{}", good.err);
}

fn sizes(name: &str, sizes: &[i64]) -> Message {
    let raw: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
    Message::default().number(1, sizes.len() as u64).number(2, INT64).text(8, name).bytes(9, &raw)
}

#[test]
fn sizes_that_the_engine_cannot_count_to_are_refused() {
    let place = Place::new();
    let (one, huge) = (|name| value(name, FLOAT, &[1]), || sizes("size", &[1 << 40]));
    let constant = || floats("c", &[1], &[1.0]);
    for (operator_type, input) in [("Expand", "x"), ("Expand", "c"), ("Tile", "x")] {
        let made = node(operator_type, "made", &[input, "size"], &["y"]);
        let bytes = onnx(vec![made], vec![constant(), huge()], vec![one("x")], vec![one("y")]);
        place.write("model.onnx", &bytes);
        let expected = format!(
            "{operator_type} `made` makes an axis of 1099511627776 elements, and 2147483647 are the most\n"
        );
        for command in ["record", "flops"] {
            let finished = place.run(&[command, "model.onnx"]);
            assert_eq!(finished.code, Some(1), "{}", finished.err);
            assert!(finished.err.ends_with(&expected), "{}", finished.err);
        }
        let shapes = summary(&place, "model.onnx");
        assert!(shapes.err.contains("FLOPs of the model are unknown: "), "{}", shapes.err);
    }
    // What it can count to is more than there is.
    let made = node("Expand", "made", &["x", "size"], &["y"]);
    let constants = vec![sizes("size", &[2_000_000_000])];
    place.write("model.onnx", &onnx(vec![made], constants, vec![one("x")], vec![one("y")]));
    let finished = limited(&place, 3000, &["record", "model.onnx"]);
    let expected = "error: the model fails in operator `made` (Expand): \
                    there is no memory for a tensor of 8.00 GB\n";
    assert_eq!(finished.code, Some(1));
    assert!(finished.err.starts_with(expected), "{}", finished.err);
}

#[test]
fn a_model_without_work_is_no_recording() {
    let place = Place::new();
    let constant = || floats("c", &[2, 2], &[1.0; 4]);
    for work in [node("Neg", "n", &["c"], &["y"]), node("Identity", "n", &["x"], &["y"])] {
        let bytes = onnx(vec![work], vec![constant()], vec![square("x")], vec![square("y")]);
        place.write("model.onnx", &bytes);
        for more in [&[][..], &["--launches", "2"], &["--against", "model.onnx"]] {
            let finished = place.run(&[&["record", "model.onnx"], more].concat());
            assert_eq!((finished.code, finished.out.as_str()), (Some(1), ""), "{}", finished.err);
            assert!(finished.err.contains("there is nothing to record: tract computes the whole"));
            assert!(!place.path("engine_profiling").exists(), "{more:?}");
        }
        let flops = place.run(&["flops", "model.onnx"]);
        assert_eq!(flops.code, Some(0));
        assert!(
            flops.err.contains("note: tract executes none of the model's nodes: "),
            "{}",
            flops.err
        );
    }
}

#[test]
fn an_order_of_axes_that_is_none_is_refused() {
    let place = Place::new();
    for order in [[0, 0], [1, 1], [0, 2], [1, u64::MAX]] {
        let axes = Message::default().text(1, "perm").number(8, order[0]).number(8, order[1]);
        let turned = node("Transpose", "t", &["x"], &["y"]).message(5, axes.number(20, 7));
        place.write("m.onnx", &onnx(vec![turned], vec![], vec![square("x")], vec![square("y")]));
        let finished = limited(&place, 3000, &["record", "m.onnx"]);
        let expected = "error: tract cannot load the model: Transpose `t` states an order of axes that is none: ";
        assert!(finished.err.starts_with(expected), "{}", finished.err);
        assert_eq!(finished.code, Some(1));
        let shapes = summary(&place, "m.onnx");
        assert!(shapes.err.contains("FLOPs of the model are unknown: "), "{}", shapes.err);
    }
}
