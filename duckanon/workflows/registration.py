"""The register in a run: compare the new release with registered ones, suppress what they would isolate, and record it."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.errors import DuckanonError, Infeasible, JobError
from duckanon.job.options import joined
from duckanon.observers import Remembering, Silent
from duckanon.release.intersections import Comparison, Earlier, comparable, compare, drop_comparison, isolate, place_of
from duckanon.release.manifest_model.document import Manifest, ReleaseManifest
from duckanon.release.manifest_model.recoding import FullDomainRecoding
from duckanon.release.manifest_model.register import RegisterComparison
from duckanon.release.register import Register, open_register
from duckanon.workflows.step_results import Choice
from duckanon.workflows.task import Task

Choose = Callable[[Task], Choice]
_MOST_ROUNDS, _MOST_TRIED = 100, 10
"""Rounds of suppression in a run that suppresses, and to try whether that would help."""


@contextmanager
def opened(engine: Engine, task: Task) -> Iterator[Register | None]:
    """The register of the run, open until the release is written; None if the run has no register."""
    path = task.run.register
    if path is None:
        if task.run.suppress_isolated:
            raise JobError("--suppress-isolated needs the registered releases; name their file with --register")
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
            isolated = self.choice.counted.isolated
            self.register.keep_classes(names, folder, self.comparison.pairs, of_persons=is_of_persons, isolated=isolated)
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
    """Compare a choice with the registered releases; raises `Infeasible` with cures if they together isolate records.

    With --suppress-isolated, and if a saved recoding is applied, these records are suppressed instead: `choose` searches
    again without them, until none is left.
    """
    if register is None:
        return Admission(choice)
    admission = _admitted(engine, task, register, choice, choose)
    if task.run.dry_run:
        # otherwise `keep` does it, which needs the classes
        drop_comparison(engine)
    return admission


def _admitted(engine: Engine, task: Task, register: Register, choice: Choice, choose: Choose) -> Admission:
    requirement = choice.counted.plan.requirement
    if requirement.adversaries:
        raise JobError(
            "--register compares classes of all quasi-identifiers, and --adversary and --any judge others; leave out one of them"
        )
    earlier = comparable(register, choice.counted, task.prepared.source)
    comparison = compare(engine, register, choice.counted, choice.recoding, earlier, is_first=True)
    if not comparison.earlier and register.releases:
        known = ", ".join(sorted({repr(release.source) for release in register.releases})[:3])
        way = "" if requirement.k.entity else "; with --entity, releases of other inputs are compared by person"
        task.observer.warn(
            f"no registered release is of this input, so nothing was compared; the register has releases of {known}{way}"
        )
    if not comparison.isolates:
        return Admission(choice, register, comparison)
    if not (task.run.suppress_isolated or task.prepared.is_applied):
        raise Infeasible(_refusal(engine, task, register, choice, comparison, choose))
    choice, last = _without_isolated(engine, task, register, choice, comparison, choose)
    task.observer.note(
        f"{choice.counted.isolated:,} rows are suppressed, because registered releases and this one would isolate them"
    )
    return Admission(choice, register, last)


def _without_isolated(
    engine: Engine,
    task: Task,
    register: Register,
    choice: Choice,
    comparison: Comparison,
    choose: Choose,
    rounds: int = _MOST_ROUNDS,
) -> tuple[Choice, Comparison]:
    """The choice for the records that are left when isolated records are suppressed, again and again until none is isolated."""
    for number in range(rounds):
        keys = isolate(engine, choice.counted, comparison, is_first=number == 0)
        choice = choose(_again(task, choice, isolated=keys))
        comparison = compare(engine, register, choice.counted, choice.recoding, comparison.earlier, is_first=False)
        if not comparison.isolates:
            return choice, comparison
    raise Infeasible(
        f"infeasible: after {rounds} rounds of suppression, registered releases and this one still isolate records; "
        "use the recoding of an earlier release (duckanon apply)"
    )


def _again(task: Task, choice: Choice, **changes: Any) -> Task:
    """The same task for a further count and search of the open input, which gives the warnings of the first."""
    prepared = replace(task.prepared, opened=tuple(choice.counted.columns), **changes)
    return replace(task, prepared=prepared, observer=Remembering(Silent()))


def _document(register: Register, choice: Choice, comparison: Comparison) -> RegisterComparison:
    names = {release.number: release.name for release in register.releases}
    smallest = [pair.smallest for pair in comparison.pairs if pair.smallest is not None]
    return RegisterComparison(
        releases=[names[pair.number] for pair in comparison.pairs],
        counted="persons" if comparison.of_persons else "rows",
        smallest=min(smallest, default=None),
        suppressed=choice.counted.isolated,
    )


def _refusal(engine: Engine, task: Task, register: Register, choice: Choice, comparison: Comparison, choose: Choose) -> str:
    """The message of a release that would isolate records: with which release, how many, and the cures, the cheapest first."""
    worst = comparison.worst
    [release] = [release for release in register.releases if release.number == worst.number]
    what, k = "persons" if comparison.of_persons else "records", min(release.k, choice.counted.plan.requirement.k.bounded_k)
    parts = []
    if comparison.in_intersections:
        together = "both" if worst.few == comparison.in_intersections else f"all {len(comparison.pairs) + 1} releases"
        parts.append(f"{comparison.in_intersections:,} {what} share their classes in {together} with fewer than {k - 1} others")
    if comparison.in_differences:
        parts.append(
            f"{comparison.in_differences:,} {what} are left, fewer than {k} of a class, where one release is subtracted from the other"
        )
    cures = sorted(_cures(engine, task, register, choice, comparison, choose), key=lambda cure: cure[0])
    ways = ", or ".join(f"{way} (information loss {loss:.1%})" for loss, way in cures)
    return (
        f"infeasible: this release and the registered {release.name!r} ({release.registered[:10]}) together isolate: {'; '.join(parts)}; "
        + (ways or "use the recoding of the earlier release (duckanon apply)")
    )


def _cures(
    engine: Engine, task: Task, register: Register, choice: Choice, comparison: Comparison, choose: Choose
) -> Iterator[tuple[float, str]]:
    """Yield each change that was tried and after which the release isolates no record, with its information loss."""
    earlier = [each for each in comparison.earlier if each.is_same_source]
    for each in sorted(earlier, key=lambda each: each.release.manifest.metrics.loss):
        if not each.is_changed and each.release.path.exists():
            command = f"duckanon apply {shlex.quote(str(each.release.path))} {shlex.quote(task.prepared.source.name)} --register {shlex.quote(str(register.path))}"
            yield each.release.manifest.metrics.loss, f"use the recoding of {each.release.name!r}: {command}"
            break
    if (levels := _joined_levels(choice, earlier)) is not None:
        recoding = choice.counted.job.recoding.model_copy(update={"levels": levels})
        job = choice.counted.job.model_copy(update={"recoding": recoding})
        try:
            higher = choose(_again(task, choice, job=job))
            if not compare(engine, register, higher.counted, higher.recoding, comparison.earlier, is_first=False).isolates:
                given = joined(f"{name}={level}" for name, level in levels.items())
                yield _loss(higher), f"raise levels: --levels {given}"
        except DuckanonError:
            pass
        # the relations of the first choice, which the next cure starts from
        choice = choose(_again(task, choice))
        comparison = compare(engine, register, choice.counted, choice.recoding, comparison.earlier, is_first=False)
    try:
        fewer, _ = _without_isolated(engine, task, register, choice, comparison, choose, _MOST_TRIED)
    except DuckanonError:
        return
    yield _loss(fewer), f"suppress {fewer.counted.isolated:,} rows: --suppress-isolated"


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
