"""Questions in the terminal that make a hierarchy; every answer shows the resulting labels of the data."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from duckanon.cli.hierarchy_tables import tables
from duckanon.errors import DuckanonError, JobError, did_you_mean
from duckanon.signals import was_interrupted

if TYPE_CHECKING:
    from duckanon.hierarchy.session import ColumnSession

Content = dict[str, Any]

_LINES = 12
_MOST_DIGITS = 18
_NUMBERS = ("intervals", "rare", "order", "flat")
_DATES = ("dates", "flat")
_TEXTS = ("rare", "redaction", "codes", "levels", "order", "dates", "intervals", "flat")


@dataclass(frozen=True)
class Question:
    """A question, its current answer, and the hierarchy after an answer; raises `ValueError` for a wrong answer."""

    text: str
    now: Callable[[Content], str]
    answered: Callable[[Content, str], Content]


def check_terminal() -> None:
    """Raise `JobError` if there is no terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise JobError("the wizard needs a terminal, and there is none; use duckanon hierarchy suggest")


def run(bench: "ColumnSession", target: Path, *, overwrite: bool) -> Content | None:
    """Ask until the hierarchy is written; return None if the user ends without writing it."""
    console = Console(stderr=True, highlight=False, soft_wrap=True, markup=False)
    try:
        return _made(console, bench, target, overwrite=overwrite)
    except EOFError:
        console.print()
        return None


def _made(console: Console, bench: "ColumnSession", target: Path, *, overwrite: bool) -> Content | None:
    column, counts, content = bench.column, bench.counted, bench.suggested().content
    console.print(
        f"{column.name}: {column.type}, {counts.values:,} values in {counts.rows:,} rows. Enter keeps the value in brackets; Ctrl-C ends without writing."
    )
    _show(console, bench, content)
    kinds = _NUMBERS if column.is_number else _DATES if column.is_date else _TEXTS
    while True:
        kind = _chosen(console, "kind", kinds, content["kind"])
        if kind != content["kind"]:
            content = _begun(kind, bench)
        for question in _QUESTIONS[kind]:
            content = _answered(console, bench, question, content)
        match _chosen(console, f"write {target}", ("yes", "again", "no"), "yes"):
            case "yes":
                bench.write(content, target, overwrite=overwrite)
                return content
            case "no":
                return None


def _answered(console: Console, bench: "ColumnSession", question: Question, content: Content) -> Content:
    """The hierarchy after a valid answer."""
    while True:
        now = question.now(content)
        answer = _read_answer(console, f"{question.text} [{now}]: ")
        if not answer:
            return content
        try:
            answered = question.answered(content, answer)
            _show(console, bench, answered)
        except (ValueError, DuckanonError) as error:
            console.print(f"  {answer!r} is not valid: {error}")
        else:
            return answered


def _chosen(console: Console, text: str, known: Sequence[str], default: str) -> str:
    while True:
        answer = _read_answer(console, f"{text} ({', '.join(known)}) [{default}]: ").casefold() or default
        matches = [word for word in known if word == answer] or [word for word in known if word.startswith(answer)]
        if len(matches) == 1:
            return matches[0]
        console.print(f"  {answer!r} is not one of them{did_you_mean(answer, known)}")


def _read_answer(console: Console, prompt: str) -> str:
    """Read an answer; raises `EOFError` at the end of the input."""
    if was_interrupted():
        # a library swallowed the interrupt, and nothing would end the wait
        raise KeyboardInterrupt
    return console.input(prompt, markup=False).strip()


def _show(console: Console, bench: "ColumnSession", content: Content) -> None:
    console.print(f"\n{tables(bench.tried(content, limit=_LINES), _LINES)}\n")


def _begun(kind: str, bench: "ColumnSession") -> Content:
    """The first hierarchy of another kind."""
    begun: Mapping[str, Content] = {
        "intervals": {"widths": [10]},
        "dates": {"units": ["month", "year"]},
        "redaction": {"align": "left", "redact": "right", "steps": [1]},
        "codes": {"levels": [1]},
        "rare": {"below": [0.01]},
        "order": {"groups": [[2]], "function": "bounds"},
        "flat": {},
    }
    if kind == "levels":
        values = [line["value"] for line in bench.tried({"kind": "flat"})["values"] if line["value"] is not None]
        return {"kind": kind, "levels": [{"all": values}, "*"]}
    return {"kind": kind, **begun[kind]}


def _listed(text: str) -> list[str]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise ValueError("the list is empty")
    return parts


def _number(text: str) -> int | float:
    try:
        number = Decimal(text)
    except InvalidOperation as error:
        raise ValueError(f"{text!r} is not a number") from error
    if not number.is_finite() or number.adjusted() >= _MOST_DIGITS:
        raise ValueError(f"{text!r} is not a number of at most {_MOST_DIGITS} digits")
    return int(number) if number == number.to_integral_value() else float(number)


def _whole(text: str) -> int:
    if not text.strip().isdecimal():
        raise ValueError(f"{text.strip()!r} is not a whole number")
    return int(text)


