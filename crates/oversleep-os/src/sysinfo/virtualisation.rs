//! Whether the machine is a guest, and whether the process runs in a container.

use super::files::Files;
use oversleep_recording::machine::Virtualisation;

pub(super) fn read(files: Files) -> Virtualisation {
    Virtualisation {
        hypervisor: signature().map(|bytes| name(&bytes)).or_else(|| from_files(files)),
        product: product(files),
        container: container(files),
    }
}

/// Hypervisors by the twelve bytes of their CPUID leaf `0x4000_0000`.
const SIGNATURES: &[(&str, &str)] = &[
    ("KVMKVMKVM", "kvm"),
    ("Linux KVM Hv", "kvm"),
    ("Microsoft Hv", "hyper-v"),
    ("VMwareVMware", "vmware"),
    ("XenVMMXenVMM", "xen"),
    ("bhyve bhyve", "bhyve"),
    ("TCGTCGTCGTCG", "qemu-tcg"),
    ("VBoxVBoxVBox", "virtualbox"),
    ("ACRNACRNACRN", "acrn"),
    ("prl hyperv", "parallels"),
    ("lrpepyh  vr", "parallels"),
    ("___ NVMM ___", "nvmm"),
    ("OpenBSDVMM58", "vmm"),
    ("HAXMHAXMHAXM", "haxm"),
];

fn name(signature: &[u8]) -> String {
    let text = String::from_utf8_lossy(signature);
    let text = text.trim_matches(['\0', ' ']);
    SIGNATURES.iter().find(|(known, _)| *known == text).map_or_else(|| text.to_owned(), |(_, name)| (*name).to_owned())
}

/// Returns the hypervisor's signature. Only hypervisors set bit 31 of leaf 1's ECX; leaf `0x4000_0000` is then theirs.
#[cfg(target_arch = "x86_64")]
fn signature() -> Option<[u8; 12]> {
    #[allow(unused_unsafe)] // safe in newer versions of the standard library
    // SAFETY: every x86-64 processor has the instruction and leaf 1.
    let features = unsafe { std::arch::x86_64::__cpuid(1) };
    if features.ecx >> 31 == 0 {
        return None;
    }
    #[allow(unused_unsafe)]
    // SAFETY: as above; unknown leaves return numbers too.
    let leaf = unsafe { std::arch::x86_64::__cpuid(0x4000_0000) };
    let mut bytes = [0; 12];
    for (part, register) in bytes.as_chunks_mut::<4>().0.iter_mut().zip([leaf.ebx, leaf.ecx, leaf.edx]) {
        part.copy_from_slice(&register.to_le_bytes());
    }
    Some(bytes)
}

#[cfg(not(target_arch = "x86_64"))]
fn signature() -> Option<[u8; 12]> {
    None
}

fn from_files(files: Files) -> Option<String> {
    let by_product = || {
        let product = product(files)?;
        ["QEMU", "KVM", "VMware", "VirtualBox", "Amazon EC2", "Google Compute Engine", "OpenStack"]
            .iter()
            .find(|known| product.contains(**known))
            .map(|known| (*known).to_owned())
    };
    files("/sys/hypervisor/type").or_else(|| files("/proc/device-tree/hypervisor/compatible")).or_else(by_product)
}

fn product(files: Files) -> Option<String> {
    let words = ["sys_vendor", "product_name"].map(|name| files(&format!("/sys/class/dmi/id/{name}")));
    let text = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

fn container(files: Files) -> Option<String> {
    let systemd = files("/run/systemd/container");
    let podman = || files("/run/.containerenv").map(|_| "podman".to_owned());
    systemd.or_else(podman).or_else(|| files("/.dockerenv").map(|_| "docker".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::files::sample;
    use super::*;

    #[test]
    fn signatures_have_names_or_speak_for_themselves() {
        assert_eq!(name(b"KVMKVMKVM\0\0\0"), "kvm");
        assert_eq!(name(b"bhyve bhyve "), "bhyve");
        assert_eq!(name(b"SomethingNew"), "SomethingNew");
    }

    #[test]
    fn files_tell_where_the_processor_does_not() {
        let xen = sample(&[("/sys/hypervisor/type", "xen\n"), ("/.dockerenv", "")]);
        assert_eq!(from_files(&xen).as_deref(), Some("xen"));
        assert_eq!(container(&xen).as_deref(), Some("docker"));
        let ec2 =
            sample(&[("/sys/class/dmi/id/sys_vendor", "Amazon EC2"), ("/sys/class/dmi/id/product_name", "m7g.metal")]);
        assert_eq!(product(&ec2).as_deref(), Some("Amazon EC2 m7g.metal"));
        assert_eq!(from_files(&|_| None), None);
    }
}
