"""Measuring, simulating, explaining; what is asserted of times holds on simulated kernels or by accounting."""

import json
import os
import signal
import subprocess
import sys
import typing
from datetime import timedelta
from pathlib import Path

import oversleep
import oversleep_lab
import pytest


@pytest.fixture(scope="module")
def simulated():
    return oversleep.simulate("freebsd-4.9", request=["1ms", 0.005], repeats=300)


def test_a_simulation_is_the_same_every_time(simulated):
    again = oversleep.simulate("freebsd-4.9", request=["1ms", timedelta(milliseconds=5)], repeats=300)
    assert again.lists("end_ns", "cell") == simulated.lists("end_ns", "cell")
    other = oversleep.simulate("freebsd-4.9", request=["1ms", 0.005], repeats=300, seed=2)
    assert other.lists("end_ns") != simulated.lists("end_ns")


def test_figures_are_those_of_the_samples(simulated):
    assert len(simulated) == 600 and simulated.complete
    late = simulated.lists("cell", "oversleep_ns", "requested_ns", "start_ns", "end_ns")
    for number, figures in enumerate(simulated.figures()):
        mine = sorted(ns for cell, ns in zip(late["cell"], late["oversleep_ns"]) if cell == number)
        assert figures["n"] == len(mine) == 300
        assert (figures["min_ns"], figures["max_ns"]) == (mine[0], mine[-1])
        assert figures["p50_ns"] == mine[149]
        assert figures["p999_ns"] is None, "300 samples carry no 99.9th percentile"
    # With a 100 Hz tick, a sleep of 1 ms takes two ticks minus a phase, as in the article.
    assert 9_000_000 < simulated.figures()[0]["p50_ns"] < 20_000_000
    computed = [end - start - asked for end, start, asked in zip(late["end_ns"], late["start_ns"], late["requested_ns"])]
    assert late["oversleep_ns"] == computed
    edges = [0, 10_000_000, 20_000_000]
    assert sum(simulated.histogram(0, edges)) == 300
    assert simulated.histogram(0, edges)[0] == 0


def test_a_parameter_can_be_changed():
    fast = oversleep.simulate("freebsd-4.9", set={"hz": 1000}, repeats=100)
    slow = oversleep.simulate("freebsd-4.9", set={"hz": 100}, repeats=100)
    assert fast.figures()[0]["p50_ns"] * 4 < slow.figures()[0]["p50_ns"]
    drifting = oversleep.simulate("dragonfly-1.0", experiment="wall-second", repeats=20, at="5s ntp_ppm=-10")
    assert drifting.kind == "wall-second" and len(drifting) == 20


def test_explaining_names_the_kernels_tick():
    # Only different requests and starting phases can tell a tick from a constant cost.
    spread = oversleep.simulate("freebsd-4.9", request="200us..60ms", repeats=600, phase="random")
    diagnosis = oversleep.explain(spread)
    found = diagnosis.causes()["tick-quantised"]
    assert found.evidence["hz"] == pytest.approx(100, rel=0.01)
    assert found.unit == "ns" and found.remedy and 0 < found.confidence <= 1
    assert all(isinstance(fix, oversleep.Remedy) for fix in found.remedy)
    cell = diagnosis.cells[0]
    assert (cell.cell, cell.method, cell.requested_ns) == (0, "nanosleep", None)
    assert sum(cell.budget["p50_ns"].values()) == spread.figures()[0]["p50_ns"]
    assert "unexplained" in cell.budget["p50_ns"]
    assert json.loads(diagnosis.json())["cells"][0]["findings"]
    assert "tick-quantised" in str(diagnosis) and "tick-quantised" in diagnosis._repr_html_()


def test_what_the_sleeps_cannot_decide_is_said_to_be_open(simulated):
    diagnosis = oversleep.explain(simulated)
    assert diagnosis.undecided or "tick-quantised" in diagnosis.causes()


