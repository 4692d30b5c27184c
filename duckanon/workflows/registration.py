"""Registers of releases: list, compare and forget them; search again without the records that a release would isolate, and register it."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Engine
from duckanon.engine.settings import Settings
from duckanon.engine.templates import Statement, render
from duckanon.errors import DuckanonError, Infeasible, InputError, JobError
from duckanon.job.options import joined
from duckanon.observers import Caution, Remembering, Silent
from duckanon.release.intersections import (
    Comparison,
    Earlier,
    comparable,
    compare,
    drop_comparison,
    isolated,
    place_of,
    withheld,
)
from duckanon.release.linkage import isolated_by_linkage
from duckanon.release.manifest_model.document import Manifest, ReleaseManifest
from duckanon.release.manifest_model.figures import FullDomainRecoding, RegisterComparison
from duckanon.release.register import Register, Registered, open_register
from duckanon.workflows.task import Choice, Task

_MOST_ROUNDS = 100
_MOST_TRIED = 10
"""Rounds of suppression to try whether that would help."""

Choose = Callable[[Task], Choice]


@dataclass(frozen=True)
class LeftOut:
    """Records that a release would isolate."""

    rows: Statement
    """Selects them; builds `isolated_<column>` with the distinct values of a column as text (all rows with such a value are left out), or
    `isolated` with sets of values of several columns. A column has the name of the column of the input."""
    columns: Sequence[str]
    """The columns of the input that identify them."""
    reason: str
    """Why they are isolated: "registered releases and this one would isolate them"."""


Find = Callable[[Choice], LeftOut | None]
"""Looks at the relations of a choice (`class_results`, `recoding_<column>`) for isolated records; None, or a statement without rows, if there are none."""


@contextmanager
def opened(engine: Engine, task: Task) -> Iterator[Register | None]:
    """The register of the run, open until the release is written; None if the run has no register."""
    path = task.run.register
    if task.prepared.job.suppression.isolated and task.run.settings.is_cluster:
        raise JobError("suppression.isolated works with the embedded engine only; leave out --engine")
    if path is None:
        yield None
        return
    if task.run.settings.is_cluster:
        raise JobError("--register works with the embedded engine only; leave out --engine")
    if task.place.path is None and not task.run.dry_run:
        raise JobError("--register records a release with its manifest, and standard output has none; name a file with -o")
    with open_register(engine, path) as register:
        yield register


@dataclass(frozen=True)
class Admission:
    """The result of a search, and its comparison with the registered releases; together they isolate no record."""

    choice: Choice
    register: Register | None = None
    comparison: Comparison | None = None

    @property
    def registered_paths(self) -> set[Path]:
        """The manifests of the registered releases."""
        return set() if self.register is None else {release.path for release in self.register.releases}

    def described(self, content: Manifest) -> Manifest:
        """The manifest with the comparison."""
        if self.register is None or self.comparison is None:
            return content
        return content.having(earlier_releases=_document(self.register, self.choice, self.comparison))

    def keep(self, engine: Engine, folder: Path) -> None:
        """Save the classes of the release, and its saved recoding in a folder, in the register."""
        if self.register is not None and self.comparison is not None:
            names, is_of_persons = self.choice.recoding.names, self.comparison.of_persons
            self.register.keep_classes(
                names, folder, self.comparison.pairs, of_persons=is_of_persons, withheld=withheld(self.choice.counted)
            )
            drop_comparison(engine)

    @contextmanager
    def registered(self, task: Task, manifest: ReleaseManifest, path: Path) -> Iterator[None]:
        """Register the release; if it cannot be moved into place, remove it again."""
        if self.register is None:
            yield
            return
        k = self.choice.counted.plan.requirement.k
        place = place_of(task.prepared.source)
        self.register.add(manifest, path, place, k.bounded_k, k.entity, self.choice.recoding.names)
        try:
            yield
        except BaseException:
            self.register.withdraw()
            raise


def admitted(engine: Engine, task: Task, register: Register | None, choice: Choice, choose: Choose) -> Admission:
    """Find the records that the choice would isolate, alone or together with registered releases.

    If the run suppresses them (`suppresses_isolated`), `choose` searches again without them. Otherwise raises `Infeasible` with
    cures if registered releases isolate some. Persons for whom too few sensitive values remain possible are left out in any case.
    """
    registered = None if register is None else _Registered(engine, task, register)
    suppresses = suppresses_isolated(task)
    finders = _finders(engine, choice, registered) if suppresses else [partial(_intersected, engine)]
    choice = choose_without_isolated(engine, task, choice, choose, finders)
    if not suppresses and registered is not None and registered(choice) is not None:
        raise Infeasible(_refusal(engine, task, registered, choice, choose))
    if register is None or task.run.dry_run:
        # otherwise `keep` does it, which needs the classes
        drop_comparison(engine)
    return Admission(choice, register, None if registered is None else registered.comparison)


def _finders(engine: Engine, choice: Choice, registered: "_Registered | None") -> list[Find]:
    """What looks for isolated records; the comparison with the register is the last, because `keep` needs its relations."""
    treatments, accepts = choice.recoding.treatments, choice.counted.job.accepts
    linking = [name for name, each in treatments.items() if each.kind == "pseudonym" and not accepts("linked-rows", name)]
    linked = [partial(_linked, engine, name) for name in linking]
    return [partial(_intersected, engine), *linked, *([] if registered is None else [registered])]


def _intersected(engine: Engine, choice: Choice) -> LeftOut | None:
    """Finds the persons for whom too few sensitive values remain possible; raises `Infeasible` if the limit does not allow to suppress them."""
    possible = choice.result.possible()
    if possible is None or not possible.failing:
        return None
    figures = choice.result.figures
    if not figures.suppressed + possible.failing_rows <= min(choice.result.limit, figures.rows - 1):
        raise Infeasible(f"infeasible: with at most {choice.result.limit:,} rows suppressed, {possible.problem}")
    entity = str(choice.counted.plan.requirement.k.entity)
    # the search may have judged another recoding since
    engine.create_table(choice.result.possible_statement())
    rows = render("release/isolated_by_values", f"isolated_{entity}", entity=entity)
    return LeftOut(rows, [entity], "too few sensitive values would remain possible for persons in several classes")


def _linked(engine: Engine, column: str, choice: Choice) -> LeftOut | None:
    """Finds the persons whose rows the pseudonyms of a column link, and whose classes too few persons share."""
    if choice.recoding.requirement.adversaries:
        return None
    return LeftOut(
        isolated_by_linkage(engine, choice.recoding, column),
        [column],
        f"the values of {column!r} would link the rows of persons",
    )


class _Registered:
    """Finds the records that registered releases and a choice would isolate together."""

    def __init__(self, engine: Engine, task: Task, register: Register) -> None:
        self._engine, self._task, self.register = engine, task, register
        self.comparison = Comparison(())
        """The last comparison."""
        self._is_first = True

    def __call__(self, choice: Choice) -> LeftOut | None:
        earlier = self._comparable(choice) if self._is_first else self.comparison.earlier
        self.comparison = compare(
            self._engine, self.register, choice.counted, choice.recoding, earlier, is_first=self._is_first
        )
        if self._is_first and not self.comparison.earlier and self.register.releases:
            known = ", ".join(sorted({repr(release.source) for release in self.register.releases})[:3])
            way = (
                ""
                if choice.counted.plan.requirement.k.entity
                else "; with --entity, releases of other inputs are compared by person"
            )
            self._task.observer.warn(
                Caution(
                    "register",
                    f"no registered release is of this input, so nothing was compared; the register has releases of {known}{way}",
                )
            )
        if self._is_first:
            self._warn(choice)
        self._is_first = False
        if not self.comparison.isolates:
            return None
        return LeftOut(*isolated(choice.counted, self.comparison), "registered releases and this one would isolate them")

    def _warn(self, choice: Choice) -> None:
        """Warn of releases that are not compared, or not exactly, because no persons are counted."""
        compared = {each.release.number for each in self.comparison.earlier}
        for release in [each.release for each in self.comparison.earlier if each.is_mixed]:
            self._task.observer.warn(
                Caution(
                    "register",
                    f"since release {release.number} ({release.name!r}) was registered, records were added to its input and others removed; "
                    "they are compared by their quasi-identifiers, so some may be isolated; name the persons (--entity)",
                )
            )
        if choice.counted.plan.requirement.k.entity is not None:
            return
        for release in self.register.releases:
            if not release.has_records and release.number not in compared:
                self._task.observer.warn(
                    Caution(
                        "register",
                        f"release {release.number} ({release.name!r}) was registered by version 0.2, without hashes of its records, so it is not compared "
                        "with files in other places; name the persons (--entity), or give the same file",
                    )
                )

    def _comparable(self, choice: Choice) -> list[Earlier]:
        if choice.counted.plan.requirement.adversaries:
            raise JobError(
                "--register compares classes of all quasi-identifiers, and --adversary and --any judge others; leave out one of them"
            )
        return comparable(self._engine, self.register, choice.counted, self._task.prepared.source)


def _document(register: Register, choice: Choice, comparison: Comparison) -> RegisterComparison:
    names = {release.number: release.name for release in register.releases}
    smallest = [pair.smallest for pair in comparison.pairs if pair.smallest is not None]
    return RegisterComparison(
        releases=[names[pair.number] for pair in comparison.pairs],
        counted="persons" if comparison.of_persons else "rows",
        smallest=min(smallest, default=None),
        suppressed=choice.counted.isolated,
    )


def _refusal(engine: Engine, task: Task, registered: _Registered, choice: Choice, choose: Choose) -> str:
    """The message of a release that would isolate records: with which release, how many, and the cures, the cheapest first."""
    comparison, worst = registered.comparison, registered.comparison.worst
    [release] = [release for release in registered.register.releases if release.number == worst.number]
    what, k = "persons" if comparison.of_persons else "records", min(release.k, choice.counted.plan.requirement.k.bounded_k)
    parts = []
    if comparison.in_intersections:
        together = "both" if worst.few == comparison.in_intersections else f"all {len(comparison.pairs) + 1} releases"
        parts.append(f"{comparison.in_intersections:,} {what} share their classes in {together} with fewer than {k - 1} others")
    if comparison.in_differences:
        parts.append(
            f"{comparison.in_differences:,} {what} are left, fewer than {k} of a class, where one release is subtracted from the other"
        )
    cures = sorted(_cures(engine, task, registered, choice, choose), key=lambda cure: cure[0])
    ways = ", or ".join(f"{way} (information loss {loss:.1%})" for loss, way in cures)
    return (
        f"infeasible: this release and the registered {release.name!r} ({release.registered[:10]}) together isolate: {'; '.join(parts)}; "
        + (ways or "use the recoding of the earlier release (duckanon apply)")
    )


def _cures(engine: Engine, task: Task, registered: _Registered, choice: Choice, choose: Choose) -> Iterator[tuple[float, str]]:
    """Yield each change that was tried and after which the release isolates no record, with its information loss."""
    register, earlier = registered.register, [each for each in registered.comparison.earlier if each.is_same_source]
    for each in sorted(earlier, key=lambda each: each.release.manifest.metrics.loss):
        if not each.is_changed and each.release.path.exists():
            command = f"duckanon apply {shlex.quote(str(each.release.path))} {shlex.quote(task.prepared.source.name)} --register {shlex.quote(str(register.path))}"
            yield each.release.manifest.metrics.loss, f"use the recoding of {each.release.name!r}: {command}"
            break
    if (levels := _joined_levels(choice, earlier)) is not None:
        recoding = choice.counted.job.recoding.model_copy(update={"levels": levels})
        job = choice.counted.job.model_copy(update={"recoding": recoding})
        try:
            higher = choose(again(task, choice, job=job))
            if registered(higher) is None:
                given = joined(f"{name}={level}" for name, level in levels.items())
                yield _loss(higher), f"raise levels: --levels {given}"
        except DuckanonError:
            pass
        # the relations of the first choice, which the next cure starts from
        choice = choose(again(task, choice))
    try:
        silent, finders = again(task, choice), _finders(engine, choice, registered)
        fewer = choose_without_isolated(engine, silent, choice, choose, finders, _MOST_TRIED)
    except DuckanonError:
        return
    yield _loss(fewer), f"suppress {fewer.counted.isolated:,} rows: --set suppression.isolated=true"


def _joined_levels(choice: Choice, earlier: list[Earlier]) -> dict[str, int] | None:
    """The lowest levels that are at least those of the choice and of each earlier release; None if that is no other node."""
    if choice.result.full_domain is None:
        return None
    levels = dict(choice.recoding.levels)
    for each in earlier:
        recoding = each.release.manifest.recoding
        if isinstance(recoding, FullDomainRecoding):
            levels |= {name: max(levels[name], level) for name, level in recoding.levels.items() if name in levels}
    highest = {attribute.name: attribute.max_level for attribute in choice.counted.attributes}
    levels = {name: min(level, highest[name]) for name, level in levels.items()}
    return levels if levels != choice.recoding.levels else None


def _loss(choice: Choice) -> float:
    return float(choice.result.metrics()["loss"])


def choose_without_isolated(
    engine: Engine, task: Task, choice: Choice, choose: Choose, finders: Sequence[Find], rounds: int = _MOST_ROUNDS
) -> Choice:
    """Search again without the records that the finders name, and that count against the suppression limit, until there are none.

    Each round asks all finders, in order, and `choose` counts and searches the remaining records: the search raises `Infeasible`
    if the limit does not allow this. `Counted.isolated` has the number of rows left out. The saved recoding and `explain` know them.
    Leave records out only if `suppresses_isolated`. Raises `Infeasible` if records remain isolated after all rounds.
    """
    relations, reasons = dict(task.prepared.isolated), dict[str, None]()
    for _ in range(rounds):
        is_done = True
        for find in finders:
            if (left_out := find(choice)) is None:
                continue
            name = str(left_out.rows.relation)
            if engine.append(left_out.rows) if name in relations else engine.create_table(left_out.rows):
                relations[name], reasons[left_out.reason], is_done = left_out.columns, None, False
        if is_done:
            if reasons:
                task.observer.note(f"{choice.counted.isolated:,} rows are suppressed, because {', and because '.join(reasons)}")
            return choice
        try:
            choice = choose(again(task, choice, isolated=dict(relations)))
        except InputError:
            raise Infeasible(f"infeasible: all rows would be suppressed, because {', and because '.join(reasons)}") from None
    raise Infeasible(
        f"infeasible: after {rounds} rounds of suppression, records are still isolated, because {', and because '.join(reasons)}; "
        "generalize more, or use the recoding of an earlier release (duckanon apply)"
    )


def suppresses_isolated(task: Task) -> bool:
    """Whether the run suppresses isolated records instead of refusing the release: with `suppression.isolated`, and if a recoding is applied."""
    return (task.prepared.job.suppression.isolated or task.prepared.is_applied) and not task.run.settings.is_cluster


def again(task: Task, choice: Choice, **changes: Any) -> Task:
    """The same task for a further count and search of the open input, which gives the warnings of the first."""
    prepared = replace(task.prepared, opened=tuple(choice.counted.columns), **changes)
    return replace(task, prepared=prepared, observer=Remembering(Silent()))


def listed(path: Path) -> list[dict[str, Any]]:
    """The registered releases: number, time, release, input, rows, k, what is counted, quasi-identifiers and levels."""
    with DuckDBEngine(Settings()) as engine, open_register(engine, path, must_exist=True) as register:
        return [_described(release) for release in register.releases]


def compared(path: Path) -> list[dict[str, Any]]:
    """For each registered release, the earlier ones with which it was compared when it was registered.

    Each row has both names, the k of both, and the smallest intersection of two classes, which is at least k; null if the
    releases have no record in common.
    """
    with DuckDBEngine(Settings()) as engine, open_register(engine, path, must_exist=True) as register:
        by_number = {release.number: release for release in register.releases}
        return [
            {
                "number": release.number,
                "release": release.name,
                "earlier_number": number,
                "earlier": by_number[number].name if number in by_number else None,
                "k": min(release.k, by_number[number].k) if number in by_number else release.k,
                "counted": "rows" if release.entity is None else "persons",
                "smallest": smallest,
            }
            for release in register.releases
            for number, smallest in register.smallest_intersections(release.number).items()
        ]


def forget(path: Path, name: str) -> dict[str, Any]:
    """Delete a release, by its number or the name of its file, from the register; returns what it was."""
    with DuckDBEngine(Settings()) as engine, open_register(engine, path, must_exist=True) as register:
        release = register.release(name)
        register.forget(release.number)
        return _described(release)


def _described(release: Registered) -> dict[str, Any]:
    recoding = release.manifest.recoding.document()
    return {
        "number": release.number,
        "registered": release.registered,
        "release": release.name,
        "manifest": str(release.path),
        "input": release.source,
        "rows": release.manifest.rows.released,
        "k": release.k,
        "counted": "rows" if release.entity is None else "persons",
        "quasi_identifiers": list(release.quasi_identifiers),
        "levels": recoding.get("levels"),
    }
