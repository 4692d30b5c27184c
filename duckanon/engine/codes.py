"""The types of codes, which represent values in the relations."""

_CODE_TYPES = ((2**8, "utinyint"), (2**16, "usmallint"), (2**32, "uinteger"))


def code_type(count: int) -> str:
    """The smallest integer type for `count` different codes."""
    return next((name for limit, name in _CODE_TYPES if count <= limit), "ubigint")
