"""Advice is followed: each message is provoked, what it tells the reader to do is taken from its text and done, and the fault is gone."""

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


def shell(command: str) -> Change:
    return lambda folder: subprocess.run(["bash", "-c", command], cwd=folder, check=True)


@dataclass(frozen=True)
class Case:
    """A message, how it is provoked, and what is done about it."""

    said: str
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
        parts = [re.escape(part) for part in self.said.split("{}")]
        return re.compile(
            "(.+?)".join(parts) + ("(\\S+)" if self.said.endswith("{}") else "")
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
        f"{RUN} --qi {{1}} --identifying {{2}} --entity none --k 15 --max-suppression 0 --hierarchies b=b.csv",
        before=job("columns: {a: {role: quasi-identifier, max-level: 0}}"),
    ),
    Case(
        "ask for at most {} in {}",
        f"{ASKED} --k-column own --max-suppression 0",
        before=nothing,
        edit=sql("copy (select * replace (40 as own) from '@in.parquet') to '@new.parquet'"),
        follow=f"{ASKED} --k-column own --max-suppression 0".replace("in.parquet", "new.parquet"),
    ),
    Case(
        "search anew (duckanon anonymize)",
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
        "convert it first: iconv -f {} -t utf-8",
        "anonymize wide.csv --qi a -o out.csv --k 2",
        before=data("wide.csv", ("a,b\n" + "x,1\ny,2\n" * 5).encode("utf-16")),
        edit=shell("iconv -f utf-16 -t utf-8 < wide.csv > t && mv t wide.csv"),
    ),
    Case(
        "convert it first: iconv -f {} -t utf-8",
        "anonymize wide.csv --qi a -o out.csv --k 2",
        before=data("wide.csv", ("a,b\n" + "x,1\ny,2\n" * 5).encode("utf-16-le")),
        edit=shell("iconv -f utf-16le -t utf-8 < wide.csv > t && mv t wide.csv"),
    ),
    Case(
        "iconv -f cp1252 -t utf-8",
        "anonymize west.csv --qi a -o out.csv --k 2",
        before=data("west.csv", ("a,b\n" + "ä,1\nß,2\n" * 5).encode("cp1252")),
        edit=shell("iconv -f cp1252 -t utf-8 < west.csv > t && mv t west.csv"),
    ),
    Case(
        "rename it to end in .csv.gz",
        "anonymize packed.csv --qi a -o out.csv --k 2",
        "anonymize packed.csv.gz --qi a -o out.csv --k 2",
        before=shell("printf 'a,b\\nx,1\\nx,2\\n' | gzip > packed.csv"),
        edit=shell("mv packed.csv packed.csv.gz"),
    ),
    Case(
        "save the sheet as CSV in UTF-8, or unpack the archive",
        "anonymize sheet.xlsx --qi a -o out.csv --k 2",
        "anonymize inside.csv --qi a -o out.csv --k 2",
        before=shell("printf 'a,b\\nx,1\\nx,2\\n' > inside.csv; python3 -m zipfile -c sheet.xlsx inside.csv; rm inside.csv"),
        edit=shell("python3 -m zipfile -e sheet.xlsx ."),
    ),
    Case(
        "rename it to end in .csv or .jsonl where it is one of them",
        "anonymize list.dat --qi a -o out.csv --k 2",
        "anonymize list.csv --qi a -o out.csv --k 2",
        before=text("list.dat", "a,b\nx,1\nx,2\n"),
        edit=shell("mv list.dat list.csv"),
    ),
    Case(
        "give --columns a,b,c, since that line looks like a record",
        "anonymize bare.csv --qi a -o out.csv --k 2",
        "anonymize bare.csv --qi a -o out.csv --k 2 --columns a,b,c",
        before=text("bare.csv", "1,x,2\n1,y,3\n"),
    ),
    Case(
        "write a name there that is no number",
        "anonymize years.csv --qi a -o out.csv --k 2",
        before=text("years.csv", "a,1999,x\n1,5,2\n1,6,3\n"),
        edit=replaced("years.csv", "1999", "y1999"),
    ),
    Case(
        "write one there",
        "anonymize named.csv --qi a -o out.csv --k 2",
        before=text("named.csv", ",a,x\n1,5,2\n1,5,3\n"),
        edit=replaced("named.csv", ",a,x", "row,a,x"),
    ),
    Case(
        "where it is a header, leave --columns out",
        "anonymize named.csv --qi b -o out.csv --k 1 --columns c,b,d",
        "anonymize named.csv --qi a -o out.csv --k 1 --overwrite",
        before=text("named.csv", "row,a,x\n1,5,2\n1,5,3\n"),
        warns=True,
    ),
    Case(
        "leave --columns out, and name every column there",
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
        "{} is a DuckDB file; name one of its tables: {}{}TABLE",
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
        "write these as numbers, or as NA",
        "anonymize mixed.csv --qi a -o out.csv --k 1 --overwrite",
        before=text("mixed.csv", "a,b\n" + "1,x\n" * 60 + "oops,x\n"),
        edit=replaced("mixed.csv", "oops", "NA"),
        warns=True,
    ),
    Case(
        "{} holds no records; write one JSON object a line",
        "anonymize none.jsonl --qi a -o out.csv --k 1",
        before=text("none.jsonl", "\n\n"),
        edit=text("none.jsonl", '{"a": 1}\n'),
    ),
    Case(
        "the input has two columns called {}; rename one",
        "anonymize twice.csv --qi a -o out.csv --k 1",
        before=text("twice.csv", "a,a\nx,y\n"),
        edit=replaced("twice.csv", "a,a", "a,b"),
    ),
    Case(
        "and SQL takes them for one; rename one",
        "anonymize twice.csv --qi a -o out.csv --k 1",
        before=text("twice.csv", "a,A\nx,y\n"),
        edit=replaced("twice.csv", "a,A", "a,b"),
    ),
    Case(
        "has a name that duckanon uses itself; rename it",
        "anonymize own.csv --qi a -o out.csv --k 1",
        before=text("own.csv", "a,_rows\nx,1\n"),
        edit=replaced("own.csv", "_rows", "rows"),
    ),
    Case(
        "write them as 2020-12-31 to have them read as dates",
        "anonymize days.csv -o out.csv --k 2 --overwrite",
        before=text("days.csv", "day,town\n" + "".join(f"{day}.12.2020,{'xy'[day % 2]}\n" for day in range(10, 30))),
        edit=shell("sed -i -E 's/([0-9]+).12.2020/2020-12-\\1/' days.csv"),
        warns=True,
    ),
    Case(
        "where that means missing, give {} --missing-policy drop",
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
        "the manifest's place {} is a folder; move it away",
        f"{SMALL} -o new.parquet",
        before=shell("mkdir new.parquet.manifest.json"),
        edit=shell("mv new.parquet.manifest.json away"),
    ),
    Case(
        "is there from an earlier run; use it with --job, give --overwrite",
        "anonymize in.parquet -o new.parquet",
        "anonymize in.parquet -o new.parquet --overwrite",
        before=text("new.parquet.job.yaml", "x"),
    ),
    Case("{} {}; name another file", f"{SMALL} -o in.parquet", f"{SMALL} -o new.parquet"),
    Case(
        "a report or a public manifest tells of a release, and --dry-run makes none; leave out one of them",
        f"{SMALL} --dry-run --public-manifest p.json",
        f"{SMALL} --public-manifest p.json",
    ),
    Case(
        "which --json or a program has for itself; name a file with -o",
        "anonymize in.parquet --qi a --json -o -",
        "anonymize in.parquet --qi a --json -o new.csv",
    ),
    Case(
        "{} {} is where the release or what belongs to it lies; name another file",
        f"{SMALL} --public-manifest out.parquet",
        f"{SMALL} --public-manifest p.json",
    ),
    Case(
        "is where the release, its companions or the input lie; name another file",
        f"{SMALL} --workspace out.parquet",
        f"{SMALL} --workspace w.duckdb",
    ),
    Case(
        "workspace {} is a folder; name a file in it, say {}",
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
        "give it another name, say 'workspace.duckdb'",
        f"{SMALL} --workspace duckanon.duckdb",
        f"{SMALL} --workspace workspace.duckdb",
    ),
    Case("`demo` writes a file; name one with -o", "demo -o - --rows 5", "demo -o d.csv --rows 5"),
    Case("--rows {} makes no file; ask for at least 1", "demo -o d.csv --rows 0", "demo -o d.csv --rows 1"),
    Case(
        "no input: name a Parquet, CSV or JSON file",
        "anonymize --qi a -o new.parquet",
        "anonymize in.parquet --qi a -o new.parquet",
    ),
]

