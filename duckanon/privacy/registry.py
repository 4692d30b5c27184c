"""The privacy models by name: in a job file's `privacy`, and in `--require`."""

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import reduce
from importlib import import_module
from operator import or_
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Tag

from duckanon.engine.resources import extensions
from duckanon.errors import JobError, UsageError, did_you_mean
from duckanon.privacy import models
from duckanon.privacy.base import PrivacyModel, SensitiveModel


def _own() -> Iterator[type[PrivacyModel]]:
    """The models of `duckanon/privacy/models`: every class there that declares its own `NAMES`."""
    for module in iter_modules(models.__path__, f"{models.__name__}."):
        for value in vars(import_module(module.name)).values():
            if (
                isinstance(value, type)
                and issubclass(value, PrivacyModel)
                and value.__module__ == module.name
                and "NAMES" in vars(value)
            ):
                yield value


_OWN = tuple(_own())


def _added() -> Iterator[type[PrivacyModel]]:
    """Models of other packages; raises `UsageError` for a class that is not a model, or whose name is taken."""
    taken = {name for model in _OWN for name in (model.tag(), *model.NAMES)} | {"k", "k-anonymity"}
    for name, model in extensions().items():
        if not (isinstance(model, type) and issubclass(model, PrivacyModel)):
            raise UsageError(
                f"the extension {name!r} is not a privacy model; derive it from duckanon.privacy.base.PrivacyModel"
            )
        names = {model.tag(), *model.NAMES}
        if twice := sorted(names & taken):
            raise UsageError(
                f"the extension {name!r} and another model are both named {twice[0]!r}; give the extension another name"
            )
        taken |= names
        yield model


MODELS: dict[str, type[PrivacyModel]] = {model.tag(): model for model in (*_OWN, *_added())}
"""All models except k-anonymity, which has its own keys in a job file: by tag."""

if TYPE_CHECKING:
    AnyModel = PrivacyModel
else:
    AnyModel = reduce(or_, (Annotated[model, Tag(tag)] for tag, model in MODELS.items()))

_SHARED = {tag.partition(" ")[0] for tag in MODELS if " " in tag}
"""The names that several models share; their variants distinguish them."""

NAMES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {"k": ({"model": "k-anonymity"}, ("k",))} | {
    name: ({"model": tag.partition(" ")[0], **fields}, model.PARAMETERS)
    for tag, model in MODELS.items()
    for name, fields in model.NAMES.items()
}
"""The fields that each name in `--require` sets, and the parameters that follow the name."""

_EXAMPLES = {"k": "5", "l": "3", "c": "3", "beta": "3", "delta": "3", "alpha": "0.5", "high": "0.5"}
"""Example values of parameters; the others are shares."""

_FIRST = ("l-diversity", "alpha-k-anonymity", "t-closeness", "beta-likeness", "delta-disclosure", "k-map", "delta-presence")
"""The order in which `check` shows models; other models follow."""

_OF_NO_COLUMN = {"k"} | {name for model in MODELS.values() if not issubclass(model, SensitiveModel) for name in model.NAMES}


def tag(content: Any) -> str | None:
    """The tag of a model or of a model's content."""
    name = content.get("model") if isinstance(content, Mapping) else getattr(content, "model", None)
    if not isinstance(name, str):
        return None
    if name not in _SHARED:
        return name
    variant = content.get("variant", "distinct") if isinstance(content, Mapping) else getattr(content, "variant", None)
    return f"{name} {variant}"


def written(text: str, option: str = "--require") -> dict[str, Any]:
    """The content of a job file's `privacy` for a text such as `entropy-l=3@occupation`; raises `JobError`."""
    name, equals, rest = text.partition("=")
    if name not in NAMES:
        alike = [known for known in NAMES if known.endswith(f"-{name}")]
        meant = f"; did you mean {' or '.join(map(repr, alike))}?" if alike else did_you_mean(name, NAMES)
        raise JobError(f"{option} names an unknown model {name!r}{meant}")
    fixed, parameters = NAMES[name]
    numbers, at, column = rest.partition("@")
    if at and name in _OF_NO_COLUMN:
        raise JobError(f"{option} {text!r} names a column, but {name} has no sensitive column; leave out {at}{column}")
    given = [number.strip() for number in numbers.split(",")] if equals else []
    if len(given) != len(parameters) or not all(_is_number(number) for number in given) or (at and not column):
        needs = "its number" if len(parameters) == 1 else f"its numbers {' and '.join(parameters)}"
        raise JobError(f"{option} {text!r} lacks {needs}; write {example(name)}")
    content = fixed | dict(zip(parameters, given, strict=True))
    return content | ({"column": column} if at else {})


