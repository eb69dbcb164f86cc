//! Arguments to command; prints the error chain, nothing else.

fn main() {}
