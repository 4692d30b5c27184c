"""Programs that pages call and that need not be installed: as much of each as the pages ask for, done by DuckDB for Python."""

import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import yaml

_REFERENCE = re.compile(r"\{\{ (?:source\('(?P<schema>\w+)', '(?P<table>\w+)'\)|ref\('(?P<model>\w+)'\)) \}\}")


def run_duckdb(arguments: Sequence[str]) -> int:
    """`duckdb [FILE] -c SQL`."""
    *file, option, statement = arguments
    assert option == "-c"
    with duckdb.connect(file[0] if file else ":memory:") as connection:
        if (result := connection.sql(statement)) is not None:
            sys.stdout.write(f"{result}\n")
    return 0


def run_dbt(arguments: Sequence[str]) -> int:
    """`dbt build --project-dir DIR --profiles-dir DIR`: seeds and models become tables, tests must select no rows, and what refers to a model that fails one is skipped."""
    command, *options = arguments
    places = dict(zip(options[::2], options[1::2], strict=True))
    assert (command, set(places)) == ("build", {"--project-dir", "--profiles-dir"})
    profile = yaml.safe_load(Path(places["--profiles-dir"], "profiles.yml").read_text(encoding="utf-8"))
    os.chdir(places["--project-dir"])
    failed: set[str] = set()
    with duckdb.connect(next(iter(profile.values()))["outputs"]["dev"]["path"]) as connection:
        for seed in sorted(Path("seeds").glob("*.csv")):
            reader = f"read_csv('{seed}', header = true, all_varchar = true)"
            connection.execute(f"create or replace table {seed.stem} as from {reader}")
            _say(f"OK loaded seed file main.{seed.stem}")
        tests = list(Path("tests").glob("*.sql"))
        models = {path.stem: path for path in Path("models").glob("*.sql")}
        for model in sorted(models.values(), key=lambda path: len(_models_in(path) & set(models))):
            if _models_in(model) & failed:
                _say(f"SKIP relation main.{model.stem}")
                continue
            connection.execute(f"create or replace table {model.stem} as {_rendered(model)}")
            _say(f"OK created sql table model main.{model.stem}")
            for test in sorted(path for path in tests if model.stem in _models_in(path)):
                rows = len(connection.execute(_rendered(test)).fetchall())
                failed |= {model.stem} if rows else set()
                _say(f"FAIL {rows} {test.stem}" if rows else f"PASS {test.stem}")
    return 1 if failed else 0


def _models_in(path: Path) -> set[str]:
    return {match["model"] for match in _REFERENCE.finditer(path.read_text(encoding="utf-8")) if match["model"]}


def _rendered(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^\{\{ config\(.*\) \}\}$", "", text, flags=re.MULTILINE)
    return _REFERENCE.sub(lambda match: match["model"] or f"{match['schema']}.{match['table']}", text)


def _say(line: str) -> None:
    sys.stdout.write(f"00:00:00  {line} [in 0.00s]\n")


PROGRAMS: dict[str, Callable[[Sequence[str]], int]] = {"duckdb": run_duckdb, "dbt": run_dbt}

if __name__ == "__main__":
    sys.exit(PROGRAMS[sys.argv[1]](sys.argv[2:]))
