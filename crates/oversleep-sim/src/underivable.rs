//! Published numbers that the model does not give, with the reasons.

/// A published number, or part of one, that cannot be derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotDerivable {
    /// Row of the specification's table 3.
    pub row: u32,
    /// Published number or statement.
    pub seed: &'static str,
    /// Why it cannot be derived.
    pub why: &'static str,
}

/// Every such number.
pub const NOT_DERIVABLE: &[NotDerivable] = &[
    NotDerivable {
        row: 7,
        seed: "Herman: after the change of tvtohz() the sawtooth climbs somewhat faster",
        why: "the slope is the tick's period against the clock, whatever the rounding; only another calibration of the TSC at the next boot changes it",
    },
    NotDerivable {
        row: 25,
        seed: "O'Neill: a standard deviation of about 50 ms at worst",
        why: "the fitted scheduler reaches 12 to 28 ms; nothing in the article says what made some cells worse",
    },
    NotDerivable {
        row: 26,
        seed: "O'Neill: the first 5 to 7 calls of Sleep(0) take 100 to 200 ms",
        why: "no mechanism is known; he asks for one himself",
    },
    NotDerivable {
        row: 27,
        seed: "macOS: clock_get_time 2.3 to 2.4 us, mach_absolute_time 34 to 70 ns a call",
        why: "measured costs, which a simulated kernel takes as parameters",
    },
    NotDerivable {
        row: 28,
        seed: "every figure, O'Neill's two tables, the curves of Darwin and Solaris",
        why: "the images are lost; what the texts say of them is simulated, their shapes cannot be compared",
    },
];