def example(name: str) -> str:
    """A text for `--require` with a name of `NAMES`."""
    return f"{name}={','.join(_EXAMPLES.get(parameter, '0.1') for parameter in NAMES[name][1])}"


def offered() -> list[dict[str, Any]]:
    """The models by name, as a form offers them: the `fixed` keys of an entry of `privacy`, and its `parameters` with limits and first values."""
    order = {name: place for place, name in enumerate(_FIRST)}
    models = [(MODELS[str(tag(fixed))], fixed, parameters) for name, (fixed, parameters) in NAMES.items() if name != "k"]
    models.sort(key=lambda each: order.get(each[1]["model"], len(order)))
    return [
        {
            "title": " ".join([*(value for key, value in fixed.items() if key != "model" and value != "all"), fixed["model"]]),
            "meaning": model.MEANING,
            "fixed": fixed,
            "defaults": {key: field.default for key in fixed if not (field := model.model_fields[key]).is_required()},
            "parameters": [_limits(model, parameter) for parameter in parameters],
            "is_sensitive": issubclass(model, SensitiveModel),
            "needs_population": "population" in model.MEASURES,
        }
        for model, fixed, parameters in models
    ]


def _limits(model: type[PrivacyModel], parameter: str) -> dict[str, Any]:
    """A parameter with its limits and its first value; numbers above a limit differ from it by at least the last decimal place."""
    field = model.model_fields[parameter]
    least, most = (
        next((end for limit in field.metadata if (end := getattr(limit, name, None)) is not None), None)
        for name in ("ge", "le")
    )
    limits = {"min": 1e-9 if least is None else least, "max": most, "step": 1 if field.annotation is int else None}
    first = float(_EXAMPLES.get(parameter, "0.1"))
    return {"name": parameter, "first": first, "limits": {name: value for name, value in limits.items() if value is not None}}


def name_of(model: PrivacyModel) -> str:
    """The name of a model in `--require`."""
    content = {"model": getattr(model, "model", ""), **model.variety}
    return next(name for name, (fixed, _) in NAMES.items() if fixed.items() <= content.items())


def as_written(model: PrivacyModel) -> str:
    """A model written as a value of `--require`."""
    name = name_of(model)
    numbers = ",".join(
        f"{getattr(model, parameter):f}" if isinstance(getattr(model, parameter), Decimal) else str(getattr(model, parameter))
        for parameter in NAMES[name][1]
    )
    return f"{name}={numbers}" + (f"@{model.sensitive}" if model.sensitive else "")


def every_model_of(column: str, *, has_hierarchy: bool) -> list[PrivacyModel]:
    """One model of every kind for a sensitive column, to measure what is achieved."""
    models = [model.model_copy(update={"column": column}) for model in _unrequested(SensitiveModel)]
    return [model for model in models if has_hierarchy or not model.needs_hierarchy]


def every_model_of_quasi_identifiers() -> list[PrivacyModel]:
    """One model of every kind that compares with a population."""
    return [part for model in _unrequested(PrivacyModel) if not isinstance(model, SensitiveModel) for part in model.parts]


def _unrequested(kind: type[PrivacyModel]) -> list[PrivacyModel]:
    """The models that `check` measures without being required, in output order: those that need a hierarchy last."""
    order = {name: place for place, name in enumerate(_FIRST)}
    models = [model(**given) for model in MODELS.values() if issubclass(model, kind) for given in model.UNREQUESTED]
    return sorted(models, key=lambda model: (model.needs_hierarchy, order.get(model.model, len(order))))


def _is_number(text: str) -> bool:
    try:
        Decimal(text)
    except InvalidOperation:
        return False
    return True
