//! One file a command: what the words on the command line do.
