//! Operations of attention: of ONNX, and of ONNX Runtime's own operators.
//!
//! Queries times keys, the weights of that times values, and a softmax between them. Keys count
//! as if every query saw all of them: a causal mask leaves results out, not operations.

use crate::model::graph::{Attribute, Node};
use crate::model::tensor_table::TensorTable;
use onnxray_format::{DataType, elements};

/// Maximum, difference, exponential, sum, quotient: for each element of a softmax.
pub(in crate::model) const SOFTMAX: u64 = 5;
/// A quotient, its tangent and a product bound the scores.
const SOFTCAP: u64 = 3;
/// Two products and a sum for each element that is turned by its position.
const ROTATION: u64 = 3;

/// FLOPs of one execution; `None` if a shape is unknown.
pub(in crate::model) fn flops(node: &Node, tensors: &TensorTable) -> Option<u64> {
    let operands = Operands { node, tensors };
    match node.operator_type.as_str() {
        // Of com.microsoft, which has to say how many heads there are; ONNX' calls it otherwise.
        "Attention" if node.int("num_heads").is_some() => operands.projected(Some(5), 4),
        "QAttention" => operands.projected(None, 8),
        "Attention" => operands.plain(),
        "MultiHeadAttention" => operands.multi_head(Places { bias: 3, addend: 5, past: 6 }),
        "DecoderMaskedMultiHeadAttention" => {
            operands.multi_head(Places { bias: 10, addend: 4, past: 5 })
        }
        "GroupQueryAttention" => operands.grouped(),
        _ => None,
    }
}

/// Positions of inputs that differ between operators.
struct Places {
    bias: usize,
    addend: usize,
    past: usize,
}

/// Sizes that the scores are computed from.
struct Scores {
    /// Elements of all queries; `results` are those of the result.
    queries: u64,
    results: u64,
    /// Queries of all heads and sequences.
    rows: u64,
    /// Keys that each query meets.
    keys: u64,
}

struct Operands<'a> {
    node: &'a Node,
    tensors: &'a TensorTable,
}

