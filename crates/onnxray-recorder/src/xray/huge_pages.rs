//! Huge pages for the models of an x-ray.
//!
//! Pages of 4 KB lie anywhere in memory. Of eight equal models in one process (24 layers with 1 MB of
//! weights each, on a Xeon), the first to be loaded takes 9.2 to 9.8 ms and the last one 8.5 to 9.0; in
//! huge pages, each takes 8.3 to 8.5. A block is what two cuts differ by: one of 24 would be nothing, or
//! twice as long.

use crate::model::cut::Blocks;
use std::env;
use std::process::Command;

/// Options of glibc's allocator, which are read when a process begins.
const TUNABLES: &str = "GLIBC_TUNABLES";
const HUGE_PAGES: &str = "glibc.malloc.hugetlb";

/// Has a process of these blocks ask for huge pages, unless the user's tunables are about them. Not one with
/// a provider: `onnxruntime-ggml` 0.2.0 ends its process in more parts of a model then.
pub(crate) fn ask_for(command: &mut Command, blocks: Option<&Blocks>) {
    if blocks.is_none_or(|blocks| blocks.as_with_provider) {
        return;
    }
    let own = env::var_os(TUNABLES);
    let own = own.map_or(Some(String::new()), |own| own.into_string().ok());
    if let Some(asked) = own.and_then(|own| asked(&own)) {
        command.env(TUNABLES, asked);
    }
}

/// Tunables that ask for huge pages beside these; `None` if these are about them.
fn asked(own: &str) -> Option<String> {
    let separator = if own.is_empty() { "" } else { ":" };
    (!own.contains(HUGE_PAGES)).then(|| format!("{own}{separator}{HUGE_PAGES}=1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_pages_are_asked_for_beside_what_the_user_asks_for() {
        assert_eq!(asked("").as_deref(), Some("glibc.malloc.hugetlb=1"));
        let both = "glibc.malloc.check=3:glibc.malloc.hugetlb=1";
        assert_eq!(asked("glibc.malloc.check=3").as_deref(), Some(both));
        assert_eq!(asked("glibc.malloc.hugetlb=0"), None, "the user's choice");
    }
}
