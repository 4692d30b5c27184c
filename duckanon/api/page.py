"""A report as it is held in a program, and shown in a notebook."""

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Page:
    """A page of HTML that needs nothing else."""

    html: str

    def __repr__(self) -> str:
        return f"<Page of {len(self.html):,} characters>"

    def _repr_html_(self) -> str:
        """In a frame of its own, where its scripts and its policy are left alone."""
        return f'<iframe srcdoc="{escape(self.html)}" style="width: 100%; height: 40em; border: 1px solid #8888" title="Report"></iframe>'
