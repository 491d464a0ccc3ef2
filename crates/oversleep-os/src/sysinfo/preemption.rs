//! The kernel's preemption model.

use super::files::Files;
use super::kernel_config;
use oversleep_recording::machine::Preemption;

pub(super) fn read(files: Files, version: &str, release: &str) -> Preemption {
    if !cfg!(target_os = "linux") {
        return Preemption::default();
    }
    let chosen = files("/sys/kernel/debug/sched/preempt");
    let asked = files("/proc/cmdline").unwrap_or_default();
    let realtime = files("/sys/kernel/realtime").is_some_and(|text| text == "1");
    let built = || kernel_config::own().or_else(|| kernel_config::installed(files, release));
    judge(version, chosen.as_deref(), &asked, realtime, &built)
}

/// Returns the model from the best source: what is in force, what the kernel was booted with, what it was built with.
fn judge(
    version: &str,
    chosen: Option<&str>,
    command_line: &str,
    realtime: bool,
    built: &dyn Fn() -> Option<String>,
) -> Preemption {
    let says = |word: &str| version.split_whitespace().any(|part| part == word);
    let realtime = realtime || says("PREEMPT_RT");
    let dynamic = says("PREEMPT_DYNAMIC");
    let in_brackets = chosen.and_then(|text| Some(text.split_once('(')?.1.split_once(')')?.0));
    let asked = command_line.split_whitespace().find_map(|option| option.strip_prefix("preempt="));
    let built_for = || model_of(&built()?);
    let model = match (realtime, in_brackets) {
        (true, _) => Some("rt"),
        (_, Some(model)) => Some(model),
        _ if dynamic => asked.or_else(built_for),
        _ if says("PREEMPT_LAZY") => Some("lazy"),
        _ if says("PREEMPT") => Some("full"),
        // A version without such a word belongs to a kernel built for none or voluntary: it does not say which.
        _ => built_for().filter(|model| ["none", "voluntary"].contains(model)),
    };
    Preemption { model: model.map(Into::into), dynamic: Some(dynamic), realtime: Some(realtime) }
}

/// Returns the model that a kernel with this configuration has unless it is changed.
fn model_of(config: &str) -> Option<&'static str> {
    let models = [
        ("CONFIG_PREEMPT_NONE=y", "none"),
        ("CONFIG_PREEMPT_VOLUNTARY=y", "voluntary"),
        ("CONFIG_PREEMPT_LAZY=y", "lazy"),
        ("CONFIG_PREEMPT=y", "full"),
    ];
    config.lines().find_map(|line| models.iter().find(|(option, _)| *option == line)).map(|(_, model)| *model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_known_from_the_best_source_there_is() {
        let model = |version, chosen, line, rt| judge(version, chosen, line, rt, &|| None).model;
        assert_eq!(model("#1 SMP PREEMPT_RT Debian 6.1", None, "", false).as_deref(), Some("rt"));
        assert_eq!(model("#1 SMP", None, "", true).as_deref(), Some("rt"));
        let dynamic = "#1 SMP PREEMPT_DYNAMIC @0";
        assert_eq!(model(dynamic, Some("none voluntary (full) lazy"), "preempt=none", false).as_deref(), Some("full"));
        assert_eq!(model(dynamic, None, "quiet preempt=none", false).as_deref(), Some("none"));
        assert_eq!(model(dynamic, None, "quiet", false), None);
        assert_eq!(model("#1 SMP PREEMPT Mon", None, "", false).as_deref(), Some("full"));
        assert_eq!(model("#1 SMP Mon", None, "", false), None);
    }

    #[test]
    fn what_the_kernel_was_built_with_says_it_where_nothing_better_does() {
        let model = |version, line, config: &str| judge(version, None, line, false, &|| Some(config.to_owned())).model;
        let dynamic = "#1 SMP PREEMPT_DYNAMIC @0";
        let config = "CONFIG_PREEMPT_BUILD=y\nCONFIG_ARCH_HAS_PREEMPT_LAZY=y\n# CONFIG_PREEMPT_NONE is not set\n\
                      CONFIG_PREEMPT_VOLUNTARY=y\n# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_DYNAMIC=y\n";
        assert_eq!(model(dynamic, "", config).as_deref(), Some("voluntary"));
        assert_eq!(model(dynamic, "preempt=full", config).as_deref(), Some("full"));
        assert_eq!(model("#1 SMP Mon", "", config).as_deref(), Some("voluntary"));
        // The installed file is another kernel's: this one would say PREEMPT.
        assert_eq!(model("#1 SMP Mon", "", "CONFIG_PREEMPT=y\n"), None);
        assert_eq!(model(dynamic, "", "CONFIG_HZ=250\n"), None);
    }
}
