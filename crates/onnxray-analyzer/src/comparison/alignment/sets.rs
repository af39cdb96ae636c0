//! Sets of operators that do the same work, grown link by link.

use super::{Method, Side};

/// Operators of both sides by position: those of A first, then those of B.
pub(crate) struct Sets {
    parent: Vec<u32>,
    /// By root: the set has an operator of A, of B.
    has: Vec<[bool; 2]>,
    /// By operator: its strongest link to the other side.
    methods: Vec<Option<Method>>,
    a: usize,
}

impl Sets {
    pub(crate) fn new(a: usize, b: usize) -> Sets {
        Sets {
            parent: (0..(a + b) as u32).collect(),
            has: (0..a + b).map(|at| [at < a, at >= a]).collect(),
            methods: vec![None; a + b],
            a,
        }
    }

    /// A's operators come first, then B's.
    pub(crate) fn place(&self, side: Side, operator: usize) -> usize {
        match side {
            Side::A => operator,
            Side::B => self.a + operator,
        }
    }

    pub(crate) fn root(&mut self, place: usize) -> usize {
        let mut at = place;
        while self.parent[at] as usize != at {
            let next = self.parent[at] as usize;
            // Path halving keeps chains short without ranks (`a_hundred_thousand_operators`).
            self.parent[at] = self.parent[next];
            at = next;
        }
        at
    }

    /// The set of this operator has operators of both sides.
    pub(crate) fn is_matched(&mut self, place: usize) -> bool {
        let root = self.root(place);
        self.has[root] == [true, true]
    }

    /// Puts two operators of one side into one set: they do one work.
    pub(crate) fn join(&mut self, first: usize, second: usize) {
        let (first, second) = (self.root(first), self.root(second));
        if first == second {
            return;
        }
        // The lowest place is the root, in whatever order links come: roots are keys of later
        // steps.
        let (low, high) = (first.min(second), first.max(second));
        self.parent[high] = low as u32;
        let [a, b] = self.has[high];
        self.has[low] = [self.has[low][0] || a, self.has[low][1] || b];
    }

    /// Says how an operator came into its set, if nothing stronger is known.
    pub(crate) fn note(&mut self, place: usize, method: Method) {
        let known = self.methods[place];
        self.methods[place] = Some(known.map_or(method, |known| known.min(method)));
    }

    pub(crate) fn link(&mut self, first: usize, second: usize, method: Method) {
        self.join(first, second);
        self.note(first, method);
        self.note(second, method);
    }

    pub(crate) fn method(&self, place: usize) -> Option<Method> {
        self.methods[place]
    }
}
