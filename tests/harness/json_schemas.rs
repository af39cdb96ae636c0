//! JSON output, as `onnxray schema` says that it is.

use crate::program::{finished, json, program, python};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// Checks that schemas are schemas, and that outputs are as they say, to the keys. It answers each
/// pair by a line, which is empty if all is well.
const VALIDATE: &str = "
import json, sys, jsonschema
for line in sys.stdin:
    schema, output = json.loads(line), json.loads(sys.stdin.readline())
    jsonschema.Draft202012Validator.check_schema(schema)
    # Later versions may add keys; this one declares all that it prints.
    schema['$defs']['members']['additionalProperties'] = False
    errors = jsonschema.Draft202012Validator(schema).iter_errors(output)
    best = jsonschema.exceptions.best_match(error for error in [next(errors, None)] if error)
    print(json.dumps(f'{best.json_path}: {best.message[:300]}') if best else '', flush=True)
";

/// A process of Python for all tests of this one: to start it takes longer than most answers.
struct Validator {
    /// Ends when its questions do, with this process.
    _python: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Validator {
    fn new() -> Validator {
        let mut python = Command::new(python());
        python.args(["-c", VALIDATE]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut python = python.spawn().unwrap();
        let answers = BufReader::new(python.stdout.take().unwrap());
        Validator { questions: python.stdin.take().unwrap(), answers, _python: python }
    }

    /// What is wrong with an output; nothing at all if the process ended.
    fn answer(&mut self, schema: &Value, output: &Value) -> String {
        let mut answer = String::new();
        if writeln!(self.questions, "{schema}\n{output}").is_ok() {
            self.answers.read_line(&mut answer).unwrap();
        }
        answer
    }
}

/// What a command printed, which is as its schema says.
pub(crate) fn valid(command: &str, output: &str) -> Value {
    static VALIDATOR: OnceLock<Mutex<Validator>> = OnceLock::new();
    let output = json(output);
    let schema = finished(Command::new(program()).args(["schema", command]).output().unwrap());
    let schema = json(&schema.succeeded(&["schema", command]));
    let validator = VALIDATOR.get_or_init(|| Mutex::new(Validator::new()));
    let answer = validator.lock().unwrap().answer(&schema, &output);
    assert_eq!(answer, "\n", "{command}: what is printed is not as its schema says");
    output
}
