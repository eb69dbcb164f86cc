//! Random programs: well-typed trees of forms, printed as scripts.
//!
//! `forms` is the table of everything that the API and the operators offer; `expressions`,
//! `statements`, `loops` and `functions` put forms together by sort and scope; `node` holds and prints
//! the tree; `reduce` makes it smaller; `case` joins a program and a world into what proptest draws.

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