def _ways(content: Content) -> str:
    if "widths" in content:
        return "every " + ", ".join(map(str, content["widths"]))
    return "at " + ", ".join(str(pair[1]) for pair in content["intervals"][:-1])


def _cut(content: Content, text: str) -> Content:
    """`every 5, 10, 20`, or `at 18, 25, 65`."""
    way, _, listed = text.partition(" ")
    if way not in ("every", "at"):
        raise ValueError("begin with every (widths: every 5, 10, 20) or with at (cuts: at 18, 25, 65)")
    numbers = [_number(part) for part in _listed(listed)]
    kept = {key: value for key, value in content.items() if key not in ("widths", "intervals", "groups", "range", "source")}
    if way == "every":
        return kept | {"widths": numbers}
    width = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    ends = [numbers[0] - width, *numbers, numbers[-1] + width]
    groups = {"groups": content["groups"]} if content.get("groups") else {}
    return kept | {"intervals": [list(pair) for pair in pairwise(ends)], "range": {"repeat": [ends[0], ends[-1]]}} | groups


def _together(content: Content) -> str:
    return (
        ", ".join(str(sizes[0] if len(sizes) == 1 else "+".join(map(str, sizes))) for sizes in content.get("groups", []))
        or "none"
    )


def _grouped(content: Content, text: str) -> Content:
    """`2, 2`: how many groups of the level below form a group; `1+3+2` for a sequence of sizes."""
    kept = {key: value for key, value in content.items() if key not in ("groups", "source")}
    if text == "none" or ("widths" in content and text == _together(content)):
        return kept
    return kept | {"groups": [[_whole(size) for size in part.split("+")] for part in _listed(text)]}


def _shares(content: Content, text: str) -> Content:
    return _with(content, below=[_number(part[:-1]) / 100 if part.endswith("%") else _number(part) for part in _listed(text)])


def _with(content: Content, **more: Any) -> Content:
    """A hierarchy with other values, without the `source` of the suggestion."""
    return {key: value for key, value in content.items() if key != "source"} | more


def _ranks(content: Content, text: str) -> Content:
    kept = {key: value for key, value in content.items() if key not in ("values", "source")}
    return kept if text == "of the type" else kept | {"values": _listed(text)}


def _members(content: Content, text: str) -> Content:
    """`North: Norway, Sweden; South: Portugal`: the groups of one level."""
    groups = {}
    for part in text.split(";"):
        label, colon, members = part.partition(":")
        if not colon:
            raise ValueError("write LABEL: member, member; LABEL: member")
        groups[label.strip()] = _listed(members)
    return _with(content, levels=[groups, "*"])


def _written(groups: Any) -> str:
    return "; ".join(f"{label}: {', '.join(members)}" for label, members in groups.items())


def _of(key: str, default: str = "") -> Callable[[Content], str]:
    def now(content: Content) -> str:
        held = content.get(key, default)
        return ", ".join(map(str, held)) if isinstance(held, list) else str(held)

    return now


_QUESTIONS: Mapping[str, Sequence[Question]] = {
    "intervals": (
        Question("intervals, every 5, 10, 20 or at 18, 25, 65", _ways, _cut),
        Question("how many together on each level above, such as 2, 2, or none", _together, _grouped),
    ),
    "dates": (
        Question(
            "units from narrow to wide: minute, hour, day, week, month, quarter, year, decade, century",
            _of("units"),
            lambda content, text: _with(content, units=_listed(text)),
        ),
    ),
    "redaction": (
        Question("aligned left or right", _of("align", "left"), lambda content, text: _with(content, align=text)),
        Question(
            "hidden from the right or the left", _of("redact", "right"), lambda content, text: _with(content, redact=text)
        ),
        Question(
            "how many characters each level hides, such as 1, 2, 4",
            _of("steps"),
            lambda content, text: _with(content, steps=[_whole(part) for part in _listed(text)]),
        ),
    ),
    "codes": (
        Question(
            "how many first characters each level keeps, such as 3, 1",
            _of("levels"),
            lambda content, text: _with(content, levels=[_whole(part) for part in _listed(text)]),
        ),
        Question(
            "characters that are ignored, such as .-, or none",
            lambda content: content.get("ignore") or "none",
            lambda content, text: _with(content, ignore="" if text == "none" else text),
        ),
    ),
    "rare": (
        Question("shares of the rows below which a value is rare, such as 1%, 5%", _of("below"), _shares),
        Question("label of rare values", _of("label", "other"), lambda content, text: _with(content, label=text)),
    ),
    "order": (
        Question(
            "the order: of the type, or all values, such as low, mid, high",
            lambda content: ", ".join(content["values"]) if "values" in content else "of the type",
            _ranks,
        ),
        Question("how many together on each level, such as 2, 2", _together, _grouped),
    ),
    "levels": (
        Question(
            "groups, such as North: Norway, Sweden; South: Portugal", lambda content: _written(content["levels"][0]), _members
        ),
    ),
    "flat": (),
}
