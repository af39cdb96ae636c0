//! A folder is data: nothing in it runs because a command was given there, and nothing is added
//! to what its links lead to. An engine that ends its process, or never returns, is not success.

use crate::onnx_file::{self, FLOAT, INT64, Message, node, value};
use crate::onnxruntime::engine;
use crate::onnxruntime_package;
use crate::program::{Place, fixture_file, json, model};
use crate::script::Script;
use crate::sweep::{points, sweep, swept};
use serde_json::{Value, json as object};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

/// A library that is taken for ONNX Runtime until it is loaded.
fn library(place: &Place, name: &str, when_loaded: &str) -> PathBuf {
    let source = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n\
         const char *what = \"OrtGetApiBase VERS_1.22.1\";\n\
         void *OrtGetApiBase(void) {{ return 0; }}\n\
         __attribute__((constructor)) static void begin(void) {{ {when_loaded} }}\n"
    );
    let source = place.write("library.c", source.as_bytes());
    let library = place.path(name);
    fs::create_dir_all(library.parent().unwrap()).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).args([&library, &source]);
    assert!(compiler.status().unwrap().success());
    library
}

#[test]
fn nothing_of_the_current_folder_is_run_to_find_a_library() {
    let place = Place::new();
    let ran = place.path("ran");
    let leaves = format!("fclose(fopen({:?}, \"w\"));", ran.display().to_string());
    library(&place, "onnxruntime/capi/libonnxruntime.so.1.22.1", &leaves);
    place.write("onnxruntime/__init__.py", b"");
    let python = format!("open({:?}, 'w')\n", ran.display().to_string());
    for module in ["importlib", "site", "sitecustomize", "usercustomize"] {
        place.write(&format!("{module}.py"), python.as_bytes());
    }
    let shell = format!("#!/bin/sh\n: > {:?}\n", ran.display().to_string());
    let program = place.write("python3", shell.as_bytes());
    let executable = Command::new("chmod").arg("+x").arg(program).status().unwrap();
    assert!(executable.success());
    let path = std::env::var("PATH").unwrap();
    for first in ["", ":", ".:"] {
        let arguments = ["record", &model("cnn"), "--engine", "onnxruntime", "--iterations", "1"];
        let mut command = place.command(&arguments);
        // Whether it is installed elsewhere is another matter.
        command.env("PATH", format!("{first}{path}")).output().unwrap();
        assert!(!ran.exists(), "{first:?}");
    }
}

#[test]
fn a_pipe_among_recordings_is_not_waited_for() {
    let place = Place::new();
    for folder in ["out/profiling_trace", "out/profiling_csv"] {
        fs::create_dir_all(place.path(folder)).unwrap();
    }
    let pipe = place.path("out/profiling_trace/profiling_x.json");
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    // A draft, whose trace would say whether somebody writes it still.
    place.write("out/profiling_csv/.profiling_x.csv", b"");
    place.succeed(&["record", &model("cnn"), "--iterations", "2", "--out", "out"]);
}

#[test]
fn nothing_is_recorded_through_a_link() {
    let place = Place::new();
    fs::create_dir_all(place.path("out")).unwrap();
    fs::create_dir_all(place.path("elsewhere")).unwrap();
    symlink(place.path("elsewhere"), place.path("out/profiling_trace")).unwrap();
    let refused = place.run(&["record", &model("cnn"), "--iterations", "2", "--out", "out"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    let reason = "out/profiling_trace: cannot create the folder: it is a link, and nothing is \
                  written through one";
    assert!(refused.err.contains(reason), "{}", refused.err);
    assert_eq!(fs::read_dir(place.path("elsewhere")).unwrap().count(), 0);
}

#[test]
fn what_is_no_file_is_not_read_for_a_library() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("pipe")).status().unwrap();
    assert!(made.success());
    for library in ["/dev/zero", "pipe"] {
        let record = ["record", &model("cnn"), "--iterations", "1"];
        let refused = place.run(&[&record[..], &engine(library)].concat());
        assert_eq!(refused.code, Some(1), "{refused:?}");
        let reason = "cannot be used as ONNX Runtime: it is not a regular file";
        assert!(refused.err.contains(reason), "{}", refused.err);
    }
}

