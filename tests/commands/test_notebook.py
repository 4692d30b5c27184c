"""What a notebook uses of the library: dictionaries of labels, warnings of Python, the encoding of a test set, charts and figures."""

import gc
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from inspect import signature
from pathlib import Path
from typing import Any, cast

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import typer

import duckanon
from duckanon import observers
from duckanon.api.keywords import Keywords
from duckanon.cli import app
from duckanon.errors import HierarchyError, InputError, JobError, UsageError
from duckanon.observers import Caution, Silent

TREE: dict[str, Any] = {"west": {"coast": ["LA", "SF"], "plain": ["KC"]}, "east": {"harbour": ["NY"]}}
HIERARCHIES: dict[str, Any] = {"age": {"kind": "intervals", "widths": [10, 30]}, "city": TREE}
FRAME = pd.DataFrame(
    {
        "age": [18 + (7 * number) % 60 for number in range(300)],
        "city": [("LA", "SF", "KC", "NY")[number // 3 % 4] for number in range(300)],
        "job": [f"job {number % 9}" for number in range(300)],
    }
)
ASKED: dict[str, Any] = {"qi": "age,city", "keep": "job", "hierarchies": HIERARCHIES, "k": 5, "max_suppression": "5%"}


@pytest.fixture(autouse=True)
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files that a test can look into."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


class Warned(Silent):
    """Keeps the warnings of a run."""

    def __init__(self) -> None:
        self.cautions: list[Caution] = []

    def warn(self, message: Caution) -> None:
        self.cautions.append(message)


def paths(tree: Mapping[str, Any]) -> dict[Any, list[str]]:
    """The labels above each value, from the lowest: what a dictionary of labels means."""
    labels_of: dict[Any, list[str]] = {}
    for label, below in tree.items():
        inner = paths(below) if isinstance(below, Mapping) else {value: [] for value in below}
        labels_of |= {value: [*labels, label] for value, labels in inner.items()}
    return labels_of


@pytest.mark.parametrize(
    ("values", "tree"),
    [
        (["LA", "SF", "KC", "NY"], TREE),
        ([1, 2, 3, 4], {"low": [1, 2], "high": (3, 4)}),
        ([1.5, 2.0, 1e20, 3.25], {"low": [1.5, 2], "high": {3.25, 1e20}}),
        ([True, False, True, False], {"known": [True, False], "other": []}),
        (
            [date(2020, 1, 1), date(2020, 5, 5), date(2021, 1, 1)],
            {2020: [date(2020, 1, 1), date(2020, 5, 5)], 2021: [date(2021, 1, 1)]},
        ),
    ],
)
def test_a_dictionary_of_labels_is_a_hierarchy(values: list[Any], tree: Mapping[Any, Any]) -> None:
    above = paths(tree)
    for level in range(1, len(above[values[0]]) + 1):
        with duckanon.anonymize(
            pd.DataFrame({"x": values}), qi="x", hierarchies={"x": tree}, k=1, levels={"x": level}
        ) as release:
            # labels that are years are numbers
            assert Counter(map(str, release.to_pandas()["x"])) == Counter(str(above[value][level - 1]) for value in values)


@pytest.mark.parametrize(
    ("hierarchies", "message"),
    [
        ({"city": {"a": ["LA", "LA"]}}, "the hierarchy of 'city': 'LA' is listed twice, below 'a'; keep one"),
        (
            {"city": {"a": ["LA"], "b": {"c": ["LA"]}}},
            "the hierarchy of 'city': 'LA' is listed twice, below 'c' and 'a'; keep one",
        ),
        ({"city": {"": ["LA"]}}, "the hierarchy of 'city': a label is empty; write a text, such as 'other'"),
        ({"city": {"a": ["LA", None]}}, "the hierarchy of 'city': a value below 'a' is missing; leave it out, "),
        ({"city": {"a": ["LA", ["SF"]]}}, "the hierarchy of 'city': a value below 'a' is list; write a text, "),
        ({"city": {1: ["LA"], "1": ["SF"]}}, "the hierarchy of 'city': the label '1' occurs twice, "),
        ({"city": {}}, "the hierarchy of 'city': tree: needs at least 1 entries"),
        ({"city": {"a": ["LA", "SF", "KC"]}}, "does not cover 'NY' ("),
        ({"cty": TREE}, "is for 'cty', which is not a quasi-identifier"),
        ({"city": 7}, "the hierarchy of 'city' must be a file, a mapping or a list of rows, not int"),
    ],
)
def test_a_wrong_dictionary_is_refused_in_one_line(hierarchies: dict[str, Any], message: str) -> None:
    with pytest.raises((HierarchyError, JobError)) as refusal:
        duckanon.anonymize(FRAME, qi="city", hierarchies=hierarchies)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_warning_points_at_the_line_of_the_caller_and_has_a_code() -> None:
    arguments = ASKED | {"sensitive": "job", "keep": ()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        line = sys._getframe().f_lineno + 1
        release = duckanon.anonymize(FRAME, **arguments)
    given = [each.message for each in caught]
    assert all(isinstance(warning, duckanon.DuckanonWarning) for warning in given)
    assert [(each.filename, each.lineno) for each in caught] == [(__file__, line)] * len(caught)
    first = cast(duckanon.DuckanonWarning, given[0])
    assert (first.code, first.column) == ("unprotected-sensitive", "job")
    assert release.manifest["warnings"] == [str(warning) for warning in given]
    assert release.manifest["warning_codes"] == [cast(duckanon.DuckanonWarning, warning).code for warning in given]


def test_an_observer_gets_the_warnings_in_place_of_python() -> None:
    observer = Warned()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        duckanon.compare(FRAME, qi="age", hierarchies={"age": HIERARCHIES["age"]}, ks=[2, 3], observer=observer)
    assert caught == []
    assert [(each.code, each.columns) for each in observer.cautions] == [("deprecated", ())]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"sensitive": "job", "keep": ()}, "unprotected-sensitive"),
        # of the written file, before it gets its name
        ({"levels": {"age": 1, "city": 3}}, "constant-column"),
    ],
)
def test_a_warning_that_is_an_error_leaves_nothing(more: dict[str, Any], code: str, private: Path) -> None:
    before = {path.name for path in Path().iterdir()}
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=duckanon.DuckanonWarning)
        with pytest.raises(duckanon.DuckanonWarning) as raised:
            duckanon.anonymize(FRAME, "out.parquet", **ASKED | more)
    assert raised.value.code == code
    gc.collect()
    assert {path.name for path in Path().iterdir()} == before
    assert not list(private.iterdir())


