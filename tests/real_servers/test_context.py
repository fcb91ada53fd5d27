"""Prompts and resources of a server that others wrote."""

from __future__ import annotations

from dataclasses import replace

import pytest
from toolgraft import Stdio, connect
from toolgraft.errors import ProtocolError
from toolgraft_langchain import prompt_messages, resource_documents
from toolgraft_openai_agents import prompt_items

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


async def test_prompts_and_resources_of_the_everything_server(everything_server: Stdio) -> None:
    async with connect(replace(everything_server, resources=True)) as toolbox:
        prompts = {prompt.name: prompt for prompt in await toolbox.prompts()}
        assert [argument.name for argument in prompts["args-prompt"].arguments] == ["city", "state"]
        filled = await toolbox.prompt("everything", "args-prompt", {"city": "Bern", "state": "BE"})
        assert "Bern, BE" in str(prompt_messages(filled)[0].content)
        assert "Bern, BE" in str(prompt_items(filled)[0])
        proposed = await toolbox.complete(prompts["completable-prompt"], "department", "E")
        assert "Engineering" in proposed.values
        with pytest.raises(ProtocolError, match="server 'everything'"):
            await toolbox.prompt("everything", "resource-prompt", {"resourceType": "Neither", "resourceId": "1"})
        resources = await toolbox.resources()
        assert [each.uri_template for each in await toolbox.resource_templates()]
        (document, *_) = resource_documents(await toolbox.resource("everything", resources[0].uri))
        assert document.page_content
        listed = await toolbox.call("list_resources", {"search": resources[0].name})
        assert resources[0].uri in str(listed.parts)
        assert "everything" in toolbox.instructions
