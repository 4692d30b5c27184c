"""The comparison of a release with registered releases."""

from duckanon.release.manifest_model.part import Part


class RegisterComparison(Part):
    """The comparison with the releases of a register ([releasing again](../how-to/re-release.md))."""

    releases: list[str]
    """The earlier releases with which the release was compared."""
    counted: str
    """`rows` or `persons`: what is counted in intersections of classes."""
    smallest: int | None
    """The smallest intersection of a class with one of an earlier release, in rows or persons; null if they have no record in common."""
    suppressed: int
    """Rows suppressed because they would be isolated; `rows.suppressed` includes them."""
