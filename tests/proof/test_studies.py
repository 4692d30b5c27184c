"""The roles that are detected in forty tables of persons beside an expert's decisions, and that the order of columns changes none of them."""

from pathlib import Path
from random import Random

import pytest

from duckanon.job.options import Options
from duckanon.workflows.profile import profile
from tests.support import levels
from tests.support.command_line import run_command
from tests.support.rows import multiset, write_parquet
from tests.support.runs import anonymize
from tests.support.studies import Study, studies

STUDIES = {study.name: study for study in studies()}
LETTERS = {"quasi-identifier": "q", "sensitive": "s", "identifying": "d", "dropped": "x"}
NOT_RELEASED = {"d", "x", "p"}
LEAST = 0.97
MOST_LINES = 25
ORDERS = 5 if levels.current().examples > 100 else 2
SAMPLE = ("hr", "loyalty", "empty_columns", "weblog")


def decided(study: Study, folder: Path) -> dict[str, str]:
    """The letter of the detected role of each column."""
    document = profile(write_parquet(folder / f"{study.name}.parquet", study.table()))
    return {column["column"]: LETTERS[column["role"]] for column in document["columns"]}


def is_right(letter: str, decision: str) -> bool:
    """Whether a role is that of the decision; all roles that are not released count as one."""
    return letter in decision or bool({letter, *decision} <= NOT_RELEASED)


def test_at_least_97_percent_of_the_decisions_are_those_of_the_expert(tmp_path: Path) -> None:
    chosen = [STUDIES[name] for name in SAMPLE] if levels.current().tests_of else list(STUDIES.values())
    wrong: list[str] = []
    count = 0
    for study in chosen:
        detected = decided(study, tmp_path)
        count += len(detected)
        wrong += [
            f"{study.name}.{name}: {detected[name]} instead of {decision}"
            for name, decision in study.decisions.items()
            if not is_right(detected[name], decision)
        ]
        released = {name for name, letter in detected.items() if letter not in NOT_RELEASED}
        assert not {name for name in released if study.decisions[name] in ("d", "p")}, study.name
    assert len(wrong) <= (1 - LEAST) * count, wrong


@pytest.mark.parametrize("name", levels.sampled(list(STUDIES), [name for name in STUDIES if STUDIES[name].rows_per_person > 1]))
def test_the_persons_of_a_study_are_counted(name: str, tmp_path: Path) -> None:
    study = STUDIES[name]
    source = write_parquet(tmp_path / "in.parquet", study.table())
    manifest = anonymize(source, tmp_path / "out.parquet", options=Options(algorithm="mondrian"))
    persons = {column for column, decision in study.decisions.items() if decision == "p"}
    assert persons <= set(manifest["persons"]["columns"])


@pytest.mark.parametrize("name", levels.sampled(list(STUDIES), ["hr", "weblog"]))
def test_a_first_run_on_a_study_fits_in_a_terminal(name: str, tmp_path: Path) -> None:
    write_parquet(tmp_path / f"{name}.parquet", STUDIES[name].table())
    words = ("anonymize", f"{name}.parquet", "-o", "out.parquet")
    run = run_command(tmp_path, *words, environment={"COLUMNS": "80"}, code=0)
    assert sum(max(1, -(-len(line) // 80)) for line in run.err.splitlines()) <= MOST_LINES, run.err


@pytest.mark.parametrize("seed", range(50))
def test_the_release_of_a_permuted_table_is_the_permuted_release(seed: int, tmp_path: Path) -> None:
    """Columns of few values tie in every width, so that Mondrian decides between them again and again."""
    draw = Random(seed)
    kinds = [draw.choice((2, 3, 5, 40)) for _ in range(draw.randint(3, 6))]
    rows = [{f"c{number}": draw.randrange(kind) for number, kind in enumerate(kinds)} for _ in range(draw.randint(40, 150))]
    algorithm = draw.choice(("auto", "mondrian", "optimal", "local"))
    released, losses = [], []
    for order in range(ORDERS):
        names = list(rows[0])
        Random(f"{seed}/{order}").shuffle(names)
        source = write_parquet(tmp_path / f"in{order}.parquet", [{name: row[name] for name in names} for row in rows])
        output = tmp_path / f"out{order}.parquet"
        manifest = anonymize(source, output, options=Options(k=3, algorithm=algorithm))
        released.append(multiset(output))
        losses.append(manifest["metrics"]["loss"])
    assert released == [released[0]] * len(released)
    assert losses == [losses[0]] * len(losses)
