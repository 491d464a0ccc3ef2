"""Waits let other threads run, and hear signals. By order, never by time."""

import subprocess
import sys
import textwrap
import threading

import oversleep
import pytest

WAITS = {
    "sleep": lambda: oversleep.sleep(0.02),
    "sleep_until": lambda: oversleep.sleep_until(ns=oversleep.now_ns() + 20_000_000),
    "kernel_sleep": lambda: oversleep.kernel_sleep(0.02),
    "kernel_sleep_until": lambda: oversleep.kernel_sleep_until(oversleep.now() + 0.02),
    "Sleeper": lambda: oversleep.Sleeper().sleep(0.02),
    "spinning Sleeper": lambda: oversleep.Sleeper(cpu_ceiling=1, spin_ceiling=1).sleep(0.00001),
    "Ticker": lambda: oversleep.Ticker(period=1, start_ns=oversleep.now_ns() + 20_000_000).tick(),
    "Ticker.run": lambda: oversleep.Ticker(period=1, start_ns=oversleep.now_ns() + 20_000_000).run(lambda tick: None, 1),
    "WallTicker": lambda: oversleep.WallTicker(period=0.02).tick(),
    "LockedTicker": lambda: oversleep.LockedTicker(period=0.02).tick(),
    "Pacer.take": lambda: pacer_after_its_burst().take(),
    "Pacer.until_ready": lambda: pacer_after_its_burst().until_ready(),
    "Pacer.take_by": lambda: pacer_after_its_burst().take_by(1, oversleep.now() + 10),
    "Pacer.take_batch": lambda: pacer_after_its_burst().take_batch(1),
}


def pacer_after_its_burst():
    pacer = oversleep.Pacer(50, burst=1)
    pacer.try_take()
    return pacer


@pytest.mark.parametrize("name", WAITS)
def test_another_thread_runs_during_a_wait(name, another_thread_runs):
    assert another_thread_runs(WAITS[name])


def test_a_sleeper_in_use_says_so():
    sleeper = oversleep.Sleeper()
    stop = threading.Event()

    def sleeping():
        while not stop.is_set():
            try:
                sleeper.sleep(0.01)
            except RuntimeError:
                pass

    thread = threading.Thread(target=sleeping)
    thread.start()
    try:
        with pytest.raises(RuntimeError, match="in use by another call; make one per thread"):
            while True:
                sleeper.stats()
                oversleep.sleep(0.001)
    finally:
        stop.set()
        thread.join()


def test_threads_share_a_pacer_exactly():
    pacer = oversleep.Pacer(20_000, burst=1)
    start = oversleep.now_ns()
    took = []

    def work():
        for _ in range(100):
            pacer.take()
        took.append(100)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(took) == pacer.taken == 400
    # After the first unit come 399, at least 50 µs apart.
    assert oversleep.now_ns() - start >= 399 * 50_000


