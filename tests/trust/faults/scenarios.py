"""What a run does when a fault occurs, and the required state afterwards."""

import hashlib
import json
import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
from pyarrow import parquet

from duckanon.workflows.demo import demo
from tests.support.runs import anonymize
from tests.support.settings import options_of
from tests.trust.faults.outcomes import BEFORE, BROKEN, NEW

K = 5
ROWS = 600
COLUMNS = ["age", "sex", "hours-per-week"]
State = dict[str, bytes | None]


@dataclass(frozen=True)
class Scenario:
    """A release of the same people to another place."""

    output: str
    is_old_there: bool = False
    """An earlier release lies there, to be replaced."""
    options: dict[str, Any] = field(default_factory=lambda: {"qi": ["age", "sex"], "keep": ["hours-per-week"]})
    workspace: bool = False

    @property
    def file(self) -> str:
        return self.output.partition("::")[0]

    @property
    def companions(self) -> set[str]:
        """What stands in the folder after a run."""
        named = {self.file, f"{self.file}.manifest.json", f"{self.file}.recoding"}
        return named | ({f"{self.file}.job.yaml"} if "qi" not in self.options else set())

    def folder(self, root: Path) -> Path:
        return root / "work"

    def prepare(self, root: Path) -> None:
        """The folder as it is before the run; made once, and copied."""
        kept = root / "kept"
        (root / "temp").mkdir(exist_ok=True)
        if not kept.exists():
            kept.mkdir()
            demo(root / "demo.parquet", ROWS)
            # a run costs what its columns cost, and each step of a run costs a run
            parquet.write_table(parquet.read_table(root / "demo.parquet", columns=COLUMNS), kept / "people.parquet")
            if self.is_old_there:
                anonymize(kept / "people.parquet", f"{kept}/{self.output}", options=options_of(**self.options | {"k": 50}))
        for name in ("work", "temp"):
            shutil.rmtree(root / name, ignore_errors=True)
        (root / "temp").mkdir()
        shutil.copytree(kept, root / "work")


_GUESSED: dict[str, Any] = {"algorithm": "optimal", "max_nodes": 1}
"""Detected roles, and a search that ends at once: each step of the run costs a run."""
_PARTED = {"qi": ["age", "sex"], "keep": ["hours-per-week"], "partition_by": ["sex"]}
SCENARIOS = {
    "a new Parquet file": Scenario("out.parquet"),
    "a Parquet file replaced": Scenario("out.parquet", is_old_there=True),
    "a CSV file replaced": Scenario("out.csv.gz", is_old_there=True),
    "a table replaced": Scenario("out.duckdb::people", is_old_there=True),
    "a new folder": Scenario("out", options=_PARTED),
    "a folder replaced": Scenario("out", is_old_there=True, options=_PARTED),
    "guessed roles": Scenario("out.parquet", options=_GUESSED),
    "a workspace": Scenario("out.parquet", is_old_there=True, workspace=True),
}


def state(folder: Path) -> State:
    """Everything in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def sha256(path: Path) -> str:
    """As the manifest gives it: of a file, or of the lines of a folder's files."""
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    files = {file.relative_to(path).as_posix(): sha256(file) for file in path.rglob("*") if file.is_file()}
    return hashlib.sha256("".join(f"{files[name]}  {name}\n" for name in sorted(files)).encode()).hexdigest()


def classes(path: Path) -> Counter[tuple[Any, ...]]:
    """The rows of each class of a release, read without our code; raises where it is not whole."""
    with duckdb.connect() as connection:
        if path.suffix == ".duckdb":
            connection.execute(f"attach '{path}' as released (read_only)")
            relation = "released.main.people"
        elif path.is_dir():
            relation = f"read_parquet('{path}/**/*.parquet', hive_partitioning = true)"
        else:
            relation = f"'{path}'"
        return Counter(connection.execute(f"select age, sex from {relation}").fetchall())


def is_complete(folder: Path, scenario: Scenario) -> bool:
    """Whether the release is whole: its classes have k rows, and the manifest beside it describes it."""
    path = folder / scenario.file
    manifest = json.loads((folder / f"{scenario.file}.manifest.json").read_text())
    sizes = classes(path)
    return (
        manifest["output"]["sha256"] == sha256(path)
        and manifest["saved_recoding"]["sha256"] == sha256(folder / f"{scenario.file}.recoding")
        and min(sizes.values()) >= K
        and sizes.total() == manifest["rows"]["released"]
    )


def problems_at_once(root: Path, scenario: Scenario) -> list[str]:
    """What is wrong before anything else runs: a partial file under a final name, an old one gone, a folder open to others."""
    folder, problems = scenario.folder(root), []
    final = folder / scenario.file
    inside = {path.name for path in folder.iterdir()}
    known = scenario.companions | {"people.parquet", "work.duckdb"}
    hidden = {name for name in inside if name.startswith(".")}
    if strangers := inside - known - hidden:
        problems.append(f"{strangers} lie beside the release")
    if final.exists():
        try:
            smallest = min(classes(final).values())
        except (duckdb.Error, ValueError) as error:
            problems.append(f"the final name holds what cannot be read ({type(error).__name__})")
        else:
            if smallest < K:
                problems.append(f"the final name holds a class of {smallest}")
    elif scenario.is_old_there and not any(name.endswith(".old") for name in hidden):
        problems.append("the old release is gone")
    folders = [
        *(root / "temp").iterdir(),
        *(folder / name for name in hidden if name.startswith(".duckanon-") and not name.endswith(".old")),
    ]
    is_open = [private.name for private in folders if private.is_dir() and private.stat().st_mode & 0o777 != 0o700]
    problems += [f"{name} is open to others" for name in is_open]
    return problems


def end_later(root: Path, scenario: Scenario, before: State) -> str:
    """Which state stands after the next start."""
    folder = scenario.folder(root)
    after = state(folder)
    after.pop("work.duckdb", None)
    if after == before:
        return BEFORE
    is_whole = scenario.companions <= {path.name for path in folder.iterdir()} and is_complete(folder, scenario)
    return NEW if is_whole else BROKEN


def left_later(root: Path, scenario: Scenario) -> list[str]:
    """What stands beside the release, or in the folder of temporary files, after the next start."""
    inside = {path.name for path in scenario.folder(root).iterdir()} - {"people.parquet", "work.duckdb"}
    return sorted(inside - scenario.companions) + [f"temp/{path.name}" for path in (root / "temp").iterdir()]
