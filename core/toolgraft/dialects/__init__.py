"""What each provider takes of a tool and of its results: schema form, names, pictures, files; a small file each.

With nothing told, a tool has the form of `PORTABLE`, which every provider's package takes whole.
"""

from toolgraft.dialects.anthropic_strict import strict_within
from toolgraft.dialects.azure import on_azure
from toolgraft.dialects.dialect import DOCUMENTS, Dialect, Form, Place
from toolgraft.dialects.endpoints import BY_RESPONSES, as_chat, dialect_at
from toolgraft.dialects.known import DIALECTS, close_to, dialect_named, find_dialect
from toolgraft.dialects.portable import PORTABLE

__all__ = [
    "BY_RESPONSES",
    "DIALECTS",
    "DOCUMENTS",
    "PORTABLE",
    "Dialect",
    "Form",
    "Place",
    "as_chat",
    "close_to",
    "dialect_at",
    "dialect_named",
    "find_dialect",
    "on_azure",
    "strict_within",
]
