//! Whether the machine is a guest, and whether the process is in a container.

use serde::{Deserialize, Serialize};

/// What stands between the process and the machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Virtualisation {
    /// The hypervisor: `kvm`, `hyper-v`, `xen`; its own signature if it has no name here; `None` if none is seen.
    pub hypervisor: Option<String>,
    /// What the firmware calls the machine, maker first.
    pub product: Option<String>,
    /// The container: `docker`, `podman`, or what systemd calls it; `None` if none is seen.
    pub container: Option<String>,
}