def test_each_code_is_declared_and_given() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(duckanon.__file__).parent.rglob("*.py")]
    assert {code for text in sources for code in re.findall(r'Caution\(\s*"([a-z-]+)"', text)} == set(observers.WARNINGS)
    with pytest.raises(KeyError):
        Caution("unknown", "text")


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_rows_of_the_original_data_get_the_labels_of_the_release(algorithm: str) -> None:
    with duckanon.anonymize(FRAME, **ASKED, algorithm=algorithm, set={"output.shuffle": False}) as release:
        encoded, released = release.transform(FRAME), release.to_pandas()
        suppressed = release.manifest["rows"]["suppressed"]
    assert list(encoded["job"]) == list(FRAME["job"])
    rows, kept = ([tuple(row) for row in table.itertuples(index=False)] for table in (encoded, released))
    assert Counter(kept) - Counter(rows) == Counter()
    assert len(rows) - len(kept) == suppressed
    if not suppressed:
        assert rows == kept


def test_further_rows_are_encoded_in_their_order_and_uncovered_cells_are_counted() -> None:
    further = pd.DataFrame({"age": [30, 31, 75, 20], "city": ["LA", "Oz", "NY", "Oz"], "job": list("abcd")}, index=[9, 7, 8, 6])
    observer = Warned()
    with duckanon.anonymize(FRAME, **ASKED, levels={"age": 1, "city": 1}) as release:
        encoded = release.transform(further, observer=observer)
    above = paths(TREE)
    expected = [
        (f"[{age // 10 * 10}, {age // 10 * 10 + 10})", above[city][0] if city in above else "*", job)
        for age, city, job in further.itertuples(index=False)
    ]
    assert [tuple(row) for row in encoded.itertuples(index=False)] == expected
    assert list(encoded.index) == list(further.index)
    [caution] = observer.cautions
    assert (caution.code, caution.columns) == ("uncovered", ("city",))
    assert "'city' (2 rows, 1 of its values), of 4 rows" in caution


