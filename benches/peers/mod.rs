//! Peers in Python that stay loaded, and are asked for one round after another.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A script of this folder that measures itself: whatever it needs first is not
/// counted.
pub(crate) struct Peer {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// Program, version, and what it works on, in its own words.
    pub title: String,
}

impl Peer {
    pub(crate) fn start(script: &str, arguments: &[&Path]) -> Peer {
        let python = std::env::var("ONNXRAY_PYTHON").unwrap_or_else(|_| "python3".to_string());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/peers").join(script);
        let mut child = Command::new(&python)
            .arg("-B")
            .arg(script)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{python}: {error}"));
        let questions = child.stdin.take();
        let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
        let title = line(&mut answers);
        Peer { child, questions, answers, title }
    }

    /// One round: the numbers that it answers with, of which seconds come first.
    pub(crate) fn round(&mut self, how: &str) -> Vec<f64> {
        let questions = self.questions.as_mut().expect("a pipe");
        writeln!(questions, "{how}").expect("a script that reads");
        let answer = line(&mut self.answers);
        answer.split_whitespace().map(|number| number.parse().expect("a number")).collect()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The script ends with its input.
        self.questions = None;
        let _ = self.child.wait();
    }
}

fn line(answers: &mut impl BufRead) -> String {
    let mut line = String::new();
    answers.read_line(&mut line).expect("a script that answers");
    assert!(
        !line.is_empty(),
        "the script ended; `ONNXRAY_PYTHON` names a Python with its packages"
    );
    line.trim_end().to_string()
}
