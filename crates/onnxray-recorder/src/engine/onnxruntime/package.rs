//! Finds the Python package that brings the library. Nothing of the current folder is run for
//! that: it is data, and may hold a model of anybody.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use std::{env, fs, thread};

/// Prints the folder of the package, without loading it, and what belongs to this Python and
/// to its user. Isolated, Python leaves the user's packages out, too.
const FIND: &str = "import importlib.util as u, site, sys\n\
    sys.path.append(site.getusersitepackages())\n\
    s = u.find_spec('onnxruntime')\n\
    print(list(s.submodule_search_locations)[0] if s else '')\n\
    print(sys.prefix)\n\
    print(site.getuserbase())";
/// Enough for three paths.
const LONGEST_OUTPUT: u64 = 64 << 10;
/// Enough for a Python on a slow disk.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The package that a Python has installed.
pub(super) struct Package {
    pub(super) folder: PathBuf,
    /// Folders in which this Python and its user install packages.
    homes: [PathBuf; 2],
}

impl Package {
    /// The package of the environment that this program is installed in, else of the `python3` on
    /// PATH.
    pub(super) fn find() -> Option<Package> {
        let program = env::current_exe().ok();
        let beside = program.and_then(|program| Some(program.parent()?.to_path_buf()));
        let paths = env::var_os("PATH").unwrap_or_default();
        pythons(beside, env::split_paths(&paths)).find_map(|python| Package::of(&python))
    }

    fn of(python: &Path) -> Option<Package> {
        let mut command = Command::new(python);
        // `-I` leaves out the current folder and PYTHON* variables: nothing there is to be run.
        command.args(["-I", "-c", FIND]).current_dir("/");
        Package::of_output(&output_of(command)?)
    }

    fn of_output(output: &[u8]) -> Option<Package> {
        let text = std::str::from_utf8(output).ok()?;
        let mut lines = text.lines().map(PathBuf::from);
        let (folder, homes) = (lines.next()?, [lines.next()?, lines.next()?]);
        // A fourth line means that a path holds a line break, or that something else was printed.
        (folder.is_absolute() && lines.next().is_none()).then_some(Package { folder, homes })
    }

    /// Whether it lies in `here`, and not where somebody installed packages: then it came with
    /// other files, and nobody has chosen to run it.
    pub(super) fn is_data_of(&self, here: &Path) -> bool {
        let real = |path: &Path| fs::canonicalize(path).ok();
        let (Some(folder), Some(here)) = (real(&self.folder), real(here)) else { return false };
        let is_installed = self.homes.iter().any(|home| {
            // A home that is not a folder of its own is everywhere.
            real(home).is_some_and(|home| home.parent().is_some() && folder.starts_with(home))
        });
        folder.starts_with(here) && !is_installed
    }
}

/// The Python beside this program, and then the first one of these folders.
fn pythons(
    beside: Option<PathBuf>,
    folders: impl Iterator<Item = PathBuf>,
) -> impl Iterator<Item = PathBuf> {
    let find = |folders: &mut dyn Iterator<Item = PathBuf>| program("python3", folders);
    let (mut beside, mut folders) = (beside.into_iter(), folders);
    [find(&mut beside), find(&mut folders)].into_iter().flatten()
}

/// A program by its name, in folders that do not depend on the current one.
fn program(name: &str, folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let mut programs = folders.filter(|folder| folder.is_absolute()).map(|f| f.join(name));
    let runs = |about: fs::Metadata| about.is_file() && about.permissions().mode() & 0o111 != 0;
    programs.find(|path| fs::metadata(path).is_ok_and(runs))
}

/// Output of a program, cut after [`LONGEST_OUTPUT`]; `None` if it takes longer than
/// [`LONGEST_WAIT`].
fn output_of(mut command: Command) -> Option<Vec<u8>> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command.spawn().ok()?;
    let output = process.stdout.take()?;
    let (sender, receiver) = channel();
    let listens = thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let read = output.take(LONGEST_OUTPUT).read_to_end(&mut bytes);
        // Nobody waits any more, if it took too long.
        let _ = sender.send(read.map(|_| bytes));
    });
    // Without a thread there is nothing to wait for.
    let printed = listens.is_ok().then(|| receiver.recv_timeout(LONGEST_WAIT));
    // It may have ended by itself.
    let _ = process.kill();
    let _ = process.wait();
    printed?.ok()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_looked_for_in_absolute_folders_only() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("tool");
        fs::write(&file, "").unwrap();
        let here = || [PathBuf::new(), PathBuf::from("."), place.path().to_path_buf()].into_iter();
        assert_eq!(program("tool", here()), None, "it cannot be run");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(program("tool", here()), Some(file));
        assert_eq!(program("Cargo.toml", here().take(2)), None);
    }

    #[test]
    fn the_python_of_the_own_environment_is_asked_first() {
        let place = tempfile::tempdir().unwrap();
        let python = |name: &str| {
            let file = place.path().join(name).join("python3");
            fs::create_dir(file.parent().unwrap()).unwrap();
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
            file
        };
        let [own, other] = ["own", "other"].map(python);
        let folder = |file: &Path| file.parent().unwrap().to_path_buf();
        let asked =
            |beside| -> Vec<PathBuf> { pythons(beside, [folder(&other)].into_iter()).collect() };
        assert_eq!(asked(Some(folder(&own))), [own, other.clone()]);
        assert_eq!(asked(Some(place.path().to_path_buf())), std::slice::from_ref(&other));
        assert_eq!(asked(None), [other]);
    }

    #[test]
    fn no_more_is_read_than_three_paths_take() {
        let mut endless = Command::new("/bin/sh");
        endless.args(["-c", "while :; do echo 0123456789012345678901234567890123456789; done"]);
        assert_eq!(output_of(endless).unwrap().len() as u64, LONGEST_OUTPUT);
    }

    #[test]
    fn a_package_in_the_current_folder_is_data_unless_it_was_installed_there() {
        let place = tempfile::tempdir().unwrap();
        let [here, there] = ["here", "there"].map(|name| place.path().join(name));
        let folder = here.join("venv/lib/onnxruntime");
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(&there).unwrap();
        let of = |prefix: &Path| {
            let [folder, prefix] = [&folder, prefix].map(|path: &Path| path.display().to_string());
            Package::of_output(format!("{folder}\n{prefix}\n/root/.local\n").as_bytes()).unwrap()
        };
        assert!(of(&there).is_data_of(&here));
        assert!(of(Path::new("/")).is_data_of(&here));
        assert!(!of(&here.join("venv")).is_data_of(&here));
        assert!(!of(&there).is_data_of(&there));
        let refused = ["", "\n/usr\n/root/.local\n", "a\n/usr\n/x\n", "/a\n/b\n/c\n/d\n"];
        assert!(refused.iter().all(|text| Package::of_output(text.as_bytes()).is_none()));
    }
}
