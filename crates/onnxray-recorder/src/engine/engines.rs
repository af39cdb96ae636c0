//! The engines there are.

use super::Engine;
use super::tract::Tract;

/// tract, which is part of this crate and needs nothing installed.
pub static TRACT: &dyn Engine = &Tract;

/// All engines.
pub static ENGINES: [&dyn Engine; 1] = [TRACT];

/// The engine of that name.
pub fn engine(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.into_iter().find(|engine| engine.name() == name)
}
