//! JSON output, as `onnxray schema` says that it is.

use crate::program::{finished, json, program, python};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// Checks that a schema is one, and that an output is as it says, to the keys.
const VALIDATE: &str = "
import json, sys, jsonschema
schema, output = map(json.loads, sys.stdin)
jsonschema.Draft202012Validator.check_schema(schema)
# Later versions may add keys; this one declares all that it prints.
schema['$defs']['members']['additionalProperties'] = False
for error in jsonschema.Draft202012Validator(schema).iter_errors(output):
    best = jsonschema.exceptions.best_match([error])
    raise SystemExit(f'{best.json_path}: {best.message[:300]}')
";

/// What a command printed, which is as its schema says.
pub(crate) fn valid(command: &str, output: &str) -> Value {
    let output = json(output);
    let schema = finished(Command::new(program()).args(["schema", command]).output().unwrap());
    let schema = json(&schema.succeeded(&["schema", command]));
    let mut validator = Command::new(python());
    validator.args(["-c", VALIDATE]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut validator = validator.spawn().unwrap();
    writeln!(validator.stdin.take().unwrap(), "{schema}\n{output}").unwrap();
    finished(validator.wait_with_output().unwrap()).succeeded(&[command]);
    output
}
