"""A real MCP server to try and test against: a child process over stdio, or Streamable HTTP on loopback.

    from toolgraft.testing import demo_http, demo_stdio

    with demo_http() as http:
        async with graft(demo_stdio(), http) as tools:
            ...

`python -m toolgraft.testing` runs it by hand. It needs no network and answers the same way each time.
"""

from toolgraft.testing.demo import DEMO_COMMAND, DemoHttp, demo_http, demo_stdio
from toolgraft.testing.tools import DEMO_TOOLS

__all__ = ["DEMO_COMMAND", "DEMO_TOOLS", "DemoHttp", "demo_http", "demo_stdio"]
