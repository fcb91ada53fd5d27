"""One content block from the wire, as parts. Total: a block that is not understood becomes text that says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias, TypedDict, cast
from urllib.parse import unquote, urlsplit

from toolgraft.content import payload
from toolgraft.content.magic import HEAD, IMAGE_TYPES, sniff
from toolgraft.content.text import compact, encodable, shortened
from toolgraft.result import AnyPart, Audio, File, Image, Link, Text

Block: TypeAlias = Mapping[str, Any]

OCTETS: Final = "application/octet-stream"


class Common(TypedDict, total=False):
    """The keyword arguments that every part takes (see `toolgraft.result.Part`)."""

    audience: tuple[str, ...]
    priority: float | None
    origin: str
    last_modified: str | None
    meta: Mapping[str, Any]


class Converted(NamedTuple):
    """Parts of one block, and what was wrong with it (empty when nothing was)."""

    parts: tuple[AnyPart, ...]
    problem: str = ""


def from_block(block: object) -> Converted:
    """Convert one content block (MCP schema: `ContentBlock`) of any kind, known or not."""
    if isinstance(block, str):
        return Converted((Text(encodable(block)),), "a bare string, taken as text")
    if not isinstance(block, Mapping):
        return _unknown(block, {"origin": type(block).__name__}, f"{type(block).__name__}, not a content block")
    members = cast("Block", block)
    kind = _kind(members)
    convert = _KINDS.get(kind)
    common = _common(members)
    if convert is None:
        return _unknown(members, common, f"a block of the unknown type {kind!r}")
    return convert(members, common)


def from_resource(contents: object, common: Common) -> Converted:
    """Convert resource contents (MCP schema: `TextResourceContents | BlobResourceContents`).

    Args:
        contents: What stood in an embedded resource, or in one entry of a `resources/read` answer.
        common: What the parts take from the block around it.
    """
    if not isinstance(contents, Mapping):
        return _unknown(contents, common, "a resource that is not an object")
    members = cast("Block", contents)
    common = _with_meta(common, string_keyed(members.get("_meta")))
    uri, mime_type = _string(members.get("uri")), _string(members.get("mimeType"))
    parts: tuple[AnyPart, ...] = ()
    problem = ""
    if isinstance(text := members.get("text"), str):
        parts = (Text(encodable(text), uri=uri, mime_type=mime_type, **common),)
    if (blob := members.get("blob")) is not None:
        more = _from_bytes(blob, mime_type, uri, common)
        parts, problem = (*parts, *more.parts), more.problem
    return Converted(parts, problem) if parts else _unknown(members, common, "a resource without text or blob")


def _common(block: Block) -> Common:
    if "annotations" not in block and "_meta" not in block:
        return {"origin": _kind(block)}
    notes = string_keyed(block.get("annotations"))
    audience, priority = notes.get("audience"), notes.get("priority")
    if isinstance(audience, str):
        audience = [audience]
    named = cast("list[object]", audience) if isinstance(audience, list | tuple) else []
    return {
        "origin": _kind(block),
        "audience": tuple(one for one in named if isinstance(one, str)),
        "priority": _fraction(priority),
        "last_modified": _string(notes.get("lastModified")),
        "meta": string_keyed(block.get("_meta")),
    }


def _kind(block: Block) -> str:
    kind = block.get("type")
    return encodable(kind)[:64] if isinstance(kind, str) else type(kind).__name__


def _fraction(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return float(value)


def _text(block: Block, common: Common) -> Converted:
    text = block.get("text")
    if isinstance(text, str):
        return Converted((Text(encodable(text), **common),))
    if text is None:
        return _unknown(block, common, "a text block without text")
    return Converted((Text(compact(text), **common),), f"its text is {type(text).__name__}: shown as JSON")


def _image(block: Block, common: Common) -> Converted:
    data, mime_type = block.get("data"), _string(block.get("mimeType"))
    if isinstance(data, str) and data.lstrip()[:5].lower() in ("<svg ", "<?xml", "<svg>"):
        return Converted((Text(encodable(data), mime_type="image/svg+xml", **common),))
    return _from_bytes(data, mime_type or "image/*", None, common)


def _audio(block: Block, common: Common) -> Converted:
    return _from_bytes(block.get("data"), _string(block.get("mimeType")) or "audio/*", None, common)


def _link(block: Block, common: Common) -> Converted:
    uri, size = _string(block.get("uri")), block.get("size")
    if not uri:
        return _unknown(block, common, "a resource link without a URI")
    link = Link(
        uri,
        name=_string(block.get("name")),
        title=_string(block.get("title")),
        description=_string(block.get("description")),
        mime_type=_string(block.get("mimeType")),
        size=int(size) if isinstance(size, int | float) and 0 <= size < 2**63 else None,
        **common,
    )
    return Converted((link,))


def _resource(block: Block, common: Common) -> Converted:
    return from_resource(block.get("resource"), common)


def _from_bytes(data: object, label: str | None, uri: str | None, common: Common) -> Converted:
    """Sort bytes by what they are: their own first bytes count for more than the label."""
    cleaned = payload.clean(data)
    wanted = label or "file"
    if not cleaned:
        reason = (
            "is empty" if not data else f"is not base64 ({len(data):,} characters)" if isinstance(data, str) else ""
        )
        reason = reason or f"is {type(data).__name__}, not base64"
        return Converted((Text(f"[{wanted} left out: its data {reason}]", uri=uri, **common),), f"its data {reason}")
    found = sniff(payload.head(cleaned, HEAD))
    if found in IMAGE_TYPES:
        return Converted((Image(cleaned, found, uri=uri, **common),))
    if wanted.startswith("audio/") or (found or "").startswith("audio/"):
        sound = wanted if wanted.startswith("audio/") and wanted != "audio/*" else found or OCTETS
        return Converted((Audio(cleaned, sound, uri=uri, **common),))
    if found == "image/svg+xml" or _is_textual(wanted):
        mime_type = found or wanted
        text = _decoded(cleaned)
        if text is not None:
            return Converted((Text(encodable(text), uri=uri, mime_type=mime_type, **common),))
    return _file(cleaned, found, label, uri, common)


def _file(data: str, found: str | None, label: str | None, uri: str | None, common: Common) -> Converted:
    mime_type, problem = label or found or OCTETS, ""
    if mime_type in (OCTETS, "image/*") or (found == "application/pdf"):
        mime_type = found or OCTETS
    elif mime_type == "application/pdf" or mime_type in IMAGE_TYPES:
        problem = f"labelled {mime_type}, but its bytes are {found or 'of no known kind'}"
        mime_type = found or OCTETS
    return Converted((File(data, mime_type, name=_name(uri), uri=uri, **common),), problem)


def _is_textual(mime_type: str) -> bool:
    plain = mime_type.partition(";")[0].strip().lower()
    return (
        plain.startswith("text/") or plain in ("application/json", "image/svg+xml") or plain.endswith(("+json", "+xml"))
    )


def _decoded(data: str) -> str | None:
    decoded = payload.decode(data)
    try:
        return None if decoded is None or b"\0" in decoded else decoded.decode()
    except UnicodeDecodeError:
        return None


def _name(uri: str | None) -> str | None:
    try:
        return unquote(urlsplit(uri or "").path).rstrip("/").rpartition("/")[2][:255] or None
    except ValueError:
        return None


def _unknown(block: object, common: Common, problem: str) -> Converted:
    said = compact(shortened(block))
    kept = _with_meta(common, {"toolgraft/block": block})
    return Converted((Text(f"[{problem}: {said}]", **kept),), f"{problem}: shown as text")


def _with_meta(common: Common, more: Mapping[str, Any]) -> Common:
    if not more:
        return common
    widened = common.copy()
    widened["meta"] = {**common.get("meta", {}), **more}
    return widened


def _string(value: object) -> str | None:
    return encodable(value) if isinstance(value, str) else None


def string_keyed(value: object) -> dict[str, Any]:
    """Give the members of an object whose names are strings; an empty one for anything else."""
    if not isinstance(value, Mapping):
        return {}
    return {key: one for key, one in cast("Mapping[object, Any]", value).items() if isinstance(key, str)}


_KINDS: Final[Mapping[str, Callable[[Block, Common], Converted]]] = {
    "text": _text,
    "image": _image,
    "audio": _audio,
    "resource_link": _link,
    "resource": _resource,
}