def test_mondrian_puts_each_number_on_its_side_of_every_cut() -> None:
    known = FRAME[FRAME["age"] % 5 != 0]
    with duckanon.anonymize(known, **ASKED | {"hierarchies": {"city": TREE}}, algorithm="mondrian") as release:
        encoded = release.transform(FRAME.assign(age=FRAME["age"] + 0.5))
        tree = pa.parquet.read_table(
            release.manifest_path.with_name("release.parquet.recoding") / "partitions.parquet"
        ).to_pylist()
    cuts = {node["_partition"]: node for node in tree}

    def side(node: Mapping[str, Any], row: Any) -> bool:
        if node["_attribute"] == "age":
            edge = float(node["_value"])
            return bool({"<=": row.age <= edge, "<": row.age < edge, ">": row.age > edge, ">=": row.age >= edge}[node["_cut"]])
        is_under = node["_value"] in [row.city, *paths(TREE)[row.city], "*"]
        return is_under != bool(node["_cut"] == "is not")

    children: dict[Any, list[Any]] = {}
    for number, node in cuts.items():
        children.setdefault(node["_parent"], []).append(number)
    for row, shown in zip(FRAME.assign(age=FRAME["age"] + 0.5).itertuples(), encoded.itertuples(), strict=True):
        place = children[None][0]
        while place in children and (below := [number for number in children[place] if side(cuts[number], row)]):
            [place] = below
        if cuts[place]["_is_region"]:
            assert (shown.age, shown.city) == (cuts[place]["age"], cuts[place]["city"])
    assert (encoded["age"] != "*").mean() > 0.9


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (lambda: pl.from_pandas(FRAME), pl.DataFrame),
        (lambda: pl.from_pandas(FRAME).lazy(), pl.LazyFrame),
        (lambda: pa.Table.from_pandas(FRAME), pa.Table),
        (lambda: duckdb.connect().from_df(FRAME), duckdb.DuckDBPyRelation),
        (lambda: "people.csv", pa.Table),
        (lambda: FRAME.head(0), pd.DataFrame),
    ],
)
def test_a_table_comes_back_as_the_kind_that_was_given(given: Callable[[], Any], kind: type, private: Path) -> None:
    FRAME.to_csv("people.csv", index=False)
    release = duckanon.anonymize(FRAME, **ASKED)
    encoded: Any = release.transform(given())
    assert type(encoded).__name__ == kind.__name__
    release.close()
    rows = encoded.collect() if kind is pl.LazyFrame else encoded
    assert list(getattr(rows, "column_names", None) or rows.columns) == list(FRAME.columns)
    assert not list(private.iterdir())


@pytest.mark.parametrize(
    ("given", "kind", "phrase"),
    [
        (lambda: FRAME.drop(columns="city"), JobError, "column 'city' is not a column of the input"),
        (lambda: FRAME.drop(columns="job"), JobError, "column 'job' is not a column of the input"),
        (lambda: None, JobError, "transform needs a path or a table"),
        (lambda: 7, JobError, "is not a supported table"),
        (lambda: "none.csv", InputError, "no such file: 'none.csv'"),
    ],
)
def test_a_table_that_cannot_be_encoded_is_refused(given: Callable[[], Any], kind: type[Exception], phrase: str) -> None:
    release = duckanon.anonymize(FRAME, **ASKED)
    with pytest.raises(kind, match=phrase) as refusal:
        release.transform(given())
    assert "\n" not in str(refusal.value)


