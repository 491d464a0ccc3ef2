//! The processors of the machine.

use super::files::{self, Files};
use super::sysctl;
use crate::cpu;
use oversleep_recording::machine::Processor;

pub(super) fn read(files: Files) -> Processor {
    let first = cpu::online().first().copied().unwrap_or(0);
    Processor {
        model: model(files),
        online: cpu::online(),
        smt_active: files("/sys/devices/system/cpu/smt/active").map(|text| text == "1"),
        frequency_governor: governor()
            .or_else(|| files(&format!("/sys/devices/system/cpu/cpu{first}/cpufreq/scaling_governor"))),
    }
}

/// Returns the power plan, which Windows has in place of a governor.
#[cfg(windows)]
fn governor() -> Option<String> {
    super::windows::power_plan().map(|plan| format!("power plan {plan}"))
}

#[cfg(not(windows))]
fn governor() -> Option<String> {
    None
}

fn model(files: Files) -> Option<String> {
    // The first processor's entry is below 4 KiB, and reading no further queries no other processor.
    files::up_to("/proc/cpuinfo", 4096)
        .as_deref()
        .and_then(model_name)
        .or_else(|| files("/proc/device-tree/model"))
        .or_else(|| sysctl::text("machdep.cpu.brand_string"))
        .or_else(|| sysctl::text("hw.model"))
}

/// Returns the model name: x86 and RISC-V kernels have different keys for it; arm64 gives only numbers.
fn model_name(cpuinfo: &str) -> Option<String> {
    let value = |key: &str| {
        let line = cpuinfo.lines().find(|line| line.split(':').next().is_some_and(|name| name.trim() == key))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let arm = || Some(format!("arm implementer {} part {}", value("CPU implementer")?, value("CPU part")?));
    value("model name").or_else(|| value("uarch")).or_else(arm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_found_by_whichever_key_the_kernel_has() {
        let x86 = include_str!("../../tests/data/cpuinfo-x86.txt");
        assert_eq!(model_name(x86).unwrap(), "Intel(R) Xeon(R) Processor");
        let arm = include_str!("../../tests/data/cpuinfo-arm64.txt");
        assert_eq!(model_name(arm).unwrap(), "arm implementer 0x41 part 0xd0c");
        assert_eq!(model_name(""), None);
    }
}
