"""Reads a running `serve` and an export with an independent parser of OpenMetrics, with promtool, and with a real Prometheus,
whose quantiles must be those of the recording's own buckets; and tests the rules and the dashboard of contrib/.

    python metrics.py OVERSLEEP PROMETHEUS PROMTOOL CONTRIB
"""

import csv
import http.server
import io
import json
import math
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

from prometheus_client.openmetrics.parser import text_string_to_metric_families

OVERSLEEP, PROMETHEUS, PROMTOOL, CONTRIB = sys.argv[1:]
OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
# Time limit in seconds for anything that is waited for.
PATIENCE = 120


def run(*words: str, given: str | None = None) -> str:
    done = subprocess.run(words, input=given, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def fetch(url: str, accept: str | None = None) -> str:
    request = urllib.request.Request(url, headers={"Accept": accept} if accept else {})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return answer.read().decode()


def until(what: str, holds):
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        try:
            if found := holds():
                return found
        except OSError:
            pass
        time.sleep(0.2)
    sys.exit(f"{what}: not within {PATIENCE} s")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def families(text: str) -> dict[str, object]:
    found = {family.name: family for family in text_string_to_metric_families(text)}
    if not any(sample.value for sample in found["oversleep_lateness_seconds"].samples):
        sys.exit("the independent parser finds no sleep in the text")
    return found


def interpolated(buckets: list[tuple[float, float]], quantile: float) -> float:
    """What Prometheus documents for `histogram_quantile`: linear within a bucket, whose lower end is the one before."""
    rank = quantile * buckets[-1][1]
    at = next(at for at, (_, count) in enumerate(buckets) if count >= rank)
    if at == len(buckets) - 1:
        return buckets[-2][0]
    if at == 0 and buckets[0][0] <= 0:
        return buckets[0][0]
    low, before = buckets[at - 1] if at else (0.0, 0.0)
    high, upto = buckets[at]
    return low + (high - low) * (rank - before) / (upto - before)


def quantiles_are_those_of_the_recording(base: str, recording: str, edges: list[float]) -> None:
    late: dict[str, list[int]] = {}
    for row in csv.DictReader(io.StringIO(run(OVERSLEEP, "export", recording))):
        late.setdefault(row["cell"], []).append(int(row["oversleep_ns"]))
    compared = 0
    for quantile in (0.5, 0.9, 0.99):
        query = f'histogram_quantile({quantile}, oversleep_lateness_seconds_bucket{{job="recording"}})'
        answer = json.loads(fetch(f"{base}/api/v1/query?{urllib.parse.urlencode({'query': query})}"))
        for series in answer["data"]["result"]:
            values = late[series["metric"]["cell"]]
            buckets = [(edge, float(sum(value <= round(edge * 1e9) for value in values))) for edge in edges]
            wanted = interpolated([*buckets, (math.inf, float(len(values)))], quantile)
            if not math.isclose(float(series["value"][1]), wanted, rel_tol=1e-9):
                sys.exit(f"cell {series['metric']['cell']}, {quantile}: {series['value'][1]} where {wanted} is expected")
            compared += 1
    if compared != 3 * len(late):
        sys.exit(f"{compared} quantiles of Prometheus where {3 * len(late)} are expected")


def dashboard_asks_for_what_is_there(base: str, names: set[str], rules: str) -> None:
    recorded = set(re.findall(r"record: (\S+)", rules))
    document = json.loads((Path(CONTRIB) / "grafana/oversleep.json").read_text())
    targets = [target["expr"] for panel in document["panels"] for target in panel.get("targets", [])]
    if not targets:
        sys.exit("the dashboard asks for nothing")
    for asked in targets:
        # Grafana replaces these variables before it sends a query.
        query = asked.replace("$__rate_interval", "1m").replace("$instance", ".*").replace("$method", ".*")
        answer = json.loads(fetch(f"{base}/api/v1/query?{urllib.parse.urlencode({'query': query})}"))
        if answer["status"] != "success":
            sys.exit(f"{query}: {answer}")
    for text in [*targets, rules]:
        for name in re.findall(r"(?<![:\w])oversleep_[a-z0-9_]+", text):
            if name not in names | recorded:
                sys.exit(f"{name}: asked for in contrib/, and `serve` has no such figure")


def stopped_for_half_a_second_is_a_stall(serve: subprocess.Popen, url: str) -> None:
    serve.send_signal(signal.SIGSTOP)
    time.sleep(0.5)
    serve.send_signal(signal.SIGCONT)

    def stalled() -> float:
        # No series, and so no family, before the first stall.
        found = families(fetch(url, OPEN_METRICS)).get("oversleep_stalled_seconds")
        return sum(sample.value for sample in found.samples) if found else 0.0

    # A sleep of 10 ms that began just before it ends 490 ms late.
    until("a stall of half a second", lambda: stalled() > 0.45)


class Recorded(http.server.BaseHTTPRequestHandler):
    text = ""

    def do_GET(self) -> None:
        body = self.text.encode()
        self.send_response(200)
        self.send_header("Content-Type", OPEN_METRICS)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def main(folder: Path) -> None:
    rules = Path(CONTRIB) / "prometheus/oversleep.rules.yml"
    run(PROMTOOL, "check", "rules", "--lint-fatal", str(rules))
    run(PROMTOOL, "test", "rules", str(Path(CONTRIB) / "prometheus/oversleep.rules.test.yml"))

    recording = str(folder / "run.arrows")
    run(OVERSLEEP, "simulate", "linux-2.6-hrtimer", "-r", "1ms,3ms", "-n", "500", "--seed", "7", "-o", recording)
    Recorded.text = run(OVERSLEEP, "export", recording, "--format", "openmetrics")
    lateness = families(Recorded.text)["oversleep_lateness_seconds"]
    edges = sorted({float(sample.labels["le"]) for sample in lateness.samples} - {math.inf})
    recorded = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorded)
    threading.Thread(target=recorded.serve_forever, daemon=True).start()

    served, web = free_port(), free_port()
    serve = subprocess.Popen([OVERSLEEP, "serve", "--listen", f"127.0.0.1:{served}", "--no-save"],
                             stderr=subprocess.DEVNULL)
    (folder / "prometheus.yml").write_text(f"""
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{json.dumps(str(rules.resolve()))}]
scrape_configs:
  - {{job_name: serve, static_configs: [{{targets: ["127.0.0.1:{served}"]}}]}}
  - {{job_name: recording, static_configs: [{{targets: ["127.0.0.1:{recorded.server_port}"]}}]}}
""")
    words = [f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{web}"]
    prometheus = subprocess.Popen([PROMETHEUS, *words], stderr=subprocess.DEVNULL)
    try:
        url, base = f"http://127.0.0.1:{served}/metrics", f"http://127.0.0.1:{web}"
        until("serve", lambda: "oversleep_lateness_seconds_bucket" in fetch(url))
        found = families(fetch(url, OPEN_METRICS))
        print(run(PROMTOOL, "check", "metrics", given=fetch(url)), end="")

        def up():
            targets = json.loads(fetch(f"{base}/api/v1/targets"))["data"]["activeTargets"]
            return len(targets) == 2 and all(target["health"] == "up" for target in targets)

        until("two targets that are up in Prometheus", up)
        quantiles_are_those_of_the_recording(base, recording, edges)
        names = {sample.name for family in found.values() for sample in family.samples} | set(found)
        # Counters of events that have not happened yet, and findings, have no series yet.
        names |= {f"{family.name}_total" for family in found.values() if family.type == "counter"}
        names |= {"oversleep_finding_confidence", "oversleep_finding_lateness_ratio"}
        stopped_for_half_a_second_is_a_stall(serve, url)
        until("a drift, which takes eight readings", lambda: "oversleep_clock_drift_ratio{" in fetch(url))
        names |= {sample.name for family in families(fetch(url, OPEN_METRICS)).values() for sample in family.samples}
        dashboard_asks_for_what_is_there(base, names, rules.read_text())
    finally:
        for child in (serve, prometheus):
            child.terminate()
            child.wait()
        recorded.shutdown()


with tempfile.TemporaryDirectory() as place:
    main(Path(place))
print("the independent parser, promtool and Prometheus agree with the recording's own buckets")
