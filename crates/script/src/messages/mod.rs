//! Wording that error messages of every stage share.

pub(super) mod operands;
pub(super) mod words;
