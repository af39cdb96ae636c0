//! tract's errors, as a sentence each.

use crate::memory::size;
use std::fmt;
use tract_onnx::prelude::TractError;

pub(super) struct Cause {
    /// The node that it was about, and its type.
    node: Option<(String, String)>,
    /// One line.
    pub(super) reason: String,
}

impl Cause {
    /// The cause of a panic: no memory for a tensor, or a bug of tract.
    pub(super) fn of_panic(text: &str) -> Cause {
        let bytes = text.strip_prefix("failed to allocate Layout { size: ");
        let bytes = bytes.and_then(|rest| rest.split(',').next()?.parse().ok());
        let reason = match bytes {
            Some(bytes) => format!("there is no memory for a tensor of {}", size(bytes)),
            None => in_words(text.to_string()),
        };
        Cause { node: None, reason }
    }
}

impl From<&TractError> for Cause {
    /// The innermost error gives the reason, the first one that names a node the place; those in
    /// between are about tract's inner workings.
    fn from(error: &TractError) -> Cause {
        // A reason is one line: tract wraps some of its own.
        let line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let chain: Vec<String> = error.chain().map(|cause| line(cause.to_string())).collect();
        let node = chain.iter().find_map(|cause| node(cause));
        let innermost = chain.last().map_or("", String::as_str);
        let mut reason = without_dump(innermost).trim_end_matches('.').to_string();
        // The type is said beside the node's name already.
        if let Some(rest) = node.as_ref().and_then(|(_, of_type)| reason.strip_prefix(of_type))
            && let Some(rest) = rest.strip_prefix(": ")
        {
            reason = rest.to_string();
        }
        Cause { node, reason: in_words(reason) }
    }
}

/// A reason that only tract's authors would understand, in other words.
fn in_words(reason: String) -> String {
    match reason.contains("SymbolScope") {
        true => "the size of a result follows from values, which tract does not plan for \
                 (--engine onnxruntime runs it)"
            .to_string(),
        false => reason,
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        if let Some((name, of_type)) = &self.node {
            write!(out, "`{name}` ({of_type}): ")?;
        }
        out.write_str(&self.reason)
    }
}

/// The node and its type in what says that tract came to it:
/// `Translating node #2 "y" Pad ToTypedTranslator`, `Building node y (Cast)`.
fn node(cause: &str) -> Option<(String, String)> {
    if let Some(rest) = cause.strip_prefix("Building node ") {
        let (name, of_type) = rest.strip_suffix(')')?.rsplit_once(" (")?;
        return Some((name.to_string(), of_type.to_string()));
    }
    let is_about = ["Translating node", "Failed analyse for node", "Evaluating"];
    if !is_about.iter().any(|beginning| cause.starts_with(beginning)) && !cause.contains("codegen")
    {
        return None;
    }
    let (_, rest) = cause.split_once(" #")?;
    let (_, rest) = rest.split_once(" \"")?;
    let (name, rest) = rest.rsplit_once("\" ")?;
    Some((name.to_string(), rest.split(' ').next().unwrap_or_default().to_string()))
}

/// A sentence up to where tract prints its own structures.
fn without_dump(text: &str) -> &str {
    let dump = ["[Val(", "Some(", " { "].iter().filter_map(|mark| text.find(mark)).min();
    let Some(dump) = dump else { return text };
    // `…: input_shape: [Val(1)`: what is called by that name goes with it.
    let said = text[..dump].rsplit_once(": ").map_or(text, |(said, _)| said);
    match said.rsplit_once(": ") {
        Some((said, name)) if !name.contains(' ') => said,
        _ => said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(chain: &[&str]) -> String {
        let (innermost, outer) = chain.split_last().unwrap();
        let error = TractError::msg(innermost.to_string());
        let outer = outer.iter().rev();
        Cause::from(&outer.fold(error, |error, text| error.context(text.to_string()))).to_string()
    }

    #[test]
    fn an_error_is_a_sentence_about_a_node() {
        for (chain, expected) in [
            (
                &["Translating node #2 \"a \" b\" Pad ToTypedTranslator", "Expect a\n constant."][..],
                "`a \" b` (Pad): Expect a constant",
            ),
            (&["Building node y (1) (Cast)", "Unknown type"], "`y (1)` (Cast): Unknown type"),
            (
                &[
                    "Translating node #2 \"Y\" Resize ToTypedTranslator",
                    "in output_facts invocation for Y",
                    "Resize: Neither makes sense: input_shape: [Val(1), Val(4)], scale: None",
                ],
                "`Y` (Resize): Neither makes sense",
            ),
            (
                &["Failed analyse for node #8 \"y\" QLinearMatMul", "Infering facts", "No F16"],
                "`y` (QLinearMatMul): No F16",
            ),
            (
                &["running pass codegen", "codegen node #4 \"Y.sdpa\" SDPA", "No mask"],
                "`Y.sdpa` (SDPA): No mask",
            ),
            (&["reading it", "there is no file"], "there is no file"),
        ] {
            assert_eq!(said(chain), expected);
        }
    }
}
