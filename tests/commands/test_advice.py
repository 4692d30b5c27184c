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

from tests.support.advice import advice, not_followed
from tests.support.command_line import Cli, Finished, run_command
from tests.support.rows import write_parquet

Change = Callable[[Path], object]

RUN = "anonymize in.parquet -o out.parquet --overwrite"
ASKED = f"{RUN} --qi a,b --hierarchies a=a.csv --hierarchies b=b.csv"
SMALL = f"{RUN} --qi a --hierarchies a=a.csv"
PRINTED_TO = "bash -c"


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
            done = run_command(folder, *shlex.split(command))
            assert done.code == 0, done.err

    return run


def each(*changes: Change) -> Change:
    """One change after the other."""

    def make(folder: Path) -> None:
        for change in changes:
            change(folder)

    return make


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
    Case("lower --k to at most {}", f"{ASKED} --k 99", f"{ASKED} --k {{0}}"),
    Case(
        "leave --protect out",
        f"{ASKED} --k 8 --max-suppression 50% {LEVELS} --protect a",
        f"{ASKED} --k 8 --max-suppression 50% {LEVELS}",
    ),
    Case("leave --levels out", f"{ASKED} --k 8 --max-suppression 0 {LEVELS}", f"{ASKED} --k 8 --max-suppression 0"),
    Case("lower l of {} to {}", f"{ASKED} {MODEL} --require distinct-l=9@s", f"{ASKED} {MODEL} --require distinct-l={{1}}@s"),
    Case("lower l of {} to {}", f"{ASKED} {MODEL} --require entropy-l=3@s", f"{ASKED} {MODEL} --require entropy-l={{1}}@s"),
    Case("leave {} out", f"{ASKED} {MODEL} --require alpha-k=0.1,2@s", f"{ASKED} {MODEL}"),
    Case(
        "raise --max-loss {}={}",
        f"{SMALL} --k 15 --max-suppression 0 --max-loss a=0.01",
        f"{SMALL} --k 15 --max-suppression 0 --max-loss {{0}}={{1}}",
    ),
    Case(
        "choose --decide-on all",
        f"{ASKED} --k 2 --max-suppression 0 {MODEL} --require t=0.1 --decide-on qi",
        f"{ASKED} --k 2 --max-suppression 0 {MODEL} --require t=0.1 --decide-on all",
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
        f"{ASKED} --k-column own --max-suppression 0",
        before=nothing,
        edit=sql("copy (select * replace (40 as own) from '@in.parquet') to '@new.parquet'"),
        follow=f"{ASKED} --k-column own --max-suppression 0".replace("in.parquet", "new.parquet"),
    ),
    Case(
        "search again (duckanon anonymize)",
        "apply fixed.parquet.manifest.json other.parquet -o new.parquet",
        "anonymize other.parquet -o new.parquet --qi a --hierarchies a=a.csv --k 5",
    ),
    Case(
        "leave --{} out, or raise it",
        f"{ASKED} --k 2 --max-suppression 0 --max-nodes 1 {MODEL} --require t=0.2 --job job.yaml",
        f"{ASKED} --k 2 --max-suppression 0 {MODEL} --require t=0.2 --job job.yaml",
        before=job("columns: {a: {role: quasi-identifier, weight: 2}}\nrecoding: {algorithm: greedy}"),
    ),
]

