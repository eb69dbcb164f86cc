//! Names of values that can be tuned.

use serde::{Deserialize, Serialize};
use steerbox_core::world::ParamValue;

/// Name of a value of a behavior.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum KnobName {
    /// Its weight.
    Gain,
    /// Its state: enabled or disabled.
    Enabled,
    /// A parameter of its script.
    Param(String),
}

impl KnobName {
    /// Returns the name as in files and on the command line.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Gain => "gain",
            Self::Enabled => "enabled",
            Self::Param(name) => name,
        }
    }
}

/// Identity of a behavior, independent of other changes of the scene.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Handle {
    /// The group's name.
    pub group: String,
    /// The script's name.
    pub script: String,
    /// Index among the uses of the script in the group.
    pub occurrence: usize,
}

/// A value that overrides that of the file.
pub type Setting = (Handle, KnobName, ParamValue);
