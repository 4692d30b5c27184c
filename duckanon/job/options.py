"""Options of the command line or of a call, laid over a job file's content: what was typed wins."""

import csv
import io
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from duckanon.errors import JobError, did_you_mean
from duckanon.job.file import checked
from duckanon.job.model import Job
from duckanon.privacy import registry

_LISTED = (
    "qi",
    "sensitive",
    "identifying",
    "keep",
    "hierarchies",
    "require",
    "missing",
    "partition_by",
    "pseudonym",
    "mask",
    "protect",
)


@dataclass(frozen=True)
class Options:
    """What `anonymize` takes beside a job file; None and empty leave the job as it is."""

    qi: Sequence[str] = ()
    sensitive: Sequence[str] = ()
    identifying: Sequence[str] = ()
    keep: Sequence[str] = ()
    hierarchies: Sequence[str] = ()
    k: int | None = None
    k_column: str | None = None
    entity: str | None = None
    require: Sequence[str] = ()
    max_suppression: str | float | None = None
    suppress: str | None = None
    protect: Sequence[str] = ()
    missing: Sequence[str | None] = ()
    missing_policy: str | None = None
    levels: Mapping[str, int] = field(default_factory=dict)
    max_loss: Mapping[str, float | str] = field(default_factory=dict)
    algorithm: str | None = None
    objective: str | None = None
    aggregate: str | None = None
    refine: bool | None = None
    time_limit: float | None = None
    max_nodes: int | None = None
    others: str | None = None
    shuffle: bool | None = None
    partition_by: Sequence[str] = ()
    population: str | None = None
    population_size: int | None = None
    policy: str | None = None
    decide_on: str | None = None
    cut: Mapping[str, str] = field(default_factory=dict)
    microaggregate: Mapping[str, str] = field(default_factory=dict)
    """`mean`, or with decimal places `mean:0`, a column."""
    pseudonym: Sequence[str] = ()
    mask: Sequence[str] = ()
    """`phone` for stars alone, `phone=2` with the last two characters left."""
    shift: Mapping[str, str] = field(default_factory=dict)
    """Days, by column of dates."""
    shift_by: str | None = None
    release: str | None = None
    pseudonym_scope: str | None = None
    linkable: bool | None = None
    median: str | None = None
    show_extremes: bool | None = None

    def __post_init__(self) -> None:
        """Raises `JobError` where a list of names is one text, of which every letter would be a name."""
        for name in _LISTED:
            if isinstance(getattr(self, name), str | Mapping):
                raise JobError(f"{name} of the options needs a list of texts; a text or a mapping goes to anonymize itself")


def laid_over(content: Mapping[str, Any], options: Options) -> Job:
    """The checked job: its file's content with the options on top; raises `JobError`."""
    job = dict(content)
    # what a job leaves to the command line is no fault of its file
    checked(job | ({"release": "named"} if options.release else {}), "job file")
    job["columns"] = _columns(job.get("columns") or {}, options)
    if options.policy is not None:
        job["policy"] = options.policy
    for key, said in (("max-loss", options.max_loss), ("cut", options.cut)):
        for name, value in said.items():
            _check_quasi_identifier(job, name, f"--{key}")
            job["columns"][name] = {**job["columns"][name], key: value}
    for name, asked in options.microaggregate.items():
        if name not in job["columns"]:
            raise JobError(
                f"--microaggregate names {name!r}, which has no role; name it with --qi, --sensitive or --keep{did_you_mean(name, job['columns'])}"
            )
        function, _, places = asked.partition(":")
        job["columns"][name] = {**job["columns"][name], "microaggregate": function, **({"round": places} if places else {})}
    _treat(job, options)
    job["privacy"] = _privacy(job.get("privacy") or [], options)
    _lay(job, "suppression", limit=options.max_suppression, style=options.suppress)
    _lay(job, "missing", tokens=list(options.missing) or None, policy=options.missing_policy)
    _lay(
        job,
        "recoding",
        algorithm=options.algorithm,
        objective=options.objective,
        aggregate=options.aggregate,
        levels=dict(options.levels) or None,
        refine=options.refine,
        median=options.median,
        **{"time-limit": options.time_limit, "max-nodes": options.max_nodes, "show-extremes": options.show_extremes},
    )
    _lay(job, "output", shuffle=options.shuffle, **{"partition-by": list(options.partition_by) or None})
    if options.protect:
        job["protect"] = list(options.protect)
    if options.release is not None:
        job["release"] = options.release
    if options.linkable is not None:
        job["linkable"] = options.linkable
    if options.entity is not None:
        job["entity"] = options.entity
    if options.others is not None:
        job["others"] = options.others
    if options.population is not None:
        job["population"] = options.population
    if options.population_size is not None:
        job["population-size"] = options.population_size
    if options.decide_on is not None:
        job["decide-on"] = options.decide_on
    return checked(job, "options")


