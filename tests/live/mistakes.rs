//! What people get wrong at first about recording, one row each, as in
//! `tests/offline/cases/mistakes`.

use crate::onnx_file::{FLOAT, model as onnx, node, value};
use crate::program::{Place, model};
use std::fs;

/// A NumPy file of one number, of 64 bits.
fn a_double() -> Vec<u8> {
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3, 96, 96), }";
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(header.bytes());
    file.resize(127, b' ');
    file.push(b'\n');
    file.resize(file.len() + 8 * 3 * 96 * 96, 0);
    file
}

#[test]
fn every_mistake_says_what_to_do_next() {
    let place = Place::new();
    fs::copy(model("cnn"), place.path("cnn.onnx")).unwrap();
    fs::copy(model("scan"), place.path("scan.onnx")).unwrap();
    place.write("image.npy", &a_double());
    place.write("page.html", b"<!DOCTYPE html><html><body>hello</body></html>");
    place.write("trace.json", b"{\"traceEvents\":[]}");
    place.write("pointer.onnx", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
    let custom = onnx(
        vec![node("FooOp", "", &["x"], &["y"])],
        vec![],
        vec![value("x", FLOAT, &[2, 2])],
        vec![value("y", FLOAT, &[2, 2])],
    );
    place.write("custom.onnx", &custom);
    fs::create_dir(place.path("empty")).unwrap();
    let rows: [(&[&str], i32, &[&str]); 25] = [
        (&["cnn.onnx", "--batch-sizes", "1,2"], 2, &["`onnxray sweep --batch-sizes 1,2` takes"]),
        (&["cnn.onnx", "--ort", "denormals=1"], 2, &["`denormals` is neither", "spinning"]),
        (&["cnn.onx"], 1, &["cnn.onx: No such file or directory", "did you mean cnn.onnx?"]),
        (&["cnn.onnx", "--input", "image=imge.npy"], 1, &["did you mean image.npy?"]),
        (&["cnn.onnx", "--input", "imag=image.npy"], 1, &["did you mean `image`?"]),
        (&["cnn.onnx", "scan.onnx"], 2, &["to record two models: --against scan.onnx"]),
        (
            &["cnn.onnx", "--against", "scan.onnx", "--fail-above", "3%"],
            2,
            &["onnxray compare A B --fail-above 3% gates recordings"],
        ),
        (&["cnn.onnx", "--until=1%"], 2, &["--until needs a second recording: --against MODEL"]),
        (&["cnn.onnx", "--against-name", "b"], 2, &["--against-name needs a second recording"]),
        (
            &["cnn.onnx", "--against", "scan.onnx", "--until=3"],
            2,
            &["'3' is ambiguous: write 3% or 0.03"],
        ),
        (
            &["cnn.onnx", "--against", "scan.onnx", "--until=1"],
            2,
            &["'1' is ambiguous: write 1% or 100%"],
        ),
        // The length is fine, and the model is missing.
        (&["cnn.onx", "--duration=1m"], 1, &["did you mean cnn.onnx?"]),
        (
            &["cnn.onnx", "--duration=soon"],
            2,
            &["is not a duration above 0 such as 90s, 10m or 1h"],
        ),
        (&["cnn.onnx", "--iterations", "many"], 2, &["expected a whole number of at least 1"]),
        (&["cnn.onnx", "--threads", "0"], 2, &["expected a whole number from 1 to 1024"]),
        (&["cnn.onnx", "--optimization", "basic"], 2, &["--engine onnxruntime"]),
        (&["page.html"], 1, &["not an ONNX file but an HTML page", "the model's .onnx file"]),
        (&["trace.json"], 1, &["not an ONNX file but JSON", "`onnxray summary FILE` reads traces"]),
        (&["pointer.onnx"], 1, &["a Git LFS pointer; `git lfs pull` fetches the file"]),
        (&["custom.onnx"], 1, &["cannot run operator type FooOp", "--engine onnxruntime"]),
        (
            &["cnn.onnx", "--input", "image=image.npy"],
            1,
            &["holds elements of NumPy type '<f8'; convert it with a.astype('float32')"],
        ),
        (
            &["cnn.onnx", "--engine", "ort", "--engine-library", "empty"],
            1,
            &["empty: cannot be used as ONNX Runtime", "in it, lib, capi, onnxruntime/capi"],
        ),
        (
            &["cnn.onnx", "--engine", "ONNXRuntime", "--engine-library", "empty"],
            1,
            &["empty: cannot be used as ONNX Runtime"],
        ),
        (&["cnn.onnx", "--engine-library", "emty", "--engine", "ort"], 1, &["did you mean empty?"]),
        (&["cnn.onnx", "--engine", "tensorrt"], 2, &["possible values: tract, onnxruntime"]),
    ];
    for (arguments, code, says) in rows {
        let done = place.run(&[&["record"], arguments].concat());
        assert_eq!(done.code, Some(code), "{arguments:?}\n{}", done.err);
        for part in says {
            assert!(done.err.contains(part), "{arguments:?} does not say {part:?}:\n{}", done.err);
        }
        let usage = done.err.lines().find(|line| line.starts_with("Usage: "));
        let expected = "Usage: onnxray record [OPTIONS] <MODEL>";
        assert!(usage.is_none_or(|usage| usage == expected), "{}", done.err);
    }
    assert!(!place.path("engine_profiling").exists(), "nothing was recorded");
    let swept = place.run(&["sweep", "cnn.onnx", "--batch-sizes", "1-4"]);
    assert_eq!(swept.code, Some(2));
    assert!(swept.err.contains("with commas between them, such as 1,2,4"), "{}", swept.err);
}

#[test]
fn options_that_are_called_otherwise_are_named() {
    let place = Place::new();
    let rows: [(&[&str], &str); 4] = [
        (&["tune", "a.onnx", "--budget"], "--budget is an option of flops, project, not of tune"),
        (
            &["sweep", "a.onnx", "--launches", "3"],
            "--launches is of record, project; sweep calls it --rounds",
        ),
        (&["mix", "a.onnx", "b.onnx", "-o", "m.onnx"], "the mix is written with --write m.onnx"),
        (
            &["mix", "a.onnx", "b.onnx", "--report", "x.html"],
            "name the file of the mix with --write",
        ),
    ];
    for (arguments, said) in rows {
        let ended = place.run(arguments);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ended.err.contains(said) && !ended.err.contains("as a value"), "{}", ended.err);
    }
}

