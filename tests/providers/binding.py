"""Bind tools with packages, and tell what each sends: a program for the environment of `scripts/providers`.

    python -m tests.providers.binding forms.json --package groq --package cohere [--sent]

`forms.json` is a list of `{"id", "name", "description", "schema", "names"}`, with `"packages"` where not all are meant;
`names` are those that the server gives to arguments and their members. It prints
`{package: {id: {"raised", "lost", "dropped", "silent", "bytes"}}}`:

- raised: why nothing was sent, or null.
- lost: paths of argument names of the form that the package could have carried, and that did not arrive.
- dropped: all that did not arrive.
- silent: names of the server's that stand nowhere in the request, not even in a description.
- bytes: of the tool in the request.

With `--sent` there is also the tool as it was sent.
"""

from __future__ import annotations

import argparse
import copy
import gc
import json
import logging
import sys
import warnings
from pathlib import Path
from typing import Any

from tests.providers.argument_names import paths, schema_sent, text_of, tool_sent
from tests.providers.endpoint import Endpoint, endpoint
from tests.providers.packages import PACKAGES, Package

Node = dict[str, Any]


def copied(form: Node) -> Any:
    """A tool of LangChain's own in a form."""
    from langchain_core.tools import StructuredTool

    return StructuredTool(
        name=form["name"],
        description=form["description"],
        args_schema=copy.deepcopy(form["schema"]),
        func=print,
    )


def bound(package: Package, model: Any, tool: Any, form: Node, kept: Endpoint, sent: bool) -> Node:
    """Bind one tool and send it."""
    raised = "nothing was sent"
    try:
        model.bind_tools([tool]).invoke("go")
    except Exception as error:
        raised = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    request = kept.taken()
    if request is None:
        return {"raised": raised, "lost": [], "dropped": [], "silent": [], "bytes": 0}
    arrived = tool_sent(request)
    there, text = paths(schema_sent(arrived)), text_of(arrived)
    told: Node = {
        "raised": None,
        "lost": sorted(paths(form["schema"], package.argument, package.within, package.root) - there),
        "dropped": sorted(paths(form["schema"]) - there),
        "silent": [name for name in form["names"] if name not in text],
        "bytes": len(json.dumps(arrived, separators=(",", ":"))),
    }
    return {**told, "sent": arrived} if sent else told


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("forms", type=Path)
    parser.add_argument("--package", action="append", choices=PACKAGES, default=[])
    parser.add_argument("--sent", action="store_true")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    forms: list[Node] = json.loads(options.forms.read_text("utf-8"))
    said: dict[str, dict[str, Node]] = {}
    with endpoint() as kept:
        for name in options.package or PACKAGES:
            model = PACKAGES[name].chat_model(kept.url)
            gc.freeze()
            meant = [form for form in forms if name in form.get("packages", PACKAGES)]
            said[name] = {
                form["id"]: bound(PACKAGES[name], model, copied(form), form, kept, options.sent) for form in meant
            }
    json.dump(said, sys.stdout)


if __name__ == "__main__":
    main()
