"""Hierarchy files, right and broken, by the commands that read them and by a release that needs them."""

from pathlib import Path

from hypothesis import event, given
from hypothesis import strategies as st

from tests.support.tables_of_trust import RecordRow
from tests.trust.fuzz import broken_hierarchies, hierarchies, invariants, running, tables, values
from tests.trust.fuzz.hierarchies import Hierarchy
from tests.trust.fuzz.tables import Column, Dress, Table
from tests.trust.fuzz.tally import Tally, share

_RUNS = (
    ("hierarchy", "check", "{h}"),
    ("hierarchy", "check", "{h}", "--data", "in.parquet", "--column", "age", "--strict"),
    ("hierarchy", "show", "{h}"),
    ("hierarchy", "show", "{h}", "--data", "in.parquet", "--column", "age", "--format", "json"),
    ("hierarchy", "build", "{h}", "--data", "in.parquet", "--column", "age", "-o", "made.csv"),
    ("hierarchy", "build", "{h}", "-o", "made.parquet"),
    ("hierarchy", "convert", "{h}", "made.yaml"),
    ("hierarchy", "convert", "{h}", "made.csv"),
    ("anonymize", "in.parquet", "--qi", "age", "--hierarchies", "age={h}", "--k", "2", "-o", "made.parquet"),
    (
        "anonymize",
        "in.parquet",
        "--qi",
        "age",
        "--hierarchies",
        "age={h}",
        "--k",
        "2",
        "-o",
        "made.parquet",
        "--algorithm",
        "mondrian",
    ),
    ("anonymize", "in.parquet", "--qi", "age", "--hierarchies", "age={h}", "--k", "2", "--dry-run"),
    (
        "check",
        "in.parquet",
        "--qi",
        "age",
        "--sensitive",
        "age2",
        "--hierarchies",
        "age2={h}",
        "--require",
        "t-hierarchical=0.9",
    ),
)


@st.composite
def placed(draw: st.DrawFn) -> tuple[Column, Hierarchy]:
    """A column, and a hierarchy for it, of which two in three are broken."""
    column = draw(tables.columns("age", draw(st.sampled_from([0, 1, 20, 30])), values.WILD))
    made = draw(st.sampled_from([hierarchies.right, broken_hierarchies.broken, broken_hierarchies.broken]))
    return column, draw(made(column))


def test_a_hierarchy_is_read_or_refused(tmp_path: Path, record_row: RecordRow) -> None:
    tally = Tally("hierarchies")

    @share(0.25)
    @given(placed(), st.sampled_from(_RUNS))
    def of(drawn: tuple[Column, Hierarchy], arguments: tuple[str, ...]) -> None:
        column, hierarchy = drawn
        with running.fresh(tmp_path) as parent:
            folder = parent / "case"
            folder.mkdir()
            second = Column("age2", column.kind, column.cells)
            tables.write(Table([column, second], len(column.cells)), folder, "parquet", Dress())
            name = f"h{hierarchy.ending}"
            hierarchy.write(folder / name)
            ended = running.run(folder, [argument.replace("{h}", name) for argument in arguments])
            event(f"exit {ended.code}")
            tally.add(ended.code)
            invariants.check(ended)
            if ended.code:
                invariants.check_untouched(ended)

    of()
    tally.tell(record_row)
