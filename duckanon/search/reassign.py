"""The second sweep of local recoding: sets of values move to nodes where they lose less."""

from collections.abc import Mapping, Sequence
from typing import Any

from duckanon.engine.owner import step
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.lattice import Node

_PLACES = 10**12
_NEARLY = 1e-9
_MOST_REASSIGNED = 50
_MOST_PAIRS = 2_000_000
"""The most pairs of a set of values and a node that are tried; the first passes release the most rows."""


@step
def reassign(
    engine: Engine,
    attributes: Sequence[Mapping[str, Any]],
    least_rows: int,
    places: Sequence[tuple[int, Node, Sequence[str]]],
    cells: int,
) -> None:
    """Rebuild `passed`: a second sweep, for a requirement under which a class needs only enough rows.

    Rows in a class with a larger loss, or in no class, move to a node where enough of them form a class. They may take the rows of
    one class with a smaller loss, if this reduces the total loss. `places` are the passes that released rows, in order: index, node, and columns of `cells` for its
    classes.
    """
    about = {"attributes": attributes, "places": _PLACES}
    engine.create_table(render("local_recoding/assigned", **about))
    parameters = {
        "k": least_rows,
        "most": sum(attribute["weight"] for attribute in attributes),
        "nearly": _NEARLY,
    }
    for visit, node, keys in places[: min(_MOST_REASSIGNED, _MOST_PAIRS // max(1, cells))]:
        levels = list(zip(attributes, keys, node, strict=True))
        place = {"number": visit, "class_keys": keys, "levels": levels, **about}
        if engine.create_table(render("local_recoding/candidate_moves", **parameters, **place)):
            engine.create_table(render("local_recoding/applied_moves", "assigned", **place))
    engine.create_table(render("local_recoding/passed", relation="assigned", visit="_pass", passing=None))
