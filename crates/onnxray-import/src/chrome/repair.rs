//! Makes well-formed JSON of an event that its producer did not escape.
//!
//! ONNX Runtime (before 1.31), TensorRT and older Kineto write names as they
//! are, quotes, backslashes and control characters included. A quote ends a
//! string only if what follows could follow a string.

use crate::json::Cursor;

/// The event with its strings escaped, its stray commas dropped and those added
/// that are missing in front of a key. The result need not be well-formed:
/// whoever reads it finds out.
pub(crate) fn repaired(text: &[u8]) -> Vec<u8> {
    let mut repaired: Vec<u8> = Vec::with_capacity(text.len() + 16);
    let mut in_string = false;
    let mut is_key = false;
    let mut containers: Vec<u8> = Vec::new();
    // What stands before, white space apart; kept, since there may be much of that.
    let mut before = None;
    let mut offset = 0;
    while let Some(&byte) = text.get(offset) {
        offset += 1;
        let container = containers.last().copied();
        if !in_string {
            match byte {
                b'"' => {
                    in_string = true;
                    is_key = container == Some(b'{') && before != Some(b':');
                    if is_key && !matches!(before, Some(b'{' | b',')) {
                        repaired.push(b',');
                    }
                }
                b'{' | b'[' => containers.push(byte),
                b'}' | b']' => {
                    containers.pop();
                }
                b',' if stray(before, &text[offset..]) => continue,
                _ => {}
            }
            repaired.push(byte);
            if !byte.is_ascii_whitespace() {
                before = Some(byte);
            }
            continue;
        }
        match byte {
            b'"' if ends_string(&text[offset..], is_key, container) => {
                in_string = false;
                before = Some(byte);
                repaired.push(byte);
            }
            b'"' => repaired.extend_from_slice(b"\\\""),
            b'\\' => match text.get(offset) {
                // A quote that ends the string cannot be escaped as well.
                Some(b'"') if !ends_string(&text[offset + 1..], is_key, container) => {
                    repaired.extend_from_slice(b"\\\"");
                    offset += 1;
                }
                Some(&escape @ (b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')) => {
                    repaired.extend_from_slice(&[byte, escape]);
                    offset += 1;
                }
                Some(b'u') if is_hexadecimal(text.get(offset + 1..offset + 5)) => {
                    repaired.push(byte)
                }
                _ => repaired.extend_from_slice(b"\\\\"),
            },
            0..0x20 => repaired.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => repaired.push(byte),
        }
    }
    repaired
}

fn is_hexadecimal(digits: Option<&[u8]>) -> bool {
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Whether what follows a quote could follow a string: behind a key
/// a colon, behind a value the end of its container, or commas and what may
/// follow them there.
fn ends_string(behind: &[u8], is_key: bool, container: Option<u8>) -> bool {
    let mut behind = Cursor::new(behind);
    let first = behind.peek();
    if is_key {
        return first == Some(b':');
    }
    while behind.take(b',') {}
    let goes_on =
        |behind: &mut Cursor<'_>| matches!(behind.peek(), None | Some(b',' | b'}' | b']'));
    match behind.peek() {
        None => true,
        Some(b'}') if container == Some(b'{') => behind.take(b'}') && goes_on(&mut behind),
        Some(b']') if container == Some(b'[') => behind.take(b']') && goes_on(&mut behind),
        // In an object a key follows, even if a comma is missing.
        Some(b'"') if container == Some(b'{') => behind.text().is_ok() && behind.take(b':'),
        _ if container == Some(b'{') || first != Some(b',') => false,
        Some(b'{' | b'[') => true,
        _ => behind.value().is_ok() && goes_on(&mut behind),
    }
}

/// Whether a comma has nothing in front of it or nothing behind it to part.
fn stray(before: Option<u8>, behind: &[u8]) -> bool {
    let next = behind.trim_ascii_start().first();
    matches!(before, Some(b'{' | b'[' | b',') | None) || matches!(next, Some(b'}' | b']') | None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(event: &[u8]) -> serde_json::Value {
        let repaired = repaired(event);
        serde_json::from_slice(&repaired)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&repaired)))
    }

    #[test]
    fn names_are_escaped_as_they_should_have_been() {
        let event =
            br#"{"name" :"/a "quoted" b\q/MatMul_kernel_time","args" : {"op_name" : "MatMul"}}"#;
        assert_eq!(value(event)["name"], r#"/a "quoted" b\q/MatMul_kernel_time"#);
        assert_eq!(value(event)["args"]["op_name"], "MatMul");
        assert_eq!(value(b"{\"name\":\"a\x01\nb\",\"ts\":1}")["name"], "a\u{1}\nb");
        assert_eq!(value(br#"{"name":"end\","ts":1}"#)["name"], "end\\");
        assert_eq!(value(br#"{"name":"\u00e9\user"}"#)["name"], "é\\user");
        assert_eq!(value(br#"{"name":"say \"hi\"","ts":1}"#)["name"], "say \"hi\"");
        assert_eq!(value(br#"{"name":"["a", "b"]","ts":1}"#)["name"], r#"["a", "b"]"#);
        assert_eq!(value(br#"{"args":{"a":["x "y", z","w"]}}"#)["args"]["a"][0], r#"x "y", z"#);
    }

    #[test]
    fn commas_are_dropped_and_added() {
        assert_eq!(
            value(br#"{,"a":[,{"b":["x",,2,]},],"c":"y",, "d":"z",}"#),
            serde_json::json!({"a": [{"b": ["x", 2]}], "c": "y", "d": "z"})
        );
        assert_eq!(
            value(br#"{"a":"x" "b":1 "c":{} "d":[]}"#),
            serde_json::json!({"a": "x", "b": 1, "c": {}, "d": []})
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
