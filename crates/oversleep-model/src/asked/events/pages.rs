//! What browsers do to a page's timers and frames.

use super::{Ground, MS, S};
use crate::asked::candidate::{Candidate, Event, Variant};
use crate::asked::systems::tick_up;
use oversleep_recording::asked::{Platform, StatedCondition};
use oversleep_recording::catalog::KernelWait;
use oversleep_sim::law::{Law, Units};

/// The least time of timers that are nested more than five deep, in ns (html.spec.whatwg.org, timer initialization steps).
const LEAST_OF_PAGES: f64 = 4.0 * MS;

/// A browser slows the timers of a page: hidden, or set from one timer after the other.
pub(super) fn hidden_page(ground: &Ground<'_>) -> Option<Candidate> {
    let stated = ground.stated;
    let row = stated.question.call_row()?;
    let is_browser = stated.is_browser();
    // Frames of a hidden page are not drawn at all.
    if (!row.names.contains(&"setTimeout") && !is_browser) || row.wait == KernelWait::Own {
        return None;
    }
    // Applications of telephones have no page: the system itself holds them.
    if !is_browser && (ground.platform == Some(Platform::Ios) || stated.is_named("android")) {
        return None;
    }
    let hidden = stated.has(&StatedCondition::Background);
    if !hidden && ground.requests().all(|asked| asked >= LEAST_OF_PAGES) {
        return None;
    }
    // developer.chrome.com, timer throttling in Chrome 88: of Chrome and what is built on it.
    let by_minutes = if ["firefox", "safari"].iter().any(|name| stated.is_named(name)) { 0.0 } else { 0.25 };
    let slowed = |weight: f64, law: Law| Variant { weight, laws: vec![law], event: Event::None };
    let least = |least: f64| Law::Units(Units { unit: MS, up: false, least });
    let variants = if hidden {
        vec![slowed(0.45, tick_up(S, 0)), slowed(0.3, least(S)), slowed(by_minutes, tick_up(60.0 * S, 0))]
    } else if ground.platform == Some(Platform::Windows) {
        let at_ticks = |weight: f64, tick: f64| Variant {
            weight,
            laws: vec![least(LEAST_OF_PAGES), tick_up(tick * MS, 0)],
            event: Event::None,
        };
        vec![at_ticks(0.7, 1.0), at_ticks(0.3, 15.625)]
    } else {
        vec![slowed(1.0, least(LEAST_OF_PAGES))]
    };
    let mut candidate = Candidate::new(
        "browser-throttling",
        if hidden {
            "the browser slows timers of hidden pages to one a second, Chrome later to one a minute"
        } else {
            "the browser's least time for timers, 4 ms from the fifth in a row on"
        },
        match (hidden, is_browser) {
            (true, _) => 0.8,
            (false, true) => 0.5,
            (false, false) => 0.05,
        },
        variants,
        if hidden {
            "a worker; Electron: backgroundThrottling: false"
        } else {
            "MessageChannel or scheduler.postTask for a step without a delay"
        },
        if hidden {
            "the same in a page that is visible: if that is in time, it was the browser"
        } else {
            "five timers that are set at once, none by another: if they are in time, it was the browser"
        },
    );
    if hidden {
        candidate.reasons.push("the page is stated to be in the background".to_owned());
    }
    Some(candidate)
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
    let is_callback = ["requestAnimationFrame", "CADisplayLink"].iter().any(|name| row.names.contains(name));
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
