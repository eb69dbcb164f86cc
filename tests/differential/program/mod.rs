//! Random programs: well-typed trees of forms, printed as scripts.
//!
//! `forms` is the table of all expressions of the API and the language; `expressions`, `statements`, `loops` and
//! `functions` combine forms by type and scope; `node` stores and prints the tree; `reduce` minimizes it; `case` combines
//! a program and a world for proptest.

mod case;
mod expressions;
mod forms;
mod functions;
mod loops;
mod node;
mod reduce;
mod scope;
mod sort;
mod statements;
mod writer;

pub(crate) use case::{Case, Cases};
pub(crate) use forms::all as all_forms;
