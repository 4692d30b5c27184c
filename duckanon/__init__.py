"""Anonymize large tables with DuckDB and verify the output file.

Most commands are functions of the same name. They take files and tables of other programs. `profile` proposes roles,
`anonymize` and `apply` return a `Release`, `check` and `risk` measure a table, `compare` compares searches, `explain` and
`report` describe a release, `attest` signs an attestation of it, and `demo` writes a sample file. Every error derives from `DuckanonError`.
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
    from duckanon.observers import DuckanonWarning
    from duckanon.workflows.demo import demo
    from duckanon.workflows.explain import explain
    from duckanon.workflows.report import attest, report

__version__ = "0.2.0"

__all__ = [
    "DuckanonError",
    "DuckanonWarning",
    "Infeasible",
    "Options",
    "Release",
    "Run",
    "Settings",
    "VerificationFailed",
    "anonymize",
    "apply",
    "attest",
    "check",
    "compare",
    "demo",
    "explain",
    "profile",
    "report",
    "risk",
]

_MODULES = {
    "DuckanonError": "errors",
    "DuckanonWarning": "observers",
    "Infeasible": "errors",
    "Options": "job.options",
    "Release": "api.released",
    "Run": "job.prepare",
    "Settings": "engine.protocol",
    "VerificationFailed": "errors",
    "anonymize": "api.verbs",
    "apply": "api.verbs",
    "attest": "workflows.report",
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


if not TYPE_CHECKING:  # a type checker that sees the function accepts every misspelled name

    def __getattr__(name: str) -> Any:
        """Import a public name at its first use, so that `import duckanon` is fast."""
        if name not in _MODULES:
            raise AttributeError(f"module 'duckanon' has no attribute {name!r}")
        return getattr(import_module(f"duckanon.{_MODULES[name]}"), name)
