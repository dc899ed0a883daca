"""The list of models, in a shape that every provider's client reads: what they ask for is in each entry."""

from fake_model.control import JsonAnswer
from fake_model.providers.base import compact

MODEL = "dualplane-scripted"
"""The one model that is listed; a request may name any."""


def listing(created: int) -> JsonAnswer:
    """Return the answer to `GET /v1/models`; `created` is in seconds since 1970."""
    entry = {
        "id": MODEL,
        "object": "model",
        "type": "model",
        "created": created,
        "created_at": "2026-01-01T00:00:00Z",
        "display_name": "Scripted model",
        "lifecycle": "active",
        "owned_by": "dualplane",
    }
    page = {"object": "list", "data": [entry], "has_more": False, "first_id": MODEL, "last_id": MODEL}
    return JsonAnswer(200, compact(page))
