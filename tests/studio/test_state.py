"""The job on the page: revisions, undo and redo, and edits of two tabs."""

from typing import Any

from tests.support.studio import LocalStudio


def limit(state: Any) -> str:
    """The suppression limit of a state, a number of rows."""
    return str(state["job"]["suppression"]["limit"])


def limited(studio: LocalStudio, rows: int, merge: str = "") -> Any:
    """The state after an edit of the suppression limit."""
    state = studio.get("/api/state")
    job = {**state["job"], "suppression": {"limit": str(rows), "style": "drop"}}
    return studio.post("/api/edit", {"revision": state["revision"], "job": job, "what": f"limit {rows}", "merge": merge})


def moved(studio: LocalStudio, way: str) -> Any:
    """The state after undo or redo."""
    return studio.post(f"/api/{way}", {"revision": studio.get("/api/state")["revision"]})


def test_the_first_job_leaves_nothing_to_be_guessed(studio: LocalStudio) -> None:
    state = studio.get("/api/state")
    assert (state["status"], state["source"]) == ("ready", {"name": "people.csv", "rows": 240})
    assert {"columns", "others", "privacy", "suppression", "recoding", "entity"} <= state["job"].keys()
    roles = {name: plan["role"] for name, plan in state["job"]["columns"].items()}
    assert roles == {column["name"]: column["role"] for column in state["columns"] if column["role"] != "dropped"}
    assert roles["disease"] == "sensitive"
    assert all(plan["hierarchy"] for plan in state["job"]["columns"].values() if plan["role"] == "quasi-identifier")
    assert all(column["reason"] for column in state["columns"])


def test_undo_and_redo_go_through_all_edits(studio: LocalStudio) -> None:
    first = limit(studio.get("/api/state"))
    for rows in (1, 2, 3):
        limited(studio, rows)
    seen = [limit(moved(studio, "undo")) for _ in range(4)]
    assert seen == ["2", "1", first, first]
    assert [limit(moved(studio, "redo")) for _ in range(4)] == ["1", "2", "3", "3"]


def test_an_edit_after_undo_forgets_what_was_undone(studio: LocalStudio) -> None:
    limited(studio, 1)
    limited(studio, 2)
    moved(studio, "undo")
    assert limited(studio, 9)["can_redo"] is False
    assert limit(moved(studio, "undo")) == "1"


def test_undo_says_what_it_takes_back(studio: LocalStudio) -> None:
    assert studio.get("/api/state")["undo"] == ""
    assert limited(studio, 1)["undo"] == "limit 1"
    state = moved(studio, "undo")
    assert (state["can_undo"], state["undo"], state["can_redo"], state["redo"]) == (False, "", True, "limit 1")


def test_edits_that_belong_together_are_one_step(studio: LocalStudio) -> None:
    limited(studio, 1)
    for rows in (2, 3, 4):
        limited(studio, rows, "slider")
    for rows in (5, 6):
        limited(studio, rows, "another slider")
    assert [limit(moved(studio, "undo")) for _ in range(2)] == ["4", "1"]
    assert limit(moved(studio, "redo")) == "4"
    # a step that was restored is not continued
    limited(studio, 7, "slider")
    assert limit(moved(studio, "undo")) == "4"


def test_an_old_revision_is_refused_with_the_state_as_it_is(studio: LocalStudio) -> None:
    """Two tabs: the second has not seen the edit of the first."""
    seen = studio.get("/api/state")
    limited(studio, 1)
    for path, change in (("edit", {"job": seen["job"], "what": "x"}), ("undo", {}), ("redo", {})):
        answer = studio.post(f"/api/{path}", {"revision": seen["revision"], **change}, 409)
        assert answer["state"] == studio.get("/api/state")
        assert "another tab" in answer["error"]
    assert limit(studio.get("/api/state")) == "1"


def test_every_change_counts_the_revision_up(studio: LocalStudio) -> None:
    revisions = [studio.get("/api/state")["revision"], limited(studio, 1)["revision"]]
    revisions += [moved(studio, "undo")["revision"], moved(studio, "redo")["revision"]]
    assert revisions == sorted(set(revisions))


def test_a_wrong_job_changes_nothing(studio: LocalStudio) -> None:
    before = studio.get("/api/state")
    for key, value, phrase in (
        ("columns", {"age": {"role": "quasi"}}, "role"),
        ("privcy", {}, "did you mean 'privacy'"),
        ("suppression", {"limit": "lots"}, "lots"),
        ("privacy", [{"model": "k-anonymity", "k": 0}], "k"),
    ):
        answer = studio.post(
            "/api/edit", {"revision": before["revision"], "job": {**before["job"], key: value}, "what": "x"}, 422
        )
        assert phrase in answer["error"]
    assert studio.get("/api/state") == before


def test_the_state_says_the_role_and_hierarchy_of_the_job(studio: LocalStudio) -> None:
    columns = studio.get("/api/state")["job"]["columns"]
    state = studio.edit(
        columns={**columns, "sex": {"role": "insensitive"}, "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}
    )
    shown = {column["name"]: (column["role"], column["hierarchy"]) for column in state["columns"]}
    assert (shown["sex"], shown["zip"]) == (("insensitive", None), ("quasi-identifier", {"kind": "flat"}))