def test_measuring_sleeps_everything_planned_and_counts_it():
    seen = []
    recording = oversleep.measure(
        ["nanosleep", "spin"], ["50us", 0.0002], repeats=20, load=[0, 1], slack="1ns", progress=seen.append
    )
    assert recording.complete and len(recording) == 2 * 2 * 2 * 20
    figures = recording.figures()
    assert [cell["n"] for cell in figures] == [20] * 8
    assert {cell["method"] for cell in figures} == {"nanosleep", "spin"}
    assert {cell["conditions"]["asked"]["load"]["threads"] for cell in figures} == {0, 1}
    assert all(ns >= 0 for ns in recording.lists("oversleep_ns")["oversleep_ns"])
    assert 1 <= seen[0]["turns_done"] <= seen[-1]["turns_done"] <= seen[-1]["turns_planned"]
    assert set(seen[-1]) == {"turns_done", "turns_planned", "samples", "elapsed_ns", "remaining_ns"}
    assert recording.document()["origin"] == {"kind": "live"}


def test_a_schedule_accounts_for_every_period():
    recording = oversleep.measure(experiment="periodic", period="500us", repeats=100, threads=2)
    periods = recording.figures()[0]["periods"]
    assert periods["asked"] == 200 == periods["fresh"] + periods["late"] + periods["skipped"]
    assert "asked" in recording.table()


def test_a_method_that_is_not_here_is_noted_not_hidden():
    elsewhere = next(row["name"] for row in oversleep.methods(every_system=True) if not row["here"])
    recording = oversleep.measure([elsewhere, "spin"], 0.0001, repeats=5)
    assert [cell["n"] for cell in recording.figures()] == [0, 5]
    assert elsewhere in str(recording.document()["unavailable"])
    assert elsewhere in recording.table()


def test_other_threads_run_while_measuring(another_thread_runs):
    assert another_thread_runs(lambda: oversleep.measure("spin", 0.0001, repeats=1))


