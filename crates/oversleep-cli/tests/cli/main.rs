//! Tests of the program as users run it: what it prints, keeps, refuses and leaves behind.

mod bad_files;
mod bad_input;
mod clocks;
mod closed;
mod compare;
mod diagnose;
mod early;
mod every;
mod hung;
mod killed;
mod late;
mod leftovers;
mod long;
mod output;
mod page;
mod passed_over;
mod pipes;
mod places;
mod probes;
#[cfg(feature = "otlp")]
mod push;
mod refused;
mod reproduce;
mod runtimes;
mod schemas;
mod serve;
mod shown;
mod signals;
mod stalls;
mod standard;
mod support;
mod tables;
mod trace;
mod tune;
mod watch;
mod written;
