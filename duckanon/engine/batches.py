"""Lists in parts: the time to plan a statement grows with the square of its columns, so that it has some of them at once."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in parts of `size`, the last of what is left."""
    return (items[start : start + size] for start in range(0, len(items), size))
