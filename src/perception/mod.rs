//! What a unit can see: the grid, views and lists of neighbors.