def test_values_of_another_type_are_not_covered() -> None:
    with duckanon.anonymize(FRAME, **ASKED, levels={"age": 1, "city": 1}) as release:
        encoded = release.transform(FRAME.assign(city=5, age="old"))
    assert set(encoded["city"]) == set(encoded["age"]) == {"*"}
    assert list(encoded["job"]) == list(FRAME["job"])


def test_figures_and_charts_of_a_release_are_those_of_its_report(monkeypatch: pytest.MonkeyPatch) -> None:
    release = duckanon.anonymize(FRAME, **ASKED)
    useful = release.utility()
    assert {row["column"]: row["loss"] for row in useful["loss"]} == pytest.approx(
        release.manifest["metrics"]["loss_by_attribute"]
    )
    [drawn] = [part for part in useful["distributions"] if part["column"] == "city"]
    assert {bar["label"]: bar["before"] for bar in drawn["bars"] if bar["before"]} == dict(FRAME["city"].value_counts())
    chart = release.plot("city").to_dict()
    rows = {(row["label"], row["series"]): row["value"] for row in chart["datasets"]["points"]}
    assert rows[("LA", "before")] == (FRAME["city"] == "LA").sum()
    losses = release.plot().to_dict()["datasets"]["points"]
    assert {row["label"]: row["value"] for row in losses} == pytest.approx(release.manifest["metrics"]["loss_by_attribute"])
    with pytest.raises(JobError, match="no chart of 'citty'; did you mean 'city'"):
        release.plot("citty")
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(UsageError, match="pip install altair"):
        release.plot()


BY_OTHER_MEANS = {"place", "report", "sql", "strict"} | {
    "help",
    "help_all",
    "json",
    "as_json",
    "format",
    "quiet",
    "verbose",
    "all_models",
    "hipaa",
}
"""Options that place or print the result of a command; a function returns it."""


@pytest.mark.parametrize("name", ["apply", "check", "compare", "profile", "risk"])
def test_every_option_of_a_command_is_an_argument_of_its_function(name: str) -> None:
    command = typer.main.get_command(app.app).commands[name]  # type: ignore[attr-defined]
    options = {parameter.name for parameter in command.params if parameter.opts[0].startswith("-")}
    arguments = {*signature(getattr(duckanon, name)).parameters, *Keywords.__annotations__}
    assert options - BY_OTHER_MEANS <= arguments


def test_values_are_written_as_on_the_command_line() -> None:
    limits = {str(limit): duckanon.anonymize(FRAME, **ASKED | {"max_suppression": limit}) for limit in ("5%", 0.05)}
    assert len({release.manifest["suppression"]["rows"] for release in limits.values()}) == 1
    about: Any = {"qi": "age,city", "hierarchies": HIERARCHIES}
    runs = duckanon.compare(FRAME, **about, algorithms="optimal,greedy", k=[2, 5], max_suppression="0,1%")["runs"]
    listed = duckanon.compare(FRAME, **about, algorithms=["optimal", "greedy"], k=[2, 5], max_suppression=["0", 0.01])["runs"]
    assert [(run["algorithm"], run["k"], run["loss"]) for run in runs] == [
        (run["algorithm"], run["k"], run["loss"]) for run in listed
    ]
    sets = [
        duckanon.risk(FRAME, qi="age,city", sets=given)["sets"] for given in (["age", "age,city"], [["age"], ["age", "city"]])
    ]
    assert sets[0] == sets[1]
    smallest = FRAME["city"].value_counts().min()
    for k, status in ((int(smallest), "holds"), (int(smallest) + 1, "violated")):
        checked = duckanon.check(FRAME, qi="city", k=k)
        assert checked["status"] == status
        assert [model["passed"] for model in checked["privacy"] if "required" in model] == [status == "holds"]
