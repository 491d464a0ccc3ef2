//! `FreeRTOS`' `vTaskDelay`: n ticks, of which the first is already in progress.

use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, counted, floor, rate};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "freertos-delay",
    governs: "vTaskDelay(pdMS_TO_TICKS(request)) and what is built on it",
    formula: "n = floor(request / tick); ends n ticks after the last tick before start; at once if n = 0",
    parameters: &[Parameter { name: "period", unit: "ns", least: 1e6, most: 10e6 }],
    remedy: "one tick more in the request, a higher configTICK_RATE_HZ, or a hardware timer",
};

const fn ticks(period: f64) -> Law {
    Law::FreeRtos(FreeRtos { ticks: Even { period, phase: 0.0 }, counted: period })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "freertos" "configTICK_RATE_HZ 100, ESP-IDF's default": "vTaskDelay"
        = ticks(10e6); "FreeRTOS tasks.c, vTaskDelay; published: on ESP32 9 ms is 0 ms";
    "freertos" "configTICK_RATE_HZ 1000, Arduino's default": "vTaskDelay" = ticks(1e6); "FreeRTOS tasks.c, vTaskDelay";
};

/// Sleeps last n − 1 to n ticks, with n rounded down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeRtos {
    /// The ticks.
    pub ticks: Even,
    /// Length of a tick by which `pdMS_TO_TICKS` counts, in ns: the nominal one, on a clock that drifts against it too.
    pub counted: f64,
}

/// Returns the number of ticks asked for: `pdMS_TO_TICKS` rounds down.
#[allow(clippy::cast_possible_truncation)] // saturates
pub fn count(asked: f64, period: f64) -> i64 {
    floor(asked / period + 1e-6) as i64
}

impl Govern for FreeRtos {
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut ticks = self.ticks;
        match count(sleep.asked, self.counted) {
            n if n < 1 => sleep.start,
            n => {
                let at = counted::tick(&mut ticks, sleep.start, n);
                ticks.at(at)
            }
        }
    }

    fn lengths(&self, asked: f64) -> Lengths {
        match count(asked, self.counted) {
            n if n < 1 => Lengths::only(0.0),
            n => {
                let most = n as f64 * self.ticks.period;
                Lengths { least: most - self.ticks.period, most, back_to_back: most }
            }
        }
    }

    fn text(&self) -> String {
        format!("is rounded down to n ticks of {} and lasts n − 1 to n of them", rate(self.ticks.period))
    }
}
