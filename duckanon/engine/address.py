"""Where a Spark cluster listens, and whether it does."""

import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from duckanon.choices import DUCKDB
from duckanon.errors import EngineError, JobError, did_you_mean

_SCHEMES = {"sc": 15002, "spark": 7077}
"""Spark Connect and the standalone master, with their usual ports."""

_LOCAL = re.compile(r"local(\[(\*|[1-9]\d*)\])?")
_PATIENCE = 5.0


@dataclass(frozen=True)
class Address:
    """A cluster as Spark calls it; `hosts` are to be reached before anything else."""

    url: str
    is_connect: bool = False
    hosts: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """The address without its parameters, among which there may be a token."""
        scheme, mark, rest = self.url.partition("://")
        return f"{scheme}{mark}{rest.partition('/')[0]}"


def address_of(engine: str) -> Address:
    """The address behind `--engine`; raises `JobError` where it is none."""
    if _LOCAL.fullmatch(engine):
        return Address(engine)
    scheme, mark, rest = engine.partition("://")
    if not mark or scheme not in _SCHEMES:
        known = [DUCKDB, "sc://HOST:15002", "spark://HOST:7077", "local[*]"]
        raise JobError(
            f"--engine {Address(engine).name!r} is no engine{did_you_mean(engine, known)}; other managers of clusters are reached through Spark Connect"
        )
    names = rest.split("/")[0].split(",") if scheme == "spark" else [rest.partition("/")[0]]
    return Address(engine, scheme == "sc", tuple(_host(engine, name, _SCHEMES[scheme]) for name in names))


def check_reachable(address: Address) -> None:
    """Raises `EngineError` where nothing listens; Spark itself waits for minutes, or for ever."""
    failures = []
    for host, port in address.hosts:
        try:
            socket.create_connection((host, port), timeout=_PATIENCE).close()
        except OSError as error:
            failures.append(f"{host}:{port}: {error.strerror or error}")
        else:
            return
    if failures:
        what = "no Spark Connect server" if address.is_connect else "no Spark master"
        raise EngineError(
            f"{what} answers at {address.name!r} ({'; '.join(failures)}); start it, or look at host and port (--engine duckdb needs none)"
        )


def _host(engine: str, name: str, usual: int) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{name}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host:
        raise JobError(f"--engine {Address(engine).name!r} names no host and port; write {engine.partition('://')[0]}://HOST:{usual}")
    return host, port or usual
