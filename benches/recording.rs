//! What recording costs: time per run, time and bytes per operator event.
fn main() {}
