"""The privacy models by their names: in a job file's `privacy`, and as `--require` writes them."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import Tag

from duckanon.errors import JobError, did_you_mean
from duckanon.privacy.alpha_k_anonymity import AlphaKAnonymity
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.beta_likeness import BetaLikeness
from duckanon.privacy.delta_disclosure import DeltaDisclosure
from duckanon.privacy.delta_presence import DeltaPresence
from duckanon.privacy.k_map import KMap
from duckanon.privacy.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveCLDiversity
from duckanon.privacy.risk import AverageRisk, HighestRisk
from duckanon.privacy.t_closeness import TCloseness

AnyModel = (
    Annotated[KMap, Tag("k-map")]
    | Annotated[AlphaKAnonymity, Tag("alpha-k-anonymity")]
    | Annotated[DistinctLDiversity, Tag("l-diversity distinct")]
    | Annotated[EntropyLDiversity, Tag("l-diversity entropy")]
    | Annotated[RecursiveCLDiversity, Tag("l-diversity recursive")]
    | Annotated[TCloseness, Tag("t-closeness")]
    | Annotated[BetaLikeness, Tag("beta-likeness")]
    | Annotated[DeltaDisclosure, Tag("delta-disclosure")]
    | Annotated[DeltaPresence, Tag("delta-presence")]
    | Annotated[AverageRisk, Tag("average-risk")]
    | Annotated[HighestRisk, Tag("highest-risk")]
)
"""Every model but k-anonymity, which a job says in a way of its own."""

MODELS: dict[str, type[PrivacyModel]] = {
    "k-map": KMap,
    "alpha-k-anonymity": AlphaKAnonymity,
    "l-diversity distinct": DistinctLDiversity,
    "l-diversity entropy": EntropyLDiversity,
    "l-diversity recursive": RecursiveCLDiversity,
    "t-closeness": TCloseness,
    "beta-likeness": BetaLikeness,
    "delta-disclosure": DeltaDisclosure,
    "delta-presence": DeltaPresence,
    "average-risk": AverageRisk,
    "highest-risk": HighestRisk,
}
"""The models by their tags: the name, and for l-diversity the variant."""

_WRITTEN: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "k": ({"model": "k-anonymity"}, ("k",)),
    "k-map": ({"model": "k-map"}, ("k",)),
    "alpha-k": ({"model": "alpha-k-anonymity"}, ("alpha", "k")),
    "distinct-l": ({"model": "l-diversity", "variant": "distinct"}, ("l",)),
    "entropy-l": ({"model": "l-diversity", "variant": "entropy"}, ("l",)),
    "recursive-cl": ({"model": "l-diversity", "variant": "recursive"}, ("c", "l")),
    "t": ({"model": "t-closeness", "distance": "equal"}, ("t",)),
    "t-ordered": ({"model": "t-closeness", "distance": "ordered"}, ("t",)),
    "t-hierarchical": ({"model": "t-closeness", "distance": "hierarchical"}, ("t",)),
    "beta": ({"model": "beta-likeness", "variant": "basic"}, ("beta",)),
    "enhanced-beta": ({"model": "beta-likeness", "variant": "enhanced"}, ("beta",)),
    "delta": ({"model": "delta-disclosure", "values": "all"}, ("delta",)),
    "delta-present": ({"model": "delta-disclosure", "values": "present"}, ("delta",)),
    "delta-presence": ({"model": "delta-presence"}, ("low", "high")),
    "average-risk": ({"model": "average-risk"}, ("risk",)),
    "highest-risk": ({"model": "highest-risk"}, ("risk",)),
}
"""What each name of `--require` stands for, and the parameters that follow it."""

_OF_NO_COLUMN = ("k", "k-map", "delta-presence", "average-risk", "highest-risk")


def tag(content: Any) -> str | None:
    """The tag of a model's content or of a model."""
    said = content.get("model") if isinstance(content, Mapping) else getattr(content, "model", None)
    if said != "l-diversity":
        return said if isinstance(said, str) else None
    variant = content.get("variant", "distinct") if isinstance(content, Mapping) else getattr(content, "variant", None)
    return f"{said} {variant}"


def written(text: str) -> dict[str, Any]:
    """The content of a job's `privacy` that `entropy-l=3@occupation` stands for; raises `JobError`."""
    name, equals, rest = text.partition("=")
    if name not in _WRITTEN:
        raise JobError(f"model {name!r} of --require is unknown{did_you_mean(name, _WRITTEN)}")
    fixed, parameters = _WRITTEN[name]
    numbers, at, column = rest.partition("@")
    if at and name in _OF_NO_COLUMN:
        raise JobError(f"--require {text!r} names a column, but {name} is not about a sensitive one; leave out {at}{column}")
    given = [number.strip() for number in numbers.split(",")] if equals else []
    if len(given) != len(parameters) or not all(_is_number(number) for number in given) or (at and not column):
        example = ",".join(
            "0.1" if one in ("t", "alpha", "risk", "low", "high") else "5" if one == "k" else "3" for one in parameters
        )
        needs = "its number" if len(parameters) == 1 else f"its numbers {' and '.join(parameters)}"
        raise JobError(f"--require {text!r} lacks {needs}; write {name}={example}")
    content = fixed | dict(zip(parameters, given, strict=True))
    return content | ({"column": column} if at else {})


def name_of(model: PrivacyModel) -> str:
    """How `--require` calls a model."""
    said = {"model": getattr(model, "model", ""), **model.variety}
    return next(name for name, (fixed, _) in _WRITTEN.items() if fixed.items() <= said.items())


def as_written(model: PrivacyModel) -> str:
    """What `--require` would have to say for a model."""
    name = name_of(model)
    numbers = ",".join(
        f"{getattr(model, parameter):f}" if isinstance(getattr(model, parameter), Decimal) else str(getattr(model, parameter))
        for parameter in _WRITTEN[name][1]
    )
    return f"{name}={numbers}" + (f"@{model.sensitive}" if model.sensitive else "")


def every_model_of(column: str, *, has_hierarchy: bool) -> list[PrivacyModel]:
    """A model of every kind for a sensitive column, to see what is achieved; what they ask for does not matter."""
    one = Decimal(1)
    found: list[PrivacyModel] = [
        DistinctLDiversity(l=1, column=column),
        EntropyLDiversity(variant="entropy", l=one, column=column),
        RecursiveCLDiversity(variant="recursive", c=one, l=2, column=column),
        RecursiveCLDiversity(variant="recursive", c=one, l=3, column=column),
        AlphaKAnonymity(alpha=one, k=1, column=column),
        TCloseness(distance="equal", t=one, column=column),
        TCloseness(distance="ordered", t=one, column=column),
        BetaLikeness(variant="basic", beta=one, column=column),
        BetaLikeness(variant="enhanced", beta=one, column=column),
        DeltaDisclosure(values="all", delta=one, column=column),
        DeltaDisclosure(values="present", delta=one, column=column),
    ]
    return found + ([TCloseness(distance="hierarchical", t=one, column=column)] if has_hierarchy else [])


def every_model_of_quasi_identifiers() -> list[PrivacyModel]:
    """The same for what is held against a population."""
    return [KMap(k=1), *DeltaPresence(low=Decimal(0), high=Decimal(1)).parts]


def _is_number(text: str) -> bool:
    try:
        Decimal(text)
    except InvalidOperation:
        return False
    return True
