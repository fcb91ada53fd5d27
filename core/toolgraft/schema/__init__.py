"""Tool schemas: forms that every provider accepts, strict without loss, and arguments back."""

from toolgraft.schema.arguments import Checker, compile_checks, parse
from toolgraft.schema.bound import without
from toolgraft.schema.converted import Codec, Converted, Reason, Strictness, convert
from toolgraft.schema.description import describe

__all__ = [
    "Checker",
    "Codec",
    "Converted",
    "Reason",
    "Strictness",
    "compile_checks",
    "convert",
    "describe",
    "parse",
    "without",
]
