"""The SQL templates: their headers, what they read, one SELECT each, quoting, the portable subset."""

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import jinja2
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import meta
from sqlglot import exp
from sqlglot.optimizer.scope import traverse_scope
from sqlglot.tokens import TokenType

from duckanon.api import verbs
from duckanon.engine import resources, templates
from duckanon.engine.catalog import CATALOG, COLUMN
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.portable import Parsed
from duckanon.engine.protocol import Column, Settings
from duckanon.engine.templates import Statement, ident, literal
from duckanon.errors import HierarchyError, Infeasible, UsageError
from duckanon.hierarchy import spec
from duckanon.hierarchy.conversion import build, convert, suggested
from duckanon.hierarchy.inspection import Data, check, show
from duckanon.job import prepare
from duckanon.job.model import Suppression
from duckanon.job.options import Options, Run
from duckanon.observers import Silent
from duckanon.privacy.judgement import KNOWN_CODE, judgement
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.models.l_diversity import DistinctLDiversity
from duckanon.privacy.models.risk import AverageRisk
from duckanon.privacy.requirement import Adversary, Requirement
from duckanon.release import write
from duckanon.search import coarse_levels, count, local_recoding, sample, sweep
from duckanon.studio.comparison import before_and_after
from duckanon.studio.counts import Counts
from duckanon.studio.decisions import Decisions
from duckanon.studio.opening import open_input
from duckanon.studio.table import first_rows, values_of
from duckanon.workflows import preview
from duckanon.workflows import register as register_workflow
from duckanon.workflows.check import check as check_file
from duckanon.workflows.compare import compare
from duckanon.workflows.demo import demo
from duckanon.workflows.explain import explain
from duckanon.workflows.profile import profile
from duckanon.workflows.replay import reopen
from duckanon.workflows.report import accounted
from duckanon.workflows.risk import risk
from duckanon.workflows.sql_export.script import export_sql
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize, apply
from tests.support.studio import LocalStudio

AWKWARD = ("a b", 'se"x', "x.y", "select", "größe", "line\nbreak", "{{ x }}", "order by", "0", "$1", "null")
PLAIN = ("age", "town", "sex", "born", "zone")
KNOWN = (*PLAIN, "other", "written", "who", "id", *(f"{name}_{level}" for name in PLAIN for level in range(1, 6)))
KINDS = ("intervals", "tree", "table", "dates", "flat", "levels", "order", "redaction", "priority", "codes", "rare")

SPECS = {
    "levels": "levels: [{left: 'u, v', right: w}, '*']",
    "order": "values: [u, v, w]\ngroups: [[2]]",
    "redaction": "length: 1",
    "priority": "priorities: {u: 1, v: 2, w: 3}",
    "codes": "levels: [1, {left: u-v, right: w}]",
    "rare": "below: [0.1, 0.5]",
}
"""Hierarchies of the kinds that say all themselves, for the values u, v and w."""

TEMPLATES = sorted(path.relative_to(resources.folder("sql")).as_posix() for path in resources.folder("sql").rglob("*.sql"))

ALTERNATIVES = {
    "hierarchy/kinds": "lookup",
    "hierarchy/listings": "listed",
    "privacy/models": "judged",
    "privacy/average_risk": "verdicts",
    "privacy/masked": "verdicts",
    "privacy/adversaries": "verdicts",
    "privacy/any_columns": "verdicts",
    "lattice/survivors_left": "survivors",
    "local_recoding/survivors": "survivors",
    "dataset/covered_records": "records",
    "dataset/admitted_records": "records",
    "register/current_cells_of_persons": "current_cells",
    "register/current_classes_by_region": "current_classes",
    "register/histories_of_persons": "histories",
    "studio/stored_values": "distinct_values",
    "register/intersections_of_persons": "intersections",
    "register/differences_of_persons": "differences",
    "register/isolated_persons": "isolated",
    "release/isolated_by_linkage": "isolated",
    "register/no_releases": "releases",
    "register/read_isolated": "isolated",
    "dataset/no_values": "values",
    "dataset/declared_source": "source",
    "dataset/kept_source": "source",
    "local_recoding/listed": "passed",
    "local_recoding/packed_cells": "remaining",
    "local_recoding/unlisted": "remaining",
    "dataset/counts_of_values": "counts",
    "lattice/combinations_of_entities": "combinations",
    "lattice/combinations_of_population": "combinations",
    "lattice/coarse_combinations": "combinations",
    "lattice/merged_combinations": "combinations",
    "lattice/merged_sensitive": "sensitive",
    "lattice/classes_of_persons_at": "classes_at",
    "lattice/histogram_of_persons_at": "histogram_at",
    "check/present_histogram_of_persons": "present_histogram",
    "mondrian/branching_positions": "positions",
    "mondrian/ordered_positions": "positions",
    "mondrian/root": "partitions",
    "mondrian/children": "partitions",
    "mondrian/routed_partitions": "partitions",
    "local_recoding/left_over": "remaining",
    "local_recoding/no_pass": "passed",
    "local_recoding/last": "passed",
    "local_recoding/reassigned": "passed",
    "local_recoding/not_needed": "passing",
    "local_recoding/called_back": "assigned",
    "local_recoding/cells_by_level": "cells",
    "local_recoding/cells_by_position": "cells",
    "local_recoding/covered_cells": "cells",
    "local_recoding/moved_cells": "cells",
    "local_recoding/placed_cells": "cells",
    "local_recoding/cell_entities_by_level": "cell_entities",
    "local_recoding/cell_entities_by_position": "cell_entities",
    "lattice/sensitive_persons": "sensitive",
    "lattice/protected_labels": "protected",
    "dataset/value_group_persons": "value_groups",
    "release/expected_classes_of_population": "expected_classes",
    "release/expected_persons": "expected_histogram",
    "local_recoding/cell_value_entities_by_level": "cell_value_entities",
    "local_recoding/cell_value_entities_by_position": "cell_value_entities",
    "local_recoding/cell_values_by_level": "cell_values",
    "local_recoding/cell_values_by_position": "cell_values",
    "local_recoding/regions_of_partitions": "regions",
    "local_recoding/regions_of_parts": "regions",
    "local_recoding/regions_of_passes": "regions",
    "local_recoding/regions_of_tree": "regions",
    "release/recoded_by_region": "recoded",
    "release/recoded_masked": "recoded",
    "release/shuffled": "recoded",
    "release/treated": "recoded",
    "release/ranged": "recoded",
    "release/labelled_release": "release",
    "release/region_classes": "classes",
    "release/region_suppressed": "suppressed",
    "release/region_verdicts": "verdicts",
    "release/region_possible_values": "possible_values",
    "release/isolated_by_values": "isolated",
    "release/written_possible_values": "possible_values",
    "check/possible_values": "possible_values",
    "sql_export/exported_masked": "exported",
    "sql_export/representatives": "values",
    "utility/outcomes_of_node": "outcomes",
    "utility/outcomes_of_regions": "outcomes",
    "utility/covered_by_level": "covered",
    "utility/covered_by_range": "covered",
}
"""Folders whose files are alternatives for one relation, and single files that are: the header names the relation."""

ELSEWHERE = {
    "release/isolated_by_linkage": "register",
    "release/isolated_by_values": "register",
    "release/region_possible_values": "lattice",
    "release/written_possible_values": "lattice",
    "check/possible_values": "lattice",
}
"""Templates that build a relation of another folder: several checks leave records out, and possible values are judged of a recoding and of the file."""

BLOCKS = (
    *("lattice/classes_at", "lattice/classes_of_persons_at", "lattice/histogram_at", "lattice/histogram_of_persons_at"),
    *("privacy/judged", "privacy/average_risk", "privacy/masked", "privacy/adversaries", "privacy/any_columns"),
)
"""Templates that stand inside others and build no relation of their own."""

PARTS = {"value_counts": "value_counts", "histogram_1": "histogram", "classes": "classes", "previous": "classes"}
"""What blocks read of the statement that they stand in, and how their headers call it."""

OUTSIDE = {
    "the input": {"read_parquet", "parquet_schema", "read_csv", "read_json", "read_json_objects", "the database input"},
    "the private copy": {"read_parquet"},
    "the hierarchy file": {"read_parquet", "read_csv"},
    "the saved recoding": {"read_parquet", "read_blob"},
    "the register": {"the database register"},
    "histories, the register": {"histories", "the database register"},
    "current_classes, the register": {"current_classes", "the database register"},
    "current_classes, values_<column>, the register": {"current_classes", "values_<column>", "the database register"},
    "current_records or current_persons, the register": {"current_records", "current_persons", "the database register"},
    "isolated or isolated_<column>": {"isolated", "isolated_<column>"},
    "nothing; the register is new": set(),
    "nothing; the figures come from the comparison": set(),
    "what was written": {"read_parquet", "read_csv", f"the database {write.DATABASE}"},
    "distinct_values of a database file": {"the database stored"},
    "the database's own catalog": {"duckdb_tables", "duckdb_views"},
    "nothing; every figure is drawn from the row number": {"generate_series"},
    "nothing; the spec lists its lines": set(),
    "nothing; there is no data": set(),
    "positions_<column> or branches_<column>": {"positions_<column>", "branches_<column>"},
    "packed_combinations or packed_sensitive_<column> (perhaps shares_<column>, decided_entropies)": {
        *("packed_combinations", "packed_sensitive_<column>", "shares_<column>", "decided_entropies")
    },
    "packed_levels or rolled_up_<column>": {"packed_levels", "rolled_up_<column>"},
    "packed_levels or rolled_up_<column>, sweep_stops": {*("packed_levels", "rolled_up_<column>", "sweep_stops")},
    "release, or records": {"release", "records"},
    "records, or row_sample": {"records", "row_sample"},
    "counts or expected_members, written_classes": {"counts", "expected_members", "written_classes"},
    "records, release or written_classes": {"records", "release", "written_classes"},
    "the table in the warehouse": {"input"},
    "the released table in the warehouse": {"released"},
    "the table in the warehouse, the released table in the warehouse": {"input", "released"},
}
"""What a header may say instead of relations, and the table functions (by sqlglot's names) and databases that it stands for."""

