//! Which nodes the library gave to which execution provider.

use ort::session::Session;
use ort::sys::{OrtEpAssignedNode, OrtStatusPtr};
use ort::{AsPointer, Error, Result};
use std::ffi::{CStr, c_char};
use std::ptr::null;

/// Nodes that the library gave to an execution provider as one. Of a provider that compiles
/// nothing, each node is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The provider's name, as the library writes it.
    pub provider: String,
    /// Name and operator type of each node.
    pub nodes: Vec<(String, String)>,
}

/// Entry of a session's configuration that makes the library keep what [`assignment`] returns.
pub const RECORD_ASSIGNMENT: &str = "session.record_ep_graph_assignment_info";
/// The oldest interface that has [`assignment`].
pub const ASSIGNMENT_SINCE: u32 = 24;

/// What the library gave to each provider: nodes of the graph after basic optimizations, those of
/// bodies among them.
///
/// # Errors
///
/// The library's own, such as that it is older, or that the session was not asked to keep it.
pub fn assignment(session: &Session) -> Result<Vec<Assigned>> {
    type Get =
        unsafe extern "system" fn(*const OrtEpAssignedNode, *mut *const c_char) -> OrtStatusPtr;
    let api = ort::api();
    let mut assigned = Vec::new();
    // SAFETY: functions of one version, or those that fail. What they return is the session's, which
    // stays: arrays of as many pointers as they say, and texts that end with a zero.
    #[expect(unsafe_code, reason = "functions of the library")]
    unsafe {
        let owned = |text| CStr::from_ptr(text).to_string_lossy().into_owned();
        let text = |get: Get, node| -> Result<String> {
            let mut text = null();
            Error::result_from_status(get(node, &raw mut text))?;
            Ok(owned(text))
        };
        let (mut subgraphs, mut count) = (null(), 0);
        let get = api.Session_GetEpGraphAssignmentInfo;
        Error::result_from_status(get(session.ptr(), &raw mut subgraphs, &raw mut count))?;
        for subgraph in (0..count).map(|position| *subgraphs.add(position)) {
            let (mut provider, mut nodes, mut count) = (null(), null(), 0);
            let get = api.EpAssignedSubgraph_GetEpName;
            Error::result_from_status(get(subgraph, &raw mut provider))?;
            let get = api.EpAssignedSubgraph_GetNodes;
            Error::result_from_status(get(subgraph, &raw mut nodes, &raw mut count))?;
            let nodes = (0..count).map(|position| *nodes.add(position)).map(|node| {
                let name = text(api.EpAssignedNode_GetName, node)?;
                Ok((name, text(api.EpAssignedNode_GetOperatorType, node)?))
            });
            let nodes = nodes.collect::<Result<_>>()?;
            assigned.push(Assigned { provider: owned(provider), nodes });
        }
    }
    Ok(assigned)
}
