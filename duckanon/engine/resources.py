"""Find the templates and the bundled hierarchies, as real paths, because DuckDB opens the files itself; and the user's cache folder,
for what takes long to make and is the same in every run. The cache never holds data.

Other installed packages extend duckanon with privacy models, by entry points of the group `duckanon.models`, and with templates: an entry
point names a class, `toy = "toy_models:Toy"`, whose SQL is in a folder `sql/` of the same package, with the layout of ours.
"""

import os
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from duckanon.engine.scratch import OWNER_ONLY_FOLDER, is_out_of_reach, is_private
from duckanon.errors import UsageError

_MODELS = "duckanon.models"
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


def cache_folder() -> Path | None:
    """`$XDG_CACHE_HOME/duckanon`; None if another account could write to it or replace it."""
    if not hasattr(os, "geteuid"):  # this system has no file owners to compare
        return None
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "duckanon"
        folder.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY_FOLDER)
    except (OSError, RuntimeError):  # the home folder is unknown
        return None
    return folder if is_private(folder) and is_out_of_reach(folder) else None


def cached_text(name: str, make: Callable[[], str]) -> str:
    """The text of a file of the cache folder; it is made if it is not there, and again if the folder cannot be used."""
    folder = cache_folder()
    if folder is None:
        return make()
    path = folder / name
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8")
    text = make()
    # renamed when it is complete, since other runs may read it
    draft = folder / f"{name}.{secrets.token_hex(8)}"
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return text


@cache
def _extensions() -> Sequence[EntryPoint]:
    return sorted(entry_points(group=_MODELS), key=lambda point: point.name)


@cache
def extensions() -> dict[str, object]:
    """The extensions by entry point; raises `UsageError` if one cannot be loaded."""
    loaded = {}
    for point in _extensions():
        try:
            loaded[point.name] = point.load()
        except Exception as error:
            package = point.dist.name if point.dist is not None else point.module
            raise UsageError(
                f"the extension {point.name!r} of {package!r} cannot be loaded ({type(error).__name__}: {error}); repair or uninstall it"
            ) from error
    return loaded


def extension_templates() -> list[Path]:
    """The template folders of the extensions."""
    specs = [find_spec(point.module.partition(".")[0]) for point in _extensions()]
    folders = [Path(spec.origin).parent / "sql" for spec in specs if spec is not None and spec.origin is not None]
    return list(dict.fromkeys(folder for folder in folders if folder.is_dir()))
