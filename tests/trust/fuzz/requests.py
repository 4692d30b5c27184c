"""The request for a table: roles, hierarchies, requirements and outputs, as flags or as a job file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml
from hypothesis import strategies as st

from tests.support.oracles import identifiers as identifiers_oracle
from tests.support.settings import setting
from tests.trust.fuzz import broken_hierarchies, flags, hierarchies, names, tables, treatments, values
from tests.trust.fuzz.hierarchies import Hierarchy
from tests.trust.fuzz.tables import Column, Dress, Form, Table
from tests.trust.fuzz.treatments import Treated


@dataclass(frozen=True)
class RequiredModel:
    """One model that a release has to satisfy."""

    model: str
    number: float
    column: str


@dataclass(frozen=True)
class Request:
    """A table, what is asked of it, and the command line that asks it."""

    table: Table
    form: Form
    dress: Dress
    is_calm: bool
    qi: Sequence[str]
    hierarchies: Mapping[str, Hierarchy]
    sensitive: Sequence[str] = ()
    keep: Sequence[str] = ()
    identifying: Sequence[str] = ()
    treated: Sequence[Treated] = ()
    release: str | None = None
    number: str | None = None
    """The retained column that identifies the rows."""
    k: int | None = None
    required: Sequence[RequiredModel] = ()
    k_column: str | None = None
    entity: str | None = None
    algorithm: str = "optimal"
    style: str = "drop"
    limit: str | None = None
    missing: Sequence[str] = ()
    missing_policy: str | None = None
    output: str = "out.parquet"
    partition_by: Sequence[str] = ()
    others: str = "drop"
    more: Sequence[str] = ()
    """Flags beside these."""
    old: bytes | None = None
    """What stands at the output before the run."""
    overwrite: bool = False
    folder: str = "case"
    by_job: bool = False
    in_place: bool = False
    """Whether hierarchies stand in the job file itself."""

    @property
    def least(self) -> int:
        """The k that holds."""
        default = 2 if "highest-risk=0.5" in self.more else 1 if self.k_column is not None else 5
        return self.k if self.k is not None else default

    @property
    def place(self) -> str:
        """The name that the release has in the folder; empty where it goes to standard output."""
        if self.output == "-":
            return ""
        if not self.output:
            stem = "people" if self.form == "duckdb" else "in"
            return f"{stem}.anonymized.{'csv' if self.form == 'csv' else 'parquet'}"
        return self.output.partition("::")[0]

    @property
    def beside(self) -> Sequence[str]:
        """What the run leaves beside the release and its companions."""
        return [file for flag, file in pairwise(self.more) if flag == "--workspace"]

    def write(self, folder: Path) -> list[str]:
        """Lays the files of the case into a folder; gives the command line."""
        source = tables.write(self.table, folder, self.form, self.dress)
        files = {}
        for number, (name, hierarchy) in enumerate(self.hierarchies.items()):
            files[name] = f"h{number}{hierarchy.ending}"
            hierarchy.write(folder / files[name])
        if self.old is not None and self.place:
            (folder / self.place).write_bytes(self.old)
        if self.treated:
            (folder / treatments.KEY_FILE).write_text(identifiers_oracle.SECRET)
        arguments = ["anonymize", source]
        if self.output:
            arguments += ["-o", self.output]
        if self.form == "csv" and not self.dress.header:
            arguments += setting("names", value=[column.name for column in self.table.columns])
        if self.by_job:
            (folder / "job.yaml").write_text(yaml.safe_dump(self.job(files), allow_unicode=True), encoding="utf-8")
            arguments += ["--job", "job.yaml"]
        else:
            arguments += self._flags(files)
        if self.treated:
            arguments += ["--key-file", treatments.KEY_FILE]
        if self.overwrite:
            arguments.append("--overwrite")
        return [*arguments, *self.more]

    def _flags(self, files: Mapping[str, str]) -> list[str]:
        flags = []
        for flag, listed in (
            ("--qi", self.qi),
            ("--sensitive", self.sensitive),
            ("--keep", self.keep),
            ("--identifying", self.identifying),
        ):
            if listed:
                flags += [flag, names.listed(listed)]
        for name, file in files.items():
            flags += ["--hierarchies", f"{name}={file}"]
        for flag, value in (
            ("--k", self.k),
            ("--entity", self.entity),
            ("--max-suppression", self.limit),
            ("--release", self.release),
        ):
            if value is not None:
                flags += [flag, str(value)]
        if self.partition_by:
            flags += setting("output", "partition-by", value=list(self.partition_by))
        if self.k_column is not None:
            flags += setting("privacy", value=[{"model": "k-anonymity", "k-column": self.k_column}])
        if self.missing_policy is not None:
            flags += setting("missing", "policy", value=self.missing_policy)
        for requirement in self.required:
            flags += ["--require", f"{requirement.model}={requirement.number}@{requirement.column}"]
        for token in self.missing:
            flags += ["--missing", token]
        for treated in self.treated:
            flags += treated.flags(names.listed([treated.column]))
        return [
            *flags,
            "--algorithm",
            self.algorithm,
            *setting("suppression", "style", value=self.style),
            "--others",
            self.others,
        ]

    def job(self, files: Mapping[str, str]) -> dict[str, Any]:
        """The same as the content of a job file."""
        columns: dict[str, Any] = {}
        for name in self.qi:
            columns[name] = {"role": "quasi-identifier"}
            if name in files:
                hierarchy = hierarchies.in_place(self.hierarchies[name]) if self.in_place else None
                columns[name]["hierarchy"] = files[name] if hierarchy is None else hierarchy
        for role, listed in (("sensitive", self.sensitive), ("insensitive", self.keep), ("identifying", self.identifying)):
            columns |= {name: {"role": role} for name in listed}
        columns |= {treated.column: treated.plan for treated in self.treated}
        privacy: list[dict[str, Any]] = [{"model": "k-anonymity", "k": self.k}] if self.k is not None else []
        privacy += [{"model": "k-anonymity", "k-column": self.k_column}] if self.k_column is not None else []
        privacy += [_model(requirement) for requirement in self.required]
        return {
            "version": 1,
            "columns": columns,
            "privacy": privacy,
            "others": self.others,
            "recoding": {"algorithm": self.algorithm},
            "suppression": {"style": self.style, **({"limit": self.limit} if self.limit is not None else {})},
            "output": {"partition-by": list(self.partition_by)},
            **({"release": self.release} if self.release is not None else {}),
            **({"entity": self.entity} if self.entity is not None else {}),
            **(
                {"missing": {"tokens": list(self.missing), "policy": self.missing_policy or "value"}}
                if self.missing or self.missing_policy
                else {}
            ),
        }


def _model(requirement: RequiredModel) -> dict[str, Any]:
    match requirement.model:
        case "distinct-l" | "entropy-l":
            return {
                "model": "l-diversity",
                "variant": requirement.model[:-2],
                "l": requirement.number,
                "column": requirement.column,
            }
    return {"model": "t-closeness", "distance": "equal", "t": requirement.number, "column": requirement.column}


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """A table with what is asked of it; seven in ten have nothing wrong about them."""
    is_calm = draw(st.integers(0, 9)) < 7
    rows = draw(st.integers(16, 60)) if is_calm else draw(st.sampled_from(tables.SIZES))
    form = draw(st.sampled_from(tables.FORMS))
    width = draw(st.integers(1, 3))
    called = draw(names.lists(width + 8, is_calm=is_calm or draw(st.booleans())))
    of_database = form == "duckdb" and not is_calm
    kinds = values.CALM if is_calm else values.IN_DATABASE if of_database else values.WILD
    columns = [draw(tables.columns(name, rows, kinds, few=is_calm)) for name in called[:width]]
    qi, spare = called[:width], iter(called[width:])
    drawn: dict[str, Any] = {}

    def one_more(made: st.SearchStrategy[Column], role: str | None, chance: int) -> str | None:
        """One more column, chance in ten, of that role."""
        name = next(spare)
        if draw(st.integers(0, 9)) >= chance:
            return None
        column = draw(made.map(lambda column: Column(name, column.kind, column.cells)))
        columns.append(column)
        if role is not None:
            drawn[role] = (*drawn.get(role, ()), name)
        return name

    few = tables.columns("", rows, (values.PLAIN, values.WHOLE))
    drawn["number"] = one_more(tables.numbered("", rows), "keep", 6)
    sensitive = one_more(st.one_of(few, tables.secrets("", rows), tables.columns("", rows, kinds)), "sensitive", 7)
    one_more(
        st.one_of(tables.secrets("", rows), tables.columns("", rows, kinds)), draw(st.sampled_from(["identifying", "keep"])), 3
    )
    one_more(tables.secrets("", rows), None, 5)
    entity = one_more(tables.columns("", rows, (values.WHOLE, values.PLAIN, values.TEXT)), None, 2)
    own_k = one_more(tables.columns("", rows, (_SMALL,)), None, 1)
    known = st.one_of(
        tables.secrets("", rows), tables.columns("", rows, (values.PLAIN, values.WHOLE)), tables.columns("", rows, kinds)
    )
    treated = [draw(_treatment_of(name)) for name in (one_more(known, None, 2),) if name is not None]
    moved = one_more(tables.columns("", rows, (values.DAY,) if is_calm else kinds), None, 1)
    by = draw(
        st.sampled_from(
            [name for name in (entity, *(treatment.column for treatment in treated), drawn["number"]) if name] + qi[:1]
        )
    )
    treated += [Treated(moved, "shift", draw(st.sampled_from([1, 30, 36_500])), by)] if moved is not None else []
    order = draw(st.permutations(range(len(columns))))
    table = Table([columns[at] for at in order], rows)
    by_job = (
        draw(st.booleans())
        or any(not name or "\x00" in name for name in called)
        or any("=" in treatment.column or treatment.domain is not None for treatment in treated)
    )
    if by_job:  # a job gives one role to a name, and a table may have the name twice
        named = set(qi)
        for role in ("sensitive", "keep", "identifying"):
            drawn[role] = tuple(name for name in drawn.get(role, ()) if name not in named)
            named.update(drawn[role])
        treated = list({treatment.column: treatment for treatment in treated if treatment.column not in named}.values())
        if drawn["number"] not in drawn["keep"]:
            drawn["number"] = None

    made = hierarchies.right if is_calm or draw(st.booleans()) else broken_hierarchies.broken
    held = {name: draw(made(table.column(name))) for name in qi if is_calm or draw(st.integers(0, 9))}
    algorithm = draw(st.sampled_from((*flags.FULL_DOMAIN, *flags.REGIONAL, "optimal", "mondrian")))
    models = draw(st.lists(_models(sensitive), max_size=2)) if sensitive is not None else []
    output = draw(st.sampled_from(flags.OUTPUTS))
    partition_by: Sequence[str] = ()
    if output == "parts":
        partition_by = [draw(st.sampled_from(qi))]
    more = list(draw(st.sampled_from(flags.MORE))) if draw(st.integers(0, 3)) == 0 else []
    more += [] if is_calm else draw(st.sampled_from(((), (), *flags.ODD)))
    return Request(
        table=table,
        form=form,
        dress=draw(tables.DRESSES),
        is_calm=is_calm,
        qi=qi,
        hierarchies=held,
        **drawn,
        treated=treated,
        release=draw(st.sampled_from(treatments.RELEASES)) if treated else None,
        k=draw(st.sampled_from([2, 2, 3, 4, None, 1])),
        required=models,
        k_column=own_k,
        entity=entity,
        algorithm=algorithm,
        style=draw(st.sampled_from(["drop", "drop", "star"])) if algorithm in flags.FULL_DOMAIN else "drop",
        limit=draw(st.sampled_from((None, *flags.LIMITS))),
        missing=draw(st.lists(st.sampled_from(flags.TOKENS), max_size=2)) if draw(st.integers(0, 4)) == 0 else (),
        missing_policy=draw(st.sampled_from([None, None, None, "value", "drop", "top"])),
        output=output,
        partition_by=partition_by,
        others=draw(st.sampled_from(["drop", "drop", "keep"])),
        more=more,
        old=draw(st.sampled_from([None, None, None, b"old"])) if output not in ("-", "parts") else None,
        folder=draw(st.sampled_from(flags.FOLDERS)),
        overwrite=draw(st.integers(0, 3)) > 0,
        by_job=by_job,
        in_place=draw(st.booleans()),
    )


_SMALL = values.Kind("own k", values.WHOLE.type, (1, 2, 3), str)


def _treatment_of(name: str) -> st.SearchStrategy[Treated]:
    return st.one_of(
        st.builds(Treated, st.just(name), st.just("pseudonym"), domain=st.sampled_from([None, None, "person", "{{ 7*7 }}"])),
        st.builds(Treated, st.just(name), st.just("mask"), st.sampled_from([0, 1, 2, 100])),
    )


def _models(column: str) -> st.SearchStrategy[RequiredModel]:
    return st.one_of(
        st.builds(RequiredModel, st.just("distinct-l"), st.sampled_from([1, 2, 3]), st.just(column)),
        st.builds(RequiredModel, st.just("entropy-l"), st.sampled_from([1, 1.5, 2]), st.just(column)),
        st.builds(RequiredModel, st.just("t"), st.sampled_from([0.2, 0.5, 0.8, 1]), st.just(column)),
    )
