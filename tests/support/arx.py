"""The reference implementation's configurations on Adult, and the tables that they search."""

from pathlib import Path

from duckanon.choices import ObjectiveName
from duckanon.dataset.location import locate
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.names import find_column
from duckanon.dataset.opening import open_source
from duckanon.dataset.values import read_values, records_statement
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.hierarchy.attributes import QuasiIdentifier, Sensitive, lattice_of
from duckanon.hierarchy.sets import HierarchySet
from duckanon.hierarchy.spec import load
from duckanon.metrics.objective import objective
from duckanon.privacy.models.l_diversity import DistinctLDiversity
from duckanon.privacy.requirement import Requirement
from duckanon.search.algorithms import optimal
from duckanon.search.combinations import build_hierarchies, count, read_marginals
from duckanon.search.distributions import distributions
from duckanon.search.evaluate import Evaluator

OBJECTIVES: dict[str, ObjectiveName] = {"loss": "loss", "precision": "precision", "dm": "discernibility", "aecs": "class-size"}


QI_SETS = {
    "A4": ["age", "sex", "race", "marital-status"],
    "B4": ["age", "education", "marital-status", "race"],
    "ALL9": ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class"],
}


class Counted:
    """`combinations` of one set of quasi-identifiers, and the values of a sensitive column, counted once for all configurations."""

    def __init__(self, folder: Path, names: list[str], sensitive: str | None = None) -> None:
        self.engine = DuckDBEngine()
        columns = open_source(self.engine, locate(folder / "adult.csv"))
        self.engine.create_view(records_statement(columns, MissingRule()))
        chosen = [find_column(columns, name, "quasi-identifier") for name in names]
        protected = [find_column(columns, sensitive, "sensitive")] if sensitive is not None else []
        read_values(self.engine, chosen, MissingRule(), sensitive=protected)
        hierarchies = HierarchySet("arx", folder)
        declared = []
        for column in chosen:
            path = hierarchies.file_for(column.name)
            assert path is not None
            declared.append(QuasiIdentifier(column, load(path), path.name))
        self.attributes = build_hierarchies(self.engine, declared)
        diverse = tuple(DistinctLDiversity(l=1, column=column.name) for column in protected)
        for column in protected:
            path = hierarchies.file_for(column.name)
            assert path is not None
            tree = QuasiIdentifier(column, load(path), path.name)
            distributions(self.engine, [Sensitive(column, hierarchy=tree)])
        self.rows = count(self.engine, self.attributes, Requirement(others=diverse))
        self.marginals = read_marginals(self.engine, self.attributes)

    def search(self, name: ObjectiveName, requirement: Requirement, limit: int) -> tuple[float, int]:
        """The objective's value at the optimum, and the nodes visited."""
        target = objective(name, "geometric-mean", self.marginals, self.rows, requirement.least_rows)
        evaluator = Evaluator(self.engine, self.attributes, requirement, target, self.rows, limit, marginals=self.marginals)
        outcome = optimal.search(evaluator, lattice_of(self.attributes))
        assert outcome.node is not None
        assert outcome.proven
        return target.published(evaluator.value(outcome.node)), len(evaluator.visited)
