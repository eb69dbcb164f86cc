//! Differences are found: a behavior that errs on purpose, once in a thousand calls, is told from one
//! that does not.
