//! The simulation as a library: worlds, perception, dynamics and the step.
//!
//! Contains everything that is computed for every unit in every step, and what all other crates share: edits of texts and
//! diagnostics. Must not know scene files, the script language, folders or windows: a world is built in Rust, and a
//! behavior is a closure ([`sim::Behavior`]).

/// Declares an enum of cases without fields, and the array `ALL` of its cases in order.
#[macro_export]
macro_rules! enum_with_all {
    ($(#[$about:meta])* $visibility:vis enum $name:ident { $($(#[$of_case:meta])* $case:ident,)* }) => {
        $(#[$about])*
        $visibility enum $name {
            $($(#[$of_case])* $case,)*
        }

        impl $name {
            /// All cases, in order.
            $visibility const ALL: [Self; [$(stringify!($case)),*].len()] = [$(Self::$case),*];
        }
    };
}

pub mod diagnostics;
pub mod dynamics;
pub mod perception;
pub mod sim;
pub mod text;
pub mod world;
