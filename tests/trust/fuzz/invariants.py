"""What holds of every run, whatever it was given."""

import re
from collections.abc import Iterable

from tests.support.oracles.identifiers import SECRET as SECRET_KEY
from tests.trust.fuzz.running import Ended
from tests.trust.fuzz.values import SECRET, SECRET_NUMBER

CODES = (0, 1, 2, 3)
"""The documented ones; 130 takes a signal, and none is sent."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_OUR_SQL = re.compile(r"DuckDB: (Parser|Binder|Catalog|Syntax|Internal) Error|internal error", re.IGNORECASE)
"""What the database says of SQL that makes no sense: the SQL is ours."""
_ERROR = "duckanon: error: "


def check(ended: Ended, *, may_print: bool = False) -> None:
    """A documented code, a clear line for an error, no fault of our own, no secret, nothing injected, nothing spilled.

    `may_print`: standard output is the release itself, or what a command is for.
    """
    assert ended.code in CODES, ended.code
    errors = [line for line in ended.err.splitlines() if line.startswith(_ERROR)]
    assert "Traceback" not in ended.text
    assert "internal error" not in ended.err, ended.err
    assert not _OUR_SQL.search(ended.err), ended.err
    if ended.code == 0:
        assert not errors, errors
    elif not (ended.code in (1, 2) and ended.out):
        # a failing check prints its faults as data, on standard output
        assert len(errors) == 1, ended.err
        assert len(errors[0]) > len(_ERROR) + 10, errors
    assert not _CONTROL.search(ended.err.replace("\r\n", "\n")), ascii(ended.err)
    # the one documented exception: the values that a hierarchy does not cover
    lines = (ended.err if may_print else ended.text).splitlines()
    output = "\n".join(line for line in lines if "does not cover" not in line)
    assert SECRET not in output, "a secret text was printed"
    assert str(SECRET_NUMBER) not in output, "a secret number was printed"
    assert SECRET_KEY not in ended.text, "the key was printed"
    key = SECRET_KEY.encode()
    assert not [name for name, content in ended.after.items() if key in content and not name.endswith(".key")], (
        "the key is in a file"
    )
    assert not [name for name in ended.after if name.endswith("PWNED.csv")]
    assert not ended.spilled, ended.spilled


def check_untouched(ended: Ended, allowed: Iterable[str] = ()) -> None:
    """Nothing new in the folder, nothing of it changed, but for what is allowed."""
    known = set(allowed)
    assert ended.changed <= known, ended.changed
    assert ended.new <= known, ended.new


def check_companions(ended: Ended, place: str, allowed: Iterable[str] = ()) -> None:
    """Beside a release lies what is documented, and nothing else has changed."""
    others = {*allowed, place, f"{place}.manifest.json", f"{place}.job.yaml"}
    touched = {
        name
        for name in ended.new | ended.changed
        if name not in others and not name.startswith((f"{place}.recoding/", f"{place}/"))
    }
    assert not touched, touched
