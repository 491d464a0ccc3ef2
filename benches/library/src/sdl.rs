//! SDL's precise delay: the real one with the feature `sdl`, otherwise its algorithm.

use std::time::Duration;

#[cfg(feature = "sdl")]
pub const NAME: &str = "SDL_DelayPrecise";
#[cfg(not(feature = "sdl"))]
pub const NAME: &str = "SDL_DelayPrecise's algorithm (SDL 3.4), in Rust";

#[cfg(feature = "sdl")]
pub fn delay_precise(duration: Duration) {
    let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    // SAFETY: takes a number, and needs no initialisation.
    unsafe { sdl3_sys::timer::SDL_DelayPrecise(ns) };
}

/// Sleeps as SDL 3.4.18 does (`src/timer/SDL_timer.c`): in sleeps of 1 ms while more than the longest seen remains, then
/// once for the rest less the greatest overshoot, then, should 1 ms or more be left, again in sleeps of 1 ms, then pausing
/// on the processor.
#[cfg(not(feature = "sdl"))]
pub fn delay_precise(duration: Duration) {
    use std::time::Instant;
    const SHORT: Duration = Duration::from_millis(1);
    let mut now = Instant::now();
    let target = now + duration;
    let mut longest = SHORT;
    while now + longest < target {
        std::thread::sleep(SHORT);
        let woken = Instant::now();
        longest = longest.max(woken - now);
        now = woken;
    }
    let rest = target.saturating_duration_since(now);
    let overshoot = longest - SHORT;
    if rest > overshoot {
        std::thread::sleep(rest - overshoot);
        now = Instant::now();
    }
    while now + SHORT < target {
        std::thread::sleep(SHORT);
        now = Instant::now();
    }
    while now < target {
        std::hint::spin_loop();
        now = Instant::now();
    }
}
