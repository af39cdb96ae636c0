//! What the name of a TensorRT layer tells of the ONNX nodes behind it.
//!
//! TensorRT makes the name of a fused layer of the names of its parts:
//! `conv.weight + Conv_12 + PWN(Clip_16)`, `Conv_1 || Conv_2`,
//! `PWN(PWN(Sigmoid_1), Mul_2)`, `{ForeignNode[first...last]}`. Parts that it made
//! itself stand for no node, and neither do constants, as far as their names show
//! it. Of a foreign node only the first and the last name are known.

/// Names of ONNX nodes in the name of a layer, in their order.
pub(crate) fn nodes(name: &str) -> Vec<String> {
    let mut nodes: Vec<String> = Vec::new();
    let name = match shape_profile(name) {
        Some(suffix) => name.split(suffix).next().unwrap_or_default().trim_end(),
        None => name,
    };
    // These move data, next to the layer that they name.
    if name.contains("CopyNode for ") || name.ends_with(" copy") {
        return nodes;
    }
    for part in parts(name) {
        let ends: Vec<&str> = match part.strip_prefix("{ForeignNode[") {
            Some(range) => range.trim_end_matches("]}").split("...").collect(),
            None => vec![part],
        };
        for node in ends.into_iter().filter_map(node) {
            if !nodes.iter().any(|known| known == node) {
                nodes.push(node.to_string());
            }
        }
    }
    nodes
}

/// The mark of the profile of shapes that a layer is for: `[profile 1]`. Layers
/// for the first one have none.
pub(crate) fn shape_profile(name: &str) -> Option<&str> {
    let start = name.find("[profile ")?;
    let length = name[start..].find(']')?;
    let mark = &name[start..=start + length];
    let number = mark["[profile ".len()..mark.len() - 1].trim();
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(mark)
}

/// The parts of a fused layer's name.
fn parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut offset) = (0, 0);
    // Pointwise networks that are open, and parentheses of the part itself.
    let (mut networks, mut own) = (0, 0);
    while offset < name.len() {
        let rest = &name.as_bytes()[offset..];
        if offset == start && rest.starts_with(b"PWN(") {
            networks += 1;
            offset += 4;
            start = offset;
            continue;
        }
        let between = [" + ", " || "].into_iter().find(|sign| rest.starts_with(sign.as_bytes()));
        let comma = networks > 0 && own == 0 && rest.starts_with(b", ");
        let closes = networks > 0 && own == 0 && rest[0] == b')';
        let step = match between {
            Some(sign) => sign.len(),
            None if comma => 2,
            None if closes => 1,
            None => {
                match rest[0] {
                    b'(' => own += 1,
                    b')' => own = (own - 1).max(0),
                    _ => {}
                }
                offset += 1;
                continue;
            }
        };
        parts.push(&name[start..offset]);
        networks -= i32::from(closes && between.is_none());
        own = 0;
        offset += step;
        start = offset;
    }
    parts.push(&name[start..]);
    parts
}

/// The name of a node, if a part is one.
fn node(part: &str) -> Option<&str> {
    let part = part.trim();
    let made_by_tensorrt = ["[", "ONNXTRT_", "onnx::", "__my", "copied_squeeze", "fusedPointwise"]
        .iter()
        .any(|start| part.starts_with(start));
    let squeezed = ["squeeze_after_", "unsqueeze_node_after_"].iter().any(|s| part.starts_with(s));
    let constant = [".weight", ".bias", ".running_mean", ".running_var", "[Constant]"]
        .iter()
        .any(|end| part.ends_with(end));
    let none = part.is_empty()
        || made_by_tensorrt
        || squeezed
        || constant
        || part.contains("(Unnamed Layer*")
        || is_numbered(part, "_output_")
        || is_compiled(part);
    (!none).then(|| without_number(part, "_clone_"))
}

/// Whether a part ends in `mark` and a number.
fn is_numbered(part: &str, mark: &str) -> bool {
    without_number(part, mark).len() < part.len()
}

fn without_number<'a>(part: &'a str, mark: &str) -> &'a str {
    let stem = part.trim_end_matches(|digit: char| digit.is_ascii_digit());
    match stem.strip_suffix(mark) {
        Some(before) if stem.len() < part.len() => before,
        _ => part,
    }
}

/// Whether a part was renamed by TensorRT's compiler: `MatMul_myl0_5`.
fn is_compiled(part: &str) -> bool {
    let stem = without_number(part, "_");
    stem.len() < part.len() && is_numbered(stem, "_myl")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_of_fused_layers() {
        let cases: [(&str, &[&str]); 14] = [
            ("Conv_0 + Relu_1", &["Conv_0", "Relu_1"]),
            (
                "a.weight + QuantizeLinear_8 + Conv_12 + PWN(Clip_16)",
                &["QuantizeLinear_8", "Conv_12", "Clip_16"],
            ),
            ("PWN(PWN(/act/Sigmoid), /act/Mul)", &["/act/Sigmoid", "/act/Mul"]),
            ("PWN((Unnamed Layer* 2) [ElementWise], PWN(PWN(A + B, C), D))", &["A", "B", "C", "D"]),
            ("/b/Conv || /a/Conv", &["/b/Conv", "/a/Conv"]),
            ("{ForeignNode[/a/Shape.../b/Add]}", &["/a/Shape", "/b/Add"]),
            ("{ForeignNode[/head/Constant_2_output_0.../Unsqueeze_2]}", &["/Unsqueeze_2"]),
            ("Reformatting CopyNode for Input Tensor 0 to Conv_0", &[]),
            ("/neck/QuantizeLinear_clone_1", &["/neck/QuantizeLinear"]),
            ("copied_squeeze_after_(Unnamed Layer* 850) [ElementWise]", &[]),
            ("Conv_0 + Relu_1 [profile 1]", &["Conv_0", "Relu_1"]),
            ("/a/MatMul_myl0_5", &[]),
            ("__myl_MulAdd_myl0_6", &[]),
            ("f(x) + g(y, z)", &["f(x)", "g(y, z)"]),
        ];
        for (name, expected) in cases {
            assert_eq!(nodes(name), expected, "{name}");
        }
        assert_eq!(shape_profile("a [profile 12]"), Some("[profile 12]"));
        assert_eq!(shape_profile("a [profile x]"), None);
    }

    proptest! {
        #[test]
        fn any_name_has_some_nodes(name in "(PWN\\(|\\)|, | \\+ |[a-zé(]|\\{ForeignNode\\[|\\.\\.\\.| \\[profile 1\\]){0,20}") {
            let _ = nodes(&name);
        }
    }
}
