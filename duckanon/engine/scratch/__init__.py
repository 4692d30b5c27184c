"""The private folder of a run, and the journal of its files in other places."""

from duckanon.engine.scratch.folder import Scratch

__all__ = ["Scratch"]