INPUTS = [
    Case(
        "if it is a header, leave --columns out",
        "anonymize named.csv --qi b -o out.csv --k 1 --columns c,b,d",
        "anonymize named.csv --qi a -o out.csv --k 1 --overwrite",
        before=text("named.csv", "row,a,x\n1,5,2\n1,5,3\n"),
        warns=True,
    ),
    Case(
        "holds these names already; leave --columns out",
        "anonymize named.csv --qi a -o out.csv --k 2 --columns row,a,x",
        "anonymize named.csv --qi a -o out.csv --k 2",
        before=text("named.csv", ",a,x\n1,5,2\n1,5,3\n"),
        edit=replaced("named.csv", ",a,x", "row,a,x"),
    ),
    Case(
        "but {} is {}; leave it out",
        "anonymize in.parquet --qi a -o out.parquet --columns a,b",
        "anonymize in.parquet --qi a -o out.parquet",
    ),
    Case(
        "{} is a DuckDB file; name one of its tables: {}",
        "anonymize t.duckdb --qi a -o out.csv --k 1",
        "anonymize t.duckdb::t --qi a -o out.csv --k 1",
        before=sql("attach '@t.duckdb' as d; create table d.t as select 1 as a; detach d"),
    ),
    Case(
        "make the files alike, or name one of them",
        "anonymize 'part*.csv' --qi a -o out.csv --k 1",
        "anonymize part1.csv --qi a -o out.csv --k 1",
        before=shell("printf 'a,b\\nx,1\\n' > part1.csv; printf 'a;b\\nx;1\\n' > part2.csv"),
    ),
    Case(
        "{} holds no records; write one JSON object a line",
        "anonymize none.jsonl --qi a -o out.csv --k 1",
        before=text("none.jsonl", "\n\n"),
        edit=text("none.jsonl", '{"a": 1}\n'),
    ),
    Case(
        "has a name that duckanon uses itself; rename it",
        "anonymize own.csv --qi a -o out.csv --k 1",
        before=text("own.csv", "a,_rows\nx,1\n"),
        edit=replaced("own.csv", "_rows", "rows"),
    ),
    Case(
        "{}; give {}, or --dates text to keep it text",
        "anonymize days.csv -o out.csv --k 2 --overwrite -v",
        "anonymize days.csv -o out.csv --k 2 --overwrite -v --dates day-first",
        before=text(
            "days.csv", "day,town\n" + "".join(f"{day % 10 + 1:02d}/12/2020,{'xy'[day % 2]}\n" for day in range(10, 30))
        ),
        warns=True,
    ),
    Case(
        "if that separates columns, write the line sep={} before the first",
        "anonymize colons.csv -o out.csv --k 1",
        "anonymize colons.csv --qi a,b -o out.csv --k 1 --overwrite",
        before=text("colons.csv", "a:b:c\n1:2:3\n4:5:6\n"),
        edit=text("colons.csv", "sep=:\na:b:c\n1:2:3\n4:5:6\n"),
        warns=True,
    ),
    Case(
        "if that means missing, give {} --missing-policy drop",
        "anonymize marks.csv -o out.csv --overwrite",
        "anonymize marks.csv -o out.csv --overwrite {0} --missing-policy drop",
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
    Case(
        "output {} is a DuckDB file; name the table too: {}{}release",
        f"{SMALL} -o new.duckdb",
        f"{SMALL} -o new.duckdb::release",
    ),
    Case("output {} names no table; write {}{}TABLE", f"{SMALL} -o new.duckdb::", f"{SMALL} -o new.duckdb::TABLE"),
    Case("end it in .parquet, .csv, .csv.gz, or name a table", f"{SMALL} -o new.xlsx", f"{SMALL} -o new.csv.gz"),
    Case(
        "output {} is none; name a folder",
        f"{SMALL} -o new.csv --partition-by a",
        f"{SMALL} -o new --partition-by a --sensitive s",
    ),
    Case(
        "output {} is a folder; name a file in it",
        f"{SMALL} -o there",
        f"{SMALL} -o there/new.parquet",
        before=shell("mkdir there"),
    ),
    Case(
        "of the output does not exist; make it, or name another",
        f"{SMALL} -o there/new.parquet",
        before=nothing,
        edit=shell("mkdir there"),
    ),
    Case(
        "the path of the manifest, {}, is a folder; move it away",
        f"{SMALL} -o new.parquet",
        before=shell("mkdir new.parquet.manifest.json"),
        edit=shell("mv new.parquet.manifest.json away"),
    ),
    Case(
        "of an earlier run exists; use it with --job, replace it with --overwrite",
        "anonymize in.parquet -o new.parquet",
        "anonymize in.parquet -o new.parquet --overwrite",
        before=text("new.parquet.job.yaml", "x"),
    ),
    Case("{} {}; name another file", f"{SMALL} -o in.parquet", f"{SMALL} -o new.parquet"),
    Case(
        "a report or a public manifest needs a release, and --dry-run makes none; leave out one of them",
        f"{SMALL} --dry-run --public-manifest p.json",
        f"{SMALL} --public-manifest p.json",
    ),
    Case(
        "because --json or the calling program uses it; name a file with -o",
        "anonymize in.parquet --qi a --json -o -",
        "anonymize in.parquet --qi a --json -o new.csv",
    ),
    Case(
        "{} {} is a file of the release or of the run; name another file",
        f"{SMALL} --public-manifest out.parquet",
        f"{SMALL} --public-manifest p.json",
    ),
    Case(
        "has the path of the release, of one of its companion files, or of an input; name another file",
        f"{SMALL} --workspace out.parquet",
        f"{SMALL} --workspace w.duckdb",
    ),
    Case(
        "workspace {} is a folder; name a file in it, for example {}",
        f"{SMALL} --workspace there",
        f"{SMALL} --workspace {{1}}",
        before=shell("mkdir there"),
    ),
    Case(
        "the folder of workspace {} does not exist; make it first",
        f"{SMALL} --workspace there/w.duckdb",
        edit=shell("mkdir there"),
    ),
    Case(
        "give it another name, for example 'workspace.duckdb'",
        f"{SMALL} --workspace duckanon.duckdb",
        f"{SMALL} --workspace workspace.duckdb",
    ),
    Case("`demo` writes a file; name one with -o", "demo -o - --rows 5", "demo -o d.csv --rows 5"),
    Case("--rows {} is not a number of rows; give at least 1", "demo -o d.csv --rows 0", "demo -o d.csv --rows 1"),
    Case(
        "no input: name a Parquet, CSV or JSON file",
        "anonymize --qi a -o new.parquet",
        "anonymize in.parquet --qi a -o new.parquet",
    ),
]

OPTIONS = [
    Case(
        "{} is not a case to accept{}; write CASE, or CASE@COLUMN",
        f"{SMALL} {MODEL} --accept missing-value@s",
        f"{SMALL} {MODEL} --accept missing-values@s",
    ),
    Case(
        "--protect names {}, which is not released{}; name it with --qi, --sensitive or --keep",
        f"{SMALL} --protect b",
        f"{ASKED} --protect b",
    ),
    Case(
        "--protect {} lets the sensitive {} influence the levels, but --decide-on qi excludes sensitive values; leave one out",
        f"{ASKED} {MODEL} --protect s --decide-on qi",
        f"{ASKED} {MODEL} --protect s",
    ),
    Case(
        "write a share above 0 and at most 1, such as 0.09",
        "risk in.parquet --qi a --max-risk 9",
        "risk in.parquet --qi a --max-risk 0.99",
    ),
    Case(
        "--k {} is not a whole number; write 2,5,10", "compare in.parquet --qi a --k x", "compare in.parquet --qi a --k 2,5,10"
    ),
    Case("{} names {} twice; name it once", "compare in.parquet --qi a --k 2,2", "compare in.parquet --qi a --k 2"),
    Case("{} is not a list of column names; write a,b,c", f"{RUN} --qi a,", f"{RUN} --qi a,b"),
    Case("{} is not a level; write COLUMN=NUMBER", f"{SMALL} --levels a", f"{SMALL} --levels a=0 --k 2"),
    Case("gives the column no value; write {}={}", f"{SMALL} --max-loss a", f"{SMALL} --max-loss {{0}}={{1}} --k 2"),
    Case("names no column; write {}", f"{SMALL} --max-loss 0.7", f"{SMALL} --max-loss a=0.7 --k 2"),
    Case("level {} of {} is not allowed; choose one from {} to {}", f"{SMALL} --levels a=7", f"{SMALL} --levels a={{3}} --k 2"),
    Case(
        "suppression limit {} is outside 0% to 100%; write 20 (rows), 0.05 or 5%",
        f"{SMALL} --max-suppression 150%",
        f"{SMALL} --max-suppression 5%",
    ),
    Case(
        "suppression limit {} is not a number; write 20 (rows), 0.05 or 5%",
        f"{SMALL} --max-suppression few",
        f"{SMALL} --max-suppression 0.05",
    ),
    Case(
        "policy {} forbids the column {} in a release; drop it with --identifying {}",
        f"{SMALL} --keep s --entity none --policy ours.yaml",
        f"{SMALL} --identifying {{2}} --entity none --policy ours.yaml",
        before=text("ours.yaml", "name: ours\nforbidden: [s]\n"),
    ),
    Case(
        "policy {} allows a suppression limit of {}, but {} is larger; lower it, or leave it out",
        f"{SMALL} --max-suppression 9% --policy ours.yaml",
        f"{SMALL} --max-suppression {{1}} --policy ours.yaml",
        before=text("ours.yaml", "name: ours\nmax-suppression: 8%\n"),
    ),
    Case(
        "{} is k-anonymity; set the key `k` instead",
        f"{SMALL} --policy ours.yaml",
        before=text("ours.yaml", "name: ours\nmodels: [k=3]\n"),
        edit=replaced("ours.yaml", "models: [k=3]", "k: 3"),
    ),
    Case(
        "policy {} requires k = {}, but k = {} is weaker; leave out one of them",
        f"{SMALL} --policy research --k 2",
        f"{SMALL} --policy research",
    ),
    Case("{} {} lacks {}; write {}", f"{SMALL} {MODEL} --require distinct-l", f"{SMALL} {MODEL} --require distinct-l=2"),
    Case(
        "names a column, but {} has no sensitive column; leave out {}{}",
        f"{SMALL} --require highest-risk=0.5@s",
        f"{SMALL} --require highest-risk=0.5",
    ),
    Case(
        "applies to {}, which is not sensitive; name it with --sensitive {}",
        f"{SMALL} --require distinct-l=2@s",
        f"{SMALL} --require distinct-l=2@s --sensitive {{1}}",
    ),
    Case(
        "could apply to {}; name the column, as in {}=...@{}",
        f"{SMALL} --sensitive s,b --require distinct-l=2",
        f"{SMALL} --sensitive s,b --require distinct-l=2@s",
    ),
    Case(
        "but there is none; name it with --sensitive COLUMN",
        f"{SMALL} --require distinct-l=2",
        f"{SMALL} --require distinct-l=2 --sensitive s",
    ),
    Case(
        "t-hierarchical needs a hierarchy of {}; give --hierarchies {}=FILE",
        f"{SMALL} {MODEL} --require t-hierarchical=0.9",
        f"{SMALL} {MODEL} --require t-hierarchical=0.9 --hierarchies s=s.csv",
    ),
    Case(
        "counts the rows of a population; give it with --population FILE",
        f"{SMALL} --require k-map=2",
        f"{SMALL} --require k-map=2 --population in.parquet",
    ),
    Case(
        "--population counts rows, and --entity counts persons; leave one out",
        "risk in.parquet --qi a --entity id --population in.parquet",
        "risk in.parquet --qi a --population in.parquet",
    ),
    Case(
        "{} minimizes the information loss, not {}: leave --objective out, or take --algorithm optimal",
        f"{SMALL} --algorithm mondrian --objective entropy",
        f"{SMALL} --algorithm optimal --objective entropy",
        warns=True,
    ),
    Case(
        "--time-limit and --max-nodes limit the search of a lattice, but mondrian has none; leave them out",
        f"{SMALL} --algorithm mondrian --max-nodes 5",
        f"{SMALL} --algorithm mondrian",
    ),
    Case(
        "--levels sets the same levels for every row, but {} does not; leave one of the two out",
        f"{SMALL} --algorithm mondrian --levels a=0",
        f"{SMALL} --algorithm mondrian",
    ),
    Case(
        "so it has no rows to mask; leave --suppress star out",
        f"{SMALL} --algorithm local --suppress star",
        f"{SMALL} --algorithm local",
    ),
    Case(
        "cannot limit the information loss of a single column; leave max-loss of {} out",
        f"{SMALL} --algorithm local --max-loss a=0.5",
        f"{SMALL} --algorithm local",
    ),
    Case(
        "--all-nodes needs a lattice search, and {} is a local recoding; leave it out",
        f"{SMALL} --algorithm local --all-nodes",
        f"{SMALL} --algorithm local",
    ),
    Case(
        "which --time-limit and --max-nodes may prevent; leave one of them out",
        f"{SMALL} --all-nodes --max-nodes 5",
        f"{SMALL} --all-nodes",
    ),
    Case(
        "give it `loss: [0, ..., 1]`, a number for each of its {} levels",
        f"{RUN} --qi a --objective distortion --hierarchies a=a.yaml",
        before=text("a.yaml", "kind: flat\n"),
        edit=text("a.yaml", "kind: flat\nloss: [0, 1]\n"),
    ),
    Case(
        "--partition-by names every released column; leave at least one for the files",
        f"{SMALL} -o there --partition-by a",
        f"{SMALL} -o there --partition-by a --sensitive s",
    ),
    Case(
        "--pseudonym-scope needs pseudonyms, but there are none; name their columns with --pseudonym",
        f"{SMALL} --pseudonym-scope class",
        f"{SMALL} --pseudonym-scope class --pseudonym id --release r --key-file key",
    ),
    Case(
        "name it with --release (`release` in a job)",
        f"{SMALL} --pseudonym id --key-file key --linkable",
        f"{SMALL} --pseudonym id --key-file key --linkable --release r",
    ),
    Case(
        "or name a file with --key-file; {} > duckanon.key",
        f"{SMALL} --pseudonym id --release r --linkable",
        f"{SMALL} --pseudonym id --release r --linkable --key-file duckanon.key",
        edit=shell("umask 077; openssl rand -hex 32 > duckanon.key"),
    ),
    Case(
        "key file {} is accessible to other users; restrict it with: chmod 600 {}",
        f"{SMALL} --pseudonym id --release r --key-file key --linkable",
        before=shell("chmod 644 key"),
        edit=shell("chmod 600 key"),
        warns=True,
    ),
    Case(
        "--row and --class cannot be combined; give one of them",
        "explain fixed.parquet.manifest.json --row 1 --class a=x",
        "explain fixed.parquet.manifest.json --row 1",
    ),
    Case(
        "names no column; write --class sex=Male, once for each quasi-identifier",
        "explain fixed.parquet.manifest.json --class x",
        "explain fixed.parquet.manifest.json --class a=x",
    ),
    Case(
        "{} is not the manifest of a release ({}); give the path of OUTPUT{}",
        "explain in.parquet",
        "explain fixed.parquet.manifest.json",
    ),
    Case(
        "leave out the other options and the job, or the {}",
        "check fixed.parquet --manifest fixed.parquet.manifest.json --qi a",
        "check fixed.parquet --manifest fixed.parquet.manifest.json",
    ),
    Case(
        "--column, --missing and --columns need data; name it with --data FILE",
        "hierarchy show a.csv --column a",
        "hierarchy show a.csv --column a --data in.parquet",
    ),
    Case(
        "and --others keep would release {}; give {} a role: --identifying {} drops",
        f"{SMALL} --others keep",
        f"{SMALL} --others keep --identifying {{2}}",
    ),
    Case(
        "k-anonymity alone does not protect the sensitive {}: all records of a class may have the same value; give {}",
        f"{SMALL} {MODEL}",
        f"{SMALL} {MODEL} {{1}} distinct-l=2@s",
        warns=True,
    ),
    Case(
        "the roles are detected, so duckanon does not keep columns without a declared role; name the quasi-identifiers with --qi",
        f"{RUN} --others keep",
        f"{RUN} --qi a --others keep --identifying id,n,own",
        warns=True,
    ),
    Case(
        "no quasi-identifiers: name them with --qi a,b,c",
        "check in.parquet --require k=2",
        "check in.parquet --require k=2 --qi a",
    ),
    Case(
        "--microaggregate names {}, which has no role; name it with --qi, --sensitive or --keep{}",
        f"{ASKED} --microaggregate n=mean",
        f"{ASKED} --microaggregate n=mean --keep n",
    ),
    Case(
        "--population cannot be standard input; name a file",
        f"{ASKED} --require k-map=2 --population -",
        f"{ASKED} --require k-map=2 --population in.parquet",
    ),
    Case(
        "requires nothing; give k, or k-column",
        f"{RUN} --job job.yaml",
        before=job("columns: {a: {role: quasi-identifier, hierarchy: a.csv}}\nprivacy: [{model: k-anonymity}]\n"),
        edit=replaced("job.yaml", "{model: k-anonymity}", "{model: k-anonymity, k: 2}"),
    ),
    Case(
        "it has no model; write `model: {}`",
        f"{RUN} --job job.yaml",
        before=job("columns: {a: {role: quasi-identifier, hierarchy: a.csv}}\nprivacy: [{k: 2}]\n"),
        edit=replaced("job.yaml", "{k: 2}", "{model: k-anonymity, k: 2}"),
    ),
    Case(
        "mondrian starts at the top, but max-level of {} forbids the top; leave it out",
        f"{RUN} --job job.yaml --algorithm mondrian",
        before=job("columns: {a: {role: quasi-identifier, hierarchy: a.csv, max-level: 0}}\n"),
        edit=replaced("job.yaml", ", max-level: 0", ""),
    ),
    Case(
        "the order of {} {} leaves out {} of its values ({} rows); list every value",
        f"{RUN} --job job.yaml --require t-ordered=0.9@s",
        before=job("columns: {a: {role: quasi-identifier, hierarchy: a.csv}, s: {role: sensitive, order: [s0, s1]}}\n"),
        edit=replaced("job.yaml", "[s0, s1]", "[s0, s1, s2]"),
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
        "keep one",
        f"{RUN} --qi a --hierarchies a=h.csv --k 2",
        before=text("h.csv", "x;A;*\nx;B;*\ny;A;*\nz;B;*\n"),
        edit=text("h.csv", "x;A;*\ny;A;*\nz;B;*\n"),
    ),
    Case(
        "add it{}",
        f"{RUN} --qi a --hierarchies a=h.csv --k 2",
        before=text("h.csv", "x;*\ny;*\n"),
        edit=text("h.csv", "x;*\ny;*\nz;*\n"),
    ),
    Case(
        "generalize it to the top with --missing TOKEN --missing-policy top",
        f"{RUN} --qi a --hierarchies a=h.csv --k 2",
        f"{RUN} --qi a --hierarchies a=h.csv --k 2 --missing z --missing-policy top",
        before=text("h.csv", "x;*\ny;*\n"),
    ),
    Case(
        'add a last level with one label, or say `top: "*"`',
        f"{RUN} --qi a --hierarchies a=h.csv --k 2",
        before=text("h.csv", "x;A\ny;A\nz;B\n"),
        edit=text("h.csv", "x;A;*\ny;A;*\nz;B;*\n"),
    ),
    Case(
        "give each label one parent, or load it as it is with `nested: false`",
        f"{RUN} --qi a --hierarchies a=h.yaml --k 2",
        before=text("h.yaml", "kind: table\nrows: [[x, A, C, '*'], [y, A, D, '*'], [z, B, D, '*']]\n"),
        edit=replaced("h.yaml", "kind: table", "kind: table\nnested: false"),
    ),
    Case(
        "it has no kind; add `kind: {}`",
        f"{RUN} --qi a --hierarchies a=h.yaml --k 2",
        before=text("h.yaml", "top: all\n"),
        edit=text("h.yaml", "kind: flat\ntop: all\n"),
    ),
    Case(
        "is empty, or its first line is; write value;level 1;...;top, one line per value",
        f"{RUN} --qi a --hierarchies a=h.csv --k 2",
        before=text("h.csv", "\n"),
        edit=text("h.csv", "x;*\ny;*\nz;*\n"),
    ),
    Case(
        "hierarchy {} is not UTF-8 text; save it as UTF-8, or as Parquet",
        f"{RUN} --qi a --hierarchies a=h.csv --k 2",
        before=data("h.csv", "x;ä\ny;ä\nz;ä\n".encode("cp1252")),
        edit=shell("iconv -f cp1252 -t utf-8 < h.csv > t && mv t h.csv"),
    ),
    Case(
        "correct it, or leave such lines out, counted: --malformed drop",
        "anonymize odd.csv --qi a -o out.csv --k 1",
        "anonymize odd.csv --qi a -o out.csv --k 1 --malformed drop",
        before=text("odd.csv", "a,b\nx,2\nx\ny,3\n"),
    ),
    Case(
        "do not decide its encoding, such as {}{}; name it with --encoding",
        "anonymize odd.csv --qi a -o out.csv --k 1",
        "anonymize odd.csv --qi a -o out.csv --k 1 --encoding cp1250",
        before=data("odd.csv", "a,b\nKovačić,2\nBabić,3\n".encode("cp1250")),
    ),
    Case(
        "if it is read as {}; name another --encoding",
        "anonymize odd.csv --qi a -o out.csv --k 1 --encoding iso8859-2",
        "anonymize odd.csv --qi a -o out.csv --k 1 --encoding cp1250",
        before=data("odd.csv", "a,b\nŁaś,2\nŻak,3\n".encode("cp1250")),
    ),
    Case(
        "{} is a set of hierarchies; name one hierarchy, as {}/COLUMN",
        "hierarchy show adult/five-year",
        "hierarchy show adult/five-year/sex",
    ),
    Case(
        "give it data with --data FILE --column C",
        "hierarchy show flat.yaml",
        "hierarchy show flat.yaml --data in.parquet --column a",
        before=text("flat.yaml", "kind: flat\n"),
    ),
    Case(
        "grouped: {} is listed twice; keep one",
        "hierarchy show h.yaml --data in.parquet --column a",
        before=text("h.yaml", "kind: redaction\nlength: 3\nsteps: [2, 3]\ngrouped: {g: [x, x]}\n"),
        edit=replaced("h.yaml", "[x, x]", "[x]"),
    ),
    Case(
        "write the values out, and '*' in quotes",
        f"{RUN} --qi a --hierarchies a=h.yaml --k 2",
        before=text("h.yaml", "kind: flat\ntop: *all\n"),
        edit=replaced("h.yaml", "*all", "'*'"),
    ),
]

DATED = "anonymize dated.parquet -o out.parquet --overwrite --qi a --hierarchies a=a.csv --key-file key --linkable"
"""Of a table with dates, a day for each row and another in another order."""
DATES = sql(
    "copy (select *, date '2020-01-01' + n::int as day, date '2021-01-01' - n::int as other from '@in.parquet') to '@dated.parquet'"
)
VISITS = "anonymize visits.parquet -o out.parquet --overwrite --qi a --hierarchies a=a.csv"
TWO_VISITS = sql("copy (select a, s, 'p' || (n // 2) as patient_id from '@in.parquet') to '@visits.parquet'")
"""Of a table with two rows of each person."""
LINKED = sql("copy (select a, s, 'p' || (n // 2 + if(n = 59, 1, 0)) as patient_id from '@in.parquet') to '@visits.parquet'")
"""The same, but one row is that of a person of its own."""
ILLS = sql("copy (select a, ['flu', 'Flu', 'gout'][1 + n % 3] as ill from '@in.parquet') to '@ills.parquet'")
GRADES = sql("copy (select a, ['1', '2', '10', '20', '30', 'few'][1 + n % 6] as grade from '@in.parquet') to '@grades.parquet'")
NESTED = sql("copy (select a, [b] as tags from '@in.parquet') to '@nested.parquet'")
TREE = "kind: table\nrows: [[x, A, C, '*'], [y, A, C, '*'], [z, B, D, '*']]\n"
CROSSED = "kind: table\nnested: false\nrows: [[x, A, C, '*'], [y, A, D, '*'], [z, B, D, '*']]\n"
NUMBERS = job("columns: {n: {role: quasi-identifier, min-level: 1, hierarchy: {kind: intervals, widths: [20]}}}\n")
WIDE = sql(
    "copy (select range % 2 as c0, "
    + ", ".join(f"range % {number} as c{number}" for number in range(2, 7))
    + " from range(60)) to '@wide.parquet'"
)

PAIRS = sql("copy (select a, upper(a) as big, b, s from '@in.parquet') to '@pairs.parquet'")
WIDE_JOB = job(
    "columns: {"
    + ", ".join(
        f"c{number}: {{role: quasi-identifier, hierarchy: {{kind: intervals, widths: [2, 4, 8, 16, 32, 64]}}}}"
        for number in range(7)
        if number != 1
    )
    + "}\n"
)

OF_COLUMNS = [
    Case(
        "NULL always comes after all values; leave it out",
        f"{SMALL} --job job.yaml",
        before=job("columns: {s: {role: sensitive, order: [s0, s1, s2, null]}}\n"),
        edit=replaced("job.yaml", ", null", ""),
    ),
    Case(
        "has an order and a cut along its hierarchy; leave one out",
        f"{RUN} --job job.yaml",
        before=job("columns: {a: {role: quasi-identifier, hierarchy: a.csv, order: [x, y, z], cut: hierarchy}}\n"),
        edit=replaced("job.yaml", ", cut: hierarchy", ""),
    ),
    Case(
        "has a {}, which only quasi-identifiers can have, but is {}; make it a quasi-identifier, or leave that out",
        f"{SMALL} --job job.yaml",
        before=job("columns: {b: {role: insensitive, weight: 2}}\n"),
        edit=replaced("job.yaml", ", weight: 2", ""),
    ),
    Case(
        "has a {}, which only quasi-identifiers can have, but is {}; make it a quasi-identifier, or leave that out",
        f"{SMALL} --job job.yaml",
        before=job("columns: {b: {role: insensitive, weight: 2}}\n"),
        edit=replaced("job.yaml", "insensitive", "quasi-identifier"),
    ),
    Case(
        "is microaggregated, but identifying columns are dropped; give it another role",
        f"{SMALL} --job job.yaml",
        before=job("columns: {n: {role: identifying, microaggregate: mean}}\n"),
        edit=replaced("job.yaml", "identifying", "insensitive"),
    ),
    Case(
        "column {} holds {}; give each row a whole number of 1 or more",
        f"{SMALL} --k-column own".replace("in.parquet", "wishes.parquet"),
        before=sql("copy (select a, n % 3 as own from '@in.parquet') to '@wishes.parquet'"),
        edit=sql("copy (select a, n % 3 + 1 as own from '@in.parquet') to '@wishes.parquet'"),
    ),
    Case(
        "no quasi-identifier detected: name the quasi-identifiers with --qi a,b,c",
        "anonymize dull.csv -o out.csv",
        "anonymize dull.csv -o out.csv --qi name",
        before=text("dull.csv", "id,name\n" + "".join(f"{number},Person {number}\n" for number in range(20))),
    ),
    Case(
        "they may show values of suppressed rows, and the least and the greatest value; list the values, or use intervals",
        f"{RUN} --qi a --hierarchies a=h.yaml",
        before=text("h.yaml", "kind: order\ngroups: [[2]]\nfunction: bounds\n"),
        edit=text("h.yaml", "kind: order\nvalues: [x, y, z]\ngroups: [[2]]\nfunction: bounds\n"),
        warns=True,
    ),
    Case(
        "they may show values of suppressed rows, and the least and the greatest value; list the values, or use intervals",
        f"{RUN} --qi n --hierarchies n=h.yaml --entity none",
        before=text("h.yaml", "kind: order\ngroups: [[10]]\nfunction: bounds\n"),
        edit=text("h.yaml", "kind: intervals\nwidths: [10]\n"),
        warns=True,
    ),
    Case(
        "the dates of {} are shifted by person, but no column identifies persons; name it with --shift-by",
        f"{DATED} --release r --shift day=9 --entity none",
        f"{DATED} --release r --shift day=9 --entity none --shift-by id",
        before=DATES,
    ),
    Case(
        "the dates of {} cannot be shifted by {}, which does not identify persons; name an identifier",
        f"{DATED} --release r --shift day=9 --shift-by day",
        f"{DATED} --release r --shift day=9 --shift-by id",
        before=DATES,
    ),
    Case(
        "the dates of {} cannot be shifted by {}, which is {}; name an identifier",
        f"{DATED} --release r --shift day=9 --shift-by a",
        f"{DATED} --release r --shift day=9 --shift-by id",
        before=DATES,
    ),
    Case(
        "column {} is {}, which can have no pseudonym, mask or shift; drop it, or unnest it first",
        f"{DATED} --mask tags=2",
        f"{DATED} --identifying tags",
        before=sql("copy (select *, [s] as tags from '@in.parquet') to '@dated.parquet'"),
    ),
    Case(
        "column {} is {}, which can have no pseudonym, mask or shift; drop it, or unnest it first",
        f"{DATED} --mask tags=1",
        before=sql("copy (select *, [id] as tags from '@in.parquet') to '@dated.parquet'"),
        edit=sql("copy (select *, unnest([id]) as tags from '@in.parquet') to '@dated.parquet'"),
    ),
    Case(
        "linked: [{}] contains {}, which is {} and never shows its own values; leave it out there, or drop the column",
        f"{SMALL} --job job.yaml",
        before=job("columns: {id: {role: identifying, mask: true}}\nlinked: [[a, b, id]]\nothers: drop\n"),
        edit=replaced("job.yaml", "a, b, id", "a, b"),
    ),
    Case(
        "linked: [{}] contains {}, which is {} and never shows its own values; leave it out there, or drop the column",
        f"{SMALL} --job job.yaml",
        before=job("columns: {id: {role: identifying, mask: true}}\nlinked: [[a, id]]\n"),
        edit=job("columns: {id: {role: identifying}}\n"),
    ),
    Case(
        "{} is not a shift; write the greatest number of days, weeks or years, such as 180, 26:weeks, 3:years or 180:days:truncate",
        f"{DATED} --release r --shift day=9:hours --shift-by id",
        f"{DATED} --release r --shift day=3:weeks:truncate --shift-by id",
        before=DATES,
    ),
    Case(
        "but the dates of one person move together; give both the same shift",
        f"{DATED} --release r --shift day=9 --shift other=20 --shift-by id",
        f"{DATED} --release r --shift day=9 --shift other=9 --shift-by id",
        before=DATES,
    ),
    Case(
        "dates of {} cannot be shifted by up to {} {}: {} might leave the range of {}; correct those dates, or shift by fewer {}",
        f"{DATED} --release r --shift day=200 --shift-by id",
        f"{DATED} --release r --shift day=20 --shift-by id",
        before=sql("copy (select *, date '5881580-05-01' as day from '@in.parquet') to '@dated.parquet'"),
    ),
    Case(
        "dates of {} cannot be shifted by up to {} {}: {} might leave the range of {}; correct those dates, or shift by fewer {}",
        f"{DATED} --release r --shift day=200 --shift-by id",
        before=sql("copy (select *, date '5881580-05-01' as day from '@in.parquet') to '@dated.parquet'"),
        edit=sql("copy (select *, date '2020-05-01' as day from '@in.parquet') to '@dated.parquet'"),
    ),
    Case(
        "its pseudonyms and days differ from those of whole numbers or text in another table; write it as BIGINT first",
        f"{DATED} --release r --pseudonym number",
        before=sql("copy (select *, n::double as number from '@in.parquet') to '@dated.parquet'"),
        edit=sql("copy (select *, n::bigint as number from '@in.parquet') to '@dated.parquet'"),
        warns=True,
    ),
    Case(
        "the pseudonyms of {} are equal only within a class, but masked records come from several classes; use --suppress drop",
        f"{SMALL} --release r --key-file key --pseudonym id --pseudonym-scope class --suppress star",
        f"{SMALL} --release r --key-file key --pseudonym id --pseudonym-scope class --suppress drop",
    ),
    Case(
        "column {} is {}, and only dates can be shifted; write it as DATE or TIMESTAMP first",
        f"{DATED} --release r --shift day=9 --shift-by id",
        before=sql("copy (select *, (date '2020-01-01' + n::int)::varchar as day from '@in.parquet') to '@dated.parquet'"),
        edit=DATES,
    ),
    Case(
        "make a random key: openssl rand -hex 32",
        f"{SMALL} --release r --key-file weak --pseudonym id --linkable",
        before=shell("umask 077; echo secret > weak"),
        edit=shell("openssl rand -hex 32 > weak"),
    ),
    Case(
        "Use pseudonyms that are equal only within a class (--pseudonym-scope class), drop the column",
        f"{VISITS} --release r --key-file key --pseudonym patient_id",
        f"{VISITS} --release r --key-file key --pseudonym patient_id --pseudonym-scope class",
        before=LINKED,
    ),
    Case(
        "drop the column, generalize more, suppress these persons (--suppress-isolated), or accept the linkage with --linkable",
        f"{VISITS} --release r --key-file key --pseudonym patient_id",
        f"{VISITS} --release r --key-file key --identifying patient_id",
        before=LINKED,
    ),
    Case(
        "drop the column, generalize more, suppress these persons (--suppress-isolated), or accept the linkage with --linkable",
        f"{VISITS} --release r --key-file key --pseudonym patient_id",
        f"{VISITS} --release r --key-file key --pseudonym patient_id --levels a=1",
        before=LINKED,
    ),
    Case(
        "drop the column, generalize more, suppress these persons (--suppress-isolated), or accept the linkage with --linkable",
        f"{VISITS} --release r --key-file key --pseudonym patient_id",
        f"{VISITS} --release r --key-file key --pseudonym patient_id --linkable",
        before=LINKED,
    ),
    Case(
        "suppress these persons (--suppress-isolated)",
        f"{VISITS} --release r --key-file key --pseudonym patient_id",
        f"{VISITS} --release r --key-file key --pseudonym patient_id --suppress-isolated --max-suppression 100%",
        before=LINKED,
    ),
    Case(
        "--shift-by needs shifted dates, but there are none; name them with --shift COLUMN=DAYS",
        f"{DATED} --release r --shift-by id",
        f"{DATED} --release r --shift-by id --shift day=9",
        before=DATES,
    ),
    Case(
        "but --others keep would release it; name it with --identifying (dropped; persons are counted), --pseudonym",
        f"{VISITS} --others keep",
        f"{VISITS} --others keep --identifying patient_id",
        before=TWO_VISITS,
    ),
    Case(
        "but --others keep would release it; name it with --identifying (dropped; persons are counted), --pseudonym",
        f"{VISITS} --others keep",
        f"{VISITS} --others keep --pseudonym patient_id --release r --key-file key --linkable",
        before=TWO_VISITS,
    ),
    Case(
        "name it with --identifying (dropped; persons are counted), --pseudonym or --keep {}",
        f"{VISITS} --others keep",
        f"{VISITS} --others keep --keep {{0}}",
        before=TWO_VISITS,
    ),
    Case(
        "counts rows; leave that out, or give --entity none, which allows a class of one person",
        f"{VISITS} --suppress star",
        VISITS,
        before=TWO_VISITS,
    ),
    Case(
        "counts rows; leave that out, or give --entity none, which allows a class of one person",
        f"{VISITS} --suppress star",
        f"{VISITS} --suppress star --entity none",
        before=TWO_VISITS,
    ),
    Case(
        "column {} is a UNION, which some file formats cannot store; cast it, or drop it",
        f"{SMALL} --keep u".replace("in.parquet", "t.duckdb::t"),
        f"{SMALL} --identifying u".replace("in.parquet", "t.duckdb::t"),
        before=sql(
            "attach '@t.duckdb' as d; create table d.t as select *, union_value(t := s) as u from '@in.parquet'; detach d"
        ),
    ),
    Case(
        "column {} is a UNION, which some file formats cannot store; cast it, or drop it",
        f"{SMALL} --keep u".replace("in.parquet", "t.duckdb::t"),
        before=sql(
            "attach '@t.duckdb' as d; create table d.t as select *, union_value(t := s) as u from '@in.parquet'; detach d"
        ),
        edit=sql(
            "attach '@t.duckdb' as d; create or replace table d.t as select *, s::varchar as u from '@in.parquet'; detach d"
        ),
    ),
    Case(
        "but no file format stores {} inside another type exactly; cast it to VARCHAR, or drop it",
        f"{SMALL} --keep u".replace("in.parquet", "t.duckdb::t"),
        before=sql("attach '@t.duckdb' as d; create table d.t as select *, [interval 1 day] as u from '@in.parquet'; detach d"),
        edit=sql(
            "attach '@t.duckdb' as d; create or replace table d.t as select *, [interval 1 day]::varchar as u from '@in.parquet'; detach d"
        ),
    ),
    Case(
        "choose mode, set, or for dates median or interval, or leave --microaggregate out",
        f"{SMALL} {MODEL} --microaggregate s=mean",
        f"{SMALL} {MODEL} --microaggregate s=mode",
    ),
    Case(
        "choose mode, set, or for dates median or interval, or leave --microaggregate out",
        f"{SMALL} --sensitive day --microaggregate day=mean".replace("in.parquet", "dated.parquet"),
        f"{SMALL} --sensitive day --microaggregate day=median".replace("in.parquet", "dated.parquet"),
        before=DATES,
    ),
    Case(
        "choose mode, set, or for dates median or interval, or leave --microaggregate out",
        f"{SMALL} {MODEL} --microaggregate s=mean",
        f"{SMALL} {MODEL}",
    ),
    Case(
        "linked: [{}] contains {}; link other columns to one quasi-identifier",
        f"{SMALL} --job job.yaml".replace("in.parquet", "pairs.parquet"),
        before=each(PAIRS, job("columns: {big: {role: insensitive}, s: {role: insensitive}}\nlinked: [[big, s]]\n")),
        edit=replaced("job.yaml", "[[big, s]]", "[[a, big]]"),
    ),
    Case(
        "linked: [{}] names {} twice; name each column once",
        f"{SMALL} --job job.yaml".replace("in.parquet", "pairs.parquet"),
        before=each(PAIRS, job("columns: {big: {role: insensitive}}\nlinked: [[a, big, big]]\n")),
        edit=replaced("job.yaml", "a, big, big", "a, big"),
    ),
    Case(
        "linked: {} is linked to both {} and {}; link it to one",
        f"{ASKED} --job job.yaml".replace("in.parquet", "pairs.parquet"),
        before=each(PAIRS, job("columns: {big: {role: insensitive}}\nlinked: [[a, big], [b, big]]\n")),
        edit=replaced("job.yaml", "[[a, big], [b, big]]", "[[a, big]]"),
    ),
    Case(
        "--population counts rows (for k-map, delta-presence and the journalist's risk), and --entity counts persons; leave one out",
        f"{VISITS} --entity patient_id --require k-map=2 --population in.parquet",
        f"{VISITS} --entity none --require k-map=2 --population in.parquet",
        before=TWO_VISITS,
    ),
    Case(
        "whose values cannot be compared in every file format; cast it, or leave its privacy models out",
        f"{SMALL} --sensitive gap --require distinct-l=2".replace("in.parquet", "gaps.parquet"),
        before=sql("copy (select a, s::blob as gap from '@in.parquet') to '@gaps.parquet'"),
        edit=sql("copy (select a, s as gap from '@in.parquet') to '@gaps.parquet'"),
    ),
    Case(
        "whose values cannot be compared in every file format; cast it, or leave its privacy models out",
        f"{SMALL} --sensitive gap --require distinct-l=2".replace("in.parquet", "gaps.parquet"),
        f"{SMALL} --sensitive gap".replace("in.parquet", "gaps.parquet"),
        before=sql("copy (select a, s::blob as gap from '@in.parquet') to '@gaps.parquet'"),
    ),
    Case(
        "{} is {} and cannot be {} too; name another one",
        f"{SMALL} --entity a",
        f"{SMALL} --entity id",
    ),
    Case(
        "column {} is {} and cannot be a quasi-identifier; give it another role, or unnest it first",
        f"{RUN} --qi a,tags".replace("in.parquet", "nested.parquet"),
        f"{RUN} --qi a --sensitive tags".replace("in.parquet", "nested.parquet"),
        before=NESTED,
    ),
    Case(
        "column {} is {} and cannot be a quasi-identifier; give it another role, or unnest it first",
        f"{RUN} --qi a,tags".replace("in.parquet", "nested.parquet"),
        before=NESTED,
        edit=sql("copy (select a, unnest([b]) as tags from '@in.parquet') to '@nested.parquet'"),
    ),
    Case(
        "column {} is {} and cannot be a quasi-identifier; unnest it first",
        "check nested.parquet --qi a,tags",
        before=NESTED,
        edit=sql("copy (select a, unnest([b]) as tags from '@in.parquet') to '@nested.parquet'"),
    ),
    Case(
        "is not nested, so mondrian cannot cut along it; cut it into ranges: --cut {}=order, or nest it",
        f"{RUN} --qi a --hierarchies a=h.yaml --algorithm mondrian --k 2",
        f"{RUN} --qi a --hierarchies a=h.yaml --algorithm mondrian --k 2 --cut {{0}}=order",
        before=text("h.yaml", CROSSED),
    ),
    Case(
        "is not nested, so mondrian cannot cut along it; cut it into ranges: --cut {}=order, or nest it",
        f"{RUN} --qi a --hierarchies a=h.yaml --algorithm mondrian --k 2",
        before=text("h.yaml", CROSSED),
        edit=text("h.yaml", TREE),
    ),
    Case(
        "min-level of {} has no meaning for ranges, and mondrian cuts the column into ranges; leave it out, or cut along its hierarchy",
        f"{RUN} --job job.yaml --algorithm mondrian",
        before=NUMBERS,
        edit=replaced("job.yaml", ", min-level: 1", ""),
    ),
    Case(
        "or cut along its hierarchy: --cut {}=hierarchy",
        f"{RUN} --job job.yaml --algorithm mondrian",
        f"{RUN} --job job.yaml --algorithm mondrian --cut {{0}}=hierarchy",
        before=NUMBERS,
    ),
    Case(
        "holds a value that equals the label of its missing values (--missing-policy top); rename it, or choose another --missing-policy",
        "anonymize stars.csv -o out.csv --overwrite --qi a --k 2 --algorithm mondrian --missing ? --missing-policy top",
        "anonymize stars.csv -o out.csv --overwrite --qi a --k 2 --algorithm mondrian --missing ? --missing-policy value",
        before=text("stars.csv", "a,b\n" + "x,1\n*,1\n?,1\n" * 5),
    ),
    Case(
        "holds a value that equals the label of its missing values (--missing-policy top); rename it, or choose another --missing-policy",
        "anonymize stars.csv -o out.csv --overwrite --qi a --k 2 --algorithm mondrian --missing ? --missing-policy top",
        before=text("stars.csv", "a,b\n" + "x,1\n*,1\n?,1\n" * 5),
        edit=replaced("stars.csv", "*", "star"),
    ),
    Case(
        "a pass in the job gives {} the level {}; choose one from {} to {}",
        f"{RUN} --job job.yaml",
        before=job(
            "columns: {a: {role: quasi-identifier, hierarchy: a.csv}}\nrecoding: {algorithm: local, passes: [{a: 0}, {a: 5}]}\n"
        ),
        edit=replaced("job.yaml", "a: 5", "a: 1"),
    ),
    Case(
        "a pass in the job gives no level for {}; give every pass a level for each quasi-identifier",
        f"{RUN} --job job.yaml",
        before=job(
            "columns: {a: {role: quasi-identifier, hierarchy: a.csv}}\nrecoding: {algorithm: local, passes: [{a: 0}, {}]}\n"
        ),
        edit=replaced("job.yaml", "{}", "{a: 1}"),
    ),
    Case(
        "the loss of column {} exceeds its max-loss {} on every level from {} up; raise its max-loss",
        f"{RUN} --job job.yaml",
        before=job("columns: {a: {role: quasi-identifier, hierarchy: a.csv, min-level: 1, max-loss: 0.5}}\n"),
        edit=replaced("job.yaml", "max-loss: 0.5", "max-loss: 1"),
    ),
    Case(
        "leave it out, or narrow the lattice with max-level",
        "anonymize wide.parquet -o out.parquet --overwrite --all-nodes --job job.yaml --k 2 --max-suppression 95%",
        "anonymize wide.parquet -o out.parquet --overwrite --job job.yaml --k 2 --max-nodes 5 --max-suppression 95%",
        before=each(WIDE, WIDE_JOB),
    ),
    Case(
        "leave it out, or narrow the lattice with max-level",
        "anonymize wide.parquet -o out.parquet --overwrite --all-nodes --job job.yaml --k 2 --max-suppression 95%",
        before=each(WIDE, WIDE_JOB),
        edit=replaced("job.yaml", "hierarchy:", "max-level: 1, hierarchy:"),
    ),
    Case(
        "list the values in order in the job file (columns: {}: order: [...]), or write them as plain numbers",
        f"{SMALL} --sensitive grade --require t-ordered=0.9".replace("in.parquet", "grades.parquet"),
        f"{SMALL} --job job.yaml --require t-ordered=0.9".replace("in.parquet", "grades.parquet"),
        before=GRADES,
        edit=job("columns: {grade: {role: sensitive, order: ['1', '2', '10', '20', '30', few]}}\n"),
    ),
    Case(
        "list the values in order in the job file (columns: {}: order: [...]), or write them as plain numbers",
        f"{SMALL} --sensitive grade --require t-ordered=0.9".replace("in.parquet", "grades.parquet"),
        before=GRADES,
        edit=sql("copy (select a, [1, 2, 10, 20, 30, null][1 + n % 6] as grade from '@in.parquet') to '@grades.parquet'"),
    ),
    Case(
        "normalize the column before the run, or require t-hierarchical with a hierarchy of its values",
        f"{SMALL} --sensitive ill --require distinct-l=2".replace("in.parquet", "ills.parquet"),
        before=ILLS,
        edit=sql("copy (select a, lower(['flu', 'Flu', 'gout'][1 + n % 3]) as ill from '@in.parquet') to '@ills.parquet'"),
        warns=True,
    ),
    Case(
        "normalize the column before the run, or require t-hierarchical with a hierarchy of its values",
        f"{SMALL} --sensitive ill --require distinct-l=2".replace("in.parquet", "ills.parquet"),
        f"{SMALL} --sensitive ill --require t-hierarchical=0.9 --hierarchies ill=ill.csv".replace("in.parquet", "ills.parquet"),
        before=ILLS,
        edit=text("ill.csv", "flu;flu;*\nFlu;flu;*\ngout;gout;*\n"),
        warns=True,
    ),
    Case(
        "differ by at least 1% of its interquartile range; require t-ordered (--require t-ordered=0.3@{}), or round the column",
        f"{SMALL} --sensitive pay --require distinct-l=3".replace("in.parquet", "pays.parquet"),
        f"{SMALL} --sensitive pay --require t-ordered=0.9@{{0}}".replace("in.parquet", "pays.parquet"),
        before=sql("copy (select a, if(a = 'x', 1000 + n % 5, 100 * n) as pay from '@in.parquet') to '@pays.parquet'"),
        warns=True,
    ),
]

MANIFEST = "fixed.parquet.manifest.json"
PSEUDONYMS = f"{SMALL} --release r --key-file key --pseudonym id --linkable"
POPULATION = f"{SMALL} --require k-map=2 --population"


def compared(folder: Path) -> None:
    """What the message says: `duckanon compare --json > c.json`."""
    done = run_command(folder, *shlex.split("compare first.parquet --qi a --hierarchies a=a.csv --json"))
    (folder / "c.json").write_text(done.out)


OF_RELEASES = [
    Case(
        "is not the file of {}: its SHA-256 differs; ask for the original file, or check this one with --qi",
        f"check in.parquet --manifest {MANIFEST}",
        f"check fixed.parquet --manifest {MANIFEST}",
    ),
    Case(
        "ask for the original file, or check this one with --qi and --require",
        f"check in.parquet --manifest {MANIFEST}",
        "check in.parquet --qi a --require k=5",
    ),
    Case(
        "risk of {} is {}, above {}; anonymize it (duckanon anonymize), or drop a column from the file",
        "risk in.parquet --qi a,n --max-risk 0.5",
        "risk out.parquet --qi a,n --max-risk 0.5",
        edit=duckanon(f"{RUN} --qi a,n --hierarchies a=a.csv --entity none"),
    ),
    Case(
        "risk of {} is {}, above {}; anonymize it (duckanon anonymize), or drop a column from the file",
        "risk in.parquet --qi a,n --max-risk 0.5",
        "risk less.parquet --qi a --max-risk 0.5",
        edit=sql("copy (select * exclude (n) from '@in.parquet') to '@less.parquet'"),
    ),
    Case(
        "the new data holds sensitive values that the saved hierarchy does not cover",
        "apply out.parquet.manifest.json later.parquet -o new.parquet",
        f"{SMALL} --sensitive s --require t-hierarchical=0.9 --hierarchies s=later.csv".replace("in.parquet", "later.parquet"),
        before=each(
            duckanon(f"{SMALL} --sensitive s --require t-hierarchical=0.9 --hierarchies s=s.csv"),
            sql("copy (select a, s || n % 2 as s from '@in.parquet') to '@later.parquet'"),
        ),
        edit=text("later.csv", "".join(f"s{text};*\n" for text in ("00", "01", "10", "11", "20", "21"))),
    ),
    Case(
        "output {} is a file, and a folder is to be written; name another",
        f"{SMALL} -o there --partition-by a --sensitive s",
        f"{SMALL} -o other --partition-by a --sensitive s",
        before=text("there", "x"),
    ),
    Case(
        "--overwrite replaces only a folder that holds nothing but a release; name another",
        f"{SMALL} -o there --partition-by a --sensitive s",
        f"{SMALL} -o other --partition-by a --sensitive s",
        before=shell("mkdir there; touch there/note"),
    ),
    Case(
        "{} exists and holds more than a release; name another file",
        f"{SMALL} -o there.duckdb::people --sensitive s --overwrite",
        f"{SMALL} -o other.duckdb::people --sensitive s --overwrite",
        before=sql("attach '@there.duckdb' as there; create table there.others as select 1 as n"),
    ),
    Case(
        "output {} is not a regular file, and would be replaced by one; name another, or - for standard output",
        f"{SMALL} -o pipe.csv",
        f"{SMALL} -o file.csv",
        before=shell("mkfifo pipe.csv"),
    ),
    Case(
        "output {} is not a regular file, and would be replaced by one; name another, or - for standard output",
        f"{SMALL} -o pipe.csv",
        f"{SMALL} -o -",
        before=shell("mkfifo pipe.csv"),
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
        "both releases together allow an intersection attack; use the recoding of the earlier release (duckanon apply), or withdraw one",
        f"{ASKED} -o two.parquet --levels a=1,b=0",
        before=duckanon(f"{ASKED} -o one.parquet --levels a=0,b=1"),
        edit=shell("rm -r one.parquet*"),
        warns=True,
    ),
    Case(
        "--class needs one level for each column, and this release uses local recoding; name a --row",
        "explain out.parquet.manifest.json --class a=x",
        "explain out.parquet.manifest.json --row 1",
        before=duckanon(f"{SMALL} --algorithm local"),
    ),
    Case(
        "compare how the columns are written with the first data, or search again",
        f"apply {MANIFEST} later.parquet -o new.parquet",
        before=sql("copy (select upper(a) as a from '@in.parquet') to '@later.parquet'"),
        edit=sql("copy (select a from '@in.parquet') to '@later.parquet'"),
    ),
    Case(
        "compare how the columns are written with the first data, or search again",
        f"apply {MANIFEST} later.parquet -o new.parquet",
        "anonymize later.parquet -o new.parquet --qi a",
        before=sql("copy (select upper(a) as a from '@in.parquet') to '@later.parquet'"),
    ),
    Case(
        "name another with --release, unless this is a further table of that release",
        "apply out.parquet.manifest.json in.parquet -o new.parquet --overwrite --key-file key",
        "apply out.parquet.manifest.json in.parquet -o new.parquet --overwrite --key-file key --release other",
        before=duckanon(PSEUDONYMS),
        warns=True,
    ),
    Case(
        "the saved recoding {} was changed after {} was written: its SHA-256 differs; restore the original folder",
        f"apply {MANIFEST} in.parquet -o new.parquet",
        before=shell("cp -r fixed.parquet.recoding backup; echo >> fixed.parquet.recoding/job.yaml"),
        edit=shell("rm -r fixed.parquet.recoding; mv backup fixed.parquet.recoding"),
    ),
    Case(
        "{} is not the manifest of a release ({}); give the path of OUTPUT{}",
        "apply fixed.parquet in.parquet -o new.parquet",
        "apply fixed.parquet{2} in.parquet -o new.parquet",
    ),
    Case(
        "manifest {} was changed after it was written; restore the original file, or run the job again",
        f"explain {MANIFEST}",
        before=shell(f"cp {MANIFEST} backup; sed -i -E 's/(\"read\": 1)2/\\13/' {MANIFEST}"),
        edit=shell(f"mv backup {MANIFEST}"),
    ),
    Case(
        "manifest {} was changed after it was written; restore the original file, or run the job again",
        f"explain {MANIFEST}",
        before=shell(f"sed -i -E 's/(\"read\": 1)2/\\13/' {MANIFEST}"),
        edit=duckanon("anonymize first.parquet -o fixed.parquet --overwrite --qi a --hierarchies a=a.csv --k 5"),
    ),
    Case(
        "the release {} of {} does not exist; move it to the folder of its manifest",
        f"explain {MANIFEST}",
        before=shell("mkdir away; mv fixed.parquet away"),
        edit=shell("mv away/fixed.parquet ."),
    ),
    Case(
        "the saved recoding {} of {} does not exist; move it to the folder of the manifest",
        f"apply {MANIFEST} in.parquet -o new.parquet",
        before=shell("mkdir away; mv fixed.parquet.recoding away"),
        edit=shell("mv away/fixed.parquet.recoding ."),
    ),
    Case(
        "every released record shows the same value, but the input has several; drop {}, or lower the requirements",
        f"{ASKED} --k 45 --max-suppression 0",
        f"{ASKED} --k 2",
        warns=True,
    ),
    Case(
        "{} was changed after it was written: its SHA-256 differs from the manifest; run the job again",
        f"explain {MANIFEST}",
        before=shell("echo >> fixed.parquet"),
        edit=duckanon("anonymize first.parquet -o fixed.parquet --overwrite --job fixed.parquet.recoding/asked.yaml"),
    ),
    Case(
        "input {} changed since {} was made from it ({}); bring back the original input, or run the job again",
        f"explain {MANIFEST}",
        before=shell("mv first.parquet backup; cp other.parquet first.parquet"),
        edit=shell("mv backup first.parquet"),
    ),
    Case(
        "input {} changed since {} was made from it ({}); bring back the original input, or run the job again",
        f"explain {MANIFEST}",
        before=sql("copy (select a from '@in.parquet') to '@first.parquet'"),
        edit=duckanon("anonymize first.parquet -o fixed.parquet --overwrite --job fixed.parquet.recoding/asked.yaml"),
    ),
    Case(
        "the input of {} has moved ({}); name it with --input",
        f"explain {MANIFEST}",
        f"explain {MANIFEST} --input moved.parquet",
        before=shell("mv first.parquet moved.parquet"),
    ),
    Case(
        "--population {} is a table of a database; write it as Parquet or CSV first",
        f"{POPULATION} t.duckdb::t",
        f"{POPULATION} t.parquet",
        before=sql("attach '@t.duckdb' as d; create table d.t as from '@in.parquet'; detach d"),
        edit=sql("attach '@t.duckdb' as d (read_only); copy d.t to '@t.parquet'; detach d"),
    ),
    Case(
        "a population of {} is smaller than the table, of which {} rows take part; name all of it",
        "risk in.parquet --qi a --population-size 20",
        "risk in.parquet --qi a --population-size 600",
    ),
    Case(
        "rows with numbers that {} does not hold, its type in the input; make them alike",
        f"{RUN} --qi age --k 1 --require k-map=2 --population people.parquet".replace("in.parquet", "ages.parquet"),
        before=each(
            sql("copy (select (n % 4)::tinyint as age from '@in.parquet') to '@ages.parquet'"),
            sql("copy (select n * 100 as age from '@in.parquet') to '@people.parquet'"),
        ),
        edit=sql("copy (select n % 4 * 100 as age from '@in.parquet') to '@ages.parquet'"),
    ),
    Case(
        "column {} is {} in the input and {} in population {}; make them alike",
        f"{POPULATION} people.parquet",
        before=sql("copy (select n as a from '@in.parquet') to '@people.parquet'"),
        edit=sql("copy (select a from '@in.parquet') to '@people.parquet'"),
    ),
    Case(
        "the population has no rows; name the table that the input was taken from",
        f"{POPULATION} people.parquet",
        f"{POPULATION} in.parquet",
        before=sql("copy (select a from '@in.parquet' limit 0) to '@people.parquet'"),
    ),
    Case(
        "key file {} is also read as data; make a separate key: openssl rand -hex 32 > duckanon.key",
        "anonymize key.csv -o out.csv --qi a --release r --pseudonym id --key-file key.csv --linkable --k 1",
        "anonymize key.csv -o out.csv --qi a --release r --pseudonym id --key-file duckanon.key --linkable --k 1",
        before=shell("umask 077; printf 'a,id\\nx,00112233445566778899aabbccddeeff\\n' > key.csv"),
        edit=shell("umask 077; openssl rand -hex 32 > duckanon.key"),
    ),
    Case(
        "output {} has no file name; name a file, or a folder that does not exist",
        f"{SMALL} -o / --partition-by a --sensitive s",
        f"{SMALL} -o new --partition-by a --sensitive s",
    ),
    Case(
        "key file {} has the path of the release or of one of its companion files; name another output",
        f"{SMALL} --release r --pseudonym id --linkable --key-file new.parquet.manifest.json -o new.parquet",
        f"{SMALL} --release r --pseudonym id --linkable --key-file new.parquet.manifest.json -o other.parquet",
        before=shell("cp key new.parquet.manifest.json"),
    ),
    Case(
        "the release of {} has no default path; name a file with -o",
        "anonymize '*part.parquet' --qi a --hierarchies a=a.csv",
        "anonymize '*part.parquet' --qi a --hierarchies a=a.csv -o new.parquet",
        before=shell("cp in.parquet part.parquet; cp in.parquet another_part.parquet"),
    ),
    Case(
        "the path of the saved recoding, {}, exists and is not a saved recoding; move it away, or name another output",
        f"{SMALL} -o new.parquet",
        before=shell("mkdir new.parquet.recoding"),
        edit=shell("mv new.parquet.recoding away"),
    ),
    Case(
        "the path of the saved recoding, {}, exists and is not a saved recoding; move it away, or name another output",
        f"{SMALL} -o new.parquet",
        f"{SMALL} -o other.parquet",
        before=shell("mkdir new.parquet.recoding"),
    ),
    Case(
        "run it with --workspace FILE.duckdb and read duckanon.steps, or show its templates: duckanon sql list",
        f"{SMALL} --algorithm local --sql",
        f"{SMALL} --algorithm local --workspace w.duckdb",
    ),
    Case(
        "or show its templates: duckanon sql list",
        f"{SMALL} --algorithm local --sql",
        "sql list",
    ),
    Case(
        "job file {} is a folder, or its folder does not exist; name a file in a folder that exists",
        "profile in.parquet --write-job there/job.yaml",
        "profile in.parquet --write-job job.yaml",
    ),
    Case(
        "report and job file have the same path {}; name another file for one of them",
        "profile in.parquet --write-job job.yaml --report job.yaml",
        "profile in.parquet --write-job job.yaml --report page.html",
    ),
    Case(
        "workspace and register have the same path {}; name another file for one of them",
        f"{SMALL} -o new.parquet --workspace w.duckdb --register w.duckdb",
        f"{SMALL} -o new.parquet --workspace w.duckdb --register r.duckdb",
    ),
    Case(
        "output {} is the data itself; name another file",
        "hierarchy build a.csv --data in.parquet --column a -o in.parquet --overwrite",
        "hierarchy build a.csv --data in.parquet --column a -o new.parquet",
    ),
    Case(
        "output {} is the hierarchy itself; name another file",
        "hierarchy build a.csv --data in.parquet --column a -o a.csv --overwrite",
        "hierarchy build a.csv --data in.parquet --column a -o new.csv",
    ),
    Case(
        "job file {} exists; give --overwrite, or name another file",
        "profile in.parquet --write-job job.yaml",
        "profile in.parquet --write-job job.yaml --overwrite",
        before=job(""),
    ),
    Case(
        "job file {} exists; give --overwrite, or name another file",
        "profile in.parquet --write-job job.yaml",
        "profile in.parquet --write-job other.yaml",
        before=job(""),
    ),
    Case(
        "{} values cannot be generalized; unnest them first",
        "anonymize nested.csv.parquet -o out.parquet --overwrite --k 2 -v",
        before=sql("copy (select a as town, [b] as sex from '@in.parquet') to '@nested.csv.parquet'"),
        edit=sql("copy (select a as town, unnest([b]) as sex from '@in.parquet') to '@nested.csv.parquet'"),
        warns=True,
    ),
    Case(
        "{} of the release are unique over all released columns, since {} {} released unchanged: an adversary who knows these values too "
        "finds them; change the role in the job file to quasi-identifier, or drop {}",
        "anonymize outcomes.parquet -o out.parquet --overwrite",
        "anonymize --job out.parquet.job.yaml -o again.parquet",
        before=sql(
            "copy (select range % 2 as town, hash(range) % 6 as disease, hash(range * 7) % 6 as outcome from range(200)) "
            "to '@outcomes.parquet'"
        ),
        edit=replaced("out.parquet.job.yaml", "{role: sensitive}", "{role: identifying}"),
        warns=True,
    ),
    Case(
        "no such comparison: {}; write one with duckanon compare --json > {}",
        f"report {MANIFEST} --comparison c.json",
        edit=compared,
    ),
    Case(
        "{} is not a comparison; write one with duckanon compare --json > {}",
        f"report {MANIFEST} --comparison c.json",
        before=text("c.json", "{}"),
        edit=compared,
    ),
    Case(
        "a report or a public manifest needs a release in a file; name the file with -o",
        f"{SMALL} -o - --public-manifest p.json",
        f"{SMALL} -o new.csv --public-manifest p.json",
    ),
    Case(
        "two documents have the same path {}; name another file for one of them",
        f"{SMALL} --public-manifest p.json --report p.json",
        f"{SMALL} --public-manifest p.json --report r.html",
    ),
    Case(
        "a {} cannot be written to standard output; name a file, for example {}",
        f"{SMALL} --public-manifest -",
        f"{SMALL} --public-manifest {{1}}",
    ),
    Case(
        "if that line is a header, or give --columns a,b,c if it is a record",
        "anonymize odd.csv --qi a -o out.csv --k 1",
        before=text("odd.csv", "a,7\nx,y\nz,w\n"),
        edit=replaced("odd.csv", "a,7", "a,b"),
    ),
    Case(
        "if that line is a header, or give --columns a,b,c if it is a record",
        "anonymize odd.csv --qi a -o out.csv --k 1",
        "anonymize odd.csv --qi a -o out.csv --k 1 --columns a,b",
        before=text("odd.csv", "a,7\nx,y\nz,w\n"),
    ),
    Case(
        "save it as CSV in UTF-8 in the program that wrote it, or as Parquet",
        "anonymize odd.csv --qi a -o out.csv --k 1",
        before=data("odd.csv", b"a,b\n\x81\x01,2\n"),
        edit=text("odd.csv", "a,b\nü,2\n"),
    ),
    Case(
        "{} names no table; write {}",
        "anonymize t.duckdb:: --qi a -o out.csv --k 1",
        "anonymize t.duckdb::t --qi a -o out.csv --k 1",
        before=sql("attach '@t.duckdb' as d; create table d.t as select 1 as a; detach d"),
    ),
    Case(
        "{} is a folder without Parquet, CSV or JSON files; name a file, or a folder that has some",
        "anonymize there --qi a -o out.csv --k 1",
        "anonymize full --qi a -o out.csv --k 1",
        before=shell("mkdir there full; touch there/note.md; cp in.parquet full"),
    ),
    Case(
        "no file matches {}; quote the pattern, and check its folder",
        "anonymize 'here/*.parquet' --qi a -o out.csv --k 1",
        "anonymize 'full/*.parquet' --qi a -o out.csv --k 1",
        before=shell("mkdir full; cp in.parquet full"),
    ),
    Case(
        "{} holds {} ({}) and {} ({}); name files of one kind",
        "anonymize 'part*' --qi a -o out.csv --k 1",
        "anonymize 'part*.csv' --qi a -o out.csv --k 1",
        before=shell("printf 'a,b\\nx,1\\n' > part1.csv; cp in.parquet part2.parquet"),
    ),
    Case(
        "{} holds compressed files and others ({}, {}); name files of one kind",
        "anonymize 'part*' --qi a -o out.csv --k 1",
        "anonymize 'part*.gz' --qi a -o out.csv --k 1",
        before=shell("printf 'a,b\\nx,1\\n' > part1.csv; gzip < part1.csv > part2.csv.gz"),
    ),
    Case(
        "holds whole numbers of 16 digits and more beside decimals, {}, which would round them; write them as text",
        "anonymize big.jsonl --qi a --keep n -o out.csv --k 1",
        before=text("big.jsonl", '{"a": "x", "n": [12345678901234567, 0.5]}\n'),
        edit=text("big.jsonl", '{"a": "x", "n": ["12345678901234567", "0.5"]}\n'),
    ),
    Case(
        "has a decimal number of more digits than a double keeps, which JSON readers round; write it as text",
        "anonymize big.jsonl --qi a --keep n -o out.csv --k 1",
        before=text("big.jsonl", '{"a": "x", "n": 0.12345678901234567890}\n'),
        edit=text("big.jsonl", '{"a": "x", "n": "0.12345678901234567890"}\n'),
    ),
    Case(
        "{} is partitioned by {}, {} by {}; name one folder whose files all lie equally deep",
        "anonymize there --qi a -o out.csv --k 1",
        "anonymize there/year=2020 --qi a -o out.csv --k 1",
        before=shell("mkdir -p there/year=2020; cp in.parquet there/year=2020; cp in.parquet there"),
    ),
    Case(
        "is text that looks like numbers with separators; give --decimal comma or --decimal point to have them read, or write them as 1234.5",
        "anonymize commas.csv -o out.csv --k 2 --overwrite --max-suppression 50% -v",
        "anonymize commas.csv -o out.csv --k 2 --overwrite --max-suppression 50% -v --decimal comma",
        before=text("commas.csv", "town;weight\n" + "".join(f"{'xy'[number % 2]};{number},500\n" for number in range(10, 30))),
        warns=True,
    ),
]

OF_A = "hierarchy show h.yaml --data in.parquet --column a"
OF_N = "hierarchy show h.yaml --data in.parquet --column n"
NUMBERED = text("codes.csv", "number,name\n" + "".join(f"{number},value {number} of a list\n" for number in range(3000)))
BOUNDED = "kind: intervals\nintervals: [[0, 30], [30, 60]]\n"


def hierarchy(message: str, before: str, after: str, command: str = OF_A) -> Case:
    """A hierarchy file that is refused, and what the message makes of it."""
    return Case(message, command, before=each(NUMBERED, text("h.yaml", before)), edit=text("h.yaml", after))


OF_HIERARCHY_FILES = [
    hierarchy(
        "an empty entry is not a label; write 'null' in quotes if you mean that text",
        "kind: levels\nlevels:\n  - A: [x, y]\n    B: [z, null]\n  - '*'\n",
        "kind: levels\nlevels:\n  - A: [x, y]\n    B: [z, 'null']\n  - '*'\n",
    ),
    hierarchy(
        "{} has a time zone; write the bound without one, as the column prints it",
        "kind: intervals\nintervals: [['2020-01-01 00:00:00+01:00', '2020-02-01 00:00:00'], ['2020-02-01 00:00:00', '2020-03-10 00:00:00']]\n",
        "kind: intervals\nintervals: [['2020-01-01 00:00:00', '2020-02-01 00:00:00'], ['2020-02-01 00:00:00', '2020-03-10 00:00:00']]\n",
        "hierarchy show h.yaml --data more.parquet --column at",
    ),
    hierarchy(
        "{} is not a bound; leave an open end out, or write null",
        f"{BOUNDED}range: {{snap: [0, inf]}}\n",
        f"{BOUNDED}range: {{snap: [0, null]}}\n",
        OF_N,
    ),
    hierarchy(
        "{} is not a bound; leave an open end out, or write null",
        f"{BOUNDED}range: {{snap: [0, inf]}}\n",
        f"{BOUNDED}",
        OF_N,
    ),
    hierarchy(
        "bounds have different types: {}; write all of one type",
        "kind: intervals\nintervals: [[0, 30], [30, 2020-01-01]]\n",
        BOUNDED,
        OF_N,
    ),
    hierarchy(
        "do not fit column {}, which is {}; use a value table for it",
        BOUNDED,
        "kind: table\nrows: [[true, '*'], [false, '*']]\n",
        "hierarchy show h.yaml --data more.parquet --column flag",
    ),
    hierarchy(
        "dates need a date or timestamp, but column {} is {}; use a value table for it",
        "kind: dates\nunits: [month, year]\n",
        "kind: table\nrows: [[true, '*'], [false, '*']]\n",
        "hierarchy show h.yaml --data more.parquet --column flag",
    ),
    hierarchy(
        "choose levels with `steps: [2, 5, {}]`, or use another kind if column {} is not a code",
        "kind: redaction\n",
        "kind: redaction\nsteps: [2, 5, 200]\n",
        "hierarchy show h.yaml --data more.parquet --column code",
    ),
    Case(
        "set `length` for a redaction, or `priorities` for a priority",
        f"{RUN} --qi code --hierarchies code=h.yaml --sql".replace("in.parquet", "more.parquet"),
        before=text("h.yaml", "kind: redaction\n"),
        edit=text("h.yaml", "kind: redaction\nlength: 3\n"),
    ),
    hierarchy(
        "more than {}; use `function: bounds`, or smaller groups",
        "kind: order\ngroups: [[2000]]\nfunction: set\n",
        "kind: order\ngroups: [[2000]]\nfunction: bounds\n",
        "hierarchy show h.yaml --data codes.csv --column number",
    ),
    hierarchy(
        "more than {}; use `function: bounds`, or smaller groups",
        "kind: order\ngroups: [[2000]]\nfunction: set\n",
        "kind: order\ngroups: [[20]]\nfunction: set\n",
        "hierarchy show h.yaml --data codes.csv --column number",
    ),
    hierarchy(
        "range.repeat: the calendar already repeats; keep only snap and label",
        "kind: dates\nunits: [month]\nrange: {snap: [2020-01-01, 2020-03-01], repeat: [2020-01-01, 2020-02-01]}\n",
        "kind: dates\nunits: [month]\nrange: {snap: [2020-01-01, 2020-03-01]}\n",
        "hierarchy show h.yaml --data more.parquet --column day",
    ),
    hierarchy(
        "range: {} is not a date; write it as 1950-01-01",
        "kind: dates\nunits: [month]\nrange: {snap: [1950, 2020]}\n",
        "kind: dates\nunits: [month]\nrange: {snap: [1950-01-01, 2020-01-01]}\n",
        "hierarchy show h.yaml --data more.parquet --column day",
    ),
    hierarchy(
        "the ranges of level {} begin with {} characters; give all the same length",
        "kind: codes\nlevels: [{A: x, B: yy-zz}]\n",
        "kind: codes\nlevels: [{A: x, B: y-z}]\n",
    ),
    hierarchy(
        "{} is not a range of codes; write A00-B99, or a single prefix",
        "kind: codes\nlevels: [{A: x, B: y to z}]\n",
        "kind: codes\nlevels: [{A: x, B: y-z}]\n",
    ),
    hierarchy(
        "has a cycle: {}; give one of them a parent outside it",
        "kind: tree\npairs: [[x, A], [y, A], [z, A], [A, B], [B, A]]\n",
        "kind: tree\npairs: [[x, A], [y, A], [z, A], [A, B], [B, '*']]\n",
    ),
    hierarchy(
        "lists no members for {} on level {}; write them as LABEL: [MEMBERS], or use kind intervals for numbers",
        "kind: levels\nlevels:\n  - [x, y, z]\n  - [A, B]\n  - '*'\n",
        "kind: levels\nlevels:\n  - [x, y, z]\n  - A: [x, y]\n    B: [z]\n  - '*'\n",
    ),
    hierarchy(
        "lists no members for {} on level {}; write them as LABEL: [MEMBERS], or use kind intervals for numbers",
        "kind: levels\nlevels:\n  - [0, 1, 2]\n  - ['0-1', '2-3']\n  - '*'\n",
        BOUNDED,
        OF_N,
    ),
    hierarchy(
        "has no parent on level {} for {} of level {}{}; put it into a group of that level",
        "kind: levels\nlevels:\n  - [x, y, z]\n  - A: [x]\n    B: [y]\n  - '*'\n",
        "kind: levels\nlevels:\n  - [x, y, z]\n  - A: [x]\n    B: [y, z]\n  - '*'\n",
    ),
    Case(
        "has an empty label on its last level, perhaps after a trailing ';'; write a label, for example '*'",
        "hierarchy show h.csv --data in.parquet --column a",
        before=text("h.csv", "x;A;\ny;A;\nz;B;\n"),
        edit=text("h.csv", "x;A;*\ny;A;*\nz;B;*\n"),
    ),
    hierarchy(
        "that of {} and that of {}, the same label {}; choose another label function, or give each its own label",
        "kind: order\nvalues: [aab, aac, aad, aae]\ngroups: [[2]]\nfunction: prefix(2)\n",
        "kind: order\nvalues: [aab, aac, aad, aae]\ngroups: [[2]]\nfunction: bounds\n",
        "hierarchy show h.yaml",
    ),
    hierarchy(
        "declare the intervals with either widths or intervals",
        f"{BOUNDED}widths: [10]\n",
        BOUNDED,
        OF_N,
    ),
    hierarchy(
        "widths already define the groups; use intervals and groups, or only widths",
        "kind: intervals\nwidths: [10]\ngroups: [[2]]\n",
        "kind: intervals\nwidths: [10]\n",
        OF_N,
    ),
    hierarchy(
        "widths already define the groups; use intervals and groups, or only widths",
        "kind: intervals\nwidths: [10]\ngroups: [[2]]\n",
        "kind: intervals\nintervals: [[0, 10]]\ngroups: [[2]]\n",
        OF_N,
    ),
    hierarchy(
        "set the ends with `range`, give each its own label, or set `duplicates: number`",
        "kind: intervals\nintervals: [{min: 0, max: 30, label: low}, {min: 30, max: 60, label: high}]\nrange: {repeat: [0, 120]}\n",
        "kind: intervals\nintervals: [{min: 0, max: 30, label: low}, {min: 30, max: 60, label: high}]\nrange: {repeat: [0, 60]}\n",
        OF_N,
    ),
    hierarchy(
        "set the ends with `range`, give each its own label, or set `duplicates: number`",
        "kind: intervals\nintervals: [{min: 0, max: 30, label: low}, {min: 30, max: 60, label: high}]\nrange: {repeat: [0, 120]}\n",
        "kind: intervals\nintervals: [{min: 0, max: 30, label: low}, {min: 30, max: 60, label: high}]\nrange: {repeat: [0, 120]}\nduplicates: number\n",
        OF_N,
    ),
    hierarchy(
        "give its values with one of {}{}",
        "kind: tree\ntree: {'*': {A: [x, y, z]}}\npairs: [[x, A]]\n",
        "kind: tree\ntree: {'*': {A: [x, y, z]}}\n",
    ),
    hierarchy(
        "give its values with one of {}{}",
        "kind: table\n",
        "kind: table\nrows: [[x, '*'], [y, '*'], [z, '*']]\n",
    ),
    hierarchy(
        "lists no values; write them below their labels, as {North: [Norway, Sweden]}",
        "kind: tree\ntree: {A: , B: }\n",
        "kind: tree\ntree: {'*': {A: [x, y], B: [z]}}\n",
    ),
    hierarchy(
        "lists values and no level above them; add one, for example - '*'",
        "kind: levels\nlevels:\n  - [x, y, z]\n",
        "kind: levels\nlevels:\n  - [x, y, z]\n  - '*'\n",
    ),
    hierarchy(
        "entry {} is empty; write the labels of the level",
        "kind: levels\nlevels:\n  - [x, y, z]\n  -\n  - '*'\n",
        "kind: levels\nlevels:\n  - [x, y, z]\n  - A: [x, y, z]\n  - '*'\n",
    ),
    hierarchy(
        "the file {} of the hierarchy of column {} {}; name a CSV or Parquet file",
        "kind: table\nfile: values.csv\n",
        "kind: table\nfile: a.csv\n",
    ),
    hierarchy(
        "label {} of level {} would be the label of several groups; give each its own label, or set `duplicates: number`",
        "kind: order\nvalues: [x, y, z]\ngroups: [[{size: 1, label: one}]]\n",
        "kind: order\nvalues: [x, y, z]\ngroups: [[{size: 1, label: one}, {size: 2, label: two}]]\n",
    ),
    hierarchy(
        "label {} of level {} would be the label of several groups; give each its own label, or set `duplicates: number`",
        "kind: order\nvalues: [x, y, z]\ngroups: [[{size: 1, label: one}]]\n",
        "kind: order\nvalues: [x, y, z]\ngroups: [[{size: 1, label: one}]]\nduplicates: number\n",
    ),
    Case(
        "set {} has several hierarchies for {}: {}; choose one with --hierarchies {}=FILE",
        f"{RUN} --qi a --hierarchies set",
        f"{RUN} --qi a --hierarchies set --hierarchies {{3}}=set/a.csv",
        before=shell("mkdir set; cp a.csv set/a.csv; cp a.csv set/a.txt"),
    ),
    Case(
        "set {} has several hierarchies for {}: {}; choose one with --hierarchies {}=FILE",
        f"{RUN} --qi a --hierarchies set",
        f"{RUN} --qi a --hierarchies {{3}}=set/a.csv --hierarchies set",
        before=shell("mkdir set; cp a.csv set/a.csv; cp a.csv set/a.txt"),
    ),
    Case(
        "; name a CSV, Parquet or YAML file, or a bundled hierarchy (`duckanon hierarchy list`)",
        f"{RUN} --job job.yaml",
        before=job("columns: {a: {role: quasi-identifier, hierarchy: none.yaml}}\n"),
        edit=replaced("job.yaml", "none.yaml", "a.csv"),
    ),
    Case(
        "; name a CSV, Parquet or YAML file, or a bundled hierarchy (`duckanon hierarchy list`)",
        f"{RUN} --job job.yaml".replace("in.parquet", "demo.parquet"),
        before=each(
            job("columns: {sex: {role: quasi-identifier, hierarchy: none.yaml}}\n"), duckanon("demo -o demo.parquet --rows 60")
        ),
        edit=replaced("job.yaml", "none.yaml", "adult/five-year/sex"),
    ),
    Case(
        "hierarchy {} is not a readable CSV file ({}); save it again as UTF-8 text",
        "hierarchy show h.csv --data in.parquet --column a",
        before=data("h.csv", b"x;*\ry;*\rz;*\r"),
        edit=shell("cp a.csv h.csv"),
    ),
    Case(
        "set {} contains no hierarchy file; add one, as COLUMN.yaml or COLUMN.csv",
        "hierarchy check set",
        before=shell("mkdir set; cp a.csv set/set.yaml; echo > set/set.yaml"),
        edit=shell("cp a.csv set/a.csv"),
    ),
    Case(
        "{} is nested more than {} levels deep; write large trees as child,parent pairs",
        "hierarchy show h.yaml --data in.parquet --column a",
        before=text(
            "h.yaml",
            "kind: tree\ntree: "
            + "{'*': "
            + "".join(f"{{g{number}: " for number in range(300))
            + "[x, y, z]"
            + "}" * 301
            + "\n",
        ),
        edit=text("h.yaml", "kind: tree\npairs: [[x, g], [y, g], [z, g], [g, '*']]\n"),
    ),
    Case(
        "hierarchy {} has {} values, too many for YAML; keep it as a table, which jobs can read too",
        "hierarchy convert h.csv h.yaml",
        "hierarchy convert h.csv h.parquet",
        before=text("h.csv", "".join(f"{number};*\n" for number in range(100_001))),
    ),
    Case(
        "output {} does not end in {}{}; name a file with such an ending",
        "hierarchy convert a.csv h.json",
        "hierarchy convert a.csv h.yaml",
    ),
    Case(
        "write the values out, and '*' in quotes",
        OF_A,
        before=text("h.yaml", "kind: levels\nlevels:\n  - &values [x, y, z]\n  - A: *values\n  - '*'\n"),
        edit=text("h.yaml", "kind: levels\nlevels:\n  - [x, y, z]\n  - A: [x, y, z]\n  - '*'\n"),
    ),
]

CASES = [*INFEASIBLE, *INPUTS, *PLACES, *OPTIONS, *HIERARCHIES, *OF_COLUMNS, *OF_RELEASES, *OF_HIERARCHY_FILES]
FIRST = {case.message: number for number, case in reversed([*enumerate(CASES)])}
"""Where a message names several ways, its first one; the others are followed before a release."""


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
    sql(
        "copy (select *, date '2020-01-01' + n::int as day, date '2021-01-01' - n::int as other, timestamp '2020-01-01' + to_days(n::int) as at, "
        "n % 2 = 0 as flag, (n % 3)::tinyint as small, repeat('x', 199) || n % 2 as code from '@in.parquet') to '@more.parquet'"
    )(folder)
    (folder / "a.csv").write_text("x;*\ny;*\nz;*\n")
    (folder / "b.csv").write_text("p;*\nq;*\n")
    (folder / "s.csv").write_text("s0;*\ns1;*\ns2;*\n")
    (folder / "key").write_text("00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef\n")
    (folder / "key").chmod(0o600)
    write_parquet(folder / "first.parquet", [{"a": value} for value in "xxxxxxyyyyyy"])
    run = run_command(folder, *shlex.split("anonymize first.parquet -o fixed.parquet --qi a --hierarchies a=a.csv --k 5"))
    assert run.code == 0, run.err
    return folder


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case, id=f"{number}: {case.message[:60]}", marks=() if number == FIRST[case.message] else pytest.mark.thorough
        )
        for number, case in enumerate(CASES)
    ],
)
def test_what_is_advised_helps(case: Case, made: Path, tmp_path: Path, cli: Cli) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    case.before(tmp_path)
    run = cli(*shlex.split(case.command))
    assert (run.code == 0) is case.warns, run.err
    match = next(filter(None, map(case.pattern.search, printed(run))), None)
    assert match is not None, run.err
    case.edit(tmp_path)
    values = [value.strip("'\"") if value is not None else "" for value in match.groups()]
    again = cli(*shlex.split((case.follow or case.command).format(*values)))
    assert again.code == 0, again.err
    assert not any(map(case.pattern.search, printed(again))), again.err


