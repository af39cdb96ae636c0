//! A folder is data: nothing in it runs because a command was given there, and nothing is added
//! to what its links lead to. An engine that ends its process, or never returns, is no success.

use crate::onnx_file::{self, FLOAT, INT64, Message, node, value};
use crate::onnxruntime::engine;
use crate::onnxruntime_package;
use crate::program::{Place, fixture_file, model};
use crate::script::Script;
use serde_json::json as object;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    assert!(failed.err.contains("warning: the engine says: Non-zero status"), "{}", failed.err);
    assert!(failed.err.contains("\\u{1b}[2Jnode"), "{}", failed.err);
    let is_plain = |text: &str| text.chars().all(|c| !c.is_control() || c == '\n');
    assert!(is_plain(&failed.err) && is_plain(&failed.out), "{:?}", failed.err);
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
        &["loss", &path, "--levels", "0.5"],
    ];
    for command in commands {
        let ended = place.run(&[command, &engine(library)].concat());
        assert_eq!(ended.code, Some(1), "{command:?}: {ended:?}");
        assert!(ended.err.contains("the engine ended its process"), "{command:?}: {}", ended.err);
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
    // It holds the streams that this reads until it ends.
    program.ended();
    let state = fs::read_to_string(format!("/proc/{}/stat", launch.process)).unwrap_or_default();
    let state = state.rsplit(") ").next().and_then(|rest| rest.chars().next());
    assert!(matches!(state, None | Some('Z' | 'X')), "{state:?}");
}

#[test]
fn a_journal_takes_the_place_of_nothing_else() {
    let place = Place::new();
    let path = model("scan");
    let loss = |model: &str, result: &str| {
        place.run(&[
            "loss", model, "--dim", "frames=4", "--levels", "0.5", "--save", result, "--force",
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
