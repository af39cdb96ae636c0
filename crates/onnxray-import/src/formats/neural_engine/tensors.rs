//! Lists of tensors: names, types and shapes as text with separators.
//!
//! Names are not quoted, so they may hold the separator. Types never do: they
//! tell how many tensors there are.

use crate::text::number::number;
use onnxray_format::Tensor;
use onnxray_format::profile_csv::{ends_tensor, type_named};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Notation {
    pub(crate) between_tensors: char,
    pub(crate) between_dimensions: char,
}

/// In the CSV: `1024x256;256`.
pub(crate) const CSV: Notation = Notation { between_tensors: ';', between_dimensions: 'x' };
/// In the trace: `1024*256,256`.
pub(crate) const TRACE: Notation = Notation { between_tensors: ',', between_dimensions: '*' };

impl Notation {
    /// The parts of a list; none of an empty one.
    pub(crate) fn parts<'a>(&self, text: &'a str) -> Vec<&'a str> {
        match text.trim() {
            "" => Vec::new(),
            text => text.split(self.between_tensors).map(str::trim).collect(),
        }
    }

    /// Tensors of these names and types. Shapes are known where there is one for
    /// each tensor: the Neural Engine leaves scalars out of the list.
    pub(crate) fn tensors(
        &self,
        names: &str,
        types: &str,
        shapes: &[&str],
        kind: &str,
    ) -> Vec<Tensor> {
        // Some lists end in a separator. Behind it may be the tensor of an appended sum, which
        // has a name, but neither type nor shape.
        let is_open = types.trim().ends_with(self.between_tensors);
        let types = self.parts(types.trim().trim_end_matches(self.between_tensors));
        let count = if types.is_empty() { self.parts(names).len() } else { types.len() };
        let more = self.names(names, count + 1);
        let has_more = is_open && more.len() > count && more.iter().all(|name| ends_tensor(name));
        let (names, count) = match has_more {
            true => (more, count + 1),
            false => (self.names(names, count), count),
        };
        // No text at all: all of them are scalars.
        let scalars = vec![""; count];
        let shapes = match shapes {
            [] => &scalars,
            [all @ .., ""] if all.len() == count => all,
            shapes => shapes,
        };
        let tensor = |number: usize| Tensor {
            name: names.get(number).cloned().unwrap_or_else(|| format!("{kind} {number}")),
            data_type: types.get(number).and_then(|name| type_named(name)),
            shape: match shapes.len() + usize::from(has_more) == count || shapes.len() == count {
                true => shapes.get(number).and_then(|shape| self.shape(shape)),
                false => None,
            },
        };
        (0..count).map(tensor).collect()
    }

    /// This many names, or none if it is not clear where one ends.
    fn names(&self, text: &str, count: usize) -> Vec<String> {
        let parts: Vec<&str> = text.trim().split(self.between_tensors).collect();
        if parts.len() == count {
            return parts.iter().map(|part| part.trim().to_string()).collect();
        }
        if count == 1 {
            return vec![text.trim().to_string()];
        }
        // Names of the Neural Engine end in the number of the output: `Add_37:0`.
        let mut names = vec![String::new()];
        for part in parts {
            match names.last_mut() {
                Some(name) if !ends_tensor(name) => {
                    if !name.is_empty() {
                        name.push(self.between_tensors);
                    }
                    name.push_str(part);
                }
                _ => names.push(part.to_string()),
            }
        }
        if names.len() == count { names } else { Vec::new() }
    }

    /// Dimensions; none for a scalar. `None` if one is unknown, which the Neural
    /// Engine writes as -1, or as that without its sign.
    pub(crate) fn shape(&self, text: &str) -> Option<Vec<u64>> {
        if text.is_empty() {
            return Some(Vec::new());
        }
        let known = |size: &u64| *size <= i64::MAX as u64;
        text.split(self.between_dimensions).map(|size| number(size.trim()).filter(known)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::DataType;

    fn names(tensors: &[Tensor]) -> Vec<&str> {
        tensors.iter().map(|tensor| tensor.name.as_str()).collect()
    }

    #[test]
    fn names_may_hold_the_separator() {
        let shapes = ["64*1024", "256*1024", "256"];
        let tensors = TRACE.tensors("a:0,b,c:0,d:0", "fp32,s8,f32,", &shapes, "input");
        assert_eq!(names(&tensors), ["a:0", "b,c:0", "d:0"]);
        assert_eq!(tensors[1].data_type, Some(DataType::S8));
        assert_eq!(tensors[1].shape, Some(vec![256, 1024]));
        let unclear = TRACE.tensors("a,b,c", "fp32,fp32", &["1", "2"], "input");
        assert_eq!(names(&unclear), ["input 0", "input 1"]);
        assert_eq!(names(&CSV.tensors("a;b", "fp32", &["1"], "input")), ["a;b"]);
    }

    #[test]
    fn the_tensor_of_an_appended_sum_has_a_name_alone() {
        let names_of = "onnx::MatMul_357:0,onnx::MatMul_358:0,dense.bias:0,onnx::MatMul_346:0";
        let shapes = ["64*1024", "256*1024", "256"];
        let tensors = TRACE.tensors(names_of, "fp32,fp32,f32,", &shapes, "input");
        assert_eq!(names(&tensors).join(","), names_of);
        assert_eq!(tensors[2].data_type, Some(DataType::Fp32));
        assert_eq!(tensors[2].shape, Some(vec![256]));
        assert_eq!((tensors[3].data_type, tensors[3].shape.clone()), (None, None));
        let tensors = TRACE.tensors("a:0,b,c:0", "fp32,fp32,", &["1", "2"], "input");
        assert_eq!(names(&tensors), ["a:0", "b,c:0"]);
    }

    #[test]
    fn shapes_are_known_where_there_is_one_for_each() {
        let shapes = |shapes: &[&str]| -> Vec<Option<Vec<u64>>> {
            let tensors = CSV.tensors("a:0;b:0", "fp32;s64", shapes, "input");
            tensors.into_iter().map(|tensor| tensor.shape).collect()
        };
        assert_eq!(shapes(&["2x3", ""]), [Some(vec![2, 3]), Some(vec![])]);
        assert_eq!(shapes(&["2x3", "4", ""]), [Some(vec![2, 3]), Some(vec![4])], "an end");
        assert_eq!(shapes(&["2x3"]), [None, None]);
        assert_eq!(shapes(&[]), [Some(vec![]), Some(vec![])]);
        assert_eq!(shapes(&["18446744073709551615x3", "-1"]), [None, None]);
    }
}
