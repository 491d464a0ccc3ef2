//! `probe`: our experiment `periodic` against Debian's cyclictest, the usual tool for this.
//!
//! Both have the same policy, priority and interval, locked memory, latency held to 0, and one thread; oversleep keeps
//! a recording as usual. Wake-up latencies are compared in ABBA blocks, so that slow changes of the machine affect both
//! alike.

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
