//! How containers lie in each other.

/// Which kinds of containers are open, one bit each; those further out are kept
/// aside, 64 at a time.
#[derive(Default)]
pub(super) struct Nesting {
    pub(super) depth: usize,
    bits: u64,
    further_out: Vec<u64>,
}

impl Nesting {
    #[inline(always)]
    pub(super) fn in_object(&self) -> bool {
        self.bits & 1 == 1
    }

    #[inline(always)]
    pub(super) fn open(&mut self, is_object: bool) -> bool {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.further_out.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(is_object);
        self.depth += 1;
        true
    }

    /// Closes the innermost container; `false` if it is of the other kind.
    #[inline(always)]
    pub(super) fn close(&mut self, is_object: bool) -> bool {
        let of_this_kind = self.bits & 1 == u64::from(is_object);
        self.bits >>= 1;
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.further_out.pop().unwrap_or_default();
        }
        of_this_kind
    }
}
