"""Values that a config file asks a person for: VS Code's `inputs` and `${input:id}`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from toolgraft.config.documents.fields import printable
from toolgraft.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Input:
    """One value to ask for, as the file declares it.

    Attributes:
        id: What `${input:id}` names.
        description: For people.
        password: Whether it is not to be shown while typed.
        default: What to offer; empty for none.
        options: What to choose from; empty for free text.
    """

    id: str
    description: str = ""
    password: bool = False
    default: str = ""
    options: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        """The environment variable that it is read from, e.g. `TOOLGRAFT_INPUT_API_KEY` for `api-key`.

        The prefix is there because an id like `path` or `user` would otherwise find something quite different.
        """
        return "TOOLGRAFT_INPUT_" + re.sub(r"[^A-Z0-9]", "_", self.id.upper())


InputSource: TypeAlias = Mapping[str, str] | Callable[[Input], str]
"""Values by input id, or a function that asks for one. It is asked once for each id."""


@dataclass(slots=True)
class Inputs:
    """Finds the value of each input, once: in what the caller gives, the environment, the declared default.

    Attributes:
        declared: The file's inputs by id.
        given: The caller's values.
        environ: Environment variables.
    """

    declared: Mapping[str, Input]
    given: InputSource | None
    environ: Mapping[str, str]
    _values: dict[str, str] = field(default_factory=dict[str, str], repr=False)

    def value(self, name: str, where: str) -> str:
        """Return the value of `${input:name}`.

        Raises:
            ConfigError: It has none; the text says how to give one.
        """
        if name not in self._values:
            self._values[name] = self._find(name, where)
        return self._values[name]

    def _find(self, name: str, where: str) -> str:
        asked = self.declared.get(name, Input(name))
        value = self._given(asked)
        if value is None:
            value = self.environ.get(asked.variable) or asked.default or None
        if value is None:
            raise ConfigError(self._no_value(asked), where=where)
        if not isinstance(value, str):
            raise ConfigError(f"input '{printable(name)}' was given {type(value).__name__}, not a string", where=where)
        return value

    def _given(self, asked: Input) -> object:
        if callable(self.given):
            return self.given(asked) if asked.id in self.declared else None
        return None if self.given is None else self.given.get(asked.id)

    def _no_value(self, asked: Input) -> str:
        if asked.id not in self.declared:
            from difflib import get_close_matches  # here, for a light import

            close = get_close_matches(asked.id, self.declared, n=1)
            hint = f", did you mean '{printable(close[0])}'" if close else ""
            return f"input '{printable(asked.id)}' is not among the file's inputs{hint}"
        about = f" ({printable(asked.description, 200)})" if asked.description else ""
        name = printable(asked.id)
        return (
            f"input '{name}'{about} has no value; give load(inputs={{'{name}': …}}), a function that asks, "
            f"or set {asked.variable}"
        )


def declared_inputs(value: object, where: str) -> dict[str, Input]:
    """Read a file's `inputs`.

    Raises:
        ConfigError: It is not a list of objects with a string `id`, or an id is there twice.
    """
    if not isinstance(value, list):
        raise ConfigError("must be a list of inputs", where=where)
    found: dict[str, Input] = {}
    for index, each in enumerate(cast("list[object]", value)):
        here = f"{where}[{index}]"
        if not isinstance(each, Mapping) or not isinstance(each.get("id"), str):  # pyright: ignore[reportUnknownMemberType]
            raise ConfigError('must be an object with an "id"', where=here)
        made = _input(cast("Mapping[str, Any]", each))
        if made.id in found:
            raise ConfigError(f"the id '{printable(made.id)}' is there twice", where=here)
        found[made.id] = made
    return found


def _input(raw: Mapping[str, Any]) -> Input:
    def text(key: str) -> str:
        value = raw.get(key)
        return value if isinstance(value, str) else ""

    options = raw.get("options")
    listed = cast("list[object]", options) if isinstance(options, list) else []
    return Input(
        id=raw["id"],
        description=text("description"),
        password=raw.get("password") is True,
        default=text("default"),
        options=tuple(each for each in listed if isinstance(each, str)),
    )
