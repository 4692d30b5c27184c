"""Shell completion of option values that are not fixed. Each function takes the typed text and returns the matching values."""

from collections.abc import Callable, Iterable
from typing import get_args

from duckanon.choices import Algorithm


def _fitting(known: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    def offered(incomplete: str) -> list[str]:
        return [word for word in known() if word.startswith(incomplete)]

    return offered


def _hierarchies() -> Iterable[str]:
    from duckanon.hierarchy.sets import bundled

    return (word for bundle in bundled() for word in (bundle.name, *(bundle.reference(path) for path in bundle.files)))


def _models() -> Iterable[str]:
    from duckanon.privacy.registry import NAMES

    return (f"{name}=" for name in NAMES)


def _templates() -> Iterable[str]:
    from duckanon.engine.templates import catalog

    return catalog()


def _dialects() -> Iterable[str]:
    from duckanon.export.statements import DIALECTS

    return DIALECTS


def _policies() -> Iterable[str]:
    from duckanon.job.policy import PRESETS

    return PRESETS


hierarchies = _fitting(_hierarchies)
models = _fitting(_models)
policies = _fitting(_policies)
templates = _fitting(_templates)
dialects = _fitting(_dialects)
algorithms = _fitting(lambda: get_args(Algorithm))