def printed(run: Finished) -> Sequence[str]:
    return [*run.err.splitlines(), *run.out.splitlines()]


def test_the_advised_limit_is_the_least(made: Path, tmp_path: Path, cli: Cli) -> None:
    """By the sizes of the classes, counted by DuckDB: as many rows as the advice says are in classes below k."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    command = f"{ASKED} --k 8 {LEVELS} --json --max-suppression"
    run = cli(*shlex.split(f"{command} 0"))
    [limit] = re.findall(r"raise --max-suppression to (\d+) \(", run.err)
    counted = f"select sum(n) from (select count(*) as n from '{tmp_path / 'in.parquet'}' group by a, b) where n < 8"
    assert duckdb.execute(counted).fetchall() == [(int(limit),)]
    assert cli(*shlex.split(f"{command} {int(limit) - 1}")).code == 1
    assert json.loads(cli(*shlex.split(f"{command} {limit}")).out)["rows"]["suppressed"] == int(limit)


def test_every_advice_is_followed_or_listed() -> None:
    """A new message with advice needs a case, or a line in `advice_not_followed.txt` that says why it has none."""
    known = not_followed()
    advised = advice()
    open_ = {
        place: line for line, place in advised.items() if line not in known and not any(case.message in line for case in CASES)
    }
    assert open_ == {}
    assert [line for line in known if line not in advised] == []
    assert [line for line in known if any(case.message in line for case in CASES)] == []
    assert [case.message for case in CASES if not any(case.message in line for line in advised)] == []
