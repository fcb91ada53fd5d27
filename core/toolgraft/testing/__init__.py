"""A real MCP server to try and test against: a child process over stdio, or Streamable HTTP on loopback.

    from toolgraft.testing import demo_http, demo_stdio

    with demo_http() as http:
        async with graft(demo_stdio(), http) as tools:
            ...

`AdapterContract` is what an adapter to another framework has to keep, as tests for its repository.
`python -m toolgraft.testing` runs the server by hand. It needs no network and answers the same way each time.
"""

from toolgraft.testing.contract import AdapterContract
from toolgraft.testing.demo import DEMO_COMMAND, DemoHttp, demo_http, demo_stdio
from toolgraft.testing.tools import DEMO_TOOLS

__all__ = ["DEMO_COMMAND", "DEMO_TOOLS", "AdapterContract", "DemoHttp", "demo_http", "demo_stdio"]
