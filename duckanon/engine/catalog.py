"""The catalog of relations: which relations the workspace contains, which folder of `sql/` builds them, and what one row is."""

from dataclasses import dataclass

from duckanon.engine import templates

COLUMN = "<column>"
"""Placeholder in a relation's name for the name of a quasi-identifier."""


@dataclass(frozen=True)
class Relation:
    """A relation of the workspace. A name that ends in `<column>` means one relation per quasi-identifier."""

    name: str
    folder: str
    template: str | None = None
    """One of the templates that build it, if it has another name."""
    sentence: str | None = None
    """The meaning of one row, if no template builds the relation."""
    kept: bool = True

    @property
    def row(self) -> str:
        """The meaning of one row, from the header of its template or from `sentence`."""
        return self.sentence or templates.row_of(self.template or f"{self.folder}/{self.name.removesuffix(f'_{COLUMN}')}")

    def named(self, column: str) -> str:
        """The relation's name for one quasi-identifier."""
        return self.name.replace(COLUMN, column)


CATALOG = (
    Relation("input_cells", "dataset", kept=False),
    Relation("malformed_lines", "dataset", sentence="malformed line of the input that is left out", kept=False),
    Relation("source", "dataset"),
    Relation("source_file", "dataset"),
    Relation("records", "dataset"),
    Relation(
        "profile", "dataset", sentence="column of the input: its role and the reason, its type, distinct and missing values"
    ),
    Relation("distinct_values", "dataset", kept=False),
    Relation("values_<column>", "dataset"),
    Relation("row_sample", "dataset", kept=False),
    Relation("sampled_records", "dataset", kept=False),
    Relation("sampled_values", "dataset", kept=False),
    Relation("population_file", "dataset", kept=False),
    Relation("population", "dataset"),
    Relation("population_values", "dataset", kept=False),
    Relation("population_counts", "dataset", kept=False),
    Relation("outside_<column>", "dataset"),
    Relation("counts", "dataset", kept=False),
    Relation("listed_<column>", "hierarchy", template="hierarchy/listings/file", kept=False),
    Relation(
        "lookup_<column>", "hierarchy", sentence="value that the hierarchy covers, with its label on each level", kept=False
    ),
    Relation("hierarchy_<column>", "hierarchy"),
    Relation("labels_<column>", "hierarchy"),
    Relation("levels_<column>", "hierarchy"),
    Relation("saved_table", "hierarchy", kept=False),
    Relation("combinations", "lattice"),
    Relation("entity_places", "lattice", kept=False),
    Relation("combination_entities", "lattice"),
    Relation("sensitive_<column>", "lattice"),
    Relation("protected_<column>", "lattice"),
    Relation("value_places_<column>", "lattice", kept=False),
    Relation("sensitive_entities_<column>", "lattice"),
    Relation("value_persons_<column>", "dataset", kept=False),
    Relation("repeated_persons", "dataset", kept=False),
    Relation("possible_values", "lattice", kept=False),
    Relation("shares_<column>", "privacy"),
    Relation(
        "entropy_comparisons", "privacy", sentence="counts of sensitive values whose entropy was compared with ln l exactly"
    ),
    Relation("unsuppressed", "lattice", kept=False),
    Relation("unsuppressed_below", "lattice", kept=False),
    Relation("sampled_levels", "lattice", kept=False),
    Relation("packed_combinations", "lattice", template="lattice/packed", kept=False),
    Relation("packed_sensitive_<column>", "lattice", template="lattice/packed", kept=False),
    Relation("packed_levels", "lattice", template="lattice/packed", kept=False),
    Relation("packed_cells", "lattice", template="lattice/packed", kept=False),
    Relation("rolled_up_<column>", "lattice", kept=False),
    Relation("sweep_stops", "lattice", sentence="size of a class, and the least k that it fails", kept=False),
    Relation("sweep", "lattice", kept=False),
    Relation("swept_classes", "lattice", kept=False),
    Relation(
        "lattice",
        "lattice",
        sentence="node visited: its levels, classes, suppressed rows (a lower bound if `_counted` is false), information loss and verdict",
    ),
    Relation("positions_<column>", "mondrian", template="mondrian/branching_positions"),
    Relation("branches_<column>", "mondrian"),
    Relation("cells", "local_recoding"),
    Relation("cell_values_<column>", "local_recoding"),
    Relation("cell_value_entities_<column>", "local_recoding"),
    Relation("cell_entities", "local_recoding"),
    Relation("partitions", "mondrian", template="mondrian/children"),
    Relation("saved_tree", "mondrian", kept=False),
    Relation("saved_partitions", "mondrian", template="release/saved_relation", kept=False),
    Relation("places", "mondrian", kept=False),
    Relation("spans", "mondrian", kept=False),
    Relation("candidates", "mondrian", kept=False),
    Relation("cuts", "mondrian", kept=False),
    Relation("sides", "mondrian", kept=False),
    Relation("side_classes", "mondrian", kept=False),
    Relation("side_values_<column>", "mondrian", kept=False),
    Relation("extents", "mondrian", kept=False),
    Relation("ends_<column>", "mondrian", kept=False),
    Relation("nodes", "local_recoding", sentence="node of a pass, with its levels, in the order of the passes"),
    Relation("remaining", "local_recoding", kept=False),
    Relation("released", "local_recoding", sentence="distinct set of quasi-identifier values that a pass releases", kept=False),
    Relation("passing", "local_recoding", kept=False),
    Relation("failing", "local_recoding", kept=False),
    Relation("failing_fallback_classes", "local_recoding", kept=False),
    Relation("passed", "local_recoding", kept=False),
    Relation("assigned", "local_recoding", kept=False),
    Relation("candidate_moves", "local_recoding", kept=False),
    Relation("located", "local_recoding", kept=False),
    Relation("region_labels_<column>", "local_recoding", kept=False),
    Relation("regions", "local_recoding", template="local_recoding/regions_of_partitions"),
    Relation("placements", "local_recoding"),
    Relation("class_values_<column>", "local_recoding"),
    Relation("class_members", "local_recoding"),
    Relation("known_classes", "release", kept=False),
    Relation("released_sample", "release", kept=False),
    Relation("recoding_<column>", "release"),
    Relation("ranges_<column>", "release"),
    Relation("aggregates", "release"),
    Relation("isolated", "register"),
    Relation("isolated_<column>", "register", template="register/isolated_persons"),
    Relation("saved_isolated", "register", kept=False),
    Relation("current_records", "register", kept=False),
    Relation("current_persons", "register", kept=False),
    Relation("current_cells", "register", kept=False),
    Relation("current_classes", "register", kept=False),
    Relation("histories", "register", kept=False),
    Relation("intersections", "register", kept=False),
    Relation("differences", "register", kept=False),
    Relation("special_uniques", "risk", kept=False),
    Relation("outcomes", "utility", template="utility/outcomes_of_node", kept=False),
    Relation("label_sets", "utility", kept=False),
    Relation("shown_<column>", "utility", kept=False),
    Relation("covered_<column>", "utility", template="utility/covered_by_level", kept=False),
    Relation("queries", "utility", sentence="random count query, with a range of values of each of its columns", kept=False),
    Relation("members", "lattice"),
    Relation("verdicts", "release"),
    Relation("released_records", "release", kept=False),
    Relation("value_losses", "release", kept=False),
    Relation("classes", "release"),
    Relation("suppressed", "release"),
    Relation("texts_<column>", "release", kept=False),
    Relation("recoded", "release", kept=False),
    Relation("written_rows", "release"),
    Relation("release", "release"),
    Relation("copied", "release", sentence="released row, as read back from a copy in another form", kept=False),
    Relation("written_groups", "release", kept=False),
    Relation("written_classes", "release"),
    Relation("expected_rows", "release", kept=False),
    Relation("expected_classes", "release"),
    Relation("expected_members", "release"),
    Relation("written_value_groups_<column>", "release", template="release/value_groups", kept=False),
    Relation("written_histogram_<column>", "release", template="release/histogram"),
    Relation("expected_value_groups_<column>", "release", template="release/value_groups", kept=False),
    Relation("expected_histogram_<column>", "release", template="release/histogram"),
    Relation("expected_population", "release"),
    Relation("value_groups_<column>", "dataset", kept=False),
    Relation("reference_<column>", "privacy"),
    Relation("written_shares_<column>", "release", kept=False),
    Relation("saved_distributions", "privacy", kept=False),
    Relation("present_classes", "check", kept=False),
    Relation("present_histogram_<column>", "check", kept=False),
    Relation("star_classes", "risk", kept=False),
    Relation("source_distributions", "check", template="release/saved_relation", kept=False),
    Relation("source_shares_<column>", "check", kept=False),
    Relation("privacy_checks", "privacy", sentence="requirement: required, achieved in the written file, passed"),
    Relation(
        "risk_summary",
        "risk",
        sentence="adversary model, before or after: the highest and the average risk of a record, and the unique records",
    ),
    Relation("metrics", "metrics", sentence="metric of the release, for all quasi-identifiers or for one"),
    Relation("steps", "log", sentence="statement that was run, with its text, seconds and rows"),
    Relation("relations", "log", sentence="relation of this workspace, in reading order"),
)
"""In reading order."""

_BY_NAME = {relation.name: relation for relation in CATALOG}


def find(name: str) -> Relation:
    """The catalog's entry for a relation's name. Names with `<column>` match by their stem."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    stems = [relation for relation in CATALOG if COLUMN in relation.name and name.startswith(relation.named(""))]
    return max(stems, key=lambda relation: len(relation.name))
