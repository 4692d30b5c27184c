"""The content of a request."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from duckanon.errors import JobError


async def body(request: Request, **keys: type) -> Mapping[str, Any]:
    """The JSON mapping of a request, which has these keys with values of these types; raises `JobError`."""
    try:
        content = json.loads(await request.body())
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise JobError("the request is not a JSON mapping")
    for key, kind in keys.items():
        if not isinstance(content.get(key), kind) or (kind is int and isinstance(content[key], bool)):
            raise JobError(f"the request has no {key!r}, or not one of type {kind.__name__}")
    return content
