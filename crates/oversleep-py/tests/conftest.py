"""Run from an installed package: ``cargo xtask check --only python``."""

import faulthandler
import sys
import threading

import pytest


@pytest.fixture(autouse=True)
def nothing_hangs():
    """A wait that cannot be interrupted would hang for ever; this tells where, and ends the run.

    Set anew for each test, since pytest takes it back after the first that fails.
    """
    faulthandler.dump_traceback_later(300, exit=True)


@pytest.fixture
def another_thread_runs():
    """Whether another thread runs during one of 500 waits: a busy machine may not give it a processor within one.

    With a switch interval of minutes nothing but a wait that releases the GIL lets the other thread in.
    """

    def during(wait):
        interval = sys.getswitchinterval()
        ran = []
        go = threading.Lock()
        go.acquire()

        def other():
            go.acquire()
            ran.append(True)

        thread = threading.Thread(target=other)
        thread.start()
        try:
            sys.setswitchinterval(600)
            go.release()
            for _ in range(500):
                wait()
                if ran:
                    break
            return bool(ran)
        finally:
            sys.setswitchinterval(interval)
            thread.join()

    return during
