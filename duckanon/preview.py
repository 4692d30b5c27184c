"""What a run would say to the database, rendered and not run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duckanon import combinations, release
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.observer import Observer, Silent
from duckanon.options import Options
from duckanon.pipeline import Run, output_path, prepare
from duckanon.plan import chosen_node, settle
from duckanon.privacy.k_anonymity import KAnonymity
from duckanon.release import Recoding
from duckanon.source import open_source, source_statement
from duckanon.templates import Statement, render


def statements(
    source: Path | str | None = None,
    output: Path | str | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
) -> list[Statement]:
    """The statements of a run for the node of `levels`, or the bottom node.

    Opens the hierarchy files and reads the schema of the input, but no row of it. So codes get a
    wide type, rows are taken to be suppressed, and with missing values sent to the top, level 0 is
    taken to keep its type: the run knows better.
    """
    prepared = prepare(source, job, options or Options(), run or Run())
    observer = observer or Silent()
    with DuckDBEngine(observer=observer) as engine:
        columns = open_source(engine, prepared.source)
        plan = settle(prepared.job, columns, prepared.hierarchies, prepared.base, observer)
        hierarchies, attributes = combinations.preview_statements(plan.quasi_identifiers, engine)
        node = chosen_node(prepared.job, attributes) or combinations.lattice_of(attributes).bottom
        recoding = Recoding(tuple(attributes), node, KAnonymity(prepared.job.k), plan.released)
        keys = {"keys": list(recoding.keys.values()), **recoding.requirement.parameters}
        target = output_path(prepared, output)
        chosen = [qi.column for qi in plan.quasi_identifiers]
        return [
            source_statement(engine, prepared.source),
            combinations.records_statement(columns, plan.missing),
            combinations.distinct_statement(chosen),
            *combinations.value_statements(chosen, plan.missing, "uinteger"),
            *hierarchies,
            *combinations.count_statements(attributes),
            render("lattice/node", **keys),
            render("lattice/failing_labels", **keys),
            *release.class_statements(recoding),
            release.recoded_statement(recoding, suppresses=True, shuffle=prepared.job.output.shuffle),
            release.file_statement(recoding, target, release.output_format(target) or "parquet"),
            *release.verification_statements(recoding),
            *release.violation_statements(recoding),
        ]
