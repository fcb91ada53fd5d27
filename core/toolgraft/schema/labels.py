"""Forms without characters that nobody sees, for models to read; what a model writes is sent as the server wrote it.

Whatever is no value (prose, keywords, names) is given without them. A fixed value (`enum`, `const`) that has one is
shown under a label that can be read; where the model writes the label, the server's own value takes its place again.
No two values have the same label.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from toolgraft.content.hidden import SUSPECT, without_hidden
from toolgraft.content.text import printable
from toolgraft.schema.aliases import Walk, as_given, nodes_of
from toolgraft.schema.decode.codec import Codec
from toolgraft.schema.decode.steps import problem
from toolgraft.schema.language.keywords import is_list, is_object
from toolgraft.schema.language.pointers import Node, Path

Labels: TypeAlias = Mapping[str, str]
"""By text that has characters that nobody sees: what it is shown as."""

NO_LABELS: Final[Labels] = {}
_FIXED: Final = frozenset({"enum", "const"})
_EXAMPLES: Final = frozenset({"default", "examples", "example"})
_BY_NAME: Final = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"})
_ANY: Final = "^"
"""Shown for a pattern that cannot be: it matches all. The server's own is checked before the call."""


def labels_in(*forms: Node) -> Labels:
    """Give each text in a fixed value that has characters that nobody sees its label, no two the same."""
    texts = dict.fromkeys(text for form in forms for value in _fixed_in(form) for text in _texts_in(value))
    taken = {text for text in texts if without_hidden(text) == text}
    labels: dict[str, str] = {}
    for text in texts:
        if text in taken:
            continue
        label = without_hidden(text)
        if not label or label in taken:
            label = _spelled(text)
        while label in taken:
            label += "_"
        labels[text] = label
        taken.add(label)
    return labels


def _spelled(text: str) -> str:
    r"""A text with each of its characters that are looked at written as an escape, e.g. `\u200b`."""
    return SUSPECT.sub(lambda found: found[0].encode("unicode_escape").decode(), printable(text))


def _fixed_in(form: Node) -> Iterator[Any]:
    """All values in `enum` and `const` of a form."""
    waiting: list[tuple[Any, bool]] = [(form, False)]
    while waiting:
        one, named = waiting.pop()
        if is_list(one):
            waiting += [(each, False) for each in one]
        elif is_object(one):
            for key, value in one.items():
                if not named and key in _FIXED:
                    yield value
                elif named or key not in _EXAMPLES:
                    waiting.append((value, not named and key in _BY_NAME))


def _texts_in(value: Any) -> Iterator[str]:
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif is_list(one):
            waiting += reversed(one)
        elif is_object(one):
            waiting += [*one, *one.values()]


def labelled(form: Node, labels: Labels = NO_LABELS) -> Node:
    """Give a form as a model is to read it; the form given is not changed."""
    return {without_hidden(key): _member(key, value, labels) for key, value in form.items()}


def readable(form: Node) -> Node | None:
    """Give a form of what a server answers without what nobody sees; None where a name or a value would differ."""
    names = (name for node in nodes_of(form) for name in node.get("properties", ()))
    if labels_in(form) or any(without_hidden(name) != name for name in names):
        return None
    return labelled(form)


def _member(key: str, value: Any, labels: Labels) -> Any:
    if key == "pattern" and isinstance(value, str):
        return _spelled_pattern(value)
    if key in _FIXED | _EXAMPLES:
        return under_labels(value, labels)
    if key in _BY_NAME and is_object(value):
        shown = _spelled_pattern if key == "patternProperties" else without_hidden
        return {shown(name): _inner(each, labels) for name, each in value.items()}
    return _inner(value, labels)


def _inner(value: Any, labels: Labels) -> Any:
    if isinstance(value, str):
        return without_hidden(value)
    if is_list(value):
        return [_inner(each, labels) for each in value]
    return labelled(value, labels) if is_object(value) else value


