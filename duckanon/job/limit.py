"""The suppression limit."""

from decimal import Decimal, InvalidOperation

from duckanon.job.column import JobModel

DEFAULT_LIMIT = "5%"


class Limit(JobModel):
    """The suppression limit: a number of rows, or a share of the rows that take part."""

    rows: int | None = None
    share: Decimal | None = None

    def of(self, rows: int) -> int:
        """The limit in rows, rounded down exactly."""
        return self.rows if self.rows is not None else int((self.share or Decimal(0)) * rows)

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """Parse `20` (rows), `0.05` (a share) or `5%` (a percentage); raises `ValueError`."""
        try:
            if text.strip().endswith("%"):
                share = Decimal(text.strip()[:-1]) / 100
            elif text.strip().lstrip("+-").isdecimal():
                rows = int(text)
                if rows < 0:
                    raise ValueError(f"suppression limit {text} is below 0 rows")
                return cls(rows=rows)
            else:
                share = Decimal(text)
        except InvalidOperation as error:
            raise ValueError(f"suppression limit {text!r} is not a number; write 20 (rows), 0.05 or 5%") from error
        if not share.is_finite() or not 0 <= share <= 1:
            raise ValueError(f"suppression limit {text!r} is outside 0% to 100%; write 20 (rows), 0.05 or 5%")
        return cls(share=share)
