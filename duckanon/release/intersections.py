"""The intersections of the classes of a new release with those of registered releases of the same records or persons.

Ganta, Kasiviswanathan and Smith (KDD 2008): who knows that a person is in several releases knows that her record is in the
intersection of her classes. Byun, Sohn, Bertino and Li (SDM 2006): who subtracts one release from the next is left with the
records that only one of them shows. Both must be k records or none.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.dataset.values import records_statement
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, ident, render
from duckanon.errors import JobError
from duckanon.release.manifest_content import input_of
from duckanon.release.recoding import Recoding
from duckanon.release.register import DATABASE, Pair, Register, Registered
from duckanon.search.count import Counted

_MOST_RECORDS = 10_000
"""The hashes by which two inputs are compared, the smallest ones."""


@dataclass(frozen=True)
class Earlier:
    """A registered release with which a new one is compared."""

    release: Registered
    is_same_source: bool
    """Whether it is of the same table, perhaps in an earlier state or in another place: then the releases can also be subtracted."""
    is_copy: bool = False
    """Whether the table is in another place, with as many rows and the same columns; it is the same one only if it holds the same records."""
    is_mixed: bool = False
    """Whether records were added to the table and others removed, and no persons tell which."""
    is_changed: bool = False
    """Whether records were added to the table, or removed, since it was registered."""

    def parameters(self, k: int, columns: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Parameters of the templates; `k` is that of the new release."""
        return {
            "number": self.release.number,
            "k": self.release.k,
            "least": min(k, self.release.k),
            "is_same_source": self.is_same_source,
            "is_changed": self.is_changed,
            "has_withheld": self.release.has_withheld,
            "columns": list(columns),
        }


@dataclass(frozen=True)
class Comparison:
    """A new release beside the registered ones."""

    earlier: tuple[Earlier, ...]
    pairs: tuple[Pair, ...] = ()
    in_intersections: int = 0
    """Records, or persons, of the new release whose classes in all releases fewer than k records share."""
    in_differences: int = 0
    """Records, or persons, that are left, fewer than k of a class, where one release is subtracted from the other."""
    of_persons: bool = False

    @property
    def isolates(self) -> bool:
        """Whether the new release would isolate someone."""
        return self.in_intersections > 0 or self.in_differences > 0

    @property
    def worst(self) -> Pair:
        """The earlier release with which most records are isolated; the last if none is by a pair alone."""
        return max(self.pairs, key=lambda pair: (pair.few, pair.number))


def place_of(source: Source) -> str:
    """The place of an input, by which its releases are known: an absolute path, or the name as it was given."""
    return str(Path(source.name).resolve()) if source.is_lasting and Path(source.path).exists() else source.name


def comparable(engine: Engine, register: Register, counted: Counted, source: Source) -> list[Earlier]:
    """The registered releases of the same table, of perhaps the same table, and, if persons are counted, of other tables with these persons.

    A table in another place is the same if at least half of the persons, or of the records, of one of them are in the other. Raises `JobError` if a
    release of the same table counts otherwise.
    """
    place, fingerprint = place_of(source), input_of("", counted).fingerprint
    entity = counted.plan.requirement.k.entity
    columns = sorted(column.name for column in counted.columns)
    text = " || ".join(f"coalesce(cast({ident(name)} as varchar), chr(1)) || chr(2)" for name in columns)
    engine.create_table(register.hashes("current_records", "source", text, most=_MOST_RECORDS))
    if entity is not None:
        engine.create_table(register.hashes("current_persons", "records", _text(entity)))
    chosen = []
    for release in register.releases:
        # standard input, or a table of another program, may be anything
        of_persons = entity is not None and release.entity is not None
        is_shared, is_mixed = _shared(engine, release, of_persons=of_persons)
        is_same = (source.is_lasting and release.source == place) or is_shared
        is_copy = not is_same and entity is None and release.manifest.input.fingerprint == fingerprint
        if of_persons or (release.entity == entity and (is_same or is_copy)):
            chosen.append(Earlier(release, is_same or is_copy, is_copy=is_copy, is_mixed=is_mixed and not of_persons))
        elif is_same:
            counts = "rows" if release.entity is None else f"persons by {release.entity!r}"
            way = "none" if release.entity is None else release.entity
            raise JobError(
                f"registered release {release.number} ({release.name!r}) of this input counts {counts}, so this release cannot be compared "
                f"with it; give --entity {way}, or forget it: duckanon register forget {register.path} {release.number}"
            )
    return chosen


