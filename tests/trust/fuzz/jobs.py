"""Job files: valid ones, and ones with accidental or deliberate faults."""

import copy
from collections.abc import Iterator
from typing import Any

import yaml
from hypothesis import strategies as st

from tests.trust.fuzz.names import HOSTILE, PLANTED

RIGHT: tuple[dict[str, Any], ...] = (
    {
        "version": 1,
        "columns": {
            "age": {
                "role": "quasi-identifier",
                "hierarchy": {"kind": "intervals", "widths": [5, 10]},
                "max-level": 2,
                "weight": 1.5,
                "max-loss": 0.9,
            },
            "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
            "job": {"role": "sensitive"},
            "name": {"role": "identifying", "mask": {"first": 1, "last": 2}},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "variant": "distinct", "l": 1, "column": "job"}],
        "suppression": {"limit": "20%", "style": "drop"},
        "protect": ["job"],
        "recoding": {"algorithm": "optimal", "objective": "loss", "aggregate": "mean"},
        "output": {"shuffle": True, "path": "out.parquet"},
    },
    {
        "source": "people.parquet",
        "missing": {"tokens": ["?", None], "policy": "value"},
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": {"kind": "order", "groups": [[2], [3]]}},
            "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "table", "rows": [["F", "*"], ["M", "*"]]}},
            "pay": {"role": "sensitive", "microaggregate": "mean", "round": 1},
            "job": {"role": "sensitive", "order": ["a", "b", "c"]},
        },
        "others": "keep",
        "linked": [["sex", "name"]],
        "privacy": [{"model": "t-closeness", "distance": "ordered", "t": 0.9, "column": "job"}],
        "policy": "internal",
        "decide-on": "qi",
        "recoding": {"algorithm": "samarati", "levels": {"age": 2, "sex": 0}},
        "about": {"purpose": "test", "review": "2027-11-01"},
    },
    {
        "columns": {
            "age": {"role": "quasi-identifier", "cut": "order"},
            "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "highest-risk", "risk": 0.5}],
        "entity": "name",
        "population-size": 1000,
        "recoding": {"algorithm": "mondrian", "median": "le", "show-extremes": True},
        "output": {"partition-by": ["sex"], "path": "parts"},
    },
    {
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10]}},
            "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
            "job": {"role": "sensitive"},
            "name": {"role": "identifying", "pseudonym": {"domain": "person"}},
            "born": {"role": "insensitive", "shift": {"days": 30, "by": "name"}},
        },
        "release": "spring",
        "privacy": [{"model": "alpha-k-anonymity", "alpha": 0.9, "k": 2, "column": "job"}, {"model": "k-map", "k": 1}],
        "population": "people.parquet",
        "recoding": {"algorithm": "local", "passes": [{"age": 0, "sex": 1}], "time-limit": 5, "max-nodes": 100},
    },
)

_WRONG: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, 10**40, -(10**40), float("nan"), float("inf"), 1e-320, "", " ", "a", "1", "nan", "1e999", "²"),
    *([], [None], [[]], [1, 1], ["a", "a"], {}, {"a": None}, {None: 1}, {1: 2}, {"": ""}, {True: False}),
    *(PLANTED, "{{ 7*7 }}", "a\nb", "x" * 300, "nul\x00", "-", "::", ".", "/proc/out.parquet", "../out.parquet"),
    *("quasi-identifier", "optimal", "*", "people.parquet", "job.yaml", "https://example.org/x.parquet"),
)

_TEXTS = (
    b"",
    b"\n",
    b"---\n",
    b"null",
    b"just text",
    b"- a\n- b\n",
    b"a: [",
    b"\ta: 1\n",
    b"a: 1\n---\nb: 2\n",
    b"version: 1\nversion: 1\n",
    b"columns: {age: {role: sensitive}, age: {role: sensitive}}\n",
    b"a: &a [x]\nb: *a\n",
    b"a: &a {<<: *a}\n",
    b"a: &a [1]\n" + b"".join(b"%c: &%c [%s]\n" % (98 + i, 98 + i, b", ".join([b"*%c" % (97 + i)] * 9)) for i in range(8)),
    b"columns: " + b"{a: " * 300 + b"}" * 300,
    b"columns: " + b"[" * 150 + b"]" * 150,
    b"\xff\xfe\x00a",
    "spalte: größe".encode("latin-1"),
    "version: 1".encode("utf-16"),
    b"\xef\xbb\xbfversion: 1\n",
    b"version: 1\x00\n",
    b"version: !!python/object/apply:os.system ['touch PWNED.csv']\n",
    b"version: !!binary aGVsbG8=\n",
    b"version: !!set {a, b}\n",
    b"version: 0x1\n",
    b"version: 1e0\n",
    b"version: 2020-13-45\n",
    b"about: {x: 2020-02-30}\n",
    b"about: {x: 9999999-01-01 00:00:00}\n",
    b"about: {x: 190:20:30}\n",
    b"about: {x: " + b"9" * 5000 + b"}\n",
    b"population-size: " + b"9" * 5000 + b"\n",
    b"? {a: b}\n: c\n",
    b"? [a, b]\n: c\n",
    b"? 2020-01-01\n: c\n",
    b"columns: {? [a]: {role: sensitive}}\n",
    b"columns: {2020-01-01: {role: sensitive}, 1: {role: sensitive}, no: {role: sensitive}, ~: {role: sensitive}}\n",
    b"%YAML 9.9\n---\nversion: 1\n",
    b'version: "\\ud800"\n',
    b'"\\uD800": 1\n',
    b'source: "a\\0b"\n',
    b'about: {x: "\\e[31m"}\n',
    b'"\\e[31m": 1\n',
    b"x" * (1 << 20) + b": 1\n",
)


def _places(content: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every key and every place of a list, however deep."""
    pairs = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in pairs:
        yield (*place, key)
        yield from _places(value, (*place, key))


@st.composite
def _mutated(draw: st.DrawFn) -> bytes:
    content = copy.deepcopy(draw(st.sampled_from(RIGHT)))
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2]))):
        *above, key = draw(st.sampled_from(list(_places(content))))
        part: Any = content
        for step in above:
            part = part[step]
        match draw(st.integers(0, 5)):
            case 0 | 1 | 2:
                part[key] = copy.deepcopy(draw(st.sampled_from(_WRONG)))
            case 3 if isinstance(part, dict):
                part[draw(st.sampled_from([f"{key}x", str(key).upper(), str(key)[1:], *HOSTILE[:8]]))] = part.pop(key)
            case 4:
                del part[key]
            case _:
                part[key] = [part[key]]
        if not content:
            break
    return yaml.safe_dump(content, allow_unicode=draw(st.booleans()), default_flow_style=draw(st.booleans())).encode()


@st.composite
def _scribbled(draw: st.DrawFn) -> bytes:
    content = bytearray(draw(_mutated()))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(content) - 1)))
        match draw(st.integers(0, 3)):
            case 0:
                content[at : at + 1] = bytes([draw(st.integers(0, 255))])
            case 1:
                content[at:at] = draw(
                    st.sampled_from([b"\t", b"\n", b"\x00", b"&a ", b"*a", b"!!str ", b"{", b"]", b": ", b"'", b"\xff"])
                )
            case 2:
                content[at : at + 10] = b""
            case 3:
                line = bytes(content).split(b"\n")[0]
                content += line + b"\n"
    return bytes(content)


def files() -> st.SearchStrategy[bytes]:
    """The bytes of a job file."""
    return st.one_of(_mutated(), _mutated(), _mutated(), _scribbled(), st.sampled_from(_TEXTS), st.binary(max_size=60))
