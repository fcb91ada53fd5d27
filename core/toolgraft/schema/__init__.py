"""Tool schemas: forms that every provider accepts, strict without loss, and arguments back."""

from toolgraft.schema.arguments.check import Checker, compile_checks, parse
from toolgraft.schema.arguments.declared import arguments_of, without
from toolgraft.schema.converted import Converted, Reason, Strictness, convert
from toolgraft.schema.decode.codec import Codec
from toolgraft.schema.description import describe
from toolgraft.schema.labels import readable
from toolgraft.schema.language.pointers import Node
from toolgraft.schema.strict.host import strict_breaks
from toolgraft.schema.strict.lint import Fault, lint

__all__ = [
    "Checker",
    "Codec",
    "Converted",
    "Fault",
    "Node",
    "Reason",
    "Strictness",
    "arguments_of",
    "compile_checks",
    "convert",
    "describe",
    "lint",
    "parse",
    "readable",
    "strict_breaks",
    "without",
]
