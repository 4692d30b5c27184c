"""Hierarchies that list their values, in a file or in place."""

from pathlib import Path
from typing import Any, ClassVar

from pydantic import model_validator

from duckanon.hierarchy.base import Spec, Top


class ListedHierarchy(Spec):
    """A kind that lists its values; with `top`, a level of that label is added above."""

    file: Path | None = None
    """Where the values stand, from the folder of the hierarchy file."""
    top: Top | None = None
    """The label of a level that is added above."""

    PLACES: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="after")
    def _given_once(self) -> "ListedHierarchy":
        given = [name for name in self.PLACES if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"say its values once, with one of {', '.join(self.PLACES)}{'' if not given else f', not {len(given)}'}"
            )
        return self

    @property
    def is_listing(self) -> bool:
        return True


def parts_of(members: Any) -> Any:
    """A list as it is, a text parted at its commas, nothing for an empty place."""
    if members is None:
        return []
    if isinstance(members, str):
        return [part for text in members.split(",") if (part := text.strip())]
    return members if isinstance(members, list) else [members]
