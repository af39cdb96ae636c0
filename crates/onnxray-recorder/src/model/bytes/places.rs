//! Where in an ONNX file the elements of a constant lie, so that some of them can be changed in place;
//! and references to other files, changed to files of other names.

use super::field_numbers::{
    ATTRIBUTE_GRAPH, ATTRIBUTE_GRAPHS, ATTRIBUTE_SPARSE, ATTRIBUTE_SPARSES, ATTRIBUTE_TENSOR,
    ATTRIBUTE_TENSORS, ENTRY_KEY, ENTRY_VALUE, FUNCTION_NODE, GRAPH_INITIALIZER, GRAPH_NODE,
    GRAPH_SPARSE_INITIALIZER, MODEL_FUNCTION, MODEL_GRAPH, NODE_ATTRIBUTE, NODE_OPERATOR_TYPE,
    NODE_OUTPUT, SPARSE_INDICES, SPARSE_VALUES, TENSOR_DOUBLES, TENSOR_EXTERNAL, TENSOR_FLOATS,
    TENSOR_NAME, TENSOR_RAW_DATA,
};
use super::wire::{Field, Fields, put, rewritten, values};
use std::ops::Range;

/// Where the tensor of the constant `name` lies in the model in `bytes`; `None` if the bytes are not
/// a model with exactly one constant of that name.
pub(in crate::model) fn tensor_place(bytes: &[u8], name: &str) -> Option<Range<usize>> {
    let mut places = Vec::new();
    for graph in values(bytes, MODEL_GRAPH) {
        in_graph(graph, name.as_bytes(), &mut places);
    }
    // Bodies may have constants of the same name: nobody knows which of two was meant.
    let [tensor] = places[..] else { return None };
    Some(place(bytes, tensor))
}

/// Where the elements of a tensor in `bytes` lie, in the order of the elements; of typed fields
/// only those whose elements have one size. Nothing if they lie in another file.
pub(in crate::model) fn element_places(bytes: &[u8], tensor: &Range<usize>) -> Vec<Range<usize>> {
    let elements = |field: Field| {
        let Range { start, end } = place(bytes, field.whole);
        let size = match (field.number, field.value) {
            (TENSOR_RAW_DATA | TENSOR_FLOATS | TENSOR_DOUBLES, Some(value)) => value.len(),
            // One element alone, as lists are stored that are not packed.
            (TENSOR_FLOATS, None) => 4,
            (TENSOR_DOUBLES, None) => 8,
            _ => 0,
        };
        end - size.min(end - start)..end
    };
    let fields = Fields(&bytes[tensor.clone()]).flatten().map(elements);
    fields.filter(|place| !place.is_empty()).collect()
}

/// The model in `bytes` with another name, by `change`, for each file that it keeps tensors in.
/// `None` if the bytes are not a model.
pub(in crate::model) fn with_files(
    bytes: &[u8],
    change: &dyn Fn(&[u8]) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let files = Files(change);
    let model = rewritten(bytes, MODEL_GRAPH, |graph| files.graph(graph))?;
    rewritten(&model, MODEL_FUNCTION, |function| {
        rewritten(function, FUNCTION_NODE, |node| files.node(node))
    })
}

/// Place of a part of `bytes` in these.
fn place(bytes: &[u8], part: &[u8]) -> Range<usize> {
    let start = part.as_ptr() as usize - bytes.as_ptr() as usize;
    start..start + part.len()
}

fn in_graph<'a>(graph: &'a [u8], name: &[u8], places: &mut Vec<&'a [u8]>) {
    for node in values(graph, GRAPH_NODE) {
        let first = |number| values(node, number).next();
        let holds_it =
            first(NODE_OPERATOR_TYPE) == Some(b"Constant") && first(NODE_OUTPUT) == Some(name);
        for attribute in values(node, NODE_ATTRIBUTE) {
            if holds_it {
                places.extend(values(attribute, ATTRIBUTE_TENSOR));
            }
            values(attribute, ATTRIBUTE_GRAPH).for_each(|body| in_graph(body, name, places));
        }
    }
    let own = |tensor: &&[u8]| values(tensor, TENSOR_NAME).next() == Some(name);
    places.extend(values(graph, GRAPH_INITIALIZER).filter(own));
}

struct Files<'a>(&'a dyn Fn(&[u8]) -> Option<Vec<u8>>);

