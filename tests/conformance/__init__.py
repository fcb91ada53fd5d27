"""The MCP conformance suite, an outside judge: every required client scenario, in each way to use this library.

`scripts/conformance` installs the suite and runs it; `scripts/test -m conformance` runs it where it is installed.

- `client.py`: the client that the suite starts, once a scenario.
- `legs.py`: the ways to call a tool: `toolgraft.connect`, LangChain's tools, the Agents SDK's function tools.
- `person.py`: the person that such a client would have: answers a server's questions, signs in.
- `suite.py`: which scenarios are required, and one scenario's verdict.

No failure is expected, so the suite is given no list of expected ones: with one, even an empty one, it no longer counts
a client that ends with an error.
"""
