//! The recorder in one's own program, switched on by the environment.

use crate::program::{Place, json, model};
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
fn the_environment_says_how_many_processes_record_at_once() {
    let place = Place::new();
    let variables = [("ENGINE_PROFILING", "1"), ("INST_NUM", "4")];
    assert!(example(&place, &variables, "3").wait().unwrap().success());
    let trace = json(&std::fs::read_to_string(&place.traces("engine_profiling")[0]).unwrap());
    let run = &trace["otherData"];
    assert_eq!((&run["instances"], &run["launches_planned"]), (&4.into(), &4.into()));
}
