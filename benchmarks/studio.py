"""The studio on a large table: seconds until the page can be used, and milliseconds from a change of k to the decision, over HTTP as in a browser.

    python benchmarks/studio.py --folder /somewhere/with/room          people, 20 million rows, 9 quasi-identifiers

The file is that of `scale.py`, made once in the folder and found there again. The fifty values of k are drawn at random from those of
the slider; each is a request of its own, with the decision, its subgroups and its risks in the answer.
"""

import argparse
import http.client
import json
import re
import signal
import statistics
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from runs import DUCKANON, heading, line, machine
from scale import NINE, Case, made

from duckanon.search.sweep import K

CHANGES = 50


class Page:
    """A page of a studio, without a browser."""

    def __init__(self, address: str) -> None:
        host, port, token = re.search(r"http://([^:]+):(\d+)/\?token=(\S+)", address).groups()
        self._connection = http.client.HTTPConnection(host, int(port))
        self._origin = f"http://{host}:{port}"
        self._connection.request("GET", f"/?token={token}")
        entered = self._connection.getresponse()
        entered.read()
        self._cookie = entered.headers["Set-Cookie"].partition(";")[0]
        # an open stream is an open page, without which the studio ends
        self._stream = http.client.HTTPConnection(host, int(port))
        self._stream.request("GET", "/api/events", headers={"Cookie": self._cookie})
        self.events = self._stream.getresponse()

    def get(self, path: str) -> Any:
        return self._sent("GET", path, None)

    def post(self, path: str, body: Any) -> Any:
        return self._sent("POST", path, json.dumps(body))

    def _sent(self, method: str, path: str, body: str | None) -> Any:
        headers = {"Cookie": self._cookie, "Origin": self._origin, "X-Duckanon": "studio", "Content-Type": "application/json"}
        # the server has closed a connection that was idle
        self._connection.close()
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        document = json.loads(answer.read())
        if answer.status != 200:
            raise SystemExit(f"{path}: {document}")
        return document

    def wait_for(self, event: str, sign: str = "") -> None:
        """Read events until one of this name, with the sign in its data."""
        name = ""
        for text in iter(self.events.readline, b""):
            key, _, value = text.decode().strip().partition(": ")
            name = value if key == "event" else name
            if key == "data" and name == event and sign in value:
                return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=20_000_000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    source = made(Case("people", "demo", given.rows, NINE), given.folder)
    file = given.folder / "studio.json"
    columns = {name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name, hierarchy in NINE.items()}
    file.write_text(json.dumps({"columns": columns, "suppression": {"limit": "1%"}}))
    started = time.perf_counter()
    command = [*map(str, DUCKANON), "studio", str(source), "--job", str(file), "--no-browser"]
    studio = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        _measure(studio, started, given.rows)
    finally:
        studio.send_signal(signal.SIGINT)
        studio.wait(60)


def _measure(studio: subprocess.Popen[str], started: float, rows: int) -> None:
    page = Page(next(text for text in studio.stderr if "http://" in text))

    def since() -> float:
        return time.perf_counter() - started

    while (state := page.get("/api/state"))["status"] == "opening":
        time.sleep(0.05)
    figures = {"columns and roles are shown, s": since()}
    job = state["job"]
    before = time.perf_counter()
    first = page.post("/api/decision", {"job": job, "seconds": 0.2})
    figures["a first decision is shown, s"] = since()
    print(
        f"first decision: {time.perf_counter() - before:.1f} s, complete: {first['complete']}, loss {first['loss']:.4f}",
        flush=True,
    )
    while not (decision := page.post("/api/decision", {"job": job, "seconds": 30}))["complete"]:
        pass
    figures["the optimum is shown, s"] = since()
    page.wait_for("progress", "counting all")
    figures["the other values of k are decided, s"] = since()
    changes = _changes(page, job, Random(0).choices(K, k=CHANGES))
    page.wait_for("swept")
    figures["all nodes are counted, s"] = since()
    print(f"\n{machine()}; {rows:,} rows, {len(NINE)} quasi-identifiers, {decision['lattice']:,} nodes\n")
    heading("the studio", "figure")
    for name, seconds in figures.items():
        line(name, f"{seconds:.1f}")
    percentile = statistics.quantiles(changes, n=20)[-1]
    line(f"a change of k, median of {CHANGES}, ms", f"{1000 * statistics.median(changes):.0f}")
    line(f"a change of k, 95th percentile of {CHANGES}, ms", f"{1000 * percentile:.0f}")


def _changes(page: Page, job: dict[str, Any], ks: Sequence[int]) -> list[float]:
    """The seconds from the request with another k to its complete decision."""
    seconds = []
    for k in ks:
        changed = {**job, "privacy": [{"model": "k-anonymity", "k": k}]}
        before = time.perf_counter()
        decision = page.post("/api/decision", {"job": changed, "seconds": 0.2})
        seconds.append(time.perf_counter() - before)
        if not decision["complete"]:
            raise SystemExit(f"k = {k}: the decision is not complete")
    return seconds


if __name__ == "__main__":
    main()
