"""Bad input: one line that names the fault, the nearest valid name and the next step; the documented exit code; no file lost."""

import gzip
import io
import shutil
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest

from tests.support import levels
from tests.support.command_line import Cli, refused, run_command
from tests.support.rows import write_parquet, write_table

ROWS = [{"age": 20 + number % 5, "sex": "Male" if number % 2 else "Female", "name": f"secret{number}"} for number in range(40)]
ARGUMENTS = ("--qi", "age,sex", "--hierarchies", "adult/five-year", "-o", "out.parquet")

ANONYMIZE = ("anonymize", "people.parquet", "--qi", "age")
JOB = ("anonymize", "people.parquet", "--job", "j.yaml")
SHOW = ("hierarchy", "show", "h.yaml")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return write_parquet(tmp_path / "people.parquet", ROWS)


@pytest.mark.parametrize(
    ("arguments", "code", "phrases"),
    [
        (["--qi", "sexx"], 2, ["'sexx' is not a column", "did you mean 'sex'?"]),
        (["--sensitive", "sex"], 2, ["'sex'", "--qi", "--sensitive", "one role"]),
        (["--qi", "age,age"], 2, ["'age'", "twice in --qi"]),
        (["--k", "0"], 2, ["--k 0 is below 1"]),
        (["--k", "-3"], 2, ["--k -3 is below 1"]),
        (["--k", "41"], 1, ["k = 41", "40 rows", "lower --k"]),
        (["--max-suppression", "150%"], 2, ["150%", "0% to 100%"]),
        (["--max-suppression", "-1"], 2, ["-1"]),
        (["--max-suppression", "1.5"], 2, ["1.5"]),
        (["--max-suppression", "lots"], 2, ["'lots'", "5%"]),
        (["--hierarchies", "adult/five-yaer"], 2, ["adult/five-yaer", "did you mean 'adult/five-year'?"]),
        (["--hierarchies", "sex=nowhere.csv"], 2, ["nowhere.csv"]),
        (["--hierarchies", "name=x.csv"], 2, ["'name'", "not a quasi-identifier"]),
        (["--levels", "age=9"], 2, ["level 9", "0 to 4"]),
        (["--levels", "agee=1"], 2, ["'agee'", "did you mean 'age'?"]),
        (["--levels", "age"], 2, ["age=2"]),
        (["--require", "kk=5"], 2, ["'kk'"]),
        (["--require", "k=many"], 2, ["k=5"]),
        (["--algorithm", "optimum"], 2, ["optimum", "optimal"]),
        (["--qii", "age"], 2, ["--qii"]),
        (["-o", "out.xlsx"], 2, ["out.xlsx", ".parquet"]),
        (["-o", "nowhere/out.parquet"], 3, ["nowhere", "does not exist"]),
        (["--memory-limit", "lots"], 2, ["lots"]),
        (["--workspace", "duckanon.duckdb"], 2, ["duckanon.duckdb"]),
        (["--set", "names=[a,b]"], 2, ["names", "Parquet"]),
        (["--job", "nothing.yaml"], 2, ["nothing.yaml"]),
    ],
)
def test_wrong_options_are_refused(people: Path, cli: Cli, arguments: Sequence[str], code: int, phrases: Sequence[str]) -> None:
    before = people.read_bytes()
    refused(cli("anonymize", people, *ARGUMENTS, *arguments), code, *phrases)
    assert people.read_bytes() == before
    assert sorted(path.name for path in people.parent.iterdir()) == ["people.parquet"]


def test_a_missing_file_is_named_with_its_nearest_neighbour(people: Path, cli: Cli) -> None:
    missing = people.with_name("poeple.parquet")
    refused(cli("anonymize", missing, *ARGUMENTS), 3, "poeple.parquet", "did you mean", "people.parquet")
    (people.parent / "folder").mkdir()
    refused(cli("anonymize", "folder", *ARGUMENTS), 3, "is a folder without")


