//! A thread that starts probes under given conditions, which they inherit.

use crate::sleeps::Enforced;
use oversleep_os::process::ProcessTree;
use oversleep_recording::plan::Conditions;
use oversleep_sys::Refusal;
use std::io;
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// A thread under these conditions. Policy, niceness, processors and timer slack pass to the processes it starts.
pub(super) struct ProbeStarter {
    commands: Sender<Command>,
    started: Receiver<io::Result<ProcessTree>>,
    /// Conditions in force on the thread when it began.
    pub(super) obtained: Conditions,
    /// Conditions that were refused, with reasons.
    pub(super) refused: Vec<(String, Refusal)>,
}

impl ProbeStarter {
    pub(super) fn new(asked: &Conditions) -> io::Result<Self> {
        let (commands, orders) = channel::<Command>();
        let (give, started) = channel();
        let (tell, ready) = channel();
        let asked = asked.clone();
        thread::Builder::new().name("starter".to_owned()).spawn(move || {
            let enforced = Enforced::for_life(&asked, 0);
            if tell.send((enforced.read_back(), enforced.refused().to_vec())).is_err() {
                return;
            }
            // Probes end with this thread, so it lives until no more are wanted.
            for mut command in orders {
                if give.send(ProcessTree::start(&mut command)).is_err() {
                    return;
                }
            }
        })?;
        let (obtained, refused) = ready.recv().map_err(io::Error::other)?;
        Ok(Self { commands, started, obtained, refused })
    }

    pub(super) fn start(&self, command: Command) -> io::Result<ProcessTree> {
        self.commands.send(command).map_err(|_| io::Error::other("the thread that starts programs has ended"))?;
        self.started.recv().map_err(io::Error::other)?
    }
}