def _check_quasi_identifier(job: Mapping[str, Any], name: str, flag: str) -> None:
    known = [one for one, plan in job["columns"].items() if plan["role"] == "quasi-identifier"]
    if name not in known:
        raise JobError(f"{flag} names {name!r}, which is not a quasi-identifier{did_you_mean(name, known)}")


def _treat(job: dict[str, Any], options: Options) -> None:
    """Gives columns that identify directly what takes their place."""
    masks = {name: {"last": last} if last else True for name, _, last in (one.partition("=") for one in options.mask)}
    shifts = {
        name: {"days": days} | ({"by": options.shift_by} if options.shift_by is not None else {})
        for name, days in options.shift.items()
    }
    if options.pseudonym_scope is not None and not options.pseudonym:
        raise JobError("--pseudonym-scope is about pseudonyms, and there are none; name their columns with --pseudonym")
    pseudonym: Any = True if options.pseudonym_scope is None else {"scope": options.pseudonym_scope}
    if options.shift_by is not None and not shifts:
        raise JobError("--shift-by says by whom dates are shifted, and none are; name them with --shift COLUMN=DAYS")
    for key, role, said in (
        ("pseudonym", "identifying", dict.fromkeys(options.pseudonym, pseudonym)),
        ("mask", "identifying", masks),
        ("shift", "insensitive", shifts),
    ):
        for name, treatment in said.items():
            plan = job["columns"].get(name, {})
            if plan.get("role", role) != role:
                raise JobError(f"--{key} names {name!r}, which is {plan['role']}; it is for {role} columns")
            job["columns"][name] = {**plan, "role": role, key: treatment}


def names(text: str) -> list[str]:
    """A list of column names, parted by commas; a name that holds one stands in double quotes."""
    try:
        found = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        found = []
    if not found or not all(found):
        raise JobError(f"{text!r} is no list of column names; write a,b,c")
    return found


def joined(items: Iterable[str]) -> str:
    """Names, or what is said of them, as a shell takes a list of the command line: an item that needs it stands in double quotes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="")
    quoting = csv.writer(text, lineterminator="", quoting=csv.QUOTE_ALL)
    for number, item in enumerate(items):
        text.write("," if number else "")
        (writer if item == item.strip() and item else quoting).writerow([item])
    return shlex.quote(text.getvalue())


def levels(text: str) -> dict[str, int]:
    """`age=2,sex=0` as a level a column."""
    chosen = {}
    for item in names(text):
        name, equals, level = item.rpartition("=")
        if not equals or not level.strip().isdecimal():
            raise JobError(f"{item!r} is no level; write COLUMN=NUMBER, as in age=2,sex=0")
        chosen[name.rstrip()] = int(level)
    return chosen


def said_of_columns(items: Sequence[str], flag: str, example: str) -> dict[str, str]:
    """What a repeated flag says of each column, as `COLUMN=0.7`; raises `JobError` with an example."""
    said = {}
    for item in items:
        name, equals, value = item.rpartition("=")
        if not equals or not name:
            raise JobError(f"{flag} {item!r} says nothing of a column; write {example}")
        said[name.strip()] = value.strip()
    return said


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
                raise JobError(f"column {column!r} stands {both}; a column has one role")
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
    requirements = [one for one in declared if not (is_said and one["model"] == "k-anonymity")]
    if isinstance(options.k, int) and options.k < 1:
        raise JobError(f"--k {options.k} is below 1; 1 switches k-anonymity off, 5 is the default")
    if options.k is not None:
        requirements.append({"model": "k-anonymity", "k": options.k})
    if options.k_column is not None:
        requirements.append({"model": "k-anonymity", "k-column": options.k_column})
    requirements += [_required(text) for text in options.require]
    return requirements


def _required(text: str) -> dict[str, Any]:
    """The model that `--require` asks for; raises `JobError` that names it as it was written."""
    content = registry.written(text)
    try:
        checked({"privacy": [content]}, f"--require {text}")
    except JobError as error:
        raise JobError(str(error).replace("privacy.0.", "").replace("privacy.0: ", "")) from error
    return content


def _lay(job: dict[str, Any], section: str, **typed: Any) -> None:
    given = {key: value for key, value in typed.items() if value is not None}
    if given:
        job[section] = {**(job.get(section) or {}), **given}