INTERRUPTED = """
import oversleep, os, signal, sys, threading

HOUR = 3600

def ticking(ticker):
    # The first tick of a Ticker is at once.
    ticker.tick()
    ticker.tick()

def empty(pacer):
    pacer.try_take()
    return pacer

WAITS = {
    "sleep": lambda: oversleep.sleep(HOUR),
    "sleep_until": lambda: oversleep.sleep_until(oversleep.now() + HOUR),
    "kernel_sleep": lambda: oversleep.kernel_sleep(HOUR),
    "wall": lambda: oversleep.kernel_sleep_until(4e9, clock="wall"),
    "Sleeper": lambda: oversleep.Sleeper().sleep(HOUR),
    "spinning": lambda: oversleep.Sleeper(cpu_ceiling=1, spin_ceiling=HOUR, early_window=0).sleep(HOUR),
    "Ticker": lambda: ticking(oversleep.Ticker(period=HOUR)),
    "Ticker.run": lambda: oversleep.Ticker(period=HOUR).run(id),
    # Waits too short for a look, and a function that runs no Python.
    "short": lambda: oversleep.Ticker(period=0.0001).run(id),
    "WallTicker": lambda: oversleep.WallTicker(period=100_000_000).tick(),
    "LockedTicker": lambda: oversleep.LockedTicker(period=100_000_000).tick(),
    "Pacer": lambda: empty(oversleep.Pacer("1/3600", burst=1)).take(),
    "take_by": lambda: empty(oversleep.Pacer("1/3600", burst=1)).take_by(1, oversleep.now() + 2 * HOUR),
    "take_batch": lambda: empty(oversleep.Pacer("1/3600", burst=1)).take_batch(1),
}

def interrupt(go):
    go.acquire()
    os.kill(os.getpid(), signal.SIGINT)

# Nothing but a wait lets the other thread run, so the signal comes while one waits.
sys.setswitchinterval(600)
slack = open("/proc/self/timerslack_ns").read() if os.path.exists("/proc/self/timerslack_ns") else None
for name in sys.argv[1:] or WAITS:
    go = threading.Lock()
    go.acquire()
    thread = threading.Thread(target=interrupt, args=[go])
    thread.start()
    try:
        go.release()
        WAITS[name]()
    except KeyboardInterrupt:
        print(name)
    thread.join()
if slack is not None:
    assert open("/proc/self/timerslack_ns").read() == slack
"""


def test_ctrl_c_ends_every_long_wait():
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120)
    assert run.stderr == "" and run.returncode == 0
    assert run.stdout.split() == [
        "sleep", "sleep_until", "kernel_sleep", "wall", "Sleeper", "spinning", "Ticker", "Ticker.run", "short", "WallTicker", "LockedTicker",
        "Pacer", "take_by", "take_batch",
    ]


def test_a_handler_that_returns_leaves_the_wait_as_it_was():
    code = textwrap.dedent("""
        import oversleep, os, signal, threading
        heard = []
        def handler(*_):
            heard.append(oversleep.now_ns())
            try:
                sleeper.sleep(1)
            except RuntimeError as error:
                print(error)
        signal.signal(signal.SIGINT, handler)
        sleeper = oversleep.Sleeper()
        threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        deadline = oversleep.now_ns() + 1_000_000_000
        lateness = sleeper.sleep_until(ns=deadline)
        assert oversleep.now_ns() >= deadline and lateness.ns >= 0
        assert heard[0] < deadline, "heard after the wait"
        assert sleeper.stats().sleeps == 1
    """)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.stderr == "" and run.returncode == 0
    assert run.stdout == "this sleeper is in use by another call; make one per thread\n"


def test_a_locked_ticker_keeps_its_lock_through_an_interrupt():
    code = textwrap.dedent("""
        import oversleep, signal, sys, threading
        # Locked after 8 time constants; a period long enough for a wait to be slept in parts.
        ticker = oversleep.LockedTicker(period=0.2, time_constant=2)
        while not ticker.is_locked:
            last = ticker.tick()
        go = threading.Lock()
        go.acquire()
        def interrupt():
            go.acquire()
            signal.raise_signal(signal.SIGINT)
        thread = threading.Thread(target=interrupt)
        thread.start()
        sys.setswitchinterval(600)
        try:
            go.release()
            ticker.tick()
            print("not interrupted")
        except KeyboardInterrupt:
            pass
        thread.join()
        # A fresh start would have to find its lock again.
        assert ticker.is_locked
        again = ticker.tick()
        assert ticker.is_locked and again.index > last.index
    """)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.stderr, run.returncode) == ("", "", 0)


@pytest.mark.parametrize("kind", [oversleep.Ticker, oversleep.WallTicker, oversleep.LockedTicker])
def test_closing_a_ticker_ends_a_wait_in_another_thread(kind):
    ticker = kind(period=100_000_000)
    if kind is oversleep.Ticker:
        ticker.tick()
    ended = []
    thread = threading.Thread(target=lambda: ended.extend(["begun", *ticker, "ended"]))
    thread.start()
    ticker.close()
    thread.join(60)
    assert not thread.is_alive() and ticker.closed
