"""Charts of the measured figures, drawn with the shapes of the pictures in the documentation."""

from collections.abc import Sequence
from typing import Any

from docs.pictures.svg import line, picture, rect, text


def bars(title: str, rows: Sequence[tuple[str, float | None, str, str]], most: float) -> str:
    """A chart of bars: for each its name, its value, the words beside it, and a kind of colour. A bar without value shows the words."""
    left, top, across, step = 280.0, 56.0, 440.0, 34.0
    body = [text(20, 32, title, "strong"), line(left, top - 6, left, top + step * len(rows), "line-soft")]
    for number, (name, value, words, kind) in enumerate(rows):
        y = top + step * number
        length = across * (value or 0) / most
        body.append(text(left - 12, y + 17, name, "end small"))
        body.append(rect(left, y + 4, max(length, 1), 18, kind, round_by=2))
        body.append(text(left + length + 8, y + 17, words, "small"))
    description = "Bars. " + "; ".join(f"{name}: {words}" for name, _, words, _ in rows) + "."
    return picture(left + across + 190, top + step * len(rows) + 24, title, description, body)


def of(part: str, measured: dict[str, Any]) -> dict[str, str]:
    """The charts of a part, by the name of their file."""
    drawn: dict[str, str] = {}
    if part == "nist":
        uniques = [(name, float(row["uniques"]), f"{row['uniques']:,}", colour(name)) for name, row in measured.items()]
        drawn["nist-uniques"] = bars("Sample uniques of the source that the release republishes", uniques, 14_918)
        kept = {name: row for name, row in measured.items() if "score_spread" in row}
        scores = [(name, row["score_spread"], f"{row['score_spread']:.0f}", colour(name)) for name, row in kept.items()]
        drawn["nist-scores"] = bars("k-marginal score, ranges spread over their values", scores, 1000)
    if part == "mondrian":
        for table, tools in measured.items():
            losses = [
                (
                    name,
                    row.get("shown"),
                    row.get("failure") or f"{row['shown']:.1%}, smallest class {row['smallest']}",
                    colour(name),
                )
                for name, row in tools.items()
            ]
            drawn[f"mondrian-{table}"] = bars(f"Information loss of the labels: {table}", losses, most(losses))
    if part == "timings":
        for number, row in measured.items():
            seconds = [("duckanon, 2 cores", row["wall"], f"{row['wall']:,.0f} s", "after")]
            seconds += [
                (f"P4, {threads}", float(value), f"{value:,} s", "before")
                for threads, value in zip(("1 thread", "64 threads"), row["published"], strict=True)
            ]
            drawn[f"p4-{number}"] = bars(f"Seconds, Adult enlarged to {int(number):,} rows, k = 50", seconds, most(seconds))
    return drawn


def colour(name: str) -> str:
    """Ours in colour, a peer in grey."""
    return "after" if name.startswith("duckanon") else "before"


def most(rows: Sequence[tuple[str, float | None, str, str]]) -> float:
    """The largest value of a chart."""
    return max(value or 0 for _, value, _, _ in rows) or 1
