"""Descriptions held to a longest length, cut at the end of a sentence with a visible mark."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from toolgraft.policies.policy import Policy
from toolgraft.schema import describe
from toolgraft.spec import ToolRef, ToolSpec

_log: Final = logging.getLogger("toolgraft")


def limit_descriptions(longest: int | None) -> Policy:
    """Make the policy that cuts descriptions above `longest` characters; None leaves them whole.

    It warns once of each description that it cuts, however often the list is read.
    """
    told: dict[ToolRef, str] = {}

    def descriptions(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        return specs if longest is None else [_held(spec, longest, told) for spec in specs]

    return descriptions


def _held(spec: ToolSpec, longest: int, told: dict[ToolRef, str]) -> ToolSpec:
    text = describe(spec.description, longest)
    if text == spec.description:
        return spec
    if told.get(spec.ref) != text:
        told[spec.ref] = text
        _log.warning("the description of %s is cut from %d characters", spec.ref, len(spec.description))
    return replace(spec, description=text)
