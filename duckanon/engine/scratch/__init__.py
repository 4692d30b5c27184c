"""What a run has before it is done: one private folder, and a ledger of what had to lie elsewhere."""

from duckanon.engine.scratch.folder import Scratch

__all__ = ["Scratch"]
