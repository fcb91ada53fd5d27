"""OpenAI: the strict form of a tool that has one.

By Responses, the output of a tool may bring pictures and PDFs. By Chat Completions it is text, and a picture stands in
a message of the user. Neither documents a longest description: that of 1,024 characters, beyond which Chat Completions
refused the whole request until the spring of 2025, is gone, but not on Azure.
"""

from __future__ import annotations

from toolgraft.dialects.dialect import DOCUMENTS, Dialect

OPENAI = Dialect(
    "openai",
    strict=True,
    files=DOCUMENTS,
    also=("openai-responses", "openai_responses", "openai-codex", "langchain_openai"),
)
OPENAI_CHAT = Dialect(
    "openai-chat",
    strict=True,
    pictures="user",
    user_files=DOCUMENTS,
    also=("openai_chat", "chat_completions", "openrouter", "langchain_openrouter"),
)
