//! Properties of worlds that machine code is specialized for.

/// Properties of a world for which machine code is specialized; the results do not depend on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorldForm {
    /// True for a plane: z is omitted where it is 0. In space, such code is slower.
    pub plane: bool,
    /// True if bodies differ by unit. Elsewhere such code does not run, nor other code where they do: the interpreter does.
    pub varied: bool,
}
