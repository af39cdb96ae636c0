//! Numbers that look random and are the same every time.

pub(crate) struct Sequence(u64);

impl Sequence {
    /// The sequence of a seed; those of neighbouring seeds have nothing in common.
    pub(crate) fn new(seed: u64) -> Sequence {
        // Spreads the seed's bits, and never gives 0, which would stay 0.
        let spread = (seed ^ (seed >> 31)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Sequence((spread ^ (spread >> 29)).max(1))
    }

    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}
