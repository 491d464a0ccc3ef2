//! A game's loop that waits with spin_sleep: sixty frames a second, with statistics at the end.

use std::time::{Duration, Instant};

const FRAME: Duration = Duration::from_nanos(16_666_667);

/// A ball that falls and bounces.
struct Ball {
    height: f64,
    speed: f64,
}

impl Ball {
    fn step(&mut self, seconds: f64) {
        self.speed -= 9.81 * seconds;
        self.height += self.speed * seconds;
        if self.height < 0.0 {
            (self.height, self.speed) = (-self.height, -0.9 * self.speed);
        }
    }
}

/// What drawing costs: about half a millisecond.
fn draw(ball: &Ball) -> u64 {
    (0..400_000).fold(ball.height.to_bits(), |pixels, at| std::hint::black_box(pixels.rotate_left(1) ^ at))
}

fn main() {
    let frames: u32 = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(300);
    let mut ball = Ball { height: 2.0, speed: 0.0 };
    let mut late = Vec::new();
    let mut pixels = 0;
    let start = Instant::now();
    for frame in 1..=frames {
        ball.step(FRAME.as_secs_f64());
        pixels ^= draw(&ball);
        let deadline = start + frame * FRAME;
        spin_sleep::sleep(deadline.saturating_duration_since(Instant::now()));
        late.push(Instant::now().saturating_duration_since(deadline));
    }
    std::hint::black_box(pixels);
    for late in late {
        println!("{}", late.as_nanos());
    }
}
