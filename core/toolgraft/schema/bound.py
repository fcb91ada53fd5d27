"""Arguments that the model must not see: taken out of the schema that it is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from toolgraft.errors import SchemaError


def without(input_schema: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Give the schema without some of its arguments.

    What is bound by the application (a user id, a tenant) disappears from `properties` and `required`; the
    application adds it to the arguments on the wire. The input is not changed.

    Args:
        input_schema: JSON Schema of the arguments.
        names: Names of the arguments to take out.

    Raises:
        SchemaError: A name is not one of the schema's arguments.
    """
    hidden = dict.fromkeys(names)
    properties = cast(dict[str, Any], input_schema.get("properties") or {})
    for name in hidden:
        if name not in properties:
            known = ", ".join(sorted(properties)[:20]) or "none"
            raise SchemaError(f"bound argument '{name}' is not an argument of this tool (its arguments: {known})")
    served = dict(input_schema)
    served["properties"] = {name: value for name, value in properties.items() if name not in hidden}
    if isinstance(required := input_schema.get("required"), list):
        served["required"] = [name for name in cast(list[Any], required) if name not in hidden]
    return served
