"""Extensions from other installed packages: privacy models, by entry points of the group `duckanon.models`, and their templates.

An entry point names a class: `toy = "toy_models:Toy"`. Its SQL is in a folder `sql/` of the same package, with the layout of ours.
"""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from duckanon.errors import UsageError

GROUP = "duckanon.models"


@cache
def _points() -> Sequence[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


@cache
def models() -> dict[str, object]:
    """The extensions by entry point; raises `UsageError` if one cannot be loaded."""
    models = {}
    for point in _points():
        try:
            models[point.name] = point.load()
        except Exception as error:
            package = point.dist.name if point.dist is not None else point.module
            raise UsageError(
                f"the extension {point.name!r} of {package!r} cannot be loaded ({type(error).__name__}: {error}); repair or uninstall it"
            ) from error
    return models


def templates() -> list[Path]:
    """The template folders of the extensions."""
    specs = [find_spec(point.module.partition(".")[0]) for point in _points()]
    folders = [Path(spec.origin).parent / "sql" for spec in specs if spec is not None and spec.origin is not None]
    return list(dict.fromkeys(folder for folder in folders if folder.is_dir()))
