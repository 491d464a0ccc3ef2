"""`serve`: does the exporter go on answering under 200 clients at once, most of them ill-behaved, and what is lost when
it is killed?

Each life of the exporter ends with `kill -9`. Then what it kept is read, and the time from the kill back to the end of
the last sleep in it is what was lost, both on the monotonic clock. A client that behaves asks once a second."""

import csv
import io
import os
import re
import socket
import subprocess
import threading
import time
from pathlib import Path

from common import Failed, Sheet, mib, note, now, release, run, scratch

REQUEST = b"GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: application/openmetrics-text\r\nConnection: close\r\n\r\n"
PATIENCE, CLIENTS = 10, 200


def everything(stream):
    return b"".join(iter(lambda: stream.recv(1 << 16), b""))


def scrape(address):
    """Seconds until the whole answer."""
    begun = now()
    with socket.create_connection(address, PATIENCE) as stream:
        stream.sendall(REQUEST)
        text = everything(stream)
    if not (text.startswith(b"HTTP/1.1 200 ") and text.endswith(b"# EOF\n")):
        raise OSError(f"an answer of {len(text)} bytes that is not whole")
    return (now() - begun) / 1e9


def trouble(kind, address, end):
    """Five kinds of clients: all is read; a byte each 100 ms; half a request, until disconnected; half a request, and
    gone; a line without end."""
    with socket.create_connection(address, PATIENCE) as stream:
        stream.sendall(REQUEST if kind < 2 else REQUEST[:30] if kind < 4 else b"x" * (64 << 10))
        if kind == 1:
            while not end.is_set() and stream.recv(1):
                time.sleep(0.1)
        elif kind != 3:
            everything(stream)


class Life:
    """The exporter with its defaults, from its first answer to its kill."""

    def __init__(self, ours, folder, port):
        self.address = "127.0.0.1", port
        words = [ours, "serve", "--listen", f"127.0.0.1:{port}", "--folder", folder]
        self.child = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        begun = now()
        while True:
            try:
                scrape(self.address)
                break
            except OSError as why:
                if self.child.poll() is not None or now() - begun > 60e9:
                    raise Failed(f"no answer from serve: {why}") from why
                time.sleep(0.02)
        self.first = (now() - begun) / 1e9

    def kib(self, name):
        return int(re.search(rf"{name}:\s+(\d+)", self.proc("status").read_text())[1])

    def proc(self, name):
        return Path(f"/proc/{self.child.pid}/{name}")

    def kill(self):
        when = now()
        self.child.kill()
        self.child.wait()
        return when


def kept(ours, folder, killed):
    """Milliseconds lost at a kill, and the number of sleeps in the newest recording."""
    newest = max((path for path in Path(folder).iterdir() if path.is_file()), key=lambda path: path.stat().st_mtime)
    ends = [int(row["end_ns"]) for row in csv.DictReader(io.StringIO(run(ours, "export", newest)))]
    if not ends:
        raise Failed(f"{newest}: no sleep was kept")
    return (killed - max(ends)) / 1e6, len(ends)


def run_lives(ours, folder, options):
    kills, lasts = (10, 60) if options.long else (3, 20)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    end, up, connections, answers, unanswered = threading.Event(), threading.Event(), [0] * CLIENTS, [], []
    life = Life(ours, folder, port)
    address = life.address

    def client(number):
        while not end.is_set():
            try:
                connections[number] += 1
                trouble(number % 5, address, end)
            except OSError:
                pass
            time.sleep(0.5)

    def behaved():
        while not end.wait(1):
            if not up.is_set():
                continue
            try:
                answers.append(scrape(address))
            except OSError as why:
                # A scrape that the kill cuts short says nothing.
                unanswered.extend([why] if up.is_set() else [])

    time.sleep(5)
    seen = {
        "quiet": life.kib("VmRSS"),
        "resident": [],
        "peak": 0,
        "files": 0,
        "processor": 0.0,
        "lost": [],
        "kept": 0,
        "restart": [],
    }
    up.set()
    threads = [threading.Thread(target=client, args=(number,), daemon=True) for number in range(CLIENTS)]
    threads.append(threading.Thread(target=behaved, daemon=True))
    for thread in threads:
        thread.start()
    for number in range(1, kills + 1):
        note(f"serve: kill {number} of {kills} in {lasts} s")
        for _ in range(lasts):
            time.sleep(1)
            seen["resident"].append(life.kib("VmRSS"))
            seen["files"] = max(seen["files"], len(os.listdir(life.proc("fd"))))
        seen["peak"] = max(seen["peak"], life.kib("VmHWM"))
        used = life.proc("stat").read_text().rsplit(")", 1)[1].split()[11:13]
        seen["processor"] += sum(map(int, used)) / os.sysconf("SC_CLK_TCK")
        up.clear()
        lost, sleeps = kept(ours, folder, life.kill())
        seen["lost"].append(lost)
        seen["kept"] += sleeps
        if number < kills:
            life = Life(ours, folder, port)
            seen["restart"].append(life.first)
            up.set()
    end.set()
    return kills, lasts, seen, answers, unanswered, sum(connections)


def benchmark(options):
    ours = release()
    with scratch() as place:
        kills, lasts, seen, answers, unanswered, others = run_lives(ours, place / "kept", options)
    sheet = Sheet(
        f"The exporter under {CLIENTS} clients, killed {kills} times after {lasts} s each", "figure", "measured", "goal"
    )
    sheet.row("scrapes of a client that behaves", f"{len(answers)} of {len(answers) + len(unanswered)} answered", "all")
    sheet.row("its slowest answer", f"{1e3 * max(answers):.0f} ms", "")
    sheet.row("first answer after a restart, at most", f"{1e3 * max(seen['restart']):.0f} ms", "")
    sheet.row("connections of the others", others, "")
    sheet.row("lost at a kill, at most", f"{max(seen['lost']):.0f} ms", "1000 ms")
    sheet.row("recording readable", f"{kills} of {kills}, {seen['kept']} sleeps in all", "all")
    sheet.row("memory before the clients", mib(seen["quiet"]), "20 MiB")
    sheet.row("peak memory", mib(seen["peak"]), "20 MiB")
    third = len(seen["resident"]) // 3
    sheet.row(
        "highest in the first and the last third",
        f"{mib(max(seen['resident'][:third]))}, {mib(max(seen['resident'][-third:]))}",
        "equal",
    )
    sheet.row("open files and connections, at most", seen["files"], "")
    sheet.row("processor time, answering all this", f"{100 * seen['processor'] / (kills * lasts):.1f} % of one", "")
    sheet.print(options)
    if unanswered or max(seen["lost"]) > 1000 or seen["peak"] > 20 << 10:
        raise Failed(f"a goal was missed; {len(unanswered)} scrapes had no answer: {unanswered[:1]}")
