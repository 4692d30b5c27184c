"""Advice in messages: each message is provoked, its advice is followed, and the fault is gone."""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from tests.support.command_line import Cli, Finished, run_command
from tests.support.rows import write_parquet

Change = Callable[[Path], object]

RUN = "anonymize in.parquet -o out.parquet --overwrite"
ASKED = f"{RUN} --qi a,b --hierarchies a=a.csv --hierarchies b=b.csv"
SMALL = f"{RUN} --qi a --hierarchies a=a.csv"


def nothing(folder: Path) -> None:
    del folder


def text(name: str, content: str) -> Change:
    """Writes a file."""
    return lambda folder: (folder / name).write_text(content, encoding="utf-8")


def data(name: str, content: bytes) -> Change:
    return lambda folder: (folder / name).write_bytes(content)


def job(content: str) -> Change:
    return text("job.yaml", f"version: 1\n{content}")


def replaced(name: str, old: str, new: str) -> Change:
    """Edits a file as an error says."""

    def edit(folder: Path) -> None:
        content = (folder / name).read_text(encoding="utf-8")
        assert old in content
        (folder / name).write_text(content.replace(old, new), encoding="utf-8")

    return edit


def sql(statement: str) -> Change:
    """Makes a file with DuckDB, beside the other files."""

    def make(folder: Path) -> None:
        with duckdb.connect() as connection:
            connection.execute(statement.replace("@", f"{folder}/"))

    return make


def duckanon(*commands: str) -> Change:
    """Runs commands, which succeed."""

    def run(folder: Path) -> None:
        for command in commands:
            run_command(folder, *shlex.split(command), code=0)

    return run


def shell(command: str) -> Change:
    return lambda folder: subprocess.run(["bash", "-c", command], cwd=folder, check=True)


@dataclass(frozen=True)
class Case:
    """A message, how it is provoked, and what is done about it."""

    message: str
    """Part of the message as it stands in the sources, `{}` for what is filled in."""
    command: str
    follow: str | None = None
    """The command that follows it, `{0}` and so on for what was printed; the same one again unless given."""
    before: Change = nothing
    edit: Change = nothing
    """What is changed in a file before that."""
    warns: bool = False
    """Whether the message is a warning or a note, of a run that succeeds."""

    @property
    def pattern(self) -> re.Pattern[str]:
        parts = [re.escape(part) for part in self.message.split("{}")]
        return re.compile(
            "(.+?)".join(parts) + ("(\\S+)" if self.message.endswith("{}") else "")
            if parts[-1]
            else "(.+?)".join(parts[:-1]) + "(\\S+)"
        )


