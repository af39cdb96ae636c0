//! Whether a file in which one byte was changed is still one that its producer could have
//! written: told by the grammar of its format and by other parsers than the importer's.

use serde_json::Value;

/// How files of a format are written.
pub(crate) enum Grammar {
    /// JSON. Members at the paths `keys` must be there, and texts at the paths `words` mean
    /// what they say; other members may be missing, and other texts may be any.
    Json { keys: &'static [&'static str], words: &'static [&'static str] },
    /// Lines of fields, parted by this character. Lines that begin with one of the
    /// headings must be what they are, and so must fields that are one of the words.
    Lines { separator: char, headings: &'static [&'static str], words: &'static [&'static str] },
    /// XML, in which only attributes that are not needed and their values may be any.
    Xml { names: &'static [&'static str] },
}

use Grammar::{Json, Lines, Xml};

const OBJECT: &[&str] = &[
    "traceEvents",
    "traceEvents.ph",
    "traceEvents.ts",
    "traceEvents.dur",
    "traceEvents.name",
    "traceEvents.args.op",
    "traceEvents.args.facts",
    "traceEvents.args.iteration",
    "traceEvents.args.warmup",
    "traceEvents.args.facts.flops",
    "traceEvents.args.input_type",
    "traceEvents.args.reshape_time",
    "otherData",
    "otherData.format_version",
    "otherData.threads",
    "averages",
    "averages.operator",
    "idleOperators",
    "threads",
    "completed",
];
const ARRAY: &[&str] = &["ph", "ts", "dur", "name"];
const OPENVINO: &[&str] =
    &["EXECUTED", "NOT_RUN", "OPTIMIZED_OUT", "Status.EXECUTED", "Status.NOT_RUN"];
const TFLITE: &[&str] =
    &["node type", "===", "Operator-wise", "Delegate internal", "Number", "Timings"];

/// Fixtures of every format, small ones.
pub(crate) const FILES: &[(&str, Grammar)] = &[
    ("chrome-trace/object/steps.json", Json { keys: OBJECT, words: &["traceEvents.ph"] }),
    ("chrome-trace/array/compact.json", Json { keys: ARRAY, words: &["ph"] }),
    ("pytorch/2.5.1/cuda.json", Json { keys: OBJECT, words: &["traceEvents.ph"] }),
    (
        "onnxruntime/1.22.1/chain.json",
        Json {
            keys: &["ph", "ts", "dur", "name", "cat", "args.op_name", "args.input_type_shape"],
            words: &["ph", "cat"],
        },
    ),
    ("neural-engine/2022-09/profiling.json", Json { keys: OBJECT, words: &["traceEvents.ph"] }),
    ("onnxray/0.1.0/scan.json", Json { keys: OBJECT, words: &["traceEvents.ph"] }),
    ("onnxray/0.1.0/converted.json", Json { keys: OBJECT, words: &["traceEvents.ph"] }),
    (
        "tensorrt/8.6/profile.json",
        Json { keys: &["count", "name", "timeMs", "averageMs", "medianMs"], words: &[] },
    ),
    (
        "tensorrt/8.6/layers.json",
        Json { keys: &["Layers", "Layers.Name", "Layers.LayerType", "Layers.Outputs"], words: &[] },
    ),
    ("tensorrt/10.0/times.json", Json { keys: &["startComputeMs"], words: &[] }),
    (
        "tract/0.23.9/scan.json",
        Json {
            keys: &[
                "nodes",
                "nodes.qualified_id",
                "nodes.op_name",
                "nodes.node_name",
                "nodes.secs_per_iter",
            ],
            words: &[],
        },
    ),
    (
        "openvino/cpp/benchmark_average_counters_report.json",
        Json {
            keys: &[
                "avg_performance.nodes",
                "avg_performance.nodes.name",
                "avg_performance.nodes.status",
                "avg_performance.nodes.real_time",
                "avg_performance.nodes.node_type",
                "avg_performance.nodes.exec_type",
            ],
            words: &["avg_performance.nodes.status"],
        },
    ),
    (
        "openvino/2026.4.1/benchmark_average_counters_report.csv",
        Lines { separator: ';', headings: &["layerName", "Total"], words: OPENVINO },
    ),
    (
        "openvino/2026.4.1/benchmark_sorted_report.csv",
        Lines { separator: ',', headings: &["layerName", "Total"], words: OPENVINO },
    ),
    (
        "openvino/2026.4.1/execution_graph.xml",
        Xml {
            names: &[
                "execTimeMcs",
                "originalLayersNames",
                "primitiveType",
                "name",
                "id",
                "from-layer",
                "to-layer",
            ],
        },
    ),
    (
        "neural-engine/onnxray/profiling.csv",
        Lines { separator: ',', headings: &["operator type", ",,,"], words: &["true", ""] },
    ),
    ("tflite/2.9/plain.csv", Lines { separator: ',', headings: TFLITE, words: &[] }),
    ("tflite/2.19/delegate.csv", Lines { separator: ',', headings: TFLITE, words: &[] }),
];