def test_ctrl_c_ends_a_measurement_and_keeps_what_was_measured():
    code = """
import oversleep, os, signal
def watch(progress):
    if progress["turns_done"] >= 3:
        os.kill(os.getpid(), signal.SIGINT)
try:
    oversleep.measure(request="1ms", repeats=1_000_000, progress=watch)
except KeyboardInterrupt as interrupt:
    recording = interrupt.recording
    assert 0 < len(recording) < 1_000_000 and not recording.complete
    assert recording.document()["ended"] == "interrupted"
    print("kept")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (run.stdout, run.stderr) == ("kept\n", "")


def test_what_watches_may_end_the_run_too():
    def watch(_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough") as error:
        oversleep.measure(repeats=1_000_000, progress=watch)
    assert len(error.value.recording) < 1_000_000


def test_a_time_limit_ends_a_run():
    recording = oversleep.measure(request="1ms", repeats=10_000_000, time_limit=0.2)
    assert recording.document()["ended"] == "time-over"
    assert not recording.complete


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: oversleep.measure("nap"), "no sleep method is called 'nap'"),
        (lambda: oversleep.measure(request=-1), "request cannot be negative"),
        (lambda: oversleep.measure(request=float("nan")), "request cannot be NaN"),
        (lambda: oversleep.measure(request="5 parsecs"), "request"),
        (lambda: oversleep.measure(request="2ms..1ms"), "is not a range"),
        (lambda: oversleep.measure(repeats=0), "repeats must be from 1"),
        (lambda: oversleep.measure(repeats=10**30), "repeats must be from 1"),
        (lambda: oversleep.measure(policy="round"), "'round' is not a policy"),
        (lambda: oversleep.measure(policy="fifo:high"), "is not a priority"),
        (lambda: oversleep.measure("spin", policy="fifo:10"), "would starve the machine"),
        (lambda: oversleep.measure(nice=40), "nice must be from -20 to 19"),
        (lambda: oversleep.measure(load=-1), "load must be from 0"),
        (lambda: oversleep.measure(load_kind="heavy"), "'heavy' is not a kind of load"),
        (lambda: oversleep.measure(threads=0), "threads must be from 1"),
        (lambda: oversleep.measure(phase="moon"), "'moon' is not a phase"),
        (lambda: oversleep.measure(slack=0), "slack must be longer than zero"),
        (lambda: oversleep.measure(one_cpu_each=True), "means nothing without affinity"),
        (lambda: oversleep.measure(time_limit=0), "time_limit must be longer"),
        (lambda: oversleep.measure(experiment="none"), "no experiment is called 'none'"),
        (lambda: oversleep.measure(["spin", "nanosleep"], experiment="wall-second"), "takes one method"),
        (lambda: oversleep.measure("sched-yield", experiment="periodic"), "can keep no schedule"),
        (lambda: oversleep.measure(experiment="periodic", period="10000h", repeats=10**9), "292 years"),
        (lambda: oversleep.simulate("multics"), "no preset and no file is called 'multics'"),
        (lambda: oversleep.simulate("macos", set={"hz": "many"}), "whole number"),
        (lambda: oversleep.simulate("macos", set={"herz": 5}), "herz"),
        (lambda: oversleep.simulate("macos", set={"hz": -1}), "hz = -1 is outside 1 to 100000 ticks per second"),
        (lambda: oversleep.simulate("macos", at="soon"), "^at cannot be 'soon': write it as '300s ntp_ppm=-10'"),
        (lambda: oversleep.simulate("macos").histogram(5, [1]), "there is no cell 5"),
        (lambda: oversleep.simulate("macos").histogram(0, [2, 1]), "edges must ascend"),
        (lambda: oversleep.simulate("macos").lists("nothing"), "no column of numbers called 'nothing'"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(call, says):
    with pytest.raises(ValueError, match=says) as error:
        call()
    assert "\n" not in str(error.value)


EXPERIMENTS = ["check-up", "wall-second", "sweep", "load", "periodic"]
EVERYTHING = {
    "method": "spin", "request": "1ms", "repeats": 5, "period": "1ms", "policy": "batch", "nice": 5, "affinity": 0,
    "slack": "1us", "mlock": True, "latency_hold": 0, "load": 1, "threads": 2, "phase": "random",
}
UNUSED = {
    None: set(),  # a period asks for a schedule
    "check-up": set(EVERYTHING),
    "wall-second": {"request", "period"},
    "sweep": {"period"},
    "load": {"request", "period"},
    "periodic": {"request", "phase"},
}


@pytest.mark.parametrize("experiment", UNUSED)
@pytest.mark.parametrize("name", EVERYTHING)
def test_what_an_experiment_has_no_use_for_is_refused(experiment, name):
    # If the experiment wrongly accepts the argument, the time limit ends the run at once.
    def call():
        return oversleep.measure(experiment=experiment, time_limit=1e-9, **{name: EVERYTHING[name]})

    if name in UNUSED[experiment]:
        with pytest.raises(ValueError, match=rf"\b{name}\b.*(leave it out|say request=)"):
            call()
    else:
        assert call().kind == experiment or experiment is None


@pytest.mark.parametrize("experiment", EXPERIMENTS[1:])
def test_a_classic_experiment_takes_one_condition(experiment):
    for name, two in {"policy": ["other", "batch"], "slack": ["1us", "2us"], "load": (0, 1)}.items():
        if (experiment, name) == ("load", "load"):
            continue
        with pytest.raises(ValueError, match=f"takes one {name}: measure once for each value"):
            oversleep.measure(experiment=experiment, time_limit=1e-9, **{name: two})
    with pytest.raises(TypeError, match="phase must be text, not list"):
        oversleep.measure(experiment="wall-second", phase=["random", "back-to-back"], time_limit=1e-9)


def test_what_would_be_passed_over_is_refused():
    with pytest.raises(ValueError, match="load_kind means nothing without load; give that too, or leave it out"):
        oversleep.measure(load_kind="memory", time_limit=1e-9)
    for name in ("method", "request", "policy", "slack", "load", "affinity"):
        with pytest.raises(ValueError, match=f"{name} is an empty list"):
            oversleep.measure(**{name: []}, time_limit=1e-9)
    with pytest.raises(TypeError, match="progress takes a function of one dict, not bool"):
        oversleep.measure(progress=True, time_limit=1e-9)
    with pytest.raises(TypeError, match="load takes a whole number, not bytes"):
        oversleep.measure(load=b"12", time_limit=1e-9)
    with pytest.raises(TypeError, match="set takes a dict of parameters"):
        oversleep.simulate("macos", set=["hz", 1000])


def test_a_damaged_recording_says_how_to_read_what_is_sound(simulated, tmp_path):
    path = tmp_path / "damaged.arrows"
    simulated.save(path)
    whole = bytearray(path.read_bytes())
    # The first byte of the marker that ends the stream.
    whole[-8] = 0
    path.write_bytes(whole)
    with pytest.raises(ValueError, match=r"is damaged at byte .*\(oversleep.load\(…, partial=True\) reads them\)"):
        oversleep.load(path)
    part = oversleep.load(path, partial=True)
    assert len(part) == len(simulated)
    assert "is damaged at byte" in part.remark and "--" not in part.remark


def test_files_go_out_and_come_back(simulated, tmp_path):
    path = tmp_path / "recording.arrows"
    simulated.save(path)
    again = oversleep.load(path)
    assert again.lists("end_ns") == simulated.lists("end_ns")
    assert again.document() == simulated.document() and again.remark is None
    assert oversleep.explain(path).causes().keys() == oversleep.explain(simulated).causes().keys()
    with pytest.raises(FileExistsError, match="replace=True"):
        simulated.save(path)
    simulated.save(path, replace=True)
    # The recording of a killed run is readable up to the last complete message.
    path.write_bytes(path.read_bytes()[:-100])
    assert "whole up to" in oversleep.load(path).remark
    path.write_bytes(b"\xff\xff\xff\xff" + b"nothing")
    with pytest.raises(ValueError, match="not a recording of oversleep"):
        oversleep.load(path)
    with pytest.raises(FileNotFoundError):
        oversleep.load(tmp_path / "nowhere")
    with pytest.raises(OSError):
        oversleep.explain(tmp_path)
    with pytest.raises(OSError, match="cannot create"):
        simulated.save(tmp_path / "no" / "folder")


def test_tables_of_other_programs_are_explained(tmp_path):
    path = tmp_path / "sleeps.csv"
    rows = [f"1000000,{n * 20_000_000},{n * 20_000_000 + 1_000_000 + 50_000 + n % 7}" for n in range(200)]
    path.write_text("requested_ns,start_ns,end_ns\n" + "\n".join(rows) + "\n")
    assert oversleep.load(path).figures()[0]["n"] == 200
    assert oversleep.explain(str(path)).cells[0].budget["p50_ns"]
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="the header lacks `requested_ns`"):
        oversleep.explain(path)
    with pytest.raises(TypeError, match="not int"):
        oversleep.explain(5)


def test_what_is_left_out_of_a_file_is_warned_of(tmp_path):
    path = tmp_path / "sleeps.csv"
    path.write_text("requested_ns,start_ns,end_ns,colour\n1000000,0,1050000,red\n")
    with pytest.warns(UserWarning, match=r"sleeps.csv: columns that are not read: colour$") as warned:
        assert len(oversleep.load(path)) == 1
    assert [warning.filename for warning in warned] == [__file__]
    with pytest.warns(UserWarning, match="colour"):
        oversleep.explain(path)


def test_a_recording_without_samples_has_nothing_to_explain():
    elsewhere = next(row["name"] for row in oversleep.methods(every_system=True) if not row["here"])
    empty = oversleep.measure(elsewhere, repeats=1)
    assert len(empty) == 0
    with pytest.raises(ValueError, match="no samples"):
        oversleep.explain(empty)
    assert "<table>" in empty._repr_html_()


def test_it_reads_well(simulated):
    assert repr(simulated) == "<Recording measure: 600 sleeps in 2 cells, simulated on freebsd-4.9>"
    html = simulated._repr_html_()
    assert html.count("<svg") == 3 and html.count("<rect") >= 2 and "nanosleep" in html
    from xml.dom import minidom

    minidom.parseString(html)
    minidom.parseString(oversleep.explain(simulated)._repr_html_())
    assert str(simulated) == simulated.table()
    assert max(map(len, simulated.table(80).splitlines())) <= 90
    assert oversleep.presets()["freebsd-4.9"]


def test_nothing_of_the_process_is_changed():
    handler = signal.getsignal(signal.SIGINT)
    affinity = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    oversleep.measure("nanosleep", 0.0001, repeats=5, affinity=0, nice=5, slack="1ns")
    assert signal.getsignal(signal.SIGINT) is handler
    assert affinity is None or os.sched_getaffinity(0) == affinity
    assert not Path("oversleep.arrows").exists() and not list(Path().glob("*.arrows"))


def test_the_annotation_names_every_experiment():
    assert list(typing.get_args(oversleep_lab.Experiment)) == oversleep.experiments()


COMPUTED = """
import oversleep, signal, sys, threading
from pathlib import Path