impl Files<'_> {
    fn graph(&self, graph: &[u8]) -> Option<Vec<u8>> {
        let graph = rewritten(graph, GRAPH_NODE, |node| self.node(node))?;
        let graph = rewritten(&graph, GRAPH_INITIALIZER, |tensor| self.tensor(tensor))?;
        rewritten(&graph, GRAPH_SPARSE_INITIALIZER, |sparse| self.sparse(sparse))
    }

    fn node(&self, node: &[u8]) -> Option<Vec<u8>> {
        rewritten(node, NODE_ATTRIBUTE, |attribute| {
            let mut attribute = attribute.to_vec();
            for number in [ATTRIBUTE_TENSOR, ATTRIBUTE_TENSORS] {
                attribute = rewritten(&attribute, number, |tensor| self.tensor(tensor))?;
            }
            for number in [ATTRIBUTE_SPARSE, ATTRIBUTE_SPARSES] {
                attribute = rewritten(&attribute, number, |sparse| self.sparse(sparse))?;
            }
            for number in [ATTRIBUTE_GRAPH, ATTRIBUTE_GRAPHS] {
                attribute = rewritten(&attribute, number, |body| self.graph(body))?;
            }
            Some(attribute)
        })
    }

    fn sparse(&self, sparse: &[u8]) -> Option<Vec<u8>> {
        let sparse = rewritten(sparse, SPARSE_VALUES, |tensor| self.tensor(tensor))?;
        rewritten(&sparse, SPARSE_INDICES, |tensor| self.tensor(tensor))
    }

    fn tensor(&self, tensor: &[u8]) -> Option<Vec<u8>> {
        rewritten(tensor, TENSOR_EXTERNAL, |entry| {
            let Some(file) = location(entry) else { return Some(entry.to_vec()) };
            let mut changed = Vec::new();
            put(&mut changed, ENTRY_KEY, LOCATION);
            put(&mut changed, ENTRY_VALUE, &(self.0)(file)?);
            Some(changed)
        })
    }
}

const LOCATION: &[u8] = b"location";

/// The name of a file in an entry of a tensor, if that is what it states.
fn location(entry: &[u8]) -> Option<&[u8]> {
    let first = |number| values(entry, number).next();
    first(ENTRY_VALUE).filter(|_| first(ENTRY_KEY) == Some(LOCATION))
}

#[cfg(test)]
mod tests {
    use super::super::wire::put_integer;
    use super::*;

    /// A model of one tensor `w`, an initializer or in a Constant node, with such a field.
    fn model(in_node: bool, field: &[u8]) -> Vec<u8> {
        let message = |parts: &[(u64, &[u8])]| {
            let mut message = Vec::new();
            parts.iter().for_each(|(number, value)| put(&mut message, *number, value));
            message
        };
        let mut tensor = message(&[(TENSOR_NAME, b"w")]);
        tensor.extend_from_slice(field);
        let graph = match in_node {
            true => {
                let attribute = message(&[(ATTRIBUTE_TENSOR, &tensor)]);
                let node = message(&[
                    (NODE_OUTPUT, b"w"),
                    (NODE_OPERATOR_TYPE, b"Constant"),
                    (NODE_ATTRIBUTE, &attribute),
                ]);
                message(&[(GRAPH_NODE, &node)])
            }
            false => message(&[(GRAPH_INITIALIZER, &tensor)]),
        };
        let mut model = Vec::new();
        put_integer(&mut model, 1, 8);
        put(&mut model, MODEL_GRAPH, &graph);
        model
    }

    fn elements(model: &[u8]) -> Vec<u8> {
        let tensor = tensor_place(model, "w").unwrap();
        element_places(model, &tensor).into_iter().flat_map(|at| model[at].to_vec()).collect()
    }

    #[test]
    fn elements_are_found_wherever_they_lie() {
        let floats: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|own| own.to_le_bytes()).collect();
        let packed = |number| {
            let mut field = Vec::new();
            put(&mut field, number, &floats);
            field
        };
        // Number 4, four bytes: one field per element.
        let single: Vec<u8> =
            floats.chunks(4).flat_map(|own| [&[4 << 3 | 5], own].concat()).collect();
        for field in [packed(TENSOR_RAW_DATA), packed(TENSOR_FLOATS), single] {
            for in_node in [false, true] {
                assert_eq!(elements(&model(in_node, &field)), floats, "{field:?}");
            }
        }
        let two = [model(false, &[]), model(true, &[])].concat();
        assert!(tensor_place(&two, "w").is_none(), "two of one name");
        assert!(tensor_place(&model(false, &[]), "v").is_none());
    }

    #[test]
    fn other_files_get_another_name_and_nothing_else_changes() {
        let entry = |key: &[u8], value: &[u8]| {
            let mut entry = Vec::new();
            put(&mut entry, ENTRY_KEY, key);
            put(&mut entry, ENTRY_VALUE, value);
            let mut field = Vec::new();
            put(&mut field, TENSOR_EXTERNAL, &entry);
            field
        };
        let of = |file: &[u8]| [entry(b"location", file), entry(b"offset", b"old")].concat();
        for in_node in [false, true] {
            let [old, new] = [b"old".as_slice(), b"a longer one"].map(|f| model(in_node, &of(f)));
            let changed =
                with_files(&old, &|file| (file == b"old").then(|| b"a longer one".into()));
            assert_eq!(changed.as_deref(), Some(&new[..]));
            assert_eq!(with_files(&old, &|_| None), None);
        }
        let inner = model(true, &[]);
        assert_eq!(with_files(&inner, &|_| None).as_deref(), Some(&inner[..]), "no other files");
    }
}