def _spelled_pattern(pattern: str) -> str:
    r"""A pattern that means the same: `\u200b` is a character to it (ECMA-262). Beyond U+FFFF there is no such form."""
    if without_hidden(pattern) == pattern:
        return pattern
    spelled = SUSPECT.sub(lambda found: f"\\u{ord(found[0]):04x}" if ord(found[0]) < 0x10000 else found[0], pattern)
    return spelled if SUSPECT.search(spelled) is None else _ANY


def under_labels(value: Any, labels: Labels) -> Any:
    """A value with each text in it under its label, or without what nobody sees."""
    if isinstance(value, str):
        return labels[value] if value in labels else without_hidden(value)
    if is_list(value):
        return [under_labels(each, labels) for each in value]
    if is_object(value):
        return {under_labels(name, labels): under_labels(each, labels) for name, each in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class LabelledCodec:
    """A codec for forms that show labels.

    Attributes:
        inner: The codec of these forms as they are without labels.
        forms: They.
        server: The server's own schema with its `$defs`: where a form tells values in prose alone, they are found here.
        labels: What is shown for which text.
    """

    inner: Codec
    forms: tuple[Node, ...]
    server: Node
    labels: Labels

    def decode(self, args: Node) -> Node:
        """Put the server's values for labels, then decode."""
        for form in self.forms:
            args = _walked(args, form, self.labels, back=True)
        return _walked(self.inner.decode(args), self.server, self.labels, back=True)

    def encode(self, args: Node) -> Node:
        """Encode, then put labels for the server's values."""
        args = self.inner.encode(args)
        for form in self.forms:
            args = _walked(args, form, self.labels, back=False)
        return args


def _walked(args: Node, form: Node, labels: Labels, *, back: bool) -> Node:
    try:
        return cast(Node, _ToValues(form, labels, back=back).value(args, [form], ""))
    except RecursionError as error:
        raise problem("", "nested too deep") from error


class _ToValues(Walk):
    """Puts fixed values for what they are shown as, wherever a schema has them; or the other way round."""

    def __init__(self, form: Node, labels: Labels, *, back: bool) -> None:
        super().__init__(form, {}, as_given)
        self._labels = labels
        self._back = back
        self._known: dict[int, _Turned] = {}

    def value(self, value: Any, nodes: Iterable[Node], at: Path) -> Any:
        if isinstance(value, str | list | dict):
            nodes = list(nodes)
            for node in self.applying(nodes):
                found, wanted = self._turned(node).of(value)
                if found:
                    return wanted
        return super().value(value, nodes, at)

    def members(self, value: Node, nodes: list[Node], at: Path) -> Node:
        """An object whose names are fixed by `propertyNames` has them turned too."""
        fixed = [name for node in nodes if is_object(name := node.get("propertyNames"))]
        if fixed:
            value = {self.value(name, fixed, at): each for name, each in value.items()}
        return super().members(value, nodes, at)

    def _turned(self, node: Node) -> _Turned:
        if id(node) not in self._known:
            enum = node.get("enum", ())
            fixed = [*(enum if is_list(enum) else ()), *([node["const"]] if "const" in node else ())]
            self._known[id(node)] = _Turned.made(fixed, self._labels, back=self._back)
        return self._known[id(node)]


@dataclass(frozen=True, slots=True)
class _Turned:
    """What takes the place of the fixed values of one schema, or of their labels.

    Attributes:
        texts: For texts.
        others: For lists and objects, as pairs.
    """

    texts: Mapping[str, str]
    others: Sequence[tuple[Any, Any]]

    @classmethod
    def made(cls, fixed: Iterable[Any], labels: Labels, *, back: bool) -> _Turned:
        pairs = [(each, under_labels(each, labels)) for each in fixed]
        turned = [(shown, own) if back else (own, shown) for own, shown in pairs if own != shown]
        return cls(
            {given: wanted for given, wanted in turned if isinstance(given, str)},
            [(given, wanted) for given, wanted in turned if not isinstance(given, str)],
        )

    def of(self, value: Any) -> tuple[bool, Any]:
        if isinstance(value, str):
            return value in self.texts, self.texts.get(value)
        return next(((True, wanted) for given, wanted in self.others if given == value), (False, None))
