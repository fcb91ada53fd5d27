"""What a plugin must look like, and what its hooks may answer. Each check raises a `TypeError` that says it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import pluggy

from toolgraft import hookspecs
from toolgraft.config.oauth import Bearer, OAuthGrant
from toolgraft.result import AnyPart, Part

if TYPE_CHECKING:
    import httpx2


def check_hooks(manager: pluggy.PluginManager, plugin: object) -> None:
    """Check that a registered plugin has hooks, that they exist, and that none is a pluggy wrapper."""
    callers = manager.get_hookcallers(plugin) or []
    if not callers:
        raise TypeError("it has no hooks; mark its functions with @toolgraft.hookspecs.hookimpl")
    for caller in callers:
        if not caller.has_spec():
            known = ", ".join(name for name in vars(hookspecs) if name.startswith("toolgraft_"))
            raise TypeError(f"there is no hook {caller.name}; the hooks are {known}")
        if any(each.wrapper or each.hookwrapper for each in caller.get_hookimpls() if each.plugin is plugin):
            raise TypeError(f"its {caller.name} is a hook wrapper, and plugins are called one by one: nothing to wrap")


def check_functions(answer: object) -> tuple[Callable[..., Any], ...]:
    """Check the answer of a hook that gives policies or middleware."""
    if not isinstance(answer, list | tuple):
        raise TypeError(f"it must return a list of functions, not {type(answer).__name__}")
    functions = tuple(cast("Sequence[object]", answer))
    for each in functions:
        if not callable(each):
            raise TypeError(f"it must return a list of functions, and there is {type(each).__name__} in it")
    return cast("tuple[Callable[..., Any], ...]", functions)


def check_part(answer: object) -> AnyPart:
    """Check the answer of a hook that gives a part."""
    if not isinstance(answer, Part):
        raise TypeError(f"it must return a part of toolgraft.result or None, not {type(answer).__name__}")
    return cast("AnyPart", answer)


def check_auth(answer: object) -> httpx2.Auth | OAuthGrant | Bearer:
    """Check the answer of a hook that gives an auth."""
    if isinstance(answer, OAuthGrant | Bearer):
        return answer
    import httpx2  # here, because an answer is rare and the import is not light

    if not isinstance(answer, httpx2.Auth):
        raise TypeError(f"it must return OAuth(...), Bearer(...), an httpx2.Auth or None, not {type(answer).__name__}")
    return answer