def raising(go):
    go.acquire()
    signal.raise_signal(signal.SIGINT)

def computing():
    for name in Path("/proc/self/task").glob("*/comm"):
        try:
            if name.read_text().strip() == "oversleep":
                return True
        except OSError:
            pass  # that one is over
    return False

def heard_meanwhile(call):
    heard = []
    def handler(*_):
        heard.append(computing())
        raise KeyboardInterrupt
    signal.signal(signal.SIGINT, handler)
    go = threading.Lock()
    go.acquire()
    thread = threading.Thread(target=raising, args=[go])
    thread.start()
    try:
        go.release()
        call()
    except KeyboardInterrupt:
        pass
    thread.join()
    return heard[0]

# The other thread runs only where the lock is given up.
sys.setswitchinterval(600)
# Kernels whose ticks are stepped through one by one, and die after 100 days: hours, and few samples.
heard_meanwhile(lambda: oversleep.simulate("dragonfly-pll-hz1000", request="10s", repeats=10**9, threads=100))
print("simulate")
many = oversleep.simulate("linux-2.6-hrtimer", request=["100us", "0.2ms..60ms"], repeats=500_000)
# A busy machine may keep the one who waits from looking until all is computed.
if not Path("/proc/self/task").exists() or any(heard_meanwhile(lambda: oversleep.explain(many)) for _ in range(20)):
    print("explain")