LEVELS = "--levels a=0,b=0"
MODEL = "--sensitive s"
INFEASIBLE = [
    Case(
        "raise --max-suppression to {} (",
        f"{ASKED} --k 8 --max-suppression 0 {LEVELS}",
        f"{ASKED} --k 8 --max-suppression {{0}} {LEVELS}",
    ),
    Case(
        "lower --k to at most {}",
        f"{ASKED} --k 8 --max-suppression 0 {LEVELS}",
        f"{ASKED} --k {{0}} --max-suppression 0 {LEVELS}",
    ),
    Case(
        "if the {} values of {} are no persons, count rows (--entity none)",
        "anonymize few.parquet -o out.parquet --overwrite",
        "anonymize few.parquet -o out.parquet --overwrite --entity none",
        before=sql(
            "copy (select 'ABC'[1 + i % 3] as id, i % 7 as age, i % 2 as sex from range(210) as t(i)) to '@few.parquet'"
        ),
    ),
    Case(
        "leave --protect out",
        f"{ASKED} --k 8 --max-suppression 50% {LEVELS} --protect a",
        f"{ASKED} --k 8 --max-suppression 50% {LEVELS}",
    ),
    Case("leave --levels out", f"{ASKED} --k 8 --max-suppression 0 {LEVELS}", f"{ASKED} --k 8 --max-suppression 0"),
    Case("lower l of {} to {}", f"{ASKED} {MODEL} --require distinct-l=9@s", f"{ASKED} {MODEL} --require distinct-l={{1}}@s"),
    Case("leave {} out", f"{ASKED} {MODEL} --require alpha-k=0.1,2@s", f"{ASKED} {MODEL}"),
    Case(
        "raise max-loss: --set columns.{}.max-loss={}",
        f"{SMALL} --k 15 --max-suppression 0 --set columns.a.max-loss=0.01",
        f"{SMALL} --k 15 --max-suppression 0 --set columns.{{0}}.max-loss={{1}}",
    ),
    Case(
        "choose --set decide-on=all",
        f"{ASKED} --k 2 --max-suppression 0 {MODEL} --require t=0.1 --set decide-on=qi",
        f"{ASKED} --k 2 --max-suppression 0 {MODEL} --require t=0.1 --set decide-on=all",
    ),
    Case(
        "raise max-level of {} to {}",
        f"{ASKED} --job job.yaml --k 15 --max-suppression 0",
        before=job("columns: {a: {role: quasi-identifier, max-level: 0}}"),
        edit=replaced("job.yaml", "max-level: 0", "max-level: 1"),
    ),
    Case(
        "drop {} ({})",
        f"{ASKED} --job job.yaml --k 15 --max-suppression 0",
        f"{RUN} {{1}} --k 15 --max-suppression 0 --hierarchies b=b.csv",
        before=job("columns: {a: {role: quasi-identifier, max-level: 0}}"),
    ),
    Case(
        "give at most {} in {}",
        f"{ASKED} --set 'privacy=[{{model: k-anonymity, k-column: own}}]' --max-suppression 0",
        edit=sql("copy (select * replace (40 as own) from '@in.parquet') to '@new.parquet'"),
        follow=f"{ASKED} --set 'privacy=[{{{{model: k-anonymity, k-column: own}}}}]' --max-suppression 0".replace(
            "in.parquet", "new.parquet"
        ),
    ),
    Case(
        "search again (duckanon anonymize)",
        "apply fixed.parquet.manifest.json other.parquet -o new.parquet",
        "anonymize other.parquet -o new.parquet --qi a --hierarchies a=a.csv --k 5",
    ),
    Case(
        "leave --{} out, or raise it",
        f"{ASKED} --k 2 --max-suppression 0 --set recoding.max-nodes=1 {MODEL} --require t=0.2 --job job.yaml",
        f"{ASKED} --k 2 --max-suppression 0 {MODEL} --require t=0.2 --job job.yaml",
        before=job("columns: {a: {role: quasi-identifier, weight: 2}}\nrecoding: {algorithm: greedy}"),
    ),
]

INPUTS = [
    Case(
        "if it is a header, leave `names` out",
        "anonymize named.csv --qi b -o out.csv --k 1 --set 'names=[c,b,d]'",
        "anonymize named.csv --qi a -o out.csv --k 1 --overwrite",
        before=text("named.csv", "row,a,x\n1,5,2\n1,5,3\n"),
        warns=True,
    ),
    Case(
        "{} is a DuckDB file; name one of its tables: {}",
        "anonymize t.duckdb --qi a -o out.csv --k 1",
        "anonymize t.duckdb::t --qi a -o out.csv --k 1",
        before=sql("attach '@t.duckdb' as d; create table d.t as select 1 as a; detach d"),
    ),
    Case(
        "has a name that duckanon uses itself; rename it",
        "anonymize own.csv --qi a -o out.csv --k 1",
        before=text("own.csv", "a,_rows\nx,1\n"),
        edit=replaced("own.csv", "_rows", "rows"),
    ),
    Case(
        "if that means missing, give {} --set missing.policy=drop",
        "anonymize marks.csv -o out.csv --overwrite",
        "anonymize marks.csv -o out.csv --overwrite {0} --set missing.policy=drop",
        before=text("marks.csv", "town,age\n" + "north,20\nsouth,30\nNA,30\n" * 20),
        warns=True,
    ),
]

PLACES = [
    Case(
        "output {} exists; give --overwrite, or name another file",
        f"{SMALL} --k 5".replace("--overwrite", ""),
        f"{SMALL} --k 5 --overwrite",
        before=text("out.parquet", "x"),
    ),
    Case("of the output does not exist; make it, or name another", f"{SMALL} -o there/new.parquet", edit=shell("mkdir there")),
]