OPTIONS = [
    Case(
        "--protect names {}, which is not released{}; name it with --qi, --sensitive or --keep",
        f"{SMALL} --protect b",
        f"{ASKED} --protect b",
    ),
    Case(
        "--protect {} lets the sensitive {} decide the levels, and --decide-on qi keeps sensitive values out of that; leave one out",
        f"{ASKED} {MODEL} --protect s --decide-on qi",
        f"{ASKED} {MODEL} --protect s",
    ),
    Case(
        "write a share above 0 and at most 1, as in 0.09",
        "risk in.parquet --qi a --max-risk 9",
        "risk in.parquet --qi a --max-risk 0.99",
    ),
    Case("--k {} is no whole number; write 2,5,10", "compare in.parquet --qi a --k x", "compare in.parquet --qi a --k 2,5,10"),
    Case("{} is no list of column names; write a,b,c", f"{RUN} --qi a,", f"{RUN} --qi a,b"),
    Case("{} is no level; write COLUMN=NUMBER", f"{SMALL} --levels a", f"{SMALL} --levels a=0 --k 2"),
    Case("says nothing of a column; write {}", f"{SMALL} --max-loss 0.7", f"{SMALL} --max-loss a=0.7 --k 2"),
    Case("level {} of {} does not exist; choose one from {} to {}", f"{SMALL} --levels a=7", f"{SMALL} --levels a={{3}} --k 2"),
    Case(
        "suppression limit {} lies outside 0% to 100%; write 20 (rows), 0.05 or 5%",
        f"{SMALL} --max-suppression 150%",
        f"{SMALL} --max-suppression 5%",
    ),
    Case(
        "suppression limit {} is no number; write 20 (rows), 0.05 or 5%",
        f"{SMALL} --max-suppression few",
        f"{SMALL} --max-suppression 0.05",
    ),
    Case(
        "policy {} asks for k = {}, and k = {} is weaker; leave out one of them",
        f"{SMALL} --policy research --k 2",
        f"{SMALL} --policy research",
    ),
    Case(
        "--require {} lacks {}; write {}={}", f"{SMALL} {MODEL} --require distinct-l", f"{SMALL} {MODEL} --require distinct-l=2"
    ),
    Case(
        "names a column, but {} is not about a sensitive one; leave out {}{}",
        f"{SMALL} --require highest-risk=0.5@s",
        f"{SMALL} --require highest-risk=0.5",
    ),
    Case(
        "is about {}, which is not sensitive; name it with --sensitive {}",
        f"{SMALL} --require distinct-l=2@s",
        f"{SMALL} --require distinct-l=2@s --sensitive {{1}}",
    ),
    Case(
        "could be about {}; say which, as {}=...@{}",
        f"{SMALL} --sensitive s,b --require distinct-l=2",
        f"{SMALL} --sensitive s,b --require distinct-l=2@s",
    ),
    Case(
        "and none is named; name it with --sensitive COLUMN",
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
        "--time-limit and --max-nodes end the search of a lattice, and mondrian has none; leave them out",
        f"{SMALL} --algorithm mondrian --max-nodes 5",
        f"{SMALL} --algorithm mondrian",
    ),
    Case(
        "--levels gives the levels of every row, which {} does not; leave one of the two out",
        f"{SMALL} --algorithm mondrian --levels a=0",
        f"{SMALL} --algorithm mondrian",
    ),
    Case(
        "has none to star; leave --suppress star out",
        f"{SMALL} --algorithm local --suppress star",
        f"{SMALL} --algorithm local",
    ),
    Case(
        "has no bound for the loss of a single column; leave max-loss of {} out",
        f"{SMALL} --algorithm local --max-loss a=0.5",
        f"{SMALL} --algorithm local",
    ),
    Case(
        "--all-nodes decides a lattice, and {} is none; leave it out",
        f"{SMALL} --algorithm local --all-nodes",
        f"{SMALL} --algorithm local",
    ),
    Case("would keep it from that; leave one out", f"{SMALL} --all-nodes --max-nodes 5", f"{SMALL} --all-nodes"),
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
        "--pseudonym-scope is about pseudonyms, and there are none; name their columns with --pseudonym",
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
        "key file {} is open to others; close it with: chmod 600 {}",
        f"{SMALL} --pseudonym id --release r --key-file key --linkable",
        before=shell("chmod 644 key"),
        edit=shell("chmod 600 key"),
        warns=True,
    ),
    Case(
        "--row and --class both name what is to be explained; give one of them",
        "explain fixed.parquet.manifest.json --row 1 --class a=x",
        "explain fixed.parquet.manifest.json --row 1",
    ),
    Case(
        "says nothing of a column; write --class sex=Male, once for each quasi-identifier",
        "explain fixed.parquet.manifest.json --class x",
        "explain fixed.parquet.manifest.json --class a=x",
    ),
    Case("{} is no manifest of a release; name OUTPUT{}", "explain in.parquet", "explain fixed.parquet.manifest.json"),
    Case(
        "leave out what else says it, or the manifest",
        "check fixed.parquet --manifest fixed.parquet.manifest.json --qi a",
        "check fixed.parquet --manifest fixed.parquet.manifest.json",
    ),
    Case(
        "say something of data; name it with --data FILE",
        "hierarchy show a.csv --column a",
        "hierarchy show a.csv --column a --data in.parquet",
    ),
    Case(
        "and --others keep would release {}; say what becomes of {}: --identifying {} drops",
        f"{SMALL} --others keep",
        f"{SMALL} --others keep --identifying {{2}}",
    ),
    Case(
        "k-anonymity alone does not protect the sensitive {}: a class may share one value; neither l-diversity nor t-closeness was asked for; give {}",
        f"{SMALL} {MODEL}",
        f"{SMALL} {MODEL} {{1}} distinct-l=2@s",
        warns=True,
    ),
    Case(
        "the roles are guessed, so columns that nobody names are not kept; name the quasi-identifiers with --qi",
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
        "asks for nothing; give k, or k-column",
        f"{RUN} --job job.yaml",
        before=job("columns: {a: {role: quasi-identifier, hierarchy: a.csv}}\nprivacy: [{model: k-anonymity}]\n"),
        edit=replaced("job.yaml", "{model: k-anonymity}", "{model: k-anonymity, k: 2}"),
    ),
    Case(
        "it has no model; say `model: {}`",
        f"{RUN} --job job.yaml",
        before=job("columns: {a: {role: quasi-identifier, hierarchy: a.csv}}\nprivacy: [{k: 2}]\n"),
        edit=replaced("job.yaml", "{k: 2}", "{model: k-anonymity, k: 2}"),
    ),
    Case(
        "mondrian cuts from the top down, and max-level of {} forbids the top; leave it out",
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
        "lists {} {} times; keep one line a value",
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
        "add it, or {}",
        f"{RUN} --qi a --hierarchies a=h.csv --k 2",
        before=text("h.csv", "x;*\ny;*\n"),
        edit=text("h.csv", "x;*\ny;*\nz;*\n"),
    ),
    Case(
        "send it to the top with --missing TOKEN --missing-policy top",
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
        "it has no kind; say `kind: {}`",
        f"{RUN} --qi a --hierarchies a=h.yaml --k 2",
        before=text("h.yaml", "top: all\n"),
        edit=text("h.yaml", "kind: flat\ntop: all\n"),
    ),
    Case(
        "is empty, or its first line is; write value;level 1;...;top, a line a value",
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
        "{} is a set of hierarchies; name one of it, as {}/COLUMN",
        "hierarchy show adult/five-year",
        "hierarchy show adult/five-year/sex",
    ),
    Case(
        "name some with --data FILE --column C",
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

CASES = [*INFEASIBLE, *INPUTS, *PLACES, *OPTIONS, *HIERARCHIES]


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
    run = run_command(folder, *shlex.split("anonymize first.parquet -o fixed.parquet --qi a --hierarchies a=a.csv --k 5"))
    assert run.code == 0, run.err
    return folder


@pytest.mark.parametrize("case", CASES, ids=[f"{number}: {case.said[:60]}" for number, case in enumerate(CASES)])
def test_what_is_advised_helps(case: Case, made: Path, tmp_path: Path, cli: Cli) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    case.before(tmp_path)
    run = cli(*shlex.split(case.command))
    assert (run.code == 0) is case.warns, run.err
    found = next(filter(None, map(case.pattern.search, printed(run))), None)
    assert found is not None, run.err
    case.edit(tmp_path)
    said = [value.strip("'\"") if value is not None else "" for value in found.groups()]
    again = cli(*shlex.split((case.follow or case.command).format(*said)))
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
    said = advice()
    open_ = {place: one for one, place in said.items() if one not in known and not any(case.said in one for case in CASES)}
    assert open_ == {}
    assert [one for one in known if one not in said] == []
    assert [one for one in known if any(case.said in one for case in CASES)] == []
    assert [case.said for case in CASES if not any(case.said in one for one in said)] == []
