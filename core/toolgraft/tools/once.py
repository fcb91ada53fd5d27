"""A call of which nobody knows whether it ran is not sent again: not by a host that repeats what failed, either.

Retry middleware of a host repeats a failed call under the id that the model gave it. A later call of the model's has an
id of its own, and is sent.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from copy import copy
from typing import Any, Final

from toolgraft.calls import Call, Handler, may_have_run
from toolgraft.config import CallId
from toolgraft.errors import CallError
from toolgraft.result import ToolResult
from toolgraft.spec import ToolRef

_MOST: Final = 1_000
"""Calls that are remembered."""


class Once:
    """The layer next to one connection that remembers calls whose outcome is unknown, and answers their repetition.

    A call is the same when it has the same id in the same run of the host, and the same arguments. Without a run, ids
    such as `call_1` come again and again, and nothing is remembered.
    """

    def __init__(self) -> None:
        self._unknown: OrderedDict[tuple[ToolRef, CallId], tuple[str, CallError]] = OrderedDict()

    async def __call__(self, call: Call, proceed: Handler, /) -> ToolResult:
        """Send the call unless it may have run.

        Raises:
            CallError: It failed; or it may have run before, with the error that said so.
        """
        if call.id is None or not (call.id.run or call.id.namespace):
            return await proceed(call)
        key = (call.ref, call.id)
        before = self._unknown.get(key)
        if before is not None and before[0] == _digest(call.arguments):
            raise copy(before[1]) from before[1]
        try:
            return await proceed(call)
        except CallError as error:
            if may_have_run(error):
                self._unknown[key] = (_digest(call.arguments), copy(error).with_traceback(None))
                if len(self._unknown) > _MOST:
                    self._unknown.popitem(last=False)
            raise

    def __reduce__(self) -> tuple[type[Once], tuple[()]]:
        return Once, ()  # elsewhere there is another connection


def _digest(arguments: Mapping[str, Any]) -> str:
    """Not the arguments themselves, which may be large, and secrets."""
    text = json.dumps(arguments, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