OPTIONS = [
    Case("level {} of {} is not allowed; choose one from {} to {}", f"{SMALL} --levels a=7", f"{SMALL} --levels a={{3}} --k 2"),
    Case(
        "policy {} allows a suppression limit of {}, but {} is larger; lower it, or leave it out",
        f"{SMALL} --max-suppression 9% --policy ours.yaml",
        f"{SMALL} --max-suppression {{1}} --policy ours.yaml",
        before=text("ours.yaml", "name: ours\nmax-suppression: 8%\n"),
    ),
    Case("{} {} lacks {}; write {}", f"{SMALL} {MODEL} --require distinct-l", f"{SMALL} {MODEL} --require distinct-l=2"),
    Case(
        "could apply to {}; name the column, as in {}=...@{}",
        f"{SMALL} --sensitive s,b --require distinct-l=2",
        f"{SMALL} --sensitive s,b --require distinct-l=2@s",
    ),
    Case(
        "key file {} is accessible to other users; restrict it with: chmod 600 {}",
        f"{SMALL} --pseudonym id --release r --key-file key --set linkable=true",
        before=shell("chmod 644 key"),
        edit=shell("chmod 600 key"),
        warns=True,
    ),
    Case(
        "and --others keep would release {}; give {} a role: --identifying {} drops",
        f"{SMALL} --others keep",
        f"{SMALL} --others keep --identifying {{2}}",
    ),
]

HIERARCHIES = [
    Case(
        "lists {} {} times; keep one line per value",
        f"{RUN} --qi a --hierarchies a=h.csv --k 2",
        before=text("h.csv", "x;*\nx;*\ny;*\nz;*\n"),
        edit=text("h.csv", "x;*\ny;*\nz;*\n"),
    ),
    Case(
        "add it{}",
        f"{RUN} --qi a --hierarchies a=h.csv --k 2",
        before=text("h.csv", "x;*\ny;*\n"),
        edit=text("h.csv", "x;*\ny;*\nz;*\n"),
    ),
    Case(
        "correct it, or leave such lines out, counted: --set malformed=drop",
        "anonymize odd.csv --qi a -o out.csv --k 1",
        "anonymize odd.csv --qi a -o out.csv --k 1 --set malformed=drop",
        before=text("odd.csv", "a,b\nx,2\nx\ny,3\n"),
    ),
    Case(
        "do not decide its encoding, such as {}{}; name it with --set encoding=NAME",
        "anonymize odd.csv --qi a -o out.csv --k 1",
        "anonymize odd.csv --qi a -o out.csv --k 1 --set encoding=cp1250",
        before=data("odd.csv", "a,b\nKovačić,2\nBabić,3\n".encode("cp1250")),
    ),
]

VISITS = "anonymize visits.parquet -o out.parquet --overwrite --qi a --hierarchies a=a.csv"
LINKED = sql("copy (select a, s, 'p' || (n // 2 + if(n = 59, 1, 0)) as patient_id from '@in.parquet') to '@visits.parquet'")
"""A table with two rows of each person, but one row is that of a person of its own."""
CROSSED = "kind: table\nnested: false\nrows: [[x, A, C, '*'], [y, A, D, '*'], [z, B, D, '*']]\n"

OF_COLUMNS = [
    Case(
        "Use pseudonyms that are equal only within a class (--set columns.patient_id.pseudonym.scope=class), drop the column",
        f"{VISITS} --release r --key-file key --pseudonym patient_id",
        f"{VISITS} --release r --key-file key --pseudonym patient_id --set columns.patient_id.pseudonym.scope=class",
        before=LINKED,
    ),
    Case(
        "drop the column, generalize more, suppress these persons (--set suppression.isolated=true), or accept the linkage with --set linkable=true",
        f"{VISITS} --release r --key-file key --pseudonym patient_id",
        f"{VISITS} --release r --key-file key --identifying patient_id",
        before=LINKED,
    ),
    Case(
        "is not nested, so mondrian cannot cut along it; cut it into ranges: --set columns.{}.cut=order, or nest it",
        f"{RUN} --qi a --hierarchies a=h.yaml --algorithm mondrian --k 2",
        f"{RUN} --qi a --hierarchies a=h.yaml --algorithm mondrian --k 2 --set columns.{{0}}.cut=order",
        before=text("h.yaml", CROSSED),
    ),
]

MANIFEST = "fixed.parquet.manifest.json"

OF_RELEASES = [
    Case(
        "risk of {} is {}, above {}; anonymize it (duckanon anonymize), or drop a column from the file",
        "risk in.parquet --qi a,n --max-risk 0.5",
        "risk out.parquet --qi a,n --max-risk 0.5",
        edit=duckanon(f"{RUN} --qi a,n --hierarchies a=a.csv --entity none"),
    ),
    Case(
        "both releases together allow an intersection attack; use the recoding of the earlier release (duckanon apply), or withdraw one",
        f"{ASKED} -o two.parquet --levels a=1,b=0",
        "apply one.parquet.manifest.json in.parquet -o three.parquet",
        before=duckanon(f"{ASKED} -o one.parquet --levels a=0,b=1"),
        edit=shell("rm -r two.parquet*"),
        warns=True,
    ),
    Case(
        "the input of {} has moved ({}); name it with --input",
        f"explain {MANIFEST}",
        f"explain {MANIFEST} --input moved.parquet",
        before=shell("mv first.parquet moved.parquet"),
    ),
    Case(
        "if that line is a header, or give --set 'names=[a, b, c]' if it is a record",
        "anonymize odd.csv --qi a -o out.csv --k 1",
        before=text("odd.csv", "a,7\nx,y\nz,w\n"),
        edit=replaced("odd.csv", "a,7", "a,b"),
    ),
]