STAND_INS = {
    "lattice/doubtful_entropies": {
        "class_values_<column>": "sensitive_<column>",
        "side_values_<column>": "sensitive_<column>",
    },
    **{
        f"risk/{name}": dict.fromkeys(
            (
                "combinations",
                "present_classes",
                "verdicts",
                "written_classes",
                "values_<column>",
                "swept_classes",
                "known_classes",
            ),
            "classes",
        )
        | {"class_members": "members"}
        for name in ("class_sizes", "set_sizes", "special_uniques", "sizes_by_adversary", "small_sets")
    },
    **{
        key: {"records": "release"} for key in ("release/unique_records", "spark/release/unique_records", "utility/worst_class")
    },
}
"""What some templates are given to read in place of what their headers name."""

CHECKED = (
    *(
        "check/present_classes",
        "check/present_histogram",
        "check/present_histogram_of_persons",
        "check/possible_values",
        "check/source_distributions",
        "check/source_shares",
        "dataset/row_sample",
        "risk/special_uniques",
        "utility/label_sets",
        "utility/shown",
    ),
    *("lattice/packed_levels", "lattice/rolled_up", "lattice/sweep", "lattice/swept_classes"),
    *("utility/outcomes_of_node", "utility/outcomes_of_regions", "utility/covered_by_level", "utility/covered_by_range"),
)
"""What `check`, `risk`, `report` and the studio build, which keep no workspace."""

ON_CLUSTERS = {"recoded"}
"""What is named on a cluster only; the embedded engine writes it at once."""

LOADED = {"malformed_lines", "queries", "released", "sweep_stops"}
"""What they load, drawn outside the database."""

COPIES = {"copied"}
"""What a copy of a release in another form is read back as, by the library."""

ROW_PASSES = (
    "dataset/records",
    "dataset/covered_records",
    "dataset/record_rows",
    "dataset/null_counts",
    "dataset/distinct_values",
    "dataset/counts",
    "dataset/counts_of_values",
    "dataset/population_values",
    "dataset/population_counts",
    "dataset/population",
    "dataset/population_rows",
    "dataset/column_counts",
    "dataset/set_counts",
    "dataset/value_counts",
    "dataset/value_groups",
    "release/recoded",
    "release/recoded_masked",
    "release/recoded_by_region",
    "release/expected_rows",
    "release/written_value_groups",
    "release/expected_value_groups",
    "release/expected_population",
    "release/undetermined",
    "release/known_classes",
    "release/released_records",
    "release/value_losses",
    "dataset/distinct_texts",
)
"""What is run where the rows are. Windows are left out of it although they are portable: without a partition they run in one task."""

AWAY = (
    "dataset/source_rows",
    "dataset/unfit_population",
    "dataset/unfit_k",
    "lattice/combinations",
    "lattice/combinations_of_entities",
    "lattice/combinations_of_population",
    "lattice/coarse_combinations",
    "lattice/merged_combinations",
    "lattice/entity_places",
    "lattice/combination_entities",
    "lattice/sensitive",
    "lattice/merged_sensitive",
    "lattice/combination_count",
    "lattice/total_rows",
    "lattice/packed_combinations",
    "lattice/node_figures",
    "lattice/node_labels",
    "release/expected_histogram",
    "release/expected_classes",
    "release/expected_classes_of_population",
    "release/written_classes",
    "release/written_histogram",
    "release/written_totals",
    "risk/class_sizes",
    "lattice/protected",
    "lattice/protected_labels",
    "lattice/protected_rows",
    "release/known_sizes",
    "release/split_classes",
    "release/constant_columns",
    "release/released_values",
    "release/notable_losses",
    "release/protected_shares",
)
"""What is asked of rows, and what decides and verifies besides, where a relation is too large to come home from a cluster."""

JUDGING = (
    *("lattice/node", "lattice/failing_labels", "lattice/protected_losses", "lattice/achieved", "release/verdicts"),
    *("release/class_differences", "release/histogram_differences", "release/failing_classes", "release/written_achieved"),
)
"""The same, as far as the models that they hold have been said for it."""

UNSAID = frozenset(
    {
        *("recursive_cl_diversity", "t_closeness_ordered", "entropy_l_diversity", "delta_disclosure", "average_risk"),
        "distinct_l_diversity of persons",
    }
)
"""Models that no cluster judges: where they are asked for, what they judge comes home or the run says that it is too large."""

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"))

HOSTILE = (
    'x"; drop table records; --',
    "x'; drop table records; --",
    "x') or 1=1 --",
    "*/ select 1 /*",
    "-- builds: nothing",
    "{{ 7 * 7 }}{% if %}{# #}",
    "$1 ? %s :name",
    "back\\slash\\'",
    "two\nlines",
    "a\n\nblank line",
    "carriage\rreturn",
    "tab\tand\vvertical",
    "paragraph\u2029separator",
)


def job_of(folder: Path, names: Sequence[str], **more: Any) -> dict[str, Any]:
    """A job whose quasi-identifiers have hierarchies of every kind in turn; writes them and `input.parquet`."""
    intervals = folder / "intervals.yaml"
    intervals.write_text("kind: intervals\nwidths: [5, 10]\n", encoding="utf-8")
    tree = write_table(folder / "tree.csv", [("u", "left"), ("v", "left"), ("w", "right"), ("left", "*"), ("right", "*")])
    table = write_table(folder / "table.csv", [("u", "left", "*"), ("v", "left", "*"), ("w", "right", "*")])
    dates, flat = folder / "dates.yaml", folder / "flat.yaml"
    dates.write_text("kind: dates\nunits: [month, year]\n", encoding="utf-8")
    flat.write_text("kind: flat\n", encoding="utf-8")
    files = {"intervals": intervals, "tree": tree, "table": table, "dates": dates, "flat": flat}
    for kind, text in SPECS.items():
        files[kind] = folder / f"{kind}.yaml"
        files[kind].write_text(f"kind: {kind}\n{text}\n", encoding="utf-8")
    kinds = {name: KINDS[number % len(KINDS)] for number, name in enumerate(names)}
    write_parquet(folder / "input.parquet", rows_of(kinds))
    columns = {name: {"role": "quasi-identifier", "hierarchy": str(files[kind])} for name, kind in kinds.items()}
    return {"source": str(folder / "input.parquet"), "columns": columns, "others": "keep", **more}


def rows_of(kinds: Mapping[str, str]) -> list[dict[str, Any]]:
    """Values that a hierarchy of the kind covers, and a column `other` that discloses none of them."""
    return [
        {
            **dict.fromkeys(kinds, "uvw"[number % 3]),
            **{name: number % 20 for name, kind in kinds.items() if kind == "intervals"},
            **{name: date(2000, 1, 1) + timedelta(days=number % 20 * 40) for name, kind in kinds.items() if kind == "dates"},
            "other": number // 15,
        }
        for number in range(30)
    ]


def recorded(patch: pytest.MonkeyPatch) -> list[Statement]:
    """Every statement rendered from now on."""
    collected = []

    def record(relation: str, template: str, sql: str, parameters: Mapping[str, Any]) -> Statement:
        collected.append(Statement(relation, template, sql, parameters))
        return collected[-1]

    patch.setattr(templates, "Statement", record)
    return collected


def previewed_of(job: dict[str, Any]) -> list[Statement]:
    """What `--sql` prints for a job."""
    return preview.statements(prepare.prepare(None, job, Options(), Run()))


