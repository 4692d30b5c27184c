"""The address of a Spark cluster, and a check that it answers."""

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
    """A cluster's address in the form that Spark expects. `hosts` must be reachable before Spark connects."""

    url: str
    is_connect: bool = False
    hosts: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """The address without its parameters, which may contain a token."""
        return _shown(self.url)


def address_of(engine: str) -> Address:
    """The address of a cluster in the value of `--engine`. Raises `JobError` for an invalid value."""
    if _LOCAL.fullmatch(engine):
        return Address(engine)
    scheme, mark, rest = engine.partition("://")
    if not mark or scheme not in _SCHEMES:
        known = [DUCKDB, "sc://HOST:15002", "spark://HOST:7077", "local[*]"]
        raise JobError(
            f"--engine {_shown(engine)!r} is not an engine{did_you_mean(_shown(engine), known)}; use Spark Connect (sc://) for other cluster managers"
        )
    places, slash, parameters = rest.partition("/")
    names = places.split(",") if scheme == "spark" else [places]
    if slash and not (scheme == "sc" and (not parameters or parameters.startswith(";"))):
        raise JobError(f"--engine {_shown(engine)!r} has text after its port; write {scheme}://HOST:{_SCHEMES[scheme]}")
    return Address(engine, scheme == "sc", tuple(_host(scheme, name) for name in names))


def check_reachable(address: Address) -> None:
    """Raise `EngineError` if nothing answers at the address. Spark itself waits for minutes or indefinitely."""
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
            f"{what} answers at {address.name!r} ({'; '.join(failures)}); start it, or check host and port (--engine duckdb needs none)"
        )


def _host(scheme: str, name: str) -> tuple[str, int]:
    match = _HOST.fullmatch(name)
    if match is None:
        behind = ", with Spark Connect parameters after /;" if scheme == "sc" else ""
        raise JobError(f"--engine {scheme}://... has no host and port; write {scheme}://HOST:{_SCHEMES[scheme]}{behind}")
    return match["host"].strip("[]"), int(match["port"] or _SCHEMES[scheme])


def _shown(engine: str) -> str:
    """The part before anything that could be a secret."""
    return re.split("[;?@]", engine, maxsplit=1)[0].rstrip("/")
