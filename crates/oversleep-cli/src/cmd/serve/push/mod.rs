//! `serve --otlp`: the figures pushed to a collector of OpenTelemetry.

#[cfg(feature = "otlp")]
mod client;
#[cfg(feature = "otlp")]
mod collector;
#[cfg(feature = "otlp")]
mod exporter;

#[cfg(feature = "otlp")]
pub(super) use exporter::{begin, check};

#[cfg(not(feature = "otlp"))]
pub(super) use absent::{begin, check};

#[cfg(not(feature = "otlp"))]
mod absent {
    use crate::args::ServeArgs;
    use crate::failure::Failure;
    use oversleep_lab::session::Server;
    use oversleep_sys::units::Nanos;

    /// Pushes of a program that was built without them.
    pub(in crate::cmd::serve) struct Pushing;

    impl Pushing {
        #[expect(clippy::unused_self, reason = "the same call ends pushes where they are built")]
        pub(in crate::cmd::serve) fn end(self) {}
    }

    /// Begins nothing: [`check`] refuses every option of pushes.
    pub(in crate::cmd::serve) fn begin(
        args: &ServeArgs,
        _: &Server,
        _: impl Fn() -> Option<Nanos>,
    ) -> Result<Pushing, Failure> {
        check(args).map(|()| Pushing)
    }

    /// Refuses `--otlp`.
    pub(in crate::cmd::serve) fn check(args: &ServeArgs) -> Result<(), Failure> {
        if args.otlp.is_none() && args.otlp_interval.is_none() {
            return Ok(());
        }
        Err(Failure::usage(
            "this oversleep was built without OpenTelemetry; build it with \
             `cargo install --path crates/oversleep-cli --features otlp`",
        ))
    }
}
