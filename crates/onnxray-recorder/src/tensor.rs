//! The values that go into a model and come out of it, in arrays of `ndarray`.

use half::f16;
use ndarray::{Array, ArrayD, Dimension};
use onnxray_format::DataType;

/// bfloat16 in ONNX' `TensorProto.DataType`.
const BFLOAT16: i32 = 16;

macro_rules! tensors {
    ($($name:ident($element:ty) = $data_type:ident: $meaning:literal),* $(,)?) => {
        /// The values of one input or output of a model: an array of one of the types
        /// that ONNX knows. It converts from and to `ndarray`'s arrays without a copy.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Tensor {
            $(#[doc = $meaning] $name(ArrayD<$element>),)*
            /// Zeros of a type that has no array here, such as floats of 8 bits.
            Zeros(Zeros),
            /// Tensors of one type, each of a shape of its own.
            Sequence(Vec<Tensor>),
        }

        /// A tensor whose elements are all zero.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Zeros {
            /// The number of the element type in ONNX' `TensorProto.DataType`.
            pub element_type: i32,
            /// Size along each axis, outermost first.
            pub shape: Vec<usize>,
        }

        impl Tensor {
            /// Type of the elements.
            pub fn data_type(&self) -> DataType {
                match self {
                    $(Tensor::$name(_) => DataType::$data_type,)*
                    Tensor::Zeros(Zeros { element_type: BFLOAT16, .. }) => DataType::Bf16,
                    Tensor::Zeros(_) => DataType::Other,
                    Tensor::Sequence(all) => {
                        all.first().map_or(DataType::Other, Tensor::data_type)
                    }
                }
            }

            /// Has two neighbours change places, at another place for each step; an array with fewer
            /// than two elements stays as it is.
            pub(crate) fn swap_neighbours(&mut self, step: usize) {
                match self {
                    $(Tensor::$name(array) => {
                        if let Some(values) = array.as_slice_mut().filter(|own| own.len() > 1) {
                            let at = step % (values.len() - 1);
                            values.swap(at, at + 1);
                        }
                    })*
                    Tensor::Zeros(_) => {}
                    Tensor::Sequence(all) => {
                        all.iter_mut().for_each(|one| one.swap_neighbours(step));
                    }
                }
            }

            /// Size along each axis, outermost first; empty for a scalar and a sequence.
            pub fn shape(&self) -> &[usize] {
                match self {
                    $(Tensor::$name(array) => array.shape(),)*
                    Tensor::Zeros(zeros) => &zeros.shape,
                    Tensor::Sequence(_) => &[],
                }
            }
        }

        $(
            impl<D: Dimension> From<Array<$element, D>> for Tensor {
                fn from(array: Array<$element, D>) -> Tensor {
                    Tensor::$name(array.into_dyn())
                }
            }

            /// The tensor itself is handed back if its elements are of another type.
            impl TryFrom<Tensor> for ArrayD<$element> {
                type Error = Tensor;

                fn try_from(tensor: Tensor) -> Result<ArrayD<$element>, Tensor> {
                    match tensor {
                        Tensor::$name(array) => Ok(array),
                        other => Err(other),
                    }
                }
            }
        )*
    };
}

tensors! {
    F64(f64) = Fp64: "Numbers of 64 bits.",
    F32(f32) = Fp32: "Numbers of 32 bits.",
    F16(f16) = Fp16: "Numbers of 16 bits.",
    I64(i64) = S64: "Signed integers of 64 bits.",
    I32(i32) = S32: "Signed integers of 32 bits.",
    I16(i16) = S16: "Signed integers of 16 bits.",
    I8(i8) = S8: "Signed integers of 8 bits.",
    U64(u64) = U64: "Unsigned integers of 64 bits.",
    U32(u32) = U32: "Unsigned integers of 32 bits.",
    U16(u16) = U16: "Unsigned integers of 16 bits.",
    U8(u8) = U8: "Unsigned integers of 8 bits.",
    Bool(bool) = Bool: "Truth values.",
    Text(String) = String: "Texts.",
}

/// An element type of arrays: numbers or truth values.
pub(crate) trait Element: Copy + PartialEq {
    /// The type as recordings name it.
    const DATA_TYPE: DataType;

    /// The tensor's array, if its elements are of this type.
    fn array(tensor: &Tensor) -> Option<&ArrayD<Self>>;

    /// Makes one up of the next number of those that `draw` gives.
    fn made_up(draw: &mut impl Draw) -> Self;

    /// The number nearest to it that a double is.
    fn to_double(self) -> f64;
}

