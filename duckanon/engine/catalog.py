"""The catalogue of relations: what stands in the workspace, in which chapter, and what one row is."""

from dataclasses import dataclass

COLUMN = "<column>"
"""Placeholder, in a relation's name, for the name of a quasi-identifier."""


@dataclass(frozen=True)
class Relation:
    """A relation of the workspace; a name that ends in `<column>` stands for one relation a quasi-identifier."""

    name: str
    chapter: str
    row: str
    kept: bool = True

    def named(self, column: str) -> str:
        """The relation's name for one quasi-identifier."""
        return self.name.replace(COLUMN, column)


CATALOGUE = (
    Relation("source", "source", "input row, as read"),
    Relation("records", "source", "input row that takes part, after the rule for missing values"),
    Relation("profile", "source", "column of the input: its role and the reason, its type, distinct and missing values"),
    Relation("distinct_values", "source", "quasi-identifier and distinct value, with its rows", kept=False),
    Relation("values_<column>", "source", "distinct value of the column, with its code and its rows"),
    Relation(
        "sampled_records",
        "source",
        "input row that takes part, or one of a sample of them: its values that may give others away, and those that must not be",
        kept=False,
    ),
    Relation(
        "first_values",
        "source",
        "one of the first rows that take part, with the columns that may identify directly",
        kept=False,
    ),
    Relation("population_file", "source", "row of the population, as read", kept=False),
    Relation("population", "source", "row of the population that the input was taken from"),
    Relation("population_values", "source", "quasi-identifier and distinct value in the population", kept=False),
    Relation("population_counts", "source", "distinct set of value codes in the population, with its rows", kept=False),
    Relation("outside_<column>", "source", "value of the data that the frozen recoding does not cover, with its rows"),
    Relation("counts", "source", "distinct set of value codes, with its rows", kept=False),
    Relation("listed_<column>", "hierarchy", "line of the hierarchy file, as read", kept=False),
    Relation("lookup_<column>", "hierarchy", "value that the hierarchy places, with its label on each level", kept=False),
    Relation(
        "hierarchy_<column>",
        "hierarchy",
        "value, with its label on each level, and the leaves and the loss of each label",
    ),
    Relation("labels_<column>", "hierarchy", "level and label, with its code, leaves, loss and rows"),
    Relation("levels_<column>", "hierarchy", "value code, with the code of its label on each level"),
    Relation("frozen_table", "hierarchy", "value that the hierarchy lists, with its label on each level", kept=False),
    Relation("combinations", "lattice", "distinct set of quasi-identifier values, as label codes a level, with its rows"),
    Relation(
        "entity_places",
        "lattice",
        "distinct set of quasi-identifier values and person, with the rows, and the number of such sets that the person is seen in",
        kept=False,
    ),
    Relation("combination_entities", "lattice", "distinct set of quasi-identifier values, and a person who is seen in several"),
    Relation(
        "sensitive_<column>",
        "lattice",
        "distinct set of quasi-identifier values, as label codes a level, and sensitive value in it, as a code, with its rows, or the persons who have the value in no other set",
    ),
    Relation(
        "protected_<column>",
        "lattice",
        "distinct set of quasi-identifier values, as label codes a level, and protected value in it, as a code, with its rows",
    ),
    Relation(
        "value_places_<column>",
        "lattice",
        "distinct set of quasi-identifier values, sensitive value and person, with the number of such sets in which the person has the value",
        kept=False,
    ),
    Relation(
        "sensitive_entities_<column>",
        "lattice",
        "distinct set of quasi-identifier values, sensitive value, and a person who has the value in several sets",
    ),
    Relation(
        "value_persons_<column>",
        "source",
        "sensitive value, as a code, with the persons who have it, and all persons",
        kept=False,
    ),
    Relation(
        "shares_<column>",
        "privacy",
        "sensitive value, as a code, with its rows (or persons) in the whole table, and how many values up to it have",
    ),
    Relation("decided_entropies", "privacy", "counts of sensitive values whose entropy was compared to ln l exactly"),
    Relation(
        "packed_combinations",
        "lattice",
        "distinct set of quasi-identifier values: the label code of each level as a digit of a number, and its rows",
        kept=False,
    ),
    Relation(
        "node_verdicts",
        "lattice",
        "node of those decided together, by its number, and class of it, with its rows and whether it fails",
        kept=False,
    ),
    Relation(
        "lattice",
        "lattice",
        "node visited: its levels, classes, suppressed rows (a lower bound where `_counted` is false), loss and verdict",
    ),
    Relation(
        "positions_<column>",
        "mondrian",
        "label code that cells are told by, with its place in the order by which the column is cut",
    ),
    Relation(
        "branches_<column>",
        "mondrian",
        "level and position: the label of the hierarchy over it, with all positions under that, its loss and its rows",
    ),
    Relation(
        "cells",
        "regions",
        "distinct set of quasi-identifier values, by its number, with the region that it lies in, and its rows",
    ),
    Relation(
        "cell_values_<column>",
        "regions",
        "distinct set of quasi-identifier values, by its number, and sensitive value in it, as a code, with its rows, or the persons who have the value in no other set",
    ),
    Relation(
        "cell_value_entities_<column>",
        "regions",
        "distinct set of quasi-identifier values, by its number, and sensitive value in it, as a code, and a person who has the value in several sets",
    ),
    Relation(
        "cell_entities",
        "regions",
        "distinct set of quasi-identifier values, by its number, and a person who is seen in several",
    ),
    Relation(
        "partitions",
        "mondrian",
        "Mondrian partition: the one that it was cut from, by which attribute and where, with its rows",
    ),
    Relation(
        "frozen_tree",
        "mondrian",
        "partition: the cut that made it, and where it was not cut, its labels, what they cover and what they lose",
        kept=False,
    ),
    Relation(
        "frozen_partitions",
        "mondrian",
        "partition of an earlier release: the cut that made it, and its labels where it was not cut",
        kept=False,
    ),
    Relation(
        "spans",
        "mondrian",
        "partition that the last round made and that may be cut, with the first and last position of each attribute in it",
        kept=False,
    ),
    Relation(
        "candidates",
        "mondrian",
        "partition that may be cut and attribute that has several values in it, the widest first",
        kept=False,
    ),
    Relation(
        "cuts",
        "mondrian",
        "way to cut a partition that is not cut yet: after a position, or into the branches of a level",
        kept=False,
    ),
    Relation(
        "sides",
        "mondrian",
        "way to cut a partition and distinct set of quasi-identifier values in it, with the side that it falls on",
        kept=False,
    ),
    Relation("side_classes", "mondrian", "way to cut a partition and side, as the class that it would be", kept=False),
    Relation(
        "side_values_<column>",
        "mondrian",
        "way to cut a partition, side, and sensitive value on it, as a code, with its rows, or the persons who have it",
        kept=False,
    ),
    Relation(
        "extents",
        "mondrian",
        "partition that was not cut, with the first and last position of each attribute in it",
        kept=False,
    ),
    Relation("nodes", "local", "node that a pass may take, with its levels, in the order of the passes"),
    Relation(
        "remaining",
        "local",
        "distinct set of quasi-identifier values that no pass has released yet, as label codes a level, with its rows",
        kept=False,
    ),
    Relation(
        "passing",
        "local",
        "class that a pass makes of what remains, and that satisfies the requirement; "
        "one of the population alone is judged as if it had a row",
        kept=False,
    ),
    Relation("failing", "local", "class of the fallback that does not satisfy the requirement at first", kept=False),
    Relation(
        "needy",
        "local",
        "class of the fallback that would no longer satisfy the requirement without what a pass takes",
        kept=False,
    ),
    Relation(
        "passed", "local", "distinct set of quasi-identifier values, by its number, and the pass that releases it", kept=False
    ),
    Relation(
        "assigned",
        "local",
        "distinct set of quasi-identifier values, with its pass, the class that it is released in, and what its cells lose",
        kept=False,
    ),
    Relation(
        "recalled",
        "local",
        "distinct set of quasi-identifier values, by its number, that a node takes from where it loses more, or to make up a class",
        kept=False,
    ),
    Relation(
        "located",
        "local",
        "distinct set of quasi-identifier values, by its number, with its pass and the label codes that it shows",
        kept=False,
    ),
    Relation("regions", "regions", "part of the recoding in which every row shows the same labels: these, and what each loses"),
    Relation(
        "placements",
        "regions",
        "distinct set of quasi-identifier values, as label codes, with the region and the class that it is released in",
    ),
    Relation(
        "class_values_<column>",
        "regions",
        "class of the recoding and sensitive value in it, as a code, with its rows, or the persons who have it",
    ),
    Relation("recoding_<column>", "release", "value, with the label and the code that the release gives it"),
    Relation("aggregates", "release", "class of the recoding, with what its rows show in place of their own values"),
    Relation(
        "special_uniques",
        "risk",
        "record that is alone with its values of some columns (a bit each), and not alone with those of fewer of them",
        kept=False,
    ),
    Relation(
        "outcomes",
        "utility",
        "distinct set of quasi-identifier values, as codes of their least labels, with what the release shows of them, and whether it does",
        kept=False,
    ),
    Relation(
        "shown_<column>",
        "utility",
        "value and label that it is released under, with the value's place in the order of all, its rows, and those that are released",
        kept=False,
    ),
    Relation(
        "covered_<column>",
        "utility",
        "label that the release shows of the column, and place of a value under it, in the order of all values",
        kept=False,
    ),
    Relation("queries", "utility", "random count query, with a range of values of each of its columns", kept=False),
    Relation("verdicts", "release", "class of the chosen node, as label codes, with its rows and whether it fails"),
    Relation(
        "value_losses",
        "release",
        "column that is released as it is, by its number, and value of it, with its rows and those of them that are suppressed",
        kept=False,
    ),
    Relation("classes", "release", "equivalence class of the release"),
    Relation("suppressed", "release", "class that was removed, and why"),
    Relation(
        "texts_<column>",
        "release",
        "distinct text of a kept column, with the number that stands for it while rows are shuffled",
        kept=False,
    ),
    Relation("recoded", "release", "row to be released, with the labels of the recoding", kept=False),
    Relation("release", "release", "released row, as read back from the file"),
    Relation("copied", "release", "released row, as read back from a copy in another form", kept=False),
    Relation(
        "written_groups",
        "release",
        "set of quasi-identifier values in the file that was written, as they stand there, with its rows and the fingerprints of their cells",
        kept=False,
    ),
    Relation(
        "written_classes",
        "release",
        "set of labels in the file that was written, with its rows and the fingerprints of their cells",
    ),
    Relation(
        "expected_rows",
        "release",
        "row that takes part, with the labels and the other cells that the release is to show of it",
        kept=False,
    ),
    Relation(
        "expected_groups",
        "release",
        "set of labels that the source gives through the recoding, with its rows and the fingerprints of their cells",
        kept=False,
    ),
    Relation(
        "expected_classes",
        "release",
        "set of labels that the source gives through the recoding, with its rows and the fingerprints of their cells",
    ),
    Relation(
        "written_value_groups_<column>",
        "release",
        "set of quasi-identifier values in the file that was written, and sensitive value, as they stand there, with its rows",
        kept=False,
    ),
    Relation(
        "written_histogram_<column>",
        "release",
        "set of labels in the file that was written, and sensitive value, with its rows",
    ),
    Relation(
        "expected_value_groups_<column>",
        "release",
        "set of labels that the source gives through the recoding, and sensitive value as it stands there, with its rows",
        kept=False,
    ),
    Relation(
        "expected_histogram_<column>",
        "release",
        "set of labels that the source gives through the recoding, and sensitive value, with its rows, or the persons who have it",
    ),
    Relation("expected_population", "release", "set of labels that the population gives through the recoding, with its rows"),
    Relation(
        "value_groups_<column>",
        "source",
        "sensitive value as it stands in the source, with its rows, or the persons who have it",
        kept=False,
    ),
    Relation(
        "reference_<column>",
        "privacy",
        "sensitive value, as text, with its rows (or persons) in the whole source, and how many values up to it have",
    ),
    Relation(
        "written_shares_<column>",
        "release",
        "sensitive value, as text, with its rows in the file that was written, and how many values up to it have",
        kept=False,
    ),
    Relation(
        "saved_distributions",
        "privacy",
        "sensitive column and value of it, with its rows in the whole table, its place in the order, and its labels",
        kept=False,
    ),
    Relation(
        "present_classes",
        "check",
        "set of quasi-identifier values in the file, as codes, with its rows, and whether it is that of suppressed rows",
        kept=False,
    ),
    Relation(
        "present_histogram_<column>",
        "check",
        "set of quasi-identifier values in the file, and sensitive value, as codes, with its rows, or the persons who have it",
        kept=False,
    ),
    Relation(
        "source_distributions",
        "check",
        "sensitive column and value of it, with its rows in the whole table, its place in the order, and its labels",
        kept=False,
    ),
    Relation(
        "source_shares_<column>",
        "check",
        "sensitive value, as a code where the file has it, with its rows in the whole source, and how many values up to it have",
        kept=False,
    ),
    Relation("privacy_checks", "privacy", "requirement: asked for, achieved in the written file, passed"),
    Relation(
        "risk_summary",
        "risk",
        "attacker, before or after: the highest and the average risk of a record, and the records that are unique",
    ),
    Relation("metrics", "metrics", "metric of the release, for all quasi-identifiers or for one"),
    Relation("steps", "log", "statement that was run, with its text, seconds and rows"),
    Relation("story", "log", "relation of this workspace, in reading order"),
)

_BY_NAME = {relation.name: relation for relation in CATALOGUE}


def find(name: str) -> Relation:
    """The catalogue's entry for a relation's name, `<column>` names by their stem."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    stems = [relation for relation in CATALOGUE if COLUMN in relation.name and name.startswith(relation.named(""))]
    return max(stems, key=lambda relation: len(relation.name))
