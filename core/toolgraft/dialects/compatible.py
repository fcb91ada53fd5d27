"""Servers and providers that speak Chat Completions as OpenAI does: the form that all take.

The output of a tool is text, and a picture stands in a message of the user.
"""

from __future__ import annotations

from typing import Final

from toolgraft.dialects.dialect import Dialect
from toolgraft.dialects.portable import PORTABLE

_PACKAGES: Final = ("huggingface", "ibm", "litellm", "meta", "nvidia_ai_endpoints", "perplexity", "together", "upstage")
_PROVIDERS: Final = (
    "baseten",
    "bedrock_mantle_openai",
    "cerebras",
    "huggingface",
    "ibm",
    "langsmith",
    "litellm",
    "lmstudio",
    "lm_studio",
    "meta",
    "nvidia",
    "perplexity",
    "sambanova",
    "together",
    "together_ai",
    "upstage",
    "vllm",
)

OPENAI_COMPATIBLE = Dialect(
    "openai-compatible",
    strict=PORTABLE.strict,
    redraw=PORTABLE.redraw,
    pictures="user",
    also=("openai_compatible", *_PROVIDERS, *(f"langchain_{package}" for package in _PACKAGES)),
)
