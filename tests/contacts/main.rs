//! Contacts through whole steps.

mod rules;
mod shapes;
