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


def _kept(folder: str, names: str) -> tuple[Relation, ...]:
    """Relations of the workspace, each built by the template of its name, or by the one behind `=`."""
    return tuple(Relation(name, folder, template or None) for name, _, template in _named(names))


def _temporary(folder: str, names: str) -> tuple[Relation, ...]:
    """The same for relations that are dropped before the end."""
    return tuple(Relation(name, folder, template or None, kept=False) for name, _, template in _named(names))


def _named(names: str) -> list[tuple[str, str, str]]:
    return [name.partition("=") for name in names.split()]


CATALOG = (
    *_kept("dataset", "source source_file=dataset/source replaced_texts_<column> records"),
    Relation(
        "profile", "dataset", sentence="column of the input: its role and the reason, its type, distinct and missing values"
    ),
    *_kept("dataset", "values_<column> population outside_<column>"),
    *_kept("hierarchy", "hierarchy_<column> labels_<column> levels_<column>"),
    *_kept(
        "lattice",
        "combinations combination_entities=lattice/shared_sets sensitive_<column> protected_<column>=lattice/sensitive value_entities_<column>=lattice/shared_sets",
    ),
    *_kept("privacy", "distribution_<column>"),
    Relation(
        "entropy_comparisons", "privacy", sentence="counts of sensitive values whose entropy was compared with ln l exactly"
    ),
    Relation(
        "lattice",
        "lattice",
        sentence="node visited: its levels, classes, suppressed rows (a lower bound if `_counted` is false), information loss and verdict",
    ),
    Relation("ordered_codes_<column>", "mondrian", template="mondrian/branching_positions"),
    *_kept("mondrian", "tree_nodes_<column>"),
    *_kept("local_recoding", "cells"),
    Relation(
        "cell_values_<column>",
        "local_recoding",
        sentence="distinct set of quasi-identifier values, by its number, and sensitive value in it, as a code, with its rows, or the persons who have the value only in this set",
    ),
    Relation(
        "cell_value_entities_<column>",
        "local_recoding",
        sentence="distinct set of quasi-identifier values, by its number, sensitive value in it, as a code, and person who has the value in several sets",
    ),
    Relation(
        "cell_entities",
        "local_recoding",
        sentence="distinct set of quasi-identifier values, by its number, and person with several such sets",
    ),
    Relation("partitions", "mondrian", template="mondrian/children"),
    Relation("nodes", "local_recoding", sentence="node of a pass, with its levels, in the order of the passes"),
    Relation("regions", "local_recoding", template="local_recoding/regions_of_parts"),
    *_kept("local_recoding", "region_assignments class_values_<column>=privacy/class_values class_members=privacy/members"),
    *_kept("release", "recoding_<column> ranges_<column> aggregates"),
    *_kept("register", "isolated"),
    Relation("isolated_<column>", "register", template="register/isolated"),
    *_kept("lattice", "members=privacy/members"),
    *_kept(
        "release",
        "class_results=privacy/class_results classes_explained written_rows=release/release release written_classes expected_classes expected_members",
    ),
    Relation("written_histogram_<column>", "release", template="release/histogram"),
    Relation("expected_histogram_<column>", "release", template="release/histogram"),
    *_kept("release", "expected_population"),
    *_kept("privacy", "reference_<column>"),
    Relation("privacy_checks", "privacy", sentence="requirement: required, achieved in the written file, passed"),
    Relation(
        "risk_summary",
        "risk",
        sentence="adversary model, before or after: the highest and the average risk of a record, and the unique records",
    ),
    Relation("metrics", "metrics", sentence="metric of the release, for all quasi-identifiers or for one"),
    Relation("steps", "log", sentence="statement that was run, with its text, seconds and rows"),
    Relation("relations", "log", sentence="relation of this workspace, in reading order"),
    Relation("malformed_lines", "dataset", sentence="malformed line of the input that is left out", kept=False),
    Relation("listed_<column>", "hierarchy", template="hierarchy/listings/file", kept=False),
    Relation(
        "lookup_<column>", "hierarchy", sentence="value that the hierarchy covers, with its label on each level", kept=False
    ),
    Relation("packed_combinations", "lattice", template="lattice/packed", kept=False),
    Relation("packed_sensitive_<column>", "lattice", template="lattice/packed", kept=False),
    Relation("packed_levels", "lattice", template="lattice/packed", kept=False),
    Relation("packed_cells", "lattice", template="lattice/packed", kept=False),
    Relation("sweep_stops", "lattice", sentence="size of a class, and the least k that it fails", kept=False),
    Relation("saved_partitions", "mondrian", template="release/saved_relation", kept=False),
    Relation("released", "local_recoding", sentence="distinct set of quasi-identifier values that a pass releases", kept=False),
    Relation("queries", "utility", sentence="random count query, with a range of values of each of its columns", kept=False),
    Relation("copied", "release", sentence="released row, as read back from a copy in another form", kept=False),
    Relation("written_value_groups_<column>", "release", template="release/value_groups", kept=False),
    Relation("expected_value_groups_<column>", "release", template="release/value_groups", kept=False),
    Relation("source_distributions", "check", template="release/saved_relation", kept=False),
    *_temporary(
        "dataset",
        """
        input_cells distinct_values row_sample sampled_records sampled_values population_file=dataset/source population_values=dataset/distinct_values
        population_counts counts offered_texts=dataset/text_rows value_persons_<column> repeated_persons value_groups_<column>
        """,
    ),
    *_temporary("hierarchy", "saved_table"),
    *_temporary(
        "lattice",
        """
        entity_places value_places_<column> unsuppressed=lattice/unsuppressed_below unsuppressed_below sampled_levels
        rolled_up_<column> sweep swept_classes
        """,
    ),
    *_temporary(
        "mondrian",
        "saved_tree places spans candidates gains cuts sides side_losses side_values_<column>=privacy/class_values extents=mondrian/spans ends_<column>",
    ),
    *_temporary(
        "local_recoding",
        """
        saved_cells remaining passing=privacy/class_results failing=privacy/class_results failing_fallback_classes passed assigned candidate_moves located region_labels_<column>
        """,
    ),
    *_temporary(
        "release",
        """
        known_classes released_sample value_losses texts_<column> recoded written_groups expected_rows
        written_shares_<column> numbered_rows encoded
        """,
    ),
    *_temporary(
        "register",
        """
        saved_isolated=register/isolated current_records=register/hashes current_persons=register/hashes current_classes histories intersections differences
        """,
    ),
    *_temporary("risk", "special_uniques star_classes"),
    *_temporary(
        "utility",
        "outcomes label_sets shown_<column> covered_<column> study_before=utility/study_rows study_after=utility/study_rows study_sets study_terms",
    ),
    *_temporary("privacy", "saved_distributions possible_values"),
    *_temporary("check", "present_classes present_histogram_<column> source_shares_<column>"),
)
"""In reading order; what is dropped before the end comes last."""

_BY_NAME = {relation.name: relation for relation in CATALOG}


def find(name: str) -> Relation:
    """The catalog's entry for a relation's name. Names with `<column>` match by their stem."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    stems = [relation for relation in CATALOG if COLUMN in relation.name and name.startswith(relation.named(""))]
    return max(stems, key=lambda relation: len(relation.name))
