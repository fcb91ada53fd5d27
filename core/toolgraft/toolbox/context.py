"""What the servers of a toolbox offer beside tools: prompts, resources and instructions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from toolgraft.config import CallContext
from toolgraft.errors import ToolgraftError

if TYPE_CHECKING:
    from toolgraft.config.list_limits import ListLimits
    from toolgraft.connection.connection import Connection
    from toolgraft.context import (
        Completion,
        FilledPrompt,
        Offered,
        Prompt,
        Resource,
        ResourceContents,
        ResourceTemplate,
    )

T = TypeVar("T")


class ServerContext(ABC):
    """Asks servers for what is no tool. Each request is made as the caller's own, with headers made for `user`."""

    @abstractmethod
    def connection(self, server: str) -> Connection:
        """Return the connection to a server."""

    @property
    @abstractmethod
    def _connected(self) -> Mapping[str, Connection]:
        """The connections there are, by server name."""

    @property
    def instructions(self) -> Mapping[str, str]:
        """How servers say that they are to be used, by name; `toolgraft.with_instructions` puts them into a prompt."""
        return {name: said for name, each in self._connected.items() if (said := each.instructions)}

    async def prompts(self, server: str | None = None, *, user: object = None) -> Offered[Prompt]:
        """List the prompts that are offered.

        Args:
            server: The name of one server; None for all of them.
            user: Who asks, for headers and identities that depend on it.

        Returns:
            The prompts, with what could not be had in `failures` and `refused`.

        Raises:
            ConfigError: No server has that name, or it is not connected.
        """
        from toolgraft.context.prompts import read_prompts

        return await self._offered(server, user, lambda each, who: each.list_prompts(context=who), read_prompts)

    async def prompt(
        self, server: str, name: str, arguments: Mapping[str, str] | None = None, *, user: object = None
    ) -> FilledPrompt:
        """Fill in a prompt.

        Args:
            server: Name of its server.
            name: Its name there.
            arguments: Texts by name.
            user: See `prompts`.

        Raises:
            ConfigError: No server has that name, or it is not connected.
            ArgumentsError: An argument is no text.
            CallError: The server refused, or could not be asked; the subclass says how.
        """
        from toolgraft.content import check_size
        from toolgraft.context.prompts import checked_arguments, filled

        connection, given = self.connection(server), checked_arguments(server, name, arguments)
        raw = await connection.get_prompt(name, given, context=CallContext(server, None, user))
        check_size(raw, connection.config.limits, None)
        return filled(server, name, raw, connection.config.list_limits)

    async def resources(self, server: str | None = None, *, user: object = None) -> Offered[Resource]:
        """List the resources that are offered. Arguments, result and errors are as for `prompts`."""
        from toolgraft.context.resources import read_resources

        return await self._offered(server, user, lambda each, who: each.list_resources(context=who), read_resources)

    async def resource_templates(self, server: str | None = None, *, user: object = None) -> Offered[ResourceTemplate]:
        """List the templates of resources' URIs. Arguments, result and errors are as for `prompts`."""
        from toolgraft.context.resources import read_templates

        return await self._offered(
            server, user, lambda each, who: each.list_resource_templates(context=who), read_templates
        )

    async def resource(self, server: str, uri: str, *, user: object = None) -> ResourceContents:
        """Read a resource.

        Args:
            server: Name of its server.
            uri: Its URI, from a list, a template, or a link in a result.
            user: See `prompts`.

        Raises:
            ConfigError: No server has that name, or it is not connected.
            CallError: The server refused, or could not be asked; the subclass says how.
        """
        from toolgraft.content import check_size
        from toolgraft.context.resources import contents

        connection = self.connection(server)
        raw = await connection.read_resource(uri, context=CallContext(server, None, user))
        check_size(raw, connection.config.limits, None)
        return contents(server, uri, raw)

    async def complete(
        self,
        of: Prompt | ResourceTemplate,
        argument: str,
        value: str,
        given: Mapping[str, str] | None = None,
        *,
        user: object = None,
    ) -> Completion:
        """Ask what a server proposes for an argument.

        Args:
            of: The prompt, or the template, whose argument it is.
            argument: Its name.
            value: What is there of its value.
            given: The values of other arguments.
            user: See `prompts`.

        Raises:
            ConfigError: Its server is not connected.
            CallError: The server refused, or could not be asked; the subclass says how.
        """
        from toolgraft.context.completion import completion
        from toolgraft.context.prompts import Prompt

        who, connection = CallContext(of.server, None, user), self.connection(of.server)
        if isinstance(of, Prompt):
            raw = await connection.complete("prompt", of.name, argument, value, given, context=who)
        else:
            raw = await connection.complete("template", of.uri_template, argument, value, given, context=who)
        return completion(raw)

    async def _offered(
        self,
        server: str | None,
        user: object,
        ask: Callable[[Connection, CallContext], Awaitable[Sequence[object]]],
        read: Callable[[str, object, ListLimits], tuple[list[T], list[str]]],
    ) -> Offered[T]:
        """Ask servers side by side; what fails costs that server's part."""
        import asyncio  # here, for a light import

        from toolgraft.context.offered import Offered

        asked = self._connected if server is None else {server: self.connection(server)}
        answers = await asyncio.gather(
            *(ask(each, CallContext(name, None, user)) for name, each in asked.items()), return_exceptions=True
        )
        found: list[T] = []
        refused: list[str] = []
        failures: dict[str, ToolgraftError] = {}
        for (name, connection), answer in zip(asked.items(), answers, strict=True):
            if isinstance(answer, ToolgraftError) and server is None:
                failures[name] = answer
            elif isinstance(answer, BaseException):
                raise answer
            else:
                offered, left_out = read(name, answer, connection.config.list_limits)
                found += offered
                refused += left_out
        return Offered(found, failures, refused)
