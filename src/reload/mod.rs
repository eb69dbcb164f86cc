//! What changed on disk becomes one checked, numbered generation, swapped in between two steps.
