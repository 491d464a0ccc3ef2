//! The kernel's preemption model.

use super::files::Files;
use oversleep_recording::machine::Preemption;

pub(super) fn read(files: Files, version: &str) -> Preemption {
    if !cfg!(target_os = "linux") {
        return Preemption::default();
    }
    let chosen = files("/sys/kernel/debug/sched/preempt");
    let asked = files("/proc/cmdline").unwrap_or_default();
    let realtime = files("/sys/kernel/realtime").is_some_and(|text| text == "1");
    judge(version, chosen.as_deref(), &asked, realtime)
}

fn judge(version: &str, chosen: Option<&str>, command_line: &str, realtime: bool) -> Preemption {
    let says = |word: &str| version.split_whitespace().any(|part| part == word);
    let realtime = realtime || says("PREEMPT_RT");
    let dynamic = says("PREEMPT_DYNAMIC");
    let in_brackets = chosen.and_then(|text| Some(text.split_once('(')?.1.split_once(')')?.0));
    let asked = command_line.split_whitespace().find_map(|option| option.strip_prefix("preempt="));
    let model = match (realtime, in_brackets) {
        (true, _) => Some("rt"),
        (_, Some(model)) => Some(model),
        _ if dynamic => asked,
        _ if says("PREEMPT_LAZY") => Some("lazy"),
        _ if says("PREEMPT") => Some("full"),
        // A version without such a word belongs to a kernel built for none or voluntary: it does not say which.
        _ => None,
    };
    Preemption { model: model.map(Into::into), dynamic: Some(dynamic), realtime: Some(realtime) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_known_from_the_best_source_there_is() {
        let model = |version, chosen, line, rt| judge(version, chosen, line, rt).model;
        assert_eq!(model("#1 SMP PREEMPT_RT Debian 6.1", None, "", false).as_deref(), Some("rt"));
        assert_eq!(model("#1 SMP", None, "", true).as_deref(), Some("rt"));
        let dynamic = "#1 SMP PREEMPT_DYNAMIC @0";
        assert_eq!(model(dynamic, Some("none voluntary (full) lazy"), "preempt=none", false).as_deref(), Some("full"));
        assert_eq!(model(dynamic, None, "quiet preempt=none", false).as_deref(), Some("none"));
        assert_eq!(model(dynamic, None, "quiet", false), None);
        assert_eq!(model("#1 SMP PREEMPT Mon", None, "", false).as_deref(), Some("full"));
        assert_eq!(model("#1 SMP Mon", None, "", false), None);
    }
}
