//! Our `periodic` against Debian's cyclictest, the tool people trust.
//!
//! Same policy, priority and interval, memory locked, latency held to 0, one thread; ours keeps its recording as it
//! always does. Wake-up latencies are compared in ABBA blocks, so that a machine whose mood drifts is fair to both.

mod cost;
mod latency;
mod peer;
mod share;

use super::Options;
use super::{sheet, tool};

pub(super) fn run(options: &Options) -> Result<(), String> {
    let ours = tool::release()?;
    let peer = peer::find();
    println!("{}", sheet::place());
    match &peer {
        Ok(version) => println!("{version}"),
        Err(why) => println!("without cyclictest ({why}; Debian's package is rt-tests): only our own figures"),
    }
    let peer = peer.is_ok();
    latency::compare(&ours, peer, options)?.print(options);
    share::compare(&ours, peer, options)?.print(options);
    cost::memory(&ours, peer)?.print(options);
    cost::instructions(&ours, peer)?.print(options);
    Ok(())
}
