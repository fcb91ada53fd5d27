"""What the wire says, as a `ToolResult`: every block the spec knows, and those it does not know yet."""

from toolgraft.content.convert import to_result
from toolgraft.content.links import Read, follow_links
from toolgraft.content.size import check_size

__all__ = ["Read", "check_size", "follow_links", "to_result"]