/// Whether `changed` is valid still; if not, what was changed of it.
pub(crate) fn check(
    grammar: &Grammar,
    bytes: &[u8],
    changed: &[u8],
    offset: usize,
) -> Result<(), String> {
    match grammar {
        Json { keys, words } => json(keys, words, bytes, changed, offset),
        Lines { separator, headings, words } => lines(*separator, headings, words, bytes, changed),
        Xml { names } => xml(names, bytes, changed, offset),
    }
}

fn json(
    keys: &[&str],
    words: &[&str],
    bytes: &[u8],
    changed: &[u8],
    offset: usize,
) -> Result<(), String> {
    // Before 1.31, ONNX Runtime does not escape backslashes: they may be anywhere.
    if changed[offset] == b'\\' && keys.contains(&"cat") {
        return Ok(());
    }
    // Other digits and signs of a number are another number, though JSON may not allow it.
    let numeric = |byte: u8| byte.is_ascii_digit() || b"+-.e \n\t".contains(&byte);
    let from = bytes[..offset].iter().rposition(|&byte| !numeric(byte)).map_or(0, |at| at + 1);
    if numeric(bytes[offset])
        && numeric(changed[offset])
        && b":,[".contains(&bytes[from.max(1) - 1])
    {
        return Ok(());
    }
    let parse = |bytes| serde_json::from_slice::<Value>(bytes).map_err(|_| "no JSON".to_string());
    match difference("", &parse(bytes)?, &parse(changed)?) {
        Some(Change::Key(path)) if keys.contains(&path.as_str()) => Err(format!("key {path}")),
        Some(Change::Text(path)) if words.contains(&path.as_str()) => Err(format!("text {path}")),
        Some(Change::Kind(path)) => Err(format!("kind of {path}")),
        _ => Ok(()),
    }
}

/// What differs, with the keys that lead there, joined by points.
enum Change {
    Key(String),
    Text(String),
    Number,
    Kind(String),
}

fn difference(path: &str, before: &Value, after: &Value) -> Option<Change> {
    let inside = |key: &str| if path.is_empty() { key.into() } else { format!("{path}.{key}") };
    let numbers = |list: &[Value]| list.iter().all(Value::is_number);
    match (before, after) {
        (Value::Object(one), Value::Object(other)) => {
            match one.keys().find(|key| !other.contains_key(*key)) {
                Some(lost) => Some(Change::Key(inside(lost))),
                None if one.len() < other.len() => Some(Change::Kind(inside("?"))),
                None => {
                    one.iter().find_map(|(key, value)| difference(&inside(key), value, &other[key]))
                }
            }
        }
        // Sizes of a tensor: 1,64 and 1964.
        (Value::Array(one), Value::Array(other)) if numbers(one) && numbers(other) => {
            (one != other).then_some(Change::Number)
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            one.iter().zip(other).find_map(|(one, other)| difference(path, one, other))
        }
        (Value::Number(one), Value::Number(other)) => (one != other).then_some(Change::Number),
        (Value::String(one), Value::String(other)) => {
            (one != other).then(|| Change::Text(path.to_string()))
        }
        (before, after) => (before != after).then(|| Change::Kind(path.to_string())),
    }
}

fn lines(
    separator: char,
    headings: &[&str],
    words: &[&str],
    bytes: &[u8],
    changed: &[u8],
) -> Result<(), String> {
    // A carriage return by itself ends a line to some, and is text to others.
    let text = |bytes: &[u8], end: &str| String::from_utf8_lossy(bytes).replace('\r', end);
    let check =
        |end| same_lines(separator, headings, words, &text(bytes, end), &text(changed, end));
    check("\n").or_else(|_| check(""))
}

