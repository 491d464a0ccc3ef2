//! Conditions that only single systems have: Windows' priority classes, macOS' quality-of-service classes.

named! {
    /// The priority class of a process (Windows).
    PriorityClass, "priority class":
    /// Runs when nothing else is runnable.
    Idle "idle"
    /// Below normal priority.
    BelowNormal "below-normal"
    /// Normal priority.
    Normal "normal"
    /// Above normal priority.
    AboveNormal "above-normal"
    /// Above nearly everything.
    High "high"
    /// Above the system's own threads; needs the privilege to increase priorities.
    Realtime "realtime"
}

named! {
    /// The quality-of-service class of a thread (macOS).
    Qos, "quality-of-service class":
    /// Work on what the user is looking at.
    UserInteractive "user-interactive"
    /// Work that the user is waiting for.
    UserInitiated "user-initiated"
    /// The default class.
    Default "default"
    /// Long work that the user knows about.
    Utility "utility"
    /// Work that nobody waits for: timers may be very late.
    Background "background"
}
