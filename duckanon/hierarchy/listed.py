"""Hierarchies that list their values, in a separate file or in the hierarchy file."""

from pathlib import Path
from typing import Any, ClassVar

from pydantic import model_validator

from duckanon.hierarchy.base import Spec, Top


class ListedHierarchy(Spec):
    """A kind that lists its values; `top` adds a level with that label above."""

    file: Path | None = None
    """The file with the values, relative to the folder of the hierarchy file."""
    top: Top | None = None
    """The label of an additional top level."""

    PLACES: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="after")
    def _given_once(self) -> "ListedHierarchy":
        given = [name for name in self.PLACES if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"give its values with one of {', '.join(self.PLACES)}{'' if not given else f', not {len(given)}'}"
            )
        return self

    @property
    def is_listing(self) -> bool:
        return True


def parts_of(members: Any) -> Any:
    """Return a list unchanged, split a text at its commas, and make an empty entry an empty list."""
    if members is None:
        return []
    if isinstance(members, str):
        return [part for text in members.split(",") if (part := text.strip())]
    return members if isinstance(members, list) else [members]
