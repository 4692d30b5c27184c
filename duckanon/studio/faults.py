"""Faults of the program itself, in one line."""

import traceback


def internal(error: BaseException) -> str:
    """A fault of the program in one line. Its own message may quote values of a person."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"internal error: {type(error).__name__} in {place.name}, line {place.lineno}; please report it"
