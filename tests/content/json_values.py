"""Strategies for what a server may send."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.content.bytes_of import BMP, GIF, JPEG, PDF, PNG, SVG, WAV, WEBP, ZIP, b64

ANY_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)

PAYLOADS = st.sampled_from([PNG, JPEG, GIF, WEBP, BMP, WAV, PDF, ZIP, b64(SVG.encode()), b64(bytes(range(256)))])

LABELS = st.sampled_from(
    ["image/png", "image/jpeg", "image/svg+xml", "audio/wav", "application/pdf", "text/plain", "application/json"]
)

NOTES = st.fixed_dictionaries(
    {},
    optional={
        "audience": st.sampled_from([["user"], ["assistant"], ["user", "assistant"], []]),
        "priority": st.floats(),
    },
)


def block(kind: str, **members: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"type": st.just(kind), **members}, optional={"annotations": NOTES | ANY_JSON})


MEDIA = (
    block("image", data=PAYLOADS, mimeType=LABELS)
    | block("audio", data=PAYLOADS, mimeType=LABELS)
    | block(
        "resource", resource=st.fixed_dictionaries({"uri": st.text(max_size=20), "blob": PAYLOADS, "mimeType": LABELS})
    )
)

GOOD = (
    block("text", text=st.text())
    | MEDIA
    | block("resource_link", uri=st.text(min_size=1), name=st.text())
    | block("resource", resource=st.fixed_dictionaries({"uri": st.text(max_size=20), "text": st.text()}))
)

MEMBERS = ("text", "data", "mimeType", "uri", "name", "size", "resource", "annotations", "_meta", "title")

ODD = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "image", "audio", "resource", "resource_link", "new"])},
    optional=dict.fromkeys(MEMBERS, ANY_JSON),
)

RESULTS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "content": st.lists(GOOD | ODD | ANY_JSON, max_size=6) | ANY_JSON,
        "structuredContent": ANY_JSON | GOOD | st.fixed_dictionaries({"result": st.lists(GOOD, max_size=3)}),
        "isError": st.booleans() | ANY_JSON,
        "_meta": ANY_JSON,
    },
)
