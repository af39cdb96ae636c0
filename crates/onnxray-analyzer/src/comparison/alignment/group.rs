//! Groups of operators that do the same work on both sides, and how they were found.

/// One of two recordings; A is the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The baseline: index 0 of what is kept by side.
    A,
    /// The version: index 1.
    B,
}

impl Side {
    /// B for A, and A for B.
    pub fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

/// Evidence by which two operators were matched, surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Both compute the same ONNX node, or have the same name in traces without nodes.
    Node,
    /// The name of one was made from that of the other, or of its node.
    Name,
    /// Both make the same tensor.
    Tensor,
    /// Both read the same weight.
    Weight,
    /// Kind, shapes and order agree.
    Shape,
    /// They have the same neighbours.
    Place,
}

/// Confidence in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// By ONNX node, by a name made from it, or by a tensor that both make.
    Certain,
    /// By a weight that both read, or by kind, shapes and order.
    Likely,
    /// Only the neighbours match.
    Possible,
}

impl Method {
    /// Wording of reports.
    pub fn text(self) -> &'static str {
        match self {
            Method::Node => "node name",
            Method::Name => "derived name",
            Method::Tensor => "tensor",
            Method::Weight => "weight",
            Method::Shape => "type, shapes, order",
            Method::Place => "place in the graph",
        }
    }

    /// Certainty of a match by this evidence.
    pub fn certainty(self) -> Certainty {
        match self {
            Method::Node | Method::Name | Method::Tensor => Certainty::Certain,
            Method::Weight | Method::Shape => Certainty::Likely,
            Method::Place => Certainty::Possible,
        }
    }
}

impl Certainty {
    /// Wording of reports.
    pub fn text(self) -> &'static str {
        match self {
            Certainty::Certain => "certain",
            Certainty::Likely => "likely",
            Certainty::Possible => "possible",
        }
    }
}

/// An operator in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Number of the operator on its side.
    pub operator: u32,
    /// Evidence of its match; `None` if only others of its side were matched.
    pub method: Option<Method>,
    /// It only converts a tensor for the others.
    pub conversion: bool,
}

/// Operators that do the same work on both sides; one side is empty where the
/// other does something alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Operators of the baseline, in its order of execution.
    pub a: Vec<Member>,
    /// Operators of the version, in its own order of execution.
    pub b: Vec<Member>,
}

impl Group {
    /// The operators of one side; empty if only the other does this work.
    pub fn members(&self, side: Side) -> &[Member] {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    /// Numbers of the operators of a side that compute; of its conversions, if there is nothing
    /// else.
    pub(crate) fn computing(&self, side: Side) -> Vec<u32> {
        let members = self.members(side);
        let computing = members.iter().filter(|member| !member.conversion);
        let computing: Vec<u32> = computing.map(|member| member.operator).collect();
        if computing.is_empty() {
            return members.iter().map(|member| member.operator).collect();
        }
        computing
    }

    /// Several groups as one.
    pub(crate) fn joined<'a>(groups: impl Iterator<Item = &'a Group>) -> Group {
        groups.fold(Group::default(), |mut all, group| {
            all.a.extend(&group.a);
            all.b.extend(&group.b);
            all
        })
    }

    /// Both sides have operators here.
    pub fn is_matched(&self) -> bool {
        !self.a.is_empty() && !self.b.is_empty()
    }

    /// The surest link between the two sides; `None` if one is empty.
    pub fn method(&self) -> Option<Method> {
        let known = |members: &[Member]| {
            members.iter().filter(|member| !member.conversion).filter_map(|m| m.method).min()
        };
        // Conversions count only in a group of nothing else: they were put there by what they
        // serve.
        let any = |members: &[Member]| members.iter().filter_map(|member| member.method).min();
        let (a, b) = (known(&self.a).or(any(&self.a)), known(&self.b).or(any(&self.b)));
        // The less sure side: a link is as good as the weaker evidence for it.
        self.is_matched().then(|| Some(a?.max(b?))).flatten()
    }
}

/// All groups, in the order of the operators of A; each operator of each side is
/// in exactly one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// What only B has follows what came before it there.
    pub groups: Vec<Group>,
}
