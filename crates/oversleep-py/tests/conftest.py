"""Run from an installed package: ``cargo xtask check --only python``."""

import faulthandler

# A wait that cannot be interrupted would hang for ever; this tells where, and ends the run.
faulthandler.dump_traceback_later(300, exit=True)
