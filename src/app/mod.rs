//! The window: input, camera, panel and drawing. Reads the simulation; changes it only through its commands.
