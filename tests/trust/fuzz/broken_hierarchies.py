"""Hierarchies with something wrong about them."""

from hypothesis import strategies as st

from tests.trust.fuzz.hierarchies import TOP, Hierarchy, grouped, right, table_bytes, texts_of
from tests.trust.fuzz.tables import Column

_BAD_YAML: tuple[str, ...] = (
    "",
    "kind: intervls\nwidths: [5]\n",
    "kind: intervals\n",
    "kind: intervals\nwidths: []\n",
    "kind: intervals\nwidths: [0]\n",
    "kind: intervals\nwidths: [-5]\n",
    "kind: intervals\nwidths: [.nan]\n",
    "kind: intervals\nwidths: [.inf, 1e400]\n",
    "kind: intervals\nwidths: [10, 5]\n",
    "kind: intervals\nwidths: [5, 7]\n",
    f"kind: intervals\nwidths: [{'9' * 60}]\n",
    "kind: intervals\nwidths: [0.0000000000000000000000001]\n",
    "kind: intervals\nintervals: [[0, 10], [5, 20]]\n",
    "kind: intervals\nintervals: [[0, 10], [15, 20]]\n",
    "kind: intervals\nintervals: [[10, 0]]\n",
    "kind: intervals\nintervals: [[0, 10], [10, 20]]\ngroups: [[2], [0]]\n",
    "kind: intervals\nintervals: [[0, 20], [20, 33]]\nrange: {label: [0, 5], snap: [5, 90], repeat: [10, 80]}\n",
    "kind: intervals\nintervals: [{min: 0, max: 20, label: young}, {min: 20, max: 2000000, label: young}]\n",
    "kind: intervals\nwidths: [5]\nrange: {label: [0, 1]}\n",
    "kind: intervals\nwidths: [5]\nfunction: prefix(99999999999)\n",
    "kind: intervals\nwidths: [5]\nfunction: evil(1)\n",
    "kind: intervals\nwidths: [5]\norigin: 2020-01-01\n",
    "kind: dates\nunits: [year, month]\n",
    "kind: dates\nunits: [week, year]\n",
    "kind: dates\nunits: [fortnight]\n",
    'kind: dates\nunits: [month]\nformats: {month: "%Q%s\'"}\n',
    'kind: dates\nunits: [month]\nformats: {month: "%"}\n',
    "kind: dates\nunits: [year]\nrange: {snap: [2000-01-01, 1990-01-01]}\n",
    "kind: codes\nlevels: []\n",
    "kind: codes\nlevels: [1, 2]\n",
    "kind: codes\nlevels: [0]\n",
    "kind: codes\nlevels: [99999999999]\n",
    "kind: codes\nlevels: [1, {x: A-M}]\n",
    "kind: codes\nlevels: [{x: A-M, y: K-Z}]\n",
    "kind: codes\nlevels: [{x: Z-A}]\n",
    "kind: codes\nlevels: [{x: A-ZZ}]\n",
    "kind: codes\nlevels: [{x: ''}]\nother: '*'\n",
    'kind: codes\nlevels: [{"\'; --": "\'-\'"}]\nother: "\'"\n',
    "kind: codes\nlevels: [1]\ndigits: 99\n",
    "kind: rare\nbelow: []\n",
    "kind: rare\nbelow: [0.5, 0.1]\n",
    "kind: rare\nbelow: [0]\n",
    "kind: rare\nbelow: [.nan]\n",
    "kind: rare\nbelow: [1.0e-30]\n",
    "kind: rare\nbelow: [0.2]\nlabel: '*'\n",
    "kind: order\nvalues: [a, b, a]\n",
    "kind: order\nvalues: [a, b, c]\ngroups: [[2, 0]]\n",
    "kind: order\ngroups: [[99999999999999999999]]\n",
    "kind: order\ngroups: [[]]\n",
    "kind: priority\npriorities: {a: .nan}\n",
    "kind: priority\npriorities: {a: 1, b: 1e999}\n",
    "kind: priority\nlevels: 0\n",
    "kind: priority\nlevels: 99999999999999999999\n",
    "kind: redaction\nlength: -1\n",
    "kind: redaction\nlength: 999999999999\n",
    "kind: redaction\ncharacter: \"''\"\n",
    'kind: redaction\ncharacter: "\'"\npad: "\\\\"\n',
    "kind: redaction\nsteps: [0]\n",
    "kind: redaction\nsteps: [3, 2]\n",
    'kind: tree\ntree: {"*": {a: , b: , a: }}\n',
    'kind: tree\ntree: {"*": {x: a, y: a}}\n',
    "kind: tree\ntree: [a, b]\n",
    "kind: tree\ntree: {top: [a], other: [b]}\n",
    "kind: tree\nfile: ../../etc/passwd\n",
    "kind: table\nfile: nowhere.csv\n",
    "kind: table\nfile: .\n",
    "kind: table\nrows: [[a, A, '*'], [a, B, '*']]\n",
    "kind: table\nrows: [[a, A, '*'], [b, B]]\n",
    "kind: table\nrows: [[a, A, '*'], [b, A, '+']]\n",
    "kind: table\nrows: []\n",
    "kind: table\nrows: [[]]\n",
    "kind: table\nrows: [a, b]\n",
    "kind: levels\nlevels: []\n",
    "kind: levels\nlevels:\n  - G: a, b\n  - '*'\n",
    "kind: levels\nlevels:\n  - G: a\n    H: a\n  - '*'\n",
    "kind: levels\nlevels: ['*', '*']\n",
    "kind: flat\nloss: [0, 2]\n",
    "kind: flat\nloss: [0, .nan]\n",
    "kind: flat\nloss: [0, 0.5, 1, 1, 1, 1]\n",
    "kind: flat\nmissing: bottom\n",
    "kind: flat\ntop: ''\n",
    'kind: flat\ntop: "a\\nb"\n',
    "kind: flat\nnested: maybe\n",
    "kind: flat\nkind: flat\n",
    "kind: flat\nx: &a [1]\ny: *a\n",
    "kind: !!python/object/apply:os.system ['touch PWNED.csv']\n",
    "kind: !!binary aGVsbG8=\n",
    "kind: flat\nloss: " + "[" * 250 + "]" * 250 + "\n",
    "? [a, b]\n: c\n",
    "1: 2\nnull: 3\n",
    "- kind\n- flat\n",
    "kind: [flat]\n",
    "kind: {flat: flat}\n",
    "kind: null\n",
    "\tkind: flat\n",
    "kind: flat\n--- \nkind: flat\n",
)