#[test]
fn models_that_nothing_would_compare_are_told_before_they_run() {
    let place = Place::new();
    let [cnn, int8, lstm] = ["cnn", "cnn-int8", "lstm"].map(model);
    let record = |other: &str, more: &[&str]| {
        let short = ["--iterations", "2", "--warmup", "0", "--launches", "1"];
        let done =
            place.run(&[&["record", &cnn, "--against", other][..], &short[..], more].concat());
        assert_eq!(done.code, Some(0), "{}", done.err);
        done.err
    };
    let said = record(&lstm, &["--dim", "sequence=8"]);
    let warning = said.lines().next().unwrap();
    assert!(warning.starts_with("warning: ") && warning.contains("different models"), "{said}");
    assert!(warning.contains("--allow-model-mismatch"), "{said}");
    assert!(!record(&int8, &[]).contains("different models"));
}

#[test]
fn what_is_written_otherwise_is_named() {
    let place = Place::new();
    fs::create_dir(place.path("my models")).unwrap();
    for name in ["cnn.onnx", "int8.onnx", "my models/cnn.onnx"] {
        fs::copy(model("cnn"), place.path(name)).unwrap();
    }
    let rows = [
        ("record cnn.onnx --duration 30 ms", 2, "tip: write --duration 30ms"),
        ("record --duration 30 ms cnn.onnx", 2, "tip: write --duration 30ms"),
        ("sweep cnn.onnx --latency-threshold 30 ms", 2, "tip: write --latency-threshold 30ms"),
        ("record --dim batch 8 cnn.onnx", 2, "tip: write --dim batch=8"),
        ("record cnn.onnx --batch-size 1 8", 2, "onnxray sweep --batch-sizes 1,8 takes several"),
        ("sweep cnn.onnx --batch-size 1 8", 2, "tip: write --batch-size 1,8"),
        (
            "record cnn.onnx --against-options --threads 2",
            2,
            "tip: quote it: --against-options '--threads 2'",
        ),
        ("record my models/cnn.onnx", 2, "tip: quote it: 'my models/cnn.onnx'"),
        (
            "record --pin cnn.onnx",
            2,
            "tip: --pin takes the next word: onnxray record cnn.onnx --pin",
        ),
        ("record cnn.onnx --dim batch=4,8", 2, "onnxray sweep --dim batch=4,8 takes several"),
        ("record cnn.onnx --dim batch=4 --dim batch=8", 2, "--dim batch has two sizes, 4 and 8"),
        ("record cnn.onnx --input x=a.npy --input x=b.npy", 2, "--input x has two files"),
        ("record cnn.onnx -o a.html -o b.html", 2, "tip: a run writes one file"),
        ("reocrd cnn.onnx", 2, "a similar subcommand exists: 'record'"),
        ("optimize cnn.onnx", 2, "tip: write onnxray tune MODEL.onnx"),
        ("quantize cnn.onnx", 2, "judge A.onnx B.onnx compares with one"),
        ("tune cnn.onnx --for speed", 2, "tip: write --for latency"),
        ("sweep cnn.onnx --out folder", 2, "sweep calls it --profiles"),
        ("record cnn.onnx --iter 10", 2, "tip: write --iterations N"),
        ("record -n 10 cnn.onnx", 2, "tip: write --iterations N"),
        ("record --onnx=cnn.onnx", 2, "the model has no option: onnxray record MODEL.onnx"),
        ("record cnn.onnx -d CPU", 2, "tip: write --engine onnxruntime --provider NAME"),
        ("record cnn.onnx --shapes=image:1x3x96x96", 2, "tip: write --dim NAME=SIZE"),
        ("record cnn.onnx int8.onnx third.onnx", 2, "onnxray sweep takes any number"),
        ("record cnn.onnx --name=", 2, "a value is required for '--name <NAME>'"),
        ("record cnn.onnx --iterations -5", 2, "expected a whole number of at least 1"),
        ("record cnn.onnx --duration -3s", 2, "is not a duration above 0"),
        ("record cnn.onnx --seed abc", 2, "expected a whole number"),
        ("mix cnn.onnx int8.onnx --max-loss -1", 2, "expected a number from 0 on"),
        ("sweep cnn.onnx --precision 1", 2, "'1' is ambiguous: write 1% or 100%"),
        ("record -", 1, "write it to a file first"),
        ("record .", 1, ".: is a folder, not an ONNX file\nhint: name the .onnx file"),
        (
            "record cnn.onnx --engine onnxruntime",
            1,
            "ORT_DYLIB_PATH names it, and: No such file or directory",
        ),
    ];
    for (words, code, said) in rows {
        let ended = place.run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!((ended.code, ended.out.as_str()), (Some(code), ""), "{words}\n{}", ended.err);
        assert!(ended.err.contains(said), "{words} does not say {said:?}:\n{}", ended.err);
    }
    let stray = place.run(&["record", "cnn.onnx", "nosuch"]).err;
    assert!(!stray.contains("tip:"), "{stray}");
}

#[test]
fn columns_that_no_table_has_are_refused_before_anything_is_measured() {
    let place = Place::new();
    let path = model("cnn");
    for command in ["sweep", "tune", "sensitivity"] {
        let refused = place.run(&[command, &path, "--columns", "nosuch"]);
        assert_eq!(refused.code, Some(1), "{command}: {}", refused.err);
        assert!(refused.err.contains("no column `nosuch`"), "{command}: {}", refused.err);
        let files: Vec<_> = std::fs::read_dir(place.path("")).unwrap().collect();
        assert!(files.is_empty(), "{command}: {files:?}");
    }
}
