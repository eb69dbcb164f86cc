//! The simulation: one step as one readable page, behaviors, snapshots, random numbers. Knows no file, no window, no script language.