@pytest.fixture(scope="module")
def previewed(tmp_path_factory: pytest.TempPathFactory) -> list[Statement]:
    """What `--sql` prints for columns with awkward names, under the rules that change a template."""
    folder = tmp_path_factory.mktemp("previewed")
    rules: list[dict[str, Any]] = [
        {"missing": {"tokens": ["?", "it's", None], "policy": "drop"}},
        {"missing": {"policy": "drop"}},
        {"missing": {"tokens": ["?"], "policy": "top"}},
        {"suppression": {"style": "star"}, "linked": [[AWKWARD[0], "other"]]},
        {"protect": ["other", AWKWARD[0]]},
    ]
    return [statement for rule in rules for statement in previewed_of(job_of(folder, AWKWARD, **rule))]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace of a recoding applied to data with a value that is new to it, beside those of the runs in `ran`."""
    return tmp_path_factory.mktemp("ran") / "work.duckdb"


@pytest.fixture(scope="module")
def ran(workspace: Path) -> list[Statement]:
    """What runs of every sort, one that a hierarchy stops, and the demo render, and the templates that stand inside others."""
    folder = workspace.parent

    def keeping(name: str) -> Run:
        return Run(overwrite=True, settings=Settings(workspace=folder / f"{name}.duckdb"))

    with pytest.MonkeyPatch.context() as patch:
        statements = recorded(patch)
        job = job_of(folder, PLAIN, suppression={"limit": "50%"}, privacy=[{"model": "k-anonymity", "k": 2}])
        anonymize(job={**job, "missing": {"policy": "drop"}, "output": {"shuffle": False}}, run=keeping("dropped"))
        masked = {"suppression": {"limit": "50%", "style": "star"}, "linked": [["age", "other"]]}
        beside = [{**row, "other": row["age"] * 3} for row in rows_of(dict(zip(PLAIN, KINDS, strict=False)))]
        for name, shuffle in (("masked", True), ("unshuffled", False)):
            linked = {**job, **masked, "output": {"shuffle": shuffle}}
            anonymize(write_parquet(folder / "linked.parquet", beside), job=linked, run=keeping(name))
        anonymize(job=job, run=keeping("first"))
        sensitive = {**job["columns"], "other": {"role": "sensitive"}}
        anonymize(job={**job, "columns": sensitive, "protect": ["town", "other"]}, run=keeping("sensitive"))
        search_with_a_sensitive_column(folder, keeping("diverse"))
        coarse = {**sensitive, "town": {**job["columns"]["town"], "min-level": 1}}
        previewed_of({**job, "columns": coarse, "privacy": [{"model": "l-diversity", "column": "other", "l": 2}]})
        compare(job=job, ks=[2])
        own = {"privacy": [{"model": "k-anonymity", "k-column": "other"}], "entity": "zone", "others": "drop"}
        columns = {name: plan for name, plan in job["columns"].items() if name != "zone"}
        anonymize(persons(folder), job={**job, **own, "columns": columns}, run=keeping("persons"))
        protect(folder, job, keeping)
        recode_by_regions(folder, job, keeping)
        recall(folder, keeping)
        intersect(folder, job, keeping)
        attack(folder, job, keeping)
        release_again(folder, job, keeping)
        explore(folder)
        for source in other_formats(folder):
            anonymize(source, folder / "other.duckdb::release", job=job, run=Run(overwrite=True))
        guess(folder)
        treat(folder)
        write_ranges(folder, keeping)
        verbs.anonymize(job=job).write(folder / "copy.csv", overwrite=True)
        apply(folder / "input.anonymized.parquet.manifest.json", new_rows(folder), folder / "new.csv", run=keeping("work"))
        write_table(folder / "table.csv", [("u", "*")])
        with pytest.raises(HierarchyError, match="does not cover"):
            anonymize(job=job, run=Run(overwrite=True))
        demo(folder / "demo.parquet", rows=5)
        look_at_hierarchies(folder)
        look_at_columns(folder)
        look_back(folder)
        hand_releases_over(folder)
        render_blocks()
        templates.render("log/stored_rows", files="parts/*.parquet")
        templates.render("spark/release/scattered", columns=[Column(name, "VARCHAR") for name in PLAIN], shuffle=True)
    own_words = [
        statement for statement in statements if templates.has_own_sql("spark", statement) and not is_for_spark(statement)
    ]
    for_spark = [
        (statement.relation, f"spark/{statement.template}", templates.rendered_for("spark", statement))
        for statement in own_words
    ]
    return statements + [Statement(*word) for word in for_spark]


def search_with_a_sensitive_column(folder: Path, run: Run) -> None:
    """A search that judges several nodes at once by their sensitive values."""
    table = write_table(
        folder / "letters.csv", [("u", "left", "*"), ("v", "left", "*"), ("w", "right", "*"), ("x", "right", "*")]
    )
    rows = [
        {**dict(zip(PLAIN, letters, strict=False)), "other": "ab"[n % 2]} for n, letters in enumerate(product("uvwx", repeat=3))
    ]
    columns = {name: {"role": "quasi-identifier", "hierarchy": str(table)} for name in PLAIN[:3]}
    models = [{"model": "k-anonymity", "k": 1}, {"model": "l-diversity", "column": "other", "l": 2}]
    job = {"columns": {**columns, "other": {"role": "sensitive"}}, "privacy": models, "suppression": {"limit": "40%"}}
    anonymize(write_parquet(folder / "letters.parquet", rows), job=job, run=run)


def is_for_spark(statement: Statement) -> bool:
    return statement.template.startswith("spark/")


MODELS = (
    *({"model": "l-diversity", "variant": variant, "l": 2} for variant in ("distinct", "entropy")),
    {"model": "l-diversity", "variant": "recursive", "c": 9, "l": 2},
    {"model": "alpha-k-anonymity", "alpha": 0.9, "k": 2},
    *({"model": "t-closeness", "distance": distance, "t": 0.9} for distance in ("equal", "ordered", "hierarchical")),
    *({"model": "beta-likeness", "variant": variant, "beta": 9} for variant in ("basic", "enhanced")),
    {"model": "delta-disclosure", "values": "present", "delta": 4},
)
"""Each model of a sensitive column, asking for little."""


def protect(folder: Path, job: Mapping[str, Any], keeping: Callable[[str], Run]) -> None:
    """Every privacy model asked for, of classes whose entropy floating point cannot tell from ln l, dropped and masked; and checked."""
    rows = [
        {**row, "other": "u" if number % 15 < 12 else "vwx"[number % 3]}
        for number, row in enumerate(read_rows(folder / "input.parquet"))
    ]
    write_parquet(folder / "protected.parquet", rows)
    write_parquet(folder / "people.parquet", rows * 2)
    anonymize_ages(folder, job)
    tree = write_table(folder / "other.csv", [("u", "left", "*"), *((value, "right", "*") for value in "vwx")])
    columns = {name: plan for name, plan in job["columns"].items() if name in ("town", "sex")}
    sensitive = {"role": "sensitive", "hierarchy": str(tree), "order": list("uvwx")}
    given = {
        **job,
        "others": "drop",
        "columns": {**columns, "other": sensitive},
        "population": str(folder / "people.parquet"),
        "suppression": {"limit": "100%"},
    }
    models = [
        {"model": "k-map", "k": 2},
        {"model": "delta-presence", "low": 0, "high": 1},
        {"model": "average-risk", "risk": 0.9},
        *MODELS,
    ]
    for name, style in (("models", "drop"), ("masked_models", "star")):
        suppression = {"limit": "100%", "style": style}
        anonymize(
            folder / "protected.parquet",
            folder / "protected.csv",
            job={**given, "privacy": models, "suppression": suppression},
            run=keeping(name),
        )
    check_file(folder / "protected.csv", manifest=folder / "protected.csv.manifest.json")
    even = [{"town": "u", "other": "u" if number < 4 else f"w{number}"} for number in range(8)]
    flat = {"town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}, "other": {"role": "sensitive"}}
    entropy = [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "variant": "entropy", "l": 4}]
    anonymize(write_parquet(folder / "even.parquet", even), job={"columns": flat, "privacy": entropy}, run=keeping("even"))
    check_file(folder / "even.parquet", job={"columns": flat}, show_values=False)
    nested = folder / "nested.jsonl"
    nested.write_text('{"town": "u", "size": {"height": 1.5}}\n' * 4, encoding="utf-8")
    anonymize(nested, options=Options(qi=["town"], k=2), run=keeping("nested"))
    for values in (False, True):
        check_file(folder / "protected.parquet", job={**given, "privacy": models[:1]}, show_values=values)


def recode_by_regions(folder: Path, job: Mapping[str, Any], keeping: Callable[[str], Run]) -> None:
    """Partitions and passes: of rows, of persons, held against a population, under models of sensitive columns; applied; aggregated."""
    couples = write_parquet(folder / "couples.parquet", [{**row, "other": 2} for row in read_rows(folder / "input.parquet")])
    towns = {**job["columns"], "zone": {"role": "quasi-identifier", "order": ["u", "v", "w"]}}
    towns["sex"] = {**towns["sex"], "microaggregate": "mode"}
    towns["other"] = {"role": "sensitive", "microaggregate": "interval"}
    kept = {**job, "others": "drop", "columns": towns, "suppression": {"limit": "100%"}}
    wide = {"privacy": [{"model": "k-anonymity", "k": 2}]}
    models = [
        {"model": "k-anonymity", "k": 2},
        {"model": "k-map", "k": 2},
        {"model": "l-diversity", "variant": "entropy", "l": 2},
    ]
    for algorithm in ("mondrian", "local"):
        plan = {**kept, "recoding": {"algorithm": algorithm}}
        columns = {name: {**plan, "order": None} if algorithm == "local" else plan for name, plan in towns.items()}
        columns["zone"] = job["columns"]["zone"] if algorithm == "local" else towns["zone"]
        output = folder / f"{algorithm}.parquet"
        anonymize(job={**plan, **wide, "columns": columns}, output=output, run=keeping(algorithm))
        with patch.object(local_recoding, "_MOST_JOINED", 1):
            anonymize(
                job={**plan, **wide, "columns": columns},
                output=folder / f"{algorithm}_in_parts.parquet",
                run=keeping(f"{algorithm}_in_parts"),
            )
        apply(
            f"{output}.manifest.json",
            folder / "input.parquet",
            folder / f"{algorithm}.csv",
            run=keeping(f"{algorithm}_applied"),
        )
        some = {name: column for name, column in job["columns"].items() if name in ("town", "age")}
        protected = {
            **plan,
            "columns": {**some, "other": {"role": "sensitive"}},
            "privacy": models,
            "protect": ["town", "other"],
        }
        people = {"population": str(folder / "people.parquet")}
        source = folder / "protected.parquet"
        anonymize(source, folder / "protected.csv", job={**protected, **people}, run=keeping(f"{algorithm}_models"))
        own = {"privacy": [{"model": "k-anonymity", "k-column": "other"}], "entity": "zone", "output": {"shuffle": False}}
        anonymize(couples, job={**plan, **own, "columns": some}, run=keeping(f"{algorithm}_persons"))
        privacy = [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "variant": "distinct", "l": 1}]
        by_persons = {**plan, "entity": "zone", "privacy": privacy, "columns": {**some, "other": {"role": "sensitive"}}}
        anonymize(couples, job=by_persons, run=keeping(f"{algorithm}_values_of_persons"))


def intersect(folder: Path, job: Mapping[str, Any], keeping: Callable[[str], Run]) -> None:
    """Persons in two classes, of whom two have no other value in common with these."""
    towns = [row["town"] for row in rows_of(dict(zip(PLAIN, KINDS, strict=False)))]
    first, second, third, *_ = dict.fromkeys(towns)
    rows = [{"town": town, "who": number, "other": "ab"[number % 2]} for number in range(20) for town in (first, second)]
    rows += [{"town": town, "who": number, "other": "c"} for number in (20, 21) for town in (first, third)]
    columns = {"town": job["columns"]["town"], "other": {"role": "sensitive"}}
    privacy = [{"model": "k-anonymity", "k": 2}, {"model": "t-closeness", "column": "other", "t": "1"}]
    plan = {**job, "columns": columns, "privacy": privacy, "entity": "who", "recoding": {"levels": {"town": 0}}}
    anonymize(write_parquet(folder / "crossed.parquet", rows), folder / "crossed.csv", job=plan, run=keeping("crossed"))
    keys = [{**row, "id": f"p{row['who']}", "key": row["who"] * 7} for row in rows]
    source = write_parquet(folder / "keys.parquet", keys)
    linked = {**columns, "key": {"role": "insensitive"}}
    accepting = {**plan, "columns": linked, "others": "drop", "accept": ["key", "dependency"]}
    anonymize(source, folder / "keys.csv", job=accepting, run=Run())
    known = Options(qi=["town"], sensitive=["other"], entity="who", require=["t=1@other"])
    check_file(folder / "crossed.parquet", options=known)
    twins = {"town": columns["town"], "who": {"role": "identifying"}, "id": {"role": "identifying"}}
    anonymize(source, folder / "twins.csv", job={"columns": twins, "privacy": privacy[:1]}, run=Run())


def attack(folder: Path, job: Mapping[str, Any], keeping: Callable[[str], Run]) -> None:
    """Adversaries who know some columns, or any few of them: with persons, masked records, regions and sensitive values."""
    names = ("town", "age", "sex")
    columns = {name: job["columns"][name] for name in names}
    plan = {**job, "columns": columns, "suppression": {"limit": "100%"}}
    known = {"adversaries": {"neighbour": {"columns": ["town", "age"]}, "employer": {"columns": ["age", "sex"], "k": 3}}}
    base = rows_of(dict(zip(PLAIN, KINDS, strict=False)))[:4]
    crossed = [{**town, "age": age["age"], "sex": sex["sex"]} for town, age, sex in product(base, repeat=3)]
    source = write_parquet(folder / "attacked.parquet", crossed)
    others = {**columns, "other": {"role": "sensitive"}}
    models = [{"model": "k-anonymity", "k": 2}, {"model": "t-closeness", "column": "other", "t": "0.9"}]
    rows = [{**row, "other": "ab"[number % 2]} for number, row in enumerate(read_rows(source))]
    sensitive = write_parquet(folder / "attacked_values.parquet", rows)
    persons = write_parquet(folder / "attacked_persons.parquet", [{**row, "who": n // 2 % 40} for n, row in enumerate(rows)])
    for algorithm in ("optimal", "local"):
        recoding = {"recoding": {"algorithm": algorithm}}
        anonymize(source, folder / "attacked.csv", job={**plan, **known, **recoding}, run=keeping(f"attacked_{algorithm}"))
        by_person = {**plan, **known, **recoding, "entity": "who"}
        anonymize(persons, folder / "attacked.csv", job=by_person, run=keeping(f"attacked_{algorithm}_persons"))
        valued = {**plan, **known, **recoding, "columns": others, "privacy": models}
        anonymize(sensitive, folder / "attacked.csv", job=valued, run=keeping(f"attacked_{algorithm}_values"))
    style = {"suppression": {"limit": "100%", "style": "star"}}
    for few in (known, {"any": 2}):
        anonymize(source, folder / "attacked.csv", job={**plan, **few, **style}, run=Run(overwrite=True))
        check_file(source, job={**plan, **few})
        risk(source, job={**plan, **few})
    descended = {**plan, "any": 2, "recoding": {"algorithm": "descent"}}
    rows = read_rows(source)
    rare = write_parquet(folder / "rare.parquet", [*rows * 3, rows[0] | {"age": 19}])
    anonymize(rare, folder / "attacked.csv", job=descended, run=keeping("descended"))
    passed = {**descended, "recoding": {"algorithm": "local"}}
    anonymize(rare, folder / "attacked.csv", job=passed, run=Run(overwrite=True))


def release_again(folder: Path, job: Mapping[str, Any], keeping: Callable[[str], Run]) -> None:
    """Releases of the same records with other levels and columns, and of the same persons, in registers; explained, and forgotten."""
    names = ("town", "age", "sex")
    columns = {name: job["columns"][name] for name in names}
    plan = {**job, "columns": columns, "suppression": {"limit": "100%"}, "others": "drop"}
    source, persons = folder / "attacked.parquet", folder / "attacked_persons.parquet"
    few = {name: plan for name, plan in columns.items() if name != "sex"}
    fixed: list[dict[str, Any]] = [
        {"recoding": {"levels": {"town": 1, "age": 1, "sex": 0}}},
        {"recoding": {"levels": {"town": 0, "age": 2, "sex": 1}}},
        {"recoding": {"levels": {"town": 0, "age": 1}}, "columns": few},
        {"recoding": {"algorithm": "local"}},
    ]
    for kind, table, counted in (("rows", source, {}), ("persons", persons, {"entity": "who"})):
        register = folder / f"{kind}.releases"
        for number, levels in enumerate(fixed):
            run = replace(keeping(f"again_{kind}_{number}"), register=register, suppress_isolated=True)
            with suppress(Infeasible):
                anonymize(table, folder / f"{kind}_{number}.parquet", job={**plan, **counted, **levels}, run=run)
        if kind == "rows":
            explain(folder / "rows_3.parquet.manifest.json", row=1)
        register_workflow.compared(register)
        register_workflow.forget(register, "1")


def explore(folder: Path) -> None:
    """What the studio counts and shows of a table."""
    columns = {"sex": {"role": "quasi-identifier"}, "town": {"role": "quasi-identifier"}, "age": {"role": "quasi-identifier"}}
    rows = [{"sex": "uv"[number % 2], "town": "abc"[number % 3], "age": number % 40} for number in range(200)]
    job = {"columns": columns, "suppression": {"limit": "50%"}}
    prepared = prepare.prepare(write_parquet(folder / "explored.parquet", rows), job, Options(), Run())
    with pytest.MonkeyPatch.context() as patch, DuckDBEngine() as engine:
        patch.setattr(sweep, "_WORTHWHILE", 0)
        counts = Counts.of(engine, prepared, (), Silent())
        for _ in counts.swept():
            pass
        decisions = Decisions(engine, counts)
        decision = decisions.decided(counts.counted, None, lambda: False)
        decisions.at_node(counts.counted, dict.fromkeys(columns, 0))
        starred = counts.under(prepared.job.model_copy(update={"suppression": Suppression(limit="50%", style="star")}))
        assert starred is not None
        decisions.lattice(starred)
        before_and_after(engine, counts.counted, decision["levels"], shows_records=True)
        assert counts.sweep is not None
        counts.sweep.failing_labels(5)
    spec = {"kind": "intervals", "widths": [5, 10]}
    table = {"kind": "table", "file": str(write_table(folder / "towns.csv", [("a", "*"), ("b", "*"), ("c", "*")]))}
    with LocalStudio(folder / "explored.parquet").enter() as studio:
        studio.get("/api/hierarchy", column="age")
        studio.post("/api/hierarchy/preview", {"column": "age", "content": spec})
        for form in ("csv", "yaml"):
            studio.post("/api/hierarchy/export", {"column": "age", "content": spec, "format": form})
        text = "a;*\nb;*\nc;*\n"
        studio.post("/api/hierarchy/import", {"column": "town", "name": "towns.csv", "text": text})
        studio.post("/api/hierarchy/preview", {"column": "town", "content": table})


def recall(folder: Path, keeping: Callable[[str], Run]) -> None:
    """One row that fits nowhere by itself, and a class that waits for it."""
    tree = write_table(
        folder / "recall.csv", [(value, value[0].upper(), "*") for value in ("a1", "a2", "b1", "b2", "c1", "c2")]
    )
    rows = [{"zone": value} for value in ("a1", "a1", "a2", "b1", "b2")]
    zone = {"zone": {"role": "quasi-identifier", "hierarchy": str(tree)}}
    job = {"columns": zone, "recoding": {"algorithm": "local"}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    anonymize(write_parquet(folder / "recall.parquet", rows), job=job, run=keeping("recalled"))


def anonymize_ages(folder: Path, job: Mapping[str, Any]) -> None:
    """A whole number held against a population, whose numbers may be wider."""
    ages = {
        "columns": {"age": job["columns"]["age"]},
        "privacy": [{"model": "k-map", "k": 2}],
        "population": str(folder / "people.parquet"),
    }
    anonymize(folder / "protected.parquet", job=ages, run=Run(overwrite=True))
    table = str(folder / "protected.parquet")
    bounded = ages | {"population": table, "privacy": [{"model": "delta-presence", "low": "0.5", "high": 1}]}
    anonymize(table, folder / "all.parquet", job=bounded, run=Run(overwrite=True))
    check_file(table, options=Options(qi=["age"], population=table))


def render_blocks() -> None:
    """The templates that stand inside others."""
    keys = ["age_0", "town_1"]
    requirement = Requirement(KAnonymity(k=2), (DistinctLDiversity(l=2, column="sex"),), AverageRisk(risk=Decimal("0.5")))
    about = {"keys": keys, "population": False, "adversaries": []}
    templates.render("lattice/classes_at", own_k=False, persons=False, **about)
    templates.render("lattice/classes_of_persons_at", own_k=True, persons=True, **about)
    sensitive = {"relation": "sensitive_sex", "entities": "sensitive_entities_sex"}
    templates.render("lattice/histogram_at", keys=keys, sensitive=sensitive)
    templates.render("lattice/histogram_of_persons_at", keys=keys, sensitive=sensitive)
    persons = "check/present_histogram_of_persons"
    templates.render(
        persons, "present_histogram_sex", quasi_identifiers=["age", "town"], number=1, column="sex", known_value=KNOWN_CODE
    )
    templates.render("privacy/judged", **judgement(requirement, keys, stars=False))
    templates.render("privacy/average_risk", **judgement(requirement, keys, stars=False))
    templates.render("privacy/masked", **judgement(requirement, keys, stars=True))
    known = Adversary("a", ("age_0",), KAnonymity(k=2), (DistinctLDiversity(l=2, column="sex"),))
    templates.render("privacy/adversaries", **judgement(Requirement(adversaries=(known,)), keys, stars=False))
    few = Adversary("few", ("age_0", "town_1"), KAnonymity(k=2), any_of=1)
    templates.render("privacy/any_columns", **judgement(Requirement(adversaries=(few,)), keys, stars=True))
    model = {
        "number": 1,
        "value_counts": "value_counts",
        "shares": "shares_sex",
        "persons": False,
        "own_k": False,
        "k": 2,
        "l": 2,
        "height": 1,
    }
    model |= {"is_decided": True, "nearly": 1e-9, "power": None, "whole": True, "is_lower": True}
    model |= dict.fromkeys(("t", "beta", "alpha", "c", "bound", "delta"), Fraction(1, 2))
    for path in sorted((resources.folder("sql") / "privacy/models").glob("*.sql")):
        templates.render(f"privacy/models/{path.stem}", model=model, persons=False, class_keys=keys, previous="classes")


def write_ranges(folder: Path, keeping: Callable[[str], Run]) -> None:
    """Releases with ranges as bounds and as midpoints, with masked records, and with mondrian."""
    columns = {
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10]}},
        "born": {"role": "quasi-identifier", "hierarchy": {"kind": "dates", "units": ["month", "year"]}, "ranges": "midpoint"},
        "other": {"role": "sensitive"},
    }
    job = {
        "columns": columns,
        "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "column": "other", "l": 1}],
        "output": {"ranges": "bounds"},
    }
    source = folder / "input.parquet"
    generalized = {**job, "suppression": {"limit": "100%"}, "recoding": {"levels": {"age": 1, "born": 2}}}
    duckdb.read_parquet(str(source)).write_csv(str(folder / "input.csv"))
    anonymize(folder / "input.csv", folder / "ranges.parquet", job=generalized, run=keeping("ranges"))
    masked = {**generalized, "suppression": {"limit": "100%", "style": "star"}}
    anonymize(source, folder / "masked_ranges.csv", job=masked, run=Run(overwrite=True))
    mondrian = {**job, "recoding": {"algorithm": "mondrian"}}
    anonymize(source, folder / "mondrian_ranges.parquet", job=mondrian, run=Run(overwrite=True))


def other_formats(folder: Path) -> list[Path | str]:
    """The rows of `input.parquet` as CSV, as JSON lines with a key that could be a renamed one, and as a view, which is copied."""
    with duckdb.connect(str(folder / "tables.duckdb")) as connection:
        connection.execute("create table stored as select *, 1 as a_1 from read_parquet(?)", [str(folder / "input.parquet")])
        connection.execute("create view people as select * from stored")
        for name in ("people.csv", "people.jsonl"):
            connection.execute(f"copy people to {literal(str(folder / name))}")
    return [folder / "people.csv", folder / "people.jsonl", f"{folder / 'tables.duckdb'}::people"]


def guess(folder: Path) -> None:
    """Runs without quasi-identifiers named: two columns that repeat each other and one that does not; a table that
    counts as large; dates and numbers in a national format among marks of missing values."""
    rows = [{"age": number % 5, "zone": f"zone {number % 5}", "sex": "mf"[number % 2]} for number in range(100)]
    source = write_parquet(folder / "guessed.parquet", rows)
    anonymize(source, options=Options(k=2), run=Run(dry_run=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(count, "_MANY_ROWS", 50)
        patch.setattr(coarse_levels, "MOST_COMBINATIONS", 5)
        patch.setattr(sample, "_MOST_ROWS", 20)
        anonymize(source, options=Options(qi=["sex"], keep=["age"], k=2), run=Run(dry_run=True))
        run = Run(settings=Settings(workspace=folder / "guessed.duckdb"))
        anonymize(source, folder / "guessed.out.parquet", options=Options(k=2), run=run)
    profile(source)
    dates = [f"{number % 28 + 1}.{number % 12 + 1}.2020" if number % 9 else "?" for number in range(100)]
    (folder / "dates.csv").write_text(
        "sex;born;pay\n"
        + "".join(
            f"{'mf'[number % 2]};{born};{f'{number % 4},5' if number % 9 else '?'}\n" for number, born in enumerate(dates)
        )
    )
    anonymize(folder / "dates.csv", options=Options(k=2), run=Run(dry_run=True))
    anonymize(folder / "dates.csv", options=Options(qi=["sex"], missing=["m"], k=2), run=Run(dry_run=True))
    with (folder / "dates.csv").open("a") as lines:
        lines.write("m;?;1,5\n" * 40_000 + "m;?;?\nm;?;old\n" * 30_000 + "m\n")
    run = Run(settings=Settings(workspace=folder / "dates.duckdb"))
    anonymize(folder / "dates.csv", folder / "dates.out.csv", options=Options(qi=["sex"], malformed="drop", k=2), run=run)
    profile(write_parquet(folder / "floats.parquet", [{"age": number / 2} for number in range(9)]))


def persons(folder: Path) -> Path:
    """The rows of `input.parquet`, each asking for a k of 2, the last for 9, and `zone` telling persons apart."""
    rows = read_rows(folder / "input.parquet")
    ks = [2] * (len(rows) - 1) + [9]
    return write_parquet(folder / "persons.parquet", [{**row, "other": k} for row, k in zip(rows, ks, strict=True)])


def look_at_hierarchies(folder: Path) -> None:
    """Hierarchies shown, checked, built and converted: sound ones, and ones with faults of every sort."""
    data = Data(str(folder / "first.csv"), "town")
    write_table(folder / "first.csv", [("town",), ("u",), ("v",), ("x",)])
    write_table(folder / "circle.csv", [("u", "v"), ("v", "u"), ("x", "*"), ("w", "x")])
    texts = {
        "faulty": "kind: levels\nlevels: [[u, v], {A: [u], B: [w], C: []}, '*']",
        "shared": "kind: order\ngroups: [[1]]\nfunction: prefix(1)",
        "split": "kind: table\nrows: [[u, A, B, '*'], [v, A, C, '*'], [x, A, C, '*']]",
        "topped": "kind: table\nrows: [[u, A], [v, B], [x, B], [~, B]]\ntop: '*'",
    }
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    files = [
        "faulty.yaml",
        "circle.csv",
        "shared.yaml",
        "topped.yaml",
        "split.yaml",
        "levels.yaml",
        "priority.yaml",
        "codes.yaml",
    ]
    check([str(folder / name) for name in files], data)
    check([str(folder / "levels.yaml")], Data(str(folder / "input.parquet"), "age"))
    (folder / "free.yaml").write_text("kind: redaction", encoding="utf-8")
    show(str(folder / "topped.yaml"), data)
    build(str(folder / "free.yaml"), data, folder / "free.csv")
    for name in ("age", "born", "zone", "town"):
        suggested(Data(str(various(folder)), name), folder / "suggested.yaml", overwrite=True)
        show(str(folder / "suggested.yaml"), Data(str(folder / "various.parquet"), name))
    convert(str((folder / "levels.yaml").rename(folder / "town.yaml")), folder / "levels.csv")


def various(folder: Path) -> Path:
    """A column for each way to suggest a hierarchy."""
    rows = [
        {
            "age": n * n,
            "born": date(2000, 1, 1) + timedelta(days=9 * n),
            "zone": f"A{n:03d}",
            "town": "abcdefg"[n * n % 97 % 7],
        }
        for n in range(200)
    ]
    return write_parquet(folder / "various.parquet", rows)


def look_at_columns(folder: Path) -> None:
    """An input as the studio shows it: numbers and dates in ranges, the most frequent texts, the first rows."""
    with DuckDBEngine() as engine:
        opened = open_input(engine, prepare.prepare(various(folder), {}, Options(), Run()), Silent())
        for column in opened.columns:
            values_of(engine, column, opened.rows)
        first_rows(engine, list(opened.columns))


def treat(folder: Path) -> None:
    """Pseudonyms, masks and shifted dates, in rows as they came and shuffled."""
    (folder / "key").write_text("0123456789abcdef" * 4)
    treatments: dict[str, Any] = {
        "id": {"role": "identifying", "pseudonym": True},
        "phone": {"role": "identifying", "mask": {"last": 2}},
        "born": {"role": "insensitive", "shift": {"days": 9, "by": "id"}},
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
    }
    rows = [{"id": n, "phone": f"0{n:09d}", "born": date(2000, 1, 1), "age": n % 2, "other": "a"} for n in range(20)]
    source = write_parquet(folder / "treated.parquet", rows)
    for shuffle in (True, False):
        job = {"columns": treatments, "release": "r", "output": {"shuffle": shuffle}, "others": "keep"}
        anonymize(source, job=job, run=Run(overwrite=True, key_file=folder / "key", suppress_isolated=shuffle))


def look_back(folder: Path) -> None:
    """Releases explained and accounted for, of a node and of regions; the risk of a file with stars."""
    rows = [{"age": number % 7, "town": "uvw"[number % 3], "other": number} for number in range(20)]
    rows.append({"age": 8, "town": "u", "other": 3})
    source = write_parquet(folder / "looked_at.parquet", rows)
    columns = {
        "age": {"role": "quasi-identifier", "hierarchy": str(folder / "intervals.yaml")},
        "town": {"role": "quasi-identifier", "hierarchy": str(write_table(folder / "towns.csv", [(v, "*") for v in "uvw"]))},
        "other": {"role": "sensitive"},
    }
    job = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}], "suppression": {"limit": 2}}
    for number, recoding in enumerate([{"levels": {"age": 0, "town": 1}}, {"algorithm": "local"}, {"algorithm": "mondrian"}]):
        output = folder / f"looked_at_{number}.parquet"
        anonymize(source, output, job={**job, "recoding": recoding})
        manifest = output.with_name(f"{output.name}.manifest.json")
        accounted(reopen(manifest, None, Run()), Run(), Silent())
        explain(manifest, row=21)
        explain(manifest)
    explain(folder / "looked_at_0.parquet.manifest.json", labels={"age": "8", "town": "*"})
    masked = write_parquet(
        folder / "stars.parquet", [{"age": "*", "town": "u"}, {"age": "1", "town": "*"}, {"age": "1", "town": "u"}]
    )
    risk(masked, options=Options(qi=["age", "town"], population=str(masked)))
    anonymize(source, folder / "persons_at_risk.parquet", job={**job, "columns": {"age": columns["age"]}, "entity": "town"})


def hand_releases_over(folder: Path) -> None:
    """Recodings handed over to a warehouse: by ranges and a value table, dropped and masked."""
    rows = [{"age": number % 9, "town": "uvw"[number % 3], "born": date(2000, 1, 1)} for number in range(60)]
    source = write_parquet(folder / "handed.parquet", rows)
    intervals = {"kind": "intervals", "intervals": [[0, 5], [5, 9]], "range": {"label": [0, 9]}}
    towns = str(write_table(folder / "handed.csv", [(value, "*") for value in "uvw"]))
    columns = {
        name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name, hierarchy in (("age", intervals), ("town", towns))
    }
    for style in ("drop", "star"):
        job = {
            "columns": columns,
            "privacy": [{"model": "k-anonymity", "k": 2}],
            "missing": {"policy": "drop", "tokens": ["2001-01-01"]},
            "recoding": {"levels": {"age": 1, "town": 0}},
            "suppression": {"limit": "100%", "style": style},
        }
        anonymize(source, folder / f"handed_{style}.parquet", job=job)
        export_sql(folder / f"handed_{style}.parquet.manifest.json")


def new_rows(folder: Path) -> Path:
    """The rows of `input.parquet`, some with a town that it lacks."""
    rows = read_rows(folder / "input.parquet")
    return write_parquet(folder / "new.parquet", [*rows, *({**row, "town": "x"} for row in rows[:3])])


@pytest.fixture(scope="module")
def built(workspace: Path, ran: list[Statement]) -> list[tuple[str, str]]:
    """The relations that the runs kept or wrote by SQL, each with its template, as the workspaces' own logs tell; not those of a register."""
    assert ran
    query = """
        select relation, template from duckanon.steps
        where regexp_matches(sql, '^(create|copy|insert) ') and not regexp_matches(sql, '^create or replace table "?register"?[.]')
        order by number
    """
    collected: list[tuple[str, str]] = []
    kept = ("dropped", "masked", "first", "work", "diverse", "persons", "models", "masked_models", "even", "ranges", "guessed")
    regional = [
        f"{algorithm}{suffix}"
        for algorithm in ("mondrian", "local")
        for suffix in ("", "_models", "_persons", "_values_of_persons", "_applied")
    ]
    regional += ["mondrian_in_parts", "recalled", "descended"]
    regional += [
        f"attacked_{algorithm}{suffix}" for algorithm in ("optimal", "local") for suffix in ("", "_persons", "_values")
    ]
    again = [f"again_{kind}_{number}" for kind in ("rows", "persons") for number in (1, 3)]
    for name in (*kept, *regional, *again):
        with duckdb.connect(str(workspace.with_name(f"{name}.duckdb")), read_only=True) as connection:
            collected += connection.execute(query).fetchall()
    return collected + [(statement.relation, statement.template) for statement in ran if statement.template in CHECKED]


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def header(sql: str) -> dict[str, str]:
    """The three lines that say what a statement builds, what it reads, what one row is."""
    lines = [re.fullmatch(r"-- (builds|reads|one row): (\S.*)", line) for line in sql.split("\n")[:3]]
    return {line[1]: line[2] for line in lines if line is not None}


