//! What names tell of the ONNX node behind an operator.
//!
//! Engines and quantizers make new names from those of nodes and tensors:
//! `/fc/MatMul_quant`, `/conv/Conv_output_0_nchwc`,
//! `/fc/MatMul_output_0_QuantizeLinear`. What they put behind is taken off, piece
//! by piece. A shorter name says something only where the other side has it.

/// Where suffixes begin. A number alone is not a suffix: `/fc/MatMul_1` is another node than
/// `/fc/MatMul`.
const SEPARATORS: [char; 6] = ['_', '/', '.', ':', '#', '~'];
/// Shorter names are too common to tell anything.
const SHORTEST: usize = 3;

/// Suffixes of operators that were inserted to convert the tensor they are named after.
const CONVERSIONS: [&str; 4] =
    ["_QuantizeLinear", "_DequantizeLinear", "_DynamicQuantizeLinear", "_Cast"];

/// Bounds the work on names of separators only; real names have a few suffixes.
const MOST_PIECES: usize = 16;

/// The names that a name was made from, longer ones first; itself not included.
pub(crate) fn origins(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    let pieces = std::iter::from_fn(move || {
        loop {
            let cut = rest.rfind(SEPARATORS)?;
            let behind = &rest[cut + 1..];
            rest = &rest[..cut];
            // Names only get shorter from here on.
            if rest.len() < SHORTEST {
                return None;
            }
            // `_output_0` and `_token_51` go as a whole.
            let numbered = behind.chars().all(|c| c.is_ascii_digit()) && !behind.is_empty();
            if !numbered {
                return Some(rest);
            }
            let word = rest.rfind(SEPARATORS).map(|cut| &rest[cut + 1..]);
            if !matches!(word, Some("output" | "token")) {
                // Everything shorter is another node.
                return None;
            }
        }
    });
    pieces.take(MOST_PIECES)
}

/// The tensor that an operator converts, by its name.
pub(crate) fn converted_tensor(name: &str) -> Option<&str> {
    CONVERSIONS.iter().find_map(|end| name.strip_suffix(end))
}

/// The node that makes a tensor, if the tensor is named after it.
pub(crate) fn producer(tensor: &str) -> Option<&str> {
    let (node, number) = tensor.rsplit_once("_output_")?;
    (!node.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(node)
}

/// The tensor has a name of its own, not only its place (`input 0`).
pub(crate) fn is_name(tensor: &str) -> bool {
    let place = tensor.strip_prefix("input ").or_else(|| tensor.strip_prefix("output "));
    !tensor.is_empty() && !place.is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A weight's name as it was before it was quantized.
pub(crate) fn weight(name: &str) -> &str {
    name.strip_suffix("_quantized").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &[&str]) {
        assert_eq!(origins(name).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_was_put_behind_comes_off_piece_by_piece() {
        check("/fc/MatMul_quant", &["/fc/MatMul", "/fc"]);
        check("/stem/Conv_token_51", &["/stem/Conv", "/stem"]);
        check("/a/Clip_output_0_nchwc", &["/a/Clip_output_0", "/a/Clip", "/a"][..2]);
        check("/x/MatMul/ScaleFusion/", &["/x/MatMul/ScaleFusion", "/x/MatMul"]);
    }

    #[test]
    fn a_number_makes_another_node() {
        check("/fc/MatMul_1", &[]);
        check("/fc/MatMul_1_quant", &["/fc/MatMul_1"]);
        check("Add", &[]);
        check("", &[]);
    }

    #[test]
    fn tensors_tell_their_producer() {
        assert_eq!(producer("/a/Clip_output_0"), Some("/a/Clip"));
        assert_eq!(producer("logits"), None);
        assert_eq!(converted_tensor("/a/Clip_output_0_DequantizeLinear"), Some("/a/Clip_output_0"));
        assert!(is_name("logits") && is_name("input ids") && !is_name("input 0"));
    }
}
