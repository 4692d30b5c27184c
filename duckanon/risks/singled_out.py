"""The records that any few columns single out."""

from collections.abc import Mapping
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render


def singled_out(engine: Engine, classes: str, adversary: Mapping[str, Any], *, fails: bool | None = None) -> dict[str, Any]:
    """The highest risk by any of the sets of an adversary in a relation of classes, and the records that are unique on some set.

    `adversary`: its template parameters. `fails` selects failing or passing classes only.
    """
    statement = render("risk/singled_out", relation=classes, adversary=adversary, fails=fails)
    [(smallest, uniques)] = engine.query(statement, "looking for records that few columns single out")
    return {"highest": 1 / smallest if smallest else 0.0, "uniques": int(uniques)}
