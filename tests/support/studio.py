"""A studio to test: in this process, or as a process of its own with the address that it printed."""

import asyncio
import csv
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from duckanon.job import prepare
from duckanon.job.options import Options, Run
from duckanon.job.prepare import Prepared
from duckanon.studio.security import Guard
from duckanon.studio.server import application
from duckanon.studio.session import Studio
from tests.support.asgi import Answer, Client

PORT = 51234
ADDRESS = f"http://127.0.0.1:{PORT}"
PROVEN = {"Origin": ADDRESS, "X-Duckanon": "studio"}
"""What the page's own requests carry."""


class LocalStudio:
    """An open studio behind its guard, in this process. Its client has not used the token yet."""

    def __init__(self, source: Path, *, job: Path | None = None, options: Options | None = None) -> None:
        run = Run()
        self.lines: list[str] = []
        """The lines for the terminal."""
        self.studio = Studio(prepare.prepare(source, job, options or Options(), run), run, self.lines.append)
        self.guard = Guard(application(self.studio), PORT)
        self.client = Client(self.guard, f"127.0.0.1:{PORT}")

    def __enter__(self) -> Self:
        self.client.run(self.studio.open())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.studio.close()
        self.client.close()

    def enter(self) -> Self:
        """Use the token."""
        assert self.guard.token is not None
        assert self.client.request("GET", "/", query={"token": self.guard.token}).status == 200
        return self

    def get(self, path: str, **query: str) -> Any:
        """The answer to a request, which succeeds."""
        answer = self.client.request("GET", path, query=query)
        assert answer.status == 200, answer.text
        return answer.json()

    def send(self, path: str, body: object, **headers: str | None) -> Answer:
        """The response to a request of the page; a header of None is left out."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {**PROVEN, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return self.client.request(
            "POST", path, body=content, headers={name: value for name, value in sent.items() if value is not None}
        )

    def post(self, path: str, body: Mapping[str, Any], status: int = 200) -> Any:
        """The answer to a request of the page, which has a status."""
        answer = self.send(path, dict(body))
        assert answer.status == status, answer.text
        return answer.json()

    def edit(self, **changes: Any) -> Any:
        """The state after some keys of the job have been replaced."""
        state = self.get("/api/state")
        return self.post("/api/edit", {"revision": state["revision"], "job": {**state["job"], **changes}, "what": "a change"})

    def released(self, output: str, *, report: bool = False) -> Any:
        """The run, once it has ended."""
        self.post("/api/run", {"output": output, "report": report, "overwrite": False})
        self.studio.release.join()
        return self.get("/api/run")


def open_and_end(prepared: Prepared, run: Run, announce: Callable[[str], None], note: Callable[[str], None]) -> None:
    """In place of `serve`: open the input, and end at once; raises as `serve` does."""
    announce(ADDRESS)
    studio = Studio(prepared, run, note)
    try:
        asyncio.run(studio.open())
    finally:
        studio.close()
    if studio.failure is not None:
        raise studio.failure


@dataclass
class StudioProcess:
    """`duckanon studio` as a process."""

    process: "subprocess.Popen[str]"
    address: str

    def ended(self, seconds: float = 60) -> tuple[int, str]:
        """The exit code, and what it wrote to the terminal after its address."""
        _, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, err

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)


@contextmanager
def serving(folder: Path, *arguments: str | Path, environment: Mapping[str, str] | None = None) -> Iterator[StudioProcess]:
    """`duckanon studio ARGUMENTS --no-browser` in a folder, from the line with its address on."""
    process = subprocess.Popen(
        [sys.executable, "-m", "duckanon", "studio", *map(str, arguments), "--no-browser"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "200", **(environment or {})},
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)
        assert address is not None, line + process.communicate(timeout=60)[1]
        yield StudioProcess(process, address[0])
    finally:
        process.kill()
        process.communicate()


def released_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file in one order, because a release is shuffled."""
    with path.open(newline="") as file:
        return sorted(csv.DictReader(file), key=lambda row: sorted(row.items()))