@st.composite
def broken(draw: st.DrawFn, column: Column) -> Hierarchy:
    """A hierarchy with something wrong about it, whatever the column is."""
    match draw(st.integers(0, 4)):
        case 0 | 1:
            return Hierarchy(".yaml", draw(st.sampled_from(_BAD_YAML)).encode(), {}, "bad YAML")
        case 2:
            ending = draw(st.sampled_from([".yaml", ".csv", ".parquet", ".tsv"]))
            return Hierarchy(ending, draw(st.binary(max_size=200)), {}, "random bytes")
        case 3:
            return draw(_damaged(column))
    base = draw(right(column))
    content = bytearray(base.content)
    for position in draw(st.lists(st.integers(0, max(0, len(content) - 1)), max_size=3)):
        if content:
            content[position] = draw(st.integers(0, 255))
    return Hierarchy(base.ending, bytes(content), {}, "bytes changed")


@st.composite
def _damaged(draw: st.DrawFn, column: Column) -> Hierarchy:
    """A value table with one fault."""
    texts = texts_of(column) or ["a", "b", "c"]
    lines: list[list[str | None]] = [[*line] for line in grouped(texts, [2], ["g"]).values()] or [["a", "g", TOP]]
    first = lines[0]
    match draw(st.integers(0, 11)):
        case 0:
            lines.pop()
        case 1:
            lines.append([first[0], "other parent", TOP])
        case 2:
            lines.append(["elsewhere", first[1], "another top"])
        case 3:
            lines = [[text, text, *line[1:]] for text, line in zip(texts, lines, strict=False)]
        case 4:
            lines[0] = [*first, "one more"]
        case 5:
            lines[0] = first[:-1]
        case 6:
            lines = [[line[0], *(f"l{level}" for level in range(150)), TOP] for line in lines]
        case 7:
            lines = [[line[0], texts[-1], TOP] for line in lines]
        case 8:
            lines[0] = [first[0], "", ""]
        case 9:
            lines.append([None, "g.0.0", TOP])
        case 10:
            lines.insert(0, ["value", "level 1", "level 2"])
        case 11:
            lines = [[line[0], "x", "y"] for line in lines] + [["z", "x", "x"]]
    delimiter = draw(st.sampled_from([";", ",", "\t"]))
    return Hierarchy(".csv", table_bytes(lines, delimiter), {}, "one fault")