def test_no_row_left_after_dropping_missing_ones_is_refused(people: Path, cli: Cli) -> None:
    refused(
        cli("anonymize", people, *ARGUMENTS, "--missing", "Male", "--missing", "Female", "--set", "missing.policy=drop"),
        3,
        "no rows after rows with missing values in any column are dropped",
    )


def test_a_hierarchy_that_misses_values_names_them_with_their_rows_and_spelling(people: Path, cli: Cli, tmp_path: Path) -> None:
    write_table(tmp_path / "sex.csv", [["Male", "*"], ["female", "*"]])
    refused(
        cli("anonymize", people, *ARGUMENTS, "--hierarchies", "sex=sex.csv"),
        2,
        "column 'sex'",
        "'Female' (20 rows, did you mean 'female'?)",
    )


def test_the_old_output_outlives_an_infeasible_run(people: Path, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "out.parquet").write_bytes(b"old")
    refused(cli("anonymize", people, *ARGUMENTS, "--overwrite", "--k", "41"), 1, "infeasible")
    assert (tmp_path / "out.parquet").read_bytes() == b"old"


def test_an_unwritable_folder_is_refused(people: Path, cli: Cli) -> None:
    """`/proc` refuses files even to root."""
    refused(cli("anonymize", people, *ARGUMENTS, "-o", "/proc/out.parquet"), 3, "/proc")


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("privcy: []", ["'privcy'", "did you mean 'privacy'?"]),
        ("columns: {age: {role: quasi-identifier, heirarchy: x}}", ["columns.age.heirarchy", "did you mean 'hierarchy'?"]),
        ("columns: {age: {role: quasi-identifer}}", ["quasi-identifer", "did you mean 'quasi-identifier'?"]),
        ("suppression: {limit: 150%}", ["150%"]),
        ("privacy: [{model: k-anonymity, k: 0}]", ["privacy.0.k"]),
        ("version: 2", ["version"]),
        ("a: [", ["not YAML"]),
        ("just text", ["not a mapping"]),
        ("columns: {agee: {role: quasi-identifier}}", ["'agee'", "did you mean 'age'?"]),
    ],
)
def test_a_wrong_job_file_is_refused(people: Path, cli: Cli, tmp_path: Path, text: str, phrases: Sequence[str]) -> None:
    (tmp_path / "job.yaml").write_text(text)
    refused(cli("anonymize", people, "--job", "job.yaml", "-o", "out.parquet"), 2, *phrases)
    assert not (tmp_path / "out.parquet").exists()


def test_no_quasi_identifiers_and_no_matching_set_is_refused(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"id": number, "email": f"p{number}@example.org"} for number in range(9)])
    refused(cli("anonymize", "in.parquet"), 2, "--qi", "id, email", narrates=True)


def test_no_input_is_refused(cli: Cli) -> None:
    refused(cli("anonymize"), 2, "no input", "duckanon demo")


def test_many_rows_that_are_left_out_for_missing_values_are_counted_in_a_warning(cli: Cli, tmp_path: Path) -> None:
    rows = [{"sex": "fm"[number % 2], "income": None if number % 4 else number} for number in range(400)]
    write_parquet(tmp_path / "in.parquet", rows)
    run = cli("anonymize", "in.parquet", "--qi", "sex", "--set", "missing.policy=drop", "-o", "out.parquet", code=0)
    assert "warning: 300 of 400 rows have a missing value in some column and are left out" in run.err
    write_parquet(tmp_path / "in.parquet", [{**row, "income": row["income"] or 1} for row in rows])
    assert (
        "left out" not in cli("anonymize", "in.parquet", "--qi", "sex", "--set", "missing.policy=drop", "-o", "b.parquet").err
    )


