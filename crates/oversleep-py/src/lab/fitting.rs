//! Which keywords an experiment has a use for. One without would be passed over, and nothing is in silence.

use super::words::wrong;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// An experiment, what it is, and the keywords that it has no use for.
struct Fixed {
    name: &'static str,
    is: &'static str,
    without: &'static [&'static str],
}

const EXPERIMENTS: [Fixed; 5] = [
    Fixed {
        name: "checkup",
        is: "sleeps 1 ms 300 times by every method, as things are",
        without: &[
            "method",
            "request",
            "repeats",
            "period",
            "policy",
            "nice",
            "affinity",
            "one_cpu_each",
            "slack",
            "mlock",
            "latency_hold",
            "load",
            "load_kind",
            "threads",
            "phase",
        ],
    },
    Fixed { name: "herman", is: "sleeps to the next second", without: &["request", "period"] },
    Fixed { name: "rizzo", is: "sweeps over requests", without: &["period"] },
    Fixed { name: "oneill", is: "has fourteen requests of its own", without: &["request", "period"] },
    Fixed { name: "periodic", is: "keeps a period", without: &["request", "phase"] },
];

/// Whether the experiment of that name uses all that it was told. A name that is none is refused elsewhere.
pub(super) fn check(experiment: Option<&str>, keywords: &Bound<'_, PyDict>) -> PyResult<()> {
    let told = |name: &str| told(keywords, name);
    // O'Neill's has busy threads of its own accord.
    if experiment != Some("oneill") && experiment != Some("checkup") && told("load_kind")? && !told("load")? {
        return Err(wrong("load_kind is what busy threads do, and there are none; give load= too, or leave it out"));
    }
    let Some(name) = experiment else {
        if told("period")? {
            return Err(wrong("period is for experiment='periodic'; name that, or say request="));
        }
        return Ok(());
    };
    let Some(fixed) = EXPERIMENTS.iter().find(|fixed| fixed.name == name) else { return Ok(()) };
    for keyword in fixed.without {
        if told(keyword)? {
            return Err(wrong(format!("experiment='{name}' {}; {keyword} has no use there, leave it out", fixed.is)));
        }
    }
    for keyword in ["policy", "slack", "load"] {
        if several(keywords, keyword)? && (name, keyword) != ("oneill", "load") {
            return Err(wrong(format!(
                "experiment='{name}' takes one {keyword}; without an experiment lists are crossed"
            )));
        }
    }
    Ok(())
}

/// Whether the keyword was given and says anything: False, and the one thread that sleeps anyway, do not.
fn told(keywords: &Bound<'_, PyDict>, name: &str) -> PyResult<bool> {
    match (name, keywords.get_item(name)?) {
        (_, None) => Ok(false),
        ("one_cpu_each" | "mlock", Some(flag)) => flag.is_truthy(),
        ("threads", Some(threads)) => threads.ne(1),
        (_, Some(value)) => Ok(!value.is_none()),
    }
}

fn several(keywords: &Bound<'_, PyDict>, name: &str) -> PyResult<bool> {
    let Some(value) = keywords.get_item(name)? else { return Ok(false) };
    let list = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
    Ok(list && value.len()? > 1)
}
