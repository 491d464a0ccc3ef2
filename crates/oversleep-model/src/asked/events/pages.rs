//! What browsers do to a page's timers and frames.

use super::{Ground, MS, S};
use crate::asked::candidate::{Candidate, Event, Variant};
use crate::asked::systems::{Stated, tick_up};
use oversleep_recording::asked::{Platform, StatedCondition};
use oversleep_recording::catalog::{CallTrait, KernelWait};
use oversleep_sim::law::{Law, Units};

/// The least time of timers that are nested more than five deep, in ns (html.spec.whatwg.org, timer initialization steps).
const LEAST_OF_PAGES: f64 = 4.0 * MS;

/// Versions of Chrome from which timers of pages that are hidden for long end once a minute, and how often those of Chrome do
/// (developer.chrome.com, timer throttling in Chrome 88).
const BY_MINUTES: ((u32, u32), f64) = ((86, 0), 0.25);
/// How probable it is that a page is hidden if nobody says so.
const HIDDEN: f64 = 0.05;

/// A browser slows the timers of a page that is hidden, or those that are set from one timer after the other.
pub(super) fn slow_timers(ground: &Ground<'_>) -> Vec<Candidate> {
    let stated = ground.stated;
    let Some(row) = stated.question.call_row() else { return Vec::new() };
    let is_browser = stated.is_browser();
    // Frames of a hidden page are not drawn at all.
    if (!row.names.contains(&"setTimeout") && !is_browser) || row.wait == KernelWait::Own {
        return Vec::new();
    }
    // Applications of telephones have no page: the system itself holds them.
    if !is_browser && (ground.platform == Some(Platform::Ios) || stated.is_named("android")) {
        return Vec::new();
    }
    let is_hidden = stated.has(&StatedCondition::Background);
    let hidden = (is_hidden || is_browser).then(|| hidden(stated, is_hidden));
    let nested = !is_hidden && ground.requests().any(|asked| asked < LEAST_OF_PAGES);
    hidden.into_iter().chain(nested.then(|| nested_timers(ground, is_browser))).collect()
}

fn slowed(weight: f64, laws: &[Law]) -> Variant {
    Variant { weight, laws: laws.to_vec(), event: Event::None }
}

fn now_and_then(weight: f64, share: f64, to: f64) -> Variant {
    Variant { weight, laws: Vec::new(), event: Event::Even { share, from: 0.0, to } }
}

fn least(least: f64) -> Law {
    Law::Units(Units { unit: MS, up: false, least })
}

fn hidden(stated: &Stated<'_>, is_stated: bool) -> Candidate {
    let is_other = ["firefox", "safari"].iter().any(|name| stated.is_named(name));
    let is_old = stated.browser_version().is_some_and(|version| version < BY_MINUTES.0);
    let by_minutes = if is_other || is_old { 0.0 } else { BY_MINUTES.1 };
    let mut candidate = Candidate::new(
        "browser-throttling",
        "the browser slows timers of hidden pages to one a second, Chrome later to one a minute",
        if is_stated { 0.8 } else { HIDDEN },
        vec![
            slowed(0.4, &[tick_up(S, 0)]),
            slowed(0.3, &[least(S)]),
            slowed(by_minutes, &[tick_up(60.0 * S, 0)]),
            // Some of the time only.
            now_and_then(0.05, 0.5, S),
            now_and_then(0.05, 0.05, S),
            now_and_then(if by_minutes > 0.0 { 0.03 } else { 0.0 }, 0.05, 60.0 * S),
        ],
        "a worker; Electron: backgroundThrottling: false",
        "the same in a page that is visible: if that is in time, it was the browser",
    );
    candidate.variants.retain(|variant| variant.weight > 0.0);
    if is_stated {
        candidate.reasons.push("the page is stated to be in the background".to_owned());
    }
    candidate
}

fn nested_timers(ground: &Ground<'_>, is_browser: bool) -> Candidate {
    let variants = if ground.platform == Some(Platform::Windows) {
        let at_ticks = |weight: f64, tick: f64| slowed(weight, &[least(LEAST_OF_PAGES), tick_up(tick * MS, 0)]);
        vec![at_ticks(0.7, 1.0), at_ticks(0.3, 15.625)]
    } else {
        vec![slowed(1.0, &[least(LEAST_OF_PAGES)])]
    };
    Candidate::new(
        "browser-throttling",
        "the browser's least time for timers, 4 ms from the fifth in a row on",
        if is_browser { 0.5 } else { 0.05 },
        variants,
        "MessageChannel or scheduler.postTask for a step without a delay",
        "five timers that are set at once, none by another: if they are in time, it was the browser",
    )
}

/// Displays' frames per second, and how often they are met where another rate was expected; 60 of television are 60000/1001.
const DISPLAYS: [(f64, f64); 9] = [
    (60.0, 0.25),
    (144.0, 0.2),
    (120.0, 0.2),
    (75.0, 0.08),
    (165.0, 0.08),
    (240.0, 0.06),
    (90.0, 0.04),
    (50.0, 0.04),
    (60_000.0 / 1001.0, 0.05),
];

/// How often a callback comes each frame, each second and each third one, where frames take longer or power is saved.
const FRAMES_APART: [(f64, f64); 3] = [(1.0, 0.7), (2.0, 0.25), (3.0, 0.05)];

/// Shares of the frames that are missed, where any are.
const MISSED_FRAMES: [f64; 2] = [0.02, 0.2];

/// Up to which part of a display's period a request is one of it.
const EXPECTED: f64 = 1.01;

/// A callback for each frame takes no request: it comes at the display's rate.
pub(super) fn display_rate(ground: &Ground<'_>) -> Option<Candidate> {
    let question = ground.stated.question;
    let row = question.call_row()?;
    let is_callback = question.call_has(CallTrait::Frame);
    let asked = question.pairs.first().filter(|_| question.pairs.len() == 1)?.requested.as_f64();
    let at = |(rate, weight): (f64, f64)| {
        let apart = FRAMES_APART.map(|(frames, often)| Variant {
            weight: weight * often,
            laws: Vec::new(),
            event: Event::Ratio(frames * S / rate / asked),
        });
        // Where a frame is expected, some are missed.
        let period = f64::max(S / rate, asked);
        let missed = MISSED_FRAMES.map(|share| Variant {
            weight: if period < EXPECTED * S / rate { 0.1 * weight } else { 0.0 },
            laws: vec![tick_up(period, 0)],
            event: Event::Even { share, from: period, to: period },
        });
        apart.into_iter().chain(missed)
    };
    (is_callback && asked > 0.0).then(|| {
        Candidate::new(
            "display",
            "it is called once a frame of the display, or each second or third frame where power is saved or a frame's work takes longer",
            20.0,
            DISPLAYS.into_iter().flat_map(at).filter(|variant| variant.weight > 0.0).collect(),
            row.instead,
            "the display's rate in the system's settings, and the same at another one",
        )
    })
}