impl<'a> Operands<'a> {
    fn shape(&self, index: usize) -> Option<&'a [u64]> {
        self.tensors.shape(self.node.input(index)?)
    }

    fn is_given(&self, index: usize) -> bool {
        self.node.input(index).is_some()
    }

    fn count(&self, attribute: &str) -> Option<u64> {
        self.node.int(attribute).and_then(|count| u64::try_from(count).ok())
    }

    /// Number of keys, cached ones included; the length of the cache that the node returns, if it
    /// returns one.
    fn keys(&self, past: usize, axis: usize, new: u64) -> Option<u64> {
        let left = self.node.output(1).and_then(|name| self.tensors.shape(name));
        if let Some(left) = left {
            return left.get(axis).copied();
        }
        let before = if self.is_given(past) { *self.shape(past)?.get(axis)? } else { 0 };
        before.checked_add(new)
    }

    /// `addend` is the input that is added to the scores.
    fn scored(&self, scores: &Scores, addend: Option<usize>) -> Option<u64> {
        let &Scores { queries, results, rows, keys } = scores;
        let products = elements(&[2, keys, queries.checked_add(results)?])?;
        let is_capped = matches!(
            self.node.attributes.get("softcap"), Some(Attribute::Float(cap)) if *cap != 0.0
        );
        let is_added = addend.and_then(|addend| self.node.input(addend)).is_some_and(|name| {
            // True and false choose.
            self.tensors.tensor(name).data_type != Some(DataType::Bool)
        });
        let each = SOFTMAX + u64::from(is_added) + if is_capped { SOFTCAP } else { 0 };
        products.checked_add(elements(&[each, rows, keys])?)
    }

    /// ONNX': batch x tokens x (heads x size), or batch x heads x tokens x size.
    fn plain(&self) -> Option<u64> {
        let (queries, keys, values) = (self.shape(0)?, self.shape(1)?, self.shape(2)?);
        let (rows, new, size) = match (queries, keys, values) {
            (&[batch, tokens, _], &[_, new, _], &[_, _, width]) => {
                let rows = elements(&[batch, tokens, self.count("q_num_heads")?])?;
                (rows, new, width.checked_div(self.count("kv_num_heads")?)?)
            }
            (&[batch, heads, tokens, _], &[_, _, new, _], &[_, _, _, size]) => {
                (elements(&[batch, heads, tokens])?, new, size)
            }
            _ => return None,
        };
        let (queries, results) = (elements(queries)?, elements(&[rows, size])?);
        let keys = self.keys(4, 2, new)?;
        self.scored(&Scores { queries, results, rows, keys }, Some(3))
    }

    /// Queries, keys and values are made of one input and a matrix.
    fn projected(&self, addend: Option<usize>, past: usize) -> Option<u64> {
        let (&[batch, tokens, depth], &[_, columns]) = (self.shape(0)?, self.shape(1)?) else {
            return None;
        };
        let cells = elements(&[batch, tokens])?;
        let made = elements(&[cells, columns])?;
        let bias = if self.is_given(2) { made } else { 0 };
        let size = |part: usize| match self.node.ints("qkv_hidden_sizes") {
            Some(sizes) => u64::try_from(*sizes.get(part)?).ok(),
            None => Some(columns / 3),
        };
        let scores = Scores {
            queries: elements(&[cells, size(0)?])?,
            results: elements(&[cells, size(2)?])?,
            rows: elements(&[cells, self.count("num_heads")?])?,
            keys: self.keys(past, 3, tokens)?,
        };
        // Queries and keys are turned, values are not.
        let turned = match self.count("do_rotary") {
            Some(1..) => elements(&[ROTATION, 2, scores.queries])?,
            _ => 0,
        };
        let scored = self.scored(&scores, addend)?;
        let first = elements(&[2, depth, made])?.checked_add(bias)?;
        first.checked_add(scored)?.checked_add(turned)
    }

    /// Keys and values of their own, packed with the queries, or of a cache.
    fn multi_head(&self, places: Places) -> Option<u64> {
        let queries = self.shape(0)?;
        let (&[batch, tokens, ..], all) = (queries, elements(queries)?) else { return None };
        let cells = elements(&[batch, tokens])?;
        // Batch x tokens x heads x 3 x size.
        let own = if queries.len() == 5 { all / 3 } else { all };
        let keys = if self.is_given(1) { Some(self.shape(1)?) } else { None };
        let is_cached = keys.is_some_and(|keys| keys.len() == 4);
        let new = match keys {
            None => tokens,
            Some(&[_, _, tokens, _]) | Some(&[_, tokens, ..]) => tokens,
            Some(_) => return None,
        };
        let bias = match self.shape(places.bias) {
            None if self.is_given(places.bias) => return None,
            None => 0,
            Some(_) if is_cached => own,
            Some(bias) => {
                let size = own / cells.max(1);
                // One bias for queries, keys and values together: what is beyond the queries' part
                // falls on the new keys.
                let others = elements(bias)?.checked_sub(size)?;
                own.checked_add(elements(&[batch, new, others])?)?
            }
        };
        let results = match self.is_given(2).then(|| self.shape(2)) {
            None => own,
            Some(Some(&[_, _, width])) => elements(&[cells, width])?,
            Some(Some(&[_, heads, _, size])) => elements(&[cells, heads, size])?,
            Some(_) => return None,
        };
        let scores = Scores {
            queries: own,
            results,
            rows: elements(&[cells, self.count("num_heads")?])?,
            keys: if is_cached { new } else { self.keys(places.past, 2, new)? },
        };
        self.scored(&scores, Some(places.addend))?.checked_add(bias)
    }

    /// Several heads of queries share one of keys and values, which may be packed after the queries
    /// in input 0.
    fn grouped(&self) -> Option<u64> {
        let &[batch, tokens, width] = self.shape(0)? else { return None };
        let (heads, shared) = (self.count("num_heads")?, self.count("kv_num_heads")?);
        let cells = elements(&[batch, tokens])?;
        let parts =
            if self.is_given(1) { heads } else { shared.checked_mul(2)?.checked_add(heads)? };
        let size = width.checked_div(parts)?;
        let turned = match self.count("do_rotary") {
            Some(1..) => {
                // The table of cosines has one for each pair of elements: it tells how many of a
                // head are turned.
                let half = self.shape(7).and_then(|cosines| cosines.last().copied());
                let size = half.map_or(Some(size), |half| half.checked_mul(2))?;
                elements(&[ROTATION, cells, heads.checked_add(shared)?, size])?
            }
            _ => 0,
        };
        let all = elements(&[cells, heads, size])?;
        let scores = Scores {
            queries: all,
            results: all,
            rows: elements(&[cells, heads])?,
            keys: self.keys(3, 2, tokens)?,
        };
        self.scored(&scores, Some(10))?.checked_add(turned)
    }
}

/// Turns elements by their position: all, or the first of each head.
pub(in crate::model) fn rotation(node: &Node, tensors: &TensorTable) -> Option<u64> {
    let shape = tensors.shape(node.input(0)?)?;
    let all = elements(shape)?;
    let count = |name: &str| {
        node.int(name).and_then(|count| u64::try_from(count).ok()).filter(|&count| count > 0)
    };
    let turned = match count("rotary_embedding_dim") {
        None => all,
        Some(turned) => {
            let last = *shape.last()?;
            let size = if shape.len() == 4 { last } else { last / count("num_heads")? };
            all.checked_div(size)?.checked_mul(turned)?
        }
    };
    turned.checked_mul(ROTATION)
}
