//! Scene files: their exact shape, every check, building and reconciling a world. Knows no script engine.
