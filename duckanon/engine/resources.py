"""Find the templates and the bundled hierarchies, as real paths, because DuckDB opens the files itself."""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def folder(name: str) -> Path:
    """The folder `sql` or `hierarchies`: beside the modules in a wheel, beside the package in a checkout.

    An editable install has no folder beside the modules. Then the folder of the checkout is used, if it has a `pyproject.toml`
    of this project.
    """
    beside_modules = _PACKAGE / name
    if beside_modules.is_dir():
        return beside_modules
    checkout = _PACKAGE.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    raise FileNotFoundError(f"the installation lacks its folder {name!r}: install duckanon again")
