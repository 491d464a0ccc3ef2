//! Whether the machine is a guest, and whether the process runs in a container.

use serde::{Deserialize, Serialize};

/// The hypervisor and the container that the process runs under.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Virtualisation {
    /// Hypervisor: `kvm`, `hyper-v`, `xen`; its raw signature if it has no name here; `None` if none was detected.
    pub hypervisor: Option<String>,
    /// Product name of the machine according to its firmware, manufacturer first.
    pub product: Option<String>,
    /// Container: `docker`, `podman`, or the name that systemd uses; `None` if none was detected.
    pub container: Option<String>,
}