#[test]
fn what_the_engine_says_does_not_command_the_terminal() {
    let (place, library) = (Place::new(), onnxruntime_package::library());
    let index = Message::default().number(1, 1).number(2, INT64).text(8, "i").bytes(9, &[7; 8]);
    let name = "\u{1b}]0;title\u{7}\u{1b}[2Jnode";
    let nodes = vec![node("Gather", name, &["x", "i"], &["y"])];
    let (x, y) = (value("x", FLOAT, &[2]), value("y", FLOAT, &[1]));
    let bytes = onnx_file::model(nodes, vec![index], vec![x], vec![y]);
    let path = place.write("model.onnx", &bytes);
    let record = ["record", path.to_str().unwrap(), "--iterations", "1"];
    let failed = place.run(&[&record[..], &engine(&library)].concat());
    assert_eq!(failed.code, Some(1), "{failed:?}");
    let said = "Non-zero status code returned while running Gather node";
    assert!(failed.err.contains(&format!("the model fails: {said}")), "{}", failed.err);
    assert_eq!(failed.err.matches(said).count(), 1, "{}", failed.err);
    assert!(failed.err.contains("\\u{1b}[2Jnode"), "{}", failed.err);
    let is_unprofiled = |text: &str| text.chars().all(|c| !c.is_control() || c == '\n');
    assert!(is_unprofiled(&failed.err) && is_unprofiled(&failed.out), "{:?}", failed.err);
}

#[test]
fn an_engine_that_ends_its_process_fails_the_command() {
    let place = Place::new();
    let library = library(&place, "engine.so", "exit(0);");
    let library = library.to_str().unwrap();
    let path = model("cnn");
    let commands: [&[&str]; 4] = [
        &["record", &path, "--iterations", "1"],
        &["record", &path, "--iterations", "1", "--against", &path],
        &["flops", &path],
        &["sensitivity", &path, "--sparsities", "0.5"],
    ];
    for command in commands {
        let ended = place.run(&[command, &engine(library)].concat());
        assert_eq!(ended.code, Some(1), "{command:?}: {ended:?}");
        assert!(ended.err.contains("the engine ended its process"), "{command:?}: {}", ended.err);
        assert!(command[0] != "record" || ended.err.contains("engine.so"), "{}", ended.err);
    }
    let profile = fixture_file("onnxruntime/0.4/chain.json");
    let convert = ["convert", profile.to_str().unwrap(), "-o", "out.json"];
    let ended = place.run(&[&convert[..], &["--calibrate-with", library]].concat());
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("the engine ended its process"), "{}", ended.err);
}

#[test]
fn a_launch_whose_run_never_returns_ends_with_its_parent() {
    let place = Place::new();
    let script = Script::new(&place, object!({}), &[("run", "cnn.onnx", 6, "wait")]);
    let path = model("cnn");
    let arguments = ["record", &path, "--out", "out", "--launches", "2", "--iterations", "50"];
    let mut program = script.start(&arguments);
    let launch = script.reached(&mut program, "run cnn.onnx 6");
    program.signal("-KILL");
    // It holds the streams that this reads until it ends; for a moment, it still ends.
    program.ended();
    let stat = format!("/proc/{}/stat", launch.process);
    while let Ok(stat) = fs::read_to_string(&stat)
        && !stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with(['Z', 'X']))
    {
        thread::yield_now();
    }
}

#[test]
fn a_journal_takes_the_place_of_nothing_else() {
    let place = Place::new();
    let path = model("scan");
    let loss = |model: &str, result: &str| {
        place.run(&[
            "sensitivity",
            model,
            "--dim",
            "frames=4",
            "--sparsities",
            "0.5",
            "--save",
            result,
            "--force",
        ])
    };
    let victim = place.write("victim", b"precious\n");
    for target in [victim.as_path(), Path::new("nothing")] {
        let link = place.path("loss.json.journal");
        symlink(target, &link).unwrap();
        let refused = loss(&path, "loss.json");
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.err.contains("not a regular file"), "{}", refused.err);
        fs::remove_file(link).unwrap();
    }
    assert_eq!(fs::read(victim).unwrap(), b"precious\n");
    assert!(!place.path("nothing").exists());
    place.write("loss.json.journal", b"somebody's\n");
    let refused = loss(&path, "loss.json");
    assert!(refused.err.contains("is in the place of the journal, and is none"), "{refused:?}");
    assert_eq!(fs::read(place.path("loss.json.journal")).unwrap(), b"somebody's\n");
    // Its own model may have that name.
    let own = place.path("own.json.journal");
    fs::copy(&path, &own).unwrap();
    let refused = loss(own.to_str().unwrap(), "own.json");
    assert!(refused.err.contains("an input of this command"), "{refused:?}");
    assert_eq!(fs::read(own).unwrap(), fs::read(path).unwrap());
}

