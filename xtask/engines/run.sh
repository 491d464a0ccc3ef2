#!/usr/bin/env bash
# Checks that other programs read our files: DuckDB, polars and pyarrow Parquet and recordings, promtool and Prometheus
# the figures, HdrHistogram's Java original the logs, systemd the unit, Perfetto's trace_processor a trace, Spark a
# fleet's dataset, and Jupyter the notebook of it.
source "$(dirname "$0")/../../kernels/lib.sh"

features=(--workspace --features oversleep-cli/parquet,oversleep-cli/native-histograms,oversleep-cli/otlp)
cargo build "${features[@]}" --bin oversleep --example fleet
cargo test --quiet "${features[@]}" --lib -- parquet native otlp
cargo test --quiet "${features[@]}" --bin oversleep --test cli -- push::
cargo clippy --quiet "${features[@]}" -- -D warnings
oversleep=$root/target/debug/oversleep fleet=$root/target/debug/examples/fleet contrib=$root/contrib

# python LIST SCRIPT WORDS…: runs a script with the Python packages of a list, which are kept from run to run.
python() {
    local place=$root/target/tools/${1%.txt}
    if ! cmp -s "xtask/engines/$1" "$place/installed.txt"; then
        python3 -m venv --clear "$place"
        "$place/bin/python" -m pip --quiet --disable-pip-version-check install --requirement "xtask/engines/$1"
        cp "xtask/engines/$1" "$place/installed.txt"
    fi
    "$place/bin/python" "xtask/engines/$2" "${@:3}"
}

# unpacked PACKAGE FILE: the path of a file of a package of Debian's, which is only unpacked, so that no service starts.
unpacked() {
    local place=$root/target/tools/$1
    if [ ! -e "$place/$2" ]; then
        mkdir -p "$place"
        (cd "$place" && apt-get -qq download "$1" && dpkg-deb -x "$1"_*.deb .) >&2
    fi
    echo "$place/$2"
}

engine_parquet() { python requirements.txt parquet.py "$oversleep"; }

engine_prometheus() {
    local folder
    folder=$(dirname "$(unpacked prometheus usr/bin/prometheus)")
    python requirements.txt metrics.py "$oversleep" "$folder/prometheus" "$folder/promtool" "$contrib"
}

engine_hlog() {
    need java openjdk-17-jre-headless
    python requirements.txt hlog.py "$oversleep" "$(unpacked libhdrhistogram-java usr/share/java/hdrhistogram.jar)" \
        crates/oversleep-lab/tests/data/imports/jhiccup.hlog
}

# The exposure level, as systemd computes it, is at most 1.5.
engine_unit() {
    need systemd-analyze systemd
    systemd-analyze security --offline=true --threshold=15 contrib/systemd/oversleep.service
}

engine_perfetto() {
    need node nodejs
    python requirements-perfetto.txt perfetto_trace.py "$oversleep"
}

engine_fleet() {
    need java openjdk-17-jre-headless
    python requirements-spark.txt fleet.py "$fleet" "$contrib"
}

engine_notebook() { python requirements-notebook.txt notebook.py "$fleet" "$contrib"; }

failed=""
for engine in parquet prometheus hlog unit perfetto fleet notebook; do
    echo "── $engine"
    set +e
    (set -e; "engine_$engine")
    status=$?
    set -e
    [ $status = 0 ] || failed="$failed $engine"
done
[ -z "$failed" ] || { [ -z "${REASON:-}" ] || sed -i "s/^/$failed: /" "$REASON"; exit 1; }
