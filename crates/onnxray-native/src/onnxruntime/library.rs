//! Loads the library.

use super::table::{NEWEST, OLDEST, of_library};
use libloading::Library;
use ort::sys::OrtApiBase;
use std::ffi::CStr;
use std::mem;
use std::path::Path;

/// What is known of the library that the process has loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// As it says itself, such as `1.22.1`.
    pub version: String,
    /// The newest version of the interface of which it has all functions, of those that are known.
    pub interface: u32,
}

/// Loads the library for all calls of the `ort` crate. A process can have one.
///
/// # Errors
///
/// If the file is not a library, or not one that serves; if the process has another one.
pub fn load(path: &Path) -> Result<Loaded, String> {
    // SAFETY: what a library does when it is loaded is up to whoever named it.
    #[expect(unsafe_code, reason = "a library runs code when it is loaded")]
    let library = unsafe { Library::new(path) }.map_err(|error| error.to_string())?;
    type GetBase = unsafe extern "system" fn() -> *const OrtApiBase;
    // SAFETY: `onnxruntime_c_api.h` declares the function so, in all versions. It returns null, or
    // two functions that stay there as long as the library.
    #[expect(unsafe_code, reason = "the library's entry")]
    let base = unsafe {
        let get = library.get::<GetBase>(b"OrtGetApiBase\0").map_err(|error| error.to_string())?;
        get().as_ref().ok_or("it has no interface")?
    };
    // SAFETY: as above; the text is the library's, and ends with a zero.
    #[expect(unsafe_code, reason = "a function of the library")]
    let version = unsafe { CStr::from_ptr((base.GetVersionString)()) };
    let version = version.to_string_lossy().into_owned();
    let minor = version.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    // A library complains on the terminal of versions that it does not have: none is asked for.
    let newest = minor.unwrap_or(NEWEST).min(NEWEST);
    // SAFETY: as above; it returns null for a version that it does not have.
    #[expect(unsafe_code, reason = "a function of the library")]
    let get = |version| unsafe { (base.GetApi)(version) };
    let granted = (OLDEST..=newest).rev().map(|version| (version, get(version)));
    let Some((interface, own)) = granted.into_iter().find(|(_, own)| !own.is_null()) else {
        return Err(format!("it is version {version}, and 1.{OLDEST} or later is needed"));
    };
    // SAFETY: the library grants this version, and is never unloaded.
    #[expect(unsafe_code, reason = "the table of the library")]
    let table = unsafe { of_library(own, interface) };
    mem::forget(library);
    match ort::set_api(table) {
        true => Ok(Loaded { version, interface }),
        false => Err("the process has loaded another library".to_string()),
    }
}
