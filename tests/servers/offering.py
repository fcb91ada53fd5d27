"""A server with prompts, resources and completion of every shape, over stdio, HTTP, or in this process.

`python -m tests.servers.offering` serves over stdio.
"""

from __future__ import annotations

import base64
from typing import Any, cast

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()
PDF = base64.b64encode(b"%PDF-1.4\n" + bytes(40)).decode()
PAGES = 3


def _page(params: types.PaginatedRequestParams | None) -> int:
    return int(params.cursor) if params is not None and params.cursor else 0


async def _prompts(_: Any, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    at = _page(params)
    who = types.PromptArgument(name="name", description="Whom to greet.", required=True)
    prompts = [
        [types.Prompt(name="hello", title="Say hello", description="Greets\u200b somebody.", arguments=[who])],
        [types.Prompt(name="shown"), types.Prompt(name="asks")],
        [types.Prompt(name="x" * 300)],
    ][at]
    return types.ListPromptsResult(prompts=prompts, next_cursor=str(at + 1) if at + 1 < PAGES else None)


def _text(role: Any, text: str) -> types.PromptMessage:
    return types.PromptMessage(role=role, content=types.TextContent(text=text))


async def _prompt(_: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult | types.InputRequiredResult:
    match params.name:
        case "hello":
            return types.GetPromptResult(messages=[_text("user", f"Say hello to {(params.arguments or {})['name']}.")])
        case "shown":
            picture = types.ImageContent(data=PNG, mime_type="image/png")
            paper = types.BlobResourceContents(uri="file:///paper.pdf", mime_type="application/pdf", blob=PDF)
            messages = [
                types.PromptMessage(role="user", content=picture),
                _text("assistant", "I see a picture."),
                types.PromptMessage(role="assistant", content=picture),
                types.PromptMessage(role="user", content=types.EmbeddedResource(resource=paper)),
                types.PromptMessage(role="assistant", content=picture),
            ]
            return types.GetPromptResult(description="Shows.", messages=messages)
        case "asks":
            answers = params.input_responses
            if not answers:
                form: Any = {"type": "object", "properties": {"name": {"type": "string"}}}
                asked = types.ElicitRequestFormParams(message="your name?", requested_schema=form)
                return types.InputRequiredResult(input_requests={"who": types.ElicitRequest(params=asked)})
            content = cast("Any", answers["who"]).content
            return types.GetPromptResult(messages=[_text("user", f"I am {content['name']}.")])
        case _:
            raise MCPError(types.INVALID_PARAMS, f"no prompt {params.name}")


async def _resources(_: Any, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    at = _page(params)
    resources = [
        [types.Resource(uri="note://one", name="one", description="The first note.", mime_type="text/plain", size=6)],
        [types.Resource(uri="file:///both", name="both", title="Text and bytes")],
        [types.Resource(uri="note://" + "x" * 10_000, name="long")],
    ][at]
    return types.ListResourcesResult(resources=resources, next_cursor=str(at + 1) if at + 1 < PAGES else None)


async def _templates(_: Any, __: Any) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(uri_template="note://{name}", name="note", description="A note by its name.")
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def _read(_: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    uri = str(params.uri)
    if uri == "note://one":
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, text="a note")])
    if uri == "file:///both":
        text = types.TextResourceContents(uri="file:///both/a.md", mime_type="text/markdown", text="# A")
        blob = types.BlobResourceContents(uri="file:///both/b.png", mime_type="image/png", blob=PNG)
        paper = types.BlobResourceContents(uri="file:///both/c.pdf", mime_type="application/pdf", blob=PDF)
        return types.ReadResourceResult(contents=[text, blob, paper])
    raise MCPError(types.INVALID_PARAMS, f"no resource {uri}")


async def _complete(_: Any, params: types.CompleteRequestParams) -> types.CompleteResult:
    known = {"ref/prompt": ["Ada", "Alan", "Grace"], "ref/resource": ["one", "other"]}[params.ref.type]
    found = [each for each in known if each.startswith(params.argument.value)]
    if params.context is not None and params.context.arguments:
        found = [f"{each} of {params.context.arguments['team']}" for each in found]
    return types.CompleteResult(completion=types.Completion(values=found, total=len(found), has_more=False))


def make() -> Server[Any]:
    """A new server."""
    return Server(
        "offering",
        version="1",
        instructions="Ask for notes by their names.",
        on_list_prompts=_prompts,
        on_get_prompt=_prompt,
        on_list_resources=_resources,
        on_list_resource_templates=_templates,
        on_read_resource=_read,
        on_completion=_complete,
    )


async def main() -> None:
    server = make()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
