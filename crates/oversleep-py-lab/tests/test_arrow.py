"""The samples in other libraries, without a copy: the same memory, by its address."""

import gc

import oversleep
import pytest

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("pyarrow.compute")


@pytest.fixture(scope="module")
def recording():
    return oversleep.simulate("linux-2.6-hrtimer", request=["100us", "1ms"], repeats=500)


def address(table, column):
    chunk = table[column].chunk(0)
    assert table[column].num_chunks == 1
    return chunk.buffers()[1].address


def test_pyarrow_takes_the_samples_as_they_are(recording):
    table, again = pyarrow.table(recording), pyarrow.table(recording)
    assert table.schema.names == recording.columns
    assert table.num_rows == len(recording) == 1000
    for column in table.schema.names:
        assert address(table, column) == address(again, column), f"{column} was copied"
    assert table["end_ns"].to_pylist() == recording.lists("end_ns")["end_ns"]
    assert table["deadline_ns"].null_count == 1000, "nanosleep has no deadline"
    assert table["method"].unique().to_pylist() == ["nanosleep"]
    assert pyarrow.schema(recording) == table.schema
    assert table.schema.field("oversleep_ns").metadata == {b"description": b"actual minus requested; negative: early"}
    table.validate(full=True)


def test_the_memory_outlives_the_recording():
    column = pyarrow.table(oversleep.simulate("macos", repeats=50))["requested_ns"]
    gc.collect()
    assert column.to_pylist() == [1_000_000] * 50


def test_a_stream_that_nobody_reads_is_released(recording):
    for _ in range(100):
        recording.__arrow_c_stream__()
        recording.__arrow_c_schema__()
    gc.collect()
    assert pyarrow.table(recording).num_rows == 1000


def test_numpy_sees_the_same_memory(recording):
    table = pyarrow.table(recording)
    array = table["oversleep_ns"].chunk(0).to_numpy(zero_copy_only=True)
    assert array.ctypes.data == address(table, "oversleep_ns")


def test_pandas_takes_the_samples_without_a_copy(recording):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    table = pyarrow.table(recording)
    frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    for column in ("start_ns", "end_ns", "oversleep_ns", "sequence"):
        held = frame[column].array.__arrow_array__().chunk(0)
        assert held.buffers()[1].address == address(table, column), f"{column} was copied"
    direct = pandas.DataFrame.from_arrow(recording)
    assert list(direct.columns) == recording.columns
    assert direct.groupby("requested_ns").size().to_dict() == {100_000: 500, 1_000_000: 500}


def test_polars_takes_the_samples_without_a_copy(recording):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    table, frame = pyarrow.table(recording), polars.DataFrame(recording)
    for column in ("start_ns", "end_ns", "oversleep_ns", "requested_ns", "sequence"):
        assert frame[column].to_numpy(allow_copy=False).ctypes.data == address(table, column), f"{column} was copied"
    medians = frame.group_by("cell").agg(polars.col("oversleep_ns").quantile(0.5, "lower")).sort("cell")
    assert medians["oversleep_ns"].to_list() == [cell["p50_ns"] for cell in recording.figures()]


def test_what_comes_back_is_explained(recording):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    causes = oversleep.explain(recording).causes()
    table = pyarrow.table(recording)
    whole = oversleep.explain(table)
    # A pyarrow table keeps the recording's description in its metadata.
    assert whole.document == oversleep.explain(recording).document
    first = table.filter(pyarrow.compute.equal(table["cell"], 0))
    assert [cell["n"] for cell in oversleep.explain(first).document["cells"]] == [500, 0]
    # Other libraries' frames lose the metadata and keep the columns.
    for frame in (polars.DataFrame(recording), pandas.DataFrame.from_arrow(recording)):
        diagnosis = oversleep.explain(frame)
        assert [(cell.method, cell.requested_ns) for cell in diagnosis.cells] == [
            ("nanosleep", 100_000), ("nanosleep", 1_000_000),
        ]
        # Without facts about the machine, timer slack and a cost of the same size look alike, and both are named.
        candidates = {name for question in diagnosis.undecided for name in question.candidates}
        assert (diagnosis.causes().keys() | candidates) & causes.keys()


def test_a_strangers_table_needs_the_columns_and_whole_numbers():
    start = [n * 10_000_000 for n in range(100)]
    columns = {"requested_ns": [1_000_000] * 100, "start_ns": start, "end_ns": [ns + 1_050_000 for ns in start]}
    diagnosis = oversleep.explain(pyarrow.table({**columns, "method": ["a, \"b\""] * 100}))
    assert diagnosis.cells[0].method == 'a, "b"'
    for text in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(),
                 pyarrow.dictionary(pyarrow.int8(), pyarrow.string())):
        method = pyarrow.array(["x"] * 100, pyarrow.string()).cast(text)
        assert oversleep.explain(pyarrow.table({**columns, "method": method})).cells[0].method == "x"
    with pytest.raises(ValueError, match="lacks `end_ns`|needed are"):
        oversleep.explain(pyarrow.table({"requested_ns": [1], "start_ns": [2]}))
    with pytest.raises(ValueError, match="start_ns is Float64; whole numbers are needed"):
        oversleep.explain(pyarrow.table({**columns, "start_ns": [float(ns) for ns in start]}))
    with pytest.raises(ValueError, match="line 2"):
        oversleep.explain(pyarrow.table({**columns, "start_ns": [None, *start[1:]]}))


class Pretender:
    def __init__(self, gives):
        self.gives = gives

    def __arrow_c_stream__(self, requested_schema=None):
        return self.gives


@pytest.mark.parametrize("gives", [None, 5, "stream"])
def test_a_stream_that_is_none_is_refused(gives):
    with pytest.raises(ValueError, match="gave no capsule"):
        oversleep.explain(Pretender(gives))


def test_a_capsule_of_something_else_is_refused(recording):
    with pytest.raises(ValueError):
        oversleep.explain(Pretender(recording.__arrow_c_schema__()))
    used = pyarrow.table(recording).__arrow_c_stream__()
    oversleep.explain(Pretender(used))
    with pytest.raises(ValueError, match="the Arrow stream cannot be read"):
        oversleep.explain(Pretender(used))
