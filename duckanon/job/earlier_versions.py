"""Jobs and manifests of version 0.2: what it assumed and no user had named, and the words that were removed since."""

from collections.abc import Mapping
from typing import Any

from duckanon.choices import REMOVED
from duckanon.job import accepted
from duckanon.job.options import Options

_ANY, _SECONDS = 3, 10
ASSUMED_ANY = (
    f"version 0.2 assumed adversaries who know any {_ANY} quasi-identifiers, which no option named; k is now required for all of them together: "
    "release the data again, or accept it with --set accept=assumed-any"
)


def assumes_any(job: Mapping[str, Any]) -> bool:
    """Whether version 0.2 wrote this job for the adversary that it assumed: its search wrote these three keys together."""
    recoding = job.get("recoding")
    return isinstance(recoding, Mapping) and (job.get("any"), recoding.get("algorithm"), recoding.get("time-limit")) == (
        _ANY,
        "local",
        _SECONDS,
    )


def was_assumed(any_columns: int | None, chosen: str | None, roles: str | None) -> bool:
    """Whether `any` of a manifest may be what version 0.2 assumed: detected roles (an attestation does not say it), and no key that says who chose it."""
    return any_columns == _ANY and chosen is None and roles != "declared"


def without_assumed(job: Mapping[str, Any], options: Options) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """The content of a job without what version 0.2 assumed, unless it is accepted; and what to say about it."""
    given = [*(job.get("accept") or []), *options.accepted]
    if not assumes_any(job) or options.any is not None or options.names_key("any") or accepted.accepts(given, "assumed-any"):
        return job, ()
    return {key: value for key, value in job.items() if key != "any"}, (ASSUMED_ANY,)


def without_removed(job: Mapping[str, Any], *, made_release: bool) -> Mapping[str, Any]:
    """The content of a job with what replaces removed algorithms and objectives, if it made a release or has levels: nothing is searched again."""
    recoding = job.get("recoding")
    if not isinstance(recoding, Mapping) or not (made_release or recoding.get("levels")):
        return job
    words = {key: REMOVED.get(str(recoding.get(key))) for key in ("algorithm", "objective")}
    return {**job, "recoding": {**recoding, **{key: word for key, word in words.items() if word is not None}}}
