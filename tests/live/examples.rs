//! The recorder in one's own program, switched on by the environment.

use crate::program::{Place, model};
use std::path::PathBuf;
use std::process::{Child, Command};

fn example(place: &Place, variables: &[(&str, &str)], iterations: &str) -> Child {
    // Tests lie in `deps`, examples beside it.
    let tests: PathBuf = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples/profile_a_model");
    Command::new(program)
        .args([&model("cnn"), iterations])
        .env_remove("ENGINE_PROFILING")
        .envs(variables.iter().copied())
        .current_dir(place.path(""))
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("cargo test builds the examples")
}

#[test]
fn nothing_is_written_until_the_environment_says_so() {
    for off in [
        &[][..],
        &[("ENGINE_PROFILING", "0")],
        &[("ENGINE_PROFILING", "false")],
        &[("ENGINE_PROFILING", "")],
    ] {
        let place = Place::new();
        assert!(example(&place, off, "2").wait().unwrap().success());
        assert!(!place.path("engine_profiling").exists(), "{off:?}");
    }
    let place = Place::new();
    assert!(example(&place, &[("ENGINE_PROFILING", "1")], "3").wait().unwrap().success());
    assert_eq!(place.tables("engine_profiling").len(), 1);
    let summary = place.figures("engine_profiling");
    assert_eq!(summary["model"]["iterations"], 3);
}

#[test]
fn processes_at_once_get_a_numbered_pair_each() {
    let place = Place::new();
    let variables = [("ENGINE_PROFILING", "1"), ("INST_NUM", "4")];
    let children: Vec<Child> = (0..4).map(|_| example(&place, &variables, "400")).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let names = |files: Vec<PathBuf>| -> Vec<String> {
        files.iter().map(|file| file.file_stem().unwrap().to_str().unwrap().to_string()).collect()
    };
    let traces = names(place.traces("engine_profiling"));
    assert_eq!(traces, names(place.tables("engine_profiling")));
    let numbers: Vec<&str> = traces.iter().map(|name| name.rsplit('_').next().unwrap()).collect();
    assert_eq!(numbers, ["0", "1", "2", "3"], "one time, four numbers: {traces:?}");
    let summary = place.figures("engine_profiling");
    assert_eq!(summary["model"]["launches"], 4);
    assert_eq!(summary["model"]["iterations"], 1600);
}