/// Equality to the last bit, with NaN equal to NaN and -0 different from 0.
pub(crate) fn is_same(one: &Tensor, other: &Tensor) -> bool {
    if one.shape() != other.shape() {
        return false;
    }
    dispatch!(T => if let Some((one, other)) = T::array(one).zip(T::array(other)) {
        return one.iter().zip(other).all(|(one, other)| is_same_element(*one, *other));
    });
    one == other
}

/// Large integers may be one double, and both zeros are equal.
fn is_same_element<T: Element>(one: T, other: T) -> bool {
    let [double, other_double] = [one, other].map(T::to_double);
    double.to_bits() == other_double.to_bits() && (one == other || double.is_nan())
}

/// Numbers that elements are made up of.
pub(crate) trait Draw {
    /// The next one, for a type without fractions.
    fn whole(&mut self) -> i64;

    /// The next one, for a type with fractions.
    fn real(&mut self) -> f32;

    fn truth(&mut self) -> bool;
}

macro_rules! elements {
    ($($element:ty = $name:ident $data_type:ident: |$draw:ident| $made_up:expr, |$value:ident| $double:expr;)*) => {
        $(impl Element for $element {
            const DATA_TYPE: DataType = DataType::$data_type;

            fn array(tensor: &Tensor) -> Option<&ArrayD<$element>> {
                match tensor {
                    Tensor::$name(array) => Some(array),
                    _ => None,
                }
            }

            fn made_up($draw: &mut impl Draw) -> $element {
                $made_up
            }

            fn to_double(self) -> f64 {
                let $value = self;
                $double
            }
        })*
    };
}

elements! {
    f64 = F64 Fp64: |draw| draw.real().into(), |value| value;
    f32 = F32 Fp32: |draw| draw.real(), |value| value.into();
    f16 = F16 Fp16: |draw| f16::from_f32(draw.real()), |value| value.into();
    i64 = I64 S64: |draw| draw.whole(), |value| value as f64;
    i32 = I32 S32: |draw| draw.whole() as i32, |value| value.into();
    i16 = I16 S16: |draw| draw.whole() as i16, |value| value.into();
    i8 = I8 S8: |draw| draw.whole() as i8, |value| value.into();
    u64 = U64 U64: |draw| draw.whole() as u64, |value| value as f64;
    u32 = U32 U32: |draw| draw.whole() as u32, |value| value.into();
    u16 = U16 U16: |draw| draw.whole() as u16, |value| value.into();
    u8 = U8 U8: |draw| draw.whole() as u8, |value| value.into();
    bool = Bool Bool: |draw| draw.truth(), |value| value.into();
}

/// Does the same for each type of [`Element`], by the name that it is given: what is to be done
/// for one of them only returns.
macro_rules! dispatch {
    ($T:ident => $do:expr) => {
        crate::tensor::dispatch! {
            $T => $do; f64, f32, half::f16, i64, i32, i16, i8, u64, u32, u16, u8, bool
        }
    };
    ($T:ident => $do:expr; $($element:ty),*) => {
        $({
            type $T = $element;
            $do
        })*
    };
}

pub(crate) use dispatch;

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{arr1, array};

    #[test]
    fn tensors_are_the_same_to_the_last_bit() {
        let same = |one: &[f32], other: &[f32]| {
            is_same(&Tensor::from(arr1(one)), &Tensor::from(arr1(other)))
        };
        assert!(same(&[1.0, f32::NAN, f32::INFINITY], &[1.0, f32::NAN, f32::INFINITY]));
        assert!(!same(&[0.0], &[-0.0]) && !same(&[f32::NAN], &[1.0]) && !same(&[1.0], &[1.0, 1.0]));
        let large = |more: i64| Tensor::from(arr1(&[(1 << 60) + more]));
        assert!(is_same(&large(1), &large(1)) && !is_same(&large(1), &large(0)));
        assert!(!is_same(&large(1), &Tensor::from(arr1(&[1.0f32]))), "another type");
    }

    #[test]
    fn arrays_go_in_and_out_without_a_copy() {
        let array = array![[1.0f32, 2.0], [3.0, 4.0]];
        let address = array.as_ptr();
        let tensor = Tensor::from(array);
        assert_eq!((tensor.data_type(), tensor.shape()), (DataType::Fp32, &[2, 2][..]));
        let tensor = ArrayD::<i64>::try_from(tensor).unwrap_err();
        let array = ArrayD::<f32>::try_from(tensor).unwrap();
        assert_eq!(array.as_ptr(), address);
    }
}
