//! What happens where the script says so.

use crate::clock::change;
use crate::script::{Action, Place, Script};
use std::io::{Read, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};

/// Passes a point; whether the model is to fail there.
pub(crate) fn pass(script: &Script, at: Place, model: &str) -> bool {
    let mut points = script.points.iter().filter(|point| point.at == at && point.model == model);
    if points.clone().next().is_none() {
        return false;
    }
    let own = match at {
        Place::OwnRun => format!("-{}", std::process::id()),
        Place::Load | Place::Run => String::new(),
    };
    let count = script.folder.join(format!("{}-{model}{own}", at.name()));
    let number = change(&count, |number| number + 1);
    match points.find(|point| point.number == number).map(|point| point.action) {
        None => false,
        Some(Action::Fail) => true,
        Some(Action::Abort) => std::process::abort(),
        Some(Action::Wait) => {
            wait(script, &format!("{} {model} {number}", at.name()));
            false
        }
    }
}

/// Tells the test where this process waits, and waits until it may go on, or until the test is
/// over.
fn wait(script: &Script, point: &str) {
    let address = SocketAddr::from_abstract_name(&script.socket).unwrap();
    let Ok(mut test) = UnixStream::connect_addr(&address) else { return };
    writeln!(test, "{} {point}", std::process::id()).unwrap();
    let _ = test.read_to_end(&mut Vec::new());
}
