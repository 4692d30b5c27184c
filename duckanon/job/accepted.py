"""Risks that a job accepts: cases that are refused unless `accept` names them, for one column or for all."""

from collections.abc import Mapping, Sequence

from duckanon.errors import did_you_mean

CASES: Mapping[str, str] = {
    "missing-values": "a missing sensitive value counts as a value, although it may be any of the others",
    "unreleased-columns": "the file has columns that its job or policy does not release",
    "direct-identifiers": "values look like direct identifiers, or hold them inside text",
    "assumed-any": "k holds only for adversaries who know any 3 quasi-identifiers, as version 0.2 assumed",
    "dependency": "the column discloses quasi-identifiers, or follows from them, beyond the released labels",
    "possible-values": "fewer values than required remain possible for persons in several equivalence classes",
    "key": "a retained column links rows of a person, although fewer than k persons have as many rows in the same classes",
    "linked-rows": "a column links rows of a person, although fewer than k persons have as many rows in the same classes",
}
"""Each case by its name, with what its acceptance means: the words after `{column}: ` in summary, manifest, report and attestation."""


def parsed(text: str) -> tuple[str, str | None]:
    """The case and the column of `CASE` or `CASE@COLUMN`; raises `ValueError` for an unknown case."""
    case, at, column = text.partition("@")
    if case not in CASES or (at and not column):
        raise ValueError(f"{text!r} is not a case to accept{did_you_mean(case, CASES)}; write CASE, or CASE@COLUMN")
    return case, column or None


def accepts(accepted: Sequence[str], case: str, column: str | None = None) -> bool:
    """Whether a case is accepted for a column: for all columns, or for this one."""
    if case not in CASES:
        raise KeyError(case)
    return any(each == case and name in (None, column) for each, name in map(parsed, accepted))


def described(text: str) -> str:
    """What an item of `accept` means, for readers."""
    case, column = parsed(text)
    return CASES[case] if column is None else f"{column}: {CASES[case]}"