#[test]
fn a_journal_decides_nothing_of_what_runs_and_where() {
    let place = Place::new();
    let scan = model("scan");
    swept(&place, &["--rounds", "1"]);
    let journal = place.path("s/onnxray.sweep.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let (first, rest) = whole.split_once('\n').unwrap();
    let changed = |pointer: &str, to: Value| {
        let mut header = json(first);
        *header.pointer_mut(&format!("/plan/points/0/{pointer}")).unwrap() = to;
        fs::write(&journal, format!("{header}\n{rest}")).unwrap();
    };
    let bytes = |text: &str| object!({"Unix": text.as_bytes()});
    let outside = place.path("outside");
    for (pointer, to, said) in [
        ("spec/options/folder", bytes(outside.to_str().unwrap()), "is not in that of the sweep"),
        ("spec/options/folder", bytes("../outside"), "is not in that of the sweep"),
        ("spec/options/instances", object!(100_000), "are not those of its instances"),
        ("time", object!("../../outside"), "the time of"),
        ("name", object!("other"), "that was not requested"),
        ("cores", object!([[0, 0, 0]]), "not requested"),
        ("schedule/length", object!({"Iterations": 4_000_000_000_u32}), "not requested"),
        ("schedule/warmup", object!(4_000_000_000_u32), "not requested"),
    ] {
        changed(pointer, to);
        let before = fs::read(&journal).unwrap();
        let refused = sweep(&place, &scan, &["--rounds", "2"]);
        assert_eq!(refused.code, Some(1), "{pointer}: {refused:?}");
        assert!(refused.err.contains(said), "{pointer}: {}", refused.err);
        assert_eq!(fs::read(&journal).unwrap(), before, "{pointer}");
        assert!(!outside.exists(), "{pointer}");
    }
    // What runs follows from the command line, whatever stands there.
    let ran = place.path("ran");
    let leaves = format!("fclose(fopen({:?}, \"w\"));", ran.display().to_string());
    let library = library(&place, "libonnxruntime.so.1.22.1", &leaves);
    let engine = object!({"OnnxRuntime": {
        "library": bytes(library.to_str().unwrap()), "provider": null, "optimization": "All",
        "inter_op_threads": null, "spinning": true, "arena": true, "profiles": null,
    }});
    changed("spec/engine", engine);
    let gone = swept(&place, &["--rounds", "2"]);
    assert!(!ran.exists(), "{gone:#}");
    changed("spec/model", bytes(&model("lstm")));
    swept(&place, &["--rounds", "3"]);
    for trace in place.traces("s/scan-frames=4-t1-i1") {
        assert_eq!(place.figures(trace.to_str().unwrap())["model"]["model"], "scan.onnx");
    }
}

#[test]
fn lines_of_a_journal_that_cannot_be_read_are_counted() {
    let place = Place::new();
    swept(&place, &["--rounds", "2"]);
    let journal = place.path("s/onnxray.sweep.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let last = whole.trim_end().rsplit('\n').next().unwrap();
    fs::write(&journal, whole.replace(last, "{\"point\":99,\"round\":0}\nnonsense")).unwrap();
    let shown = place.run(&["sweep", "--profiles", "s"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.err.contains("2 lines of the sweep's journal cannot be read"), "{}", shown.err);
    // Its files say that the round is done.
    let again = swept(&place, &["--rounds", "2"]);
    assert!(points(&again).iter().all(|(_, rounds)| *rounds == 2), "{again:#}");
}