def test_the_rule_for_missing_values_is_no_advice_for_a_sensitive_column(cli: Cli, tmp_path: Path) -> None:
    write_parquet(
        tmp_path / "in.parquet", [{"sex": "fm"[number % 2], "ill": "?" if number < 5 else "x"} for number in range(40)]
    )
    (tmp_path / "ill.csv").write_text("x;*\n")
    (tmp_path / "job.yaml").write_text(
        "columns: {sex: {role: quasi-identifier, hierarchy: {kind: flat}}, ill: {role: sensitive, hierarchy: ill.csv}}\n"
        "privacy: [{model: k-anonymity, k: 2}, {model: t-closeness, t: 0.5, distance: hierarchical, column: ill}]\n"
    )
    declared = ("--missing", "?", "--set", "missing.policy=top", "--set", "accept=missing-values@ill")
    run = cli("anonymize", "in.parquet", "--job", "job.yaml", *declared, "-o", "out.parquet", code=2)
    assert "does not cover '?' (5 rows); add it" in run.err
    assert "missing.policy" not in run.err


def archive(content: bytes, *, is_encrypted: bool = False) -> bytes:
    """A ZIP archive of one file; where it is encrypted, its headers say so."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as members:
        members.writestr("in.csv", content)
    written = bytearray(file.getvalue())
    if is_encrypted:
        written[6] |= 1
        written[written.index(b"PK\x01\x02") + 8] |= 1
    return bytes(written)


FILES: list[tuple[str, bytes, tuple[str, ...], int, str]] = [
    (
        "in.zip",
        archive(b"age\n1\n", is_encrypted=True),
        ("anonymize", "in.zip", "--qi", "age"),
        3,
        "is an encrypted ZIP archive",
    ),
    ("in.zip", archive(gzip.compress(b"age\n1\n")), ("anonymize", "in.zip", "--qi", "age"), 3, "holds another archive"),
    ("in.zip", archive(b""), ("anonymize", "in.zip", "--qi", "age"), 3, "holds an empty file"),
    (
        "h.yaml",
        b"kind: intervals\nwidths: [5]\nrange: {snap: [0, 10], repeat: [0, 20]}",
        SHOW,
        2,
        "line 3: range: repeat must be",
    ),
    ("h.yaml", b"kind: dates\nunits: [year]\nrange: {repeat: [2000-01-01, null]}", SHOW, 2, "the calendar already repeats"),
    ("h.yaml", b'kind: table\nrows: [["a\\0", "*"]]', SHOW, 2, "contains a character that tables cannot store"),
    ("j.yaml", b"columns: {age: {role: identifying, microaggregate: mean}}", JOB, 2, "columns.age: is microaggregated, but"),
    ("file", b"", (*ANONYMIZE, "--temp-directory", "file"), 3, "--temp-directory 'file' cannot be used: Not a directory"),
    ("file", b"", (*ANONYMIZE, "--register", "r.duckdb", "-o", "-"), 2, "--register records a release with its manifest, and"),
]


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(("name", "content", "arguments", "code", "phrase"), FILES, ids=[phrase for *_, phrase in FILES])
def test_a_wrong_file_is_refused(
    cli: Cli, tmp_path: Path, name: str, content: bytes, arguments: Sequence[str], code: int, phrase: str
) -> None:
    (tmp_path / name).write_bytes(content)
    refused(cli(*arguments), code, phrase)


def test_a_removed_word_names_its_replacement(people: Path, cli: Cli) -> None:
    refused(cli("hierarchy", "wizard", people, "--column", "age"), 2, "No such command 'wizard'; duckanon studio FILE")
    refused(cli("anonymize", people, "--qi", "age", "--algorithm", "datafly"), 2, "datafly was removed, use greedy")
    refused(
        cli("compare", people, "--qi", "age", "--algorithms", "optimal,descent"),
        2,
        "'descent' of --algorithms was removed; use optimal",
    )
    (people.parent / "job.yaml").write_text("recoding: {objective: entropy}", encoding="utf-8")
    refused(
        cli("anonymize", people, "--job", people.parent / "job.yaml"), 2, "recoding.objective: entropy was removed; use loss"
    )
    refused(cli("anonymize", people, "--sql"), 2, "No such option: --sql; --workspace FILE.duckdb")


# Tables of few rows, values or columns: a run succeeds if it can, and otherwise ends with one line


QI = ["age", "town"]
DATA = {
    "nulls": "select if(i % 7 = 0, null, 20 + i % 30) as age, if(i % 11 = 0, null, 't' || i % 3) as town, 'i' || i % 4 as ill from range(200) t(i)",
    "one row": "select 30 as age, 'x' as town, 'i' as ill",
    "one value": "select 30 as age, 'x' as town, 'i' || i % 4 as ill from range(50) t(i)",
    "a constant sensitive column": "select 20 + i % 30 as age, 't' || i % 3 as town, 'i' as ill from range(200) t(i)",
    "no town": "select 20 + i % 30 as age, null::varchar as town, 'i' || i % 4 as ill from range(200) t(i)",
    "no age": "select null::int as age, 't' || i % 3 as town, 'i' || i % 4 as ill from range(200) t(i)",
    "no age and no type": "select null as age, 't' || i % 3 as town, 'i' || i % 4 as ill from range(200) t(i)",
    "no quasi-identifier": "select null as age, null as town, 'i' || i % 4 as ill from range(200) t(i)",
    "no sensitive value": "select 20 + i % 30 as age, 't' || i % 3 as town, null as ill from range(200) t(i)",
}
REQUIRED = {
    "k": "k=5",
    "k of one": "k=1",
    "l": "distinct-l=2",
    "too great an l": "distinct-l=9",
    "t": "t=0",
    "entropy": "entropy-l=1.5",
}


def distance(values: Counter[object], whole: Counter[object]) -> float:
    """How far apart two distributions are, all values being equally far apart."""
    return sum(abs(values[value] / values.total() - whole[value] / whole.total()) for value in whole) / 2


@pytest.mark.parametrize(
    ("algorithm", "data", "required"), levels.spread(["mondrian", "local", "optimal"], [*DATA], [*REQUIRED], turns=2)
)
def test_what_can_be_released_is_released(tmp_path: Path, cli: Cli, algorithm: str, data: str, required: str) -> None:
    """Where all rows as one class satisfy, there is a release; where they do not, there is none, and one line says why.

    A class without a known sensitive value satisfies no model of the column.
    """
    duckdb.execute(f"copy ({DATA[data]}) to '{tmp_path / 'in.parquet'}' (format parquet)")
    whole: Counter[object] = Counter(
        value for (value,) in duckdb.execute(f"select ill from '{tmp_path / 'in.parquet'}'").fetchall()
    )
    k, least = (1 if required == "k of one" else 5), {"l": 2, "too great an l": 9, "entropy": 2, "t": 1}.get(required, 0)
    known = {value for value in whole if value is not None}
    options = [
        "--qi",
        ",".join(QI),
        "--sensitive ill",
        "--k",
        str(k),
        "--algorithm",
        algorithm,
        "--require",
        REQUIRED[required],
    ]
    done = cli("anonymize", "in.parquet", "-o", "out.parquet", *options, "-q")
    if whole.total() < k or len(known) < least:
        refused(done, 1, "infeasible", narrates=True)
        assert not (tmp_path / "out.parquet").exists()
        return
    assert done.code == 0, done.err
    classes: dict[tuple[object, ...], Counter[object]] = {}
    for *labels, ill in duckdb.execute(f"select {', '.join(QI)}, ill from '{tmp_path / 'out.parquet'}'").fetchall():
        classes.setdefault(tuple(labels), Counter())[ill] += 1
    assert min(group.total() for group in classes.values()) >= k
    assert min(len(group) for group in classes.values()) >= least
    assert required != "t" or max(distance(group, whole) for group in classes.values()) < 1e-9


@pytest.mark.parametrize(("policy", "algorithm"), levels.spread(["value", "top", "drop"], ["mondrian", "local", "optimal"]))
def test_a_quasi_identifier_without_a_value(tmp_path: Path, cli: Cli, algorithm: str, policy: str) -> None:
    """Under each policy, from CSV too: rows that are dropped as missing leave nothing, which one line says."""
    source = DATA["no town"]
    duckdb.execute(f"copy ({source}) to '{tmp_path / 'in.parquet'}' (format parquet)")
    duckdb.execute(f"copy ({source}) to '{tmp_path / 'in.csv'}' (header)")
    for name in ("in.parquet", "in.csv"):
        options = ["--qi age,town", "--algorithm", algorithm, "--set", f"missing.policy={policy}", "--k 5 -q --overwrite"]
        done = cli("anonymize", name, "-o", "out.parquet", *options)
        if policy == "drop":
            refused(done, 3, "no rows after rows with missing values", "leave out a column that is empty", narrates=True)
            continue
        assert done.code == 0, done.err
        shown = duckdb.execute(f"select town, count(*) from '{tmp_path / 'out.parquet'}' group by all").fetchall()
        assert {town for town, _ in shown} <= {None, "*"}


@pytest.mark.parametrize("algorithm", ["mondrian", "local", "optimal"])
def test_a_table_without_rows(tmp_path: Path, cli: Cli, algorithm: str) -> None:
    duckdb.execute(f"copy ({DATA['nulls']} limit 0) to '{tmp_path / 'empty.parquet'}' (format parquet)")
    (tmp_path / "empty.csv").write_text("age,town,ill\n")
    (tmp_path / "nothing.csv").write_text("")
    for name, phrase in (("empty.parquet", "has no rows"), ("empty.csv", "has no rows"), ("nothing.csv", "is empty")):
        options = ["--qi", "age,town", "--sensitive", "ill", "--algorithm", algorithm, "--require", "t=0"]
        refused(cli("anonymize", name, "-o", "out.parquet", *options), 3, phrase, narrates=True)


# No output takes the place of a file that the same command reads or writes, also where it may overwrite


OWN_ANONYMIZE = ("anonymize", "in.parquet", "--job", "job.yaml", "-o", "new.parquet")
BUILD = ("hierarchy", "build", "a.csv", "--data", "in.parquet", "--column", "a", "-o")


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An input, a hierarchy, a job, a release and a comparison, which no test changes."""
    tmp_path = tmp_path_factory.mktemp("laid")
    write_parquet(tmp_path / "in.parquet", [{"a": "xyz"[number % 3], "b": number % 2} for number in range(60)])
    write_table(tmp_path / "a.csv", [[value, "*"] for value in "uvwxyz"])
    write_table(tmp_path / "values.csv", [[value, "*"] for value in "uvwxyz"])
    (tmp_path / "named.yaml").write_text("kind: table\nfile: values.csv\n", encoding="utf-8")
    (tmp_path / "job.yaml").write_text("columns: {a: {role: quasi-identifier, hierarchy: a.csv}}\n", encoding="utf-8")
    assert run_command(tmp_path, "anonymize", "in.parquet", "--job", "job.yaml", "-o", "out.parquet").code == 0
    compared = run_command(tmp_path, "compare", "in.parquet", "--job", "job.yaml", "--json")
    (tmp_path / "compared.json").write_text(compared.out, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("profile", "in.parquet", "--report", "in.parquet"),
        ("profile", "in.parquet", "--job", "job.yaml", "--report", "job.yaml"),
        ("profile", "in.parquet", "--job", "job.yaml", "--report", "a.csv"),
        ("profile", "in.parquet", "--job", "job.yaml", "--write-job", "a.csv"),
        ("profile", "in.parquet", "--write-job", "in.parquet"),
        ("profile", "in.parquet", "--write-job", "new.yaml", "--report", "./new.yaml"),
        ("compare", "in.parquet", "--job", "job.yaml", "--report", "a.csv"),
        ("report", "out.parquet.manifest.json", "--comparison", "compared.json", "-o", "compared.json"),
        ("report", "out.parquet.manifest.json", "-o", "in.parquet"),
        (*BUILD, "in.parquet"),
        (*BUILD, "a.csv"),
        (*OWN_ANONYMIZE, "--workspace", "new.duckdb", "--register", "new.duckdb"),
        (*OWN_ANONYMIZE, "--workspace", "a.csv"),
        (*OWN_ANONYMIZE, "--register", "a.csv"),
        (*OWN_ANONYMIZE, "--register", "new.parquet"),
        (*OWN_ANONYMIZE, "--register", "new.duckdb", "--report", "new.duckdb"),
        (*OWN_ANONYMIZE, "--workspace", "new.duckdb", "--report", "new.duckdb"),
        (*OWN_ANONYMIZE, "--report", "new.html", "--public-report", "new.html"),
        (*OWN_ANONYMIZE[:-1], "a.csv"),
        (*OWN_ANONYMIZE[:-1], "values.csv", "--hierarchies", "a=named.yaml"),
        (*OWN_ANONYMIZE, "--hierarchies", "a=named.yaml", "--report", "values.csv"),
        ("hierarchy", "build", "named.yaml", "--data", "in.parquet", "--column", "a", "-o", "values.csv"),
    ],
    ids=" ".join,
)
def test_an_output_in_the_place_of_an_own_file_is_refused(laid: Path, arguments: tuple[str, ...]) -> None:
    before = {path: path.read_bytes() for path in laid.rglob("*") if path.is_file()}
    run = run_command(laid, *arguments, "--overwrite")
    assert (run.code, run.out, run.err.count("\n")) == (3, "", 1)
    assert "name another file" in run.err
    assert {path: path.read_bytes() for path in laid.rglob("*") if path.is_file()} == before


