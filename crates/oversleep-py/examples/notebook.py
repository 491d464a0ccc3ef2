"""A notebook's cells as a script: measure, look, compare with a kernel of 2003, ask why.

    pip install 'oversleep[plot]' polars
    python notebook.py OUT.png
"""

# %%
import sys

import matplotlib

if len(sys.argv) > 1:
    matplotlib.use("Agg")
from matplotlib import pyplot

import oversleep

# %% Every sleep of these three methods, recorded
measured = oversleep.measure(["nanosleep", "timerfd", "spin"], ["100us", "1ms"], repeats=300)
measured  # a notebook shows the figures and distributions

# %% Why they were late
oversleep.explain(measured)

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

# %% Pictures
figure, (above, below) = pyplot.subplots(2, figsize=(9, 7), layout="constrained")
measured.plot(ax=above)
oversleep.simulate("dragonfly-1.0", experiment="herman", repeats=900).plot("series", ax=below)
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
else:
    pyplot.show()
