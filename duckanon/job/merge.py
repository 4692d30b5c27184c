"""The content of a job: what version 0.2 assumed, and the options of a command line or a call. An option replaces its job key."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from duckanon.choices import REMOVED
from duckanon.errors import JobError, did_you_mean, nearest
from duckanon.job import accepted, adversary, keys, policy
from duckanon.job.column import shift_of
from duckanon.job.file import checked, is_list, with_policy
from duckanon.job.model import Job
from duckanon.job.options import Options
from duckanon.observers import Caution
from duckanon.option import declared
from duckanon.privacy import registry

_ANY, _SECONDS = 3, 10
ASSUMED_ANY = Caution(
    "assumed-any",
    f"version 0.2 assumed adversaries who know any {_ANY} quasi-identifiers, which no option named; k is now required for all of them together: "
    "release the data again, or accept it with --set accept=assumed-any",
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


def without_assumed(job: Mapping[str, Any], options: Options) -> tuple[Mapping[str, Any], tuple[Caution, ...]]:
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


def merged(
    content: Mapping[str, Any],
    options: Options,
    base: Path = Path(),
    *,
    is_replayed: bool = False,
    columns_of: Callable[[Mapping[str, Any]], Sequence[str]] = lambda _: (),
) -> Job:
    """The checked job from the content of its file in the folder `base`, the options, and what only its policy gives; raises `JobError`.

    `is_replayed`: the job made a release, perhaps under an earlier meaning of its policy. `columns_of` reads the columns of the input
    of a job, of which a message proposes one.
    """
    job = with_policy(content, base)
    if is_replayed and "policy" in job:
        job["policy"] = job["policy"].model_copy(update={"allow_adversaries": True, "least_any": 1})
    # a job file may leave `release` to the command line
    names_release = options.release is not None or options.names_key("release")
    checked(job | ({"release": "named"} if names_release else {}), "job file")
    job["columns"] = _columns(job.get("columns") or {}, options)
    if options.adversary:
        job["adversaries"] = _adversaries(options)
    job = adversary.with_columns(job)
    for name, declaration in declared(type(options)).items():
        value = getattr(options, name)
        is_given = value is not None and (declaration.kind not in (Sequence, Mapping) or len(value) > 0)
        if declaration.key is not None and is_given:
            if declaration.key in options.set:
                raise JobError(f"{declaration.flag} and --set {declaration.key} give the same key; leave one of them out")
            keys.put(job, declaration.key.split("."), value)
    for name, aggregate in options.microaggregate.items():
        if name not in job["columns"]:
            raise JobError(
                f"--microaggregate names {name!r}, which has no role; name it with --qi, --sensitive or --keep{did_you_mean(name, job['columns'])}"
            )
        function, _, places = aggregate.partition(":")
        job["columns"][name] = {**job["columns"][name], "microaggregate": function, **({"round": places} if places else {})}
    if options.policy is not None:
        job["policy"] = policy.load(options.policy)
    _treat(job, options)
    if options.set:
        job = _set(job, options, base, columns_of)
    job["privacy"] = _privacy(job.get("privacy") or [], options)
    return policy.completed(checked(job, "options"))


def _set(
    job: dict[str, Any], options: Options, base: Path, columns_of: Callable[[Mapping[str, Any]], Sequence[str]]
) -> dict[str, Any]:
    """The job with the keys of `--set`, which override other options."""
    known, flags = list(job["columns"]), declared(type(options))
    for key, value in options.set.items():
        path = keys.parts(key)
        if path[0] in flags and path[0] not in Job.model_fields:
            raise JobError(f"--set {key}: {path[0]!r} is not a key of the job, but an option: {flags[path[0]].flag}")
        if isinstance(value, keys.Repeated) and not is_list(path):
            raise JobError(f"--set gives {key} more than once; leave all but one of them out")
        keys.put(job, path, value)
    columns = job["columns"] if isinstance(job["columns"], Mapping) else {}
    for name, plan in columns.items():
        if isinstance(plan, Mapping) and "role" not in plan:
            candidates = known if nearest(name, known) else columns_of(job)
            raise JobError(
                f"--set names the column {name!r}, which has no role; name it with --qi, --sensitive, --identifying or --keep"
                f"{'' if name in candidates else did_you_mean(name, candidates)}"
            )
    job = with_policy(job, base)
    checked(job, "--set")
    return adversary.with_columns(job)


def _treat(job: dict[str, Any], options: Options) -> None:
    """Add the pseudonyms and shifted dates of the options to the columns of the job."""
    try:
        shifts = {name: shift_of(text) for name, text in options.shift.items()}
    except ValueError as error:
        raise JobError(f"--shift {error}") from None
    for key, role, treatments in (
        ("pseudonym", "identifying", dict.fromkeys(options.pseudonym, True)),
        ("shift", "insensitive", shifts),
    ):
        for name, treatment in treatments.items():
            plan = job["columns"].get(name, {})
            if plan.get("role", role) != role:
                raise JobError(f"--{key} names {name!r}, which is {plan['role']}; it is for {role} columns")
            job["columns"][name] = {**plan, "role": role, key: treatment}


def _columns(declared: Mapping[str, Any], options: Options) -> dict[str, Any]:
    roles = [
        ("quasi-identifier", options.qi, "--qi"),
        ("sensitive", options.sensitive, "--sensitive"),
        ("identifying", options.identifying, "--identifying"),
        ("insensitive", options.keep, "--keep"),
    ]
    seen: dict[str, str] = {}
    for _, columns, flag in roles:
        for column in columns:
            if column in seen:
                both = f"twice in {flag}" if seen[column] == flag else f"in {seen[column]} and in {flag}"
                raise JobError(f"column {column!r} is {both}; a column has one role")
            seen[column] = flag
    plans = {name: plan for name, plan in declared.items() if not (options.qi and plan["role"] == "quasi-identifier")}
    typed = {}
    for role, columns, _ in roles:
        for column in columns:
            old = declared.get(column, {})
            typed[column] = {**old, "role": role} if old.get("role") == role else {"role": role}
    rest = {name: plan for name, plan in plans.items() if name not in typed}
    return typed | rest if options.qi else rest | typed


def _privacy(declared: Sequence[Any], options: Options) -> list[Any]:
    """The declared requirements with those of the options; `--k` replaces the k-anonymity of the job file."""
    replaces_k = options.k is not None and not options.names_key("privacy")
    requirements = [model for model in declared if not (replaces_k and model["model"] == "k-anonymity")]
    if isinstance(options.k, int) and options.k < 1:
        raise JobError(f"--k {options.k} is below 1; 1 disables k-anonymity, 5 is the default")
    if options.k is not None:
        requirements.append({"model": "k-anonymity", "k": options.k})
    requirements += [_required(text) for text in options.require]
    return requirements


def _adversaries(options: Options) -> dict[str, Any]:
    adversaries: dict[str, Any] = {}
    for text in options.adversary:
        name, content = adversary.written(text)
        if name in adversaries:
            raise JobError(f"two adversaries are named {name!r}; give them different names")
        adversaries[name] = content
    return adversaries


def _required(text: str) -> dict[str, Any]:
    """The model of one `--require`; raises `JobError` with the text as it was written."""
    content = registry.written(text)
    try:
        checked({"privacy": [content]}, f"--require {text}")
    except JobError as error:
        raise JobError(str(error).replace("privacy.0.", "").replace("privacy.0: ", "")) from error
    return content
