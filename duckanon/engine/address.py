"""Where a Spark cluster listens, and whether it does."""

import re
import socket
from dataclasses import dataclass

from duckanon.choices import DUCKDB
from duckanon.errors import EngineError, JobError, did_you_mean

_SCHEMES = {"sc": 15002, "spark": 7077}
"""Spark Connect and the standalone master, with their usual ports."""

_LOCAL = re.compile(r"local(\[(\*|[1-9]\d*)\])?")
_HOST = re.compile(r"(?P<host>[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>\d{1,5}))?")
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
        return _shown(self.url)


def address_of(engine: str) -> Address:
    """The address behind `--engine`; raises `JobError` where it is none."""
    if _LOCAL.fullmatch(engine):
        return Address(engine)
    scheme, mark, rest = engine.partition("://")
    if not mark or scheme not in _SCHEMES:
        known = [DUCKDB, "sc://HOST:15002", "spark://HOST:7077", "local[*]"]
        raise JobError(
            f"--engine {_shown(engine)!r} is no engine{did_you_mean(_shown(engine), known)}; other managers of clusters are reached through Spark Connect"
        )
    places, slash, parameters = rest.partition("/")
    names = places.split(",") if scheme == "spark" else [places]
    if slash and not (scheme == "sc" and (not parameters or parameters.startswith(";"))):
        raise JobError(f"--engine {_shown(engine)!r} goes on behind its port; write {scheme}://HOST:{_SCHEMES[scheme]}")
    return Address(engine, scheme == "sc", tuple(_host(scheme, name) for name in names))


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


def _host(scheme: str, name: str) -> tuple[str, int]:
    match = _HOST.fullmatch(name)
    if match is None:
        behind = ", and what Spark Connect is to know behind /;" if scheme == "sc" else ""
        raise JobError(f"--engine {scheme}://... names no host and port; write {scheme}://HOST:{_SCHEMES[scheme]}{behind}")
    return match["host"].strip("[]"), int(match["port"] or _SCHEMES[scheme])


def _shown(engine: str) -> str:
    """What is written before anything that might be a secret."""
    return re.split("[;?@]", engine, maxsplit=1)[0].rstrip("/")
