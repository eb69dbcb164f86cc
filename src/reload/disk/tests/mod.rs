//! Files saved in every way, real ones under real events unless a test says otherwise. Every wait is for
//! the thing itself.

mod fakes;
mod faults;
mod folders;
mod harness;
mod random;
mod saves;
mod track;
