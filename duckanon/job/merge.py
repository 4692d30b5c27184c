"""Merge the options of a command line or a call into the content of a job file. An option replaces its job key."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from duckanon.errors import JobError, did_you_mean
from duckanon.job import adversary, policy
from duckanon.job.file import checked, with_policy
from duckanon.job.model import Job
from duckanon.job.options import Options
from duckanon.job.treatments import shift_of
from duckanon.option import declared
from duckanon.privacy import registry


def merged(content: Mapping[str, Any], options: Options, base: Path = Path(), *, is_replayed: bool = False) -> Job:
    """The checked job from the content of its file in the folder `base`, the options, and what only its policy gives; raises `JobError`.

    `is_replayed`: the job made a release, perhaps under an earlier meaning of its policy.
    """
    job = with_policy(content, base)
    if is_replayed and "policy" in job:
        job["policy"] = job["policy"].model_copy(update={"allow_adversaries": True, "least_any": 1})
    # a job file may leave `release` to the command line
    checked(job | ({"release": "named"} if options.release else {}), "job file")
    job["columns"] = _columns(job.get("columns") or {}, options)
    if options.adversary:
        job["adversaries"] = _adversaries(options)
    job = adversary.with_columns(job)
    for name, declaration in declared(type(options)).items():
        value = getattr(options, name)
        is_given = value is not None and (declaration.kind not in (Sequence, Mapping) or len(value) > 0)
        if declaration.option.key is not None and is_given:
            _put(job, declaration.option.key, value, declaration.flag)
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
    job["privacy"] = _privacy(job.get("privacy") or [], options)
    return policy.completed(checked(job, "options"))


def _put(job: dict[str, Any], key: str, value: Any, flag: str) -> None:
    """Set a key of the job, of a section (`recoding.levels`) or of each quasi-identifier in a mapping (`columns.*.cut`)."""
    section, _, key = key.rpartition(".")
    if section == "columns.*":
        for column, choice in value.items():
            _check_quasi_identifier(job, column, flag)
            job["columns"][column] = {**job["columns"][column], key: choice}
        return
    if isinstance(value, Sequence | Mapping) and not isinstance(value, str):
        value = dict(value) if isinstance(value, Mapping) else list(value)
    if section:
        job[section] = {**(job.get(section) or {}), key: value}
    else:
        job[key] = value


def _check_quasi_identifier(job: Mapping[str, Any], name: str, flag: str) -> None:
    known = [column for column, plan in job["columns"].items() if plan["role"] == "quasi-identifier"]
    if name not in known:
        raise JobError(f"{flag} names {name!r}, which is not a quasi-identifier{did_you_mean(name, known)}")


def _treat(job: dict[str, Any], options: Options) -> None:
    """Add the pseudonyms, masks and shifted dates of the options to the columns of the job."""
    masks = {name: {"last": last} if last else True for name, _, last in (mask.partition("=") for mask in options.mask)}
    by = {"by": options.shift_by} if options.shift_by is not None else {}
    try:
        shifts = {name: shift_of(text) | by for name, text in options.shift.items()}
    except ValueError as error:
        raise JobError(f"--shift {error}") from None
    if options.pseudonym_scope is not None and not options.pseudonym:
        raise JobError("--pseudonym-scope needs pseudonyms, but there are none; name their columns with --pseudonym")
    pseudonym: Any = True if options.pseudonym_scope is None else {"scope": options.pseudonym_scope}
    if options.shift_by is not None and not shifts:
        raise JobError("--shift-by needs shifted dates, but there are none; name them with --shift COLUMN=DAYS")
    for key, role, treatments in (
        ("pseudonym", "identifying", dict.fromkeys(options.pseudonym, pseudonym)),
        ("mask", "identifying", masks),
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
    is_said = options.k is not None or options.k_column is not None
    requirements = [model for model in declared if not (is_said and model["model"] == "k-anonymity")]
    if isinstance(options.k, int) and options.k < 1:
        raise JobError(f"--k {options.k} is below 1; 1 disables k-anonymity, 5 is the default")
    if options.k is not None:
        requirements.append({"model": "k-anonymity", "k": options.k})
    if options.k_column is not None:
        requirements.append({"model": "k-anonymity", "k-column": options.k_column})
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
