"""Whether a result keeps what its tool's output schema promises. A result that does not is told of, not lost."""

from toolgraft.output_schema.check import Check, check, check_for

__all__ = ["Check", "check", "check_for"]