"""


def test_ctrl_c_ends_what_is_computed():
    run = subprocess.run([sys.executable, "-c", COMPUTED], capture_output=True, text=True, timeout=200)
    assert (run.stdout, run.stderr, run.returncode) == ("simulate\nexplain\n", "", 0)


def test_figures_that_somebody_states_are_explained(tmp_path):
    answer = oversleep.explain_figures({"1ms": ["15.6ms", "15.5ms"]}, system="windows", method="Sleep")
    assert answer.decided and answer.document["candidates"][0]["cause"] == "windows-tick"
    assert str(answer).startswith(answer.verdict[:20])

    before = {"1ms": "1.06ms"}
    changed = oversleep.explain_figures(before, system="linux", after={"1ms": "1.005ms"}, changed="slack=1ns")
    assert changed.document["candidates"][0]["cause"] == "timer-slack"

    table = tmp_path / "table.csv"
    table.write_text("requested_ms,took_ms\n" + "1,15.6\n" * 20)
    assert oversleep.explain_figures(table, system="windows", method="Sleep").decided
    table.write_text("took_ms\n" + "15.6\n" * 20)
    assert oversleep.explain_figures(table, asked="1ms", system="windows", method="Sleep").decided

    for figures, keywords in [
        ({"1ms": "15.6"}, {}),
        ({}, {}),
        ({"1ms": "15.6ms"}, {"system": "linxu"}),
        ({"1ms": "15.6ms"}, {"conditions": "slack"}),
        ({"1ms": "15.6ms"}, {"asked": "1ms"}),
        ({"1ms": "15.6ms"}, {"changed": "slack=1ns"}),
        (table, {}),
    ]:
        with pytest.raises(ValueError):
            oversleep.explain_figures(figures, **keywords)
    with pytest.raises((OSError, ValueError)):
        oversleep.explain_figures(tmp_path / "missing.csv")