fn same_lines(
    separator: char,
    headings: &[&str],
    words: &[&str],
    before: &str,
    after: &str,
) -> Result<(), String> {
    // In a quoted field a line break is a letter.
    let is_paired = [before, after].iter().all(|text| text.matches('"').count() % 2 == 0);
    let full = |text: &str| -> Vec<String> {
        let mut quoted = false;
        let lines = text.split(|letter| {
            quoted ^= letter == '"' && is_paired;
            letter == '\n' && !quoted
        });
        lines.filter(|line| !line.trim().is_empty()).map(str::to_string).collect()
    };
    let (before, after) = (full(before), full(after));
    if before.len() != after.len() {
        return Err("number of lines".to_string());
    }
    let Some((one, other)) = before.iter().zip(&after).find(|(one, other)| one != other) else {
        return Ok(());
    };
    // Numbers begin with a digit: `1.02e+06`.
    let words_of = |line: &str| {
        let mut in_number = false;
        let is_word = |letter: &char| {
            in_number = letter.is_ascii_digit() || in_number && ".e+-".contains(*letter);
            !in_number && !letter.is_whitespace()
        };
        line.chars().filter(is_word).collect::<String>()
    };
    if headings.iter().any(|heading| one.trim_start().starts_with(heading))
        && words_of(one) != words_of(other)
    {
        return Err(format!("heading {:?}", &one[..one.len().min(20)]));
    }
    // A name that looks like a number is one nevertheless.
    let fields = |line: &str| -> Vec<String> {
        line.split(separator).map(|field| field.trim().to_string()).collect()
    };
    let (one, other) = (fields(one), fields(other));
    if one.len() == other.len()
        && let Some((one, other)) = one.iter().zip(&other).find(|(one, other)| one != other)
        && (is_number(one) && is_number(other) || is_text(one, words))
    {
        return Ok(());
    }
    // A name, in front, may hold the separator, and what is behind that may look like a number:
    // `Convert;50`.
    if let ([name, rest @ ..], [start, end, after @ ..]) = (&one[..], &other[..])
        && is_text(name, words)
        && rest == after
        && name.starts_with(start)
        && name.ends_with(end)
    {
        return Ok(());
    }
    // Text that nobody quotes may hold the separator: what else there is, is the same.
    let fixed = |fields: &[String]| -> Vec<String> {
        let fixed = |field: &&String| is_number(field) || words.contains(&field.as_str());
        let fields = fields.iter().filter(fixed);
        let mut fixed: Vec<String> =
            fields.map(|field| field.trim_start_matches("Status.").to_string()).collect();
        // Blank fields at the end of a row may be missing.
        while fixed.last().is_some_and(String::is_empty) {
            fixed.pop();
        }
        fixed
    };
    let (one, other) = (fixed(&one), fixed(&other));
    // A number more or less at the end is one of a name.
    match one.starts_with(&other) || other.starts_with(&one) {
        true => Ok(()),
        false => Err("number or word of a line".to_string()),
    }
}

fn is_text(field: &str, words: &[&str]) -> bool {
    !is_number(field) && !words.contains(&field)
}

/// `12.5%`, and the sizes of tensors, `64x256`, of which a list may end in a separator.
fn is_number(text: &str) -> bool {
    let text = text.strip_suffix(['%', ';']).unwrap_or(text);
    text.parse::<f64>().is_ok()
        || text.split(['x', ';']).all(|size| size.trim().parse::<u64>().is_ok())
}

fn xml(names: &[&str], bytes: &[u8], changed: &[u8], offset: usize) -> Result<(), String> {
    let tag = bytes[..offset].iter().rposition(|&byte| byte == b'<').unwrap_or(0);
    if bytes[tag..offset].contains(&b'>') {
        let end = changed[offset..].iter().position(|&byte| byte == b'<').unwrap() + offset;
        let from = bytes[..offset].iter().rposition(|&byte| byte == b'>').unwrap() + 1;
        // A size that is open is a question mark.
        let is_size = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(&bytes[from..end]);
            text.trim() == "?" || text.trim().parse::<u64>().is_ok()
        };
        if is_size(bytes) && is_size(changed) {
            return Ok(());
        }
        let digits = bytes[offset].is_ascii_digit() == changed[offset].is_ascii_digit();
        let blank = changed[offset].is_ascii_whitespace() && bytes[offset].is_ascii_whitespace();
        return if digits || blank { Ok(()) } else { Err("text".to_string()) };
    }
    let name_end = |at: usize| bytes[at..].iter().position(|byte| b" \"=>/".contains(byte));
    if bytes[offset] != b'"'
        && bytes[tag..offset].iter().filter(|&&byte| byte == b'"').count() % 2 == 1
    {
        // Inside a value: of which attribute?
        let quote = bytes[..offset].iter().rposition(|&byte| byte == b'"').unwrap();
        let from = bytes[..quote].iter().rposition(|&byte| byte == b' ').unwrap() + 1;
        let name = String::from_utf8_lossy(&bytes[from..from + name_end(from).unwrap()]);
        return match name.as_ref() {
            "execTimeMcs" if !b"0123456789. e\n\t".contains(&changed[offset]) => {
                Err("a time".to_string())
            }
            _ if changed[offset] == b'"' || changed[offset] == b'&' => Err("a quote".to_string()),
            _ => Ok(()),
        };
    }
    let from = bytes[..offset].iter().rposition(|byte| b" \t<".contains(byte)).unwrap() + 1;
    let name = String::from_utf8_lossy(&bytes[from..from + name_end(from).unwrap_or(0)]);
    let is_element = bytes[from - 1] == b'<';
    match is_element || name.is_empty() || names.contains(&name.as_ref()) {
        true => Err(format!("name {name:?}")),
        false => Ok(()),
    }
}
