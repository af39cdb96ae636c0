//! Execution providers that a library is built with, by their names.

use ort::session::builder::SessionBuilder;
use ort::{AsPointer, Error, Result};
use std::ffi::{CStr, CString, c_char};
use std::ptr::null_mut;

/// Names of the providers that the library is built with, best first.
///
/// # Errors
///
/// The library's own.
pub fn available() -> Result<Vec<String>> {
    let api = ort::api();
    let (mut names, mut count): (*mut *mut c_char, i32) = (null_mut(), 0);
    // SAFETY: functions of the oldest version; the names are `count` texts that end with a zero,
    // and are the caller's to release, once.
    #[expect(unsafe_code, reason = "functions of the library")]
    unsafe {
        Error::result_from_status((api.GetAvailableProviders)(&raw mut names, &raw mut count))?;
        let text = |position| CStr::from_ptr(*names.add(position)).to_string_lossy().into_owned();
        let texts = (0..usize::try_from(count).unwrap_or(0)).map(text).collect();
        Error::result_from_status((api.ReleaseAvailableProviders)(names, count))?;
        Ok(texts)
    }
}

/// Makes a session prefer a provider that takes its options as texts.
///
/// # Errors
///
/// The library's own, such as that it knows no such provider; a text with a zero in it.
pub fn prefer<'a>(
    builder: &mut SessionBuilder,
    name: &str,
    options: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Result<()> {
    let text = |text: &str| CString::new(text).map_err(|error| Error::new(error.to_string()));
    let name = text(name)?;
    let pairs = options.into_iter().map(|(key, value)| Ok((text(key)?, text(value)?)));
    let pairs = pairs.collect::<Result<Vec<_>>>()?;
    let keys: Vec<*const c_char> = pairs.iter().map(|(key, _)| key.as_ptr()).collect();
    let values: Vec<*const c_char> = pairs.iter().map(|(_, value)| value.as_ptr()).collect();
    // SAFETY: a function of the oldest version. The builder owns the session's options; all texts
    // live until it returns, and it copies them.
    #[expect(unsafe_code, reason = "a function of the library")]
    unsafe {
        Error::result_from_status((ort::api().SessionOptionsAppendExecutionProvider)(
            builder.ptr_mut(),
            name.as_ptr(),
            keys.as_ptr(),
            values.as_ptr(),
            pairs.len(),
        ))
    }
}