def catalogued(name: str, columns: Sequence[str]) -> str:
    """A relation's name as headers and catalog write it."""
    generic = {relation.named(column): relation.name for relation in CATALOG for column in columns}
    return generic.get(name, PARTS.get(name, name))


@functools.cache
def parsed(sql: str, dialect: str) -> exp.Expression:
    """The tree of a statement; most statements are rendered in several runs."""
    return sqlglot.parse_one(sql, dialect=dialect)


def distinct(statements: Sequence[Statement]) -> list[Statement]:
    """Each text of each template once."""
    return list({(statement.template, statement.sql): statement for statement in statements}.values())


def sources(sql: str, columns: Sequence[str], dialect: str = "duckdb") -> set[str]:
    """The relations, table functions and attached databases that a statement reads; its own CTEs are none."""
    collected = set()
    for scope in traverse_scope(parsed(sql, dialect)):
        for source in scope.sources.values():
            if isinstance(source, exp.Table):
                function = isinstance(source.this, exp.Func)
                name = source.this.sql_name() if function and not isinstance(source.this, exp.Anonymous) else source.this.name
                place = f"the database {source.catalog}" if source.catalog else catalogued(name, columns)
                collected.add(name.lower() if function else place)
    return collected


def disagreement(statement: Statement, columns: Sequence[str]) -> str | None:
    """What a statement reads and its header does not say, or the reverse."""
    declared = header(statement.sql)["reads"]
    dialect = "spark" if is_for_spark(statement) else "duckdb"
    read = {STAND_INS.get(statement.template, {}).get(name, name) for name in sources(statement.sql, columns, dialect)}
    always, _, perhaps = declared.removesuffix(")").partition(" (perhaps ")
    agrees = set(always.split(", ")) <= read <= set(always.split(", ")) | set(perhaps.split(", "))
    if declared in OUTSIDE:
        agrees = read <= OUTSIDE[declared] and bool(read) == bool(OUTSIDE[declared])
    return None if agrees else f"{statement.template} says it reads {declared!r}, but reads {sorted(read)}"


