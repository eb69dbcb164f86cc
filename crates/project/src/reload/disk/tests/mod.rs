//! Files saved in every way: real ones under real events, except where a test states otherwise. Every wait is for its
//! condition.

mod checkouts;
mod fakes;
mod faults;
mod folders;
mod harness;
mod random;
mod saves;
mod track;