OF_A = "hierarchy show h.yaml --data in.parquet --column a"
OF_N = "hierarchy show h.yaml --data in.parquet --column n"
BOUNDED = "kind: intervals\nintervals: [{min: 0, max: 30, label: low}, {min: 30, max: 60, label: high}]\n"

OF_HIERARCHY_FILES = [
    Case(
        "has a cycle: {}; give one of them a parent outside it",
        OF_A,
        before=text("h.yaml", "kind: tree\npairs: [[x, A], [y, A], [z, A], [A, B], [B, A]]\n"),
        edit=replaced("h.yaml", "[B, A]", "[B, '*']"),
    ),
    Case(
        "set the ends with `range`, give each its own label, or set `duplicates: number`",
        OF_N,
        before=text("h.yaml", f"{BOUNDED}range: {{repeat: [0, 120]}}\n"),
        edit=replaced("h.yaml", "120", "60"),
    ),
]

CASES = [*INFEASIBLE, *INPUTS, *PLACES, *OPTIONS, *HIERARCHIES, *OF_COLUMNS, *OF_RELEASES, *OF_HIERARCHY_FILES]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, hierarchies, a key, a release, and data that its recoding does not fit."""
    folder = tmp_path_factory.mktemp("made")
    rows = [
        {
            "a": "xxxxxyyyyz"[number % 10],
            "b": "pq"[number % 3 == 0],
            "n": number,
            "s": f"s{number % 7 // 3}",
            "id": f"i{number:03}",
            "own": 2 + number % 60,
        }
        for number in range(60)
    ]
    write_parquet(folder / "in.parquet", rows)
    write_parquet(folder / "other.parquet", [{"a": value} for value in "xxxyyy"])
    (folder / "a.csv").write_text("x;*\ny;*\nz;*\n")
    (folder / "b.csv").write_text("p;*\nq;*\n")
    (folder / "s.csv").write_text("s0;*\ns1;*\ns2;*\n")
    (folder / "key").write_text("00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef\n")
    (folder / "key").chmod(0o600)
    write_parquet(folder / "first.parquet", [{"a": value} for value in "xxxxxxyyyyyy"])
    run_command(folder, *shlex.split("anonymize first.parquet -o fixed.parquet --qi a --hierarchies a=a.csv --k 5"), code=0)
    return folder


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.message[:60])
def test_what_is_advised_helps(case: Case, made: Path, tmp_path: Path, cli: Cli) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    case.before(tmp_path)
    run = cli(*shlex.split(case.command))
    assert (run.code == 0) is case.warns, run.err
    match = next(filter(None, map(case.pattern.search, printed(run))), None)
    assert match is not None, run.err
    case.edit(tmp_path)
    values = [value.strip("'\"") if value is not None else "" for value in match.groups()]
    again = cli(*shlex.split((case.follow or case.command).format(*values)), code=0)
    assert not any(map(case.pattern.search, printed(again))), again.err


def printed(run: Finished) -> Sequence[str]:
    return [*run.err.splitlines(), *run.out.splitlines()]


def test_the_advised_limit_is_the_least(made: Path, tmp_path: Path, cli: Cli) -> None:
    """By the sizes of the classes, counted by DuckDB: as many rows as the advice says are in classes below k."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    command = f"{ASKED} --k 8 {LEVELS} --json --max-suppression"
    [limit] = re.findall(r"raise --max-suppression to (\d+) \(", cli(*shlex.split(f"{command} 0")).err)
    counted = f"select sum(n) from (select count(*) as n from '{tmp_path / 'in.parquet'}' group by a, b) where n < 8"
    assert duckdb.execute(counted).fetchall() == [(int(limit),)]
    assert cli(*shlex.split(f"{command} {int(limit) - 1}")).code == 1
    assert json.loads(cli(*shlex.split(f"{command} {limit}")).out)["rows"]["suppressed"] == int(limit)
