"""Many servers as one list of tools, and that list as a framework's own.

May import `plugins`, `policies`, `tools` and all that stands before them.
"""

from toolgraft.toolbox.toolbox import Toolbox

__all__ = ["Toolbox"]
