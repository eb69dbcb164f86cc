//! Files saved in every way, real ones under real events unless a test says otherwise. Every wait is for
//! the thing itself.

mod bench;
mod faults;
mod files;
mod folders;
mod random;
mod saves;
mod source;
mod track;
