"""The control sleeper, and its fixture for pytest."""

import os
import signal
import time

import oversleep
import pytest

pytest_plugins = ["pytester"]


def test_a_sleep_is_no_later_than_the_machine():
    with oversleep.control() as machine:
        start = oversleep.now_ns()
        time.sleep(0.005)
        end = oversleep.now_ns()
        worst = machine.worst_ns()
    # What the machine did, and no assertion on how late a sleep may be: it ended, and the control saw at least a period.
    assert end - start >= 5_000_000 and worst >= 1_000_000
    assert machine.worst() == machine.worst_ns() / 1e9 >= worst / 1e9
    assert machine.worst_between(start / 1e9, end / 1e9) <= machine.worst()
    assert machine.stood_still().startswith(("it was not the machine: ", "the machine stood still for "))


def test_it_ends_with_its_block_and_may_be_closed_again():
    machine = oversleep.control(ns=200_000)
    machine.close()
    seen = machine.worst_ns()
    time.sleep(0.002)
    machine.close()
    assert machine.worst_ns() == seen


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_in_the_child_of_a_fork_it_ends_at_once():
    with oversleep.control(ns=200_000) as machine:
        time.sleep(0.002)
        child = os.fork()
        if child == 0:
            machine.close()
            # A history that was locked at the fork is not waited for: nothing is then known.
            told = machine.worst() >= 0 and "forked" in machine.stood_still()
            os._exit(0 if told else 1)
        # A child that waits for a thread of its parent never ends.
        for _ in range(1000):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
            time.sleep(0.01)
        else:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        assert ended and os.waitstatus_to_exitcode(status) == 0
        assert machine.worst() > 0 and "forked" not in machine.stood_still()


@pytest.mark.parametrize("period", [0, -1, 2, 1e-5])
def test_a_period_beyond_reason_is_refused(period):
    with pytest.raises(ValueError, match="^a control's period must be 100 µs to 1 s, not "):
        oversleep.control(period)


def test_the_fixture_says_of_a_failed_test_whether_it_was_the_machine(pytester):
    pytester.makeconftest('pytest_plugins = ["oversleep.pytest_plugin"]')
    pytester.makepyfile("""
        def test_of_time(machine):
            assert machine.worst() < 0, "never so"

        def test_of_nothing(machine):
            assert machine.worst() >= 0

        def test_without():
            assert False
        """)
    ran = pytester.runpytest()
    ran.assert_outcomes(passed=1, failed=2)
    told = [line for line in ran.outlines if line.startswith(("it was not the machine", "the machine stood still"))]
    assert len(told) == 1
