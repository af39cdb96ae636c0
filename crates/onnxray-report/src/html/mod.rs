//! Pages: one file that opens in a browser without a network, a program or a server.
//!
//! What a page says is decided in `content`, how it looks and what it does in
//! `web/source` of this crate; here it is put together.

mod data;
mod noscript;
mod packed;
mod page;
mod policy;

pub use page::{MOST_PAGE_ROWS, write_page};
