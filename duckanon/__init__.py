"""Anonymizes large tables with DuckDB, and verifies what it wrote.

The commands are functions of the same names, on files and on tables of other programs: `profile` proposes roles, `anonymize`
and `apply` give a `Release`, `check` and `risk` measure a table, `compare` holds searches against each other, `explain` and
`report` tell of a release, `demo` makes a file to try them on; every error derives from `DuckanonError`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duckanon.api.released import Release
    from duckanon.api.verbs import anonymize, apply, check, compare, profile, risk
    from duckanon.engine.protocol import Settings
    from duckanon.errors import DuckanonError, Infeasible, VerificationFailed
    from duckanon.job.options import Options
    from duckanon.job.prepare import Run
    from duckanon.workflows.demo import demo
    from duckanon.workflows.explain import explain
    from duckanon.workflows.report import report

__version__ = "0.1.0"

__all__ = [
    "DuckanonError",
    "Infeasible",
    "Options",
    "Release",
    "Run",
    "Settings",
    "VerificationFailed",
    "anonymize",
    "apply",
    "check",
    "compare",
    "demo",
    "explain",
    "profile",
    "report",
    "risk",
]

_HOMES = {
    "DuckanonError": "errors",
    "Infeasible": "errors",
    "Options": "job.options",
    "Release": "api.released",
    "Run": "job.prepare",
    "Settings": "engine.protocol",
    "VerificationFailed": "errors",
    "anonymize": "api.verbs",
    "apply": "api.verbs",
    "check": "api.verbs",
    "compare": "api.verbs",
    "demo": "workflows.demo",
    "explain": "workflows.explain",
    "profile": "api.verbs",
    "report": "workflows.report",
    "risk": "api.verbs",
}


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first used, so that the import itself costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'duckanon' has no attribute {name!r}")
    return getattr(import_module(f"duckanon.{_HOMES[name]}"), name)
