//! Functions that a library lacks: of each type that the table declares, one that fails.

use ort::sys::{OrtDeviceMemoryType, OrtErrorCode, OrtHardwareDeviceType, OrtStatusPtr};
use std::ptr::{null, null_mut};

/// A function of this type that does nothing, and says so if it can.
pub(super) trait Missing {
    const MISSING: Self;
}

/// What a function returns that does nothing.
pub(super) trait Nothing {
    fn nothing() -> Self;
}

macro_rules! missing {
    ($($argument:ident)*) => {
        impl<R: Nothing, $($argument),*> Missing for unsafe extern "system" fn($($argument),*) -> R {
            const MISSING: Self = {
                extern "system" fn missing<R: Nothing, $($argument),*>($(_: $argument),*) -> R {
                    R::nothing()
                }
                missing::<R, $($argument),*>
            };
        }
    };
}

missing! {}
missing! { A }
missing! { A B }
missing! { A B C }
missing! { A B C D }
missing! { A B C D E }
missing! { A B C D E F }
missing! { A B C D E F G }
missing! { A B C D E F G H }
missing! { A B C D E F G H I }

macro_rules! nothing {
    ($($kind:ty: $nothing:expr;)+) => {
        $(impl Nothing for $kind {
            fn nothing() -> $kind {
                $nothing
            }
        })+
    };
}

nothing! {
    (): ();
    bool: false;
    u32: 0;
    i64: 0;
    usize: 0;
    OrtHardwareDeviceType: OrtHardwareDeviceType::OrtHardwareDeviceType_CPU;
    OrtDeviceMemoryType: OrtDeviceMemoryType::OrtDeviceMemoryType_DEFAULT;
}

impl<T> Nothing for *const T {
    fn nothing() -> *const T {
        null()
    }
}

impl<T> Nothing for *mut T {
    fn nothing() -> *mut T {
        null_mut()
    }
}

impl Nothing for OrtStatusPtr {
    fn nothing() -> OrtStatusPtr {
        // SAFETY: a function that every version has, and a text that ends with a zero. The error is
        // the library's own: it knows how to read and to release it.
        #[expect(unsafe_code, reason = "a function of the library")]
        unsafe {
            let reason = c"this version of ONNX Runtime does not have the function";
            (ort::api().CreateStatus)(OrtErrorCode::ORT_NOT_IMPLEMENTED, reason.as_ptr())
        }
    }
}
