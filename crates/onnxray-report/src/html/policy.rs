//! What a page allows itself: its own scripts and style, known by their hashes, and
//! nothing else. No name of a trace can become a script, a style or a request.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

/// The content security policy of a page with these scripts and this style, as they are between
/// their tags, from the start or once unpacked.
pub(super) fn policy(scripts: &[&str], style: &str) -> String {
    let scripts: Vec<String> = scripts.iter().map(|script| source(script)).collect();
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types default",
        scripts.join(" "),
        source(style)
    )
}

/// The text with this hash.
fn source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_styles_are_known_by_their_hashes() {
        // The example of the specification, https://www.w3.org/TR/CSP3/#external-hash.
        let known = "'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='";
        assert_eq!(source("doSomething();"), known);
        let policy = policy(&["doSomething();", ""], "");
        assert!(policy.starts_with("default-src 'none'; "));
        assert!(policy.contains(&format!("script-src {known} 'sha256-")));
        assert!(!policy.contains("unsafe"));
    }
}