def banned(sql: str) -> str | None:
    """The first part of a pass over rows that lies outside what means the same elsewhere, or has no place in one."""
    portable = Parsed(sql)
    if portable.stranger is not None:
        return portable.stranger
    for node in portable.tree.walk():
        match node:
            case exp.Window():
                return "Window"
            case exp.Alias() if isinstance(node.this, exp.AggFunc | exp.Filter):
                return f"{type(node.this).__name__} without a cast"
    return None


@pytest.mark.parametrize("path", TEMPLATES)
def test_a_template_begins_with_its_header_and_is_named_by_what_it_builds(path: str) -> None:
    folder, _, file = path.removesuffix(".sql").rpartition("/")
    stated = header((resources.folder("sql") / path).read_text(encoding="utf-8"))
    assert list(stated) == ["builds", "reads", "one row"]
    builds = ALTERNATIVES.get(f"{folder}/{file}") or ALTERNATIVES.get(folder, file)
    assert stated["builds"].removesuffix(f"_{COLUMN}") == builds


CONTROL = re.compile(r"\{%-?\+? *(?:if|elif|else|for)\b")


@pytest.mark.parametrize("path", TEMPLATES)
def test_a_template_has_twice_as_many_lines_of_sql_as_conditions_and_loops(path: str) -> None:
    """Where there are more of them, a variant is a file of its own, or a named macro makes an expression."""
    text = re.sub(r"\{#.*?#\}", "", (resources.folder("sql") / path).read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = [line.strip() for line in re.sub(r"\{%.*?%\}", "", text, flags=re.DOTALL).splitlines()]
    sql = [line for line in lines if line and not line.startswith("--")]
    assert 2 * len(CONTROL.findall(text)) <= len(sql)


@pytest.mark.parametrize("path", sorted(resources.folder("sql").rglob("*.jinja")), ids=lambda path: path.stem)
def test_a_comment_says_what_a_macro_gives(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    before = dict(zip(lines[1:], lines, strict=False))
    assert [line for line in lines if line.startswith("{% macro ") and not before.get(line, "").startswith("{# ")] == []


def test_every_statement_begins_with_the_header_of_its_template(previewed: list[Statement], ran: list[Statement]) -> None:
    for statement in distinct(previewed + ran):
        assert header(statement.sql) == header(templates.text(statement.template))


def test_every_hierarchy_kind_is_rendered() -> None:
    assert set(KINDS) == set(spec.MODELS)
    assert len(AWKWARD) >= len(KINDS)


def test_every_template_is_rendered_here(ran: list[Statement]) -> None:
    assert {f"{statement.template}.sql" for statement in ran} == set(TEMPLATES)


def test_a_header_names_the_relations_that_are_read(previewed: list[Statement], ran: list[Statement]) -> None:
    faults = {disagreement(statement, (*AWKWARD, "other")) for statement in distinct(previewed)}
    faults |= {disagreement(statement, KNOWN) for statement in distinct(ran)}
    assert faults == {None}


def test_a_header_that_hides_a_relation_is_found() -> None:
    sql = "-- builds: x\n-- reads: records\n-- one row: x\nselect 1 from records where a in (select b from {})"
    assert disagreement(Statement("x", "x", sql.format("records")), ()) is None
    assert disagreement(Statement("x", "x", sql.format('"values_a b"')), ("a b",)) is not None


def test_a_statement_is_one_select(
    previewed: list[Statement], ran: list[Statement], database: duckdb.DuckDBPyConnection
) -> None:
    for statement in distinct(previewed + ran):
        dialect = "spark" if is_for_spark(statement) else "duckdb"
        if dialect == "duckdb":
            [extracted] = database.extract_statements(statement.sql)
            assert extracted.type == duckdb.StatementType.SELECT, statement.template
        assert isinstance(parsed(statement.sql, dialect), exp.Query), statement.template
        tokens = sqlglot.tokenize(statement.sql, dialect=dialect)
        assert not [token for token in tokens if token.token_type is TokenType.SEMICOLON], statement.template


def test_the_catalogue_has_every_name_once() -> None:
    names = [relation.name for relation in CATALOG]
    assert sorted(set(names)) == sorted(names)


def test_a_relation_that_a_run_builds_is_in_the_catalogue_under_its_folder(built: list[tuple[str, str]]) -> None:
    folders = {relation.name: relation.folder for relation in CATALOG}
    for name, template in built:
        catalogue = catalogued(name, KNOWN)
        folder = ELSEWHERE.get(template, template.partition("/")[0])
        assert folders.get(catalogue) == folder, f"{name}, built by {template}"


def test_a_relation_has_the_name_that_its_header_says(built: list[tuple[str, str]]) -> None:
    faults = [
        f"{template} builds {name!r} and says {stated!r}"
        for name, template in built
        if (stated := header(templates.text(template))["builds"]) != catalogued(name, KNOWN)
    ]
    assert faults == []


def test_the_catalogue_lists_what_a_run_builds_and_no_more(workspace: Path, built: list[tuple[str, str]]) -> None:
    listed = []
    for path in (
        workspace,
        *(
            workspace.with_name(f"{name}.duckdb")
            for name in (
                "persons",
                "models",
                "even",
                "mondrian",
                "local_models",
                "local_persons",
                "local_values_of_persons",
                "ranges",
                "attacked_optimal_persons",
                "attacked_local_persons",
                "crossed",
                "again_rows_3",
                "again_persons_3",
            )
        ),
    ):
        with duckdb.connect(str(path), read_only=True) as connection:
            listed += connection.execute("select relation from duckanon.relations").fetchall()
    standing = {catalogued(name, KNOWN) for (name,) in listed}
    assert standing == {relation.name for relation in CATALOG if relation.kept}
    built_here = {catalogued(name, KNOWN) for name, _ in built}
    assert standing | built_here | LOADED | COPIES | ON_CLUSTERS == {relation.name for relation in CATALOG}


def test_a_query_borrows_no_name_from_the_catalogue(ran: list[Statement], built: list[tuple[str, str]]) -> None:
    """What is asked and not kept must not be mistaken for a relation that stands."""
    queries = {statement.template for statement in ran if not is_for_spark(statement)}
    queries -= {template for _, template in built} | set(BLOCKS)
    queries -= {name for name in queries if name in ALTERNATIVES or name.rpartition("/")[0] in ALTERNATIVES}
    names = {relation.name for relation in CATALOG} - ON_CLUSTERS
    assert [template for template in queries if header(templates.text(template))["builds"] in names] == []


def test_a_header_reads_relations_of_the_catalogue_only() -> None:
    known = {relation.name for relation in CATALOG} | set(PARTS.values())
    for name in templates.catalog():
        declared = header(templates.text(name))["reads"]
        named = declared.removesuffix(")").replace(" (perhaps ", ", ").split(", ")
        assert declared in OUTSIDE or known.issuperset(named), name


def test_a_preview_shows_what_a_run_says(tmp_path: Path) -> None:
    job = job_of(
        tmp_path,
        PLAIN,
        privacy=[{"model": "k-anonymity", "k": 2}],
        suppression={"limit": "90%"},
        recoding={"levels": {"age": 1, "town": 1, "sex": 0, "born": 2, "zone": 1}},
    )
    shown = previewed_of(job)
    with pytest.MonkeyPatch.context() as patch:
        statements = recorded(patch)
        anonymize(job=job, run=Run(settings=Settings(workspace=tmp_path / "workspace.duckdb")))
    texts = {_without_code_types(statement.sql) for statement in statements}
    unsaid = [statement.template for statement in shown if _without_code_types(statement.sql) not in texts]
    assert unsaid == []


def test_each_relation_says_what_a_row_is() -> None:
    """From the header of its template, or by itself where no template builds it."""
    for relation in CATALOG:
        assert relation.row
        assert (
            relation.sentence is None
            or f"{relation.folder}/{relation.name.removesuffix('_<column>')}" not in templates.catalog()
        )


def test_a_preview_shows_a_relation_before_it_is_read(previewed: list[Statement]) -> None:
    """Read from top to bottom, what is printed lacks nothing."""
    absent = set()
    shown = {name for names in OUTSIDE.values() for name in names}
    for statement in previewed:
        absent |= sources(statement.sql, AWKWARD) - shown
        shown.add(catalogued(statement.relation, AWKWARD))
    assert absent == set()


@pytest.mark.parametrize("template", ROW_PASSES)
def test_a_pass_over_rows_keeps_to_the_portable_subset(template: str, previewed: list[Statement], ran: list[Statement]) -> None:
    texts = {statement.sql for statement in previewed + ran if statement.template == template}
    assert texts
    assert {banned(sql) for sql in texts} == {None}


@pytest.mark.parametrize("template", AWAY)
def test_what_may_be_decided_on_a_cluster_keeps_to_the_portable_subset(template: str, ran: list[Statement]) -> None:
    texts = {templates.rendered_for("spark", statement) for statement in ran if statement.template == template}
    assert texts
    assert {Parsed(sql).stranger for sql in texts} == {None}


@pytest.mark.slow
@pytest.mark.parametrize("template", JUDGING)
def test_what_judges_classes_on_a_cluster_is_refused_for_some_models_only(template: str, ran: list[Statement]) -> None:
    pairs = [
        (Parsed(templates.rendered_for("spark", statement)).stranger, models_of(statement))
        for statement in ran
        if statement.template == template and statement.parameters["models"]
    ]
    assert pairs
    assert [models for stranger, models in pairs if (stranger is not None) != bool(models & UNSAID)] == []


def models_of(statement: Statement) -> frozenset[str]:
    """The templates of the models that a statement judges by; of the average risk without stars, that it does.

    Who supplies which value is ranked where persons are counted, so diversity is another template then.
    """
    parameters = statement.parameters
    names = {str(model["template"]).rpartition("/")[2].removesuffix(".sql") for model in parameters["models"]}
    if parameters["persons"]:
        names = {f"{name} of persons" if name == "distinct_l_diversity" else name for name in names}
    return frozenset(
        names | ({"average_risk"} if parameters["average_risk"] is not None and not parameters["stars"] else set())
    )


@pytest.mark.parametrize(
    ("sql", "offender"),
    [
        ("select list(a) from records", "ArrayAgg"),
        ("select [a, b] from records", "Array"),
        ("select a[b] from records", "Bracket"),
        ("select len(a) from records", "Length"),
        ("select log(a) from records", "Log"),
        ("select a / b from records", "Div"),
        ("select a | b from records", "BitwiseOr"),
        ("select cast(a as uinteger) from records", "type UINT"),
        ("select a::time from records", "type TIME"),
        ("select * replace (1 as a) from records", "Star with replace or rename"),
        ("select columns('a') from records", "Columns"),
        ("select grouping(a, b) from records group by cube (a, b)", "Grouping of several columns"),
        ("select count(*) as _rows from records", "Count without a cast"),
        ("select sum(a) filter (where b) as _rows from records", "Filter without a cast"),
        ("select hash(a) from records", "function hash"),
        ("select quantile_disc(a, 0.5) from records", "PercentileDisc"),
        ("select median(a) from records", "Median"),
        ("select regexp_replace(a, 'x', 'y') from records", "RegexpReplace"),
        ("select max_by(a, b) from records", "ArgMax"),
        ("select row_number() over () from records", "Window without an order"),
        ("select row_number() over (order by a) from records", "Window"),
        ("select a from records qualify true", "Qualify"),
        ("select a from read_parquet('x')", "table function ReadParquet"),
        ("select a from range(5)", "table function GenerateSeries"),
        ("select {'a': b} from records", "Struct"),
        ("select a from records using sample 5", "TableSample"),
    ],
)
def test_what_spark_would_read_otherwise_is_banned(sql: str, offender: str) -> None:
    assert banned(sql) == offender


@pytest.mark.parametrize("name", [path.removesuffix(".sql") for path in TEMPLATES])
def test_an_undefined_variable_of_a_template_is_an_error(name: str) -> None:
    parsed = templates.environment().parse(templates.text(name))
    if meta.find_undeclared_variables(parsed) or any(meta.find_referenced_templates(parsed)):
        with pytest.raises((jinja2.UndefinedError, UsageError, TypeError), match=r"(?i)undefined"):
            templates.render(name)
    else:
        assert templates.render(name).sql == templates.text(name).removesuffix("\n")


@given(text=TEXT)
def test_a_text_literal_is_that_text(text: str, database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute(f"select {literal(text)}").fetchone() == (text,)


@given(name=TEXT.filter(bool))
def test_a_quoted_name_is_that_name(name: str, database: duckdb.DuckDBPyConnection) -> None:
    description = database.execute(f"select 1 as {ident(name)}").description
    assert [column[0] for column in description] == [name]


@given(name=TEXT.filter(bool), value=TEXT)
def test_indented_sql_has_the_same_names_and_values(name: str, value: str, database: duckdb.DuckDBPyConnection) -> None:
    """A line break of theirs is no end of a line."""
    text = "select\n{{ value | literal }} -- it's one line\nas {{ [name] | idents }}"
    sql = (
        templates.environment()
        .from_string("{{ text | indent }}")
        .render(text=templates.environment().from_string(text).render(name=name, value=value))
    )
    result = database.execute(sql)
    assert [column[0] for column in result.description] == [name]
    assert result.fetchone() == (value,)


@given(value=st.integers(-(2**127) + 1, 2**127 - 1) | st.booleans() | st.none())
def test_a_whole_number_literal_is_that_number(value: int | bool | None, database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute(f"select {literal(value)}").fetchone() == (value,)


@given(value=st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**20), max_value=10**20))
def test_a_decimal_literal_is_that_number(value: Decimal, database: duckdb.DuckDBPyConnection) -> None:
    row = database.execute(f"select cast({literal(value)} as decimal(38, 6))").fetchone()
    assert row == (value,)


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_a_floating_literal_is_that_number(value: float, database: duckdb.DuckDBPyConnection) -> None:
    row = database.execute(f"select cast({literal(value)} as double)").fetchone()
    assert row == (value,)


@given(values=st.lists(TEXT, min_size=1))
def test_a_list_literal_is_that_list(values: list[str], database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute(f"select {literal(values)}").fetchone() == (values,)


@given(values=st.dictionaries(st.from_regex(r"cell_[0-9]+", fullmatch=True), TEXT, min_size=1))
def test_a_mapping_literal_is_that_mapping(values: dict[str, str], database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute(f"select {literal(values)}").fetchone() == (values,)


@pytest.mark.parametrize("name", ["nul \0 inside", "", "half \ud800 surrogate"])
def test_a_name_that_no_quoting_can_carry_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        ident(name)


@pytest.mark.parametrize(
    "value",
    [
        "nul \0 inside",
        "half \ud800 surrogate",
        Decimal("NaN"),
        Decimal("-Infinity"),
        range(3),
        b"x",
    ],
    ids=repr,
)
def test_a_value_that_no_literal_can_carry_is_refused(value: object) -> None:
    with pytest.raises(UsageError):
        literal(value)


@pytest.mark.parametrize("text", HOSTILE, ids=repr)
def test_hostile_text_stays_data_in_a_run(text: str, tmp_path: Path) -> None:
    """The same text as column, value, label, cell and missing token, in a folder that is no better.

    The cells that are kept say nothing of the quasi-identifier, which they would else give away.
    """
    folder = tmp_path / "it's [a] {{ folder }}; --"
    folder.mkdir()
    missing, numbered, kept = f"missing {text}", f"number {text}", f"kept {text}"
    lines = [{text: value, f"1 {text}": f"label {text}", f"2 {text}": "*"} for value in ("plain", text)]
    intervals = f"kind: intervals\nwidths: [10]\ntop: {_double_quoted(text)}\n"
    (folder / "numbers.yaml").write_text(intervals, encoding="utf-8")
    rows = [("plain", "plain"), (text, "plain"), (missing, missing), (text, text), ("plain", text)]
    hierarchies = {text: write_parquet(folder / "texts.parquet", lines), numbered: folder / "numbers.yaml"}
    anonymize(
        write_parquet(folder / "in.parquet", [{text: value, numbered: 1, kept: cell} for value, cell in rows]),
        folder / "out.parquet",
        job={"columns": {name: {"role": "quasi-identifier", "hierarchy": str(file)} for name, file in hierarchies.items()}},
        options=Options(keep=[kept], k=4, missing=[missing], missing_policy="drop", levels={text: 1, numbered: 2}),
    )
    released = read_rows(folder / "out.parquet")
    assert Counter(row.pop(kept) for row in released) == {"plain": 2, text: 2}
    assert released == [{text: f"label {text}", numbered: text}] * 4


@pytest.mark.parametrize("policy", ["value", "drop"])
def test_rows_that_are_not_shuffled_come_as_they_came(policy: str, tmp_path: Path) -> None:
    """A join keeps the order of one side only, and the rule for missing values decides which side DuckDB takes."""
    towns = write_table(tmp_path / "towns.csv", [(f"town {number}", "*") for number in range(50)])
    anonymize(
        write_parquet(tmp_path / "in.parquet", [{"town": f"town {number % 50}", "number": number} for number in range(100)]),
        tmp_path / "out.parquet",
        options=Options(
            qi=["town"],
            keep=["number"],
            hierarchies=[f"town={towns}"],
            levels={"town": 1},
            missing=["town 49"],
            missing_policy=policy,
            shuffle=False,
        ),
    )
    numbers = [number for number in range(100) if policy != "drop" or number % 50 != 49]
    assert [row["number"] for row in read_rows(tmp_path / "out.parquet")] == numbers


def _double_quoted(text: str) -> str:
    """A YAML scalar whose escapes say every character outside printable ASCII."""
    return '"' + "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in text) + '"'


def _without_code_types(sql: str) -> str:
    """A preview does not know how many codes there are."""
    return re.sub(r" as u(tiny|small|big)?int(eger)?\) as code", " as integer) as code", sql)
