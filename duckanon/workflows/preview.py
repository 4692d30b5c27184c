"""The SQL statements of a run, rendered but not executed."""

from dataclasses import replace
from pathlib import Path

from duckanon.choices import DUCKDB
from duckanon.dataset import values
from duckanon.dataset.opening import columns_of, source_statement
from duckanon.dataset.population import open_population, population_statement
from duckanon.dataset.statement import of_files
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.templates import Statement, render
from duckanon.errors import JobError
from duckanon.hierarchy.attributes import lattice_of, topped_columns
from duckanon.job.default_hierarchies import with_hierarchies
from duckanon.job.options import Run
from duckanon.job.persons import with_persons
from duckanon.job.prepare import Prepared
from duckanon.job.resolve import carried, chosen_node, missing_rule, resolve
from duckanon.observers import Observer, Silent
from duckanon.release import verification_statements, write
from duckanon.release.cells import compared_cells
from duckanon.release.placement import intended_place
from duckanon.release.recoding.node import NodeRecoding
from duckanon.search import combinations, local_recoding
from duckanon.search.count import detect_roles
from duckanon.search.distributions import Distribution, shares_statements, with_distributions


def statements(
    prepared: Prepared, output: Path | str | None = None, run: Run | None = None, observer: Observer | None = None
) -> list[Statement]:
    """The statements of a run for the node of `levels`, or the bottom node.

    Opens the hierarchy files and reads the schema of the input. Reads rows only for the types of a CSV file, and if no
    quasi-identifier or no hierarchy is named. The statements therefore make assumptions that a run does not need: codes have a
    wide type, numbers in text are sorted as text, rows are suppressed, and level 0 keeps its type if missing values are
    generalized to the top.
    """
    run, observer = run or Run(), observer or Silent()
    with DuckDBEngine(replace(run.settings, workspace=None, engine=DUCKDB), observer) as engine:
        population = open_population(engine, prepared.population) if prepared.population is not None else None
        opened = source_statement(engine, prepared.source)
        engine.create_view(opened)
        columns, checked = columns_of(engine, opened), prepared.job
        values.create_records(engine, values.records_statement(columns, missing_rule(checked)))
        if not checked.of_role("quasi-identifier"):
            checked, _ = detect_roles(engine, columns, checked, prepared.hierarchies, observer)
        checked, _ = with_persons(engine, checked, columns)
        checked = with_hierarchies(engine, checked, columns, prepared.hierarchies, prepared.base, observer)
        if local_recoding.is_local(checked):
            raise JobError(
                f"--sql prints the statements for one node, and {checked.recoding.algorithm} makes its statements during the search; run it with "
                "--workspace FILE.duckdb and read duckanon.steps, or show its templates: duckanon sql list"
            )
        if any(checked.ranges_of(name) != "text" for name in checked.of_role("quasi-identifier")):
            raise JobError(
                "--sql prints statements before the labels are known, but --ranges depends on the labels; leave --ranges out, or run it with "
                "--workspace FILE.duckdb and read duckanon.steps"
            )
        plan = resolve(checked, columns, prepared.hierarchies, prepared.base, observer)
        hierarchies, attributes = combinations.preview_statements(plan.quasi_identifiers, engine)
        node = chosen_node(checked, attributes) or lattice_of(attributes).bottom
        lookups, trees = combinations.preview_statements(
            [attribute.hierarchy for attribute in plan.sensitive if attribute.hierarchy], engine
        )
        heights = {tree.name: tree.height for tree in trees}
        distributions = tuple(Distribution(attribute, heights.get(attribute.name, 0), 0) for attribute in plan.sensitive)
        requirement = with_distributions(plan.requirement, distributions)
        recoding = NodeRecoding(
            attributes=tuple(attributes),
            node=node,
            requirement=requirement,
            columns=plan.released,
            followers=plan.followers,
            stars=checked.stars,
            distributions=distributions,
            treatments=plan.treatments,
            carried=carried(plan, columns),
        )
        judged = recoding.judged
        target = intended_place(prepared, output)
        chosen, topped = [qi.column for qi in plan.quasi_identifiers], topped_columns(plan.quasi_identifiers)
        sensitive = plan.counted
        people = []
        if population is not None:
            file = of_files(population.statement, "dataset/population_file")
            people = [file, population_statement(population, chosen, plan.missing)]
        texts = recoding.texts if checked.output.shuffle else []
        names = [column.name for column in texts] if checked.output.shuffle else None
        cells = compared_cells(recoding, target.form, has_keys=True)
        in_file, in_source = verification_statements.verification_statements(recoding, cells)
        differences, failing = verification_statements.violation_statements(recoding, [cells] if cells else [])
        return [
            of_files(opened),
            values.records_statement(columns, plan.missing),
            *people,
            values.distinct_statement([*chosen, *sensitive]),
            *values.value_statements(
                chosen, plan.missing, "uinteger", topped, sensitive=sensitive, population=plan.has_population
            ),
            *hierarchies,
            *lookups,
            *(
                statement
                for attribute in distributions
                for statement in shares_statements(attribute.sensitive, attribute.height, requirement.k.entity)
            ),
            *combinations.count_statements(attributes, plan.requirement, [attribute.name for attribute in plan.protected]),
            render("lattice/node", **judged),
            render("lattice/failing_labels", **judged),
            *recoding.class_statements(),
            *(recoding.listed_statements() if run.settings.workspace is not None else []),
            *recoding.aggregate_statements(),
            *([values.distinct_statement(texts), *write.text_statements(texts, "uinteger")] if texts else []),
            recoding.recoded_statement(suppresses=True, texts=names),
            write.file_statement(recoding, target.path or Path(target.name), target.form),
            *in_file,
            *in_source,
            *differences,
            failing,
        ]