def compare(
    engine: Engine, register: Register, counted: Counted, recoding: Recoding, earlier: Sequence[Earlier], *, is_first: bool
) -> Comparison:
    """Build `current_classes` and `histories`, and count the records that the releases together isolate.

    In the first comparison of a run, find out for which releases the input has changed.
    """
    entity, k, names = counted.plan.requirement.k.entity, counted.plan.requirement.k.bounded_k, recoding.names
    of_persons = entity is not None
    create_classes(engine, recoding, entity, [] if of_persons else _others(counted, names, earlier))
    if not earlier:
        return Comparison((), of_persons=of_persons)
    releases = [each.parameters(k, _columns(each.release, names, of_persons=of_persons)) for each in earlier]
    about: dict[str, Any] = {"register": DATABASE, "of_persons": of_persons, "k": k}
    histories = render("register/histories", releases=releases, salt=register.salt, **about)
    engine.create_table(histories, stage="comparing with registered releases")
    if is_first and not of_persons:
        changed = [_changed(engine, each, names) for each in earlier]
        earlier = [each for each in changed if not (each.is_copy and each.is_changed)]
        if not earlier:
            return Comparison(())
        releases = [each.parameters(k, _columns(each.release, names, of_persons=False)) for each in earlier]
    engine.drop("intersections")
    # the intersection of more releases is smaller, so that of the releases with a larger k is judged by itself
    for least in sorted({release["least"] for release in releases}):
        statement = render("register/intersections", releases=releases, least=least, of_persons=of_persons)
        if "intersections" in engine.names:
            engine.append(statement)
        else:
            engine.create_table(statement)
    engine.load("differences", [], {"_number": int, "_class": int, "_earlier_class": int, "_size": int})
    for release in releases:
        if release["is_same_source"]:
            bounded = {"k": release["least"], "number": release["number"], "is_changed": release["is_changed"]}
            engine.append(render("register/differences", **about | bounded))
    compared = engine.query(render("register/compared", releases=releases, of_persons=of_persons))
    pairs = [Pair(number, few, smallest) for number, few, smallest, _, _ in compared]
    *_, shared, subtracted = compared[0]
    return Comparison(tuple(earlier), tuple(pairs), shared, subtracted, of_persons)


def create_classes(engine: Engine, recoding: Recoding, entity: str | None, others: Sequence[Column] = ()) -> None:
    """Build `current_classes`: one row for each set of values of quasi-identifiers and other columns, and each person by a column (`_person`).

    It has the class in the new release, and the rows.
    """
    texts = {column.name: _text(column.name, " + 0.0" if column.is_floating else "") for column in others}
    texts |= {} if entity is None else {"_person": _text(entity)}
    about = {"quasi_identifiers": recoding.names, "keys": recoding.class_keys, "regional": recoding.is_regional}
    classes = render("register/current_classes", texts=texts, of_persons=entity is not None, **about)
    engine.create_table(classes, stage="counting the classes")


def _text(column: str, plus: str = "") -> str:
    """The SQL of a column of `records` as text."""
    return f"cast(records.{ident(column)}{plus} as varchar)"


def isolated(counted: Counted, comparison: Comparison) -> tuple[Statement, list[str]]:
    """The statement that selects the records that the new release would isolate, and the columns of the input that identify them."""
    entity, names = counted.plan.requirement.k.entity, [attribute.name for attribute in counted.attributes]
    releases = [each.parameters(counted.plan.requirement.k.bounded_k) for each in comparison.earlier]
    if entity is not None:
        about = {"texts": {entity: "ranked._person"}, "coded": [], "keys": ["_person"], "rows": "1", "of_persons": True}
        return render("register/isolated", f"isolated_{entity}", releases=releases, **about), [entity]
    others = [column.name for column in _others(counted, names, comparison.earlier)]
    texts = {name: f"{ident(f'values_{name}')}.text" for name in names} | {name: f"ranked.{ident(name)}" for name in others}
    about = {"texts": texts, "coded": names, "keys": [*texts], "rows": "_rows", "of_persons": False}
    return render("register/isolated", releases=releases, **about), [*texts]


