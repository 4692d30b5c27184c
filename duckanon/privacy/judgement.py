"""How a relation of classes is judged: by a requirement, and with suppressed rows starred, by what they must satisfy together."""

from collections.abc import Sequence
from typing import Any

from duckanon.privacy.k_anonymity import KAnonymity

_STARRED = "privacy/starred.sql"


def judgement(requirement: KAnonymity, keys: Sequence[str], *, stars: bool, classes: str = "classes") -> dict[str, Any]:
    """What the templates need to tell failing classes of a relation, whose key columns these are."""
    plain = {**requirement.parameters, "classes": classes, "stars": stars}
    if not stars:
        return plain
    return plain | {
        "model_template": _STARRED,
        "starred_template": plain["model_template"],
        "own_k": requirement.k_column is not None,
        "class_keys": list(keys),
        "least_rows": requirement.bounded_k,
    }
