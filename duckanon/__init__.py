"""Anonymizes large tables with DuckDB, and verifies what it wrote.

The commands are functions of the same names: `profile` proposes roles, `anonymize` and `apply` give
the manifest, `check` measures what a file guarantees, `demo` makes a file to try them on; every error derives from `DuckanonError`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duckanon.checking import check
    from duckanon.engine.protocol import Settings
    from duckanon.errors import DuckanonError, Infeasible, VerificationFailed
    from duckanon.options import Options
    from duckanon.people import demo
    from duckanon.pipeline import anonymize, apply
    from duckanon.preparation import Run
    from duckanon.profiling import profile

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
    "demo",
    "profile",
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
    "demo": "people",
    "profile": "profiling",
}


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first used, so that the import itself costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'duckanon' has no attribute {name!r}")
    return getattr(import_module(f"duckanon.{_HOMES[name]}"), name)