def withheld(counted: Counted) -> dict[str, Any] | None:
    """The parameters of the template of the rows that the release leaves out; None if there are none."""
    if not counted.isolated:
        return None
    outside = [] if counted.drift is None else list(counted.drift.values)
    return {
        "records": records_statement(counted.columns, counted.plan.missing, outside).sql,
        "isolated": counted.isolated_by,
        "quasi_identifiers": [qi.column for qi in counted.plan.quasi_identifiers],
    }


def _shared(engine: Engine, release: Registered, *, of_persons: bool) -> tuple[bool, bool]:
    """Whether at least half of the persons, or of the records, of one of two inputs are in the other, and then whether each has some that the other lacks."""
    if not (of_persons or release.has_records):
        return False, False
    about = {"current": "current_persons", "earlier": f"persons_{release.number}", "column": "_person", "most": sys.maxsize}
    if not of_persons:
        about = {"current": "current_records", "earlier": f"records_{release.number}", "column": "_hash", "most": _MOST_RECORDS}
    [(shared, now, then)] = engine.query(render("register/overlap", register=DATABASE, **about))
    is_shared = bool(shared) and 2 * int(shared) >= min(now, then)
    return is_shared, is_shared and int(shared) < min(now, then)


def drop_comparison(engine: Engine) -> None:
    """Drop the relations of the comparison."""
    for relation in ("current_classes", "current_records", "current_persons", "histories", "intersections", "differences"):
        engine.drop(relation)


def _others(counted: Counted, names: Sequence[str], earlier: Sequence[Earlier]) -> list[Column]:
    """The quasi-identifiers of earlier releases that the new one does not have."""
    others: dict[str, Column] = {}
    present = {column.name: column for column in counted.columns}
    for each in earlier:
        for name in each.release.quasi_identifiers:
            if name not in names and name not in present:
                raise JobError(
                    f"registered release {each.release.number} ({each.release.name!r}) has the quasi-identifier {name!r}, which the input lacks, "
                    "so the releases cannot be compared; add the column to the input (it need not be released)"
                )
            if name not in names:
                others[name] = present[name]
    return list(others.values())


def _columns(release: Registered, names: Sequence[str], *, of_persons: bool) -> list[dict[str, Any]]:
    """How a registered release is matched: by the hashes of persons, or by its quasi-identifiers, as codes of `values_<column>` if the new release has them too, else as texts."""
    if of_persons:
        return [{"name": "_hash"}]
    return [
        {"name": name, "number": number, "is_coded": True, "relation": f"values_{name}"}
        if name in names
        else {"name": name, "number": number, "is_coded": False, "relation": f"texts_{number}"}
        for number, name in enumerate(release.quasi_identifiers, start=1)
    ]


def _changed(engine: Engine, earlier: Earlier, names: Sequence[str]) -> Earlier:
    """The release, with what has changed in its source; raises `JobError` if its records can no longer be matched."""
    release = earlier.release
    about = {"register": DATABASE, "number": release.number, "has_withheld": release.has_withheld}
    statement = render("register/changes", columns=list(release.quasi_identifiers), **about)
    [(added, removed)] = engine.query(statement)
    if not (added or removed):
        return earlier
    if not earlier.is_copy and set(release.quasi_identifiers) != set(names):
        raise JobError(
            f"the input has changed since release {release.number} ({release.name!r}) was registered ({added:,} records more, {removed:,} fewer), and the "
            f"quasi-identifiers are others, so the records cannot be matched; give the quasi-identifiers {', '.join(release.quasi_identifiers)}"
        )
    return replace(earlier, is_changed=True)
