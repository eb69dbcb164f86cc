//! Behavior scripts: the sandboxed engine, the API that scripts see, parameters. Knows no file and no window.
