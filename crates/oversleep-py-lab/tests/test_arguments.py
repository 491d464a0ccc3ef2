"""Every function of the laboratory, given every kind of nonsense: a result, TypeError or ValueError, in one line."""

import oversleep
import pytest
from nonsense import EVERYTHING, keywords, refused_in_one_line


@pytest.fixture(scope="module")
def recording():
    return oversleep.simulate("macos", repeats=3)


# Arguments that make a run short, whatever the argument under test is.
QUICK = {"repeats": 1, "request": 1e-6}
CALLS = {
    "explain": lambda value: oversleep.explain(value),
    "methods": lambda value: oversleep.methods(every_system=value),
    **keywords(oversleep.simulate, "kernel method request experiment set at load threads phase seed", kernel="macos", **QUICK),
    **keywords(
        oversleep.measure,
        "method request experiment period policy nice affinity one_cpu_each slack mlock latency_hold load_kind phase "
        "seed time_limit progress",
        **{**QUICK, "time_limit": 0.001},
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_nonsense_is_a_type_error_or_a_value_error(name):
    refused = [refused_in_one_line(CALLS[name], value) for value in EVERYTHING]
    assert any(refused)


@pytest.mark.parametrize("value", EVERYTHING, ids=lambda value: type(value).__name__)
def test_a_recording_refuses_nonsense(recording, value):
    for call in (
        lambda value: recording.histogram(value, [1]),
        lambda value: recording.histogram(0, value),
        lambda value: recording.histogram(0, [value]),
        lambda value: recording.table(value),
        lambda value: recording.lists(value),
    ):
        refused_in_one_line(call, value)


@pytest.mark.parametrize("number", [2**64, 2**200, -(2**200), 10**5000, -1], ids=["2**64", "2**200", "-2**200", "10**5000", "-1"])
@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda n: oversleep.measure(repeats=n), "repeats must be from 1 to"),
        (lambda n: oversleep.simulate("macos", seed=n), "seed must be from 0 to"),
        (lambda n: oversleep.simulate("macos", repeats=1).table(n), "width must be from 1 to 65535"),
        (lambda n: oversleep.simulate("macos", repeats=1).histogram(n, [1]), "there is no cell"),
    ],
)
def test_a_number_out_of_range_is_a_value_error_that_names_the_range(call, says, number):
    with pytest.raises(ValueError, match=says) as error:
        call(number)
    assert len(str(error.value)) < 120
