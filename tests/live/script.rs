//! The program on engines that follow a script (`tests/scripted`): a test decides how long
//! operators take, and where a process waits until the test lets it go on.

use crate::program::{Finished, Place, finished, program, without_starts, without_terminal};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// Scripts so far.
static SCRIPTS: AtomicU64 = AtomicU64::new(0);

/// A script under which the program runs in a place.
pub(crate) struct Script<'a> {
    place: &'a Place,
    listener: UnixListener,
}

impl<'a> Script<'a> {
    /// `points` are what happens where: `("run", "cnn.onnx", 12, "wait")` is before the twelfth
    /// run of that model, over all processes and those that try it out. `times` are those of
    /// models, by the names of their files; models without times really run.
    pub(crate) fn new(
        place: &'a Place,
        times: Value,
        points: &[(&str, &str, u64, &str)],
    ) -> Script<'a> {
        Script::with_factors(place, times, json!({}), points)
    }

    /// The same where options of the engine make runs take longer: `{"arena=off": 1.2}`.
    pub(crate) fn with_factors(
        place: &'a Place,
        times: Value,
        factors: Value,
        points: &[(&str, &str, u64, &str)],
    ) -> Script<'a> {
        // Names of sockets are short, and unique as the place is; a process that another thread has
        // just begun may still hold the socket of the script before.
        let folder = place.path("script");
        // Points are counted anew.
        let _ = std::fs::remove_dir_all(&folder);
        let number = SCRIPTS.fetch_add(1, Ordering::Relaxed);
        let socket = format!("onnxray-{}-{number}", folder.display());
        let socket = socket[socket.len().saturating_sub(100)..].to_string();
        let address = SocketAddr::from_abstract_name(&socket).unwrap();
        let listener = UnixListener::bind_addr(&address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let points: Vec<Value> = points
            .iter()
            .map(|(at, model, number, action)| {
                json!({"at": at, "model": model, "number": number, "do": action})
            })
            .collect();
        let script = json!({
            "folder": folder, "socket": socket, "times": times, "factors": factors,
            "points": points
        });
        place.write("script.json", script.to_string().as_bytes());
        Script { place, listener }
    }

    /// The same where a process that waits takes no CPU time with these options.
    pub(crate) fn sleeping(self, options: &[&str]) -> Script<'a> {
        self.with("sleeping", json!(options))
    }

    /// The same where the engine ends a process that loads a model whose number of nodes is in one of
    /// these ranges: above the first, and not above the second.
    pub(crate) fn ending(self, nodes: &[(usize, usize)]) -> Script<'a> {
        self.with("ending", json!(nodes))
    }

    fn with(self, key: &str, value: Value) -> Script<'a> {
        let text = std::fs::read_to_string(self.place.path("script.json")).unwrap();
        let mut script: Value = serde_json::from_str(&text).unwrap();
        script[key] = value;
        self.place.write("script.json", script.to_string().as_bytes());
        self
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(scripted());
        command.args(without_starts(arguments));
        self.prepare(&mut command);
        command
    }

    /// The program where no write makes a file larger than this many blocks of 512 bytes, as on a
    /// disk without room: it fails without a signal. `None` sets no limit.
    pub(crate) fn on_small_disk(&self, blocks: Option<u32>, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        let limit = blocks.map_or(String::new(), |blocks| format!("ulimit -f {blocks}; "));
        let line = format!("trap '' XFSZ; {limit}exec \"$0\" \"$@\"");
        command.args(["-c", &line]).arg(scripted()).args(without_starts(arguments));
        self.prepare(&mut command);
        command
    }

    fn prepare(&self, command: &mut Command) {
        command.current_dir(self.place.path("")).stdin(Stdio::null());
        command.env("ONNXRAY_SCRIPT", self.place.path("script.json"));
        without_terminal(command);
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        finished(self.command(arguments).output().unwrap())
    }

    /// Runs the program, which must succeed, and returns standard output.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> String {
        self.run(arguments).succeeded(arguments)
    }

    /// Starts the program in a process group of its own, which Ctrl-C reaches as a whole.
    pub(crate) fn start(&self, arguments: &[&str]) -> Started {
        Started::of(&mut self.command(arguments))
    }

    /// Waits until a process of the program waits at the point: `run cnn.onnx 12`. It goes on
    /// when what is returned is dropped.
    pub(crate) fn reached(&self, program: &mut Started, point: &str) -> Waiting {
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => return Waiting::new(stream, point),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => panic!("{error}"),
            }
            if program.child().try_wait().unwrap().is_some() {
                panic!("it ended before {point}: {:?}", program.ended());
            }
            // What is waited for stays as it is until the test goes on.
            sleep(Duration::from_millis(1));
        }
    }
}

/// Waits for what a program does while one of its processes waits, and which stays as it is then.
pub(crate) fn settled(is_done: impl Fn() -> bool) {
    while !is_done() {
        sleep(Duration::from_millis(1));
    }
}

/// The program with engines that follow a script: an example, which lies beside the program.
pub(crate) fn scripted() -> PathBuf {
    let scripted = Path::new(program()).with_file_name("examples").join("scripted");
    assert!(
        scripted.exists(),
        "{} is missing: build it with `cargo build --locked --release --workspace --examples`",
        scripted.display()
    );
    scripted
}

/// A process that waits.
pub(crate) struct Waiting {
    stream: UnixStream,
    pub process: u32,
}

impl Waiting {
    fn new(stream: UnixStream, expected: &str) -> Waiting {
        stream.set_nonblocking(false).unwrap();
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line).unwrap();
        let (process, point) = line.trim_end().split_once(' ').unwrap();
        assert_eq!(point, expected);
        Waiting { process: process.parse().unwrap(), stream }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = self.stream.write_all(b"go on\n");
    }
}

/// A program that runs, and is killed with all its processes if its test fails.
pub(crate) struct Started(Option<Child>);

impl Started {
    pub(crate) fn of(command: &mut Command) -> Started {
        command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
        Started(Some(command.spawn().unwrap()))
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        self.0.as_mut().unwrap()
    }

    /// Sends a signal, such as `-INT`, to the program alone.
    pub(crate) fn signal(&mut self, signal: &str) {
        send(signal, &self.child().id().to_string());
    }

    /// Sends a signal to all processes of the program, as a terminal does.
    pub(crate) fn signal_all(&mut self, signal: &str) {
        send(signal, &format!("-{}", self.child().id()));
    }

    /// Waits for its end.
    pub(crate) fn ended(&mut self) -> Finished {
        finished(self.0.take().unwrap().wait_with_output().unwrap())
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            let _ = child.wait();
        }
    }
}

/// Sends a signal to a process, or to a group.
pub(crate) fn send(signal: &str, to: &str) {
    let sent = Command::new("kill").args([signal, "--", to]).status().unwrap();
    assert!(sent.success(), "{signal} {to}");
}
