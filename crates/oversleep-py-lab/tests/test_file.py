"""A recording's file in programs that know nothing of it: the same figures, without subtracting anything."""

import oversleep
import pytest

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
ipc = pytest.importorskip("pyarrow.ipc")


@pytest.fixture(scope="module")
def recording():
    return oversleep.simulate(
        "linux-2.6-hrtimer", method=["nanosleep", "clock-nanosleep-abs"], request=["100us", "1ms"], repeats=400
    )


@pytest.fixture(scope="module")
def path(recording, tmp_path_factory):
    path = tmp_path_factory.mktemp("file") / "run.arrows"
    recording.save(path)
    return path


def expected(recording):
    return sorted((cell["method"], cell["requested_ns"], cell["n"], cell["p99_ns"]) for cell in recording.figures())


def test_pyarrow_opens_it(recording, path):
    table = ipc.open_stream(str(path)).read_all()
    table.validate(full=True)
    assert table.schema.names == recording.columns
    for column in table.schema.names:
        assert table[column].to_pylist() == pyarrow.table(recording)[column].to_pylist()


def test_polars_opens_it(recording, path):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.read_ipc_stream(path).with_columns(polars.col("method").cast(polars.String))
    figures = frame.group_by("method", "requested_ns").agg(
        polars.len(), polars.col("oversleep_ns").quantile(0.99, "lower").alias("p99")
    )
    # The nearest-rank quantile: of 400 values the 396th. polars finds it as "lower", at the index 0.99 x 399.
    assert sorted(figures.rows()) == expected(recording)
    assert frame["condition"].cast(polars.String).unique().to_list() == ["default"]


def test_duckdb_opens_it_through_pyarrow(recording, path):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    samples = ipc.open_stream(str(path)).read_all()
    connection = duckdb.connect()
    connection.register("samples", samples)
    rows = connection.sql(
        "select method::varchar, requested_ns, count(*), quantile_disc(oversleep_ns, 0.99) from samples group by all"
    ).fetchall()
    assert sorted(rows) == expected(recording)


def test_a_changed_byte_is_said_with_its_place(path, tmp_path):
    whole = path.read_bytes()
    place = len(whole) - 1000
    hit = tmp_path / "hit.arrows"
    hit.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    with pytest.raises(ValueError, match=r"is damaged at byte \d+, in batch \d+: its checksum does not match"):
        oversleep.load(hit)
