"""The losses by which `benchmarks/field` judges the Mondrian packages, against a count by hand."""

from pathlib import Path

import duckdb
import pytest

from benchmarks.field.mondrians import judged, shown_loss


def test_losses_are_those_of_a_count_by_hand(tmp_path: Path) -> None:
    """Two classes of two of five records, and a record that the package dropped, which loses all.

    Ages 20 to 40 and cities a, b, c. In the first class ages span 10 of 20 and the label lists two of three cities, of which both occur;
    in the second ages are equal and the label is `*`, where one city occurs.
    """
    path = tmp_path / "shown.parquet"
    duckdb.execute(
        f"""copy (from (values (20, 'a', '20-30', 'a,b'), (30, 'b', '20-30', 'a,b'), (40, 'c', '40', '*'), (40, 'c', '40', '*'),
            (35, 'a', null, null)) as t (age, city, "shown age", "shown city")) to '{path}'"""
    )
    actual = judged(path, ["age"], ["city"])
    assert actual == {
        "records": 4,
        "classes": 2,
        "smallest": 2,
        "rows": 5,
        "loss": pytest.approx((2 * (0.5 + 0.5) / 2 + 0 + 1) / 5),
    }
    assert shown_loss(path, ["age"], ["city"]) == pytest.approx((2 * (0.5 + 0.5) / 2 + 2 * (0 + 1) / 2 + 1) / 5)