def test_a_job_file_may_be_written_again(laid: Path, tmp_path: Path, cli: Cli) -> None:
    shutil.copytree(laid, tmp_path, dirs_exist_ok=True)
    assert cli("profile", "in.parquet", "--job", "job.yaml", "--write-job", "job.yaml", "--overwrite").code == 0
    assert "quasi-identifier" in (tmp_path / "job.yaml").read_text(encoding="utf-8")


# What commands print for people has no control character of a column or a value: it could color, hide or move the text


AWKWARD = "\x1b[31mred\nline"
COMMANDS = {
    "explain": ("explain", "out.parquet.manifest.json"),
    "explain row": ("explain", "out.parquet.manifest.json", "--row", "1"),
    "risk": ("risk", "in.parquet", "--qi", f'"{AWKWARD}"', "--sets", f'"{AWKWARD}"'),
    "profile": ("profile", "in.parquet"),
    "check": ("check", "in.parquet", "--qi", f'"{AWKWARD}"', "--show-values"),
    "hierarchy check": ("hierarchy", "check", "flat.yaml", "--data", "in.parquet", "--column", AWKWARD),
    "hierarchy show": ("hierarchy", "show", "flat.yaml", "--data", "in.parquet", "--column", AWKWARD),
}


@pytest.fixture
def released(tmp_path: Path, cli: Cli) -> Path:
    write_parquet(tmp_path / "in.parquet", [{AWKWARD: f"\x1b[{number % 3}m\r", "other": number % 2} for number in range(30)])
    (tmp_path / "flat.yaml").write_text("kind: flat\n", encoding="utf-8")
    cli("anonymize", "in.parquet", "--qi", f'"{AWKWARD}"', "--k", "2", "-o", "out.parquet", code=0)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_text_has_no_control_characters(released: Path, cli: Cli, name: str) -> None:
    run = cli(*COMMANDS[name], cwd=released, code=0)
    assert "\\x1b[" in run.out
    assert not {character for character in run.out + run.err if not character.isprintable()} - {"\n"}
    assert not any(line.startswith("line") for line in run.out.splitlines())
