"""Anonymizes large tables with DuckDB, and verifies what it wrote.

The commands are functions of the same names: `profile` proposes roles, `anonymize` and `apply` give
the manifest, `check` and `risk` measure a file, `compare` holds searches against each other, `explain` and `report` tell of a release, `demo` makes
a file to try them on; every error derives from `DuckanonError`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duckanon.assessment import risk
    from duckanon.checking import check
    from duckanon.comparison import compare
    from duckanon.engine.protocol import Settings
    from duckanon.errors import DuckanonError, Infeasible, VerificationFailed
    from duckanon.explanation import explain
    from duckanon.options import Options
    from duckanon.people import demo
    from duckanon.pipeline import anonymize, apply
    from duckanon.preparation import Run
    from duckanon.profiling import profile
    from duckanon.reporting import report

__version__ = "0.1.0"

__all__ = [
    "DuckanonError",
    "Infeasible",
    "Options",
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
    "Options": "options",
    "Run": "preparation",
    "Settings": "engine.protocol",
    "VerificationFailed": "errors",
    "anonymize": "pipeline",
    "apply": "pipeline",
    "check": "checking",
    "compare": "comparison",
    "demo": "people",
    "explain": "explanation",
    "profile": "profiling",
    "report": "reporting",
    "risk": "assessment",
}


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first used, so that the import itself costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'duckanon' has no attribute {name!r}")
    return getattr(import_module(f"duckanon.{_HOMES[name]}"), name)
