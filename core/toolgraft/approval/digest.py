"""What a yes is for: exactly this call of exactly this tool."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from toolgraft.calls import Call


def digest_of(call: Call, arguments: Mapping[str, Any]) -> str:
    """Give the digest of a call: of its tool's identity and input schema, its arguments, and the model's id of it.

    With the id, a yes to one of two calls that are the same otherwise is not a yes to the other.

    Args:
        call: The call.
        arguments: Those that a person is shown. The bound ones are the application's own, and may be others each time.
    """
    by_model = call.id.call if call.id is not None else ""
    meant = [call.ref.server, call.ref.tool, call.spec.input_schema, arguments, by_model]
    text = json.dumps(meant, sort_keys=True, ensure_ascii=False, default=repr)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
