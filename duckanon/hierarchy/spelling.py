"""Whether two values are spellings of one."""

from collections.abc import Iterable
from unicodedata import combining, normalize


def respelled(value: str, known: Iterable[str]) -> str | None:
    """The known value of which this is another spelling; None if they may be two values, as Female and Male, E10.1 and E10.2.

    Case, accents, blanks and, without digits, punctuation may differ. Or two letters are swapped, or one behind the first differs.
    """
    folded = _folded(value)
    return next((other for other in known if folded and _is_near(folded, _folded(other))), None)


def _folded(value: str) -> str:
    letters = [letter for letter in normalize("NFKD", value.casefold()) if not combining(letter) and not letter.isspace()]
    return "".join(letters if any(map(str.isdigit, letters)) else filter(str.isalnum, letters))


def _is_near(left: str, right: str) -> bool:
    if left == right:
        return True
    begin = _shared(left, right)
    rests = (left[begin:], right[begin:])
    end = _shared(rests[0][::-1], rests[1][::-1])
    between = [rest[: len(rest) - end] for rest in rests]
    is_swap = len(between[0]) == 2 and between[0] == between[1][::-1]
    is_letter = begin > 0 and all(len(letters) <= 1 for letters in between)
    shortest = min(len(left), len(right))
    return "".join(between).isalpha() and ((is_swap and shortest >= 4) or (is_letter and shortest >= 5))


def _shared(left: str, right: str) -> int:
    """The number of letters with which both begin."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((place for place, letters in pairs if letters[0] != letters[1]), min(len(left), len(right)))
