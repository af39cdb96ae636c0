//! The rules of every file that a command writes: what exists is replaced by `--force` only, and
//! what the command reads never.

use crate::program::{Finished, Place, fixture_file, model};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// A foreign profile, as `name` in the place.
pub(crate) fn profile(place: &Place, name: &str) -> Vec<u8> {
    let bytes = fs::read(fixture_file("onnxruntime/1.31.1/loop.json")).unwrap();
    place.write(name, &bytes);
    bytes
}

pub(crate) fn refused(finished: &Finished, message: &str) {
    assert_eq!((finished.code, finished.out.as_str()), (Some(1), ""), "{}", finished.err);
    assert!(finished.err.contains(message), "{message:?} in {}", finished.err);
}

/// Has `x.json`, `y.json` and `model.onnx`.
pub(crate) fn place_with_inputs() -> Place {
    let place = Place::new();
    profile(&place, "x.json");
    profile(&place, "y.json");
    fs::copy(model("cnn"), place.path("model.onnx")).unwrap();
    place
}

/// A command that writes to `OUT`, which has this ending.
#[derive(Clone, Copy)]
pub(crate) struct Writing {
    pub ending: &'static str,
    pub command: &'static str,
    /// What it reads of a place with inputs.
    pub inputs: &'static [&'static str],
}

impl Writing {
    fn run(&self, place: &Place, out: &str, force: bool) -> Finished {
        let command = self.command.replace("OUT", out);
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend(force.then_some("--force"));
        place.run(&arguments)
    }

    pub(crate) fn replaces_by_force_only(&self) {
        let (command, place) = (self.command, place_with_inputs());
        let out = format!("out.{}", self.ending);
        let exists = "already exists; use --force to replace it";
        for before in ["what I wrote", ""] {
            place.write(&out, before.as_bytes());
            refused(&self.run(&place, &out, false), exists);
            assert_eq!(fs::read_to_string(place.path(&out)).unwrap(), before, "{command}");
        }
        // Before anything else is made.
        assert!(!place.path("engine_profiling").exists(), "{command}");
        let forced = self.run(&place, &out, true);
        assert_eq!(forced.code, Some(0), "{command}: {}", forced.err);
        let made = fs::read(place.path(&out)).unwrap();
        assert!(made.len() > 20, "{command}");
        // Our own file of before is not an exception.
        refused(&self.run(&place, &out, false), exists);
        assert_eq!(fs::read(place.path(&out)).unwrap(), made, "{command}");
    }

    pub(crate) fn takes_links_to_nothing_for_files_and_folders_for_none(&self) {
        let place = place_with_inputs();
        let (link, folder) = (format!("link.{}", self.ending), format!("folder.{}", self.ending));
        symlink("nowhere", place.path(&link)).unwrap();
        let linked = self.run(&place, &link, false);
        refused(&linked, "already exists; use --force to replace it");
        fs::create_dir(place.path(&folder)).unwrap();
        refused(&self.run(&place, &folder, true), "is a folder");
        place.write("file", b"");
        let below = format!("file/out.{}", self.ending);
        refused(&self.run(&place, &below, true), "file: cannot write there: Not a directory");
    }

    pub(crate) fn never_writes_over_inputs(&self) {
        let (ending, command, place) = (self.ending, self.command, place_with_inputs());
        for input in self.inputs {
            let before = fs::read(place.path(input)).unwrap();
            let (hard, soft) = (format!("hard.{ending}"), format!("soft.{ending}"));
            fs::hard_link(place.path(input), place.path(&hard)).unwrap();
            symlink(place.path(input), place.path(&soft)).unwrap();
            let mut outs = vec![hard.clone(), soft.clone(), format!("./{hard}")];
            if Path::new(input).extension().unwrap().to_str() == Some(ending) {
                let folder = place.path("").canonicalize().unwrap();
                let folder = folder.file_name().unwrap().to_str().unwrap().to_string();
                outs.extend([input.to_string(), format!("../{folder}/{input}")]);
            }
            for (out, force) in outs.iter().flat_map(|out| [(out, false), (out, true)]) {
                refused(&self.run(&place, out, force), "an input of this command");
            }
            for out in [&hard, &soft] {
                assert_eq!(fs::read(place.path(out)).unwrap(), before, "{command}");
                fs::remove_file(place.path(out)).unwrap();
            }
            assert_eq!(fs::read(place.path(input)).unwrap(), before, "{command}");
        }
    }

    pub(crate) fn replaces_links_and_does_not_follow_them(&self) {
        let (command, place) = (self.command, place_with_inputs());
        let victim = place.write("victim", b"mine");
        let out = format!("out.{}", self.ending);
        symlink(&victim, place.path(&out)).unwrap();
        refused(&self.run(&place, &out, false), "already exists");
        let forced = self.run(&place, &out, true);
        assert_eq!(forced.code, Some(0), "{command}: {}", forced.err);
        assert_eq!(fs::read(&victim).unwrap(), b"mine", "{command}");
        assert!(!place.path(&out).is_symlink(), "{command}");
    }
}

/// Runs a command in the place, where the name that a process could foresee in `folder` is a
/// link: whether the folder can be written to is tried by another one.
pub(crate) fn touches_no_file(place: &Place, folder: &str, command: &str) {
    place.write("precious", b"mine");
    fs::create_dir_all(place.path(folder)).unwrap();
    let program = crate::program::program();
    // The program has the number of the shell that becomes it.
    let script = format!("ln -s \"$PWD/precious\" {folder}/.onnxray-$$; exec {program} {command}");
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", &script]).current_dir(place.path("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read(place.path("precious")).unwrap(), b"mine");
    let links = crate::program::files(&place.path(folder));
    assert_eq!(links.iter().filter(|path| path.is_symlink()).count(), 1, "{links:?}");
}
