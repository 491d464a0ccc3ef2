//! The command that repeats the measurement of a recording.

use oversleep_recording::plan::{Cell, Pattern, Plan, experiment_name};
use oversleep_recording::{Meta, Origin};

/// Returns the command line, as far as it follows from the plan; `None` for other programs' files.
pub(crate) fn command(meta: &Meta) -> Option<String> {
    let plan = &meta.plan;
    let simulated = match &meta.origin {
        Origin::Live => None,
        Origin::Simulated { model, .. } => Some(model),
        Origin::Imported { .. } => return None,
    };
    let mut command = match (plan.experiment.as_str(), simulated) {
        ("checkup", None) => return Some("oversleep".to_owned()),
        ("clocks" | "stalls" | "diagnose", None) => return Some(format!("oversleep {}", plan.experiment)),
        (_, None) => "oversleep measure".to_owned(),
        (_, Some(model)) => format!("oversleep simulate {}", quoted(model)),
    };
    match plan.experiment.as_str() {
        "herman" | "rizzo" | "oneill" | "periodic" => {
            command += &format!(" --experiment {}", experiment_name(&plan.experiment));
        }
        "trace" => command += " --trace",
        _ => {}
    }
    command += &options(plan);
    Some(command)
}

/// Returns the options for methods, requests and conditions, with each value once.
fn options(plan: &Plan) -> String {
    let named = matches!(plan.experiment.as_str(), "herman" | "rizzo" | "oneill");
    let mut out = String::new();
    let mut add = |option: &str, of: &dyn Fn(&Cell) -> Option<String>| {
        let mut values: Vec<String> = Vec::new();
        for value in plan.cells.iter().filter_map(of) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if !values.is_empty() {
            out += &format!(" --{option} {}", quoted(&values.join(",")));
        }
    };
    if !named {
        add("method", &|cell| Some(cell.method.clone()));
        add("request", &|cell| requested(cell.pattern));
        add("policy", &|cell| cell.conditions.policy.map(|policy| policy.to_string()));
        add("slack", &|cell| cell.conditions.timer_slack.map(|slack| format!("{}ns", slack.get())));
        add("timer-resolution", &|cell| cell.conditions.timer_resolution.map(|time| format!("{}ns", time.get())));
        add("priority-class", &|cell| cell.conditions.priority_class.map(|class| class.to_string()));
        add("multimedia-task", &|cell| cell.conditions.multimedia_task.clone());
        add("qos", &|cell| cell.conditions.qos.map(|qos| qos.to_string()));
        add("load", &|cell| cell.conditions.load.map(|load| load.threads.to_string()));
        add("threads", &|cell| cell.conditions.threads.filter(|threads| *threads > 1).map(|n| n.to_string()));
    }
    out
}

fn requested(pattern: Pattern) -> Option<String> {
    let time = |ns: i64| match ns {
        ns if ns % 1_000_000_000 == 0 => format!("{}s", ns / 1_000_000_000),
        ns if ns % 1_000_000 == 0 => format!("{}ms", ns / 1_000_000),
        ns if ns % 1_000 == 0 => format!("{}us", ns / 1_000),
        ns => format!("{ns}ns"),
    };
    match pattern {
        Pattern::Fixed { requested } => Some(time(requested.get())),
        Pattern::Random { from, to } => Some(format!("{}..{}", time(from.get()), time(to.get()))),
        Pattern::Aligned { .. } | Pattern::Periodic { .. } => None,
    }
}

/// Quotes a word for a shell, if necessary.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:/@%+=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
