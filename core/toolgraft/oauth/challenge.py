"""What a refusal says of the token that it wants: `WWW-Authenticate` (RFC 9110 11.6.1, RFC 6750 3, RFC 9728 5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_PART: Final = re.compile(
    r"[\s,]*(?P<name>[!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:\"(?P<quoted>(?:[^\"\\]|\\.)*)\"|(?P<plain>[^\s,\"]*)))?"
)
_LONGEST: Final = 8_192
_SCHEMES: Final = ("bearer", "dpop")
_SCOPES: Final = re.compile(r"[!#-\[\]-~]+( [!#-\[\]-~]+)*\Z")


@dataclass(frozen=True, slots=True)
class Challenge:
    """What is wanted.

    Attributes:
        scheme: `bearer` or `dpop`; empty where neither is asked for.
        resource_metadata: URL of the metadata of the server, or None.
        scope: Scopes that are wanted, or None.
        error: `invalid_token`, `insufficient_scope` and their kind; empty where there is none.
    """

    scheme: str = ""
    resource_metadata: str | None = None
    scope: str | None = None
    error: str = ""


NONE: Final = Challenge()


def challenge_in(headers: Iterable[str]) -> Challenge:
    """The challenge for a token, of all that the headers of this name hold; of several, one that names an error."""
    found = [_read(scheme, parameters) for scheme, parameters in _challenges(headers) if scheme in _SCHEMES]
    return next((each for each in found if each.error), found[0] if found else NONE)


def _read(scheme: str, parameters: Mapping[str, str]) -> Challenge:
    scope = parameters.get("scope", "")
    return Challenge(
        scheme,
        parameters.get("resource_metadata") or None,
        scope if _SCOPES.match(scope) else None,
        parameters.get("error", ""),
    )


def _challenges(headers: Iterable[str]) -> Sequence[tuple[str, Mapping[str, str]]]:
    found: list[tuple[str, dict[str, str]]] = []
    for header in headers:
        for part in _PART.finditer(header[:_LONGEST]):
            name = part["name"].lower()
            if part["quoted"] is None and part["plain"] is None:
                found.append((name, {}))
            elif found:
                value = part["plain"] if part["quoted"] is None else re.sub(r"\\(.)", r"\1", part["quoted"])
                found[-1][1].setdefault(name, value)
    return found
