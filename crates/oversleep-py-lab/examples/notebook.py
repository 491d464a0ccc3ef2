"""A notebook's cells as a script: measure, look, compare with a kernel of 2003, ask why.

    pip install ./crates/oversleep-py ./crates/oversleep-py-lab polars    # in the repository's folder
    python notebook.py OUT.svg
"""

# %%
import sys

import oversleep

# %% Every sleep of these three methods, recorded
measured = oversleep.measure(["nanosleep", "timerfd", "spin"], ["100us", "1ms"], repeats=300)
measured  # a notebook shows the figures and distributions

# %% Why they were late
diagnosis: oversleep.Diagnosis = oversleep.explain(measured)
shares: dict[str, float | None] = {name: finding.share for name, finding in diagnosis.causes().items()}
diagnosis

# %% The same experiment on FreeBSD 4.9, with its 100 Hz tick
simulated = oversleep.simulate("freebsd-4.9", request="1ms", repeats=300)
print(simulated)

# %% Any data frame takes the samples, without a copy
try:
    import polars
except ImportError:
    print("polars is not installed")
else:
    frame = polars.DataFrame(measured)
    print(frame.group_by("method", "requested_ns").agg(polars.col("oversleep_ns").median()).sort("oversleep_ns"))

# %% Pictures: the tooth of a 100 Hz tick against a clock that is off by a little
picture = oversleep.simulate("dragonfly-1.0", experiment="wall-second", repeats=900).plot("time")
print(picture)
if len(sys.argv) > 1:
    picture.save(sys.argv[1])
