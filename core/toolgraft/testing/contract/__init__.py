"""What every adapter has to keep, as tests that any adapter's repository can run.

    from toolgraft.testing.contract import AdapterContract

    class TestMyAdapter(AdapterContract):
        adapter = MyAdapter()
        run_scripted = staticmethod(run_scripted)  # see toolgraft.tools.scripted

pytest collects the class like any other; nothing of pytest is imported here. The demo server runs on loopback.
"""

from toolgraft.testing.contract.arguments import ArgumentsContract
from toolgraft.testing.contract.results import ResultsContract
from toolgraft.testing.contract.tools import ToolsContract


class AdapterContract(ArgumentsContract, ResultsContract, ToolsContract):
    """The whole contract; subclass it with `adapter` and `run_scripted`."""


__all__ = ["AdapterContract", "ArgumentsContract", "ResultsContract", "ToolsContract"]
