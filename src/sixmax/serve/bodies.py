"""The bodies of requests."""

import json
from typing import Any

from starlette.requests import Request

from sixmax.base.errors import UserError


async def object_of(request: Request) -> dict[str, Any]:
    """The body of a request. Raises UserError unless it is an object in JSON."""
    try:
        values = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise UserError("body: not JSON") from None
    if not isinstance(values, dict):
        raise UserError(f"body: found {type(values).__name__}, wanted an object {{…}}")
    return values
