//! Makes well-formed JSON of an event that its producer did not escape.
//!
//! ONNX Runtime (before 1.31), TensorRT and older Kineto write names as they
//! are, quotes, backslashes and control characters included. A quote ends a
//! string only if what follows could stand behind a string.

/// The event with its strings escaped and its stray commas dropped. The result
/// need not be well-formed: whoever reads it finds out.
pub fn mend(event: &[u8]) -> Vec<u8> {
    let mut mended: Vec<u8> = Vec::with_capacity(event.len() + 16);
    let mut in_string = false;
    let mut is_key = false;
    let mut containers: Vec<u8> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = event.get(at) {
        at += 1;
        if !in_string {
            match byte {
                b'"' => {
                    in_string = true;
                    let before = mended.iter().rev().find(|byte| !byte.is_ascii_whitespace());
                    is_key =
                        containers.last() == Some(&b'{') && matches!(before, Some(b'{' | b','));
                }
                b'{' | b'[' => containers.push(byte),
                b'}' | b']' => {
                    containers.pop();
                }
                b',' if stray(&mended, &event[at..]) => continue,
                _ => {}
            }
            mended.push(byte);
            continue;
        }
        match byte {
            b'"' if ends_string(&event[at..], is_key, containers.last().copied()) => {
                in_string = false;
                mended.push(byte);
            }
            b'"' => mended.extend_from_slice(b"\\\""),
            b'\\' => match event.get(at) {
                // A quote that ends the string cannot be escaped as well.
                Some(b'"')
                    if !ends_string(&event[at + 1..], is_key, containers.last().copied()) =>
                {
                    mended.extend_from_slice(b"\\\"");
                    at += 1;
                }
                Some(&escape @ (b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u')) => {
                    mended.extend_from_slice(&[byte, escape]);
                    at += 1;
                }
                _ => mended.extend_from_slice(b"\\\\"),
            },
            0..0x20 => mended.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => mended.push(byte),
        }
    }
    mended
}

/// Whether what stands behind a quote could stand behind a string: behind a key
/// a colon, behind a value the end of its container, or a comma and what may
/// follow it there.
fn ends_string(behind: &[u8], is_key: bool, container: Option<u8>) -> bool {
    let behind = behind.trim_ascii_start();
    match behind.first() {
        Some(b':') => is_key,
        Some(b'}') if !is_key => container == Some(b'{'),
        Some(b']') if !is_key => container == Some(b'['),
        Some(b',') if !is_key => match (container, behind[1..].trim_ascii_start().first()) {
            (Some(b'{'), next) => next == Some(&b'"'),
            (_, next) => next.is_some_and(|&byte| {
                matches!(byte, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
            }),
        },
        None => true,
        _ => false,
    }
}

/// Whether a comma has nothing in front of it or nothing behind it to part.
fn stray(before: &[u8], behind: &[u8]) -> bool {
    let last = before.iter().rev().find(|byte| !byte.is_ascii_whitespace());
    let next = behind.trim_ascii_start().first();
    matches!(last, Some(b'{' | b'[' | b',') | None) || matches!(next, Some(b'}' | b']') | None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(event: &[u8]) -> serde_json::Value {
        let mended = mend(event);
        serde_json::from_slice(&mended)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&mended)))
    }

    #[test]
    fn names_are_escaped_as_they_should_have_been() {
        let event =
            br#"{"name" :"/a "quoted" b\q/MatMul_kernel_time","args" : {"op_name" : "MatMul"}}"#;
        assert_eq!(value(event)["name"], r#"/a "quoted" b\q/MatMul_kernel_time"#);
        assert_eq!(value(event)["args"]["op_name"], "MatMul");
        assert_eq!(value(b"{\"name\":\"a\x01\nb\",\"ts\":1}")["name"], "a\u{1}\nb");
        assert_eq!(value(br#"{"name":"end\","ts":1}"#)["name"], "end\\");
        assert_eq!(value(br#"{"name":"say \"hi\"","ts":1}"#)["name"], "say \"hi\"");
        assert_eq!(value(br#"{"name":"["a", "b"]","ts":1}"#)["name"], r#"["a", "b"]"#);
    }

    #[test]
    fn stray_commas_are_dropped() {
        assert_eq!(
            value(br#"{,"a":[,{"b":[1,,2,]},],"c":3,}"#),
            serde_json::json!({"a": [{"b": [1, 2]}], "c": 3})
        );
    }

    proptest! {
        /// What is well-formed stays as it is.
        #[test]
        fn well_formed_events_are_left_alone(name: String, op in "[a-zA-Z]{1,8}") {
            let event = serde_json::json!({"name": name, "ph": "X", "ts": 1, "args": {"op_name": op, "shape": [[1, 2], []]}});
            // Text that looks like the end of a string is ambiguous.
            prop_assume!(!name.contains('"') && !name.ends_with('\\'));
            prop_assert_eq!(value(event.to_string().as_bytes()), event);
        }
    }
}
