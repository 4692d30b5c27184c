"""Relations die with their owner, and one owner does not see the relations of another."""

import pytest

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.owner import Owned, aside, step, temporary
from duckanon.engine.protocol import Engine, row_count
from duckanon.engine.templates import render


def _make(engine: Engine, relation: str, rows: int) -> None:
    engine.load(relation, [{"_rows": row} for row in range(rows)], {"_rows": int})


def test_a_step_leaves_what_a_workspace_keeps_and_nothing_else_also_if_it_fails() -> None:
    with DuckDBEngine() as engine:
        _make(engine, "counts", 1)
        with temporary(engine):
            _make(engine, "cells", 2)
            _make(engine, "passed", 3)
        assert engine.names == {"counts", "cells"}

        @step
        def fail(engine: Engine) -> None:
            _make(engine, "remaining", 1)
            raise KeyError

        with pytest.raises(KeyError):
            fail(engine)
        assert engine.names == {"counts", "cells"}


def test_owners_of_the_same_names_keep_their_own_relations() -> None:
    with DuckDBEngine() as engine:
        with Owned(engine) as first:
            _make(engine, "cells", 1)
        with Owned(engine) as second:
            _make(engine, "cells", 2)
            _make(engine, "regions", 2)
        assert row_count(engine, "cells") == 2
        first.restore()
        assert row_count(engine, "cells") == 1
        assert "regions" not in engine.names
        with aside(engine), Owned(engine):
            _make(engine, "cells", 3)
        assert row_count(engine, "cells") == 1
        second.restore()
        assert row_count(engine, "regions") == 2
        first.drop()
        second.drop()
        assert engine.names == set()


def test_owners_that_nobody_holds_any_more_do_not_meet() -> None:
    with DuckDBEngine() as engine:
        with aside(engine):
            for rows in range(20):
                with Owned(engine):
                    _make(engine, "cells", rows)
            assert row_count(engine, "cells") == 19
        assert engine.names == set()


def test_an_owner_that_fails_leaves_the_relations_of_the_earlier_one() -> None:
    def fail(engine: DuckDBEngine) -> None:
        with Owned(engine):
            _make(engine, "cells", 2)
            raise KeyboardInterrupt

    with DuckDBEngine() as engine:
        with Owned(engine) as first:
            _make(engine, "cells", 1)
        with pytest.raises(KeyboardInterrupt):
            fail(engine)
        assert row_count(engine, "cells") == 1
        first.drop()
        assert engine.names == set()


def test_a_statement_knows_whether_its_relation_was_made_again() -> None:
    with DuckDBEngine() as engine:
        first, second = (render("dataset/row_count", "packed_combinations", relation="counts", has_rows=True) for _ in range(2))
        _make(engine, "counts", 1)
        engine.create_table(first)
        assert engine.stands(first)
        engine.create_table(second)
        assert not engine.stands(first)
        engine.drop("packed_combinations")
        assert not engine.stands(second)


def test_a_relation_that_is_restored_is_not_taken_for_that_of_another_owner() -> None:
    left, right = (render("dataset/row_count", "packed_cells", relation=name, has_rows=True) for name in ("one", "two"))
    with DuckDBEngine() as engine:
        _make(engine, "one", 1)
        _make(engine, "two", 2)
        with Owned(engine) as first:
            engine.create_table(left)
        with Owned(engine) as second:
            engine.create_table(right)
        for owner, own, other in ((first, left, right), (second, right, left)):
            owner.restore()
            assert engine.stands(own)
            assert not engine.stands(other)


def test_two_engines_of_a_process_do_not_see_each_others_relations() -> None:
    with DuckDBEngine() as first, DuckDBEngine() as other:
        _make(first, "cells", 1)
        _make(other, "cells", 2)
        with Owned(other) as owned:
            _make(other, "regions", 5)
        assert (row_count(first, "cells"), row_count(other, "cells")) == (1, 2)
        assert (first.names, first.owner) == ({"cells"}, None)
        owned.drop()
        assert other.names == {"cells"}
