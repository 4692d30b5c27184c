"""A report as a Python object that a notebook displays."""

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Page:
    """A self-contained HTML page."""

    html: str

    def __repr__(self) -> str:
        return f"<Page of {len(self.html):,} characters>"

    def _repr_html_(self) -> str:
        """The page in a separate frame, so that the notebook does not change its scripts and its security policy."""
        return f'<iframe srcdoc="{escape(self.html)}" style="width: 100%; height: 40em; border: 1px solid #8888" title="Report"></iframe>'
