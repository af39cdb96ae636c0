//! Processors whose vector registers have no upper halves that are left behind.

/// Does nothing.
#[inline]
pub fn clear() {}

/// Whether there is anything to clear: no.
#[inline]
pub fn can_clear() -> bool {
    false
}

/// Whether the upper halves of the vector registers are in use; `None`, because there
/// are none.
pub fn in_use() -> Option<bool> {
    None
}
