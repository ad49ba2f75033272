"""Bounded types for everything that clients send, and a decoder that takes no others. No I/O here.

A text, list or number from outside is bounded before any other code sees it: the decoder counts while it reads. Use
these aliases in the fields of requests and messages. `InputCodec` checks its type when it is made, so a server with an
unbounded field does not start.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias, TypeVar

from msgspec import Meta, inspect

from ratscrew.errors import InputError
from ratscrew.game.codec import Codec

T = TypeVar("T")

NAME_MOST = 200
"""Code points of a name as it is typed: 20 characters, of which an emoji can have ten each."""

INTEGER_MOST = 2**53
"""JavaScript has whole numbers up to this one exactly."""

NameText: TypeAlias = Annotated[str, Meta(max_length=NAME_MOST)]
"""A name that a player types. `table/names/names.py` checks the rest."""

HouseText: TypeAlias = Annotated[str, Meta(max_length=4096)]
"""The short text of a house. `rules/link.py` refuses a longer one than `MAX_LENGTH` with a sentence."""

ShortText: TypeAlias = Annotated[str, Meta(max_length=100)]
"""A name of the server's own, such as that of a game, of an option or of a value."""

PassText: TypeAlias = Annotated[str, Meta(max_length=400)]
"""A pass or a ticket that a server has made."""

ProofsText: TypeAlias = Annotated[str, Meta(max_length=2000)]
"""The proofs of the seats that a page keeps itself, of some seventy characters each."""

Base64Text: TypeAlias = Annotated[str, Meta(max_length=4096)]
"""Bytes as base64url: a part of a passkey, whose certificates alone can have a kilobyte."""

Integer: TypeAlias = Annotated[int, Meta(ge=-INTEGER_MOST, le=INTEGER_MOST)]
"""A whole number, such as that of a seat or an event. Whether there is such a one is checked later."""

PlayerIds: TypeAlias = Annotated[tuple[Integer, ...], Meta(max_length=16)]
"""Players whose seats one browser holds: a page has eight at most, and a browser sends sixteen cookies."""

_Number: TypeAlias = Annotated[float, Meta(ge=-INTEGER_MOST, le=INTEGER_MOST)]
_Plain: TypeAlias = bool | Integer | _Number | ShortText | None
_Values: TypeAlias = _Plain | Annotated[list[_Plain], Meta(max_length=100)]
_Parameters: TypeAlias = _Values | Annotated[dict[ShortText, _Values], Meta(max_length=100)]
Choice: TypeAlias = _Values | Annotated[dict[ShortText, _Parameters], Meta(max_length=100)]
"""The value of a choice in a house, in JSON: plain, a list, or such values by name, two levels deep."""


class InputCodec(Codec[T]):
    """A codec for what clients send: `most` bytes of a type in which every field is bounded."""

    def __init__(self, kind: Any, most: int) -> None:
        """Raises: TypeError with every unbounded field of the type."""
        if found := list(unbounded(kind)):
            raise TypeError(f"a client could send any amount of this; use the types of bounds.py: {', '.join(found)}")
        super().__init__(kind)
        self._most = most

    def decode(self, data: bytes | str) -> T:
        """Decode a value from JSON.

        Raises: InputError with the field and what is wrong with it.
        """
        if len(data) > self._most:
            raise InputError(f"more than {self._most} bytes")
        try:
            return super().decode(data)
        except ValueError as error:
            fault, _, field = str(error).rpartition(" - at `")
            raise InputError(fault or field, field.strip("`") if fault else "$") from error.__cause__


def unbounded(kind: Any) -> Iterator[str]:
    """The parts of a type that can have any size, each by its path: texts, lists, objects, numbers, and `Any`."""
    yield from _unbounded(inspect.type_info(kind), "", frozenset())


def _unbounded(kind: inspect.Type, path: str, outer: frozenset[Any]) -> Iterator[str]:
    match kind:
        case inspect.Metadata(type=inner):
            yield from _unbounded(inner, path, outer)
        case inspect.UnionType(types=types):
            for inner in types:
                yield from _unbounded(inner, path, outer)
        case inspect.StructType(cls=cls, fields=fields):
            if cls not in outer:
                for field in fields:
                    where = f"{path}.{field.encode_name}" if path else f"{cls.__name__}.{field.encode_name}"
                    yield from _unbounded(field.type, where, outer | {cls})
        case inspect.IntType() | inspect.FloatType():
            if (kind.ge is None and kind.gt is None) or (kind.le is None and kind.lt is None):
                yield path or "a number"
        case inspect.StrType(max_length=None) | inspect.BytesType(max_length=None):
            yield path or "a text"
        case inspect.StrType() | inspect.BytesType():
            pass
        case inspect.ListType() | inspect.VarTupleType():
            if kind.max_length is None:
                yield path or "a list"
            yield from _unbounded(kind.item_type, f"{path}[]", outer)
        case inspect.TupleType(item_types=types):
            for number, inner in enumerate(types):
                yield from _unbounded(inner, f"{path}[{number}]", outer)
        case inspect.DictType():
            if kind.max_length is None:
                yield path or "an object"
            yield from _unbounded(kind.key_type, f"{path}{{}}", outer)
            yield from _unbounded(kind.value_type, f"{path}{{}}", outer)
        case inspect.BoolType() | inspect.NoneType() | inspect.LiteralType() | inspect.EnumType():
            pass
        case _:  # Any, raw JSON, a type with a decoder of its own: nobody knows how large
            yield path or str(kind)
