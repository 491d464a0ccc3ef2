//! What Rust offers everywhere.

rows! { Portable
    ThreadSleep "thread-sleep" "std::thread::sleep" on EVERYWHERE;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Sleep also "thread::sleep" "std::thread::sleep";
        "At least the requested time, also after a signal; rounded up to the system's unit (milliseconds on older Windows)."
        "https://doc.rust-lang.org/std/thread/fn.sleep.html"
    ParkTimeout "park-timeout" "std::thread::park_timeout" on EVERYWHERE;
        Relative Nanosecond Monotonic early Possible;
        timer Call slack Thread simulated Wait;
        "Roughly no longer than the requested time; may wake for no reason, and is documented as unfit for precise timing."
        "https://doc.rust-lang.org/std/thread/fn.park_timeout.html"
    Spin "spin" "reads the clock until the time is over" on EVERYWHERE;
        Absolute Nanosecond Monotonic early Never;
        timer None slack None simulated Spin;
        "No system call: the least lateness, for a whole processor."
        "https://doc.rust-lang.org/std/hint/fn.spin_loop.html"
}
